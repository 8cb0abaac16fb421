# SPDX-License-Identifier: MIT
"""Beings, things and places of one story, and the words that stand for them."""
from . import beings, things, places

PRONOUNS = {"she": ("she", "her", "her", "herself"), "he": ("he", "him", "his", "himself"), "it": ("it", "it", "its", "itself"),
            "they": ("they", "them", "their", "themselves"), "i": ("I", "me", "my", "myself")}


class Being:
    """Somebody: a name or none, a kind ("hedgehog", "baker", "girl"), what is said of them."""

    def __init__(self, kind, name=None, gender="she", trait=None, colour=None):
        self.kind, self.name, self.gender, self.trait, self.colour = kind, name, gender, trait, colour
        self.many, self.tells = False, False
        self.is_person = True
        self.facts, self.told = {}, set()

    def noun(self, full=False):
        words = [self.trait if full else None, self.colour if full else None, self.kind]
        return " ".join(word for word in words if word)

    def a(self, full=True):
        return things.article(self.noun(full))

    def the(self, full=False):
        """How the story, questions and answers call them."""
        if self.name:
            return self.name
        if self.kind.startswith(("my ", "her ", "his ")):
            return self.kind
        return "the " + self.noun(full)

    def obj(self):
        return self.the()

    def pronoun(self, case=0):
        return PRONOUNS[self.gender][case]


class Group(Being):
    """Two who do something together."""

    def __init__(self, first, second):
        super().__init__("two", None, "they")
        self.both, self.many = (first, second), True

    def the(self, full=False):
        return f"{self.both[0].the()} and {self.both[1].the()}"


class Teller(Being):
    """Who tells the story: I in it, the narrator in what is said about it."""

    def __init__(self, kind, gender):
        super().__init__(kind, None, "i")
        self.real = gender

    def the(self, full=False):
        return "the narrator"


class Thing:
    def __init__(self, noun, colour=None, material=None, look=None, size=None, count=None, owner=None, dish=False):
        self.noun, self.colour, self.material, self.look, self.size = noun, colour, material, look, size
        self.count, self.owner, self.dish = count, owner, dish
        self.many = bool(count) or noun in things.PAIRS
        self.is_person = False
        self.told = False
        self.gender = "they" if self.many else "it"
        self.facts = {}

    def bare(self, full=True):
        noun = things.plural(self.noun) if self.count else self.noun
        words = [self.look, self.size, self.colour, self.material] if full else []
        return " ".join([word for word in words if word] + [noun])

    def a(self, full=True):
        if self.count:
            return f"{self.count} {self.bare(full)}"
        if self.dish or self.noun in things.PAIRS:
            return "some " + self.bare(full)
        return things.article(self.bare(full))

    def the(self, full=False):
        return "the " + self.bare(full)

    def short(self, r):
        """With one word or none beside the noun."""
        words = [word for word in (self.look, self.size, self.colour, self.material) if word]
        return "the " + (r.choice(words) + " " if words and r.random() < 0.3 else "") + self.bare(False)

    def pronoun(self, case=0):
        return PRONOUNS[self.gender][case]


class Place:
    def __init__(self, prep, noun, look=None, proper=False):
        self.prep, self.noun, self.look, self.proper = prep, noun, look, proper
        self.told = False
        self.many = False

    def the(self):
        return self.noun if self.proper else "the " + self.noun

    def at(self, full=False):
        if self.proper:
            return f"{self.prep} {self.noun}"
        look = self.look + " " if full and self.look else ""
        return f"{self.prep} the {look}{self.noun}"

    def to(self):
        return "to " + self.the()


def make_thing(r, kind=None, rich=0.7):
    """A random thing; kind is food, dish, or None."""
    if kind == "dish":
        return Thing(r.choice(things.DISHES), dish=True)
    noun = r.choice(things.FOODS) if kind == "food" else r.choice(things.THINGS)
    thing = Thing(noun if kind or r.random() > 0.03 else beings.invented_word(r, 2))
    if r.random() < 0.13:
        thing.count, thing.many, thing.gender = r.choice(things.NUMBERS), True, "they"
    if r.random() < rich:
        x = r.random()
        if x < 0.42:
            thing.colour = r.choice(beings.COLOURS)
        elif x < 0.62 and not kind:
            thing.material = r.choice(things.MATERIALS)
        elif x < 0.82:
            thing.look = r.choice(things.LOOKS)
        else:
            thing.size = r.choice(things.SIZES)
        if r.random() < 0.25:
            if not thing.look:
                thing.look = r.choice(things.LOOKS)
            elif not thing.colour:
                thing.colour = r.choice(beings.COLOURS)
    return thing


def make_being(r, used=(), named=0.75, kind=None):
    """A random being with a name and kind that nobody in `used` has."""
    for _ in range(20):
        gender = r.choice(("she", "he"))
        x = r.random()
        if kind:
            what = kind
        elif x < 0.42:
            what = r.choice(r.choice((beings.ANIMALS, beings.ANIMALS, beings.BIRDS, beings.SMALL)))
        elif x < 0.55:
            what = r.choice(beings.CREATURES)
        elif x < 0.78:
            what = r.choice(beings.TRADES)
        elif x < 0.95:
            what = "girl" if gender == "she" else "boy"
        else:
            what = "old woman" if gender == "she" else "old man"
        animal = 0 <= x < 0.55 and not kind
        name = None
        if r.random() < named:
            y = r.random()
            if y < 0.15:
                name = beings.invented_name(r)
            elif animal and y < 0.45:
                name = r.choice(beings.PETS)
            else:
                name = r.choice(beings.GIRLS if gender == "she" else beings.BOYS)
        trait = r.choice(beings.TRAITS) if r.random() < 0.6 else None
        colour = r.choice(beings.COLOURS) if animal and r.random() < 0.2 else None
        being = Being(what, name, gender, trait, colour)
        if any(other.name == name and name or other.kind == what for other in used):
            continue
        if what in ("king", "mayor", "monk", "fisherman", "milkman", "postman", "signalman", "stable boy"):
            being.gender = "he"
            if name in beings.GIRLS:
                being.name = r.choice(beings.BOYS)
        if what in ("queen", "ballerina", "midwife", "mermaid", "dairymaid", "seamstress", "cow", "hen"):
            being.gender = "she"
            if name in beings.BOYS:
                being.name = r.choice(beings.GIRLS)
        if any(other.name == being.name and being.name for other in used):
            continue
        return being
    return being


def make_place(r, used=(), kinds=None):
    for _ in range(20):
        x = r.random()
        if x < 0.1 and not kinds:
            place = Place("in", places.place_name(r), proper=True)
        else:
            prep, nouns, _ = r.choices(places.KINDS, places.WEIGHTS)[0]
            prep, noun = r.choice(kinds) if kinds else (prep, r.choice(nouns))
            look = None
            if r.random() < 0.3 and " " not in noun:
                look = r.choice(places.LOOKS if prep == "in" and noun in places.WIDE else ("old", "big", "little", "small", "white", "broken"))
            place = Place(prep, noun, look)
        if all(other.noun.split()[-1] != place.noun.split()[-1] for other in used):
            return place
    return place
