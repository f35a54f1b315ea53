"""A set of made questions, and what reads the data that they are asked of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bench.judging import Gold
from tree.workspace import Workspace


@dataclass(frozen=True, slots=True)
class MadeSet:
    """`open` brings the data into a data folder, through the connector that a person would use; what is there is kept."""

    name: str
    golds: tuple[Gold, ...]
    open: Callable[[Path], Workspace]
