# SPDX-License-Identifier: MIT
"""Conversations with toy tools: a request, the call, what it gave, the answer; and talk in which nothing is called."""
from . import beings, tool_kinds, wishes
from .chat import answer, call, result, user
from .places import place_name
from .things import article


def tool(r, name, about, properties, required):
    schema = {"type": "object", "properties": properties}
    if required or r.random() < 0.5:
        schema["required"] = required
    if r.random() < 0.15:
        schema["additionalProperties"] = False
    function = {"name": name}
    if r.random() < 0.85:
        function["description"] = r.choice(about)
    function["parameters"] = schema
    return {"type": "function", "function": function}


def number(r, about, low=1, high=None):
    out = {"type": "integer"}
    if r.random() < 0.5:
        out["description"] = about
    if r.random() < 0.4:
        out["minimum"] = low
        if high:
            out["maximum"] = high
    return out


def text(r, about):
    return {"type": "string", "description": about} if r.random() < 0.6 else {"type": "string"}


class Toy:
    """A tool in one of its forms. `fixed` is what this conversation's form requires."""

    def __init__(self, r, name):
        self.name = name
        if name == "roll_dice":
            both = r.random() < 0.75
            self.count = both or r.random() < 0.5
            properties = {"sides": number(r, "Sides of each die", 2, 100)}
            if self.count:
                properties["count"] = number(r, "How many dice", 1, 20)
                if r.random() < 0.2:
                    properties = {"count": properties["count"], "sides": properties["sides"]}
            self.all = r.random() < 0.6
            required = list(properties) if self.all else ["sides"]
            self.order = list(properties)
            self.schema = tool(r, name, ("Rolls dice", "Roll some dice and return the numbers", "Rolls a die", "Throws dice with any number of sides", "Rolls one or more dice."), properties, required)
        elif name == "pick_name":
            self.schema = tool(r, name, ("Picks a name", "Pick a random name", "Finds a name for somebody of a kind", "Gives a name for a character.", "Picks a name for a character of the given kind"), {"kind": text(r, "Who the name is for")}, ["kind"] if r.random() < 0.8 else [])
        elif name == "pick_colour":
            self.schema = tool(r, name, ("Picks a colour", "A random colour"), {}, [])
        elif name == "flip_coin":
            self.schema = tool(r, name, ("Flips a coin", "Tosses a coin: heads or tails"), {}, [])
        elif name == "pick_place":
            self.schema = tool(r, name, ("Picks a place for a story", "Finds the name of a place"), {"kind": text(r, "Kind of place")}, ["kind"])
        else:
            self.schema = tool(r, name, ("Counts the words of a text", "How many words a text has"), {"text": text(r, "The text")}, ["text"])
        self.said, self.keys = name, {}
        if r.random() < 0.3 and name in OTHER_NAMES:
            self.say_otherwise(r)

    def say_otherwise(self, r):
        """The same tool as somebody else would have called it and its arguments."""
        names, keys = OTHER_NAMES[self.name]
        function = self.schema["function"]
        self.said = function["name"] = r.choice(names)
        parameters = function["parameters"]
        self.keys = {key: r.choice(keys[key]) for key in parameters["properties"]}
        parameters["properties"] = {self.keys[key]: form for key, form in parameters["properties"].items()}
        if "required" in parameters:
            parameters["required"] = [self.keys[key] for key in parameters["required"]]

    def call(self, arguments):
        return (self.said, {self.keys.get(key, key): value for key, value in arguments.items()})


OTHER_NAMES = {
    "roll_dice": (("roll", "dice", "throw_dice", "roll_die", "dice_roll"), {"sides": ("sides", "faces", "max"), "count": ("count", "number", "rolls", "how_many")}),
    "pick_name": (("choose_name", "name", "random_name", "find_name", "make_name"), {"kind": ("kind", "type", "for", "being", "of")}),
    "pick_place": (("place", "find_place", "random_place"), {"kind": ("kind", "type", "sort")}),
}
NAMES = ("roll_dice", "pick_name", "pick_colour", "flip_coin", "pick_place", "count_words")
COUNT_WORDS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten"}
SIDE_WORDS = {4: "four", 6: "six", 8: "eight", 10: "ten", 12: "twelve", 20: "twenty", 3: "three", 5: "five", 7: "seven", 30: "thirty", 100: "a hundred"}


