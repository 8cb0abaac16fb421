# SPDX-License-Identifier: MIT
"""Verbs: their forms, and which kinds of object each takes."""

IRREGULAR = {line.split()[0]: line.split()[1:] for line in """be was been|begin began begun|bend bent bent|bite bit bitten|blow blew blown|
break broke broken|bring brought brought|build built built|burn burned burned|buy bought bought|catch caught caught|
choose chose chosen|come came come|cut cut cut|dig dug dug|do did done|draw drew drawn|drink drank drunk|drive drove driven|
eat ate eaten|fall fell fallen|feed fed fed|feel felt felt|fight fought fought|find found found|fly flew flown|
forget forgot forgotten|freeze froze frozen|get got got|give gave given|go went gone|grow grew grown|hang hung hung|have had had|
hear heard heard|hide hid hidden|hit hit hit|hold held held|keep kept kept|know knew known|lay laid laid|lead led led|
leave left left|lend lent lent|let let let|lie lay lain|light lit lit|lose lost lost|make made made|mean meant meant|meet met met|
pay paid paid|put put put|read read read|ride rode ridden|ring rang rung|rise rose risen|run ran run|say said said|see saw seen|
sell sold sold|send sent sent|set set set|sew sewed sewn|shake shook shaken|shine shone shone|show showed shown|shut shut shut|
sing sang sung|sit sat sat|sleep slept slept|slide slid slid|speak spoke spoken|spend spent spent|spin spun spun|stand stood stood|
steal stole stolen|stick stuck stuck|sweep swept swept|swim swam swum|swing swung swung|take took taken|teach taught taught|
tear tore torn|tell told told|think thought thought|throw threw thrown|understand understood understood|wake woke woken|
wear wore worn|weave wove woven|weep wept wept|win won won|wind wound wound|write wrote written|stop stopped stopped|
drop dropped dropped|grab grabbed grabbed|wrap wrapped wrapped|pat patted patted|hug hugged hugged|unwrap unwrapped unwrapped|trip tripped tripped|
slip slipped slipped|plan planned planned|spot spotted spotted|clap clapped clapped|hum hummed hummed|jog jogged jogged|
nap napped napped|scrub scrubbed scrubbed|swap swapped swapped|mop mopped mopped|pin pinned pinned|tug tugged tugged|
rub rubbed rubbed|beg begged begged|nod nodded nodded|hop hopped hopped|skip skipped skipped|chop chopped chopped|
stir stirred stirred|knit knitted knitted|tap tapped tapped|trap trapped trapped|rob robbed robbed|grin grinned grinned|
shrug shrugged shrugged|spread spread spread|kneel knelt knelt|creep crept crept|leap leaped leaped|overhear overheard overheard|
overturn overturned overturned|drag dragged dragged|snap snapped snapped|tip tipped tipped|stumble stumbled stumbled|
admit admitted admitted|dip dipped dipped|plug plugged plugged|fling flung flung|grip gripped gripped|string strung strung|split split split|strap strapped strapped|trim trimmed trimmed|upset upset upset|flip flipped flipped|travel travelled travelled|label labelled labelled|quarrel quarrelled quarrelled|whirl whirled whirled""".replace("\n", "").split("|") for line in [line.strip()]}
DOUBLED = set("plug dip grip split strap trim upset flip unwrap travel quarrel stop drop grab wrap pat hug trip slip plan spot clap hum jog nap scrub swap mop pin tug rub beg nod hop skip chop stir "
              "knit tap trap rob grin shrug begin cut dig forget get hit let put run set shut sit spin swim win drag snap tip admit"
              .split())
VOWELS = "aeiou"


def split_verb(verb):
    """pick up -> pick, up."""
    head, _, rest = verb.partition(" ")
    return head, (" " + rest if rest else "")


def past(verb):
    head, rest = split_verb(verb)
    return (IRREGULAR[head][0] if head in IRREGULAR else regular(head)) + rest


def participle(verb):
    head, rest = split_verb(verb)
    return (IRREGULAR[head][1] if head in IRREGULAR else regular(head)) + rest


