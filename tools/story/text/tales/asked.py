# SPDX-License-Identifier: MIT
"""Requests in many forms (forms.py), each for what is in the tale: its hero, names, things, places, words."""
import re

from . import forms, words as w
from .guests import GUEST
from .requests import KEYWORDS
from .templates import fix_article

ADJ = """short|short|short|short|little|sweet|nice|lovely|gentle|cosy|simple|good|new|cheerful|heartwarming|very short|happy little|short and sweet""".split("|")
OCCASION = """for bedtime|before bed|for my class|for tonight|for story hour|for a rainy afternoon|for the long drive|for children of five|for my little ones|
for my daughter's birthday party|for the whole family|to read aloud|for a child with a cold|for our reading corner|for beginning readers|
for two sleepy kids|for the last ten minutes of school|for a sleepover|with a happy ending|that ends well|that makes me smile""".replace("\n", "").split("|")
BEFORE = ("Hi! ", "Hello. ", "Hi there, ", "Hey, ", "Good evening. ", "Bedtime! ", "Okay, ", "One more thing. ", "So, ", "Now then. ", "Right. ",
          "Good morning! ", "It's raining. ", "I'm back. ")
AFTER = (" Keep it short.", " Not too long, please.", " It's for bedtime.", " It is for my class.", " A happy end, please!", " Thanks!",
         " Thank you.", " My kids are four and six.", " Please use easy words.", " A short one will do.",
         " It's for a birthday.", " We have five minutes.", " I'm all ears.", " It's for my sister's class.", " Make it nice.", " Thanks a lot!",
         " Just a few paragraphs.", " It doesn't have to be long.", " The kids are waiting.")
PETS = set("rabbit mouse kitten puppy cat dog pony horse parrot hamster turtle duck goat lamb hedgehog fish donkey sheep cow pig calf goose canary tortoise snail".split())
THE = set("sea ocean moon sun sky night wind woods stars".split())
BARE = set("rain snow fog thunder dice scissors".split())
ONE_S = ("ss", "us")                                        # a bus and a compass are one
# the noun itself and not the first half of another: what may stand behind it
NOUN = re.compile(r"\b(?:a|an|the|his|her|their) (?:\w+ )?(\w+)(?=[.,!?;:\"]| (?:and|or|in|on|of|to|was|is|with|by|for|at|that|until|so|then|came|said|who|had|from|again|too)\b)")
COUNTED = ("obj", "animal", "foodone", "place", "person", "sky")

RAW = (forms.CHILD,)
GROUPS = (forms.HERO, forms.NAMED, forms.NAME_ONLY, forms.PAIR, forms.KINDS, forms.THINGS, forms.FULL, forms.PLACE, forms.WORDS, forms.ABOUT, forms.TITLE, forms.LESSON,
          forms.TASTE, forms.HOME, forms.PET, forms.CHILD, forms.POLITE, forms.NOTHING)
RARE = {forms.TASTE: 10, forms.HOME: 10, forms.KINDS: 5, forms.PET: 8}    # few tales have what these name
_slot = re.compile(r"\{(\w+)\}")


def parts(group):
    return [(form, frozenset(_slot.findall(form)), "the {K}" in form) for form in group]


ALL = [(group in RAW, RARE.get(group, 1), group is forms.PET, parts(group)) for group in GROUPS]
AGAIN = [(False, 1, False, parts(forms.AGAIN))]
THINGS = frozenset(("t", "u", "p", "list", "several", "words"))


def phrase(r, word):
    """A noun with its article, if it has one."""
    if re.match("an? ", word) or word in BARE:
        return word
    if word in THE:
        return "the " + word
    if GUEST.get(word) == "food" or word in w.FOODS or (word.endswith("s") and not word.endswith(ONE_S)):
        return word if r.random() < 0.6 else "some " + word
    return re.sub(r"\b([Aa]n?)( )([A-Za-z]+)", fix_article, "a " + word)


def apart(word, others):
    """Whether a word is no part of another, nor one of its own: a boat and a toy boat are one."""
    return not any(word in x.split() or x in word.split() or x == word or x.rstrip("s") == word.rstrip("s") for x in others)


