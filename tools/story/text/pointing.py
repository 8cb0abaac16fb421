# SPDX-License-Identifier: MIT
"""Talk about a text: questions that finding.py found in it, gaps, what follows, and where something stands."""
import re

from . import evidence, finding, kinds, rewording, wishes
from .asking import lower_first
from .chat import answer, user
from .lexicon import BASE, BE, HELP
from .things import article

WORD = ("Answer in a word.", "Answer in one or two words.", "Answer briefly.", "Just a few words, please.", "Only the answer.", "Briefly, please.", "Keep it short.")
SENTENCE = ("Answer in a sentence.", "Answer in a whole sentence.", "Answer with the sentence of the story.", "In a full sentence, please.")
GAP = ("Fill in the missing word: {s}", "Which word is missing? {s}", "What is the missing word in this sentence? {s}", "Complete the sentence from the story: {s}")
NEXT = ("What comes after this sentence? {s}", 'What is said right after "{s}"', "Which sentence follows? {s}", "What happens right after this? {s}")

ABOUT = ("What does the story say about {w}?", "What does it say about {w}?", "Where does it say something about {w}?", "Which sentence is about {w}?", "Find the place with {w}.", "What was it about {w}?",
         "Tell me about {w}.", "What is said of {w}?", "Something with {w}: what was it?", "Was there anything about {w}?")

OF_A_KIND = ("Which sentence is about {a}?", "Where does it say something about {a}?", "Which sentence has {a} in it?", "Is there {a} in it? Where?", "Find the place with {a}.", "Which sentence tells of some kind of {s}?", "Where is some kind of {s} named?")
NAMED = ("Which {k} is named?", "What kind of {s} is in it?", "Which {k} does it tell of?", "There is {a} in it: which one?", "Name the {k} that is in it.")

# Ways of asking that begin with more than a word.
KIND = re.compile(r"What kind of|What colour|What happened|What made|What game|How many|How often|How long|How old|How (?:did|does)(?=.+ (?:feel|look)\?)|How (?:was|is|were)|With whom|To whom|Which animal")
AUXILIARY = HELP | BE
WANTED = re.compile(r" (say|ask|answer|reply|do)(?= |\?)")
UNNAMED = re.compile(r"\b(?:did|was|does|had|could|is) (?:he|she)\b")
BEGINS = ('Which sentence begins with "{b}"?', 'How does the sentence go that begins "{b} ..."?', 'What comes after "{b}"?', "Finish this sentence of the story: {b} ...", "{b} ...? Say the whole sentence, please.")


def said(text, style):
    """As people answer: a phrase that begins with a capital, mostly with a full stop."""
    text = text[0].upper() + text[1:]
    return text if style == "bare" or text[-1] in '.!?"' else text + "."


def kind(ask):
    """The way of asking that a question belongs to."""
    if found := KIND.match(ask):
        return found.group()
    words = ask.split(" ")
    if words[0] == "Who":
        return "Who said" if '"' in ask else "Who did" if words[1] in ("did", "does") else "Who was" if words[1] in BE else "Who"
    if words[0].lower() in AUXILIARY:
        return "choice"
    if words[0] == "What":
        if words[1] in AUXILIARY and (found := WANTED.search(ask)):
            return found.group(1) if found.group(1) in ("say", "ask", "answer", "reply") else "What to do" if ask.endswith("to do?") else "What do"
        return "What did" if words[1] in HELP else "What was" if words[1] in BE else "What"
    return words[0]


# What is easily found comes last among those of its turn: else nearly every text would be asked who, and little else.
MOST = {"Who said": 2, "say": 2, "How many": 1, "What colour": 2}
LATE = {"Who": 1.2, "Who said": 0.8, "What": 0.4, "Who was": 1.2, "say": 0.8, "What colour": 0.3, "What was": 0.3}


def evenly(r, found):
    """Mixed so that each way of asking comes as often as the others while there are any of it: the next one is the last."""
    ways = {}
    r.shuffle(found)
    for each in found:
        ways.setdefault(kind(each[0]), []).append(each)
    for way, most in MOST.items():
        del ways.get(way, [])[most:]
    # he and she without a name are asked only where there is little else
    order = [(i + r.random() + LATE.get(way, 0) + 2 * bool(UNNAMED.search(each[0])), n, each) for n, (way, those) in enumerate(ways.items()) for i, each in enumerate(those)]
    return [each for *_, each in sorted(order, key=lambda o: -o[0])]


def worded(r, text, ask, known):
    """A question as somebody asks it who does not read it off the text."""
    ask = rewording.reworded(r, ask, 0.75)
    if known and r.random() < 0.35:
        ask = rewording.by_kind(ask, known)
    return rewording.in_present(ask) if r.random() < 0.12 else ask


