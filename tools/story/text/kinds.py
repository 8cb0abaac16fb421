# SPDX-License-Identifier: MIT
"""What everyday things are kinds of, from ../sources/wordnet.py where it is there, and the only sentence of a text that has something of a kind."""
import re

from . import evidence
from .lexicon import DETERMINERS, NUMBERS
from .synonyms import KIND
from .things import plural

KINDS = {}
# How WordNet's kinds are said there where synonyms.py says it otherwise.
ALSO = {"instrument": ["musical instrument"], "jewel": ["piece of jewellery"], "furniture": ["piece of furniture"], "bird": ["bird", "animal"], "insect": ["insect", "animal"],
        "sea animal": ["animal"], "flower": ["flower", "plant"], "tree": ["tree", "plant"]}
MASS = {"weather", "bread", "meat", "cloth"}         # of which there is not one


def know(records):
    """The kinds of WordNet, and those of synonyms.py, where a thing is not among them."""
    KINDS.update((record["sections"][0], record["sections"][1:]) for record in records)
    if KINDS:
        KINDS.update((word, ALSO.get(kind, [kind])) for word, kind in KIND.items() if word not in KINDS and kind != "food")
        KINDS.update((plural(word), kinds) for word, kinds in list(KINDS.items()) if plural(word) not in KINDS)


def of(word):
    """The kinds of a thing or of several, the nearest first."""
    return KINDS.get(word, [])


def named(words, kind):
    """Words of that kind, and the kind itself."""
    return {word for word in words if kind in of(word) or word in (kind, plural(kind))}


def words_of(line):
    """All but names."""
    return re.findall(r"\b[a-z]+", re.sub("[A-Z]", lambda first: first.group().lower(), line, count=1))


def only_one(r, text):
    """(a word, its kind, the only sentence that has something of that kind), or None."""
    lines = [(line, words_of(line)) for line in evidence.sentences(text)]
    r.shuffle(lines)
    everywhere = re.findall(r"[a-z]+", text.lower())
    for line, words in lines:
        things = [word for first, before, word in zip(["", *words], words, words[1:]) if of(word) and {first, before} & (DETERMINERS | NUMBERS)]
        for word in r.sample(things, len(things)):
            kind = r.choice(of(word))
            if named(everywhere, kind) == {word} and everywhere.count(word) == words.count(word):
                return word, kind, line
    return None
