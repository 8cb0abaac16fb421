# SPDX-License-Identifier: MIT
"""Everyday words that say nearly the same, for stories and old books: who asks has other words than the text.

A line has a word and what may stand for it in a question. Verbs are bases; what a thing is (hammer, tool) goes one way only.
"""

VERBS = """accept: agree to take|adore: love|assist: help|awake: wake up|bake: cook|beg: plead|begin: start|behold: see|bellow: shout|build: make|buy: get|capture: catch|
carry: bring, take|cast: throw|catch: capture|chase: run after|choose: pick, select|chop: cut|chuckle: laugh|clean: tidy|climb: go up|close: shut|clutch: hold|
collect: gather|commence: begin, start|consume: eat|cook: make|craft: make|create: make|creep: sneak|dash: run, hurry|dart: run|declare: say|demand: ask for|
depart: leave|desire: want|detest: hate|devour: eat, eat up|discover: find|dislike: not like|drag: pull|dread: fear|dwell: live|encounter: meet|enjoy: like|enter: go into|
exclaim: cry|exit: leave|fear: be afraid of|fetch: bring, get|find: discover|fix: repair, mend|flee: run away from|forget: not remember|frighten: scare|gather: collect|
gaze: look|giggle: laugh|glance: look|glimpse: see|grab: seize, take|grasp: hold|greet: say hello to|grin: smile|grip: hold|guard: watch over|guide: lead|
hop: jump|hug: embrace|hunt: chase|hurl: throw|hurry: rush, hasten|imagine: picture|injure: hurt|inquire: ask|inspect: look at|invite: ask|
join: go along with|journey: travel|jump: leap, hop|lead: guide|leap: jump|lift: raise, pick up|like: enjoy|locate: find|look: gaze|love: adore|march: walk|
meet: come across|mend: fix, repair|mutter: mumble|need: require|notice: see, spot|observe: watch, see|obtain: get|own: have|paint: colour|perceive: see|
place: put|plan: intend|pluck: pick|ponder: think|possess: own, have|pound: beat|present: give|protect: guard, keep safe|pull: drag, tug|purchase: buy|
quarrel: argue, fight|race: run|raise: lift|reach: get to, come to|receive: get|recall: remember|recognize: know|recollect: remember|remember: recall|repair: fix, mend|
reply: answer|request: ask for|rescue: save|return: come back, go back|reveal: show|rush: hurry, run|save: rescue|scare: frighten|scream: yell, shout|
search: look|see: notice, spot|seek: look for|seize: grab, take|select: choose, pick|shatter: break|shine: glow|shout: yell, call|shove: push|shriek: scream|sip: drink|
slay: kill|smash: break|smell: sniff|sniff: smell|snatch: grab|sneak: creep|sob: cry|speak: talk|spot: see, notice|spy: see|stare: look, gaze|start: begin|step: walk|
stitch: sew|stop: halt|stroke: pat|stroll: walk|study: learn|stumble: trip|summon: call|surprise: astonish|swing: sway|talk: speak, chat|tear: rip|terrify: frighten|
throw: toss, fling|toss: throw|travel: journey|tremble: shake|trot: run|try: attempt|tug: pull|unlock: open|utilize: use|vanish: disappear|view: look at|vow: promise|
wander: roam|want: wish for|wash: clean|weep: cry|whisper: say softly|win: gain|wish: want|wreck: destroy|yell: shout|admire: look up to|approach: come near to|
arrange: set out|arrive: come|beat: hit|bite: nibble|block: bar|break: smash|burn: set fire to|bury: hide in the ground|comfort: console|cover: wrap|crawl: creep|
destroy: ruin|dig: scoop out|disappear: vanish|dream: imagine|drop: let fall|earn: make|end: finish|escape: get away|examine: look at|fasten: tie|
fight: battle|fill: load|float: drift|follow: go after|gallop: ride|halt: stop|hang: put up|hold: grip|intend: mean, plan|kick: boot|
lend: loan|loan: lend|nibble: bite|obey: listen to|order: command|pat: stroke|perform: act|polish: rub|practise: train|practice: train|praise: speak well of|
promise: swear|punish: scold|push: shove|refuse: say no|reward: pay|roam: wander|ruin: spoil|scold: tell off|scrub: clean|send: mail|shiver: tremble|
slip: slide|soar: fly|spill: pour out|splash: sprinkle|squeeze: press|steal: take, rob|swallow: gulp down|taste: try|teach: show|thank: say thanks to|
tie: fasten, bind|tickle: tease|trade: swap, exchange|transform: change|trap: catch|twist: turn|visit: go to see, call on|wake: wake up|warn: tell|wrap: cover|
yank: pull|finish: end|watch: observe|hope: wish"""

