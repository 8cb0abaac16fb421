# SPDX-License-Identifier: MIT
"""Texts with questions that people asked about them and the short answers that people gave."""
import csv
import io
import json
import re
from collections import defaultdict

from .clean import double_quoted, plain, readable

STARTS = re.compile(r"(who|whom|whose|what|which|where|when|why|how|did|does|do|is|are|was|were|in|at|on|for|from|to|after|before|name)\b", re.I)


def asked(ask, said):
    """The pair as it is written, or None if it is none."""
    ask, said = plain(ask), plain(said).strip(" ;,")
    said = re.sub(r"\s+(?=[.,!?;:'])", "", said).rstrip(".").strip()
    ask = re.sub(r"\s+(?=[.,!?;:'])", "", ask).rstrip(" ?.")
    if not STARTS.match(ask) or not said or len(said) > 320 or not 8 < len(ask) < 200:
        return None
    return {"ask": ask[0].upper() + ask[1:] + "?", "says": said}


def unbroken(text):
    """Paragraphs of a text that has a line for each, or lines broken at some width with an empty line between paragraphs."""
    lines = text.split("\n")
    full = sorted(len(line) for line in lines if line.strip())
    if len(full) < 3 or full[-1] > 100:
        return lines
    width, out = full[-1], [""]
    for line, before in zip(lines, [""] + lines):
        ends = before.rstrip()[-1:] in '.!?"\'' and len(before) < 0.8 * width
        if not line.strip() or ends:
            out.append(line)
        else:
            out[-1] += " " + line
    return out


def fairy_tales(mirrors):
    """FairytaleQA: sections of a tale, questions about one of them or several."""
    repository = mirrors("uci-soe/FairytaleQAData")
    base = "data-by-train-split"
    split = {}
    for name in repository.names(f"{base}/questions/"):
        split[name.split("/")[-1].removesuffix("-questions.csv")] = (name.split("/")[2], name)
    stories = {n.split("/")[-1].removesuffix("-story.csv"): n for n in repository.names(f"{base}/section-stories/all/")}
    texts = dict(repository.read([*stories.values(), *(n for _, n in split.values())]))
    for key, name in stories.items():
        if key not in split:
            continue
        part, questions = split[key]
        # two columns of which the second may have line breaks: paragraphs
        rows = list(csv.reader(io.StringIO(texts[name])))[1:]
        sections = ["\n\n".join(double_quoted(plain(p)) for p in unbroken(row[1]) if plain(p)) for row in rows if len(row) > 1]
        pairs = []
        for row in csv.DictReader(io.StringIO(texts[questions])):
            pair = asked(row["question"], row["answer1"])
            where = [int(n) - 1 for n in re.findall(r"\d+", row["cor_section"] or "") if 0 < int(n) <= len(sections)]
            if pair and where:
                pairs.append({**pair, "where": where, "literal": row["ex-or-im1"] == "explicit"})
        title = " ".join(key.replace("_", "-").split("-"))
        yield dict(source="fairytaleqa", often=1, title=title, sections=sections, asked=pairs, held=part != "train")


def short_texts(source, often, title, text, pairs, **more):
    text = "\n\n".join(double_quoted(plain(p)) for p in re.split(r"\n+", text) if p.strip())
    if readable(text.replace("\n", " ")) and len(text) < 3000 and pairs:
        yield dict(source=source, often=often, title=title, sections=[text], asked=[{**p, "where": [0], "literal": True} for p in pairs], **more)


def squad(mirrors):
    """The English part of XQuAD: a part of SQuAD 1.1's paragraphs."""
    for _, text in mirrors("google-deepmind/xquad").read(["xquad.en.json"]):
        for article in json.loads(text)["data"]:
            for paragraph in article["paragraphs"]:
                pairs = [asked(q["question"], q["answers"][0]["text"]) for q in paragraph["qas"]]
                yield from short_texts("xquad", 1, "", paragraph["context"], [p for p in pairs if p])


def sentences(mirrors):
    """QAMR: what can be asked about one sentence. Sentences of an article that follow each other are one text."""
    repository = mirrors("uwnlp/qamr")
    known = {}
    texts = dict(repository.read(["data/wiki-sentences.tsv", "data/filtered/dev.tsv", "data/filtered/test.tsv"]))
    for line in texts.get("data/wiki-sentences.tsv", "").splitlines():
        key, _, words = line.partition("\t")
        known[key] = words.split(" ")
    pairs = defaultdict(list)
    for name in ("dev", "test"):
        for line in texts.get(f"data/filtered/{name}.tsv", "").splitlines():
            cells = line.split("\t")
            words = known.get(cells[0])
            spans = [cells[6], *(c.split(":")[-1] for c in cells[7:9])]
            if not words or spans.count(spans[0]) < 2:      # two people agree
                continue
            said = untokenized([words[int(i)] for i in spans[0].split() if int(i) < len(words)])
            pair = asked(untokenized(cells[5].split(" ")), said)
            if pair and pair["ask"].count(" ") > 3:
                pairs[cells[0]].append(pair)
    for key, found in pairs.items():
        fresh = list({p["ask"]: p for p in found}.values())
        yield from short_texts("qamr", 1, "", untokenized(known[key]), fresh)


def untokenized(words):
    signs = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "``": '"', "''": '"'}
    text = " ".join(signs.get(w, w) for w in words)
    text = re.sub(r" (n't|'s|'re|'ve|'ll|'d|'m|[,.;:!?)%\]])", r"\1", text)
    text = re.sub(r"([(\[$£]) ", r"\1", text)
    return re.sub(r'" ([^"]*?) ?"', r'"\1"', text)


def questions(mirrors):
    for each in (fairy_tales, squad, sentences):
        yield from each(mirrors)
