# SPDX-License-Identifier: MIT
"""Who stories are about: names, animals, people by what they do, made-up creatures."""

GIRLS = """Ada Agnes Aisha Alba Alice Alma Amara Amelie Amina Anika Anna Anya Astrid Aurelia Ayla Beatrix Bella Bettina
Bianca Birdie Bonnie Brenna Bridget Camille Carla Carmen Cecily Celia Charlotte Chiara Clara Clementine Cora Dagny Dalia
Daphne Daria Delia Dora Dorothea Edith Elena Elif Elsa Emi Emma Esme Esther Etta Eva Fatima Faye Fenna Fiona Flora
Frances Freya Frieda Gemma Ginger Gloria Greta Gudrun Gwen Hana Hanna Harriet Hattie Hazel Heidi Helga Henrietta Holly
Ida Ilse Imani Imogen Ines Ingrid Irene Iris Isla Ivy Jana Jasmine Joanna Josephine Julia June Juniper Kaia Karin Keiko
Kiki Kira Lara Laila Lavinia Leila Lena Leonie Lila Lily Lina Linnea Liv Lola Lorna Lotte Louisa Lucia Lucy Luna Lydia
Mabel Maeve Magda Maisie Malin Mara Margit Maria Marigold Marta Matilda Maya Mei Mia Mila Minna Mira Miriam Molly Mona
Myrtle Nadia Naomi Nell Nessa Nina Noor Nora Odette Olga Olive Opal Ottilie Paloma Patience Pearl Penny Petra Philippa
Phoebe Pia Pippa Polly Poppy Priya Prudence Ramona Rania Rebecca Rhea Rosa Rosalind Rosie Rowena Ruby Ruth Sabine Sadie
Saffron Salma Samira Sarah Selma Shirin Sigrid Silvia Simone Sofia Solveig Stella Sunniva Susan Sylvie Tabitha Talia
Tamsin Tansy Tessa Thea Tilda Tilly Tova Ulla Una Ursula Valerie Vera Viola Violet Wanda Willa Wilma Winnie Yara Yuki
Yasmin Yvonne Zahra Zelda Zita Zoe Zora""".split()
BOYS = """Aaron Abel Adam Adrian Ahmed Alan Albert Aldo Alfie Ali Amir Anders Andrei Angus Anton Archie Arjun Arlo Arne
Arthur Asher August Axel Barnaby Bartholomew Basil Ben Benno Bertram Boris Bruno Caleb Carlos Casper Cedric Chen Clive
Colin Conrad Cornelius Cyril Dafydd Daniel Dario David Desmond Dexter Diego Dmitri Dominic Duncan Edgar Edmund Edwin
Elias Elliot Emil Emmett Enzo Erik Ernest Ethan Evan Ezra Felix Fergus Finn Florian Francis Franz Fred Fritz Gabriel
Gareth George Gilbert Giles Giovanni Gordon Graham Gregor Gunnar Gus Hamid Hamish Hans Harold Harvey Hassan Hector Henrik
Henry Herbert Hiro Horace Hugo Humphrey Ibrahim Idris Igor Isaac Ivan Ivo Jack Jakob Jamal Jasper Jens Jerome Joachim
Joel Johan Jonas Jorge Joseph Joshua Jules Kai Karim Karl Kasper Kenji Klaus Kofi Konrad Kurt Lars Leander Lennart Leo
Leopold Levi Liam Linus Lorenzo Louis Luca Ludwig Luis Lukas Magnus Malik Marcel Marco Marius Mateo Matthias Max
Maximilian Miguel Milo Mikhail Mohammed Moritz Morris Mustafa Nathan Ned Nico Nils Noah Norman Oleg Oliver Omar Orlando
Oscar Osman Oswald Otis Otto Pablo Pascal Patrick Paul Pavel Pedro Percy Peter Philip Piers Quentin Rafael Rajesh Ralph
Ramon Rashid Reuben Rico Robin Rodrigo Roland Rolf Roman Rory Rufus Rupert Samuel Sanjay Santiago Sasha Sebastian Sergei
Simon Stefan Sven Tariq Ted Theo Thomas Tobias Tom Tomas Tristan Ulrich Valentin Victor Vincent Viktor Walter Wendell
Wilbur Wilfred Willem Wolfgang Yann Yusuf Zachary Zeno""".split()
PETS = """Acorn Badger Bramble Biscuit Button Chestnut Clover Cricket Crumb Dumpling Ember Fern Fidget Flint Freckle
Gingersnap Hopper Inky Jellybean Kipper Lentil Marble Maple Mitten Moss Muffin Nettle Nibbles Noodle Nugget Nutmeg Oatmeal
Pebble Pepper Pickle Pip Plum Pockets Pudding Pumpkin Puddle Quill Rascal Rusty Scout Shadow Snowball Socks Soot Sprout
Squeak Sparrow Thistle Thunder Tinker Toffee Trouble Truffle Tumble Turnip Twig Velvet Waffles Walnut Whiskers Widget
Wobble Zigzag""".split()

