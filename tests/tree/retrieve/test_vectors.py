"""The file of vectors: what is near is found, one model at a time, and what is lost or damaged is made anew."""

from __future__ import annotations

import sqlite3
import weakref
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from tree.retrieve.likeness import BLOCK
from tree.retrieve.vectors import OtherSize, Vectors

SIZE = 16


def pointing(*axes: int) -> np.ndarray:
    """A row of length one for each number, which points along that axis."""
    return np.eye(SIZE, dtype=np.float32)[list(axes)]


@pytest.fixture(params=["a file", "memory"])
def vectors(request: pytest.FixtureRequest, tmp_path: Path) -> Vectors:
    made = Vectors(tmp_path / "vectors.db" if request.param == "a file" else None)
    made.begin("one")
    return made


def near(vectors: Vectors, axis: int, sources: Sequence[str] = ("s",), label: str = "one") -> list[str]:
    found = vectors.search(pointing(axis)[0], label, sources)
    return [leaf for _, leaf in found.best(10)] if found is not None else []


def test_a_leaf_is_as_near_as_its_nearest_part(vectors: Vectors) -> None:
    vectors.add("s", "one", {"a": pointing(1, 2, 3), "b": pointing(4), "empty": np.zeros((0, SIZE), np.float32)})
    assert near(vectors, 3) == ["a"] and near(vectors, 4) == ["b"] and near(vectors, 5) == []
    found = vectors.search(pointing(3)[0], "one", ["s"])
    assert found is not None and found.of("s", "a") == (1.0, 2) and found.of("s", "b") == (0.0, 0)
    assert found.of("s", "empty") is None and found.of("other", "a") is None
    assert vectors.known("s") == {"a", "b", "empty"}, "nothing is made of it a second time"


