# SPDX-License-Identifier: MIT
"""How things stand: what lies where, whose it is, what it costs, who is older; each in a sentence, with its questions."""
from . import beings, places, things
from .clauses import upper
from .entities import make_thing

TOPICS = "love|the sea|a lost king|birds|a long journey|the moon|winter|a sailor|two brothers|a thief|the harvest|an old tree|a wolf|stars|a wedding|bread|the rain".split("|")
UNITS = "minutes hours days weeks months years".split()
COINS = "coins|silver coins|pennies|gold pieces|shillings|crowns|copper coins".split("|")
MADE = "kitchen tower roof garden door bridge house boat shop school ship wagon".split()


def new_thing(story, rich=0.5):
    for _ in range(9):
        thing = make_thing(story.r, rich=rich)
        if not thing.many and all(other.noun != thing.noun for other in story.things) and thing.noun not in story.text():
            break
    thing.count, thing.many, thing.gender = None, False, "it"
    story.things.append(thing)
    return thing


def state(story):
    """One sentence, or two, about how something is."""
    r, past = story.r, story.tense == "past"
    be, were = ("was", "were") if past else ("is", "are")
    did = "did" if past else "does"
    met = [b for b in story.cast if b in story.telling.met and not b.many and b is not story.me and b.name]
    being = r.choice(met) if met else None
    r.choice((thing_lies, thing_looks, belongs, inside, cost, lasted, full_of, sign, sound, taste, compared, relative, age, works, named_thing, weather_now, two_of_them, has_part))(story, r, being, be, were, did)
    story.telling.focus = None


def thing_lies(story, r, being, be, were, did):
    thing, place = new_thing(story), story.place()
    verb = r.choice(("was", "was", "lay", "stood", "hung")) if be == "was" else "is"
    at = place.at(True)
    story.say(r.choice((f"There {be} {thing.a()} {at}.", f"{upper(at)} {verb} {thing.a()}.", f"{upper(thing.a())} {verb} {at}.", f"{upper(at)}, there {be} {thing.a()}.")))
    story.fact([f"What {be} {place.at()}?", f"What {be} there {place.at()}?", f"What could be seen {place.at()}?"], [f"{upper(thing.a())} {be} {place.at()}.", f"There {be} {thing.a()} {place.at()}."], [f"what {be} {place.at()}"])
    story.fact([f"Where {be} the {thing.noun}?", f"Where can one find the {thing.noun}?", f"The {thing.noun} {be} where?", f"In which place {be} the {thing.noun}?"], [f"The {thing.noun} {be} {place.at()}."], [f"where the {thing.noun} {be}"])


def thing_looks(story, r, being, be, were, did):
    known = [t for t in story.things if t.told and not t.many and not t.colour]
    if not known:
        return thing_lies(story, r, being, be, were, did)
    thing, c = r.choice(known), r.choice(beings.COLOURS)
    thing.colour = None
    other = r.choice([w for w in things.LOOKS if w not in ("favourite", thing.look)])
    text, colour_too = r.choice(((f"The {thing.noun} {be} {c}.", 1), (f"It was {be and ''}".strip() and f"The {thing.noun} {be} {c} and {other}.", 1), (f"The {thing.noun} {be} {other}, and its colour {be} {c}.", 1), (f"The {thing.noun} {be} {other}.", 0)))
    story.say(text)
    if colour_too:
        story.fact([f"What colour {be} the {thing.noun}?", f"What color {be} the {thing.noun}?", f"Which colour {be} the {thing.noun}?", f"What {be} the colour of the {thing.noun}?"], [f"The {thing.noun} {be} {c}."], [f"what colour the {thing.noun} {be}"])
    if other in text:
        story.fact([f"What {be} the {thing.noun} like?", f"How is the {thing.noun} described?"], [f"The {thing.noun} {be} {other}."])


def belongs(story, r, being, be, were, did):
    owner = being.the() if being else f"the {r.choice(beings.TRADES)}"
    thing = new_thing(story)
    s = "ed" if be == "was" else "s"
    story.say(r.choice((f"{upper(thing.a())} belong{s} to {owner}.", f"{upper(owner)} own{s} {thing.a()}.", f"{upper(owner)} {'had' if be == 'was' else 'has'} {thing.a()}.")))
    story.fact([f"Who {did} the {thing.noun} belong to?", f"Whose {be} the {thing.noun}?", f"Who own{s} the {thing.noun}?", f"Who {'had' if be == 'was' else 'has'} the {thing.noun}?", f"To whom {did} the {thing.noun} belong?"], [f"The {thing.noun} belong{s} to {owner}."], [f"who own{s} the {thing.noun}"])


