"""What is counted of names is what the facts themselves name, whatever came and went."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.ingestion.workspaces import Following
from tree.retrieve.index import SearchScope
from tree.retrieve.vocabulary import Counted, Gathered

TABLE = """# Ships {n}

| Ship | Keeper | State |
| --- | --- | --- |
| SV Heron {n} | Maren Oduya | open |
| MV Wader | Tomas {n} Reyl | done |
"""
NOTE = """# {n}12 Gate notes.md

Owner: Ines Falk{n}
Status: open
Release: 1.{n}.0

**Tide {n}**: how high the water stands.

## How do I shut gate {n}?

Turn the wheel.
"""


@pytest.fixture
def docs(tmp_path) -> Iterator[Following]:
    following = Following(tmp_path)
    yield following
    following.workspace.close()


def _assert_same(docs: Following) -> Gathered:
    docs.workspace.index.catch_up()
    facts = docs.workspace.index.facts(SearchScope((docs.source.id,)))
    counted, gathered = Counted(facts, [docs.source.id]), Gathered(facts)
    names = gathered._known.keys()
    assert counted.known([*names, "nothing", "ships"]) == gathered.known([*names, "nothing", "ships"])
    assert counted.relations == gathered.relations and counted.held_by_people == gathered.held_by_people
    assert counted.tables == gathered.tables and set(counted.classes) == set(gathered.classes)
    assert dict(counted.of_files) == dict(gathered.of_files)
    for relation, collections in gathered.relations.items():
        assert all(counted.values_of(relation, one) == gathered.values_of(relation, one) for one in collections)
    assert sorted(counted.questions("how")) == sorted(gathered.questions("how"))
    assert all(tuple(counted.folders(noun)) == tuple(places) for noun, places in gathered._folders.items())
    assert {name for name in names if " " not in name and name.startswith("wad")} <= set(counted.like("wadet"))
    return gathered


def test_it_is_counted_as_documents_come_change_and_go(docs) -> None:
    for number in range(4):
        docs.write(f"fleet/{number}/ships.md", TABLE.format(n=number))
        docs.write(f"gates/{number}/notes.md", NOTE.format(n=number))
    docs.sync()
    assert {"maren", "oduya", "heron 2", "wader"} <= _assert_same(docs)._known.keys()
    docs.write("fleet/1/ships.md", TABLE.format(n=9).replace("Maren Oduya", "Ada Wren"))
    docs.write("gates/2/notes.md", "# Nothing\n\nNo name is left here.\n")
    docs.sync()
    assert {"sv heron 9", "ada"} <= _assert_same(docs)._known.keys()
    for number in range(4):
        (docs.folder / f"fleet/{number}/ships.md").unlink()
    docs.sync()
    assert "maren" not in _assert_same(docs)._known


def test_nothing_is_left_of_what_has_gone(docs) -> None:
    docs.write("fleet/ships.md", TABLE.format(n=1))
    docs.write("note.md", "# Note\n\nIt stays.\n")
    docs.sync()
    _assert_same(docs)
    (docs.folder / "fleet/ships.md").unlink()
    docs.sync()
    docs.workspace.index.catch_up()
    left = docs.workspace.index._rows("SELECT name FROM named_value UNION ALL SELECT word FROM named_word", ())
    assert not {"maren oduya", "wader"} & {name for (name,) in left}
