# SPDX-License-Identifier: MIT
"""Tools of many kinds, each with other names for itself and its arguments, so that calls are copied from what is offered."""
from . import beings, places, things
from .chat import answer, call, result, user
from .things import article

CITIES = "Paris London Rome Oslo Lima Cairo Berlin Tokyo Madrid Vienna Dublin Lisbon Prague Athens Nairobi Delhi Boston Toronto Sydney Helsinki".split()
LANGUAGES = "French German Spanish Italian Dutch Swedish Polish Turkish Japanese Greek Welsh Portuguese".split()
WEATHER = "sunny cloudy rainy windy snowy foggy stormy clear".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
ROOMS = "kitchen bedroom hall garden bathroom attic cellar nursery library garage".split()
PHRASES = "good morning|thank you|I am hungry|where is the cat|good night|see you soon|the moon is bright|my name is Anna|a red apple|happy birthday".split("|")
DOINGS = "feed the cat|water the plants|call Grandma|bake bread|tidy the room|buy milk|read a book|wash the car|walk the dog|post the letter|clean the cage|practise the piano".split("|")
SLOTS = {
    "city": (("city", "place", "location", "town"), "string", "Name of the city", lambda r: r.choice(CITIES) if r.random() < 0.7 else places.place_name(r)),
    "minutes": (("minutes", "duration", "length_minutes", "time"), "integer", "How long, in minutes", lambda r: r.choice((1, 2, 3, 5, 7, 10, 12, 15, 20, 25, 30, 45, 60, r.randint(1, 90)))),
    "item": (("item", "product", "thing", "what"), "string", "What to add", lambda r: r.choice(things.FOODS + things.THINGS)),
    "amount": (("amount", "quantity", "number", "how_many"), "integer", "How many", lambda r: r.randint(2, 12)),
    "phrase": (("text", "phrase", "sentence", "words"), "string", "The text to translate", lambda r: r.choice(PHRASES)),
    "language": (("language", "target_language", "to", "into"), "string", "The language to translate to", lambda r: r.choice(LANGUAGES)),
    "doing": (("text", "task", "title", "what", "reminder"), "string", "What to be reminded of", lambda r: r.choice(DOINGS)),
    "day": (("day", "when", "date"), "string", "The day", lambda r: r.choice(DAYS)),
    "room": (("room", "where", "location"), "string", "Name of the room", lambda r: r.choice(ROOMS)),
    "colour": (("color", "colour", "paint"), "string", "A color", lambda r: r.choice(beings.COLOURS)),
    "animal": (("animal", "subject", "motif", "what"), "string", "What to draw", lambda r: r.choice(beings.ANIMALS + beings.BIRDS + beings.SMALL)),
    "topic": (("topic", "about", "subject", "query"), "string", "What the book is about", lambda r: r.choice(beings.ANIMALS + beings.BIRDS + beings.SMALL)),
    "word": (("word", "term", "text"), "string", "The word", lambda r: r.choice(things.THINGS + beings.TRAITS).split()[-1]),
    "person": (("name", "person", "to", "contact"), "string", "Who it is for", lambda r: r.choice(beings.GIRLS + beings.BOYS)),
    "a": (("a", "x", "first", "left"), "integer", "First number", lambda r: r.randint(2, 99)),
    "b": (("b", "y", "second", "right"), "integer", "Second number", lambda r: r.randint(2, 99)),
}
# (names of the tool, what is said of it, its arguments, requests, results, answers); {=w} is made up for the result.
KINDS = [
    (("get_weather", "weather", "weather_report", "check_weather"), ("The weather of a city", "Get the current weather", "Tells what the weather is like"), ("city",),
     ("What is the weather like in {city}?", "How is the weather in {city}?", "Is it raining in {city}?", "Weather in {city}, please.", "I am going to {city}. Do I need a coat?", "Check the weather for {city}."),
     ({"weather": "{=w}", "degrees": "{=t}"}, {"city": "{city}", "sky": "{=w}"}, "{=w}"), ("It is {=w} in {city}.", "The weather in {city} is {=w}.", "In {city} it is {=w} now.")),
    (("set_timer", "start_timer", "timer", "countdown"), ("Sets a timer", "Starts a countdown"), ("minutes",),
     ("Set a timer for {minutes} minutes.", "Wake me in {minutes} minutes.", "Timer, {minutes} minutes.", "Please start a timer of {minutes} minutes.", "The eggs need {minutes} minutes.", "Count down {minutes} minutes."),
     ({"status": "started"}, {"ok": True}, "started"), ("The timer is set for {minutes} minutes.", "I have set a timer for {minutes} minutes.", "Your {minutes} minutes start now.")),
    (("add_to_list", "shopping_list_add", "add_item", "put_on_list"), ("Adds something to the shopping list", "Put an item on the list"), ("item", "amount"),
     ("Put {amount} of the {item} on my list.", "Add {item}, {amount} of them.", "I need {amount} times {item}.", "Shopping list: {item}, {amount}.", "We are out of {item}. Add {amount}."),
     ({"added": "{item}"}, {"status": "ok"}, "ok"), ("I have put it on the list: {item}, {amount}.", "{item}, {amount}: it is on your list.", "Done, the list has {amount} of the {item} now.")),
    (("translate", "translate_text", "translation", "say_in"), ("Translates a text", "Says something in another language"), ("phrase", "language"),
     ('How do I say "{phrase}" in {language}?', 'Translate "{phrase}" into {language}.', 'What is "{phrase}" in {language}?', '"{phrase}", in {language}, please.'),
     ({"translation": "{=n}"}, {"text": "{=n}", "language": "{language}"}, "{=n}"), ('In {language} it is "{=n}".', '"{phrase}" is "{=n}" in {language}.', 'You say "{=n}".')),
    (("add_reminder", "remind_me", "create_reminder", "reminder"), ("Creates a reminder", "Reminds of something on a day"), ("doing", "day"),
     ("Remind me to {doing} on {day}.", "On {day} I must {doing}. Remind me.", "Please make a reminder: {doing}, {day}.", "I forget everything. {day}: {doing}."),
     ({"id": "{=t}", "status": "saved"}, {"ok": True}, "saved"), ("I will remind you to {doing} ({day}).", "Saved: {doing}, {day}.", "The reminder is there: {doing}.")),
    (("switch_light", "light_on", "turn_on_light", "lamp"), ("Switches on the light in a room", "Turns on a lamp"), ("room",),
     ("Turn on the light in the {room}.", "It is dark in the {room}.", "Light in the {room}, please.", "Switch the {room} lamp on.", "I can't see anything in the {room}. Some light, please."),
     ({"room": "{room}", "light": "on"}, {"status": "on"}, "on"), ("The light in the {room} is on.", "Now the {room} is bright.", "Done: the lamp in the {room} is on.")),
    (("draw", "draw_picture", "paint", "make_picture"), ("Draws a picture", "Paints an animal in a color"), ("animal", "colour"),
     ("Draw {a_animal} in {colour}.", "I want a picture of {a_animal}, {colour} please.", "Paint {a_animal}. It should be {colour}.", "Can you draw a {colour} {animal}?"),
     ({"file": "{animal}.png"}, {"picture": "{animal}_{=t}"}, "done"), ("Here is your {colour} {animal}.", "The picture of the {colour} {animal} is ready.", "I have drawn {a_animal} in {colour}.")),
    (("define_word", "dictionary", "lookup_word", "spell_word"), ("Looks up a word", "Spells a word"), ("word",),
     ('Look up "{word}".', 'Is "{word}" in the dictionary?', 'Find the word "{word}" for me.', "Look for {word} in the dictionary."),
     ({"found": True}, {"word": "{word}", "entries": "{=t}"}, "found"), ('Yes, "{word}" is there.', 'I found "{word}".', 'The word "{word}" is in the dictionary.')),
    (("send_message", "send_letter", "message", "write_to"), ("Sends a message to somebody", "Sends a short letter"), ("person", "phrase"),
     ('Write to {person}: "{phrase}".', 'Send {person} a message: "{phrase}".', 'Tell {person} "{phrase}".', 'A letter to {person}, please. It says "{phrase}".'),
     ({"sent": True}, {"status": "sent", "id": "{=t}"}, "sent"), ("The message to {person} is sent.", 'I told {person}: "{phrase}".', "{person} has your message.")),
    (("add_numbers", "plus", "sum", "calculate_sum"), ("Adds two numbers", "The sum of two numbers"), ("a", "b"),
     ("What is {a} plus {b}?", "{a} + {b}", "Add {a} and {b}.", "How much is {a} and {b}?", "I have {a} apples and get {b} more. How many are that?"),
     ({"sum": "{=s}"}, {"result": "{=s}"}, "{=s}"), ("{a} plus {b} is {=s}.", "That makes {=s}.", "The sum is {=s}.")),
    (("find_book", "search_library", "books", "library"), ("Finds a book", "Looks for books about something"), ("topic",),
     ("Find me a book about {a_topic}.", "Is there a book on the {topic}?", "I want to read about {a_topic}.", "Which book has {a_topic} in it?"),
     ({"title": "The {topic} and the {=w} day", "shelf": "{=t}"}, {"books": "{=t}"}, "found"), ("Yes, there is a book about {a_topic}.", "I found one about {a_topic}.", "The library has a book about the {topic}.")),
    (("play_song", "play_music", "music", "sing"), ("Plays music for a room", "Plays a song"), ("room", "minutes"),
     ("Play music in the {room} for {minutes} minutes.", "{minutes} minutes of music in the {room}, please.", "I want to dance in the {room} for {minutes} minutes. Music!"),
     ({"playing": True}, {"status": "playing"}, "playing"), ("There is music in the {room} for {minutes} minutes.", "The music plays in the {room} now.", "Enjoy the music in the {room}!")),
]


