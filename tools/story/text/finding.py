# SPDX-License-Identifier: MIT
"""Questions about a text that nobody has taken apart: those whose answers its plain sentences show."""
import re

from . import of_clauses, of_pairs, of_words, parsing, referents
from .evidence import PARTS
from .lexicon import STOPS
from .noun_phrases import being
from .referents import names_in
from .tellers import Teller

LEAD = re.compile(r"(?:(?:Once upon a time|One day|At last|At first|Then|Finally|Suddenly|Soon|But|So|And|Later|Of course|Just then|After that|Now|Just as suddenly|Once|Again|At once|However|Meanwhile|Luckily|Sadly|As usual),? (?:then,? |there,? )?|((?:That|The next|The same|Early one|Late one|Every|Each|Next|Early that|Late that|In the|During the|One) (?:[a-z]+ )?(?:day|morning|evening|night|afternoon|summer|winter|spring|autumn|week|year)),? |((?:After|Before|During|At|In|On) (?:(?:the|a) )?(?:[a-z]+ )?(?:school|dinner|lunch|supper|breakfast|tea|noon|midnight|dawn|sunset|spring|summer|autumn|winter|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)),? |(?:At|In|On|With|For|By|From|After|Of|Under|To) [a-z][^,]{3,40}, )(?=[A-Za-z])")
CHUNK = re.compile(r'(?<!\bMr\.)(?<!Mrs\.)(?<!\bDr\.)(?<=[.!?]) +|(?<=[.!?]") +')
TOLD = re.compile(r'[A-Z](?:[^".!?;:()]|(?<=\bMr)\.|(?<=Mrs)\.|(?<=\bDr)\.){14,170}[.!]')
PLAIN = re.compile(r'(?:^|(?<=[.!?] )|(?<=[.!?]" ))[A-Z][^".!?;:()]{14,150}[.!](?=\s|$)')


def sentences(text):
    """Those of the narrator: whole, without speech in them."""
    for paragraph in text.split("\n"):
        yield from PLAIN.findall(paragraph)


def ends(text):
    """Where sentences end, but for the last."""
    return [m.end() for m in re.finditer(r'[.!?]"?(?=\s)', text)]


def owner(subject, told, names):
    """His mother as Tom's mother, or None; all else as it is, a fox as the fox."""
    first, _, rest = subject.partition(" ")
    if " named " in subject or " called " in subject:
        return subject.split(" ")[-1]
    if first in ("his", "her"):
        one = told.meant("He" if first == "his" else "She", (subject,))
        return f"{one}'s {rest}" if one and not one.startswith(("his ", "her ")) else None
    if first in ("their", "its", "my", "our", "your", "this", "that", "these", "those", "another", "every", "each", "no", "any", "some", "both"):
        return None
    return f"the {rest}" if first in ("a", "an") and rest else subject


def tellers(found, names, sex, told, began):
    """For each clause what can be said of it, or None where it is not clear who is meant."""
    out, both = [], began
    told.hear("")
    for c in found:
        if c.shared and out:
            before = out[-1]
            out.append(before and Teller(c, before.who, before.sex, told))
        else:
            who, one = None, None
            if c.subject in ("he", "she"):
                one = c.subject.capitalize()
                who = told.meant(one)
                who = who and owner(who, told, names) or c.subject
            elif c.subject == "they":
                who = both
            elif c.subject not in ("it", "there"):
                who = owner(c.subject, told, names)
                head = c.subject.split(" ")[-1]
                one = None if c.shape == "many" else sex.get(head) if head in names else "He" if head in referents.MALE else "She" if head in referents.FEMALE else None
                if c.shape == "many" and who and being(head if head not in names else "man"):
                    both = who
                elif who:
                    both = None
            out.append(Teller(c, who, one, told) if who else None)
        told.before[-1] += f" {c.said}"
    return out, both


