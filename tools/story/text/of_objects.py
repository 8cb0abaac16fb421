# SPDX-License-Identifier: MIT
"""Questions for what stands behind the verb: what, whom, which, what kind of, how many, whose."""
from .lexicon import BEASTS, BITRANSITIVE_TO, COLOURS, GIVES, NUMBERS, OBJECTS, PARTICLES, STATES, TIMES, WHERE
from .noun_phrases import being
from .of_circumstances import MANNER
from .tellers import WEAK, head_of, kind_of, thing

OTHER_COLOUR = {"red": "blue", "blue": "green", "green": "red", "yellow": "red", "black": "white", "white": "black", "brown": "grey", "golden": "silver", "silver": "golden", "pink": "yellow", "purple": "orange", "grey": "brown", "gray": "brown", "orange": "purple"}


def object_questions(t, only):
    """Questions for the noun phrase behind the verb."""
    c, p = t.c, t.c.pieces
    if c.base == "let":
        return
    if not p or not thing(p[0]):
        if len(p) == 2 and p[0][0] == "adv" and p[0][1] in PARTICLES and thing(p[1]) and not c.open:
            text = t.clean(p[1][1])
            if text and only:
                yield t.inverted("Who" if being(p[1][2]) else "What", p[0][1]), text
        elif p and p[0][0] == "pp" and p[0][2] in ("at", "for", "on", "with", "about", "of", "to", "up", "out", "down", "after", "into") and p[0][4] not in WHERE and p[0][4] not in TIMES and p[0][4] not in ("time", "while", "moment", "minutes", "hours", "days", "years", "times", "first", "hour", "minute") and p[0][4].lower() not in OBJECTS and p[0][4] not in MANNER and not (c.open and len(p) == 1):
            text, rest = t.clean(p[0][3]), t.rest((0,))
            if text and rest is not None and (only or rest) and not (p[0][2] == "with" and c.base in STATES) and (p[0][2] in ("at", "for", "with", "about", "of", "after") or c.base in ("pick", "put", "call", "give", "speak", "talk", "listen", "turn", "take", "pull") and p[0][2] != "to" or c.base in ("listen", "talk", "speak", "belong") and p[0][2] == "to"):
                wh = "Who" if being(p[0][4]) or p[0][3][0].isupper() else "What"
                if rest and p[1][0] in ("pp", "when"):
                    yield t.inverted(wh, f"{p[0][2]} {rest}"), text
                elif not rest:
                    yield t.inverted(wh, p[0][2]), text
        return
    if len(p) > 1 and p[1][0] == "np":
        # gave her friend a book
        to, what = t.clean(p[0][1]), t.clean(p[1][1])
        if c.base in GIVES and thing(p[1]) and to and what and being(p[0][2]) | p[0][1][0].isupper() and not (c.open and len(p) == 2):
            yield t.inverted("What", to), what
            if c.base in BITRANSITIVE_TO and len(p) == 2 and c.base != "ask":
                yield t.inverted("Who", f"{what} to"), to
        return
    if len(p) > 1 and p[1][0] in ("adj", "that", "how") or p[0][0] != "np":
        return
    if c.base == "make" and len(p) > 1 and p[1][0] != "pp" or c.open and len(p) == 1 or c.base in ("let", "help", "become", "seem", "ask", "tell", "order", "turn", "get", "be", "doing", "done", "feel", "remain", "look") and (len(p) > 1 and p[1][0] == "inf" or c.base in ("become", "remain", "seem", "doing", "done", "turn", "look", "feel", "be")):
        return
    if c.base in ("wish", "want", "expect", "like", "need", "ask", "order", "allow", "beg") and any(piece[0] == "inf" for piece in p[1:]):
        return
    if p[0][1].startswith("no ") or head_of(p[0]) in ("fire", "notice", "hold", "place", "aim", "courage", "pity", "refuge", "shelter") and " " not in p[0][1]:
        return
    said = t.clean(p[0][1])
    rel = p[1][1] if len(p) > 1 and p[1][0] == "rel" else ""
    if not said:
        return
    rest = t.rest((0,), 7)
    if rest is None:
        rest = ""
        if not only:
            return
    if not (only or rest):
        return
    head = p[0][2]
    who = being(head) or p[0][1][0].isupper() and "'s" not in p[0][1]
    full = f"{said} {rel}" if rel and t.clean(rel) and rel.count(" ") < 9 else said
    if len(p) > 1 and p[1][0] == "inf" and p[1][2] != "be" and len(p[1][1]) > 30:
        rest = ""
        if not only:
            return
    keeps = rest if len(said) % 2 or not only or c.base in ("take", "put", "keep", "set", "bring", "turn", "lay", "place", "pull", "get", "draw", "have") else ""
    if c.base == "have" and len(p) > 1 and p[1][0] == "inf" or c.base == "have" and not said.split(" ")[0] in ("a", "an", "some", "many", "two", "three", "four", "five"):
        return
    if head in ("name", "time", "way", "idea", "head", "eyes", "hand", "place", "part", "fun", "turn", "care") or said in ("breakfast", "fun", "help", "love", "part"):
        return
    if not who and c.base == "play" and head in ("football", "soccer", "chess", "tennis", "cards", "hide-and-seek", "tag", "game", "games"):
        yield t.inverted("What game", keeps), full
    elif head in BEASTS and head not in ("animal", "beast") and said.split(" ")[0] in ("a", "an", "the") and len(keeps) % 2:
        yield t.inverted("Which animal", keeps), full
    else:
        yield t.inverted("Who" if who and head not in BEASTS and head.removesuffix("s") not in BEASTS else "What", keeps), full
    kind = kind_of(p[0][1])
    if kind and not c.negative:
        if p[0][1].startswith("the "):
            if kind[0] not in WEAK and kind[0] not in NUMBERS and not who and kind[1] not in ("thing", "things", "one"):
                yield t.inverted(f"Which {kind[1]}", rest), f"the {kind[0]} {kind[1]}"
        else:
            yield t.inverted(f"What kind of {kind[1]}", rest), p[0][1]
        if kind[0] in COLOURS and p[0][1].startswith(("a ", "an ", "the ")) and len(said) % 3 == 0:
            a, b = (kind[0], OTHER_COLOUR[kind[0]]) if len(rest) % 2 else (OTHER_COLOUR[kind[0]], kind[0])
            yield t.inverted(f"What colour was the {kind[1]} that", "").replace(f"that {c.help} {t.who} {c.lemma}", f"that {t.who} {c.finite}"), kind[0]
    words = p[0][1].split(" ")
    if words[0] in NUMBERS and words[0] != "one" and len(words) in (2, 3) and words[-1] not in ("times", "days", "years", "hours", "minutes"):
        yield t.inverted(f"How many {' '.join(words[1:])}", rest), words[0]
    if "'s " in p[0][1] and p[0][1][0].isupper() and len(words) == 2:
        yield t.inverted(f"Whose {words[1]}", rest), words[0]
