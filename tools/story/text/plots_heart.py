# SPDX-License-Identifier: MIT
"""Plots about beings: fear, loneliness, a storm, wishes, a favour returned, a guest, a journey, and any beginning at all."""
from . import places, things, verbs
from .attributes import FEARS
from .beats import attempts, begin, end, once, out
from .clauses import upper
from .entities import Group, Place, make_place
from .moves import answered, feel, name, spare, speak, tell, want
from .scenes import act


def fear(story, hero):
    r, bare = story.r, begin(story, hero)
    what = r.choice(FEARS)
    tell(story, f"{once(story, True)} there [be] {{H.new}} who [be] afraid of {what}." if bare else f"{{H}} [be:H] afraid of {what}.", f"Nothing frightened {'{H.new}' if bare else '{H.o}'} so much as {what}." if story.tense == "past" else f"{'{H.new}' if bare else '{H}'} [be:H] afraid of {what}.", H=hero)
    answered(story, ["What was {H} afraid of?", "What DID {H} fear?", "What scared {H.o}?", "What was {H}'s problem?", "What frightened {H.o}?"], f"{{H}} [be] afraid of {what}.", ["what {H} was afraid of"], H=hero)
    story.outline.append(f"{upper(name(story, hero))} was afraid of {what}.")
    attempts(story, hero, [("[hide:H] under the bed", "it [be] dark there too"), ("[sing:H] a loud song", "the song soon [end]"), ("[count:H] to a hundred", "the fear [count] along"), ("[close:H] both eyes", "that [make] it worse"), ("[read:H] a book about it", "every picture [be] terrible"),
                           ("[ask:H] the doctor for a medicine", "the medicine only [taste] of onions"), ("[run:H] away", "the fear [run] faster"), ("[think:H] of cake", "the cake soon [be] gone")])
    friend = story.being(named=0.6)
    need = r.choice(("had fallen into a hole", "was stuck in the mud", "had lost the way home", "was ill and needed help", "had forgotten the key", "was caught in a net", "could not find the way out of the fog", "had hurt a foot", "was trapped on an island"))
    place = story.place()
    if story.tense == "present":
        need = need.replace("had ", "has ").replace("was ", "is ").replace("could ", "can ").replace("needed", "needs")
    tell(story, f"One night {{F.new}} {need} {place.at()}.", f"Then a message [come]: {{F.new}} {need} {place.at()}.", F=friend)
    answered(story, ["What happened to {F}?", "What was the trouble with {F}?", "Why did {F} need help?"], f"{{F}} {need}.", ["what happened to {F}"], F=friend)
    answered(story, ["Where was {F}?", f"Where did it happen?"], f"{{F}} was {place.at()}.", ["where {F} was"], F=friend)
    answered(story, ["Who needed help?", "Who had to be helped?", "Who did {H} save?", "Who did {H} help?"], "{F} needed help.", ["who needed help"], H=hero, F=friend)
    trick = r.choice(("took along a small lantern", "hummed a tune all the way", "walked backwards", "held on to a lucky stone", "thought only of the next step", "talked to the moon", "told the fear to wait at home", "counted every step"))
    if story.tense == "past":
        steps = r.choice(things.NUMBERS)
        tell(story, f"{{H}} {trick} and went.", f"So {{H}} {trick}, and off {{H.he}} went.", f"Nobody else was there. {{H}} {trick} and set off.", H=hero)
        answered(story, ["What did {H} do against the fear?", "How did {H} overcome the fear?", "How did {H} manage to go?", "What helped {H.o} to be brave?"], f"{{H}} {trick}.", ["how {H} overcame the fear"], H=hero)
        if r.random() < 0.4:
            tell(story, f"After {steps} hundred steps {{H}} was there.", H=hero)
            answered(story, ["How many steps did {H} take?", "How far was it?"], f"It was {steps} hundred steps.", H=hero)
    if r.random() < 0.7:
        speak(story, friend, r.choice(("I knew you would come.", "Were you not afraid?", "You are the bravest of all.", "What took you so long?")), to=hero)
    if r.random() < 0.5:
        speak(story, hero, r.choice(("I was, but I came.", "A little.", "You are more important than that.", "Let us go home.")), to=friend)
    end(story, hero, friend, "{H} helped {O} in spite of the fear.")
    return None


