# SPDX-License-Identifier: MIT
"""A clause with whom its pronouns mean: what can be said of it in a question and in an answer."""
from .lexicon import OBJECTS, adjective
from .noun_phrases import BOUND, being

WEAK = set("own same other first next last whole only few many such more very less much great single certain several".split())
FIRST_OR_SECOND = set("i me my mine we us our you your yours this these those myself yourself ourselves".split())


class Teller:
    """A clause with whom its pronouns mean: what of it can be said in a question."""

    def __init__(self, clause, who, sex, told):
        self.c, self.who, self.sex, self.told = clause, who, sex, told
        self.many = clause.shape == "many"
        self.cleaned = {}

    def clean(self, text, answer=False):
        """The words with names for pronouns, None where one is not clear."""
        if text in self.cleaned:
            return self.cleaned[text]
        words, out, named = text.split(" "), [], set()
        for at, word in enumerate(words):
            low, comma = word.lower().rstrip(","), "," if word.endswith(",") else ""
            new = word
            if low in FIRST_OR_SECOND or low in ("it", "one", "ones", "there"):
                out = None
                break
            if low in ("he", "she", "his", "her", "him"):
                pronoun = "He" if low in ("he", "his", "him") else "She"
                owner = low == "his" or low == "her" and at + 1 < len(words) and words[at + 1] not in BOUND and not words[at + 1].endswith("ly") and words[at + 1] != "and"
                if pronoun in named:
                    pass                    # who it is was said a few words before
                elif low in ("he", "she") or owner:
                    if self.sex != pronoun and not (self.sex is None and not self.many and (self.who[0].isupper() or being(self.head()))):
                        one = self.told.meant(pronoun, (self.who,))
                        named.add(pronoun)
                        new = one and (one + "'s" if owner else one)
                else:
                    new = self.told.meant(pronoun, (self.who,))
            elif low in ("they", "their", "them"):
                if not self.many or low == "them":
                    new = None
            elif low == "its" and (self.sex or self.many):
                new = None
            if not new:
                out = None
                break
            out.append(new if new == word else new + comma)
        self.cleaned[text] = " ".join(out) if out else None
        return self.cleaned[text]

    def rest(self, but=(), most=9, until=None):
        """The pieces' words for a question, those but some; None where one of them is not clear."""
        out = []
        for at, piece in enumerate(self.c.pieces[:until]):
            if at in but or piece[0] == "rel":
                continue
            text = self.clean(piece[1])
            if text is None:
                return None
            out.append(text)
        text = " ".join(out)
        return text if text.count(" ") < most else None

    def inverted(self, wh, rest):
        c = self.c
        help_ = c.help + "n't" if c.negative and c.help != "can" else "can't" if c.negative else c.help
        if help_ == "willn't":
            help_ = "won't"
        return " ".join(filter(None, (wh, help_, self.who, c.lemma, rest))) + "?"

    def predicate(self):
        """What somebody did, in the past, or None."""
        rest = self.rest(most=14)
        return None if rest is None else " ".join(filter(None, (self.c.adverb, self.c.finite, rest)))

    def short(self):
        return self.sex.lower() if self.sex else "they" if self.many and being(self.head()) else self.who

    def head(self):
        return self.who.split(" of ")[0].split(" ")[-1]

    def statement(self):
        told = self.predicate()
        return None if told is None else f"{self.short()} {told}"


def living(t):
    return bool(t.sex) or t.who[0].isupper() and "'s " not in t.who or being(t.head())


def thing(piece):
    return piece[0] == "np" and piece[2].lower() not in OBJECTS


def kind_of(np):
    """(adjective, noun) of "a red ball"."""
    words = np.split(" ")
    if len(words) == 3 and words[0] in ("a", "an", "some", "the") and adjective(words[1]) and words[1] not in WEAK and not (words[0] == "a" and words[1] == "little" and adjective(words[2].removesuffix("er"))):
        return words[1], words[2]
    return None


def head_of(piece):
    return piece[2].lower()
