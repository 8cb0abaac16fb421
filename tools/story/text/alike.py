# SPDX-License-Identifier: MIT
"""Sentences among others, asked for in the words in which somebody else has said the same: to find by what is meant, where few words or none are shared."""
from . import evidence, finding
from .chat import answer, user
from .natural import pasted, window
from .pointing import put, said

FORMS = """Which sentence says that {q}?|Where does it say that {q}?|Which sentence means the same as "{s}"?|Find the sentence that says this in other words: {s}|Is it said somewhere that {q}?|{s} Where is that?|Show me where it says: {s}|\
What does it say, in its own words, about this: {s}|Which line is about this? {s}|Does it say that {q}?|Where is it told that {q}?|I remember something like "{s}" Which sentence was it?""".split("|")
LINES = (3, 4, 6, 8, 11)     # that are no answer
INSIDE = 0.4                 # of the documents: among the sentences of a natural text


def asked_for(r, line, other):
    """A question in another one's words, and the line; what else it answers only where the line has that, too."""
    if (found := finding.questions(other)) and r.random() < 0.6:
        ask, short, _ = r.choice(found)
        return [user(put(r, ask)), answer(evidence.shown(line, said(short, "")) if evidence.stems(short) <= evidence.stems(line) else evidence.told(line))]
    return [user(r.choice(FORMS).format(q=other[0].lower() + other[1:].rstrip("."), s=other)), answer(evidence.told(line))]


def past(line):
    return line.replace(" is ", " was ").replace(" are ", " were ")


def alike(r, library):
    """One sentence or two of others, alone or inside a natural text, and whoever asks for them has other words."""
    given = library.alike
    targets = [given.target(r) for _ in range(r.choice((1, 1, 1, 2)))]
    tense = past if r.random() < 0.5 else str
    wanted = [tense(given.groups[group][line]) for group, line, _ in targets]
    around = window(r, library.stories.one(r)["text"], r.choice((450, 850, 1100))) if r.random() < INSIDE else ""
    lines = wanted + [tense(line) for line in given.beside(r, targets, 2 if around else r.choice(LINES))]
    r.shuffle(lines)
    places = finding.ends(around)
    if len(places) < len(lines):
        text = r.choice((" ", " ", " ", "\n", "\n\n")).join(lines)
    else:
        text = around
        for at, line in zip(sorted(r.sample(places, len(lines)), reverse=True), lines):
            text = f"{text[:at]} {line} {text[at:].lstrip()}"
    talk = [message for (group, _, asked), line in zip(targets, wanted) for message in asked_for(r, line, given.groups[group][asked])]
    return pasted(r, text, talk, told=True, read=False)
