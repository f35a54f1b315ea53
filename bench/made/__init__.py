"""Questions made from raw data, with gold that is reckoned from the same data by other means than the product's."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from bench.made.made_set import MadeSet

Maker = Callable[[Path, int, int], Iterator[MadeSet]]
MAKERS: dict[str, Maker] = {}
LIMIT = 20  # questions of each kind


def make(data: Path | None, names: Collection[str], limit: int | None, seed: int) -> Iterator[MadeSet]:
    """Sets of these names, or all for which there is raw data below `data`. Raises SystemExit for a name that there is not."""
    if data is None:
        raise SystemExit("Questions are made from raw data. Give its folder with --data.")
    if unknown := set(names) - MAKERS.keys():
        raise SystemExit(f"There are no questions called {', '.join(sorted(unknown))}. There are: {', '.join(MAKERS)}.")
    for name, maker in MAKERS.items():
        if not names or name in names:
            yield from maker(data, limit or LIMIT, seed)
