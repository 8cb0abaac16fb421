# SPDX-License-Identifier: MIT
"""Questions that one clause answers: who, what, whom, where, when, how, how many, whose, what kind."""
from . import parsing
from .lexicon import (BEASTS, BITRANSITIVE_TO, COLOURS, FEELINGS, FEMALE, FOR_WHAT, GIVES, GOES, KNOWS, LOOKS, MALE, NOT_ALL, NUMBERS, PARTICLES, PLACES, STATES, TIMES, WHERE, WISHES, adjective)

OPPOSITE = {a: b for line in """happy sad|big small|large small|old young|rich poor|good bad|hot cold|warm cold|wet dry|brave afraid|kind cruel|strong weak|clean dirty|tall short|fast slow|loud quiet|hungry thirsty
dark light|high low|empty full|open closed|proud ashamed|angry pleased|tired awake|excited bored|rough smooth|soft hard|clever foolish|beautiful ugly|lazy busy|safe dangerous|new old|early late|alive dead|awake asleep|scared brave|thin fat|deep shallow|heavy light""".replace("\n", "|").split("|") for x in [line.split()] for a, b in (x, x[::-1])}
OTHER_COLOUR = {"red": "blue", "blue": "green", "green": "red", "yellow": "red", "black": "white", "white": "black", "brown": "grey", "golden": "silver", "silver": "golden", "pink": "yellow", "purple": "orange", "grey": "brown", "gray": "brown", "orange": "purple"}
NOT_KINDS = LOOKS - COLOURS & set()
WEAK = set("own same other first next last whole only few many such more very less much great single certain several".split())
FIRST_OR_SECOND = set("i me my mine we us our you your yours this these those myself yourself ourselves".split())
MANNER = set("smile laugh sigh grin frown cry tears shout voice heart nod joy delight care force pride surprise pleasure eyes face look air shrug groan".split())
INSTRUMENT = set("stick knife hammer axe rope spoon fork brush broom needle key net sword pen pencil stone spade shovel saw scissors string hook rod hand hands foot paw paws teeth claws beak finger fingers handkerchief towel cloth whip bow lantern bucket".split())


class Teller:
    """A clause with whom its pronouns mean: what of it can be said in a question."""

    def __init__(self, clause, who, sex, told):
        self.c, self.who, self.sex, self.told = clause, who, sex, told
        self.many = clause.shape == "many"
        self.cleaned = {}

    def clean(self, text, answer=False):
        """The words with names for pronouns, None where one is not clear."""
        if text in self.cleaned:
            return self.cleaned[text]
        words, out = text.split(" "), []
        for at, word in enumerate(words):
            low, comma = word.lower().rstrip(","), "," if word.endswith(",") else ""
            new = word
            if low in FIRST_OR_SECOND or low in ("it", "one", "ones", "there"):
                out = None
                break
            if low in ("he", "she", "his", "her", "him"):
                pronoun = "He" if low in ("he", "his", "him") else "She"
                owner = low == "his" or low == "her" and at + 1 < len(words) and words[at + 1] not in parsing.BOUND and not words[at + 1].endswith("ly") and words[at + 1] != "and"
                if low in ("he", "she") or owner:
                    if self.sex != pronoun and not (self.sex is None and not self.many and (self.who[0].isupper() or parsing.being(self.head()))):
                        one = self.told.meant(pronoun, (self.who,))
                        new = one and (one + "'s" if owner else one)
                else:
                    new = self.told.meant(pronoun, (self.who,))
            elif low in ("they", "their", "them"):
                if not self.many or low == "them":
                    new = None
            elif low == "its" and (self.sex or self.many):
                new = None
            if not new:
                out = None
                break
            out.append(new if new == word else new + comma)
        self.cleaned[text] = " ".join(out) if out else None
        return self.cleaned[text]

    def rest(self, but=(), most=9, until=None):
        """The pieces' words for a question, those but some; None where one of them is not clear."""
        out = []
        for at, piece in enumerate(self.c.pieces[:until]):
            if at in but or piece[0] == "rel":
                continue
            text = self.clean(piece[1])
            if text is None:
                return None
            out.append(text)
        text = " ".join(out)
        return text if text.count(" ") < most else None

    def inverted(self, wh, rest):
        c = self.c
        help_ = c.help + "n't" if c.negative and c.help != "can" else "can't" if c.negative else c.help
        if help_ == "willn't":
            help_ = "won't"
        return " ".join(filter(None, (wh, help_, self.who, c.lemma, rest))) + "?"

    def predicate(self):
        """What somebody did, in the past, or None."""
        rest = self.rest(most=14)
        return None if rest is None else " ".join(filter(None, (self.c.adverb, self.c.finite, rest)))

    def short(self):
        return self.sex.lower() if self.sex else "they" if self.many and parsing.being(self.head()) else self.who

    def head(self):
        return self.who.split(" of ")[0].split(" ")[-1]

    def statement(self):
        told = self.predicate()
        return None if told is None else f"{self.short()} {told}"


