"""The chat: a question, the walk while it goes on, the answer with its citations.

The page only looks at what is kept (tree/store/chats.py) and at what is being answered
(ui/server/background_answers.py); it answers nothing itself, so it may be left, reloaded or opened twice at any moment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from tree.ask.ask import AskError
from tree.ask.snapshot.answer import VERDICT_WORDS
from tree.ask.walk.stopped_walk import has_read
from tree.store.database import StoreError
from tree.store.errors import words_for
from tree.store.models import Chat, Turn
from tree.store.running_turns import UNFINISHED
from ui.chat import dropped_files, follow_ups, history, scope_row, source_panel, step_by_step, turn_actions, versions
from ui.chat.changes import chat_now, cited_by, cited_now
from ui.chat.drawn import Drawn, being_answered, drawn_turns
from ui.chat.turn_actions import SENT, TURN, answer_link
from ui.chat.turns import above_chart, below_chart, part_of
from ui.chat.visible import visible_turns
from ui.chat.welcome import welcome
from ui.server.answer_queue import AnswerState
from ui.server.chat_files import MEGABYTES
from ui.server.scope import QuestionScope, parse_scope
from ui.server.tools import Tools
from ui.shared import components
from ui.shared.markup import escaped

SHOWN = 15  # turns; the browser is what a long chat costs
SHOWN_IN = "shown_in"  # in the session: the chat that is open, and how many of its turns are shown
QUICK_SECONDS = 0.4  # most answers are there by then, and the page need not be drawn twice
INTERRUPTED = "This answer was not finished because the app was stopped. Ask again."
SEARCHING = "Searching for the answer."
BOX = "question"  # key of the question box
REFUSED = "refused"
REVIEWED = "asked"  # in the address: the turn of anybody that an admin looks at, from the tab Questions of the Admin page
NO_SOURCE = "There is nothing yet that you may ask about"


def page(tools: Tools) -> None:
    """Draws the page."""
    if reviewed := st.query_params.get(REVIEWED):
        _review(tools, reviewed)
        return
    ask = partial(_ask, tools)
    chat = _open_chat(tools)
    is_own = chat is not None and chat.owner == tools.principal.person_id
    tools = tools.in_chat(chat)
    scope = scope_row.read(tools)
    components.shortcuts()
    if chat is None and st.query_params.get("c"):
        st.info("There is no such chat, or it is not shared with you. Ask something to start a new one.", icon=":material/info:")
    if chat is None:
        components.announce("", focuses_box=True)
        welcome(tools, scope, ask)
    else:
        history.header(tools, chat) if is_own else history.shared_header(tools, chat)
        dropped_files.draw(tools)
        _conversation(tools, chat, ask, is_own=is_own)
    _question_box(tools, scope, ask)


def _open_chat(tools: Tools) -> Chat | None:
    """The chat that the address names, if whoever looks may see it."""
    chat_id = st.query_params.get("c")
    return tools.chats.rows.get(chat_id, tools.principal.person_id) if chat_id else None


def _review(tools: Tools, turn_id: str) -> None:
    """One question of anybody with its answer, as far as this admin may see its sources; nothing else of that chat."""
    tools.admin.check()
    turn = tools.chats.turns.get(turn_id)
    if turn is None:
        st.info("This question was deleted.", icon=":material/info:")
        return
    st.caption("A question from the Admin page. You see its answer as far as you may see the sources.")
    [shown] = visible_turns(tools, [turn])
    with st.chat_message("user", avatar=":material/person:"):
        st.markdown(escaped(shown.question))
    with st.chat_message("assistant", avatar=":material/account_tree:"):
        _anothers(shown, drawn_turns(tools, [shown], cited_by(tools, [shown]))[shown.id], link="")
    source_panel.draw(tools, {shown.id: (shown.answer or {}).get("citations", ())})


# ---------------------------------------------------------------- asking


def _ask(tools: Tools, question: str, files: Sequence[Any] = (), *, scope: QuestionScope | None = None) -> None:
    """In the chat that is open, or a new one; of the files alone that come with the question.

    Which chat and where is read when the question is sent: the page that its box or button was drawn by may have shown another
    chat, or none, as it is drawn from its top while the box still asks.
    """
    opened = _open_chat(tools)
    chat = opened if opened is not None and opened.owner == tools.principal.person_id else None
    tools = tools.in_chat(chat)
    scope = scope or scope_row.read(tools)
    kept_in = chat
    try:
        if files:
            kept_in, question, source_id = dropped_files.keep(tools, question, files, chat)
            scope = QuestionScope(source=source_id, zone=scope.zone)
        opens, id_ = chat is None and kept_in is not None, kept_in.id if kept_in is not None else None
        turn = tools.answers.start(question, scope, tools.principal.person_id, id_, opens=opens)
    except (AskError, StoreError) as error:
        if chat is None and kept_in is not None:  # its files, which nobody would see again
            tools.chat_files.forget(kept_in)
        st.session_state[REFUSED] = words_for(error, tools.principal.is_admin)
        st.session_state[BOX] = question  # given back, to be shortened rather than typed again
        return
    for name in (TURN, *((scope_row.IN, scope_row.AT) if files else ())):
        st.query_params.pop(name, None)
    st.query_params["c"] = turn.chat_id
    st.session_state[SENT] = turn.id
    if (run := tools.answers.of(turn.id)) is not None:
        run.ended.wait(QUICK_SECONDS)


def _question_box(tools: Tools, scope: QuestionScope, ask: Any) -> None:
    sources, is_admin = tools.visible_sources(), tools.principal.is_admin
    with st.bottom:
        if message := st.session_state.pop(REFUSED, ""):
            st.error(message, icon=":material/error:")
        scope_row.draw(tools, scope)
        st.chat_input(
            "Ask about your documents" if sources else "Add a source first, then ask about it" if is_admin else NO_SOURCE,
            key=BOX,
            disabled=not sources,
            accept_file="multiple",
            max_upload_size=MEGABYTES,
            on_submit=lambda: _submitted(ask, st.session_state[BOX]),
        )


def _submitted(ask: Any, said: Any) -> None:
    """What was typed, with the files that were dropped into the box."""
    if isinstance(said, str) or said is None:  # put there by us
        ask(said or "")
    else:
        ask(said.text or "", said.files or ())


# ---------------------------------------------------------------- the turns


def _conversation(tools: Tools, chat: Chat, ask: Any, *, is_own: bool) -> None:
    chat_id = chat.id
    shown = _shown(tools, chat_id)
    before = chat_now(tools, chat_id)
    kept = visible_turns(tools, tools.chats.turns.of_chat(chat_id, limit=shown + 1))
    cited = cited_by(tools, kept[-shown:])
    live = {turn.id for turn in kept if _is_being_answered(tools, turn)}  # once: a run may end while the page is drawn
    turns = [turn if turn.id in live else _with_answer(tools, turn) for turn in kept]
    _announce(turns)
    if len(turns) > shown:
        turns = turns[1:]
        if st.button("Show earlier", icon=":material/expand_less:", key="earlier"):
            st.session_state[SHOWN_IN] = chat_id, shown + SHOWN
            st.rerun()
    drawn = drawn_turns(tools, [turn for turn in turns if turn.id not in live], cited)
    followed = tools.accounts.follows.targets(tools.principal.person_id, "answer") if is_own else set()
    several = tools.chats.turns.versions([turn.id for turn in turns if turn.shown])
    for turn in turns:
        with st.container(key=f"asked-{turn.id}"), st.chat_message("user", avatar=":material/person:"):
            st.markdown(escaped(turn.question))
            if not parse_scope(turn.scope).is_everything:
                scope_row.asked_in(tools, parse_scope(turn.scope))
        with st.chat_message("assistant", avatar=":material/account_tree:"):
            if turn.id not in live:
                versions.draw(tools, turn, several.get(turn.id, ()), is_own=is_own)
            if not is_own:
                _anothers(turn, drawn.get(turn.id) or being_answered(tools, turn), answer_link(turn))
            elif turn.id in live:
                _live(tools, turn)
            else:
                around = {"followed": turn.id in followed, "private": not chat.shared}
                _remembered(tools, turn, drawn[turn.id], ask, around, is_last=turn is turns[-1])
    components.follow(f"chats/{chat_id}/changes?shown={shown}", f"{before}.{cited_now(cited)}", key="follow")
    source_panel.draw(tools, {turn.id: (turn.answer or {}).get("citations", ()) for turn in turns})


def _shown(tools: Tools, chat_id: str) -> int:
    """How many turns of the end of this chat. Remembered of the chat that is open alone."""
    opened, shown = st.session_state.get(SHOWN_IN, ("", 0))
    if opened != chat_id:
        named = st.query_params.get(TURN)
        shown = max(SHOWN, tools.chats.turns.count_from(chat_id, named) if named else 0)
        st.session_state[SHOWN_IN] = chat_id, shown
    return int(shown)


def _scrolled_to(turns: Sequence[Turn]) -> str:
    """The id of the turn that a link to one answer names, else of the last."""
    named = st.query_params.get(TURN, "")
    return named if any(turn.id == named for turn in turns) else turns[-1].id


def _is_being_answered(tools: Tools, turn: Turn) -> bool:
    run = tools.answers.run_of(turn.id) if turn.state == "running" else None
    return run is not None and not run.ended.is_set()


def _with_answer(tools: Tools, turn: Turn) -> Turn:
    """The turn with the answer of a run that ended after the turn was read, or whose answer could not be kept: that only for
    whoever asked. As far as they may see it now."""
    run = tools.answers.of(turn.id)
    if turn.answer or run is None or not run.ended.is_set():
        return turn
    if run.is_kept:
        found = tools.chats.turns.get(turn.id) if turn.state == "running" else None
    elif run.answer and run.asker == tools.principal.person_id:
        found = Turn(**{**turn.model_dump(), "answer": run.answer})
    else:
        found = None
    return visible_turns(tools, [found])[0] if found is not None else turn


def _live(tools: Tools, turn: Turn) -> None:
    """Its steps are fetched as they are taken (ui/chat/routes.py), without this page being drawn again until it ends."""
    if (run := tools.answers.run_of(turn.id)) is None or run.ended.is_set():
        st.rerun()
    _draw(being_answered(tools, turn), {"live": f"chats/turns/{turn.id}"}, turn)
    st.button("Stop", icon=":material/stop_circle:", key=f"stop-{turn.id}", on_click=_stop, args=(tools, turn.id))


def _stop(tools: Tools, turn_id: str) -> None:
    tools.answers.stop(turn_id)
    if (run := tools.answers.of(turn_id)) is not None:
        run.ended.wait(QUICK_SECONDS)


def _remembered(tools: Tools, turn: Turn, drawn: Drawn, ask: Any, around: Mapping[str, Any], *, is_last: bool) -> None:
    run = tools.answers.of(turn.id)
    state: AnswerState = turn.state
    message = turn.message
    if state == "running":  # it ended, but could not be written, or nobody is left who answers it
        state, message = (run.state, run.message) if run is not None else ("interrupted", INTERRUPTED)
    if state == "running":
        state, message = "done", ""
    data, has_answer = drawn.data, turn.answer is not None
    is_shown = has_answer and not (turn.answer or {}).get("hidden")
    rated = ["up", "down", *(["follow"] if tools.chat_source() is None else [])] if is_shown else []
    actions = [*rated, "again", "edit"] if has_answer else ["edit"]
    clicked = _draw(drawn, {**around, "actions": actions, "link": answer_link(turn), "can_look": has_answer}, turn)
    if clicked:
        turn_actions.act(tools, turn, clicked)
    if state == "failed":
        st.error(message, icon=":material/error:")
    elif state == "interrupted":
        st.warning(message or INTERRUPTED, icon=":material/power_off:")
    elif state == "stopped":
        st.caption("Stopped.")
    if state == "done" and not data["aged"]:
        step_by_step.draw(tools, turn, partial(_draw_text, turn), partial(_again, ask, turn.scope))
    if is_last:
        _did_you_mean(data, ask, turn)
        if state == "done" and not data["aged"]:
            follow_ups.draw(tools, turn, partial(_again, ask, turn.scope))
    if state != "done" or data["aged"] or data["cut"] or (is_last and _may_find_more(tools, turn)):
        _begin_anew(tools, turn.id, can_go_on=state in UNFINISHED and has_read(turn.steps))


def _may_find_more(tools: Tools, turn: Turn) -> bool:
    """Whether a question that was not answered may be by now: documents have changed since where it was asked, or a source can
    be reached again. Of an answer of an earlier release that is not known."""
    answer, scope = turn.answer or {}, parse_scope(turn.scope)
    if answer.get("verdict", "complete") == "complete" or answer.get("hidden") or scope.as_of or "versions" not in answer:
        return False
    asked = [source for source in tools.visible_sources() if scope.is_everything or source.id in answer.get("sources", ())]
    away = {one["source_id"] for one in answer.get("unreachable", ())}
    if any(source.id in away and not source.is_unreachable for source in asked):
        return True
    return tools.workspace.store.versions.changed_since({source.id: answer["versions"].get(source.id, 0) for source in asked})


def _begin_anew(tools: Tools, turn_id: str, *, can_go_on: bool) -> None:
    """What was read before a stop is the reason not to ask from the start."""
    with st.container(horizontal=True, gap="small", key=f"anew-{turn_id}"):
        if can_go_on:
            st.button(
                "Continue",
                icon=":material/resume:",
                key=f"continue-{turn_id}",
                on_click=turn_actions.go_on,
                args=(tools, turn_id),
                help="What was read by now is kept. The search goes on from there.",
            )
        st.button(
            "Ask again", icon=":material/refresh:", key=f"again-{turn_id}", on_click=turn_actions.ask_again, args=(tools, turn_id)
        )


def _anothers(turn: Turn, drawn: Drawn, link: str) -> None:
    """A turn of a colleague's chat, which nobody else can stop or ask again."""
    _draw(drawn, {"running": False, "link": link}, turn)
    if turn.answer is None:
        st.caption("Is being answered." if turn.state == "running" else "Was not answered.")


