# SPDX-License-Identifier: MIT
"""What stories are put together from: sentences by hand with names and tenses filled in, wishes, feelings, speech, meetings."""
import re
from . import attributes, places
from .clauses import introduction, own, upper
from .entities import Being, Place
from .verbs import past, third

SUBJECT = re.compile(r"((?:^|[.!?] )(?:So |Then |At last |In the end |In no time |And )?)\{([A-Z])\}(?!')")
MARKED = re.compile(r"\[([a-z]+(?: [a-z]+)*)(?::([A-Z]))?\]")


class Word:
    """A being, thing or place in a sentence written by hand: {H}, {H.he}, {T.a}, {P.to}."""

    def __init__(self, story, what):
        self.story, self.what, self.me = story, what, what is story.me

    def __str__(self):
        w = self.what
        if isinstance(w, Place):
            return self.story.telling.where(w)
        if self.me:
            return "I"
        if isinstance(w, Being):
            self.story.telling.met.add(w)
            return w.the()
        w.told = True
        return w.short(self.story.telling.r)

    def __getattr__(self, name):
        w, me = self.what, self.me
        if name in ("he", "him", "his", "self"):
            case = ("he", "him", "his", "self").index(name)
            return ("I", "me", "my", "myself")[case] if me else w.pronoun(case)
        if name == "o":
            return "me" if me else str(self)
        if name == "sub":                          # a subject: a pronoun where it is clear
            t = self.story.telling
            if isinstance(w, Being) and not me and w is t.focus and w.gender not in t.others and not w.many and t.r.random() < 0.55:
                return w.pronoun()
            return str(self)
        if name == "own":                          # her red boot
            w.told = True
            return own(w, "my" if w.owner is self.story.me else w.owner.pronoun(2))
        if name == "new":
            if me:
                return "I"
            self.story.telling.met.add(w)
            return introduction(self.story.telling.r, w)
        if name == "a":
            w.told = True
            return w.a()
        if name == "kind":
            return w.kind if hasattr(w, "kind") else w.noun
        if name == "the":
            return w.the()
        if name == "to":
            return w.to()
        raise AttributeError(name)


def fill(story, text, **refs):
    """A sentence by hand: [verb] is put into the story's tense, [verb:H] also agrees with H where H is I."""
    def verb(found):
        base, key = found.groups()
        agent = refs.get(key) if key else None
        is_me = agent is not None and agent is story.me
        plural = agent is not None and agent.many
        if base == "be":
            if story.tense == "past":
                return "were" if plural else "was"
            return "am" if is_me else "are" if plural else "is"
        if story.tense == "past":
            return past(base)
        return base if is_me or plural else third(base)
    words = {k: Word(story, v) if not isinstance(v, str) else v for k, v in refs.items()}
    text = SUBJECT.sub(r"\1{\2.sub}", MARKED.sub(verb, text))
    return upper(text.format(**words).strip())


def tell(story, *texts, **refs):
    """One of some sentences."""
    text = story.r.choice(texts)
    if text:
        story.say(fill(story, text, **refs))
        others = [v for v in refs.values() if isinstance(v, Being) and not v.many]
        main = refs.get("H") if isinstance(refs.get("H"), Being) else others[0] if len(others) == 1 else None
        story.telling.focus = main
        story.telling.others = {b.gender for b in others if b is not main}
        if story.r.random() < story.padding:
            story.telling.focus = None
            if story.r.random() < 0.5:
                story.say(story.r.choice(AIR))
            else:
                from .states import state
                state(story)