def living(t):
    return bool(t.sex) or t.who[0].isupper() and "'s " not in t.who or parsing.being(t.head())


def thing(piece):
    return piece[0] == "np" and piece[2].lower() not in parsing.OBJECTS


def kind_of(np):
    """(adjective, noun) of "a red ball"."""
    words = np.split(" ")
    if len(words) == 3 and words[0] in ("a", "an", "some", "the") and adjective(words[1]) and words[1] not in WEAK and not (words[0] == "a" and words[1] == "little" and adjective(words[2].removesuffix("er"))):
        return words[1], words[2]
    return None


def head_of(piece):
    return piece[2].lower()


def subject_questions(t, only):
    c = t.c
    rest = t.rest(most=11)
    if t.who.lower() in ("he", "she", "nothing", "nobody", "something", "someone") or c.adverb in ("all", "both"):
        return
    if rest is None or not rest and c.base in ("be", "doing", "have"):
        return
    told = " ".join(filter(None, (c.adverb, c.finite, rest)))
    if " himself" in told or " herself" in told:
        if not living(t):
            return
    said = c.subject if c.subject not in ("he", "she", "they", "it") else t.who
    words = said.split(" ")
    if words[0] in ("his", "her", "their", "its"):
        said = t.who
    if told.count(" ") < 1 or c.base == "be" and c.pieces and c.pieces[0][0] == "adv":
        return
    if c.base == "be" and c.pieces and c.pieces[0][0] == "np" and c.pieces[0][1].split(" ")[0] not in ("the", "his", "her"):
        return
    if living(t):
        # who it was is asked of one, whoever it were
        ask = "Who " + (told.replace("were", "was", 1) if told.startswith("were ") else told)
        if t.head() in BEASTS and t.head() not in ("animal", "beast") and len(words) == 2 and len(told) % 2:
            ask = f"Which animal {told}"
        yield ask + "?", said
    elif t.who[0].islower() and len(words) < 6 and words[0] not in NUMBERS:
        yield f"What {told}?", said
    if words[0] in NUMBERS and words[0] != "one" and len(words) < 4:
        yield f"How many {' '.join(words[1:])} {told}?", words[0]
    if "'s " in t.who and t.who[0].isupper() and len(words) < 4 and c.subject == t.who and t.who.split("'s")[0] not in told:
        owner, _, owned = t.who.partition("'s ")
        yield f"Whose {owned} {told}?", owner + "'s"