def newcomer(story, hero):
    r, bare = story.r, begin(story, hero)
    town = places.place_name(r)
    tell(story, f"{once(story, bare)} {'{H}' if not bare else '{H.new}'} [move:H] to {town}, where nobody [know] {{H.o}}.", f"{once(story, bare)} {'{H}' if not bare else '{H.new}'} [come:H] to {town} with one suitcase.", H=hero)
    answered(story, ["Where did {H} move?", "Where did {H} come to live?", "What town did {H} move to?", "Which town is the story about?", "What is the town called?", "What's the name of the town?"], [f"{{H}} moved to {town}."], ["where {H} moved"], H=hero)
    feel(story, hero, "lonely", r.choice((None, "all the other windows were dark" if story.tense == "past" else "all the other windows are dark", "nobody said hello" if story.tense == "past" else "nobody says hello")))
    want(story, hero, "to find a friend") if r.random() < 0.5 else None
    attempts(story, hero, [("[knock:H] at every door", "nobody [open]"), ("[bake:H] a cake", "there [be] nobody to eat it"), ("[put:H] up a sign", "the rain [wash] it away"), ("[tell:H] jokes at the market", "nobody [laugh]"), ("[join:H] a choir", "they [sing] too fast".replace("they [sing]", "it [be]")),
                           ("[wave:H] at the people in the train", "the train [do] not stop"), ("[send:H] a letter in a bottle", "the bottle [come] back"), ("[wear:H] a funny hat", "only the geese [look]".replace("geese [look]", "cat [look]"))], r.choice((1, 2)))
    friend, thing = story.being(named=0.75), story.thing(rich=0.6)
    place = story.place()
    shared = r.choice(("collect old keys", "play chess", "feed the ducks", "look at the stars", "make jam", "play the flute", "repair clocks", "tell ghost stories", "grow giant pumpkins", "build model ships", "fly kites", "drink tea at midnight", "walk in the rain", "watch trains"))
    tell(story, f"Then {{H}} [see:H] {{F.new}} {place.at()} with {{T.a}}.", f"One day, {place.at()}, {{F.new}} [sit] with {{T.a}}.", H=hero, F=friend, T=thing)
    answered(story, ["What did {F} have?", "What did {F} have along?", "What was with {F}?"], f"{{F}} had {thing.a()}.", F=friend)
    answered(story, ["Where did {H} see {F}?", "Where did {H} meet {F}?", "Where did they meet?"], f"{{H}} met {{F}} {place.at()}.", ["where they met"], H=hero, F=friend)
    speak(story, r.choice((hero, friend)), r.choice((f"Do you like to {shared} too?", f"I love to {shared}!", f"Shall we {shared} together?")))
    answered(story, ["What did they both like?", "What do both like to do?", "What did they do together?", "What did they have in common?"], f"They both liked to {shared}.", ["what they both liked"])
    answered(story, ["Who became {H}'s friend?", "Who was the new friend?", "Who did {H} make friends with?", "What was the name of the new friend?" if friend.name else "Who was the new friend?"], "{F} became {H}'s friend.", ["who became {H}'s friend"], H=hero, F=friend)
    story.outline += [f"{upper(name(story, hero))} moved to {town} and was lonely.", f"Then {friend.the()} became a friend."]
    end(story, hero, friend, "{H} and {O} became friends.")
    return thing


