# SPDX-License-Identifier: MIT
"""The many ways in which somebody puts one question, and an answer that goes with it."""
from . import wishes

BEFORE = """In the story, |So, |And |OK, |Hey, |By the way, |One question: |Quick question: |I forgot: |Next question: |Now, |Well, |
Please tell me: |Question: |According to the story, |In this story, |In the tale, |Again: |Just to check: |I wonder, |Wait, |Hmm, |
Listen: |Another question: |A last question: |Remind me, |Say, |Tell me, |But |Let's see: |Answer this: """.replace("\n", "").split("|")
AFTER = " in the story| again| in the tale| then| exactly| please| do you know| in this story".split("|")
INNER = """Can you tell me {q}?|Could you tell me {q}?|Do you know {q}?|Do you remember {q}?|Tell me {q}.|I want to know {q}.|
I would like to know {q}.|Please tell me {q}.|I forgot {q}.|I wonder {q}.|Explain {q}.|Say {q}.|Does the story say {q}?|
Can you say {q}?|Please say {q}.|Would you tell me {q}?|I did not catch {q}.|Remind me {q}.|Find out {q}.|Let me know {q}.|
I'd like to hear {q}.|What does the story say about {q}?|I can't remember {q}.|
Any idea {q}?|Could you remind me {q}?|It is not clear to me {q}.|Write down {q}.""".replace("\n", "").split("|")


def lower_first(text):
    """Without its capital, unless the first word may be a name."""
    first = text.split()[0].rstrip("?,").removesuffix("'s")
    ordinary = {"Who", "What", "Where", "When", "Why", "How", "Did", "Does", "Do", "Which", "Was", "Were", "Is", "Are", "In", "To",
                "From", "At", "On", "Whom", "For", "Whose", "The", "Name", "Had", "Has", "By", "Give"}
    return text[0].lower() + text[1:] if first in ordinary else text


def put(r, question):
    """One way to put it: mostly plain, often wrapped."""
    x, direct, inner = r.random(), question.direct, question.inner
    if inner and x < 0.2:
        text = r.choice(INNER).format(q=inner)
        if "about wh" in text and r.random() < 0.7:
            text = f"Tell me {inner}."
    elif x < 0.36:
        text = r.choice(BEFORE) + lower_first(direct)
    elif x < 0.42 and direct.endswith("?"):
        tag = r.choice(AFTER)
        text = direct[:-1] + ("," if tag in (" please", " do you know", " then") else "") + tag + "?"
    else:
        text = r.choice(wishes.QUESTION).format(q=direct) if x > 0.85 and direct.endswith("?") else direct
    y = r.random()
    if y < 0.06:
        text = text.lower()
    elif y < 0.1:
        text = text.rstrip("?.")
    elif y < 0.13:
        text = text.lower().rstrip("?.")
    elif y < 0.15:
        text = text.rstrip("?.") + "??"
    return text


def several(r, questions, count):
    """Some of them, none with the same answer as one before."""
    chosen, seen = [], set()
    pool = list(questions)
    r.shuffle(pool)
    for question in pool:
        if len(chosen) == count:
            break
        key = question.answer.lower()
        if key in seen and r.random() < 0.8:
            continue
        seen.add(key)
        chosen.append(question)
    return chosen
