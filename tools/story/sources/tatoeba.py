# SPDX-License-Identifier: MIT
"""Everyday sentences that people gave as translations of the same one: Tatoeba. What has one translation mostly says nearly the same, in other words."""
import io
import re
import zipfile
from collections import defaultdict

from text.evidence import SMALL
from text.lexicon import BASES

from .clean import decent, plain

SENTENCE = re.compile(r"[A-Z][A-Za-z0-9 ,'-]+\.")
SHORT = [(r"\bcan(?:no|')t\b", "can not"), (r"\bwon't\b", "will not"), (r"n't\b", " not"), (r"'(?:m|re|ve|ll|d|s)\b", "")]
# In these two sentences must agree: who is meant, whether it is so, and when.
FACTS = """i me my mine myself|you your yours yourself|he him his himself|she her hers herself|we us our ours ourselves|they them their theirs themselves|\
not no none never nobody nothing unable without"""
SAME_FACT = {word: words.split()[0] for words in FACTS.split("|") for word in words.split()}
SAME_FACT |= {word: word for word in "hardly few unless only all always sometimes every today tomorrow yesterday before after more less".split()}
WISH = BASES | set("please let don do be excuse thank pardon if what how who when where why which whether".split())     # with these no statement begins
OWN = 4                  # letters by which words are told apart: study, studied
SAME = 0.75              # of the words that say something, at most, in both


def words_of(line):
    """(what both must agree in, the beginnings of the words that say something, names among them)."""
    low = line
    for short, long in SHORT:
        low = re.sub(short, long, low, flags=re.IGNORECASE)
    words = re.findall(r"[A-Za-z0-9]+", low)
    names = {word for word in words[1:] if word[0].isupper() and word != "I"} | {word for word in words if word.isdigit()}
    words = [word.lower() for word in words]
    return {SAME_FACT[word] for word in words if word in SAME_FACT} | names, {word[:OWN] for word in words if word not in SMALL and word not in SAME_FACT}


def differ(one, other):
    """Whether two sentences say it in other words, each in some of its own, and agree in the rest."""
    (facts, words), (others_facts, others_words) = words_of(one), words_of(other)
    return facts == others_facts and words - others_words and others_words - words and len(words & others_words) <= SAME * min(len(words), len(others_words))


def translations(mirrors):
    """(what was translated, an English sentence): lists made for learners of French, Japanese and Chinese."""
    # git keeps the bytes of a zip file; read as Latin letters they are the same ones
    for _, text in mirrors("genimind/seq2seq").read(["fra-eng.zip"], "latin-1"):
        with zipfile.ZipFile(io.BytesIO(text.encode("latin-1"))) as file:
            yield from (line.split("\t")[1::-1] for line in file.read("fra.txt").decode().splitlines() if "\t" in line)
    for name, path in (("sezan92/attention_sezan", "data/jpn.txt"), ("DaoChaShao/py-st-dl-translater-2.0", "data/cmn.txt")):
        for _, text in mirrors(name).read([path]):
            yield from (line.split("\t")[1::-1] for line in text.splitlines() if "\t" in line)


def tatoeba(mirrors):
    """Sentences of which each two differ in words."""
    found = defaultdict(list)
    for other, line in translations(mirrors):
        line = plain(line)
        first = re.match(r"[A-Za-z]*", line).group().lower()
        if SENTENCE.fullmatch(line) and 4 <= line.count(" ") + 1 <= 25 and first not in WISH and decent(line):
            found[other].append(line)
    seen = set()
    for lines in found.values():
        chosen = []
        for line in dict.fromkeys(lines):
            if line not in seen and all(differ(line, each) for each in chosen):
                chosen.append(line)
        if len(chosen) > 1:
            seen.update(chosen)
            yield {"source": "tatoeba", "sections": chosen, "told": True}
