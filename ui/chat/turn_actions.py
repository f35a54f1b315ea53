"""What can be done with one answer: saying whether it helped, asking again, going on, asking otherwise, a link to it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from tree.ask.ask import AskError, check_question
from tree.store.database import StoreError
from tree.store.errors import words_for
from tree.store.models import Turn
from ui.server.scope import parse_scope
from ui.server.tools import Tools
from ui.shared import following
from ui.shared.dialogs import dialog
from ui.shared.markup import escaped
from ui.shared.trail import options_left

TURN = "t"  # in the address: the turn that a link is to
SENT = "sent"  # in the session: the turn that was asked last, as long as its chat is looked at
QUICK_SECONDS = 0.4  # most answers are there by then, and the page need not be drawn twice
LOOK = "look:"  # before the place of a branch
RATINGS = {"up": 1, "down": 0}
REASONS = (
    "It is wrong",
    "Something is missing",
    "It is out of date",
    "It is hard to read",
    "It should have said that it is not known",
)


def answer_link(turn: Turn) -> str:
    """Within the app; it obeys rights like any other address."""
    return f"?c={turn.chat_id}&{TURN}={turn.id}"


def act(tools: Tools, turn: Turn, clicked: str) -> None:
    """`clicked` is what the answer's own buttons say (ui/shared/frontend/turn.js); anything else is passed over."""
    if clicked in RATINGS:
        rating = None if turn.rating == RATINGS[clicked] else RATINGS[clicked]
        tools.chats.turns.rate(turn.id, rating, "", tools.principal.person_id)
        if rating == 0:
            _ask_why(tools, turn)
        else:
            st.rerun()
    elif clicked == "again":
        ask_again(tools, turn.id)
        st.rerun()
    elif clicked == "edit":
        _edit(tools, turn)
    elif clicked == "follow":
        following.toggle(tools, "answer", turn.id, turn.question)
        st.rerun()
    elif clicked.startswith(LOOK):
        look_in(tools, turn, clicked.removeprefix(LOOK))
        st.rerun()


def ask_again(tools: Tools, turn_id: str) -> None:
    """In its place: the new answer replaces the old one once it is there."""
    _begin(turn_id, tools, lambda: tools.answers.start_again(turn_id, tools.principal.person_id))


def go_on(tools: Tools, turn_id: str) -> None:
    """From what was read before it was stopped."""
    _begin(turn_id, tools, lambda: tools.answers.go_on(turn_id, tools.principal.person_id))


def look_in(tools: Tools, turn: Turn, place: str) -> None:
    """Asks the same question in a branch that the walk was offered and did not take, as a version of the answer."""
    if place not in options_left((turn.answer or {}).get("trail", ())):
        return
    _begin(turn.id, tools, lambda: tools.answers.start_in(place, turn.id, tools.principal.person_id))


def _begin(turn_id: str, tools: Tools, begin: Callable[[], object]) -> None:
    try:
        begin()
    except (AskError, StoreError) as error:
        st.error(words_for(error, tools.principal.is_admin), icon=":material/error:")
        return
    if (run := tools.answers.of(turn_id)) is not None:
        run.ended.wait(QUICK_SECONDS)


@dialog("What was not helpful?")
def _ask_why(tools: Tools, turn: Turn) -> None:
    st.markdown(
        "It is marked as not helpful: your admins see the question and your name. With a word more they can mend what is missing."
    )
    with st.form("why", border=False):
        chosen = st.pills("Reason", REASONS, label_visibility="collapsed")
        words = st.text_area("In your words", max_chars=400, placeholder="What should the answer have said?")
        if st.form_submit_button("Send", type="primary"):
            said = ". ".join(part for part in (chosen or "", words.strip()) if part)
            tools.chats.turns.rate(turn.id, 0, said, tools.principal.person_id)
            st.rerun()


@dialog("Change the question")
def _edit(tools: Tools, turn: Turn) -> None:
    st.markdown("It is asked in a new chat that begins with what came before. This chat stays as it is.")
    with st.form("edit", border=False):
        question = st.text_area("Question", turn.question, max_chars=8_000, label_visibility="collapsed")
        if not st.form_submit_button("Ask", type="primary"):
            return
    owner = tools.principal.person_id
    try:
        check_question((question or "").strip(), has_chat=turn.number > 1)
        tools.answers.check_number(owner)
        branch = tools.chats.rows.branch(turn.id, owner) if turn.number > 1 or tools.chat_source() is not None else None
        asked = tools.answers.start(question or "", parse_scope(turn.scope), owner, branch)
    except (AskError, StoreError) as error:
        st.error(escaped(words_for(error, tools.principal.is_admin)), icon=":material/error:")
        return
    if (run := tools.answers.of(asked.id)) is not None:
        run.ended.wait(QUICK_SECONDS)
    st.session_state[SENT] = asked.id
    st.query_params.from_dict({"c": asked.chat_id})
    st.rerun()
