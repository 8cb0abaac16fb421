# SPDX-License-Identifier: MIT
"""Parts that plots share: beginnings, attempts that fail, helpers, endings."""
from . import attributes
from .clauses import upper
from .moves import answered, feel, fill, more_about, name, speak, tell

ORDER = ("First", "Then", "After that", "At last")


def begin(story, hero):
    """Who it is about; nothing where the first happening is to be the first sentence."""
    r = story.r
    if story.begun or r.random() < 0.36:
        return not story.begun
    from .moves import setting
    if r.random() < 0.3:
        setting(story)
    story.say(attributes.start(story, hero))
    more_about(story, hero, 0.45)
    if r.random() < 0.2:
        more_about(story, hero, 1)
    return False


def once(story, bare):
    """What the first happening begins with."""
    if bare:
        return story.r.choice(("Once", "One day", "Long ago", "One morning", "One evening", "Not long ago", "Once upon a time,", "One summer", ""))
    return story.r.choice(("One day", "One morning", "One evening", "One afternoon", "Then, one day,", "One windy night", "One Saturday", "", "But one day"))


def attempts(story, hero, options, count=None):
    """Some ways that do not work: (what is tried, with [verb:H], why it fails)."""
    r = story.r
    count = count or r.choice((1, 2, 2, 3))
    chosen = r.sample(options, min(count, len(options)))
    n = name(story, hero)
    did = "did" if story.tense == "past" else "does"
    for i, (act, failure) in enumerate(chosen):
        order = ORDER[i] if len(chosen) > 1 or r.random() < 0.5 else ""
        shape = r.choice(("{o}{H} {act}, but {fail}.", "{o}{H} {act}. But {fail}.", "{o}{H} {act}; {fail}.", "{o}{H} {act}, and yet {fail}."))
        o = order + (", " if order and r.random() < 0.3 else " " if order else "")
        # A letter before it keeps what is tried from being taken for a sentence of its own.
        act_text, fail_text = fill(story, "x " + act, H=hero)[2:], fill(story, failure, H=hero)
        fail_text = fail_text[0].lower() + fail_text[1:] if not failure.startswith("{H}") or not (hero.name or hero is story.me) else fail_text
        text = shape.replace("{o}", o).replace("{act}", act_text).replace("{fail}", fail_text)
        story.say(upper(text.replace("{H}", story.ref(hero))))
        said = out(story, act, hero)
        position = ("first", "second", "third")[i]
        if len(chosen) > 1:
            story.fact([f"What {did} {n} try {position}?" if i else f"What {did} {n} do first?", f"What was the {position} thing that {n} tried?", f"What was {n}'s {position} attempt?"],
                       [f"{('First', 'Second', 'Third')[i]}, {n} {said}."], [f"what {n} tried {position}"])
        base = out(story, act, hero, base=True)
        story.fact([f"What happened when {n} {said}?", f"What {'was' if did == 'did' else 'is'} the trouble when {n} {said}?", f"What went wrong when {n} tried to {base}?", f"Why {did} it not work to {base}?"],
                   [f"When {n} {said}, {out(story, failure, hero)}."], [f"what happened when {n} {said}"])
        if i == 0:
            story.outline.append(f"{upper(n)} {said}, but {out(story, failure, hero)}.")
    if len(chosen) > 1:
        story.fact([f"How many things {did} {n} try?", f"How many times {did} {n} try?", f"How often {did} {n} try in vain?"], [f"{upper(n)} tried {('two', 'three')[len(chosen) - 2]} things."], None, "count")
    story.telling.focus = None


def out(story, words, hero, base=False):
    """As an answer says it."""
    from .moves import MARKED, Outside
    from .verbs import past, third

    def verb(found):
        b = found.group(1)
        if b == "be":
            return "be" if base else "was" if story.tense == "past" else "is"
        return b if base else past(b) if story.tense == "past" else third(b)
    return MARKED.sub(verb, words).format(H=Outside(story, hero))