def inside(story, r, being, be, were, did):
    box, thing = new_thing(story, 0.3), new_thing(story)
    box.noun = r.choice(("box", "chest", "basket", "drawer", "sack", "jar", "trunk", "bag", "suitcase", "pot", "envelope", "barrel"))
    c = r.choice(beings.COLOURS)
    story.things.remove(box)
    if f" {box.noun}" in story.text():
        return
    story.say(r.choice((f"There {be} a {c} {box.noun}, and inside {be} {thing.a()}.", f"In a {c} {box.noun} {be} {thing.a()}.", f"A {c} {box.noun} stood in the corner. Inside it {be} {thing.a()}." if be == "was" else f"In a {c} {box.noun} {be} {thing.a()}.")).replace(" a a", " an a").replace("a i", "an i").replace("a o", "an o") if c[0] in "aio" else f"In a {c} {box.noun} {be} {thing.a()}.")
    story.fact([f"What {be} in the {box.noun}?", f"What {be} inside the {box.noun}?", f"What {did} the {box.noun} contain?", f"What {be} hidden in the {box.noun}?"], [f"{upper(thing.a())} {be} in the {box.noun}.", f"In the {box.noun} {be} {thing.a()}."], [f"what {be} in the {box.noun}"])
    story.fact([f"What colour {be} the {box.noun}?", f"Which colour {be} the {box.noun}?"], [f"The {box.noun} {be} {c}."])


def cost(story, r, being, be, were, did):
    thing, n, coin = new_thing(story), r.choice(things.NUMBERS), r.choice(COINS)
    c = "cost" if be == "was" else "costs"
    story.say(r.choice((f"{upper(thing.a())} {c} {n} {coin}.", f"{upper(thing.a())} {c} {n} {coin} at the market.", f"The price of {thing.a()} {be} {n} {coin}.")))
    story.fact([f"How much {did} the {thing.noun} cost?", f"What {be} the price of the {thing.noun}?", f"What {did} the {thing.noun} cost?", f"How many {coin} {did} the {thing.noun} cost?"], [f"The {thing.noun} {c} {n} {coin}."], [f"how much the {thing.noun} {c}"])


def lasted(story, r, being, be, were, did):
    what, n, unit = r.choice(("walk", "journey", "game", "feast", "storm", "concert", "lesson", "meal", "voyage", "fair", "rain", "strike", "holiday", "parade")), r.choice(things.NUMBERS), r.choice(UNITS)
    if f"the {what}" in story.text().lower() or be != "was":
        return
    story.say(r.choice((f"The {what} lasted {n} {unit}.", f"The {what} took {n} {unit}.", f"It was {n} {unit} before the {what} was over.")))
    story.fact([f"How long did the {what} last?", f"How long did the {what} take?", f"How many {unit} did the {what} take?", f"How long was the {what}?"], [f"The {what} lasted {n} {unit}."], [f"how long the {what} lasted"])


def full_of(story, r, being, be, were, did):
    place, what = story.place(places.ROOMS), things.plural(r.choice(things.THINGS))
    story.say(r.choice((f"{upper(place.the())} {be} full of {what}.", f"{upper(place.at())} there {were} {what} everywhere.")))
    story.fact([f"What {be} {place.the()} full of?", f"What {were} there {place.at()}?", f"What {did} one see {place.at()}?"], [f"{upper(place.the())} {be} full of {what}."], [f"what {place.the()} {be} full of"])


def sign(story, r, being, be, were, did):
    if be != "was":
        return
    place = story.place()
    words = r.choice(("Do not feed the ducks", "Closed today", "Beware of the goose", "Wet paint", "Back in an hour", "No singing after ten", "Fresh eggs", "Mind your head", "Please ring twice", "Lost: one shoe", "Free to a good home", "Keep off the grass"))
    story.say(r.choice((f'A sign {place.at()} said: "{words}."', f'{upper(place.at())} hung a sign. It said: "{words}."')))
    story.fact(["What did the sign say?", "What was written on the sign?", "What could one read on the sign?"], [f'The sign said: "{words}."'], ["what the sign said"])
    story.fact(["Where was the sign?"], [f"The sign was {place.at()}."])


