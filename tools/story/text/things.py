# SPDX-License-Identifier: MIT
"""What stories are about: objects by what can be done with them, food, and what they are made of."""
from .beings import phrases

SMALL_THINGS = """abacus accordion acorn almanac amulet anchor apron arrow atlas axe badge bag bagpipe ball balloon banjo banner
basin basket beacon bead bell belt bicycle binoculars blanket boat bobbin bone bonnet book boot bottle bow bowl bowtie box
bracelet bridle brooch broom brush bucket buckle bugle bundle button cage camera candle candlestick cane cap cape card cart
carpet casket chain chair chalk chart chess set chest chisel cloak clock clothespin coat coin collar comb compass cork
costume cradle crate crayon crown crutch crystal cup curtain cushion cymbal dagger diary dice doll doorbell doorknob drawing
dress drill drum dustpan earring easel egg timer envelope eraser eyeglass fan feather fiddle figurine file fishing rod flag
flask flute flowerpot fork frame funnel gem globe glove goblet gong grater guitar hairpin hammer hammock handbag handkerchief
harmonica harp hat headlamp helmet hinge hook horn horseshoe hourglass inkwell jacket jar jewel jug kaleidoscope kettle key
kite knapsack knife ladder ladle lamp lantern lasso leash lens letter locket loom lunchbox lute magnet magnifying glass
mallet mandolin map marble mask mat medal megaphone mirror mitten mop moccasin mortar mug music box nail necklace needle net
notebook nutcracker oar oboe oilcan paintbrush painting pan paperclip parasol parcel passport patch pearl pebble pen pencil
pendant pennant photograph piano picture pillow pin pinecone pipe pitcher plate pliers pocket watch pocketknife portrait
poster pot pouch prism pulley pump puppet purse puzzle quill quilt raft rag rake rattle razor record recorder ribbon riddle
ring robe rocking horse rope ruler rug sack saddle sail salt shaker sandal satchel saw saxophone scale scarf scissors scoop
screw scroll seashell shawl shears shell shield shirt shoe shovel sickle sieve skate skateboard sketchbook ski skirt sled
sling slipper snow globe soap sock spade spectacles spinning top spinning wheel sponge spool spoon spyglass stamp statue
stick stool stopwatch string suitcase sundial sunglasses sword tablecloth tambourine tape measure tapestry tea cosy teacup
teapot teddy bear telescope tent thermometer thimble ticket tiara tie toolbox toothbrush top hat torch towel toy boat toy
train tray triangle trinket tripod trombone trophy trowel trumpet trunk tuba typewriter ukulele umbrella vase veil vest
violin waistcoat wallet wand watch watering can weathervane wheel wheelbarrow whisk whistle wig wind chime windmill wreath
wrench xylophone yo-yo zither"""
TWO = ["chess set", "egg timer", "fishing rod", "magnifying glass", "music box", "pocket watch", "rocking horse",
       "salt shaker", "snow globe", "spinning top", "spinning wheel", "tape measure", "tea cosy", "teddy bear", "top hat",
       "toy boat", "toy train", "watering can", "wind chime"]
PAIRS = set("binoculars scissors shears pliers spectacles sunglasses dice chalk soap".split())   # no "a" before them
THINGS = [thing for thing in phrases(SMALL_THINGS, TWO) if thing not in PAIRS]

