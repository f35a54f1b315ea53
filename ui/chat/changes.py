"""Whether a chat, or what it cites, is still as it was drawn: asked every few seconds by every open page, so it must cost little."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

from tree.store.models import Turn
from ui.chat.visible import visible_turns
from ui.server.tools import Tools

MOST_KEPT = 500  # chats


class Cited(NamedTuple):
    """A passage by its place, and the ids of its source and its document."""

    place: str
    source: str
    document: str


Citations = Mapping[str, Sequence[Cited]]  # by the id of the turn

_lock = threading.Lock()
_known: dict[tuple[str, str], tuple[Hashable, Citations]] = {}  # by the data folder and the chat, of what was looked at last


def chat_now(tools: Tools, chat_id: str) -> str:
    """To be called before the turns are read: the first half of what `look` compares with."""
    return f"{_chat(tools, chat_id)}.{_documents(tools)}"


def cited_by(tools: Tools, turns: Sequence[Turn]) -> dict[str, str]:
    """For each of these turns by its id another text when something that it cites is drawn otherwise: its words, its document,
    whether it can be read."""
    return _told_of(tools, _citations(turns))


def _citations(turns: Sequence[Turn]) -> Citations:
    return {
        turn.id: [Cited(one["place"], one["source_id"], one["document_id"]) for one in turn.answer["citations"]]
        for turn in turns
        if turn.answer
    }


def _told_of(tools: Tools, citations: Citations) -> dict[str, str]:
    all_ = [one for of_turn in citations.values() for one in of_turn]
    store, visible = tools.workspace.store, {source.id for source in tools.visible_sources()}
    nodes = {place: node for place, node in store.nodes.at({one.place for one in all_}).items() if node.source_id in visible}
    wanted: dict[str, set[str]] = {}
    for one in all_:
        if one.place in nodes:
            wanted.setdefault(one.source, set()).add(one.document)
    documents: dict[tuple[str, str], list[object]] = {}
    for source, ids in wanted.items():
        for head in store.documents.heads(source, ids).values():
            documents[source, head.id] = [head.title, head.kind, head.url, sorted(head.metadata.items())]
        for row in tools.sources.stale(source):
            if row.document_id in ids:
                documents.setdefault((source, row.document_id), []).append((row.since, row.reason))
    return {
        id_: _short([(nodes.get(one.place), documents.get((one.source, one.document))) for one in of_turn])
        for id_, of_turn in citations.items()
    }


def cited_now(cited: Mapping[str, str]) -> str:
    """The second half of what `look` compares with, of the turns that are shown."""
    return _short(sorted(cited.items()))


def look(tools: Tools, chat_id: str, shown: int, seen: str) -> str:
    """`seen` ("chat_now.cited_now") as it is now of the last `shown` turns of a chat; empty where they are to be drawn again.

    What costs little is looked at first, and most looks end there. Raises StoreError.
    """
    chat, _, rest = seen.partition(".")
    documents, _, cited = rest.partition(".")
    now = _documents(tools)
    if chat != _chat(tools, chat_id):
        return ""
    if documents != now and cited != cited_now(_told_of(tools, _cited_in(tools, chat_id, shown, chat))):
        return ""
    return ".".join((chat, now, cited))


def _cited_in(tools: Tools, chat_id: str, shown: int, chat: str) -> Citations:
    """What the last `shown` turns cite, read once for each state of the `chat`: the answers are long, and many look."""
    key, state = (str(tools.workspace.home), chat_id), (shown, chat)
    with _lock:
        known = _known.get(key)
    if known is not None and known[0] == state:
        return known[1]
    found = _citations(visible_turns(tools, tools.chats.turns.of_chat(chat_id, limit=shown)))
    with _lock:
        _known.pop(key, None)
        _known[key] = state, found
        while len(_known) > MOST_KEPT:
            del _known[next(iter(_known))]
    return found


def _chat(tools: Tools, chat_id: str) -> str:
    """Another text when something was asked or answered in this chat, or other sources may be seen."""
    return _short((tools.chats.turns.newest(chat_id), [source.id for source in tools.visible_sources()]))


def _documents(tools: Tools) -> str:
    """Another text when a document that may be seen changed, or can be read no longer or again."""
    store, sources = tools.workspace.store, [source.id for source in tools.visible_sources()]
    return store.database.unchanged(
        ("documents", *sources), lambda: _short((store.versions.newest_change(sources), store.failures.state(sources)))
    )


def _short(told: object) -> str:
    return blake2b(repr(told).encode("utf-8", "surrogatepass"), digest_size=9).hexdigest()
