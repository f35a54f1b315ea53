"""Where a question is asked: everywhere, in one source, or in one branch. Kept with the turn and in the address."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class QuestionScope:
    """`sources` and `places` are as `ask` takes them."""

    source: str = ""  # id; empty is all sources
    place: str = ""  # of a branch; empty is the whole source

    @property
    def sources(self) -> list[str] | None:
        return [self.source] if self.source else None

    @property
    def places(self) -> list[str]:
        return [self.place] if self.place else []

    def as_text(self) -> str:
        """As it is kept with a turn; `parse_scope` reads it."""
        if self.place:
            return f"at:{self.place}"
        return f"in:{self.source}" if self.source else ""

    def parameters(self) -> dict[str, str]:
        """For the address of the chat page."""
        return {"at": self.place} if self.place else {"in": self.source} if self.source else {}


def parse_scope(written: str) -> QuestionScope:
    """What `as_text` wrote; all sources for anything else."""
    kind, _, rest = written.partition(":")
    return QuestionScope(place=rest) if kind == "at" else QuestionScope(source=rest) if kind == "in" else QuestionScope()
