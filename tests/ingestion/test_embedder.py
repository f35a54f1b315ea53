"""Vectors are made in the background, kept in step with the tree, and every failure waits and says why."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingestion.embedder import MOST_IN_A_ROW, PARTS_AT_ONCE, PARTS_OF_OWN_ENGINE, Embedder
from ingestion.embedding_progress import embedding_estimate, embedding_progress
from ingestion.upgrade import Patience
from prompts.engine.process import EngineState
from prompts.engine.spec import EngineSpec
from prompts.engine.state import EMBEDDING_ENGINE, write_state
from prompts.model.embedding_trial import try_embedding
from tests.ingestion.workspaces import Following
from tests.prompts.model.embedding_server import EmbeddingServer, embedding
from tree.store.embedding_model import WORD_VECTORS, EmbeddingChoice
from tree.store.forgetting import forget_source

AT_ONCE = Patience(first=0.0, longest=0.0, barred=0.0)


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with embedding() as started:
        yield started


@pytest.fixture
def docs(tmp_path: Path, server: EmbeddingServer) -> Iterator[Following]:
    following = Following(tmp_path)
    following.write("returns.md", "# Returns\n\nDefective goods go back to the depot.\n")
    following.write("leave.md", "# Vacation\n\nAsk your supervisor two weeks before.\n")
    following.sync()
    choose(following, server)
    yield following
    following.workspace.close()


def choose(docs: Following, server: EmbeddingServer, **fields: object) -> None:
    docs.workspace.meaning.model.save(EmbeddingChoice(settings=server.settings, **fields))


def made(docs: Following) -> str:
    return Embedder(docs.workspace, patience=Patience(barred=60)).run_out()


def counts(docs: Following) -> tuple[int, int, int]:
    found = embedding_progress(docs.workspace)
    return found.made, found.pending, len(found.given_up)


def test_the_apps_own_engine_gets_few_at_once_so_that_a_question_waits_little(docs: Following, server: EmbeddingServer) -> None:
    for number in range(20):
        docs.write(f"{number}.md", f"# Note {number}\n\nThe text of note {number}.\n")
    docs.sync()
    spec = EngineSpec(file="/models/tiny.gguf", port=int(server.url.rpartition(":")[2]), embeddings=True)
    write_state(docs.workspace.home, EngineState("ready"), EMBEDDING_ENGINE)
    choose(docs, server, engine=spec)
    assert made(docs) == "" and counts(docs) == (22, 0, 0)
    assert max(map(len, server.received)) == PARTS_OF_OWN_ENGINE < PARTS_AT_ONCE


def test_what_vectors_took_is_told_and_counts_for_no_budget_of_the_model(docs: Following, server: EmbeddingServer) -> None:
    assert made(docs) == ""
    assert docs.workspace.meaning.look("defective goods", [docs.source.id]).likeness is not None
    docs.ask("defective goods")
    [spent] = docs.workspace.model.spent(1)
    assert (spent.purpose, spent.model, spent.calls, spent.count) == ("embedding", server.settings.label, 2, 3)
    assert 20 < spent.tokens < 60 and spent.cost is None and not docs.workspace.model.tokens_today()


def test_every_leaf_gets_its_vectors_once(docs: Following, server: EmbeddingServer) -> None:
    assert counts(docs) == (0, 2, 0)
    assert made(docs) == "" and counts(docs) == (2, 0, 0)
    assert sorted(server.texts) == [
        "Returns\nDefective goods go back to the depot.",
        "Vacation\nAsk your supervisor two weeks before.",
    ]
    assert made(docs) == "" and len(server.texts) == 2, "what is there is not asked again"


def test_nothing_is_sent_before_a_model_is_chosen(tmp_path: Path, server: EmbeddingServer) -> None:
    docs = Following(tmp_path)
    docs.write("a.md", "# A\n\nText.\n")
    docs.sync()
    assert made(docs) == "" and server.texts == [] and embedding_progress(docs.workspace).state == "off"
    assert docs.workspace.meaning.vectors.label() == WORD_VECTORS, "made of words, here"
    docs.workspace.close()


def test_only_what_changed_is_made_and_what_left_goes(docs: Following, server: EmbeddingServer) -> None:
    made(docs)
    held = docs.workspace.meaning.vectors.known(docs.source.id)
    server.received.clear()
    docs.write("returns.md", "# Returns\n\nFaulty items go back to the harbour.\n")
    (docs.folder / "leave.md").rename(docs.folder / "holidays.md")
    docs.sync()
    docs.workspace.index.catch_up()
    assert len(docs.workspace.meaning.vectors.known(docs.source.id) & held) == 1, (
        "the edited one went at once, the moved one stays"
    )
    made(docs)
    assert server.texts == ["Returns\nFaulty items go back to the harbour."]
    (docs.folder / "returns.md").unlink()
    docs.sync()
    docs.workspace.index.catch_up()
    assert len(docs.workspace.meaning.vectors.known(docs.source.id)) == 1
    source_id = docs.source.id
    docs.sources.mark_removing(source_id)
    forget_source(docs.workspace.database, source_id)
    docs.sources.delete(source_id)
    docs.workspace.index.catch_up()
    assert docs.workspace.meaning.vectors.known(source_id) == set()


def test_what_was_made_before_it_was_killed_is_kept(docs: Following, server: EmbeddingServer) -> None:
    for number in range(2 * PARTS_AT_ONCE):
        docs.write(f"note-{number}.md", f"# Note {number}\n\nThe text number {number} of many.\n")
    docs.sync()
    server.fail_after = 1
    assert "cannot be reached" in made(docs)
    assert counts(docs) == (PARTS_AT_ONCE, PARTS_AT_ONCE + 2, 0)
    server.fail_after = None
    assert made(docs) == "" and counts(docs) == (2 * PARTS_AT_ONCE + 2, 0, 0)
    assert len(server.texts) == len(set(server.texts)), "nothing is asked twice"


@pytest.mark.parametrize(
    ("manner", "why"),
    [("refuses the key", "wants a key"), ("is busy", "takes no more requests"), ("is no such server", "no server of embeddings")],
)
def test_a_server_that_fails_is_waited_for_and_says_why(docs: Following, server: EmbeddingServer, manner: str, why: str) -> None:
    server.manner = manner  # type: ignore[assignment]
    embedder = Embedder(docs.workspace)
    assert why in embedder.run_out()
    asked = len(server.received)
    assert not embedder.beat() and len(server.received) == asked, "it is left alone for a while"
    found = embedding_progress(docs.workspace)
    assert found.state == "waiting" and why in found.sentence and found.until is not None
    server.manner = "well"
    choose(docs, server, paused=False, anew=1)
    assert embedder.beat(), "settings that changed are tried at once"
    assert counts(docs)[1] == 0


def test_one_text_that_is_refused_stands_in_the_way_of_no_other(docs: Following, server: EmbeddingServer) -> None:
    server.refuses = "supervisor"
    assert made(docs) == "" and counts(docs) == (1, 0, 1)
    assert "refused the request" in embedding_progress(docs.workspace).given_up[0]
    asked = len(server.received)
    assert made(docs) == "" and len(server.received) == asked, "it is not tried again today"
    server.refuses = ""
    docs.write("leave.md", "# Vacation\n\nAsk the boss two weeks before.\n")
    docs.sync()
    assert made(docs) == "" and counts(docs) == (2, 0, 0)


def test_a_text_that_is_too_long_is_made_of_its_beginning(docs: Following, server: EmbeddingServer) -> None:
    docs.write("long.md", "# Long\n\n" + "Defective goods and more. " * 30)
    docs.sync()
    server.longest = 600
    assert made(docs) == "" and counts(docs) == (3, 0, 0)
    assert [len(text) for text in server.texts if text.startswith("Long")][-1] <= 600


def test_a_server_that_refuses_everything_is_not_asked_for_every_leaf(docs: Following, server: EmbeddingServer) -> None:
    for number in range(4 * MOST_IN_A_ROW):
        docs.write(f"note-{number}.md", f"# Note {number}\n\nThe text number {number}.\n")
    docs.sync()
    server.refuses = "e"
    assert "refused the request" in made(docs)
    assert len(server.received) < 4 * MOST_IN_A_ROW and counts(docs)[2] == MOST_IN_A_ROW - 1


def test_another_model_makes_all_anew_and_another_size_asks_for_that(docs: Following, server: EmbeddingServer) -> None:
    made(docs)
    server.size = 32
    docs.write("new.md", "# New\n\nAnother text.\n")
    docs.sync()
    assert "Make all vectors anew" in made(docs) and counts(docs) == (2, 1, 0)
    choose(docs, server, anew=1)
    assert counts(docs) == (0, 3, 0), "none of the model before counts"
    assert made(docs) == "" and counts(docs) == (3, 0, 0)
    docs.workspace.meaning.model.save(EmbeddingChoice())
    Embedder(docs.workspace).beat()
    assert docs.workspace.meaning.vectors.label() == WORD_VECTORS, "a model that is turned off leaves no vectors"


def test_a_pause_holds(docs: Following, server: EmbeddingServer) -> None:
    choose(docs, server, paused=True)
    assert "paused" in made(docs)
    assert server.texts == [] and embedding_progress(docs.workspace).state == "paused"


def test_it_goes_on_in_the_background_until_it_is_stopped(docs: Following, server: EmbeddingServer) -> None:
    embedder = Embedder(docs.workspace, patience=AT_ONCE)
    thread = threading.Thread(target=embedder.run, daemon=True)
    thread.start()
    try:
        for _ in range(200):
            if embedding_progress(docs.workspace).pending == 0:
                break
            threading.Event().wait(0.05)
        assert counts(docs) == (2, 0, 0)
    finally:
        embedder.stopping.set()
        thread.join(10)
    assert not thread.is_alive()


def test_what_it_takes_is_told_before(docs: Following, server: EmbeddingServer) -> None:
    unknown = embedding_estimate(docs.workspace, EmbeddingChoice(settings=server.settings))
    assert (unknown.leaves, unknown.parts, unknown.seconds, unknown.cost) == (2, 2, None, 0.0) and unknown.tokens > 10
    trial = try_embedding(server.settings)
    known = embedding_estimate(docs.workspace, EmbeddingChoice(settings=server.settings, last_trial=trial))
    assert known.seconds == pytest.approx(2 * trial.seconds_of_a_part)
    made(docs)
    assert embedding_estimate(docs.workspace, docs.workspace.meaning.model.choice()).leaves == 0


def test_very_many_leaves_get_no_vectors_of_words(tmp_path: Path) -> None:
    docs = Following(tmp_path)
    docs.write("a.md", "# A\n\nText.\n")
    docs.sync()
    vectors = docs.workspace.meaning.vectors
    assert Embedder(docs.workspace).run_out() == "" and len(vectors.known(docs.source.id)) == 1
    docs.write("b.md", "# B\n\nMore text.\n")
    docs.sync()
    assert Embedder(docs.workspace, most_of_words=1).run_out() == "" and vectors.label() == ""
    assert Embedder(docs.workspace, most_of_words=2).run_out() == "" and len(vectors.known(docs.source.id)) == 2
    docs.workspace.close()
