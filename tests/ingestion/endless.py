"""A source that is never read to the end."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator, Mapping

from connectors.base import Batch, Cancelled, Check, Document, Section

DOCUMENT_SECONDS = 0.02


class EndlessConnector:
    """Has one more document whenever it is asked; each knows where the one before had ended."""

    rescan_seconds = 3_600.0

    def __init__(self) -> None:
        self._ending, self._closed = threading.Event(), threading.Event()

    def check(self) -> Check:
        return Check("There is no end to it.")

    def fetch(self, checkpoint: Mapping[str, str], hints: Collection[str] | None = None) -> Iterator[Batch]:
        self._ending.clear()
        number = len(checkpoint)
        while not self._ending.is_set():
            if self._closed.wait(DOCUMENT_SECONDS):
                raise Cancelled
            id_ = str(number)
            document = Document(id_, f"Pump {id_}", (), (Section(f"The pump {id_} is green."),), fingerprint=id_)
            yield Batch((document,), checkpoint={id_: id_}, total=1_000_000, looked_at=1)
            number += 1

    def end_fetch(self) -> None:
        self._ending.set()

    def census(self) -> Iterator[str]:
        yield from ()

    def close(self) -> None:
        self._closed.set()
