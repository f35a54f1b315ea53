"""How far the model is with the summaries of each source, for every page that tells of it."""

from __future__ import annotations

import threading
import time

from ingestion.progress import Progress, SourceProgress, progress
from tree.workspace import Workspace
from ui.shared.trail import counted

LOOK_SECONDS = 3.0  # many open pages share one look: it counts every place of every tree


class Look:
    """How the upgrades stand, counted every few seconds however many ask."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen: tuple[object, float, Progress] | None = None

    def progress(self, workspace: Workspace, *, is_fresh: bool = False) -> Progress:
        with self._lock:
            if is_fresh or self._seen is None or self._seen[0] is not workspace or self._seen[1] < time.monotonic():
                self._seen = (workspace, time.monotonic() + LOOK_SECONDS, progress(workspace))
            return self._seen[2]

    def of_source(self, workspace: Workspace, source_id: str) -> SourceProgress | None:
        """None where no model is at it."""
        found = self.progress(workspace)
        return next((one for one in found.sources if one.source_id == source_id), None) if found.state != "off" else None


look = Look()


def in_words(source: SourceProgress | None) -> str:
    """A line for the status of a source: "34 of 120 summaries improved"; empty where there is nothing to say."""
    if source is None or not (source.pending or source.given_up) or (source.state == "paused" and not source.upgraded):
        return ""
    total = source.upgraded + source.pending + len(source.given_up)
    words = f"{source.upgraded:,} of {counted(total, 'summary', 'summaries')} improved"
    if source.pending and source.state in ("paused", "waiting", "stopped"):
        words += {"paused": ", paused", "waiting": ", waiting", "stopped": ", not going on"}[source.state]
    return words
