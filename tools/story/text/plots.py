# SPDX-License-Identifier: MIT
"""A story by one of the plots, told in one of several voices."""
import random

from . import plots_doing, plots_heart, plots_search
from .beats import title
from .clauses import upper
from .scenes import finish
from .story import Story

PLOTS = plots_search.PLOTS + plots_doing.PLOTS + plots_heart.PLOTS
WHO_TELLS = "Grandmother|Grandfather|my aunt|the old ferryman|our teacher|the innkeeper|my uncle|a sailor|the librarian|my big sister|an old shepherd|the postman".split("|")
FRAMES = ('{W} put another log on the fire and began: "Listen."', "This is what {w} told us one winter evening.", "{W} told me this story, and I believe every word.", "When the lamp was lit, {w} began to tell.",
          "{W} always tells it like this.", "I have this story from {w}.")


# Those whose sentences can all stand in the present.
PRESENT = {"lost", "swaps", "out_of_reach", "gift", "broken"}


def plot(r, which=None, me=None, telling=None):
    """`me` tells the hero's story as I: the same seed then gives the same story in another voice."""
    told_by_hero = r.random() < 0.12 if me is None else (r.random(), me)[1]
    chosen = r.choice([p for p in PLOTS if p.__name__ == which] if which else PLOTS)
    tense = "present" if r.random() < 0.25 and chosen.__name__ in PRESENT else "past"
    story = Story(r, tense)
    story.telling.quotes = 0.012
    story.padding = r.choice((0, 0, 0.15, 0.25, 0.4, 0.6)) if tense == "past" else 0
    nameless = r.random() < 0.5
    hero = story.being(named=0.62)
    if told_by_hero:
        story.me = story.telling.me = hero
        hero.tells = True
        if me is None and nameless:
            hero.name = None
    teller = r.choice(WHO_TELLS)
    frame = r.choice(FRAMES)
    if r.random() < 0.06 and not told_by_hero and tense == "past":
        story.say(frame.format(W=upper(teller), w=teller if teller[0].islower() else teller.lower()))
        story.break_()
        w = teller.replace("my ", "the narrator's ").replace("our ", "the ")
        story.fact(["Who tells the story?", "Who told the story?", "Who is the storyteller?", "Who told this?"], [f"{upper(w)} tells the story."], ["who tells the story"])
    story.hero, story.plot = hero, chosen.__name__
    story.main = chosen(story, hero)
    story.flush()
    story.begun, padding = True, story.padding
    more = r.random()
    for chance in (0.24, 0.06):
        if more < chance and tense == "past":
            story.break_()
            story.padding = padding
            r.choice(PLOTS)(story, hero)
            story.flush()
    story.title = title(story, hero, story.main)
    finish(story)
    return story


def told_again(seed, which=None):
    """The same story as its hero tells it, or None where it comes out as another."""
    first, second = plot(random.Random(seed), which, me=False), plot(random.Random(seed), which, me=True)
    same = [type(c) for c in first.cast] == [type(c) for c in second.cast] and [c.kind for c in first.cast] == [c.kind for c in second.cast]
    return (first, second) if same and first.tense == "past" and len(first.clauses) == len(second.clauses) else None
