"""What an answering process can be told to do: by name, so that neither side imports what the other does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

ASK = "ask"  # ui/server/answering/question.py
JOBS = {  # "module:function", called with the workspace, arguments that are plain JSON, and `stop`; yields plain JSON
    ASK: "ui.server.answering.question:answer_question",
    "follow up": "ui.chat.asked_next:told_questions",
    "suggest": "ui.chat.suggestions:told_questions",
}

Job = Callable[..., Iterator[Any]]


def named(where: str) -> Any:
    """What is called so: "module:name"."""
    module, _, name = where.partition(":")
    return getattr(import_module(module), name)
