"""Signing in, and what one-time links do. All of it ends in a session that is kept on the server."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from urllib.parse import parse_qsl, urlsplit

import anyio.to_thread
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from tree.accounts import passwords
from tree.accounts.accounts import Accounts
from tree.accounts.links import GONE
from tree.accounts.models import OneTimeLink, Person
from tree.accounts.people import AccountError, folded
from tree.accounts.sessions import LONGEST_SECONDS, cookie_name
from tree.store.database import StoreError
from ui.server.guard import address_of, is_secure
from ui.server.rate_limit import RateLimit
from ui.server.tools import tools
from ui.sign_in.pages import message, page

METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]  # what is not listed would get Streamlit's page
MOST_BYTES = 8_192  # of a form
WRONG = "The e-mail address or the password is not right."
Handler = Callable[[Request], Awaitable[Response]]

_guesses = RateLimit(6, 60)  # for one account from one address
_account_guesses = RateLimit(60, 3_600)  # for one account from anywhere
_address_guesses = RateLimit(60, 60)  # from one address


def routes() -> list[Route]:
    return [
        Route("/sign-in", _only("GET", "POST")(sign_in), methods=METHODS),
        Route("/link/{token}", _only("GET", "POST")(link), methods=METHODS),
    ]


def _only(*methods: str) -> Callable[[Handler], Handler]:
    def of(handler: Handler) -> Handler:
        async def answer(request: Request) -> Response:
            if request.method not in methods and request.method != "HEAD":
                return message("Not possible", "This page takes no such request.", 405)
            try:
                return await handler(request)
            except StoreError as error:
                return message("Not possible now", str(error), 503, button="Try again", to=request.url.path)

        return answer

    return of


# ---------------------------------------------------------------- with a password


async def sign_in(request: Request) -> Response:
    """The form, and what it sends. Says the same whether there is no such person or the password is wrong."""
    accounts = tools().accounts
    to = local_path(request.query_params.get("next", ""))
    if request.method != "POST":
        found = await anyio.to_thread.run_sync(accounts.sessions.find, _token(request))
        if found is not None:
            return RedirectResponse(to, 303)
        return await _sign_in_page(to)
    form = await _form(request)
    to, email, password = local_path(form.get("next", "")), form.get("email", ""), form.get("password", "")
    if wait := _wait(request, email):
        return await _sign_in_page(to, email, f"Too many tries. Wait {math.ceil(wait)} seconds and try again.", 429)
    person = await anyio.to_thread.run_sync(accounts.people.signed_in_with, email, password)
    if person is None:
        await anyio.to_thread.run_sync(_note_refusal, accounts, request, email)
        return await _sign_in_page(to, email, WRONG, 401)
    _guesses.forgive(f"{address_of(request)} {folded(email)}")
    return await begin_session(request, person, to, "signed in")


async def _sign_in_page(to: str, email: str = "", problem: str = "", status: int = 200) -> Response:
    if not await anyio.to_thread.run_sync(tools().accounts.people.has_admin):
        return page("no_admin", "Welcome", 200)
    return page(
        "sign_in",
        "Sign in",
        status,
        next="" if to == "/" else to,
        email=email[:254],
        problem=problem,
        providers=[],
        has_passwords=True,
    )


def _wait(request: Request, email: str) -> float:
    """Seconds to wait after too many guesses; each limit counts this one."""
    address, name = address_of(request), folded(email)[:254]
    return max(_address_guesses.wait(address), _guesses.wait(f"{address} {name}"), _account_guesses.wait(name))


def _note_refusal(accounts: Accounts, request: Request, email: str) -> None:
    """Of somebody there is: what a stranger types may be a password."""
    person = accounts.people.with_email(email)
    if person is not None:
        accounts.audit.write("sign-in refused", person.email, person_id=person.id, who=person.name, address=address_of(request))


# ---------------------------------------------------------------- with a link


async def link(request: Request) -> Response:
    """What a one-time link is for, and doing it. Opening it uses nothing up: programs look at links before people do."""
    accounts, token = tools().accounts, request.path_params["token"]
    if _address_guesses.wait(address_of(request)):
        return message("Too many tries", "Wait a minute and open the link again.", 429)
    found = await anyio.to_thread.run_sync(accounts.links.look, token)
    if found is None:
        return message("This link does not work", GONE, 404, button="Sign in", to="/sign-in")
    person = await anyio.to_thread.run_sync(accounts.people.get, found.person_id) if found.person_id else None
    if request.method != "POST":
        return _link_page(found, token, person)
    form = await _form(request)
    email, name = form.get("email", ""), form.get("name", "")
    try:
        made = await anyio.to_thread.run_sync(accounts.links.use, token, email, name, form.get("password", ""))
    except AccountError as error:
        return _link_page(found, token, person, email, name, str(error), 400)
    return await begin_session(request, made, "/", DONE[found.purpose])


DONE = {
    "setup": "first admin made",
    "invitation": "invitation accepted",
    "reset": "password chosen anew",
    "sign_in": "signed in by a link",
}
TITLES = {
    "setup": (
        "Set up Knowledge Tree",
        "You will be its first admin: you add sources and invite your colleagues.",
        "Create the account",
    ),
    "invitation": ("Join Knowledge Tree", "Choose a password, and ask your team's documents.", "Join"),
    "reset": ("Choose a new password", "You are signed out everywhere else then.", "Save and sign in"),
    "sign_in": ("Knowledge Tree", "This link signs you in once.", "Open Knowledge Tree"),
}


def _link_page(
    found: OneTimeLink, token: str, person: Person | None, email: str = "", name: str = "", problem: str = "", status: int = 200
) -> Response:
    title, words, button = TITLES[found.purpose]
    makes = found.purpose in ("setup", "invitation")
    return page(
        "link", title, status, words=words, button=button, token=token, problem=problem, shortest=passwords.SHORTEST,
        email=found.email or (person.email if person else email)[:254], asks_email=makes and not found.email,
        name=(name or found.name)[:100], asks_name=makes, asks_password=found.purpose != "sign_in", is_reset=found.purpose == "reset",
    )  # fmt: skip


# ---------------------------------------------------------------- sessions


async def begin_session(request: Request, person: Person, to: str, action: str) -> Response:
    """A new session for whoever has shown who they are; one that the browser had before ends."""
    accounts, address = tools().accounts, address_of(request)

    def begin() -> str:
        if (before := accounts.sessions.find(_token(request))) is not None:
            accounts.sessions.end(before.session.id)
        accounts.audit.write(action, person.email, person_id=person.id, who=person.name, address=address)
        return accounts.sessions.start(person.id, address, request.headers.get("user-agent", ""))

    token = await anyio.to_thread.run_sync(begin)
    response = RedirectResponse(to, 303, {"Cache-Control": "no-store"})
    secure = is_secure(request)
    response.set_cookie(
        cookie_name(tools().workspace.home, secure),
        token,
        max_age=int(LONGEST_SECONDS),
        httponly=True,
        samesite="lax",
        secure=secure,
    )
    return response


def local_path(wanted: str) -> str:
    """Where somebody wanted to go, if that is on this server; else its first page."""
    is_local = wanted.startswith("/") and not wanted.startswith(("//", "/\\")) and wanted.isprintable() and "\\" not in wanted
    parts = urlsplit(wanted) if is_local else None
    if parts is None or parts.scheme or parts.netloc or parts.path.startswith(("/sign-in", "/link/", "/_stcore", "//")):
        return "/"
    return wanted


def _token(request: Request) -> str:
    return request.cookies.get(cookie_name(tools().workspace.home, is_secure(request)), "")


async def _form(request: Request) -> dict[str, str]:
    """The fields of a small form; nothing for one that is too large or broken off."""
    size, pieces = 0, []
    try:
        async for piece in request.stream():
            size += len(piece)
            if size > MOST_BYTES:
                return {}
            pieces.append(piece)
    except ClientDisconnect:
        return {}
    try:
        return dict(parse_qsl(b"".join(pieces).decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=20))
    except ValueError:  # more fields than any form of ours has
        return {}
