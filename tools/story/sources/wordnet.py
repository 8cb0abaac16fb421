# SPDX-License-Identifier: MIT
"""What everyday things are kinds of: a heron a bird, a bird an animal. Of Open English WordNet, for words that the stories written by hand have."""
import re
from collections import Counter

from text.lexicon import DETERMINERS, NUMBERS
from text.records import all_stories

OFTEN = 3                # a word occurs so often there
THINGS = 0.3             # of these times, at least, behind one of BEFORE or behind a word that is: others are mostly verbs or adjectives
BEFORE = DETERMINERS | NUMBERS | {"your", "many", "of"}
# Kinds that somebody would name, by the file that has them; in () as WordNet has them, where that is not what people say. What is above them says nothing: artifact, entity.
NAMED = """Tops: animal, plant
animal: bird, insect, fish, snake, dog, horse, reptile, young animal (young)
plant: tree, bush (shrub), flower
food: fruit (edible fruit), vegetable, drink (beverage), meat, sweet, cake, bread
artifact: building, house, room, road, shop, container, vehicle, boat, ship, tool, weapon, toy (plaything), musical instrument, piece of furniture (furniture), seat,\
 piece of clothing (clothing), coat (overgarment), cloth (fabric), machine, kitchen thing (kitchen utensil), lamp, piece of jewellery (jewelry), bag, box
substance: metal (metallic element)
object: body of water
person: relative, ruler, musician, shopkeeper (merchant), criminal
phenomenon: weather
attribute: colour (color)
time: season
act: game, sport"""
FILES = dict(line.split(": ") for line in NAMED.splitlines())
# Of these the stories mostly mean something else.
NOT = set("""admiral alley arak ark auction bale bar beef beer bill billy blinks booth bowling bowls brandy bumper bunk cab cards chess child clam climber clocks
cob comma counter cutter das dipper drawers drill drone electric emperor empty entire father female fisher floating galley gear ghoul giant green
guinea gum head hearts hind hood hoops hose human iceberg ironing jack jet jolly jumping khan kiosk kiss kit loon lord lower lug main marrow mayoress mum
nap narrow numbers nutcracker nymph overall partner peacock pet pin poke pop prey puff queen rack rag ram rank royal runner sail service set shallow
shipwreck singles sling slug smoother snap snowball snowflake soldier spirits stall stalls stout stray tails tank tender threads ties toast trumpets
tuna upper vanilla wallow weaver weeds wig wine young""".split())


def blocks(text):
    """(name, the lines below it) of a file in YAML, all of which are laid out alike."""
    for block in re.split(r"^(?=\S)", text, flags=re.MULTILINE):
        name, _, rest = block.partition(":\n")
        yield name.strip("'\""), rest


def listed(block, key):
    found = re.search(rf"^  {key}:\n((?:  - .*\n)+)", block, re.MULTILINE)
    return [line[4:].strip("'\"") for line in found.group(1).splitlines()] if found else []


def everyday():
    """Words of the stories that are things, most likely."""
    words = re.findall(r"[a-z]+", " ".join(story["text"] for _, _, story in all_stories()))
    uses = Counter(words)
    things = Counter(word for before, between, word in zip(["", *words], words, words[1:]) if between in BEFORE or before in BEFORE)
    both = lambda counted, word: counted[word] + counted[word + "s"]
    return {word for word in uses if both(uses, word) >= OFTEN and both(things, word) >= THINGS * both(uses, word)} - NOT


def meant(meanings):
    """Of the kinds of each meaning, the most usual one first, those that a story means: a chicken is a bird before it is meat, a carrot a vegetable before it is a root."""
    for kind, most in (("animal", 2), ("vegetable", 4), ("fruit", 4)):
        for kinds in meanings[:most]:
            if kind in kinds:
                return kinds
    return meanings and meanings[0] or next((kinds for kinds in meanings[:2] if "tree" in kinds), [])


def kinds(mirrors):
    """{"sections": [word, its kind, the kind above that, ...]}, the nearest first."""
    repository, words = mirrors("globalwordnet/english-wordnet"), everyday()
    above, said = {}, {}
    for path, text in repository.read([f"src/yaml/noun.{file}.yaml" for file in FILES]):
        named = {there or here: here for here, there in re.findall(r"([a-z ]+?)(?: \(([a-z ]+)\))?(?:, |$)", FILES[path.split(".")[-2]])}
        for synset, block in blocks(text):
            above[synset] = listed(block, "hypernym")
            if (first := next(iter(listed(block, "members")), None)) in named:
                said[synset] = named[first]

    def of(synset):
        found, now, seen = [], [synset], set()
        while now:
            seen.update(now)
            found += [said[each] for each in now if each in said and each != synset]
            now = [up for each in now for up in above.get(each, ()) if up not in seen]
        return sorted(dict.fromkeys(found), key=lambda kind: kind in FILES["Tops"].split(", "))
    for _, text in repository.read([f"src/yaml/entries-{letter}.yaml" for letter in "abcdefghijklmnopqrstuvwxyz"]):
        for word, block in blocks(text):
            if word in words:
                nouns = [part for part in re.split(r"^  (?=\w)", block, flags=re.MULTILINE) if part.startswith("n")]
                if found := meant([of(synset) for part in nouns for synset in re.findall(r"synset: (\S+)", part)]):
                    yield {"source": "wordnet", "sections": [word, *found], "held": False}
