"""What can be counted and listed together besides tickets: the rows of one table, the files of a folder."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from prompts.language import terms
from prompts.other_languages import FRENCH, GERMAN, said_in_english
from prompts.regex import regex
from tree.retrieve.cell_values import NUMBER, kind_of_value
from tree.retrieve.fact_index import folded
from tree.store.places import document_around, unescape


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a document, in however many leaves its rows stand."""

    collection: str
    place: str  # of its document
    title: str  # of its document
    headings: tuple[str, ...]  # that it stands under, the title left out
    naming: str  # the column that names its rows, as it is written; empty where that has no name
    columns: tuple[str, ...]  # as they are written
    named_by: tuple[str, ...]  # relations (folded) of which each row has one: other leaves may name theirs by other columns

    @property
    def file(self) -> str:
        """The name of the file that it stands in."""
        return unescape(self.place.rpartition("/")[2])

    @property
    def called(self) -> str:
        """As people are told which one is meant: "tickets.csv", "fleet.md › Ships"."""
        return " › ".join((self.file, *self.headings[-1:]))


def tables_of(parts: Iterable[tuple[str, ...]]) -> dict[str, Table]:
    """By collection; `parts` are (collection, key, place of the leaf) of each leaf that holds rows of one. None of a table whose
    first row is data: nothing says what its rows are, and one of them would be missing."""
    found: dict[str, Table] = {}
    for collection, key, place in parts:
        *path, naming, header = key.split("\n")
        columns = tuple(header.split(" | "))
        named_by = (folded(naming),) if naming else tuple(map(folded, filter(None, columns)))
        if (table := found.get(collection)) is not None:
            found[collection] = replace(table, named_by=tuple(dict.fromkeys((*table.named_by, *named_by))))
        elif not _is_data([column for column in columns if column != naming]):
            title = path[0] if path else ""
            found[collection] = Table(collection, document_around(place), title, tuple(path[1:]), naming, columns, named_by)
    return found


_YEAR = regex(r"(?:19|20)\d\d(?: [a-z]+)?\Z", re.IGNORECASE)  # "2027", "2027 plan"


def _is_data(cells: Iterable[str]) -> bool:
    """Whether the cells beside the first are values, as "60 minutes" and "2 March" are. Not a series of one kind, as the years or
    the months are by which a table is laid out."""
    kinds = [NUMBER if _YEAR.match(cell) else kind for cell in cells if (kind := kind_of_value(cell)) is not None]
    return len(set(kinds)) > 1 or (len(kinds) == 1 and kinds[0] != NUMBER)


