# SPDX-License-Identifier: MIT
"""What was written for this by hand, in written/: stories with what people would ask about them (questions, facts as JSON, other tellings), and requests beside
tools, some of which call one."""
import re

from . import beings, evidence, exchanging, extracting, people, quizzing, rewriting, wholes, wishes
from .chat import answer, call, dumps, result, segments, user
from .natural import pasted
from .pointing import SENTENCE, WORD, put, said, styled
from .records import changed, requests, sentences, tools
from .referents import BOYS, GIRLS
from .rewording import reworded
from .talk import system

TALKED = 0.25            # of the questions on a story that has talks
QUIZ, TO_ANSWER = 0.1, 0.12    # of these begin with questions that are to be asked; of questions that lean on none before are asked for by what answers them
REWORDED = 0.4           # of questions are, if they can be, asked in one or two other words than they were written in
ALIKE, HIDDEN = 1.5, 4    # times as often as others are asked that several sentences answer by their words, or another one
AT_ONCE = 0.3            # of several questions the first ones are in one message, so that the text is read again with all of them known
# How many questions at once. Who asks has mostly one; but each one more costs 45 tokens where the text, which stands there twice, costs 700, and one run that asked two
# at a time saw each question one and a half times: of those it had 72 of 100 right, of others 53.
ASKED = (1, 1, 2, 4, 8, 12)
TITLE = """Give it a title.|What would be a good title?|A title, please.|What should the story be called?|Find a title for this story.|Can you think of a title?|Suggest a title.|It has no title yet. Make one.|Name the story.|Title?""".split("|")
CALLS, TOLD = 0.12, 0.25    # of the documents: requests beside tools; stories that are asked for
# The richer and longer ones are beyond a model of 51 M parameters: of 30 stories by one that was told them, four were nonsense in their manner.
PLAIN_WORDS = 170
ASKED_OF, AS_JSON = 0.56, 0.26    # of the others: questions; JSON
EXCHANGED = 0.5          # of these are about other things than the story was written with
WRAPPED = 0.7            # of the requests have their tools in OpenAI's form, as templates get them; else bare
TOLD_AS_JSON = 0.15      # of what a tool gave as an object
OBJECTS = (1, 1, 2, 4)   # of JSON at once
NAMES = {"names", "characters", "people", "persons", "animals", "friends", "children"}


def other_names(r, record):
    """Names of a story -> other ones, also of those that are nobody else's."""
    text = dumps(record)
    names = wholes.other_names(r, record["text"])
    listed = {value for fact in record["facts"] if NAMES & set(fact["keys"]) and isinstance(fact["value"], list) for value in fact["value"]}
    for name in sorted(n for n in listed if re.fullmatch(r"[A-Z][a-z]+", n) and n not in GIRLS | BOYS and not re.search(r"\b%s\b" % n.lower(), text)):
        new = beings.invented_name(r)
        if new not in text and new not in names.values():
            names[name] = new
    return names


def rather_hidden(r, record, count):
    """So many of its questions, rather those whose sentence no search for their words would find: another one shares as many of them, or more (of all that were written 40 and 29 %)."""
    stems = [evidence.stems(line) for line in sentences(record["text"])]

    def chance(pair):
        asked = evidence.stems(pair["ask"])
        own, others = len(asked & evidence.stems(pair["line"])), sorted(len(asked & words) for words in stems)
        return HIDDEN if others[-1] > own else ALIKE if others[-2:] == [own, own] else 1
    return sorted(record["asked"], key=lambda pair: r.random() ** (1 / chance(pair)), reverse=True)[:count]


def turn(r, pair):
    """One question and its answer, mostly with the sentence that shows it."""
    ask, says, line, x = reworded(r, pair["ask"], REWORDED), said(pair["says"], ""), pair["line"], r.random()
    if x < 0.1:
        return [user(styled(r, ask, SENTENCE, wishes.QUESTION_SENTENCE)), answer(line)]
    if x < 0.25:
        return [user(styled(r, ask, WORD, wishes.QUESTION_BRIEF)), answer(says)]
    fits = line.count(" ") < evidence.MOST_WORDS and line.count(" ") + says.count(" ") < 35
    return [user(put(r, ask)), answer(evidence.shown(line if fits else "", says))]


