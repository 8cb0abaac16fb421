# SPDX-License-Identifier: MIT
"""What several people wrote under the same picture: sentences that say nearly the same in other words."""
import json
import re
from collections import Counter, defaultdict

from text.evidence import stems
from text.lexicon import BE, THIRD

from .clean import decent

# A man riding a bike -> A man is riding a bike.
DOING = re.compile(r"""((?:An?|The|Two|Three|Some|Several|Many|Young|Old)(?: (?!is |are |was |were |that |not |[a-z]+ly )[a-z-]+){1,3}?)
 (?!(?:building|ceiling|clothing|dining|during|evening|interesting|king|living|morning|painting|parking|ring|string|swimming|thing|wedding|wing) )[a-z]+ing
 (?=(?:an?|the|his|her|their|its|on|in|at|with|down|up|over|by|next|near|through|under|behind|to|around|along|for|out|off|into|from|some|two)\b)""".replace("\n", ""))
MANY = re.compile(r"(?:Two|Three|Some|Several|Many|A (?:lot|couple|number|pair|bunch|few))\b|.*(?:people|men|women|children)$|(?!An? ).*[^s]s$")
# What is said of the picture, and careless texts.
LOOSE = re.compile(r"\b(?:picture|photo|photograph|photographer|image|view|shot|camera|close ?up|black and white|is are|is is)\b", re.IGNORECASE)
PLAIN = re.compile(r"[A-Za-z0-9 ,'-]+")
WORD = re.compile(r"[a-z]+")


def sentence(caption, least=5, most=18):
    """A caption of so many words as a sentence, or None."""
    caption = re.sub(r"\s+", " ", re.sub(r" *,", ", ", caption)).strip(" .,")
    if not least <= caption.count(" ") + 1 <= most or LOOSE.search(caption) or not PLAIN.fullmatch(caption) or re.search("[A-Z]{3}", caption) or not decent(caption):
        return None
    caption = caption[0].upper() + caption[1:] + "."
    found = DOING.match(caption)
    if found and not any(word in BE or word in THIRD for word in WORD.findall(caption[found.end():])):
        who = found.group(1)
        caption = f"{who} {'are' if MANY.match(who) else 'is'}{caption[len(who):]}"
    return caption


def of_pictures(mirrors):
    """(picture, caption) of COCO: of the part for validation of 2017, and what is not among them of those for validation and test that Karpathy chose."""
    for _, text in mirrors("ruizewang/evaluate").read(["annotations/captions_val2017.json"]):
        for each in json.loads(text)["annotations"]:
            yield each["image_id"], each["caption"]
    for _, text in mirrors("hangligit/DalleFlamingo").read(["annotation/coco_karpathy_val.json", "annotation/coco_karpathy_test.json"]):
        for each in json.loads(text):
            picture = int(re.search(r"(\d+)\.jpg", each["image"]).group(1))
            for caption in each["caption"]:
                yield picture, caption


def agreed(lines):
    """Those of which others of the same picture have half of the words, too: else each tells of another part of it, and none says what the others say."""
    words = [stems(line) for line in lines]
    return [line for i, line in enumerate(lines) if 2 * len(words[i] & set().union(*words[:i], *words[i + 1:])) >= len(words[i])]


def captions(mirrors):
    """COCO's captions, five a picture."""
    given = [(picture, caption, set(WORD.findall(caption.lower()))) for picture, caption in dict.fromkeys(of_pictures(mirrors))]
    # A word that nobody else uses is mostly one that is misspelt.
    uses, found = Counter(word for *_, words in given for word in words), defaultdict(list)
    for picture, caption, words in given:
        line = sentence(caption)
        if line and all(uses[word] > 1 for word in words):
            found[picture].append(line)
    for lines in found.values():
        lines = agreed(list(dict.fromkeys(lines)))
        if len(lines) > 1:
            yield {"source": "coco", "sections": lines}