def test_rounding_changes_a_cosine_in_the_third_digit(vectors: Vectors) -> None:
    draw = np.random.default_rng(1)
    rows = draw.normal(size=(BLOCK + 50, 200)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    vectors.add("s", "one", {f"{number:06}": row[None] for number, row in enumerate(rows)})
    found = vectors.search(rows[BLOCK + 7], "one", ["s"])
    assert found is not None and found.best(1) == [("s", f"{BLOCK + 7:06}")]
    assert np.abs(found.sources["s"][1] - rows @ rows[BLOCK + 7]).max() < 0.005


def test_only_the_sources_asked_for_count(vectors: Vectors) -> None:
    vectors.add("s", "one", {"a": (pointing(1) + pointing(2)) / np.float32(2**0.5), "c": pointing(7)})
    before = vectors.search(pointing(1)[0], "one", ["s"])
    vectors.add("t", "one", {"b": pointing(1), "d": pointing(9)})
    after = vectors.search(pointing(1)[0], "one", ["s"])
    assert before is not None and after is not None
    assert (before.of("s", "a"), before.middle, before.top, before.spread) == (
        after.of("s", "a"),
        after.middle,
        after.top,
        after.spread,
    )
    assert near(vectors, 1, ("s", "t")) == ["b", "a"]


def test_what_was_dropped_is_not_found_by_whoever_has_it_in_memory(vectors: Vectors) -> None:
    vectors.add("s", "one", {"a": pointing(1), "b": pointing(2)})
    assert near(vectors, 1) == ["a"]
    vectors.drop("s", {"a"})
    assert near(vectors, 1) == [] and near(vectors, 2) == ["b"]
    vectors.keep({})
    assert vectors.known("s") == set()


@pytest.mark.parametrize("by", ["itself", "another process"])
def test_what_was_dropped_of_a_removed_source_leaves_memory(tmp_path: Path, by: str) -> None:
    vectors = Vectors(tmp_path / "v.db")
    other = vectors if by == "itself" else Vectors(tmp_path / "v.db")
    vectors.begin("one")
    for source_id in ("s", "t"):
        vectors.add(source_id, "one", {"a": pointing(1)})
    found = vectors.search(pointing(1)[0], "one", ["s", "t"])
    assert found is not None
    removed, kept = (weakref.ref(found.sources[source_id][0]) for source_id in ("s", "t"))
    del found
    assert removed() is not None and kept() is not None
    other.keep({"t": {"a"}})
    assert near(vectors, 1, ["t"]) == ["a"] and removed() is None and kept() is not None
    assert near(vectors, 1, []) == [] and kept() is not None, "only of those that have no vectors any more"
    other.begin("two")
    assert near(vectors, 1, ["t"]) == [] and kept() is None


def test_the_vectors_of_two_models_are_never_mixed(vectors: Vectors) -> None:
    vectors.add("s", "one", {"a": pointing(1)})
    vectors.give_up("s", ["b"], "refused", 1.0)
    vectors.begin("two")
    assert near(vectors, 1) == [] and near(vectors, 1, label="two") == [] and vectors.given_up("s") == {}
    assert not vectors.add("s", "one", {"a": pointing(1)}), "a request that was under way comes too late"
    assert vectors.known("s") == set()
    vectors.add("s", "two", {"a": np.eye(8, dtype=np.float32)[[1]]})
    assert vectors.search(np.eye(8, dtype=np.float32)[1], "two", ["s"]) is not None


def test_vectors_of_another_length_are_refused_and_not_searched_with(vectors: Vectors) -> None:
    vectors.add("s", "one", {"a": pointing(1)})
    with pytest.raises(OtherSize):
        vectors.add("s", "one", {"b": np.eye(8, dtype=np.float32)[[1]]})
    assert vectors.known("s") == {"a"}
    assert vectors.search(np.eye(8, dtype=np.float32)[1], "one", ["s"]) is None


def test_two_processes_see_what_the_other_has_made(tmp_path: Path) -> None:
    one, other = Vectors(tmp_path / "v.db"), Vectors(tmp_path / "v.db")
    one.begin("one")
    one.add("s", "one", {"a": pointing(1)})
    assert near(other, 1) == ["a"]
    one.add("s", "one", {"b": pointing(2)})
    assert near(other, 2) == ["b"]
    one.begin("two")
    one.begin("one")
    one.add("s", "one", {"c": pointing(1)})
    assert near(other, 1) == ["c"], "as many changes as before, and other vectors"


@pytest.mark.parametrize("harm", ["deleted", "damaged", "of another format"])
def test_a_file_that_cannot_be_right_is_laid_out_anew(tmp_path: Path, harm: str) -> None:
    vectors = Vectors(tmp_path / "v.db")
    vectors.begin("one")
    vectors.add("s", "one", {"a": pointing(1)})
    if harm == "of another format":
        with closing(sqlite3.connect(tmp_path / "v.db", isolation_level=None)) as connection:
            connection.execute("UPDATE meta SET value = '0' WHERE key = 'format'")
    else:
        for path in tmp_path.glob("v.db*"):
            path.unlink()
    if harm == "damaged":
        (tmp_path / "v.db").write_bytes(b"no database " * 1_000)
    assert near(vectors, 1) == [] and vectors.label() == ""
    vectors.begin("one")
    vectors.add("s", "one", {"a": pointing(1)})
    assert near(vectors, 1) == ["a"]


def test_a_file_that_another_has_made_anew_meanwhile_is_kept(tmp_path: Path) -> None:
    one, other = Vectors(tmp_path / "v.db"), Vectors(tmp_path / "v.db")
    one.begin("one")
    tries: list[str] = []

    def add(connection: sqlite3.Connection) -> None:
        tries.append(str(connection.execute("SELECT value FROM meta WHERE key = 'label'").fetchone()))
        if len(tries) == 1:
            other.forget()
            other.begin("two")
            raise sqlite3.DatabaseError("database disk image is malformed")

    one.run("IMMEDIATE", add)
    assert tries == ["('one',)", "('two',)"] and other.label() == "two"


def test_nothing_of_what_was_dropped_stays_in_the_file(tmp_path: Path) -> None:
    vectors = Vectors(tmp_path / "v.db")
    vectors.begin("one")
    trace = (np.arange(1, SIZE + 1, dtype=np.float32) * 7.5)[None]
    vectors.add("s", "one", {"a": trace, "b": pointing(2)})
    pattern = np.rint(trace / trace.max() * 127).astype(np.int8).tobytes()
    everything = lambda: b"".join(path.read_bytes() for path in sorted(tmp_path.glob("v.db*")))  # noqa: E731
    assert pattern in everything()
    vectors.drop("s", {"a"})
    vectors.wipe()
    assert pattern not in everything() and near(vectors, 2) == ["b"]


@pytest.mark.parametrize("harm", ["at its beginning", "in its middle"])
def test_a_damaged_file_is_made_anew_when_it_is_wiped(tmp_path: Path, harm: str) -> None:
    vectors, path = Vectors(tmp_path / "v.db"), tmp_path / "v.db"
    vectors.begin("one")
    vectors.add("s", "one", {f"{number}": pointing(number % SIZE) for number in range(2_000)})
    vectors.wipe()
    whole = path.read_bytes()
    path.write_bytes(b"no database " * 1_000 if harm == "at its beginning" else whole[:8_192] + b"x" * 8_192 + whole[16_384:])
    vectors.wipe()
    assert vectors.label() == "" and b"xxxx" not in path.read_bytes()
    vectors.begin("one")
    vectors.add("s", "one", {"a": pointing(1)})
    assert near(vectors, 1) == ["a"]
