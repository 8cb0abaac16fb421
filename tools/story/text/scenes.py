# SPDX-License-Identifier: MIT
"""Days in which many small things happen to a few: nothing to guess from, everything to be looked up."""
from . import attributes, beings, moves, places, verbs
from .states import state
from .entities import Group, Teller
from .story import Story


def act(story, who, others):
    """One random happening."""
    r = story.r
    x = r.random()
    slots = {}
    if r.random() < 0.3:
        slots["time"] = r.choice(places.TIMES)
    if r.random() < 0.42:
        slots["place"] = story.place()
    if r.random() < 0.16:
        slots["how"] = r.choice(verbs.HOW)
    if r.random() < 0.22:
        slots["why"] = ("because", r.choice(verbs.WHY)) if r.random() < 0.6 else ("to", r.choice(verbs.AIM))
    while len(slots) > 2:
        slots.pop(r.choice(list(slots)))
    old = [t for t in story.things if t.told]
    def verb(choices):
        """At times a verb that no language has: its forms are the regular ones."""
        return beings.invented_word(r, r.choice((1, 2))) if r.random() < 0.03 else r.choice(choices)

    thing = lambda kind=None: r.choice(old) if old and not kind and r.random() < 0.25 else story.thing(kind)
    if x < 0.36:
        obj = thing()
        if obj not in old and r.random() < 0.15 and not who.many:
            obj.owner = who
        story.do(verb(verbs.DO_THING), who, obj, **slots)
    elif x < 0.46:
        story.do(r.choice(verbs.EAT), who, story.thing("food"), **slots)
    elif x < 0.51:
        story.do(r.choice(verbs.MAKE_DISH), who, story.thing("dish"), **slots)
    elif x < 0.62 and others:
        story.do(r.choice(verbs.DO_PERSON), who, r.choice(others), **slots)
    elif x < 0.72 and others:
        if r.random() < 0.6:
            story.do(r.choice(verbs.GIVE), who, thing(), to=r.choice(others), **slots)
        else:
            story.do(r.choice(verbs.TAKE), who, thing(), source=r.choice(others), **slots)
    elif x < 0.82:
        slots["place"] = slots.get("place") or story.place(places.HIDING)
        story.do(r.choice(verbs.PUT), who, thing(), **slots)
    elif x < 0.91:
        slots.pop("place", None)
        if r.random() < 0.25:
            slots["how"] = r.choice(verbs.BY)
        goal = story.place(places.ROOMS)
        story.do(r.choice(verbs.MOVE), who, goal=goal, **slots)
    else:
        slots = slots or {"place": story.place()}
        story.do(r.choice(verbs.ALONE), who, **slots)


def scene(r):
    """A story of 5 to 13 happenings to two to four beings."""
    me = None
    if r.random() < 0.12:
        me = Teller(r.choice(("child", "girl", "boy", "baker", "sailor", "shepherd")), "she")
    story = Story(r, "present" if r.random() < 0.12 else "past", me)
    cast = [me] if me else [story.being()]
    if me:
        story.cast.append(me)
    for _ in range(r.choice((1, 1, 2, 2, 3))):
        cast.append(story.being())
    hero = cast[0]
    if r.random() < 0.75 and not me:
        story.say(attributes.start(story, hero))
        for other in cast[1:]:
            if r.random() < 0.3 and other.name:
                story.say(f"{hero.the()[0].upper() + hero.the()[1:]}'s {r.choice(('friend', 'neighbour', 'cousin', 'best friend'))} {other.name} {attributes.be(story)} {other.a()}.")
                story.telling.met.add(other)
                other.told |= {"kind", "trait"}
    elif r.random() < 0.4 and story.tense == "past":
        weather = r.choice(places.WEATHER)
        story.say(weather[0].upper() + weather[1:] + ".")
        story.fact(["What was the weather like?", "How was the weather?", "What was the weather like that day?"], [weather[0].upper() + weather[1:] + "."])
    pair = Group(cast[0], cast[1]) if not me and r.random() < 0.3 else None
    for i in range(r.randint(5, 13)):
        who = hero if r.random() < 0.4 else r.choice(cast)
        others = [b for b in cast if b is not who]
        if pair and r.random() < 0.1 and pair.both[0] in story.telling.met and pair.both[1] in story.telling.met:
            who, others = pair, [b for b in cast if b not in pair.both]
        if r.random() < 0.2:
            story.flush()
            state(story)
            continue
        act(story, who, others)
        if r.random() < 0.16 and who is not pair and who in story.telling.met:
            story.flush()
            attributes.extra(story, who)
            story.telling.focus = None
        if i and r.random() < 0.12:
            story.break_()
    story.flush()
    finish(story)
    return story


def finish(story):
    moves.finish_speech(story)
    # What can be asked of things and beings once all is told.
    seen = set()
    for being in story.cast:
        if not being.many:
            attributes.identity(story, being)
    text = story.text()
    for thing in story.things:
        if thing.bare() in text and thing.noun not in seen:
            attributes.of_thing(story, thing)
            seen.add(thing.noun)
