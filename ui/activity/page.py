"""Activity: what changed in the knowledge, by day, source and person."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from html import escape
from itertools import groupby
from urllib.parse import quote

import streamlit as st

from ingestion.words import counted
from prompts.language import visible
from tree.browse.activity import FIRST_READ, HISTORY, Activity, Entry, find_activity
from tree.browse.nodes import find_node
from tree.store.nodes import Node
from ui.activity.digest import as_markdown, readable, told
from ui.server.tools import Tools
from ui.shared import components
from ui.shared.markup import escaped
from ui.shared.zone import viewers_zone

PERIODS = {"Today": 0, "7 days": 6, "30 days": 29}
KINDS = {
    "added": "Added",
    "changed": "Changed",
    "moved": "Moved",
    "removed": "Removed",
    HISTORY: "In tickets",
    FIRST_READ: "First read",
}
SHOWN = 60  # entries drawn; more on request
AT = "at"  # in the address: the place of a branch
EVERYONE, EVERYWHERE = "Everybody", "All sources"


def page(tools: Tools) -> None:
    """Draws the page."""
    st.html(STYLE)
    st.title("Activity")
    sources = {source.id: source.name for source in tools.visible_sources()}
    if not sources:
        st.markdown("There is nothing to see yet: no source that you may see has been read.")
        return
    zone = viewers_zone()
    node = _branch(tools)
    first, last = _period(datetime.now(zone).date())
    chosen = node.source_id if node is not None else _source(sources)
    activity = find_activity(tools.workspace, tools.principal, first, last, zone, chosen, node.place if node is not None else "")
    entries = _filtered(activity)
    _overview(activity, entries, first, last, node.title if node is not None else "")
    _days(entries)


# ---------------------------------------------------------------- what is shown


def _branch(tools: Tools) -> Node | None:
    """The one that the address names, with a button that leads to everything; None where it names none that one may see."""
    place = st.query_params.get(AT, "")
    node = find_node(tools.workspace, tools.principal, place) if place else None
    if node is not None:
        st.button(escaped(node.title), icon=":material/close:", icon_position="right", key="activity-branch",
                  help="What changed everywhere", on_click=_everywhere)  # fmt: skip
    elif place:
        st.caption("This branch is not in the tree; this is what changed everywhere.")
    return node


def _everywhere() -> None:
    st.query_params.pop(AT, None)


def _period(today: date) -> tuple[date, date]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.segmented_control("Period", [*PERIODS, "Dates"], default="7 days", key="activity-period")
        if chosen != "Dates":
            return today - timedelta(days=PERIODS.get(chosen or "7 days", 6)), today
        given = st.date_input("From and to", (today - timedelta(days=6), today), max_value=today, key="activity-dates")
    days = given if isinstance(given, tuple) else (given,)
    return (days[0], days[-1]) if days else (today, today)


def _source(sources: dict[str, str]) -> str:
    """The id of the source that was chosen; empty for all."""
    if len(sources) < 2:
        return ""
    names = {"": EVERYWHERE} | sources
    return str(st.selectbox("Source", list(names), format_func=lambda id_: names[id_], key="activity-source") or "")


def _filtered(activity: Activity) -> list[Entry]:
    counts = {kind: sum(entry.how == kind for entry in activity.entries) for kind in KINDS}
    there = [kind for kind, number in counts.items() if number]
    kinds = st.pills(
        "What", there, selection_mode="multi", format_func=lambda kind: f"{KINDS[kind]} {counts[kind]}", label_visibility="collapsed", key="activity-kinds"
    ) if len(there) > 1 else there  # fmt: skip
    people = activity.people()
    who = st.selectbox("Who", [EVERYONE, *people], format_func=visible, key="activity-who") if people else EVERYONE
    return [entry for entry in activity.entries if (not kinds or entry.how in kinds) and (who == EVERYONE or who in entry.people)]


def _overview(activity: Activity, entries: Sequence[Entry], first: date, last: date, branch: str) -> None:
    if activity.known_since is not None:
        st.caption(f":material/info: What changed in documents before {readable(activity.known_since.date())} is not known here.")
    if not entries:
        st.markdown("Nothing changed in this time.")
        return
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown(f"**{_how_many(entries)}**", width="content")
        digest = Activity(entries, activity.known_since, activity.names)
        st.download_button(
            "Digest", as_markdown(digest, first, last, branch, viewers_zone()), f"changes-{first}-{last}.md", "text/markdown", icon=":material/download:", key="digest"
        )  # fmt: skip
    if len({entry.at.date() for entry in entries}) > 1:
        _chart(entries, first, last)


def _how_many(entries: Sequence[Entry]) -> str:
    """The changes, as an answer to "what changed?" counts them; that a source was read first is none of them."""
    first = sum(entry.how == FIRST_READ for entry in entries)
    changes = counted(len(entries) - first, "change")
    return f"{changes}, {counted(first, 'source')} read for the first time" if first else changes


def _chart(entries: Sequence[Entry], first: date, last: date) -> None:
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    there = [kind for kind in KINDS if any(entry.how == kind for entry in entries)]
    rows = [
        {
            "name": day.isoformat(),
            "column": KINDS[kind],
            "number": sum(entry.at.date() == day and entry.how == kind for entry in entries),
        }
        for day in days
        for kind in there
    ]
    components.bar_chart(rows, "", "", f"Changes by day, from {first} to {last}", height=240)


# ---------------------------------------------------------------- day by day


def _days(entries: Sequence[Entry]) -> None:
    shown = st.session_state.setdefault("activity-shown", SHOWN)
    for day, those in groupby(entries[:shown], key=lambda entry: entry.at.date()):
        st.html(f"<h2 class='kt-day'>{readable(day)}</h2><ul class='kt-changes'>{''.join(map(_line, those))}</ul>")
    more = min(SHOWN, len(entries) - shown)
    if more > 0 and st.button(f"Show {more} more", icon=":material/expand_more:", key="activity-more"):
        st.session_state["activity-shown"] = shown + SHOWN
        st.rerun()


def _line(entry: Entry) -> str:
    """One change as HTML, with a link to where it can be seen."""
    words = escape(told(entry))
    if entry.place:
        words = f'<a href="tree?at={quote(entry.place, safe="")}" target="_self">{words}</a>'
    return (
        f"<li class='{entry.how}'><time datetime='{entry.at.isoformat(timespec='minutes')}'>{entry.at:%H:%M}</time>"
        f"<span>{words} <small>{escape(entry.source)}</small></span></li>"
    )


STYLE = """<style>
.kt-day { font-size: 1.05rem; font-weight: 600; margin: 1rem 0 0.3rem; padding: 0; }
.kt-changes { list-style: none; margin: 0; padding: 0; }
.kt-changes li { display: flex; gap: 0.8rem; padding: 0.3rem 0 0.3rem 0.7rem; margin: 0; border-left: 3px solid var(--st-border-color, #8a9a97); line-height: 1.45; overflow-wrap: anywhere; }
.kt-changes li.added { border-color: #0f9488; } .kt-changes li.removed { border-color: #d1603d; } .kt-changes li.changed { border-color: #e0a526; }
.kt-changes time { flex: none; white-space: nowrap; } .kt-changes time, .kt-changes small { opacity: 0.72; font-variant-numeric: tabular-nums; } .kt-changes small { white-space: nowrap; }
.kt-changes a { color: inherit; text-decoration: none; } .kt-changes a:hover, .kt-changes a:focus-visible { text-decoration: underline; }
</style>"""
