# SPDX-License-Identifier: MIT
"""Whole conversations: each a list of (text, whether it is learnt), as chat.py makes them."""
import random
import re

from . import asking, rewriting
from .chat import answer, call, plain, result, segments, user
from .extracting import extraction
from .plots import plot
from .scenes import scene
from .things import article
from .tool_talk import name_for, small_talk, tool_turn, tools_for

SYSTEM = """You tell stories.|You are a storyteller.|You are a helpful assistant.|You answer questions about stories.|Answer in one sentence.|You are a friendly storyteller for children.|Answer briefly.|You tell short stories and answer questions about them.|
Use the story to answer.|You are a kind librarian.|Answer with the words of the story.|Be brief.""".replace("\n", "").split("|")
BEFORE = """Here is a story:|Read this story.|Read this:|Story:|This is my story:|Listen to this story:|I wrote this:|Here is a text.|Please read the following story.|I have a story for you.|Look at this story:|The story:|Here's a short story:|
Text:|A story:|My daughter wrote this:|Read the text and answer the question.|Read the story, then answer.|I will give you a story.""".replace("\n", "").split("|")
READ = """I have read it. What would you like to know?|A nice story! What do you want to know?|Thank you, I have read it.|I have read the story. Ask me something about it.|That is a fine story. What shall I do with it?|Yes, I know it now. What is your question?|All right. What would you like to know?""".replace("\n", "").split("|")
NOT_SAID = [("What is {n}'s favourite song?", "favourite song"), ("How tall is {n}?", "tall"), ("What is {n}'s mother called?", "mother"), ("Where was {n} born?", "born"), ("What did {n} eat for breakfast?", "breakfast"), ("What is {n}'s favourite colour?", "favourite"), ("How much did it cost?", "cost"),
            ("What is {n}'s last name?", "last name"), ("What was {n} reading?", "reading"), ("How many sisters does {n} have?", "sister"), ("Who wrote the story?", "wrote"), ("What year was it?", "year"), ("What does {n} look like when asleep?", "asleep"), ("What is the dog called?", "dog"), ("What was the teacher's name?", "teacher")]
NOT_TOLD = ("The story does not say.", "The story does not say that.", "That is not in the story.", "The story does not tell us.")
TELL = """Tell me a story about {x}.|Write a story about {x}.|A story about {x}, please.|Can you tell me a story about {x}?|I want a story about {x}.|Tell a story about {x}.|Make up a story about {x}.|Please write a short story about {x}.|Tell me about {x}.|I'd like to hear a story about {x}.|
Tell my son a bedtime story about {x}.|Invent a story about {x}.|Story about {x}|{X}|Do you know a story about {x}?|Write something about {x}.|Once more: a story about {x}.|Could you write a tale about {x}?|Tell us a tale about {x}.""".replace("\n", "").split("|")
ANY = """Tell me a story.|Tell me a story!|A story, please.|Tell me a bedtime story.|Write a story.|I want to hear a story.|Surprise me with a story.|Another story, please.|Once upon a time ...|Begin.|Tell me something.|Do you know a story?|Story please|Make something up.""".replace("\n", "").split("|")
GO_ON = """{b}|{b} ...|{b}...|{b}…|{b} …|Go on: {b}|Continue: {b}|Continue this story: {b} ...|How does it go on? {b}|Finish the story: {b} ...|The story begins: {b}|Start with this: {b}|{b} (go on)|Please continue: "{b}"|{b} What happened next?|Write on: {b}""".split("|")


def conversation(r):
    """One document. Few have a story that is asked for: whoever asks for one shall get a tale (`tales`), which reads better."""
    x = r.random()
    if x < 0.03:
        return plain(some_story(r)[0].text())
    if x < 0.06:
        return continued(r)
    if x < 0.14:
        return asked_for(r)
    if x < 0.7:
        return pasted(r)
    if x < 0.74:
        return segments(system(r) + [m for _ in range(r.choice((1, 1, 2, 3))) for m in small_talk(r)] + (asked_for(r, True) if r.random() < 0.4 else []))
    return with_tools(r)


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
        elif x < 0.8:
            name = story.hero.the() if getattr(story, "hero", None) and story.hero is not story.me else "the narrator"
            form, word = r.choice(NOT_SAID)
            if word in text or any(word in q for a in story.asked for q in a[0]):
                continue
            ask, said = form.format(n=name), r.choice(NOT_TOLD)
        elif x < 0.85:
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


def continued(r):
    """A visitor's beginning; the answer goes on from there."""
    for _ in range(20):
        story, seed = some_story(r)
        text = story.text()
        at = [m.end() for m in re.finditer(r"[.!?](?= )", text)]
        if "\n\n" in text[:200] and text.find("\n\n") < 120 or not at:
            continue
        break
    cut = at[0] if r.random() < 0.7 or len(at) < 3 else at[1]
    if r.random() < 0.45:
        words = [m.start() for m in re.finditer(r" ", text[:cut])]
        words = [w for w in words if w > 22 and text[w - 1] not in ",;:"]
        cut = r.choice(words) if words else cut
    begin, rest = text[:cut], text[cut:].strip()
    if begin.count('"') % 2:
        begin, rest = text[: at[0]], text[at[0]:].strip()
    if begin.endswith(".") and r.random() < 0.4:
        begin = begin[:-1]
    form = r.choice(GO_ON) if begin[-1] not in '.!?"' else r.choice([g for g in GO_ON if "..." not in g and "…" not in g])
    messages = system(r) + [user(form.format(b=begin)), answer(rest)]
    if r.random() < 0.45:
        messages += follow_ups(r, story, seed, r.choice((1, 2, 3, 4)))
    return segments(messages)


