"""A question to the app on another machine, over its HTTP interface and with a token of its."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from tree.accounts.provider_settings import LOOPBACK
from tree.store.database import StoreError

TOKEN_VARIABLE = "KNOWLEDGE_TREE_TOKEN"
SECONDS = 180.0  # that an answer may take, with a model


def ask_server(address: str, question: str, sources: Sequence[str] | None, day: str | None) -> dict[str, Any]:
    """The answer as `--json` prints it. Raises StoreError, in words that say what to do."""
    import httpx2  # only here: most commands ask nobody

    token = os.environ.get(TOKEN_VARIABLE, "")
    if not token:
        raise StoreError(f"Put a token of that app into {TOKEN_VARIABLE}; the page Account makes one.")
    _check_private(address)
    body: dict[str, Any] = {"question": question, "sources": sources, "as_of": day}
    try:
        reply = httpx2.post(
            f"{address.rstrip('/')}/api/ask", json=body, headers={"Authorization": f"Bearer {token}"}, timeout=SECONDS
        )
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise StoreError(f"{address} cannot be reached ({error or type(error).__name__}). Look at the address.") from error
    if reply.status_code == 401:
        raise StoreError(f"{address} does not take this token: it was deleted, is too old, or is of another app.")
    try:
        said: dict[str, Any] = reply.json()
        if reply.status_code != 200:
            raise StoreError(str(said["error"]))
        said["verdict"], said["answer"]
    except (ValueError, KeyError, TypeError) as error:
        raise StoreError(
            f"{address} answered {reply.status_code}, which is no answer of this app. Look at the address."
        ) from error
    return said


def _check_private(address: str) -> None:
    """Raises StoreError where others could read the token on its way."""
    parts = urlsplit(address)
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise StoreError(f"{address} is not encrypted, and the token could be read on its way. Name the address with https.")
