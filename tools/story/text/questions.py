# SPDX-License-Identifier: MIT
"""Questions about a clause and their answers: a sentence with the fact in the story's words."""
from .clauses import Clause, own, upper, verb_phrase
from .entities import Being, Teller
from .verbs import NO_PASSIVE, PUT, SAME, participle


class Question:
    """`direct` is "What did Mia find?", `inner` "what Mia found" for "Tell me ...", or None."""

    def __init__(self, slot, direct, inner, answer, value=None):
        self.slot, self.direct, self.inner, self.answer, self.value = slot, direct, inner, answer, value


def called(r, being, ask=False):
    # A teller of whom nothing is said has no other name.
    if isinstance(being, Teller) or (being.tells and "kind" not in being.told):
        return r.choice(("the narrator", "the narrator", "the storyteller", "the person telling the story")) if ask else "the narrator"
    if ask and being.name and "kind" in being.told and r.random() < 0.12:
        return "the " + being.kind
    return being.the()


def object_words(r, clause, ask):
    thing = clause.obj
    if thing is None:
        return ""
    if isinstance(thing, Being):
        return called(r, thing, ask)
    if clause.form == "own" and thing.owner is clause.agent:
        possessive = "their" if isinstance(clause.agent, Teller) or clause.agent.tells else clause.agent.pronoun(2)
        return own(thing, possessive, not ask or r.random() < 0.4) if not ask or r.random() < 0.6 else thing.short(r)
    if ask:
        return thing.short(r)
    return thing.a() if clause.form == "a" else thing.the(r.random() < 0.5)


def rest(r, clause, ask, skip=(), take=None):
    """The words behind the object. Questions take some of them, answers those that matter."""
    parts = []
    for slot in ("to", "source", "goal", "how", "place", "time", "why"):
        value = getattr(clause, slot)
        if value is None or slot in skip or (take is not None and slot not in take):
            continue
        if slot == "to":
            parts.append("to " + called(r, value, ask))
        elif slot == "source":
            parts.append("from " + called(r, value, ask))
        elif slot == "goal":
            parts.append(value.to())
        elif slot == "place":
            parts.append(value.at(not ask and r.random() < 0.5))
        elif slot == "why":
            parts.append("because " + value[1] if value[0] == "because" else "to " + value[1])
        else:
            parts.append(value)
    return " ".join(parts)


def join(*parts):
    return " ".join(part for part in parts if part)


def statement(r, clause, tense, slots):
    """The answer: agent, verb, object and the slots asked for."""
    return upper(truth(r, clause, tense, slots)) + "."


def truth(r, clause, tense, slots):
    agent = clause.agent
    return join(called(r, agent), verb_phrase(clause.verb, tense, agent if not isinstance(agent, Teller) else None),
                object_words(r, clause, False), rest(r, clause, False, take=slots))


def same(a, b):
    return a is b or (isinstance(a, (str, tuple)) and a == b)


def ambiguous(clause, slot, known, story):
    """Whether another clause fits the question and says something else, or something as well."""
    verbs = {clause.verb, *SAME.get(clause.verb, ())}
    for other in story:
        if other is clause or not (other.verb in verbs or clause.verb in SAME.get(other.verb, ())):
            continue
        if all(same(getattr(other, s), getattr(clause, s)) for s in known if s != slot):
            return True
    return False


