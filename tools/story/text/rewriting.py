# SPDX-License-Identifier: MIT
"""A story told again: shorter, in one line, with another ending, in another voice, with another name."""
import re

from . import beings, things
from .clauses import upper
from .entities import make_being, make_place
from .plots import told_again

SHORTER = """Make it shorter.|Can you make it shorter?|Shorter, please.|Please shorten the story.|Tell it again, but shorter.|A shorter version, please.|Cut it down to a few sentences.|
Can you tell it in three sentences?|That is too long. Make it shorter.|Give me the short version.|Shorten it.|Say it in fewer words.|Could you make the story shorter?|Summarise the story.|
Give me a short summary.|Sum it up.|What is the story about?|What happens in the story?|Summarize it, please.|Retell the story briefly.|Can you sum up the story for me?|What's it about?""".replace("\n", "").split("|")
ONE_LINE = """Sum it up in one line.|A summary in one line, please.|Tell me the story in one sentence.|One sentence: what happens?|Give me a one-line summary.|Summarise it in one sentence.|
In one sentence, what is the story about?|The whole story in a single sentence, please.|Can you put it in one sentence?|Summary in one line.|Write a summary in one line.|Boil it down to one sentence.""".replace("\n", "").split("|")
ENDING = """Give it another ending.|Another ending, please.|Can you think of a different ending?|Change the ending.|Tell me another ending.|What if it ended differently?|Write a new ending.|I do not like the end. Make another one.|
A different ending, please.|How else could it end?|Make up a new ending.|End it in another way.|Could it end differently?|Now with another ending.|Can it have a sadder ending?|Write an alternative ending.""".replace("\n", "").split("|")
VOICE = """Tell it in the voice of {w}.|Now tell it as {w} would.|Let {w} tell the story.|Tell the story from the point of view of {w}.|How would {w} tell it?|In the voice of {w}, please.|Retell it as {w}.|
What would {w} say about it?|Write it from {w}'s side.|Imagine you are {w}. Tell the story.|Tell it again, but as {w}.""".replace("\n", "").split("|")
ENDINGS = ("In the end nothing was as before. {H} gave {T} to {O}, who {lived}, and never spoke of it again.", "But {O}, who {lived}, had seen everything. {O.he} came that very night, and the two of them laughed until sunrise.",
           "Then came a surprise: {T} had a tiny door, and behind it {lived_2} a family of beetles. {H} left it to them.", "It did not end well. {T} fell into the river and was never seen again. {H} cried a little and then went home to make soup.",
           "{H} woke up. It had all been a dream. But {P} there lay {T}.", "So {H} packed a bag and went away. Years later {O} found {T} {P} and told the story to all who wanted to hear it.",
           "Nobody was angry. {H} and {O}, who {lived}, opened a small shop and sold {T.plural}.", "But that was not the end. The next morning {T} was gone again, and only a note was left: \"Thank you. {O.plainly}.\"",
           "{H} never got what {H.he} wanted. But {O}, who {lived}, became a friend, and that was better.", "Suddenly it began to snow. {H} and {O} built a snowman, put {T} on its head, and forgot what it had all been about.",
           "Everybody agreed: {T} belonged in a museum. There it stands to this day, {P}.", "It took {N} years. When {H} was old and grey, {O} came back and brought {T}.")


def shorter(story):
    lines, said = [], set()
    for line in story.outline:
        core = line.removeprefix("Later ").removeprefix("In the end ").lower()
        if core not in said:
            lines.append(line)
            said.add(core)
    if len(lines) > 5:                          # of a long story the beginning and the end
        lines = lines[:3] + lines[-2:]
    return " ".join(lines)


