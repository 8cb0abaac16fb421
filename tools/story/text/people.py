# SPDX-License-Identifier: MIT
"""Conversations of questions that people wrote for a text: one by one, several at once, in whole sentences, as JSON, with other names."""
import re

from . import evidence, wholes
from .chat import answer, dumps, user
from .extracting import wish
from .phrases import NOT_TOLD
from .pointing import WORD, put, said
from .things import DIGITS

SENTENCE = ("Answer in a whole sentence.", "Answer in a full sentence.", "Please answer in a complete sentence.", "Use a whole sentence.", "Write a full sentence.", "One full sentence, please.")
NOT_THERE = ("The text does not say.", "The text does not say that.", "That is not in the text.", "The text does not tell us.")
MANY = ("Answer these questions:", "Answer the questions.", "Please answer the following questions.", "Some questions about it:", "Questions:", "Answer all of them:", "I have a few questions.", "Here are the questions:")
WHERE = ("How do you know?", "Where does the text say that?", "Which sentence says so?", "Quote the sentence.", "Show me where it says that.", "What makes you think so?", "Can you show me the place in the text?")
JSON_LIST = ("Answer in JSON with the keys {k}:", "Answer these as a JSON object with the keys {k}.", "Give me JSON with {k}. The questions:", "Put the answers into a JSON object. Keys: {k}.", "Reply only with JSON. Use the keys {k} for these questions:")
JSON_FILL = ("Replace each question with its answer and give me the JSON: {f}", "Fill in the answers: {f}", "Complete this JSON with the answers: {f}", "Here is a JSON object with questions. Write the answers in their place.\n{f}", "{f}\nAnswer in the same JSON form.")
JSON_SCHEMA = ("Answer as JSON that fits this schema: {f}", "Fill this schema from the text: {f}", "{f}\nRead the text and give me an object of this schema.", "Use this JSON schema for your answer:\n{f}", "I need the data in this format: {f}")
JSON_KEYS = ("Find {k} and give them as JSON.", "As JSON: {k}.", "Make a JSON object with {k}.", "What are {k}? Reply with JSON.", "Look up {k} in the text. JSON only, please.", "JSON with {k}, please.")
CHANGED = ("mctest", "fairytaleqa", "tiny stories")       # of these the names may be other ones: nobody real is meant


def listed(words):
    return ", ".join(words[:-1]) + " and " + words[-1] if len(words) > 1 else words[0]


def value_of(text, says):
    """An answer as a value of JSON: as it stands within a sentence of the text, without an article and a full stop; a number, where it is one."""
    says = wholes.within(text, says.rstrip("."))
    if says.count(" ") < 4:
        says = re.sub(r"^(?:an?|the) (?=.)", "", says)
    return DIGITS.get(says) or (int(says) if re.fullmatch(r"\d{1,4}", says) else says)


def as_json(r, text, pairs):
    """A request for some answers on a text as JSON, and the object."""
    entries = {}
    for pair in pairs:
        name, clear = wholes.key(r, pair["ask"])
        if name not in entries and 1 < len(name) < 28:
            entries[name] = (pair["ask"], value_of(text, pair["says"]), clear)
    if not entries:
        return None
    value = {k: v[1] for k, v in entries.items()}
    quoted = listed([f'"{k}"' for k in entries])
    x = r.random()
    if all(v[2] for v in entries.values()) and x < 0.6:
        ask = r.choice(JSON_KEYS).format(k=listed(["the " + k.replace("_", " ") for k in entries]) if r.random() < 0.3 else quoted)
    elif x < 0.3:
        ask = r.choice(JSON_FILL).format(f=dumps({k: v[0] for k, v in entries.items()}))
    elif x < 0.65:
        properties = {k: {"type": "integer" if isinstance(value[k], int) else "string", "description": v[0]} for k, v in entries.items()}
        schema = {"type": "object", "properties": properties}
        if r.random() < 0.7:
            schema["required"] = list(properties)
        ask = r.choice(JSON_SCHEMA).format(f=dumps(schema))
    else:
        mark = r.choice(("{n}. ", "- ", "{n}) ", ""))
        ask = r.choice(JSON_LIST).format(k=quoted) + "\n" + "\n".join(mark.format(n=n + 1) + v[0] for n, v in enumerate(entries.values()))
    return ask, dumps(value)


WHO_IS = {"names": ("the names", "all the names", "the names of the people"), "people": ("the people", "all people with a name"), "characters": ("the characters that have a name", "the named characters"), "persons": ("the persons",)}