# Between what happens: nothing that is asked for.
AIR = """The wind had dropped.|A clock struck somewhere.|It smelled of hay and of smoke.|High above, a lark was singing.|The grass was still wet.|Far away a dog barked.|
A cart rattled over the stones.|Nobody hurried.|The clouds looked like sheep.|Dust danced in the light.|A door creaked.|The shadows grew longer.|Somewhere a tap was dripping.|
There was a smell of soap in the air.|Leaves drifted over the path.|For a while nothing happened at all.|The kettle began to sing.|It was so quiet that one could hear the snow.|
The floor was cold.|The first stars came out.|Chimneys smoked all around.|In the distance a train whistled.|The air tasted of salt.|Bees hummed in the clover.|The moon looked on.|
It was the kind of day on which anything could happen.|The lamps were lit one after the other.|A leaf fell.|That was a surprise.|Everybody held their breath.|Time went by.|The candle flickered.|
The rain drummed on the roof.|Crickets chirped in the grass.|Gulls screamed overhead.|It was warmer than the day before.|The church bell rang.|A gate banged in the wind.|
Some things take their time.|Nobody had expected that.|And so it went on.|It was as simple as that.|It was a long way.|There was not much time.|The frost drew flowers on the windows.""".replace("\n", "").split("|")


def name(story, being):
    return "the narrator" if being is story.me else being.the()


def want(story, being, aim, why=None):
    """What somebody wishes, which is what the story is about."""
    r, past_ = story.r, story.tense == "past"
    n = name(story, being)
    shape = r.choice(("{H} [want:H] {aim}", "More than anything, {H} [want:H] {aim}", "{H} [wish:H] {aim}", "{H} [have:H] one wish: {aim}",
                      "There [be] nothing that {H} [want:H] more than {aim}", "{H} [long:H] {aim}", "{H} [dream:H] of one thing: {aim}",
                      "All {H} [want:H] [be] {aim}", "{H} [decide:H] {aim}"))
    reason = ""
    if why:
        reason = f", because {why}" if r.random() < 0.6 else f", for {why}"
    story.say(fill(story, shape, H=being, aim=aim) + reason + ".")
    did = "did" if past_ else "does"
    w = "wanted" if past_ else "wants"
    story.fact([f"What {did} {n} want?", f"What {did} {n} want to do?", f"What {did} {n} wish for?", f"What {'was' if past_ else 'is'} {n}'s wish?",
                f"What {'was' if past_ else 'is'} the plan of {n}?", f"What {'was' if past_ else 'is'} {n}'s goal?", f"What {did} {n} hope for?", f"What {did} {n} dream of?"],
               [f"{upper(n)} {w} {aim}."], [f"what {n} {w}"], "wish")
    if why:
        story.fact([f"Why {did} {n} want {aim}?", f"What was the reason for {n}'s wish?", f"Why {did} {n} want that?"], [f"{upper(n)} {w} {aim} because {why}."], None, "why")
    story.outline.append(f"{upper(n)} {w} {aim}.")


def feel(story, being, feeling, why=None):
    n, past_ = name(story, being), story.tense == "past"
    b = "was" if past_ else "is"
    shape = story.r.choice(("{H} [feel:H] {f}", "{H} [be:H] very {f}", "{H} [be:H] {f}", "{H} [feel:H] rather {f}"))
    text = fill(story, shape, H=being, f=feeling)
    if why:
        text = upper(story.r.choice((f"{text} because {why}.", f"{text}, because {why}.", f"{why}, so {text if text.startswith('I ') or being.name else text[0].lower() + text[1:]}.")))
    else:
        text += "."
    story.say(text)
    story.fact([f"How {'did' if past_ else 'does'} {n} feel?", f"What {'did' if past_ else 'does'} {n} feel?", f"How {b} {n} feeling?"], [f"{upper(n)} {'felt' if past_ else 'feels'} {feeling}."],
               [f"how {n} {'felt' if past_ else 'feels'}"], "feel")
    if why:
        story.fact([f"Why {b} {n} {feeling}?", f"Why {'did' if past_ else 'does'} {n} feel {feeling}?", f"What made {n} {feeling}?", f"What was the reason that {n} {b} {feeling}?"],
                   [f"{upper(n)} {b} {feeling} because {why}."], [f"why {n} {b} {feeling}"], "why")