def dice(r, toy):
    count = 1 if not toy.count else r.choice((1, 1, 1, 2, 2, 3, 4, 5, 6))
    sides = r.choice((6, 6, 6, 6, 8, 10, 12, 20, 20, 4, 100, 30, 7, r.randint(2, 60)))
    n, s = COUNT_WORDS[count] if r.random() < 0.6 else str(count), SIDE_WORDS.get(sides, str(sides)) if r.random() < 0.4 else str(sides)
    verb = r.choice(("Roll", "Throw", "Please roll", "Can you roll", "Could you throw", "I want you to roll", "Let's roll", "Roll for me:", "Now roll", "Toss"))
    end = "?" if verb.startswith(("Can", "Could")) else r.choice((".", "!", "", " please."))
    if count == 1:
        ask = [f"{verb} a die with {s} sides{end}", f"{verb} a {s}-sided die{end}", f"{verb} a d{sides}{end}", f"{verb} one die with {s} sides{end}", f"I need a number from 1 to {sides}.", f"Give me a random number between 1 and {sides}.", f"Pick a number from 1 to {sides} with the dice."]
        if sides == 6:
            ask += [f"{verb} a die{end}"] * 5 + [f"{verb} a normal die{end}", "What does the die say?", "Let the die decide.", "I want to roll a die.", "Dice, please.", "Roll it!"]
    else:
        ask = [f"{verb} {n} dice with {s} sides{end}", f"{verb} {n} {s}-sided dice{end}", f"{verb} {count}d{sides}{end}", f"{verb} {n} dice with {s} sides each{end}", f"{n.capitalize()} dice with {s} sides, please."]
        if sides == 6:
            ask += [f"{verb} {n} dice{end}"] * 4 + [f"{n.capitalize()} dice, please.", f"I would like to throw {n} dice."]
    if r.random() < 0.55:
        plain = sides == 6 and r.random() < 0.6
        ask = [form.format(n=n, c=count, s=s, d=sides) for form in ((wishes.DIE_SIX if plain else wishes.DIE) if count == 1 else wishes.DICE_SIX if plain else wishes.DICE)]
    values = [r.randint(1, sides) for _ in range(count)]
    arguments = {k: {"sides": sides, "count": count}[k] for k in toy.order if k == "sides" or toy.all or count > 1}
    total = sum(values)
    listed = ", ".join(map(str, values[:-1])) + " and " + str(values[-1]) if count > 1 else str(values[0])
    x = r.random()
    given = values if x < 0.3 else {"rolls": values, "total": total} if x < 0.5 else {"total": total, "rolls": values} if x < 0.55 else {"values": values} if x < 0.7 else {"result": values if count > 1 else values[0]} if x < 0.85 else ", ".join(map(str, values))
    if count == 1 and r.random() < 0.5:
        given = str(values[0])
    has_total = isinstance(given, dict) and "total" in given
    if count == 1:
        said = r.choice((f"The die shows {listed}.", f"You rolled {article_number(values[0])}.", f"It is {article_number(values[0])}.", f"The number is {listed}.", f"You got {listed}."))
    elif has_total:
        said = r.choice((f"You rolled {listed}, which makes {total}.", f"The dice show {listed}: {total} in all.", f"{listed}, so {total} altogether."))
    else:
        said = r.choice((f"You rolled {listed}.", f"The dice show {listed}.", f"The numbers are {listed}."))
    return r.choice(ask), ("roll_dice", arguments), given, said


def article_number(n):
    return ("an " if str(n).startswith("8") or n in (11, 18) else "a ") + str(n)


