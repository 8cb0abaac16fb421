# SPDX-License-Identifier: MIT
"""A story by one of the plots, told in one of several voices."""
from . import plots_doing, plots_search
from .beats import title
from .entities import Teller
from .scenes import finish
from .story import Story

PLOTS = plots_search.PLOTS + plots_doing.PLOTS


def plot(r, which=None):
    me = None
    if r.random() < 0.1:
        me = Teller(r.choice(("child", "girl", "boy", "young baker", "sailor", "shepherd", "small mouse", "tired postman", "young fox")), "she")
    story = Story(r, "present" if r.random() < 0.1 else "past", me)
    if me:
        story.cast.append(me)
    story.telling.quotes = 0.012
    hero = me or story.being(named=0.62)
    chosen = [p for p in PLOTS if p.__name__ == which] if which else PLOTS
    story.hero = hero
    story.thing_ = r.choice(chosen)(story, hero)
    story.flush()
    story.title = title(story, hero, story.thing_)
    finish(story)
    return story
