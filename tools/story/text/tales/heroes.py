# SPDX-License-Identifier: MIT
"""Who a tale is about, and all that its template may name."""
import re

from .. import beings
from . import events, guests, openings, themes
from . import words as w

EVENTS = 0.3


def any_name(r, girl):
    """A name that need not be one of a tale's own few: whoever asks for a tale may name its hero as they like."""
    x = r.random()
    if x < 0.3:
        return guests.odd_name(r)
    return beings.invented_name(r) if x < 0.45 else r.choice(beings.GIRLS if girl else beings.BOYS)


def context(r, who, plot="", text=""):
    v = {}
    anyhero = who == "any"
    if who == "any":
        who = "kid" if r.random() < 0.5 else "pet"
    girl = r.random() < 0.5
    person = None
    if who == "person":
        who = "kid"
    elif who == "robot":
        who = "robot"
    if who == "wizard":
        who, person = "kid", r.choice(["wizard", "witch", "magician"])
        girl = person == "witch" or (person == "magician" and girl)
    thing = None
    if who in ("kid", "pet") and anyhero and r.random() < 0.14:
        who, thing = "pet", r.choice(guests.THINGS)
    if who == "kid" and not person and r.random() < 0.22:
        person = r.choice(list(guests.PERSONS))
        g = guests.PERSONS[person]
        girl = True if g == "f" else False if g == "m" else girl
    v["he"], v["him"], v["his"], v["himself"] = ("she", "her", "her", "herself") if girl else ("he", "him", "his", "himself")
    g2 = r.random() < 0.5
    v["mhe"], v["mhim"], v["mhis"], v["mhimself"] = ("she", "her", "her", "herself") if g2 else ("he", "him", "his", "himself")
    names, mnames = (w.GIRLS if girl else w.BOYS), (w.GIRLS if g2 else w.BOYS)
    v["trait"], v["trait2"] = r.sample(w.TRAITS, 2)
    if who == "kid":
        v["K"] = "girl" if girl else "boy"
        v["kind"] = r.choice(["little ", "little ", "young ", "", ""]) + v["K"]
        if person:
            v["K"] = person
            v["kind"] = r.choice(["little ", "young ", "", ""]) + person
        v["MK"] = "girl" if g2 else "boy"
        v["mkind"] = r.choice(["little ", "", "young "]) + v["MK"]
        v["hands"], v["hand"], v["mhands"], v["kids"] = "hands", "hand", "fingers", "children"
        h = w.KID_HOBBY
        v["home"] = "a little house"
        v["body"], v["mbody"], v["petfood0"], v["mfood"] = "red shoes", "blue coat", "pancakes", "soup"
    else:
        pool = w.WALKERS
        v["K"], v["MK"] = r.sample(pool, 2)
        odd = None
        if who == "pet" and anyhero:
            if r.random() < 0.25:
                odd = v["K"] = r.choice(guests.MORE_ANIMALS)
            elif r.random() < 0.2:
                v["K"] = r.choice([a for a in w.ANIMALS if a not in ("fish", "whale")])
            if thing:
                odd = v["K"] = thing
        if who == "race":
            v["K"], v["MK"] = r.choice(w.SLOWLY), r.choice(w.SWIFT)
        if who == "small":
            v["K"] = r.choice(w.TINY)
        if who == "thing":
            v["MK"] = "girl" if g2 else "boy"
        v["kind"] = r.choice(["little ", "little ", "young ", "small ", ""]) + v["K"]
        v["mkind"] = r.choice(["little ", "", "young "]) + v["MK"]
        part = lambda k: "wings" if k in ("owl", "bird", "chick", "duck", "penguin", "butterfly", "bee", "goose", "rooster", "parrot", "bat", "ladybug") else "hooves" if k in ("deer", "pony", "sheep", "goat", "pig", "giraffe", "cow", "horse", "donkey", "zebra", "unicorn", "camel", "lamb", "calf", "yak") else "feet" if k in ("elephant", "snail", "ant", "turtle", "crocodile", "hippo", "dinosaur", "spider", "caterpillar") else "claws" if k == "crab" else "fins" if k in ("fish", "whale", "dolphin", "seal") else "paws"
        p = part(v["K"])
        v["hands"], v["hand"], v["kids"] = p, {"hooves": "hoof", "feet": "foot"}.get(p, p[:-1]), "animals"
        v["mhands"] = part(v["MK"])
        h = w.PET_HOBBY
        if who != "thing":
            names = mnames = w.PETS
        if who == "robot":
            names, mnames = ["Bolt", "Beep", "Tik", "Zip", "Robo", "Chip", "Sparky", "Gizmo", "Dot", "Pixel", "Rusty", "Tock", "Bip", "Copper"], (w.GIRLS if g2 else w.BOYS)
            v["MK"] = "girl" if g2 else "boy"
            v["mkind"] = r.choice(["little ", "small "]) + v["MK"]
        if who == "dragon":
            names = ["Ember", "Puff", "Spark", "Cinder", "Flick", "Zuzu", "Blaze", "Smoky", "Pip", "Draco", "Scorch", "Bibi", "Ash", "Fizz"]
        a, b = w.ANIMALS.get(v["K"], (r.choice(guests.CITY), "cake", "", "a big smile", "")), w.ANIMALS.get(v["MK"], w.ANIMALS["rabbit"])
        v["home"], v["petfood0"], v["body"] = a[0], a[1], a[3]
        v["mfood"], v["mbody"] = b[1], b[3]
    mass = v["body"].split()[-1] in ("fur", "fluff", "wool", "feathers") or v["body"].endswith("s") or " with " in v["body"]
    v["a_body"] = v["body"] if mass else "a " + v["body"]
    v["this_body"] = ("these " if v["body"].endswith("s") else "this ") + v["body"]
    hm = v["home"]
    prep = "on" if re.match(r"an island|a sunny rock|a rocky|a farm|the farm|a snowy|a green lily|a big green leaf|the dry red", hm) else "at" if hm.startswith("the top") else "in"
    v["inhome"] = prep + " " + hm
    while v["trait"] in ("small", "young") and re.match("little|small|young", v["kind"]):
        v["trait"] = r.choice(w.TRAITS)
    if v["body"] == "a big smile":
        v["body"], v["a_body"], v["this_body"] = "smile", "a big smile", "this big smile"
    v["N"], v["M"] = r.sample(sorted(set(names) | set(mnames)), 2) if names is mnames else (r.choice(names), r.choice(mnames))
    while v["M"] == v["N"]:
        v["M"] = r.choice(mnames)
    if r.random() < 0.4:
        v["N"] = any_name(r, girl)
    if r.random() < 0.2:
        v["M"] = any_name(r, g2)
    v["h1"], v["h2"] = r.sample(h, 2)
    v["lv"], v["city"] = r.choice(guests.LOVES), r.choice(guests.CITY)
    v["woke"] = r.choice(openings.WOKE)
    v["fine"] = r.choice("sunny rainy cold warm bright quiet windy lovely".split())
    v["lovedto"] = r.choice(["loved to {h1}", "liked to {h1}", "loved {lv}", "loved {lv} and liked to {h1}", "dreamed of {lv}", "lived in {city}", "always wanted to {h1}"])
    v["HOB2"] = r.choice(["They [loved|liked] to {h2} together.", "", "", "{N} loved {lv}."])
    fem = r.random() < 0.55
    v["a"] = r.choice(w.ADULTS_F if fem else w.ADULTS_M)
    if who != "kid" and v["a"] in ("mom", "dad", "aunt", "uncle"):
        v["a"] = r.choice(["mother", "mama", "grandma"] if fem else ["father", "papa", "grandpa"])
    v["A"] = v["a"].capitalize()
    v["ahe"], v["ahim"], v["ahis"] = ("she", "her", "her") if fem else ("he", "him", "his")
    v["place"] = r.choice(w.OUT if r.random() < 0.85 else [p for p in w.PLACES if p not in ("library", "school", "zoo")])
    v["atplace"] = {"beach": "at the", "farm": "on the", "playground": "on the", "lake": "by the", "river": "by the", "pond": "by the", "hill": "on the", "market": "at the", "school": "at the", "zoo": "at the"}.get(v["place"], "in the") + " " + v["place"]
    v["sight"], v["psound"], v["spot"] = w.PLACES[v["place"]]
    v["treat"] = r.choice(w.TREATS)
    v["toy"] = r.choice(list(w.TOYS))
    v["color"] = r.choice(w.COLORS)
    v["good"] = r.choice(openings.FEEL)
    kind = "sunny" if r.random() < 0.6 else r.choice(list(w.WEATHER))
    v["WEATHER"] = r.choice(w.WEATHER[kind]) if r.random() < 0.7 else ""
    v["ZZ"] = ","
    v["HOB"] = r.choice(openings.HOB)
    v["OPEN"] = r.choice(openings.OPEN_KID if who == "kid" else openings.OPEN_PET)
    v["late"] = False
    k = r.random()
    if k < 0.36:
        v["OPEN"] = r.choice(openings.OPEN_NEW)
    elif plot in themes.PAIR_OK and k < 0.56:
        v["OPEN"] = r.choice(openings.OPEN_PAIR)
    if v["OPEN"].startswith(("One ", "It was", "{N} {woke}", "On a ", '"')):
        v["late"] = True
    v["OPENP"] = r.choice(openings.OPEN_PET)
    v["DAY"], v["SAD"], v["THANKS"] = r.choice(openings.DAY), r.choice(openings.SAD), r.choice(openings.THANKS)
    v["pair"] = any(v["OPEN"] is x for x in openings.OPEN_PAIR)
    v["event"] = "{DAY}" in text.split("\n\n")[1][:8] if text.count("\n\n") > 1 and r.random() < EVENTS else False
    if v["event"]:
        v["DAY"] = r.choice(events.NEXT)
    elif v["late"]:
        v["DAY"] = r.choice(["That [morning|afternoon|day]", "A little later", "Soon after", "Later that day", "That same day"])
    v["END"] = r.choice(openings.END)
    v["who"] = who
    return v
