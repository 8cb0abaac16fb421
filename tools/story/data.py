# SPDX-License-Identifier: MIT
"""Documents as rows of tokens, made while the model trains: no text is seen twice unless the trainer is faster."""
import multiprocessing
import os
import queue
import random

import numpy as np
from bpe import load

# Seeds: training counts up from 0; the tokenizer has 2e9, tests 3e9 and what follows.
TEST_SEED = 3 * 10**9
SHORT, ANSWER = 130, 4    # answers of fewer tokens count for more: they are few among the stories' tokens


def encode(tokenizer, document):
    """(tokens, weights): what the model does not write has weight 0, but for natural texts that it reads ("read")."""
    ids, weights = [], []
    chat = len(document) > 1
    for text, learnt in document:
        part = tokenizer.encode(text)
        ids += part
        weights += [(ANSWER if chat and learnt is True and len(part) < SHORT else 1) if learnt else 0] * len(part)
    return ids, weights


class Packer:
    """Rows of whole documents: the longest one waiting that still fits comes next. Only a text alone may be cut, at a row's end."""

    def __init__(self, length, filler):
        self.length, self.filler, self.waiting = length, filler, []

    def add(self, ids, weights):
        self.waiting.append((ids[:self.length], weights[:self.length]))

    def row(self):
        self.waiting.sort(key=lambda d: len(d[0]))
        ids, weights = [], []
        while len(ids) < self.length:
            room = self.length - len(ids)
            at = len(self.waiting) - 1
            while at >= 0 and len(self.waiting[at][0]) > room:
                at -= 1
            if at < 0:
                break
            if ids and random.random() < 0.5:
                at = random.randrange(at + 1)                          # else long ones would always come first
            more = self.waiting.pop(at)
            ids += more[0]
            weights += more[1]
        rest = self.length - len(ids)
        whole = next((i for i, (_, w) in enumerate(self.waiting) if rest > 8 and all(w)), None)
        if whole is not None:                                          # the beginning of a text fills what is left
            more = self.waiting.pop(whole)
            return ids + more[0][:rest], weights + more[1][:rest]
        return ids + [self.filler] * rest, weights + [0] * rest


def make(worker, workers, length, tokenizer_path, rows, mix, out):
    from mixture import Mixture
    os.nice(5)
    random.seed(worker)                                    # of the packer
    mixture, tokenizer = Mixture(mix), load(tokenizer_path)
    packer = Packer(length, tokenizer.special["<|endoftext|>"])
    seed = worker
    while True:
        block, weights = np.empty((rows, length), np.int16), np.empty((rows, length), np.uint8)
        for i in range(rows):
            while len(packer.waiting) < 48:
                packer.add(*encode(tokenizer, mixture.document(seed)))
                seed += workers
            block[i], weights[i] = packer.row()
        out.put((block, weights))


class Stream:
    """Rows from several processes."""

    def __init__(self, workers, length, tokenizer_path, mix, rows=64, first=0, before=None):
        context = multiprocessing.get_context("spawn")
        self.queue = context.Queue(maxsize=96)
        # until the processes have begun, there are the blocks of the stream before
        self.kept, self.fresh, self.again = (before.kept, before.fresh, before.again) if before else ([], 0, 0)
        self.own = 0
        self.processes = [context.Process(target=make, args=(first + i, workers, length, tokenizer_path, rows, mix, self.queue), daemon=True) for i in range(workers)]
        for process in self.processes:
            process.start()

    def next(self, wait=False):
        """A new block if one is there; else one of the last 400 again."""
        try:
            block = self.queue.get(timeout=120) if wait or not self.kept else self.queue.get_nowait()
            self.fresh += 1
            self.own += 1
            self.kept.append(block)
            self.kept = self.kept[-40 if self.own == 40 else -400:]
        except queue.Empty:
            block = random.choice(self.kept)
            self.again += 1
        return block

    def close(self):
        for process in self.processes:
            process.terminate()
