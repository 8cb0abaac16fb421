# SPDX-License-Identifier: MIT
"""What a request may ask for: heroes that are no ordinary child or animal, and words that the tale is to have."""
from . import words as w
from .templates import expand

# heroes that are no ordinary child or animal: kind -> gender hint
PERSONS = dict(w.PERSONS, **{k: "" for k in """superhero cowboy chef teacher doctor scientist explorer detective mailman fisherman hunter tailor
magician juggler acrobat drummer musician builder carpenter captain soldier troll ogre goblin yeti ghost vampire alien ninja genie snowman scarecrow
imp sprite leprechaun dwarf viking spy firefighter pilot driver singer poet librarian shopkeeper toymaker clockmaker beekeeper miller king's_son""".split()})
PERSONS.pop("king's_son")
THINGS = """teapot pencil balloon kite boat train car truck spoon cup clock lamp button sock shoe hat umbrella broom pumpkin carrot potato apple tomato
mushroom flower leaf tree seed raindrop snowflake pebble shell candle book crayon drum bell key doll cookie cupcake pancake statue star cloud moonbeam
bus bike plane rocket submarine spaceship tractor bulldozer lighthouse bridge house castle guitar piano violin pillow blanket chair table mirror
kettle pot pan fork cheese pear banana lemon onion bean pea cactus sunflower rose dandelion acorn pinecone feather marble magnet puzzle_piece paintbrush
toothbrush comb mitten scarf backpack suitcase lantern coin crown sword shield bucket shovel sandcastle wave puddle rainbow shadow echo icicle
gingerbread_man toy_soldier teddy_bear rag_doll rocking_horse music_box paper_boat paper_plane soap_bubble fire_truck dump_truck""".replace("\n", " ").split()
THINGS = [t.replace("_", " ") for t in THINGS]
MORE_ANIMALS = """llama alpaca hamster guinea_pig gerbil ferret weasel skunk chipmunk porcupine armadillo anteater moose reindeer buffalo ox bull gorilla
chimpanzee lemur jaguar leopard cheetah panther lynx hyena jackal coyote rhino gazelle antelope ostrich emu flamingo peacock swan pelican seagull stork
crane heron eagle hawk falcon crow raven magpie robin sparrow pigeon dove hummingbird woodpecker turkey toad newt salamander lizard gecko chameleon
iguana snake worm slug beetle cricket grasshopper firefly dragonfly moth lobster shrimp squid jellyfish seahorse starfish shark walrus platypus wombat
tortoise mammoth pterodactyl stegosaurus triceratops phoenix griffin kiwi quail duckling piglet foal bunny cub tadpole""".replace("\n", " ").split()
MORE_ANIMALS = [t.replace("_", " ") for t in MORE_ANIMALS]
CITY = ["a big city", "a small town", "a castle", "a tree house", "a cave", "a lighthouse", "a little house in the woods", "a windmill", "a shoe",
        "a snowy village", "a house on a hill", "the desert", "the jungle", "a bakery", "a barn", "a garden", "a toy shop", "a cottage by the sea", "a tower",
        "a faraway kingdom", "a village by the river", "a hollow tree", "a tall building", "a circus", "a library", "an old mill", "a house under the ground",
        "a cloud castle", "an igloo", "a tent", "a palace", "a school", "a zoo", "a forest", "the mountains", "a swamp", "an orchard", "a museum"]
LOVES = """apples cheese cookies pancakes soup honey carrots cake ice_cream berries bananas popcorn chocolate noodles pizza bread pears cherries grapes
music books stars flowers rocks shells kites balloons boats trains cars bugs butterflies birds fish snow rain puddles mud leaves clouds colors hats socks
buttons drums jokes puzzles stories maps games races dancing singing painting swimming running climbing reading cooking baking drawing fishing
skating jumping sleeping whistling gardening flying counting hiding digging building""".split()
LOVES = [t.replace("_", " ") for t in LOVES]