def storm(story, hero):
    r, bare = story.r, begin(story, hero)
    where = places.place_name(r)
    danger, harm, idea = r.choice((("a flood", "the water rose to the doorsteps", "build a wall of sandbags"), ("a storm", "the wind tore the roofs off", "tie everything down with fishing nets"), ("a drought", "the well ran dry", "dig a ditch to the mountain lake"), ("a fire", "the hay began to burn", "make a chain of buckets"),
                                   ("a long winter", "the firewood ran out", "move into one big house"), ("a fog", "the ships could not see the rocks", "ring all the bells"), ("a swarm of locusts", "they ate all the leaves", "play music that they hate"), ("a snowstorm", "the road was blocked", "dig a tunnel"),
                                   ("a broken bridge", "nobody could get to the market", "build a ferry of barrels"), ("a plague of mice", "the cheese disappeared", "give a dinner for all the cats"), ("a dark week", "the lamps had no oil", "catch fireflies")))
    tell(story, f"{once(story, True)} {danger} [come] to {where}." if bare or story.tense == "present" else f"One year {danger} came to {where}, and {harm}.")
    if bare and story.tense == "past":
        tell(story, f"{upper(harm)}, and nobody knew what to do but {{H.new}}.", H=hero)
    answered(story, ["What was the danger?", "What happened in " + where + "?", f"What came to {where}?", "What was the problem?"], f"{upper(danger)} came to {where}.", ["what the danger was"])
    answered(story, ["Where does the story happen?", "Where does the story take place?", "What was the place called?", "What is the name of the place?"], f"The story happens in {where}.", ["where the story happens"])
    answered(story, ["What did it do?", "What was so bad about it?", "What damage was done?"], f"{upper(harm)}.") if story.tense == "past" else None
    story.outline.append(f"{upper(danger)} came to {where}.")
    doubter = story.being(named=0.5)
    speak(story, hero, r.choice((f"Let us {idea}!", f"We could {idea}.", f"What if we {idea}?")))
    answered(story, ["What was {H}'s idea?", "What did {H} suggest?", "How was the place saved?", "What was the plan?", "What idea did {H} have?"], f"{{H}} wanted to {idea}.", ["what {H}'s idea was"], H=hero)
    speak(story, doubter, r.choice(("That will never work.", "You are much too small for that.", "We have always waited until it was over.", "Who asked you?")), to=hero)
    answered(story, ["Who did not believe {H.o}?", "Who was against it?", "Who doubted the idea?"], "{D} did not believe {H.o}.", H=hero, D=doubter)
    team = [story.being(named=0.5) for _ in range(2)]
    tools = [spare(story, None, 0.5) for _ in range(2)]
    for b, t in zip(team, tools):
        tell(story, f"{{B.new}} [bring] {t.a()}.", f"{{B.new}} [come] with {t.a()}.", B=b)
        answered(story, ["What did {B} bring?", "What did {B} come with?"], f"{{B}} brought {t.a()}.", ["what {B} brought"], B=b)
        answered(story, [f"Who brought {t.the()}?", f"Who came with {t.the()}?"], f"{{B}} brought {t.a()}.", [f"who brought {t.the()}"], B=b)
    n = r.choice(things.NUMBERS[:9])
    unit = r.choice(("hours", "days", "nights"))
    tell(story, f"They [work:B] for {n} {unit}. Then it [be] over.", f"After {n} {unit} the danger [be] past.", B=Group(*team))
    answered(story, ["How long did they work?", "How long did it take?", f"How many {unit} did they work?"], f"It took {n} {unit}.")
    end(story, hero, doubter, [f"{{H}} saved {where}."])
    return None


