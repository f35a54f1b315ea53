"""Questions made from raw data, with gold that is reckoned from the same data by other means than the product's."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path

from bench.made.folders import folder_sets
from bench.made.histories import history_sets
from bench.made.made_set import MadeSet
from bench.made.procedures import procedure_sets
from bench.made.ticket_files import ticket_file_sets
from bench.made.tickets import ticket_sets

Maker = Callable[[Path, int, int], Iterator[MadeSet]]  # data, questions of each kind, seed
MAKERS: Mapping[str, Maker] = {
    "tickets": ticket_sets,
    "files": ticket_file_sets,
    "histories": history_sets,
    "folders": folder_sets,
    "procedures": procedure_sets,
}
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
