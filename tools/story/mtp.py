#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A block that guesses the token after the next, on a trained model that stays as it is: Qwen3.5's `mtp`.

    python3 mtp.py --init DIR --minutes 4

The block is one layer of softmax attention. It has the model's last hidden state (behind its norm) and the embedding of the token that
came then; its guess is read off by the model's own embeddings. DIR gets mtp.safetensors, which add-guesses.mjs puts into the model's file.
"""
import argparse
import json
import os
import time

import bpe
import numpy as np
import torch
import torch.nn.functional as F
from data import Stream
from layers import AttentionLayer, Norm, linear
from measure import rows_of
from mixture import DEFAULT, Mixture
from model import Model, Shape, load, write_tensors
from torch import nn


class Guess(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.pre_fc_norm_embedding, self.pre_fc_norm_hidden = Norm(s.hidden, s.eps), Norm(s.hidden, s.eps)
        self.fc, self.layers, self.norm = linear(2 * s.hidden, s.hidden), nn.ModuleList([AttentionLayer(s)]), Norm(s.hidden, s.eps)
        for name, p in self.named_parameters():
            if p.dim() == 2:
                nn.init.normal_(p, std=(0.2 if "o_proj" in name or "down_proj" in name else 0.7) * p.shape[1] ** -0.5)

    def forward(self, hidden, embedded, begins):
        x = self.fc(torch.cat([self.pre_fc_norm_embedding(embedded), self.pre_fc_norm_hidden(hidden)], -1))
        return self.norm(self.layers[0](x, begins))


def guessed(model, guess, rows, depth):
    """[(logits of the guess, logits of the model at its token)]: the first of the tokens 2 .. T-1, each other of those one later, made of the one before."""
    begins = model.begins(rows)
    with torch.no_grad():
        hidden = model.model.norm(model.hidden(rows[:, :-1]))
        embeddings = model.model.embed_tokens.weight.to(hidden.dtype)
        own = F.linear(hidden, embeddings)
    found, x = [], hidden
    for i in range(1, depth + 1):
        x = guess(x[:, :rows.shape[1] - i], F.embedding(rows[:, i:], embeddings), begins[:, :rows.shape[1] - i])[:, :-1]
        found.append((F.linear(x, embeddings), own[:, i:]))
    return found


def loss_of(model, guess, rows, weights, depth):
    """Nats a token, mean over the depths: how far guesses are from what the model believes of their tokens, where these are to be learnt."""
    losses = []
    for i, (logits, own) in enumerate(guessed(model, guess, rows, depth)):
        each = F.cross_entropy(logits.flatten(0, 1).float(), own.flatten(0, 1).float().softmax(-1), reduction="none")
        shares = weights[:, 2 + i:].flatten()
        losses.append((each * shares).sum() / shares.sum().clamp(min=1))
    return sum(losses) / depth


def right_ones(found, rows, weights):
    """Of each depth the share of guesses that are the model's own next choice, where those before are, and the text goes on with them."""
    shares, chain = [], torch.ones_like(rows[:, 1:], dtype=torch.bool)
    for i, (logits, own) in enumerate(found):
        chain = chain[:, :-1]                                          # of those that a further one can be made of
        chosen = own.argmax(-1).cpu()
        same = logits.argmax(-1).cpu() == chosen
        shares.append(same[chain & (weights[:, 2 + i:] > 0)].float().mean())
        chain = chain & same & (chosen == rows[:, 2 + i:])
    return shares


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--init", required=True)
    add("--minutes", type=float, default=4)
    add("--mix", default=DEFAULT)
    add("--depth", type=int, default=3, help="guesses made one of another, which are trained alike")
    add("--rate", type=float, default=2e-3)
    add("--batch", type=int, default=32)
    add("--context", type=int, default=1024)
    add("--workers", type=int, default=max(1, (os.cpu_count() or 2) - 2))
    add("--device", default="cuda")
    add("--seed", type=int, default=7)
    given, start = parser.parse_args(), time.time()
    torch.manual_seed(given.seed)
    with open(os.path.join(given.init, "config.json")) as file:
        config = json.load(file)
    every = config["full_attention_interval"] if "full_attention" in config["layer_types"] else 0
    shape = Shape(config["vocab_size"], config["hidden_size"], config["num_hidden_layers"], config["intermediate_size"], config["linear_num_key_heads"], config["linear_key_head_dim"], attention_every=every)
    tokenizer = bpe.load(os.path.join(given.init, "tokenizer.json"))
    model, guess, device = Model(shape, tokenizer.special["<|endoftext|>"]), Guess(shape), given.device
    load(model, given.init)
    model, guess = model.to(device).requires_grad_(False), guess.to(device)
    path = os.path.join(given.init, "tokenizer.json")
    stream = Stream(given.workers, given.context + 1, path, given.mix, given.batch, first=given.seed * 10**8)
    adam = torch.optim.AdamW(guess.parameters(), lr=given.rate, betas=(0.9, 0.97), weight_decay=0.01)
    block, began, step = stream.next(wait=True), time.time(), 0
    while (done := (time.time() - began) / 60 / given.minutes) < 1:
        rows = torch.from_numpy(block[0].astype(np.int64)).to(device)
        weights = torch.from_numpy(block[1]).to(device).float()
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            loss = loss_of(model, guess, rows, weights, given.depth)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(guess.parameters(), 1.0)
        for group in adam.param_groups:
            group["lr"] = given.rate * min(1, (step + 1) / 50, (1 - done) / 0.6)
        adam.step()
        adam.zero_grad(set_to_none=True)
        step += 1
        if step % 100 == 0 or device == "cpu":
            print(f"{time.time() - start:6.0f} s  step {step} loss {loss.item():.4f}", flush=True)
        block = stream.next()
    stream.close()
    write_tensors(os.path.join(given.init, "mtp.safetensors"), [("mtp." + name, value, "F32" if "norm" in name else "BF16") for name, value in guess.state_dict().items()])
    held = Mixture(given.mix, held=True)
    for part in held.shares:
        rows, weights = rows_of(held, part, tokenizer, given.context + 1, 16 if device == "cuda" else 2)
        with torch.no_grad(), torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            found = guessed(model, guess, rows.to(device), given.depth)
        for i, share in enumerate(right_ones(found, rows, weights)):
            print(f"{part:10} guess {i + 1} is the model's own next choice: {share:.1%}")


if __name__ == "__main__":
    main()