def be_questions(t, only):
    c, p = t.c, t.c.pieces
    first, verb = p[0] if p else None, t.c.finite
    if not first or c.negative or c.adverb in NOT_ALL or verb not in ("was", "were", "is", "are"):
        return
    if first[0] == "adj":
        rest = t.rest((0,))
        feeling = first[1].split(" ")[-1]
        words = first[1].split(" ")
        if rest == "" or only and rest is not None:
            way = (len(t.c.said) + len(t.who)) % 3           # one of them: else most would be of how somebody felt
            if words[-1] in OPPOSITE and len(words) < 3 and not rest and way == 0:
                pass
            elif feeling in FEELINGS and living(t) and not (feeling in ("cold", "warm", "better", "bad", "safe", "ill") and rest):
                yield f"How did {t.who} feel?" if way < 2 else f"How {verb} {t.who} feeling?", first[1]
            elif not rest:
                yield f"What {verb} {t.who} like?", first[1]
            if words[-1] in OPPOSITE and len(words) < 3 and not rest and way == 0:
                a, b = (words[-1], OPPOSITE[words[-1]] if words[-1] != 'old' or not living(t) else 'young') if len(t.who) % 2 else (OPPOSITE[words[-1]] if words[-1] != 'old' or not living(t) else 'young', words[-1])
                yield f"{verb.capitalize()} {t.who} {a} or {b}?", first[1]
        if words[-1] in COLOURS and len(words) == 1 and not rest and not living(t):
            yield f"What colour {verb} {t.who}?", words[0]
    elif first[0] == "pp" and first[2] in PLACES and (first[4] in WHERE or first[2] in ("under", "behind", "near", "beside", "inside")):
        text = t.clean(first[1])
        if text and only:
            yield f"Where {verb} {t.who}?", text
    elif first[0] == "np" and len(p) == 1 and first[1].split(" ")[0] in ("a", "an", "the", "his", "her") and not c.open:
        text = t.clean(first[1])
        words = t.who.split(" ")
        if text and living(t) and t.who[0].isupper() and "'s " not in t.who and parsing.being(first[2]):
            yield f"Who {verb} {t.who}?", text
        elif text and "'s " in t.who and not living(t):
            yield f"What {verb} {t.who}?", text
    elif first[0] == "inf" and len(p) == 1 and ("'s " in t.who or words_of(t.who) & {"dream", "plan", "wish", "job", "idea", "task", "goal", "favourite"}):
        text = t.clean(first[1])
        if text:
            yield f"What {verb} {t.who}?", text
    if first[0] == "np" and len(p) == 1 and first[1].endswith(("years old", "year old")):
        yield f"How old {verb} {t.who}?", first[1]


def words_of(text):
    return set(text.split(" "))