def ask(r, clause, slot, story, tense="past"):
    """A Question about one slot, or None where the answer would not be clear."""
    present = clause.has()
    needed = {"agent", "obj"} & set(present)
    if clause.verb in PUT and slot != "place":
        needed |= {"place"} & set(present)
    extra = [s for s in present if s not in needed and s != slot and s not in ("why", "how")]
    takes = (needed - {"agent", "obj"}) | {s for s in extra if s in ("to", "source", "goal") and r.random() < 0.8}
    takes |= {s for s in extra if s in ("place", "time") and r.random() < 0.3}
    if slot == "agent" and clause.obj is None:
        takes |= set(extra)
        if not takes and clause.how is None and clause.why is None:
            takes = set()
    if ambiguous(clause, slot, needed | takes, story):
        takes |= set(extra)
        if ambiguous(clause, slot, needed | takes, story):
            return None
    verb = clause.verb
    if verb in SAME and r.random() < 0.18:
        verb = r.choice(SAME[verb])
    agent, obj = called(r, clause.agent, True), object_words(r, clause, True)
    tail = rest(r, clause, True, take=takes)
    many = clause.agent.many
    do = "did" if tense == "past" else "do" if many else "does"
    third_person = clause.agent if not isinstance(clause.agent, Teller) else None
    vp = verb_phrase(verb, tense, third_person)
    vp_who = verb_phrase(verb, tense, None)
    whole = lambda *extra_slots: statement(r, clause, tense, set(extra_slots) | (takes if r.random() < 0.5 else needed))
    thing = clause.obj is not None and not isinstance(clause.obj, Being)
    passive = thing and " " not in verb and verb not in NO_PASSIVE and clause.form != "own"
    be = ("was", "were") if tense == "past" else ("is", "are")
    if slot == "agent":
        d = [f"Who {vp_who} {join(obj, tail)}?"] * 3 + [f"Who {be[0]} it that {vp_who} {join(obj, tail)}?",
                                                        f"Which character {vp_who} {join(obj, tail)}?"]
        if passive:
            d.append(f"Who {be[clause.obj.many]} {clause.obj.short(r)} {participle(verb)} by?")
        answer = whole()
        if r.random() < 0.1 and not many:
            answer = upper(f"It was {called(r, clause.agent)} who {join(vp_who, object_words(r, clause, False))}.")
        return Question(slot, upper(r.choice(d)), f"who {vp_who} {join(obj, tail)}".strip(), answer, clause.agent)
    if slot == "obj":
        person = isinstance(clause.obj, Being)
        w = "who" if person else r.choice(("what", "what", "what", "which thing"))
        d = [f"{w} {do} {agent} {join(verb, tail)}?"] * 4 + [f"{agent} {join(vp, w if person else 'what', tail)}?"]
        if person:
            d.append(f"whom {do} {agent} {join(verb, tail)}?")
        else:
            d.append(f"what {be[0]} it that {agent} {join(vp, tail)}?")
        return Question(slot, upper(r.choice(d)), f"{w} {agent} {join(vp, tail)}", whole(), clause.obj)
    if slot == "place":
        d = [f"where {do} {agent} {join(verb, obj, tail)}?"] * 4 + [f"in which place {do} {agent} {join(verb, obj, tail)}?",
                                                                    f"{agent} {join(vp, obj, tail)} where?"]
        if passive:
            d.append(f"where {be[clause.obj.many]} {clause.obj.short(r)} {participle(verb)}?")
        return Question(slot, upper(r.choice(d)), f"where {agent} {join(vp, obj, tail)}", whole("place"), clause.place)
    if slot == "goal":
        d = [f"where {do} {agent} {join(verb, obj)}{r.choice((' to', ''))}?"]
        return Question(slot, upper(r.choice(d)), f"where {agent} {join(vp, obj)}", whole("goal"), clause.goal)
    if slot in ("to", "source"):
        p = "to" if slot == "to" else "from"
        d = [f"who {do} {agent} {join(verb, obj)} {p}?"] * 3 + [f"{p} whom {do} {agent} {join(verb, obj)}?",
                                                              f"{agent} {join(vp, obj)} {p} whom?"]
        return Question(slot, upper(r.choice(d)), f"who {agent} {join(vp, obj)} {p}", whole(slot), getattr(clause, slot))
    if slot == "time":
        d = [f"when {do} {agent} {join(verb, obj, tail)}?"] * 3 + [f"at what time {do} {agent} {join(verb, obj, tail)}?"]
        if clause.time.endswith("day") and clause.time.startswith("on ") and len(clause.time.split()) == 2:
            d += [f"on which day {do} {agent} {join(verb, obj, tail)}?", f"what day {do} {agent} {join(verb, obj, tail)}?"]
        return Question(slot, upper(r.choice(d)), f"when {agent} {join(vp, obj, tail)}", whole("time"), clause.time)
    if slot == "why":
        d = [f"why {do} {agent} {join(verb, obj, tail)}?"] * 4 + [f"for what reason {do} {agent} {join(verb, obj, tail)}?",
                                                                  f"how come {agent} {join(vp, obj, tail)}?",
                                                                  f"what made {agent} {join(clause.verb, obj, tail)}?",
                                                                  f"what was the reason that {agent} {join(vp, obj, tail)}?"]
        return Question(slot, upper(r.choice(d)), f"why {agent} {join(vp, obj, tail)}", whole("why"), clause.why)
    if slot == "how":
        d = [f"how {do} {agent} {join(verb, obj, tail)}?"] * 4 + [f"in what way {do} {agent} {join(verb, obj, tail)}?"]
        return Question(slot, upper(r.choice(d)), f"how {agent} {join(vp, obj, tail)}", whole("how"), clause.how)
    raise ValueError(slot)


