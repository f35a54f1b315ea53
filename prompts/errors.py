"""What can go wrong between us and a model, each with a sentence that says what to do."""

from __future__ import annotations

from typing import Literal

ErrorKind = Literal[
    "auth",  # the key is refused
    "quota",  # the account's credit is used up: waiting does not help
    "rate",  # too many requests at once: waiting helps
    "timeout",
    "context",  # the prompt is longer than the model can take
    "rejected",  # the request itself is refused
    "refused",  # the model, or a filter before it, declines to answer
    "invalid_output",  # the reply has not the form that was asked for
    "truncated",  # the reply breaks off
    "network",  # nothing answers, or the server fails
    "budget",  # we may not ask any more today: an admin has set how much may be spent
    "config",  # address, model name, package: what an admin has to set right
]


class ModelError(Exception):
    """A decision the model did not make. The message says what to do and never holds a key.

    `detail` is what the provider said, without keys; `retry_after` the seconds it asked us to wait; `is_lost` says that the
    request went out and no word came back, so that it may have to be paid for.
    """

    def __init__(
        self, kind: ErrorKind, message: str, *, detail: str = "", retry_after: float | None = None, is_lost: bool = False
    ) -> None:
        super().__init__(message)
        self.kind: ErrorKind = kind
        self.message = message
        self.detail = detail
        self.retry_after = retry_after
        self.is_lost = is_lost


class ModelCallCancelled(Exception):
    """Somebody pressed stop: what was under way was given up."""
