# SPDX-License-Identifier: MIT
"""Plots about things: lost, out of reach, broken, swapped, stolen, fought over."""
from . import beings, places, things
from .beats import CLUES, ask_somebody, attempts, begin, end, once, out
from .clauses import upper
from .entities import Group
from .moves import answered, feel, helper, name, spare, speak, tell, want


def lost(story, hero):
    r, bare = story.r, begin(story, hero)
    thing = story.thing(rich=0.85)
    thing.count, thing.many, thing.gender = None, thing.noun in things.PAIRS, "it"
    if r.random() < 0.4:
        thing.look, thing.colour = r.choice(("left", "right", "best", "favourite", "only", "new", "old", "lucky")), thing.colour
    thing.owner = hero
    story.do(r.choice(("lose", "lose", "lose", "misplace", "drop", "leave", "forget")), hero, thing, place=story.place() if r.random() < 0.6 else None,
             time=r.choice(places.TIMES) if r.random() < 0.2 else None, lead=once(story, bare))
    answered(story, ["What was the problem?", "What [be] the trouble in the story?", "What went wrong?", "What is missing?"], "{H} [lose] {T.own}.", H=hero, T=thing)
    story.outline.append(f"{upper(name(story, hero))} lost {'the' if hero is story.me else hero.pronoun(2)} {thing.bare()}.")
    if r.random() < 0.5:
        feel(story, hero, r.choice(("sad", "upset", "worried", "cross", "miserable")), r.choice((None, "it [be] a present from {0}".format(r.choice(("a grandmother", "an aunt", "an old friend", "a sailor"))).replace("[be]", "was" if story.tense == "past" else "is"))))
    for i in range(r.choice((1, 2, 2, 3))):
        place = story.place(places.HIDING)
        other = spare(story, rich=0.5)
        if other.noun == thing.noun:
            continue
        p, o = place.at(), other.a()
        tell(story, f"{{H}} [look:H] {p}, but there [be] only {o}.", f"{{H}} [search:H] {p} and [find:H] nothing but {o}.", f"{upper(p)} {{H}} [find:H] {o}, but not {{T.own}}.",
             f"Was it {p}? No, only {o} [be] there." if not other.many else f"{{H}} [look:H] {p} and [see:H] only {o}.", H=hero, T=thing)
        answered(story, [f"What DID {{H}} find {p}?", f"What [be] {p}?", f"What was there {p}?"], [f"{{H}} [find] only {o} {p}.", f"There [be] only {o} {p}."], [f"what {{H}} found {p}"], H=hero)
    friend = helper(story)
    where = story.place(places.HIDING)
    ask_somebody(story, hero, friend, r.choice((f"Have you seen my {thing.bare(False)}?", f"Do you know where my {thing.bare(False)} is?", f"I cannot find my {thing.bare(False)}. Can you help me?")),
                 r.choice(CLUES).format(P=where.at()), helped=True)
    x = r.random()
    if x < 0.5:
        story.do("find", hero, thing, place=where)
    else:
        thief = story.being(named=0.3)
        reason = r.choice(("it was so shiny", "nobody seemed to want it", "it was just the right size for a bed", "it kept the rain off", "it looked like a boat", "it smelled of biscuits"))
        if story.tense == "present":
            reason = reason.replace("was", "is").replace("seemed", "seems").replace("kept", "keeps").replace("looked", "looks").replace("smelled", "smells")
        tell(story, f"And there {where.at()} [sit] {{B.new}} with {{T.own}}.", f"There, {where.at()}, [be] {{B.new}}, and in front of {{B.him}} [lie] {{T.own}}.", B=thief, T=thing)
        answered(story, ["Who had {T.own}?", "Who [take] {T.own}?", "Where was {T.own}?"], f"{{B}} had {{T.own}} {where.at()}.", ["who had {T.own}"], B=thief, T=thing)
        story.do("take", thief, thing, why=("because", reason))
    end(story, hero, friend, ["{H} [find] {T.own} again.".replace("{T.own}", (hero.pronoun(2) if hero is not story.me else "the") + " " + thing.bare(False)), f"The {thing.bare(False)} was found {where.at()}."])
    return thing


