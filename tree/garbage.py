"""Python's collections of garbage, which go through all that a process holds: seldom, and not through what is there for good."""

from __future__ import annotations

import gc

# With Python's 700 an eighth of what a build takes of a processor is spent on them, and among fifty people a collection that goes
# through everything stops all threads for half a second, every ten seconds.
COLLECTED_AFTER = (5_000, 10, 20)


def collect_seldom() -> None:
    """For a process that has loaded what it needs: that is left out from now on (`gc.freeze`)."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTED_AFTER)
