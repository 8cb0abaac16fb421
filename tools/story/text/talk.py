# SPDX-License-Identifier: MIT
"""Whole conversations: each a list of (text, whether it is learnt), as chat.py makes them."""
import random
import re

from . import asking, evidence, rewriting
from .chat import answer, call, result, segments, user
from .extracting import extraction
from .phrases import BEFORE, NOT_SAID, NOT_TOLD, READ, SYSTEM, TELL
from .plots import plot
from .pointing import WORD
from .scenes import scene
from .tales import telling
from .things import article
from .tool_talk import small_talk, tool_turn, tools_for


def conversation(r):
    """One document. Of these stories none is told to who asks for one: that shall be a tale (`tales`), which reads better."""
    x = r.random()
    if x < 0.64:
        return pasted(r)
    if x < 0.69:
        return segments(system(r) + [m for _ in range(r.choice((1, 1, 2, 3))) for m in small_talk(r)] + (told_tale(r) if r.random() < 0.4 else []))
    return with_tools(r)


def told_tale(r):
    """A tale that is asked for in few words."""
    told = telling.story(r)
    kind, name = told["a_kind"], told["N"]
    x = r.choice((kind, f"{kind} named {name}", f"{kind} called {name}", told["theme"]))
    return [user(r.choice(TELL).format(x=x, X=x[0].upper() + x[1:])), answer(told["text"])]


def system(r):
    return [{"role": "system", "content": r.choice(SYSTEM)}] if r.random() < 0.12 else []


def some_story(r):
    seed = r.getrandbits(48)
    return plot(random.Random(seed)), seed


def follow_ups(r, story, seed, count, told=False):
    """Questions and wishes about a story that both have before them."""
    out, pool = [], asking.several(r, story.questions(), count + 2)
    text = story.text()
    last = None
    for _ in range(count):
        x = r.random()
        if x < 0.76 and pool:
            question = pool.pop()
            ask, said = asking.put(r, question), question.answer
            if r.random() < 0.2:
                ask = f"{ask} {r.choice(WORD)}"
            else:
                said = evidence.answered(text, question.direct, said)
        elif x < 0.8:
            name = story.hero.the() if getattr(story, "hero", None) and story.hero is not story.me else "the narrator"
            form, word = r.choice(NOT_SAID)
            if word in text or any(word in q for a in story.asked for q in a[0]):
                continue
            ask, said = form.format(n=name), r.choice(NOT_TOLD)
        elif x < 0.88:
            ask, said = extraction(r, story)
        elif not getattr(story, "outline", None) or last == "rewrite":
            continue
        else:
            found = rewrite(r, story, seed)
            if found is None:
                continue
            ask, said = found
            last = "rewrite"
            out += [user(ask), answer(said)]
            continue
        last = None
        out += [user(ask), answer(said)]
    return out


def rewrite(r, story, seed):
    x = r.random()
    if x < 0.26:
        return r.choice(rewriting.SHORTER), rewriting.shorter(story)
    if x < 0.48:
        return r.choice(rewriting.ONE_LINE), rewriting.one_line(story)
    if x < 0.7:
        return r.choice(rewriting.ENDING), rewriting.ending(r, story)
    if x < 0.93:
        found = rewriting.voice(r, story, seed)
        return (r.choice(rewriting.VOICE).format(w=found[0]), found[1]) if found and len(found[1].split()) < 180 else None
    found = rewriting.renamed(r, story)
    if found is None or len(found[2].split()) > 160:
        return None
    old, new, text = found
    return r.choice((f"Call {old} {new}.", f"The name should be {new}, not {old}.", f"Tell it again, but with {new} instead of {old}.", f"Change the name {old} to {new}.")), text


SHORT = {"did not": "didn't", "do not": "don't", "does not": "doesn't", "was not": "wasn't", "could not": "couldn't", "would not": "wouldn't", "is not": "isn't", "cannot": "can't",
         "I will": "I'll", "I am": "I'm", "It is": "It's", "it is": "it's", "You are": "You're", "Let us": "Let's", "That is": "That's", "Do not": "Don't", "had not": "hadn't"}
LONG = re.compile(r"\b(" + "|".join(SHORT) + r")(?= [a-z])")


def set_in_type(text):
    return re.sub(r'"([^"]*)"', "\u201c\\1\u201d", text).replace("'", "\u2019")


def contracted(text):
    return LONG.sub(lambda found: SHORT[found.group()], text)


def pasted(r, messages_only=False):
    """A story that the user has, and talk about it."""
    if r.random() < 0.62:
        story, seed = some_story(r)
    else:
        story, seed = scene(r), 0
        story.hero = story.cast[0]
        story.outline = []
    text = story.text()
    if r.random() < 0.1:
        text = text.replace("\n\n", "\n")
    elif r.random() < 0.2:
        text = text.replace("\n\n", " ")
    talk = follow_ups(r, story, seed, r.choice((3, 4, 5, 6, 7, 8)))
    if r.random() < 0.25:                       # as others write: don't, it's; answers too
        text = contracted(text)
        talk = [m if m["content"].startswith("{") else {**m, "content": contracted(m["content"])} for m in talk]
    if r.random() < 0.12:                       # and as they set type
        text = set_in_type(text)
        talk = [m if m["content"].startswith("{") else {**m, "content": set_in_type(m["content"])} for m in talk]
    if not talk:
        talk = [user("Thank you!"), answer("You are welcome.")]
    x = r.random()
    first = talk[0]["content"]
    if x < 0.4:
        head = [user(f"{r.choice(BEFORE)}\n\n{text}"), answer(r.choice(READ))]
        messages = head + talk
    elif x < 0.62:
        messages = [user(f"{r.choice(BEFORE)}\n\n{text}\n\n{first}")] + talk[1:]
    elif x < 0.75:
        messages = [user(f"{text}\n\n{first}")] + talk[1:]
    elif x < 0.88:
        messages = [user(f"{first}\n\n{text}")] + talk[1:]
    elif x < 0.95:
        messages = [user(f"{r.choice(('Story', 'Text', 'Context'))}: {text}\n\nQuestion: {first}")] + talk[1:]
    else:
        messages = [user(text), answer(r.choice(READ))] + talk
    return messages if messages_only else segments(system(r) + messages)


def with_tools(r):
    """Tools are there; they are called where they are needed and left alone where not."""
    toys = tools_for(r)
    messages = []
    for _ in range(r.choice((1, 2, 2, 3, 4))):
        x = r.random()
        if x < 0.56:
            messages += tool_turn(r, toys)
        elif x < 0.8:
            messages += small_talk(r, toys)
        elif x < 0.9:
            messages += told_tale(r)
        elif x < 0.95 and not messages:
            messages += pasted(r, True)[:9]
        elif namers := [t for t in toys if t.name == "pick_name"]:
            messages += named_story(r, namers[0])
    if not messages:
        messages = tool_turn(r, toys)
    return segments(system(r) + messages, [t.schema for t in toys])


def named_story(r, toy):
    """The name is picked first, then the story is told with it."""
    told = telling.story(r)
    name, kind = told["N"], told["K"]
    ask = r.choice((f"Pick a name for {article(kind)} and tell me a story about it.", f"Tell me a story about {article(kind)}. Pick the name with the tool.", f"Find a name for {article(kind)}, then write a story.", f"A story about {article(kind)} with a random name, please.",
                    f"Let the tool name {article(kind)}, and tell me a story."))
    return [user(ask), call(toy.call({"kind": kind})), result(r.choice((name, {"name": name}))), answer(told["text"])]
