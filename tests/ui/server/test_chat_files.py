"""Files in a chat: seen by its owner, in that chat, and nowhere else; gone with the last chat that has them."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from ingestion.sources import Sources
from ingestion.sync import sync
from ingestion.worker import Worker
from tests.ui.people import MEMBER, tools_of
from tree.accounts.principal import OPERATOR, Principal
from tree.ask.ask import Answer, ask
from tree.browse.nodes import find_node
from tree.store.chat_rows import new_chat
from tree.store.database import StoreError
from tree.store.models import Chat, FailureRow, Source, table_of
from ui.chat import page
from ui.server import chat_files
from ui.server.originals import NotFound, original
from ui.server.scope import QuestionScope
from ui.server.tools import Tools
from ui.server.uploads import make_folder

QUESTION = "What is the code of the north gate?"
SECRET = "# Gate\n\nThe code of the north gate is 4711.\n"


class Dropped(io.BytesIO):
    def __init__(self, name: str, text: str = SECRET) -> None:
        super().__init__(text.encode())
        self.name, self.size = name, len(text)


@pytest.fixture
def owner(home: Path) -> Tools:
    return tools_of(MEMBER)


@pytest.fixture
def chat(owner: Tools) -> Chat:
    return opened(owner, QUESTION)


def opened(owner: Tools, question: str) -> Chat:
    turn = owner.chats.running.begin(question, owner=owner.principal.person_id)
    owner.chats.running.finish(turn.id, "stopped")
    return owner.chats.rows.get(turn.chat_id, owner.principal.person_id)


@pytest.fixture
def source(owner: Tools, chat: Chat) -> Source:
    source = owner.chat_files.add(chat, [Dropped("gate.md")])
    sync(owner.workspace, Sources(owner.workspace.database), source)
    return source


def until(holds: Callable[[], bool]) -> None:
    late = time.monotonic() + 60
    while not holds() and time.monotonic() < late:
        time.sleep(0.05)
    assert holds()


def answer(tools: Tools, principal: Principal, source: Source | None = None) -> str:
    sources = [source.id] if source else None
    [found] = [e for e in ask(tools.workspace, QUESTION, principal=principal, sources=sources) if isinstance(e, Answer)]
    return found.text


def test_the_owner_asks_about_them_in_that_chat(owner: Tools, chat: Chat, source: Source) -> None:
    inside = owner.in_chat(chat)
    assert "4711" in answer(inside, inside.principal, source) and "4711" in answer(inside, inside.principal)
    assert [seen.id for seen in inside.visible_sources()] == [source.id]
    assert original(inside, source.id, "gate.md").read_text() == SECRET
    assert find_node(inside.workspace, inside.principal, f"{source.id}/gate.md") is not None


def test_an_answer_names_them_without_the_id_of_the_chat(owner: Tools, chat: Chat, source: Source) -> None:
    seen = owner.in_chat(chat).principal
    lost = [
        e for e in ask(owner.workspace, "How deep is the moat?", principal=seen, sources=[source.id]) if isinstance(e, Answer)
    ]
    [found] = [e for e in ask(owner.workspace, QUESTION, principal=seen, sources=[source.id]) if isinstance(e, Answer)]
    assert {citation.source for citation in found.citations} == {chat_files.NAME}
    assert chat_files.NAME in str(lost[0].as_json()) and f"({chat.id}" not in str((lost[0].as_json(), found.as_json()))


def test_nobody_sees_them_anywhere_else(owner: Tools, chat: Chat, source: Source) -> None:
    owner.chats.rows.share(chat.id, True, owner.principal.person_id)
    admin = tools_of()
    other = opened(owner, "Another")
    for tools in (owner, owner.in_chat(other), admin, admin.in_chat(chat), owner.in_chat(None)):
        assert "4711" not in answer(tools, tools.principal, source) + answer(tools, tools.principal)
        assert tools.visible_sources() == [] and tools.sources.all() == []
        assert find_node(tools.workspace, tools.principal, f"{source.id}/gate.md") is None
    for tools in (admin, admin.in_chat(chat), tools_of("cy@example.org")):
        with pytest.raises(NotFound):
            original(tools, source.id, "gate.md")
    assert "4711" not in answer(admin, OPERATOR, source)


def test_the_worker_reads_them_once_and_follows_them_no_longer(owner: Tools, chat: Chat) -> None:
    worker = Worker(owner.workspace, Sources(owner.workspace.database))
    running = threading.Thread(target=worker.run)
    running.start()
    try:
        source = owner.chat_files.add(chat, [Dropped("gate.md")])
        until(lambda: not owner.chat_files.are_unread(chat.files_chat))
        inside = owner.in_chat(chat)
        assert "4711" in answer(inside, inside.principal, source)
        until(lambda: source.id not in worker._followers)
        owner.chat_files.add(chat, [Dropped("gate.md", SECRET.replace("4711", "4712"))])
        until(lambda: not owner.chat_files.are_unread(chat.files_chat))
        assert "4712" in answer(inside, inside.principal, source)
    finally:
        worker.stopping.set()
        running.join()


def test_files_that_could_not_be_read_are_read_again(owner: Tools, chat: Chat, source: Source) -> None:
    """As those of a folder that is followed: until they are read, or known to be unreadable."""
    sources = Sources(owner.workspace.database)

    def to_be_read() -> list[str]:
        return [one.id for one in sources.of_chats(to_be_read=True)]

    assert to_be_read() == []
    sources.failed(source.id, StoreError("The disk is full."))
    assert to_be_read() == [source.id]
    sync(owner.workspace, sources, sources.get(source.id))
    assert to_be_read() == []
    failures = table_of(FailureRow)
    row = {
        "source_id": source.id,
        "document_id": "gate.md",
        "title": "gate.md",
        "kind": "file",
        "reason": "It needs more memory.",
    }
    with owner.workspace.database.write() as connection:
        connection.execute(sa.insert(failures).values(row | {"since": 0.0, "tried_at": 0.0, "again": True}))
    assert to_be_read() == [source.id]


def test_they_go_with_the_last_chat_that_has_them(owner: Tools, chat: Chat, source: Source) -> None:
    person = owner.principal.person_id
    turn = owner.chats.running.begin(QUESTION, f"in:{source.id}", chat.id, owner=person)
    owner.chats.running.finish(turn.id, "stopped")
    branch = owner.chats.rows.get(owner.chats.rows.branch(turn.id, person), person)
    folder = Path(source.config["path"])
    for each in (chat, branch):
        assert folder.exists() and owner.in_chat(each).visible_sources()
        owner.chats.rows.delete(each.id, person)
        owner.chat_files.forget(each)
    assert not folder.exists() and owner.chat_files.of(chat) is None
    assert Sources(owner.workspace.database).removing() == [source.id]


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ([Dropped(f"{number}.md") for number in range(chat_files.MOST + 1)], "A chat takes 20 files"),
        ([Dropped("large.md")], "is larger than 50 megabytes"),
    ],
)
def test_there_is_a_limit(owner: Tools, chat: Chat, files: list[Dropped], words: str) -> None:
    if "larger" in words:
        files[0].size = 51 << 20
    with pytest.raises(StoreError, match=words):
        owner.chat_files.add(chat, files)
    assert owner.chat_files.of(chat) is None


def test_two_tabs_may_drop_the_first_files_into_a_chat_at_once(owner: Tools, chat: Chat) -> None:
    second = tools_of(MEMBER)

    class Slow(Dropped):
        """While it is stored, another tab drops a file into the same chat."""

        def seek(self, offset: int, whence: int = 0) -> int:
            if second.chat_files.of(chat) is None:
                second.chat_files.add(chat, [Dropped("second.md")])
            return super().seek(offset, whence)

    source = owner.chat_files.add(chat, [Slow("first.md")])
    assert owner.chat_files.names(source) == ["first.md", "second.md"] and source.id == second.chat_files.of(chat).id
    assert list((owner.workspace.home / "uploads").iterdir()) == [Path(source.config["path"])]
    assert Sources(owner.workspace.database).get(source.id).requested_at is not None


def test_what_a_killed_app_left_of_first_files_is_deleted_after_an_hour(owner: Tools, chat: Chat, source: Source) -> None:
    person = owner.principal.person_id
    uploads = owner.workspace.home / "uploads"
    stored = uploads / "chat-0123abcd-x1y2z3"  # killed before there was a source
    stored.mkdir()
    (stored / "gate.md").write_text(SECRET)
    team = make_folder(owner.workspace.home, "Chat 12345678")  # named so by an admin, and of the team
    Sources(owner.workspace.database).add("folder", "Chat 12345678", {"path": str(team)})
    unasked = new_chat(QUESTION, person)  # killed before the question was kept
    kept = owner.chat_files.add(unasked, [Dropped("gate.md")])
    assert owner.chats.rows.get(unasked.id, person) is None and [one.id for one in owner.chats.rows.recent(person)] == [chat.id]
    owner.chat_files.discard_left()
    assert len(list(uploads.iterdir())) == 4
    owner.chat_files.discard_left(time.time() + chat_files.LEFT_SECONDS + 60)
    assert set(uploads.iterdir()) == {Path(source.config["path"]), team}
    assert Sources(owner.workspace.database).removing() == [kept.id] and owner.chat_files.of(chat).id == source.id


def test_files_of_a_question_that_could_not_be_kept_are_not_kept_either(owner: Tools) -> None:
    class Full:
        def start(self, *arguments: object, **options: object) -> None:
            raise StoreError("The disk is full.")

    page._ask(replace(owner, answers=Full()), QUESTION, [Dropped("gate.md")], scope=QuestionScope())
    assert Sources(owner.workspace.database).of_chats() == [] and owner.chats.rows.recent(owner.principal.person_id) == []
    assert list((owner.workspace.home / "uploads").iterdir()) == []
