# SPDX-License-Identifier: MIT
"""Words by which plain sentences are taken apart: verbs in their forms, beings, adjectives, prepositions."""
from . import beings, places, things, verbs

REGULAR = """accept ache act add admire adore advise agree alight allow announce answer apologize apologise appear applaud appreciate approach argue arrange
arrive ask attack awake bake bandage bark bathe behave believe belong blink blush board boast bother bounce bound bow brush bump bury call camp care carry carve cause celebrate change
chase chat cheer chirp choke chuckle clean clear climb cling close collect command comfort complain complete confess consent continue cook copy cough count cover crack crawl
cross crow cry curl dance dare dart dash decide declare decorate defeat deliver demand describe deserve deserve desire destroy die disappear discover dive divide dodge drag dress drift
drop earn embrace encourage end enjoy enter envy escape examine exclaim expect explain explore express face fail faint fancy fasten fear fetch fill finish fish fix flap float fold follow
force frown gallop gasp gather gaze giggle glance glide grasp greet groan growl guard guess guide hand happen harvest hasten hate help hesitate hop hope hug hunt hurry
imagine insist intend introduce invent invite join journey jump kick kill kiss knock land last laugh lean learn lick lift like limp linger listen live lock long look love manage march marry
measure melt mend mention milk miss mix moan move murmur mutter name need nibble notice obey offer open order owe own pack paint pass pause peel peep perform pick place plant play
plead please plunge point poke polish pop pounce pour practise practice praise pray prefer prepare press pretend promise protect pull punish push rattle reach realise realize receive recognise recognize recover refuse
regret remain remark remember remind remove repair repeat reply rescue rest return reward roar roast rock roll row rub ruin rush sail save scamper scare scatter scold scramble scrape scratch scream
scurry search seem seize serve settle share shiver shout shove sigh slam smell smile smoke sneeze sniff snore sob soar spill splash squeak squeeze stare start stay step stomp stoop stop stretch stroke
struggle study stumble succeed suggest surprise swallow talk tame taste tease thank threaten tickle tie toss touch trade trap travel tremble trick trot trust try tug tumble turn twist use vanish visit vow wag wail wait
walk wander want warn wash waste watch water wave weigh welcome whisper whistle wink wish wonder work worry wrap yawn yell abandon accompany acknowledge address adjust admit advance aim alter amuse appoint ascend assert assist assure astonish await bang bare beckon betray boil bolt brace breathe button calm cease challenge charm cheat check chop claim clap clasp clutch commence conceal conclude
consider consult contain contemplate cook crash crush curse curtsy decline defend deposit descend desert despise detect determine devour disappoint discuss dismiss display dispose disturb doubt dread drown echo eject employ empty encounter endeavour engage enquire entertain entreat erect exchange excite
explode extend fall fan favour fetter flash flatter flee flicker flush flutter forgive form frighten fumble gain glare gleam glitter glow govern grin grip grope grumble gulp halt harness heap heave hesitate hiss hoist howl hum inform injure inquire insult interest interfere interrupt invent invite jerk knot launch lick linger loosen
lower mark marvel master mount nail neglect notify nudge observe obtain occupy occur offend omit oppose paddle pant pardon part peck peer perceive permit persuade pile pity plough pluck plunge ponder possess post pout presume prevail proceed proclaim procure produce promise propose provide pursue puzzle quarrel
query quit raise recall recite recollect recommend redden reflect regard rejoice rejoin relate release relieve rely remark remind render renew resist resolve resume retire retort reveal revolve ring rinse roam rumble sacrifice saddle salute satisfy saunter scan seal secure select separate shatter shed shelter shriek shrink shrug shudder shuffle sip sink slap slaughter
slope snap snarl sneer sneak snort soften soothe sort spare sparkle spend spin sprinkle squat squeal stab stagger stammer stamp startle steer stir stoop strain strap stray strip stroll stumble submit suffer summon supply support suppose surrender surround survey suspect swear swing swell tap tear test tilt tire toil topple torment trace track train
transform trip trouble tuck unite unfold unlock untie urge utter vanish venture view wade wander warm weaken wheel whine whirl wince wipe withdraw wither witness wreck yield""".split()
# Pasts that verbs.py does not have.
OTHER_PASTS = {"flee": "fled", "spring": "sprang", "strike": "struck", "wring": "wrung", "swear": "swore", "sink": "sank", "shrink": "shrank", "forgive": "forgave", "thrust": "thrust", "bid": "bade", "stride": "strode",
               "cling": "clung", "withdraw": "withdrew", "seek": "sought", "shed": "shed", "swell": "swelled", "quit": "quit", "think": "thought"}
