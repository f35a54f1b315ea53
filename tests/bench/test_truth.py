"""The truth bench: a few histories hold, the same seed makes the same world, and a lie is noticed."""

from __future__ import annotations

import json
from argparse import Namespace
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from bench.__main__ import main
from bench.truth import History, Wrong, follow, replay
from bench.worlds import MANY, FolderWorld, JiraWorld, canary


@pytest.fixture
def folder(tmp_path: Path):
    world = FolderWorld(tmp_path, Random(4))
    while len(world.words) < 2 * MANY:
        world.create()
    yield world
    world.close()


@pytest.fixture
def history(tmp_path: Path, folder: FolderWorld):
    history = History(tmp_path / "home", folder, Random(3))
    history._plainly()
    history.check()
    yield history
    history.close()


def test_a_history_holds(tmp_path, capsys) -> None:
    assert main(["truth", "--runs", "1", "--steps", "2", "--seed", "5", "--jobs", "1", "--out", str(tmp_path)]) == 0
    report = json.loads((tmp_path / "truth.json").read_text())
    assert report["failures"] == [] and report["histories"] == 1
    assert "0 failures" in capsys.readouterr().out


def test_a_history_of_tickets_holds() -> None:
    assert replay(2, steps=2, world="jira").total() > 2


def test_the_same_seed_makes_the_same_folder(tmp_path) -> None:
    words = []
    for name in ("one", "other"):
        folder = FolderWorld(tmp_path / name, Random(9))
        for _ in range(60):
            folder.change()
        words.append((folder.words, folder.gone))
        present = {path.relative_to(folder.root).as_posix() for path in folder.root.rglob("*") if path.is_file()}
        in_sight = {path for path in present if "/." not in path and path[0] != "." and (folder.root / path).stat().st_size}
        assert in_sight - folder.unreadable == folder.words.keys()
        folder.close()
    assert words[0] == words[1]


def test_a_word_that_stayed_behind_is_noticed(history, folder) -> None:
    path = sorted(folder.words)[0]
    (folder.root / path).unlink()
    folder.words.pop(path)
    with pytest.raises(Wrong, match="too many"):
        history.check()


def test_a_large_drop_waits_for_an_admin_and_a_small_one_does_not(history, folder) -> None:
    folder.delete()
    history._plainly()
    assert not history._waiting()
    history.check()
    folder.delete_many()
    history._plainly()
    history.check()
    assert len(history._waiting()) >= MANY
    history.sources.approve(history.source.id)
    history.known |= {"never there": "a word"} | {f"nor {number}": f"word {number}" for number in range(MANY)}
    with pytest.raises(Wrong, match="wait for an admin"):
        history._check_guard()


def test_what_comes_back_is_no_longer_waited_for(history, folder) -> None:
    folder.delete_many()
    history._plainly()
    folder.restore_many()
    history._plainly()
    history.check()
    assert not history._waiting()


def test_a_folder_that_is_away_loses_nothing(history, folder) -> None:
    history._after_it_was_away()
    history.check()
    assert history.events["could not reach it"] == 1


def test_a_source_that_is_away_and_does_not_say_so_is_noticed(history, folder, tmp_path) -> None:
    class NeverAway(FolderWorld):
        def away(self):
            return open(tmp_path / "nothing", "w")

    folder.__class__ = NeverAway
    with pytest.raises(Wrong, match="ended as if it had been"):
        history._after_it_was_away()


@pytest.fixture
def tickets(tmp_path: Path):
    world = JiraWorld(Random(1))
    history = History(tmp_path / "tickets", world, Random(2))
    yield history
    history.close()
    world.close()


def test_a_dead_token_loses_no_ticket(tickets) -> None:
    tickets._plainly()
    tickets._after_it_was_away()
    tickets.check()


def test_a_ticket_heard_of_before_the_first_look_is_not_taken_for_read_for_ever(tickets) -> None:
    tickets._with_hints()
    for _ in range(8):
        tickets.world.change()
    tickets._plainly()
    tickets.check()


def odd_ones_lie(seed: int, *_: object) -> Counter[str]:
    if seed % 2:
        raise Wrong("a lie")
    return Counter(truths=1)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_failure_prints_the_seed_that_replays_it(jobs, tmp_path, capsys) -> None:
    options = Namespace(runs=5, seed=76, steps=6, world="folder", jobs=jobs, minutes=None, out=tmp_path)
    assert follow(options, odd_ones_lie) == 1
    told = capsys.readouterr().err
    assert "--runs 1 --seed 77" in told and "--runs 1 --seed 79" in told and "--seed 78" not in told
    report = json.loads((tmp_path / "truth.json").read_text())
    assert report["histories"] == 5 and report["events"] == {"truths": 3}


def test_no_two_canaries_are_alike() -> None:
    assert len({canary(number) for number in range(2_000)}) == 2_000
