#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes conversations.json: what templates are asked to render, as JSON, so that both sides read the same."""
import json
import os

WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather <now> at a place, in “words” & numbers.",
        "parameters": {
            "type": "object",
            "properties": {
                "city": {"type": "string", "description": "Name of the city, e.g. Zürich"},
                "unit": {"type": "string", "enum": ["celsius", "fahrenheit"], "default": "celsius"},
                "days": {"type": "integer", "minimum": 1, "maximum": 14},
            },
            "required": ["city"],
        },
    },
}
SEARCH = {
    "type": "function",
    "function": {
        "name": "search",
        "description": "Searches.\nTakes filters.",
        "parameters": {
            "type": "object",
            "properties": {
                "query": {"type": ["string", "null"]},
                "limit": {"type": "number", "default": 0.5},
                "exact": {"type": "boolean", "default": False},
                "tags": {"type": "array", "items": {"type": "string"}, "description": "any of them"},
                "where": {
                    "type": "object",
                    "properties": {"lat": {"type": "number"}, "lon": {"type": "number"}},
                    "required": ["lat", "lon"],
                    "additionalProperties": False,
                },
                "mode": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
            },
            "required": ["query", "tags"],
        },
    },
}
EMPTY = {
    "type": "function",
    "function": {"name": "now", "description": "The time.", "parameters": {"type": "object", "properties": {}}},
}


def say(role, content, **more):
    return {"role": role, "content": content, **more}


def call(name, arguments, id="call_0001"):
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def result(content, id="call_0001", name="get_weather"):
    return say("tool", content, tool_call_id=id, name=name)


def asks(*calls, content="", **more):
    return say("assistant", content, tool_calls=list(calls), **more)


CODE = "    def f(x):\n\treturn {{ x }}  \n\n\n    # {% end %}\r\n"
BLANK = "\u00a0\u2003\u3000 \t\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\ufeffin\u200b between\ufeff\x85\u2029\x1f\u00a0 \n"
WORLD = "Ünïcödé – 你好，世界 👩‍👩‍👧 e\u0301 \U00010348 İıß"
THOUGHT = "<think>\nFirst this,\nthen that.\n</think>\n\nThe answer."
VALUES = {
    "s": "a \"quoted\" 'text'\n\t\\ </s> é \u2028 \x7f \x00",
    "float": 0.1, "small": 1e-7, "large": 1.5e300, "negative": -2.5, "int": 42, "zero": 0,
    "true": True, "false": False, "none": None,
    "list": [1, 2.5, "x", None, True, [], {}],
    "nested": {"b": {"a": [{"deep": "ü"}]}, "a": 1},
}

