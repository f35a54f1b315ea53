"""The names that the facts of a scope know, found in a question: the longest first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from prompts.language import STOPWORDS, terms
from prompts.question import one_slip
from prompts.regex import regex
from tree.retrieve.collections import Table, names_of_table, nouns_of_table
from tree.retrieve.fact_index import FactIndex, folded
from tree.retrieve.units import UNIT
from tree.retrieve.vocabulary import Known, vocabulary_of
from tree.store.leaves import FILE

Role = Literal["subject", "value"]
USUAL_STATES = ("to do", "in progress", "in review", "blocked", "done")
MOST_KEY_WORDS = 3  # of a question, of which the key of a ticket is made: "GWY-77", "GWY 77"
LONGEST_NEAR = 40  # letters of a word that may be a name with a slip
SHORTEST = 2  # characters of a name
LONGEST = 40  # words of one
MOST_LOOKED_UP = 20_000  # names that are kept, known or not
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


_TOKEN = regex(r"\w+(?:(?:[./+-]|['’](?!s\b))\w+)*[+#]*")  # "Wren's" is two: a name, and whose


def tokens(text: str) -> list[Token]:
    """The words of a question, each with how names are compared."""
    return [Token(match.group(), folded(match.group()), *match.span()) for match in _TOKEN.finditer(text)]


def word_at(found: Sequence[Token], at: int) -> str:
    """In small letters; empty before the first and behind the last."""
    return found[at].text.casefold() if 0 <= at < len(found) else ""


class Names:
    """Finds names. `find` takes time in the length of the question; what it looked up it keeps, for the version it was made for."""

    def __init__(self, facts: FactIndex) -> None:
        self._facts = facts
        self._vocabulary = vocabulary_of(facts)
        self._looked_up: dict[str, Known | None] = {}

    @property
    def relations(self) -> Mapping[str, frozenset[str]]:
        """Relation -> collections."""
        return self._vocabulary.relations

    @property
    def tables(self) -> Mapping[str, Table]:
        return self._vocabulary.tables

    @cached_property
    def tables_by_noun(self) -> Mapping[str, Sequence[Table]]:
        return _by(self.tables.values(), nouns_of_table)

    @cached_property
    def tables_by_name(self) -> Mapping[str, Sequence[Table]]:
        return _by(self.tables.values(), names_of_table)

    @property
    def classes(self) -> Sequence[tuple[str, str]]:
        """(header of the column that names the rows, caption of the table)"""
        return self._vocabulary.classes

    @property
    def of_files(self) -> Mapping[str, int]:
        """How many files state each relation of themselves."""
        return self._vocabulary.of_files

    @property
    def held_by_people(self) -> Set[tuple[str, str]]:
        """(relation, collection) of values that are people."""
        return self._vocabulary.held_by_people

    def folders(self, noun: str) -> Sequence[str]:
        """The places of folders whose files may be called that (a term)."""
        return self._vocabulary.folders(noun)

    @property
    def has_tickets(self) -> bool:
        return any("ticket" in kinds for kinds in self.relations.values())

    def questions(self, beginning: str) -> list[tuple[str, frozenset[str]]]:
        """Headings that are questions and have this first word (folded), with their terms."""
        return [(name, frozenset(terms(name))) for name in self._vocabulary.questions(beginning)]

    def _known(self, names: Collection[str]) -> dict[str, Known]:
        """What these names stand for, of those that are known; looked up all at once where it was not before."""
        unknown = [name for name in names if name not in self._looked_up]
        if unknown:
            if len(self._looked_up) > MOST_LOOKED_UP:
                self._looked_up = {}
                unknown = list(names)
            found = self._vocabulary.known(unknown)
            states = [state for state in unknown if state in USUAL_STATES]
            if states and self.has_tickets:
                for state in states:  # which a team may have, and no ticket just now
                    stated = found.setdefault(state, Known())
                    stated.names.add(state)
                    stated.relations.add("status")
            self._looked_up = self._looked_up | {name: found.get(name) for name in unknown}
        looked_up = self._looked_up
        return {name: known for name in names if (known := looked_up.get(name)) is not None}

    def values_of(self, relation: str, collection: str) -> Set[str]:
        """The values (folded) that the things of a collection have for a relation."""
        return self._vocabulary.values_of(relation, collection)

    def relations_of(self, collection: str) -> tuple[str, ...]:
        """The relations (folded) that are stated of the things of a collection."""
        return tuple(relation for relation, collections in self.relations.items() if collection in collections)

    def _can_be_named(self, name: str, known: Known, is_code: bool) -> bool:
        """Whether a word of a question may be this name, rather than a word of any question. `is_code`: it is written as one word
        with a number in it, "D-12", so that its letter is no word."""
        if len(name) < SHORTEST or self._is_label(name, known):
            return False
        words = name.split()
        is_state = bool(known.relations & {"status", "resolution", "priority", "type"})
        is_term = "term" in known.kinds
        is_degree = len(words) == 2 and words[0] == "very"  # "very high"
        is_sentence = words[0] in STOPWORDS or words[-1] in STOPWORDS
        if len(words) > 1 and is_sentence and not (is_code or is_state or is_term or is_degree):
            return False  # a piece of one
        return (is_state or is_term) and len(words) > 1 or any(word not in COMMON and word not in STOPWORDS for word in words)

    def _is_label(self, name: str, known: Known) -> bool:
        """Whether it says what is stated rather than of what: "cost", though a paragraph begins with it. A team with a column of its
        own in a rota is still a team."""
        labelled = self.relations.get(name)
        if labelled is None or known.objects or UNIT in known.kinds:
            return False
        return not labelled <= {"section", "document", FILE} or known.kinds <= {"term", "part"}

    def find(self, found: list[Token]) -> list[Mention]:
        """The names among the words of a question, in order, none in another."""
        said = {
            (first, last): " ".join(token.folded for token in found[first:last])
            for first in range(len(found))
            for last in range(first + 1, min(len(found), first + LONGEST) + 1)
        }
        singles = {token.folded[:-1] for token in found if token.folded.endswith("s")}
        known = self._known({*said.values(), *singles})
        tickets = self._tickets(found)
        spans = [
            (first, last, name)
            for (first, last), name in said.items()
            if name in known
            and self._can_be_named(name, known[name], last - first == 1 and " " in name and any(map(str.isdigit, name)))
        ] + [*tickets, *_whose(found, known)]
        mentions: list[Mention] = []
        taken: set[int] = set()
        for first, last, name in sorted(spans, key=lambda span: (span[0] - span[1], span[0])):
            if taken.isdisjoint(range(first, last)):
                taken.update(range(first, last))
                mentions.append(_mention(found, first, last, name, known.get(name) or Known(), (first, last, name) in tickets))
        return sorted(mentions, key=lambda mention: mention.first)

    def _tickets(self, found: Sequence[Token]) -> set[tuple[int, int, str]]:
        """Tickets named by their keys, which are looked up: there may be any number of them, and each looks like one."""
        spans = {
            (first, last, " ".join(token.folded for token in found[first:last]))
            for last in range(1, len(found) + 1)
            if found[last - 1].folded[-1:].isdigit()
            for first in range(max(0, last - MOST_KEY_WORDS), last)
        }
        if not spans or not self.has_tickets:
            return set()
        known = self._facts.tickets_called({name for _, _, name in spans})
        return {span for span in spans if span[2] in known}

    def near(self, word: str) -> list[str]:
        """Names of one word that differ from this one (folded, five letters or more) by one edit."""
        return (
            sorted(name for name in self._vocabulary.like(word) if one_slip(word, name)) if 5 <= len(word) <= LONGEST_NEAR else []
        )

    def full(self, name: str) -> frozenset[str]:
        """The names (folded) that a name may be short for; itself, where it is one."""
        return frozenset(known.names) if (known := self._known([name]).get(name)) else frozenset()


def _whose(found: Sequence[Token], known: Mapping[str, Known]) -> Iterator[tuple[int, int, str]]:
    """People whose something is asked for, typed without the apostrophe: "carlas extension"."""
    for at, token in enumerate(found[:-1]):
        name = token.folded[:-1]
        if token.folded.endswith("s") and token.folded not in known and name in known and "person" in known[name].objects:
            yield at, at + 1, name


def _mention(found: list[Token], first: int, last: int, name: str, known: Known, is_ticket: bool) -> Mention:
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
