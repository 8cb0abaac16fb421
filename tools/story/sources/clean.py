# SPDX-License-Identifier: MIT
"""Text as the model is to write it: plain quotation marks, paragraphs of one line, nothing twice."""
import hashlib
import html
import re

PLAIN = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "`": "'", "´": "'", "–": "-", "—": "--", "―": "--", "…": "...",
                       "\u00a0": " ", "\u2009": " ", "\ufeff": "", "\u200b": "", "\u00ad": "", "œ": "oe", "æ": "ae", "Æ": "Ae", "Œ": "Oe", "\t": " "})
KNOWN = re.compile(r"[ -~\néèêëàâäáîïíôöóûüúçñÉÈÀÄÖÜ£½¼°ß]")
OPENS, CLOSES = re.compile(r"(?<![\w\"'])'(?=[A-Z\w])"), re.compile(r"(?<=[.,!?;:\-])'(?![\w'])")


def plain(text):
    """One line: typographic signs become those of a keyboard, marks of emphasis go."""
    text = html.unescape(text).translate(PLAIN)
    text = re.sub(r"\[(?:Illustration|Footnote|Transcriber|Picture)[^\]]*\]|\[\d+\]|<[^>]{1,40}>", "", text)
    text = re.sub(r"(?<!\w)_+|_+(?!\w)|\*+|=+|\{\d+\}", "", text)
    text = re.sub(r"\s*-{2,}\s*", " - ", text)
    text = re.sub(r"''|``", '"', text)
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r" ([,.;:!?])(?!\.)", r"\1", text)
    return re.sub(r" ?\.(?: \.)+ ?", "... ", text).strip()


def double_quoted(text):
    """Speech in single quotation marks, as some books have it, in double ones."""
    if '"' in text:
        return text
    opens, closes = OPENS.findall(text), CLOSES.findall(text)
    if not opens or len(opens) != len(closes):
        return text
    return CLOSES.sub('"', OPENS.sub('"', text))


def paragraphs(text):
    """Of a text whose lines are broken and whose paragraphs have an empty line between them: those that are prose."""
    out = []
    for block in re.split(r"\n\s*\n", text.replace("\r", "")):
        lines = [line for line in block.split("\n") if line.strip()]
        if not lines:
            continue
        verse = len(lines) > 2 and sum(map(len, lines[:-1])) / (len(lines) - 1) < 48
        line = double_quoted(plain(" ".join(lines)))
        if line and not verse:
            out.append(line)
    return out


UNKIND = re.compile(r"\bnigg|\bdark(?:y|ies|ey)\b|\bsquaw|\bpickaninn|\bcoons?\b|\bjaps?\b|\bgreaser|\bchinam[ae]n|\bhalf-breed|\binjun|\bnegro", re.I)


def kind(text):
    """Old books have names for people that no story for children should have."""
    return not UNKIND.search(text)


# What is not for children, or unkind.
CRUDE = re.compile(r"""\b(?:sex\w*|nud(?:e|es|ity|ist\w*)|naked\w*|topless|shirtless|bare-?chest\w*|bikinis?|lingerie|underwear|panties|bras?|thongs?|breasts?|boobs?|butts?
|buttocks?|nipples?|ass|asses|crotch\w*|stripp\w+|cleavage|prostitut\w*|whor\w+|hookers?|porn\w*|rap(?:e|ed|ist)|lovers?|making out|undress\w*
|seduc\w*|pregnan\w*|kill\w*|murder\w*|stab(?:s|bed|bing)?|shoot(?:s|ers?)?|shooting at|shot dead|guns?|gun(?:shots?|m[ae]n|fire)|rifles?|pistols?
|weapons?|bombs?|bombing|bullets?|blood\w*|bleed\w*|corpses?|dead|dies?|died|dying|deaths?|suicid\w*|fight\w*|fought|punch\w*|attack\w*
|beat(?:s|ing|en)? up|tortur\w*|terroris\w*|wars?|nazis?|hitler|hat(?:e|es|ed|red)|stupid\w*|idiot\w*|morons?|dumb|ugly|fat|losers?|bastards?|bitch\w*
|damn\w*|hell|fuck\w*|shit\w*|crap\w*|piss\w*|fart\w*|poop\w*|pee(?:s|d|ing)?|urin\w*|vomit\w*|drunk\w*|alcohol\w*|beers?|vodka|whisk(?:e?y|ies)
|cigar\w*|smok(?:es?|ed|ers?|ing)|drugs?|cocaine|heroin|marijuana|oriental\w*|retard\w*|crippl\w*|midgets?|gyps\w+
|arrest\w*|divorc\w*|slaves?|hang(?:ed|ing) himself)\b""".replace("\n", ""), re.I)


def decent(text):
    """What people wrote in passing is not all for children."""
    return not CRUDE.search(text) and kind(text)


def readable(text):
    """English prose in known letters, without an address or a table in it."""
    if len(text) < 20 or len(KNOWN.findall(text)) < 0.998 * len(text) or "http" in text or "www." in text or "Gutenberg" in text:
        return False
    letters = sum(c.isalpha() for c in text)
    small = sum(c.islower() for c in text)
    return letters > 0.7 * len(text) and small > 0.85 * letters


def shingles(text, size=8):
    words = re.findall(r"[a-z]+", text.lower())
    return [" ".join(words[i:i + size]) for i in range(len(words) - size + 1)]


class Seen:
    """What was there before: every fourth shingle by its hash, so that the same ones are looked at in each text."""

    def __init__(self, forbidden=()):
        self.known = set()
        self.forbidden = {s for text in forbidden for s in shingles(text)}
        self.refused = self.repeated = 0

    def fresh(self, text, new=""):
        """Whether it is new, or `new`, the part of it that has to be. A text that shares eight words in a row with a forbidden one never is."""
        parts = shingles(text)
        if any(p in self.forbidden for p in parts):
            self.refused += 1
            return False
        parts = shingles(new) if new else parts
        picked = {h for h in (int.from_bytes(hashlib.blake2b(p.encode(), digest_size=6).digest(), "big") for p in parts) if h % 4 == 0}
        if picked and len(picked & self.known) > 0.3 * len(picked):
            self.repeated += 1
            return False
        self.known |= picked
        return True
