# SPDX-License-Identifier: MIT
"""Questions about a text that nobody has taken apart: those whose answers its plain sentences show."""
import re

from . import beings, places, things, verbs

ASKED = """accept add answer appear approach arrive attack believe bounce carry change chase clean climb close collect cook cover cross cry dance decide
discover drag dress drop enter escape explain explore fill finish follow gather giggle greet guard guess hand hate help hop hope hug hurry invite join jump
kick kiss knock laugh learn lick lift like listen live look love march marry miss move name need nibble notice offer open order paint pass pick place plant
play poke polish pour prepare promise protect pull push rattle reach receive refuse remember repair reply rescue rest return rock roll row rush sail save
scatter scold scrape scratch search serve share shout slam smell smile sniff spill splash stare start stay stop stretch study taste thank touch trade travel
try turn use visit wait walk want warn wash waste watch water wave whisper wish work worry wrap yell""".split()
BASES = set(ASKED) | {v for v in verbs.IRREGULAR if v not in ("be", "say", "think")} | {v for v in verbs.DO_THING + verbs.EAT + verbs.ALONE + verbs.MOVE + verbs.PUT + verbs.DO_PERSON if " " not in v and "_" not in v}
BASE = {verbs.past(base): base for base in sorted(BASES)}
PAST = set(BASE) | {"was", "were"}
WHO = {words.split()[-1] for words in beings.ANIMALS + beings.BIRDS + beings.SMALL + beings.CREATURES + beings.TRADES + beings.KIN} | set(
    """man woman boy girl child children baby lady gentleman king queen prince princess people men women boys girls son daughter wife husband brothers
sisters friends parents mum mom dad mama papa grandma grandpa master servant stranger fellow emperor duke lord knight thief robber hermit soldiers""".split())
WHERE = {words.split()[-1] for _, listed, _ in places.KINDS for words in listed} | set(
    """wood woods forest village town city country land island sea lake river well room hall door window street road path shore mountain field garden table
floor ground school park kitchen bed tree house hut cottage palace shop market stable water sky air corner hole nest""".split())
LOOKS = set(beings.TRAITS) | set(beings.COLOURS) | set(things.SIZES if isinstance(things.SIZES, list) else things.SIZES.split()) | set(
    "old young poor little big good great first last other next same own only whole two three many few old kind brave wise rich dear beautiful golden wicked".split())
NOT_NAMES = set("""The A An He She It They We You I His Her Their My Our Your Its This That These Those There Then When While As But And Or So If In On At By
For From To With Of Not No Yes Oh After Before One Once Now Here What Who Why How Where Soon All Every Each Some Both Many Most Suddenly Finally
Just Even Still Perhaps Only Never Ever At Mr Mrs Miss Sir Dear Christmas God Lord English Indian Monday Sunday""".split())
STOPS = set("""in on at by to of for from with into onto under over behind beside near through across up down off out about after before because when while
and but or that which who whom so as than then if until till where again away back along around like very too""".split())
PREPOSITION = re.compile(r" (in|on|under|behind|near|into|to|at|by|inside|beside|from|across|over|through|onto) ((?:the|a|an|his|her|their) (?:[a-z-]+ ){0,2}?([a-z-]+))(?=$| (?:and|to|with|for|where|in|at|by|as|of|near) )")
FEELINGS = set(verbs.FEELINGS if isinstance(verbs.FEELINGS, list) else verbs.FEELINGS.split())
SAID = "said|asked|cried|answered|replied|shouted|whispered|called|exclaimed|growled|sighed"
NO_SUBJECT = STOPS | set("he she it they we you i me him them us all one time day morning evening night moment soon even never always only also".split())
PRONOUNS = ("He", "She", "They")
MEANT = {**dict.fromkeys(beings.GIRLS, "She"), **dict.fromkeys(beings.BOYS, "He")}
TIME = re.compile(r"((?:One|That|The next|The same|Early one|Late one|Every|Next|Early that|Late that) (?:[a-z]+ )?(?:day|morning|evening|night|afternoon|summer|winter|spring|autumn|week|year)),? (.+)")
# Verbs behind which "to" and another verb say what for.
MOVES = set("""went ran came walked climbed hurried rushed jumped turned stopped stood sat bent knelt rode sailed flew swam crept stepped returned travelled traveled
opened closed took brought sent bought used lit picked lifted pulled pushed dug built cut tied threw raised held""".split())
DETERMINERS = set("the a an his her their its some another this that every".split())


def sentences(text):
    """Those of the narrator: whole, without speech in them."""
    for paragraph in text.split("\n"):
        for sentence in re.findall(r'(?:^|(?<=[.!?] )|(?<=[.!?]" ))[A-Z][^".!?;:()]{14,150}[.!](?=\s|$)', paragraph):
            yield sentence


