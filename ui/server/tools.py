"""What every page and route works with: the data folder of this process, opened once.

app.py runs under two names (as the server's module and, at each rerun, as the script), so what must exist once lives
here and not there.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

from ingestion.sources import Sources
from ingestion.webhooks import WebhookReceiver
from tree.store.chats import Chats
from tree.workspace import Workspace, home_folder, open_workspace
from ui.server.background_answers import BackgroundAnswers

SAMPLE = Path(__file__).resolve().parents[2] / "sample"
SAMPLE_NAME = "Sample workspace"


@dataclass(frozen=True, slots=True)
class Tools:
    """What pages and routes work with; safe to use from many threads."""

    workspace: Workspace
    sources: Sources
    chats: Chats
    answers: BackgroundAnswers
    webhooks: WebhookReceiver

    def close(self) -> None:
        """Stops what is being answered and closes the data folder."""
        self.answers.close()
        self.workspace.close()


_lock = threading.Lock()
_opened: Tools | None = None


def tools() -> Tools:
    """Opens the data folder at first use; a changed KNOWLEDGE_TREE_HOME (in tests) opens the other one.

    Raises StoreError when it cannot be used.
    """
    global _opened
    with _lock:
        home = home_folder()
        if _opened is not None and _opened.workspace.home != home:
            _opened.close()
            _opened = None
        if _opened is None:
            workspace = open_workspace(home)
            chats = Chats(workspace.database)
            sources = Sources(workspace.database)
            _opened = Tools(workspace, sources, chats, BackgroundAnswers(workspace, chats), WebhookReceiver(sources))
        return _opened


def close() -> None:
    """Closes the data folder, if one is open."""
    global _opened
    with _lock:
        if _opened is not None:
            _opened.close()
            _opened = None
