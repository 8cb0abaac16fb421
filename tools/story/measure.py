# SPDX-License-Identifier: MIT
"""What a trained model is measured by: documents of seeds and of natural texts that it has not seen, part by part."""
import random

import gated_delta
import torch
from data import ANSWER, TEST_SEED, Packer, encode
from text.evidence import quoted, stems
from text.phrases import READ

BEGINS = ["Once a purple hedgehog lost her left boot", "Tell me a story about a lighthouse keeper who was afraid of the sea.", "Tell me a story.", "One morning a small violin decided to run away ...",
          "Tell me a story about a fox and a crow.", "Go on with this story:\n\nThe old mill had stood empty for years. Every child in the village knew that nobody went there after dark."]


def rows_of(mixture, part, tokenizer, length, count):
    packer, seed, rows = Packer(length, tokenizer.special["<|endoftext|>"]), TEST_SEED, []
    random.seed(part)                                                  # of the packer
    while len(rows) < count:
        while len(packer.waiting) < 48:
            packer.add(*encode(tokenizer, mixture.of(part, seed)))
            seed += 1
        rows.append(packer.row())
    return torch.tensor([r[0] for r in rows]), torch.tensor([r[1] for r in rows])


@torch.no_grad()
def losses(model, rows, weights, device):
    """Nats a token: of stories, and of short answers."""
    total = {1: 0.0, ANSWER: 0.0}
    for i in range(0, len(rows), 16):
        x = rows[i:i + 16].to(device)
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            each = model.losses(model.hidden(x[:, :-1]), x[:, 1:]).cpu()
        kind = weights[i:i + 16, 1:].flatten()
        for k in total:
            total[k] += each[kind == k].sum().item()
    counts = {k: (weights[:, 1:] == k).sum().item() for k in total}
    return {name: total[k] / counts[k] for name, k in (("stories", 1), ("answers", ANSWER)) if counts[k]}


@torch.no_grad()
def write(model, prompts, device, tokens, end):
    """Greedy continuations of token lists, each step a whole pass: slow, and right by construction."""
    done = [[] for _ in prompts]
    open_ = set(range(len(prompts)))
    for _ in range(tokens):
        rows = sorted(open_)
        if not rows:
            break
        texts = [prompts[i] + done[i] for i in rows]
        length = -(-max(map(len, texts)) // gated_delta.CHUNK) * gated_delta.CHUNK
        x = torch.zeros(len(rows), length, dtype=torch.long)
        for j, t in enumerate(texts):
            x[j, :len(t)] = torch.tensor(t)
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            h = model.hidden(x.to(device))
            last = h[torch.arange(len(rows)), torch.tensor([len(t) - 1 for t in texts])]
            chosen = model.head(last).argmax(-1).tolist()
        for i, token in zip(rows, chosen):
            if token in end:
                open_.discard(i)
            else:
                done[i].append(token)
    return done


def questions_of(mixture, part, count):
    """(what comes before the answer, the answer, the question)"""
    asked, seed = [], TEST_SEED + 10**8
    while len(asked) < count:
        document = mixture.of(part, seed)
        seed += 1
        turns = [i for i, (text, learnt) in enumerate(document) if learnt is True and len(document) > 3 and len(text) < 320 and text.removesuffix("<|im_end|>") not in READ]
        if turns:
            at = random.Random(seed).choice(turns)
            asked.append(("".join(t for t, _ in document[:at]), document[at][0].replace("<|im_end|>", ""), document[at - 2][0]))
    return asked


def alike(text):
    """What is compared: the last line, which is the answer itself where a sentence of the story is before it."""
    return text.lower().split("\n")[-1].strip(' ."')


def examples(model, tokenizer, device, mixture, count, length=220):
    """({part: shares of its short answers}, a text that shows them and some stories). Of all answers, `right`: to the letter; `said`: with all words of
    the wanted answer that the question has not. Of those that say what the text says, `copied`: in words that stand there."""
    ends = {tokenizer.special["<|im_end|>"], tokenizer.special["<|endoftext|>"]}
    shares, lines = {}, []
    for part in mixture.shares:
        if part in ("natural", "tales", "copied"):
            continue
        asked, found = questions_of(mixture, part, count), dict(right=[], said=[], copied=[])
        lines.append(f"--- {part}")
        for i in range(0, count, 64):
            for (before, wanted, question), got in zip(asked[i:i + 64], write(model, [tokenizer.encode(a[0]) for a in asked[i:i + 64]], device, min(64, length), ends)):
                got = tokenizer.decode(got)
                found["right"].append(alike(got) == alike(wanted))
                found["said"].append(stems(alike(wanted)) - stems(question.split("\n")[-1]) <= stems(got))
                if line := quoted(got):
                    found["copied"].append(line in before)
                lines.append(f"{'right' if alike(got) == alike(wanted) else 'WRONG'}  {question[-160:]!r}\n   got    {got!r}\n   wanted {wanted!r}")
        shares[part] = {name: round(sum(each) / len(each), 3) for name, each in found.items() if each}
    prompts = [tokenizer.encode(f"<|im_start|>user\n{b}<|im_end|>\n<|im_start|>assistant\n") for b in BEGINS]
    lines += [f"{b}\n   {tokenizer.decode(t)}" for b, t in zip(BEGINS, write(model, prompts, device, length, ends))]
    return shares, "\n".join(lines) + "\n"