def wishes(story, hero):
    r, bare = story.r, begin(story, hero)
    thing = story.thing(rich=0.9)
    thing.count, thing.many, thing.gender = None, thing.noun in things.PAIRS, "it"
    place = story.place(places.HIDING)
    story.do("find", hero, thing, place=place, lead=once(story, bare))
    story.flush()
    spirit = r.choice(("a genie", "a tiny fairy", "a grumpy spirit", "a green smoke with eyes", "a talking moth", "a ghost in slippers", "a very old frog"))
    tell(story, f"Out [come] {spirit}.", f"{{H}} [rub:H] it, and out [come] {spirit}.", H=hero)
    answered(story, ["Who came out of {T}?", "What came out of {T}?", "Who was in {T}?"], f"{upper(spirit)} came out of {{T}}.", ["what came out of {T}"], T=thing)
    count = r.choice((("two", 2), ("three", 3), ("three", 3)))
    story.say(f'"You have {count[0]} wishes," said {things_the(spirit)}.')
    answered(story, ["How many wishes did {H} have?", "How many wishes were there?"], f"{{H}} had {count[0]} wishes.", H=hero)
    options = r.sample((("a mountain of pancakes", "it blocked the door"), ("a talking cat", "it never stopped talking"), ("a castle", "it was cold and full of spiders"), ("a golden bed", "it was too hard to sleep in"), ("the strength of ten bears", "every door came off its hinges"), ("rain", "it did not stop"),
                        ("a hundred friends", "nobody knew where to put them"), ("a flying carpet", "it only flew in circles"), ("summer in January", "the snowmen cried"), ("a bag full of coins", "they were made of chocolate"), ("longer legs", "the trousers were too short"), ("a dragon", "it ate the curtains"),
                        ("silence", "even the birds were quiet"), ("a river of lemonade", "the wasps came too")), count[1] - 1)
    words = ("first", "second", "third")
    past_tense = story.tense == "past"
    for i, (w, bad) in enumerate(options):
        tell(story, f"The {words[i]} wish [be] {w}" + (f", but {bad}." if past_tense else "."), f"First {{H}} [wish:H] for {w}." + (f" But {bad}." if past_tense else "") if i == 0 else f"Then {{H}} [wish:H] for {w}." + (f" But {bad}." if past_tense else ""), H=hero)
        answered(story, [f"What was the {words[i]} wish?", f"What did {{H}} wish for {words[i]}?", f"What was {{H}}'s {words[i]} wish?"], f"The {words[i]} wish was {w}.", [f"what the {words[i]} wish was"], H=hero)
        if past_tense:
            answered(story, [f"What was wrong with {w}?", f"What was the trouble with the {words[i]} wish?", f"Why was {w} not good?"], f"The trouble was that {bad}.")
    last = words[count[1] - 1]
    wish = r.choice(("that everything should be as before", "that the spirit should be free", "a cup of tea", "a good idea", "enough for everyone"))
    tell(story, f"So the {last} wish [be] {wish}.", f"For the {last} wish {{H}} [think:H] a long time. It [be] {wish}.", H=hero)
    answered(story, [f"What was the {last} wish?", "What was the last wish?", "What did {H} wish for last?"], f"The last wish was {wish}.", ["what the last wish was"], H=hero)
    story.outline += [f"{upper(name(story, hero))} found {thing.a()} and had {count[0]} wishes.", f"The last wish was {wish}."]
    end(story, hero, None, f"The last wish was {wish}.")
    return thing


def things_the(words):
    first, rest = words.split(" ", 1)
    return "the " + rest if first in ("a", "an") else words


