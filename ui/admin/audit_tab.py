"""The audit log: who did what, to what, when and from where, the newest first."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from ingestion.words import counted
from tree.ask.snapshot.zones import name_of
from ui.server.tools import Tools
from ui.shared.admins import for_admins
from ui.shared.markup import escaped
from ui.shared.tables import to_first_page
from ui.shared.zone import viewers_zone

ROWS = 100
PAGE = "audit_page"  # in the session
HEADS = ("When", "Who", "What", "To what", "From")


def audit_tab(tools: Tools) -> None:
    st.fragment(for_admins)(_entries, tools)


def _entries(tools: Tools) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute", gap="small"):
        words = st.text_input(
            "Search the audit log", key="audit_search", type="search", live="300ms", label_visibility="collapsed",
            placeholder="Search by person, action, target or address", autocomplete="off", width=360, on_change=to_first_page, args=(PAGE,),
        ).strip()  # fmt: skip
        st.download_button(
            "Download as CSV", lambda: tools.admin.export_audit().encode("utf-8-sig"), f"audit-{datetime.now(UTC):%Y-%m-%d}.csv", "text/csv",
            icon=":material/download:", key="audit_csv", on_click="ignore", help="All of it, with times in UTC",
        )  # fmt: skip
    zone = viewers_zone()
    total = tools.accounts.audit.count(words)
    page = st.session_state.get(PAGE, 1)
    entries = tools.accounts.audit.entries(ROWS, (page - 1) * ROWS, words)
    st.caption(f"{counted(total, 'entry', 'entries')}, the newest first. Times in {escaped(name_of(zone))}.")
    if entries:
        rows = [
            (f"{datetime.fromtimestamp(entry.at, zone):%Y-%m-%d %H:%M:%S}", entry.who, f"{entry.action[:1].upper()}{entry.action[1:]}", entry.target, entry.address)
            for entry in entries
        ]  # fmt: skip
        columns = {head: [escaped(row[number]) for row in rows] for number, head in enumerate(HEADS)}
        st.table(columns, border="horizontal", hide_index=True, alt="The audit log")
    if total > ROWS:
        st.pagination(-(-total // ROWS), key=PAGE)
