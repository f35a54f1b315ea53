"""What a click led to: told at the top of the page that is drawn next, once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import streamlit as st

from tree.store.database import StoreError
from ui.shared.markup import escaped

SAID = "sources_said"  # in the session


def draw() -> None:
    with st.container():  # always there: what stands below keeps its place when a notice goes, and is not drawn twice meanwhile
        for tone, words in st.session_state.pop(SAID, []):
            (st.success if tone == "good" else st.error)(
                escaped(words), icon=":material/check_circle:" if tone == "good" else ":material/error:"
            )


def say(words: str, tone: Literal["good", "bad"] = "good") -> None:
    st.session_state.setdefault(SAID, []).append((tone, words))


def attempt(action: Callable[..., object], *arguments: object) -> bool:
    """Does what a button is for, and returns whether it is done; what stands in the way is told."""
    try:
        action(*arguments)
    except StoreError as error:
        say(str(error), "bad")
        return False
    return True
