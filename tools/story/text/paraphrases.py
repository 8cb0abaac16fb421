# SPDX-License-Identifier: MIT
"""Sentences that say nearly the same in other words, and others that share words with them and say something else."""
from collections import defaultdict

from . import evidence

NEAR = 0.5           # of the others share a word with what is asked
SHARED = 0.5         # of its words, at most: else they could be meant


class Paraphrases:
    """Groups of sentences that say nearly the same, and which of them have a word."""

    def __init__(self, records):
        self.groups = [record["sections"] for record in records]
        self.stems = [[evidence.stems(line) for line in group] for group in self.groups]
        self.having = defaultdict(list)
        for i, group in enumerate(self.stems):
            for stem in sorted(set().union(*group)):
                self.having[stem].append(i)

    def target(self, r):
        """(group, the line that stands there, the one that is asked in): of some pairs one that shares few words."""
        group = r.randrange(len(self.groups))
        pairs = [r.sample(range(len(self.groups[group])), 2) for _ in range(r.choice((1, 2, 3)))]
        line, asked = min(pairs, key=lambda pair: len(self.stems[group][pair[0]] & self.stems[group][pair[1]]))
        return group, line, asked

    def beside(self, r, targets, count):
        """Lines of other groups, none of which could be meant."""
        lines, taken = [], {group for group, *_ in targets}
        for _ in range(6 * count):
            group, _, asked = r.choice(targets)
            wanted = self.stems[group][asked]
            other = r.choice(self.having[r.choice(sorted(wanted))]) if wanted and r.random() < NEAR else r.randrange(len(self.groups))
            if other in taken or any(len(self.stems[g][a] & stems) > SHARED * len(self.stems[g][a]) for g, _, a in targets for stems in self.stems[other]):
                continue
            taken.add(other)
            lines.append(r.choice(self.groups[other]))
            if len(lines) == count:
                break
        return lines
