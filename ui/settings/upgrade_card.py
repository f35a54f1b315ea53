"""The summaries that the model writes in the background: an estimate before it starts, the progress, why it waits."""

from __future__ import annotations

import time
from typing import Literal

import streamlit as st

from ingestion.progress import Basis, Estimate, Progress, SourceProgress, estimate
from ingestion.words import counted, duration
from prompts.model import ModelSettings
from tree.store.language_model import ModelChoice
from tree.workspace import Workspace
from ui.server.tools import Tools
from ui.server.upgrades import REFRESH_SECONDS, in_words, upgrade_progress
from ui.shared import notices
from ui.shared.admins import for_admins
from ui.shared.markup import escaped
from ui.shared.tables import long_table
from ui.shared.usage import money

Color = Literal["gray", "green", "blue", "orange", "red"]
BADGES: dict[str, tuple[str, str, Color]] = {
    "off": ("Off", ":material/toggle_off:", "gray"),
    "done": ("Up to date", ":material/check_circle:", "green"),
    "running": ("Running", ":material/sync:", "blue"),
    "paused": ("Paused", ":material/pause_circle:", "gray"),
    "waiting": ("Waiting", ":material/hourglass_top:", "orange"),
    "stopped": ("Stopped", ":material/error:", "red"),
}
BASES: dict[Basis, str] = {
    "calls": "estimated from the calls so far",
    "trial": "estimated from its test",
    "size": "estimated from its size",
    "": "a rough estimate until some calls were measured",
}
CARD, BUDGETS = "upgrades", "source_budgets"  # where is said what went wrong
NOT_STARTED: tuple[str, str, Color] = ("Not started", ":material/play_circle:", "gray")


# ---------------------------------------------------------------- on the page of settings


def upgrades_section(tools: Tools, choice: ModelChoice, settings: ModelSettings) -> None:
    if not choice.upgrades or not tools.sources.all():
        return
    upgrade_progress.progress(
        tools.workspace, is_fresh=True
    )  # after every click; the card itself draws what all open pages share
    st.fragment(for_admins, run_every=REFRESH_SECONDS)(_card, tools, settings)
    with st.expander("Budget of each source", icon=":material/savings:", key="source_budgets"):
        _budgets(tools, choice)


def _card(tools: Tools, settings: ModelSettings) -> None:
    found = upgrade_progress.progress(tools.workspace)
    is_new = found.state == "paused" and not found.upgraded
    label, icon, tone = NOT_STARTED if is_new else BADGES[found.state]
    with st.container(border=True, key="upgrades"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap="small"):
            st.markdown("#### :material/auto_stories: Summaries", width="content")
            st.badge(label, icon=icon, color=tone)
        if is_new:
            st.markdown(
                f"{escaped(settings.model)} has written no summary yet. The tree is complete without it and stays usable meanwhile."
            )
        else:
            st.progress(found.share, text=_progress_words(found))
        if found.state == "paused" and found.pending:
            st.markdown(_estimate_words(tools, settings))
        if found.state == "paused":
            words = "Start" if is_new else "Resume"
            st.button(
                words, icon=":material/play_arrow:", type="primary", key="upgrades_go", on_click=_pause, args=(tools, False)
            )
        elif found.pending:
            st.button("Pause", icon=":material/pause:", key="upgrades_pause", on_click=_pause, args=(tools, True))
        notices.draw_at(CARD)
        if found.state in ("waiting", "stopped"):  # it comes and goes by itself: below what is clicked
            st.warning(escaped(_why(found)), icon=":material/hourglass_top:")
        for source in found.sources:
            _source(source, found, is_new=is_new)


def _pause(tools: Tools, is_paused: bool) -> None:
    def change() -> None:
        tools.admin.change_model(paused=is_paused)
        upgrade_progress.progress(tools.workspace, is_fresh=True)

    notices.attempt(change, at=CARD)


def _progress_words(found: Progress) -> str:
    total = found.upgraded + found.pending + found.given_up
    words = f"{found.upgraded:,} of {counted(total, 'summary', 'summaries')} improved"
    if found.given_up:
        words += f", {found.given_up:,} failed"
    return words + (f", {duration(found.seconds_left)} left" if found.seconds_left else "")


def _why(found: Progress) -> str:
    until = f" It continues at {time.strftime('%H:%M', time.localtime(found.until))}." if found.until else ""
    return found.sentence + until


def _source(source: SourceProgress, of: Progress, *, is_new: bool) -> None:
    if len(of.sources) > 1 and not is_new:
        words = in_words(source) or "all summaries improved"
        st.caption(f"**{escaped(source.name)}**: {words}")
    if source.sentence and source.state == "waiting" and source.sentence != of.sentence:
        st.caption(f":material/hourglass_top: {escaped(source.sentence)}")
    if source.given_up:
        failed = counted(len(source.given_up), "summary failed", "summaries failed")
        with st.expander(f"{failed} in {escaped(source.name)}", icon=":material/report:", key=f"given_up_{source.source_id}"):
            st.caption("They stay as they were made without the model, and are tried again automatically.")
            rows = [(one.title, one.reason, _again(one.until)) for one in source.given_up]
            long_table(("Place", "Reason, and what to do", "Next try"), rows, f"given_up_table_{source.source_id}")


def _again(until: float) -> str:
    seconds = until - time.time()
    return "now" if seconds <= 0 else f"in {duration(seconds)}"


# ---------------------------------------------------------------- what it will take


def _estimate_words(tools: Tools, settings: ModelSettings) -> str:
    found = _estimated(
        str(tools.workspace.home),
        tools.workspace.store.versions.newest(),
        repr(settings),
        _settings=settings,
        _workspace=tools.workspace,
    )
    cost = "cost not known (enter the prices below)" if found.cost is None else money(found.cost)
    basis = BASES[found.basis]
    return (
        f"**{counted(found.leaves, 'passage')} and {counted(found.branches, 'branch', 'branches')}** are left to read: about "
        f"{counted(found.calls, 'call')}, {rounded(found.tokens)} tokens, {duration(found.seconds)}, {cost}. This is {basis}."
    )


@st.cache_data(ttl=600, max_entries=20, show_spinner="Estimating")
def _estimated(home: str, version: int, of: str, *, _settings: ModelSettings, _workspace: Workspace) -> Estimate:
    """`of` is what tells one model, its prices and its limits from another's; keys are not shown in it."""
    return estimate(_workspace, _settings)


def rounded(number: int) -> str:
    """Two figures that mean something: "2.1 million"."""
    if number >= 1_000_000:
        return f"{number / 1_000_000:.1f} million"
    step = 10 ** max(0, len(str(number)) - 2)
    return f"{round(number / step) * step:,}"


# ---------------------------------------------------------------- budgets


def _budgets(tools: Tools, choice: ModelChoice) -> None:
    st.caption("How many tokens a day the summaries of a source may use. Questions are not counted here.")
    with st.form("source_budgets_form", border=False):
        limits = {
            source.id: st.number_input(
                escaped(source.name), 0, None, choice.source_tokens.get(source.id), 100_000, key=f"budget_{source.id}", placeholder="no limit"
            )
            for source in tools.sources.all()
        }  # fmt: skip
        if st.form_submit_button("Save", icon=":material/save:", key="source_budgets_save"):
            kept = {source_id: limit for source_id, limit in limits.items() if limit is not None}
            if notices.attempt(lambda: tools.admin.change_model(source_tokens=kept), at=BUDGETS):
                notices.say("The budgets are saved.")
            st.rerun()
    notices.draw_at(BUDGETS)
