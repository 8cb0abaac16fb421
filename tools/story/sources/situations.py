# SPDX-License-Identifier: MIT
"""Questions about what follows in a situation, what a text leaves to be concluded, and who a pronoun means."""
import csv
import io
import json
import re

from .clean import kind, plain
from .comprehension import LOOSE, NONE
from .questions import asked, short_texts, untokenized


def effects(mirrors):
    """ROPES: a rule and a situation in which it shows, with questions by people; each situation with its rule is a text."""
    repository = mirrors("chen-steven/BERT-ROPES")
    for _, text in repository.read(["data/ropes/train-v1.0.json", "data/ropes/dev-v1.0.json"]):
        found = {}
        for article in json.loads(text)["data"]:
            for paragraph in article["paragraphs"]:
                pairs = found.setdefault((paragraph["background"].strip(), paragraph["situation"].strip()), [])
                pairs += [pair for q in paragraph["qas"] if (pair := asked(q["question"], q["answers"][0]["text"]))]
        for (background, situation), pairs in found.items():
            pairs = list({pair["ask"]: pair for pair in pairs}.values())
            yield from short_texts("ropes", 1, "", f"{background}\n{situation}", pairs, new=situation)


def more_diaries(mirrors):
    """CosmosQA, the part for training, as a task of Natural Instructions."""
    found = {}
    for _, text in mirrors("anonymousGPT/natural-instructions-v1").read(["tasks/subtask024_cosmosqa_answer_generation.json"]):
        given = json.loads(text)["Instances"]
        for each in given["Positive Examples"] + given["Instances"] if isinstance(given, dict) else given:
            context, _, ask = each["input"].removeprefix("Context: ").partition("Question: ")
            said = each["output"] if isinstance(each["output"], str) else each["output"][0]
            context, ask = (re.sub(r" ' (?=(?:s|ve|re|ll|d|m|t)\b)", " '", part.strip()) for part in (context, ask))
            if not context or LOOSE.search(context) or LOOSE.search(ask + " " + said) or NONE.search(said):
                continue
            pair = asked(untokenized(ask.split(" ")), untokenized(said.split(" ")))
            if pair:
                found.setdefault(context, []).append(pair)
    for context, pairs in found.items():
        text = untokenized(context.split(" "))
        if kind(text) and text[-1] in '.!?"':
            yield from short_texts("cosmosqa", 0.5, "", text, pairs)


def pronouns(mirrors):
    """GAP: whom a pronoun in a paragraph of Wikipedia means, as people found it."""
    for name, text in mirrors("google-research-datasets/gap-coreference").read([f"gap-{part}.tsv" for part in ("development", "test", "validation")]):
        for row in csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE):
            who = row["A"] if row["A-coref"].upper() == "TRUE" else row["B"] if row["B-coref"].upper() == "TRUE" else ""
            at = int(row["Pronoun-offset"])
            before = re.search(r"((?:[\w']+ ){0,2})$", row["Text"][:at])
            after = re.match(r"[\w']+((?: [\w']+){0,3})", row["Text"][at:])
            if not who or not before or not after:
                continue
            phrase = before.group(1) + after.group()
            if phrase.count(" ") < 2 or row["Text"].count(phrase) != 1:
                continue
            pair = asked(f'Who is "{row["Pronoun"]}" in "{plain(phrase)}"', who)
            if pair and kind(row["Text"]):
                yield from short_texts("gap", 0.5, "", row["Text"].replace('""', '"').strip('"'), [pair])


def situations(mirrors):
    for each in (effects, more_diaries, pronouns):
        yield from each(mirrors)
