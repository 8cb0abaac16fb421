# SPDX-License-Identifier: MIT
"""What a story has, as JSON to a schema or an example that the request shows."""
import re

from . import beings, wishes
from .chat import dumps

ASK = """Give me {what} as JSON: {form}|Extract {what} as JSON. Schema: {form}|Return {what} as JSON to this schema: {form}|List {what} as JSON.\n{form}|Answer in JSON. {form}\nI want {what}.|
Find {what} in the story. Answer only with JSON like this: {form}|Write {what} as JSON in this form: {form}|{what_upper}, as JSON, please. The schema is {form}|Fill in this form from the story: {form}|
Answer with a JSON object that matches this schema:\n{form}|Extract from the story: {what}. Format: {form}|Respond in JSON with this schema: {form}|I need {what} for my notes. JSON, please: {form}|Could you pull out {what}? Use this form: {form}|
Note {what}. Nothing but JSON: {form}|Make a JSON record of {what}. {form}|What are {what}? Output JSON only: {form}|{form}\nFill this in with {what}.|Collect {what} in an object like {form}|Which {nouns} are in the story? Answer as JSON: {form}""".replace("|\n", "|").split("|")
LISTS = {"names": ("names", "characters", "people", "persons", "who"), "places": ("places", "locations", "where", "settings"), "objects": ("objects", "things", "items")}


def found(story):
    """What stands in the text, in the order in which it does: names, places, objects."""
    text = story.text()
    spots = {"names": [], "places": [], "objects": []}

    def note(kind, words, shown=None):
        at = re.search(r"\b%s\b" % re.escape(words), text)
        if at and (shown or words) not in [w for _, w in spots[kind]]:
            spots[kind].append((at.start(), shown or words))
    for being in story.cast:
        if being.many:
            continue
        if being.name:
            note("names", being.name)
    for place in story.places:
        if re.search(re.escape(place.at()), text, re.I) or re.search(r"\b%s\b" % re.escape((place.look + " " if place.look else "") + place.noun), text):
            note("places", place.noun)
    for being in story.cast:
        home = being.facts.get("home")
        if home and home in text:
            note("places", home.split(" ", 1)[1].removeprefix("the ").removeprefix("a ").removeprefix("an "))
    for place in re.findall(r"\b(?:moved to|came to|moves to) ([A-Z][a-z]+(?: [A-Z][a-z]+)?)", text):
        note("places", place)
    for thing in story.things:
        noun = thing.bare(False)
        note("objects", noun)
    return {kind: [w for _, w in sorted(items)] for kind, items in spots.items()}


def singles(story):
    """Facts of one value: key -> (words for the request, value)."""
    hero, out = story.hero, {}
    if hero is story.me or not getattr(story, "main", None) and not hero:
        return out
    if hero.name:
        out["name"] = ("the name of the main character", hero.name)
        out["hero"] = ("the hero", hero.name)
    if "kind" in hero.told:
        out["kind"] = ("what kind of being the hero is", hero.kind)
        others = [b for b in story.cast if b is not hero and b.kind in beings.ANIMALS + beings.BIRDS + beings.SMALL + beings.CREATURES]
        if hero.kind in beings.ANIMALS + beings.BIRDS + beings.SMALL and not others:
            out["animal"] = ("the animal", hero.kind)
    thing = getattr(story, "main", None)
    if thing is not None and thing.bare() in story.text():
        out["object"] = ("the most important object", thing.bare(False))
        if thing.colour:
            out["colour"] = ("the colour of the " + thing.bare(False), thing.colour)
    if story.friend is not None and story.friend.name and story.friend is not hero and story.friend.name in story.text():
        out["friend"] = ("the friend or helper", story.friend.name)
    return out


def schema(properties):
    return dumps({"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False} if len(properties) != 2 else
                 {"type": "object", "properties": properties, "required": list(properties)})


def extraction(r, story):
    """(request, answer as JSON)."""
    have, one = found(story), singles(story)
    keys, value, properties, what, nouns = [], {}, {}, [], []
    if one and r.random() < 0.45:
        for key in r.sample(sorted(one), min(len(one), r.choice((1, 2, 2, 3)))):
            words, v = one[key]
            keys.append(key)
            value[key], properties[key] = v, {"type": "string"}
            what.append(words)
            nouns.append(key + "s")
    if not keys or r.random() < 0.35:
        for kind in r.sample(sorted(have), r.choice((1, 1, 2, 3))):
            key = r.choice(LISTS[kind][:3]) if r.random() < 0.5 else kind
            keys.append(key)
            value[key] = have[kind]
            properties[key] = {"type": "array", "items": {"type": "string"}}
            what.append(r.choice(("all the {}", "the {}", "every {}")).format({"names": "names", "places": "places", "objects": "objects"}[kind]).replace("every names", "the names").replace("every places", "all places").replace("every objects", "all objects"))
            nouns.append(kind)
    return wish(r, properties, what, nouns), dumps(value)


# What stands for a value in an example, and what the value is called.
EXAMPLES = {"string": ("...", "a string"), "array": (["..."], "a list of strings"), "integer": (0, "a number")}


def wish(r, properties, what, nouns):
    """A request for what is told in words (`what`), in the form of a schema, an example or keys."""
    keys = list(properties)
    x = r.random()
    if x < 0.5:
        form = schema(properties)
    elif x < 0.8:
        form = dumps({k: EXAMPLES[p["type"]][0] for k, p in properties.items()})
    else:
        form = "an object with the key" + ("s " if len(keys) > 1 else " ") + " and ".join(f'"{k}"' for k in keys) + ("" if r.random() < 0.5 else "; " + ", ".join(f'"{k}" is {EXAMPLES[p["type"]][1]}' for k, p in properties.items()))
    told = ", ".join(what[:-1]) + " and " + what[-1] if len(what) > 1 else what[0]
    return r.choice(ASK if r.random() < 0.5 else wishes.EXTRACT).format(what=told, what_upper=told[0].upper() + told[1:], form=form, nouns=" and ".join(nouns))