def ends(text):
    """Where sentences end, but for the last."""
    return [m.end() for m in re.finditer(r'[.!?]"?(?=\s)', text)]


def names_in(text):
    """Words that are capital where others would not be."""
    found = {w for w in re.findall(r"(?<=[a-z,] )[A-Z][a-z]{2,}\b", text)} - NOT_NAMES
    low = set(re.findall(r"\b[a-z]+\b", text))
    return {w for w in found if w.lower() not in low}


def parts(sentence, names):
    """(subject, verb, rest) of a plain sentence, or None."""
    words = sentence.rstrip(".!").split(" ")
    if words[0] in PRONOUNS:
        return (words[0], words[1], words[2:]) if len(words) > 1 and words[1] in PAST else None
    if words[0] in names:
        at = 1
        if len(words) > 3 and words[1] == "and" and words[2] in names:
            at = 3
        elif len(words) > 2 and words[1] in names:
            at = 2
        if len(words) > at and words[at] in PAST:
            return " ".join(words[:at]), words[at], words[at + 1:]
        return None
    if words[0].lower() not in DETERMINERS and words[0] not in ("My", "Our"):
        return None
    for at in range(2, min(5, len(words))):
        if words[at] in PAST and words[at - 1].isalpha() and words[at - 1] not in LOOKS | NO_SUBJECT:
            return " ".join(words[:at]), words[at], words[at + 1:]
        if not words[at - 1].isalpha() or words[at - 1] in NO_SUBJECT or words[at - 1] in PAST:
            return None
    return None


def named(subject, names):
    """The subject within a question."""
    return subject if subject.split()[0] in names else lower_first_word(subject)


def lower_first_word(text):
    return text[0].lower() + text[1:]


def is_being(words, names):
    last = words.split()[-1].lower()
    return last in WHO or last.rstrip("s") in WHO or last.endswith(("man", "mother", "father", "maid", "herd", "master")) or words.split()[0] in names


def short(rest):
    """What follows the verb, no longer than can be asked."""
    text = " ".join(rest)
    if len(text) > 60 or "," in text or " and " in text:
        text = re.split(r",| and (?:it|he|she|they|the|his|her) | but | so | because | when | while | until ", text)[0]
    last = text.split(" ")[-1]
    return "" if last in LOOKS | DETERMINERS | STOPS and last not in ("home", "up", "down", "away", "back", "off", "out", "along", "again") else text


def reasons(sentence, names):
    """(question, short answer) of a sentence whose second half begins with "so": the first half is why."""
    first, so, second = sentence.rstrip(".!").partition(", so ")
    cause, effect = parts(first, names), parts(second[:1].upper() + second[1:], names)
    if not so or not cause or not effect or effect[1] in ("was", "were") or not short(effect[2]):
        return
    who, pronoun = cause[0], effect[0] if effect[0] in PRONOUNS else ""
    if who in PRONOUNS or pronoun and MEANT.get(who, pronoun) != pronoun:
        return
    yield f"Why did {named(who if pronoun else effect[0], names)} {BASE[effect[1]]} {short(effect[2])}?", "because " + (" ".join([pronoun.lower(), cause[1], *cause[2]]) if pronoun else named(first, names))


def of_sentence(sentence, names):
    """(question, short answer) for one of the narrator's sentences."""
    time = TIME.match(sentence)
    if time:
        sentence = time.group(2)
    yield from reasons(sentence, names)
    found = parts(sentence, names)
    if not found or found[1] == "named":
        return
    subject, verb, rest = found
    if time and verb not in ("was", "were") and short(rest):
        yield f"When did {named(subject, names)} {BASE[verb]} {short(rest)}?", time.group(1)[0].lower() + time.group(1)[1:]
    inner, text = named(subject, names), short(rest)
    words = text.split(" ")
    if len(words) >= 2 and not text.startswith(("not ", "no ")) and subject not in PRONOUNS:
        yield f"{'Who' if is_being(subject, names) else 'What'} {'was' if verb == 'were' else verb} {text}?", subject
    because = re.search(r" because ([^,]+)", " " + " ".join(rest))
    before = " ".join(rest).split(" because ")[0].rstrip(",") if because else ""
    if because and len(before) < 60:
        yield (f"Why {verb} {inner} {before}?" if verb in ("was", "were") else f"Why did {inner} {BASE[verb]} {before}?").replace(" ?", "?"), "because " + because.group(1)
    purpose = next((m.start() for m in re.finditer(r"\bto ([a-z]+)\b", text) if m.group(1) in BASES), None) if verb in MOVES else None
    if purpose is not None and " and " not in text[:purpose]:
        yield f"Why did {inner} {BASE[verb]} {text[:purpose].strip()}?".replace(" ?", "?"), text[purpose:]
    place = PREPOSITION.search(" " + text)
    if place and place.group(3) not in WHERE:
        place = None
    if verb in ("was", "were"):
        if place and place.start() == 0:
            yield f"Where {verb} {inner}?", f"{place.group(1)} {place.group(2)}"
        if text in FEELINGS or text.removeprefix("very ") in FEELINGS:
            yield f"How did {inner} feel?", text
        return
    if words[0] in DETERMINERS and verb not in ("went", "came", "lay", "sat", "stood", "looked", "lived"):
        end = next((i for i, w in enumerate(words) if i and (w in STOPS or not w.isalpha())), len(words))
        thing = " ".join(words[:end])
        if 2 <= end <= 4 and (end == len(words) or words[end] in STOPS - {"of", "up", "down", "off", "out", "and", "that", "which", "who"}):
            yield f"{'Who' if is_being(thing, names) else 'What'} did {inner} {BASE[verb]}?", thing
    if place:
        middle = (" " + text)[: place.start()].strip()
        if middle.count(" ") < 4 and not STOPS & set(middle.split()):
            yield f"Where did {inner} {' '.join(filter(None, (BASE[verb], middle)))}?", f"{place.group(1)} {place.group(2)}"


