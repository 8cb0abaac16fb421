# SPDX-License-Identifier: MIT
"""Small events before the plot begins, so that any opening can lead into a tale."""
from .guests import G
from .templates import expand

# small events before the plot begins (so that any opening can lead into a story)
ADJ = "big small tiny shiny old new red blue green yellow golden funny strange beautiful little round huge pretty broken white black wooden soft bright".split()
EV_OBJ = ["{S} {saw} a {j} {g} {w}. It was [very {j2}|the {j2} thing in the {place}|not like any other {g}]. {react}", "{S} found a {j} {g} {w}. \"[Look at that|What is this|How pretty]!\" {said}. {react}",
          "{S} wanted a {g}. {S0} [thought about it all day|looked everywhere, but there was none]. {react0}", "{S} had a {j} {g}. {S0} [played with it all morning|liked it very much|showed it to everyone]. {react0}",
          "{S} [got|was given] a {j} {g}. [It was just right.|It was a surprise.] {react0}"]
EV_ANIMAL = ["{S} met a {j} {g} {w}. The {g} [said hello|looked sad|was very friendly|ran away]. {react0}", "{S} {saw} a {j} {g} {w}. It was [looking for food|asleep|singing]. {react0}", "A {j} {g} came {w0}. \"[Hello|Good morning]!\" it said. {react0}"]
EV_FOOD = ["{S} [ate|shared] some {g} {w}. [It tasted good.|It was delicious.] {react0}", "{S} wanted some {g}. {His} {a} gave {P} [a little|a lot]. {react0}"]
EV_PLACE = ["{S} went to the {g}. [It was very quiet there.|There was nobody there.|It was full of people.] {react0}", "{S} walked past a {j} {g}. {S0} [looked inside, but it was dark|stopped to look]. {react0}"]
EV_PERSON = ["{S} met a {g} {w}. [They talked for a while.|\"Good morning!\" said the {g}.] {react0}", "A {g} came to the door and [asked for some water|brought a letter|wanted to know the way]. {react0}"]
REACT = ["{S0} [picked it up|looked at it for a long time|took it home|put it back|left it there]. {react0}", "{react0}"]
REACT0 = ["Then {s0} went on.", "After that, {s0} went home.", "{S0} smiled.", "It was a [nice|strange|good] morning.", "{S0} laughed and walked on.", "But that was only the beginning.", "Then it was time for lunch.", "", "{S0} told {his} {a} about it.", "And then something else happened."]
NEXT = ["The next day", "A little later", "Then, one day", "The day after that", "Soon after", "Later that day", "In the afternoon", "Not long after that", "That evening", "A few days later"]


def event(r, v, pair):
    k = r.choice(["obj"] * 5 + ["animal"] * 2 + ["food", "place", "person"])
    g = r.choice(G[k])
    t = r.choice(dict(obj=EV_OBJ, animal=EV_ANIMAL, food=EV_FOOD, place=EV_PLACE, person=EV_PERSON)[k])
    day = r.choice(["One day, ", "One morning, ", "One day, ", "", "One afternoon, ", "One {fine} day, ", "Every day, " if "{saw}" in t and r.random() < 0.1 else "One day, "])
    s0 = "they" if pair else v["he"]
    subj = r.choice(["they", v["N"] + " and " + v["M"]]) if pair else r.choice([v["N"], v["N"], v["he"]])
    vv = dict(v, g=g, S=subj, S0=s0.capitalize(), s0=s0, P="them" if pair else v["him"], j=r.choice(ADJ), j2=r.choice(["shiny", "strange", "pretty", "new", "old"]), saw=r.choice(["saw", "saw", "found", "noticed"]),
              w=r.choice(["in the {place}", "near the {spot}", "on the road", "under a tree", "in the grass", "by the door", "behind the house", "on the way home", "", "in the garden", "at the window"]),
              w0=r.choice(["by", "to the window", "along the road", "out of the bushes"]), said=r.choice(["said " + v["N"], s0 + " said", "cried " + v["N"]]),
              react=r.choice(REACT), react0=r.choice(REACT0))
    vv["his"] = "their" if pair else v["his"]
    if day and t.startswith("A "):
        t = "a " + t[2:]
    t = expand(r, day + t, vv)
    t = t.replace("the new thing in", "the newest thing in").replace("the old thing in", "the oldest thing in").replace("the shiny thing in", "the shiniest thing in").replace("the strange thing in", "the strangest thing in").replace("the pretty thing in", "the prettiest thing in")
    return t[:1].upper() + t[1:]
