#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Brings natural texts out of public repositories into the form that training reads.

    python3 gather.py --mirrors FOLDER [--out build/story-text]

FOLDER holds the repositories of README.md's table, as `OWNER+NAME` or `NAME`: clones or bare ones. What is written is not part of
this repository: questions-1.jsonl.xz, alike-1.jsonl.xz, kinds-1.jsonl.xz and, in parts that can be carried one by one, stories-1.jsonl.xz
and so on. A repository that is not there is left out, and said.
A text that shares eight words in a row with what the model is measured by (heldout/) is left out.
"""
import argparse
import json
import lzma
import os
import zlib
from collections import Counter, defaultdict
from pathlib import Path

from sources.books import books, novels
from sources.captions import captions
from sources.clean import Seen
from sources.comprehension import comprehension
from sources.entailment import entailment
from sources.questions import questions
from sources.repository import Repository
from sources.single_books import single_books
from sources.situations import situations
from sources.tales import tales
from sources.tatoeba import tatoeba
from sources.wordnet import kinds

HERE = Path(__file__).parent
HELD = 40                # one text of so many is not trained on: its loss is measured
PART = 120_000_000       # letters of a file: some 30 MiB


def measured():
    """All that stands in heldout/, so that none of it is trained on."""
    def strings(value):
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            for each in value.values():
                yield from strings(each)
        elif isinstance(value, list):
            for each in value:
                yield from strings(each)
    for path in sorted((HERE / "heldout").glob("*.json")):
        yield from strings(json.loads(path.read_text()))


def whole(record):
    return record["text"] if "text" in record else "\n\n".join(record["sections"])


def gather(found, seen):
    """Those that are new, and what there is of each source: (texts, letters, questions)."""
    kept, amounts = [], defaultdict(Counter)
    for record in found:
        text = whole(record)
        if not seen.fresh(text, record.pop("new", "")):
            continue
        held = record.pop("held", zlib.crc32(text[:300].encode()) % HELD == 0)
        record = {key: value for key, value in record.items() if value or key == "sections"}
        kept.append({**record, "held": True} if held else record)
        amounts[record["source"]].update(texts=1, letters=len(text), questions=len(record.get("asked", ())))
    return kept, amounts


def write(folder, name, records):
    """Files of at most PART letters; their bytes."""
    for old in folder.glob(f"{name}*.jsonl.xz"):
        old.unlink()
    sizes, rest = [], list(reversed(records))
    while rest:
        path, letters = folder / f"{name}-{len(sizes) + 1}.jsonl.xz", 0
        with lzma.open(path, "wt", encoding="utf-8", preset=6) as file:
            while rest and letters < PART:
                letters += file.write(json.dumps(rest.pop(), ensure_ascii=False) + "\n")
        sizes.append(path.stat().st_size)
    return sizes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mirrors", required=True)
    parser.add_argument("--out", default=HERE.parents[1] / "build" / "story-text", type=Path)
    given = parser.parse_args()
    os.makedirs(given.out, exist_ok=True)
    missing = []

    class Nothing:
        """Stands for a repository that is not there."""
        def names(self, prefix=""):
            return []

        def read(self, names, encoding="utf-8"):
            return iter(())

    def mirrors(name):
        try:
            return Repository(given.mirrors, name)
        except FileNotFoundError:
            missing.append(name)
            return Nothing()
    parts = {"stories": (tales, books, single_books, novels), "questions": (questions, comprehension, situations), "alike": (captions, entailment, tatoeba), "kinds": (kinds,)}
    for name, sources in parts.items():
        seen = Seen(measured())
        kept, amounts = gather((record for source in sources for record in source(mirrors)), seen)
        sizes = write(Path(given.out), name, kept)
        print(f"{name}: {len(kept)} texts, {' + '.join(f'{size / 2**20:.1f}' for size in sizes)} MiB; there before {seen.repeated}, like what is measured {seen.refused}")
        for source, amount in amounts.items():
            print(f"  {source:18} {amount['texts']:6} texts {amount['letters'] / 1e6:7.2f} MB {amount['questions']:6} questions")
    if missing:
        print("not there:", ", ".join(sorted(set(missing))))


if __name__ == "__main__":
    main()
