# SPDX-License-Identifier: MIT
"""Noun phrases of plain sentences: where they begin, where they end, and their heads."""
from .lexicon import (BASES, DETERMINERS, DOUBTFUL, FINITE, LINKS, LOOKS, MANY, NUMBERS, OBJECTS, PARTICLES, PAST,
                      PLAIN_ADVERBS, PREPOSITIONS, STOPS, THIRD, TITLES, WHO, adjective)

NOT = {"didn't": "did", "couldn't": "could", "wouldn't": "would", "wasn't": "was", "weren't": "were", "doesn't": "does", "can't": "can", "isn't": "is", "hadn't": "had", "don't": "do"}
# Where a noun phrase ends.
BOUND = PREPOSITIONS | PLAIN_ADVERBS - {"fast", "hard"} | {"even", "just"} | DETERMINERS - {"own", "other"} | LINKS | FINITE | OBJECTS | set(NOT) | {"he", "she", "they", "it", "i", "we", "you", "not", ",", "to", "I", "who", "a", "an", "the", "ago", "later", "away", "back", "up", "down", "out", "again", "too", "home", "here", "there", "then", "very", "sometimes", "always", "never", "perhaps", "maybe", "today", "all", "both", "tomorrow", "yesterday", "everyone", "else"}
VERBAL = FINITE | PAST | set(THIRD) | {"to"}
INFINITIVE = BASES | {"be", "say", "think"}
DANGLING = (STOPS | DETERMINERS) - PARTICLES
DEEDS = BASES - {"hand", "book", "face", "dress", "drink", "work", "name", "house", "watch", "horse", "boat", "box", "dream", "plan", "promise", "love", "head", "foot", "back", "nose", "wish", "garden", "pet"}
MASS = set("water food milk bread money rain snow cheese tea coffee honey wood fire music fun breakfast lunch dinner supper gold silver meat rice sugar salt sand mud grass hay corn soup juice help love football soccer chess tennis cards games hide-and-seek tag friends".split())
TO_PLACES = set("camp school work bed town market church land dinner supper breakfast lunch sea court prison".split())
KIN = set("mom dad mother father sister brother sisters brothers mum friends friend wife children son daughter".split())
DAY = set("monday tuesday wednesday thursday friday saturday sunday".split())


def noun_phrase(w, i, names):
    """(text, where it ends, head) of what begins at w[i], or None."""
    n, first = len(w), w[i]
    low = first.lower()
    if low == "so" and i + 2 < n and w[i + 1] == "many" and w[i + 2].endswith("s"):
        return f"so many {w[i + 2]}", i + 3, w[i + 2]
    if low in OBJECTS and not (low == "her" and i + 1 < n and w[i + 1].isalpha() and w[i + 1] not in BOUND and w[i + 1] not in PARTICLES):
        return first, i + 1, first
    if first in names or first in TITLES and i + 1 < n and w[i + 1].removesuffix("'s") in names or first.removesuffix("'s") in names:
        j = i + 1
        while j < n and not w[j - 1].endswith("'s") and w[j] in names:
            j += 1
        if j < n and not w[j - 1].endswith("'s") and w[j].endswith("'s") and w[j][:-2] in names:
            j += 1
        if not w[j - 1].endswith("'s"):
            return " ".join(w[i:j]), j, w[j - 1]
    elif low in DETERMINERS or low in NUMBERS or low in ("many", "several", "both"):
        j = i + 1
        if j < n and w[j].removesuffix("'s") in names:
            return None
    elif low in MASS or len(low) > 3 and low.endswith("s") and not low.endswith("ss") and low.isalpha() and low not in BOUND and low not in THIRD and low not in LOOKS:
        if first.islower() and i + 2 < n and w[i + 1] == "of":
            inner = noun_phrase(w, i + 2, names)
            return inner and (f"{first} of {inner[0]}", inner[1], inner[2])
        return (first, i + 1, low) if first.islower() and low not in ("lots", "plenty") else None
    elif adjective(low) and i + 1 < n and (w[i + 1] in MASS or w[i + 1].endswith("s") and not w[i + 1].endswith("ss") and w[i + 1] not in THIRD and w[i + 1] not in BOUND and not adjective(w[i + 1])):
        return f"{first} {w[i + 1]}", i + 2, w[i + 1]
    else:
        return None
    start = j
    while j < n and j - start < 5:
        t = w[j]
        if t in BOUND or not (t.isalpha() or t.endswith("'s") or "-" in t) or not t[0].islower():
            break
        if t.endswith("ly") and t not in ("family", "only", "lovely", "friendly", "lonely", "ugly", "silly", "fly", "butterfly", "curly", "elderly", "jelly", "belly", "early", "holy", "bully", "lily", "jolly", "lively"):
            break
        if j > start and t in PAST and t not in DOUBTFUL and not (t.endswith("ed") and j + 1 < n and w[j + 1].isalpha() and w[j + 1] not in BOUND and w[j + 1].islower() and (adjective(w[j - 1]) or w[j - 1] in NUMBERS)):
            break
        j += 1
    if j == start or j - start == 5:
        return None
    head = w[j - 1]
    if j - start > 1 and head in DEEDS and w[j - 2] in WHO:
        return None                     # the fish swim
    if low == "her" and j == i + 2 and head in DEEDS:
        return None                     # helped her look
    if head.endswith("'s") or adjective(head) or head in ("nearer", "farther", "further", "later", "longer", "forward") or head.endswith("er") and (adjective(head[:-2]) or adjective(head[:-1])) or head in NUMBERS or head in DETERMINERS or head == "very" or head.endswith("ed") and head not in ("bed", "shed", "seed", "weed", "hundred", "sled", "reed", "breed", "thread"):
        return None
    if head.endswith("ing") and head not in ("king", "thing", "ring", "wing", "string", "spring", "morning", "evening", "ceiling", "building", "painting", "sling", "wedding", "clothing", "pudding", "meeting", "drawing", "feeling", "nothing", "something"):
        return None
    text = " ".join(w[i:j])
    if j + 1 < n and w[j] in ("named", "called") and w[j + 1][0].isupper():
        return f"{text} {w[j]} {w[j + 1]}", j + 2, head
    if j < n and w[j] == "of":
        inner = noun_phrase(w, j + 1, names) if j + 1 < n else None
        if not inner:
            return None
        return f"{text} of {inner[0]}", inner[1], head if head not in ("lot", "piece", "pair", "kind", "sort", "cup", "glass", "bowl", "basket", "bag", "box", "group") else inner[2]
    return text, j, head


def joined(w, i, names):
    """A noun phrase, with another one behind "and" if no verb follows that."""
    found = noun_phrase(w, i, names)
    if not found:
        return None
    text, j, head = found
    if j + 1 < len(w) and w[j] == "and":
        if w[j + 1] in KIN and (j + 2 == len(w) or w[j + 2] in BOUND):
            return f"{text} and {w[j + 1]}", j + 2, head + "+" + w[j + 1]
        other = noun_phrase(w, j + 1, names)
        if other and (other[1] == len(w) or w[other[1]] not in PAST and w[other[1]] not in THIRD and w[other[1]] not in FINITE and w[other[1]] not in ("never", "also", "then", "always") and not w[other[1]].endswith("ly")):
            if other[2] in ("he", "she", "it"):
                return found
            return f"{text} and {other[0]}", other[1], head + "+" + other[2]
    return found


def being(head):
    head = head.split("+")[0]
    low = head.lower()
    return low in WHO or low in MANY or low.endswith("s") and low[:-1] in WHO or low.endswith(("man", "lord", "lady", "mother", "father", "maid", "herd", "master", "keeper"))
