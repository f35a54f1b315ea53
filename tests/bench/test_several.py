"""Histories with several sources: one holds, and each thing that would be wrong is noticed when it is made so by hand."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from bench.commits import Sweep, sync_of_changes
from bench.crash import Countdown, Kill
from bench.integrity import dangling, index_differences, left_behind, tables_with
from bench.processes import Report, citations_that_do_not_stand
from bench.several import Several, replay
from bench.several_worlds import pdf
from bench.truth import Wrong
from connectors.formats import parse_bytes
from connectors.formats.parsed import Options
from tests.ingestion.workspaces import Following
from tree.accounts.principal import OPERATOR
from tree.ask.ask import Answer, ask
from tree.retrieve.index import Index


def test_a_history_with_several_sources_holds() -> None:
    events = replay(8, steps=2)
    assert events["checks"] == 2 and events["questions answered meanwhile"] > 0


@pytest.fixture
def docs(tmp_path: Path) -> Following:
    docs = Following(tmp_path)
    for name in ("pump", "gate", "crane"):
        docs.write(f"plans/{name}.md", f"# {name.title()}\n\nWe decided to call the {name} {name}canary from now on.\n")
    docs.sync()
    return docs


def change(docs: Following, *statements: str) -> None:
    with closing(sqlite3.connect(docs.workspace.home / "knowledge.db")) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def test_a_sound_data_folder_has_nothing_to_be_said_of(docs: Following) -> None:
    assert dangling(docs.workspace.home) == [] == left_behind(docs.workspace.home)


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("DELETE FROM record WHERE hash = (SELECT record FROM node WHERE kind = 'root')", "whose record is not there"),
        ("DELETE FROM leaf WHERE key = (SELECT max(key) FROM leaf)", "whose leaf is not there"),
        ("DELETE FROM node WHERE kind = 'folder' OR kind = 'pass'", "below one that is not there"),
        ("DELETE FROM document WHERE document_id = 'plans/gate.md'", "of a document that is not there"),
        ("DELETE FROM node WHERE document_id = 'plans/gate.md'", "that no node shows"),
        ("UPDATE node SET live_from = 99 WHERE document_id = 'plans/gate.md'", "never published"),
        ("DELETE FROM version", "never published"),
    ],
)
def test_a_row_that_is_taken_away_by_hand_is_missed(docs: Following, statement: str, words: str) -> None:
    change(docs, statement)
    assert words in " ".join(dangling(docs.workspace.home))


def test_rows_of_a_source_that_was_removed_are_noticed(docs: Following) -> None:
    change(docs, "DELETE FROM source")
    assert "rows of node" in " ".join(left_behind(docs.workspace.home))


def test_rows_of_a_source_that_is_being_removed_may_go_one_after_another(docs: Following) -> None:
    change(docs, "DELETE FROM node")
    assert "that no node shows" in " ".join(dangling(docs.workspace.home))
    change(docs, "UPDATE source SET removing = 1")
    assert dangling(docs.workspace.home) == []


def test_a_word_anywhere_in_the_database_is_found(docs: Following) -> None:
    assert tables_with(docs.workspace.home, {"gatecanary"}) and not tables_with(docs.workspace.home, {"lighthousecanary"})


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("DELETE FROM entry WHERE id = (SELECT max(id) FROM entry)", "entries: 0 too many , 1 missing"),
        ("INSERT INTO words (rowid, heading, body) VALUES (99, 'pump', 'an older text')", "texts without an entry: 1 too many"),
        ("INSERT INTO name VALUES ('winch', 'x/winch.md', 'x')", "names: 1 too many"),
        ("UPDATE source SET terms = 7", "sizes"),
    ],
)
def test_an_index_that_is_not_a_fresh_one_is_noticed(docs: Following, tmp_path: Path, statement: str, words: str) -> None:
    fresh = Index(docs.workspace.store, tmp_path / "fresh.db")
    fresh.catch_up()
    fresh.close()
    path = docs.workspace.home / "search.db"
    assert index_differences(path, tmp_path / "fresh.db") == []
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()
    assert words in " ".join(index_differences(path, tmp_path / "fresh.db"))


def test_a_citation_of_what_does_not_stand_is_noticed(docs: Following) -> None:
    *_, answer = ask(docs.workspace, "What did we decide to call the pump?", principal=OPERATOR)
    assert isinstance(answer, Answer) and answer.citations
    assert citations_that_do_not_stand(docs.workspace.store, answer.as_json()) == []
    change(docs, "UPDATE node SET leaf = (SELECT key FROM leaf WHERE text LIKE '%crane%') WHERE kind = 'leaf'")
    assert "another text" in " ".join(citations_that_do_not_stand(docs.workspace.store, answer.as_json()))


# ---------------------------------------------------------------- a history that is lied to


@pytest.fixture
def history(tmp_path: Path) -> Iterator[Several]:
    history = Several(tmp_path, Random(3))
    history._add(history.worlds[0])
    history._add(history.worlds[3])
    history.settle()
    history.check()
    yield history
    history.close()


def test_each_lie_about_a_history_is_noticed(history: Several) -> None:
    [first, second] = history.entries.values()
    document, word = sorted(first.known.items())[0]
    first.known[document] = first.world.words[document] = "neverseen"
    with pytest.raises(Wrong, match="stands as it stood, and is not in the tree"):
        history.check_what_stands()
    del first.known[document], first.world.words[document]
    with pytest.raises(Wrong, match="too many"):
        history.check()
    first.world.words[document] = word
    history.check()
    with pytest.raises(Wrong, match="nothing was made to fail"):
        history._judge(Report("worker", "told", "AccessLost", "It cannot be reached."))
    with pytest.raises(Wrong, match="a question failed"):
        history._judge(Report("asker", "fault", "a question failed: KeyError", "'x'"))
    history.worker.process.kill()
    history.worker.process.join()
    with pytest.raises(Wrong, match="ended by itself"):
        history._look_round()


def test_a_failure_tells_what_happened_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def lied(history: Several) -> None:
        raise Wrong("a lie")

    monkeypatch.setattr(Several, "check", lied)
    with pytest.raises(Wrong, match=r"a lie\n  what happened:\n  .*step 0"):
        replay(1, steps=1)


# ---------------------------------------------------------------- kills


@pytest.mark.parametrize(("is_after", "seen"), [(False, ["BEGIN", "INSERT"]), (True, ["BEGIN", "INSERT", "COMMIT"])])
def test_a_process_ends_at_the_commit_that_was_chosen(is_after: bool, seen: list[str]) -> None:
    class Ended(Exception):
        pass

    def end() -> None:
        raise Ended

    countdown, done = Countdown(Kill(1, is_after), end), []
    with pytest.raises(Ended):
        for statement in ("BEGIN", "INSERT", "COMMIT", "BEGIN", "COMMIT"):
            countdown.statement(statement)
            done.append(statement)
    assert done == seen


def test_a_pdf_written_here_can_be_read() -> None:
    parsed = parse_bytes("a.pdf", pdf(["We decided to call it rcqwwnqlncr from now on. " * 60]), Options())
    assert "rcqwwnqlncr" in "\n".join(section.text for section in parsed.sections) and not parsed.problems


def test_the_same_seed_begins_the_same_history(tmp_path: Path) -> None:
    notes = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        history = Several(tmp_path / name, Random(11))
        notes.append((json.loads((tmp_path / name / "words.json").read_text()), [sorted(w.words) for w in history.worlds]))
        history.close()
    assert notes[0] == notes[1]


def test_a_sync_killed_at_any_commit_point_is_finished_by_the_next(tmp_path: Path) -> None:
    with closing(Sweep(tmp_path, Random(3))) as sweep:
        assert sweep.over(sync_of_changes, stride=11) > 1


def test_what_a_kill_left_undone_for_good_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sweep, "sync_all", lambda sweep: None)
    with closing(Sweep(tmp_path, Random(3))) as sweep, pytest.raises(Wrong, match="sync Source 1, killed at commit 1"):
        sweep.over(sync_of_changes)