KINDS = ["girl", "boy", "dragon", "hero", "princess", "pirate", "cat", "dog", "king", "queen", "robot", "wizard", "witch", "village", "ship"]


def name_for(r):
    kind = r.choice(KINDS) if r.random() < 0.4 else r.choice(beings.ANIMALS + beings.BIRDS + beings.SMALL + beings.CREATURES + beings.TRADES)
    colour = r.choice(beings.COLOURS) + " " if r.random() < 0.12 else ""
    trait = r.choice(beings.TRAITS) + " " if r.random() < 0.12 and not colour else ""
    full = colour + trait + kind
    a = article(full)
    ask = [f"Pick a name for {a}.", f"I need a name for {a}.", f"What should I call my {full}?", f"Find a name for my {full}.", f"Give me a name for {a}.", f"A name for {a}, please.", f"How shall we name the {full}?", f"Can you pick a name for {a}?",
           f"My {full} has no name yet.", f"Choose a name for the {full}.", f"Name my {full}.", f"{a.capitalize()} needs a name.", f"Pick a {full} name.", f"Please pick a name for the {full} in my story."]
    if r.random() < 0.6:
        ask = [form.format(a=a, k=full) for form in wishes.NAME]
    name = beings.invented_name(r) if r.random() < 0.4 else r.choice(beings.GIRLS + beings.BOYS + beings.PETS)
    x = r.random()
    given = name if x < 0.4 else {"name": name} if x < 0.75 else {"name": name, "kind": full} if x < 0.85 else {"result": name}
    said = r.choice((f"How about {name}?", f"The {full} could be called {name}.", f"{name} is a good name for {a}.", f"Call the {full} {name}.", f"The name is {name}.", f"Your {full} is called {name}.", f"I picked {name}."))
    return r.choice(ask), ("pick_name", {"kind": full}), given, said, full, name


def others(r, name):
    if name == "pick_colour":
        c = r.choice(beings.COLOURS)
        return r.choice(("Pick a colour.", "Which colour shall I take?", "A colour, please.", "Choose a colour for my hat.", "I need a random color.", *wishes.COLOUR)), (name, {}), r.choice((c, {"colour": c})), r.choice((f"Take {c}.", f"The colour is {c}.", f"How about {c}?"))
    if name == "flip_coin":
        c = r.choice(("heads", "tails"))
        return r.choice(("Flip a coin.", "Heads or tails?", "Toss a coin, please.", "Let the coin decide.", *wishes.COIN)), (name, {}), r.choice((c, {"side": c}, {"result": c})), r.choice((f"It is {c}.", f"The coin shows {c}.", f"{c.capitalize()}!"))
    kind, p = r.choice(("village", "town", "island", "castle", "forest", "river", "mountain", "harbour", "kingdom")), place_name(r)
    return r.choice((f"Pick a place: {article(kind)}.", f"I need the name of {article(kind)}.", f"What is my {kind} called?", f"Find me {article(kind)} for the story.", *(form.format(a=article(kind), k=kind) for form in wishes.PLACE))), ("pick_place", {"kind": kind}), r.choice((p, {"name": p}, {"place": p})), r.choice((f"The {kind} is called {p}.", f"How about {p}?", f"Take {p}."))


