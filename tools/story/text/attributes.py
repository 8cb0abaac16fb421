# SPDX-License-Identifier: MIT
"""What somebody or something is: kind, colour, number, age, home, work, likes; said in many ways, and asked for."""
from . import beings, places, things
from .clauses import upper

AGES = "five six seven eight nine ten eleven twelve".split()
LIKES = """the smell of rain|loud music|long walks|old maps|puzzles|riddles|thunderstorms|warm bread|cold water|shiny buttons|stories about the
sea|counting things|cherry jam|quiet evenings|snow|bright colours|climbing trees|early mornings|train journeys|the sound of bells|
peppermint tea|jokes|jumping in puddles|spiders|fresh cheese|marching songs|red boots|the moon|collecting stamps|roasted chestnuts|
long words|secrets|drawing birds|swimming|dancing in the rain|lemon cake|wooden boats|sleeping late|feeding ducks|card tricks"""
LIKES = places.listed(LIKES)
FEARS = """the dark|thunder|deep water|heights|spiders|loud noises|geese|being alone|big dogs|ghosts|the cellar|strangers|bees|the wind|the
old mill|the sea|mirrors|storms|closed doors|owls|bridges|crowds|lightning|shadows|the forest at night"""
FEARS = places.listed(FEARS)


def be(story):
    return "was" if story.tense == "past" else "is"


def who(story, being):
    return "I" if being is story.me else being.the()


