"""Where a question is asked: everywhere, in one source, or in one branch. Kept with the turn and in the address."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scope:
    source: str = ""  # id; empty is all sources
    place: str = ""  # of a branch; empty is the whole source

    @property
    def sources(self) -> list[str] | None:
        return [self.source] if self.source else None

    @property
    def places(self) -> list[str]:
        return [self.place] if self.place else []

    def written(self) -> str:
        if self.place:
            return f"at:{self.place}"
        return f"in:{self.source}" if self.source else ""

    def parameters(self) -> dict[str, str]:
        """For the address of the chat page."""
        return {"at": self.place} if self.place else {"in": self.source} if self.source else {}


def read_scope(written: str) -> Scope:
    kind, _, rest = written.partition(":")
    return Scope(place=rest) if kind == "at" else Scope(source=rest) if kind == "in" else Scope()