# guest words
G = {}
G["obj"] = """ball bell boat book bottle box button candle cap chair clock coat coin crayon crown cup doll drum feather flag flashlight flute fork glove
hammer hat helmet horn jar jewel key kite ladder lamp lantern letter lollipop magnet map marble mask medal mirror mitten necklace nail net paintbrush pan
pebble pencil penny picture pillow plate pot present puppet puzzle ribbon ring rope ruler scarf shell shoe shovel sock spoon stick stone string suitcase
sweater telescope ticket top towel toy trumpet umbrella vase violin whistle wheel wagon basket balloon blanket bucket broom guitar piano robot rocket
sword shield wand teapot kettle radio camera phone computer bike scooter sled swing tent tire backpack bag card compass crystal diamond dice
envelope fan guitar hook kettle locket needle notebook paper pin pipe plank rug sail saw scissors soap sponge statue stool tray trophy watch wig zipper""".split()
G["animal"] = """ant bat bear bee bird bug butterfly camel cat chicken cow crab crow deer dog dolphin donkey dragon duck eagle elephant fish fly fox frog
giraffe goat goose hen hippo horse kangaroo kitten ladybug lamb lion lizard monkey mouse octopus owl panda parrot peacock penguin pig pigeon pony puppy
rabbit raccoon rooster seal shark sheep snail snake spider squirrel swan tiger turtle unicorn whale wolf worm zebra dinosaur hamster hedgehog
beetle cricket firefly moth otter seagull skunk swallow toad turkey walrus""".split()
G["food"] = """apples bananas berries bread butter cake candy carrots cheese cherries chocolate cookies corn cupcakes eggs grapes honey jam jelly juice
lemonade melon milk muffins noodles nuts oranges pancakes peaches peanuts pears pie pizza plums popcorn potatoes pudding raisins rice salad sandwiches
soup spaghetti strawberries sugar tea toast tomatoes waffles water yogurt""".split()
G["foodone"] = dict(apple="apples", banana="bananas", berry="berries", carrot="carrots", cookie="cookies", cherry="cherries", egg="eggs", grape="grapes",
                    muffin="muffins", orange="oranges", pancake="pancakes", peach="peaches", pear="pears", plum="plums", potato="potatoes", sandwich="sandwiches",
                    strawberry="strawberries", tomato="tomatoes", cupcake="cupcakes", lemon="lemons", pumpkin="pumpkins", nut="nuts", waffle="waffles")
G["place"] = """barn beach bridge castle cave church city cottage farm fence field forest fountain garden gate harbor hill house island jungle lake library
lighthouse market meadow mill mountain museum palace park pond playground river road sea school shop stream street tower tree tunnel valley village
volcano waterfall well windmill woods zoo ocean desert""".split()
G["sky"] = dict(moon="The moon", sun="The sun", star="A star", rainbow="A rainbow", cloud="A cloud", wind="The wind", rain="The rain", snow="The snow", storm="A storm",
                fog="The fog", thunder="The thunder", sunset="The sunset", stars="The stars", night="The night", sky="The sky", fire="A fire")
G["person"] = """baker boy captain clown doctor farmer fisherman gardener giant girl king knight mailman painter pirate policeman prince princess queen
sailor soldier teacher witch wizard baby brother sister uncle aunt cousin neighbor stranger shepherd fairy elf ghost monster cook nurse driver mayor""".split()
G["feel"] = "brave happy sad angry scared lonely proud shy tired hungry sleepy curious excited calm nervous grumpy cheerful thirsty cold warm".split()
G["look"] = "shiny tiny huge quiet soft strange beautiful bright dark golden silver magic old new clean dirty funny pretty empty wet dry smooth loud".split()
G["verb"] = "jump run climb swim fly hide dance sing paint draw dig build bake laugh cry share dream explore race skip whistle clap hop crawl cook read write play sleep swing".split()
GUEST = {}
for k, v in G.items():
    for x in v:
        GUEST.setdefault(x, k)
GWORDS = sorted(GUEST)

