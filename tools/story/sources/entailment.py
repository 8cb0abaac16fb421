# SPDX-License-Identifier: MIT
"""What is written under a picture, and what somebody wrote who was to say something that must then be true, too: SNLI."""
import csv
import io
import math
import re
from collections import Counter, defaultdict

from text.evidence import stems

from .captions import WORD, sentence

# Who and how many says little, nor do these: nearly every sentence follows from some picture then.
WHO = re.compile(r"""\b(?:m[ae]n|wom[ae]n|persons?|people|boys?|girls?|child|children|kids?|guys?|lad(?:y|ies)|males?|females?|humans?|individuals?|someone|somebody|folks?
|adults?|group|crowd|couple|two|three|four|several|some|many|multiple|few|lots?|outside|outdoors?|inside|indoors?|present|visible|things?|something|here|one|around
|doing|being|standing|stands|sitting|sits|looking|looks|near|old|young|trying|getting|going|moving|moves|depicted|place|area)\b""".replace("\n", ""), re.IGNORECASE)
# Of its other words, were they drawn by chance, a sentence would have all only once in ten to this power.
TELLING = 3.3
# Of its words, at most, in the sentence that stands: else it is found by them.
SAME = 0.8


def pairs(mirrors):
    """(what is written, what follows from it): the parts for validation and test, a small part of the one for training, and what others wrote anew of some."""
    for _, text in mirrors("MJ-Jang/BECEL").read(["data/snli/validation.tsv", "data/snli/test.tsv"]):
        yield from ((row["premise"], row["hypothesis"]) for row in csv.DictReader(io.StringIO(text), delimiter="\t") if row["label"] == "0")
    for _, text in mirrors("academic-repository/cat").read(["data/snli/train.csv", "data/snli/test.csv"]):
        yield from (row[2:] for row in (line.split("\t") for line in text.splitlines()) if row[0] == "3")
    for _, text in mirrors("acmi-lab/counterfactually-augmented-data").read([f"NLI/all_combined/{part}.tsv" for part in ("train", "dev", "test")]):
        rows = csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE)
        yield from ((row["sentence1"], row["sentence2"]) for row in rows if row["gold_label"] == "entailment")


def entailment(mirrors):
    """{"sections": [what stands there, what follows from it, ...], "follows": True}, all that follows from one sentence together."""
    found = defaultdict(list)
    for pair in pairs(mirrors):
        written, follows = (sentence(each, 4, 25) for each in pair)
        if written and follows:
            found[written].append(follows)
    uses = Counter(word for written, lines in found.items() for line in (written, *lines) for word in WORD.findall(line.lower()))
    known = lambda line: all(uses[word] > 1 for word in WORD.findall(line.lower()))
    told = {line: stems(WHO.sub("", line)) for written, lines in found.items() for line in (written, *lines)}
    those = Counter(stem for written, lines in found.items() for line in (written, *lines) for stem in told[line])
    lines_of_all = sum(1 + len(lines) for lines in found.values())
    for written, lines in found.items():
        has, chosen = stems(written), []
        for line in dict.fromkeys(lines):
            words = told[line]
            if known(line) and len(words & has) <= SAME * len(words) and sum(math.log10(lines_of_all / those[stem]) for stem in words) > TELLING:
                chosen.append(line)
        if chosen and known(written):
            yield {"source": "snli", "sections": [written, *chosen], "follows": True}
