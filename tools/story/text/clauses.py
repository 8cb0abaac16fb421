# SPDX-License-Identifier: MIT
"""One thing that happens: who did what to what, where, when, why, how; and the sentences that tell it."""
from .entities import Being
from .verbs import NO_PASSIVE, gerund, participle, past, third

SLOTS = ("agent", "obj", "to", "source", "place", "goal", "time", "how", "why")


class Clause:
    """`why` is (because | to, words). `to`, `source` are beings, `place`, `goal` places."""

    def __init__(self, verb, agent, obj=None, to=None, source=None, place=None, goal=None, time=None, how=None, why=None):
        self.verb, self.agent, self.obj, self.to, self.source = verb, agent, obj, to, source
        self.place, self.goal, self.time, self.how, self.why = place, goal, time, how, why
        self.form = "the"  # how the object stood where this was told: a, the, own

    def has(self):
        return [slot for slot in SLOTS if getattr(self, slot) is not None]


def verb_phrase(verb, tense, agent):
    if tense == "past":
        return past(verb)
    if agent is not None and (agent.many or agent.gender == "i"):
        return verb
    return third(verb)


def with_object(phrase, words):
    """wave to + her; pick up + the key; an object stands behind the particle."""
    return f"{phrase} {words}" if words else phrase


def own(thing, possessive, full=True):
    count = f"{thing.count} " if thing.count else ""
    return f"{possessive} {count}{thing.bare(full)}"