CONVERSATIONS = {
    "plain": [say("user", "Hi")],
    "system": [say("system", "Be brief."), say("user", "Hi")],
    "turns": [say("user", "One?"), say("assistant", "One."), say("user", "Two?")],
    "system and turns": [
        say("system", "You are a pirate."), say("user", "One?"), say("assistant", "Arr, one."),
        say("user", "Two?"), say("assistant", "Arr, two."), say("user", "Three?"),
    ],
    "answered": [say("user", "One?"), say("assistant", "One.")],
    "nothing": [],
    "only system": [say("system", "Be brief.")],
    "late system": [say("user", "a"), say("system", "late"), say("user", "b")],
    "two users": [say("user", "a"), say("user", "b")],
    "begins with assistant": [say("assistant", "Welcome."), say("user", "a")],
    "developer": [say("developer", "Be brief."), say("user", "Hi")],
    "unknown role": [say("robot", "Beep."), say("user", "Hi")],
    "empty contents": [say("system", ""), say("user", ""), say("assistant", ""), say("user", "")],
    "blanks around": [say("system", "  a \n"), say("user", "\n\n b\t"), say("assistant", " c \n\n"), say("user", " d ")],
    "blanks of every kind": [say("system", BLANK), say("user", BLANK), say("assistant", BLANK), say("user", BLANK)],
    "only blanks": [say("system", "\x85\ufeff"), say("user", " \n\x1c"), say("assistant", "\ufeff"), say("user", "\u2003\x85")],
    "code": [say("user", CODE), say("assistant", "```python\n" + CODE + "```"), say("user", CODE)],
    "world": [say("system", WORLD), say("user", WORLD), say("assistant", WORLD), say("user", WORLD)],
    "markup": [say("user", "<a href=\"x\">&amp;</a> '{{' [INST] </s> <|im_end|>"), say("assistant", "<b>"), say("user", "{% x %}")],
    "thoughts": [say("user", "a"), say("assistant", THOUGHT), say("user", "b")],
    "thoughts last": [say("user", "a"), say("assistant", THOUGHT)],
    "half a thought": [say("user", "a"), say("assistant", "went on</think> done"), say("user", "b"), say("assistant", "<think>open")],
    "reasoning": [
        say("user", "a"), say("assistant", "x", reasoning_content=" because \n"), say("user", "b"),
        say("assistant", "y", reasoning_content=BLANK), say("user", "c"),
    ],
    "reasoning last": [say("user", "a"), say("assistant", "x", reasoning_content="because")],
    "reasoning empty": [say("user", "a"), say("assistant", "x", reasoning_content=""), say("user", "b")],
    "reasoning none": [say("user", "a"), say("assistant", "x", reasoning_content=None), say("user", "b")],
    "thinking key": [say("user", "a"), say("assistant", "x", thinking="because", reasoning="so"), say("user", "b")],
    "content none": [say("user", "a"), say("assistant", None), say("user", "b")],
    "parts": [
        say("system", [{"type": "text", "text": "Be brief."}]),
        say("user", [{"type": "text", "text": " What\n"}, {"type": "text", "text": "is it?"}]),
        say("assistant", [{"type": "text", "text": "It."}]),
        say("user", [{"type": "text", "text": "So."}]),
    ],
    "image": [say("user", [{"type": "image"}, {"type": "text", "text": "What is it?"}])],
    "no content": [say("user", "a"), {"role": "assistant"}, say("user", "b")],
    "tools": ([say("user", "Weather in Zürich?")], [WEATHER]),
    "three tools": ([say("system", "Be brief."), say("user", "Weather?")], [WEATHER, SEARCH, EMPTY]),
    "empty tools": ([say("user", "Hi")], []),
    "tools none": ([say("user", "Hi")], None),
    "tool called": (
        [say("user", "Weather?"), asks(call("get_weather", {"city": "Zürich", "days": 3})), result('{"t": 21.5}')],
        [WEATHER],
    ),
    "tool called and told": (
        [
            say("system", "Use tools."), say("user", "Weather?"),
            asks(call("get_weather", {"city": "Zürich"}), content="Let me look."), result("21.5 °C\n"),
            say("assistant", "It is warm."), say("user", "And now?"),
        ],
        [WEATHER, SEARCH],
    ),
    "two calls": (
        [
            say("user", "Weather?"),
            asks(call("get_weather", {"city": "A"}, "call_0001"), call("search", {"query": "b", "tags": ["x", "y"]}, "call_0002")),
            result("1", "call_0001"), result("2", "call_0002", "search"), say("assistant", "1 and 2"), say("user", "ok"),
        ],
        [WEATHER, SEARCH],
    ),
    "calls in turn": (
        [
            say("user", "Go"), asks(call("now", {}, "a0b1c2d3e")), result(" noon ", "a0b1c2d3e", "now"),
            asks(call("search", {"query": None, "limit": 0.5, "exact": True}, "f4g5h6i7j"), content=None),
            result('[{"a": 1}]', "f4g5h6i7j", "search"), say("assistant", "Done."),
        ],
        [SEARCH, EMPTY],
    ),
    "values": ([say("user", "Go"), asks(call("search", VALUES)), result("ok", name="search")], [SEARCH]),
    "blank arguments": ([say("user", "Go"), asks(call("search", {"query": BLANK, "code": CODE})), result(BLANK)], [SEARCH]),
    "call as text": (
        [say("user", "Go"), asks({"id": "call_0001", "type": "function", "function": {"name": "search", "arguments": "{\"query\": \"a\"}"}}), result("ok")],
        [SEARCH],
    ),
    "call without content": (
        [say("user", "Go"), {"role": "assistant", "tool_calls": [call("now", {})]}, result("noon")], [EMPTY],
    ),
    "call and reasoning": (
        [
            say("user", "Go"), asks(call("get_weather", {"city": "x"}), reasoning_content="I need it."), result("21"),
            asks(call("now", {}, "call_0002"), reasoning_content="And this.", content=THOUGHT), result("noon", "call_0002", "now"),
        ],
        [WEATHER, EMPTY],
    ),
    "calls unasked": [say("user", "Go"), asks(call("get_weather", {"city": "x"})), result("21"), say("user", "b")],
    "no calls": [say("user", "Go"), say("assistant", "x", tool_calls=[]), say("user", "b")],
    "calls none": [say("user", "Go"), say("assistant", "x", tool_calls=None), say("user", "b")],
    "result alone": [say("user", "Go"), say("tool", "21"), say("user", "b")],
    "result as value": (
        [say("user", "Go"), asks(call("get_weather", {"city": "x"})), result({"t": 21.5, "ok": True, "l": [1, None]})], [WEATHER],
    ),
    "result as parts": (
        [say("user", "Go"), asks(call("get_weather", {"city": "x"})), result([{"type": "text", "text": "21"}])], [WEATHER],
    ),
    "bare tool": ([say("user", "Go")], [WEATHER["function"]]),
}

OPTIONS = [
    {"add_generation_prompt": True},
    {"add_generation_prompt": False},
    {"add_generation_prompt": True, "enable_thinking": True},
    {"add_generation_prompt": True, "enable_thinking": False},
]

if __name__ == "__main__":
    conversations = {}
    for name, given in CONVERSATIONS.items():
        messages, *tools = given if isinstance(given, tuple) else (given,)
        conversations[name] = {"messages": messages, **({"tools": tools[0]} if tools else {})}
    said = {"conversations": conversations, "options": OPTIONS, "tokens": {"bos_token": "<s>", "eos_token": "</s>"}}
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "conversations.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(said, file, ensure_ascii=True)
        file.write("\n")
