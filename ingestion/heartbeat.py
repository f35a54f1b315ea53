"""The worker says that it works: whoever started it takes silence for a process that hangs, and starts another."""

from __future__ import annotations

import threading
import time
from typing import IO, Protocol

BEAT_SECONDS = 1.0


class GoesRound(Protocol):
    """What works in rounds, and tells by the monotonic clock when the last one began."""

    looked_round_at: float
    longest_round: float  # seconds


class Heartbeat:
    """Writes an empty line to `out` every second, from a thread of its own, until a round takes too long.

    So it stops where the process is frozen, where one thread keeps all others from running, and where the main loop hangs.
    """

    def __init__(self, out: IO[bytes], beat_seconds: float = BEAT_SECONDS) -> None:
        self._out, self._beat_seconds = out, beat_seconds
        self._of: GoesRound | None = None  # nobody yet: opening the data folder may migrate it for long

    def start(self) -> None:
        threading.Thread(target=self._run, name="heartbeat", daemon=True).start()

    def of(self, worker: GoesRound) -> None:
        self._of = worker

    def _run(self) -> None:
        while True:
            if self._of is None or time.monotonic() - self._of.looked_round_at <= self._of.longest_round:
                try:
                    self._out.write(b"\n")
                    self._out.flush()
                except (OSError, ValueError):  # nobody listens any more
                    return
            time.sleep(self._beat_seconds)
