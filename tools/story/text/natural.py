# SPDX-License-Identifier: MIT
"""Conversations about natural texts: stories told, stories to go on from, and questions of people."""
import re

from .chat import answer, plain, segments, user
from .pointing import WORD, put, questions_on, said
from .library import WINDOW
from .tales.telling import story
from .talk import ANY, BEFORE, GO_ON, NOT_TOLD, READ, system

TITLED = """Tell me the story of {t}.|Tell me the story "{t}".|Do you know the story "{t}"?|Write a story called "{t}".|A story with the title "{t}", please.|Tell me "{t}".|{t}|I'd like to hear {t}.""".split("|")
PART = """Go on with this story:\n\n{b}|{b}|Continue:\n\n{b}|What happens next?\n\n{b}|This is the beginning. Write on.\n\n{b}|{b}\n\nGo on.""".split("|")


def window(r, text, most=WINDOW):
    """Paragraphs of a text that follow each other and are short enough; of short texts all."""
    if len(text) <= most:
        return text
    lines = text.split("\n\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 2)
    last = max(i for i in range(len(lines)) if starts[-1] - starts[i] >= min(most * 0.6, starts[-1])) if starts[-1] else 0
    first = r.randrange(last + 1)
    end = first + 1
    while end < len(lines) and starts[end + 1] - starts[first] <= most:
        end += 1
    return "\n\n".join(lines[first:end])[:most + 400]


def asked_for(r, record):
    """A story that is whole, told when it is asked for by its title: of a story that is only about something there are the tales."""
    text, title = record["text"], record.get("title", "")
    if not 2 < len(title) < 48:
        return plain(text)
    talk = [user(r.choice(TITLED).format(t=title)), answer(text)]
    if len(text) < 2200 and r.random() < 0.4:
        talk += questions_on(r, text, r.choice((1, 2, 3)))
    return segments(system(r) + talk)


def gone_on(r, text):
    """A beginning, and how the book goes on."""
    at = [m.end() for m in re.finditer(r'[.!?]"?(?=\s)', text)]
    if len(at) < 4:
        return plain(text)
    if r.random() < 0.5:
        cut = r.choice(at[:2])
        form = r.choice([g for g in GO_ON if "..." not in g and "…" not in g and '"{b}"' not in g])
    else:
        cut = r.choice(at[1: len(at) // 2 + 1])
        form = r.choice(PART)
    return segments(system(r) + [user(form.format(b=text[:cut].strip())), answer(text[cut:].strip())])


def natural(r, library):
    """A text alone, or one that is asked for."""
    x = r.random()
    if x < 0.2:
        return asked_for(r, library.whole.one(r))
    text = window(r, library.stories.one(r)["text"])
    return plain(text) if x < 0.9 else gone_on(r, text)


def pasted(r, text, talk):
    """The text, then or before it the first question, then the others."""
    x, first = r.random(), talk[0]["content"]
    if x < 0.22:                                        # it was the assistant who told it
        return segments(system(r) + [user(r.choice(ANY)), answer(text)] + talk)
    if x < 0.4:
        messages = [user(f"{r.choice(BEFORE)}\n\n{text}"), answer(r.choice(READ))] + talk
    elif x < 0.58:
        messages = [user(f"{r.choice(BEFORE)}\n\n{text}\n\n{first}")] + talk[1:]
    elif x < 0.8:
        messages = [user(f"{text}\n\n{first}")] + talk[1:]
    elif x < 0.9:
        messages = [user(f"{first}\n\n{text}")] + talk[1:]
    else:
        messages = [user(f"{r.choice(('Story', 'Text', 'Passage'))}: {text}\n\nQuestion: {first}")] + talk[1:]
    # the text is English of another hand: it is learnt as such, too
    return [(piece, "read" if text in piece else learnt) for piece, learnt in segments(system(r) + messages)]


def found(r, library):
    """Questions whose answers are found in a text by its grammar: mostly natural ones, else tales."""
    for _ in range(20):
        x = r.random()
        whole = story(r) if x < 0.3 else (library.whole if x < 0.65 else library.stories).one(r)
        text = window(r, whole["text"], r.choice((500, 800, 1200, 1800, 2600)))
        talk = questions_on(r, text, r.choice((2, 3, 4, 5, 6, 8)))
        if talk:
            return pasted(r, text, talk)
    return plain(text)


def human(r, library):
    """Questions that people wrote for a text."""
    record = library.asked.one(r)
    sections, pairs = record["sections"], record["asked"]
    first = r.choice(r.choice(pairs)["where"])
    begin = max(0, first - r.choice((0, 0, 0, 1, 1, 2)))
    end, size = begin, 0
    while end < len(sections) and (end <= first or r.random() < 0.6) and size + len(sections[end]) < WINDOW * 0.8:
        size += len(sections[end])
        end += 1
    text = "\n\n".join(sections[begin:end]) or sections[first][:3000]
    inside = [p for p in pairs if all(begin <= w < max(end, begin + 1) for w in p["where"])]
    chosen = r.sample(inside, min(len(inside), r.choice((1, 2, 3, 4, 5, 6)))) if inside else []
    talk, brief = [], r.random() < 0.1                  # brief: without a full stop, all through
    for pair in chosen:
        ask, short = pair["ask"], pair["says"]
        if len(short) < 25 and r.random() < 0.15:
            ask = f"{ask} {r.choice(WORD)}"
        talk += [user(put(r, ask)), answer(said(short, "bare" if brief and len(short) < 40 else ""))]
    low = text.lower()
    if r.random() < 0.22 and library.others:            # what is asked of another story has no answer here
        ask, other = r.choice(library.others)
        strange = [w for w in re.findall(r"[a-z]{5,}", ask.lower()) if w not in low]
        if strange and other.lower() not in low:
            at = 2 * r.randrange(len(talk) // 2 + 1)
            talk[at:at] = [user(put(r, ask)), answer(r.choice(NOT_TOLD))]
    if not talk:
        return plain(text)
    return pasted(r, text, talk)