def did(r, clause, story, tense="past"):
    """What did Mia do on Monday?"""
    by = [s for s in ("place", "time") if getattr(clause, s) is not None]
    if not by:
        return None
    take = {r.choice(by)}
    for other in story:
        if other is not clause and other.agent is clause.agent and all(same(getattr(other, s), getattr(clause, s)) for s in take):
            return None
        if other is not clause and other.agent.many and clause.agent in other.agent.both:
            return None
    agent, tail = called(r, clause.agent, True), rest(r, clause, True, take=take)
    do = "did" if tense == "past" else "do" if clause.agent.many else "does"
    d = [f"What {do} {agent} do {tail}?"] * 2 + [f"What {'happened' if tense == 'past' else 'happens'} {tail}?"]
    if any(other is not clause and all(same(getattr(other, s), getattr(clause, s)) for s in take) for other in story):
        d = d[:2]
    every = {s for s in clause.has() if s not in ("agent", "obj")}
    return Question("do", upper(r.choice(d)), f"what {agent} {'did' if tense == 'past' else 'does'} {tail}",
                    statement(r, clause, tense, every if r.random() < 0.4 else take))


def yes_no(r, clause, story, tense="past", swap=None):
    """Did Mia find the key? `swap` is (slot, another value): then the answer is no, and what is so."""
    asked = Clause(**{**{k: v for k, v in vars(clause).items() if k != "form"}})
    asked.form = "the"
    slots = {s for s in ("to", "source", "goal") + (("place",) if clause.verb in PUT else ()) if getattr(clause, s) is not None}
    if swap:
        setattr(asked, swap[0], swap[1])
        slots |= {swap[0]} - {"agent", "obj"}
        for other in story:
            if other.verb == asked.verb and same(other.agent, asked.agent) and same(other.obj, asked.obj):
                return None
        if ambiguous(clause, swap[0], {"agent", "obj"} & set(clause.has()), story):
            return None
    do = ("did" if tense == "past" else "do" if asked.agent.many else "does")
    agent, obj, tail = called(r, asked.agent, True), object_words(r, asked, True), rest(r, asked, True, take=slots)
    direct = f"{do.capitalize()} {agent} {join(clause.verb, obj, tail)}?"
    vp = verb_phrase(clause.verb, tense, asked.agent if not isinstance(asked.agent, Teller) else None)
    return Question("yes_no", direct, f"whether {agent} {join(vp, obj, tail)}", ("No, " if swap else "Yes, ") + truth(r, clause, tense, slots) + ".")
