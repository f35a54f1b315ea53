"""The source panel: a cited passage beside the answer, or over it where there is no room; next, previous and closing it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import streamlit as st

from ui.chat import drawer
from ui.server.tools import Tools
from ui.shared import components
from ui.shared.markup import escaped

OPEN = "open_source"  # in the session: an `OpenSource`, so that a redrawn page keeps the panel open


class OpenSource(NamedTuple):
    turn_id: str
    number: int  # of the citation
    is_beside: bool = True  # the browser has the room (ui/shared/frontend/turn.js)
    at: drawer.At = drawer.NOWHERE  # of the number that was clicked


def open_source(turn_id: str, clicked: Mapping[str, Any]) -> None:
    """`clicked` is what the browser says of a click on a citation."""
    at = drawer.At(tuple(map(int, clicked.get("passages", ()))), str(clicked.get("said", "")))
    st.session_state[OPEN] = OpenSource(turn_id, int(clicked["number"]), bool(clicked.get("beside")), at)


def opened_in(turn_id: str) -> dict[str, Any]:
    """What ui/shared/frontend/turn.js marks as open: the number of the citation of this turn that is open, if one is, and at which of
    its passages."""
    opened = st.session_state.get(OPEN)
    if opened is None or opened.turn_id != turn_id:
        return {"opened": None, "opened_at": ""}
    return {"opened": opened.number, "opened_at": ",".join(map(str, opened.at.passages))}


def close() -> None:
    st.session_state.pop(OPEN, None)


def draw(tools: Tools, citations_of: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    """Draws what is open; `citations_of` are the citations of each turn that is shown, as `Answer.as_json` wrote them."""
    opened = st.session_state.get(OPEN)
    if opened is None:
        return
    citations = citations_of.get(opened.turn_id, ())
    numbers = [citation["number"] for citation in citations]
    if opened.number not in numbers:
        close()
        return
    citation = citations[numbers.index(opened.number)]
    if opened.is_beside:
        with st.container(key="source-panel"):
            _beside(tools, opened, citation, numbers)
        return
    show = st.dialog(_title(citation), width="medium", position="right", on_dismiss=close)(_over)
    show(tools, opened, citation, numbers)


def _beside(tools: Tools, opened: OpenSource, citation: Mapping[str, Any], numbers: Sequence[int]) -> None:
    is_closed = components.panel(f"Source {citation['number']}: {citation['title']}", f"{opened.turn_id}", key="source-keys")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="source-head"):
        with st.container(width="stretch"):
            _place(opened, numbers)
        _around(opened, numbers)
        if st.button("Close", icon=":material/close:", key="source-close", type="tertiary", help="Close (Escape)") or is_closed:
            close()
            st.rerun()
    st.subheader(_title(citation), anchor=False)
    drawer.content(tools, citation, _key(opened), opened.at)


def _over(tools: Tools, opened: OpenSource, citation: Mapping[str, Any], numbers: Sequence[int]) -> None:
    if len(numbers) > 1:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            with st.container(width="stretch"):
                _place(opened, numbers)
            _around(opened, numbers)
    drawer.content(tools, citation, _key(opened), opened.at)


def _place(opened: OpenSource, numbers: Sequence[int]) -> None:
    st.caption(f"Source {numbers.index(opened.number) + 1} of {len(numbers)}")


def _around(opened: OpenSource, numbers: Sequence[int]) -> None:
    """From the last source the next is the first: a button that cannot be clicked would lose the focus."""
    if len(numbers) < 2:
        return
    at = numbers.index(opened.number)
    for name, icon, step in (("Previous source", "chevron_left", -1), ("Next source", "chevron_right", 1)):
        if st.button(name, icon=f":material/{icon}:", key=f"source-{step}", type="tertiary", help=name):
            st.session_state[OPEN] = opened._replace(number=numbers[(at + step) % len(numbers)], at=drawer.NOWHERE)
            st.rerun()


def _title(citation: Mapping[str, Any]) -> str:
    return f"{citation['number']} · {escaped(citation['title'])}"


def _key(opened: OpenSource) -> str:
    return f"source-{opened.turn_id}-{opened.number}"
