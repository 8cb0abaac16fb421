#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Show what the model is trained on, and measure it.

    python3 generate.py --samples 5 [--seed N] [--mix found=1]
    python3 generate.py --measure 20000
    python3 generate.py --text 10000 > text.txt      the documents, one behind the other

--mix has the parts of mixture.py and their shares; without it there is only what this folder writes itself: talk.
"""
import argparse
import re
import sys
import time
from collections import Counter
from multiprocessing import Pool

from mixture import Mixture

mixture = None


def begin(mix):
    """In each process: the texts are read once."""
    global mixture
    mixture = Mixture(mix)


def joined(seed):
    """The document of a seed: always the same."""
    return "".join(text for text, _ in mixture.document(seed))


def measure(count, processes, mix):
    start = time.time()
    with Pool(processes, begin, (mix,)) as pool:
        texts = pool.map(joined, range(10**9, 10**9 + count), chunksize=200)
    seconds = time.time() - start
    words = Counter(word for text in texts for word in re.findall(r"[^\W\d_]+", text))
    sentences = Counter(s for text in texts for s in re.findall(r"[A-Z][^.!?\n]{30,}[.!?]", text))
    repeated = sum(n for n in sentences.values() if n > 1)
    letters = sum(map(len, texts))
    print(f"{count} documents, {letters / 1e6:.1f} MB in {seconds:.1f} s with {processes} processes: {letters / 1e6 / seconds / processes:.2f} MB/s each")
    print(f"documents that occur twice: {count - len(set(texts))}")
    print(f"sentences of more than 30 letters: {sum(sentences.values())}, different {len(sentences)}, of those that occur again {repeated / sum(sentences.values()):.1%}")
    print(f"different words: {len(words)}, at least ten times: {sum(1 for n in words.values() if n >= 10)}")
    lengths = sorted(map(len, texts))
    print("letters a document:", ", ".join(f"{lengths[int(q * (count - 1))]}" for q in (0, 0.1, 0.5, 0.9, 1)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=0)
    parser.add_argument("--measure", type=int, default=0)
    parser.add_argument("--text", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--mix", default="talk=1")
    given = parser.parse_args()
    begin(given.mix)
    for i in range(given.samples):
        print(joined(given.seed + i))
        print("=" * 80)
    for i in range(given.text):
        sys.stdout.write(joined(given.seed + i) + "\n")
    if given.measure:
        measure(given.measure, given.processes, given.mix)


if __name__ == "__main__":
    main()
