# SPDX-License-Identifier: MIT
"""Other things in a story for its things: a magpie for a crow, six for nine, wherever they are mentioned. What is asked of it has to be read then, and cannot be
known by heart."""
import re

from . import beings, things
from .lexicon import BASES, COLOURS, PAST
from .records import changed
from .things import DIGITS, ODD_PLURALS, article, plural

SHARE = 0.7              # of the words that could be others, so many are
# Other words mean another thing as well, or stand in names and sayings.
NOT_PLAIN = BASES | PAST | set("""orange golden amber rose violet plum coral cream kid chick calf king queen worm bug light march can second glass iron lead
turkey swift kite jay martin robin wren crane ray date chest case trunk bank pupil nail bow wind well tie cap card letter picture map top bell ball book game""".split())


def plain(words):
    """Those of one word whose only other form is a plural with s, and which are no verbs."""
    return sorted({w for w in words if w.isalpha() and w.islower() and w not in NOT_PLAIN and w not in ODD_PLURALS and plural(w) == w + "s"})


KINDS = [plain(words) for words in (beings.ANIMALS, beings.BIRDS, beings.SMALL, things.THINGS, things.FOODS)]
FEW = [word for word, n in DIGITS.items() if n <= 12]
TONES = sorted(COLOURS - NOT_PLAIN)
WORD = re.compile(r"[a-z]+")


def values_of(record):
    """What is a fact or a value of JSON, each in what has it under "value"."""
    return [*record["facts"], *record.get("tasks", ())]


def numbers_in(value):
    """All whole numbers of a value of JSON."""
    if isinstance(value, (list, dict)):
        return set().union(*map(numbers_in, value.values() if isinstance(value, dict) else value))
    return {value} if type(value) is int else set()


def renumbered(numbers, value):
    if isinstance(value, list):
        return [renumbered(numbers, each) for each in value]
    if isinstance(value, dict):
        return {key: renumbered(numbers, each) for key, each in value.items()}
    return numbers.get(value, value) if type(value) is int else value


def others(r, words, kind, most):
    """{word: another of its kind} for some of those that stand there."""
    here = [word for word in kind if word in words or word + "s" in words]
    free = [word for word in kind if word not in here]
    chosen = [word for word in here if r.random() < SHARE][:most]
    return dict(zip(chosen, r.sample(free, len(chosen)))) if len(free) >= len(chosen) else {}


def written_ways(word, new):
    return {way(word): way(new) for way in (str, str.capitalize, str.upper)}


def exchange(r, record):
    """The record with other animals, things, colours and numbers."""
    words = set(WORD.findall(record["text"].lower()))
    new = {}
    for kind in (*KINDS, TONES):
        for word, other in others(r, words, kind, 4).items():
            new.update(written_ways(word, other) | written_ways(word + "s", other + "s"))
    numbers = {}
    if set().union(*(numbers_in(each["value"]) for each in values_of(record))) <= {DIGITS[word] for word in FEW if word in words}:
        counted = others(r, words - {word + "s" for word in FEW}, FEW, 3)
        numbers = {DIGITS[word]: DIGITS[other] for word, other in counted.items()}
        for word, other in counted.items():
            new.update(written_ways(word, other))
    if not new:
        return record
    # between letters of a key nothing is a word by itself: number_of_hens, hensStolen
    pattern = re.compile(r"(?<![A-Za-z])(?:([Aa])n? )?(%s)(?![a-z])" % "|".join(sorted(map(re.escape, new), key=len, reverse=True)))

    def one(found):
        other = new[found.group(2)]
        if not found.group(1):
            return other
        with_article = article(other)
        return with_article[0].upper() + with_article[1:] if found.group(1) == "A" else with_article

    out = changed(lambda text: pattern.sub(one, text), record)
    for each in values_of(out):
        each["value"] = renumbered(numbers, each["value"])
    return out
