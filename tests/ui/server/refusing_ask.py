"""`ask` as answering processes of the tests call it: refuses each question with the error whose name the question is."""

from collections.abc import Iterator
from typing import Any

from tree.ask import ask
from tree.store import errors
from tree.workspace import Workspace


class OfAnotherKind(errors.Busy):
    """One that the app does not know by its name."""


def refusing(_workspace: Workspace, question: str, **_options: Any) -> Iterator[ask.Event]:
    kinds = {**vars(errors), "AskError": ask.AskError, "OfAnotherKind": OfAnotherKind}
    raise kinds[question](f"{question} in /srv/tree.")
    yield