def out_of_reach(story, hero):
    r, bare = story.r, begin(story, hero)
    thing = story.thing(rich=0.8)
    thing.count, thing.many, thing.gender = None, thing.noun in things.PAIRS, "it"
    noun, deep = r.choice((("roof of the barn", 0), ("church tower", 0), ("tallest tree", 0), ("old well", 1), ("top shelf", 0), ("chimney", 0), ("steep rock", 0), ("frozen pond", 1), ("deep ditch", 1), ("flagpole", 0), ("windmill", 0), ("drain", 1)))
    at = ("at the bottom of the " if deep and noun != "frozen pond" else "in the middle of the " if deep else "on the " if noun.startswith(("roof", "top", "steep")) else "at the top of the ") + noun
    cause = r.choice(("a gust of wind", "a clumsy goose", "a cheeky magpie", "a sudden storm", "a runaway goat", "a big wave", "a little brother", "an angry crow", "a bad throw"))
    tell(story, f"{once(story, bare)} {{H.new}} [have] {{T.a}}, but because of {cause} it [land] {at}." if bare else f"{once(story, False)} {cause} [carry] away {{T.a}} that [belong] to {{H.o}}. Now it [be] {at}.", H=hero, T=thing)
    answered(story, ["Where [be] {T}?", "Where DID {T} land?", "Where had {T} landed?", "What was the problem?"], f"{{T}} [be] {at}.", ["where {T} was"], T=thing)
    answered(story, ["How DID {T} get there?", "Why was {T} " + at + "?", "What caused the trouble?"], f"It was because of {cause}.", T=thing)
    want(story, hero, f"to get the {thing.bare(False)} back")
    attempts(story, hero, [("[throw:H] stones at it", "they all [miss]"), ("[jump:H] as high as possible", "it [be] not high enough"), ("[fetch:H] a ladder", "the ladder [be] too short"), ("[take:H] a long stick", "the stick [break]"),
                           ("[tie:H] a hook to a string", "the string [get] tangled"), ("[call:H] for the wind", "the wind [do] not listen"), ("[pull:H] with a rope", "the rope [slip]"), ("[build:H] a pile of boxes", "the pile [fall] over"),
                           ("[wait:H] for an hour", "nothing [happen]"), ("[blow:H] as hard as {H.he} could".replace("{H.he} could", "possible"), "it [do] not move")])
    friend = story.being(kind=r.choice((None, "giraffe", "squirrel", "heron", "ant", "spider", "monkey", "firefighter", "crow", "mouse", "giant")), named=0.4)
    say = r.choice(("Why did nobody ask me?", "Let me try.", "That is easy for me.", "I will do it if you hold my hat.", "I was waiting for somebody to ask.", "Stand back, please."))
    ask_somebody(story, hero, friend, r.choice((None, "Can you help me?", "Do you have an idea?")), say, helped=True)
    way = r.choice(("[lower] a net", "[climb] there without a sound", "[fetch] it with a long spoon", "[shake] it loose", "[sing] until it came down by itself", "[use] a magnet", "[reach] out and [take] it", "[swing] there on a rope", "[bring] it back in a basket"))
    tell(story, f"{{O}} {way}.", f"And {{O}} {way}, just like that.", f"In no time {{O}} {way}.", O=friend)
    answered(story, ["How DID {O} help?", "What DID {O} do to help {H.o}?", "How DID {H} get {T} back?", "How was the problem solved?"], [f"{{O}} {way}."], H=hero, O=friend, T=thing)
    end(story, hero, friend, "{H} [get] {T} back with the help of {O}.".replace("{T}", "the " + thing.bare(False)))
    return thing


