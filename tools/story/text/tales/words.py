# SPDX-License-Identifier: MIT
"""Words of tales: heroes and where they live, places, toys, food."""

GIRLS = """Lily Mia Anna Lucy Sara Emma Ella Zoe Ruby Rosie Daisy Molly Nina Tina Amy Ivy Clara Maya Sophie Alice Grace Chloe
Nora Poppy Luna Hana Leila Priya Amara Freya Elsie Hazel Penny Bella Jane Kate Mary Sally Sue Betty Dora Eva Greta Holly Iris
June Kira Lena Mila Nell Olive Pearl Rita Stella Tess Uma Vera Willa Yara Zara Abby Beth Cora Dina Edie Fern Gina Heidi Isla
Jada Kayla Lola Meg Naomi Opal Paula Rosa Sofia Tara Wendy Violet Annie Maria Ana Fatima Aisha Mei Yuki Ines""".split()
BOYS = """Tom Ben Max Sam Tim Jack Leo Jake Noah Finn Oscar Theo Milo Charlie Henry Eli Owen Ravi Omar Kai Luca Hugo Felix Otto
Gus Toby Adam Dan Joe John Mike Nick Pete Bob Billy Andy Carl David Eddie Frank George Harry Ian Jamie Kevin Liam Mark Nate
Oliver Paul Ryan Simon Ted Victor Will Zack Alex Arlo Bruno Caleb Dylan Emil Fred Gabe Hank Ivan Jonah Kenji Louis Marco Nico
Oskar Pablo Quinn Rory Seth Tariq Umar Vik Wes Yusuf Zane Alfie Benji Cody Diego Ethan Rohan Hassan Jun Mateo Samir""".split()
PETS = """Pip Momo Hazel Bramble Biscuit Pepper Sunny Coco Tuck Nibbles Willow Dot Fern Bubbles Fluff Patch Ginger Misty Clover
Button Spot Ziggy Honey Maple Scout Poppy Waffles Toffee Pebble Rusty Luna Marble Cricket Olive Peanut Whiskers Bean Juniper
Moss Acorn Pickle Mittens Shadow Snowy Tango Ollie Milo Mango Bella Chip Puddle Sage Echo Dusty Ruffles Twig Nutmeg Cocoa
Berry Sprout Daisy Flick Snap Tilly Barney Freddie Bo Gigi Kiki Lulu Toto Nana Remy Suki Wally Zuzu""".split()

