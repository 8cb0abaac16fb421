# SPDX-License-Identifier: MIT
"""Where and when: places with the words that stand before them, names of places, times, weather."""
from .beings import invented_word

INSIDE = """attic|bakery|barn|basement|bathroom|bedroom|boathouse|bookshop|cabin|candle shop|castle|cave|cellar|chapel|circus
tent|classroom|coal shed|cottage|cowshed|cupboard|dairy|dining room|engine room|factory|farmhouse|forge|garage|garden shed|ghost
house|granary|greenhouse|hall|harbour office|hat shop|hayloft|henhouse|hotel|hut|inn|kitchen|laundry|library|lighthouse|living
room|market hall|mill|mine|museum|music room|observatory|old mill|orangery|palace|pantry|parlour|playroom|post office|potting
shed|school|schoolroom|sewing room|shed|shoe shop|stable|station|storeroom|study|sweet shop|tavern|tea room|temple|theatre|
throne room|tower|town hall|toy shop|train|treehouse|tunnel|waiting room|warehouse|wash house|watermill|wine cellar|woodshed|
workshop"""
AROUND = """alley|bay|bog|canyon|cherry orchard|churchyard|clearing|cornfield|courtyard|desert|dunes|fairground|field|fog|forest|
garden|gorge|harbour|heath|hedge|herb garden|jungle|kitchen garden|lane|marsh|meadow|moor|oak wood|olive grove|orchard|palace
garden|park|pine forest|playground|quarry|reeds|rose garden|snow|square|swamp|tall grass|thicket|valley|village|vineyard|wheat
field|woods|zoo"""
NEAR = """apple tree|bakery|barn door|beehive|big oak|birch tree|boathouse|bonfire|bookcase|bridge|broken gate|brook|bus stop|
campfire|canal|castle gate|chapel|chimney|cliff|creek|crossroads|duck pond|factory gate|fallen log|ferry landing|fig tree|
fireplace|fish stall|flagpole|fountain|front door|garden gate|garden wall|haystack|hen coop|lake|lamp post|letter box|
lily pond|market stall|mill wheel|milestone|old well|park bench|pear tree|pond|post box|puddle|river|river bank|rock pool|rose
bush|scarecrow|sea|signpost|spring|stone bridge|stream|sundial|swimming pool|ticket booth|train tracks|town clock|village pump|
waterfall|weeping willow|well|white fence|wishing well"""
UNDER = """bed|bench|blanket|bridge|bush|carpet|chair|desk|doormat|floorboards|flowerpot|haystack|kitchen table|ladder|leaves|
log|oak tree|piano|pillow|rock|rug|sofa|stairs|staircase|stone|table|tree stump|umbrella|wardrobe|wheelbarrow|woodpile"""
ONTOP = """balcony|beach|bookshelf|branch|chimney|cliff|counter|deck|doorstep|fence|garden wall|gatepost|haystack|hill|hilltop|
island|kitchen table|ledge|mantelpiece|mountain|path|pier|piano|platform|porch|riverbank|rock|roof|shelf|stage|stairs|stone wall|
terrace|top shelf|tree stump|wall|window sill|windowsill"""
INTO = """barrel|basket|birdhouse|bottle|bucket|cart|chest|cookie jar|crate|drawer|flowerpot|glass jar|hole in the wall|hollow
tree|jar|knapsack|mailbox|mitten|nest|old boot|paper bag|pocket|rabbit hole|sack|saddlebag|sewing box|suitcase|teapot|toolbox|
tree hollow|trunk|vase|wheelbarrow|wooden box"""
BEHIND = """barn|bookcase|church|clock|coal shed|curtain|dustbin|fence|garden shed|haystack|hedge|mill|oven|piano|school|stable|
stove|theatre|waterfall|woodpile"""


def listed(text):
    return sorted({" ".join(part.split()) for part in text.replace("\n", " ").split("|")})


