#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Train the story model on one GPU for a given time; the text is generated meanwhile by the other processors.

    python3 train.py --out DIR --minutes 25
    python3 train.py --out DIR --minutes 9 --init DIR      goes on from a checkpoint, with a new optimiser
    python3 -m torch.distributed.run --nproc-per-node 2 train.py ...      on two GPUs of one host, each with --batch rows of its own

DIR gets tokenizer.json first, then every few minutes the checkpoint, and in the end log.json and samples.txt.
The learning rate rises for `--warm-up` steps, stays, and falls to nothing over the last `--decay` of the time.
"""
import argparse
import json
import math
import os
import random
import time

import bpe
import gated_delta
import numpy as np
import torch
import torch.distributed as dist
from data import Stream
from layers import AttentionLayer, DeltaLayer
from measure import examples, losses, rows_of
from mixture import DEFAULT, OWN, Mixture
from model import Model, Shape, load, save


ROUNDING = 0.03      # of the time that weights take on their way to four bits


def newton_schulz(g):
    a, b, c = 3.4445, -4.7750, 2.0315
    x = g.bfloat16()
    tall = x.shape[-2] > x.shape[-1]
    x = x.mT if tall else x
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(5):
        y = x @ x.mT
        x = a * x + (b * y + c * y @ y) @ x
    return x.mT if tall else x


class Muon:
    """Matrices step along their orthogonalised momentum."""

    def __init__(self, params, decay):
        self.groups = {}
        for p in params:
            self.groups.setdefault(tuple(p.shape), []).append(p)
        self.momentum = {k: torch.zeros(len(v), *k, device=v[0].device) for k, v in self.groups.items()}
        self.decay = decay

    @torch.no_grad()
    def step(self, rate, momentum):
        for shape, params in self.groups.items():
            g = torch.stack([p.grad for p in params])
            m = self.momentum[shape].mul_(momentum).add_(g)
            u = newton_schulz(g + momentum * m).float() * (0.2 * math.sqrt(max(shape)))
            for p, x in zip(params, u.unbind(0)):
                p.mul_(1 - rate * self.decay).add_(x, alpha=-rate)


class Ranks:
    """The processes that train together, one a GPU: the same steps along the mean of their gradients. Or one alone."""

    def __init__(self, device):
        self.count, self.rank = int(os.environ.get("WORLD_SIZE", 1)), int(os.environ.get("RANK", 0))
        if self.count > 1:
            torch.cuda.set_device(self.rank)
            dist.init_process_group("nccl", device_id=torch.device("cuda", self.rank))
            self.clock = dist.new_group(backend="gloo")

    @torch.no_grad()
    def mean(self, params):
        """Each gradient becomes the mean of all ranks'."""
        if self.count == 1:
            return
        grads = [p.grad for p in params]
        flat = torch.cat([g.flatten() for g in grads])
        dist.all_reduce(flat, dist.ReduceOp.AVG)
        torch._foreach_copy_(grads, [part.view_as(g) for part, g in zip(flat.split([g.numel() for g in grads]), grads)])

    def same(self, value):
        """The first rank's number, on all: what is decided by the clock is decided once. No GPU waits for it."""
        if self.count == 1:
            return value
        box = torch.tensor([value], dtype=torch.float64)
        dist.broadcast(box, 0, group=self.clock)
        return box.item()

    def wait(self):
        if self.count > 1:
            dist.barrier(group=self.clock)


