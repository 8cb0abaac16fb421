# SPDX-License-Identifier: MIT
"""Plain sentences taken apart: clauses of a subject, a verb and the pieces behind it. What is not surely understood is None."""
import re

from .lexicon import (BASE, BASES, BE, BEFORE_VERB, DETERMINERS, DONE, DOUBTFUL, FINITE, LINKS, LOOKS, MANY, NUMBERS,
                      OBJECTS, PARTICLES, PAST, PLAIN_ADVERBS, PREPOSITIONS, PRONOUNS, THIRD, TITLES, adjective)
from .noun_phrases import BOUND, DANGLING, DAY, DEEDS, INFINITIVE, NOT, TO_PLACES, VERBAL, joined, noun_phrase

TOKEN = re.compile(r"(?:Mrs?|Dr)\.|[A-Za-z][A-Za-z'-]*|,|\d+|[^\sA-Za-z,]+")
HELPS = {"could", "would", "should", "must", "might", "can", "will"}


class Clause:
    """`finite` is the verb as it stands ("had eaten"); a question has `help` ("had") before the subject and `lemma` ("eaten") behind it."""
    __slots__ = ("subject", "finite", "help", "lemma", "base", "negative", "adverb", "pieces", "whole", "link", "tail", "shape", "shared", "said", "open")

    def text(self, until=None):
        return " ".join(p[1] for p in self.pieces[:until])


