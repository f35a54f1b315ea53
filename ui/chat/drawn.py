"""Answers as they are drawn, made once for as long as nothing of them changes: most pages that are drawn show what they showed before."""

from __future__ import annotations

import json
import threading
import zlib
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

from tree.store.models import Turn
from ui.chat.citation_status import CitationStatus, citation_statuses
from ui.chat.turns import under_way, view
from ui.server.tools import Tools

MOST_KEPT = 300
NEEDED = ("aged", "cut", "verdict", "did_you_mean", "chart")  # by the page itself; all else is for the browser


class Drawn(NamedTuple):
    """`text` is what `turns.view` made, for the browser; `data` the same, or where there is no chart only what the page needs."""

    data: Mapping[str, Any]
    text: str


_lock = threading.Lock()
_kept: dict[
    Hashable, tuple[Mapping[str, Any], bytes]
] = {}  # the text of each compressed: it is mostly a trail, tens of kilobytes


def drawn_turns(tools: Tools, turns: Sequence[Turn], cited: Mapping[str, str]) -> dict[str, Drawn]:
    """By the ids of the turns. `cited` is another text whenever what a turn cites is drawn otherwise (ui/chat/changes.py).

    The turns are as whoever looks may see them: what is kept is kept for those who see the same sources.
    """
    sources = tuple(source.id for source in tools.visible_sources())
    everything = tuple(source.id for source in tools.sources.all())  # an answer of an earlier release rests on all there are
    keys = {turn.id: (str(tools.workspace.home), sources, everything, *_state(turn), cited.get(turn.id)) for turn in turns}
    with _lock:
        known = {id_: _kept.pop(key) for id_, key in keys.items() if key in _kept}
        _kept.update((keys[id_], one) for id_, one in known.items())  # the one used last comes last
    found = {id_: Drawn(data, zlib.decompress(text).decode()) for id_, (data, text) in known.items()}
    missing = [turn for turn in turns if turn.id not in found]
    for turn, statuses in zip(missing, statuses_of(tools, missing), strict=True):
        data = view(turn, tools.answers.of(turn.id), statuses) | {"running": False}
        found[turn.id] = _drawn(data)
        # of what cannot be read now it is told since when; an answer that is not kept yet has no moment at which it ended
        if turn.answer and turn.state != "running" and not any(status.stale for status in statuses):
            packed = found[turn.id].data, zlib.compress(found[turn.id].text.encode(), level=1)
            with _lock:
                _kept[keys[turn.id]] = packed
                while len(_kept) > MOST_KEPT:
                    del _kept[next(iter(_kept))]
    return found


def being_answered(tools: Tools, turn: Turn) -> Drawn:
    """One of which there is only what has been found so far; to others than who asked, what they may see of it."""
    run = tools.answers.run_of(turn.id)
    is_asker = run is not None and run.asker == tools.principal.person_id
    data = view(turn, None, ()) | (under_way(run) if run is not None and is_asker else {})
    return _drawn(data)


def _drawn(data: Mapping[str, Any]) -> Drawn:
    return Drawn(data if data["chart"] else {name: data[name] for name in NEEDED}, json.dumps(data))


def _state(turn: Turn) -> tuple[Hashable, ...]:
    return turn.id, turn.state, turn.finished_at, turn.shown, turn.rating, turn.scope


def statuses_of(tools: Tools, turns: Sequence[Turn]) -> list[list[CitationStatus]]:
    """The status of the citations of all these turns, looked up at once."""
    cited = [(turn.answer or {}).get("citations", ()) for turn in turns]
    statuses = iter(citation_statuses(tools, [citation for citations in cited for citation in citations]))
    return [[next(statuses) for _ in citations] for citations in cited]
