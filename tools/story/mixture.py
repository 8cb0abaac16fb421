# SPDX-License-Identifier: MIT
"""Which documents there are in which shares, each made from its number: the same each time.

    talk         the generator of this folder: stories, questions, tools
    tales        tales from templates, asked for
    natural      natural texts: alone, asked for, gone on from
    found        questions whose answers the sentences of natural texts show
    questions    questions that people wrote
"""
import random

from text import natural
from text.library import FOLDER, Library, there
from text.tales import tale
from text.talk import conversation

PARTS = {
    "talk": lambda r, library: conversation(r),
    "tales": lambda r, library: tale(r),
    "natural": natural.natural,
    "found": natural.found,
    "questions": natural.human,
}
OWN = ("talk", "tales")                # those that need no text from elsewhere
DEFAULT = "talk=0.29,tales=0.16,natural=0.28,found=0.24,questions=0.03"


def shares(text):
    """{part: share of the tokens} of what --mix has."""
    found = {}
    for each in text.split(","):
        part, _, share = each.partition("=")
        if part not in PARTS:
            raise SystemExit(f"--mix: there is no {part}, only {', '.join(PARTS)}")
        found[part] = float(share or 1)
    whole = sum(found.values())
    return {part: share / whole for part, share in found.items() if share > 0}


class Mixture:
    def __init__(self, text, folder=FOLDER, held=False):
        self.shares = shares(text)
        needed = any(part not in OWN for part in self.shares)
        if needed and not there(folder):
            raise SystemExit(f"{folder} has no texts: gather.py brings them, or --mix talk=1 does without")
        self.library = Library(folder, held) if needed else None
        # shares are of letters: documents of a part that has short ones come more often
        lengths = {part: sum(sum(len(t) for t, _ in self.of(part, 10**12 + i)) for i in range(150)) / 150 for part in self.shares}
        self.chances = [self.shares[part] / lengths[part] for part in self.shares]

    def of(self, part, seed):
        return PARTS[part](random.Random(seed), self.library)

    def document(self, seed):
        r = random.Random(seed)
        return PARTS[r.choices(list(self.shares), self.chances)[0]](r, self.library)
