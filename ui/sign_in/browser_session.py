"""The session that every way of signing in ends in, and where somebody goes then."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tree.accounts.models import Person
from tree.accounts.sessions import LONGEST_SECONDS, cookie_name
from ui.server.guard import address_of, is_secure
from ui.server.tools import tools

LONGEST_PATH = 2_000  # characters


async def begin_session(
    request: Request, person: Person, to: str, actions: Sequence[str] = (), seconds: float | None = None
) -> Response:
    """A new session for whoever has shown who they are; one that the browser had before ends. `actions` go to the audit log;
    `seconds` is how long the session holds at most, where that is less than usual."""
    token = await anyio.to_thread.run_sync(_begin, request, person, actions, seconds)
    response = RedirectResponse(to, 303, {"Cache-Control": "no-store"})
    secure = is_secure(request)
    response.set_cookie(
        cookie_name(tools().workspace.database.identity, secure),
        token,
        max_age=int(seconds or LONGEST_SECONDS),
        httponly=True,
        samesite="lax",
        secure=secure,
    )
    return response


def _begin(request: Request, person: Person, actions: Sequence[str], seconds: float | None) -> str:
    """The token of a session that began, of which the audit log tells."""
    sessions = tools().accounts.sessions
    before = sessions.find(session_token(request))
    with tools().workspace.database.together():
        if before is not None:
            sessions.end(before.session.id)
        note(request, person, *actions)
        return sessions.start(person.id, address_of(request), request.headers.get("user-agent", ""), seconds=seconds)


def note(request: Request, person: Person, *actions: str) -> None:
    """Writes to the audit log what somebody did to their account by this request."""
    for action in actions:
        tools().accounts.audit.write(action, person.email, person_id=person.id, who=person.name, address=address_of(request))


def local_path(wanted: str) -> str:
    """Where somebody wanted to go, if that is on this server; else its first page."""
    is_local = (
        len(wanted) <= LONGEST_PATH
        and wanted.startswith("/")
        and not wanted.startswith(("//", "/\\"))
        and wanted.isprintable()
        and "\\" not in wanted
    )
    parts = urlsplit(wanted) if is_local else None
    if parts is None or parts.scheme or parts.netloc or parts.path.startswith(("/sign-in", "/link/", "/_stcore", "//")):
        return "/"
    return wanted


def session_token(request: Request) -> str:
    return request.cookies.get(cookie_name(tools().workspace.database.identity, is_secure(request)), "")
