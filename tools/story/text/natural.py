# SPDX-License-Identifier: MIT
"""Conversations about natural texts: stories to go on from, and questions of people."""
from . import finding, people, wholes
from .chat import answer, plain, segments, user
from .library import WINDOW
from .phrases import ANY, BEFORE, GO_ON, READ
from .pointing import questions_on
from .tales.telling import story
from .talk import system

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


def gone_on(r, text):
    """A beginning, and how the book goes on."""
    at = finding.ends(text)
    if len(at) < 4:
        return plain(text)
    if r.random() < 0.5:
        cut = r.choice(at[:2])
        form = r.choice([g for g in GO_ON if "..." not in g and "…" not in g and '"{b}"' not in g])
    else:
        cut = r.choice(at[1: len(at) // 2 + 1])
        form = r.choice(PART)
    return segments(system(r) + [user(form.format(b=text[:cut].strip())), answer(text[cut:].strip())])


def with_other_names(r, text):
    """A text of few names, as it is or, mostly, with other ones: who is meant has to be read, and cannot be known by heart."""
    return text if r.random() < 0.3 else wholes.renamed(wholes.other_names(r, text), text)


# Short stories that are whole are few: 6900, 2.3 M tokens. A model of 51 M parameters that has read each forty times in 1 G tokens, or fourteen
# times, has them by heart (perplexity 1.5 and 1.9, 149 and 26 on others of their kind) and answers from there. So they are never learnt as texts: they are
# there to be asked about, in this share of the texts with questions found in them.
WHOLE = 0.06

# The others are learnt as texts in this share, too. What English is like takes seven times the loss of the answers about it, whose direction it hides; it is
# learnt from the texts that nobody is asked about.
LEARNT = 0.25
WINDOWS = (200, 450, 650, 850, 1100, 1500, 2200)     # letters of a text that is asked about, at most


def natural(r, library):
    """A text alone, or a beginning to go on from."""
    text = window(r, library.stories.one(r)["text"])
    return plain(text) if r.random() < 0.9 else gone_on(r, text)


# Up to these shares a text is told by the assistant, or read before it is known what will be asked; else the first question stands in its message. Who asks
# has mostly one, and of those a model answered fewer (of 64 on texts it had not seen 39, of the others 39 of 56) while they were one in eight of all.
TOLD, READ_FIRST = 0.15, 0.3
ASKED = (1, 1, 1, 1, 2, 3, 5)

ARTICLE = "Here is a text.|Read this:|Read this text.|Text:|A text:|Read the text and answer the question.|Please read this article.|This is from an article:|Look at this text.|I found this:|Read the following passage.".split("|")


def pasted(r, text, talk, tale=True, told=False, read=True):
    """The text, then or before it the first question, then the others. `told`: it may have been the assistant who told it; `read`: it is learnt as English, too, whoever says it."""
    x, first = r.random() if told else r.uniform(TOLD, 1), talk[0]["content"]
    before = r.choice(BEFORE if tale else ARTICLE)
    if x < TOLD:
        messages = [user(r.choice(ANY)), answer(text)] + talk
    elif x < READ_FIRST:
        messages = [user(f"{before}\n\n{text}"), answer(r.choice(READ if tale else ("I have read it. What would you like to know?", "Yes, I have read the text. What is your question?", "All right. Ask me something about it.")))] + talk
    elif x < 0.38:
        messages = [user(f"{text} {first}")] + talk[1:]
    elif x < 0.6:
        messages = [user(f"{before}\n\n{text}\n\n{first}")] + talk[1:]
    elif x < 0.8:
        messages = [user(f"{text}\n\n{first}")] + talk[1:]
    elif x < 0.9:
        messages = [user(f"{first}\n\n{text}")] + talk[1:]
    else:
        messages = [user(f"{r.choice(('Story' if tale else 'Article', 'Text', 'Passage'))}: {text}\n\nQuestion: {first}")] + talk[1:]
    def kind(piece, learnt):
        if text not in piece or learnt == "again":
            return learnt
        return (learnt or "read") if read else False
    return [(piece, kind(piece, learnt)) for piece, learnt in segments(system(r) + messages)]


def copied(r, library):
    """The words of a text in no order, and again: nothing helps to say them but having read them."""
    words = window(r, library.stories.one(r)["text"]).split()
    r.shuffle(words)
    words = " ".join(words[:r.choice((20, 40, 80, 120, 180))])
    return [(words, False), (f"\n\n{words}", "again"), ("<|endoftext|>", False)]


def as_json(r, text):
    """Some of the questions that the text's sentences answer, to be answered as JSON."""
    pairs = [{"ask": ask, "says": said} for ask, said, _ in finding.questions(text) if len(said) < 40]
    return people.as_json(r, text, r.sample(pairs, min(len(pairs), r.choice((1, 2, 2, 3)))))


def found(r, library):
    """Questions whose answers are found in a text by its grammar: mostly natural ones, else tales."""
    for _ in range(20):
        x = r.random()
        record = story(r) if x < 0.3 else (library.whole if x < 0.3 + WHOLE else library.stories).one(r)
        text = with_other_names(r, window(r, record["text"], r.choice(WINDOWS)))
        talk = questions_on(r, text, r.choice(ASKED))
        if x > 0.3 and r.random() < 0.2 and (made := people.names_in(r, text)):
            at = 2 * r.randrange(len(talk) // 2 + 1)
            talk[at:at] = [user(made[0]), answer(made[1])]
        if r.random() < 0.25 and (made := as_json(r, text)):
            at = 2 * r.randrange(len(talk) // 2 + 1)
            talk[at:at] = [user(made[0]), answer(made[1])]
        if talk:
            return pasted(r, text, talk, told=x < 0.3, read=not 0.3 <= x < 0.3 + WHOLE and r.random() < LEARNT)
    return plain(text)


def human(r, library):
    """Questions that people wrote for a text."""
    record = library.asked.one(r)
    sections, pairs = record["sections"], record["asked"]
    first = r.choice(r.choice(pairs)["where"])
    begin = max(0, first - r.choice((0, 0, 0, 0, 1)))
    end, size = begin, 0
    while end < len(sections) and (end <= first or r.random() < 0.35) and size + len(sections[end]) < WINDOW * 0.8:
        size += len(sections[end])
        end += 1
    text = "\n\n".join(sections[begin:end]) or sections[first][:3000]
    inside = [p for p in pairs if all(begin <= w < max(end, begin + 1) for w in p["where"])]
    chosen = r.sample(inside, min(len(inside), r.choice((1, 1, 1, 2, 3, 4, 5)))) if inside else []
    if record["source"] in people.CHANGED and r.random() < 0.8:
        names = wholes.other_names(r, text + " " + " ".join(p["ask"] + " " + p["says"] for p in chosen))
        text = wholes.renamed(names, text)
        chosen = [{**p, "ask": wholes.renamed(names, p["ask"]), "says": wholes.renamed(names, p["says"])} for p in chosen]
    talk = people.talk_on(r, text, chosen, library.others, record["source"] in people.CHANGED)
    tale = record["source"] in people.CHANGED
    return pasted(r, text, talk, tale, told=tale, read=False) if talk else plain(text)