def broken(story, hero):
    r, bare = story.r, begin(story, hero)
    thing = story.thing(rich=0.8)
    thing.count, thing.many, thing.gender = None, thing.noun in things.PAIRS, "it"
    owner = story.being(named=0.5)
    part = r.choice(("a spring", "a new handle", "a tiny screw", "a drop of glue", "a strong string", "a brass wheel", "a pane of glass", "a bit of wire", "a wooden peg", "a silver hinge", "two small nails", "a leather strap"))
    story.do(r.choice(("break", "break", "damage", "borrow")), hero, thing, source=None, lead=once(story, bare)) if r.random() < 0.5 else tell(story, f"{once(story, bare)} {{T.a}} [fall] from the table and [break] right in front of {'{H.o}' if not bare else '{H.new}'}.", H=hero, T=thing)
    tell(story, "{T} [belong] to {O.new}.", "It [be] not even {H.his} own: it [belong] to {O.new}.", H=hero, T=thing, O=owner)
    answered(story, ["Who DID {T} belong to?", "Whose [be] {T}?", "Who [be] the owner of {T}?"], ["{T} [belong] to {O}."], ["who {T} belonged to"], T=thing, O=owner)
    want(story, hero, f"to mend the {thing.bare(False)}", r.choice((None, f"{owner.the()} {'needed' if story.tense == 'past' else 'needs'} it the next day")))
    master = story.being(kind=r.choice(beings.TRADES), named=0.5)
    ask_somebody(story, hero, master, r.choice(("Can this be mended?", "Can you repair it?", "What can I do?")), r.choice((f"Only with {part}.", f"Bring me {part}, and I will see.", f"What is missing is {part}.")), helped=True)
    answered(story, ["What was missing?", "What was needed for the repair?", "What DID {H} need?", "What DID {M} ask for?"], [f"{{H}} [need] {part}.".replace("[need]", "needed" if story.tense == "past" else "needs")], H=hero, M=master)
    giver = story.being(named=0.4)
    price = spare(story, "food" if r.random() < 0.5 else None, 0.6)
    tell(story, f"{{G.new}} [have] {part} and [want] {price.a()} for it.", f"As it happened, {{G.new}} [have] {part}, but only [give] it away for {price.a()}.", G=giver)
    answered(story, [f"Who [have] {part}?", f"Where did {part} come from?", f"Who gave {{H.o}} {part}?"], f"{{G}} [have] {part}.", G=giver, H=hero)
    answered(story, [f"What DID {{G}} want for {part}?", "What did {H} pay?", "What was the price?"], f"{{G}} [want] {price.a()}.", G=giver, H=hero)
    attempts(story, hero, [("[look:H] in every pocket", "every one [be] empty"), ("[offer:H] a song", "it [be] not enough"), ("[ask:H] the neighbours", "nobody [have] one"), ("[run:H] to the market", "the market [be] closed")], 1) if r.random() < 0.4 else None
    minutes = r.choice(things.NUMBERS)
    tell(story, f"In the end {{H}} [get:H] it all, and after {minutes} minutes {{T}} [be] as good as new.", f"{{M}} [work] for {minutes} minutes. Then {{T}} [be] whole again.", H=hero, M=master, T=thing)
    answered(story, ["How long did the repair take?", "How many minutes did it take?"], f"It took {minutes} minutes.")
    if r.random() < 0.6:
        speak(story, owner, r.choice(("It has never worked so well.", "You could have told me at once.", "I did not even notice.", "Thank you for telling me the truth.", "Now it is nicer than before.")), to=hero)
    end(story, hero, master, "{T} was mended and {O} got it back.".replace("{T}", "The " + thing.bare(False)).replace("{O}", owner.the()))
    return thing


