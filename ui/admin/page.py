"""Admin: who has an account, who is in which group, what was asked, what admins did, and whether the app works."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import streamlit as st

from ingestion.words import counted
from ui.admin import (
    audit_tab,
    dialogs,
    group_dialogs,
    groups_tab,
    health_tab,
    invite,
    people_tab,
    person,
    questions_tab,
    tasks_tab,
)
from ui.server.tools import Tools
from ui.shared import notices
from ui.shared.admins import for_admins
from ui.shared.dialogs import dialog
from ui.shared.markup import escaped


class Dialog(NamedTuple):
    title: str
    draw: Callable[[Tools, str], None]
    icon: str
    position: Literal["center", "right"] = "right"


DIALOGS = {
    "invite": Dialog("Invite somebody", invite.invite, ":material/person_add:"),
    "person": Dialog("Person", person.person, ":material/person:"),
    "members": Dialog("Who is in it", group_dialogs.members, ":material/group:"),
    "rename": Dialog("Rename this group", group_dialogs.rename, ":material/edit:", "center"),
    "delete": Dialog("Delete this group?", group_dialogs.confirm_deletion, ":material/delete:", "center"),
}


def page(tools: Tools) -> None:
    """Draws the page."""
    st.title("Admin")
    notices.draw()
    _undelivered(tools)
    names = ["People", "Groups", "Questions", "Audit", "Health", *(["Tasks"] if tools.admin.has_tasks else [])]
    people, groups, asked, audit, works, *tasks = st.tabs(names, key="admin_tab", on_change="rerun", bind="query-params")
    if any(tab.open for tab in tasks):
        with tasks[0]:
            tasks_tab.tasks_tab(tools)
    elif works.open:
        with works:
            health_tab.health_tab(tools)
    elif audit.open:
        with audit:
            audit_tab.audit_tab(tools)
    elif asked.open:
        with asked:
            questions_tab.questions_tab(tools)
    elif groups.open:
        with groups:
            groups_tab.groups_tab(tools)
    else:
        with people:
            people_tab.people_tab(tools)
    what, about = dialogs.requested()
    if what:
        # opened here and not in a tab, whose list draws itself anew while it is searched
        wanted = DIALOGS[what]
        opened = dialog(wanted.title, icon=wanted.icon, position=wanted.position)
        opened(for_admins)(wanted.draw, tools, about)


def _undelivered(tools: Tools) -> None:
    """E-mails that could not be sent, each reason once."""
    failing = tools.accounts.digests.failing()
    if failing:
        reasons = " ".join(dict.fromkeys(escaped(digest.error) for digest in failing[:3]))
        st.warning(f"E-mails to {counted(len(failing), 'person', 'people')} could not be sent: {reasons} They are tried again.", icon=":material/mail_off:")  # fmt: skip
