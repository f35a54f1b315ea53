"""Signing in with the team's identity provider: there, and back."""

from __future__ import annotations

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from tree.accounts.models import Person
from tree.accounts.people import AccountError
from tree.accounts.provider_people import Identity, ProviderPeople
from tree.accounts.provider_settings import ID, ProviderSettings
from ui.server.guard import address_of
from ui.server.http import METHODS
from ui.server.plain_pages import message, nothing, only
from ui.server.rate_limit import RateLimit, network_of
from ui.server.tools import tools
from ui.sign_in.attempts import Attempt, Attempts
from ui.sign_in.browser_session import begin_session, local_path, note, session_token
from ui.sign_in.oidc import Provider, ProviderError

LONGEST_TOKEN = 100  # characters of an invitation
TITLE = "You are not signed in"
OVER = "This sign-in took longer than ten minutes, or was used already. Sign in again."

_attempts = Attempts()
_tries = RateLimit(300, 60)  # from one address: a whole office may come at nine
_providers: dict[ProviderSettings, Provider] = {}


def routes() -> list[Route]:
    return [
        Route("/sign-in/with/{provider}", only("GET")(go), methods=METHODS),
        Route("/sign-in/with/{provider}/callback", only("GET")(come_back), methods=METHODS),
    ]


async def go(request: Request) -> Response:
    """Sends somebody to the provider."""
    provider = _provider(request)
    if provider is None:
        return await nothing(request)
    if _tries.wait(network_of(address_of(request))):
        return message(TITLE, "Too many tries. Wait a minute and try again.", 429, button="Try again", to="/sign-in")
    to, invitation = local_path(request.query_params.get("next", "")), request.query_params.get("invitation", "")[:LONGEST_TOKEN]
    attempt = _attempts.begin(f"{str(request.base_url).rstrip('/')}/sign-in/with/{ID}/callback", to, invitation)
    try:
        address = await provider.address(attempt.sent)
    except ProviderError as error:
        return message(TITLE, str(error), 502, button="Back", to="/sign-in")
    response = RedirectResponse(address, 303, {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"})
    _attempts.keep(request, response, attempt)
    return response


async def come_back(request: Request) -> Response:
    """Signs in whoever comes back from the provider in the browser that was sent there."""
    provider, told = _provider(request), request.query_params
    if provider is None:
        return await nothing(request)
    state = told.get("state", "")
    attempt = _attempts.take(request, state)
    if attempt is None:
        if await anyio.to_thread.run_sync(tools().accounts.sessions.find, session_token(request)):
            return RedirectResponse("/", 303)  # somebody who went back in their browser
        return message(TITLE, OVER, 400, button="Sign in", to="/sign-in")
    response = await _signed_in(request, provider, attempt)
    _attempts.forget(request, response, state)
    return response


async def _signed_in(request: Request, provider: Provider, attempt: Attempt) -> Response:
    told, name = request.query_params, provider.settings.name
    if told.get("error") == "access_denied":
        return message(TITLE, f"{name} did not let you in, or you went back.", 403, button="Sign in", to="/sign-in")
    if not told.get("code"):  # what it says instead is not shown: anybody can write it into an address
        return message(TITLE, f"{name} could not sign you in. Try again, or ask an admin.", 502, button="Sign in", to="/sign-in")
    try:
        identity = await provider.identity(told["code"], told.get("iss", ""), attempt.sent)
        person = await anyio.to_thread.run_sync(_arrive, request, provider.settings, identity, attempt.invitation)
    except ProviderError as error:
        return message(TITLE, str(error), 502, button="Sign in", to="/sign-in")
    except AccountError as error:
        return message(TITLE, str(error), 403, button="Back", to="/sign-in")
    actions = [f"signed in with {name}"]
    return await begin_session(request, person, attempt.to, actions, provider.settings.hours * 3_600)


def _arrive(request: Request, settings: ProviderSettings, identity: Identity, invitation: str) -> Person:
    """What has become otherwise with their account stands in the audit log, or has not."""
    database = tools().workspace.database
    with database.together():
        arrived = ProviderPeople(database, settings).arrive(identity, invitation)
        note(request, arrived.person, *arrived.changes)
    return arrived.person


def _provider(request: Request) -> Provider | None:
    settings = tools().provider
    if settings is None or request.path_params["provider"] != ID:
        return None
    return _providers.setdefault(settings, Provider(settings))
