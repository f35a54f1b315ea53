"""The result of a click: shown once, on the page that is drawn next. What went well is said over the page, which does not move for
it; what went wrong stands at its top until the next click."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import streamlit as st

from tree.store.database import StoreError
from ui.shared.markup import escaped

SAID = "sources_said"  # in the session


def draw(*, in_dialog: bool = False) -> None:
    """Draws the notices that were added since. `in_dialog` all within it: what is around a dialog is hidden from screen readers."""
    with st.container():  # always there: what stands below keeps its place when a notice goes, and is not drawn twice meanwhile
        for tone, words in st.session_state.pop(SAID, []):
            if tone == "good" and in_dialog:
                st.success(escaped(words), icon=":material/check_circle:")
            elif tone == "good":
                st.toast(escaped(words), icon=":material/check_circle:", duration="long")
            else:
                st.error(escaped(words), icon=":material/error:")


def say(words: str, tone: Literal["good", "bad"] = "good") -> None:
    """Adds a notice; `words` are shown letter by letter."""
    st.session_state.setdefault(SAID, []).append((tone, words))


def attempt(action: Callable[..., object], *arguments: object, told: Callable[[StoreError], str] = str) -> bool:
    """Calls `action`; returns False where it raised StoreError, whose message becomes a notice, `told` to whoever looks."""
    try:
        action(*arguments)
    except StoreError as error:
        say(told(error), "bad")
        return False
    return True


def on_click(action: Callable[..., object], *arguments: object) -> None:
    """`attempt` as the callback of a button."""
    attempt(action, *arguments)