FURRY = """aardvark alpaca antelope armadillo baboon badger bat bear beaver bison boar bobcat buffalo calf camel capybara cat
chamois cheetah chinchilla chipmunk colt cougar cow coyote deer dingo dog donkey dormouse elephant elk ermine fawn ferret
foal fox gazelle gerbil gibbon giraffe goat gopher gorilla groundhog guinea pig hamster hare hedgehog hippo horse hyena ibex
impala jackal jaguar jerboa kangaroo kitten koala lamb lemming lemur leopard lion llama lynx marmot marten meerkat mink mole
mongoose monkey moose mouse mule muskrat okapi opossum orangutan otter ox panda pangolin panther piglet pig platypus polar
bear pony porcupine possum puma puppy rabbit raccoon ram rat red panda reindeer rhino sheep shrew skunk sloth squirrel stoat
tapir tiger vole wallaby warthog weasel wild boar wolf wolverine wombat yak zebra"""
FEATHERED = """albatross blackbird bluebird budgie bullfinch buzzard canary chick chickadee cockatoo cormorant crane crow
cuckoo curlew dove duck duckling eagle egret emu falcon finch flamingo goldfinch goose gosling grouse gull hawk hen heron
hoopoe hummingbird ibis jackdaw jay kestrel kingfisher kite kiwi lark magpie mallard martin nightingale nuthatch oriole
ostrich owl parrot partridge peacock pelican penguin pheasant pigeon plover puffin quail raven robin rooster sandpiper
seagull skylark snipe sparrow starling stork swallow swan swift tern thrush toucan turkey vulture wagtail warbler waxwing
woodpecker wren"""
OTHERS = """alligator ant bee beetle bumblebee butterfly carp caterpillar centipede chameleon cicada clam cobra cod crab
crayfish cricket crocodile dolphin dragonfly earthworm eel firefly fly frog gecko goldfish grasshopper grasshopper herring
iguana jellyfish ladybird lizard lobster manatee mantis moth narwhal newt octopus oyster pike porpoise prawn python
salamander salmon sea lion seahorse seal shark shrimp slug snail snake spider squid starfish stick insect tadpole termite
terrapin toad tortoise trout tuna turtle viper walrus wasp whale woodlouse worm"""
MADE_UP = """dragon dwarf elf fairy gargoyle genie ghost giant gnome goblin golem griffin imp kelpie kraken mermaid ogre
phoenix pixie robot scarecrow sea serpent selkie snowman sprite troll unicorn water sprite wizard witch yeti little dragon
wind-up bear tin soldier rag doll paper bird wooden puppet moon rabbit cloud sheep sock monster cave troll stone giant
teapot spirit tree spirit star child river spirit shadow cat clockwork mouse lighthouse ghost"""
JOBS = """acrobat apothecary apprentice archer architect astronomer baker ballerina banker barber barrel maker basket weaver
beekeeper bell maker bell ringer blacksmith boat builder bookbinder bookseller botanist brewer bricklayer broom maker builder
bus driver butcher button maker candle maker caretaker carpenter cartographer cellist cheese maker chef chimney sweep
circus rider clockmaker clown coachman cobbler composer conductor cook cooper coppersmith dairymaid dancer dentist detective
diver doctor doll maker dressmaker drummer electrician engineer explorer farmer ferryman fiddler firefighter fisherman
flautist florist flute player forester fortune teller fruit seller gardener glassblower goatherd goldsmith grave digger
grocer guard guide guitar player harbour master harpist hat maker herbalist hermit hunter ice cream seller inn keeper
inventor janitor jeweller juggler king knight lacemaker lamplighter librarian lighthouse keeper locksmith lumberjack
magician mapmaker mason mayor mechanic messenger midwife milkman miller miner monk musician night watchman nurse painter
park keeper pastry cook perfume maker photographer pianist pilot pirate plumber poet police officer post rider postman
potter printer puppeteer queen rag picker railway guard rat catcher roofer rope maker saddler sailor salt seller scholar
scientist sculptor seamstress shepherd ship's cook shipwright shoemaker shopkeeper signalman silversmith singer soap maker
soldier spinner stable boy stargazer stonecutter storyteller street sweeper student surgeon swimmer swordsmith tailor
tea merchant teacher tinker toymaker train driver trumpeter umbrella maker vet vine grower violin maker violinist waiter
watchmaker weaver well digger whittler window cleaner woodcarver woodcutter zookeeper"""
KIN = """mother father sister brother grandmother grandfather aunt uncle cousin neighbour teacher friend""".split()


