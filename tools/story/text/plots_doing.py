# SPDX-License-Identifier: MIT
"""Plots about doing something: a present, an errand, a contest, a skill, a machine, a feast, a seed."""
from . import beings, places, things
from .beats import ask_somebody, begin, end, once
from .clauses import upper
from .moves import answered, name, spare, speak, tell, want

CRAFTS = {"bake a cake": ("flour", "butter", "an egg", "honey", "milk", "a pinch of salt", "walnuts"), "knit a scarf": ("red wool", "two needles", "a pattern", "a comfortable chair"),
          "build a kite": ("paper", "string", "two thin sticks", "glue", "a long ribbon"), "cook a soup": ("an onion", "three carrots", "salt", "a big pot", "fresh herbs", "a handful of beans"),
          "paint a picture": ("blue paint", "a brush", "a sheet of paper", "a frame"), "make a lantern": ("a candle", "coloured paper", "wire", "glue"), "sew a coat": ("green cloth", "thread", "six buttons", "a needle"),
          "carve a flute": ("a piece of elder wood", "a sharp knife", "some wax"), "build a birdhouse": ("four boards", "a hammer", "a dozen nails", "a bit of moss"), "write a song": ("a first line", "a quiet room", "a rhyme for orange"),
          "make a necklace": ("glass beads", "a thread", "a tiny clasp", "a seashell"), "weave a basket": ("willow twigs", "warm water", "strong hands")}
SKILLS = {"swim": ("sank like a stone", "swallowed half of the pond", "held on to the edge"), "whistle": ("only blew air", "made no sound at all", "spat out a crumb"), "fly": ("fell into a bush", "landed on one ear", "flapped until evening"),
          "dance": ("stepped on every foot in the room", "turned left instead of right", "fell over a chair"), "skate": ("slid on the stomach", "crashed into a snowman", "sat down on the ice"), "juggle": ("dropped all three balls", "broke a cup", "hit the lamp"),
          "read": ("mixed up all the letters", "held the book upside down", "fell asleep over the first page"), "sing": ("croaked like a frog", "frightened the cat", "forgot the words"), "ride a bicycle": ("rode into a hedge", "forgot to brake", "went round in circles"),
          "cook": ("burned the porridge", "put sugar into the soup", "dropped the pan"), "play the drums": ("lost a stick", "woke the baby", "fell behind the music"), "climb": ("slipped at the first branch", "got stuck halfway", "tore a pair of trousers")}
CONTESTS = {"boat race": "rowed", "baking contest": "baked", "singing contest": "sang", "running race": "ran", "kite contest": "flew a kite", "snowman contest": "built a snowman", "pumpkin contest": "brought a pumpkin", "storytelling contest": "told a story",
            "swimming race": "swam", "cheese race": "rolled a cheese", "drawing contest": "drew a picture", "sledge race": "raced downhill"}