class Known:
    """What a tale has, each handed out once: words that were put into it first."""

    def __init__(self, r, told):
        text = told["text"]
        self.r, self.told, self.text, self.named = r, told, text, []
        guests, things = list(told["guests"]), dict(told["things"])
        taken = [told["K"], told["MK"], "boy", "girl"]
        things.pop("color", None)
        more = sorted({x for x in NOUN.findall(text) if GUEST.get(x) in COUNTED})
        own = list(things.values())
        for part in (guests, own, more):
            r.shuffle(part)
        self.nouns = []
        for word in guests + own + more:
            if GUEST.get(word) in ("feel", "look", "verb") or not apart(word, taken):
                continue
            taken.append(word)
            self.nouns.append(word)
        self.places = [x for x in self.nouns if GUEST.get(x) == "place" or x == things.get("place")]
        spoken = sorted(KEYWORDS.intersection(re.findall(r"\b[a-z]+\b", text)))
        added = [x for x in told["words"] if x not in guests and not x.startswith("a ")]
        self.bare = guests + added + r.sample(spoken, min(8, len(spoken)))
        self.hero = "" if re.search(r"\b%s\b" % told["K"], text, re.I) is None else told["K"]
        m = told["M"] if re.search(r"\b%s\b" % told["M"], text) else ""
        said = m and re.search(r"%s(?:,| was| the)[^.]{0,25}\b%s\b|\b%s (?:named|called) %s" % (m, told["MK"], told["MK"], m), text)
        theme = told["theme"]
        subject = [x.rstrip("s") for x in re.findall("[a-z]+", theme.lower())]
        title = re.findall("[a-z]+", told["title"].lower())
        fits = lambda xs: all(re.search(r"\b" + x, text, re.I) for x in xs if x in KEYWORDS or x in GUEST or x in w.ANIMALS)
        self.fixed = {
            "n": told["N"], "m": m, "k": told["a_kind"] if self.hero else "", "K": self.hero, "lv": told["lv"] or "", "city": told["city"] or "",
            "mk": phrase(r, told["MK"]) if said and told["MK"] != told["K"] else "", "theme": theme if fits(subject) else "",
            "title": told["title"] if fits(title) and (m or told["M"] not in told["title"]) else "",
            "moral": "" if re.match("everyone|small friends", told["moral"]) else told["moral"],
            "adj": r.choice(ADJ), "occ": r.choice(OCCASION), "count": str(50 * round(len(text.split()) / 50)),
        }

    def has(self, needs):
        if any(not self.fixed[x] for x in needs if x in self.fixed) or ("p" in needs and not self.places):
            return False
        if "words" in needs and len(self.bare) < len(needs & THINGS) + 3:
            return False
        return len(self.nouns) >= len(needs & THINGS) - ("words" in needs) + ("several" in needs)

    def keep(self, needs):
        """A place that is asked for as one is kept from what comes before it."""
        if "p" in needs:
            self.nouns.remove(self.places[0])

    def noun(self, name="t"):
        word = self.places[0] if name == "p" else self.nouns.pop(0)
        self.named.append(re.sub("^an? ", "", word))
        return word

    def words(self, count):
        r = self.r
        xs = []
        for x in self.bare:
            if len(xs) < count and apart(x, xs + self.named + [self.hero]):
                xs.append(x)
        r.shuffle(xs)
        self.named += xs
        return xs

    def slot(self, name, alone):
        r = self.r
        if name in ("list", "several"):
            count = min(r.choice((2, 2, 3, 3, 4) if name == "several" else (1, 2, 2, 3, 3, 4) if alone else (1, 1, 2, 2, 3)), len(self.nouns))
            xs = [self.noun() for _ in range(count)]
            r.shuffle(xs)
            return joined(r, [phrase(r, x) for x in xs])
        if name == "words":
            return joined(r, self.words(r.choice((2, 3, 3, 3, 4, 4) if alone else (1, 2, 2, 3))), True)
        if name in ("t", "u", "p"):
            return phrase(r, self.noun(name))
        value = self.fixed[name]
        if name in ("n", "m", "K", "lv"):
            self.named.append(value)
        elif name in ("k", "mk", "city"):
            self.named += value.split(" ")[1:] if value.split(" ")[0] in ("a", "an") else [value]
        return value


def joined(r, xs, bare=False):
    if len(xs) < 2:
        return "".join(xs)
    if bare and r.random() < 0.45:
        return r.choice((", ", ", ", " ", " / ", " + ", "; ", ",", " - ")).join(xs)
    if r.random() < 0.12:
        return r.choice((" and ", ", ")).join(xs)
    return ", ".join(xs[:-1]) + (", and " if len(xs) > 2 and r.random() < 0.4 else " and ") + xs[-1]


def filled(form, known, raw):
    needs = set(_slot.findall(form))
    alone = not needs & {"k", "n", "t", "p", "theme"}
    known.keep(needs)

    def put(match):
        value = known.slot(match.group(1), alone)
        begins = match.start() == 0 or form[:match.start()].endswith((". ", "! ", "? "))
        return value[:1].upper() + value[1:] if begins and not raw else value
    return _slot.sub(put, form)