def favour(story, hero):
    r, bare = story.r, begin(story, hero)
    small = story.being(named=0.4, kind=r.choice(("mouse", "ant", "bee", "sparrow", "ladybird", "beetle", "fly", "frog", "snail", "minnow", "wren", "cricket", "moth", "shrew")))
    trap = r.choice(("caught in a spider's web", "stuck in a jam jar", "floating on a leaf in the river", "trapped under a flowerpot", "lying on its back", "frozen to a puddle", "stuck in a keyhole", "tangled in a thread", "shut in a drawer", "lost in the snow"))
    place = story.place()
    tell(story, f"{once(story, bare)}{' ' if bare else ' '}{place.at()}, {'{H}' if not bare else '{H.new}'} [find:H] {{S.new}}, {trap}.", H=hero, S=small)
    answered(story, ["Who did {H} find?", "Who did {H} help?", "Who was in trouble at first?"], f"{{H}} found {{S}}, {trap}.", ["who {H} found"], H=hero, S=small)
    answered(story, ["What had happened to {S}?", "What was wrong with {S}?", "In what trouble was {S}?", "What trouble was {S} in?"], f"{{S}} was {trap}.", ["what had happened to {S}"], S=small)
    answered(story, ["Where did {H} find {S}?", "Where was {S}?"], f"{{S}} was {place.at()}.", ["where {H} found {S}"], H=hero, S=small)
    story.do(r.choice(("help", "rescue")), hero, small, how=r.choice((None, "with a blade of grass", "with a spoon", "with a feather", "very gently", "with warm breath", "with one claw", "with a hairpin")))
    story.flush()
    speak(story, small, r.choice(("One day I will help you too.", "I will never forget this.", "Call me when you need me.", "You have a friend now.")), to=hero)
    if r.random() < 0.5:
        speak(story, hero, r.choice(("How could you help me? You are so small.", "It was nothing.", "Do not mention it.")), to=small)
    later = r.choice(("A week later", "Next winter", "Three days later", "Many months later", "That very night"))
    trouble = r.choice(("[be:H] caught in a hunter's net", "[fall:H] into a deep pit", "[get:H] lost in the fog", "[lose:H] the key to the house", "[be:H] locked in a cellar", "[be:H] chased by a wolf", "[be:H] stuck in a chimney", "[have:H] a thorn in the foot"))
    tell(story, f"{later} {{H}} {trouble}.", H=hero)
    answered(story, ["What happened to {H} later?", f"What happened {later.lower()}?", "In what trouble was {H}?", "What was {H}'s own trouble?"], f"{later} {{H}} {out(story, trouble, hero)}.", ["what happened to {H} later"], H=hero)
    answered(story, [f"When did {{H}} need help?"], f"{later} {{H}} needed help.", H=hero)
    way = r.choice(("gnawed through the ropes", "called a hundred cousins", "showed the way out", "found the key in the grass", "lifted the latch from inside", "sang until help came", "lit the way with a glow-worm", "dropped a rope", "tickled the guard's nose"))
    if story.tense == "past":
        tell(story, f"Then {{S}} came and {way}.", f"Who came along? It was {{S}}, who {way}.", S=small)
        answered(story, ["How did {S} help?", "What did {S} do?", "How did {S} save {H.o}?", "How did {S} return the favour?"], f"{{S}} {way}.", ["how {S} helped"], H=hero, S=small)
    answered(story, ["Who saved {H}?", "Who helped {H} in the end?", "Who came to help?"], "{S} saved {H.o}.", ["who saved {H}"], H=hero, S=small)
    story.outline += [f"{upper(name(story, hero))} helped {small.the()}.", f"Later {small.the()} saved {name(story, hero)}."]
    end(story, hero, small, "{O} saved {H.o}.")
    return None


def guest(story, hero):
    r, bare = story.r, begin(story, hero)
    stranger = story.being(named=0.45)
    hour = r.choice(("at midnight", "at ten o'clock", "on a stormy night", "just before dinner", "on the coldest night of the year", "at five in the morning"))
    food = spare(story, r.choice(("dish", "food")), 0.3)
    tell(story, f"{hour}, there [be] a knock at the door of {'{H.o}' if not bare else '{H.new}'}. Outside [stand] {{S.new}}.", f"{once(story, True)}, {hour}, {{S.new}} [knock] at the door of {'{H.o}' if not bare else '{H.new}'}.".replace(",,", ","), H=hero, S=stranger)
    answered(story, ["Who knocked at the door?", "Who was at the door?", "Who stood outside?", "Who came to visit?"], "{S} knocked at the door.", ["who knocked"], S=stranger)
    answered(story, ["When did somebody knock?", "When did {S} come?", "At what time did {S} knock?"], f"{{S}} came {hour}.", ["when {S} came"], S=stranger)
    ask = r.choice(("Can I stay here tonight?", "May I warm my feet?", "Do you have something to eat?", "Is this the way to the sea?", "Can I borrow a candle?"))
    speak(story, stranger, ask, to=hero)
    few = r.random() < 0.5
    tell(story, f"{{H}} [have:H] only {food.a()}, but [share:H] it." if few else f"{{H}} [offer:H] {food.a()}.", f"{{H}} [give:H] {{S.him}} {food.a()} and a blanket.", H=hero, S=stranger)
    answered(story, ["What did {H} share?", "What did {H} give {S}?", "What did {S} get to eat?", "What did {H} offer?"], f"{{H}} gave {{S}} {food.a()}.", ["what {H} gave {S}"], H=hero, S=stranger)
    gift = spare(story, None, 0.8)
    gift.count = None
    tell(story, f"In the morning the guest [be] gone. On the table [lie] {gift.a()}.", f"The next day {{S}} [be] gone, but {gift.a()} [stand] by the bed.", S=stranger)
    answered(story, ["What did the guest leave?", "What was left in the morning?", "What did {S} leave behind?", "What did {H} find in the morning?"], f"{{S}} left {gift.a()}.", ["what {S} left behind"], H=hero, S=stranger)
    power = r.choice(("rang whenever a friend was near", "never got empty", "glowed in the dark", "knew the way home", "played a tune by itself", "brought good luck", "was always warm", "told the truth", "made everyone laugh", "could call the rain"))
    if story.tense == "past":
        tell(story, f"It {power}.", f"And it was no ordinary one: it {power}.")
        answered(story, ["What was special about " + gift.the() + "?", "What could " + gift.the() + " do?", "What was special about the present?", "What did " + gift.the() + " do?"], f"{upper(gift.the())} {power}.", ["what was special about " + gift.the()])
    who = r.choice(("the queen of winter", "the moon", "a famous wizard", "the wind", "the king in disguise", "nobody knows who", "the spirit of the river"))
    if r.random() < 0.5 and story.tense == "past":
        tell(story, f"People say that the guest was {who}.")
        answered(story, ["Who was the guest really?", "Who was the stranger?", "Who do people say the guest was?"], f"People say that the guest was {who}.")
    story.outline += [f"{upper(name(story, hero))} shared {food.a()} with a stranger.", f"In the morning there was {gift.a()}."]
    end(story, hero, None, f"The guest left {gift.a()}.")
    return gift