OTHER_PASTS |= {"hurt": "hurt", "bind": "bound", "beat": "beat"}
OTHER_PASTS |= {w: w + w[-1] + "ed" for w in "chat flap pop prefer regret slam sob step trot wag fan knot occur omit permit scan sip slap stab strip submit rip bar".split()}


def past(verb):
    head, _, rest = verb.partition(" ")
    return OTHER_PASTS[head] + (rest and " " + rest) if head in OTHER_PASTS else verbs.past(verb)


BASES = set(REGULAR) | set(OTHER_PASTS) - {"think"} | {v for v in verbs.IRREGULAR if v not in ("be", "say", "think")} | {v for v in verbs.DO_THING + verbs.EAT + verbs.ALONE + verbs.MOVE + verbs.PUT + verbs.DO_PERSON if " " not in v and "_" not in v}
BASE = {past(base): base for base in sorted(BASES)} | {"thought": "think", "travelled": "travel", "traveled": "travel", "found": "find", "felt": "feel", "lay": "lie", "saw": "see", "left": "leave"}
THIRD = {verbs.third(base): base for base in sorted(BASES)} | {"thinks": "think"}
DONE = {past(base) if base in OTHER_PASTS else verbs.participle(base): base for base in sorted(BASES)} | {"swollen": "swell", "forgiven": "forgive", "sworn": "swear", "sunk": "sink"}
PAST = set(BASE) | {"was", "were"}
PRESENT = set(THIRD) | {"is", "are"}
BE = {"was", "were", "is", "are"}
HELP = set("could would should must might can will may had has did does do didn't couldn't wouldn't wasn't weren't doesn't can't isn't won't hadn't".split())
FINITE = BE | HELP | {"am", "went", "came", "saw", "said", "had", "took", "gave", "knew", "became", "told", "began"}
# Of these the past is a noun or an adjective as well.
DOUBTFUL = set("left felt lay saw fell lost cut hit hurt put set spread bit broken shut spoke wound ground found lit rose bound read rested tired used tied fed need feed bow".split())

PEOPLE = set("""person man woman boy girl child baby lady gentleman king queen prince princess son daughter wife husband mum mom mommy mummy dad daddy mama papa grandma grandpa granny
master servant stranger fellow emperor duke lord knight thief robber hermit nurse maid mistress captain doctor soldier sailor shepherd priest parson uncle aunt twin pirate maiden youth lad
mother father sister brother grandmother grandfather cousin neighbour neighbor teacher friend kid widow chief miner labourer laborer groom butler officer speaker leader writer rider prisoner villager scholar professor lawyer detective secretary boss manager editor artist author poet peasant driver engineer landlord landlady tramp squire governor mayor president bishop monk nun enemy beggar traveller traveler judge family crowd crew team couple class audience policeman fisherman woodman huntsman hunter
minister merchant clerk guard porter coachman waiter host hostess guest visitor owner student pupil classmate neighbor magician bride bridegroom giant witch wizard fairy dwarf elf ogre
ghost troll goblin imp monster mermaid genie dragon unicorn robot""".split()) | {words.split()[-1] for words in beings.TRADES + beings.KIN}
BEASTS = {words.split()[-1] for words in beings.ANIMALS + beings.BIRDS + beings.SMALL} | set("bunny kitty doggy bird animal beast cub pup kid crane fish rhinoceros hippopotamus mare hound ass chicken dinosaur insect bug".split())
MANY = set("people men women children mice geese wolves soldiers parents thieves oxen sheep folk police ladies fairies ponies puppies bunnies babies kids twins".split())
WHO = PEOPLE | BEASTS | MANY | {words.split()[-1] for words in beings.CREATURES}
FEMALE = set("girl woman lady queen princess daughter wife mum mom mommy mummy mama grandma granny mother grandmother sister aunt maid maiden mistress witch nurse widow bride hostess hen cow mare mermaid".split())
MALE = set("boy man gentleman king prince son husband dad daddy papa grandpa father grandfather brother uncle lord knight emperor duke lad fellow policeman fisherman woodman huntsman priest parson bridegroom coachman hermit robber thief soldier sailor shepherd rooster".split())