def object_questions(t, only):
    """Questions for the noun phrase behind the verb."""
    c, p = t.c, t.c.pieces
    if c.base == "let":
        return
    if not p or not thing(p[0]):
        if len(p) == 2 and p[0][0] == "adv" and p[0][1] in PARTICLES and thing(p[1]) and not c.open:
            text = t.clean(p[1][1])
            if text and only:
                yield t.inverted("Who" if parsing.being(p[1][2]) else "What", p[0][1]), text
        elif p and p[0][0] == "pp" and p[0][2] in ("at", "for", "on", "with", "about", "of", "to", "up", "out", "down", "after", "into") and p[0][4] not in WHERE and p[0][4] not in TIMES and p[0][4] not in ("time", "while", "moment", "minutes", "hours", "days", "years", "times", "first", "hour", "minute") and p[0][4].lower() not in parsing.OBJECTS and p[0][4] not in MANNER and not (c.open and len(p) == 1):
            text, rest = t.clean(p[0][3]), t.rest((0,))
            if text and rest is not None and (only or rest) and (p[0][2] in ("at", "for", "with", "about", "of", "after") or c.base in ("pick", "put", "call", "give", "speak", "talk", "listen", "turn", "take", "pull") and p[0][2] != "to" or c.base in ("listen", "talk", "speak", "belong") and p[0][2] == "to"):
                wh = "Who" if parsing.being(p[0][4]) or p[0][3][0].isupper() else "What"
                if rest and p[1][0] in ("pp", "when"):
                    yield t.inverted(wh, f"{p[0][2]} {rest}"), text
                elif not rest:
                    yield t.inverted(wh, p[0][2]), text
        return
    if len(p) > 1 and p[1][0] == "np":
        # gave her friend a book
        to, what = t.clean(p[0][1]), t.clean(p[1][1])
        if c.base in GIVES and thing(p[1]) and to and what and parsing.being(p[0][2]) | p[0][1][0].isupper() and not (c.open and len(p) == 2):
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
    who = parsing.being(head) or p[0][1][0].isupper() and "'s" not in p[0][1]
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
            if kind[0] not in WEAK and not who:
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
            if prep == "with" and (parsing.being(head) or piece[3][0].isupper()) and c.base not in ("agree", "find", "see", "have", "discover", "meet", "own", "notice", "love", "like"):
                if only or before:
                    yield t.inverted("Who", f"{before} with".strip()), t.clean(piece[3])
                    if before and "What" and c.base not in STATES:
                        yield f"With whom {t.inverted('', before).strip()}", t.clean(piece[3])
            elif prep == "with" and head in MANNER and (only or before):
                yield t.inverted("How", before), text
            elif prep == "with" and head in INSTRUMENT and before:
                yield t.inverted("What", f"{before} with"), t.clean(piece[3])
                yield t.inverted("How", before), text
            elif head in TIMES and prep in ("in", "at", "on", "after", "before", "during", "by"):
                if only or before:
                    yield t.inverted("When", before), text
            elif prep == "for" and head in ("days", "hours", "years", "minutes", "weeks", "months", "night", "day", "hour", "year", "week", "while"):
                yield t.inverted("How long", before), text
            elif prep == "from" and head in WHERE and c.base in ("take", "get", "grab", "pick", "pull", "snatch", "buy", "bring", "come", "fall", "jump", "fetch", "drink", "eat") and (only or before) and at == len(p) - 1:
                yield t.inverted("Where", f"{before} from".strip()), text
            elif prep in PLACES - {"from"} and (head in WHERE or c.base in ("go", "walk", "run", "hurry", "travel", "ride", "come", "march", "rush", "head", "drive", "sail", "climb", "crawl", "creep") and prep in ("to", "into", "across", "through", "over", "towards") and not parsing.being(head)) and head not in TIMES and not (prep == "to" and c.base in ("complain", "listen", "say", "talk", "speak", "belong", "whisper", "explain", "sing")) and not (prep in ("at", "over", "through", "across") and c.base in ("look", "stare", "point", "laugh", "gaze", "glance")) and head not in ("top", "bottom", "side", "end", "back", "foot", "air"):
                if only or before:
                    purpose = p[at + 1] if at + 1 < len(p) and p[at + 1][0] == "inf" else None
                    if purpose and after and c.base in GOES:
                        yield t.inverted("Where", f"{before} {after}".strip()), text
                    elif only or before and c.base not in GOES:
                        yield t.inverted("Where", before), text
                    else:
                        yield t.inverted("Where", before), text
                    if c.base not in STATES and c.base not in GOES and before and at == len(p) - 1 and not c.negative and c.help in ("did", "does") and living(t) and c.base not in ("put", "set", "lay", "place", "hold", "keep", "leave", "hang", "have", "take", "throw", "drop", "get", "pour", "stick", "fall", "turn") and prep in ("in", "on", "at", "under", "near", "behind", "inside"):
                        yield f"What {c.help} {t.who} do {text}?", f"{t.short()} {c.finite} {before}"
            elif prep == "by" and head in ("bus", "train", "boat", "ship", "car", "bicycle", "bike", "plane"):
                yield t.inverted("How", before), text
            elif prep == "to" and c.base in BITRANSITIVE_TO and before and (parsing.being(head) or piece[3][0].isupper()):
                yield t.inverted("Who", f"{before} to"), t.clean(piece[3])
                yield f"To whom {t.inverted('', before).strip()}", t.clean(piece[3])
            elif prep == "about" and c.base in ("talk", "think", "dream", "worry", "learn", "speak", "read", "sing", "write", "ask", "know", "hear", "wonder", "tell") and (only or before):
                yield t.inverted("What", f"{before} about".strip()), t.clean(piece[3])
            elif prep == "from" and (parsing.being(head) or piece[3][0].isupper()) and before:
                yield t.inverted("Who", f"{before} from"), t.clean(piece[3])
        elif piece[0] == "when" and (only or before) and c.base not in ("be", "have", "spend", "take", "wave") and "whole" not in piece[1]:
            first = piece[1].split(" ")[0]
            yield t.inverted("How often" if first in ("every", "each") or piece[2] == "times" and first in NUMBERS else "How long" if first in ("all",) or piece[2] in ("days", "years", "hours", "minutes") else "When", before), piece[1]
        elif piece[0] == "ly" and (only or before) and c.base not in ("be", "done", "doing") and not any(later[0] in ("np", "that", "how") for later in p[at + 1:]):
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
                inner = parsing.noun_phrase(words, 2, ()) if len(words) > 3 and words[2][0].islower() else None
                if inner and inner[2] not in parsing.OBJECTS and not (inner[1] < len(words) and words[inner[1]] in ("and", "to", "that")) and t.clean(inner[0]) and c.base in ("want", "like", "love", "hope", "need", "try", "decide", "promise", "plan"):
                    behind = t.clean(" ".join(words[inner[1]:])) if inner[1] < len(words) else ""
                    if behind is not None and words[1] not in ("be", "have", "take", "let", "make", "name", "call", "get", "become"):
                        kind = kind_of(inner[0])
                        yield t.inverted(f"What kind of {kind[1]}" if kind and inner[0].startswith("a") else "Who" if parsing.being(inner[2]) and inner[2] not in BEASTS else "What", f"to {words[1]} {behind}".strip()), t.clean(inner[0])
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
            yield t.inverted("How" if c.base in ("feel", "look") else "How", "") if c.base in ("feel", "look", "seem") else t.inverted("What", ""), text


