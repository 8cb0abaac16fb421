# SPDX-License-Identifier: MIT
"""Tales from templates: one plot in many words each. tale(r) is a conversation in which one is asked for."""
from ..chat import answer, plain, segments, user
from ..pointing import questions_on
from . import plots1, plots2, plots3, plots4, plots5, plots6, plots7, plots8  # noqa: F401 (they register their plots)
from .requests import prompt
from .telling import story


def tale(r):
    """A tale alone, one that is asked for, talk about it, or two."""
    told = story(r)
    if r.random() < 0.25:
        return plain(told["text"])
    messages = [user(prompt(r, told)), answer(told["text"])]
    if r.random() < 0.3:
        messages += questions_on(r, told["text"], r.choice((1, 2, 3, 4)))
    elif r.random() < 0.06:
        told = story(r)
        messages += [user(prompt(r, told)), answer(told["text"])]
    return segments(messages)