def gift(story, hero):
    r, bare = story.r, begin(story, hero)
    friend = story.being(named=0.5)
    craft = r.choice(list(CRAFTS))
    occasion = r.choice(("birthday", "wedding", "first day of school", "last day at work", "name day", "return from a long journey", "house-warming"))
    day = r.choice("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split())
    if bare:
        tell(story, f"{once(story, True)} {{H.new}} [want:H] to {craft}.", f"{once(story, True)} {{H.new}} [decide:H] to {craft}.", H=hero)
        answered(story, ["What DID {H} want to make?", "What DID {H} want to do?", "What was the wish of {H}?"], f"{{H}} [want] to {craft}.", [f"what {{H}} wanted to do"], H=hero)
        tell(story, f"It [be] for {{F.new}}'s {occasion} on {day}." if friend.name and r.random() < 0.4 else f"It [be] a present for {{F.new}}, for the {occasion} on {day}.", F=friend)
    else:
        tell(story, f"On {day} it [be] the {occasion} of {{F.new}}.", F=friend)
        want(story, hero, f"to {craft}")
    answered(story, ["Who was the present for?", "Who [be] it for?", "Who should get the present?", f"Who did {{H}} want to {craft} for?"], "The present was for {F}.", ["who the present was for"], H=hero, F=friend)
    answered(story, [f"When was the {occasion}?", f"On what day was the {occasion}?"], f"The {occasion} was on {day}.")
    answered(story, ["What was the occasion?", f"Why did {{H}} want to {craft}?", "What was the present for?"], f"It was for {{F}}'s {occasion}.", H=hero, F=friend)
    story.outline.append(f"{upper(name(story, hero))} wanted to {craft} for {friend.the()}.")
    parts = r.sample(CRAFTS[craft], min(len(CRAFTS[craft]), r.choice((2, 3, 3))))
    listed = ", ".join(parts[:-1]) + " and " + parts[-1]
    tell(story, f"For that {{H}} [need:H] {listed}.", f"What [be] missing? {upper(listed)}.", f"{upper(listed)}: that [be] what {{H}} [have:H] to find.", H=hero)
    answered(story, ["What DID {H} need?", f"What was needed to {craft}?", "What had to be found?", "Which things DID {H} need?"], f"{{H}} needed {listed}.", [f"what {{H}} needed"], H=hero)
    for part in parts[:2]:
        giver, place = story.being(named=0.4), story.place()
        tell(story, f"{{G.new}} [give] {{H.o}} {part} {place.at()}.", f"{upper(place.at())}, {{H}} [get:H] {part} from {{G.new}}.", f"{{H}} [find:H] {part} {place.at()}, where {{G.new}} [help] to look.", H=hero, G=giver)
        answered(story, [f"Where DID {{H}} get {part}?", f"Where did {part} come from?", f"Where DID {{H}} find {part}?"], f"{{H}} [get] {part} {place.at()}.", [f"where {{H}} got {part}"], H=hero)
        answered(story, [f"Who helped with {part}?", f"From whom did {{H}} get {part}?", f"Who had {part}?"], f"{{G}} helped {{H.o}} to get {part}.", H=hero, G=giver)
    trouble = r.choice(("it started to rain", "the dog ate half of it", "the lamp went out", "it was the wrong size", "a cat sat on it", "one part fell into the river", "it turned out crooked"))
    if story.tense == "past":
        tell(story, f"But just when it was nearly finished, {trouble}.", f"Then {trouble}.")
        answered(story, ["What went wrong?", "What happened when it was nearly finished?", "What was the trouble?"], f"{upper(trouble)}.".replace("It ", "It ", 1))
    speak(story, friend, r.choice(("This is the best present of all.", "Nobody has ever made anything for me before.", "I will keep it for ever.", "How did you know?", "It is crooked, and I love it.")), to=hero)
    end(story, hero, friend, f"{{O}} got the present and liked it.")
    return None


def errand(story, hero):
    r, bare = story.r, begin(story, hero)
    thing = story.thing("food" if r.random() < 0.3 else None, 0.7)
    if r.random() < 0.35:
        thing.noun, thing.count, thing.many, thing.gender = r.choice(("letter", "parcel", "message", "medicine bottle", "package")), None, False, "it"
    friend, sender = story.being(named=0.5), story.being(named=0.4)
    goal = story.place(places.ROOMS)
    if r.random() < 0.5:
        goal.look = None
    tell(story, f"{once(story, bare)} {{S.new}} [ask] {'{H.o}' if not bare else '{H.new}'} to take {{T.a}} to {{F.new}} {goal.at()}.", H=hero, S=sender, F=friend, T=thing)
    answered(story, ["What did {H} have to do?", "What was the errand?", "What was {H} asked to do?", "What was the task of {H}?"], f"{{H}} had to take {thing.a()} to {{F}}.", ["what {H} had to do"], H=hero, F=friend)
    answered(story, ["Who sent {H}?", "Who asked {H.o} to go?", "Who [be] {T} from?", "Who did {T} come from?"], "{S} sent {H}.", ["who sent {H}"], H=hero, S=sender, T=thing)
    answered(story, ["Who was {T} for?", "Who should get {T}?", "For whom was {T}?"], "{T} was for {F}.".replace("was", "were") if thing.many else "{T} was for {F}.", ["who {T} was for"], T=thing, F=friend)
    answered(story, ["Where did {F} live?", "Where was {F}?", "Where did {H} have to go?"], f"{{F}} was {goal.at()}.", ["where {F} was"], H=hero, F=friend)
    story.outline.append(f"{upper(name(story, hero))} had to take {thing.a()} to {friend.the()}.")
    if r.random() < 0.6:
        speak(story, sender, r.choice(("Do not stop on the way!", "It must be there before dark.", "Be careful with it.", "And do not look inside!", "Keep it dry, whatever happens.")), to=hero)
    for block in r.sample(BLOCKS, r.choice((1, 2, 2, 3))):
        what, why, way = block
        other = story.being(named=0.35)
        tell(story, f"Soon {{H}} [come:H] to {what}, but {why}. {{O.new}} {way}.", f"On the way [be] {what}, and {why}. Luckily {{O.new}} {way}.", H=hero, O=other)
        answered(story, [f"How did {{H}} get past {what.replace('a ', 'the ', 1)}?", f"What happened at {what.replace('a ', 'the ', 1)}?", f"How did {{O}} help?", "What did {O} do?"], f"{{O}} {way}.", [f"how {{H}} got past {what.replace('a ', 'the ', 1)}"], H=hero, O=other)
        answered(story, [f"What was wrong with {what.replace('a ', 'the ', 1)}?", f"Why was {what.replace('a ', 'the ', 1)} a problem?"], f"The problem was that {why}.")
        answered(story, [f"Who helped at {what.replace('a ', 'the ', 1)}?", f"Who helped {{H}} at {what.replace('a ', 'the ', 1)}?"], f"{{O}} helped {{H}} at {what.replace('a ', 'the ', 1)}.", H=hero, O=other)
    story.do(r.choice(("give", "hand", "bring")), hero, thing, to=friend, time=r.choice(places.TIMES) if r.random() < 0.4 else None)
    story.flush()
    if r.random() < 0.7:
        speak(story, friend, r.choice(("You are just in time.", "I have waited for this for years.", "Come in and have some tea.", "You must be tired.", "Oh, it is for my neighbour.")), to=hero)
    end(story, hero, friend, "{H} brought " + thing.the() + " to {O}.")
    return thing


BLOCKS = [("a river", "there was no bridge", "[build] a raft"), ("a wall", "it was too high", "[hold] a ladder"), ("a gate", "it was locked", "[know] where the key was"), ("a dark forest", "the path was gone", "[show] the way with a lantern"),
          ("a crossroads", "the signpost had fallen over", "[point] to the left"), ("a steep hill", "the path was icy", "[bring] a sledge"), ("a swamp", "the ground was too soft", "[lay] boards on the mud"), ("a bridge", "a troll wanted a riddle", "[know] a good one"),
          ("a tunnel", "it was pitch dark", "[carry] a candle"), ("a field", "an angry bull stood there", "[wave] a red cloth"), ("a ditch", "it was full of water", "[push] a log across"), ("a lake", "the boat had a hole", "[plug] it with a cork"),
          ("a town", "all the streets looked alike", "[draw] a map"), ("a fence", "it had no gate", "[dig] a tunnel"), ("a glacier", "the ice was slippery", "[lend] out a pair of boots"), ("a maze", "every turn led back", "[leave] a trail of beans")]


def contest(story, hero):
    r, bare = story.r, begin(story, hero)
    rival = story.being(named=0.6)
    kind = r.choice(list(CONTESTS))
    prize, place = spare(story, r.choice((None, "food")), 0.7), story.place(places.ROOMS)
    tell(story, f"{once(story, bare)} {'{H}' if not bare else '{H.new}'} [hear:H] of a {kind} {place.at()}. The prize [be] {prize.a()}.", H=hero)
    answered(story, ["What kind of contest was it?", "What DID {H} hear of?", "What did {H} take part in?"], f"It was a {kind}.", ["what kind of contest it was"], H=hero)
    answered(story, ["What was the prize?", "What could be won?", "What did the winner get?", "What was there to win?"], f"The prize was {prize.a()}.", ["what the prize was"])
    answered(story, [f"Where was the {kind}?", f"Where did the {kind} take place?", "Where was the contest?"], f"The {kind} was {place.at()}.", [f"where the {kind} was"])
    story.outline.append(f"{upper(name(story, hero))} took part in a {kind}.")
    if r.random() < 0.6:
        want(story, hero, f"to win {prize.a()}", None)
    win_before = r.choice((None, "three", "five", "seven"))
    if win_before and story.tense == "past":
        tell(story, f"{{R.new}} had won it {win_before} times.", R=rival)
        answered(story, ["Who had won before?", f"Who had won {win_before} times?"], f"{{R}} had won {win_before} times.", R=rival)
        answered(story, ["How many times had {R} won?", "How often had {R} won before?"], f"{{R}} had won {win_before} times.", R=rival)
    speak(story, rival, r.choice(("You will never win.", "What are you doing here?", "I always win.", "Go home, little one.", "May the best one win.")), to=hero)
    answered(story, ["Who was the rival?", "Who did {H} compete with?", "Who was {H}'s rival?"], "{R} was the rival.", H=hero, R=rival)
    if r.random() < 0.5:
        days = r.choice(things.NUMBERS[:9])
        tell(story, f"{{H}} [practise:H] for {days} days.", f"For {days} days {{H}} [practise:H] from morning till night.", H=hero)
        answered(story, ["How long did {H} practise?", "How many days did {H} practise?"], f"{{H}} practised for {days} days.", H=hero)
    if story.tense == "past":
        trouble = r.choice(("fell over a stone", "got a cramp", "lost the way", "sneezed three times", "stopped to laugh at the others", "started too early", "forgot the most important thing"))
        tell(story, f"When the day came, {{R}} {trouble}.", f"On the great day {{R}} was ahead, but then {{R}} {trouble}.", R=rival)
        answered(story, ["What happened to {R}?", "What went wrong for {R}?", "Why did {R} not win?"], f"{{R}} {trouble}.", ["what happened to {R}"], R=rival)
    result = r.choice(("win", "help", "draw"))
    if result == "win":
        tell(story, "So {H} [win:H].", "{H} [win:H] by a nose.", "And the winner [be] {H}!" if hero is not story.me else "And I [win:H]!", H=hero)
        answered(story, ["Who won?", "Who won the contest?", f"Who won the {kind}?", "Who was the winner?", "Who got the prize?"], "{H} won.", ["who won"], H=hero)
    elif result == "help":
        tell(story, "{H} [stop:H] to help, and so somebody else [win]: {O.new}.", H=hero, O=(third_one := story.being(named=0.5)))
        answered(story, ["Who won?", "Who won the contest?", f"Who won the {kind}?", "Who was the winner?"], "{O} won.", ["who won"], O=third_one)
        answered(story, ["Why did {H} not win?", "What did {H} do instead of winning?"], "{H} stopped to help {R}.", H=hero, R=rival)
    else:
        tell(story, "In the end both of them [be:B] first, and they [share:B] the prize.", B=both(hero, rival))
        answered(story, ["Who won?", "Who won the contest?", "Who was the winner?"], "Both {H} and {R} won.", H=hero, R=rival)
    end(story, hero, rival, {"win": f"{{H}} won the {kind}.", "help": "{H} helped {O} and did not win.", "draw": "{H} and {O} shared the prize."}[result])
    return None


def both(a, b):
    from .entities import Group
    return Group(a, b)


def skill(story, hero):
    r, bare = story.r, begin(story, hero)
    what = r.choice(list(SKILLS))
    if bare:
        tell(story, f"{once(story, True)} {{H.new}} [want:H] to learn to {what}.", f"{once(story, True)} {{H.new}} [decide:H] to learn to {what}.", H=hero)
        answered(story, ["What DID {H} want to learn?", "What DID {H} want to do?", "What DID {H} wish for?"], f"{{H}} [want] to learn to {what}.", ["what {H} wanted to learn"], H=hero)
    else:
        want(story, hero, f"to learn to {what}", r.choice((None, "everybody else could do it" if story.tense == "past" else "everybody else can do it")))
    story.outline.append(f"{upper(name(story, hero))} wanted to learn to {what}.")
    fails = list(SKILLS[what])
    r.shuffle(fails)
    if story.tense == "past":
        days = ("On the first day", "On the second day", "On the third day")
        for i, f in enumerate(fails[: r.choice((1, 2, 3))]):
            tell(story, f"{days[i]} {{H}} {f}.", H=hero)
            answered(story, [f"What happened {days[i].lower()}?", f"What did {{H}} do {days[i].lower()}?"], f"{days[i]} {{H}} {f}.", H=hero)
    laugh = story.being(named=0.4)
    if r.random() < 0.5:
        tell(story, "{L.new} [laugh] out loud.", L=laugh)
        answered(story, ["Who laughed?", "Who laughed at {H.o}?"], "{L} laughed.", H=hero, L=laugh)
    teacher = story.being(named=0.5)
    advice = r.choice(("Do not look at your feet.", "Breathe slowly and count to five.", "Start with something small.", "Close your eyes and listen.", "Do it as if nobody was watching.", "Try it in the morning, when you are not tired.", "Think of something funny.", "Hold on to my tail.", "Make a mistake on purpose."))
    ask_somebody(story, hero, teacher, r.choice((f"How do you learn to {what}?", "Why can I not do it?", "What am I doing wrong?")), advice)
    answered(story, ["Who gave {H.o} advice?", "Who helped {H.o}?", f"Who taught {{H.o}} to {what}?"], "{T} helped {H.o}.", H=hero, T=teacher)
    answered(story, ["What was the advice?", "What advice did {T} give?", "What was {T}'s advice?"], f'The advice was: "{advice}"', H=hero, T=teacher)
    weeks = r.choice(things.NUMBERS[:6])
    tell(story, f"It [take] {weeks} weeks. Then, all of a sudden, it [work].", f"After {weeks} weeks {{H}} [do:H] it without thinking.", H=hero)
    answered(story, ["How long did it take?", "How many weeks did it take?", f"How long did {{H}} need to learn to {what}?"], f"It took {weeks} weeks.", H=hero)
    end(story, hero, teacher, f"{{H}} learned to {what}.")
    return None


def machine(story, hero):
    r, bare = story.r, begin(story, hero)
    purpose = r.choice(("peel potatoes", "tie shoelaces", "catch the moon", "brush teeth", "water flowers", "butter toast", "wake the whole village", "fold shirts", "count sheep", "make snow", "wash dishes", "find lost socks", "ring the school bell", "turn pages", "scratch backs"))
    parts = [spare(story, None, 0.4) for _ in range(r.choice((2, 3)))]
    listed = ", ".join(p.a() for p in parts[:-1]) + " and " + parts[-1].a()
    tell(story, f"{once(story, bare)} {'{H}' if not bare else '{H.new}'} [build:H] a machine to {purpose}.", f"{once(story, bare)} {'{H}' if not bare else '{H.new}'} [have:H] an idea: a machine to {purpose}.", H=hero)
    answered(story, ["What was the machine for?", "What should the machine do?", "What DID {H} build?", "What was {H}'s idea?"], f"{{H}} built a machine to {purpose}.", ["what the machine was for"], H=hero)
    tell(story, f"It [be] made of {listed}.", f"For that {{H}} [use:H] {listed}.", H=hero)
    answered(story, ["What was the machine made of?", "What parts did the machine have?", "What DID {H} use to build it?"], f"The machine was made of {listed}.", ["what the machine was made of"], H=hero)
    story.outline.append(f"{upper(name(story, hero))} built a machine to {purpose}.")
    if story.tense == "past":
        wrong = r.choice(("threw porridge at the ceiling", "chased the hens round the yard", "played the trumpet all night", "painted the cat green", "rolled down the hill and into the pond", "would not stop until Sunday", "began to sing", "dug a hole in the floor", "blew all the washing off the line"))
        tell(story, f"But the machine {wrong}.", f"{{H}} pulled the lever, and the machine {wrong}.", H=hero)
        answered(story, ["What did the machine do?", "What went wrong?", "What went wrong with the machine?", "What happened when it was switched on?"], f"The machine {wrong}.", ["what the machine did"])
    other = story.being(named=0.5)
    use = r.choice(("scare away crows", "grind coffee", "rock the baby to sleep", "wash the windows", "stir the jam", "keep the hens warm", "pump water", "make children laugh", "dry the laundry"))
    ask_somebody(story, hero, other, None, f"It is perfect to {use}!")
    answered(story, ["What was the machine good for?", "What was the machine used for in the end?", "What could the machine do well?"], f"The machine was good to {use}.")
    answered(story, ["Who found a use for the machine?", "Who liked the machine?", "Who had an idea for the machine?"], "{O} found a use for it.", O=other)
    end(story, hero, other, f"The machine was used to {use}.")
    return None


def seed(story, hero):
    r, bare = story.r, begin(story, hero)
    giver = story.being(named=0.4)
    c = r.choice(beings.COLOURS)
    odd = r.choice(("bells", "lanterns", "tiny umbrellas", "golden pears", "teacups", "kites", "blue cherries", "music boxes", "warm socks", "paper boats", "silver spoons", "sleeping birds", "striped apples", "buttons", "letters"))
    place = story.place([("in", "garden"), ("behind", "barn"), ("by", "well"), ("in", "flowerpot"), ("in", "field"), ("under", "window"), ("next to", "gate"), ("on", "hill")])
    tell(story, f"{once(story, bare)} {{G.new}} [give] {'{H.o}' if not bare else '{H.new}'} {things.article(c)} seed.", H=hero, G=giver)
    answered(story, ["Who gave {H.o} the seed?", "Who did the seed come from?", "Where did the seed come from?"], "{G} gave {H.o} the seed.", ["who gave {H.o} the seed"], H=hero, G=giver)
    answered(story, ["What colour was the seed?", "What color was the seed?", "Which colour did the seed have?"], f"The seed was {c}.", ["what colour the seed was"])
    story.do("plant", hero, seed_thing(story), place=place)
    story.flush()
    days = r.choice(things.NUMBERS)
    if story.tense == "past":
        tell(story, f"For {days} days nothing happened. {{H}} watered it every {r.choice(('morning', 'evening'))}.", f"{{H}} waited {days} days.", H=hero)
        answered(story, ["How long did {H} wait?", "How many days did {H} have to wait?", "How long did nothing happen?"], f"{{H}} waited {days} days.", H=hero)
        laughed = story.being(named=0.5)
        if r.random() < 0.5:
            speak(story, laughed, r.choice(("Nothing will ever grow there.", "You are wasting your time.", "That is only a pebble.")), to=hero)
    tell(story, f"Then a tree [grow], and on it [hang] {odd}.", f"One morning there [be] a little tree full of {odd}.", f"At last it [grow], and instead of leaves it [have] {odd}.")
    answered(story, ["What grew on the tree?", "What was on the tree?", "What hung on the tree?", "What was strange about the tree?"], f"There were {odd} on the tree.", ["what grew on the tree"])
    story.outline += [f"{upper(name(story, hero))} planted a strange seed.", f"It grew into a tree full of {odd}."]
    take = story.being(named=0.5)
    greedy = r.random() < 0.5
    if greedy and story.tense == "past":
        tell(story, f"{{K.new}} wanted to have all the {odd}, but they turned to dust at once.", K=take)
        answered(story, [f"Who wanted all the {odd}?", "Who was greedy?"], f"{{K}} wanted to have all the {odd}.", K=take)
        answered(story, [f"What happened when {{K}} wanted all the {odd}?"], "They turned to dust at once.", K=take)
    tell(story, f"{{H}} [give:H] the {odd} to the neighbours.", f"So {{H}} [share:H] the {odd} with everybody.", H=hero)
    answered(story, [f"What did {{H}} do with the {odd}?", f"Who got the {odd} in the end?"], f"{{H}} gave the {odd} away.", H=hero)
    end(story, hero, giver, f"{{H}} gave the {odd} away.")
    return None


def seed_thing(story):
    from .entities import Thing
    thing = Thing("seed")
    thing.told = True
    story.things.append(thing)
    return thing


PLOTS = [gift, errand, errand, contest, skill, machine, seed]