WIDE = set(listed(INSIDE) + listed(AROUND)) - {"snow", "fog", "reeds", "tall grass", "desert", "dunes", "palace"}
KINDS = [("in", listed(INSIDE), 5), ("in", listed(AROUND), 4), ("by", listed(NEAR), 3), ("near", listed(NEAR), 2),
         ("next to", listed(NEAR), 1), ("under", listed(UNDER), 3), ("on", listed(ONTOP), 3), ("in", listed(INTO), 2),
         ("behind", listed(BEHIND), 2), ("beside", listed(NEAR), 1), ("at", listed(INSIDE)[10:60], 1)]
WEIGHTS = [w for _, _, w in KINDS]
ROOMS = [("in", place) for place in listed(INSIDE) + listed(AROUND)] + [("by", p) for p in ("river", "sea", "lake", "canal")]
HIDING = ([("under", p) for p in listed(UNDER)] + [("in", p) for p in listed(INTO)] + [("behind", p) for p in listed(BEHIND)]
          + [("on", p) for p in listed(ONTOP)])
LOOKS = """abandoned big busy cold crowded dark deserted dusty empty foggy frozen grassy hidden high large little muddy
narrow noisy old quiet rocky sandy shady small steep stony sunny white windy winding""".split()

PLACE_A = """Amber Apple Ash Badger Beech Birch Black Bramble Bright Brook Cedar Cherry Clear Cloud Cold Copper Crow Dry East
Elder Elm Fair Far Fern Fog Fox Frost Glass Gold Green Grey Hazel Heather Hollow Honey Iron Juniper Kettle Lark Lime Long Maple
Marsh Mill Moon Moss North Oak Otter Owl Pebble Pepper Pine Plum Rain Raven Red Reed River Rook Rose Salt Sand Shell Silver Snow
Stone Storm Sun Swan Thistle Thorn Thunder Tin West White Willow Wind Winter Wolf Wood""".split()
PLACE_B = "bank bay bridge brook bury by combe dale den end field ford gate ham haven hill hollow holm home land ley mere minster mouth port ridge shore side stead stone ton town vale water well wick wood worth".split()
PLACE_C = "Bay Bridge Corner Creek Cross End Falls Farm Forest Green Harbour Heights Hill Hollow Island Lake Lane Meadow Mountain Pass Point Pond Ridge River Rock Square Street Valley Village Wood".split()

TIMES = """on Monday|on Tuesday|on Wednesday|on Thursday|on Friday|on Saturday|on Sunday|in the morning|in the afternoon|in the
evening|at noon|at midnight|at dawn|at sunset|at night|before breakfast|after breakfast|before lunch|after lunch|after dinner|
before supper|after school|in spring|in summer|in autumn|in winter|in January|in March|in April|in May|in June|in August|in
October|in November|in December|at five o'clock|at seven o'clock|at nine o'clock|at ten o'clock|on her birthday|during the storm|
during the night|on a rainy day|on market day|on the first day of school|on the longest day of the year|last week|yesterday"""
TIMES = [time for time in listed(TIMES) if time != "on her birthday"]
SEASONS = ["spring", "summer", "autumn", "winter"]
WEATHER = """the sun was shining|it was raining|it was snowing|a cold wind was blowing|thick fog lay over the fields|it was a
hot day|the sky was full of clouds|it was a windy day|the first snow had fallen|thunder rolled over the hills|it was very cold|
the moon was full|the rain had just stopped|a rainbow stood in the sky|it was a bright, frosty day"""
WEATHER = listed(WEATHER)


def place_name(r):
    x = r.random()
    if x < 0.35:
        return r.choice(PLACE_A) + r.choice(PLACE_B)
    if x < 0.65:
        return r.choice(PLACE_A) + " " + r.choice(PLACE_C)
    if x < 0.85:
        return (invented_word(r, r.choice((1, 2))) + r.choice(PLACE_B + ["", "", "a", "o", "ia"])).capitalize()
    return invented_word(r, r.choice((1, 2))).capitalize() + " " + r.choice(PLACE_C)
