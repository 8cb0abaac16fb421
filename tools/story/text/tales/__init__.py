# SPDX-License-Identifier: MIT
"""Tales from templates: one plot in many words each. tale(r) is a conversation in which one is asked for."""
from .. import finding
from ..chat import answer, plain, segments, user
from ..pointing import questions_on
from ..phrases import ANY, GO_ON, TELL
from . import plots1, plots2, plots3, plots4, plots5, plots6, plots7, plots8  # noqa: F401 (they register their plots)
from .asked import request
from .requests import prompt
from .telling import story


def wish(r, told):
    """A request in other words than a tale's own."""
    if r.random() < 0.25:
        return r.choice(ANY)
    kind, name = told["a_kind"], told["N"]
    x = told["theme"] if r.random() < 0.3 else r.choice((kind, f"{kind} named {name}", f"{kind} called {name}", f"{name} the {told['K']}", f"{kind}, {name}"))
    return r.choice(TELL).format(x=x, X=x[0].upper() + x[1:])


def ask(r, told, again=False):
    """A request for a tale; again: behind another one. Half of them are in one of many forms."""
    x = r.random()
    if x < 0.5:
        return request(r, told, again and x < 0.3)[0]
    return wish(r, told) if x < 0.65 and not again else prompt(r, told)


def begun(r, told):
    """A visitor's beginning, and how the tale goes on."""
    ends = finding.ends(told["text"])
    cut = ends[min(r.choice((0, 0, 1, 2)), len(ends) - 1)]
    form = r.choice([g for g in GO_ON if '"{b}"' not in g])
    begin = told["text"][:cut].rstrip(".") if "..." in form or "…" in form else told["text"][:cut]
    return [user(form.format(b=begin)), answer(told["text"][cut:].strip())]


def tale(r):
    """A tale alone, one that is asked for or begun, talk about it, or two."""
    told = story(r)
    if r.random() < 0.15:
        return plain(told["text"])
    if r.random() < 0.15:
        return segments(begun(r, told))
    messages = [user(ask(r, told)), answer(told["text"])]
    if r.random() < 0.3:
        messages += questions_on(r, told["text"], r.choice((1, 2, 3, 4)))
    elif r.random() < 0.06:
        told = story(r)
        messages += [user(ask(r, told, again=True)), answer(told["text"])]
    return segments(messages)
