"""Where and as of when a question is asked: chosen above the question box, kept in the address and with the turn."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

import streamlit as st

from tree.ask.snapshot.zones import name_of, read_zone
from tree.store.models import Source
from ui.server.chat_files import NAME
from ui.server.scope import QuestionScope, read_day
from ui.server.tools import Tools
from ui.shared.markup import escaped
from ui.shared.zone import viewers_zone

AT, IN, ON = "at", "in", "on"  # parameters of the address: a place, a source, a day


def read(tools: Tools) -> QuestionScope:
    """What the address says; without what is not there, or not for whoever looks. In a chat with files those, if it says
    nothing."""
    files, viewers = tools.chat_source(), viewers_zone()
    zone = str(viewers).removeprefix("UTC")
    if files is not None and IN not in st.query_params and AT not in st.query_params:
        return QuestionScope(source=files.id, zone=zone)
    place, source, as_of = (st.query_params.get(name, "") for name in (AT, IN, ON))
    day = read_day(as_of)
    as_of = (
        as_of if day is not None and day < datetime.now(viewers).date() else ""
    )  # what is known at the end of today is known now
    if place and place.endswith("/") and place.count("/") == 1:
        place, source = "", place[:-1]  # the root of a source is all of it
    if place:
        return QuestionScope(place=place, as_of=as_of, zone=zone)
    is_known = any(source == known.id for known in tools.visible_sources())
    return QuestionScope(source=source if is_known else "", as_of=as_of, zone=zone)


def draw(tools: Tools, scope: QuestionScope) -> None:
    """Nothing where there is nothing to choose: one source, of which nothing older than today is kept."""
    sources = tools.visible_sources()
    oldest = tools.workspace.store.versions.known_since([source.id for source in sources])
    zone = viewers_zone()
    first = datetime.fromtimestamp(oldest, zone).date() if oldest is not None else None
    has_past = first is not None and first < datetime.now(zone).date()
    if len(sources) < 2 and scope.is_everything and not has_past:
        return
    names = {"": "All sources"} | _names(sources)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="scope"):
        st.caption("Ask in", width="content")
        if scope.place:
            st.button(_branch_name(tools, scope.place, names), icon=":material/close:", icon_position="right", key="scope-branch",
                      help="Ask in all sources", on_click=_narrow, args=("",))  # fmt: skip
        else:
            _choose_source(names, scope)
        if first is not None and (has_past or scope.as_of):
            _choose_day(scope, first)


def _choose_source(names: dict[str, str], scope: QuestionScope) -> None:
    chosen = st.selectbox("Source to ask in", list(names), index=list(names).index(scope.source), format_func=lambda source_id: names[source_id],
                          label_visibility="collapsed", key=f"scope-source-{scope.source}", width=230)  # fmt: skip
    if chosen != scope.source:
        _narrow(chosen)
        st.rerun()


def _choose_day(scope: QuestionScope, first: date) -> None:
    """As of which day: what was known here at its end."""
    today = datetime.now(viewers_zone()).date()
    now = read_day(scope.as_of)
    with st.popover(f"as of {readable(now)}" if now else "as of now", icon=":material/history:", key=f"scope-day-{scope.as_of}"):
        st.caption(f"Answers from what was known here at the end of a day ({name_of(viewers_zone())}).")
        chosen = st.date_input("Day", now, min_value=min(first, now or first), max_value=today, key=f"scope-date-{scope.as_of}")
        if now is not None:
            st.button("As of now", icon=":material/close:", key="scope-now", on_click=_go_to, args=(None,))
    if isinstance(chosen, date) and chosen != now:
        _go_to(chosen if chosen != today else None)
        st.rerun()


def _go_to(day: date | None) -> None:
    st.query_params.pop(ON, None)
    if day is not None:
        st.query_params[ON] = day.isoformat()


def _narrow(source_id: str) -> None:
    for name in (AT, IN):
        st.query_params.pop(name, None)
    st.query_params[IN] = source_id  # empty for all sources: in a chat with files those are asked without it


# ---------------------------------------------------------------- in words


def asked_in(tools: Tools, scope: QuestionScope) -> None:
    """A line below a question that was not asked of everything as it is now."""
    names = _names(tools.visible_sources())
    parts = []
    if scope.place or scope.source:
        where = _branch_name(tools, scope.place, names) if scope.place else escaped(names.get(scope.source, "a removed source"))
        parts.append(f":material/filter_alt: asked in {where}")
    if (day := read_day(scope.as_of)) is not None:
        zone = read_zone(scope.zone)
        elsewhere = "" if str(zone) == str(viewers_zone()) else f" ({name_of(zone)})"
        parts.append(f":material/history: as of {readable(day)}{elsewhere}")
    st.caption(" · ".join(parts))


def _names(sources: Sequence[Source]) -> dict[str, str]:
    return {source.id: NAME if source.chat_id is not None else source.name for source in sources}


def readable(day: date) -> str:
    return day.strftime("%-d %B %Y")


def _branch_name(tools: Tools, place: str, names: dict[str, str]) -> str:
    store = tools.workspace.store
    nodes = [node for node in store.nodes.path(place) if node.kind != "run" and node.source_id in names]
    if (itself := store.nodes.get(place)) is not None and itself not in nodes and itself.source_id in names:
        nodes.append(itself)  # a group of neighbours, or a folder with one child, which a path leaves out
    titles = [names.get(node.source_id, node.title) if node.kind == "root" else node.title for node in nodes]
    return escaped(" › ".join(titles[-2:])) if titles else "a removed branch"