SENT = {
    "obj": ["{N} had a {g}, and {he} [took it everywhere|was very proud of it|liked it very much].", "{His} {a} had given {him} a {g}.", "In {his} room there was a {g}.", "{N} always kept a {g} with {him}.",
            "On the table by the window there was a {g}.", "{N} had found a {g} that morning.", "{N}'s favorite thing was an old {g}.", "{N} owned a {look} {g}.", "At home, there was a {g} on the shelf.", "{N} once made a {g} all by {himself}.",
            "{N} had a {look} {g}. It was a present from {his} {a}."],
    "animal": ["{N} had a friend, a {g}, who lived nearby.", "A {g} lived next door.", "{N} often talked to a {g}.", "Every morning, a {g} came by to say hello.", "{N} knew a very funny {g}.", "{N} liked to watch the {g} outside.",
               "A little {g} often came to visit.", "There was also a {g}, who [slept all day|was always hungry|liked to sing]."],
    "food": ["{N} loved {g}.", "For breakfast, {he} had {g}.", "The house smelled of {g}.", "{His} {a} had made some {g}.", "{N} shared {his} {g} with a bird.", "{N} always had some {g} in the kitchen.", "{N}'s favorite food was {g}."],
    "foodone": ["{N} had {an_g} for breakfast.", "{N} carried {an_g} in {his} bag.", "{His} {a} gave {him} {an_g} every morning.", "On the table there was {an_g}.", "{N} had a toy that looked like {an_g}."],
    "place": ["{His} house was near a {g}.", "Not far away, there was a {g}.", "From the window, {he} could see a {g}.", "{N} often played by the {g}.", "{N} dreamed of a {g} far away.", "There was an old {g} nearby."],
    "sky": ["{G} was {skyadj}.", "Outside, {g0} was {skyadj}.", "{He} looked up. {G} was {skyadj}."],
    "person": ["A {g} lived next door.", "{N} knew an old {g}, who told good stories.", "Every morning, a {g} waved at {him}.", "{N} wanted to be a {g} one day.", "There was a {g} who [was always kind to {him}|liked {him} very much]."],
    "feel": ["{N} felt very {g} that day.", "That day, {he} was a little bit {g}.", "\"I feel so {g} today,\" {he} said."],
    "look": ["Everything looked {g} that day.", "{N} liked {g} things.", "{His} house was {g}.", "{N} had a {g} little bag."],
    "verb": ["{N} loved to {g}.", "{N} wanted to {g} all day long.", "{N} could {g} better than anyone.", "Sometimes {he} wanted to {g}, just for fun."],
}
LOOKS = "red blue green yellow little big shiny old new golden round funny pretty tiny".split()
SKYADJ = dict(moon="round and white", sun="warm and bright", star="shining", rainbow="over the hills", cloud="shaped like a sheep", wind="soft and cool", rain="soft and warm", snow="deep and white",
              storm="far away", fog="as thick as milk", thunder="rolling far away", sunset="red and gold", stars="shining", night="quiet", sky="wide and blue", fire="burning brightly in the distance")
BACK = {
    "obj": ["And the {g}? {He} kept it forever.", "That night, {he} put the {g} next to {his} bed.", "And {he} gave the {g} to {M} as a present.", "And every time {he} looked at the {g}, {he} remembered that day.", "{N} put the {g} back in its place and smiled."],
    "animal": ["Even the {g} was happy.", "And the {g} was there too.", "{N} told the {g} all about it."],
    "food": ["Then they all had some {g}.", "And everyone got some {g}.", "At home, {he} found some {g} waiting for {him}."],
    "foodone": ["Then {he} ate {an_g} and smiled.", "And everyone got {an_g}."],
    "place": ["On the way home, {he} passed the {g}, and it had never looked so beautiful."],
    "sky": ["{G} was {skyadj}, and all was well."],
    "person": ["Even the {g} heard about it and smiled.", "{N} told the {g} all about it."],
    "feel": [], "look": [], "verb": ["And they began to {g}."],
}


def vals(r, g, v):
    k = GUEST[g]
    vv = dict(v, g=g, an_g="a " + g, look=r.choice(LOOKS))
    if k == "sky":
        vv["G"], vv["skyadj"] = G["sky"][g], SKYADJ[g]
        vv["g0"] = vv["G"][0].lower() + vv["G"][1:]
    return k, vv


def add_guests(r, text, gs, v):
    """Weave one sentence per guest word into the opening, and sometimes come back to one of them at the end."""
    ps = text.split("\n\n")
    for n, g in enumerate(gs):
        k, vv = vals(r, g, v)
        s = expand(r, r.choice(SENT[k]), vv)
        if g == "stars":
            s = s.replace(" was ", " were ")
        i = 1 if (len(ps) > 2 and '"' not in ps[1] and (n > 2 or r.random() < 0.12)) else 0
        ps[i] = ps[i].rstrip() + " " + s
    if r.random() < 0.5:
        g = r.choice(gs)
        k, vv = vals(r, g, v)
        if BACK[k] and g != "stars":
            ps[-1] = ps[-1].rstrip() + " " + expand(r, r.choice(BACK[k]), vv)
    return "\n\n".join(ps)


# names nobody has heard before (so that the model learns to copy names)
def odd_name(r):
    c, vw = "b d f g h j k l m n p r s t v w z".split() + ["ch", "sh", "tr", "br", "gr", "fl", "bl"], "a e i o u".split()
    n = r.choice(c) + r.choice(vw) + r.choice(["", "", "l", "n", "r", "m", "b", "p", "x", "k"]) + r.choice(c[:17]) + r.choice(vw + ["y", "ie", "o", "a"])
    return n.capitalize()