# Nouns: one goes for the other.
NOUNS = """mother: mom, mum, mama|mom: mother, mum, mama|mum: mother, mom|mommy: mother, mom, mum|mama: mother, mom|father: dad, papa|dad: father, papa|daddy: father, dad|papa: father, dad|grandma: grandmother, granny|grandmother: grandma, granny|granny: grandmother, grandma|
grandpa: grandfather, granddad|grandfather: grandpa, granddad|parents: mother and father, mom and dad|kids: children|kid: child|children: kids, little ones|lad: boy|maiden: girl, young woman|lady: woman|gentleman: man|wife: spouse|husband: spouse|bunny: rabbit|rabbit: bunny|puppy: young dog, little dog|kitten: little cat, young cat|
hound: dog|pony: little horse|steed: horse|mare: horse|lamb: young sheep|calf: young cow|cub: young animal|chick: baby bird|piglet: little pig|serpent: snake|physician: doctor|doctor: physician|thief: robber|robber: thief, bandit|sailor: seaman|soldier: warrior|monarch: king|ruler: king|
servant: attendant|companion: friend|pal: friend|buddy: friend|comrade: friend|foe: enemy|enemy: foe|fellow: man|crowd: throng|home: house|house: home|cottage: little house, small house|hut: cabin, little house|cabin: hut|mansion: big house|palace: castle|castle: palace|forest: woods, wood|woods: forest, wood|wood: forest|
shop: store|store: shop|garden: yard|yard: garden|town: city|city: town|village: small town|road: street, way|street: road|path: way, track|hill: slope|mountain: peak|stream: brook, creek|brook: stream|creek: stream, brook|river: stream|sea: ocean|ocean: sea|shore: coast, beach|beach: shore, seaside|pond: pool|pool: pond|meadow: field|field: meadow|
ship: boat, vessel|boat: ship|vessel: ship|automobile: car|car: automobile|truck: lorry|lorry: truck|bicycle: bike|bike: bicycle|plane: airplane, aeroplane|carriage: coach|coach: carriage|present: gift|gift: present|toy: plaything|ball: toy|treasure: riches|money: cash|coin: piece of money|coins: money|prize: reward|reward: prize|
picture: drawing, image|drawing: picture|painting: picture|letter: note, message|note: letter, message|book: volume|story: tale|tale: story|song: tune|tune: song|noise: sound|sound: noise|cry: shout|shout: cry|scream: cry|task: job, chore|job: task, work|chore: task|trip: journey|journey: trip, voyage|voyage: journey|adventure: exciting trip|party: celebration|feast: big meal|
meal: food|supper: dinner, evening meal|dinner: supper|lunch: midday meal|breakfast: morning meal|cookie: biscuit|cookies: biscuits|biscuit: cookie|candy: sweets|sweets: candy|stone: rock|rock: stone|stones: rocks|rocks: stones|tale: story|bag: sack|sack: bag|box: chest|chest: box|basket: hamper|cup: mug|mug: cup|pot: pan|blanket: cover|coat: jacket|jacket: coat|hat: cap|cap: hat|trousers: pants|
pants: trousers|dress: gown|gown: dress|shoes: footwear|boots: shoes|chair: seat|seat: chair|sofa: couch|couch: sofa|rug: carpet|carpet: rug|lamp: light|fire: flames|flames: fire|storm: bad weather|wind: breeze|breeze: wind|rain: wet weather|sunset: evening|dawn: daybreak, sunrise|sunrise: dawn|dusk: evening|evening: end of the day|
night: night-time|morning: early part of the day|autumn: fall|error: mistake|mistake: error|problem: trouble|trouble: problem|plan: idea|idea: plan|secret: hidden thing|dream: wish|wish: desire|fear: fright|anger: rage|joy: happiness|happiness: joy|sorrow: sadness|sadness: sorrow|courage: bravery|bravery: courage|lesson: teaching|riddle: puzzle|puzzle: riddle|
garbage: rubbish, trash|trash: rubbish, garbage|rubbish: trash, garbage|movie: film|film: movie|soccer: football|vacation: holiday|holiday: vacation|teacher: schoolteacher|classmates: schoolmates|friends: pals|infant: baby|baby: infant|corner: nook|hole: opening|cave: cavern|jungle: forest|cage: prison|cellar: basement|basement: cellar|stairs: steps|steps: stairs|photo: picture, photograph"""