def at_once(r, turns):
    """The first questions in one message, answered one behind the other."""
    count, lead = r.choice((2, 2, 3, 4)), r.choice(("", "{}. ", "{}) "))
    asks, answers = ([lead.format(i) + message["content"] for i, message in enumerate(side, 1)] for side in zip(*turns[:count]))
    return [[user("\n".join(asks)), answer(("\n" if lead else "\n\n").join(answers))], *turns[count:]]


def questions(r, record):
    """Some of its questions, or a talk in which each leans on the one before."""
    if record.get("talks") and r.random() < TALKED:
        turns = [turn(r, pair) for pair in r.choice(record["talks"])]
    else:
        turns = [quizzing.to_answer(r, pair) if r.random() < TO_ANSWER else turn(r, pair) for pair in rather_hidden(r, record, r.choice(ASKED))]
        if len(turns) > 1 and r.random() < AT_ONCE:
            turns = at_once(r, turns)
    begins = quizzing.quiz(r, record["asked"]) if r.random() < QUIZ else []
    return begins + [message for both in turns for message in both]


# How a schema is given with what is wanted in words ({a}); whoever holds an answer to it need not say it.
SCHEMA = ("{a} {s}", "{a}\n{s}", "{a}\nSchema: {s}", "{s}\n{a}", "{a} Answer in JSON to this schema: {s}", "{a} As JSON: {s}", "Use this schema: {s}\n{a}", "{a} Reply with an object that fits {s}")
NO_SCHEMA = ("{a}", "{a} As JSON, please.", "{a} (JSON)", "{a} Answer in JSON.", "JSON only: {a}")


# And where it is its names alone that are given ({k}).
KEYS = ("{a} JSON, please, with {k}.", "{a} As JSON. Keys: {k}", "{a} Use {k} as keys of a JSON object.", "{a} Put it into JSON with the keys {k}.", "A JSON object with {k}: {a}", "{a} ({k}, as JSON)")


def by_schema(r, task):
    form = r.choice(r.choices((SCHEMA, KEYS, NO_SCHEMA), (4, 3, 3))[0])
    keys = people.listed([f'"{key}"' for key in task["value"]])
    return [user(form.format(a=task["ask"], s=dumps(task["schema"]), k=keys)), answer(dumps(task["value"]))]


KINDS = {str: {"type": "string"}, int: {"type": "integer"}, list: {"type": "array", "items": {"type": "string"}}}


def as_json(r, record):
    """Requests for what a schema asks for, for some facts and for some answers, as JSON."""
    tasks = r.sample(record.get("tasks", ()), len(record.get("tasks", ())))
    talk = []
    for _ in range(r.choice(OBJECTS)):
        if tasks and (r.random() < 0.5 or not record["facts"]):
            talk += by_schema(r, tasks.pop())
        elif record["facts"]:
            talk += other_object(r, record)
    return talk or questions(r, record)


def other_object(r, record):
    """A request for some facts, or some answers, as JSON, and the object."""
    made = people.as_json(r, record["text"], r.sample(record["asked"], r.choice((1, 1, 2, 3)))) if r.random() < 0.3 else None
    if made:
        return [user(made[0]), answer(made[1])]
    properties, value = {}, {}
    for fact in r.sample(record["facts"], min(len(record["facts"]), r.choice((1, 2, 2, 3, 3, 4)))):
        key = r.choice(fact["keys"])
        properties[key], value[key] = KINDS[type(fact["value"])], fact["value"]
    what = ["the " + key.replace("_", " ") for key in value]
    return [user(extracting.wish(r, properties, what, [key.replace("_", " ") for key in value])), answer(dumps(value))]


def told_again(r, record):
    """A title, a summary, a shorter one, another ending, another voice."""
    tasks = [(r.choice(TITLE), record["title"]), (r.choice(rewriting.ONE_LINE), record["summary"]), (r.choice(rewriting.SHORTER), record["shorter"]),
             (r.choice(rewriting.ENDING), record["ending"]), (r.choice(rewriting.VOICE).format(w=record["voice"]["who"]), record["voice"]["text"])]
    return [message for ask, says in r.sample(tasks, r.choice((1, 1, 2))) for message in (user(ask), answer(says))]


