# SPDX-License-Identifier: MIT
"""Books of Project Gutenberg, chapter by chapter: children's by their titles, novels by how plain they are. All are in the public domain there."""
import re
from multiprocessing import Pool

from .clean import kind, paragraphs, readable

REPOSITORY = "LuEE-C/FewShotAuthorClassificationMetaLearning"
TEXTS = "Gutenberg/txt/"
FOLK = "templeoflum/mythic-library"    # of which only these two are what they are called
FOLK_TALES = ["texts/indian/joseph-jacobs-fairy-tales/normalized/joseph-jacobs-fairy-tales_gutenberg.txt", "texts/germanic/grimms-fairy-tales/normalized/grimms-fairy-tales_gutenberg.txt"]
# Author -> (how often a chapter is shown among the others, the books). The first are for small children, the last for those of twelve.
BOOKS = {
    "Thornton Waldo Burgess": (3, r"(?!The Boy Scouts)"),
    "Beatrix Potter": (3, r"(?!Cecily)"),
    "Andrew Lang": (2, r"The \w+ Fairy Book|Prince (Prigio|Ricardo)|The Gold Of Fairnilee|The Arabian Nights|Tales of Troy"),
    "Lyman Frank Baum": (2, r"(?!Aunt Jane|Mary Louise)"),
    "Rudyard Kipling": (2, r"Just So|The (Second )?Jungle Book"),
    "Lewis Carroll": (2, r"Alice's Adventures in|Through the Looking"),
    "James Matthew Barrie": (2, r"Peter"),
    "Howard Pyle": (2, r"Pepper|Twilight|Otto|The Merry"),
    "Nathaniel Hawthorne": (2, r"A Wonder Book for|Tanglewood|Little Daffy|The (Paradise of|Miraculous|Three Golden|Snow-Image|Gorgon)"),
    "Oscar Wilde": (2, r"The Happy Prince|A House of|The Canterville"),
    "Frank Richard Stockton": (2, r"The Bee-Man|The Floating|Ting|The Magic Egg"),
    "Charles Kingsley": (1, r"The Heroes|The Water-Babies"),
    "Louisa May Alcott": (1, r"Flower|Lulu|The Candy|Jack and|Little|Eight|Under the|Aunt Jo|A Modern C|Spinning|An Old-f|Marjorie|May Fl|Jo's"),
    "William J Long": (1, r"(?!English|Outlines)"),
    "Jacob Abbott": (1, r"Rollo|Georgie|Caleb|Jonas|Mary Erskine|Forests|Stuyvesant|Marco"),
    "Walter de la Mare": (1, r"The Three"),
    "Lucy Maud Montgomery": (1, r""),
    "James Otis": (1, r""),
    "Edward Stratemeyer": (1, r""),
}
MORE = {"Lyman Frank Baum": (1, r"Aunt Jane|Mary Louise")}
PICTURE = re.compile(r"(Full page )?line-art drawing\.?|\(?\d+\)?|Frontispiece", re.I)
NO_STORY = re.compile(r"preface|introduct|contents|plates|list of|price|publish|dunlap|company|advertis|dictionary|\bseries\b|notes|appendix|index|by the same|dedicat", re.I)
HEADING = re.compile(r"^(chapter|story|book|part)?\s*[\divxlc]+\b[.: ]|^(chapter|story)\b|^[ivxlc]+\.?$", re.I)


def is_heading(line):
    if len(line) > 80 or line.endswith((",", ";")):
        return False
    letters = [c for c in line if c.isalpha()]
    return bool(letters) and (sum(c.isupper() for c in letters) > 0.8 * len(letters) or bool(HEADING.match(line)) and not line.endswith(('"', ".")))


def chapters(text):
    """(heading, its paragraphs)"""
    heading, lines = "", []
    for line in paragraphs(text):
        if PICTURE.fullmatch(line):
            continue
        if is_heading(line):
            if lines:
                yield heading, lines
                heading, lines = "", []
            heading = re.sub(HEADING, "", line).strip(" .:-") or heading
        elif readable(line):
            lines.append(line)
    if lines:
        yield heading, lines


def author_and_title(name):
    author, _, title = name.removeprefix(TEXTS).removesuffix(".txt").partition("___")
    return author, title


def books(mirrors):
    repository = mirrors(REPOSITORY)
    names, wanted = repository.names(TEXTS), {}
    for table in (BOOKS, MORE):
        for author, (often, titles) in table.items():
            for name in names:
                who, title = author_and_title(name)
                if who == author and re.match(titles, title):
                    wanted.setdefault(name, (often, title))
    for name, text in repository.read(sorted(wanted)):
        yield from told("books", wanted[name][0], chapters(text))
    for _, text in mirrors(FOLK).read(FOLK_TALES):
        yield from told("folk tales", 2, chapters(text))


def told(source, often, found, least=1200):
    """Records of those chapters (heading, lines) that tell something and are long enough."""
    for heading, lines in found:
        lines[0] = re.sub(r"^[A-Z]{2,}\b(?= [a-z])", lambda found: found.group().capitalize(), lines[0])
        whole = "\n\n".join(lines)
        digits = sum(c.isdigit() for c in whole)
        if len(whole) > least and digits < 0.006 * len(whole) and not NO_STORY.search(heading) and kind(whole):
            yield dict(source=source, often=often, title=title_case(heading), text=whole)


def title_case(heading):
    small = {"a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with", "who", "his", "her"}
    words = heading.split()
    if not words or len(heading) > 50 or not heading.isupper():
        return heading if len(heading) <= 50 else ""
    return " ".join(w.lower() if i and w.lower() in small else w.capitalize() for i, w in enumerate(words))


MOST_YEARS = 8           # of school
SPEECH = 1 / 400         # quotation marks, of all signs: what has fewer tells no story


def years_of_school(text):
    """The automated readability index (Smith and Senter, 1967): long words and long sentences ask for more years of school."""
    words, ends = text.count(" ") + 1, len(re.findall(r"[.!?][\"']?(?=\s|$)", text))
    return 4.71 * sum(map(str.isalnum, text)) / words + 0.5 * words / max(1, ends) - 21.43


def plain_chapters(asked):
    """Of one book, those that tell in plain words."""
    repository, name = asked
    return [record for _, text in repository.read([name]) if years_of_school(text) < MOST_YEARS + 3 for record in told("novels", 1, chapters(text))
            if years_of_school(record["text"]) < MOST_YEARS and record["text"].count('"') > SPEECH * len(record["text"])]


def novels(mirrors):
    """Of all authors but those of children's books, of whose books the best are there already."""
    repository = mirrors(REPOSITORY)
    with Pool() as pool:
        for found in pool.imap(plain_chapters, [(repository, name) for name in repository.names(TEXTS) if author_and_title(name)[0] not in BOOKS], chunksize=8):
            yield from found
