"""Inviting somebody: who it is, what they may do, and the link by which they join."""

from __future__ import annotations

import streamlit as st

from prompts.language import visible
from tree.accounts.addresses import as_typed
from tree.accounts.links import INVITATION_SECONDS
from ui.admin.links import forget_link, keep_link, link_of, show_link
from ui.server.tools import Tools
from ui.shared import notices
from ui.shared.markup import escaped

ABOUT, INVITED = "invitation", "admin_invited"  # INVITED in the session: for whom the link is


def invite(tools: Tools, _about: str) -> None:
    """The dialog."""
    if link := link_of(ABOUT):
        st.markdown(f"A link for **{escaped(st.session_state.get(INVITED, ''))}**:")
        show_link(link, INVITATION_SECONDS)
        st.button("Invite somebody else", icon=":material/person_add:", key="invite_again", on_click=forget_link)
        return
    notices.draw(in_dialog=True)
    names = tools.accounts.people.groups()
    with st.form("invitation", border=False):
        st.text_input("E-mail", key="invite_email", max_chars=254, autocomplete="off", placeholder="name@example.org")
        st.text_input(
            "Name", key="invite_name", max_chars=100, autocomplete="off", placeholder="They can change it when they join"
        )
        st.multiselect(
            "Groups", list(names), key="invite_groups", format_func=lambda id_: visible(names.get(id_, "")),
            placeholder="No group" if names else "There are no groups yet", disabled=not names,
        )  # fmt: skip
        st.checkbox("Admin: manages sources, people and the model", key="invite_admin")
        st.form_submit_button("Create the link", type="primary", key="invite_create", on_click=_create, args=(tools,))


def _create(tools: Tools) -> None:
    said = st.session_state
    email, made = as_typed(str(said["invite_email"])), list[str]()
    if notices.attempt(
        lambda: made.append(
            tools.admin.invite(email, said["invite_name"], is_admin=said["invite_admin"], groups=said["invite_groups"])
        )
    ):
        keep_link(ABOUT, made[0])
        said[INVITED] = email