# What a thing is: a question may name the kind where the text names the thing.
IS_A = """animal: fox wolf bear rabbit hare deer squirrel mouse rat cat dog horse donkey cow goat sheep pig lion tiger elephant monkey giraffe zebra camel hedgehog badger otter beaver mole raccoon puppy kitten lamb frog turtle tortoise hippo rhino kangaroo panda leopard|
bird: crow raven sparrow robin owl eagle hawk duck goose swan hen rooster parrot pigeon dove stork crane heron wren lark nightingale thrush blackbird seagull penguin peacock turkey ostrich magpie jay swallow|
insect: bee ant butterfly beetle fly wasp grasshopper cricket ladybug moth dragonfly caterpillar mosquito|sea animal: whale dolphin shark octopus crab lobster seal starfish|
flower: rose daisy tulip lily violet poppy sunflower daffodil bluebell buttercup dandelion|tree: oak elm birch pine fir willow maple beech ash cedar|fruit: apple pear plum peach cherry banana orange strawberry grape melon apricot fig mango lemon|vegetable: carrot turnip cabbage onion potato pumpkin bean pea cucumber radish lettuce|
tool: hammer saw axe spade shovel rake screwdriver wrench drill pliers chisel hoe|toy: doll ball kite teddy puppet marble yo-yo|vehicle: car truck bus train wagon cart carriage bicycle tractor van taxi|instrument: piano violin flute drum trumpet guitar fiddle harp horn|
furniture: chair table bed sofa desk wardrobe cupboard bench|piece of clothing: hat coat dress shirt jacket skirt scarf sweater cloak sock glove mitten apron|jewel: ring necklace bracelet diamond ruby emerald pearl|weapon: sword spear dagger gun pistol rifle arrow|
drink: milk tea coffee juice lemonade wine beer cocoa|food: bread cheese cake pie soup porridge pasta pizza rice meat|building: house castle palace barn church school mill tower cottage hut|sweet: cookie candy chocolate lollipop|metal: gold silver iron copper|container: box basket bag bucket barrel jar pot sack""".replace("\n", "")

ADJECTIVES = """happy: glad, cheerful|glad: happy, pleased|sad: unhappy, sorrowful|unhappy: sad|angry: cross, mad|mad: angry|cross: angry|afraid: scared, frightened|scared: afraid, frightened|frightened: scared, afraid|terrified: very scared|brave: courageous, bold|bold: brave|big: large|large: big|huge: very big, enormous|enormous: huge, very big|
little: small|small: little|tiny: very small, very little|ancient: very old|young: youthful|beautiful: lovely, pretty|pretty: beautiful, lovely|lovely: beautiful|ugly: not pretty|clever: smart, bright|smart: clever|wise: clever|foolish: silly|silly: foolish|stupid: foolish|kind: good, friendly|nice: kind|friendly: kind|cruel: mean|mean: unkind|wicked: evil, bad|evil: wicked|
rich: wealthy|wealthy: rich|poor: needy|hungry: starving|tired: weary, sleepy|weary: tired|sleepy: tired|sick: ill|ill: sick|strong: powerful|powerful: strong|weak: feeble|quick: fast|fast: quick|swift: fast|slow: unhurried|noisy: loud|quiet: silent, still|silent: quiet|calm: peaceful|peaceful: calm|shiny: bright|bright: shining|dark: gloomy|cold: chilly|chilly: cold|
wet: soaked|dirty: filthy|clean: spotless|strange: odd, unusual|odd: strange|unusual: strange|excited: thrilled|thrilled: excited|surprised: astonished, amazed|amazed: astonished, surprised|astonished: amazed|nervous: anxious, worried|worried: anxious, nervous|anxious: worried|curious: eager to know|lonely: all alone|delicious: tasty, yummy|tasty: delicious|yummy: delicious, tasty|
hard: difficult|difficult: hard|easy: simple|funny: amusing|merry: cheerful|cheerful: merry|delighted: very happy, pleased|pleased: glad|miserable: very unhappy|dear: beloved|favorite: best-loved|favourite: best-loved|wonderful: marvellous|magnificent: splendid|splendid: magnificent|dreadful: terrible, awful|terrible: dreadful, awful|fierce: savage|gentle: mild|jealous: envious|greedy: selfish|lazy: idle|naughty: bad|broken: smashed|lost: missing|empty: bare|full: filled|golden: gold|thankful: grateful|grateful: thankful"""


def groups(text):
    """{word: [what may stand for it]}."""
    pairs = (each.split(": ") for each in text.replace("\n", "").split("|") if ": " in each)
    return {word: others.split(", ") for word, others in pairs}


VERB = groups(VERBS)
NOUN = groups(NOUNS)
ADJECTIVE = groups(ADJECTIVES)
KIND = {word: each.split(": ")[0] for each in IS_A.split("|") for word in each.split(": ")[1].split()}
