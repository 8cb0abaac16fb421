# SPDX-License-Identifier: MIT
"""What is made of a question that somebody asked and its short answer: a whole sentence, a key for JSON, the same with other names."""
import re

from . import beings, verbs
from .lexicon import BASE, BASES, NOT_NAMES, PAST, STOPS
from .referents import BOYS, GIRLS

# surnames, months, flowers and the like are no names to change
OTHERS = set("April May June Rose Iris Ivy Violet Ginger Pepper Mark Frank Bill Will Basil Hazel Olive Pearl Ruby".split())
DAYS = set("Tuesday Wednesday Thursday Friday Saturday January February March July August September October November December".split())
NAME = re.compile(r"\b[A-Z][a-z]+\b")
KING = re.compile(r"\b(?:King|Queen|Saint|Prince|Princess|Sir|Lord|Mr\.?|Mrs\.?|Miss) $")


def other_names(r, text):
    """Given names of a text -> other ones of the same kind, none of which is there already; {} where that could go wrong."""
    found = set(NAME.findall(text))
    inside = {name for name in found & (GIRLS | BOYS) - OTHERS if re.search(r"[a-z,] %s\b" % name, text) and name.lower() not in text}
    given = {}
    for name in sorted(inside):
        if any(KING.search(text[max(0, m.start() - 10):m.start()]) or re.match(r" [A-Z]", text[m.end():m.end() + 2]) for m in re.finditer(r"\b%s\b" % name, text)):
            continue
        for _ in range(9):
            new = beings.invented_name(r) if r.random() < 0.25 else r.choice(beings.GIRLS if name in GIRLS else beings.BOYS)
            if new not in text and new not in given.values() and name[:3] != new[:3]:
                given[name] = new
                break
    # what is short for a name that changes would stay: Tim, Timmy
    return {} if any(a != b and b.startswith(a) for a in given for b in found) else given


def all_names(text):
    """(given names in their order, how often each is there); none where a capital could be another name."""
    inside = re.findall(r"(?<=[a-z,;] )[A-Z][a-z]+", text)
    known = [n for n in dict.fromkeys(NAME.findall(text)) if n in (GIRLS | BOYS) - OTHERS and n in inside]
    strange = set(inside) - set(known) - NOT_NAMES - DAYS
    if strange or not known or re.search(r"\b(Mr|Mrs|Miss|Aunt|Uncle|King|Queen|Dr|Mom|Dad|Grandma|Grandpa)\b|[A-Z][a-z]+ [A-Z]|[A-Z]{2}", text):
        return [], {}
    return known, {n: len(re.findall(r"\b%s\b" % n, text)) for n in known}


def renamed(names, text):
    return re.sub("|".join(r"\b%s\b" % n for n in names), lambda m: names[m.group()], text) if names else text


def within(text, says):
    """An answer as it stands within a sentence of the text: without its capital, unless that is a name's."""
    first = re.match(r"[\w']*", says).group()
    ordinary = first in ("The", "A", "An", "In", "To", "At", "On") or re.search(r"\b%s\b" % re.escape(first.lower()), text)
    named = first in GIRLS | BOYS or re.search(r"[a-z,;] %s\b" % re.escape(first), text)
    return says[:1].lower() + says[1:] if ordinary and not named else says


