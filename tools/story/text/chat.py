# SPDX-License-Identifier: MIT
"""Conversations as the model's chat template writes them (../chat-template.jinja)."""
import json

# A message of more letters than these stands there twice, as it holds a text, most likely. A model whose state does not grow has to know what to keep of a text
# before it knows what it is asked about: reading it again, it knows (Arora et al., "Just read twice", 2024). And what is read again is learnt as copying.
TWICE = 300              # as in ../chat-template.jinja

TOOLS_BEFORE = "You may call these tools:\n<tools>"
TOOLS_AFTER = '\n</tools>\nA call is written like this:\n<tool_call>\n{"name": "tool", "arguments": {"key": "value"}}\n</tool_call>'


def dumps(value):
    return json.dumps(value, ensure_ascii=False)


def user(text):
    return {"role": "user", "content": text}


def answer(text):
    return {"role": "assistant", "content": text}


def call(*calls):
    return {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": n, "arguments": a}} for n, a in calls]}


def result(value):
    return {"role": "tool", "content": value if isinstance(value, str) else dumps(value)}


def segments(messages, tools=()):
    """(text, whether the model learns to write it) one after the other; joined they are what the template gives. What stands there again is learnt as "again"."""
    out = []
    messages = list(messages)
    system = messages.pop(0)["content"] if messages[0]["role"] == "system" else ""
    if tools:
        told = TOOLS_BEFORE + "".join("\n" + dumps(tool) for tool in tools) + TOOLS_AFTER
        system = f"{system}\n\n{told}" if system else told
    if system:
        out.append((f"<|im_start|>system\n{system}<|im_end|>\n", False))
    for message in messages:
        role, content = message["role"], message["content"]
        if role == "tool":
            out.append((f"<|im_start|>user\n<tool_response>\n{content}\n</tool_response><|im_end|>\n", False))
        elif role == "user":
            if len(content) > TWICE:
                out.append((f"<|im_start|>user\n{content}", False))
                out.append((f"\n\n{content}<|im_end|>\n", "again"))
            else:
                out.append((f"<|im_start|>user\n{content}<|im_end|>\n", False))
        else:
            written = [f'<tool_call>\n{{"name": "{c["function"]["name"]}", "arguments": {dumps(c["function"]["arguments"])}}}\n</tool_call>' for c in message.get("tool_calls", ())]
            out.append(("<|im_start|>assistant\n", False))
            out.append(("\n".join(([content] if content else []) + written) + "<|im_end|>", True))
            out.append(("\n", False))
    out.append(("<|endoftext|>", False))
    return out


def plain(text):
    return [(text + "<|endoftext|>", True)]