# animals: species -> facts used in plots
ANIMALS = {
    #             home                         food                     move             body            sound
    "rabbit": ("a cozy burrow", "carrots", "hopped", "soft ears", "a little squeak"),
    "fox": ("a den under an oak tree", "berries", "trotted", "bushy tail", "a small yip"),
    "bear": ("a warm cave", "honey", "walked", "big paws", "a soft growl"),
    "mouse": ("a tiny hole in the wall", "cheese", "scampered", "pink nose", "a tiny squeak"),
    "squirrel": ("a hollow tree", "nuts", "scurried", "fluffy tail", "a quick chatter"),
    "duck": ("a pond with tall reeds", "bread crumbs", "waddled", "yellow feet", "a loud quack"),
    "frog": ("a green lily pad", "flies", "hopped", "long legs", "a deep croak"),
    "turtle": ("a pool near the river", "green leaves", "crawled", "hard shell", "a slow sigh"),
    "owl": ("the top of an old tree", "seeds", "flew", "round eyes", "a gentle hoot"),
    "bird": ("a nest in the apple tree", "worms", "flew", "bright feathers", "a happy chirp"),
    "hedgehog": ("a pile of dry leaves", "apples", "shuffled", "little spikes", "a quiet sniff"),
    "deer": ("a shady part of the forest", "sweet grass", "ran", "thin legs", "a soft breath"),
    "beaver": ("a lodge made of sticks", "bark", "paddled", "flat tail", "a splash of the tail"),
    "kitten": ("a basket by the fire", "milk", "crept", "soft paws", "a tiny meow"),
    "puppy": ("a little red house in the yard", "biscuits", "ran", "wagging tail", "a happy bark"),
    "penguin": ("an island of ice", "fish", "waddled", "black and white feathers", "a funny honk"),
    "elephant": ("the wide grassland", "bananas", "stomped", "long trunk", "a loud trumpet"),
    "monkey": ("a tall tree in the jungle", "bananas", "swung", "curly tail", "a silly giggle"),
    "lion": ("a sunny rock", "stew", "walked", "golden mane", "a great roar"),
    "giraffe": ("the grassland", "leaves", "strolled", "long neck", "a quiet hum"),
    "pig": ("a muddy pen on the farm", "corn", "trotted", "curly tail", "a happy oink"),
    "sheep": ("a green field", "clover", "trotted", "woolly coat", "a gentle baa"),
    "goat": ("a rocky hill", "grass", "climbed", "little horns", "a loud bleat"),
    "pony": ("a red barn", "apples", "galloped", "shiny mane", "a soft neigh"),
    "chick": ("a straw nest in the hen house", "seeds", "hopped", "yellow fluff", "a tiny peep"),
    "bee": ("a busy hive", "nectar", "buzzed", "stripy coat", "a steady buzz"),
    "butterfly": ("a garden full of flowers", "nectar", "fluttered", "orange wings", "a silent flutter"),
    "snail": ("a damp garden wall", "lettuce", "slid", "round shell", "no sound at all"),
    "ant": ("a hill of sand", "crumbs", "marched", "tiny feet", "a whisper"),
    "fish": ("a cave in the coral", "sea grass", "swam", "shiny scales", "a string of bubbles"),
    "crab": ("a hole in the sand", "seaweed", "scuttled", "red claws", "a quick click"),
    "whale": ("the deep blue sea", "tiny shrimp", "swam", "huge tail", "a long song"),
    "dolphin": ("a warm bay", "fish", "swam", "smooth fins", "a cheerful click"),
    "otter": ("a bend in the river", "clams", "swam", "sleek fur", "a playful chirp"),
    "dragon": ("a cave on a mountain", "hot peppers", "flew", "green scales", "a puff of smoke"),
    "panda": ("a bamboo forest", "bamboo", "rolled", "round ears", "a sleepy grunt"),
    "koala": ("a gum tree", "leaves", "climbed", "fluffy ears", "a snore"),
    "raccoon": ("a hollow log", "berries", "crept", "stripy tail", "a chirr"),
    "mole": ("a long dark tunnel", "roots", "dug", "velvet fur", "a snuffle"),
    "crocodile": ("a muddy river", "melons", "swam", "bumpy back", "a snap of the jaws"),
    "cat": ("a warm house by the river", "fish", "crept", "long whiskers", "a soft purr"),
    "dog": ("a wooden dog house", "bones", "ran", "wagging tail", "a loud bark"),
    "cow": ("a green field on the farm", "grass", "walked", "big brown eyes", "a deep moo"),
    "horse": ("a stable near the field", "hay", "galloped", "long mane", "a loud neigh"),
    "donkey": ("a little barn", "thistles", "trotted", "long ears", "a hee-haw"),
    "wolf": ("a cave in the hills", "stew", "ran", "gray fur", "a long howl"),
    "tiger": ("the deep jungle", "fish", "walked", "orange stripes", "a mighty roar"),
    "zebra": ("the wide grassland", "grass", "galloped", "black and white stripes", "a bark"),
    "kangaroo": ("the dry red land", "leaves", "hopped", "strong legs", "a cough"),
    "unicorn": ("an enchanted forest", "sweet clover", "galloped", "golden horn", "a silver neigh"),
    "dinosaur": ("a green valley full of ferns", "ferns", "stomped", "long tail", "a rumble"),
    "goose": ("a farm by the lake", "corn", "waddled", "white feathers", "a honk"),
    "rooster": ("the top of the hen house", "seeds", "strutted", "red comb", "a cock-a-doodle-doo"),
    "badger": ("a deep burrow", "roots", "shuffled", "striped face", "a grunt"),
    "seal": ("a rocky shore", "fish", "flopped", "smooth fur", "a bark"),
    "camel": ("the sandy desert", "dates", "walked", "big hump", "a groan"),
    "hippo": ("a muddy river", "water plants", "stomped", "big round belly", "a snort"),
    "parrot": ("a palm tree", "nuts", "flew", "colorful feathers", "a squawk"),
    "bat": ("a dark cave", "fruit", "flew", "thin wings", "a tiny squeak"),
    "spider": ("a web in the corner of the barn", "flies", "crawled", "eight legs", "no sound at all"),
    "ladybug": ("a rose bush", "tiny leaves", "flew", "red wings with black spots", "no sound at all"),
    "caterpillar": ("a big green leaf", "leaves", "crawled", "furry back", "a tiny munch"),
    "octopus": ("a cave under the sea", "clams", "swam", "eight arms", "a bubble"),
    "sloth": ("a tall jungle tree", "leaves", "hung", "long arms", "a slow yawn"),
    "lamb": ("a green field", "clover", "skipped", "white wool", "a soft baa"),
    "calf": ("a barn full of hay", "milk", "wobbled", "thin legs", "a small moo"),
    "polar bear": ("an island of ice", "fish", "walked", "thick white fur", "a low growl"),
    "yak": ("a snowy mountain", "grass", "plodded", "shaggy coat", "a grunt"),
    "monster": ("a cave behind a waterfall", "cookies", "stomped", "purple fur", "a silly growl"),
}
SLOWLY = ["turtle", "snail", "hedgehog", "mole", "duck", "koala", "penguin", "panda", "sloth", "caterpillar", "badger", "hippo", "beaver"]
SWIFT = ["rabbit", "deer", "fox", "pony", "lion", "horse", "zebra", "kangaroo", "tiger", "goat", "wolf", "dog", "unicorn"]
TINY = ["mouse", "squirrel", "hedgehog", "frog", "mole", "rabbit", "chick", "ladybug", "ant", "bird", "bee", "kitten"]
PERSONS = {"princess": "f", "prince": "m", "knight": "m", "wizard": "m", "pirate": "", "fairy": "f", "elf": "", "robot": "", "giant": "",
           "queen": "f", "king": "m", "witch": "f", "farmer": "", "baker": "", "sailor": "", "painter": "", "gnome": "m", "astronaut": "",
           "puppet": "", "clown": "", "inventor": "", "shepherd": "", "mermaid": "f", "dancer": "f", "gardener": ""}
