"""Suggestions are kept for a bounded number of scopes, whatever an address names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from prompts.stop import Stop
from tests.ui.conftest import read_again
from tree.store.models import Source
from ui.chat.suggestion_cache import MOST_KEPT, SuggestionCache
from ui.server.scope import QuestionScope
from ui.server.tools import Tools


class OneQuestion:
    """In place of the answering processes: finds the same question each time, and notes what was to be tried first."""

    def __init__(self) -> None:
        self.first: list[list[str]] = []

    def told(self, job: str, arguments: Mapping[str, Any], stop: Stop) -> Iterator[Any]:
        self.first.append(arguments["first"])
        yield ["What is drift?", [["nowhere", "gone"]]]


def test_lists_of_many_scopes_are_forgotten_the_oldest_first(tools: Tools, source: Source) -> None:
    cache, processes = SuggestionCache(), OneQuestion()

    def look(number: int) -> list[str]:
        scope = QuestionScope(zone=f"Etc/{number}")
        task = cache.find(tools.workspace, tools.principal, scope, [source.id], processes)
        assert task.ended.wait(20) and task.result == ["What is drift?"]
        return processes.first[-1]

    assert look(0) == []
    (Path(source.config["path"]) / "new.md").write_text("# New\n\nA new version of the source.\n", "utf-8")
    read_again(tools, source)
    assert look(0) == ["What is drift?"], "it is kept from version to version"
    for number in range(1, MOST_KEPT + 1):
        look(number)
    assert look(0) == []
