# SPDX-License-Identifier: MIT
"""Questions that a few words answer, wherever in the text they stand: speech, numbers, colours, names, who is there."""
import re

from . import beings, things
from .lexicon import COLOURS, FINITE, LOOKS, NUMBERS, PAST, STOPS, WHERE, WHO
from .noun_phrases import being, noun_phrase

SAID = "said|asked|cried|answered|replied|shouted|whispered|called|exclaimed|growled|sighed"
SPEECH = re.compile(rf'"([^"]{{8,140}}?)[,.!?]?" ({SAID}) (?:((?:the|his|her) (?:[a-z]+ )?[a-z]+)|([A-Z][a-z]+))(?=[.,;]| to | in | as )')
BEFORE = re.compile(rf'(?:^|[.!?]"? )(?:((?:The) (?:[a-z]+ )?[a-z]+)|([A-Z][a-z]+)) ({SAID}), "([^"]{{8,120}}?)[,.!?]"', re.M)
VERB = {"asked": "ask", "cried": "cry", "answered": "answer", "replied": "reply", "shouted": "shout", "whispered": "whisper", "exclaimed": "exclaim"}
THERE = re.compile(r"(?:^|[.!] )(?:[A-Z][a-z ]+, )?[Tt]here (was|were|lived) ((?:a|an|two|three|four|many|some) (?:[a-z]+ ){0,3}?([a-z]+)) (in|on|under|near|by|behind|beside) ((?:the|a|an) (?:[a-z]+ ){0,2}?([a-z]+))(?=[.,]| who| that| and)", re.M)
NAMED = re.compile(r"\b(a|an|the|his|her|their) ((?:[a-z]+ ){0,2}[a-z]+) (?:named|called) ([A-Z][a-z]+)\b")
COLOUR = re.compile(r"\b(?:a|the|his|her) (red|blue|green|yellow|black|white|brown|golden|silver|pink|purple|grey|gray|orange) ([a-z]+)\b(?! [a-z]+(?:ed|ing)\b)")
COUNTED = re.compile(r"\b(%s) ((?:[a-z]+ )?[a-z]+s)\b" % "|".join(things.NUMBERS))
NOT_COUNTED = set("yards bits things lives shillings dollars cents francs paces steps points sides seconds thirds kinds sorts letters words fathoms leagues guineas was is his times years days hours minutes weeks months miles feet inches pounds others its has as this us does goes yes ones".split())


def speeches(text, names):
    told = [(m.group(1), m.group(3) or m.group(4), m.group(2)) for m in SPEECH.finditer(text)]
    told += [(m.group(4), (m.group(1) or m.group(2)).replace("The ", "the "), m.group(3)) for m in BEFORE.finditer(text)]
    speakers = [who for _, who, _ in told]
    for said, who, verb in told:
        if who[0].isupper() and who not in names or who[0].islower() and not being(who.split()[-1]):
            continue
        short = said if said.count(" ") < 12 else re.split(r"[.!?;,]", said)[0]
        said, end = said.rstrip(" ,;-"), "?" if verb == "asked" else "."
        end = "" if said[-1:] in "!?." else end
        if short.count(" ") > 1 and not short.endswith((" Mr", " Mrs", " Dr")):
            yield f'Who {verb if verb in VERB else "said"}, "{short}"?', who, None
        if speakers.count(who) == 1 and text.count(who) < 9:
            yield f"What did {who} {VERB.get(verb, 'say')}?", f'"{said}{end}"', None


def of_words(text, words):
    for number, noun in dict.fromkeys(COUNTED.findall(text) if NUMBERS & words else ()):
        first, last = noun.split()[0], noun.split()[-1]
        if first in FINITE or first in PAST:
            continue
        if len(re.findall(rf"\b{noun}\b", text)) == 1 and last not in NOT_COUNTED and not last.endswith(("ss", "us")):
            if noun.split()[0] not in STOPS and not (" " in noun and noun.split()[0].endswith("s")) and noun.split()[0] not in ("of", "more", "who"):
                yield f"How many {noun} were there?", number, None
    for colour, noun in dict.fromkeys(COLOUR.findall(text) if COLOURS & words else ()):
        if len(set(re.findall(rf"\b(\w+) {noun}\b", text)) & set(beings.COLOURS)) < 2 and noun not in STOPS and noun not in LOOKS and noun not in ("man", "lady", "one", "ones", "study", "look") and not noun.endswith("ed"):
            yield f"What colour {'were' if noun.endswith('s') and not noun.endswith('ss') or noun in ('feet', 'teeth', 'men', 'women', 'people', 'children', 'geese', 'mice') else 'was'} the {noun}?", colour, None
    for det, kind, name in dict.fromkeys(NAMED.findall(text) if "named" in words or "called" in words else ()):
        noun = kind.split()[-1]
        if noun in WHO:
            owner = "the" if det in ("a", "an", "the") else None
            if owner:
                yield (f"What was the {noun}'s name?" if len(name) % 2 else f"What was the {noun} called?"), name, None
                yield f"Who was {name}?", things.article(kind), None
    for verb, who, noun, prep, place, head in THERE.findall(text) if "there" in words or "There" in text else ():
        if " who " in who or " that " in who:
            continue
        if being(noun) and head in WHERE | {"forest"}:
            yield f"Who {'lived' if verb == 'lived' else 'was'} {prep} {place.replace('a ', 'the ', 1) if place.startswith('a ') else place}?", who, None
            yield f"Where {'did the ' + noun + ' live' if verb == 'lived' else verb + ' the ' + noun}?", f"{prep} {place}", None
        elif not being(noun) and noun not in LOOKS and noun not in STOPS and noun_phrase(who.split(" "), 0, ()):
            yield f"What {verb if verb != 'lived' else 'was'} {prep} {place.replace('a ', 'the ', 1) if place.startswith('a ') else place}?", who, None