def phrases(text, two):
    """Words of a list; `two` are those of several words in it."""
    for phrase in two:
        text = " ".join(text.split()).replace(phrase, phrase.replace(" ", "_"))
    return sorted({word.replace("_", " ") for word in text.split()})


ANIMALS = phrases(FURRY, ["guinea pig", "polar bear", "red panda", "wild boar"])
BIRDS = phrases(FEATHERED, [])
SMALL = phrases(OTHERS, ["sea lion", "stick insect"])
CREATURES = phrases(MADE_UP, [
    "sea serpent", "water sprite", "little dragon", "wind-up bear", "tin soldier", "rag doll", "paper bird",
    "wooden puppet", "moon rabbit", "cloud sheep", "sock monster", "cave troll", "stone giant", "teapot spirit",
    "tree spirit", "star child", "river spirit", "shadow cat", "clockwork mouse", "lighthouse ghost"])
TRADES = phrases(JOBS, [
    "barrel maker", "basket weaver", "bell maker", "bell ringer", "boat builder", "broom maker", "bus driver",
    "button maker", "candle maker", "cheese maker", "chimney sweep", "circus rider", "doll maker", "flute player",
    "fortune teller", "fruit seller", "grave digger", "guitar player", "harbour master", "hat maker",
    "ice cream seller", "inn keeper", "lighthouse keeper", "night watchman", "park keeper", "pastry cook",
    "perfume maker", "police officer", "post rider", "rag picker", "railway guard", "rat catcher", "rope maker",
    "salt seller", "ship's cook", "soap maker", "stable boy", "street sweeper", "tea merchant", "train driver",
    "umbrella maker", "vine grower", "violin maker", "well digger", "window cleaner"])

TRAITS = """absent-minded adventurous anxious bashful bold bossy brave bright busy calm careful careless cautious cheeky
cheerful chubby clever clumsy cranky crafty curious daring dreamy eager elderly famous fearless fierce forgetful friendly
funny fussy gentle gloomy greedy grumpy handsome hard-working helpful honest hungry impatient jolly kind lanky lazy little
lively lonely loyal lucky merry messy mischievous modest nervous noisy nosy old patient playful plump poor polite proud
quick-witted quiet restless sensible serious shaggy short-sighted shy silent silly skinny sleepy sly small sneaky solemn
stern stubborn stylish tall thoughtful thrifty timid tiny tired tough trusting vain weary wise witty young""".split()
COLOURS = """amber aquamarine beige black blue bronze brown copper coral cream crimson dark blue dark green emerald gold
golden green grey indigo ivory khaki lavender lemon yellow light blue lilac magenta maroon mint green navy blue ochre olive
orange pale blue pale green peach pearl white pink plum purple red rose pink ruby red rust-red sand-coloured scarlet sea
green silver sky blue snow-white tan teal turquoise violet white yellow"""
COLOURS = phrases(COLOURS, ["dark blue", "dark green", "lemon yellow", "light blue", "mint green", "navy blue",
                            "pale blue", "pale green", "pearl white", "rose pink", "ruby red", "sea green", "sky blue"])

ONSETS = """b bl br c ch cl cr d dr f fl fr g gl gr h j k kl kn l m n p ph pl pr qu r s sh sl sn sp st str t th tr tw v w wh
y z""".split()
NUCLEI = "a a e e i i o o u u ai ea ee ei ie oa oo ou ae io".split()
CODAS = "b ck d ff ft g k l ll lm lt m mp n nd ng nk nt p r rk rl rm rn rt s sh sk ss st t th x zz".split()
ENDINGS = "a o i y ie in en el ik us ette olo ina ora ander wick bert ling ton bell kin mond wyn ora umi".split()


def invented_word(r, syllables=None):
    """A word that no language has: what is copied letter by letter."""
    n = syllables or r.choice((1, 2, 2, 2, 3))
    word = ""
    for i in range(n):
        word += r.choice(ONSETS) if i or r.random() < 0.85 else ""
        word += r.choice(NUCLEI)
        if i == n - 1 or r.random() < 0.3:
            word += r.choice(CODAS)
    return word


def invented_name(r):
    word = invented_word(r, r.choice((1, 2, 2)))
    if r.random() < 0.6:
        word += r.choice(ENDINGS)
    return word.capitalize()
