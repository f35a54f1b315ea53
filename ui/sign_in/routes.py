"""Signing in with a password, and what one-time links do. All of it ends in a session that is kept on the server."""

from __future__ import annotations

import math
from functools import partial
from urllib.parse import parse_qsl

import anyio
import anyio.to_thread
from starlette.background import BackgroundTask
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from tree.accounts import passwords
from tree.accounts.accounts import Accounts
from tree.accounts.addresses import as_typed, folded
from tree.accounts.links import GONE
from tree.accounts.models import OneTimeLink, Person
from tree.accounts.people import AccountError
from tree.accounts.principal import Principal
from ui.server.guard import address_of
from ui.server.http import METHODS, TooLarge, read_body
from ui.server.plain_pages import message, nothing, only, page
from ui.server.rate_limit import RateLimit, network_of
from ui.server.tools import tools
from ui.sign_in import with_provider
from ui.sign_in.browser_session import begin_session, local_path, note, session_token

MOST_BYTES = 8_192  # of a form
FORM_SECONDS = 20  # that a form may take to arrive
WRONG = "The e-mail address or the password is not right."
NO_PASSWORDS = "Passwords are turned off here. Sign in with {}."

_hashing = anyio.CapacityLimiter(passwords.HASHED_AT_ONCE)  # more threads would only wait
_guesses = RateLimit(6, 60)  # for one account from one address
_account_guesses = RateLimit(60, 3_600)  # for one account from anywhere
_address_guesses = RateLimit(60, 60)  # from one address


def routes() -> list[Route]:
    return [
        Route("/sign-in", only("GET", "POST")(sign_in), methods=METHODS),
        Route("/link/{token}", only("GET", "POST")(link), methods=METHODS),
        *with_provider.routes(),
        *(Route(f"/{folder}/{{rest:path}}", nothing, methods=METHODS) for folder in ("sign-in", "link")),
    ]


# ---------------------------------------------------------------- with a password


async def sign_in(request: Request) -> Response:
    """The form, and what it sends. Says the same whether there is no such person or the password is wrong."""
    accounts = tools().accounts
    to = local_path(request.query_params.get("next", ""))
    if request.method != "POST":
        found = await anyio.to_thread.run_sync(accounts.sessions.find, session_token(request))
        if found is not None:
            return RedirectResponse(to, 303)
        return await _sign_in_page(to)
    provider = tools().provider
    if provider is not None and provider.only:
        return await _sign_in_page(to, "", NO_PASSWORDS.format(provider.name), 403)
    form = await _form(request)
    to, email, password = local_path(form.get("next", "")), as_typed(form.get("email", "")), form.get("password", "")
    if wait := _wait(request, email):
        return await _sign_in_page(to, email, f"Too many tries. Wait {math.ceil(wait)} seconds and try again.", 429)
    person = await anyio.to_thread.run_sync(accounts.people.signed_in_with, email, password, limiter=_hashing)
    if person is None:
        refused = await _sign_in_page(to, email, WRONG, 401)
        # after the reply: how long it takes does not say whether there is such a person
        refused.background = BackgroundTask(_note_refusal, accounts, email, address_of(request))
        return refused
    _guesses.forgive(f"{network_of(address_of(request))} {folded(email)}")
    return await begin_session(request, person, to, ["signed in"])


async def _sign_in_page(to: str, email: str = "", problem: str = "", status: int = 200) -> Response:
    provider = tools().provider
    has_admin = await anyio.to_thread.run_sync(tools().accounts.people.has_admin)
    if not has_admin and (provider is None or not provider.admin_group):
        return page("no_admin", "Welcome", 200)
    return page(
        "sign_in", "Sign in", status, next="" if to == "/" else to, email=email[:254], problem=problem,
        provider=provider, has_passwords=provider is None or not provider.only,
    )  # fmt: skip