FOODS = phrases("""almond cake apple apple pie apricot baguette banana bean bun bagel biscuit blackberry blueberry muffin
bread roll broccoli bun burger cabbage cake carrot carrot cake cauliflower cheese tart cherry cherry pie chestnut chocolate bar
cinnamon roll coconut cookie corncob cream puff crepe crumpet cucumber cupcake doughnut dumpling fig fruitcake ginger biscuit
gingerbread man grape grapefruit hazelnut honey cake ice cream jam tart jelly kiwi fruit leek lemon lemon tart lettuce
lollipop mango meat pie melon mince pie muffin mushroom mushroom pie nectarine oatcake olive omelette onion onion soup orange
pancake papaya peach pear peanut pepper pickle pineapple pizza plum plum cake pomegranate popsicle potato pretzel pumpkin
pumpkin pie radish raisin bun raspberry rhubarb pie rice cake sandwich sausage scone strawberry sugar plum sweet potato
toffee apple tomato turnip waffle walnut walnut cake watermelon""", [
    "almond cake", "apple pie", "blueberry muffin", "bread roll", "carrot cake", "cheese tart", "cherry pie",
    "chocolate bar", "cinnamon roll", "cream puff", "ginger biscuit", "gingerbread man", "honey cake", "ice cream", "jam tart",
    "kiwi fruit", "lemon tart", "meat pie", "mince pie", "mushroom pie", "onion soup", "plum cake", "pumpkin pie",
    "raisin bun", "rhubarb pie", "rice cake", "sugar plum", "sweet potato", "toffee apple", "walnut cake"])
DISHES = """bean stew|blackberry jam|carrot soup|cheese|chicken broth|chocolate|cocoa|fish soup|fresh bread|fudge|garlic soup|
honey|lemonade|lentil soup|marmalade|mint tea|mushroom soup|nettle tea|noodle soup|nut bread|oat porridge|onion gravy|pea soup|
peppermint tea|plum jam|popcorn|porridge|potato salad|pumpkin soup|raspberry juice|rice pudding|rye bread|spaghetti|
toast|tomato soup|vegetable stew|warm milk|apple juice|elderflower tea|cinnamon tea""".replace("\n", "").split("|")
MATERIALS = """amber bamboo birch bark bone brass bronze cardboard ceramic clay copper cork cotton crystal felt glass gold iron
ivory jade lace lead leather linen marble oak paper pearl pewter pine porcelain rubber sandalwood satin silk silver slate steel
stone straw tin velvet walnut wax wicker willow wooden woollen""".replace("birch bark", "birch-bark").split()
SIZES = """big broad bulky enormous gigantic heavy huge large little long narrow short slender small square tall thick thin
tiny round""".split()
LOOKS = """ancient antique battered beautiful bent broken chipped clean cosy cracked creaky crooked curious curly dented dirty
dusty elegant empty faded fancy favourite fine flat foreign forgotten fragile frayed funny fuzzy gleaming glittering greasy
handmade homemade knobbly lopsided lumpy magic muddy mysterious neat new odd old ordinary painted patched patterned
peculiar plain polished precious pretty ragged rickety rusty scratched second-hand shabby sharp shiny silky simple soft
sparkling spotless spotted squeaky stained stiff strange striped sturdy tangled tattered torn unusual valuable warm wet
wobbly wonderful worn""".split()
NUMBERS = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen twenty thirty forty fifty".split()
DIGITS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
          "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50}
ODD_PLURALS = {"knife": "knives", "scarf": "scarves", "leaf": "leaves", "mouse": "mice", "goose": "geese", "foot": "feet",
               "child": "children", "sheep": "sheep", "deer": "deer", "fish": "fish", "wolf": "wolves", "calf": "calves",
               "dwarf": "dwarves", "elf": "elves", "ox": "oxen", "potato": "potatoes", "tomato": "tomatoes", "mango": "mangoes",
               "gingerbread man": "gingerbread men", "sweet potato": "sweet potatoes", "loaf": "loaves", "shelf": "shelves",
               "snowman": "snowmen", "half": "halves"}


def plural(noun):
    if noun in ODD_PLURALS:
        return ODD_PLURALS[noun]
    if noun.endswith("man") and not noun.endswith(("roman", "human")):
        return noun[:-3] + "men"
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"


def article(words):
    """a or an, by sound."""
    first = words.split()[0].lower()
    if first.startswith(("uni", "use", "euro", "one", "ukul", "u-")):
        return "a " + words
    if first.startswith(("hour", "honest", "heir")):
        return "an " + words
    return ("an " if first[0] in "aeiou" else "a ") + words
