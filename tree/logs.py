"""What the processes of the app write to standard error: what happened, never what was asked, answered or read.

An exception may quote what it failed at, so of an error that nobody expected only its kind and its place in the code are told.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

LOG_VARIABLE = "KNOWLEDGE_TREE_LOG"
WORDS = "%(asctime)s %(levelname)s %(message)s"
CHATTY = ("httpx", "httpx2", "openai", "procrastinate")  # they tell of every request, or task
WITH_HANDLERS = ("streamlit", "uvicorn", "websockets")  # each of their loggers brings one
REQUESTS = "uvicorn.access"  # never logged: an address holds questions and one-time links


def set_up(level: int = logging.WARNING) -> None:
    """One line for each event; with KNOWLEDGE_TREE_LOG=json an object of JSON."""
    logging.setLogRecordFactory(_Event)
    handler = _StandardError(level)
    handler.setFormatter(JsonLines() if is_json() else logging.Formatter(WORDS))
    root = logging.getLogger()
    root.handlers = [*(other for other in root.handlers if not isinstance(other, _StandardError)), handler]
    root.setLevel(level)
    for name in CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)
    for name, library in list(root.manager.loggerDict.items()):
        if isinstance(library, logging.Logger) and name.partition(".")[0] in WITH_HANDLERS:
            library.handlers, library.propagate, library.disabled = [], name != REQUESTS, name == REQUESTS


class _Event(logging.LogRecord):
    """Brings what is told of its exception, so that no formatter, of whatever library, puts it in words of its own."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        if self.exc_info and self.exc_info[1] is not None:
            self.exc_text = trace_without_words(self.exc_info[1])


class _StandardError(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        print(self.format(record), file=sys.stderr, flush=True)


def is_json() -> bool:
    return os.environ.get(LOG_VARIABLE, "").strip().lower() == "json"


def trace_without_words(error: BaseException) -> str:
    """Where in the code it came from, the outermost first, and its kind; what it says is left out."""
    return "\n".join(_told(error, set()))


def _told(error: BaseException, seen: set[int]) -> Iterator[str]:
    seen.add(id(error))
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None and id(before) not in seen:
        yield from _told(before, seen)
        yield "which led to"
    for frame in traceback.extract_tb(error.__traceback__):
        yield f"  {frame.filename}:{frame.lineno} {frame.name}"
    yield f"{type(error).__module__}.{type(error).__qualname__}"


class JsonLines(logging.Formatter):
    """An event as an object: `at`, `level`, `logger`, `process`, `message`, and where there was an exception its `trace`."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        event = {"at": at, "level": record.levelname.lower(), "logger": record.name, "process": record.process,
                 "message": record.getMessage()}  # fmt: skip
        if record.exc_text:
            event["trace"] = record.exc_text
        return json.dumps(event, ensure_ascii=False)