class Telling:
    """How one story is told: tense, who is I, and who was spoken of last."""

    def __init__(self, r, tense="past", me=None):
        self.r, self.tense, self.me = r, tense, me
        self.quotes = 0.07           # how often what happened is told by who did it
        self.focus, self.others, self.thing = None, set(), None
        self.met = set()

    def subject(self, being, quote=None):
        r = self.r
        if being is quote or being is self.me:
            return "I"
        if being.many and quote in getattr(being, "both", ()):
            other = [b for b in being.both if b is not quote][0]
            return other.the() + " and I"
        if being is self.focus and being.gender not in self.others and not quote and r.random() < 0.62:
            return being.pronoun()
        return self.named(being)

    def named(self, being):
        """A first mention says more; later ones the name or the kind."""
        r = self.r
        if being.many:
            return being.the()
        if being not in self.met:
            self.met.add(being)
            return introduction(r, being)
        if being.name and "kind" in being.told and r.random() < 0.22 and not being.kind.startswith("old "):
            return "the " + being.kind
        return being.the()

    def object(self, clause, quote=None):
        thing, r = clause.obj, self.r
        if thing is None:
            return ""
        if isinstance(thing, Being):
            if thing is quote or thing is self.me:
                return "me"
            return self.named(thing)
        if thing.owner is not None and thing.owner is clause.agent:
            possessive = "my" if clause.agent in (quote, self.me) else clause.agent.pronoun(2)
            words = own(thing, possessive, not thing.told or r.random() < 0.3)
            thing.told, clause.form = True, "own"
            return words
        if not thing.told:
            thing.told, clause.form = True, "a"
            return thing.a()
        if thing is self.thing and not quote and r.random() < 0.45:
            return thing.pronoun(1)
        return thing.short(r)

    def where(self, place):
        full = not place.told
        place.told = True
        return place.at(full)

    def tail(self, clause, quote=None, skip=()):
        """What stands behind the object, in the order of English."""
        parts = []
        if clause.to is not None:
            parts.append("to " + ("me" if clause.to in (quote, self.me) else self.named(clause.to)))
        if clause.source is not None:
            parts.append("from " + ("me" if clause.source in (quote, self.me) else self.named(clause.source)))
        if clause.goal is not None:
            parts.append(clause.goal.to())
        if clause.how is not None and "how" not in skip:
            parts.append(clause.how)
        if clause.place is not None and "place" not in skip:
            parts.append(self.where(clause.place))
        if clause.time is not None and "time" not in skip:
            parts.append(clause.time)
        if clause.why is not None and "why" not in skip:
            parts.append("because " + clause.why[1] if clause.why[0] == "because" else "to " + clause.why[1])
        return " ".join(parts)

    def after(self, clause):
        beings = [b for b in (clause.obj, clause.to, clause.source) if isinstance(b, Being)]
        self.focus = clause.agent
        self.others = {b.gender for b in beings}
        if clause.agent.many:
            self.others |= {"she", "he", "it"}
        self.thing = clause.obj if clause.obj is not None and not isinstance(clause.obj, Being) else None

    def plain(self, clause, quote=None, skip=()):
        """Mia found a key under the bridge."""
        subject = self.subject(clause.agent, quote)
        agent = Being("x", gender="i") if subject == "I" else clause.agent
        phrase = verb_phrase(clause.verb, self.tense, agent)
        text = with_object(f"{subject} {phrase}", self.object(clause, quote))
        tail = self.tail(clause, quote, skip)
        return f"{text} {tail}" if tail else text

    def passive(self, clause):
        """The key was found by Mia under the bridge."""
        subject = clause.obj.a() if not clause.obj.told else clause.obj.short(self.r)
        clause.form, clause.obj.told = ("the" if clause.obj.told else "a"), True
        be = {"past": ("was", "were"), "present": ("is", "are")}[self.tense][clause.obj.many]
        by = "me" if clause.agent is self.me else self.named(clause.agent)
        tail = self.tail(clause)
        return f"{subject} {be} {participle(clause.verb)} by {by} {tail}".strip()

    def sentence(self, clause, led=False):
        """One of many sentences that tell it, with its full stop; `led` where words will stand before it."""
        r, x = self.r, self.r.random()
        can_passive = (clause.obj is not None and not isinstance(clause.obj, Being) and clause.obj.owner is None
                       and " " not in clause.verb and clause.verb not in NO_PASSIVE and clause.agent is not self.me)
        if can_passive and x < 0.06:
            text = self.passive(clause)
        elif clause.why is not None and clause.why[0] == "because" and x < 0.3:
            shape = r.choice(("Because {w}, {c}", "{w}, so {c}", "Since {w}, {c}", "As {w}, {c}", "{c}, for {w}"))
            text = shape.format(w=clause.why[1], c=self.plain(clause, skip=("why",)))
        elif clause.why is not None and clause.why[0] == "to" and x < 0.2:
            text = f"To {clause.why[1]}, {self.plain(clause, skip=('why',))}"
        elif clause.time is not None and x < 0.65:
            text = f"{clause.time}{r.choice((',', ',', ''))} {self.plain(clause, skip=('time',))}"
        elif clause.place is not None and clause.goal is None and x < 0.15:
            place = self.where(clause.place)
            text = f"{place}, {self.plain(clause, skip=('place',))}"
        elif clause.how is not None and clause.how.endswith("ly") and x < 0.35:
            text = f"{clause.how}, {self.plain(clause, skip=('how',))}"
        elif x > 1 - self.quotes and not led and not clause.agent.many and clause.agent is not self.me:
            said = self.plain(clause, quote=clause.agent)
            text = f'"{upper(said)}," {verb_phrase(r.choice(("say", "say", "explain")), self.tense, None)} '
            text += clause.agent.the()
        else:
            text = self.plain(clause)
        self.after(clause)
        return upper(text) + "."

    def pair(self, first, second):
        """Two of the same agent in one sentence."""
        r = self.r
        head = self.plain(first)
        self.after(first)
        agent = Being("x", gender="i") if first.agent is self.me else first.agent
        tail = f"{with_object(verb_phrase(second.verb, self.tense, agent), self.object(second))} {self.tail(second)}".strip()
        self.after(second)
        if r.random() < 0.18 and not (first.agent.gender in self.others):
            subject = "I" if first.agent is self.me else first.agent.pronoun()
            return upper(f"{r.choice(('When', 'When', 'As soon as', 'While', 'Before'))} {head}, {subject} {tail}.")
        return upper(f"{head}{r.choice((' and', ' and', ' and then', ', then', ' and later'))} {tail}.")

    def beginning_with(self, first, second):
        """After finding a key, Mia ran home."""
        r = self.r
        agent = second.agent
        lead = f"{with_object(gerund(first.verb), self.object(first))} {self.tail(first)}".strip()
        text = f"{r.choice(('After', 'Before that, after', 'After'))} {lead}, {self.plain(second)}."
        self.after(second)
        self.focus = agent
        return upper(text)


def introduction(r, being):
    """The first words about somebody in the middle of a story."""
    # What it says of them is what may be asked.
    if not being.name:
        if being.kind.startswith(("my ", "her ", "his ", "the ")):
            return being.kind
        being.told |= {"kind", "trait"}
        return being.a()
    x = r.random()
    if (being.kind in ("girl", "boy") and x < 0.7) or x > 0.9:
        return being.name
    being.told |= {"kind"} if x < 0.35 else {"kind", "trait"}
    if x < 0.35:
        return f"{being.name} the {being.kind}"
    if x < 0.6:
        return f"{being.name}, {being.a()},"
    return f"{being.a()} {r.choice(('called', 'named'))} {being.name}"


def upper(text):
    for i, letter in enumerate(text):
        if letter.isalpha():
            return text[:i] + letter.upper() + text[i + 1:]
    return text
