# SPDX-License-Identifier: MIT
"""A question in other words than the text has: synonyms, a kind for a thing, the present, "the boy" for a boy's name."""
import re

from .lexicon import BASE, BASES, DETERMINERS, FINITE, LINKS, MANY, NUMBERS, PAST, PREPOSITIONS, THIRD, past
from .synonyms import ADJECTIVE, KIND, NOUN, VERB
from .verbs import third

# Behind a noun that may have another word: what cannot be the rest of its name.
ENDS = PREPOSITIONS | LINKS | FINITE | {"to", "named", "called"}
WAYS = set("run walk jump leap hop climb creep sneak dash dart rush hurry race trot stroll wander roam gallop fly soar travel journey look gaze stare glance laugh giggle cry weep sob live dwell talk speak".split())
HELPED = {"did", "didn't", "does", "doesn't"}
ALONG = set("under behind near through across around inside outside beside with into".split())
# Before "to" and another verb only these.
TO_DO = {("want", "wish"), ("wish", "want"), ("begin", "start"), ("start", "begin"), ("commence", "begin"), ("try", "attempt"), ("plan", "intend"), ("intend", "plan"), ("hope", "wish"), ("promise", "vow"), ("vow", "promise"), ("desire", "want")}
ONLY_TO_DO = {"try", "hope", "plan"}
NAMED = re.compile(r"\b(?:a|the) (?:[a-z]+ ){0,2}?(boy|girl|man|woman|dog|cat|rabbit|mouse|bear|fox|bird|frog|lion|princess|prince|king|queen|farmer|witch|giant|dragon|duck|elephant|monkey|bunny|puppy|kitten|squirrel|pig|horse|fish|butterfly|bee|wizard|fairy) (?:named|called) ([A-Z][a-z]+)\b")
PRESENT = {"did": "does", "didn't": "doesn't", "was": "is"}
PAST_HELP = re.compile(r"^(?:Who|What|Where|Why|How|When|Which)(?: (?!did\b|was\b)[a-z]+){0,3}? (did|didn't|was) (.+)\?$")


def same_kind(word, new):
    """How `new` is said where the text has `word` in the past, as one or of many."""
    head, _, rest = new.partition(" ")
    tail = " " + rest if rest else ""
    if word in BASE and BASE[word] in VERB:
        return past(head) + tail if head in BASES or head in VERB else None
    if word in THIRD and THIRD[word] in VERB:
        return third(head) + tail
    return new


def other_word(r, word, before, after, inverted):
    """Another word for one of a question, or None. `before` and `after` are its neighbours; `inverted`: the verb is a base, behind did."""
    low = word.lower()
    if low != word or not word.isalpha():
        return None
    noun = before in DETERMINERS - {"that"} or before.endswith("'s") or before in ADJECTIVE or before in ("of",)
    if noun and (low in NOUN or low in KIND) and (not after or after in ENDS or after in BASES or after in PAST):
        options = NOUN.get(low, []) + ([KIND[low]] if low in KIND and before in ("the", "a") else [])
        if options:
            return r.choice(options)
    if low in ADJECTIVE and after != "of" and (noun or before in ("was", "were", "is", "very", "so", "feel", "made", "be") or after in NOUN):
        return r.choice(ADJECTIVE[low])
    if low in ("like", "see", "look", "stare", "gaze") and not after or low == "like" and BASE.get(before, before) in ("look", "sound", "feel", "seem", "taste", "smell", "be", "was", "were"):
        return None                     # what was he like, who could see
    base = low if low in VERB else BASE.get(low, THIRD.get(low))
    if base in VERB and not noun and BASE.get(low) != low and before not in ("of", "with", "very", "and") and (
            not after and inverted or after == "to" or after in DETERMINERS or after[:1].isupper() or after.endswith("ly") or after in ALONG and base in WAYS):
        options = [o for o in VERB[base] if not o.startswith(("not ", "be ")) and (after != "to" and base not in ONLY_TO_DO or (base, o) in TO_DO)]
        if before == "to" and base in ("see", "find", "meet"):
            return None
        # "a" verb of two words has its object behind it
        return options and same_kind(low, r.choice(options)) or None
    return None


def alike(word):
    """Single words that say nearly the same, in the same form."""
    base = word if word in VERB else BASE.get(word, THIRD.get(word))
    return [w for w in NOUN.get(word, []) + ADJECTIVE.get(word, []) + ([KIND[word]] if word in KIND else []) + [same_kind(word, o) or "" for o in VERB.get(base, [])] if w and " " not in w]


def fits(words, at, new):
    """A or an as the new word wants it."""
    if at and words[at - 1] in ("a", "an"):
        words[at - 1] = "an" if new[0] in "aeiou" else "a"


def reworded(r, ask, chance=0.5):
    """The question with one or two of its words replaced; what is quoted in it stays."""
    if '"' in ask or r.random() >= chance:
        return ask
    end = ask[-1] if ask[-1] in "?." else ""
    words = ask.rstrip("?.").split(" ")
    able, inverted = list(range(1, len(words))), bool(HELPED & set(words))
    r.shuffle(able)
    changed = 0
    for at in able:
        comma = "," if words[at].endswith(",") else ""
        new = other_word(r, words[at].rstrip(","), words[at - 1].lower(), words[at + 1] if at + 1 < len(words) else "", inverted)
        if new and new not in words:
            fits(words, at, new)
            words[at] = new + comma
            changed += 1
            if changed == 2 or r.random() < 0.6:
                break
    return " ".join(words) + end


def in_present(ask):
    """What did the fox eat? as What does the fox eat?, where it says nothing else of the past."""
    found = PAST_HELP.match(ask)
    if not found or re.search(r"\b(?:when|after|before|because|while|until|as|that|and|would|had|could|were)\b", ask):
        return ask
    if found.group(1) != "was":
        words = found.group(2).split(" ")
        at = next((i for i, w in enumerate(words) if i and (w in BASES or w in ("be", "say", "think"))), None)
        last = words[at - 1] if at else "s"
        if last in MANY or NUMBERS & set(words[:at]) or last == "they" or last.endswith("s") and not last.endswith("ss") and last[0].islower():
            return ask
    elif " was " in found.group(2):
        return ask
    return ask[:found.start(1)] + PRESENT[found.group(1)] + ask[found.end(1):]


def kinds(text):
    """{name: "the boy"} of whom the text tells that it is the only one of its kind."""
    found = {}
    for kind, name in NAMED.findall(text):
        if len(re.findall(rf"\b(?:a|an|another|other|two|three|some|many|old|young|big)(?: [a-z]+){{0,2}} {kind}s?\b", text)) <= 1 and f"{kind}s" not in text:
            found[name] = f"the {kind}"
    return found if len(set(found.values())) == len(found) else {}


def by_kind(ask, known):
    """The boy for a boy's name."""
    for name, kind in known.items():
        if '"' not in ask and re.search(rf"\b{name}\b", ask) and "name" not in ask and "called" not in ask and not ask.startswith(("Who was", "Who is")):
            return re.sub(rf"\b{name}\b", kind, ask, count=1) if kind not in ask else ask
    return ask
