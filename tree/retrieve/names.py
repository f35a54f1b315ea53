"""The names that the facts of a scope know, found in a question: longest first, in one pass (Aho and Corasick 1975)."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Literal

from ahocorasick_rs import AhoCorasick  # wheels for all platforms, releases the GIL; pyahocorasick compiles on installation

from prompts.language import STOPWORDS, terms
from prompts.question import one_slip
from tree.retrieve.collections import Table, folders_of, names_of_table, nouns_of_table, tables_of
from tree.retrieve.fact_index import FactIndex, folded
from tree.store.leaves import FILE

Role = Literal["subject", "value"]
USUAL_STATES = ("to do", "in progress", "in review", "blocked", "done")
MOST_KEY_WORDS = 3  # of a question, of which the key of a ticket is made: "GWY-77", "GWY 77"
SHORTEST = 2  # characters of a name
COMMON = frozenset(  # words of questions that are no names, whatever a table says
    """a an and any are as at be by can do does for from have how i in is it last many me most much my name names new no none not now
    number of on one only open or our owner status team that the their there this to today total type until up use was we what when
    where which who why will with yes you your date day month week year time state state since all other none key id file page""".split()
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mention:
    """A name found in a question: tokens [first, last) of it, and what it names."""

    first: int
    last: int
    text: str  # as the question writes it
    names: frozenset[str]  # the folded names it may stand for; more than one where it is ambiguous
    kinds: frozenset[str]  # of subjects with these names
    relations: frozenset[str]  # relations that have one of these as a value
    objects: frozenset[str]  # kinds of things that those values are: person, component ...


@dataclass(frozen=True, slots=True)
class Token:
    text: str
    folded: str
    start: int
    end: int


_TOKEN = re.compile(r"\w+(?:(?:[./+-]|['’](?!s\b))\w+)*[+#]*")  # "Wren's" is two: a name, and whose


def tokens(text: str) -> list[Token]:
    """The words of a question, each with how names are compared."""
    return [Token(match.group(), folded(match.group()), *match.span()) for match in _TOKEN.finditer(text)]


@dataclass(slots=True)
class _Known:
    names: set[str] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)
    relations: set[str] = field(default_factory=set)
    objects: set[str] = field(default_factory=set)


class Names:
    """Finds names. Made once for a version and a scope; `find` takes time in the length of the question alone."""

    def __init__(self, facts: FactIndex) -> None:
        vocabulary = facts.vocabulary()
        self._facts = facts
        self.relations: Mapping[str, frozenset[str]] = _grouped(vocabulary["relations"])  # relation -> collections
        self.tables = tables_of(vocabulary["tables"])
        self.tables_by_noun: Mapping[str, Sequence[Table]] = _by(self.tables.values(), nouns_of_table)
        self.tables_by_name: Mapping[str, Sequence[Table]] = _by(self.tables.values(), names_of_table)
        self.folders = folders_of(place for (place,) in vocabulary["folders"])
        self.of_files: Mapping[str, int] = {
            name: facts.count(FILE, name) for name in self.relations_of(FILE)
        }  # how many state it
        self.classes: list[tuple[str, str]] = [(relation, category) for relation, category in vocabulary["classes"]]
        self.held_by_people: set[tuple[str, str]] = set()  # relation, collection
        self._values: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        self._known: defaultdict[str, _Known] = defaultdict(_Known)
        self.questions: list[tuple[str, frozenset[str]]] = [
            (name, frozenset(terms(name))) for name, kind in vocabulary["subjects"] if kind == "question"
        ]
        keyed = Counter(_key(name) for name, kind in vocabulary["subjects"] if kind == "document")
        for name, kind in vocabulary["subjects"]:
            if kind == "question":
                continue
            key = _key(name) if kind == "document" else ""
            for variant in (*_variants(name, kind), *([key] if key and keyed[key] == 1 else [])):
                known = self._known[variant]
                known.names.add(name)
                known.kinds.add(kind)
        for value, relation, collection, object_ in vocabulary["values"]:
            self._values[relation, collection].add(value)
            if object_ == "person":
                self.held_by_people.add((relation, collection))
            for variant in (value, *(_parts_of_a_person(value) if object_ == "person" else _of_version(value, object_))):
                known = self._known[variant]
                known.names.add(value)
                known.relations.add(relation)
                if object_:
                    known.objects.add(object_)
        if any("ticket" in kinds for kinds in self.relations.values()):
            for state in USUAL_STATES:  # which a team may have, and no ticket just now
                self._known[state].names.add(state)
                self._known[state].relations.add("status")
        wanted = [name for name in self._known if self._can_be_named(name)]
        self._names = wanted
        self._automaton = AhoCorasick([f" {name} " for name in wanted])

    def values_of(self, relation: str, collection: str) -> Set[str]:
        """The values (folded) that the things of a collection have for a relation."""
        return self._values.get((relation, collection), frozenset())

    def relations_of(self, collection: str) -> tuple[str, ...]:
        """The relations (folded) that are stated of the things of a collection."""
        return tuple(relation for relation, collections in self.relations.items() if collection in collections)

    def _can_be_named(self, name: str) -> bool:
        """Whether a word of a question may be this name, rather than a word of any question."""
        if len(name) < SHORTEST or self._is_label(name):
            return False
        words = name.split()
        is_state = bool(self._known[name].relations & {"status", "resolution", "priority", "type"})
        is_term = "term" in self._known[name].kinds
        is_degree = len(words) == 2 and words[0] == "very"  # "very high"
        is_sentence = words[0] in STOPWORDS or words[-1] in STOPWORDS
        if len(words) > 1 and is_sentence and not (is_state or is_term or is_degree):
            return False  # a piece of one
        return (is_state or is_term) and len(words) > 1 or any(word not in COMMON and word not in STOPWORDS for word in words)

    def _is_label(self, name: str) -> bool:
        """Whether it says what is stated rather than of what: "cost", though a paragraph begins with it."""
        known, labelled = self._known[name], self.relations.get(name)
        if labelled is None or known.objects:
            return False
        return not labelled <= {"section", "document", FILE} or known.kinds <= {"term", "part"}

    def find(self, found: list[Token]) -> list[Mention]:
        """The names among the words of a question, in order, none in another."""
        text = "".join(f" {token.folded}" for token in found) + " "
        numbers: dict[int, int] = {}
        at = 0
        for number, token in enumerate(found):
            numbers[at] = number
            at += len(token.folded) + 1
        numbers[at] = len(found)
        tickets = self._tickets(found)
        spans = [
            (numbers[start], numbers[end - 1], self._names[pattern])
            for pattern, start, end in self._automaton.find_matches_as_indexes(text, overlapping=True)
            if start in numbers and end - 1 in numbers
        ] + [*tickets, *self._whose(found)]
        mentions: list[Mention] = []
        taken: set[int] = set()
        for first, last, name in sorted(spans, key=lambda span: (span[0] - span[1], span[0])):
            if taken.isdisjoint(range(first, last)):
                taken.update(range(first, last))
                mentions.append(self._mention(found, first, last, name, (first, last, name) in tickets))
        return sorted(mentions, key=lambda mention: mention.first)

    def _whose(self, found: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
        """People whose something is asked for, typed without the apostrophe: "carlas extension"."""
        for at, token in enumerate(found[:-1]):
            name = token.folded[:-1]
            is_new = token.folded.endswith("s") and token.folded not in self._known and name in self._known
            if is_new and "person" in self._known[name].objects:
                yield at, at + 1, name

    def _tickets(self, found: Sequence[Token]) -> set[tuple[int, int, str]]:
        """Tickets named by their keys, which are looked up: there may be any number of them, and each looks like one."""
        spans = {
            (first, last, " ".join(token.folded for token in found[first:last]))
            for last in range(1, len(found) + 1)
            if found[last - 1].folded[-1:].isdigit()
            for first in range(max(0, last - MOST_KEY_WORDS), last)
        }
        if not spans or not any("ticket" in kinds for kinds in self.relations.values()):
            return set()
        known = self._facts.tickets_called({name for _, _, name in spans})
        return {span for span in spans if span[2] in known}

    def near(self, word: str) -> list[str]:
        """Names of one word that differ from this one (folded, five letters or more) by one edit."""
        if len(word) < 5:
            return []
        return sorted(name for name in self._known if " " not in name and abs(len(name) - len(word)) < 2 and one_slip(word, name))

    def full(self, name: str) -> frozenset[str]:
        """The names (folded) that a name may be short for; itself, where it is one."""
        return frozenset(self._known[name].names) if name in self._known else frozenset()

    def _mention(self, found: list[Token], first: int, last: int, name: str, is_ticket: bool) -> Mention:
        known = self._known.get(name) or _Known()
        text = " ".join(token.text for token in found[first:last])
        text = text[: len(name)] if last - first == 1 and found[first].folded == f"{name}s" else text
        return Mention(
            first,
            last,
            text,
            frozenset(known.names | ({name} if is_ticket else set())),
            frozenset(known.kinds | ({"ticket"} if is_ticket else set())),
            frozenset(known.relations),
            frozenset(known.objects),
        )


def _by(tables: Iterable[Table], called: Callable[[Table], Iterable[str]]) -> dict[str, list[Table]]:
    found: defaultdict[str, list[Table]] = defaultdict(list)
    for table in tables:
        for name in called(table):
            found[name].append(table)
    return dict(found)


def _grouped(pairs: Iterable[tuple[str, ...]]) -> dict[str, frozenset[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name, kind in pairs:
        found[name].add(kind)
    return {name: frozenset(kinds) for name, kinds in found.items()}


def _key(name: str) -> str:
    """The key or number that a document's title begins with, where more follows: "gwy 12" of "gwy 12 the gate"; else nothing."""
    words = name.split(maxsplit=2)
    return " ".join(words[:2]) if len(words) == 3 and words[0].isalnum() and words[0][0].isalpha() and words[1].isdigit() else ""


def _variants(name: str, kind: str) -> Iterator[str]:
    """A name, and the shorter forms people use: without a class of ship, an article, a number before it."""
    yield name
    words = name.split()
    if kind in ("row", "term", "section") and len(words) > 1 and len(words[0]) <= 3 and not words[0].isdigit():
        yield " ".join(words[1:])
    if kind in ("document", "part") and len(words) > 1 and len(words[0]) > 2 and words[0].isdigit():
        yield words[0]  # "0009: Booking store"
    if len(words) > 1 and words[-1] in ("md", "csv", "txt", "html", "pdf", "docx"):
        yield " ".join(words[:-1])


def _of_version(name: str, kind: str) -> Iterator[str]:
    """ "1.4" for 1.4.0."""
    words = name.split()
    if kind == "version" and len(words) > 2 and words[-1] == "0" and all(word.isdigit() for word in words):
        yield " ".join(words[:-1])


def _parts_of_a_person(name: str) -> Iterator[str]:
    words = name.split()
    if 1 < len(words) <= 4:
        yield words[0]
        yield words[-1]
        if len(words) > 2:
            yield " ".join(words[1:])
            yield " ".join(words[:-1])  # a first name of two: Jun-ho
