"""One question of a chat: asked with the rights of whoever asks, after what was asked before, and told as plain JSON."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Literal

from prompts.stop import Stop
from tree.accounts.people import People
from tree.accounts.principal import NOBODY, Principal
from tree.ask.ask import Answer, Earlier, Event, Restart, TextPiece, ask
from tree.ask.rests_on import rests_on
from tree.ask.snapshot.zones import read_zone
from tree.ask.walk.stopped_walk import StoppedWalk, has_read, step_to_keep
from tree.store.chats import Chats
from tree.store.turn_rows import TurnRows
from tree.workspace import Workspace
from ui.server.scope import parse_scope

Ask = Callable[..., Iterator[Event]]
# what an answer under way tells: a step, a piece of text, that it begins anew (no value), and at the end the answer
Told = tuple[Literal["step", "text", "restart", "answer"], Any]


def answer_question(
    workspace: Workspace, turn: str, question: str, scope: str, asker: str, *, stop: Stop, ask: Ask = ask
) -> Iterator[Told]:
    """Answers the question of a turn (its id) for a person (their id), with the rights they have now. Where steps are kept with
    the turn, it was stopped, and goes on from there.

    Raises AskError and StoreError as `ask` does.
    """
    if stop.is_set:
        return
    chats, asked_in = Chats(workspace.database), parse_scope(scope)
    kept = chats.turns.get(turn)
    principal = asking(workspace, asker, kept.chat_id if kept is not None else "")
    there = workspace.store.sources.askable(principal.chat_id)
    visible, everything = [source.id for source in principal.visible(there)], [source.id for source in there]
    events = ask(
        workspace,
        question,
        principal=principal,
        sources=asked_in.sources,
        places=asked_in.places,
        as_of=asked_in.moment,
        zone=read_zone(asked_in.zone),
        earlier=earlier_in(chats.turns, kept.chat_id, kept.number, visible, everything) if kept else [],
        stop=stop,
        stopped=StoppedWalk(kept.steps, kept.asked_at) if kept is not None and has_read(kept.steps) else None,
    )
    for event in events:
        yield told(event)


def asking(workspace: Workspace, asker: str, chat_id: str) -> Principal:
    """A person (their id) with the rights they have now; in a chat of theirs they see its files too."""
    principal = People(workspace.database).principal(asker) or NOBODY
    chat = Chats(workspace.database).rows.get(chat_id, asker)
    return principal.in_chat(chat.files_chat) if chat is not None and chat.owner == asker else principal


def told(event: Event) -> Told:
    match event:
        case TextPiece(text):
            return "text", text
        case Restart():
            return "restart", None
        case Answer():
            return "answer", event.as_json()
        case _:
            return "step", step_to_keep(event)


def earlier_in(
    turns: TurnRows, chat_id: str, before: int, visible: Collection[str], everything: Collection[str]
) -> list[Earlier]:
    """What was asked in a chat before the turn of this number, and what the answers rest on; not of sources that are not
    visible. `everything` are the ids of all sources."""
    asked = turns.of_chat(chat_id, before=before)
    return [earlier_of(one.question, _visible_part(one.answer or {}, visible, everything)) for one in asked]


def earlier_of(question: str, answer: Mapping[str, Any]) -> Earlier:
    """A turn of the chat as the next question sees it; `answer` is as it is kept."""
    citations = answer.get("citations", ()) if answer.get("verdict") != "none" else ()  # what is only close to it is no answer
    places, leaves = (tuple(citation[name] for citation in citations) for name in ("place", "leaf"))
    return Earlier(question, places, answer.get("answer", ""), leaves)


def _visible_part(answer: Mapping[str, Any], visible: Collection[str], everything: Collection[str]) -> Mapping[str, Any]:
    """The answer, or nothing of it where it rests on a source that is not visible: its words may be from there."""
    return answer if rests_on(answer, everything) <= set(visible) else {}
