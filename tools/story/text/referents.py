# SPDX-License-Identifier: MIT
"""Who is meant: names of a text, of which sex they are, and whom he, she and they stand for where only one can be meant."""
import re

from . import beings
from .lexicon import BEASTS, FEMALE, MALE, MANY, NOT_NAMES, PEOPLE

GIRLS, BOYS = set(beings.GIRLS), set(beings.BOYS)
GIRLS |= set("Lily Lucy Mia Sara Sarah Anna Lisa Emily Jane Mary Sally Jenny Sue Amy Molly Kate Katie Jessica Kelly Emma Julie Linda Susan Jill Jen Jasmine Tina Nancy Mandy Amanda Becky Abby Holly Rachel Daisy Rose Ella Zoe".split())
BOYS |= set("Tim Tom Max Ben Sam Jack Bob Billy Jim Jimmy Timmy Tommy Joe Joey John Johnny Mike Mark Bobby James Peter Andrew Matt Bill Steve Danny Sammy Fred Alex Jake Andy Nick Kevin Brian Eric Jason Frank Greg Henry Ryan Kyle Chris Charlie Mikey".split())
SURE = {**dict.fromkeys(GIRLS - BOYS - {"Sam", "Alex"}, "She"), **dict.fromkeys(BOYS - GIRLS - {"Sam", "Alex", "Max", "Charlie"}, "He"), "Mom": "She", "Dad": "He", "Mama": "She", "Papa": "He", "Grandma": "She", "Grandpa": "He", "Mother": "She", "Father": "He"}
WORD = re.compile(r"[A-Za-z]+(?:'s)?")
KIND = re.compile(r"\b([a-z]+) (?:named|called) ([A-Z][a-z]+)")
TITLE = re.compile(r"\b(Mr|Mrs|Miss|Lady|King|Queen|Prince|Princess|Uncle|Aunt|Sir|Lord)\.? ([A-Z][a-z]+)")
OWN = re.compile(r"\b([A-Z][a-z]+) [a-z]+ (?:[a-z]+ ){0,2}?(his|her)\b")
BEING = PEOPLE | BEASTS
OPENERS = set("There Every Late Early Far Long Next Later Three Two Your Another Little Old Poor Today".split())
GROUPS = set("family crowd crew team couple class audience".split())


def names_in(text):
    """Words that are capital where others would not be."""
    found = {w for w in re.findall(r"(?<=[a-z,] )[A-Z][a-z]{2,}\b", text)} - NOT_NAMES
    found |= {w for w in re.findall(r"\b[A-Z][a-z]{2,}\b", text)} & (GIRLS | BOYS)
    if not found:
        return found
    low = set(re.findall(r"\b[a-z]+\b", text))
    return {w for w in found if w.lower() not in low}


def sexes(text, names):
    """{name: He or She}, of names as people give them, else by what is said of them: a boy named so, his."""
    known = {n: SURE[n] for n in names if n in SURE}
    for kind, name in KIND.findall(text):
        if kind in MALE or kind in FEMALE:
            known[name] = "He" if kind in MALE else "She"
    for title, name in TITLE.findall(text):
        if name in names:
            one = "He" if title in ("Mr", "King", "Prince", "Uncle", "Sir", "Lord") else "She"
            known[name] = one if known.get(name, one) == one else None
    votes = {}
    for name, word in OWN.findall(text):
        if name in names and name not in known:
            votes.setdefault(name, []).append(word)
    for name, words in votes.items():
        if len(set(words)) == 1 and len(words) > 1:
            known[name] = "He" if words[0] == "his" else "She"
    return known


def mentioned(sentence, names, sex):
    """{who, as a question calls them: He, She, They or None}, of all beings that a sentence has."""
    found, words = {}, WORD.findall(sentence)
    for at, word in enumerate(words):
        word = word.removesuffix("'s")
        if word in names:
            title = words[at - 1] if at and words[at - 1] in ("Mr", "Mrs", "Miss", "Lady", "King", "Queen", "Uncle", "Aunt", "Sir", "Lord", "Dr") else ""
            found[f"{title}{'.' if title in ('Mr', 'Mrs', 'Dr') else ''} {word}".strip() if title else word] = sex.get(word)
        elif (word in BEING or word.endswith("man") and word[:-3]) and at and words[at + 1:at + 2] not in (["named"], ["called"]):
            before = words[at - 1].lower()
            found[f"{'the' if before in ('a', 'an') or before not in ('his', 'her', 'their', 'my', 'your') else before} {word}"] = "He" if word in MALE else "She" if word in FEMALE else None
        elif word in MANY or word.endswith("s") and word[:-1] in BEING:
            found["the " + word] = "They"
    return found


def begins(sentence, head):
    words = sentence.replace(",", "").split(" ", 12)[:12]
    before = words[:words.index(head)] if head in words else ["He"]
    return (words[0] in NOT_NAMES or words[0] in OPENERS) and not {"He", "She", "he", "she", "I", "They"} & set(before)


class Told:
    """What has been told so far: whom a pronoun can mean."""

    def __init__(self, names, sex):
        self.names, self.sex = names, sex
        self.before = []                # the last sentences
        self.found = {}                 # who is in them: looked for only where a pronoun asks for it

    def hear(self, sentence):
        self.before.append(sentence)
        del self.before[:-7]

    def people(self):
        for said in self.before:
            if said not in self.found:
                self.found[said] = mentioned(said, self.names, self.sex)
        return [self.found[said] for said in self.before]

    def new_paragraph(self):
        del self.before[:-5]

    def meant(self, pronoun, but=()):
        """The only one whom He or She can mean; never one of whom two may be meant."""
        if pronoun not in ("He", "She"):
            return None
        heard = self.people()
        heads = {name.split(" ")[-1] for name in but}
        who = {name: sex for said in heard for name, sex in said.items() if name.split(" ")[-1] not in heads}
        able = [name for name, sex in who.items() if sex == pronoun or sex is None]
        if len(able) != 1:
            return None
        one = able[0]
        # an animal may be he or she: it has to be whom a sentence is about
        if who[one] is None and (one.split(" ")[-1] in GROUPS or not any(next(iter(said), None) == one for said in heard[-2:])):
            return None
        if not any(one in said for said in heard[-4:]):
            return None
        # "the man" of a book may be he who is named in every chapter: only who has just begun a sentence is surely meant
        if one[0].islower() and not any(begins(said, one.split(" ")[-1]) for said in self.before[-3:]):
            return None
        # a name of unknown sex may be a place: it has to be known
        return one if who[one] == pronoun or one[0].islower() and one.startswith("the ") else None
