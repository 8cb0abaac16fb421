# SPDX-License-Identifier: MIT
"""Stories and articles that people wrote or made easier for readers, with questions by people whose right answer was one of four."""
import csv
import io
import json
import re

from .clean import double_quoted, kind, plain, readable
from .questions import asked, short_texts, untokenized

HELD = "mc160.dev"        # 30 of MCTest's stories are not trained on, nor their questions
NONE = re.compile(r"^(none|all|both|neither|any|not|nothing|never) |\b(above|these choices|the following)\b", re.I)


def lines_of(text):
    return [double_quoted(plain(p)) for p in re.split(r"\n\s*\n", text) if p.strip()]


def mctest(mirrors):
    """MCTest: stories that people wrote for children of seven, four questions each: (number, paragraphs, pairs)."""
    repository = mirrors("mcobzarenco/mctest")
    parts = [(size, part) for size in ("mc160", "mc500") for part in ("train", "dev", "test")]
    texts = dict(repository.read([f"data/MCTest/{size}.{part}.tsv" for size, part in parts]
                                 + [f"data/MCTest{'Answers' if part == 'test' else ''}/{size}.{part}.ans" for size, part in parts]))
    for size, part in parts:
        told = texts.get(f"data/MCTest/{size}.{part}.tsv", "")
        right = texts.get(f"data/MCTest{'Answers' if part == 'test' else ''}/{size}.{part}.ans", "")
        for line, letters in zip(told.splitlines(), right.splitlines()):
            number, _, story, *rest = line.split("\t")
            # the width of the form broke the lines; an empty line between is a paragraph
            story = story.replace("\\newline", "\n").replace("\\tab", " ")
            pairs = []
            for i, letter in enumerate(letters.split("\t")):
                ask, *choices = rest[5 * i:5 * i + 5]
                pair = asked(ask.split(": ", 1)[-1], choices["ABCD".index(letter)])
                if pair and not NONE.search(pair["says"]):
                    pairs.append(pair)
            yield number, lines_of(story), pairs


def children_stories(mirrors):
    for number, lines, pairs in mctest(mirrors):
        yield from short_texts("mctest", 8, "", "\n\n".join(lines), pairs, held=HELD in number)


def easy_news(mirrors):
    """OneStopQA: articles in the words of learners, with questions about each paragraph; the answer `a` is the right one."""
    repository = mirrors("berzak/onestop-qa")
    for _, text in repository.read(repository.names("annotations/annotated_articles/")):
        title, *blocks = re.split(r"^# Paragraph\s*$", text, flags=re.M)
        title = plain(title.replace("# Title", "").strip())
        for level in ("Ele", "Int", "Adv"):
            sections, pairs = [], []
            for block in blocks:
                told = re.search(rf"^{level}: (.*)$", block, re.M)
                if not told:
                    continue
                sections.append(double_quoted(plain(re.sub(r"</?[AD]\d>", "", told.group(1)))))
                for ask, said in re.findall(r"^Q\d?: (.*)\na: (.*)$", block, re.M):
                    pair = asked(re.sub(r"</?[AD]\d>", "", ask), said)
                    if pair and not NONE.search(pair["says"]):
                        pairs.append({**pair, "where": [len(sections) - 1], "literal": level == "Ele"})
            if pairs:
                yield dict(source="onestopqa", often=1, title=title, sections=sections, asked=pairs)


LOOSE = re.compile(r"\b(nt|gon na|wan na|im|dont|cant|didnt|sex|sexy|drunk|fuck\w*|shit\w*|damn|hell|gay|bitch\w*|porn|naked|kill\w*|beer|whore|rape\w*|ass|crap|suicide|drugs?|lol|ok so)\b|\bi\b|[A-Z]{4}|\.\.\.|:\)")


def diaries(mirrors):
    """CosmosQA's part for validation: what people wrote of their days, and what may be concluded of it. Careless texts are left out."""
    found = {}
    for _, text in mirrors("wilburOne/cosmosqa").read(["data/valid.csv"]):
        for row in csv.DictReader(io.StringIO(text)):
            said = row["answer" + row["label"]]
            if LOOSE.search(row["context"]) or LOOSE.search(row["question"] + " " + said) or NONE.search(said):
                continue
            pair = asked(untokenized(row["question"].split(" ")), untokenized(said.split(" ")))
            if pair:
                found.setdefault(row["context"], []).append(pair)
    for context, pairs in found.items():
        text = untokenized(context.split(" "))
        if kind(text) and text[-1] in '.!?"':
            yield from short_texts("cosmosqa", 1, "", text, pairs)


def articles(mirrors):
    """A half of SQuAD 2.0's paragraphs for development: the questions that have an answer there."""
    for _, text in mirrors("chrischute/squad").read(["data/dev-v2.0.json"]):
        for article in json.loads(text)["data"]:
            for paragraph in article["paragraphs"]:
                pairs = [asked(q["question"], q["answers"][0]["text"]) for q in paragraph["qas"] if q["answers"]]
                yield from short_texts("squad", 1, "", paragraph["context"], [p for p in pairs if p])


TASKS = ("closed_qa", "information_extraction", "summarization")


def tasks(mirrors):
    """Dolly: what people wanted done with a text, and what people wrote. Those that ask and are answered shortly are questions like the others."""
    for name, text in mirrors("sheriftawfikabbas/aktar").read([f"data/{task}.json" for task in TASKS]):
        for each in json.loads(text):
            context = re.sub(r"\[\w{1,3}\]", "", each["context"])
            said = "\n".join(plain(line) for line in each["response"].split("\n") if line.strip())
            wish = plain(each["instruction"])
            pair = asked(wish, said) if "\n" not in said else None
            if pair is None and 12 < len(wish) < 220 and "\n" not in wish and 0 < len(said) < 900 and readable(wish) and (len(said) < 40 or readable(said.replace("\n", " "))):
                pair = {"ask": wish[0].upper() + wish[1:], "says": said, "task": True}
            if pair:
                yield from short_texts("dolly", 1, "", context, [pair])


def comprehension(mirrors):
    for each in (children_stories, easy_news, articles, diaries, tasks):
        yield from each(mirrors)
