# SPDX-License-Identifier: MIT
"""What was written by hand, as it lies in written/: stories with all that is asked of each, what is asked of natural texts, requests with what their tools give, the tools."""
import hashlib
import json
import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).with_name("written")
HELD = 25                # one story, or request, of so many is not trained on

# A sentence ends where the next one begins with a capital, a figure or a quotation mark, and with its line; behind a title nothing ends. A rule of its
# own, as the numbers in written/asked/ depend on it: finding.CHUNK may change.
END = re.compile(r"""(?<!\bMr\.)(?<!\bMrs\.)(?<!\bDr\.)(?<!\bSt\.)(?<=[.!?]) +(?=["'(A-Z0-9])|(?<=[.!?]["')]) +(?=["'(A-Z0-9])|\n+""")


def sentences(text):
    return [sentence for sentence in END.split(text) if sentence]


def lines(path):
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def whole(story, more):
    """A story with the questions that were written for it later, each the number of its sentence from 1 on, what is asked, and the answer."""
    numbered = sentences(story["text"])
    if wrong := [ask for n, ask, _ in more if not 1 <= n <= len(numbered)]:
        raise ValueError(f"no such sentence: {wrong[0]}")
    return {**story, "asked": story["asked"] + [{"ask": ask, "says": says, "line": numbered[n - 1]} for n, ask, says in more]}


@cache
def all_stories():
    """(the file's name, the line from 1 on, the story), files in the order of their names."""
    found = []
    for path in sorted((FOLDER / "stories").glob("*.jsonl")):
        written, more = lines(path), lines(FOLDER / "asked" / path.name)
        if more and len(more) != len(written):
            raise ValueError(f"asked/{path.name} has {len(more)} lines, stories/{path.name} {len(written)}")
        for i, line in enumerate(written):
            found.append((path.name, i + 1, whole(json.loads(line), json.loads(more[i]) if more else [])))
    return found


def parted(records, held):
    return [record for i, record in enumerate(records) if (i % HELD == 0) == held]


@cache
def stories(held):
    return parted([story for _, _, story in all_stories()], held)


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@cache
def on_natural_texts():
    """{a text's digest: what was written about it}: the texts themselves are brought by ../gather.py."""
    found = [json.loads(line) for path in sorted((FOLDER / "natural").glob("*.jsonl")) for line in lines(path)]
    return {each["text"]: each for each in found}


def asked_about(texts):
    """Those of some texts that something was written about, as stories of which nothing else is known."""
    known = [(text, on_natural_texts().get(digest(text))) for text in texts]
    return [whole({"text": text, "asked": [], "facts": [], "tasks": more["tasks"]}, more["asked"]) for text, more in known if more]


@cache
def requests(held):
    return parted([json.loads(line) for line in lines(FOLDER / "calls.jsonl")], held)


@cache
def tools():
    return json.loads((FOLDER / "tools.json").read_text(encoding="utf-8"))


def changed(change, value, free=False):
    """A record with every text in it changed; so are names of JSON that is asked for (`free`), as they tell what is meant, but not a record's own."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [changed(change, each, free) for each in value]
    if isinstance(value, dict):
        return {change(key) if free else key: changed(change, each, free or key in ("schema", "value")) for key, each in value.items()}
    return value