def sound(story, r, being, be, were, did):
    what, place = r.choice(("a flute", "a drum", "laughter", "a barking dog", "a bell", "footsteps", "a whistle", "singing", "a hammer", "a crying child", "an owl", "a violin", "thunder")), story.place()
    if be != "was":
        return
    story.say(r.choice((f"From somewhere {place.at()} came the sound of {what}.", f"{upper(place.at())}, {what} could be heard.")))
    story.fact([f"What could be heard {place.at()}?", f"What sound came from {place.at()}?" if place.prep != "in" else f"What could one hear {place.at()}?"], [f"{upper(what)} could be heard {place.at()}."])


def taste(story, r, being, be, were, did):
    dish, like = r.choice(things.DISHES + things.FOODS), r.choice(("too salty", "sweet", "burnt", "of smoke", "like soap", "wonderful", "of oranges", "bitter", "sour", "like summer", "of nothing at all"))
    if dish in story.text():
        return
    t = "tasted" if be == "was" else "tastes"
    like = like if like.startswith(("of", "like")) else like
    story.say(f"The {dish} {t} {like}.")
    story.fact([f"How {did} the {dish} taste?", f"What {did} the {dish} taste like?", f"What {be} the {dish} like?"], [f"The {dish} {t} {like}."], [f"how the {dish} {t}"])


def compared(story, r, being, be, were, did):
    met = [b for b in story.cast if b in story.telling.met and not b.many and b is not story.me]
    if len(met) < 2:
        return
    a, b = r.sample(met, 2)
    word = r.choice(("taller", "older", "younger", "faster", "stronger", "braver", "smaller", "louder", "cleverer", "slower"))
    opposite = {"taller": "smaller", "older": "younger", "younger": "older", "faster": "slower", "smaller": "taller", "slower": "faster"}
    if any(w in story.text() for w in (word, opposite.get(word, word))):
        return
    story.say(f"{upper(a.the())} {be} {word} than {b.the()}.")
    story.fact([f"Who {be} {word}?", f"Who {be} {word}, {a.the()} or {b.the()}?", f"Who {be} {word}, {b.the()} or {a.the()}?"], [f"{upper(a.the())} {be} {word} than {b.the()}.", f"{upper(a.the())} {be} {word}."], [f"who {be} {word}"])
    if word in opposite:
        story.fact([f"Who {be} {opposite[word]}?", f"Who {be} {opposite[word]}, {a.the()} or {b.the()}?"], [f"{upper(b.the())} {be} {opposite[word]} than {a.the()}."])


def relative(story, r, being, be, were, did):
    if being is None:
        return
    kin, girl = r.choice((("brother", 0), ("sister", 1), ("mother", 1), ("father", 0), ("aunt", 1), ("uncle", 0), ("grandmother", 1), ("grandfather", 0), ("teacher", 1), ("cousin", 0), ("neighbour", 1), ("dog", 0), ("cat", 1), ("horse", 0), ("goat", 1)))
    name = r.choice(beings.GIRLS if girl else beings.BOYS) if r.random() < 0.7 else beings.invented_name(r)
    poss = f"{being.name}'s"
    if name in story.text() or f"{poss} {kin}" in story.text():
        return
    work = r.choice(beings.TRADES) if kin not in ("dog", "cat", "horse", "goat") else None
    if work and r.random() < 0.5:
        story.say(r.choice((f"{poss} {kin}, {name}, {be} {things.article(work)}.", f"{poss} {kin} {name} {be} {things.article(work)}.")))
        story.fact([f"What {be} {name}'s job?", f"What {did} {name} do for a living?", f"What {did} {poss} {kin} do?", f"What {be} {poss} {kin}?"], [f"{name} {be} {things.article(work)}."])
    else:
        story.say(r.choice((f"{poss} {kin} {be} called {name}.", f"{being.name} had a {kin} called {name}." if be == "was" and kin[0] not in "aeiou" else f"{poss} {kin} {be} called {name}.")))
    story.fact([f"What {be} the name of {poss} {kin}?", f"What {be} {poss} {kin} called?", f"Who {be} {poss} {kin}?", f"How {be} {poss} {kin} named?"], [f"{poss} {kin} {be} called {name}."], [f"what {poss} {kin} {be} called"])
    story.fact([f"Who {be} {name}?", f"Who is {name}?"], [f"{name} {be} {poss} {kin}."], [f"who {name} {be}"])


