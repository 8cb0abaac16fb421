# SPDX-License-Identifier: MIT
"""Short stories that are whole: picture books, fables, fairy tales."""
import json
import re

from .clean import double_quoted, paragraphs, plain, readable
from .comprehension import HELD, mctest

# Fables were written by many models; those whose licences name what may be trained on them are left out.
FREE = ("mistral", "qwen", "phi", "smollm", "falcon", "deepseek-llm")
CUT = re.compile(r"\*\*|#|:$|^(title|moral|note|fable|prompt|the moral)\b", re.I)


def story(source, often, title, lines):
    lines = [line for line in lines if line]
    if lines and all(map(readable, [" ".join(lines)])):
        yield dict(source=source, often=often, title=title, text="\n\n".join(lines))


def picture_books(mirrors, name, source):
    """Markdown: a title, pages after `##`, then what is known of the book."""
    repository = mirrors(name)
    for _, text in repository.read(repository.names("en/")):
        body, _, about = text.partition("\n* ")
        if not re.search(r"CC-BY(?!-)", about):
            continue
        head, *pages = re.split(r"^##.*$", body, flags=re.M)
        title = plain(head.strip().lstrip("# "))
        lines = [double_quoted(plain(re.sub(r"\s*\n\s*", " ", part))) for page in pages for part in re.split(r"\n\s*\n", page) if part.strip()]
        lines = [line for line in lines if len(line) > 1]
        if len(" ".join(lines)) > 250:
            yield from story(source, 3, title, joined(lines))


def joined(lines, least=180):
    """Pages of a sentence or two each are run together to paragraphs."""
    out = []
    for line in lines:
        if out and len(out[-1]) < least:
            out[-1] += " " + line
        else:
            out.append(line)
    return out


def fables(mirrors):
    repository = mirrors("klusai/tinyfabulist")
    names = [n for n in repository.names() if "/fables/" in n and n.endswith(".jsonl") and any(f in n.lower() for f in FREE) and "distill-llama" not in n]
    for _, text in repository.read(names):
        for line in text.splitlines():
            try:
                given = json.loads(line)
            except ValueError:
                continue
            told = given.get("fable") or ""
            if "</think>" in told:
                told = told.split("</think>")[1]
            lines = [p for p in paragraphs(re.sub(r"\n", "\n\n", told)) if not CUT.search(p)]
            whole = " ".join(lines)
            if 500 < len(whole) < 4500 and whole[-1] in '.!?"':
                hero = re.search(r"Main Character: (an? [a-z ]{3,30})\n", given.get("prompt") or "")
                for each in story("fables", 1, "", lines):
                    yield {**each, "about": hero.group(1)} if hero else each


TINY = (("s-ajaykumar/smallGPT", "data/tiny_stories.txt"), ("yuninxia/moe-routing-bench", "data/tinystories_val.txt"), ("mines-opt-ml/decoding-gpt", "data/tinystories_10k.txt"),
        ("biggs-100/MoRE", "tinystories_full.txt"), ("mattmegarry/tiny-stories-transformer", "sentencepiece/TinyStories-1000.txt"))


def tiny_stories(mirrors):
    """The beginnings of the data set and of its second version that some repositories keep."""
    for name, path in TINY:
        for _, text in mirrors(name).read([path]):
            text = re.sub(r"<\|endoftext\|>|</?s>", "\n\n\n", text.replace("\r", ""))
            # one behind the other: a story begins as stories do
            parts = re.split(r"\n(?=(?:Once upon a time|One day,|Once there was|There was once|There once was)\b)|\n{3,}", text)
            for part in parts:
                lines = [plain(p) for p in part.split("\n") if p.strip()]
                whole = " ".join(lines)
                if 300 < len(whole) < 4000 and whole[-1] in '.!?"' and whole[0].isupper():
                    yield from story("tiny stories", 4, "", lines)


def written_for_children(mirrors):
    """MCTest's stories, without their questions."""
    for number, lines, _ in mctest(mirrors):
        if len(" ".join(lines)) > 300:
            for each in story("mctest", 5, "", lines):
                yield {**each, "held": HELD in number}


def aesop(mirrors):
    for _, text in mirrors("emorynlp/data-collection").read(["aesops_fables/dat/aesop4children.json"]):
        for each in json.loads(text):
            yield from story("aesop", 3, plain(each["title"]), [double_quoted(plain(each["fable"])), plain(each["lesson"])])


def classics(mirrors):
    repository = mirrors("xenotaur/LCATS")
    names = [n for n in repository.names("corpora/") if n.endswith(".json") and n.split("/")[1] in ("anderson", "grimm", "wilde_happy_prince")]
    for _, text in repository.read(names):
        found = json.loads(text)
        lines = [p for p in paragraphs(found["body"]) if readable(p)]
        if len(" ".join(lines)) > 400:
            title = plain(found["name"].split(" - ")[-1])
            yield from story("grimm and andersen", 2, title[0].upper() + title[1:], lines)


def easy_articles(mirrors):
    """OneStopEnglish: newspaper articles in the words of learners."""
    repository = mirrors("nishkalavallabhi/OneStopEnglishCorpus")
    for _, text in repository.read([n for n in repository.names("Texts-SeparatedByReadingLevel/Ele-Txt/") if n.endswith(".txt")]):
        lines = [double_quoted(plain(line)) for line in text.split("\n")]
        yield from story("easy articles", 1, "", joined([line for line in lines if readable(line)]))


def tales(mirrors):
    yield from picture_books(mirrors, "global-asp/asp-source", "african storybook")
    yield from picture_books(mirrors, "global-asp/pb-source", "pratham")
    yield from aesop(mirrors)
    yield from written_for_children(mirrors)
    yield from tiny_stories(mirrors)
    yield from fables(mirrors)
    yield from classics(mirrors)
    yield from easy_articles(mirrors)
