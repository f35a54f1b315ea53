"""Who is signed in, at the foot of the sidebar of every page."""

from __future__ import annotations

import streamlit as st

from ui.server.tools import Tools
from ui.shared import pages
from ui.shared.markup import escaped


def menu(tools: Tools) -> None:
    with st.popover(escaped(tools.principal.name), icon=":material/account_circle:", width="stretch", key="account-menu"):
        if st.button("Account", icon=":material/manage_accounts:", key="account", type="tertiary", width="stretch"):
            st.switch_page(pages.account())
        st.button("Sign out", icon=":material/logout:", key="sign-out", type="tertiary", width="stretch", on_click=_sign_out, args=(tools,))  # fmt: skip


def _sign_out(tools: Tools) -> None:
    tools.account.sign_out()