def subject(r, story):
    """What a request may say of a story that is to come."""
    hero = story.hero
    if hero is story.me:
        a = hero.a() if "trait" in hero.told else None
        return (a + " who tells it") if a else None
    if "kind" not in hero.told and not hero.name:
        return None
    base = things_like(r, hero)
    if hero.name and r.random() < 0.55:
        base = f"{base} {r.choice(('called', 'named'))} {hero.name}" if "kind" in hero.told else hero.name
    x = r.random()
    if x < 0.35 and story.outline:
        line = story.outline[0].rstrip(".")
        start = hero.the()[0].upper() + hero.the()[1:]
        if line.startswith(start + " "):
            return f"{base} who {line[len(start) + 1:]}"
    if x < 0.6 and story.main is not None and story.main.bare() in story.text():
        thing = story.main
        return f"{base} and {thing.a(r.random() < 0.6)}"
    if x < 0.7 and story.friend is not None and story.friend is not hero and ("kind" in story.friend.told or story.friend.name):
        other = story.friend
        return f"{base} and {article(other.kind) if 'kind' in other.told else other.name}"
    return base


def things_like(r, hero):
    if "kind" not in hero.told:
        return hero.name
    if "trait" in hero.told and r.random() < 0.5:
        return hero.a()
    return article(hero.kind)


def asked_for(r, bare=False):
    """A story that is asked for, and talk about it."""
    story, seed = some_story(r)
    text = story.text()
    what = subject(r, story)
    length = len(text.split())
    if what is None or r.random() < 0.1:
        ask = r.choice(ANY)
    else:
        ask = r.choice(TELL).format(x=what, X=what[0].upper() + what[1:])
        if length < 75 and r.random() < 0.3 and "a story" in ask:
            ask = ask.replace("a story", "a short story", 1)
        if length > 140 and r.random() < 0.3 and "a story" in ask:
            ask = ask.replace("a story", "a long story", 1)
        extra = []
        if story.me is not None and r.random() < 0.5:
            extra.append(r.choice(("Tell it in the first person.", "Say I.", "In the first person, please.")))
        if story.tense == "present" and r.random() < 0.5:
            extra.append("In the present tense.")
        if r.random() < 0.2:
            words = [w for w in dict.fromkeys([t.noun for t in story.things] + [p.noun for p in story.places]) if re.search(r"\b%s\b" % re.escape(w), text)]
            if len(words) > 1:
                chosen = r.sample(words, min(len(words), r.choice((1, 2, 3))))
                listed = ", ".join(chosen[:-1]) + " and " + chosen[-1] if len(chosen) > 1 else chosen[0]
                extra.append(r.choice(("Use the word{s} {w}.", "There should be {w} in it.", "With the word{s} {w}, please.", "It should have {w} in it.")).format(s="s" if len(chosen) > 1 else "", w=listed))
        ask = " ".join([ask, *extra])
    if r.random() < 0.06:
        ask += " Give it a title."
        text = f"{story.title}\n\n{text}"
    if r.random() < 0.08:
        ask = ask.lower()
    messages = [user(ask), answer(text)] + follow_ups(r, story, seed, r.choice((0, 1, 2, 3, 4, 5, 6)))
    if bare:
        return messages
    if r.random() < 0.1:
        messages += small_talk(r)
    return segments(system(r) + messages)


SHORT = {"did not": "didn't", "do not": "don't", "does not": "doesn't", "was not": "wasn't", "could not": "couldn't", "would not": "wouldn't", "is not": "isn't", "cannot": "can't",
         "I will": "I'll", "I am": "I'm", "It is": "It's", "it is": "it's", "You are": "You're", "Let us": "Let's", "That is": "That's", "Do not": "Don't", "had not": "hadn't"}
LONG = re.compile(r"\b(" + "|".join(SHORT) + r")(?= [a-z])")


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
        text = re.sub(r'"([^"]*)"', "\u201c\\1\u201d", text).replace("'", "\u2019")
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
        if x < 0.66:
            messages += tool_turn(r, toys)
        elif x < 0.8:
            messages += small_talk(r, toys)
        elif x < 0.9:
            messages += asked_for(r, True)[:6]
        elif x < 0.95 and not messages:
            messages += pasted(r, True)[:9]
        elif namers := [t for t in toys if t.name == "pick_name"]:
            messages += named_story(r, namers[0])
    if not messages:
        messages = tool_turn(r, toys)
    return segments(system(r) + messages, [t.schema for t in toys])


def named_story(r, toy):
    """The name is picked first, then the story is told with it."""
    for _ in range(9):
        story, _ = some_story(r)
        hero = story.hero
        if hero.name and "kind" in hero.told and story.me is None:
            break
    else:
        return []
    name, kind = hero.name, hero.kind
    *_, = name_for(r)[:0]
    ask = r.choice((f"Pick a name for {article(kind)} and tell me a story about it.", f"Tell me a story about {article(kind)}. Pick the name with the tool.", f"Find a name for {article(kind)}, then write a story.", f"A story about {article(kind)} with a random name, please.",
                    f"Let the tool name {article(kind)}, and tell me a story."))
    return [user(ask), call(toy.call({"kind": kind})), result(r.choice((name, {"name": name}))), answer(story.text())]