def speak(story, being, words, to=None, verb=None):
    """Direct speech; what was said can be asked where somebody speaks once."""
    r = story.r
    end = words[-1]
    v = fill(story, f"[{verb or r.choice(('say', 'say', 'say', 'reply', 'answer', 'explain', 'call', 'whisper') if end == '.' else ('ask', 'ask', 'want to know') if end == '?' else ('cry', 'call', 'shout', 'say'))}:B]", B=being)
    v = v[0].lower() + v[1:]
    known = being in story.telling.met
    who = "I" if being is story.me else being.the() if known else introduction(story.telling.r, being)
    story.telling.met.add(being)
    inside = words[:-1] + "," if end == "." else words
    first = f'"{inside}" {v} {who}.' if who != "I" and " to " not in v else f'"{inside}" {who} {v}.'
    text = r.choice((first, f'"{inside}" {who} {v}.', f'{upper(who)} {v}: "{words}"' if "whisper" not in v else first))
    story.say(text)
    story.telling.focus = None
    story.spoken.setdefault(being, []).append((words, to))


def finish_speech(story):
    for being, said in story.spoken.items():
        n = name(story, being)
        did = "did" if story.tense == "past" else "does"
        for words, to in said:
            quoted = f'{upper(n)} {"said" if did == "did" else "says"}: "{words}"'
            if len(said) == 1:
                story.fact([f"What {did} {n} say?", f"What were {n}'s words?", f"What {did} {n} tell {name(story, to)}?" if to is not None and to is not being else f"What {did} {n} say?"], [quoted],
                           [f"what {n} {'said' if did == 'did' else 'says'}"], "say")
            short = words.rstrip(".!?")
            if 2 < len(short.split()) < 9:
                story.fact([f'Who said "{short}"?', f'Who said: "{words}"?', f'Whose words are "{short}"?'], [f'{upper(n)} said: "{words}"'], None, "say")


def answered(story, asked, answer, inner=None, **refs):
    """A question by hand about what a sentence by hand said. In answers I am the narrator."""
    def out(text):
        words = {k: Outside(story, v) if not isinstance(v, str) else v for k, v in refs.items()}
        def verb(found):
            base, key = found.groups()
            plural = key and refs[key].many
            if base == "be":
                return ("were" if plural else "was") if story.tense == "past" else "are" if plural else "is"
            return past(base) if story.tense == "past" else base if plural else third(base)
        text = text.replace("DID", "did" if story.tense == "past" else "does")
        return MARKED.sub(verb, text).format(**words)
    story.fact([upper(out(a)) for a in asked], [upper(out(a)) for a in ([answer] if isinstance(answer, str) else answer)], [out(i) for i in inner] if inner else None)


class Outside(Word):
    """As one who was not there speaks of them."""

    def __str__(self):
        w = self.what
        if isinstance(w, Place):
            return w.at()
        return name(self.story, w) if isinstance(w, Being) else w.the()

    def __getattr__(self, attribute):
        w = self.what
        if attribute in ("he", "him", "his", "self") and self.me:
            return ("they", "them", "their", "themselves")[("he", "him", "his", "self").index(attribute)]
        if attribute == "o":
            return str(self)
        if attribute == "a" and not isinstance(w, Being):
            return w.a()
        if attribute == "own":
            return own(w, "their" if w.owner is self.story.me else w.owner.pronoun(2))
        return super().__getattr__(attribute)


def setting(story):
    """A line of weather or season at times, with what can be asked of it."""
    r = story.r
    if story.tense == "present":
        return
    x = r.random()
    if x < 0.14:
        w = r.choice(places.WEATHER)
        story.say(upper(w) + ".")
        story.fact(["What was the weather like?", "How was the weather?", "What was the weather like at the beginning?"], [upper(w) + "."])
    elif x < 0.28:
        s = r.choice(places.SEASONS)
        story.say(r.choice((f"It was {s}.", f"It happened in {s}.", f"It was a {r.choice(('warm', 'mild', 'wet', 'long', 'quiet', 'cold'))} day in {s}.")))
        story.fact(["In what season does the story happen?", "What season was it?", "At what time of year does the story take place?", "Which season is it in the story?"], [f"It was {s}."], ["in which season it happened"])


def helper(story):
    return story.being(kind=None, named=0.45)


def more_about(story, being, chance=0.3):
    if story.r.random() < chance and being in story.telling.met:
        attributes.extra(story, being)


def spare(story, kind=None, rich=0.7):
    """A thing that a sentence by hand has."""
    return story.thing(kind, rich)
