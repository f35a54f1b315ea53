"""The versions of an answer, each asked in another part of the tree: which one is shown, and the others."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from tree.store.answer_versions import VersionOf
from tree.store.models import Turn
from ui.chat import scope_row
from ui.server.scope import parse_scope
from ui.server.tools import Tools


def draw(tools: Tools, turn: Turn, versions: Sequence[VersionOf], *, is_own: bool) -> None:
    """Nothing for an answer that has one version. Only whose chat it is chooses which one is shown."""
    at = next((at for at, version in enumerate(versions) if version.number == turn.shown), None)
    if at is None or len(versions) < 2:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"versions-{turn.id}"):
        if is_own:
            _step(tools, turn, "Previous answer", "chevron_left", versions[at - 1].number)
        st.caption(f"Answer {at + 1} of {len(versions)}", width="content")
        if is_own:
            _step(tools, turn, "Next answer", "chevron_right", versions[(at + 1) % len(versions)].number)
        if not (scope := parse_scope(versions[at].scope)).is_everything and versions[at].scope != turn.scope:
            scope_row.asked_in(tools, scope)


def _step(tools: Tools, turn: Turn, name: str, icon: str, number: int) -> None:
    st.button(
        name, icon=f":material/{icon}:", key=f"version-{icon}-{turn.id}", type="tertiary", help=name,
        on_click=tools.chats.turns.show_version, args=(turn.id, number, tools.principal.person_id),
    )  # fmt: skip
