# SPDX-License-Identifier: MIT
"""Answers that begin with the sentence of the text they are found in.

To find the sentence and to read the answer off it are two smaller steps than one; and whoever asked sees where it stands.
"""
import re

MOST_WORDS = 27          # of a sentence: with the words around it an answer stays within 40
SMALL = set("""a an the and or but of in on at to for from by with as so than then that this these those it its he him his she her they them their we us our i me my
you your is are was were be been am do does did done have has had will would can could may might must not no yes who whom whose what which where when why how because
there said say says""".split())
SENTENCE = re.compile(r'["A-Z][^.!?]{8,220}(?:(?<=Mr)\.[^.!?]{4,160}|(?<=Mrs)\.[^.!?]{4,160})*[.!?]+"?(?=\s|$)')


def stems(text):
    """Words that say something, by their beginnings: jump, jumped, jumping."""
    return {w[:5].removesuffix("s") for w in re.findall(r"[a-z0-9]+", text.lower()) if w not in SMALL}


# Where a long sentence may be cut: what is left still says something.
PARTS = re.compile(r"(?<=;) |(?<=,) (?=(?:and|but|so|when|while|for|as|who|which|until|because) )")


def sentences(text):
    """Sentences, of long ones their parts, each with a full stop."""
    for found in (m.group() for line in text.split("\n") for m in SENTENCE.finditer(line)):
        for part in [found] if found.count(" ") < MOST_WORDS else PARTS.split(found):
            if part.count(" ") < MOST_WORDS and part.count('"') % 2 == 0:
                yield part if part[-1] in '.!?"' else part[:-1] + "."


def sentence(text, ask, said):
    """The sentence of the text that has most of the answer's and of the question's words, or None where none has half of the answer's."""
    wanted, asked = stems(said) - (stems(ask) if len(stems(said) - stems(ask)) else set()), stems(ask)
    bare = re.sub(r"^(?:the|a|an|his|her|their|because|in|on|at|to|yes,|no,) ", "", said.strip().rstrip(".!").lower())
    best, most = None, 0.0
    for found in sentences(text):
        words = stems(found)
        has = len(wanted & words) / len(wanted) if wanted else 0.5
        score = 2 * has + len(asked & words) / (len(asked) + 1) + 0.5 * (bare in found.lower())
        if has >= 0.5 and score > most:
            best, most = found, score
    return best if asked & stems(best or "") or most > 2 else None


def told(line, tale=True):
    return f"The {'story' if tale else 'text'} says: {line}"


def quoted(answer):
    """The sentence that an answer says the text has, without what ends it, or None: what told() was given."""
    _, says, line = answer.split("\n")[0].partition(" says: ")
    return line.rstrip('.!?"') if says else None


def shown(line, said, tale=True):
    """An answer with the sentence before it."""
    return f"{told(line, tale)}\nSo: {said}" if line else said


def answered(text, ask, said, tale=True):
    return shown(sentence(text, ask, said), said, tale)