PLAIN = [("Hello!", "Hello! Shall I tell you a story?"), ("Hi", "Hi! What would you like to hear?"), ("Thank you!", "You are welcome."), ("Thanks", "You are welcome."), ("How are you?", "I am well, thank you. Shall I tell you a story?"), ("What can you do?", "I can tell stories and answer questions about them."),
         ("Who are you?", "I am a small model that tells stories."), ("Good morning!", "Good morning! Would you like a story?"), ("Good night!", "Good night! Sleep well."), ("Bye", "Goodbye! Come back for another story."), ("Good evening", "Good evening! Shall we read a story?"),
         ("What is your name?", "I have no name. I am a small model that tells stories."), ("Are you a robot?", "I am a small language model."), ("That was nice.", "I am glad that you liked it."), ("I liked that.", "I am glad that you liked it."), ("You are funny.", "Thank you! Shall I go on?"),
         ("What is the capital of France?", "I only know stories. Shall I tell you one?"), ("Who is the president?", "I only know stories. Shall I tell you one?"), ("What is the weather today?", "I cannot see the weather. I only know stories."), ("Write some code.", "I cannot write code. I only know stories."),
         ("How does a computer work?", "I only know stories. Shall I tell you one?"), ("What do you like?", "I like stories. Which one shall I tell?"), ("Do you know a story?", "I know many. Who should it be about?"), ("Can you help me?", "I can tell stories and answer questions about them."),
         ("What is a die?", "A die is a small cube with numbers on its sides."), ("What is a hedgehog?", "A hedgehog is a small animal with spines."), ("What is a story?", "A story tells what happens to somebody."), ("Do you need a tool for that?", "No, I can do that by myself."),
         ("What tools do you have?", None), ("Which tools can you use?", None), ("I am bored.", "Then I will tell you a story. Who should it be about?"), ("I am sad.", "I am sorry. Shall I tell you a funny story?"), ("Ok", "What shall we do next?"), ("Tell me a joke.", "I know only stories, but some of them are funny.")]


def small_talk(r, toys=()):
    for _ in range(9):
        ask, said = r.choice(PLAIN if r.random() < 0.4 else wishes.TALK)
        if said is None and toys:
            names = [t.schema["function"]["name"] for t in toys]
            said = "I can use " + (", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else names[0]) + "."
        if said:
            break
    else:
        ask, said = PLAIN[0]
    x = r.random()
    if x < 0.15:
        ask = ask.lower()
    elif x < 0.25:
        ask = ask.rstrip("!.?")
    return [user(ask), answer(said)]


def tools_for(r):
    names = ["roll_dice", "pick_name"] if r.random() < 0.6 else [r.choice(("roll_dice", "pick_name"))]
    if r.random() < 0.3:
        names += r.sample([n for n in NAMES[2:] if n not in names], r.choice((1, 1, 2)))
    more = tool_kinds.some(r, r.choice((1, 1, 2, 3))) if r.random() < 0.4 else []
    if more and r.random() < 0.4:
        names = []
    toys = [Toy(r, n) for n in names] + more
    r.shuffle(toys)
    return toys


def tool_turn(r, toys):
    """A request that needs a tool, up to the answer after its result."""
    toy = r.choice([t for t in toys if t.name != "count_words"])
    if isinstance(toy, tool_kinds.Kind):
        return toy.turn(r)
    if toy.name == "roll_dice":
        ask, c, given, said = dice(r, toy)
    elif toy.name == "pick_name":
        ask, c, given, said, *_ = name_for(r)
    else:
        ask, c, given, said = others(r, toy.name)
    if r.random() < 0.1:
        ask = ask.lower()
    named = {t.name: t for t in toys}
    names, c = set(named), toy.call(c[1])
    if r.random() < 0.1 and {"roll_dice", "pick_name"} <= names:
        a2, c2, g2, s2 = dice(r, [t for t in toys if t.name == "roll_dice"][0])
        a1, c1, g1, s1, *_ = name_for(r)
        both = [(a1, named["pick_name"].call(c1[1]), g1, s1), (a2, named["roll_dice"].call(c2[1]), g2, s2)]
        r.shuffle(both)
        (a1, c1, g1, s1), (a2, c2, g2, s2) = both
        if r.random() < 0.5:
            return [user(f"{a1.rstrip('.!?')} and then {a2[0].lower() + a2[1:]}" if not a1.endswith("?") else f"{a1} And {a2[0].lower() + a2[1:]}"), call(c1, c2), result(g1), result(g2), answer(f"{s1} {s2}")]
    return [user(ask), call(c), result(given), answer(said)]
