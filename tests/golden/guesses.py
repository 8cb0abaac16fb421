#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Golden guesses of the tokens after the next: a random model with a block for them, and what both are in PyTorch.

    python3 guesses.py guesses

For each beginning of a random text of n tokens: the model's greedy token p after it, then three guesses, each from the tokens before
it, p and the guesses included; the hidden state of a guessed token is what the block made of the one before it.
"""
import json
import os
import subprocess
import sys
import tempfile

import torch

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tools", "story"))
import bpe
from model import Model, Shape, load, save, write_tensors
from mtp import Guess

TOKENS, GUESSES = 48, 3


def make(folder):
    """A checkpoint of a small model, and the same from its rounded weights."""
    torch.manual_seed(11)
    tokenizer = bpe.Tokenizer([])
    tokenizer.save(os.path.join(folder, "tokenizer.json"))
    shape = Shape(320, hidden=64, layers=2, ffn=96, heads=2, head_dim=32)
    model, guess = Model(shape), Guess(shape)
    with torch.no_grad():
        for p in [*model.parameters(), *guess.parameters()]:
            p.add_(0.1 * torch.randn_like(p) if p.dim() == 1 else 0.5 * p.std() * torch.randn_like(p))
        model.model.embed_tokens.weight.mul_(10)
        for p in guess.parameters():
            p.copy_(p.bfloat16().float() if p.dim() == 2 else p)
    save(model, folder, tokenizer.special["<|im_end|>"], tokenizer.special["<|endoftext|>"])
    write_tensors(os.path.join(folder, "mtp.safetensors"), [("mtp." + n, v, v.dim() == 1) for n, v in guess.state_dict().items()])
    path = os.path.join(folder, "config.json")
    with open(path) as file:
        config = json.load(file)
    config.update(mtp_num_hidden_layers=1, num_attention_heads=shape.heads, head_dim=shape.head_dim, linear_key_head_dim=shape.head_dim, linear_value_head_dim=shape.head_dim)
    config["rope_parameters"]["partial_rotary_factor"] = 0.5
    with open(path, "w") as file:
        json.dump(config, file)
    load(model, folder)
    return model, guess


@torch.no_grad()
def guesses(model, guess, ids):
    embeddings = model.model.embed_tokens.weight
    # The delta rule is in chunks of 64; what follows changes nothing before it.
    padded = [*ids, *[0] * (-len(ids) % 64)]
    hidden = model.model.norm(model.hidden(torch.tensor([padded])))[:, :len(ids)]
    rows, follow = hidden, [*ids[1:], int((hidden[0, -1] @ embeddings.T).argmax())]
    found = []
    for _ in range(GUESSES):
        out = guess(rows, embeddings[torch.tensor([follow])])[:, -1:]
        found.append(int((out[0, 0] @ embeddings.T).argmax()))
        rows, follow = torch.cat([rows, out], 1), [*follow, found[-1]]
    return found


def main():
    target = sys.argv[1]
    os.makedirs(target, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        model, guess = make(folder)
        ids = torch.randint(0, 256, (TOKENS,)).tolist()
        found = [g for n in range(1, TOKENS + 1) for g in guesses(model, guess, ids[:n])]
        output = os.path.join(target, "model-f32.gguf")
        subprocess.run(["node", os.path.join(ROOT, "tools", "story", "export.mjs"), folder, "--type", "f32", "--output", output], check=True)
    with open(os.path.join(target, "guesses.json"), "w") as file:
        json.dump([dict(ids=ids, guesses=found)], file)


if __name__ == "__main__":
    main()
