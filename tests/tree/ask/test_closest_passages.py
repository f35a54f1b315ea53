"""Below *Not found* stand the passages that are nearest to a question, in its words or in others, each with what stands around it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ingestion.embedder import Embedder
from ingestion.sync import sync
from prompts.extractive.compose import NEAREST
from tests.ingestion.workspaces import Following
from tests.prompts.model.embedding_server import embedding
from tests.tree.ask.conftest import answered
from tree.accounts.principal import OPERATOR, Principal
from tree.ask.ask import Answer, ask
from tree.store.embedding_model import WORD_VECTORS, EmbeddingChoice

HANDBOOK = """# Handbook

## Pay

Wages are paid on the last working day. Shifts after ten in the evening earn a bonus of 15 %. The slip lies in the tray of each team.

## Kitchen

Whoever empties the kettle fills it. The kettle is descaled on the first Monday. Milk is bought by turns.

## Vans

The blue van has a new mirror. Keys hang in the grey box. The grey box is locked at six.
"""
IN_OTHER_WORDS = "what extra money do people get for working in the evening or at night"


@pytest.fixture
def docs(tmp_path: Path) -> Iterator[Following]:
    following = Following(tmp_path)
    following.write("handbook.md", HANDBOOK)
    yield following
    following.workspace.close()


def closest(text: str) -> list[str]:
    said, heading, below = text.partition(NEAREST)
    assert heading and said.startswith("No answer was found")
    return [one.strip() for one in below.split("\n\n") if one.strip()]


def test_what_says_it_in_other_words_leads_with_its_neighbours(docs: Following) -> None:
    found = answered(docs, IN_OTHER_WORDS)
    assert found.verdict == "none"
    first, *_ = closest(found.text)
    assert "**Shifts after ten in the evening earn a bonus of 15 %.**" in first.replace("\\", "")
    assert "Wages are paid on the last working day." in first and "*Handbook › Pay*" in first
    assert found.citations[0].passages[0].text.startswith("Wages are paid")


def test_of_a_question_about_something_else_entirely_nothing_is_shown(docs: Following) -> None:
    found = answered(docs, "Who won the world cup of chess in the evening of 2022 in Naples?")
    assert found.verdict == "none" and NEAREST not in found.text


def test_a_chosen_model_puts_them_in_its_order(docs: Following) -> None:
    docs.sync()
    with embedding() as server:
        docs.workspace.meaning.model.save(EmbeddingChoice(settings=server.settings))
        assert Embedder(docs.workspace).run_out() == ""
        server.received.clear()
        found = docs.ask("what extra money do colleagues get for milk, kettle duty, keys and evenings?")
        compared = server.received[-1]
    shown = closest(found.text)
    assert len(compared) >= len(shown) == 2
    assert all(one.startswith("Handbook \u203a ") for one in compared), "each with the headings above it"


BOOKS = (
    "# Library {number}\n\n"
    + "Shelf {number} holds novels of the coast. The reading lamp of room {number} is mended in spring. " * 3
)
NIGHT = "# Wages\n\nShifts at night earn a bonus of fifteen per cent on the pay. Slips lie in the tray.\n"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Following]:
    """More documents than a walk reads; one of them says in other words what is asked."""
    following = Following(tmp_path)
    for number in range(30):
        following.write(f"library-{number}.md", BOOKS.format(number=number))
    following.write("wages.md", NIGHT)
    following.sync()
    assert Embedder(following.workspace).run_out() == ""
    yield following
    following.workspace.close()


EXTRA = "what extra pay do people get who work the evening in spring?"


def test_what_shares_no_word_is_found_without_a_model(library: Following) -> None:
    found = library.ask(EXTRA)
    assert found.verdict == "none"
    assert "a bonus of fifteen per cent" in closest(found.text)[0]


def test_what_is_gone_or_edited_is_not_among_them(library: Following) -> None:
    library.write("wages.md", NIGHT.replace("fifteen per cent", "twenty per cent"))
    library.sync()  # and the vectors are still those of before
    assert "fifteen per cent" not in library.ask(EXTRA).text
    assert Embedder(library.workspace).run_out() == ""
    assert "a bonus of twenty per cent" in closest(library.ask(EXTRA).text)[0]
    (library.folder / "wages.md").unlink()
    library.sync()
    assert "bonus" not in library.ask(EXTRA).text


def test_whoever_may_not_see_a_source_gets_no_passage_of_it(library: Following, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "pets.md").write_text("# Pets\n\nDogs may come on Fridays. Cats stay at home.\n")
    other = library.sources.add("folder", "Other", {"path": str(tmp_path / "other")}, audience=["vets"])
    sync(library.workspace, library.sources, other)
    assert Embedder(library.workspace).run_out() == ""
    question = "Which weekday is right for a puppy, or a kitten, in spring?"
    [*_, every] = ask(library.workspace, question, principal=OPERATOR)
    [*_, found] = ask(library.workspace, question, principal=Principal("ada", "Ada"))
    assert isinstance(every, Answer) and "Dogs may come" in every.text
    assert isinstance(found, Answer) and "Dogs" not in found.text


def test_a_model_that_is_turned_off_makes_room_for_vectors_of_words(library: Following) -> None:
    vectors = library.workspace.meaning.vectors
    with embedding() as server:
        library.workspace.meaning.model.save(EmbeddingChoice(settings=server.settings))
        assert Embedder(library.workspace).run_out() == "" and vectors.label() != WORD_VECTORS
    library.workspace.meaning.model.save(EmbeddingChoice())
    assert Embedder(library.workspace).run_out() == "" and vectors.label() == WORD_VECTORS
    assert "a bonus of fifteen per cent" in closest(library.ask(EXTRA).text)[0]
