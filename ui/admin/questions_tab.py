"""What people asked: what was not found, what was not helpful, what is asked most; so that gaps in the knowledge become visible.

An admin reads the words of every question, as people are told where they rate an answer. They read an answer as far as they may
see its sources, and learn who asked only where that person said that the answer was not helpful.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, time, timedelta

import streamlit as st

from ingestion.words import counted
from tree.ask.snapshot.answer import VERDICT_WORDS
from tree.store.asked import AskedQuestions, Count, Kind, Topic
from ui.admin import proposals
from ui.admin.question_lines import STYLE, day, line
from ui.server.tools import Tools
from ui.shared import components
from ui.shared.markup import escaped
from ui.shared.zone import viewers_zone

WEEKS = {"4 weeks": 4, "12 weeks": 12, "A year": 52}
KINDS: dict[Kind, str] = {
    "none": "Not found",
    "partial": "Passages only",
    "unhelpful": "Not helpful",
    "all": "Most asked",
}
ROWS = 50
TOLD: dict[str, str] = {str(verdict): said for verdict, said in VERDICT_WORDS.items()}


def questions_tab(tools: Tools) -> None:
    tools.admin.check()
    questions = AskedQuestions(tools.workspace.database)
    starts, source_id = _chosen(tools)
    counts = questions.by_period([start.timestamp() for start in starts], source_id)
    since = starts[0].timestamp()
    if not any(count.asked for count in counts):
        st.markdown("Nothing was asked in this time.")
        return
    st.html(STYLE)
    _chart(starts, counts)
    _by_source(tools, questions, since)
    if not source_id:
        proposals.draw(tools, since)
    _list(tools, questions, since, source_id)


def _chosen(tools: Tools) -> tuple[list[datetime], str]:
    """The Mondays on which the weeks begin, in the viewer's time zone, and the id of a source; empty for all."""
    names = {"": "All sources"} | {source.id: source.name for source in tools.sources.all()}
    with st.container(horizontal=True, vertical_alignment="top", gap="small"):
        period = st.segmented_control("Period", list(WEEKS), default="12 weeks", key="questions_period") or "12 weeks"
        source_id = st.selectbox("Source", list(names), format_func=lambda id_: names[id_], key="questions_source", width=260)
    zone = viewers_zone()
    today = datetime.now(zone).date()
    monday = today - timedelta(days=today.weekday())
    weeks = range(WEEKS[period] - 1, -1, -1)
    return [datetime.combine(monday - timedelta(weeks=week), time(), zone) for week in weeks], source_id or ""


def _chart(starts: Sequence[datetime], counts: Sequence[Count]) -> None:
    rows = [
        {"name": f"{start:%Y-%m-%d}", "column": what, "number": number}
        for start, count in zip(starts, counts, strict=True)
        for what, number in (
            ("Answered", count.asked - count.not_found - count.passages),
            (KINDS["partial"], count.passages),
            (KINDS["none"], count.not_found),
        )
    ]
    asked = sum(count.asked for count in counts)
    st.markdown(f"**{counted(asked, 'question')}**, {sum(count.unhelpful for count in counts):,} marked as not helpful")
    components.bar_chart(rows, "Week from", "", f"Questions by week, from {starts[0]:%Y-%m-%d}", height=320)


def _by_source(tools: Tools, questions: AskedQuestions, since: float) -> None:
    counts = questions.by_source(since)
    rows = [(source.name, counts[source.id]) for source in tools.sources.all() if source.id in counts]
    if len(rows) < 2:
        return
    columns = {
        "Source": [escaped(name) for name, _ in rows],
        "Asked": [count.asked for _, count in rows],
        "Not found": [count.not_found for _, count in rows],
        "Passages only": [count.passages for _, count in rows],
        "Not helpful": [count.unhelpful for _, count in rows],
    }
    with st.expander("By source"):
        st.caption("An answer counts for the sources it rests on; one that was not found for every source that was asked.")
        st.table(columns, border="horizontal", hide_index=True, alt="Questions by source")


# ---------------------------------------------------------------- one by one


def _list(tools: Tools, questions: AskedQuestions, since: float, source_id: str) -> None:
    kind = st.segmented_control(
        "Which", list(KINDS), format_func=lambda kind: KINDS[kind], default="none", key="questions_kind", label_visibility="collapsed"
    ) or "none"  # fmt: skip
    lines = list(_unhelpful(tools, questions, since, source_id) if kind == "unhelpful" else _topics(questions.topics(since, kind, source_id, ROWS)))  # fmt: skip
    if not lines:
        st.markdown("None in this time.")
        return
    st.html(f"<ul class='kt-asked'>{''.join(lines)}</ul>")
    if len(lines) == ROWS:
        st.caption(f"The first {ROWS}. Choose a shorter period or one source to see others.")


def _topics(topics: Sequence[Topic]) -> Iterator[str]:
    for topic in topics:
        times = "once" if topic.times == 1 else f"{topic.times:,} times"
        people = f" by {counted(topic.people, 'person', 'people')}" if topic.people > 1 else ""
        told = f"asked {times}{people}, last on {day(topic.asked_at)} · {TOLD.get(topic.verdict, '')}"
        yield line(topic.turn_id, topic.question, told)


def _unhelpful(tools: Tools, questions: AskedQuestions, since: float, source_id: str) -> Iterator[str]:
    names: dict[str, str] = {}
    for one in questions.unhelpful(since, source_id, ROWS):
        if one.owner not in names:
            person = tools.accounts.people.get(one.owner)
            names[one.owner] = person.name if person is not None else "somebody who is gone"
        told = f"{day(one.asked_at)} · {names[one.owner]} · {TOLD.get(one.verdict, '')}"
        yield line(one.turn_id, one.question, told, one.reason)
