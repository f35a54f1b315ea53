"""What every page and route works with: the data folder of this process, opened once, and who looks at it.

app.py runs under two names (as the server's module and, at each rerun, as the script), so what must exist once lives
here and not there.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from ingestion.sources import Sources
from ingestion.webhooks import WebhookReceiver
from tree.accounts.accounts import Accounts, open_accounts
from tree.accounts.principal import Principal
from tree.accounts.provider_settings import ProviderSettings, provider_settings
from tree.ask.ask import ask
from tree.store.chats import Chats
from tree.store.models import Chat, FailureRow, Source, Tombstone
from tree.workspace import HOME_VARIABLE, Workspace, home_folder, open_workspace
from ui.server.administration import Administration
from ui.server.answering.processes import AnsweringProcesses
from ui.server.answering.question import Ask
from ui.server.background_answers import BackgroundAnswers
from ui.server.chat_files import ChatFiles
from ui.server.own_account import OwnAccount
from ui.server.program_answers import ProgramAnswers
from ui.server.visitor import VISITOR_OF_NOBODY, Visitor

SAMPLE = Path(__file__).resolve().parents[2] / "sample"
SAMPLE_NAME = "Sample workspace"


class SourceReads(Protocol):
    """What is known of the sources. Whoever changes one goes by way of `Tools.admin`."""

    def all(self) -> list[Source]: ...
    def of_chat(self, chat_id: str) -> list[Source]: ...
    def get(self, source_id: str) -> Source: ...
    def secrets(self, source: Source) -> dict[str, Any]: ...
    def failures(self, source_id: str) -> list[FailureRow]: ...
    def stale(self, source_id: str) -> list[FailureRow]: ...
    def tombstones(self, source_id: str) -> list[Tombstone]: ...
    def awaiting_approval(self, source_id: str) -> list[Tombstone]: ...


@dataclass(frozen=True, slots=True)
class Tools:
    """What pages and routes work with, for one visitor; safe to use from many threads."""

    workspace: Workspace
    sources: SourceReads
    chats: Chats
    answers: BackgroundAnswers
    webhooks: WebhookReceiver
    accounts: Accounts
    admin: Administration
    chat_files: ChatFiles
    programs: ProgramAnswers
    visitor: Visitor = VISITOR_OF_NOBODY
    provider: ProviderSettings | None = None  # of the team's identity provider, where there is one
    files_chat: str | None = None  # of the chat that is looked at by its owner, who sees its files

    def seen_by(self, visitor: Visitor) -> Tools:
        return replace(self, visitor=visitor, admin=self.admin.by(visitor))

    def in_chat(self, chat: Chat | None) -> Tools:
        """The same for whoever looks at this chat: its owner sees the files in it, nobody else does."""
        is_own = chat is not None and chat.owner != "" and chat.owner == self.principal.person_id
        return replace(self, files_chat=chat.files_chat if chat is not None and is_own else None)

    @property
    def principal(self) -> Principal:
        """Who looks, with the rights they have now."""
        principal = self.visitor.principal
        return principal if self.files_chat is None else principal.in_chat(self.files_chat)

    @property
    def account(self) -> OwnAccount:
        """What whoever looks may do to their own account."""
        return OwnAccount(self.accounts, self.visitor)

    def chat_source(self) -> Source | None:
        """The files of the chat that is looked at, for its owner."""
        return next(iter(self.sources.of_chat(self.files_chat)), None) if self.files_chat is not None else None

    def is_of_chat(self, source_id: str) -> bool:
        files = self.chat_source()
        return files is not None and files.id == source_id

    def visible_sources(self) -> list[Source]:
        """Those that whoever looks may see, in the order in which they were added."""
        files = self.chat_source()
        return self.principal.visible([*self.sources.all(), *([files] if files is not None else [])])

    def close(self) -> None:
        """Stops what is being answered and closes the data folder."""
        self.programs.close()
        self.answers.close()
        self.chats.running.sign_off()
        self.workspace.close()


_lock = threading.Lock()
_opened: Tools | None = None
_named: str | None = None  # the data folder in the environment when it was opened
_ask: Ask = ask
_asks_in_processes = ""


def answer_with(ask: Ask, in_processes: str = "") -> None:
    """To be called before the data folder is opened: questions are answered by this, which may slow or watch `ask`.

    `in_processes` is what answering processes call ("module:function"); without it there are none.
    """
    global _ask, _asks_in_processes
    _ask, _asks_in_processes = ask, in_processes


def tools() -> Tools:
    """Opens the data folder at first use; a changed KNOWLEDGE_TREE_HOME (in tests) opens the other one. Nobody looks yet.

    Raises StoreError when it cannot be used, or a setting is no good.
    """
    global _opened, _named
    if _opened is not None and os.environ.get(HOME_VARIABLE) == _named:
        return _opened
    with _lock:
        home, _named = home_folder(), os.environ.get(HOME_VARIABLE)
        if _opened is not None and _opened.workspace.home != home:
            _opened.close()
            _opened = None
        if _opened is None:
            provider = provider_settings()
            workspace = open_workspace(home)
            chats, sources, accounts = Chats(workspace.database), Sources(workspace.database), open_accounts(workspace.database)
            processes = AnsweringProcesses(home, _asks_in_processes) if _ask is ask or _asks_in_processes else None
            files = ChatFiles(home, sources, chats.rows)
            answers = BackgroundAnswers(workspace, chats, _ask, processes, files)
            admin = Administration(workspace, sources, accounts, VISITOR_OF_NOBODY)
            webhooks, programs = WebhookReceiver(sources), ProgramAnswers()
            _opened = Tools(workspace, sources, chats, answers, webhooks, accounts, admin, files, programs, provider=provider)
        return _opened


def close() -> None:
    """Closes the data folder, if one is open."""
    global _opened
    with _lock:
        if _opened is not None:
            _opened.close()
            _opened = None
