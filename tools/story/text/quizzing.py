# SPDX-License-Identifier: MIT
"""What could be asked about a text: the question that a sentence or a few words answer, or some questions, with their answers or without. Whoever can say what people ask about a sentence
knows it again by what they ask."""
from .chat import answer, user
from .pointing import said
from .tool_talk import COUNT_WORDS

ANSWERED = """What question does this sentence answer? {x}|Which question is answered by this? {x}|What could somebody ask who is to hear this? {x}|Ask me something that this answers: {x}|{x} Make a question of that.
Turn this into a question: {x}|A question about this sentence, please: {x}|What would you ask to find this out? {x}|Think of a question for it: {x}|{x} What was asked?
The answer is: {x} What was the question?|To which question is this the answer? {x}|Find the question to this answer: {x}|Answer: {x} Question?""".replace("\n", "|").split("|")
ONE = """Ask me something about it.|Ask me a question about the story.|Now you ask me something.|Quiz me.|A question about the text, please.|What could I ask about it?|Give me a question to think about.|Test whether I have read it.""".split("|")
SOME = """Ask {n} questions about it.|Write {n} questions about the story.|Think of {n} questions on the text.|I need {n} questions for a quiz on this.|Give me {n} questions that the story answers.|Make a quiz of {n} questions.""".split("|")
WITH_ANSWERS = """Write {n} questions about it, each with its answer.|A quiz with {n} questions and their answers, please.|{n} questions with answers on this text.|Make {n} cards for learning: a question and its answer.""".split("|")
MANY = (2, 3, 4)


def to_answer(r, pair):
    """A sentence, or an answer, and the question to it."""
    return [user(r.choice(ANSWERED).format(x=pair["line"] if r.random() < 0.7 else said(pair["says"], ""))), answer(pair["ask"])]


def quiz(r, pairs):
    """One question, or some, line by line."""
    if len(pairs) < 2 or r.random() < 0.4:
        return [user(r.choice(ONE)), answer(r.choice(pairs)["ask"])]
    some = r.sample(pairs, min(len(pairs), r.choice(MANY)))
    count = r.choice((COUNT_WORDS[len(some)], str(len(some))))
    if r.random() < 0.5:
        return [user(r.choice(SOME).format(n=count)), answer("\n".join(pair["ask"] for pair in some))]
    form = r.choice(WITH_ANSWERS).format(n=count)
    return [user(form[0].upper() + form[1:]), answer("\n".join(f"{pair['ask']} {said(pair['says'], '')}" for pair in some))]
