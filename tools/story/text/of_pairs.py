# SPDX-License-Identifier: MIT
"""Questions about one half of a sentence by the other: when, after, before, while, until, because, so, and what came next."""
from .lexicon import DONE, FEELINGS, NOT_ALL, OBJECTS, STATES
from .noun_phrases import being
from .tellers import living

TIMES = ("when", "after", "before", "while", "as", "as soon as", "once")


def half(t, other, link):
    """A clause behind when or because: whom the other half names is he or she here."""
    same = t.who == other.who
    rest = t.rest(most=12)
    if rest is None:
        return None
    if same:
        who = t.sex.lower() if t.sex else "they" if t.many else None
        if not who:
            who = "it" if not living(t) else t.who
    elif t.who in ("he", "she") and t.sex == other.sex:
        return None
    else:
        # whose "his" is, is read off the subject of its own half
        who = t.who
    return " ".join(filter(None, (link, who, t.c.adverb, t.c.finite, rest)))


def deed(t):
    """What was done, to be told alone."""
    c = t.c
    return c.whole and not c.negative and c.base not in ("realize", "realise", "notice", "find", "forget", "become", "begin") and c.base not in STATES and c.base not in ("done", "doing") and c.help in ("did", "does") and not c.adverb.startswith(tuple(NOT_ALL)) and not (c.open and c.pieces and c.pieces[-1][0] != "inf")


def as_told(c, link):
    """A reason in the sentence's own words: its pronouns are clear to whoever reads the sentence beside it."""
    first = c.said.split(" ")[0]
    return f"{link} {c.said if first in ('I',) or not first.lower() in ('he', 'she', 'they', 'it', 'there', 'the', 'a', 'an', 'his', 'her', 'their') else c.said[0].lower() + c.said[1:]}"


def whys(effect, cause, clause, link="because"):
    if not effect.c.whole or not clause.whole or clause.open:
        return
    rest, said = effect.rest(), cause and half(cause, effect, link) or as_told(clause, link)
    if rest is None or not said or effect.c.adverb in NOT_ALL:
        return
    if not rest and effect.c.base in ("be", "have"):
        return
    yield effect.inverted("Why", rest), said
    if effect.who in ("he", "she"):
        return
    if clause.base == "be" and clause.pieces and clause.pieces[0][0] == "adj" and len(said) % 2 and not effect.c.negative and effect.c.help == "did" and living(effect):
        yield f"What made {effect.who} {effect.c.lemma} {rest}".strip() + "?", said.replace(f"{link} ", "", 1)
    if effect.c.base in ("be", "feel") and effect.c.pieces and effect.c.pieces[0][1].split(" ")[-1] in FEELINGS and len(effect.c.pieces) == 1 and not effect.c.negative:
        yield f"What made {effect.who} {effect.c.pieces[0][1].split(' ')[-1]}?", said.replace(f"{link} ", "", 1)


def of_pair(a, b, link, fronted, clauses):
    """(question, short answer) of two halves, the second behind `link`; or the first behind `fronted`. Of a reason it need not be clear who is meant."""
    main, sub, word = (b, a, fronted) if fronted else (a, b, link)
    if word == "because":
        if main:
            yield from whys(main, sub, clauses[0 if fronted else 1])
    elif word == "so":
        if b and b.c.help in ("did", "does") and b.c.base not in ("be", "can"):
            yield from whys(b, a, clauses[0])
    elif not main or not sub:
        return
    elif word == "so that" and sub.c.whole and not sub.c.open:
        rest, said = main.rest(), half(sub, main, "so that") or as_told(sub.c, "so that")
        if rest is not None and said:
            yield main.inverted("Why", rest), said
    elif word in TIMES and sub.c.whole and not sub.c.open and main.c.whole:
        said = half(sub, main, word)
        if not said:
            return
        if deed(main) and living(main):
            told = main.statement()
            if told and told.count(" ") > 1:
                yield f"What {main.c.help} {main.who} do {said}?", told
                if word in ("when", "after", "as soon as") and len(told) % 2:
                    one = main.predicate()
                    yield f"What happened {half_named(sub, main, word)}?", f"{main.who} {one}"
            yield from objects_then(main, said)
        elif main.c.base == "be" and main.c.pieces and main.c.pieces[0][1].split(" ")[-1] in FEELINGS and len(main.c.pieces) == 1 and living(main) and word in ("when", "after"):
            yield f"How did {main.who} feel {said}?", main.c.pieces[0][1]
        elif main.c.base == "doing":
            rest = main.rest(most=10)
            if rest and living(main) and not main.c.negative:
                yield f"What {main.c.help} {main.who} doing {said}?", f"{main.c.lemma} {rest}"
        rest = main.rest()
        if rest and not main.c.open and main.c.base != "be" and main.c.adverb not in NOT_ALL and word != "as":
            yield main.inverted("When", rest), said
    elif word in ("until", "till") and sub.c.whole and not sub.c.open:
        rest, said = main.rest(), half(sub, main, "until")
        if rest is not None and said and main.c.whole and main.c.base != "be" and not main.c.negative:
            yield main.inverted("How long" if main.c.base in ("wait", "stay", "walk", "run", "sleep", "live", "play", "work", "dance", "ride", "travel") else "Until when", rest), said


def half_named(sub, main, link):
    """The half with its name, as nobody else is named beside it."""
    if sub.who != main.who:
        return half(sub, main, link)
    return " ".join(filter(None, (link, sub.who, sub.c.adverb, sub.c.finite, sub.rest(most=12))))


def objects_then(main, said):
    """The noun phrase behind the verb, asked with when."""
    p, c = main.c.pieces, main.c
    if len(p) == 1 and p[0][0] == "np" and p[0][2].lower() not in OBJECTS:
        text = main.clean(p[0][1])
        if text and c.base not in ("make", "let", "take", "become"):
            yield main.inverted("Who" if being(p[0][2]) or p[0][1][0].isupper() and "'s" not in p[0][1] else "What", said), text
    elif len(p) == 1 and p[0][0] == "pp" and p[0][2] in ("to", "into") and c.base in ("go", "run", "walk", "hurry", "rush", "come"):
        text = main.clean(p[0][1])
        if text and not being(p[0][4]):
            yield main.inverted("Where", said), text


def next_deed(a, b):
    """What somebody did after the first of two deeds in one sentence."""
    if deed(a) and deed(b) and living(a) and a.who == b.who and b.c.link in ("and", "then"):
        first, told = a.rest(most=8), b.statement()
        # the deed before as a gerund would need its forms: it is told as a half with after
        if first and told and told.count(" ") > 1 and a.c.help == "did":
            pronoun = a.sex.lower() if a.sex else "they" if a.many else None
            if pronoun and a.c.base in DONE.values():
                yield f"What did {a.who} do after {pronoun} {a.c.finite} {first}?", told
