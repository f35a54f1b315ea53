"""How much one walk may read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """How much one walk may read. Linked leaves are part of the leaves."""

    branches: int = 6
    leaves: int = 6
    linked: int = 2
    ahead: int = (
        4  # leaves that a model reads before it chooses, nearest by their words; beside the budget where they add nothing
    )
    beside: int = 8  # further ones that are looked into for a statement that says otherwise
