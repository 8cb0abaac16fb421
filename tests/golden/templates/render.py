#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes what Python's jinja2 (3.1.6) makes of templates, set up as transformers does it.

    python3 render.py constructs                writes constructs.json: [template, text or null where it is refused]
    python3 render.py llama-cpp FOLDER          writes llama-cpp.json from the *.jinja of llama.cpp's models/templates:
        of each template and conversation and set of options (conversations.json, in order) eight digits of SHA-256
        of the text, or "-" where it is refused
"""
import hashlib
import json
import os
import sys

from constructs import CONTEXT, CONSTRUCTS
from transformers_jinja import environment

HERE = os.path.dirname(os.path.abspath(__file__))


def rendered(template, context):
    try:
        return template.render(**context)
    except Exception:  # of any kind: what matters is that there is no text
        return None


def compiled(source):
    try:
        return environment().from_string(source)
    except Exception:
        return None


def constructs():
    cases = []
    for source in CONSTRUCTS:
        template = compiled(source)
        cases.append([source, template and rendered(template, CONTEXT)])
    return {"context": CONTEXT, "cases": cases}


def llama_cpp(folder):
    with open(os.path.join(HERE, "conversations.json"), encoding="utf-8") as file:
        said = json.load(file)
    digests = {}
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".jinja"):
            continue
        with open(os.path.join(folder, name), encoding="utf-8", newline="") as file:
            template = compiled(file.read())
        words = []
        for conversation in said["conversations"].values():
            for options in said["options"]:
                text = rendered(template, {**conversation, **options, **said["tokens"]})
                words.append("-" if text is None else hashlib.sha256(text.encode()).hexdigest()[:8])
        digests[name] = " ".join(words)
    return digests


if __name__ == "__main__":
    made = constructs() if sys.argv[1] == "constructs" else llama_cpp(sys.argv[2])
    with open(os.path.join(HERE, sys.argv[1] + ".json"), "w", encoding="utf-8") as file:
        json.dump(made, file, ensure_ascii=True, indent=0)
        file.write("\n")
