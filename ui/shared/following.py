"""Following: the button that begins and ends it, and how much of what is followed changed since it was looked at."""

from __future__ import annotations

import threading
from collections.abc import Hashable

import streamlit as st

from tree.accounts.follows import Kind
from tree.browse.following import find_news
from tree.store.database import StoreError
from tree.store.errors import words_for
from tree.store.places import document_around
from ui.server.tools import Tools
from ui.shared.markup import escaped

MOST_KEPT = 500  # counts, by person

_lock = threading.Lock()
_counted: dict[str, tuple[Hashable, int]] = {}


def button(tools: Tools, place: str, title: str, key: str) -> None:
    """Follows the branch or document at this place, or no longer. A passage is followed as part of its document."""
    target, person = document_around(place), tools.principal.person_id
    is_followed = target in tools.accounts.follows.targets(person, "place")
    st.button(
        "Following" if is_followed else "Follow",
        icon=":material/notifications_active:" if is_followed else ":material/notifications:",
        key=key,
        type="tertiary",  # as the links beside it
        help="Stop being told when it changes" if is_followed else "Be told when it changes",
        on_click=toggle,
        args=(tools, "place", target, title),
    )


def toggle(tools: Tools, kind: Kind, target: str, title: str) -> None:
    follows, person = tools.accounts.follows, tools.principal.person_id
    try:
        if target in follows.targets(person, kind):
            follows.remove(person, kind, target)
        else:
            follows.add(person, kind, target, title)
    except StoreError as error:
        st.toast(escaped(words_for(error, tools.principal.is_admin)), icon=":material/error:")


def count_unread(tools: Tools) -> int:
    """How many of the things that whoever looks follows have changed since they looked; found anew when something changed."""
    principal = tools.principal
    follows = tools.accounts.follows.of(principal.person_id)
    if not follows:
        return 0
    sources = [source.id for source in tools.visible_sources()]
    seen = tuple((follow.id, follow.seen_at) for follow in follows)
    state = (str(tools.workspace.home), tuple(sources), tools.workspace.store.versions.newest_change(sources), seen)
    with _lock:
        known, number = _counted.get(principal.person_id, (None, 0))
    if known == state:
        return number
    number = sum(one.unread > 0 for one in find_news(tools.workspace, principal, tools.chats, follows))
    with _lock:
        _counted[principal.person_id] = (state, number)
        while len(_counted) > MOST_KEPT:
            del _counted[next(iter(_counted))]
    return number