WHERE = {words.split()[-1] for _, listed, _ in places.KINDS for words in listed} | set(
    """wood woods forest village town city country land island sea lake river well room hall door window street road path shore mountain mountains field fields garden table
floor ground grass school park kitchen bed tree trees house home hut cottage palace shop store market stable water sky air corner hole nest beach zoo farm barn cave castle hill hills yard bridge
pond stream bank pool office station church library museum playground forest jungle desert ocean fire fireplace gate wall roof box basket bag pocket pot cage bedroom bathroom
bathtub car bus train boat ship truck plane carriage cart sofa chair couch shelf bench rock rocks stone branch branches leaves mud sand snow valley camp tent cellar attic stairs bush bushes hospital
restaurant bakery fair circus meadow prison inn tower court cabin shed classroom top bottom edge middle side front back end foot""".split())
TIMES = set("morning evening afternoon night day noon midnight dawn dusk sunset sunrise spring summer autumn winter breakfast lunch dinner supper week month year weekend school bedtime monday tuesday wednesday thursday friday saturday sunday christmas easter".split())

FEELINGS = set(verbs.FEELINGS if isinstance(verbs.FEELINGS, list) else verbs.FEELINGS.split()) | set(
    "glad scared unhappy lonely thirsty hungry frightened terrified amazed puzzled guilty mad shy annoyed frustrated joyful thankful weary tired relieved nervous pleased thrilled joyous satisfied cold warm better bad safe ill calm".split())
