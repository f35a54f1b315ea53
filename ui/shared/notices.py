"""The result of a click: shown on the page that is drawn next. What went well is said over the page, which does not move for it; what
went wrong stands where the click was, or at the top of the page where no place is given, until the next click."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from tree.store.database import StoreError
from ui.shared.markup import escaped

SAID = "notices"  # in the session

Tone = Literal["good", "bad"]


@dataclass(slots=True)
class Notice:
    """`at` names the place where it is drawn; what went well, and what has none, is drawn by the page."""

    tone: Tone
    words: str
    at: str = ""
    is_awaited: bool = False  # a page was begun that may have its place
    is_drawn: bool = False  # at its place


def draw(*, in_dialog: bool = False) -> None:
    """Draws what has no place of its own, at the top of a page or a dialog. `in_dialog` all within it: what is around a dialog is hidden from screen readers.

    Notices that were drawn at their place before are over; those whose place is not on the page any more are drawn here.
    """
    kept = []
    with st.container():  # always there: what stands below keeps its place when a notice goes, and is not drawn twice meanwhile
        for notice in _notices():
            if notice.at and in_dialog:
                kept.append(notice)
            elif notice.at and not notice.is_drawn and not notice.is_awaited:
                notice.is_awaited = True
                kept.append(notice)
            elif not notice.is_drawn:
                _draw(notice, in_dialog)
    st.session_state[SAID] = kept


def draw_at(*places: str) -> None:
    """Draws what went wrong with a click at these places. It stays when only a part of the page is drawn again by itself."""
    with st.container():
        for notice in _notices():
            if notice.at in places:
                notice.is_drawn = True
                _draw(notice)


def places() -> list[str]:
    """Those for which there is a notice."""
    return [notice.at for notice in _notices() if notice.at]


def _draw(notice: Notice, in_dialog: bool = False) -> None:
    if notice.tone == "bad":
        st.error(escaped(notice.words), icon=":material/error:")
    elif in_dialog:
        st.success(escaped(notice.words), icon=":material/check_circle:")
    else:
        st.toast(escaped(notice.words), icon=":material/check_circle:", duration="long")


def _notices() -> list[Notice]:
    notices: list[Notice] = st.session_state.setdefault(SAID, [])
    return notices


def say(words: str, tone: Tone = "good", *, at: str = "") -> None:
    """Adds a notice; `words` are shown letter by letter. `at`: for what went wrong, the place where `draw_at` draws it."""
    _notices().append(Notice(tone, words, at))


def attempt(action: Callable[..., object], *arguments: object, at: str = "", told: Callable[[StoreError], str] = str) -> bool:
    """Calls `action`; returns False where it raised StoreError, whose message becomes a notice, `told` to whoever looks."""
    st.session_state[SAID] = [notice for notice in _notices() if not notice.is_drawn]  # of the click before
    try:
        action(*arguments)
    except StoreError as error:
        say(told(error), "bad", at=at)
        return False
    return True


def on_click(action: Callable[..., object], *arguments: object, at: str = "") -> None:
    """`attempt` as the callback of a button."""
    attempt(action, *arguments, at=at)
