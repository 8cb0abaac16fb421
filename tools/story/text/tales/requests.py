# SPDX-License-Identifier: MIT
"""Requests that a tale fulfils."""
import re

from .templates import tidy

KEYWORDS = set("""apple arm ball balloon banana bank barn basket bath bear bed bee bell bench berry bike bird birthday blanket boat book boots bottle box
branch bread bridge broom brother bucket bug bus butter butterfly button cake camp candle candy captain car card carrot castle cat cave chair cheese
cherry chicken circle city clock cloud clown coat coin cold color cookie corn cow crab crayon crown cup dance dark deer desk dinner dinosaur dirt doctor
dog doll dolphin door dragon drawing dream dress drum duck eagle ear egg elephant engine eye face fairy family farm farmer feather fence field finger
fire fireman fish flag flashlight flower flute fog food forest fork fox friend frog fruit game garden gate ghost giant gift giraffe glass glove goat
gold goose grandma grandpa grape grass hammer hand hat heart hedgehog helmet hill hole honey horn horse house ice insect island jacket jar jelly jewel
juice jungle kangaroo key king kitchen kite kitten knight ladder lake lamb lamp lantern leaf lemon letter library light lion lizard log lunch magic
magnet mail map market mask meadow medal milk mirror mitten money monkey monster moon mountain mouse mud muffin mushroom music nail necklace nest net
night noise nose nut ocean octopus onion orange orchard oven owl pail paint pan pancake panda paper parade park parrot party path peach peanut pear
pebble pencil penguin penny piano picnic picture pie pig pillow pilot pirate pizza planet plant plate playground plum pocket policeman pond pony pool
popcorn present prince princess prize pumpkin puppet puppy purple puzzle queen rabbit raccoon race rain rainbow raft ribbon rice ring river road robot
rock rocket roof room rope rose sail sailor salt sand sandcastle sandwich scarf school sea seed shadow shark sheep shelf shell ship shirt shoe shop
sister sky sled sleep slide smile smoke snack snail snake snow snowman soap sock sofa song soup space spider spoon spoon spring squirrel stage star
stick stone storm story straw stream street string sugar sun sunflower sunset surprise swan sweater swing table tail tea teacher team teddy tent
thunder ticket tiger toad toast tomato tooth towel tower town toy tractor train trash treasure tree trick truck trumpet tunnel turtle umbrella uncle
unicorn valley vase village violin wagon wall water waterfall wave web whale wheel whistle wind window wing winter wish wizard wolf wood wool worm
yard zebra zoo brave kind happy sad angry scared lonely proud shy clever silly tiny huge quiet loud soft shiny sleepy hungry gentle curious careful
fast slow warm cold strong lost broken golden silver old new clean dirty sweet sour funny strange jump run climb swim fly hide share help build
draw paint sing bake laugh cry hug whisper shout dig explore discover plant catch throw wait dream pretend clap wave sail float""".split())
_word = re.compile(r"\b[a-z]+\b")


def pick_words(r, text, n):
    ws = [x for x in set(_word.findall(text)) if x in KEYWORDS]
    ws.sort()
    return r.sample(ws, n) if len(ws) >= n else None

VERB = ["Write", "Write", "Write", "Tell me", "Please write", "Please tell me", "Can you write", "Can you tell me", "Tell"]
STORY = ["a story", "a story", "a story", "a short story", "a little story", "a children's story", "a bedtime story"]


def head(r):
    vb = r.choice(VERB)
    return vb + " " + r.choice(STORY), ("?" if vb.startswith("Can") else ".")


def wordlist(ws):
    return ", ".join(ws[:-1]) + " and " + ws[-1] if len(ws) > 1 else ws[0]


def prompt(r, s):
    """One request that the story fulfils; every detail asked for is in the story."""
    h, q = head(r)
    g = s.get("guests")
    if g is None:                                             # a real text: words picked from it
        ws = pick_words(r, s["text"], r.choice([1, 2, 3, 3, 4]))
    else:
        ws = list(g)
        extra = [x for x in s["words"] if x not in ws]
        r.shuffle(extra)
        ws += extra[: max(0, r.choice([1, 2, 3]) - len(ws))]
        if len(ws) < 2 and r.random() < 0.5:
            ws += [x for x in pick_words(r, s["text"], 1) or [] if x not in ws]
        r.shuffle(ws)
    k = r.random()
    if g and ws:                                              # guest words should be asked for
        k = 0.45 + 0.55 * r.random() if r.random() < 0.85 else k
    tail = ""
    if k >= 0.45 and ws:
        l = wordlist(ws)
        tail = r.choice([f" Use the word{'s' if len(ws) > 1 else ''} {l}.", f" Use the word{'s' if len(ws) > 1 else ''} {l}.", f" The story should have {l} in it.", f" Words: {', '.join(ws)}."]) if r.random() < 0.6 else f" with the word{'s' if len(ws) > 1 else ''} {l}"
    c = []                                                    # possible subjects
    if s.get("theme"):
        c += [s["theme"]] * 8
    if s.get("a_kind") and s.get("N"):
        a, n = s["a_kind"], s["N"]
        c += [f"{a} named {n}"] * 3 + [a, n, f"a {s.get('K')} named {n}" if s.get("K") else a]
        if s.get("lv"):
            c += [f"{a} who loves {s['lv']}", f"{a} named {n} who loves {s['lv']}", f"a {s['K']} who loves {s['lv']}"] * 2
        if s.get("city"):
            c += [f"{a} who lives in {s['city']}", f"{a} in {s['city']}"] * 2
        if s.get("M") and re.search(r"\b%s\b" % s["M"], s["text"]):
            c += [f"{n} and {s['M']}"]
    if s.get("moral"):
        c += [s["moral"]]
    x = r.random()
    if s.get("title") and x < 0.09:
        p = f'{h} called "{s["title"]}"'
    elif c and x < (0.5 if tail else 0.93):
        p = f"{h} about {tidy('x ' + r.choice(c))[2:]}"
    else:
        p = h
    if tail.startswith(" with"):
        return p + tail + q
    return p + q + tail
