# SPDX-License-Identifier: MIT
"""Children's books of Project Gutenberg: those that have a repository each, and those of a few authors. All are in the public domain there."""
import re

from .books import chapters, told

OWNER = "GITenberg"
READERS = ("McGuffey-s-First-Eclectic-Reader-Revised-Edition_14640", "McGuffey-s-Second-Eclectic-Reader_14668", "McGuffey-s-Third-Eclectic-Reader_14766", "Fifty-Famous-Stories-Retold_18442",
           "Old-Greek-Stories_11582")
SMALL = ("Uncle-Wiggily-s-Adventures_15281", "Uncle-Wiggily-s-Travels_15282", "Raggedy-Ann-Stories_18190", "The-Tale-of-Fatty-Coon_5701", "The-Velveteen-Rabbit_11757", "Stories-to-Tell-to-Children_473",
         "The-Story-of-the-Three-Little-Pigs_18155", "The-Adventures-of-Pinocchio_500", "The-Dutch-Twins_4012", "The-Eskimo-Twins_3774", "The-Japanese-Twins_3496", "The-Belgian-Twins_3642",
         "The-Spartan-Twins_9966", "The-Counterpane-Fairy_3230", "The-Adventures-of-Maya-the-Bee_22354", "Japanese-Fairy-Tales_4018", "Old-Peter-s-Russian-Tales_16981", "Celtic-Fairy-Tales_7885",
         "Indian-Fairy-Tales_7128", "More-English-Fairy-Tales_14241", "The-Chinese-Fairy-Book_29939", "Fairy-Tales-Every-Child-Should-Know_14916", "The-Adventures-of-Reddy-Fox_1825", "Twilight-Land_1751",
         "The-Blue-Fairy-Book_503", "Popular-Tales-from-the-Norse_8933")
LARGER = ("McGuffey-s-Fourth-Eclectic-Reader_14880", "At-the-Back-of-the-North-Wind_225", "Black-Beauty_271", "Five-Little-Peppers-and-How-They-Grew_2770", "Five-Little-Peppers-Midway_5632", "Heidi_1448",
          "Just-David_440", "Pollyanna_1450", "Pollyanna-Grows-Up_6100", "Rebecca-of-Sunnybrook-Farm_498", "Swiss-Family-Robinson_3836", "The-Birds-Christmas-Carol_721", "The-Light-Princess_697",
          "The-Little-Colonel-s-Hero_15122", "The-Little-Lame-Prince_496", "The-Princess-and-Curdie_709", "The-Princess-and-the-Goblin_708", "The-Wind-in-the-Willows_289",
          "The-Wonderful-Adventures-of-Nils_10935", "Understood-Betsy_5347")
# (how often, the shortest chapter, the books)
SINGLE = ((3, 260, READERS), (3, 600, SMALL), (1, 1200, LARGER))

BY_AUTHOR = "rcdm-uga/Gutenberg_Text"
AUTHORS = {
    "Andersen, H. C.": (2, r"Andersen's|A Christmas|Fairy|Hans|Rudy|Stories|The Ice|Wonderful"),
    "Grimm, Jacob": (2, r"Grimm|Household|Snowdrop"),
    "Nesbit, E.": (2, r"(?!.*(Ballads|Lays|Poems|Songs|Incomplete|Daphne|House with|In Homespun|Literary|Red House|Grim|Man and|Something|Salome|Shakespeare|Dormant))"),
    "Burnett, Frances Hodgson": (2, r"A Little|Barty|Editha|Little (Lord Fauntleroy\.|Saint)|My Robin|Racketty|Sara|The (Cozy|Good Wolf|Land|Secret)|Two"),
    "Carroll, Lewis": (2, r"Alice in Wonderland, Retold"),
    "Baum, L. Frank": (1, r"Dot|Little Wiz|Mother Goose|Policeman|Prairie|Queen Z|The (Life and|Sea F|Surprising)|Twinkle"),
    "Potter, Beatrix": (3, r""),
    "Stevenson, Robert Louis": (1, r"Treasure Island"),
    "Twain, Mark": (1, r"The Prince and the Pauper(,|\.)"),
}
BEGIN = re.compile(r"\*\*\* ?START OF[^*]*\*\*\*|\*END\*? ?THE SMALL PRINT[^\n]*\n")
END = re.compile(r"\*\*\* ?END OF|End of (the |this )?Project Gutenberg", re.I)
NO_LESSON = re.compile(r"articulat|suggest|vocals|sounds|exercise|phrase|script|emphasis|punctuat|inflect|pronunc|glossary|transcrib|footnote", re.I)
PROSE = re.compile(r"[\"'A-Z].*[.!?][\"']?$", re.S)


def body(text):
    text = text.replace("\r", "")
    begins = list(BEGIN.finditer(text))
    text = text[begins[-1].end():] if begins else text
    return text[:end.start()] if (end := END.search(text)) else text


def lessons(text):
    """Its chapters' prose."""
    for heading, lines in chapters(body(text)):
        lines = [line for line in lines if PROSE.match(line) and "Proofread" not in line]
        if lines and not NO_LESSON.search(heading):
            yield heading, lines


def stories(source, often, least, text):
    for record in told(source, often, lessons(text), least):
        yield {**record, "title": record["title"] if re.search(r"[a-z]{2}", record["title"]) else ""}


def single_books(mirrors):
    for often, least, names in SINGLE:
        for name in names:
            repository, number = mirrors(f"{OWNER}/{name}"), name.rsplit("_", 1)[1]
            there = set(repository.names())
            for path, encoding in ((f"{number}-0.txt", "utf-8"), (f"{number}.txt", "utf-8"), (f"{number}-8.txt", "latin-1")):
                if path in there:
                    for _, text in repository.read([path], encoding):
                        yield from stories("readers" if names is READERS else "single books", often, least, text)
                    break
    repository = mirrors(BY_AUTHOR)
    wanted = {}
    for name in repository.names():
        author, _, title = name.partition("/")
        for who, (often, titles) in AUTHORS.items():
            if author.startswith(who) and title.endswith(".txt") and re.match(titles, title):
                wanted[name] = often
    for name, text in repository.read(sorted(wanted)):
        yield from stories("books by author", wanted[name], 1200, text)
