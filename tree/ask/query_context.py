"""One question as an errand: who decides and answers it, the button that stops it, and what it takes."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, field, replace
from typing import Any

from prompts.model import ModelReader, Stop, Usage
from prompts.records import Reader
from tree.store.database import StoreError
from tree.workspace import Workspace

log = logging.getLogger("knowledge-tree")


@dataclass(frozen=True, slots=True)
class Errand:
    """One question: who decides and answers it, and what that takes."""

    reader: Reader
    stop: Stop
    note: str = ""  # why it is not the model that was chosen
    usage: Usage = field(default_factory=Usage)
    began: float = field(default_factory=time.perf_counter)

    @property
    def model(self) -> str:
        return self.reader.settings.label if isinstance(self.reader, ModelReader) else ""

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.began

    @property
    def notes(self) -> tuple[str, ...]:
        return (*filter(None, [self.note]), *self.usage.notes)

    def taken(self) -> dict[str, Any]:
        return {**self.usage.as_json(), "model": self.model, "seconds": round(self.seconds, 4)}

    def write_down(self, workspace: Workspace) -> None:
        """Keeps what the model took, however the question ended."""
        try:
            workspace.model.note("question", self.usage, self.model, self.seconds)
        except StoreError as error:
            # whoever asked has the answer, and could do nothing about it
            log.error("what a question took of the model could not be written down: %s", error)


def errand_of(workspace: Workspace, reader: Reader | None, stop: Stop) -> Errand:
    note, usage = "", Usage()
    if reader is None:
        try:
            reader = workspace.model.reader(usage)
        except StoreError as error:
            note = f"{error} This was answered without the model."
        except ValueError:
            note = "The environment names a model that cannot be used; see Settings. This was answered without it."
    errand = Errand(reader or workspace.reader, stop, note, usage)
    if isinstance(errand.reader, ModelReader):
        return replace(errand, reader=errand.reader.for_query(usage, stop))
    return errand
