# SPDX-License-Identifier: MIT
"""A story while it is written: its sentences, what happens in it, and what can be asked about it."""
import random
import re

from . import questions as q
from .clauses import Clause, Telling, upper
from .entities import Being, Teller, make_being, make_place, make_thing
from .questions import Question
from .verbs import to_present


class Story:
    def __init__(self, r, tense="past", me=None):
        self.r, self.tense = r, tense
        self.telling = Telling(random.Random(r.random()), tense, me)
        self.me = me
        self.paragraphs = [[]]
        self.clauses, self.asked = [], []
        self.cast, self.places, self.things = [], [], []
        self.begun, self.padding = False, 0     # whether the hero is known; how often nothing happens
        self.meeting, self.friend = None, None
        self.outline = []                       # short sentences that say what happens, for summaries
        self.held = None
        self.spoken = {}

    # ---- who and what
    def being(self, **given):
        being = make_being(self.r, self.cast, **given)
        self.cast.append(being)
        return being

    def place(self, kinds=None):
        place = make_place(self.r, self.places, kinds)
        self.places.append(place)
        return place

    def thing(self, kind=None, rich=0.7):
        for _ in range(9):
            thing = make_thing(self.r, kind, rich)
            if all(other.noun != thing.noun for other in self.things):
                break
        self.things.append(thing)
        return thing

    # ---- sentences
    def say(self, text):
        self.flush()
        self.paragraphs[-1].append(text)

    def any(self, *texts):
        """One of several ways to say something of which nothing is asked."""
        text = self.r.choice(texts)
        if text:
            self.say(text)

    def break_(self):
        self.flush()
        if self.paragraphs[-1]:
            self.paragraphs.append([])

    def do(self, verb, agent, obj=None, tell=True, lead=None, **slots):
        """Something happens; a sentence says so, at times together with what happened before."""
        clause = Clause(verb, agent, obj, **slots)
        if self.tense == "present" and clause.why is not None:
            clause.why = (clause.why[0], to_present(clause.why[1]))
        self.clauses.append(clause)
        if not tell:
            return clause
        if self.held is not None and self.held.agent is agent and lead is None and self.r.random() < 0.8:
            first, self.held = self.held, None
            can_lead = first.why is None and first.agent is not self.me and first.how is None
            shape = self.telling.beginning_with if self.r.random() < 0.2 and can_lead else self.telling.pair
            if shape == self.telling.beginning_with and agent not in self.telling.met and not agent.many:
                shape = self.telling.pair
            self.paragraphs[-1].append(shape(first, clause))
            return clause
        self.flush()
        if lead is None and len(clause.has()) < 5 and clause.why is None and self.r.random() < 0.3:
            self.held = clause
            return clause
        text = self.telling.sentence(clause, bool(lead))
        if lead:
            text = lead + " " + (text if text.split()[0].strip(",") in self.capitals() else text[0].lower() + text[1:])
        self.paragraphs[-1].append(text)
        return clause

    def capitals(self):
        names = {"I"} | {w for c in self.cast for w in (c.name or "").split()}
        for clause in self.clauses:
            for place in (clause.place, clause.goal):
                if place is not None and place.proper:
                    names |= set(place.noun.split())
        return names | {b.name for c in self.cast if c.many for b in c.both if b.name}

    def flush(self):
        if self.held is not None:
            clause, self.held = self.held, None
            self.paragraphs[-1].append(self.telling.sentence(clause))

    def ref(self, being, start=False):
        """The being's words for sentences written by hand: pronoun never, name or kind."""
        words = "I" if being is self.me else being.the()
        self.telling.met.add(being)
        return upper(words) if start else words

    def fact(self, asked, answer, inner=None, slot="fact"):
        """Ways to ask for something told by hand, and ways to answer."""
        self.asked.append((asked, answer, inner, slot))

    # ---- what comes of it
    def text(self):
        self.flush()
        text = "\n\n".join(" ".join(p) for p in self.paragraphs if p)
        text = re.sub(r"\bI and (the [a-z' -]+?|[A-Z]\w+) (were|had|went|became|agreed|found|shared|laughed|built)", r"\1 and I \2", text)
        text = re.sub(r"\b(of|with|by|to|from|asked|asks|gave|gives|frightened) I(?=[ .,!?])", r"\1 me", text)
        text = re.sub(r"(^|\n|[.!?] ), ", r"\1", text)
        for old, new in ((",.", "."), (",,", ","), (", ,", ","), (',"', ',"'), (",!", "!"), (", .", "."), (",;", ";")):
            text = text.replace(old, new)
        return re.sub(r"(?<=[.!?] )[a-z]", lambda found: found.group().upper(), text).strip()

    def questions(self, wanted=40):
        """Questions with answers that the text holds; in random order."""
        r, out = self.r, []
        pick = lambda x: r.choice(x) if isinstance(x, (list, tuple)) else x
        answers = {}
        for asked, answer, inner, _ in self.asked:
            for words in [*asked, *(inner or ())]:
                answers.setdefault(words, set()).add(pick(answer) if isinstance(answer, str) else answer[0])
        for asked, answer, inner, slot in self.asked:
            # What has two answers is not asked.
            asked = [words for words in asked if len(answers[words]) == 1]
            inner = [words for words in inner or () if len(answers[words]) == 1]
            if not asked:
                continue
            out.append(Question(slot, pick(asked), pick(inner) if inner else None, pick(answer)))
        beings = [c for c in self.cast if not c.many]
        for clause in self.clauses:
            tense = self.tense if r.random() < 0.8 else "past"
            for slot in clause.has():
                if slot == "agent" and len(beings) < 2:
                    continue
                found = q.ask(r, clause, slot, self.clauses, tense)
                if found:
                    out.append(found)
            found = q.did(r, clause, self.clauses, tense)
            if found:
                out.append(found)
            if r.random() < 0.5:
                out.append(q.yes_no(r, clause, self.clauses, tense, self.swap(clause) if r.random() < 0.5 else None))
        out = [question for question in out if question is not None]
        r.shuffle(out)
        return out[:wanted]

    def swap(self, clause):
        """A slot of a clause with what is not so."""
        r = self.r
        choices = [s for s in ("obj", "place", "to") if getattr(clause, s) is not None]
        if not choices:
            return None
        slot = r.choice(choices)
        if slot == "place":
            return slot, make_place(r, [clause.place])
        if slot == "to" or isinstance(clause.obj, Being):
            others = [c for c in self.cast if not c.many and c not in (clause.agent, clause.obj, clause.to) and not isinstance(c, Teller)]
            return (slot, r.choice(others)) if others else None
        others = [t for t in self.things if t is not clause.obj and t.noun != clause.obj.noun]
        return slot, (r.choice(others) if others and r.random() < 0.6 else make_thing(r, rich=0.3))
