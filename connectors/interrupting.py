"""Lets `close` end what a connector is doing in another thread, even while the system does not answer."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from connectors.base import Cancelled

LOOK_SECONDS = 0.1  # how often somebody who waits looks whether the connector was closed

Result = TypeVar("Result")


class Interruptible:
    """Runs work that may hang in a system call: a drive that is gone, a folder of a million files."""

    def __init__(self) -> None:
        self._closed = threading.Event()

    def close(self) -> None:
        self._closed.set()

    def is_closed(self) -> bool:
        return self._closed.is_set()

    def refuse_closed(self) -> None:
        """Raises Cancelled once closed: for work to call between its steps."""
        if self._closed.is_set():
            raise Cancelled

    def run(self, work: Callable[[], Result]) -> Result:
        """What `work` returns or raises. Raises Cancelled within `LOOK_SECONDS` of `close`; a call of the system that
        hangs is left behind in a thread that does not keep the process from ending."""
        self.refuse_closed()
        results: list[Result] = []
        errors: list[BaseException] = []
        done = threading.Event()

        def work_aside() -> None:
            try:
                results.append(work())
            except BaseException as error:  # noqa: BLE001  (raised again where it is waited for)
                errors.append(error)
            finally:
                done.set()

        threading.Thread(target=work_aside, name="interruptible", daemon=True).start()
        while not done.wait(LOOK_SECONDS):
            self.refuse_closed()
        if errors:
            raise errors[0]
        return results[0]
