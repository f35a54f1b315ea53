"""Signing in with an identity provider, in a browser, from a deep link and back to it."""

from __future__ import annotations

from tests.browser.conftest import WAIT, settled
from tests.ui.sign_in.identity_provider import running


def test_from_a_link_through_the_provider_and_back(browser, start_app) -> None:
    with running() as provider:
        provider.claims = {"sub": "carla", "email": "carla@harbour.example", "email_verified": True, "name": "Carla <b>Quist</b>", "groups": ["/team/quay"]}  # fmt: skip
        app = start_app(**provider.environment(DOMAINS="harbour.example", ONLY="1"))
        context = browser.new_context()
        page = context.new_page()
        page.set_default_timeout(WAIT)
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text) if "Content Security Policy" in message.text else None)
        page.goto(f"{app.url}/tree?x=1")
        assert "/sign-in?next=" in page.url and page.get_by_label("Password").count() == 0
        page.get_by_role("link", name="Sign in with Harbour ID").click()
        settled(page)
        assert page.url.startswith(f"{app.url}/tree")
        menu = page.locator(".st-key-account-menu button").first
        assert "Carla <b>Quist</b>" in menu.inner_text()
        menu.click()
        page.get_by_role("button", name="Account").click()
        page.get_by_text("In the group /team/quay.").wait_for()
        assert page.get_by_text("Change the password").count() == 0
        settled(page)
        page.goto(app.url)
        settled(page)
        menu.click()
        page.locator(".st-key-sign-out button").click()
        page.get_by_role("link", name="Sign in with Harbour ID").wait_for()
        assert not said, said
        context.close()
