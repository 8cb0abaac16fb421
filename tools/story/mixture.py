# SPDX-License-Identifier: MIT
"""Which documents there are in which shares, each made from its number: the same each time.

    talk         the generator of this folder: stories, questions, tools
    tales        tales from templates, asked for
    natural      natural texts: alone, asked for, gone on from
    found        questions whose answers the sentences of natural texts show
    questions    questions that people wrote
    copied       words in no order, twice
    alike        sentences asked for in others' words, or by what follows from them
    written      stories that were written to be asked about
"""
import random

from text import natural
from text.alike import alike
from text.library import FOLDER, Library, there
from text.records import stories
from text.tales import tale
from text.talk import conversation
from text.written import written

PARTS = {
    "talk": lambda r, mixture: conversation(r),
    "tales": lambda r, mixture: tale(r),
    "natural": lambda r, mixture: natural.natural(r, mixture.library),
    "found": lambda r, mixture: natural.found(r, mixture.library),
    "questions": lambda r, mixture: natural.human(r, mixture.library),
    "copied": lambda r, mixture: natural.copied(r, mixture.library),
    "alike": lambda r, mixture: alike(r, mixture.library),
    "written": lambda r, mixture: written(r, mixture.known, mixture.held),
}
OWN = ("talk", "tales", "written")                # those that need no text from elsewhere
DEFAULT = "talk=0.10,tales=0.13,natural=0.12,found=0.12,questions=0.07,copied=0.01,alike=0.05,written=0.40"


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
        self.shares, self.held = shares(text), held
        needed = any(part not in OWN for part in self.shares)
        if needed and not there(folder):
            raise SystemExit(f"{folder} has no texts: gather.py brings them, or --mix talk=1 does without")
        self.library = Library(folder, held) if needed else None
        self.known = self.library.written if needed else stories(held)
        if "alike" in self.shares and not self.library.alike.groups:
            raise SystemExit(f"{folder} has no sentences that are alike: gather.py brings them, or --mix does without alike")
        # shares are of letters: documents of a part that has short ones come more often
        lengths = {part: sum(sum(len(t) for t, _ in self.of(part, 10**12 + i)) for i in range(150)) / 150 for part in self.shares}
        self.chances = [self.shares[part] / lengths[part] for part in self.shares]

    def of(self, part, seed):
        return PARTS[part](random.Random(seed), self)

    def document(self, seed):
        r = random.Random(seed)
        return PARTS[r.choices(list(self.shares), self.chances)[0]](r, self)
