# SPDX-License-Identifier: MIT
"""Questions for circumstances: where, when, how, with whom, what for, what somebody wanted to do."""
from .lexicon import BEASTS, BITRANSITIVE_TO, FOR_WHAT, GOES, KNOWS, NUMBERS, OBJECTS, PLACES, STATES, TIMES, WHERE, WISHES
from .noun_phrases import being, noun_phrase
from .tellers import kind_of, living

MANNER = set("smile laugh sigh grin frown cry tears shout voice heart nod joy delight care force pride surprise pleasure eyes face look air shrug groan".split())
INSTRUMENT = set("stick knife hammer axe rope spoon fork brush broom needle key net sword pen pencil stone spade shovel saw scissors string hook rod hand hands foot paw paws teeth claws beak finger fingers handkerchief towel cloth whip bow lantern bucket".split())


def circumstance_questions(t, only):
    """Where, when, how, with whom, what for."""
    c, p = t.c, t.c.pieces
    for at, piece in enumerate(p):
        last = at == len(p) - 1
        if piece[0] in ("rel", "that", "how") or c.open and last:
            continue
        before = t.rest(until=at)
        text = t.clean(piece[1])
        if before is None or text is None:
            continue
        after = t.rest(range(at + 1), 6)
        if piece[0] == "pp" and c.base not in ("be", "done"):
            prep, head = piece[2], piece[4].lower()
            if prep == "with" and (being(head) or piece[3][0].isupper()) and c.base not in ("agree", "find", "see", "have", "discover", "meet", "own", "notice", "love", "like"):
                if only or before:
                    yield t.inverted("Who", f"{before} with".strip()), t.clean(piece[3])
                    if before and c.base not in STATES:
                        yield f"With whom {t.inverted('', before).strip()}", t.clean(piece[3])
            elif prep == "with" and head in MANNER and (only or before):
                yield t.inverted("How", before), text
            elif prep == "with" and head in INSTRUMENT and before and c.base not in ("see", "find", "meet", "come", "go", "have"):
                yield t.inverted("What", f"{before} with"), t.clean(piece[3])
                yield t.inverted("How", before), text
            elif head in TIMES and prep in ("in", "at", "on", "after", "before", "during", "by"):
                if only or before:
                    yield t.inverted("When", before), text
            elif prep == "for" and head in ("days", "hours", "years", "minutes", "weeks", "months", "night", "day", "hour", "year", "week", "while"):
                yield t.inverted("How long", before), text
            elif prep == "from" and head in WHERE and c.base in ("take", "get", "grab", "pick", "pull", "snatch", "buy", "bring", "come", "fall", "jump", "fetch", "drink", "eat") and (only or before) and at == len(p) - 1:
                yield t.inverted("Where", f"{before} from".strip()), text
            elif prep in PLACES - {"from"} and (prep not in ("up", "down", "over") or c.base in GOES) and (head in WHERE or c.base in ("go", "walk", "run", "hurry", "travel", "ride", "come", "march", "rush", "head", "drive", "sail", "climb", "crawl", "creep") and prep in ("to", "into", "across", "through", "over", "towards") and not being(head)) and head not in TIMES and not (prep == "to" and c.base in ("complain", "listen", "say", "talk", "speak", "belong", "whisper", "explain", "sing")) and not (prep in ("at", "over", "through", "across") and c.base in ("look", "stare", "point", "laugh", "gaze", "glance")) and head not in ("top", "bottom", "side", "end", "back", "foot", "air"):
                if only or before:
                    purpose = p[at + 1] if at + 1 < len(p) and p[at + 1][0] == "inf" else None
                    if purpose and after and c.base in GOES:
                        yield t.inverted("Where", f"{before} {after}".strip()), text
                    else:
                        yield t.inverted("Where", before), text
                    if c.base not in STATES and c.base not in GOES and before and at == len(p) - 1 and not c.negative and c.help in ("did", "does") and living(t) and c.base not in ("put", "set", "lay", "place", "hold", "keep", "leave", "hang", "have", "take", "throw", "drop", "get", "pour", "stick", "fall", "turn") and prep in ("in", "on", "at", "under", "near", "behind", "inside"):
                        yield f"What {c.help} {t.who} do {text}?", f"{t.short()} {c.finite} {before}"
            elif prep == "by" and head in ("bus", "train", "boat", "ship", "car", "bicycle", "bike", "plane"):
                yield t.inverted("How", before), text
            elif prep == "to" and c.base in BITRANSITIVE_TO and before and (being(head) or piece[3][0].isupper()):
                yield t.inverted("Who", f"{before} to"), t.clean(piece[3])
                yield f"To whom {t.inverted('', before).strip()}", t.clean(piece[3])
            elif prep == "about" and c.base in ("talk", "think", "dream", "worry", "learn", "speak", "read", "sing", "write", "ask", "know", "hear", "wonder", "tell") and (only or before):
                yield t.inverted("What", f"{before} about".strip()), t.clean(piece[3])
            elif prep == "from" and (being(head) or piece[3][0].isupper()) and before:
                yield t.inverted("Who", f"{before} from"), t.clean(piece[3])
        elif piece[0] == "when" and (only or before) and c.base not in ("be", "have", "spend", "take", "wave") and "whole" not in piece[1]:
            first = piece[1].split(" ")[0]
            yield t.inverted("How often" if first in ("every", "each") or piece[2] == "times" and first in NUMBERS else "How long" if first in ("all",) or piece[2] in ("days", "years", "hours", "minutes") else "When", before), piece[1]
        elif piece[0] == "ly" and (only or before) and c.base not in ("be", "done", "doing", "get") and not any(later[0] in ("np", "that", "how") for later in p[at + 1:]):
            if len(before.split()) < 6:
                yield t.inverted("How", before), piece[1]
        elif piece[0] == "adv" and piece[1] in ("home", "inside", "outside", "upstairs", "downstairs") and c.base in GOES and only:
            yield t.inverted("Where", before), piece[1]
        elif piece[0] == "inf":
            if at == 0 and c.base in WISHES and not c.negative:
                if c.help in ("did", "does") and only:
                    yield t.inverted("What", "to do"), text
                elif c.help == "had" and only:
                    yield t.inverted("What", "to do"), text
                words = piece[1].split(" ")
                inner = noun_phrase(words, 2, ()) if len(words) > 3 and words[2][0].islower() else None
                if inner and inner[2] not in OBJECTS and not (inner[1] < len(words) and words[inner[1]] in ("and", "to", "that")) and t.clean(inner[0]) and c.base in ("want", "like", "love", "hope", "need", "try", "decide", "promise", "plan"):
                    behind = t.clean(" ".join(words[inner[1]:])) if inner[1] < len(words) else ""
                    if behind is not None and words[1] not in ("be", "have", "take", "let", "make", "name", "call", "get", "become"):
                        kind = kind_of(inner[0])
                        yield t.inverted(f"What kind of {kind[1]}" if kind and inner[0].startswith("a") else "Who" if being(inner[2]) and inner[2] not in BEASTS else "What", f"to {words[1]} {behind}".strip()), t.clean(inner[0])
            elif c.base in FOR_WHAT and piece[2] not in KNOWS and living(t) and not (at and p[at - 1][0] == "pp" and p[at - 1][2] == "for") and at == len(p) - 1 and not c.negative and (before or only):
                yield t.inverted("Why", before), text
                if c.base in ("go", "stop", "come") and only:
                    yield t.inverted("What", f"{before} to do".strip()), text
            elif at == 1 and p[0][0] == "np" and c.base in ("ask", "tell", "help", "teach", "want", "order", "beg", "allow", "invite", "warn"):
                yield t.inverted("What", f"{before} to do"), text
                who = t.clean(p[0][1])
                if who and p[0][2].lower() not in ("everyone", "everybody", "someone") and after is not None and c.base != "want":
                    yield t.inverted("Who", text), who
        elif piece[0] == "adj" and at == 0 and c.base in ("feel", "look", "seem", "become", "grow") and last and (only or c.base != "feel") and not c.negative:
            yield t.inverted("How" if c.base in ("feel", "look", "seem") else "What", ""), text