def regular(head):
    if head.endswith("e"):
        return head + "d"
    if head.endswith("y") and head[-2] not in VOWELS:
        return head[:-1] + "ied"
    return head + "ed"


def third(verb):
    head, rest = split_verb(verb)
    if head == "be":
        return "is" + rest
    if head == "have":
        return "has" + rest
    if head.endswith(("s", "x", "z", "ch", "sh", "o")):
        return head + "es" + rest
    if head.endswith("y") and head[-2] not in VOWELS:
        return head[:-1] + "ies" + rest
    return head + "s" + rest


def gerund(verb):
    head, rest = split_verb(verb)
    if head in ("travel", "quarrel"):
        return head + "ling" + rest
    if head in DOUBLED:
        return head + head[-1] + "ing" + rest
    if head.endswith("ie"):
        return head[:-2] + "ying" + rest
    if head.endswith("e") and not head.endswith(("ee", "ye", "oe")) and head != "be":
        return head[:-1] + "ing" + rest
    return head + "ing" + rest


def to_present(words):
    """Reasons are kept in the past: "the door was locked"."""
    for old, new in ((" was ", " is "), (" were ", " are "), (" had ", " has "), (" would ", " will "), (" smelled ", " smells "),
                     (" creaked", " creak"), (" wanted ", " wants ")):
        words = words.replace(old, new)
    return words


# With an object that is a thing.
DO_THING = """find lose drop carry break fix paint wash polish throw catch buy sell keep hold wrap draw repair see notice
clean forget bring borrow steal hide pick_up admire measure examine decorate dust dry kick roll weigh sketch discover
collect choose inspect win mend spot touch shake pull drag push lift sniff photograph swap study chase wear_out tie_up
hang_up unwrap make sew_up tear bury dig_up wave overturn stack sort count open damage scratch misplace guard protect
want need miss like imagine describe mention rescue store pack unpack order design""".split()
DO_THING += """aim assemble attach balance bless boil bounce bump burst carve check clutch colour compare complete conceal consider cover crack crush
deliver destroy detach dip doubt drench embroider empty enjoy exchange explore fasten fetch fill flatten flick fling fold forge gather glue grease grind
grip hammer haul hire hoist ignore inflate inherit inspect invent iron join label launch lift load lock lower mark melt mix mould move observe oil own
parcel peel pinch pitch plait plant poke pour press preserve print pump punch purchase raise record remove rename replace rescue return reveal
rinse roast rotate ruin salvage sand scrape scratch scrub seal search serve sharpen shine shorten shovel sink slice smash smear smell smuggle snatch soak spill spin
split spray squash squeeze stain stamp stitch straighten strap stretch string stuff swing test tilt toss touch track trade trim tug turn twirl twist unfold
unlock untie unwrap upset use varnish wax weave weigh wind wipe wreck""".split()
EAT = "eat bake cook taste share_out burn buy sell peel slice nibble sniff carry drop pick steal hide order chew warm_up save".split()
MAKE_DISH = "cook make stir serve taste spill share warm_up burn sell season order".split()
DO_PERSON = """help meet visit follow thank call wake watch warn invite hug chase tickle greet rescue scare teach surprise annoy
comfort find miss recognise admire interrupt trick remind calm congratulate question ignore trust cheer_up look_after listen_to
wave_to laugh_at talk_to wait_for play_with dance_with argue_with bump_into look_for shout_at sing_to whisper_to smile_at work_for
walk_with sit_next_to apologise_to hide_from run_to write_to agree_with""".split()
ALONE = """sing dance sleep cry laugh wait hide swim fall jump yawn sneeze whistle hum dream giggle sigh tremble rest nap read work
play shiver slip trip snore shout stop stumble climb_around walk_around run_around look_around sit_down lie_down fall_asleep
get_lost give_up practise_juggling do_a_somersault stand_very_still tell_jokes count_the_stars watch_the_clouds pick_flowers
feed_the_birds sweep_the_floor write_a_poem make_a_wish build_a_sandcastle play_cards eat_breakfast get_wet take_a_bath
skip_stones brush_her_hair hunt_for_treasure tell_a_secret collect_shells chop_wood water_the_plants dig_a_hole light_a_fire
do_the_washing ring_the_bell bake_bread milk_the_cow sharpen_pencils paint_a_picture play_chess learn_to_knit repair_the_roof""".split()
ALONE.remove("brush_her_hair")
GIVE = "give show send lend sell bring throw hand offer pass read".split()
TAKE = "borrow take buy get steal receive win".split()
PUT = "put hide leave place bury store set drop lay keep".split()
MOVE = "go walk run hurry travel ride sail hop march wander fly climb drive swim return sneak race stroll tiptoe crawl".split()
DO_THING, EAT, DO_PERSON, ALONE = ([verb.replace("_", " ") for verb in verbs] for verbs in (DO_THING, EAT, DO_PERSON, ALONE))
MAKE_DISH = [verb.replace("_", " ") for verb in MAKE_DISH]

