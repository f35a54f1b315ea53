"""What an answering process can be told to do, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ui.server.answering.question import answer_question
from ui.server.suggesting import asked_next, suggestions

ASK, FOLLOW_UP, SUGGEST = "ask", "follow up", "suggest"
Job = Callable[..., Iterator[Any]]  # called with the workspace, arguments that are plain JSON, and `stop`; yields plain JSON
JOBS: dict[str, Job] = {ASK: answer_question, FOLLOW_UP: asked_next.told_questions, SUGGEST: suggestions.told_questions}