def age(story, r, being, be, were, did):
    what, n = r.choice(MADE), r.choice(things.NUMBERS + ["a hundred", "two hundred", "three hundred", "sixty", "eighty"])
    if f"the {what}" in story.text().lower():
        return
    story.say(f"The {what} {be} {n} years old.")
    story.fact([f"How old {be} the {what}?", f"What {be} the age of the {what}?"], [f"The {what} {be} {n} years old."], [f"how old the {what} {be}"])


def works(story, r, being, be, were, did):
    if being is None or being.kind in beings.TRADES or "work" in being.facts:
        return
    being.facts["work"] = True
    place = story.place(places.ROOMS)
    s = "ed" if be == "was" else "s"
    story.say(r.choice((f"{being.name} work{s} {place.at()}.", f"Every day {being.name} work{s} {place.at()}.")))
    story.fact([f"Where {did} {being.name} work?", f"What {be} {being.name}'s place of work?"], [f"{being.name} work{s} {place.at()}."], [f"where {being.name} work{s}"])


def named_thing(story, r, being, be, were, did):
    what, name = r.choice(("ship", "boat", "inn", "train", "horse", "book", "song", "street", "star", "mountain", "island", "bakery", "kite", "machine", "dragon", "river")), places.place_name(r) if r.random() < 0.5 else "the " + r.choice(things.LOOKS).title() + " " + r.choice(beings.ANIMALS).title()
    if f" {what}" in story.text() or name in story.text():
        return
    story.say(f"The name of the {what} {be} {upper(name)}." if r.random() < 0.4 else f"The {what} {be} called {upper(name)}.")
    story.fact([f"What {be} the {what} called?", f"What {be} the name of the {what}?", f"What's the {what}'s name?", f"How {be} the {what} named?"], [f"The {what} {be} called {upper(name)}."], [f"what the {what} {be} called"])


def weather_now(story, r, being, be, were, did):
    if be != "was" or any(w in story.text().lower() for w in ("rain", "snow", "sun", "wind", "fog", "storm")):
        return
    when, w = r.choice(("that night", "the next morning", "that evening", "at noon", "all day")), r.choice(("it rained", "it snowed", "the wind blew from the north", "there was thick fog", "the sun shone", "it hailed", "there was a thunderstorm"))
    story.say(f"{upper(when)} {w}.")
    story.fact([f"What was the weather like {when}?", "What was the weather like?", f"How was the weather {when}?"], [f"{upper(when)} {w}."])


def two_of_them(story, r, being, be, were, did):
    a, b = new_thing(story, 0), new_thing(story, 0)
    c, d = r.sample(beings.COLOURS, 2)
    story.things.remove(a)
    story.things.remove(b)
    if a.noun == b.noun:
        return
    story.say(r.choice((f"The {a.noun} {be} {c} and the {b.noun} {be} {d}.", f"The {a.noun} {be} {c}, but the {b.noun} {be} {d}.")))
    for thing, colour in ((a, c), (b, d)):
        story.fact([f"What colour {be} the {thing.noun}?", f"What color {be} the {thing.noun}?", f"Which colour {be} the {thing.noun}?"], [f"The {thing.noun} {be} {colour}."], [f"what colour the {thing.noun} {be}"])
        story.fact([f"What {be} {colour}?", f"Which thing {be} {colour}?"], [f"The {thing.noun} {be} {colour}."])


def has_part(story, r, being, be, were, did):
    topic, what = r.choice(TOPICS), r.choice(("song", "book", "poem", "play", "picture", "tale", "dream"))
    if f" {what}" in story.text() or being is None:
        return
    v = r.choice(("sang", "wrote", "read", "loved", "knew", "remembered")) if be == "was" else "knows"
    base = {"sang": "sing", "wrote": "write", "read": "read", "loved": "love", "knew": "know", "remembered": "remember", "knows": "know"}[v]
    if v == "sang":
        what = "song"
    story.say(f"{being.name} {v} a {what} about {topic}.")
    story.fact([f"What {be} the {what} about?", f"What {did} {being.name} {base} a {what} about?"], [f"The {what} {be} about {topic}."], [f"what the {what} {be} about"])
    story.fact([f"Who {v} a {what}?", f"Who {v} the {what}?"], [f"{being.name} {v} a {what} about {topic}."])
