# SPDX-License-Identifier: MIT
"""One tale: its text, and what a request for it may say."""
import re

from . import guests, themes
from .events import event
from .heroes import context
from .plotting import PLOTS
from .templates import expand, tidy

CONTR = [("do not", "don't"), ("does not", "doesn't"), ("did not", "didn't"), ("cannot", "can't"), ("can not", "can't"), ("could not", "couldn't"),
         ("is not", "isn't"), ("was not", "wasn't"), ("will not", "won't"), ("I am", "I'm"), ("I will", "I'll"), ("It is", "It's"), ("it is", "it's"),
         ("You are", "You're"), ("you are", "you're"), ("We are", "We're"), ("Let us", "Let's"), ("I have a", "I've got a")]

# plots whose hero is none of those that are drawn
OWN = {"cloud": "a little cloud", "dragon_fire": "a little dragon", "lonely_tree": "an old tree", "robot": "a small robot", "toy_night": "a {toyA}", "vehicle": "a little {veh}"}
THINGS = ("toy", "color", "place", "pet", "yum", "food", "thing", "veg", "magic", "tool", "build", "veh")


def contract(r, t):
    parts = re.split(r'("[^"]*")', t)
    for i in range(1, len(parts), 2):
        for a, b in CONTR:
            if r.random() < 0.8:
                parts[i] = re.sub(r"\b%s\b(?![.!?])" % a, b, parts[i])
    return "".join(parts)


def story(r):
    p = r.choice(PLOTS)
    v = context(r, p["who"], p["name"], p["text"].strip())
    if p["setup"]:
        p["setup"](r, v)
    v.setdefault("a_kind", ("a " + v["kind"]) if r.random() < 0.5 else "a %s %s" % (v["trait"], v["kind"]))
    v.setdefault("m_kind", "a " + v["mkind"])
    text = p["text"]
    # the opening is written first so that its own variables are expanded too
    t = tidy(expand(r, text.strip(), v))
    t = re.sub(r"\n{2,}", "\n\n", t)
    t = t.replace("One upon", "Once upon").replace(".\".", ".\"").replace(" ,", ",")
    t = re.sub(r"(?<=[a-z])\.\" ((?:[a-z]+ )?(?:said|asked|cried|whispered|shouted|called)|[A-Z][a-z]+ (?:said|asked))\b", r'," \1', t)
    if v["event"] and '"' not in t.split("\n\n")[0]:
        ps = t.split("\n\n")
        e = tidy(event(r, v, v["pair"]))
        if r.random() < 0.5:
            ps[0] += " " + e
        else:
            ps.insert(1, e)
        t = "\n\n".join(ps)
    if r.random() < 0.35:
        t = contract(r, t)
    gs = []
    if r.random() < 0.5:
        low = t.lower()
        gs = [g for g in r.sample(guests.GWORDS, r.choice([1, 2, 2, 3, 3, 4])) if g not in low]
        if gs:
            t = tidy(guests.add_guests(r, t, gs, v))
            t = re.sub(r"\n{2,}", "\n\n", t)
    says = lambda words: all(re.search(r"\b%s\b" % re.escape(x), t, re.I) for x in words.split())
    if p["name"] in OWN:
        v["a_kind"] = expand(r, OWN[p["name"]], v)
        v["K"] = v["a_kind"].split(" ", 1 if p["name"] == "toy_night" else 2)[-1]
    elif not says(v["a_kind"][2:]):                           # whoever asks for a shy fox gets a tale that says it is shy
        v["a_kind"] = "a " + (v["kind"] if says(v["kind"]) else v["K"])
    th = themes.THEMES.get(p["name"], [])
    theme = r.choice([p["theme"]] * 2 + th)
    title = r.choice(themes.TITLES[p["name"]])
    title = " ".join(x if x in ("and", "the", "to", "of", "in", "a") else x[:1].upper() + x[1:] for x in expand(r, title, v).split(" "))
    things = {k: v[k] for k in THINGS if k in v and re.search(r"\b%s\b" % re.escape(v[k]), t)}
    words = gs + list(things.values())
    return dict(text=t, theme=tidy("x " + expand(r, theme, v))[2:], moral=p["moral"], N=v["N"], M=v["M"], a_kind=tidy("x " + v["a_kind"])[2:], K=v["K"], MK=v["MK"], plot=p["name"], title=title[:1].upper() + title[1:],
                guests=gs, words=words, things=things, lv=v["lv"] if re.search(r"(loved|of) %s\b" % v["lv"], t) else None, city=v["city"] if ("in " + v["city"]) in t else None)