def sentence(ask, said, text):
    """The answer as a whole sentence, where the question's form tells how; or None."""
    ask, said = ask.rstrip("?").strip(), said.strip().rstrip(".")
    if len(said) > 90 or re.search(r"[.;:!?]", said) or said.count(",") > 3:
        return None
    low = within(text, said)
    high = said[0].upper() + said[1:]
    if set(re.findall(r"[A-Z]\w+", ask[3:])) & set(re.findall(r"\w+", said)) and re.search(r"\b(was|were|is|are|had|wanted|used)\b|\b\w+ed\b", said) and len(said.split()) > 3:
        return high + "."                               # it was one already
    if found := re.match(r"Who (?!is |are |was |were |did |do |does |else )(\w+)( .*)?$", ask):
        verb = found.group(1)
        if re.match(r"(he|she|they|it|to|because|in|at)\b", low, re.I):
            return None
        return f"{high} {verb}{found.group(2) or ''}." if verb in BASE or verb in ("had", "could", "likes", "wanted", "has") else None
    if found := re.match(r"Who (is|was|are|were) ((?:the|a|an|[A-Z]\w+'s|his|her|their) .*)$", ask):
        return f"{high} {found.group(1)} {found.group(2)}." if len(said.split()) < 8 and (found.group(1) in ("is", "was")) != (" and " in said) else None
    if found := re.match(r"What (is|was) the name of (.*)$", ask):
        return f"The name of {found.group(2)} {found.group(1)} {said}." if len(said.split()) < 5 else None
    if found := re.match(r"What (?:is|was) (.*?'s? (?:first |last )?name)$", ask):
        return f"{found.group(1)[0].upper() + found.group(1)[1:]} {'is' if ' is ' in ask else 'was'} {said}." if len(said.split()) < 5 else None
    if found := re.match(r"What colou?r (is|was|are|were) (.*)$", ask):
        return f"{found.group(2)[0].upper() + found.group(2)[1:]} {found.group(1)} {low.lower()}." if len(said.split()) < 5 else None
    if found := re.match(r"Where (is|was|are|were) ((?:the|a|an|his|her|their)? ?[\w' ]+)$", ask):
        first = low.split()[0]
        subject = found.group(2)
        return f"{subject[0].upper() + subject[1:]} {found.group(1)} {low}." if first in ("in", "at", "on", "under", "behind", "near", "by", "inside") and len(subject.split()) < 5 else None
    if found := re.match(r"(What|Where) did ((?:the |his |her |their )?[\w']+(?: [a-z]+)??) (\w+)( (?:for|to|in|on|at|with|from|after|before|when|by) .*)?$", ask):
        wh, who, verb, rest = found.groups()
        first = low.split()[0].lower()
        if verb not in BASES or verb in ("do", "look", "like", "happen", "say", "ask") or verb in ("want", "have", "forget", "like", "need", "love") and " to " in (rest or "") or re.match(r"(he|she|they|it|because)\b", low, re.I):
            return None
        if wh == "Where" and first not in ("in", "to", "at", "on", "under", "behind", "near", "into", "by", "from", "inside", "home", "outside"):
            return None
        if wh == "What" and (first in STOPS or first in BASES or first in PAST or first.endswith("ing")):
            return None
        return f"{who[0].upper() + who[1:]} {verbs.past(verb)} {low}{rest or ''}."
    return None


FUNCTION = set("the a an of in on at to for from with by and or his her their its this that what who where when why how which is was were are did do does had has have be been s story after off as can could would should will happen happened first before most than then they he she it".split())


def snake(words):
    return "_".join(re.findall(r"[a-z0-9]+", words.lower().replace("'s", "")))


def key(r, ask):
    """(a key for the answer, whether it says by itself what is asked)."""
    ask = ask.rstrip("?").strip()
    if found := re.search(r"name of (?:the |his |her |their |a )?([a-z]+)$", ask):
        return r.choice((found.group(1) + "_name", f"name_of_{found.group(1)}", found.group(1))), True
    if found := re.match(r"What (?:is|was) (?:the )?([\w ]+?)'s? (?:first )?name$", ask):
        return r.choice(("name", snake(found.group(1).split()[-1]) + "_name")), True
    if found := re.match(r"What colou?r (?:is|was|are|were) (?:the |his |her |their )?(?:\w+'s )?([a-z]+)$", ask):
        return r.choice(("color", "colour", found.group(1) + "_color")), False
    if found := re.match(r"Who (?:is|was) (?:the |[A-Z]\w+'s |his |her |their )((?:[a-z]+ )?[a-z]+)(?: of .*)?$", ask):
        return snake(found.group(1)), True
    if found := re.match(r"How many ([a-z]+)", ask):
        return r.choice((found.group(1), "number_of_" + found.group(1), found.group(1) + "_count")), False
    if re.match(r"How old", ask):
        return "age", True
    if found := re.match(r"(?:What|Which) (?:kind|type|sort) of ([a-z]+)", ask):
        return r.choice((found.group(1), "kind_of_" + found.group(1))), True
    if found := re.match(r"(?:What|Which) (?!did|do|does|is|was|were|are|had|has|have|would|could|can|kind|type|happened|made|will)([a-z]{3,}) (?:did|do|does|is|was|were)\b", ask):
        return found.group(1), False
    if found := re.match(r"(Who|Where|When|Why) ", ask):
        short = {"Who": ("who", "person", "name"), "Where": ("where", "place", "location"), "When": ("when", "time"), "Why": ("why", "reason")}[found.group(1)]
        return r.choice(short), False
    words = [w for w in re.findall(r"[a-z']+", ask.lower()) if w.replace("'s", "") not in FUNCTION]
    return (snake(" ".join(words[-2:] if r.random() < 0.6 else words[:3])) or "answer"), False
