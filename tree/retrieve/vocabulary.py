"""What questions may name in a scope: looked up in the counts of its sources, or gathered from the facts of a few branches."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from tree.retrieve.collections import Table, folders_of, tables_of
from tree.retrieve.fact_index import FactIndex
from tree.retrieve.name_counts import halves_of, subject_variants, value_variants
from tree.store.leaves import FILE
from tree.store.statements import in_parts


@dataclass(slots=True)
class Known:
    """What a name stands for."""

    names: set[str] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)
    relations: set[str] = field(default_factory=set)
    objects: set[str] = field(default_factory=set)


class Vocabulary(Protocol):
    @property
    def relations(self) -> Mapping[str, frozenset[str]]:
        """Relation -> the collections of whose things it is stated."""

    @property
    def held_by_people(self) -> Set[tuple[str, str]]:
        """(relation, collection) of values that are people."""

    @property
    def tables(self) -> Mapping[str, Table]: ...

    @property
    def classes(self) -> Sequence[tuple[str, str]]:
        """(header of the column that names the rows, caption of the table)"""

    @property
    def of_files(self) -> Mapping[str, int]:
        """How many files state each relation of themselves."""

    def known(self, names: Iterable[str]) -> dict[str, Known]:
        """What these names (folded) stand for, of those that are known."""

    def like(self, word: str) -> Iterable[str]:
        """Names of one word among which are those one edit away from this one."""

    def values_of(self, relation: str, collection: str) -> Set[str]: ...

    def questions(self, beginning: str) -> Iterable[str]:
        """Headings that are questions and have this first word."""

    def folders(self, noun: str) -> Sequence[str]:
        """The places of folders whose files may be called that (a term)."""


class Counted:
    """Looks up what is counted for each source: what a question takes does not grow with what there is."""

    def __init__(self, facts: FactIndex, sources: Sequence[str]) -> None:
        self._facts = facts
        self._sources = list(sources)
        self._mine = f"+source IN ({','.join('?' * len(sources))})"
        self._values: dict[tuple[str, str], frozenset[str]] = {}

    def _rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        return self._facts.rows(f"{query} AND {self._mine}", (*values, *self._sources))

    @cached_property
    def _relations(self) -> list[tuple[Any, ...]]:
        """(relation, collection, kind of the object, how many hold now, how many have a value that can be named)"""
        return self._facts.rows(
            f"""SELECT relation, collection, object, sum(now), sum(valued) FROM named_relation WHERE {self._mine}
                GROUP BY relation, collection, object""",
            self._sources,
        )

    @cached_property
    def relations(self) -> Mapping[str, frozenset[str]]:
        return grouped(
            (relation, collection) for relation, collection, *_ in self._relations if relation and collection != "part"
        )

    @cached_property
    def held_by_people(self) -> Set[tuple[str, str]]:
        return {
            (relation, collection) for relation, collection, kind, _, valued in self._relations if kind == "person" and valued
        }

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        return tables_of(self._facts.parts_of_tables())

    @cached_property
    def classes(self) -> Sequence[tuple[str, str]]:
        query = "SELECT DISTINCT relation, category FROM named_class WHERE 1"
        return [(relation, category) for relation, category in self._rows(query)]

    @cached_property
    def of_files(self) -> Mapping[str, int]:
        stated: Counter[str] = Counter()
        for relation, collection, _, now, _ in self._relations:
            if relation and collection == FILE:
                stated[relation] += now
        return stated

    def known(self, names: Iterable[str]) -> dict[str, Known]:
        found: defaultdict[str, Known] = defaultdict(Known)
        keyed: defaultdict[str, set[str]] = defaultdict(set)
        for some in in_parts(names):
            marks = ",".join("?" * len(some))
            subjects = f"SELECT DISTINCT variant, name, kind, is_key FROM named_subject WHERE variant IN ({marks}) AND kind != 'question'"
            for variant, name, kind, is_key in self._rows(subjects, *some):
                if is_key:
                    keyed[variant].add(name)
                    continue
                found[variant].names.add(name)
                found[variant].kinds.add(kind)
            values = f"SELECT DISTINCT variant, name, relation, object FROM named_value WHERE variant IN ({marks})"
            for variant, name, relation, object_ in self._rows(values, *some):
                found[variant].names.add(name)
                found[variant].relations.add(relation)
                if object_:
                    found[variant].objects.add(object_)
        for key, documents in keyed.items():
            if len(documents) == 1:
                found[key].names |= documents
                found[key].kinds.add("document")
        return dict(found)

    def like(self, word: str) -> Iterable[str]:
        query = "SELECT DISTINCT word FROM named_word WHERE half IN (?, ?) AND length(word) BETWEEN ? AND ?"
        return [found for (found,) in self._rows(query, *halves_of(word), len(word) - 1, len(word) + 1)]

    def values_of(self, relation: str, collection: str) -> Set[str]:
        if (relation, collection) not in self._values:
            query = "SELECT DISTINCT name FROM named_value WHERE variant = name AND relation = ? AND collection = ?"
            self._values[relation, collection] = frozenset(name for (name,) in self._rows(query, relation, collection))
        return self._values[relation, collection]

    def questions(self, beginning: str) -> Iterable[str]:
        query = "SELECT DISTINCT name FROM named_subject WHERE kind = 'question' AND variant = name AND (name = ? OR name >= ? AND name < ?)"
        return [name for (name,) in self._rows(query, beginning, f"{beginning} ", f"{beginning}!")]

    def folders(self, noun: str) -> Sequence[str]:
        query = "SELECT place FROM folder WHERE noun = ?"
        return sorted(place for (place,) in self._rows(query, noun))


class Gathered:
    """Holds all of it in memory: of branches, for which nothing is counted."""

    def __init__(self, facts: FactIndex) -> None:
        found = facts.vocabulary()
        self.relations: Mapping[str, frozenset[str]] = grouped(found["relations"])
        self.tables = tables_of(found["tables"])
        self.classes: list[tuple[str, str]] = [(relation, category) for relation, category in found["classes"]]
        self.of_files: Mapping[str, int] = {
            relation: facts.count(FILE, relation) for relation, collections in self.relations.items() if FILE in collections
        }
        self.held_by_people = {(relation, collection) for _, relation, collection, kind in found["values"] if kind == "person"}
        self._folders = folders_of(place for (place,) in found["folders"])
        self._values: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        self._known: defaultdict[str, Known] = defaultdict(Known)
        self._questions = [name for name, kind in found["subjects"] if kind == "question"]
        subjects = [(name, kind) for name, kind in found["subjects"] if kind != "question"]
        keyed = Counter(variant for name, kind in subjects for variant, is_key in subject_variants(name, kind) if is_key)
        for name, kind in subjects:
            for variant, is_key in subject_variants(name, kind):
                if not is_key or keyed[variant] == 1:
                    self._known[variant].names.add(name)
                    self._known[variant].kinds.add(kind)
        for value, relation, collection, object_ in found["values"]:
            self._values[relation, collection].add(value)
            for variant in value_variants(value, object_):
                known = self._known[variant]
                known.names.add(value)
                known.relations.add(relation)
                if object_:
                    known.objects.add(object_)

    def known(self, names: Iterable[str]) -> dict[str, Known]:
        return {name: self._known[name] for name in names if name in self._known}

    def like(self, word: str) -> Iterable[str]:
        return [name for name in self._known if " " not in name and abs(len(name) - len(word)) < 2]

    def values_of(self, relation: str, collection: str) -> Set[str]:
        return self._values.get((relation, collection), frozenset())

    def questions(self, beginning: str) -> Iterable[str]:
        return [name for name in self._questions if name.split(" ")[0] == beginning]

    def folders(self, noun: str) -> Sequence[str]:
        return self._folders.get(noun, ())


def vocabulary_of(facts: FactIndex) -> Vocabulary:
    return Gathered(facts) if facts.sources is None else Counted(facts, facts.sources)


def grouped(pairs: Iterable[tuple[str, ...]]) -> dict[str, frozenset[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name, kind in pairs:
        found[name].add(kind)
    return {name: frozenset(kinds) for name, kinds in found.items()}
