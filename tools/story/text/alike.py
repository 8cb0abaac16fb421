# SPDX-License-Identifier: MIT
"""Sentences among others, asked for in the words in which somebody else has said the same: to find by what is meant, where few words or none are shared."""
import re

from . import evidence, finding
from .chat import answer, user
from .lexicon import BASE, BASES, FINITE, THIRD
from .natural import pasted, window
from .pointing import put, said

FORMS = """Which sentence says that {q}?|Where does it say that {q}?|Which sentence means the same as "{s}"?|Find the sentence that says this in other words: {s}|Is it said somewhere that {q}?|{s} Where is that?|Show me where it says: {s}|\
What does it say, in its own words, about this: {s}|Which line is about this? {s}|Does it say that {q}?|Where is it told that {q}?|I remember something like "{s}" Which sentence was it?""".split("|")
# Of what is only a part of what stands there.
FOLLOWS = """Which sentence says that {q}?|Where does it say that {q}?|Which sentence shows that {q}?|How do we know that {q}?|Is it said somewhere that {q}?|{s} Where is that?|Show me where it says: {s}|From which sentence does it follow that {q}?|\
Which line is about this? {s}|Does it say that {q}?|Where is it told that {q}?|{s} What makes you think so?|Is it true that {q}? Show me the sentence.|I remember something like "{s}" Which sentence was it?|Which sentence tells us that {q}?""".split("|")
SEVERAL = {"lot", "couple", "number", "bunch", "few"}       # behind "a"
LINES = (3, 4, 6, 8, 11)     # that are no answer
INSIDE = 0.4                 # of the documents: among the sentences of a natural text


def clause(line, small):
    """What stands behind "that": without its capital, unless it is a name or I; of what is only named, that it is there."""
    first, _, rest = line.rstrip(".").partition(" ")
    ordinary = first.lower() in small and not re.match(r"I\b", first)
    clause = f"{first.lower() if ordinary else first} {rest}"
    words = re.findall(r"[a-z']+", clause.lower())
    many = words[0] not in ("a", "an", "one") or words[1] in SEVERAL
    if words[0] == "the" or any(word in FINITE or word in THIRD or word in BASE or "'" in word or (many or "and" in words) and word in BASES for word in words):
        return clause
    return f"there {'are' if many else 'is'} {clause}"


def asked_for(r, line, other, forms, small):
    """A question in another one's words, and the line; what else it answers only where the line has that, too."""
    if (found := finding.questions(other)) and r.random() < 0.6:
        ask, short, _ = r.choice(found)
        return [user(put(r, ask)), answer(evidence.shown(line, said(short, "")) if evidence.stems(short) <= evidence.stems(line) else evidence.told(line))]
    return [user(r.choice(forms).format(q=clause(other, small), s=other)), answer(evidence.told(line))]


def past(line):
    return line.replace(" is ", " was ").replace(" are ", " were ")


def alike(r, library):
    """One sentence or two of others, alone or inside a natural text, and whoever asks for them has other words."""
    given = library.alike
    targets = [given.target(r) for _ in range(r.choice((1, 1, 1, 2)))]
    before = r.random() < 0.5
    there = lambda group, line: past(given.groups[group][line]) if before and not given.told[group] else given.groups[group][line]
    wanted = [there(group, line) for group, line, _ in targets]
    around = window(r, library.stories.one(r)["text"], r.choice((450, 850, 1100))) if r.random() < INSIDE else ""
    lines = wanted + [there(*other) for other in given.beside(r, targets, 2 if around else r.choice(LINES))]
    r.shuffle(lines)
    places = finding.ends(around)
    if len(places) < len(lines):
        text = r.choice((" ", " ", " ", "\n", "\n\n")).join(lines)
    else:
        text = around
        for at, line in zip(sorted(r.sample(places, len(lines)), reverse=True), lines):
            text = f"{text[:at]} {line} {text[at:].lstrip()}"
    talk = []
    for (group, _, asked), line in zip(targets, wanted):
        talk += asked_for(r, line, given.groups[group][asked], FOLLOWS if given.follows[group] else FORMS, given.small)
    return pasted(r, text, talk, told=True, read=False)