def swaps(story, hero):
    r, bare = story.r, begin(story, hero)
    first, goal = story.thing(rich=0.6), story.thing(rich=0.7)
    goal.count, goal.many, goal.gender = None, goal.noun in things.PAIRS, "it"
    aim = f"to have {goal.a()}"
    if bare:
        tell(story, f"{once(story, True)} {{H.new}} [have] nothing but {{T.a}}.", H=hero, T=first)
    else:
        tell(story, "{H} [have:H] nothing but {T.a}.", H=hero, T=first)
    answered(story, ["What DID {H} have at first?", "What DID {H} own at the beginning?", "What did {H} start with?"], [f"{{H}} [have] {first.a()}."], H=hero)
    want(story, hero, aim)
    have, count = first, 0
    rounds = r.choice((2, 3, 3, 4))
    for i in range(rounds):
        other = story.being(named=0.4)
        new = goal if i == rounds - 1 else story.thing(r.choice((None, "food")), 0.5)
        give = "the " + have.bare(False)
        place = story.place()
        tell(story, f"{upper(place.at())}, {{O.new}} [swap] {new.a()} for {give}.", f"{{O.new}} [want] {give} and [give] {{H.o}} {new.a()} for {'them' if have.many else 'it'}.",
             f"{{H}} [meet:H] {{O.new}} and [swap:H] {give} for {new.a()}.", f"Then {{H}} [give:H] {give} to {{O.new}} and [get:H] {new.a()}.", H=hero, O=other)
        new.told = True
        answered(story, [f"What DID {{H}} get for {give}?", f"What DID {{O}} give {{H.o}}?", f"What DID {{H}} get from {{O}}?", f"What did {{O}} swap for {give}?"], [f"{{H}} [get] {new.a()} for {give}.", f"{{O}} [give] {{H.o}} {new.a()}."],
                 [f"what {{H}} got for {give}"], H=hero, O=other)
        answered(story, [f"Who [get] {give}?", f"Who [want] {give}?", f"Who did {{H}} give {give} to?", f"Who swapped something for {give}?"], f"{{O}} [get] {give}.", H=hero, O=other)
        have = new
    answered(story, ["How many swaps were there?", "How many times did {H} swap?", "How often DID {H} swap something?"], f"{{H}} swapped {('two', 'three', 'four')[rounds - 2]} times.".replace("two times", "twice"), H=hero)
    end(story, hero, None, f"In the end {{H}} [have] {goal.a()}.")
    return goal


def thief(story, hero):
    r, bare = story.r, begin(story, hero)
    thing = story.thing("food" if r.random() < 0.6 else None, 0.6)
    thing.count = thing.count or r.choice(things.NUMBERS[:8])
    thing.many, thing.gender = True, "they"
    place = story.place(places.HIDING + places.ROOMS)
    plural = things.plural(thing.noun)
    tell(story, f"{once(story, bare)} {{H.new}} [count:H] the {plural} {place.at()}: one [be] missing." if bare else f"{{H}} [keep:H] {thing.a()} {place.at()}. Every night one [disappear].", H=hero)
    place.told = True
    answered(story, [f"Where were the {plural}?", f"Where DID {{H}} keep the {plural}?"], f"The {plural} were {place.at()}.", H=hero)
    answered(story, ["What was the mystery?", "What was the problem?", "What [disappear]?", "What was missing?"], [f"One of the {plural} was missing."], H=hero)
    story.outline.append(f"The {plural} of {name(story, hero)} disappeared.")
    suspect = story.being(named=0.5)
    tell(story, "{H} [think:H] that it [be] {S.new}.", "At first {H} [blame:H] {S.new}.", "Everybody [say] that {S.new} had done it.", H=hero, S=suspect)
    answered(story, ["Who was suspected first?", "Who DID {H} suspect?", "Who was blamed?"], "{S} was suspected first.", H=hero, S=suspect)
    clue = r.choice(("a trail of crumbs", "a tiny footprint", "a grey feather", "a wet paw print", "a red thread", "a smell of peppermint", "a lost button", "some white hairs", "a line of flour"))
    where = story.place()
    tell(story, f"But {{H}} [find:H] {clue} {where.at()}.", f"Then there [be] a clue: {clue} {where.at()}.", H=hero)
    answered(story, ["What was the clue?", "What clue did {H} find?", "What DID {H} find " + where.at() + "?"], f"The clue was {clue} {where.at()}.", ["what the clue was"], H=hero)
    way = r.choice(("[hide:H] behind the curtain", "[stay:H] awake all night", "[sprinkle:H] flour on the floor", "[tie:H] a bell to the door", "[follow:H] it with a lantern", "[wait:H] in the dark"))
    tell(story, f"That night {{H}} {way}.", f"So {{H}} {way}.", H=hero)
    answered(story, ["What did {H} do to catch the thief?", "How did {H} solve the mystery?", "How was the thief found?"], [f"{{H}} {out(story, way, hero)}."], H=hero)
    culprit = story.being(named=0.35)
    why = r.choice(("there were four hungry children at home", "nobody had ever invited anybody", "the moonlight was so bright that sleep was impossible", "winter was coming", "the market was too far away", "it was only a game"))
    tell(story, f"At midnight {{C.new}} [creep] in.", "And who [come] through the window? It [be] {C.new}.", C=culprit)
    answered(story, ["Who was the thief?", "Who had taken them?", f"Who took the {plural}?", f"Who stole the {plural}?", "Who was it really?"], "{C} was the thief.", ["who the thief was"], C=culprit)
    tell(story, f"{{C}} had done it because {why}.", C=culprit)
    answered(story, [f"Why did {{C}} take the {plural}?", f"Why did {{C}} steal?", f"What was the reason that {{C}} took them?"], f"{{C}} took the {plural} because {why}.", C=culprit)
    if r.random() < 0.7:
        speak(story, hero, r.choice(("You only had to ask.", "Next time, knock at the door.", "Come and eat with us.", "Then let us share.")), to=culprit)
    end(story, hero, culprit, [f"{{H}} [catch] the thief: it [be] {{O}}."])
    return thing