def one_line(story):
    lines = list(dict.fromkeys(story.outline))
    if len(lines) == 1:
        return lines[0]
    first, last = lines[0].rstrip("."), lines[-1].rstrip(".")
    capital = any(last.startswith(b.name) for b in story.cast if b.name) or last.startswith("I ")
    last = last if capital else last[0].lower() + last[1:]
    link = ", and " if last.startswith(("in the end", "later", "then")) else ", and in the end "
    return f"{first}{link}{last}."


class Parts:
    def __init__(self, word, **more):
        self.word = word
        self.__dict__.update(more)

    def __str__(self):
        return self.word


def ending(r, story):
    hero = story.hero
    h = "I" if hero is story.me else hero.the()
    other = story.friend if story.friend is not None and r.random() < 0.6 and story.friend is not hero else make_being(r, story.cast)
    known = other is story.friend
    thing = story.main if story.main is not None else r.choice(story.things) if story.things else None
    if thing is None or thing.bare() not in story.text() or thing.many:
        thing = things_of(story)
    t = Parts("the " + thing.bare(False), plural=things.plural(thing.noun)) if thing is not None else Parts("the whole thing", plural="lemonade")
    o = Parts(other.the() if known else other.a(), he=upper(other.pronoun()), plainly=other.the()) if known or not other.name else Parts(f"{other.a()} called {other.name}", he=upper(other.pronoun()), plainly=other.name)
    fit = ENDINGS if thing is not None else [e for e in ENDINGS if "{T" not in e]
    lived = r.choice(("lived next door", "had waited outside", "knew the secret", "had lost everything", "was just passing by", "came from far away", "had listened at the door", "had never laughed before"))
    place = make_place(r)
    text = r.choice(fit).format(H=Parts(h, he="I" if h == "I" else hero.pronoun()), O=o, T=t, P=place.at(), N=r.choice(things.NUMBERS), lived=lived, lived_2="lived")
    return re.sub(r"(?<=[.!?:] )[a-z]", lambda m: m.group().upper() if text[m.start() - 2] != ":" else m.group(), upper(text))


def things_of(story):
    text = story.text()
    found = [t for t in story.things if t.bare() in text and not t.many and not t.dish]
    return found[0] if found else None


def voice(r, story, seed, which=None):
    """(whose voice, the story as they tell it), or None."""
    if story.meeting is not None and r.random() < 0.4 and story.me is None:
        other, place, question, reply = story.meeting
        if other.many or not reply:
            return None
        hero = story.hero.the()
        kind = f"I am {other.name}, {other.a()}." if other.name and "kind" in other.told else f"I am {other.name}." if other.name else f"I am {other.a()}."
        lines = [r.choice((kind, kind, "")), r.choice((f"One day {hero} came to me.", f"I remember the day when {hero} came to me.", f"I will never forget how {hero} stood in front of me."))]
        if question:
            lines.append(f'"{question}" asked {hero}.' if question.endswith("?") else f'"{question[:-1]}," said {hero}.')
        lines.append(r.choice((f'I said: "{reply}"', f'"{reply}" I said.' if reply[-1] in "!?" else f'"{reply[:-1]}," I said.')))
        last = story.outline[-1] if story.outline else ""
        last = re.sub(r"\b(with the help of|helped|saved) " + re.escape(other.the()) + r"\b", lambda m: m.group(1) + (" me"), last)
        last = re.sub("^" + re.escape(upper(other.the())) + r"\b", "I", last)
        if other.the() not in last:
            lines.append(last)
        return other.the(), " ".join(line for line in lines if line)
    both = told_again(seed, which)
    if both is None or both[0].text() != story.text():
        return None
    return story.hero.the(), both[1].text()


def renamed(r, story):
    """(old name, new name, the story with it), or None."""
    old = story.hero.name
    if not old or story.me is not None:
        return None
    new = r.choice(beings.GIRLS if story.hero.gender == "she" else beings.BOYS) if r.random() < 0.7 else beings.invented_name(r)
    if new in story.text():
        return None
    return old, new, re.sub(r"\b%s\b" % re.escape(old), new, story.text())