def pieces(w, i, names, tells=False):
    """(pieces from w[i] on, where they end, whether all was understood): each is (kind, text, ...)."""
    out, n = [], len(w)
    while i < n:
        t = w[i]
        if t == "," or t in ("and", "but", "because", "when", "after", "before", "until", "while", "so", "if", "who", "which", "where", "though", "although", "since", "unless", "till", "or", "than") and not (t == "so" and i + 1 < n and (adjective(w[i + 1]) or w[i + 1] in ("many", "much", "well", "hard", "far"))) and not (t in ("before", "after") and i + 1 < n and noun_phrase(w, i + 1, names) and clause_free(w, i + 1, names)):
            if t in ("who", "which", "where", "than", "or"):
                return out, n, False
            return out, i, True
        if t == "for" and i + 1 < n and w[i + 1] in ("he", "she", "they", "it"):
            w[i] = "because"
            return out, i, True
        if t == "as":
            return out, i, i + 1 < n and w[i + 1] in ("he", "she", "they", "the")
        if t == "to" and i + 1 < n and w[i + 1] in TO_PLACES and (i + 2 == n or w[i + 2] in BOUND):
            out.append(("pp", f"to {w[i + 1]}", "to", w[i + 1], w[i + 1]))
            i += 2
            continue
        if t == "to" and i + 1 < n and w[i + 1] in INFINITIVE:
            j = i + 2
            while j < n and w[j] not in (",", "because", "when", "after", "before", "until", "while", "but", "as") and not (w[j] == "so" and j + 1 < n and (w[j + 1] in ("that", "he", "she", "they", "it", "the") or w[j + 1] in names)):
                if w[j] == "and" and j + 1 < n and (w[j + 1] in PAST or w[j + 1] in NOT or w[j + 1] in FINITE or w[j + 1] in ("he", "she", "they", "it", "the", "then", "then") or w[j + 1] in names or w[j + 1].endswith("ly")):
                    break
                j += 1
            text = " ".join(w[i:j])
            if j < n and w[j] == "as" and w[j - 1] == "do":
                return out, n, False
            if w[j - 1] in DANGLING:
                return out, n, False
            out.append(("inf", text, w[i + 1]))
            i = j
            continue
        if t in ("that", "how", "what", "why", "whether") and (t != "that" or i + 1 < n and (w[i + 1] in ("he", "she", "they", "it", "the", "his", "her", "there") or w[i + 1] in names)):
            j = i + 1
            while j < n and w[j] not in (",", "because", "but") and not (w[j] == "so" and j + 1 < n and w[j + 1] in ("he", "she", "they", "it", "the", "that")) and not (w[j] == "and" and j + 1 < n and (w[j + 1] in PAST and w[j + 1] not in DOUBTFUL or w[j + 1] in ("he", "she", "they") or w[j + 1] in names)):
                j += 1
            if j - i < 3 or w[j - 1] in DANGLING or VERBAL.isdisjoint(w[i:j]):
                return out, n, False
            behind = out and out[-1][0] in ("np", "pp") and not tells
            out.append(("rel" if t == "that" and behind else "that" if t == "that" else "how", " ".join(w[i:j]), t))
            i = j
            continue
        if t in PREPOSITIONS or t in ("next", "because", "after", "before", "instead", "away", "back", "outside"):
            j, words = i + 1, t
            while j < n and w[j] in ("of", "to", "from", "in", "front", "into", "at", "with", "on", "top", "behind", "under", "by") and j - i < 3:
                if w[j] in ("front", "top") and (j + 1 >= n or w[j + 1] != "of"):
                    break
                if w[j] == "to" and j + 1 < n and w[j + 1] in BASES and w[j + 1] not in names:
                    break
                words += " " + w[j]
                j += 1
            found = joined(w, j, names) if j < n else None
            if found:
                out.append(("pp", f"{words} {found[0]}", words, found[0], found[2]))
                i = found[1]
                continue
            if j < n and w[j].endswith("ing") and w[j][:-3] in BASES | {"be"} and t in ("by", "without", "after", "before", "of", "for", "about"):
                return out, n, False
            if t in PARTICLES or t in ("away", "back", "outside", "down"):
                out.append(("adv", t))
                i += 1
                continue
            if words in ("at once", "at last", "for ever", "in front"):
                out.append(("adv", words))
                i = j
                continue
            if words in ("in", "at", "on", "by", "after", "before", "since") and j < n and (w[j].lower() in DAY or w[j] in ("school", "night", "noon", "midnight", "spring", "summer", "autumn", "winter", "bed", "home", "dawn", "dusk", "dinner", "breakfast", "lunch", "supper", "sunset")):
                out.append(("pp", f"{words} {w[j]}", words, w[j], w[j].lower()))
                i = j + 1
                continue
            if words == "to" and j < n and w[j] in ("bed", "school", "sleep", "work", "church", "town"):
                out.append(("pp", f"to {w[j]}", words, w[j], w[j]))
                i = j + 1
                continue
            return out, n, False
        if t.endswith("ly") and t not in ("reply", "supply", "butterfly", "belly", "jelly", "lily", "folly", "bully", "July", "only", "nearly", "family", "hardly", "fly", "friendly", "lovely", "ugly", "lonely", "silly", "early"):
            out.append(("ly", t))
            i += 1
            continue
        if t in ("very", "so", "too", "quite") and w[i + 1:i + 2] != ["many"] and i + 1 < n and (adjective(w[i + 1]) or w[i + 1] in ("much", "well", "hard", "far")):
            out.append(("adj" if adjective(w[i + 1]) and w[i + 1] != "much" else "adv", f"{t} {w[i + 1]}", w[i + 1]))
            i += 2
            continue
        if t in PLAIN_ADVERBS or t == "early":
            out.append(("adv", t))
            i += 1
            continue
        found = joined(w, i, names)
        if found:
            head = found[2]
            # what follows a noun phrase without a word between them is another one or a clause about it
            out.append(("when" if head in ("day", "morning", "night", "evening", "week", "year", "times", "days", "hours", "minutes", "afternoon", "summer", "winter") and t in ("every", "each", "the", "that", "all", "one", "many", "three", "two", "seven") else "np", found[0], head))
            i = found[1]
            continue
        if adjective(t) and t.isalpha() and (i + 1 == n or w[i + 1] in BOUND or w[i + 1] in ("and", "enough")):
            j = i + 1
            if j + 1 < n and w[j] == "and" and adjective(w[j + 1]) and (j + 2 == n or w[j + 2] in BOUND):
                j += 2
            out.append(("adj", " ".join(w[i:j]), t))
            i = j
            continue
        return out, n, False
    return out, n, True


