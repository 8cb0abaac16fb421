#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Says what of text/written/ is not as its README.md wants it; what was asked of natural texts only where gather.py has brought them.

    python3 check_written.py
"""
import json
import random
import re
import sys

from gather import measured
from sources.clean import shingles
from text import exchanging, records, wholes, written
from text.library import Library, there

ODD = re.compile("[\u2018\u2019\u201c\u201d\u2013\u2014\u2026]")
TYPES = {"integer": int, "string": str, "boolean": bool, "number": (int, float), "array": list}


def faults_of_questions(story):
    """Of what is asked of a text, and wanted of it as JSON."""
    if ODD.search(json.dumps({**story, "text": ""}, ensure_ascii=False)):
        yield "typographic signs"
    if len(story["asked"]) < 4:
        yield "too few questions"
    for asked in sum(story.get("talks", ()), story["asked"]):
        if asked["line"] not in story["text"]:
            yield f"no such line: {asked['line']}"
        if len(asked["says"].split()) > 12:
            yield f"a long answer: {asked['says']}"
    for task in story.get("tasks", ()):
        properties = task["schema"]["properties"]
        if set(properties) != set(task["value"]):
            yield f"not the schema's: {task['value']}"
        for key, value in task["value"].items():
            if "enum" in properties.get(key, {}) and value not in properties[key]["enum"]:
                yield f"no such choice: {value}"


def faults_of_story(story):
    text = story["text"]
    words = len(text.split())
    if not 30 <= words <= 330:
        yield f"a story of {words} words"
    if ODD.search(text):
        yield "typographic signs"
    yield from faults_of_questions(story)
    questions = sum(story.get("talks", ()), story["asked"])
    if len(questions) < (7 if words > 100 else 5) or len(story["facts"]) < (4 if words > 100 else 3):
        yield "too few questions or facts"
    for fact in story["facts"]:
        for value in fact["value"] if isinstance(fact["value"], list) else [fact["value"]]:
            if isinstance(value, str) and value.lower() not in text.lower():
                yield f"not in the story: {value}"
        if not fact["keys"]:
            yield "a fact without a key"
    for key in ("title", "summary", "shorter", "ending"):
        if not story[key]:
            yield f"no {key}"
    if not story["voice"]["text"] or not story["voice"]["who"]:
        yield "no voice"


def faults_of_request(request, tools):
    if not set(request["tools"]) <= set(tools):
        yield "an unknown tool"
    if (request["call"] is None) == (request["say"] is None):
        yield "a call or an answer"
    if call := request["call"]:
        schema = tools[call["name"]]["parameters"]
        if request.get("result") is None or not request.get("then"):
            yield "no result, or nothing that is said then"
        if call["name"] not in request["tools"] or not set(schema.get("required", ())) <= set(call["arguments"]):
            yield "a tool that is not there, or too few arguments"
        for name, value in call["arguments"].items():
            kind = schema["properties"].get(name)
            if not kind or not isinstance(value, TYPES[kind["type"]]) or value not in kind.get("enum", [value]):
                yield f"the argument {name}"


def faults_of_other(story, seed):
    """Of what is made of a story: with other names and other things all of it must still belong together."""
    r = random.Random(seed)
    names = written.other_names(r, story)
    renamed = records.changed(lambda text: wholes.renamed(names, text), story)
    for name in names:
        if re.search(rf"\b{name}\b", json.dumps(renamed, ensure_ascii=False).replace("\\n", " ")):
            yield f"{name} has kept its name"
    for other in (renamed, exchanging.exchange(r, renamed)):
        yield from (f"of what is made of it: {fault}" for fault in faults_of_story(other))


def main():
    tools = records.tools()
    measured_by = {shingle for text in measured() for shingle in shingles(text)}
    faults = stories = natural = asked = 0

    def check(where, text, found):
        nonlocal faults
        alike = ["eight words in a row as in heldout/"] if measured_by & set(shingles(text)) else []
        for fault in [*alike, *found]:
            faults += 1
            print(f"{where}: {fault}")

    for name, line, story in records.all_stories():
        stories, asked = stories + 1, asked + len(story["asked"])
        check(f"{name}:{line}", json.dumps(story, ensure_ascii=False), [*faults_of_story(story), *faults_of_other(story, line)])
    for story in records.asked_about([record["text"] for record in Library().whole.records]) if there() else ():
        natural, asked = natural + 1, asked + len(story["asked"])
        check(records.digest(story["text"]), json.dumps({**story, "text": ""}, ensure_ascii=False), faults_of_questions(story))
    for line, text in enumerate(records.lines(records.FOLDER / "calls.jsonl"), 1):
        check(f"calls.jsonl:{line}", text, faults_of_request(json.loads(text), tools))
    print(f"{stories} stories, {natural} natural texts, {asked} questions, {faults} faults")
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
