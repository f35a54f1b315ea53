"""Below *Not found* stand the passages that are nearest to a question, in its words or in others, each with what stands around it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ingestion.embedder import Embedder
from prompts.extractive.compose import NEAREST
from tests.ingestion.workspaces import Following
from tests.prompts.model.embedding_server import embedding
from tests.tree.ask.conftest import answered
from tree.store.embedding_model import EmbeddingChoice

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
    assert len(compared) >= len(shown) > 2
    assert all(one.startswith("Handbook \u203a ") for one in compared), "each with the headings above it"
