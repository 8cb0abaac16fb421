# SPDX-License-Identifier: MIT
"""Sentences among others, asked for in the words in which somebody else has said the same: to find by what is meant, where few words or none are shared."""
from . import evidence, finding
from .chat import answer, user
from .natural import pasted, window
from .pointing import put, said

FORMS = """Which sentence says that {q}?|Where does it say that {q}?|Which sentence means the same as "{s}"?|Find the sentence that says this in other words: {s}|Is it said somewhere that {q}?|{s} Where is that?|Show me where it says: {s}|\
What does it say, in its own words, about this: {s}|Which line is about this? {s}|Does it say that {q}?|Where is it told that {q}?|I remember something like "{s}" Which sentence was it?""".split("|")
LINES = (3, 4, 6, 8, 11)


def asked_for(r, line, other):
    """A question in another one's words, and the line; what else it answers only where the line has that, too."""
    if (found := finding.questions(other)) and r.random() < 0.6:
        ask, short, _ = r.choice(found)
        return [user(put(r, ask)), answer(evidence.shown(line, said(short, "")) if evidence.stems(short) <= evidence.stems(line) else evidence.told(line))]
    return [user(r.choice(FORMS).format(q=other[0].lower() + other[1:].rstrip("."), s=other)), answer(evidence.told(line))]


def past(line):
    return line.replace(" is ", " was ").replace(" are ", " were ")


def alike(r, library):
    given = library.alike
    targets = [given.target(r) for _ in range(r.choice((1, 1, 1, 2)))]
    tense = past if r.random() < 0.5 else str
    wanted = [tense(given.groups[group][line]) for group, line, _ in targets]
    inside = r.random() < 0.4
    lines = wanted + [tense(line) for line in given.beside(r, targets, 2 if inside else r.choice(LINES))]
    r.shuffle(lines)
    if inside:
        text = window(r, library.stories.one(r)["text"], r.choice((450, 850, 1100)))
        places = finding.ends(text)
        for at, line in zip(sorted(r.sample(places, min(len(places), len(lines))), reverse=True), lines):
            text = f"{text[:at].rstrip()} {line} {text[at:].lstrip()}".rstrip()
        targets, wanted = [target for target, line in zip(targets, wanted) if line in text], [line for line in wanted if line in text]
    else:
        text = r.choice((" ", " ", " ", "\n", "\n\n")).join(lines)
    talk = []
    for (group, _, asked), line in zip(targets, wanted):
        talk += asked_for(r, line, given.groups[group][asked])
    return pasted(r, text, talk, told=True, read=False) if talk else alike(r, library)
