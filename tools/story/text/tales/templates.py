# SPDX-License-Identifier: MIT
"""Templates of tales, and the corrections that every text made from them gets."""
import re

# [a|b|c]  one of the alternatives (nestable);  [?text]  text or nothing;  {key}  variable.
_inner = re.compile(r"\[([^\[\]]*)\]")
_var = re.compile(r"\{(\w+)\}")
_AN_EX = ("uni", "use", "usu", "one", "once", "eu")
_AN_H = ("hour", "honest", "heir")


def fix_article(m):
    art, sp, word = m.group(1), m.group(2), m.group(3)
    w = word.lower()
    vowel = (w[0] in "aeiou" and not w.startswith(_AN_EX)) or w.startswith(_AN_H)
    new = "an" if vowel else "a"
    return (new.capitalize() if art[0] == "A" else new) + sp + word


def expand(r, s, v):
    while True:
        m = _inner.search(s)
        if not m:
            break
        body = m.group(1)
        if body.startswith("?"):
            rep = body[1:] if r.random() < 0.5 else ""
        else:
            rep = r.choice(body.split("|"))
        s = s[: m.start()] + rep + s[m.end():]
    for _ in range(4):                      # variables may contain variables
        if "{" not in s:
            break
        s = _var.sub(lambda m: lookup(v, m.group(1)), s)
        while _inner.search(s):             # a variable may bring choices with it
            m = _inner.search(s)
            b = m.group(1)
            rep = (b[1:] if r.random() < 0.5 else "") if b.startswith("?") else r.choice(b.split("|"))
            s = s[: m.start()] + rep + s[m.end():]
    return s


_QW = set("""who whom whose what why where when which how can could is are am was were do does did has have had will would shall should may might
isn't aren't don't doesn't didn't can't won't wouldn't couldn't haven't really what's who's where's""".split())
_QIN = re.compile(r", (may|can|could|do|did|will|would|are|is|what|where|why|how|who|was)\b|\.\.\.", re.I)
_QGO = re.compile(r"^(Who|Why|Where|Can|Could|Are|Did|Does|Will|Would|May|Shall|Is|What (?!an? )|How (do|did|can|could|will|is|are|about|high)|When (can|do|did|will|is)|Do you|Didn't|Doesn't|Aren't|Can't you)\b")


def fix_quote(m):
    """Questions end with '?', plain statements do not (the alternatives inside a quotation are mixed)."""
    parts = re.split(r"(?<=[.!?]) ", m.group(1))
    for i, p in enumerate(parts):
        ws = p.lower().split()
        if not ws or len(p) < 4:
            continue
        if p[-1] in "!,." and _QGO.match(p) and not p.endswith("..."):
            p = p[:-1] + "?"
        elif p[-1] == "?":
            w0 = ws[0].strip(",.!?")
            if re.match("Oh no|Wow|Hooray|Help|What an? |Do it|Hurry", p):
                p = p[:-1] + "!"
            elif len(ws) > 2 and not _QIN.search(p) and (w0 not in _QW or (w0 == "when" and not _QGO.match(p))):
                w1 = ws[1] if w0 in ("but", "and", "so", "then", "now", "or", "oh", "hmm", "well") else ""
                if w1 not in _QW and w0 not in ("something", "ready"):
                    p = p[:-1] + "."
        parts[i] = p
    return '"' + " ".join(parts) + '"'


def lookup(v, k):
    if k in v:
        return str(v[k])
    if k[0].isupper() and k[0].lower() + k[1:] in v:
        x = str(v[k[0].lower() + k[1:]])
        return x[:1].upper() + x[1:]
    raise KeyError(k)


def tidy(s):
    s = re.sub(r"[ \t]+", " ", s)
    s = re.sub(r" ([.,!?;:])", r"\1", s)
    s = re.sub(r" *\n *", "\n", s)
    s = re.sub(r"\b([Aa]n?)( )([A-Za-z]+)", fix_article, s)
    s = re.sub(r"\bI an\b", "I a", s)
    # capital after sentence end, at paragraph start and at the start of a quotation
    s = re.sub(r"(^|(?<!\.\.)[.!?] |\n)(\"?)([a-z])", lambda m: m.group(1) + m.group(2) + m.group(3).upper(), s)
    s = re.sub(r'"([^"\n]*)"', fix_quote, s)
    return s.strip()