LOOKS = set(beings.TRAITS) | set(beings.COLOURS) | set(things.SIZES if isinstance(things.SIZES, list) else things.SIZES.split()) | set(things.LOOKS if isinstance(things.LOOKS, list) else things.LOOKS.split()) | FEELINGS | set(
    """old young poor little big good great first last other next same own only whole two three many few kind brave wise rich dear golden wicked happy
scared nice safe wrong bad better right loud hot dark sorry special far strong cold true empty glad soft different dead ready slow pale yummy dull easy clean important okay deep smart
closed open foolish sweet perfect alone alive asleep awake fat uncomfortable weak late fresh peaceful light expensive generous willing faint delicious dry bigger smaller creative familiar
successful obedient clear comfortable low pleasant natural ugly sharp terrible bald ignorant brilliant rough interesting difficult cute fine useful close sore tasty wealthy modern painful deaf
healthy normal mean fake nearby selfish dreadful boring tidy lovely filthy rare able swift smooth correct present mistaken dangerous alert best worst fun pretty wild second third sudden certain real
single living tight high short long full such very more most less several tiny huge giant lone wooden woolen straight bare thin thick wide hard heavy large lazy mighty stupid silly nearest
distant slight fair false black white red blue green yellow brown grey gray pink purple orange own tired worth able sick welcome famous raw ripe quick extra double plain loose
sad cheerful merry proud quiet gentle clever fierce tame hungry thirsty broken favourite favorite much enough former latter opposite various secret""".split())
COLOURS = set("red blue green yellow black white brown golden silver pink purple grey gray orange".split())
NUMBERS = set(things.NUMBERS) | {"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}

DETERMINERS = set("the a an his her their its some another this that every my our these those each no any".split())
PRONOUNS = ("He", "She", "They", "It")
OBJECTS = set("it him her them himself herself themselves itself everyone everybody nobody someone something everything nothing anything".split())
PREPOSITIONS = set("in on at by to of for from with into onto under over behind beside near through across up down off out about along around inside against between among toward towards upon beneath below above beyond without within past like outside round like during".split())
PLACES = {"in", "on", "under", "behind", "near", "into", "to", "at", "by", "inside", "beside", "from", "across", "over", "through", "onto", "towards", "toward", "upon", "above", "beneath", "below", "against", "between", "outside", "around", "along", "up", "down"}
PARTICLES = set("up down out off away back along over around about in on together forward apart aside past by".split())
PLAIN_ADVERBS = set("home here there again now too together inside outside upstairs downstairs once twice soon aloud everywhere indoors outdoors abroad hard fast".split())
BEFORE_VERB = set("never always also then soon just still often at quickly suddenly once even only now usually almost nearly all both really finally sometimes first".split())
NOT_ALL = set("never only almost nearly hardly scarcely seldom barely even".split())       # with these the sentence says something else
LINKS = set("because when after before until while as if so and but or than though although since unless till for where who which whom whose that what how why whether".split())
STOPS = set("""in on at by to of for from with into onto under over behind beside near through across up down off out about after before because when while
and but or that which who whom so as than then if until till where again away back along around like very too""".split())
NOT_NAMES = set("""The A An He She It They We You I His Her Their My Our Your Its This That These Those There Then When While As But And Or So If In On At By
For From To With Of Not No Yes Oh After Before One Once Now Here What Who Why How Where Soon All Every Each Some Both Many Most Suddenly Finally
Just Even Still Perhaps Only Never Ever At Mr Mrs Miss Sir Dear Christmas God Lord English Indian Monday Sunday""".split())
TITLES = set("Mr. Mrs. Dr. King Queen Prince Princess Uncle Aunt Miss Lady Lord Sir Captain Doctor Old Little Mother Father Mama Papa Mom Dad Grandma Grandpa Granny Grandfather Grandmother Brother Sister Farmer Master".split())

# What a verb allows to ask.
GIVES = set("give tell show send bring offer hand teach ask buy lend sell pay promise serve feed read make cook".split())
WISHES = set("want like love promise decide try begin plan hope start learn need agree refuse forget offer continue manage wish prefer choose intend hate dare fail pretend long expect prepare".split())
KNOWS = set("think know learn say believe realise realize decide hear see notice feel hope wish promise dream understand remember guess discover find wonder explain fear".split())
GOES = set("go walk run hurry travel ride sail march wander fly climb drive swim return race rush crawl creep jump hop move come get gallop trot step jog skip journey head".split())
STATES = set("be have know like love want need hate belong live seem feel own think believe wish hope understand look lie stay sit stand wear resemble hear see notice contain remain mean cost".split())
# Behind these "to" and another verb say what for.
FOR_WHAT = set("""go run come walk climb hurry rush jump turn stop stand sit bend kneel ride sail fly swim creep step return travel open close take bring send buy use light pick lift pull push dig
build cut tie throw raise hold""".split())
BITRANSITIVE_TO = set("give show send bring offer hand sell lend read tell pay".split())


def adjective(word):
    return word in LOOKS or word.endswith(("ful", "ous", "less", "able", "ible", "ive", "ish", "est")) and word not in ("table", "vegetable", "chest", "forest", "nest", "guest", "rest", "fish", "dish", "wish", "handful", "spoonful", "mouthful", "stable", "harvest", "priest", "cable", "feast", "west", "quest", "breast", "native", "motive", "olive", "relative", "captive", "detective", "radish", "bible", "beast", "test", "contest", "pest", "request", "hive", "dive", "vest", "five", "octopus", "interest")
