"""How many summaries of each source the model has written, for every page that shows it."""

from __future__ import annotations

import threading
import time

from ingestion.progress import Progress, SourceProgress, progress
from ingestion.words import counted
from tree.workspace import Workspace

REFRESH_SECONDS = 3.0  # many open pages share one count: it reads every place of every tree


class UpgradeProgress:
    """The progress of the summaries, counted every few seconds however many ask. Safe to use from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counted: tuple[Workspace, float, Progress] | None = None

    def progress(self, workspace: Workspace, *, is_fresh: bool = False) -> Progress:
        """`is_fresh` counts anew. Raises StoreError."""
        with self._lock:
            if is_fresh or self._counted is None or self._counted[0] is not workspace or self._counted[1] < time.monotonic():
                self._counted = (workspace, time.monotonic() + REFRESH_SECONDS, progress(workspace))
            return self._counted[2]

    def of_source(self, workspace: Workspace, source_id: str) -> SourceProgress | None:
        """None where no model writes summaries."""
        found = self.progress(workspace)
        return next((one for one in found.sources if one.source_id == source_id), None) if found.state != "off" else None


upgrade_progress = UpgradeProgress()


def in_words(source: SourceProgress | None) -> str:
    """ "34 of 120 summaries improved"; empty where there is nothing to say."""
    if source is None or not (source.pending or source.given_up) or (source.state == "paused" and not source.upgraded):
        return ""
    total = source.upgraded + source.pending + len(source.given_up)
    words = f"{source.upgraded:,} of {counted(total, 'summary', 'summaries')} improved"
    if source.pending and source.state in ("paused", "waiting", "stopped"):
        words += {"paused": ", paused", "waiting": ", waiting", "stopped": ", stopped"}[source.state]
    return words