# Verbs after which "the thing was ...ed by her" sounds odd.
NO_PASSIVE = set("have want need like miss get wear_out imagine lose".split())
SAME = {"lose": ["misplace"], "find": ["discover", "come across"], "buy": ["get", "pay for"], "fix": ["repair", "mend"],
        "repair": ["fix", "mend"], "mend": ["fix", "repair"], "see": ["spot", "notice"], "help": ["assist"], "steal": ["take"],
        "give": ["hand"], "bring": ["carry"], "meet": ["come across", "run into"], "make": ["create"], "hide": ["put"],
        "bake": ["make"], "cook": ["make"], "put": ["leave", "place"], "scare": ["frighten"], "pick up": ["take"],
        "throw": ["toss"], "rescue": ["save"], "hurry": ["go"], "walk": ["go"], "run": ["go"], "travel": ["go"],
        "discover": ["find"], "look for": ["search for"], "spot": ["see", "notice"], "damage": ["break"], "teach": ["instruct"],
        "build": ["make", "construct"], "want": ["wish for"], "misplace": ["lose"], "tear": ["rip"], "order": ["ask for"]}

HOW = """quietly slowly quickly carefully gently happily sadly proudly secretly loudly bravely politely patiently eagerly
nervously cheerfully clumsily all_alone all_by_herself as_fast_as_possible with_great_care with_a_smile with_both_hands
with_a_long_stick with_a_piece_of_string with_a_little_glue with_a_wooden_spoon with_a_net with_a_rope with_a_hook with_an_old_key
with_a_ladder with_a_feather with_a_lantern with_a_sharp_stone with_a_borrowed_hammer with_one_eye_closed in_a_hurry by_accident
on_purpose without_a_sound without_any_help in_the_dark""".split()
HOW = [how.replace("_", " ") for how in HOW if how != "all_by_herself"]
BY = "by boat|by train|by bicycle|on foot|on a donkey|by balloon|by bus|on a sledge|in a wheelbarrow|on the back of a goose|in a rowing boat".split("|")
WHY = """it was cold|it was raining|it was late|it was too heavy|it was her birthday|the door was locked|the bridge was closed|the road was
icy|nobody else wanted to|there was nothing else to do|the shop was closed|the moon was so bright|the wind was too strong|
it was getting dark|the stairs creaked|the old one was broken|it smelled so good|it was market day|the river had flooded|the king was
coming to visit|it was far too hot|the soup was cold|winter was coming|the clock had stopped|the rain would not stop|there was no
bread left|the lamp had gone out|a storm was coming|the cupboard was empty|the school was closed|the train was late"""
WHY = [" ".join(why.split()) for why in WHY.replace("\n", " ").split("|") if "her birthday" not in why]
AIM = """keep warm|surprise everybody|win a bet|earn some money|learn something new|get some rest|look at the stars|cheer everyone
up|find out the truth|get home in time|stay awake|please the queen|have some fun|get some fresh air|prove that it could be done|hide
from the rain|prepare for the feast|escape from the noise|pass the time|catch the last train|see the sea|keep a promise"""
AIM = [" ".join(aim.split()) for aim in AIM.replace("\n", " ").split("|")]
FEELINGS = """happy sad angry proud afraid tired bored jealous lonely excited surprised ashamed worried curious cheerful nervous
grateful disappointed relieved cross confused sleepy homesick delighted furious embarrassed hopeful upset miserable brave sick""".split()