CLUES = ("Look {P}.", "I have seen it {P}.", "Have you looked {P}?", "Try your luck {P}.", "Somebody left it {P}.", "Go and look {P}!")


def ask_somebody(story, hero, other, question, reply, helped=None):
    # A meeting in which the hero asks and another answers.
    place = story.place()
    story.meeting = (other, place, question, reply)
    if story.r.random() < 0.8:
        story.do(story.r.choice(("meet", "meet", "visit", "see", "find", "come upon", "bump into")), hero, other, place=place)
        story.flush()
    else:
        tell(story, "{O.new} [come] along.", "Just then {O.new} [walk] by.", "{O.new} [look] up.", O=other)
    if question:
        speak(story, hero, question, to=other)
    if reply:
        speak(story, other, reply, to=hero)
    if helped:
        answered(story, ["Who helped {H.o}?", "Who [give] {H.o} help?", "Who [come] to help {H.o}?", "Who was the helper?"], "{O} [help] {H.o}.", ["who helped {H.o}"], H=hero, O=other)


ENDS = ("From that day on, {H} and {O} [be:B] the best of friends.", "And that [be] the end of the matter.", "{H} [sleep:H] very well that night.", "It [be] the best day of the whole year.",
        "And if nobody has moved it, it is still there today.", "{H} [laugh:H] about it for a long time.", "Then they all [have:B] soup and [go:B] to bed.", "That evening there [be] music and dancing until late.",
        "And {H} never [forget:H] it.", "{H} [tell:H] everybody about it the next morning.", "Nobody [say] a word, but everybody [smile].", "The whole village [clap].", "{O} only [smile].")
MORALS = ("A small friend can be a great help", "It is never too late to say sorry", "Patience is stronger than force", "Two heads are better than one", "What you share, you have twice", "Nobody is too small to help",
          "Asking is not a shame", "A good idea weighs nothing", "Brave people are afraid too", "Things are often closer than you think", "Kindness comes back", "Slow and steady gets there as well",
          "A promise is a promise", "The best presents cannot be bought", "Everyone is good at something")


def end(story, hero, other=None, solved=None):
    """The last sentences, and what can be asked of how it ends."""
    r, story.friend, story.padding = story.r, other, 0
    from .entities import Group
    story.flush()
    if solved:
        answered(story, ["How DID the story end?", "What happens at the end?", "How does it end?", "What is the end of the story?", "How does the story finish?", "What happened in the end?"], solved,
                 ["how the story ends"], H=hero, O=other or hero)
        story.outline.append(story.asked[-1][1][0])
    if r.random() < 0.3:
        why = None
        feel(story, hero, r.choice(("happy", "proud", "grateful", "relieved", "tired but happy", "glad", "delighted")), why)
    if r.random() < 0.8:
        lines = [line for line in ENDS if other is not None or "{O}" not in line]
        group = Group(hero, other or hero)
        tell(story, r.choice(lines), H=hero, O=other or hero, B=group)
    if r.random() < 0.09:
        moral = r.choice(MORALS)
        story.say(r.choice((f"{moral}.", f"The lesson: {moral[0].lower() + moral[1:]}.", f"And what do we learn? {moral}.")))
        story.fact(["What is the moral of the story?", "What do we learn from the story?", "What is the lesson of the story?", "What does the story teach?"], [f"{moral}."], ["what the moral of the story is"])


def title(story, hero, thing=None):
    """A title made of who and what it is about."""
    r = story.r
    who = hero.name or hero.the()
    who = "I" if hero is story.me else who
    t = thing.bare(False).title() if thing is not None else None
    options = [f"The {hero.kind.title()} and the {t}" if t else f"The {hero.kind.title()}", f"The Story of the {hero.kind.title()}"]
    if hero.name:
        options += [f"{hero.name} and the {t}" if t else f"{hero.name}'s Day", f"{hero.name} the {hero.kind.title()}"]
    if t and thing.colour:
        options.append(f"The {thing.colour.title()} {t}")
    return r.choice(options)
