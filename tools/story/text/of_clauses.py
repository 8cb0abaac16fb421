# SPDX-License-Identifier: MIT
"""Questions that one clause answers: who, what, whom, where, when, how, how many, whose, what kind."""
from .lexicon import BEASTS, COLOURS, FEELINGS, KNOWS, NOT_ALL, NUMBERS, PLACES, WHERE
from .noun_phrases import being
from .of_circumstances import circumstance_questions
from .of_objects import object_questions
from .tellers import WEAK, living

OPPOSITE = {a: b for line in """happy sad|big small|large small|old young|rich poor|good bad|hot cold|warm cold|wet dry|brave afraid|kind cruel|strong weak|clean dirty|tall short|fast slow|loud quiet|hungry thirsty
dark light|high low|empty full|open closed|proud ashamed|angry pleased|tired awake|excited bored|rough smooth|soft hard|clever foolish|beautiful ugly|lazy busy|safe dangerous|new old|early late|alive dead|awake asleep|scared brave|thin fat|deep shallow|heavy light""".replace("\n", "|").split("|") for x in [line.split()] for a, b in (x, x[::-1])}


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
            elif not rest and feeling not in WEAK:
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
        if text and living(t) and t.who[0].isupper() and "'s " not in t.who and being(first[2]):
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
    if c.base == "done" and p and p[-1][0] == "pp" and p[-1][2] == "by" and (being(p[-1][4]) or p[-1][3][0].isupper()):
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
