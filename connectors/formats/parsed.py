"""What every format reader takes and gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from connectors.base import Problem, ProblemKind, Section


@dataclass(frozen=True, slots=True)
class Options:
    """Bounds on what one file may cost and settings that a reader may need. Crosses a process boundary."""

    max_file_bytes: int = 100_000_000
    max_characters: int = 20_000_000
    max_unpacked_bytes: int = 500_000_000
    max_cells: int = 1_000_000
    depth: int = 0  # how many containers (a mail, its attachment) lie around what is read
    settings: Mapping[str, object] = field(default_factory=dict)  # for one format alone: passwords of PDFs


@dataclass(frozen=True, slots=True)
class Parsed:
    """The content of a file. An empty title: the file's name is the best there is."""

    kind: str
    sections: tuple[Section, ...]
    title: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    labels: tuple[str, ...] = ()  # that other files link to it by


class Unreadable(Exception):
    """Nothing of the file can be read; the problem says why in words a person understands."""

    def __init__(self, kind: ProblemKind, reason: str) -> None:
        super().__init__(kind, reason)
        self.problem = Problem(kind, reason)
