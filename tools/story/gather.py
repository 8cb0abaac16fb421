#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Brings natural texts out of public repositories into the form that training reads.

    python3 gather.py --mirrors FOLDER [--out build/story-text]

FOLDER holds the repositories of README.md's table, as `OWNER+NAME` or `NAME`: clones or bare ones. What is written is not part of
this repository: stories.jsonl.xz and questions.jsonl.xz. A repository that is not there is left out, and said.
A text that shares eight words in a row with what the model is measured by (heldout/) is left out.
"""
import argparse
import json
import lzma
import os
import sys
import zlib
from collections import Counter, defaultdict
from pathlib import Path

from sources.books import books
from sources.clean import Seen
from sources.comprehension import comprehension
from sources.questions import questions
from sources.repository import Repository
from sources.single_books import single_books
from sources.situations import situations
from sources.tales import tales

HERE = Path(__file__).parent
HELD = 40                # one text of so many is not trained on: its loss is measured


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
    total = 0
    for name, sources in (("stories", (tales, books, single_books)), ("questions", (questions, comprehension, situations))):
        seen = Seen(measured())
        kept, amounts = gather((record for source in sources for record in source(mirrors)), seen)
        path = given.out / f"{name}.jsonl.xz"
        with lzma.open(path, "wt", encoding="utf-8", preset=6) as file:
            for record in kept:
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
        total += path.stat().st_size
        print(f"{path}: {len(kept)} texts, {path.stat().st_size / 1e6:.1f} MB; there before {seen.repeated}, like what is measured {seen.refused}")
        for source, amount in amounts.items():
            print(f"  {source:18} {amount['texts']:6} texts {amount['letters'] / 1e6:7.2f} MB {amount['questions']:6} questions")
    if missing:
        print("not there:", ", ".join(sorted(set(missing))))
    print(f"{total / 2**20:.1f} MiB in all")
    if total > 45 * 2**20:
        sys.exit("more than 45 MiB: too much to be carried")


if __name__ == "__main__":
    main()
