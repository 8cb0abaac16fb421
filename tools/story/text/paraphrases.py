# SPDX-License-Identifier: MIT
"""Sentences that say nearly the same in other words or follow from one another, and others that share words with them and say something else."""
import re
from collections import defaultdict

from . import evidence

NEAR = 0.5           # of the others share a word with what is asked
SHARED = 0.5         # of its words, and of those of what else says the same, at most: else they could be meant


class Paraphrases:
    """Groups of sentences that say nearly the same, and which of them have a word. Of those whose others only follow from the first, it is the first that stands there."""

    def __init__(self, records):
        self.groups = [record["sections"] for record in records]
        self.follows = [record.get("follows", False) for record in records]
        self.told = [record.get("told", False) for record in records]       # and not written under a picture
        self.stems = [[evidence.stems(line) for line in group] for group in self.groups]
        self.of_kind = {told: [i for i, each in enumerate(self.told) if each == told] for told in (False, True)}
        self.small = {word for group in self.groups for line in group for word in re.findall(r"\b[a-z']+", line)}
        self.having = defaultdict(list)
        for i, group in enumerate(self.stems):
            for stem in sorted(set().union(*group[:1] if self.follows[i] else group)):
                self.having[stem].append(i)

    def standing(self, r, group):
        """Which of its lines stands there."""
        return 0 if self.follows[group] else r.randrange(len(self.groups[group]))

    def target(self, r):
        """(group, the line that stands there, the one that is asked in): of some pairs one that shares few words."""
        group = r.randrange(len(self.groups))
        pairs = []
        for _ in range(r.choice((1, 2, 3))):
            line = self.standing(r, group)
            pairs.append((line, r.choice([i for i in range(len(self.groups[group])) if i != line])))
        line, asked = min(pairs, key=lambda pair: len(self.stems[group][pair[0]] & self.stems[group][pair[1]]))
        return group, line, asked

    def near(self, target, stems):
        """Whether a line with these words could be meant, too. What two wrote under a picture is less alike: no other has as many words of the one as the other has."""
        group, line, asked = target
        wanted = self.stems[group][asked]
        pictured = not (self.follows[group] or self.told[group])
        if pictured and len(wanted & stems) >= max(1, len(wanted & self.stems[group][line])):
            return True
        return any(len(meant & stems) > SHARED * len(meant) for meant in self.stems[group])

    def beside(self, r, targets, count):
        """(group, line) of others, none of which could be meant."""
        lines, taken = [], {group for group, *_ in targets}
        for _ in range(6 * count):
            group, _, asked = r.choice(targets)
            wanted = sorted(stem for stem in self.stems[group][asked] if stem in self.having)
            other = r.choice(self.having[r.choice(wanted)]) if wanted and r.random() < NEAR else r.choice(self.of_kind[self.told[group]])
            line = self.standing(r, other)
            if other in taken or any(self.near(target, self.stems[other][line]) for target in targets):
                continue
            taken.add(other)
            lines.append((other, line))
            if len(lines) == count:
                break
        return lines
