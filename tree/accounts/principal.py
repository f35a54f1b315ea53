"""Who asks, and the sources they may see."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from tree.store.models import Source


@dataclass(frozen=True, slots=True)
class Principal:
    """A person or a program. Whoever reads anything for somebody is given one; there is no default."""

    person_id: str
    name: str
    is_admin: bool = False
    groups: frozenset[str] = frozenset()  # ids
    only: frozenset[str] | None = None  # source ids that a token is narrowed to
    sees_all: bool = False
    chat_id: str | None = None  # of the chat they ask in, whose files they see

    def may_see(self, source: Source) -> bool:
        """A source without an audience is for everybody who is signed in; the files of a chat are for those who ask in it."""
        if source.chat_id is not None and source.chat_id != self.chat_id:
            return False
        if self.only is not None and source.id not in self.only:
            return False
        if self.sees_all:
            return True
        if not self.person_id:
            return False
        return source.audience is None or not self.groups.isdisjoint(source.audience)

    def visible(self, sources: Iterable[Source]) -> list[Source]:
        return [source for source in sources if self.may_see(source)]

    def in_chat(self, chat_id: str | None) -> Principal:
        """The same, who sees the files of a chat too; to be given to nobody but its owner."""
        return replace(self, chat_id=chat_id)

    def narrowed(self, source_ids: Iterable[str]) -> Principal:
        """The same, who sees no more than these sources, and none besides those they saw before."""
        chosen = frozenset(source_ids)
        return replace(self, only=chosen if self.only is None else self.only & chosen)


NOBODY = Principal("", "nobody")
MONITORING = Principal("", "monitoring")  # reads figures of how the app does, and sees no source
OPERATOR = Principal("", "the command line", is_admin=True, sees_all=True)  # who can read the data folder itself