def thought_questions(t, only):
    c, p = t.c, t.c.pieces
    for at, piece in enumerate(p):
        if piece[0] == "that" and c.base in KNOWS | {"tell", "promise"} and at < 2:
            before, text = t.rest(until=at), t.clean(piece[1])
            if before is not None and text and only and (at == 0 or p[0][0] == "np"):
                yield t.inverted("What", before), text
    if c.base == "make" and len(p) == 2 and p[0][0] == "np" and p[1][0] == "adj" and not c.negative:
        whom, how = t.clean(p[0][1]), p[1][1]
        if whom and not (living(t) and whom == t.who):
            yield f"{'Who' if living(t) else 'What'} {c.finite} {whom} {how}?", t.who
            if p[1][2] in FEELINGS:
                yield t.inverted("How", f"{whom} feel"), how
    if c.base == "done" and p and p[-1][0] == "pp" and p[-1][2] == "by" and (parsing.being(p[-1][4]) or p[-1][3][0].isupper()):
        rest, by = t.rest((len(p) - 1,)), t.clean(p[-1][3])
        if rest is not None and by:
            yield f"Who {c.lemma} {t.who} {rest}".strip() + "?" if c.lemma.endswith("ed") else f"By whom {c.help} {t.who} {c.lemma} {rest}".strip() + "?", by
    if c.base == "done" and c.lemma in ("made", "filled", "covered", "tired", "afraid") and p and p[0][0] == "pp" and p[0][2] in ("of", "with") and len(p) == 1 and not c.open and not c.negative:
        text = t.clean(p[0][3])
        if text:
            yield t.inverted("What", p[0][2]), text
    if c.base == "doing" and living(t) and not c.negative and c.lemma not in ("feeling", "being", "having", "getting", "becoming", "wearing"):
        rest = t.rest(most=12)
        if rest is not None and only and rest:
            yield f"What {c.help} {t.who} doing?", f"{c.lemma} {rest}"
    if c.help in ("could", "must", "can", "couldn't", "should", "might") and living(t) and c.whole:
        rest = t.rest(most=12)
        if rest and c.lemma not in ("be", "have", "see", "hear"):
            yield f"What {c.help}{chr(110) + chr(39) + 't' if c.negative else ''} {t.who} do?".replace("cann't", "can't"), f"{c.lemma} {rest}"


def of_clause(t, only):
    """(question, short answer); `only` says that nobody is told to do the same twice, so that a question needs no circumstances."""
    c = t.c
    if c.subject in ("he", "she") and t.who in c.text():
        return                          # somebody else is meant
    if c.adverb and c.adverb.split(" ")[0] in NOT_ALL:
        yield from subject_questions(t, only)
        return
    yield from subject_questions(t, only)
    if c.base == "be":
        yield from be_questions(t, only)
        return
    yield from object_questions(t, only)
    yield from circumstance_questions(t, only)
    yield from thought_questions(t, only)