SMALL = ["mouse", "bird", "chick", "bee", "butterfly", "snail", "ant", "frog", "hedgehog", "squirrel", "kitten", "crab", "mole"]
LAND = [a for a in ANIMALS if a not in ("fish", "whale", "dolphin", "bee", "butterfly", "crab")]
WALKERS = [a for a in LAND if a not in ("owl", "bird", "snail", "ant", "crocodile", "dragon", "octopus", "ladybug", "bat", "spider", "caterpillar", "parrot", "seal", "monster")]

# places: (name, sight, sound, thing found there)
PLACES = {
    "park": ("tall green trees and a shiny slide", "children laughing", "bench"),
    "garden": ("red roses and fat yellow bees", "bees humming", "flower bed"),
    "beach": ("blue waves and white shells", "the waves going swish", "sand dune"),
    "forest": ("tall trees and soft green moss", "leaves rustling", "old log"),
    "meadow": ("long grass and tiny purple flowers", "crickets singing", "big rock"),
    "farm": ("a red barn and a field of corn", "hens clucking", "haystack"),
    "market": ("stalls full of fruit and cheese", "people calling out prices", "fruit stall"),
    "playground": ("swings, a slide, and a round sandbox", "swings squeaking", "sandbox"),
    "lake": ("smooth water and a little wooden dock", "frogs croaking", "dock"),
    "river": ("clear water running over smooth stones", "water bubbling", "bridge"),
    "hill": ("the whole town far below", "the wind whistling", "crooked tree"),
    "backyard": ("a wooden fence and an apple tree", "a dog barking far away", "fence"),
    "pond": ("green lily pads and a family of ducks", "ducks quacking", "reeds"),
    "orchard": ("rows of trees full of ripe apples", "birds chirping", "ladder"),
    "library": ("shelves and shelves of books", "pages turning softly", "reading corner"),
    "school": ("bright pictures on every wall", "the bell ringing", "classroom"),
    "zoo": ("tall giraffes and sleepy lions", "monkeys chattering", "monkey house"),
    "village square": ("a stone fountain and a bakery with a blue door", "water splashing", "fountain"),
    "woods": ("birch trees and patches of sunlight", "a woodpecker tapping", "fallen tree"),
    "valley": ("a winding stream and fields of clover", "sheep bleating", "stone wall"),
}
OUT = ["park", "garden", "beach", "forest", "meadow", "farm", "playground", "lake", "river", "hill", "backyard", "pond", "orchard",
       "woods", "valley"]