def folders_of(places: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """The places of folders by what their files may be called (terms): "incidents" by "incid". Not those of the sources."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for place in sorted(places):
        for noun in folder_nouns(place):
            found[noun].append(place)
    return {noun: tuple(some) for noun, some in found.items()}


def folder_nouns(place: str) -> frozenset[str]:
    """What the files of the folder at this place may be called (terms); nothing for other places, and for a source's own."""
    above, _, step = place[:-1].rpartition("/")
    return nouns_of(unescape(step)) if above and place.endswith("/") else frozenset()


# ---------------------------------------------------------------- what they are called

_LISTS = frozenset(  # words for a list of things, beside the word for the things
    """list table register overview log inventory catalogue catalog matrix sheet data export summary index directory records history
    stock registry file files all current""".split()
)
_BOOKS = frozenset("book log diary journal".split())  # behind what is written down in them: "hire book"
_ADJECTIVES = frozenset("first last full short long old new given family".split())  # before "name"
_SHORT = {"wk": "week", "kw": "week", "cw": "week", "mo": "month", "yr": "year"}  # columns
_REGISTERS = frozenset(
    "list register inventory stock catalogue catalog directory index registry".split()
)  # of things, not of what happens
_IDENTIFYING = frozenset(  # words of columns that name rows whatever these are
    "name names title id ids key keys code codes no nr number item label identifier abbreviation short summary what ref reference slug line tag asset plate reg registration serial".split()
)
_THINGS = frozenset("item article product device tool part equipment machine vehicle thing".split())
MOST_BEFORE = 3  # columns in which the kind of thing stands
_AS_OF = regex(r"[ _.-]{0,3}(?:19|20)\d\d(?:[-_.]?\d\d){0,2}\Z")  # the day of an export, behind the name of its file
_PART_OF_YEAR = regex(
    r"(?:spring|summer|autumn|winter|q[1-4]|h[12]|(?:kw|cw|wk|w)\d{1,2}|fy(?:\d\d){1,2})\Z"
)  # behind the name of a list
_JOINTS = frozenset("of for in by per with on to from at as under about".split())


def nouns_of(words: str) -> frozenset[str]:
    """What the things are called that a title, a file's name or a heading lists, as terms: "tickets" of "Open tickets of May",
    "risk" of "risk-register". The last word of its first part; of a list of things, the things."""
    said = folded(words).split()
    joint = next((at for at, word in enumerate(said) if word in _JOINTS), len(said))
    head, rest = said[:joint], said[joint + 1 :] if said[joint : joint + 1] == ["of"] else []
    while head and (head[-1] in _LISTS or head[-1].isdigit() or _PART_OF_YEAR.match(head[-1])):
        head = head[:-1]
    if len(head) > 1 and head[-1] in _BOOKS:
        head = head[:-1]
    if not head:
        return nouns_of(" ".join(rest)) if rest else frozenset()
    if "and" in head[1:-1]:  # "risks and actions" are both, "hire and service contracts" contracts, "ports and their ships" ports
        first, *others = " ".join(head).split(" and ")
        if first.endswith("s"):
            return nouns_of(first).union(*(nouns_of(one) for one in others if " " not in one))
        head = head[-1:]
    english = (said_in_english(head[-1], language) for language in (GERMAN, FRENCH))  # "Verträge" lists contracts
    return frozenset((*terms(head[-1])[:1], *(term for words in english for term in terms(words))))


def nouns_of_table(table: Table) -> frozenset[str]:
    """In terms: of the column that names the rows; where that says no more than that it does, of the heading it stands under,
    else of its file. Below "Handhelds" may stand a table of what happened to them, but not where its rows are named "Code"."""
    words = [_SHORT.get(word, word) for word in folded(table.naming).split()]
    naming = frozenset(term for word in words[-1:] for term in terms(word)[:1])
    if set(words) & _IDENTIFYING:  # beside "asset" or "no" a column may say what kind of thing it is: its items
        naming |= frozenset(term for one in table.columns[:MOST_BEFORE] if folded(one) in _THINGS for term in terms(one)[:1])
    if words[-1:] and words[-1] in _IDENTIFYING:  # "part_no" names parts
        naming |= frozenset(term for word in words[-2:-1] if word not in _IDENTIFYING | _ADJECTIVES for term in terms(word)[:1])
    naming |= _vacancies(table)
    stem = table.file.rpartition(".")[0] or table.file
    said = frozenset().union(*map(nouns_of, table.headings[-1:] or (stem, table.title)))
    parts = [] if table.headings else [part for part in folded(stem).split() if not part.isdigit()]  # "purchases-2026"
    is_sheet = table.file.casefold().endswith((".csv", ".tsv")) and parts[-1:] != [] and parts[-1].endswith("s")
    is_register = len(parts) > 1 and (parts[-1] in _REGISTERS or not _BOOKS.isdisjoint(parts[1:]))
    if is_register or is_sheet:
        return naming | nouns_of(
            stem
        )  # a whole file that is a "boat-register", or "boats.csv", lists boats, whatever tells them apart
    return naming | said if not words or set(words) & _IDENTIFYING or naming & said else naming


_POSTS = frozenset("role position job post vacancy opening".split())  # columns
_HIRING = frozenset(terms("hiring recruiting recruitment vacancies jobs"))
_VACANCIES = frozenset(terms("vacancies positions roles jobs"))


def _vacancies(table: Table) -> frozenset[str]:
    """What rows are called of a table of posts to be filled; nothing for other tables."""
    said = frozenset(terms(f"{table.title} {' '.join(table.headings)} {unescape(table.place).replace('/', ' ')}"))
    columns = {folded(one) for one in (table.naming, *table.columns[:MOST_BEFORE])}
    return _VACANCIES if _HIRING & said and _POSTS & columns else frozenset()


def surroundings_of(table: Table) -> frozenset[str]:
    """The words (terms) of the folder and the file that a table stands in, by which its rows may be called besides: "warranty cases"
    are the cases of a file in the folder "warranty"."""
    above, _, _ = table.place.rpartition("/")
    stem = table.file.rpartition(".")[0] or table.file
    words = folded(f"{unescape(above.rpartition('/')[2])} {stem}").split() if "/" in above else folded(stem).split()
    return frozenset(term for word in words if word.isalpha() and word not in _LISTS for term in terms(word)[:1])


def names_of_table(table: Table) -> frozenset[str]:
    """The names (folded) by which a question can say which table it means."""
    stem = _AS_OF.sub("", table.file.rpartition(".")[0] or table.file)
    *things, kind = folded(stem).split() or [""]
    is_register = bool(things) and kind in _REGISTERS
    above, _, _ = table.place.rpartition("/")
    folder = folded(unescape(above.rpartition("/")[2])) if "/" in above else ""
    called = (" ".join(things), folder) if folder else (" ".join(things),)  # also "the hire register", in the folder "hire"
    lists = (
        [f"{one} {word}" for one in called for word in _REGISTERS] if is_register else []
    )  # the "lantern stock" is a list, too
    return frozenset((*filter(None, map(folded, (table.file, stem, table.title, *table.headings[-1:]))), *lists))