LABELS = {
    "k": ("hero", "main character", "character", "who", "about", "hero of the story"), "n": ("name", "name of the hero", "called", "hero's name", "hero is called"),
    "p": ("place", "where", "location", "has to come up"), "t": ("thing", "with", "must have", "in it", "also", "don't forget"),
    "list": ("things", "in the story", "include", "with", "should have"), "words": ("words", "use", "words to use", "use the words"),
    "moral": ("lesson", "moral", "it should teach"), "m": ("other name", "also in it", "second character"),
}
ORDER = """Write a story|Story wish|Story order|Please write a story|New story|My story|Story request|Story plan|I want a story|Story please|Story for tonight|Tell me a story|
Ideas for a story|short story|Bedtime story""".replace("\n", "").split("|")


def listed(r, known):
    """What is wished for as a list: with or without labels, in any order, like a telegram or a form."""
    can = [x for x in LABELS if known.has(frozenset((x,)))]
    first = "k" if r.random() < 0.7 and "k" in can else "n"
    left_out = ("list", "words") if r.random() < 0.5 else ("t", "p")      # a list takes all the things that there are
    rest = [x for x in can if x != first and x not in left_out]
    names = [first] + r.sample(rest, min(len(rest), r.choice((1, 1, 2, 2, 3))))
    while not known.has(frozenset(names)):
        names.pop()
    known.keep(names)
    r.shuffle(names)
    order, x = r.choice(ORDER), r.random()
    plain = lambda s: re.sub(r"\b(?:an?|some) ", "", s) if r.random() < 0.6 else s
    values = [(name, plain(known.slot(name, False))) for name in names]
    values = [(name, value) for name, value in values if value]
    if x < 0.3:                                             # a telegram
        sep = r.choice((", ", ". ", " / ", " - ", "; ", ", ", " + "))
        xs = [value for _, value in values]
        row = sep.join(xs)
        return r.choice((f"{order}: {row}", f"{row}{sep}story", f"Story{sep}{row}", f"{row}. Story, please.", f"story {row}"))
    marks = [(r.choice(LABELS[name]), value) for name, value in values]
    colon = r.choice((": ", ": ", ": ", " = ", " - ", ":"))
    if x < 0.65:                                            # one below the other
        item = r.choice(("", "", "- ", "* ")) if colon != " - " else ""
        big = r.random() < 0.6
        rows = [item + (label[0].upper() + label[1:] if big else label) + colon + value for label, value in marks]
        if r.random() < 0.2:
            rows = [f"{i + 1}. {value}" for i, (_, value) in enumerate(values)]
        rows = [order + r.choice((":", "", "."))] + rows if r.random() < 0.8 else rows + ["Write the story."]
        return "\n".join(rows)
    sep = r.choice((", ", ". ", "; ", ", "))
    row = sep.join((label[0].upper() + label[1:] if sep == ". " else label) + colon + value for label, value in marks)
    first = row[0].upper() + row[1:]
    return r.choice((f"{order}. {first}.", f"{order}, {row}", f"{first}. Please write the story.", f"{order} ({row})"))


def typed(r, text, raw):
    """As people type it: at times without capitals or a full stop, or with nothing else."""
    x = r.random()
    if x < 0.1 or (raw and x < 0.6):
        text = text.lower()
    elif x < 0.11:
        return text.upper()
    return text.rstrip(".") if r.random() < 0.12 else text


def request(r, told, again=False):
    """(request, the words it names), all of which the tale has. again: one that follows another tale."""
    known = Known(r, told)
    if not again and r.random() < 0.13:
        return typed(r, listed(r, known), False), known.named
    # words that were put into the tale are asked for, most of the time, and forms without any come up as often elsewhere
    wanted = r.random() < (0.7 if told["guests"] else 0.25)
    fits, has = [], {}
    for raw, weight, pet, group in AGAIN if again else ALL:
        if pet and known.hero not in PETS:
            continue
        for form, needs, called in group:
            if needs not in has:
                has[needs] = bool(needs & THINGS) == wanted and known.has(needs)
            if has[needs] and not (called and known.hero in ("boy", "girl")):
                fits.append((weight, form, raw))
    if not fits:
        return request(r, told, again)
    _, form, raw = r.choices(fits, [x[0] for x in fits])[0]
    text = filled(form, known, raw)
    if not raw and len(text) < 110 and not text.islower() and "\n" not in text:
        if not again and r.random() < 0.08:
            before = r.choice(BEFORE)
            own = re.match(r"I\b|[\"']", text) or text.startswith((told["N"], told["M"]))
            text = before + (text[0].lower() + text[1:] if before.endswith(", ") and not own else text)
        if "{occ}" not in form and r.random() < 0.12:
            text += ("" if text[-1] in ".!?" else ".") + r.choice(AFTER)
    return typed(r, text, raw), known.named