def _wait(request: Request, email: str) -> float:
    """Seconds to wait after too many guesses; one that is refused counts for no other limit."""
    network, name = network_of(address_of(request)), folded(email)[:254]
    return _address_guesses.wait(network) or _guesses.wait(f"{network} {name}") or _account_guesses.wait(name)


def _note_refusal(accounts: Accounts, email: str, address: str) -> None:
    """Of somebody there is: what a stranger types may be a password."""
    person = accounts.people.with_email(email)
    if person is not None:
        accounts.audit.write("sign-in refused", person.email, person_id=person.id, who=person.name, address=address)


# ---------------------------------------------------------------- with a link


async def link(request: Request) -> Response:
    """What a one-time link is for, and doing it. Opening it uses nothing up: programs look at links before people do."""
    accounts, token = tools().accounts, request.path_params["token"]
    if _address_guesses.wait(network_of(address_of(request))):
        return message("Too many tries", "Wait a minute and open the link again.", 429)
    found = await anyio.to_thread.run_sync(accounts.links.look, token)
    if found is None:
        return message("This link does not work", GONE, 404, button="Sign in", to="/sign-in")
    person = await anyio.to_thread.run_sync(accounts.people.get, found.person_id) if found.person_id else None
    if request.method != "POST":
        signed_in = await anyio.to_thread.run_sync(accounts.sessions.find, session_token(request))
        return _link_page(found, token, person, instead_of=signed_in.principal if signed_in is not None else None)
    if _asks_password(found) and not _has_passwords():
        return _link_page(found, token, person, problem=NO_PASSWORDS.format(tools().provider.name), status=403)  # type: ignore[union-attr]
    form = await _form(request)
    email, name = as_typed(form.get("email", "")), form.get("name", "")
    try:
        done = partial(_note_use, request, DONE[found.purpose])
        use = partial(accounts.links.use, token, email, name, form.get("password", ""), also=done)
        made = await anyio.to_thread.run_sync(use, limiter=_hashing)
    except AccountError as error:
        return _link_page(found, token, person, email, name, str(error), 400)
    return await begin_session(request, made, "/")


def _note_use(request: Request, action: str, person: Person) -> None:
    note(request, person, action)


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
    "reset": ("Choose a new password", "You are signed out everywhere else then, and your API tokens end.", "Save and sign in"),
    "sign_in": ("Knowledge Tree", "This link signs you in once.", "Open Knowledge Tree"),
}


def _link_page(
    found: OneTimeLink,
    token: str,
    person: Person | None,
    email: str = "",
    name: str = "",
    problem: str = "",
    status: int = 200,
    instead_of: Principal | None = None,
) -> Response:
    """`instead_of` is who is signed in with this browser and will not be any more."""
    title, words, button = TITLES[found.purpose]
    makes, provider = found.purpose in ("setup", "invitation"), tools().provider
    return page(
        "link", title, status, words=words, button=button, token=token, problem=problem, shortest=passwords.SHORTEST,
        email=found.email or (person.email if person else email)[:254], asks_email=makes and not found.email,
        name=(name or found.name)[:100], asks_name=makes, asks_password=_asks_password(found), is_reset=found.purpose == "reset",
        instead_of=instead_of.name if instead_of is not None and instead_of.person_id != found.person_id else "",
        provider=provider if makes else None, has_form=_has_passwords() or not _asks_password(found),
    )  # fmt: skip


def _asks_password(found: OneTimeLink) -> bool:
    return found.purpose != "sign_in"


def _has_passwords() -> bool:
    provider = tools().provider
    return provider is None or not provider.only


async def _form(request: Request) -> dict[str, str]:
    """The fields of a small form; nothing for one that is too large, too slow or broken off."""
    try:
        with anyio.fail_after(FORM_SECONDS):
            body = await read_body(request, MOST_BYTES)
    except (ClientDisconnect, TimeoutError, TooLarge):
        return {}
    try:
        return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=20))
    except ValueError:  # more fields than any form of ours has
        return {}