COLORS = ["red", "blue", "green", "yellow", "purple", "orange", "pink", "white", "golden", "silver", "brown"]
# toys: name, what one does with it, past tense, small enough to hide?
TOYS = {
    "ball": ("bounce", "bounced"), "kite": ("fly", "flew"), "doll": ("dress", "dressed"), "teddy bear": ("hug", "hugged"),
    "toy car": ("race", "raced"), "toy boat": ("sail", "sailed"), "toy train": ("push", "pushed"), "robot": ("wind up", "wound up"),
    "drum": ("beat", "beat"), "puzzle": ("solve", "solved"), "yo-yo": ("spin", "spun"), "balloon": ("hold", "held"),
    "paint set": ("open", "opened"), "storybook": ("read", "read"), "bucket": ("fill", "filled"), "puppet": ("wiggle", "wiggled"),
    "whistle": ("blow", "blew"), "toy truck": ("drive", "drove"), "spinning top": ("spin", "spun"), "magnet": ("move", "moved"),
    "music box": ("open", "opened"), "toy airplane": ("throw", "threw"), "marble": ("roll", "rolled"), "scarf": ("wear", "wore"),
    "hat": ("wear", "wore"), "blanket": ("hug", "hugged"), "flashlight": ("shine", "shined"), "necklace": ("wear", "wore"),
    "shell": ("hold", "held"), "bell": ("ring", "rang"), "feather": ("hold", "held"), "key": ("hold", "held"),
    "lantern": ("light", "lit"), "crown": ("wear", "wore"), "mitten": ("wear", "wore"), "toy dinosaur": ("stomp", "stomped"),
}
FOODS = ["cookies", "apple pie", "pancakes", "soup", "bread", "berry jam", "a big cake", "cupcakes", "muffins", "noodles",
         "a pizza", "fruit salad", "porridge", "honey cakes", "rice pudding", "banana bread", "lemon tarts", "corn bread", "waffles"]
TREATS = ["ice cream", "warm cookies", "hot chocolate", "a slice of cake", "fresh bread and honey", "a bowl of berries", "apple juice",
          "a cup of warm milk", "pancakes", "popcorn", "a sweet pear", "strawberry jam on toast", "a big sandwich", "vegetable soup"]
TRAITS = ["kind", "curious", "brave", "shy", "cheerful", "gentle", "clever", "playful", "quiet", "silly", "happy", "friendly",
          "careful", "busy", "sleepy", "helpful", "stubborn", "honest", "lively", "thoughtful", "small", "young", "merry", "bold"]
KID_HOBBY = ["play outside", "draw pictures", "sing songs", "climb trees", "read books", "build towers", "collect rocks", "ride a bike",
             "dance", "look for bugs", "tell stories", "play with blocks", "bake with {his} {a}", "jump in puddles", "watch the clouds",
             "help in the garden", "paint", "play hide and seek", "count the stars", "make up games", "swing high", "run fast",
             "ask questions", "make paper boats", "fly kites", "pick flowers", "play the drum", "fix things", "dress up", "whistle"]
PET_HOBBY = ["explore", "play in the leaves", "sing in the morning", "roll down the hill", "watch the sunset", "collect shiny stones",
             "splash in the stream", "tell jokes", "make new friends", "look at the stars", "smell the flowers", "nap in the sun",
             "race with the wind", "count the clouds", "dance in the rain", "gather berries", "hide behind bushes", "hum little songs"]
WEATHER = {
    "sunny": ["The sun was [warm|bright|shining] and the sky was [blue|clear].", "It was a [warm|bright|lovely] day, and [a soft breeze moved the leaves|the birds were singing].",
              "The sun [smiled down|shone] on the {place}.", "There was not a cloud in the sky."],
    "cloudy": ["The sky was gray and [quiet|soft].", "Big white clouds [rolled|floated] across the sky.", "It was a cool and cloudy day."],
    "windy": ["The wind [blew|pushed] hard and made the trees [dance|bend].", "It was so windy that leaves flew everywhere."],
    "foggy": ["A [soft|thin] fog hung over the ground.", "It was a misty morning, and everything looked [like a dream|soft and gray]."],
}
ADULTS_F = ["mom", "mom", "grandma", "mother"]
ADULTS_M = ["dad", "dad", "grandpa", "father"]
FEEL_GOOD = ["happy", "proud", "glad", "joyful", "excited", "warm inside", "very happy", "cheerful"]
FEEL_BAD = ["sad", "worried", "upset", "lonely", "scared", "very sad", "unhappy"]