def _did_you_mean(data: Mapping[str, Any], ask: Any, turn: Turn) -> None:
    """Asks again with a word spelt as a name that is known."""
    if data["did_you_mean"]:
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="did-you-mean"):
            st.markdown("Did you mean", width="content")
            for number, other in enumerate(data["did_you_mean"]):
                st.button(
                    f"{escaped(other['name'])}?",
                    key=f"meant-{turn.id}-{number}",
                    on_click=_again,
                    args=(ask, turn.scope, other["question"]),
                )


def _again(ask: Any, scope: str, question: str) -> None:
    ask(question, scope=parse_scope(scope))


def _draw(drawn: Drawn, around: Mapping[str, Any], turn: Turn) -> str:
    """Draws an answer with what is `around` it for whoever looks; returns which of its actions was clicked, if one was."""
    data, opened = drawn.data, source_panel.opened_in(turn.id)
    on_cite = partial(source_panel.open_source, turn.id)
    if data["chart"]:
        components.turn(above_chart({**data, **around}), key=f"head-{turn.id}")
        components.bars(data["chart"], key=f"chart-{turn.id}")
        clicked = components.turn(below_chart({**data, **around}) | opened, f"turn-{turn.id}", on_cite)
    else:
        clicked = components.turn({"drawn": drawn.text, **around, **opened}, f"turn-{turn.id}", on_cite)
    return f"{turn_actions.LOOK}{clicked.look}" if clicked.look else clicked.act


def _draw_text(turn: Turn, text: str, key: str) -> None:
    """A part of an answer by itself, with its citations."""
    components.turn(part_of(turn, text) | source_panel.opened_in(turn.id), key, partial(source_panel.open_source, turn.id))


def _announce(turns: Sequence[Turn]) -> None:
    if not turns:
        components.announce("")
        return
    if st.session_state.get(SENT) != turns[-1].id:  # another chat, which is shown at its end
        st.session_state.pop(SENT, None)
    message, turn_id = _announcement(turns[-1]), _scrolled_to(turns)
    is_sent = len(turns) > 1 and turn_id == st.session_state.get(SENT)  # the first is at the top by itself
    components.announce(message, turn_id, is_running=message == SEARCHING, is_sent=is_sent)


def _announcement(turn: Turn) -> str:
    answer = turn.answer
    if answer is not None:
        if answer.get("hidden"):
            return str(answer["answer"])
        return "The answer was cut off." if answer.get("cut") else f"Answer ready: {VERDICT_WORDS[answer['verdict']]}."
    return {"running": SEARCHING, "stopped": "Stopped.", "failed": "This could not be answered."}.get(turn.state, "")