def profile(one, device, steps=10):
    """Prints the time of a step by the clock and of each kernel by the profiler: where the sums differ, the GPU waits."""
    from torch.profiler import profile as recorded

    def all_done():
        if device == "cuda":
            torch.cuda.synchronize()
    for _ in range(steps):                                            # before the clock runs
        one()
    all_done()
    start = time.time()
    for _ in range(steps):
        one()
    all_done()
    print(f"{(time.time() - start) / steps * 1e3:.1f} ms a step by the clock", flush=True)
    if device == "cuda":
        print(f"{torch.cuda.max_memory_allocated() / 2**30:.1f} GiB at most", flush=True)
    with recorded() as found:
        one()
    print(found.key_averages().table(sort_by=f"self_{device}_time_total", row_limit=25, max_name_column_width=60))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--out", required=True)
    add("--minutes", type=float, default=25)
    add("--init")
    add("--decay", type=float, default=0.5)
    add("--rate", type=float, default=3e-3)
    add("--warm-up", type=int, default=200)
    add("--weight-decay", type=float, default=0.1)
    add("--batch", type=int, default=64)
    add("--context", type=int, default=1024)
    add("--mix", default=DEFAULT, help="parts of mixture.py and their shares of the tokens")
    add("--late-mix", help="what it is from --late of the time on; the same by default")
    add("--late", type=float, default=0.6)
    add("--four-bits", type=float, default=0.7, help="from this much of the time on the layers' matrices are what Q4_0 keeps of them; 1: never")
    add("--vocab", type=int, default=8192)
    add("--tokenizer", help="one that bpe.py made; by default that of --init or a new one")
    add("--hidden", type=int, default=640)
    add("--layers", type=int, default=10)
    add("--ffn", type=int, default=1312)
    add("--heads", type=int, default=5)
    add("--head-dim", type=int, default=128)
    add("--attention-every", type=int, default=0, help="each so-manieth layer has softmax attention, as in Qwen3.5 each fourth; 0: none")
    add("--chunk", type=int, default=128, help="tokens that the delta rule takes together: a power of two that divides --context")
    add("--workers", type=int, default=max(1, (os.cpu_count() or 2) // int(os.environ.get("WORLD_SIZE", 1)) - 2), help="processes that make text for one GPU")
    add("--documents", type=int, default=12000, help="for the tokenizer")
    add("--asked", type=int, default=128, help="questions of each part in the test at the end; 0: no test")
    add("--save-minutes", type=float, default=3)
    add("--exact", action="store_true", help="all of the delta rule's products in float32: half as fast")
    add("--profile", action="store_true", help="shows where a step's time goes, and trains nothing")
    add("--seed", type=int, default=1)
    add("--device", default="cuda")
    return parser.parse_args()


def main():
    given, start = arguments(), time.time()
    ranks = Ranks(given.device)
    say = lambda *words: ranks.rank or print(f"{time.time() - start:6.0f} s ", *words, flush=True)
    os.makedirs(given.out, exist_ok=True)
    random.seed(given.seed)
    torch.manual_seed(given.seed)
    gated_delta.CHUNK = given.chunk
    path = given.tokenizer or given.init and os.path.join(given.init, "tokenizer.json")
    if ranks.rank == 0:
        tokenizer = bpe.load(path) if path else bpe.train(given.documents, given.vocab, given.workers, given.mix)
        tokenizer.save(os.path.join(given.out, "tokenizer.json"))
    ranks.wait()
    path = os.path.join(given.out, "tokenizer.json")
    tokenizer = bpe.load(path)
    end, pad = tokenizer.special["<|im_end|>"], tokenizer.special["<|endoftext|>"]
    say("tokenizer", tokenizer.size)
    late_mix = given.late_mix
    Mixture(late_mix or given.mix)                                    # says at once what is wrong with them
    stream = Stream(given.workers, given.context + 1, path, given.mix, given.batch, first=given.seed * 10**8 + ranks.rank * 10**10)
    device = given.device
    shape = Shape((tokenizer.size + 63) // 64 * 64, given.hidden, given.layers, given.ffn, given.heads, given.head_dim, attention_every=given.attention_every)
    model = Model(shape, pad)
    if given.init:
        load(model, given.init)
    model = model.to(device)
    say(f"parameters {sum(p.numel() for p in model.parameters()) / 1e6:.2f} M")
    say("kernel against its definition", [f"{e:.1e}" for e in gated_delta.check(device, given.head_dim)])
    if device == "cuda" and not given.exact:
        torch.set_float32_matmul_precision("high")
        try:
            say("with quick products", [f"{e:.1e}" for e in gated_delta.check(device, given.head_dim, most=1e-2)])
        except AssertionError as error:
            say("quick products are too coarse here:", error)
            torch.set_float32_matmul_precision("highest")
        try:
            gated_delta.quick = True
            say("with bfloat16's", [f"{e:.1e}" for e in gated_delta.check(device, given.head_dim, most=2e-2, dtype=torch.bfloat16)])
        except AssertionError as error:
            say("bfloat16 is too coarse here:", error)
            gated_delta.quick = False
    plain = DeltaLayer.first, DeltaLayer.second, AttentionLayer.forward, Model.losses
    if device == "cuda":
        torch._dynamo.config.recompile_limit = 64
        DeltaLayer.first, DeltaLayer.second, AttentionLayer.forward, Model.losses = (torch.compile(f) for f in plain)
        gated_delta.compiled.update(before=torch.compile(gated_delta.before_scan), after=torch.compile(gated_delta.after_scan))
    matrices = [p for n, p in model.named_parameters() if p.dim() == 2 and "layers" in n and min(p.shape) > 16]
    taken = {id(p) for p in matrices}
    rest = [p for p in model.parameters() if id(p) not in taken]
    adam = torch.optim.AdamW([dict(params=[p for p in rest if p.dim() == 2], weight_decay=0.01), dict(params=[p for p in rest if p.dim() != 2], weight_decay=0.0)], lr=given.rate, betas=(0.9, 0.97), eps=1e-10)
    muon = Muon(matrices, given.weight_decay)

    def loss_of(block):
        rows = torch.from_numpy(block[0].astype(np.int64)).to(device, non_blocking=True)
        weights = torch.from_numpy(block[1]).to(device, non_blocking=True)[:, 1:].float().flatten()
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            each = model.losses(model.hidden(rows[:, :-1]), rows[:, 1:])
        return (each * weights).sum() / weights.sum().clamp(min=1)

    for _ in range(2):                                                # compiled before the clock starts
        loss_of(stream.next(wait=True)).backward()
        model.zero_grad(set_to_none=True)
    say("compiled")

    def step_of(rate, momentum):
        """One step of both optimisers along the gradients that are there."""
        ranks.mean([*matrices, *rest])
        torch.nn.utils.clip_grad_norm_(rest, 1.0)
        for group in adam.param_groups:
            group["lr"] = rate
        adam.step()
        muon.step(rate, momentum)
        model.zero_grad(set_to_none=True)
    if given.profile:
        profile(lambda: (loss_of(stream.next()).backward(), step_of(1e-6, 0.9)), device)
        return stream.close()
    began = saved = time.time()
    step, log, recent = 0, [], []
    while True:
        done = ranks.same((time.time() - began) / 60 / given.minutes)
        if done >= 1:
            break
        if late_mix and done >= given.late:
            stream.close()
            stream = Stream(given.workers, given.context + 1, path, late_mix, given.batch, first=given.seed * 10**8 + 5 * 10**7 + ranks.rank * 10**10, before=stream)
            late_mix = None
        if done >= given.four_bits:
            model.round(min(1, (done - given.four_bits) / ROUNDING))
        rate = given.rate * min(1, (step + 1) / given.warm_up) * min(1, (1 - done) / given.decay)
        loss = loss_of(stream.next())
        loss.backward()
        step_of(rate, 0.85 + 0.1 * min(1, step / 300))
        recent.append(loss.detach())
        step += 1
        if step % 100 == 0 or step in (20, 50) or device == "cpu":
            value = torch.stack(recent).mean().item()
            recent = []
            tokens = step * given.batch * given.context * ranks.count
            log.append((step, round(value, 4)))
            say(f"step {step} loss {value:.4f} rate {rate:.1e} {tokens / 1e6:.0f} M tokens, {tokens / (time.time() - began) / 1e6:.2f} M/s, blocks new {stream.fresh} again {stream.again}")
            if not math.isfinite(value):
                raise SystemExit("the loss is no number")
        if ranks.rank == 0 and time.time() - saved > 60 * given.save_minutes:
            save(model, given.out, end, pad)
            saved = time.time()
    stream.close()
    if ranks.rank:
        return
    save(model, given.out, end, pad)
    say("saved")
    if not given.asked:
        return
    DeltaLayer.first, DeltaLayer.second, AttentionLayer.forward, Model.losses = plain                     # other lengths: nothing to compile for
    gated_delta.compiled.update(before=gated_delta.before_scan, after=gated_delta.after_scan)
    held, count = Mixture(given.late_mix or given.mix, held=True), 96 if device == "cuda" else 4
    def measured(mixture, part):
        return losses(model, *rows_of(mixture, part, tokenizer, given.context + 1, count), device)
    test = {part: measured(held, part) for part in held.shares}
    # Where texts that were trained on are much better predicted than others, they are known by heart.
    trained = Mixture(given.late_mix or given.mix)
    test |= {f"{part}, trained on": measured(trained, part) for part in trained.shares if part not in OWN}
    answers, text = examples(model, tokenizer, device, held, given.asked, 220 if device == "cuda" else 12)
    for part, found in test.items():
        say(f"{part:21} nats a token", {k: round(v, 4) for k, v in found.items()}, f"answers {answers[part]}" if part in answers else "")
    with open(os.path.join(given.out, "samples.txt"), "w") as file:
        file.write(text + "\n")
    with open(os.path.join(given.out, "log.json"), "w") as file:
        json.dump(dict(arguments=vars(given), steps=step, tokens=step * given.batch * given.context * ranks.count, new=stream.fresh, again=stream.again, log=log, test=test, answers=answers), file, indent=1)


if __name__ == "__main__":
    main()