def clause_free(w, i, names):
    """Whether what follows "before" or "after" is a noun phrase without a verb."""
    found = noun_phrase(w, i, names)
    return found[0].lower() not in OBJECTS and (found[1] == len(w) or w[found[1]] not in VERBAL)


def verb_at(w, i, names, plural):
    """(finite, help, lemma, base, negative, adverb, where the pieces begin), or None."""
    n, adverb, negative = len(w), "", False
    while i < n and (w[i] in BEFORE_VERB or w[i].endswith("ly") and w[i].islower() and w[i] not in ("fly", "family")):
        adverb = f"{adverb} {w[i]}".strip()
        i += 1
    if i >= n:
        return None
    t = w[i]
    if t in NOT:
        t, negative = NOT[t], True
    elif i + 1 < n and w[i + 1] == "not" and (t in BE or t in HELPS or t in ("did", "does", "had", "do")):
        negative = True
    shown = w[i] + (" not" if negative and t == w[i] else "")
    j = i + 1 + (1 if negative and t == w[i] else 0)
    no = " not" if negative else ""
    if t in BE:
        while j < n and (w[j] in ("still", "just", "also", "always") ):
            shown += " " + w[j]
            j += 1
        if j < n and w[j].endswith("ing") and w[j] not in ("nothing", "something", "king", "willing", "charming", "amazing", "interesting", "exciting", "boring", "missing"):
            return f"{shown} {w[j]}", t, w[j], "doing", negative, adverb, j + 1
        if j < n and (w[j] in DONE or w[j].endswith("ed")) and not adjective(w[j]) and (j + 1 < n and w[j + 1] in ("by", "to", "in", "into", "with", "on", "from", "of", "for", "at")):
            return f"{shown} {w[j]}", t, w[j], "done", negative, adverb, j + 1
        return shown, t, "", "be", negative, adverb, j
    if t in HELPS or t in ("did", "does"):
        if t in ("did", "does") and not negative:
            return None
        while j < n and (w[j] in ("never", "only", "always", "still", "also", "just") or w[j].endswith("ly")):
            return None
        if j < n and (w[j] in INFINITIVE):
            return f"{shown} {w[j]}", t, w[j], w[j], negative, adverb, j + 1
        return None
    if t == "had" and (negative or j < n and w[j] in DONE or j < n and w[j] in ("been", "never", "already", "just", "always", "once")):
        while j < n and w[j] in ("never", "already", "just", "always", "once", "only"):
            shown += " " + w[j]
            negative = negative or w[j] == "never"
            j += 1
        if j < n and w[j] in DONE and w[j] != "been":
            return f"{shown} {w[j]}", "had", w[j], DONE[w[j]], negative, adverb, j + 1
        return None
    if t in BASE and t != "used":
        return t, "did", BASE[t], BASE[t], False, adverb, i + 1
    if t in THIRD and not plural:
        return t, "does", THIRD[t], THIRD[t], False, adverb, i + 1
    return None