def start(story, being):
    """How a story begins with somebody."""
    r, b = story.r, be(story)
    story.telling.met.add(being)
    being.told |= {"kind", "trait"}
    name, kind, a = being.name, being.noun(), being.a()
    shape = r.randrange(6)
    home = home_of(story, being) if r.random() < 0.45 or shape == 3 or (not name and shape < 2) else None
    where = f" {home}" if home else ""
    lived, live = ("lived", "live") if story.tense == "past" else ("lives", "live")
    if story.me is being:
        called = f" {('called', 'named')[shape % 2]} {name}" if name else ""
        line = f"I {'was' if b == 'was' else 'am'} {a}{called}{' and lived' + where if where and b == 'was' else ''}."
    elif name:
        line = [
            f"{name} {b} {a}{' who ' + lived + where if where else ''}.",
            f"There {b} once {a} {('called', 'named', 'whose name was')[len(name) % 3]} {name}{', who ' + lived + where if where else ''}.",
            f"Once upon a time there {b} {a} {('called', 'named')[len(name) % 2]} {name}{' who ' + lived + where if where else ''}.",
            f"{upper(a)} {('called', 'named')[shape % 2]} {name} {lived}{where}.",
            f"{upper(where.strip()) or 'Long ago there'} {lived} {a} {('called', 'by the name of', 'named')[len(name) % 3]} {name}.",
            f"This is the story of {name}, {a}{' who ' + lived + where if where else ''}."][shape]
    else:
        line = [f"Once {a} {lived}{where}.", f"There {b} once {a}{' who ' + lived + where if where else ''}.",
                f"{upper(where.strip()) or 'Once upon a time there'} {lived} {a}."][shape // 2]
    return line


def home_of(story, being):
    if "home" not in being.facts:
        r = story.r
        prep, noun = r.choice(places.ROOMS + [("under", n) for n in places.listed(places.UNDER)[:20]])
        if r.random() < 0.3:
            words = f"in {places.place_name(r)}"
        else:
            look = r.choice(places.LOOKS) + " " if r.random() < 0.4 and " " not in noun else ""
            words = f"{prep} {things.article(look + noun)}" if prep != "by" and noun not in ("snow", "reeds", "dunes", "woods", "fog", "tall grass", "leaves", "stairs") else f"{prep} the {look}{noun}"
        being.facts["home"] = words
        ask = who(story, being) if being is not story.me else "the narrator"
        v = "did" if story.tense == "past" else "does"
        lived = "lived" if story.tense == "past" else "lives"
        story.fact([f"Where {v} {ask} live?", f"Where is {ask}'s home?", f"Where {be(story)} the home of {ask}?", f"What place {v} {ask} live in?"],
                   [f"{upper(ask)} {lived} {words}."], [f"where {ask} {lived}"], "place")
    return being.facts["home"]


def identity(story, being):
    """Who is Mia? What kind of animal? What does she do for a living?"""
    r, b, name = story.r, be(story), being.name
    ask = "the narrator" if being is story.me else being.the()
    a, v = being.a(), "did" if story.tense == "past" else "does"
    a_kind = things.article(being.kind)
    work = being.kind in beings.TRADES
    if "kind" not in being.told:
        return
    if "trait" not in being.told:
        a = a_kind
    if name and being is not story.me:
        story.fact([f"Who {b} {name}?", f"Who is {name}?", f"What do we know about {name}?", f"What {b} {name}?", f"Tell me about {name}."],
                   [f"{name} {b} {a}."], [f"who {name} {b}"])
        story.fact([f"What {b} the {being.kind} called?", f"What {b} the name of the {being.kind}?", f"What {b} the {being.kind}'s name?",
                    f"What's the name of the {being.kind}?", f"How {b} the {being.kind} named?", f"Name the {being.kind}."],
                   [f"The {being.kind} {b} called {name}.", f"The {being.kind}'s name {b} {name}."], [f"what the {being.kind} {b} called"])
    if work and (name or being is story.me):
        story.fact([f"What {v} {ask} do for a living?", f"What {b} {ask}'s job?", f"What work {v} {ask} do?", f"What kind of work {v} {ask} do?",
                    f"What is the profession of {ask}?", f"What {v} {ask} work as?"], [f"{upper(ask)} {b} {a_kind}."],
                   [f"what {ask} {'did' if v == 'did' else 'does'} for a living"])
    elif being.kind in beings.ANIMALS + beings.BIRDS + beings.SMALL and name:
        story.fact([f"What kind of animal {b} {name}?", f"What animal {b} {name}?", f"Which animal {b} {name}?", f"What sort of creature {b} {name}?",
                    f"What species {b} {name}?", f"{name} {b} what kind of animal?"], [f"{name} {b} {a_kind}."], [f"what kind of animal {name} {b}"])
    elif being.kind in beings.CREATURES and name:
        story.fact([f"What kind of creature {b} {name}?", f"What sort of being {b} {name}?", f"What {b} {name}?"], [f"{name} {b} {a_kind}."])
    if being.trait and "trait" in being.told:
        story.fact([f"What {b} {ask} like?", f"How is {ask} described?", f"Describe {ask} in a word.", f"What {b} the character of {ask} like?"],
                   [f"{upper(ask)} {b} {being.trait}."], [f"what {ask} {b} like"])
        other = r.choice(beings.TRAITS)
        if other != being.trait:
            story.fact([f"{upper(b)} {ask} {being.trait} or {other}?", f"{upper(b)} {ask} {other} or {being.trait}?"], [f"{upper(ask)} {b} {being.trait}."])
    if being.colour and "trait" in being.told:
        colour_of(story, ask, being.colour, "was" if story.tense == "past" else "is")


def colour_of(story, words, colour, b):
    c = story.r.choice(("colour", "colour", "color"))
    story.fact([f"What {c} {b} {words}?", f"Which {c} {b} {words}?", f"What {b} the {c} of {words}?", f"What {c} {'did' if b in ('was', 'were') else 'does'} {words} have?",
                f"In what {c} {b} {words}?", f"{upper(words)} {b} what {c}?"], [f"{upper(words)} {b} {colour}."], [f"what {c} {words} {b}"], "colour")


def of_thing(story, thing):
    """What the first mention of a thing said of it. Ask after the text has it."""
    past = story.tense == "past"
    words = "the " + (things.plural(thing.noun) if thing.count else thing.noun)
    b = ("was" if past else "is") if not thing.many else ("were" if past else "are")
    if thing.colour:
        colour_of(story, words, thing.colour, b)
        other = story.r.choice(beings.COLOURS)
        if other != thing.colour and story.r.random() < 0.4:
            story.fact([f"{upper(b)} {words} {other}?", f"{upper(b)} {words} {other}, yes or no?"], [f"No, {words} {b} {thing.colour}."])
        if story.r.random() < 0.4:
            story.fact([f"{upper(b)} {words} {thing.colour}?"], [f"Yes, {words} {b} {thing.colour}."])
    if thing.material:
        story.fact([f"What {b} {words} made of?", f"What material {b} {words} made of?", f"{upper(words)} {b} made of what?", f"Of what {b} {words} made?"],
                   [f"{upper(words)} {b} made of {thing.material.replace('wooden', 'wood').replace('woollen', 'wool')}."], [f"what {words} {b} made of"])
    if thing.count:
        did = "were" if past else "are"
        story.fact([f"How many {things.plural(thing.noun)} {did} there?", f"How many {things.plural(thing.noun)} {did} there in the story?",
                    f"What {b.replace('were', 'was').replace('are', 'is')} the number of {things.plural(thing.noun)}?", f"Count the {things.plural(thing.noun)}.",
                    f"How many {things.plural(thing.noun)} does the story mention?"],
                   [f"There {did} {thing.count} {things.plural(thing.noun)}."], [f"how many {things.plural(thing.noun)} there {did}"], "count")
    if (thing.look or thing.size) and thing.look not in ("favourite", "left", "right", "best", "only", "lucky"):
        word = thing.look or thing.size
        story.fact([f"What {'did' if past else 'do' if thing.many else 'does'} {words} look like?", f"What {b} {words} like?", f"How is {words} described?" if not thing.many else f"How are {words} described?",
                    f"What kind of {things.plural(thing.noun) if thing.count else thing.noun} {b} {'they' if thing.many else 'it'}?"], [f"{upper(words)} {b} {word}."])


def extra(story, being):
    """One more thing about somebody, in a sentence of its own."""
    r, past = story.r, story.tense == "past"
    if "extra" in being.facts:
        return
    being.facts["extra"] = True
    me = being is story.me
    ask = "the narrator" if me else being.the()
    name = "I" if me else being.the()
    does, b = ("did" if past else "does"), be(story)
    x = r.random()
    like = ("liked" if past else "like" if me else "likes")
    if x < 0.3:
        what = r.choice(LIKES)
        verb = r.choice((f"{like} {what}", f"{like} {what} very much", f"{'loved' if past else 'love' if me else 'loves'} {what}",
                         f"{'liked' if past else 'like' if me else 'likes'} nothing better than {what}"))
        story.say(f"{upper(name)} {verb}.")
        story.fact([f"What {does} {ask} like?", f"What {does} {ask} love?", f"What {does} {ask} like most?"], [f"{upper(ask)} {'liked' if past else 'likes'} {what}."],
                   [f"what {ask} {'liked' if past else 'likes'}"])
    elif x < 0.5:
        what = r.choice(FEARS)
        story.say(upper(r.choice((f"{name} {b if not me or past else 'am'} afraid of {what}.", f"{name} {b if not me or past else 'am'} a little scared of {what}.",
                                  f"there {b} only one thing that {name} {'feared' if past else 'fear' if me else 'fears'}: {what}."))))
        story.fact([f"What {b} {ask} afraid of?", f"What {b} {ask} scared of?", f"What {does} {ask} fear?", f"What frightened {ask}?"], [f"{upper(ask)} {b} afraid of {what}."],
                   [f"what {ask} {b} afraid of"])
    elif x < 0.68:
        age = r.choice(AGES)
        story.say(upper(r.choice((f"{name} {b if not me or past else 'am'} {age} years old.", f"{name} {'had' if past else 'have' if me else 'has'} just turned {age}."))))
        story.fact([f"How old {b} {ask}?", f"What {b} the age of {ask}?", f"What age {b} {ask}?"], [f"{upper(ask)} {b} {age} years old."], [f"how old {ask} {b}"], "count")
    elif x < 0.85:
        colour, what = r.choice(beings.COLOURS), r.choice("hat scarf coat cap cloak ribbon waistcoat jacket jumper shawl pair_of_boots bow_tie apron".split()).replace("_", " ")
        story.say(f"{upper(name)} always {'wore' if past else 'wear' if me else 'wears'} {things.article(colour + ' ' + what)}.")
        if all(t.noun != what for t in story.things):
            colour_of(story, f"{ask}'s {what}", colour, b)
        story.fact([f"What {does} {ask} always wear?", f"What {does} {ask} wear?", f"What {b} {ask} wearing?"], [f"{upper(ask)} always {'wore' if past else 'wears'} {things.article(colour + ' ' + what)}."])
    else:
        n = r.choice(things.NUMBERS[:10])
        what = r.choice("brothers sisters cousins cats hens goats friends hats pockets books cousins".split())
        story.say(f"{upper(name)} {'had' if past else 'have' if me else 'has'} {n} {what}.")
        story.fact([f"How many {what} {does} {ask} have?", f"{upper(ask)} had how many {what}?" if past else f"How many {what} has {ask} got?"],
                   [f"{upper(ask)} {'had' if past else 'has'} {n} {what}."], [f"how many {what} {ask} {'had' if past else 'has'}"], "count")
