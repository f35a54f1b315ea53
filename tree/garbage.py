"""Python's collections of garbage, which go through all that a process holds: seldom, and not through what is there for good."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# With Python's 700 an eighth of what a build takes of a processor is spent on them, and among fifty people a collection that goes
# through everything stops all threads for half a second, every ten seconds.
COLLECTED_AFTER = (5_000, 10, 20)


@contextmanager
def loading() -> Iterator[None]:
    """No collection while modules are loaded: hardly any of that is garbage, and looking for it takes a sixth of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def loaded() -> None:
    """For a program that has loaded what it needs, without any collection since its first line: that is left out from now on
    (`gc.freeze`), also when the program ends, where going through it takes a quarter of what a short command takes."""
    gc.freeze()
    gc.enable()


def collect_seldom() -> None:
    """The same for a process that goes on for long. What little is garbage by now stays: to find it takes a tenth of a second."""
    gc.freeze()
    gc.set_threshold(*COLLECTED_AFTER)
