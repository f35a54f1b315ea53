"""Who decides and answers one question, the button that stops it, and what it takes."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, field, replace
from typing import Any

from prompts.records import Reader
from prompts.stop import Stop
from prompts.usage import Usage
from tree.store.database import StoreError
from tree.workspace import Workspace

UNFOUNDED = "The model wrote nothing that rests on a passage that was read. This was put together from quotes, without it."

log = logging.getLogger("knowledge-tree")


@dataclass(frozen=True, slots=True)
class QueryContext:
    """One question: its reader, its stop button, its meter. `began` is in seconds of `time.perf_counter`."""

    reader: Reader
    stop: Stop
    usage: Usage
    note: str = ""  # why it is not the model that was chosen
    began: float = field(default_factory=time.perf_counter)

    def without_model(self, workspace: Workspace) -> QueryContext:
        """For an answer that takes the place of one by the model that rests on nothing."""
        self.usage.start_over(UNFOUNDED)
        return replace(self, reader=workspace.reader.for_query(self.usage, self.stop))

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.began

    @property
    def notes(self) -> tuple[str, ...]:
        """What the person who asked should know of how it was answered."""
        return (*filter(None, [self.note]), *self.usage.notes)

    def usage_json(self) -> dict[str, Any]:
        return {**self.usage.as_json(), "model": self.reader.model_label, "seconds": round(self.seconds, 4)}

    def record_usage(self, workspace: Workspace) -> None:
        """Keeps what the model took, however the question ended."""
        try:
            workspace.model.note("question", self.usage, self.reader.model_label, self.seconds)
            for settings, meter in workspace.meaning.take_spent():
                workspace.model.note_embedding(settings, meter)
        except StoreError as error:
            # whoever asked has the answer, and could do nothing about it
            log.error("what a question took of the model could not be written down: %s", error)


def open_query_context(workspace: Workspace, reader: Reader | None, stop: Stop) -> QueryContext:
    """`reader` as given, else the model that the team chose, else the workspace's own."""
    usage, note = Usage(), ""
    if reader is None:
        try:
            reader = workspace.model.reader(usage)
        except StoreError as error:
            note = f"{error} This was answered without the model."
        except ValueError:
            note = "The environment names a model that cannot be used; see Settings. This was answered without it."
    return QueryContext((reader or workspace.reader).for_query(usage, stop), stop, usage, note)