def clauses(sentence, names):
    """Clauses of a sentence, in order, as far as they are understood; each knows the link before it and the subject it shares with the one before."""
    w = TOKEN.findall(sentence.rstrip(".!"))
    out, i, link, subject, shape, n, heard = [], 0, "", None, None, len(w), -1
    if not w:
        return out
    if w[0] in ("When", "After", "Before", "While", "Because", "Until", "As", "Once"):
        link, i = w[0].lower(), 1
        if w[0] == "As" and w[1:3] == ["soon", "as"]:
            link, i = "as soon as", 3
    elif w[0] in ("Then", "So", "But", "And", "Suddenly", "Finally", "Soon", "Later", "Now") and n > 3:
        i = 2 if w[1] == "," else 1
    fronted = link if i and link else ""
    while i < n:
        shared = False
        start = i
        verb = None
        if subject and link in ("and", "but", "then", ",") and (w[i] in PAST or w[i] in THIRD or w[i] in FINITE or w[i] in NOT or w[i].endswith("ly") or w[i] in BEFORE_VERB):
            verb, shared = verb_at(w, i, names, shape == "many"), True
        else:
            found = subject_at(w, i, names)
            if found:
                subject, i, shape = found
                verb = verb_at(w, i, names, shape == "many")
        if not verb:
            break
        c = Clause()
        c.finite, c.help, c.lemma, c.base, c.negative, c.adverb, i = verb
        c.subject, c.shape, c.shared, c.link = subject, shape, shared, link
        c.pieces, end, c.whole = pieces(w, i, names, c.base in ("tell", "remind", "teach", "show", "promise", "warn", "assure"))
        if c.base in ("watch", "see", "hear", "let", "make", "help", "feel", "like", "love") and any(p[0] == "np" and p[1].count(" ") > 1 and p[2] in DEEDS for p in c.pieces):
            c.whole = False             # watched his food run
        if c.base == "let" or c.base in ("make", "see", "hear", "watch", "help") and end + 2 < n and w[end] == "and" and w[end + 2] in DEEDS:
            c.whole = False             # let Ann and Tom read
        if shared and out[-1].pieces and out[-1].pieces[-1][0] == "rel":
            break                       # it may go on about what that is
        c.said = " ".join(w[start:end]).replace(" ,", ",")
        c.tail = " ".join(w[i:end]).replace(" ,", ",")
        # a list may go on behind a comma
        c.open = end < n and (w[end] == "," and not (end + 1 < n and (w[end + 1] in LINKS or w[end + 1].endswith("ing") or w[end + 1].lower() in ("he", "she", "they", "it"))))
        if c.whole and not c.pieces and end < n and w[end] not in (",", "and", "but", "when", "because", "so", "until", "while", "as", "after", "before"):
            c.whole = False
        out.append(c)
        if not c.whole:
            break
        i = end
        if i >= n:
            break
        link = w[i]
        i += 1
        if link == ",":
            if i < n and w[i] in ("and", "but", "so", "because", "when", "until", "while", "as", "after", "before", "then", "for"):
                # "for" behind a comma gives a reason, as old books have it
                link = "because" if w[i] == "for" else w[i]
                i += 1
            elif fronted:
                link = "main"
        if link == "so" and i < n and w[i] == "that":
            link, i = "so that", i + 1
        if link in ("and", "but") and i < n and w[i] == "then":
            i += 1
        if link in ("and", "but", "so") and i < n and w[i] in ("when", "because", "while", "as"):
            break
        fronted = fronted if link != "main" else ""
        heard = len(out)
    else:
        return out
    # a list goes on behind "and" with what is no clause
    if out and len(out) == heard and link in ("and", "or", ","):
        out[-1].open = out[-1].open or link != ","
    return out


def subject_at(w, i, names):
    """(text, where it ends, one or many) of what does something, or None."""
    t = w[i]
    if t in ("The", "That", "This") and w[i + 1:i + 2] in (["day"], ["moment"], ["minute"], ["problem"], ["time"], ["way"], ["reason"], ["fact"], ["truth"], ["only"]):
        return None                     # the day my uncle came; the reason is that
    if t.capitalize() in PRONOUNS:
        return t.lower(), i + 1, "many" if t.lower() == "they" else "one"
    if t == "There" or t == "there":
        return "there", i + 1, "one"
    v = w
    if t in ("Everyone", "Everybody", "Nobody", "Someone", "Somebody", "Something", "Nothing", "Everything"):
        v = [t.lower()] + w[1:]
        return v[0], i + 1, "one"
    if i == 0 and t[0].isupper() and t not in names and (t not in TITLES or w[1:2] and w[1] not in names):
        v = [t.lower() if t.lower() in DETERMINERS or t.lower() in NUMBERS or t in ("Both", "Many", "Several", "Other", "Such", "Most") or t.lower() in LOOKS else t] + w[1:]
    found = joined(v, i, names)
    if not found or found[2] in OBJECTS:
        return None
    text, j, head = found
    if j < len(w) and w[j] in ("who", "which", "that", "of", "in", "from", "with", ","):
        return None
    many = "+" in head or head in MANY or head.endswith("s") and not head.endswith(("ss", "us")) and head not in names and head.rstrip("s") != head and head not in ("bus", "princess", "gas", "glass")
    return text, j, "many" if many else "one"
