"""The small pieces of browser code, each declared once: an answer, a passage, an announcement, the status line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from prompts.language import visible
from ui.shared.dialogs import draw_again

FRONTEND = Path(__file__).parent / "frontend"
LABEL_PIXELS = {"expr": "windowSize()[0] < 600 ? 72 : 140"}  # of a bar, which needs room too on a telephone


def _read(name: str) -> str:
    return (FRONTEND / name).read_text("utf-8")


_turn = st.components.v2.component(
    "kt_turn", html='<div class="turn"></div>\n<!-- -->', css=_read("turn.css"), js=_read("turn.js")
)
_passage = st.components.v2.component(
    "kt_passage",
    html='<div class="passage" tabindex="0" role="document"></div>\n<!-- -->',
    css=_read("passage.css"),
    js=_read("passage.js"),
)
_panel = st.components.v2.component(
    "kt_panel", html='<div class="keys"></div>\n<!-- -->', css=".keys { display: none; }\n", js=_read("panel.js")
)
_announce = st.components.v2.component(
    "kt_announce",
    html='<div class="announce" role="status" aria-live="polite"></div>\n<!-- -->',
    css=".announce { position: absolute; width: 1px; height: 1px;\n overflow: hidden; clip-path: inset(50%); }",
    js=_read("announce.js"),
)
_follow = st.components.v2.component(
    "kt_follow", html="<span hidden></span>\n<!-- -->", css="span { display: none; }\n", js=_read("follow.js")
)
_reveal = st.components.v2.component(
    "kt_reveal", html="<span hidden></span>\n<!-- -->", css="span { display: none; }\n", js=_read("reveal.js")
)
_shortcuts = st.components.v2.component(
    "kt_shortcuts", html="<span hidden></span>\n<!-- -->", css="span { display: none; }\n", js=_read("shortcuts.js")
)
_drawer = st.components.v2.component(
    "kt_drawer", html="<span hidden></span>\n<!-- -->", css="span { display: none; }\n", js=_read("drawer.js")
)
_status = st.components.v2.component(
    "kt_status",
    html='<div class="status" role="list" aria-label="State of the sources"></div>\n<!-- -->',
    css=_read("status.css"),
    js=_read("status.js"),
)


class Clicked(NamedTuple):
    """What was clicked in an answer, beside its citations: one of `data["actions"]`, or the place of a branch to look in instead."""

    act: str = ""
    look: str = ""


def turn(data: dict[str, Any], key: str, on_cite: Callable[[Mapping[str, Any]], None] | None = None) -> Clicked:
    """`data["drawn"]` may hold most of it as JSON that was made before; what is beside it comes first. `on_cite` is told which citation was
    clicked, and whether there is room beside, before the page is drawn.

    Clicks are noted by callbacks: a run of the page that is stopped for another one would lose what it only finds on its way."""
    noted = f"{key}-clicked"

    def cited() -> None:
        if on_cite is not None and (said := st.session_state[key].cite):
            on_cite(said)

    def note() -> None:
        said = st.session_state[key]
        st.session_state[noted] = Clicked(said.act or "", said.look or "")

    _turn(data=data, key=key, on_cite_change=cited, on_act_change=note, on_look_change=note)
    clicked: Clicked = st.session_state.pop(noted, Clicked())
    return clicked


def reveal(container: str, what: str, key: str, *, wanted: bool) -> None:
    """Brings the container with this key into sight, once for each `what` that somebody `wanted` to see."""
    _reveal(data={"container": container, "what": what, "wanted": wanted}, key=key)


def passage(parts: Sequence[tuple[str, str]], label: str, key: str, *, is_code: bool = False) -> None:
    """Draws parts of a text, each with what it is: same, cited, current (cited, and to begin at), added or removed."""
    _passage(data={"parts": [list(part) for part in parts], "label": label, "code": is_code}, key=key)


def document(html: str, label: str, key: str) -> None:
    """Draws a passage that is HTML of ours already (ui/chat/document_html.py)."""
    _passage(data={"html": html, "label": label}, key=key)


def panel(label: str, opened: str, key: str) -> bool:
    """Stands in the container "source-panel" and makes it a region that takes the focus whenever `opened` is another.

    Returns whether Escape was pressed.
    """
    return bool(_panel(data={"label": label, "opened": opened}, key=key, on_close_change=lambda: None, height=1).close)


def bars(chart: Mapping[str, Any], key: str) -> None:
    """Draws the chart of an answer, as `chart_json` wrote it. Months stand side by side, anything else below each other."""
    series = chart["series"]
    # columns with names of our own: one of a document's may hold characters that the chart library reads as its syntax
    rows = [
        {"name": visible(name), "number": value, "column": visible(one["label"])}
        for one in series
        for name, value in zip(chart["names"], one["values"], strict=True)
    ]
    is_time = chart["label"] == "month"
    label, what = visible(chart["label"]), ", ".join(visible(one["label"]) for one in series)
    height = 260 if is_time else 80 + len(chart["names"]) * max(28, 15 * len(series))
    with st.container(key=key):
        bar_chart(
            rows, label, "" if len(series) > 1 else what, f"{what} by {label}",
            height=height, is_stacked=False, is_horizontal=not is_time, has_columns=len(series) > 1,
        )  # fmt: skip


def bar_chart(
    rows: Sequence[Mapping[str, Any]], label: str, what: str, alt: str,
    *, height: int, is_stacked: bool = True, is_horizontal: bool = False, has_columns: bool = True,
) -> None:  # fmt: skip
    """Draws bars in the order of `rows`, each with "name", "number" and "column", which is told by colour; `label` is that of
    the names, `what` that of the numbers.

    Not `st.bar_chart`: it lets the bars be moved and scaled, for which the chart library has a warning on the console, and so it
    has where it finds the ends of an axis by itself, before Streamlit has brought it the rows.
    """
    names, numbers = ("y", "x") if is_horizontal else ("x", "y")
    lengths = Counter[str]()
    for number, row in enumerate(rows):
        lengths[row["name"] if is_stacked else str(number)] += row["number"]
    ends = [min(0, *lengths.values()), max(1, *lengths.values())]
    shown: dict[str, Any] = {
        names: {"field": "name", "type": "nominal", "sort": None, "title": label or None, "axis": {"labelLimit": LABEL_PIXELS}},
        numbers: {"field": "number", "type": "quantitative", "title": what or None, "axis": {"tickMinStep": 1}, "scale": {"domain": ends, "nice": True}},
        "tooltip": [{"field": "name", "title": label or "name"}, {"field": "number", "title": what or "number"}],
    }  # fmt: skip
    if has_columns:
        shown["color"] = {"field": "column", "type": "nominal", "sort": None, "title": None, "legend": {"orient": "bottom", "columns": 2}}  # fmt: skip
        shown["tooltip"].append({"field": "column", "title": " "})
        if not is_stacked:
            shown[f"{names}Offset"] = {"field": "column", "sort": None}
            shown[numbers]["stack"] = False
    st.vega_lite_chart(rows, {"mark": "bar", "encoding": shown}, height=height, alt=alt)


def announce(
    message: str, turn_id: str = "", *, focuses_box: bool = False, is_running: bool = False, is_sent: bool = False
) -> None:
    """Says `message` to a screen reader and scrolls once to the question in the container with the key "asked-<turn_id>"; to one
    that has just been sent (`is_sent`) with room below it, so that it comes to the top before its answer is there.

    `focuses_box` puts the cursor into the question box. When what `is_running` has ended while the page is in a tab that
    nobody looks at, the title of the tab says so.
    """
    data = {"message": message, "turn": turn_id, "focus": focuses_box, "running": is_running, "sent": is_sent}
    _announce(data=data, key="announce", height=1)


def shortcuts() -> None:
    """Listens for the keyboard shortcuts of the chat (ui/shared/shortcuts.py)."""
    _shortcuts(key="shortcuts", height=1)


@st.fragment
def follow(address: str, seen: str, key: str) -> None:
    """Draws the page again once what is behind an address of ours is no longer as it was `seen`, or an answer has ended; nobody
    looks while the tab is hidden.

    The address is told `seen`, and answers with `seen` as it is now, which is empty where the page is to be drawn again. A
    fragment, because Streamlit stops a run of the page when another one is asked for, with what the first was to bring: a
    question that was sent a moment before. For a fragment no run is stopped.
    """
    if _follow(data={"address": address, "seen": seen}, key=key, height=1, on_changed_change=lambda: None).changed:
        draw_again()


def status() -> None:
    _status(key="status")


def drawer() -> None:
    """Closes the sidebar of a telephone once something was chosen in it."""
    _drawer(key="drawer", height=1)