def journey(story, hero):
    r, bare = story.r, begin(story, hero)
    goal = r.choice(("the sea", "the highest mountain", "the big city", "the edge of the forest", "the land of snow", "the source of the river", "the moon", "the other side of the lake", "the palace", places.place_name(r), places.place_name(r), "the desert", "the end of the rainbow"))
    if bare:
        tell(story, f"{once(story, True)} {{H.new}} [set:H] out to see {goal}.", H=hero)
        answered(story, ["What DID {H} want to see?", "Where DID {H} want to go?", "Where did {H} travel to?"], f"{{H}} wanted to see {goal}.", ["where {H} wanted to go"], H=hero)
    else:
        want(story, hero, f"to see {goal}", r.choice((None, None, "a swallow talked of nothing else" if story.tense == "past" else "a swallow talks of nothing else", "there was a picture of it in an old book" if story.tense == "past" else "there is a picture of it in an old book")))
    packed = [spare(story, r.choice((None, "food")), 0.6) for _ in range(2)]
    if r.random() < 0.7:
        tell(story, f"{{H}} [pack:H] {packed[0].a()} and {packed[1].a()}.", f"In the bag [be] {packed[0].a()} and {packed[1].a()}.", H=hero)
        answered(story, ["What did {H} pack?", "What was in the bag?", "What did {H} take along?"], f"{{H}} packed {packed[0].a()} and {packed[1].a()}.", ["what {H} packed"], H=hero)
    by = r.choice(verbs.BY)
    story.do(r.choice(("travel", "ride" if "on" in by else "go", "go")), hero, how=by, goal=Place("in", goal.removeprefix("the "), proper=not goal.startswith("the ")))
    story.flush()
    answered(story, ["How did {H} travel?", "How did {H} get there?"], f"{{H}} travelled {by}.", ["how {H} travelled"], H=hero)
    for _ in range(r.choice((1, 2, 2))):
        other, place = story.being(named=0.5), make_place(r)
        wants = r.choice(("was looking for a lost hat", "sold stories for a penny", "had never seen a stranger", "could not stop sneezing", "wanted to come along", "was counting the clouds", "asked for a riddle", "was waiting for a boat", "slept standing up", "knew a short cut", "was crying into a handkerchief"))
        if story.tense == "past":
            tell(story, f"{upper(place.at())}, {{H}} met {{O.new}}, who {wants}.", f"The first night {{H}} slept {place.at()}. There {{O.new}} {wants}." if _ == 0 else f"{upper(place.at())} there was {{O.new}}, who {wants}.", H=hero, O=other)
            answered(story, [f"Who did {{H}} meet {place.at()}?", f"Who was {place.at()}?"], f"{{H}} met {{O}} {place.at()}.", [f"who {{H}} met {place.at()}"], H=hero, O=other)
            answered(story, ["What did {O} do?", "What do we learn about {O}?", "What was the matter with {O}?"], f"{{O}} {wants}.", H=hero, O=other)
    n = r.choice(things.NUMBERS)
    tell(story, f"After {n} days {{H}} [be:H] there.", f"The journey [take] {n} days.", H=hero)
    answered(story, ["How long did the journey take?", "How many days did the journey take?", "How many days was {H} on the way?"], f"The journey took {n} days.", ["how long the journey took"], H=hero)
    like = r.choice(("smaller than a pond", "exactly as in the dream", "full of umbrellas", "so big that words were no use", "closed on Mondays", "quite empty", "made of glass", "loud and wonderful", "covered in flowers"))
    tell(story, f"It [be] {like}.", f"{{H}} [stare:H]: it [be] {like}.", H=hero)
    answered(story, [f"What was {goal} like?", f"How was {goal}?", "What was it like there?"], f"{upper(goal)} was {like}.")
    story.outline += [f"{upper(name(story, hero))} travelled to {goal}.", f"{upper(goal)} was {like}."]
    end(story, hero, None, f"{{H}} saw {goal}, which was {like}.")
    return None


