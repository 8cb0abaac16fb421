# SPDX-License-Identifier: MIT
"""Natural texts that ../gather.py brought: read once by each process, drawn from by a random number."""
import bisect
import json
import lzma
from itertools import accumulate
from pathlib import Path

from . import kinds, records
from .paraphrases import Paraphrases

FOLDER = Path(__file__).parents[3] / "build" / "story-text"
WINDOW = 3600            # letters that a context of 1024 tokens holds, roughly


class Drawn:
    """Records, each as often as its length and its source ask for."""

    def __init__(self, drawn, windows):
        self.records = drawn
        self.ends = list(accumulate(r.get("often", 1) * windows(r) for r in drawn))

    def one(self, r):
        return self.records[bisect.bisect_left(self.ends, r.random() * self.ends[-1])]


class Library:
    def __init__(self, folder=FOLDER, held=False):
        def read(name, held=held):
            found = []
            for path in sorted(Path(folder).glob(f"{name}-*.jsonl.xz")):
                with lzma.open(path, "rt", encoding="utf-8") as file:
                    found += [record for record in map(json.loads, file) if record.get("held", False) == held]
            return found
        stories, asked = read("stories"), read("questions")
        self.alike = Paraphrases(read("alike"))
        kinds.know(read("kinds", held=False))
        short = lambda story: len(story["text"]) < WINDOW and story["source"] != "novels"
        self.stories = Drawn([s for s in stories if not short(s)], lambda record: len(record["text"]) / WINDOW)
        whole = [s for s in stories if short(s)]
        self.whole = Drawn(whole, lambda _: 1)
        self.written = [*records.stories(held), *records.asked_about([s["text"] for s in whole])]
        self.asked = Drawn([a for a in asked if a.get("asked")], lambda record: len(record["asked"]) if len(record["sections"]) > 1 else 1)
        # a question that fits no other text: what is asked there is not told here
        self.others = [(pair["ask"], pair["says"]) for a in asked if a["source"] == "fairytaleqa" for pair in a.get("asked", ())]


def there(folder=FOLDER):
    return (Path(folder) / "stories-1.jsonl.xz").exists()
