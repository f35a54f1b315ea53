"""Sources: what the tree is made from, the state of each of them, and how another one is added."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ingestion.source_status import is_busy
from tree.store.models import Source
from ui.server.tools import SAMPLE, Tools
from ui.shared import notices
from ui.shared.admins import for_admins
from ui.shared.dialogs import dialog, draw_again
from ui.sources import adding as source_adding
from ui.sources import card as source_card
from ui.sources import fields, jira_settings, jira_webhook
from ui.sources import settings as source_settings
from ui.sources.removed import is_previewing

BUSY_SECONDS, CALM_SECONDS = 1, 5  # between two looks at the state of the sources
DIALOG = source_card.DIALOG


def page(tools: Tools) -> None:
    """Draws the page."""
    st.title("Sources")
    notices.draw()
    sources = tools.sources.all()
    has_sample = any(source.config.get("path") == str(SAMPLE) for source in sources)
    fields.begin_anew()
    if sources:
        with st.expander("Add a source", icon=":material/add:", key=fields.FORM, on_change="rerun"):
            source_adding.add(tools)
        busy = _is_any_busy(sources)
        with st.container():  # of any number of cards: what follows keeps its place
            st.fragment(for_admins, run_every=BUSY_SECONDS if busy else CALM_SECONDS)(
                _cards, tools, busy, [source.id for source in sources]
            )
        if not has_sample:
            source_adding.offer_sample(tools, is_first=False)
    else:
        st.markdown(
            "No sources yet. Add a folder, some PDFs or a Jira site below. You can ask about them as soon as the first documents "
            "are read."
        )
        source_adding.offer_sample(tools, is_first=True)
        st.subheader("Add a source")
        source_adding.add(tools)
    _open_dialog(tools)


def _is_any_busy(sources: Sequence[Source]) -> bool:
    return any(is_busy(source) or is_previewing(source) for source in sources)


def _cards(tools: Tools, was_busy: bool, shown: list[str]) -> None:
    """Draws itself again and again, faster while something is going on.

    The page is not drawn again beneath a dialog: it would close it, with what somebody has typed or the secret that is shown once.
    It is drawn when the dialog is closed.
    """
    sources = tools.sources.all()
    for source in sources:
        source_card.card(tools, source)
    has_changed = _is_any_busy(sources) != was_busy or [source.id for source in sources] != shown
    if has_changed:
        draw_again()


def _open_dialog(tools: Tools) -> None:
    """Opened by the page and not by a card, which draws itself again and would close it."""
    what, source_id = st.session_state.pop(DIALOG, ("", ""))
    source = next((source for source in tools.sources.all() if source.id == source_id), None)
    if source is None:
        return
    if what == "remove":
        opened = dialog("Remove this source?", icon=":material/delete:")
        opened(for_admins)(source_settings.confirm_removal, tools, source)
    elif what == "settings":
        jira_webhook.forget()
        settings = jira_settings.settings if source.kind == "jira" else source_settings.settings
        opened = dialog("Settings", position="right", width="medium", icon=":material/tune:")
        opened(for_admins)(settings, tools, source)
