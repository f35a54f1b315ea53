"""What changed of what somebody follows, as far as they may see it at this moment."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from prompts.extractive.passages import where_said
from tree.accounts.models import Follow
from tree.accounts.principal import Principal
from tree.ask.rests_on import rests_on
from tree.ask.snapshot.snapshot import Snapshot, open_snapshot
from tree.browse.activity import find_histories
from tree.browse.nodes import find_node
from tree.store.changes import DocumentChange, changes_between
from tree.store.chats import Chats
from tree.store.models import Turn
from tree.store.places import is_below
from tree.workspace import Workspace

DAYS = 30  # that are looked back
MOST_CHANGES = 50  # of one thing that is followed
GONE = "It was deleted, or you may not see it now."


@dataclass(frozen=True, slots=True)
class Change:
    """`at` is in seconds since 1970; `place` is where it can be seen, empty once it is gone."""

    at: float
    words: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class News:
    """Something that is followed, with what changed of it, the newest first. What may not be seen now has no title."""

    follow: Follow
    title: str
    path: tuple[str, ...] = ()
    place: str = ""
    chat_id: str = ""  # of an answer
    changes: tuple[Change, ...] = ()

    @property
    def unread(self) -> int:
        return sum(change.at > self.follow.seen_at for change in self.changes)


def find_news(
    workspace: Workspace,
    principal: Principal,
    chats: Chats,
    follows: Sequence[Follow],
    since: float | None = None,
    until: float | None = None,
) -> list[News]:
    """Of each of these what changed after it was followed and, with `since`, after that moment, and with `until` by that one; of
    30 days at most."""
    if not follows:
        return []
    now = time.time() if until is None else until
    oldest = max(now - DAYS * 86_400, since or 0.0)
    snapshot = open_snapshot(workspace, principal)
    first = max(oldest, min(follow.created_at for follow in follows))
    changed = changes_between(snapshot.workspace.database, list(snapshot.sources), first, now, snapshot.version)
    lines = list(_lines(snapshot, first, now)) if any(follow.kind == "place" for follow in follows) else []
    news = _Found(workspace, principal, chats, snapshot, changed, lines, oldest)
    return [news.of_answer(follow) if follow.kind == "answer" else news.of_place(follow) for follow in follows]


def _lines(snapshot: Snapshot, first: float, last: float) -> Iterator[Change]:
    """Of histories of tickets, such as "Rafael: status from Open to Done"."""
    begins, ends = (datetime.fromtimestamp(moment, UTC) for moment in (first, last))
    names = {id_: source.name for id_, source in snapshot.sources.items()}
    for entry in find_histories(snapshot, begins, ends, UTC, names):
        yield Change(entry.at.timestamp(), entry.words, entry.place)


@dataclass(frozen=True, slots=True)
class _Found:
    workspace: Workspace
    principal: Principal
    chats: Chats
    snapshot: Snapshot
    changed: Sequence[DocumentChange]
    lines: Sequence[Change]
    oldest: float

    def of_place(self, follow: Follow) -> News:
        if follow.target.partition("/")[0] not in self.snapshot.sources:
            return News(follow, "")
        node = find_node(self.workspace, self.principal, follow.target)
        within = (
            self.snapshot.store.nodes.named_below([follow.target], self.snapshot.version) if node is not None else [follow.target]
        )
        told = [
            Change(one.at, f"{one.title} was {one.became}", "" if one.how == "removed" else one.place)
            for one in self.changed
            if any(is_below(one.place, top) for top in within)
        ]
        told += [line for line in self.lines if any(is_below(line.place, top) for top in within)]
        changes = self._newest(follow, told)
        if node is None:
            return News(follow, follow.title, changes=changes)
        path = tuple(step.title for step in self.snapshot.store.nodes.path(node.place) if step.kind != "run")[:-1]
        is_itself = node.place == follow.target  # and not the one document that its folder holds now
        return News(follow, node.title if is_itself else follow.title, path, node.place, changes=changes)

    def of_answer(self, follow: Follow) -> News:
        turn = self.chats.turns.get(follow.target)
        chat = self.chats.rows.get(turn.chat_id, self.principal.person_id) if turn is not None else None
        if turn is None or chat is None or turn.answer is None or not self._may_see(turn):
            return News(follow, "")
        told = list(self._of_cited(turn.answer["citations"]))
        return News(follow, turn.question, (), "", turn.chat_id, self._newest(follow, told))

    def _may_see(self, turn: Turn) -> bool:
        everything = [source.id for source in self.snapshot.store.sources.askable(self.principal.chat_id)]
        return rests_on(turn.answer or {}, everything) <= set(self.snapshot.sources)

    def _of_cited(self, citations: Iterable[Mapping[str, Any]]) -> Iterator[Change]:
        """A line for each cited passage that is not what it was, or has something new beside it: a later comment may say otherwise."""
        changed = {(one.source_id, one.document_id): one for one in self.changed}
        cited = [one for one in citations if (one["source_id"], one["document_id"]) in changed]
        nodes = self.snapshot.store.nodes.at({one["place"] for one in cited}, self.snapshot.version)
        leaves = self.snapshot.store.leaves.by_key({node.leaf for node in nodes.values() if node.leaf})
        for citation in cited:
            change, node = changed[citation["source_id"], citation["document_id"]], nodes.get(citation["place"])
            leaf = leaves.get(node.leaf or "") if node is not None else None
            if node is None or leaf is None:
                yield Change(change.at, f"[{citation['number']}] {citation['title']} was removed or moved")
            elif node.leaf != citation["leaf"]:
                stands = _says(leaf.text, citation["passages"])
                how = "was changed beside what is cited, which still stands" if stands else "was edited where it is cited"
                yield Change(change.at, f"[{citation['number']}] {citation['title']} {how}", citation["place"])

    def _newest(self, follow: Follow, changes: Iterable[Change]) -> tuple[Change, ...]:
        first = max(self.oldest, follow.created_at)
        told = sorted((change for change in changes if change.at > first), key=lambda change: -change.at)
        return tuple(dict.fromkeys(told))[:MOST_CHANGES]


def _says(text: str, passages: Iterable[Mapping[str, Any]]) -> bool:
    """Whether all cited words still stand in it, white space aside, and nothing goes on behind them."""
    return all(where_said(text, one["text"], is_whole=True) is not None for one in passages if one["text"].split())
