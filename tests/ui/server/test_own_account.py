"""What people do to their own account is in the audit log, or not done."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest
import sqlalchemy as sa

from tests.databases import break_audit_log
from tests.ui.people import MEMBER, PASSWORD, tools_of
from tree.accounts.people import AccountError
from ui.server.own_account import OwnAccount
from ui.server.tools import Tools

pytestmark = pytest.mark.usefixtures("each_database")

NEW = "nine barrels of tar"


class Things(NamedTuple):
    """What the actions below are done to."""

    session: str
    token: str


@pytest.fixture
def member(home: Path) -> Tools:
    return tools_of(MEMBER, password=PASSWORD)


@pytest.fixture
def things(member: Tools) -> Things:
    person = member.principal.person_id
    member.accounts.sessions.start(person, "10.0.0.9", "Another browser")
    member.accounts.tokens.add(person, "script")
    [other] = [session.id for session in member.accounts.sessions.of(person) if session.id != member.visitor.session_id]
    return Things(other, member.accounts.tokens.of(person)[0].id)


Action = Callable[[OwnAccount, Things], object]
ACTIONS: dict[str, tuple[Action, str, str]] = {  # and what the audit log says of each
    "sign_out": (lambda a, t: a.sign_out(), "signed out", MEMBER),
    "end_session": (lambda a, t: a.end_session(t.session), "own session ended", MEMBER),
    "end_other_sessions": (lambda a, t: a.end_other_sessions(), "own other sessions ended", MEMBER),
    "add_token": (lambda a, t: a.add_token(" the  bot ", None, None), "API token made", f"{MEMBER}: the bot"),
    "delete_token": (lambda a, t: a.delete_token(t.token), "API token deleted", f"{MEMBER}: script"),
    "change_password": (lambda a, t: a.change_password(PASSWORD, NEW), "password changed", MEMBER),
}


def access(tools: Tools, person: str) -> tuple[object, ...]:
    """The sessions, tokens and password of somebody."""
    accounts = tools.accounts
    sessions, tokens = accounts.sessions.of(person), accounts.tokens.of(person)
    return {one.id for one in sessions}, {one.id for one in tokens}, accounts.people.get(person).password


def test_each_action_is_tried_here() -> None:
    assert {name for name in vars(OwnAccount) if not name.startswith("_")} == ACTIONS.keys()


@pytest.mark.parametrize("name", ACTIONS)
def test_it_is_written_to_the_audit_log(member: Tools, things: Things, name: str) -> None:
    action, said, target = ACTIONS[name]
    person = member.principal.person_id
    before = access(member, person)
    action(member.account, things)
    assert access(member, person) != before
    [entry] = member.accounts.audit.entries()
    assert (entry.action, entry.target, entry.who, entry.address) == (said, target, "Ben", "127.0.0.1")
    assert entry.person_id == person


@pytest.mark.parametrize("name", ACTIONS)
def test_what_cannot_be_written_to_the_audit_log_is_not_done(member: Tools, things: Things, name: str) -> None:
    break_audit_log(member.workspace.database)
    person = member.principal.person_id
    before = access(member, person)
    with pytest.raises(sa.exc.IntegrityError, match="the audit log is broken"):
        ACTIONS[name][0](member.account, things)
    assert access(member, person) == before


def test_what_is_not_done_is_not_written_down(member: Tools, things: Things) -> None:
    other = tools_of("eve@example.org", password=PASSWORD)
    assert not other.account.end_session(things.session)
    other.account.delete_token(things.token)
    for refused in (lambda: other.account.add_token(" ", None, None), lambda: other.account.change_password(PASSWORD, "short")):
        with pytest.raises(AccountError):
            refused()
    assert member.accounts.audit.count() == 0 and len(member.accounts.tokens.of(member.principal.person_id)) == 1


def test_somebody_who_is_signed_out_by_now_changes_nothing(member: Tools, things: Things) -> None:
    member.accounts.sessions.end(member.visitor.session_id)
    member.visitor.look_again()
    for action, _, _ in ACTIONS.values():
        with suppress(AccountError):
            action(member.account, things)
    assert member.accounts.audit.count() == 0


def test_the_password_is_not_guessed_in_a_borrowed_browser(member: Tools, things: Things) -> None:
    before = access(member, member.principal.person_id)
    said = []
    for number in range(8):
        with pytest.raises(AccountError) as refused:
            member.account.change_password(f"guess number {number}", NEW)
        said.append(str(refused.value))
    assert said[:6] == ["The password now is not right."] * 6
    assert all("Too many tries. Wait " in one for one in said[6:])
    with pytest.raises(AccountError, match="Too many tries"):
        member.account.change_password(PASSWORD, NEW)
    assert access(member, member.principal.person_id) == before
    assert [entry.action for entry in member.accounts.audit.entries()] == ["password change refused"] * 6
