"""Somebody who is signed in, for the tests of pages and routes."""

from __future__ import annotations

from collections.abc import Collection

from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from tree.accounts.sessions import cookie_name
from tree.accounts.tokens import id_of
from ui.server import tools as opened
from ui.server.tools import Tools
from ui.server.visitor import Browser

ADMIN, MEMBER = "ada@example.org", "ben@example.org"
PASSWORD = "a heron on the slipway"


def token_of(
    email: str = ADMIN, *, is_admin: bool | None = None, groups: Collection[str] = (), password: str | None = None
) -> str:
    """Signs somebody in, who is made where there is no such person yet; returns what their browser keeps."""
    accounts = opened.tools().accounts
    person = accounts.people.with_email(email)
    if person is None:
        admin = email == ADMIN if is_admin is None else is_admin
        person = accounts.people.add(email, email.partition("@")[0].title(), password, is_admin=admin, groups=groups)
    return accounts.sessions.start(person.id, "127.0.0.1", "A browser")


def tools_of(email: str = ADMIN, **person: object) -> Tools:
    """What the pages of this person work with."""
    tools = opened.tools()
    return tools.seen_by(Browser(tools.accounts.sessions, id_of(token_of(email, **person)), "127.0.0.1"))  # type: ignore[arg-type]


def sign_in(client: TestClient, email: str = ADMIN) -> TestClient:
    client.cookies.set(cookie_name(opened.tools().workspace.database.identity, is_secure=False), token_of(email))
    return client


def signed_in(page: AppTest, email: str = ADMIN) -> AppTest:
    page.user = {"session": id_of(token_of(email))}
    return page