def quarrel(story, hero):
    r = story.r
    other = story.being(named=0.5 if not hero.name else 0.8)
    thing = story.thing("food" if r.random() < 0.4 else None, 0.7)
    thing.count, thing.many, thing.gender = None, thing.noun in things.PAIRS, "it"
    bare = begin(story, hero)
    both = Group(hero, other)
    place = story.place()
    if hero is story.me:
        tell(story, f"One day {{O.new}} and I [find:B] {{T.a}} {place.at()}.", O=other, T=thing, B=both)
    else:
        tell(story, f"{once(story, bare)} {{H.new}} and {{O.new}} [find:B] {{T.a}} {place.at()}." if bare else f"One day {{H}} and {{O.new}} [find:B] {{T.a}} {place.at()}.", H=hero, O=other, T=thing, B=both)
    answered(story, ["What DID {H} and {O} find?", "What did they find?", "What was found " + place.at() + "?"], f"{{H}} and {{O}} found {thing.a()}.", ["what they found"], H=hero, O=other)
    answered(story, ["Where did they find {T}?", "Where was {T}?"], "{H} and {O} found {T} " + place.at() + ".", ["where they found {T}"], H=hero, O=other, T=thing)
    story.outline.append(f"{upper(name(story, hero))} and {other.the()} found {thing.a()} and both wanted it.")
    speak(story, hero, r.choice(("It is mine!", "I saw it first!", "I will have it!")), to=other)
    speak(story, other, r.choice(("No, I touched it first!", "It belongs to me!", "I need it more than you!")), to=hero)
    attempts_of = r.choice((("pulled at it from both sides", "it nearly broke in two"), ("raced for it", "they arrived at the same moment"), ("tossed a coin", "the coin rolled into a crack"), ("did not speak for three days", "that was no fun at all"), ("asked the mayor", "the mayor wanted it too")))
    if story.tense == "past":
        tell(story, f"They {attempts_of[0]}, but {attempts_of[1]}.")
        answered(story, ["What happened when they " + attempts_of[0] + "?", "What was the trouble when they " + attempts_of[0] + "?"], f"When they {attempts_of[0]}, {attempts_of[1]}.")
    judge = helper(story)
    idea = r.choice(("use it on different days", "sell it and share the money", "cut it in half", "give it to somebody who has nothing", "keep it together in a place for both", "let it go", "take turns, an hour each", "put it where everyone can enjoy it"))
    ask_somebody(story, hero, judge, None, r.choice((f"Why don't you {idea}?", f"If I were you, I would {idea}.", f"I know: {idea}!")))
    answered(story, ["What DID {J} suggest?", "What was the idea of {J}?", "What was {J}'s advice?", "How did they settle the quarrel?", "How was the quarrel settled?"], f"{{J}} told them to {idea}.", ["what {J} suggested"], J=judge)
    answered(story, ["Who had the idea?", "Who settled the quarrel?", "Who gave them advice?"], "It was {J}.", J=judge)
    answered(story, ["What did they quarrel about?", "Why did {H} and {O} quarrel?", "What was the quarrel about?", "What was the problem?"], "{H} and {O} quarrelled about {T}.", H=hero, O=other, T=thing)
    end(story, hero, other, f"{{H}} and {{O}} agreed to {idea}.")
    return thing


PLOTS = [lost, lost, out_of_reach, broken, swaps, thief, quarrel]