def questions_on(r, text, count):
    """Questions that the text's own sentences show, and gaps in it."""
    pool, out = evenly(r, finding.questions(text)), []
    known = rewording.kinds(text)
    for _ in range(count):
        x = r.random()
        task = next((task for until, task in TASKS if x < until), None)
        if task:
            if made := task(r, text):
                out += [user(made[0]), answer(made[1])]
        elif pool:
            ask, short, sentence = pool.pop()
            sentence = sentence or evidence.sentence(text, ask, short)
            ask = worded(r, text, ask, known)
            y = r.random()
            if y < 0.2 and sentence:
                out += [user(styled(r, ask, SENTENCE, wishes.QUESTION_SENTENCE)), answer(sentence)]
            elif y < 0.4:
                out += [user(styled(r, ask, WORD, wishes.QUESTION_BRIEF)), answer(said(short, ""))]
            else:
                given = said(short, "")
                out += [user(put(r, ask)), answer(evidence.shown(sentence, given))]
    return out


def other_form(r, word):
    """A word as a question may have it: lit and light, jumps and jumped."""
    forms = {word, BASE.get(word, word), re.sub(r"(?<=[a-z]{4})(?:ed|s)$", "", word)}
    return r.choice(sorted(forms))


def missing(r, text):
    """(a sentence with a gap, the word), as all tasks here: what is asked and answered, or None."""
    found = finding.missing_word(r, text)
    return found and (r.choice(GAP).format(s=found[0]), said(found[1], ""))


def next_one(r, text):
    """(a sentence, the one behind it)."""
    found = finding.following(r, text)
    return found and (r.choice(NEXT).format(s=found[0]), found[1])


def looked_up(r, text):
    """(some words in an order of their own, the only sentence of the text that has them all): to find by words is learnt from any text."""
    lines = [(line, evidence.stems(line)) for line in evidence.sentences(text)]
    if len(lines) < 3:
        return None
    line, _ = r.choice(lines)
    words = [w for w in dict.fromkeys(re.findall(r"[a-z]{3,}", line.lower())) if evidence.stems(w)]
    if len(words) < 2:
        return None
    for _ in range(4):
        chosen = r.sample(words, min(len(words), r.choice((1, 2, 2, 3, 3, 4))))
        if r.random() < 0.4 and (other := by_meaning(r, chosen, lines, line)):
            return put(r, r.choice(ABOUT).format(w=" and ".join(other))), evidence.told(line)
        wanted = set().union(*(evidence.stems(w) for w in chosen))
        if sum(wanted <= other for _, other in lines) == 1:
            shown = [w.capitalize() if w.capitalize() in line and w not in line else other_form(r, w) for w in chosen]
            shown = shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + r.choice((" and ", ", ")) + shown[-1]
            return put(r, r.choice(ABOUT).format(w=shown)), evidence.told(line)
    return None


def by_meaning(r, chosen, lines, line):
    """The words with another one for one of them, where neither is in any other sentence; or None."""
    for word in chosen:
        others = rewording.alike(word)
        if others:
            new = r.choice(others)
            either = evidence.stems(word) | evidence.stems(new)
            if evidence.stems(new) and sum(bool(either & stems) for _, stems in lines) == 1:
                beside = [w.capitalize() if w.capitalize() in line and w not in line else w for w in chosen if w != word][:1]
                return [new, *beside] if r.random() < 0.6 else [new]
    return None


def of_a_kind(r, text):
    """(what a thing is a kind of, the only sentence that has such a thing), at times with the thing; where there is none, words that are looked up."""
    found = kinds.only_one(r, text)
    if not found:
        return looked_up(r, text)
    word, kind, line = found
    named = {"k": kind, "s": kind.removeprefix("piece of "), "a": f"some kind of {kind}" if kind in kinds.MASS else article(kind)}
    if r.random() < 0.4:
        return put(r, r.choice(NAMED).format(**named)), evidence.shown(line, said(word, ""))
    return put(r, r.choice(OF_A_KIND).format(**named)), evidence.told(line)


def begun(r, text):
    """(how a sentence begins, the sentence), of those that begin alone so."""
    lines = list(evidence.sentences(text))
    line = r.choice(lines) if lines else ""
    begin = " ".join(line.split(" ")[:r.choice((2, 3, 4))])
    return (r.choice(BEGINS).format(b=begin), line) if line.count(" ") > 5 and text.count(begin) == 1 else None


# What is asked of a text beside the questions found in it, each up to its share of all.
TASKS = ((0.1, missing), (0.16, next_one), (0.34, looked_up), (0.4, of_a_kind), (0.46, begun))


def put(r, ask):
    """A question as people type it."""
    x = r.random()
    if x < 0.06:
        return ask.lower()
    if x < 0.12:
        return ask.rstrip("?")
    if x < 0.2:
        return r.choice(("In the story, ", "And ", "So, ", "Well, ", "Now, ")) + lower_first(ask)
    return r.choice(wishes.QUESTION).format(q=ask) if x < 0.35 and ask.endswith("?") else ask


def styled(r, ask, behind, around):
    """A question, and in what words it is to be answered."""
    return f"{ask} {r.choice(behind)}" if r.random() < 0.6 else r.choice(around).format(q=ask)