def anything(story, hero):
    """Any happening begins it; what follows comes back to who and what it was about."""
    r, bare = story.r, begin(story, hero)
    friend, thing = story.being(named=0.6), story.thing(rich=0.9)
    verb = r.choice(verbs.DO_THING + verbs.GIVE[:4])
    slots = {"to": friend} if verb in verbs.GIVE else {}
    story.do(verb, hero, thing, place=story.place() if r.random() < 0.6 else None, time=r.choice(places.TIMES) if r.random() < 0.2 else None, lead=once(story, bare), **slots)
    story.flush()
    b = "were" if thing.many else "was"
    tell(story, "Nobody [know] why.", "That [be] how it all began.", "It [be] no ordinary day.", f"Nobody had ever seen {'such ' + thing.bare(False) if thing.many else 'such ' + thing.a(False)} before.", f"{{H}} [look:H] at {{T}} for a long time.", H=hero, T=thing)
    if r.random() < 0.5:
        what = r.choice(("sing", "hum", "glow", "tremble", "grow", "smell of cinnamon", "float", "whisper", "change colour", "tick"))
        if story.tense == "past":
            tell(story, f"Suddenly {{T}} began to {what}.", T=thing)
            answered(story, ["What did {T} do?", "What happened to {T}?", "What was strange about {T}?"], f"{{T}} began to {what}.", ["what {T} did"], T=thing)
    speak(story, friend, r.choice((f"What a strange {thing.bare(False)}!" if not thing.many else f"What strange {thing.bare(False)}!", f"May I have the {thing.bare(False)}?", f"Where does the {thing.bare(False)} come from?" if not thing.many else f"Where do the {thing.bare(False)} come from?", "Are you all right?")), to=hero)
    if r.random() < 0.6:
        speak(story, hero, r.choice(("I do not know.", "It is a secret.", "Come with me.", "Ask me tomorrow.", "Let us find out.")), to=friend)
    for _ in range(r.choice((1, 2, 3))):
        who, other = (hero, friend) if r.random() < 0.6 else (friend, hero)
        act(story, who, [other])
    story.flush()
    want(story, hero, r.choice((f"to keep the {thing.bare(False)} for ever", f"to know more about the {thing.bare(False)}", f"to show the {thing.bare(False)} to everybody", f"to bring the {thing.bare(False)} home")))
    story.do(r.choice(("give", "show", "bring", "read" if thing.noun in ("book", "letter", "diary") else "hand")), hero, thing, to=friend)
    end(story, hero, friend, None)
    return thing


PLOTS = [fear, newcomer, storm, wishes, favour, guest, journey, anything, anything]
