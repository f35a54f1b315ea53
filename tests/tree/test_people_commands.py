"""Accounts from the command line: links that work, one line that says what to do, and what was done in the audit log."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from tests.databases import break_audit_log
from tree.__main__ import main
from tree.accounts.accounts import Accounts, open_accounts
from tree.workspace import workspace

GOOD = "a heron on the slipway"


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    def command(*arguments: str) -> tuple[int, str, str]:
        status = main(["people", *arguments, "--home", str(tmp_path / "home")])
        said = capsys.readouterr()
        return status, said.out, said.err

    return command


@pytest.fixture
def accounts(tmp_path: Path):
    with workspace(tmp_path / "home") as opened:
        yield open_accounts(opened.database)


def token(said: str, url: str = "http://127.0.0.1:8501") -> str:
    first = said.splitlines()[0]
    assert first.startswith(f"{url}/link/")
    return first.rpartition("/")[2]


def test_the_first_admin_comes_by_the_link_and_then_no_other(run, accounts: Accounts) -> None:
    status, said, _ = run("setup")
    assert status == 0 and "It works once, until " in said
    accounts.links.use(token(said), "ada@example.org", "Ada", GOOD)
    assert accounts.people.with_email("ada@example.org").is_admin
    assert [(entry.who, entry.action) for entry in accounts.audit.entries()] == [("the command line", "set-up link made")]
    status, said, error = run("setup")
    assert (status, said) == (1, "") and "people reset EMAIL" in error and error.count("\n") == 1


def test_somebody_is_invited_to_groups_and_as_an_admin(run, accounts: Accounts) -> None:
    crew = accounts.people.add_group("Crew")
    address = "https://tree.example.org"
    _, said, _ = run("invite", "Ben@Example.org", "--name", "Ben", "--admin", "--group", "crew", "--url", f"{address}/")
    ben = accounts.links.use(token(said, address), name="Ben", password=GOOD)
    assert (ben.email, ben.is_admin, accounts.people.groups_of(ben.id)) == ("ben@example.org", True, {crew})
    [entry] = accounts.audit.entries()
    assert (entry.who, entry.action, entry.target) == ("the command line", "person invited", "Ben@Example.org (admin)")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("invite", "nobody"), "Give an e-mail address"),
        (("invite", "ada@example.org"), "already here"),
        (("invite", "eve@example.org", "--group", "Pilots"), "There is no group called “Pilots”. There is: “Crew”."),
        (("reset", "eve@example.org"), "people list"),
        (("reset", "old@example.org"), "is deactivated"),
        (("deactivate", "eve@example.org"), "people list"),
        (("deactivate", "ada@example.org"), "last admin"),
        (("group", "Pilots", "--add", "eve@example.org"), "people list"),
        (("group", "  "), "name"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_changes_nothing(run, accounts: Accounts, arguments, words) -> None:
    accounts.people.add_group("Crew")
    accounts.people.add("ada@example.org", "Ada", GOOD, is_admin=True)
    accounts.people.set_active(accounts.people.add("old@example.org", "Old").id, False)
    status, said, error = run(*arguments)
    assert (status, said) == (1, "") and words in error and error.count("\n") == 1
    assert accounts.links.invitations() == [] and accounts.audit.count() == 0
    assert [person.is_active for person in accounts.people.all()] == [True, False]


def test_a_new_password_and_a_deactivation_end_sessions(run, accounts: Accounts) -> None:
    accounts.people.add("ada@example.org", "Ada", GOOD, is_admin=True)
    ben = accounts.people.add("ben@example.org", "Ben", GOOD)
    before = accounts.sessions.start(ben.id)
    _, said, _ = run("reset", "BEN@example.org")
    assert accounts.sessions.find(before) is not None
    accounts.links.use(token(said), password="nine barrels of tar")
    assert accounts.sessions.find(before) is None and accounts.people.signed_in_with("ben@example.org", "nine barrels of tar")
    session = accounts.sessions.start(ben.id)
    status, said, _ = run("deactivate", "ben@example.org")
    assert status == 0 and "signed out everywhere" in said and accounts.sessions.find(session) is None
    assert [entry.action for entry in accounts.audit.entries()] == ["person deactivated", "password reset offered"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("setup",),
        ("invite", "cy@example.org"),
        ("group", "Crew", "--add", "ben@example.org"),
        ("reset", "ben@example.org"),
        ("deactivate", "ben@example.org"),
    ],
)
def test_what_cannot_be_written_to_the_audit_log_is_not_done(run, accounts: Accounts, arguments: tuple[str, ...]) -> None:
    ben = accounts.people.add("ben@example.org", "Ben", GOOD)
    break_audit_log(accounts.audit.database)
    with pytest.raises(sa.exc.IntegrityError, match="the audit log is broken"):
        run(*arguments)
    with accounts.audit.database.read() as connection:
        assert connection.scalar(sa.text("SELECT count(*) FROM one_time_link")) == 0
    assert accounts.people.get(ben.id).is_active and accounts.people.groups() == {}


def test_a_group_is_made_once_and_people_come_and_go(run, accounts: Accounts) -> None:
    ada, ben = (accounts.people.add(f"{name}@example.org", name.title(), GOOD) for name in ("ada", "ben"))
    assert run("group", "Crew", "--add", ada.email, "--add", ben.email) == (0, "Crew: 2 in it.\n", "")
    assert run("group", "crew", "--remove", ada.email) == (0, "Crew: 1 in it.\n", "")
    [id_] = accounts.people.groups_named(["Crew"])
    assert accounts.people.members(id_) == {ben.id}
    done = [(entry.action, entry.target) for entry in reversed(accounts.audit.entries())]
    assert done == [
        ("group added", "Crew"),
        ("group members changed", "Crew: in: ada@example.org, ben@example.org"),
        ("group members changed", "crew: out: ada@example.org"),
    ]


def test_the_list_tells_of_invitations_and_groups(run, accounts: Accounts) -> None:
    run("group", "Crew")
    run("invite", "cy@example.org")
    lines = run("list")[1].splitlines()
    assert lines[-2].startswith("cy@example.org · invited, until 20") and lines[-1] == "Group “Crew” · 0 in it"


def test_the_list_says_who_is_what(run, accounts: Accounts) -> None:
    assert "people setup" in run("list")[1]
    crew = accounts.people.add_group("Crew")
    ada = accounts.people.add("ada@example.org", "Ada\x1b[1m", GOOD, is_admin=True, groups=[crew])
    accounts.people.set_active(accounts.people.add("ben@example.org", "Ben").id, False)
    accounts.sessions.start(ada.id)
    lines = run("list")[1].splitlines()
    assert lines[0].startswith("Ada\\u001b[1m <ada@example.org> · admin · in Crew · last seen 20")
    assert lines[1] == "Ben <ben@example.org> · deactivated · never signed in"
