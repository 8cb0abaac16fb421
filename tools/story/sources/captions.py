# SPDX-License-Identifier: MIT
"""What several people wrote under the same picture: sentences that say nearly the same in other words."""
import json
import re
from collections import Counter, defaultdict

# A man riding a bike -> A man is riding a bike.
DOING = re.compile(r"((?:An?|The|Two|Three|Some|Several|Many|Young|Old)(?: (?!is |are |was |were |that )[a-z-]+){1,3}?) [a-z]+ing (?=(?:an?|the|his|her|their|its|on|in|at|with|down|up|over|by|next|near|through|under|behind|to|around|along|for|out|off|into|from|some|two)\b)")
MANY = re.compile(r"(?:Two|Three|Some|Several|Many)\b|.*(?:people|men|women|children)$|(?!An? ).*[^s]s$")
# What is said of the picture, and careless texts.
LOOSE = re.compile(r"\b(?:picture|photo|photograph|photographer|image|view|shot|camera|close ?up|black and white|is are|is is)\b", re.IGNORECASE)
WORD = re.compile(r"[a-z]+")


def sentence(caption):
    """A caption as a sentence, or None."""
    caption = re.sub(r"\s+", " ", caption).strip(" .")
    if not 5 <= caption.count(" ") + 1 <= 18 or LOOSE.search(caption) or not re.fullmatch(r"[A-Za-z0-9 ,'-]+", caption):
        return None
    caption = caption[0].upper() + caption[1:] + "."
    if found := DOING.match(caption):
        who = found.group(1)
        caption = f"{who} {'are' if MANY.match(who) else 'is'}{caption[len(who):]}"
    return caption


def captions(mirrors):
    """COCO's captions of the part for validation, five a picture."""
    for _, text in mirrors("ruizewang/evaluate").read(["annotations/captions_val2017.json"]):
        given = [(each["image_id"], each["caption"], set(WORD.findall(each["caption"].lower()))) for each in json.loads(text)["annotations"]]
        # A word that nobody else uses is mostly one that is misspelt.
        uses, found = Counter(word for *_, words in given for word in words), defaultdict(list)
        for picture, caption, words in given:
            line = sentence(caption)
            if line and all(uses[word] > 1 for word in words):
                found[picture].append(line)
        for lines in found.values():
            lines = list(dict.fromkeys(lines))
            if len(lines) > 1:
                yield {"source": "coco", "sections": lines}
