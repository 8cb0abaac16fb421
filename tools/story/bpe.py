#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A byte-level BPE with Qwen3.5's pre-tokenizer: trained on the documents that the model is, written as tokenizer.json.

    python3 bpe.py --size 8192 --documents 12000 --output tokenizer.json
"""
import argparse
import heapq
import json
import re
from collections import Counter, defaultdict
from multiprocessing import Pool

from mixture import DEFAULT, Mixture

SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
# The pattern as tokenizer.json has it, and as Python's re says the same.
PATTERN = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
PIECES = re.compile(r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|(?:[^\r\n\w]|_)?[^\W\d_]+|\d| ?(?:[^\s\w]|_)+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")


def byte_letters():
    """The letter that stands for each byte in vocabularies of this kind."""
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    letters, more = {b: chr(b) for b in shown}, 256
    for b in range(256):
        if b not in letters:
            letters[b], more = chr(more), more + 1
    return letters


LETTERS = byte_letters()


def spelled(piece):
    return tuple(LETTERS[b] for b in piece.encode())


def learn(counts, size):
    """The merges that make the most frequent pair one token, again and again."""
    words = [[list(spelled(piece)), n] for piece, n in counts.items()]
    pairs, where = Counter(), defaultdict(set)
    for i, (word, n) in enumerate(words):
        for pair in zip(word, word[1:]):
            pairs[pair] += n
            where[pair].add(i)
    heap = [(-n, pair) for pair, n in pairs.items()]
    heapq.heapify(heap)
    merges = []
    while len(merges) < size - 256 - len(SPECIAL) and heap:
        n, pair = heapq.heappop(heap)
        if -n != pairs.get(pair, 0):
            continue
        if n > -2:
            break
        merges.append(pair)
        joined, changed = pair[0] + pair[1], set()
        for i in where.pop(pair):
            word, count = words[i]
            out, at = [], 0
            for old in zip(word, word[1:]):
                pairs[old] -= count
                changed.add(old)
            while at < len(word):
                if at + 1 < len(word) and (word[at], word[at + 1]) == pair:
                    out.append(joined)
                    at += 2
                else:
                    out.append(word[at])
                    at += 1
            words[i][0] = out
            for new in zip(out, out[1:]):
                pairs[new] += count
                where[new].add(i)
                changed.add(new)
        for old in changed:
            if pairs[old] > 0 and old != pair:
                heapq.heappush(heap, (-pairs[old], old))
        pairs.pop(pair, None)
    return merges


class Tokenizer:
    def __init__(self, merges):
        self.merges = merges
        tokens = [*sorted(LETTERS.values()), *(a + b for a, b in merges)]
        self.vocab = {token: i for i, token in enumerate(dict.fromkeys(tokens))}
        self.rank = {pair: i for i, pair in enumerate(merges)}
        self.special = {token: len(self.vocab) + i for i, token in enumerate(SPECIAL)}
        self.size = len(self.vocab) + len(SPECIAL)
        self.cache = {}
        self.split = re.compile("(" + "|".join(map(re.escape, SPECIAL)) + ")")

    def piece(self, piece):
        found = self.cache.get(piece)
        if found is not None:
            return found
        word = list(spelled(piece))
        while len(word) > 1:
            best = min(zip(word, word[1:]), key=lambda pair: self.rank.get(pair, 1 << 30))
            if best not in self.rank:
                break
            out, at = [], 0
            while at < len(word):
                if at + 1 < len(word) and (word[at], word[at + 1]) == best:
                    out.append(word[at] + word[at + 1])
                    at += 2
                else:
                    out.append(word[at])
                    at += 1
            word = out
        ids = [self.vocab[token] for token in word]
        if len(self.cache) < 400_000:
            self.cache[piece] = ids
        return ids

    def encode(self, text):
        ids = []
        for part in self.split.split(text):
            if part in self.special:
                ids.append(self.special[part])
                continue
            for piece in PIECES.findall(part):
                ids += self.piece(piece)
        return ids

    def decode(self, ids):
        back = {i: t for t, i in {**self.vocab, **self.special}.items()}
        bytes_of = {letter: b for b, letter in LETTERS.items()}
        out = b""
        for i in ids:
            token = back[i]
            out += token.encode() if token in self.special else bytes(bytes_of[c] for c in token)
        return out.decode(errors="replace")

    def save(self, path):
        level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
        split = {"type": "Split", "pattern": {"Regex": PATTERN}, "behavior": "Isolated", "invert": False}
        added = [dict(id=i, content=t, single_word=False, lstrip=False, rstrip=False, normalized=False, special=True) for t, i in self.special.items()]
        model = {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None, "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False,
                 "ignore_merges": False, "vocab": self.vocab, "merges": [f"{a} {b}" for a, b in self.merges]}
        whole = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": added, "normalizer": {"type": "NFC"},
                 "pre_tokenizer": {"type": "Sequence", "pretokenizers": [split, level]}, "post_processor": level, "decoder": level, "model": model}
        with open(path, "w", encoding="utf-8") as file:
            json.dump(whole, file, ensure_ascii=False)


def load(path):
    with open(path, encoding="utf-8") as file:
        merges = json.load(file)["model"]["merges"]
    return Tokenizer([tuple(m.split(" ")) if isinstance(m, str) else tuple(m) for m in merges])


def pieces(asked):
    seeds, mix = asked
    mixture, counts = Mixture(mix), Counter()
    for seed in seeds:
        text = "".join(part for part, _ in mixture.document(seed))
        for part in re.split("|".join(map(re.escape, SPECIAL)), text):
            counts.update(PIECES.findall(part))
    return counts


def train(documents, size, processes, mix):
    """Seeds that training does not use; which process has which makes no difference."""
    first = 2 * 10**9
    with Pool(processes) as pool:
        found = pool.map(pieces, [(range(first + i, first + documents, processes), mix) for i in range(processes)], chunksize=1)
    counts = Counter()
    for part in found:
        counts.update(part)
    # Printable ASCII and common letters stay spellable: all 256 bytes are in the vocabulary anyway.
    return Tokenizer(learn(counts, size))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=8192)
    parser.add_argument("--documents", type=int, default=12000)
    parser.add_argument("--mix", default=DEFAULT)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--output", required=True)
    given = parser.parse_args()
    tokenizer = train(given.documents, given.size, given.processes, given.mix)
    tokenizer.save(given.output)
    print(f"{tokenizer.size} tokens")


if __name__ == "__main__":
    main()
