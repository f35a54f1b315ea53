"""Questions that an answering process tries, so that pages need not wait for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prompts.stop import Stop
from ui.server.answering.processes import AnsweringProcesses, ProcessEnded
from ui.server.suggesting.tried import Tried, from_told


def tried_apart(processes: AnsweringProcesses, job: str, arguments: Mapping[str, Any], stop: Stop) -> list[Tried]:
    """What an answering process has tried; nothing where it died over it, for nobody waits for these."""
    try:
        return [from_told(one) for one in processes.told(job, arguments, stop)]
    except ProcessEnded:
        return []
