"""One's own account: a new password, and what ends with it."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

from tests.ui import opened as pages
from tests.ui.people import MEMBER, PASSWORD, token_of
from ui.server import tools as opened

NEW = "nine barrels of tar"


def _change(page: AppTest, old: str, new: str) -> AppTest:
    page.text_input[-2].set_value(old)
    page.text_input[-1].set_value(new)
    [button] = [each for each in page.button if each.label == "Change"]
    return button.click().run()


def test_a_new_password_ends_other_browsers_and_tokens_but_not_this_browser(home: Path) -> None:
    other = token_of(MEMBER, password=PASSWORD)
    accounts = opened.tools().accounts
    ben = accounts.people.with_email(MEMBER).id
    token = accounts.tokens.add(ben, "script")
    page = pages.page("account", MEMBER).run()
    assert "signed out in all other browsers then, and your API tokens end" in pages.words(page)
    assert "The password now is not right" in pages.words(_change(page, NEW, NEW))
    assert "at least 12" in pages.words(_change(page, PASSWORD, "short"))
    assert accounts.sessions.find(other) and accounts.tokens.principal(token, accounts.people)
    assert "The password is changed" in pages.words(_change(page, PASSWORD, NEW))
    assert accounts.sessions.find(other) is None and accounts.tokens.principal(token, accounts.people) is None
    # the one that changed it, and the one that this test makes for the page that is drawn then
    assert len(accounts.sessions.of(ben)) == 2
    assert accounts.people.signed_in_with(MEMBER, NEW) and not accounts.people.signed_in_with(MEMBER, PASSWORD)