def other_numbers(r, record):
    """The request and its arguments with other numbers, of those that stand in it once, in digits."""
    ask, arguments = record["ask"], dict(record["call"]["arguments"])
    schema = tools()[record["call"]["name"]]["parameters"]["properties"]
    for name, value in arguments.items():
        if type(value) is not int or value < 2 or "enum" in schema[name]:
            continue
        digits = re.compile(rf"(?<![\w.,:/-]){value}(?![\w.,:/-])")
        if len(digits.findall(ask)) == 1:
            low = max(2, schema[name].get("minimum", 2))
            arguments[name] = r.randint(low, max(low, min(schema[name].get("maximum", 10**9), max(12, 2 * value))))
            ask = digits.sub(str(arguments[name]), ask)
    return ask, arguments


def some_of(r, given):
    """Some of what a tool gave as an object, as JSON; None where it gave none."""
    values = {key: value for key, value in given.items() if isinstance(value, (str, int, float))} if isinstance(given, dict) else {}
    if not values or "error" in values:
        return None
    return dumps({key: values[key] for key in r.sample(sorted(values), r.randint(1, len(values)))})


def rearranged(r, tool, given):
    """The tool with its choices in another order, and some left out that are not given."""
    def choices(schema):
        kept = [one for one in schema["enum"] if one in given or r.random() < 0.8] or schema["enum"]
        return {**schema, "enum": r.sample(kept, len(kept))}
    parameters = tool["parameters"]
    return {**tool, "parameters": {**parameters, "properties": {name: choices(schema) if "enum" in schema else schema for name, schema in parameters["properties"].items()}}}


def other_things(r, ask, wanted, offered):
    """A request, its call and the tools with other animals, things and colours: what can be chosen has to be read then, and cannot be known by heart."""
    out = exchanging.exchange(r, {"text": f"{ask} {dumps(offered)}", "facts": [], "tasks": [{"value": wanted}], "ask": ask, "schema": offered})
    return out["ask"], out["tasks"][0]["value"], out["schema"]


def beside_tools(r, held):
    """A request; the call that it asks for, what the tool gives and what is said then; or what is said without one."""
    record = r.choice(requests(held))
    kinds, wanted, ask = r.sample(record["tools"], len(record["tools"])), record["call"], record["ask"]
    # what a tool has given was written for the arguments as they are
    told = wanted and r.random() < 0.5
    if wanted and r.random() < 0.3:
        kinds = [kind for kind in kinds if kind == wanted["name"] or r.random() < 0.5]
    offered = [rearranged(r, tools()[kind], list(wanted["arguments"].values()) if wanted else []) for kind in kinds]
    if wanted and not told:
        ask, arguments = other_numbers(r, record)
        wanted = {"name": wanted["name"], "arguments": arguments}
        is_said = all(value.lower() in ask.lower() for value in arguments.values() if isinstance(value, str))
        if is_said and r.random() < EXCHANGED:      # else what is meant is inferred: yellow from a lemon
            ask, wanted, offered = other_things(r, ask, wanted, offered)
    as_object = some_of(r, record["result"]) if told and r.random() < TOLD_AS_JSON else None
    messages = [user(r.choice(NO_SCHEMA[1:]).format(a=ask) if as_object else ask)]
    messages.append(call((wanted["name"], wanted["arguments"])) if wanted else answer(record["say"]))
    if told:
        messages += [result(record["result"]), answer(as_object or record["then"])]
    if r.random() < WRAPPED:
        offered = [{"type": "function", "function": tool} for tool in offered]
    return segments(system(r) + messages, offered)


def written(r, known, held=False):
    """A conversation about one of the `known` stories, or beside tools."""
    if r.random() < CALLS:
        return beside_tools(r, held)
    record = r.choice(known)
    if r.random() < 0.75:
        names = other_names(r, record)
        record = changed(lambda text: wholes.renamed(names, text), record)
    if r.random() < TOLD and record.get("wishes") and record["text"].count(" ") < PLAIN_WORDS:
        return segments(system(r) + [user(r.choice(record["wishes"])), answer(record["text"])])
    x = r.random()
    if x < ASKED_OF + AS_JSON and r.random() < EXCHANGED:
        record = exchanging.exchange(r, record)
    way = questions if x < ASKED_OF else as_json if x < ASKED_OF + AS_JSON else told_again if "title" in record else questions
    talk = way(r, record)
    return pasted(r, record["text"], talk, told=True, read=False)      # by heart they would soon be known, being few
