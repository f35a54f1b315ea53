"""Suggestions by sources and scope, found in the background and kept for as long as what they rest on stands."""

from __future__ import annotations

import threading
import time
from collections.abc import Hashable, Sequence
from typing import NamedTuple, TypeVar

from prompts.stop import Stop
from tree.accounts.principal import Principal
from tree.store.node_rows import NodeRows
from tree.workspace import Workspace
from ui.server.answering.jobs import SUGGEST
from ui.server.answering.processes import AnsweringProcesses
from ui.server.scope import QuestionScope
from ui.server.suggesting.apart import tried_apart
from ui.server.suggesting.suggestions import MOST, suggestions_tried
from ui.server.suggesting.tried import Tried, questions_of, stand
from ui.shared.background_task import BackgroundTask

MOST_KEPT = 40  # lists, by version and scope; as many by scope alone
FRESH_SECONDS = 60.0  # in which a list that is not full is not tried to be filled again
Kept = TypeVar("Kept")


class _Found(NamedTuple):
    """`at` is in seconds of `time.monotonic`."""

    questions: list[Tried]
    at: float

    def holds(self, rows: NodeRows) -> bool:
        is_full = len(self.questions) == MOST
        return (is_full or time.monotonic() - self.at < FRESH_SECONDS) and bool(self.questions) and stand(rows, self.questions)


class SuggestionCache:
    """Safe to use from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tasks: dict[Hashable, BackgroundTask[list[str]]] = {}
        self._last: dict[Hashable, _Found] = {}  # by data folder, scope and sources: most of them hold in the next version too

    def find(
        self,
        workspace: Workspace,
        principal: Principal,
        scope: QuestionScope,
        sources: Sequence[str],
        processes: AnsweringProcesses | None = None,
    ) -> BackgroundTask[list[str]]:
        """The task that finds them for the newest version of these; it ends within seconds. `sources` are the ids of those that
        were read and that this person may see; `processes` try them where these are given."""
        asked_in = (str(workspace.home), scope, tuple(sources))
        key = (*asked_in, workspace.store.versions.total(sources))

        def work(_: BackgroundTask[list[str]]) -> list[str]:
            with self._lock:
                last = self._last.get(asked_in)
            if last is None or not last.holds(workspace.store.nodes):
                first = questions_of(last.questions) if last is not None else []
                if processes is not None:
                    told = {"asker": principal.person_id, "sources": list(sources), "scope": scope.as_text(), "first": first}
                    found = tried_apart(processes, SUGGEST, told, Stop())
                else:
                    found = list(suggestions_tried(workspace, principal.narrowed(sources), scope, first))
                last = _Found(found, time.monotonic())
                with self._lock:
                    _keep(self._last, asked_in, last)
            return questions_of(last.questions)

        with self._lock:
            task = self._tasks.get(key)
            if task is None or task.state == "failed":
                task = BackgroundTask(work)
            _keep(self._tasks, key, task)
            return task


def _keep(kept: dict[Hashable, Kept], key: Hashable, value: Kept) -> None:
    """As the newest; the oldest go. A key holds a place and a zone from the address, of which anybody may write any number."""
    kept.pop(key, None)
    kept[key] = value
    while len(kept) > MOST_KEPT:
        del kept[next(iter(kept))]