def speeches(text, names):
    told = [(m.group(1), m.group(3) or m.group(4), m.group(2)) for m in re.finditer(
        rf'"([^"]{{8,140}}?)[,.!?]?" ({SAID}) (?:((?:the|his|her) (?:[a-z]+ )?[a-z]+)|([A-Z][a-z]+))(?=[.,;]| to | in | as )', text)]
    speakers = [who for _, who, _ in told]
    for said, who, verb in told:
        if who[0].isupper() and who not in names or who.split()[-1] in ("to", "and"):
            continue
        yield f'Who said, "{said}"?', who, None
        if speakers.count(who) == 1:
            yield f"What did {who} {'ask' if verb == 'asked' else 'say'}?", f'"{said}{"?" if verb == "asked" else "."}"', None


def attributes_in(text):
    numbers = "|".join(things.NUMBERS)
    for number, noun in dict.fromkeys(re.findall(rf"\b({numbers}) ((?:[a-z]+ )?[a-z]+s)\b", text)):
        if len(re.findall(rf"\b{noun}\b", text)) == 1 and noun.split()[-1] not in ("was", "is", "his", "times", "years"):
            yield f"How many {noun} were there?", number, None
    for colour, noun in dict.fromkeys(re.findall(r"\b(?:a|the|his|her) (red|blue|green|yellow|black|white|brown|golden|silver|pink|purple|grey|gray|orange) ([a-z]+)\b", text)):
        if len(set(re.findall(rf"\b(\w+) {noun}\b", text)) & set(beings.COLOURS)) < 2 and noun not in STOPS and noun not in LOOKS:
            yield f"What colour {'were' if noun.endswith('s') and not noun.endswith('ss') else 'was'} the {noun}?", colour, None
    for kind, name in dict.fromkeys(re.findall(r"\ban? ((?:[a-z]+ ){0,2}[a-z]+) (?:named|called) ([A-Z][a-z]+)\b", text)):
        if kind.split()[-1] in WHO:
            yield f"What was the {kind.split()[-1]}'s name?", name, None
            yield f"Who was {name}?", things.article(kind), None


def meant(text, sentence, names):
    """The sentence with the name that its first pronoun stands for, where the sentence before it begins with that name; else as it is."""
    if not sentence.startswith(tuple(f"{p} " for p in PRONOUNS)):
        return sentence
    paragraph = text[:text.index(sentence)].rpartition("\n")[2]
    before = re.split(r'(?<=[.!?]) |(?<=[.!?]") ', paragraph.rstrip())[-1].split(" ")
    pronoun, _, rest = sentence.partition(" ")
    both = len(before) > 2 and before[1] == "and" and before[2] in names
    if before[0] not in names or (pronoun != "They" if both else MEANT.get(before[0]) != pronoun):
        return sentence
    if any(MEANT.get(name) == pronoun and name != before[0] for name in set(re.findall(r"[A-Z][a-z]+", paragraph)) & names):
        return sentence
    return f"{' '.join(before[:3]) if both else before[0]} {rest}"


def questions(text):
    """(question, short answer, the whole sentence or None), each question once and only if it has one answer."""
    names, found, answers = names_in(text), [], {}
    for sentence in sentences(text):
        for ask, said in of_sentence(meant(text, sentence, names), names):
            found.append((ask, said, sentence))
    found += [*speeches(text, names), *attributes_in(text)]
    for ask, said, _ in found:
        answers.setdefault(ask.lower(), set()).add(said.lower())
    seen, out = set(), []
    for ask, said, sentence in found:
        if len(answers[ask.lower()]) == 1 and ask.lower() not in seen and 10 < len(ask) < 180:
            seen.add(ask.lower())
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
