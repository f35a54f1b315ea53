"""What pages tell of the model's work in the background: in the tree, in the status line, on the page of settings."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ingestion.progress import Progress, SourceProgress
from ingestion.upgrade import Upgrader
from prompts.model import ModelSettings
from tests.prompts.model.provider import MODEL, Provider, serving
from tree.browse.nodes import find_node
from tree.store.language_model import ModelChoice
from tree.store.models import Source
from tree.store.unread_nodes import GivenUp
from ui.explorer import view as tree_view
from ui.server import status_board, upgrades
from ui.server.tools import Tools
from ui.settings import upgrade_card


@pytest.fixture
def provider() -> Iterator[Provider]:
    with serving(Provider()) as started:
        yield started


def test_the_tree_and_the_status_tell_what_the_model_has_read(tools: Tools, source: Source, provider: Provider) -> None:
    workspace = tools.workspace
    root = find_node(workspace, tools.principal, f"{source.id}/")
    assert root is not None and tree_view.record_view(workspace, root)["made_by"] == ""
    settings = ModelSettings(provider="openai-compatible", model=MODEL, base_url=provider.url)
    workspace.model.save(ModelChoice(settings=settings))
    [before] = status_board.StatusBoard().sources(tools)
    assert before["upgrades"].startswith("0 of ") and before["upgrades"].endswith("stopped")
    Upgrader(workspace).run_out()
    leaf = next(node for node in workspace.store.nodes.of_source(source.id) if node.kind == "leaf")
    upgraded = find_node(workspace, tools.principal, f"{source.id}/")
    assert upgraded is not None and tree_view.record_view(workspace, upgraded)["made_by"] == f"openai-compatible:{MODEL}"
    assert tree_view.record_view(workspace, leaf)["text"]["parts"]
    assert upgrades.in_words(upgrades.UpgradeProgress().of_source(workspace, source.id)) == ""


@pytest.mark.parametrize(
    ("state", "upgraded", "pending", "given_up", "words"),
    [
        ("running", 34, 86, 0, "34 of 120 summaries improved"),
        ("waiting", 0, 1, 0, "0 of 1 summary improved, waiting"),
        ("paused", 5, 5, 0, "5 of 10 summaries improved, paused"),
        ("paused", 0, 10, 0, ""),  # nobody has begun it: nothing to tell of
        ("done", 9, 0, 1, "9 of 10 summaries improved"),
        ("done", 10, 0, 0, ""),
    ],
)
def test_how_far_a_source_is_stands_in_one_line(state: str, upgraded: int, pending: int, given_up: int, words: str) -> None:
    left = tuple(GivenUp("s/a", "Kettle", "It declined.", 0.0) for _ in range(given_up))
    source = SourceProgress("s", "Team", state, "", upgraded, pending, left)  # type: ignore[arg-type]
    assert upgrades.in_words(source) == words


def test_why_it_waits_says_until_when() -> None:
    waiting = Progress("waiting", "The provider takes no more requests.", (), None, until=1_800_000_000.0)
    assert upgrade_card._why(waiting).startswith("The provider takes no more requests. It continues at ")


@pytest.mark.parametrize(("number", "words"), [(7, "7"), (1_234, "1,200"), (219_632, "220,000"), (2_149_000, "2.1 million")])
def test_an_estimate_has_two_figures_that_mean_something(number: int, words: str) -> None:
    assert upgrade_card.rounded(number) == words