def names_in(r, text):
    """The names of a text as JSON, if it is sure that all were found."""
    names, counts = wholes.all_names(text)
    if not names:
        return None
    kind = r.choice(list(WHO_IS))
    properties, value, what = {kind: {"type": "array", "items": {"type": "string"}}}, {kind: names}, [r.choice(WHO_IS[kind])]
    main = max(names, key=lambda n: counts[n])
    if counts[main] > 2 and all(counts[main] > 1.5 * counts[n] for n in names if n != main) and r.random() < 0.5:
        name = r.choice(("main_character", "hero", "protagonist", "about"))
        properties[name], value[name] = {"type": "string"}, main
        what.append(r.choice(("the name of the main character", "who the story is mostly about", "the most important one")))
        if r.random() < 0.4:
            for each in (properties, value):
                del each[kind]
            what = what[1:]
        elif r.random() < 0.4:
            properties, value, what = dict(reversed(properties.items())), dict(reversed(value.items())), what[::-1]
    return wish(r, properties, what, ["names"]), dumps(value)


def at_once(r, pairs):
    """Several questions in one message, and the answers as a list of the same form."""
    mark = r.choice(("{n}. ", "{n}) ", "- ", "{n}: "))
    asks = [pair["ask"] for pair in pairs]
    begin = r.choice(MANY)
    if r.random() < 0.2:
        return " ".join(asks), " ".join(said(pair["says"], "") for pair in pairs)
    written = r.choice((begin + "\n", begin + "\n\n", "")) + "\n".join(mark.format(n=n + 1) + a for n, a in enumerate(asks))
    return written, "\n".join(mark.format(n=n + 1) + said(pair["says"], "") for n, pair in enumerate(pairs))


def talk_on(r, text, pairs, others, tale):
    """The conversation about a text, as messages; `others`: questions that belong to other texts."""
    wishes = [p for p in pairs if p.get("task")]
    pairs = [p for p in pairs if not p.get("task")]
    short = [p for p in pairs if len(p["says"]) < 70]
    talk = [m for p in wishes for m in (user(p["ask"]), answer(said(p["says"], "")))]
    brief, sentences = r.random() < 0.08, r.random() < 0.12      # all through the conversation
    x = r.random()
    if len(short) > 1 and x < 0.32:
        chosen = r.sample(short, min(len(short), r.choice((2, 2, 3, 3, 4))))
        made = as_json(r, text, chosen)
        if made:
            talk += [user(made[0]), answer(made[1])]
            pairs = [p for p in pairs if p not in chosen]
    elif len(pairs) > 1 and x < 0.4:
        chosen = r.sample(pairs, min(len(pairs), r.choice((2, 3, 4))))
        ask, told = at_once(r, chosen)
        talk += [user(ask), answer(told)]
        pairs = [p for p in pairs if p not in chosen]
    if tale and r.random() < 0.1:
        made = names_in(r, text)
        if made:
            talk += [user(made[0]), answer(made[1])]
    for n, pair in enumerate(pairs):
        ask, told = pair["ask"], pair["says"]
        whole = wholes.sentence(ask, told, text)
        y = r.random()
        if sentences and whole:
            talk += [user(f"{ask} {r.choice(SENTENCE)}" if n < 2 or y < 0.3 else put(r, ask)), answer(whole)]
            continue
        if whole and y < 0.14:
            talk += [user(f"{ask} {r.choice(SENTENCE)}"), answer(whole)]
        elif len(told) < 25 and y < 0.26:
            talk += [user(f"{ask} {r.choice(WORD)}"), answer(said(told, "bare" if brief else ""))]
        else:
            given = said(told, "bare" if brief and len(told) < 40 else "")
            talk += [user(put(r, ask) if tale else ask), answer(given if brief else evidence.answered(text, ask, given, tale))]
        if r.random() < 0.07:
            line = evidence.sentence(text, ask, told)
            if line:
                talk += [user(r.choice(WHERE)), answer(line)]
    low = text.lower()
    if others and r.random() < 0.18:                     # what is asked of another story has no answer here
        ask, other = r.choice(others)
        strange = [w for w in re.findall(r"[a-z]{5,}", ask.lower()) if w not in low]
        if strange and other.lower() not in low:
            at = r.choice([0] + [i for i, m in enumerate(talk) if m["role"] == "user" and m["content"] not in WHERE] + [len(talk)])
            talk[at:at] = [user(put(r, ask)), answer(r.choice(NOT_TOLD if tale else NOT_THERE))]
    return talk
