"""A procedure step by step: Done shows the next step, It failed what the documents say for that. How far one has got is kept
with the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from tree.ask.snapshot.answer import with_passages
from tree.store.models import Turn
from ui.server.tools import Tools
from ui.shared import components
from ui.shared.markup import MARKER, escaped

FEWEST = 2  # steps
NOTHING_KNOWN = "Nothing in this document says what to do when this step fails."
GONE_TO = "step_gone_to"  # in the session: the answer whose step was chosen by the click before
Steps = Sequence[Mapping[str, Any]]


def draw(tools: Tools, turn: Turn, draw_text: Callable[[str, str], None], ask_next: Callable[[str], None]) -> None:
    """Below an answer of one's own that tells a procedure. `draw_text` draws Markdown with its citations under a key."""
    answer = turn.answer or {}
    steps: Steps = answer.get("steps") or ()
    if len(steps) < FEWEST:
        return
    progress = answer.get("progress")
    if progress is None:
        st.button(
            "Step by step", icon=":material/checklist:", key=f"walk-{turn.id}", on_click=_go, args=(tools, turn.id, 0),
            help="Shows one step after the other. How far you got is kept with this answer.",
        )  # fmt: skip
        return
    at = min(int(progress.get("at", 0)), len(steps))
    container, is_clicked = f"walking-{turn.id}", st.session_state.get(GONE_TO) == turn.id
    if is_clicked:
        del st.session_state[GONE_TO]
    with st.container(border=True, key=container):
        components.reveal(container, f"{at}{progress.get('failed')}", f"reveal-{turn.id}", wanted=is_clicked)
        if at == len(steps):
            _end(tools, turn, at)
        else:
            _step(tools, turn, steps, at, bool(progress.get("failed")), draw_text, ask_next)


def _step(
    tools: Tools,
    turn: Turn,
    steps: Steps,
    at: int,
    has_failed: bool,
    draw_text: Callable[[str, str], None],
    ask_next: Callable[[str], None],
) -> None:
    step = steps[at]
    last = max(int(one["number"]) for one in steps)
    name = f"Step {step['number']} of {last}" if step["number"] else "Before you start"
    st.markdown(f"**{name}** · {escaped(_title(turn, step))}")
    draw_text(with_passages(step["text"], step.get("marks", ())), f"step-{turn.id}-{at}")
    if has_failed:
        _failed(turn, step, at, draw_text, ask_next)
    go = partial(_go, tools, turn.id)
    with st.container(horizontal=True, gap="small", key=f"walk-buttons-{turn.id}"):
        st.button("Done", icon=":material/check:", type="primary", key=f"done-{turn.id}-{at}", on_click=go, args=(at + 1,))
        if step["number"] and not has_failed:
            st.button("It failed", icon=":material/error:", key=f"failed-{turn.id}-{at}", on_click=go, args=(at, True))
        if at:
            st.button("Back", icon=":material/arrow_back:", key=f"back-{turn.id}-{at}", on_click=go, args=(at - 1,))
        st.button("Close", icon=":material/close:", key=f"close-{turn.id}-{at}", on_click=go, args=(None,))


def _title(turn: Turn, step: Mapping[str, Any]) -> str:
    """Of the document, then of the part that tells the procedure: that alone is often no more than "Steps"."""
    cited = MARKER.search(step["text"])
    titles = {str(one["number"]): one["title"] for one in (turn.answer or {}).get("citations", ())}
    document = titles.get(cited[1], "") if cited else ""
    return " › ".join(dict.fromkeys(filter(None, (document, step["title"]))))


def _failed(
    turn: Turn, step: Mapping[str, Any], at: int, draw_text: Callable[[str, str], None], ask_next: Callable[[str], None]
) -> None:
    """What is said for this case; then what was seen can be asked for, in the chat, like any question."""
    if step["failing"]:
        st.markdown("**If it failed**")
        marks = step.get("failing_marks") or [()] * len(step["failing"])  # not noted in answers that were kept before
        told = map(with_passages, step["failing"], marks)
        draw_text("\n\n".join(told), f"failing-{turn.id}-{at}")
    else:
        st.info(NOTHING_KNOWN, icon=":material/help:")
    with st.form(f"seen-{turn.id}-{at}", border=False):
        seen = st.text_input("What did you see?", max_chars=400, placeholder="The error message, or what happened instead")
        if st.form_submit_button("Look for it", icon=":material/search:") and (seen or "").strip():
            ask_next(f"{(seen or '').strip().rstrip('.!?')}: what should I do?")
            st.rerun()


def _end(tools: Tools, turn: Turn, at: int) -> None:
    st.success("All steps are done.", icon=":material/check_circle:")
    go = partial(_go, tools, turn.id)
    with st.container(horizontal=True, gap="small", key=f"walk-buttons-{turn.id}"):
        st.button("Back", icon=":material/arrow_back:", key=f"back-{turn.id}-{at}", on_click=go, args=(at - 1,))
        st.button("Close", icon=":material/close:", key=f"close-{turn.id}-{at}", on_click=go, args=(None,))


def _go(tools: Tools, turn_id: str, at: int | None, has_failed: bool = False) -> None:
    progress = None if at is None else {"at": at, "failed": has_failed}
    if progress is not None:
        st.session_state[GONE_TO] = turn_id
    tools.chats.turns.keep_progress(turn_id, progress, tools.principal.person_id)
