"""What is kept of somebody who was sent to the identity provider until they come back: in a sealed cookie, for one use."""

from __future__ import annotations

import secrets
import threading
import time
from hashlib import sha256
from typing import NamedTuple

from cryptography.fernet import Fernet, InvalidToken
from pydantic import TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.responses import Response

from tree.accounts.sessions import cookie_name
from ui.server.guard import is_secure
from ui.server.tools import tools
from ui.sign_in.oidc import Sent

SECONDS = 600  # to sign in over there


class Attempt(NamedTuple):
    sent: Sent
    to: str  # where they wanted to go
    invitation: str  # the token of the link they came by


_as_json = TypeAdapter(Attempt)


class Attempts:
    """The key is made anew with every start of the app, so what was used before it can be used no more either."""

    def __init__(self) -> None:
        self._sealer = Fernet(Fernet.generate_key())
        self._lock = threading.Lock()
        self._used: dict[str, float] = {}

    def begin(self, redirect_uri: str, to: str, invitation: str) -> Attempt:
        sent = Sent(secrets.token_urlsafe(32), secrets.token_urlsafe(32), secrets.token_urlsafe(48), redirect_uri)
        return Attempt(sent, to, invitation)

    def keep(self, request: Request, response: Response, attempt: Attempt) -> None:
        """In a cookie of its own for each, so that two tabs can be on their way at once."""
        response.set_cookie(
            _cookie(request, attempt.sent.state), self._sealer.encrypt(_as_json.dump_json(attempt)).decode(), max_age=SECONDS,
            httponly=True, samesite="lax", secure=is_secure(request),
        )  # fmt: skip

    def take(self, request: Request, state: str) -> Attempt | None:
        """What this browser was sent away with under this state. None when it was not, or long ago, or is back already."""
        sealed = request.cookies.get(_cookie(request, state), "")
        try:
            attempt = _as_json.validate_json(self._sealer.decrypt(sealed.encode("ascii", "replace"), ttl=SECONDS))
        except (InvalidToken, ValidationError):
            return None
        if not secrets.compare_digest(attempt.sent.state.encode(), state.encode("utf-8", "replace")):
            return None
        now = time.monotonic()
        with self._lock:
            self._used = {used: at for used, at in self._used.items() if now - at < SECONDS}
            if state in self._used:
                return None
            self._used[state] = now
        return attempt

    def forget(self, request: Request, response: Response, state: str) -> None:
        response.delete_cookie(_cookie(request, state), httponly=True, samesite="lax", secure=is_secure(request))


def _cookie(request: Request, state: str) -> str:
    name = cookie_name(tools().workspace.database.identity, is_secure(request))
    return f"{name}_{sha256(state.encode('utf-8', 'replace')).hexdigest()[:12]}"