class Kind:
    """A tool of one of these kinds under one of its names."""

    def __init__(self, r, kind):
        names, about, self.slots, self.asks, self.results, self.answers = kind
        self.name = r.choice(names)
        self.keys = {}
        for slot in self.slots:
            self.keys[slot] = r.choice([k for k in SLOTS[slot][0] if k not in self.keys.values()])
        self.optional = {self.slots[-1]} if len(self.slots) > 1 and self.slots[-1] == "amount" and r.random() < 0.3 else set()
        properties = {}
        for slot in r.sample(self.slots, len(self.slots)):
            properties[self.keys[slot]] = {"type": SLOTS[slot][1]}
            if r.random() < 0.6:
                properties[self.keys[slot]]["description"] = SLOTS[slot][2]
        parameters = {"type": "object", "properties": properties, "required": [self.keys[s] for s in self.slots if s not in self.optional]}
        function = {"name": self.name, "description": r.choice(about), "parameters": parameters}
        self.schema = {"type": "function", "function": function}
        self.order = [slot for key in properties for slot in self.slots if self.keys[slot] == key]

    def turn(self, r):
        """A request, the call, what came of it, the answer."""
        values = {slot: SLOTS[slot][3](r) for slot in self.slots}
        fill = {**values, "=w": r.choice(WEATHER), "=t": str(r.randint(2, 30)), "=n": " ".join(beings.invented_word(r, 2) for _ in range(r.choice((1, 2, 3)))), "=s": str(values.get("a", 0) + values.get("b", 0))}
        fill.update({f"a_{slot}": article(values[slot]) for slot in ("animal", "topic") if slot in values})

        def filled(form):
            if isinstance(form, dict):
                return {k: filled(v) for k, v in form.items()}
            if not isinstance(form, str):
                return form
            for slot, value in fill.items():
                form = form.replace("{" + slot + "}", str(value))
            return int(form) if form.isdigit() else form
        arguments = {self.keys[slot]: values[slot] for slot in self.order}
        given = filled(r.choice(self.results))
        ask, told = str(filled(r.choice(self.asks))), str(filled(r.choice(self.answers)))
        if r.random() < 0.08:
            ask = ask.lower() if not any(isinstance(v, str) and v != v.lower() for v in values.values()) else ask.rstrip(".?!")
        return [user(ask), call((self.name, arguments)), result(given if isinstance(given, dict) else str(given)), answer(told[0].upper() + told[1:])]


def some(r, count):
    return [Kind(r, kind) for kind in r.sample(KINDS, count)]
