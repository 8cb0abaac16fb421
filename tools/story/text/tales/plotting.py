# SPDX-License-Identifier: MIT
"""Plots of tales: who they are about, the template, and what it needs besides a hero."""
PLOTS = []


def plot(name, who, theme, moral, text, setup=None, words=""):
    PLOTS.append(dict(name=name, who=who, theme=theme, moral=moral, text=text, setup=setup, words=words))


def s_toy(r, v):
    from .words import TOYS, COLORS
    t = r.choice([x for x in TOYS])
    v["toy"], v["color"] = t, r.choice(COLORS)
    v["use"], v["used"] = TOYS[t]


def s_throw(r, v):
    s_toy(r, v)
    v["toy"] = r.choice(["ball", "kite", "balloon", "toy airplane", "hat", "teddy bear", "scarf", "paper plane", "beach ball", "parachute", "feather", "frisbee"])


def s_two_toys(r, v):
    s_toy(r, v)
    from .words import TOYS, COLORS
    v["toy2"] = r.choice([x for x in TOYS if x != v["toy"]])
    v["color2"] = r.choice([c for c in COLORS if c != v["color"]])


def s_small(r, v, pool=None):
    from .words import SMALL, ANIMALS
    v["pet"] = r.choice([x for x in pool or SMALL if x != v["K"]])
    h = ANIMALS.get(v["pet"], ("a glass bowl", "fish food"))
    v["pethome"], v["petfood"] = h[0], h[1]
    v["phe"], v["phim"], v["phis"] = r.choice([("he", "him", "his"), ("she", "her", "her")])


def ch(*xs):
    return lambda r, v: v.update({k: r.choice(o) for k, o in xs})