def of_sentence(sentence, names, sex, told, both, alone):
    """([(question, short answer)], who "they" are now) of one of the narrator's sentences."""
    lead = LEAD.match(sentence)
    body = sentence[lead.end():] if lead else sentence
    when = (lead.group(1) or lead.group(2)) if lead else None
    if body[0].islower():
        body = body[0].upper() + body[1:]
    found = parsing.clauses(body, names)
    if not found:
        told.hear(sentence)
        return [], None
    all_, both = tellers(found, names, sex, told, both)
    out = []
    for at, t in enumerate(all_):
        c, b = found[at], at + 1 < len(all_) and all_[at + 1]
        if t and c.whole:
            only = alone(t)
            if c.link not in ("when", "because", "after", "before", "while", "until", "as", "so that", "if", "as soon as", "once"):
                out += of_clauses.of_clause(t, only)
            if when and at == 0 and c.base not in ("be",) and not c.adverb:
                rest = t.rest(most=8)
                if rest and not c.open:
                    out.append((t.inverted("When", rest), when[0].lower() + when[1:]))
        if at + 1 < len(all_):
            link = found[at + 1].link
            fronted = c.link if link == "main" else ""
            if fronted or link in ("because", "so", "so that", "when", "after", "before", "while", "as", "until", "till", "as soon as"):
                if not (c.link and not fronted and c.link in ("when", "because", "after", "before", "while", "until", "as")):
                    out += of_pairs.of_pair(t, b, link, fronted, found[at:at + 2])
            elif not c.link and t and b:
                out += of_pairs.next_deed(t, b)
    told.before[-1] = sentence
    return out, both


def narrated(text, names, sex):
    """(a sentence of the narrator, what has been told before it), in order; also what is said is heard of."""
    told = referents.Told(names, sex)
    for paragraph in text.split("\n"):
        if not paragraph:
            continue
        told.new_paragraph()
        inside = False
        abbreviated = False
        for chunk in CHUNK.split(paragraph):
            if (len(chunk) > 120 or ";" in chunk) and '"' not in chunk:
                chunk = PARTS.split(chunk, maxsplit=1)[0]
                chunk = chunk if chunk[-1] in ".!" else chunk[:-1] + "."
                if chunk.endswith((" and.", " but.", " or.", " so.")):
                    chunk = "-" + chunk
            if not inside and not abbreviated and TOLD.fullmatch(chunk) and not chunk.endswith(("Mr.", "Mrs.", "Dr.", "St.")):
                yield chunk, told
            else:
                told.hear(chunk)
                yield None, told
            inside ^= chunk.count('"') % 2 == 1
            abbreviated = chunk.endswith(("Mr.", "Mrs.", "Dr.", "St."))


def once(t, text, low, verbs):
    """Whether nobody else, and this one only here, is told to do so: then the question needs no circumstances."""
    last = t.c.finite.split(" ")[-1]
    if t.c.base != "be":
        return verbs.get(last, 0) <= 1
    heads = {t.who.split(" ")[-1].lower(), t.sex.lower() if t.sex else "they" if t.many else "it"}
    return sum(low.count(f"{head} {last}") for head in heads) <= 1


def questions(text):
    """(question, short answer, the whole sentence or None), each question once and only if it has one answer."""
    names = names_in(text)
    sex = referents.sexes(text, names)
    found, answers, both = [], {}, None
    verbs = {}
    for word in re.findall(r"[a-z']+", text):
        verbs[word] = verbs.get(word, 0) + 1
    low = text.lower()
    for sentence, told in narrated(text, names, sex):
        if sentence is None:
            both = None
            continue
        asked, both = of_sentence(sentence, names, sex, told, both, lambda t: once(t, text, low, verbs))
        found += [(ask, said, sentence) for ask, said in asked if said]
    found += [*of_words.speeches(text, names), *of_words.of_words(text, verbs.keys())]
    for ask, said, _ in found:
        answers.setdefault(ask.lower(), set()).add(said.lower())
    seen, out = set(), []
    for ask, said, sentence in found:
        low = ask.lower()
        given = said.lower().removesuffix("'s")
        if len(said) < 25 and f" {given}" in low and " or " not in ask and not low.partition(f" {given}")[2][:1].isalpha():
            continue                    # the question says it
        if len(answers[low]) == 1 and low not in seen and 10 < len(ask) < 140 and "  " not in ask:
            seen.add(low)
            out.append((ask, said, sentence))
    return out


def missing_word(r, text):
    """A sentence of the text with a gap, and the word that stands there."""
    told = [s for s in sentences(text) if 5 <= s.count(" ") <= 18]
    r.shuffle(told)
    for sentence in told[:5]:
        words = [w for w in re.findall(r"\b[a-zA-Z]{4,}\b", sentence) if w.lower() not in STOPS and sentence.count(w) == 1 and not sentence.startswith(w)]
        if words:
            word = r.choice(words)
            return re.sub(rf"\b{word}\b", "___", sentence), word
    return None


def following(r, text):
    """A sentence of the text and the one behind it."""
    pairs = re.findall(r'([A-Z][^".!?]{20,110}[.!]) ([A-Z][^".!?]{10,140}[.!?])(?=\s|$)', text)
    return r.choice(pairs) if pairs else None
