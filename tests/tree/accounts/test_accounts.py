"""People sign in, sessions end at once, links work once, tokens see no more than their person."""

from __future__ import annotations

import csv
import io
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from tree.accounts.accounts import Accounts, open_accounts
from tree.accounts.models import SignInSession
from tree.accounts.people import AccountError
from tree.accounts.principal import NOBODY, OPERATOR, Principal
from tree.accounts.sessions import IDLE_SECONDS, LONGEST_SECONDS, SEEN_SECONDS
from tree.store.chats import Chats
from tree.store.database import Database
from tree.store.models import Source, table_of
from tree.workspace import open_database

GOOD, OTHER = "a heron on the slipway", "nine barrels of tar"


@pytest.fixture
def database(tmp_path: Path, each_database) -> Iterator[Database]:
    opened = open_database(tmp_path / "home")
    yield opened
    opened.close()


@pytest.fixture
def accounts(database: Database) -> Accounts:
    return open_accounts(database)


def _source(id_: str, audience: list[str] | None) -> Source:
    return Source(id=id_, name=id_, kind="folder", config={}, created_at=0.0, audience=audience)


# ---- people and passwords


def test_somebody_signs_in_with_the_right_password_alone(accounts: Accounts) -> None:
    ada = accounts.people.add(" Ada@Example.org ", "Ada  Byron", GOOD)
    assert (ada.email, ada.name) == ("ada@example.org", "Ada Byron")
    assert accounts.people.signed_in_with("ADA@example.org", GOOD).id == ada.id
    assert accounts.people.signed_in_with("ada@example.org", OTHER) is None
    assert accounts.people.signed_in_with("ada@example.org", "") is None
    assert accounts.people.signed_in_with("nobody@example.org", GOOD) is None


def test_the_password_itself_is_nowhere_in_the_data_folder(tmp_path: Path) -> None:
    accounts = open_accounts(Database(tmp_path / "home"))
    accounts.people.add("ada@example.org", "Ada", GOOD)
    token = accounts.sessions.start(accounts.people.all()[0].id)
    kept = b"".join(path.read_bytes() for path in (tmp_path / "home").rglob("*") if path.is_file())
    assert GOOD.encode() not in kept and token.encode() not in kept and b"ada@example.org" in kept


def test_somebody_without_a_password_cannot_sign_in_with_one(accounts: Accounts) -> None:
    accounts.people.add("ada@example.org", "Ada", subject="https://id.example.org ada")
    for password in ("", "nobody has this password", GOOD):
        assert accounts.people.signed_in_with("ada@example.org", password) is None


@pytest.mark.parametrize(
    ("password", "said"),
    [
        ("short", "at least 12"),
        ("x" * 201, "at most 200"),
        ("aaaaaaaaaaaaaa", "easy to guess"),
        ("password1234", "easy to guess"),
        ("ada@example.org", "easy to guess"),
        ("1234567890123", "easy to guess"),
    ],
)
def test_a_weak_password_is_refused_with_what_to_do(accounts: Accounts, password: str, said: str) -> None:
    with pytest.raises(AccountError, match=said):
        accounts.people.add("ada@example.org", "Ada", password)
    assert accounts.people.all() == []


@pytest.mark.parametrize("email", ["", "ada", "@", "ada@", "a b@example.org", "<ada>@example.org", "ada@exa\nmple.org"])
def test_what_is_no_address_is_refused(accounts: Accounts, email: str) -> None:
    with pytest.raises(AccountError, match="e-mail"):
        accounts.people.add(email, "Ada", GOOD)


def test_an_address_is_used_once(accounts: Accounts) -> None:
    accounts.people.add("ada@example.org", "Ada", GOOD)
    with pytest.raises(AccountError, match="already here"):
        accounts.people.add("ADA@example.org", "Another", OTHER)


def test_the_last_admin_stays_one(accounts: Accounts) -> None:
    ada = accounts.people.add("ada@example.org", "Ada", GOOD, is_admin=True)
    with pytest.raises(AccountError, match="last admin"):
        accounts.people.set_admin(ada.id, False)
    with pytest.raises(AccountError, match="last admin"):
        accounts.people.set_active(ada.id, False)
    assert accounts.people.principal(ada.id).is_admin
    ben = accounts.people.add("ben@example.org", "Ben", GOOD, is_admin=True)
    accounts.people.set_active(ada.id, False)
    assert accounts.people.principal(ada.id) is None and accounts.people.principal(ben.id).is_admin


def test_two_admins_who_step_down_at_once_leave_one(accounts: Accounts) -> None:
    people = [accounts.people.add(f"{name}@example.org", name, GOOD, is_admin=True) for name in ("ada", "ben")]
    refused: list[AccountError] = []

    def step_down(person_id: str) -> None:
        try:
            accounts.people.set_admin(person_id, False)
        except AccountError as error:
            refused.append(error)

    threads = [threading.Thread(target=step_down, args=(person.id,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 1 and accounts.people.has_admin()


# ---- sessions


def test_a_session_is_found_by_its_token_until_it_ends(accounts: Accounts) -> None:
    ada = accounts.people.add("ada@example.org", "Ada", GOOD, groups=[accounts.people.add_group("Crew")])
    token = accounts.sessions.start(ada.id, "10.0.0.7", "A browser")
    found = accounts.sessions.find(token)
    assert found.principal == accounts.people.principal(ada.id) and found.principal.groups
    assert (found.session.address, found.session.agent) == ("10.0.0.7", "A browser")
    assert accounts.sessions.find(token + "x") is None and accounts.sessions.find("") is None
    assert accounts.sessions.find(found.session.id) is None, "what is kept must not open anything"
    accounts.sessions.end(found.session.id)
    assert accounts.sessions.find(token) is None


def test_somebody_who_is_deactivated_loses_sessions_and_tokens_at_once(accounts: Accounts) -> None:
    accounts.people.add("boss@example.org", "Boss", GOOD, is_admin=True)
    ada = accounts.people.add("ada@example.org", "Ada", GOOD)
    session, token = accounts.sessions.start(ada.id), accounts.tokens.add(ada.id, "script")
    accounts.people.set_active(ada.id, False)
    assert accounts.sessions.find(session) is None and accounts.tokens.principal(token, accounts.people) is None
    assert accounts.people.signed_in_with("ada@example.org", GOOD) is None
    accounts.people.set_active(ada.id, True)
    assert accounts.sessions.find(session) is None, "coming back does not bring old sessions back"


def test_a_session_is_found_while_somebody_else_writes(accounts: Accounts, database: Database) -> None:
    token = accounts.sessions.start(accounts.people.add("ada@example.org", "Ada", GOOD).id)
    with database.write() as connection:
        connection.execute(sa.update(table_of(SignInSession)).values(seen_at=time.time() - SEEN_SECONDS - 1))
    with database.write():
        assert accounts.sessions.find(token)  # without waiting to note that it was seen
    found = accounts.sessions.find(token)
    assert found is not None and accounts.sessions.find(token).session.seen_at > found.session.seen_at


@pytest.mark.parametrize(
    "values", [{"seen_at": -IDLE_SECONDS - 1}, {"created_at": -LONGEST_SECONDS - 1}, {"created_at": 2 * 86_400}]
)
def test_a_session_that_is_too_old_or_of_the_future_does_not_hold(accounts: Accounts, database: Database, values) -> None:
    token = accounts.sessions.start(accounts.people.add("ada@example.org", "Ada", GOOD).id)
    with database.write() as connection:
        now = time.time()
        connection.execute(sa.update(table_of(SignInSession)).values({name: now + by for name, by in values.items()}))
    assert accounts.sessions.find(token) is None


def test_rights_that_change_are_those_of_the_next_look(accounts: Accounts) -> None:
    ada = accounts.people.add("ada@example.org", "Ada", GOOD)
    crew = accounts.people.add_group("Crew")
    token = accounts.sessions.start(ada.id)
    assert not accounts.sessions.find(token).principal.groups
    accounts.people.set_groups(ada.id, [crew, "of nobody"])
    accounts.people.set_admin(ada.id, True)
    found = accounts.sessions.find(token).principal
    assert found.groups == {crew} and found.is_admin
    accounts.people.delete_group(crew)
    assert not accounts.sessions.find(token).principal.groups


# ---- what may be seen


def test_who_sees_what() -> None:
    everybody, crew, nobodys = _source("a", None), _source("b", ["crew"]), _source("c", [])
    member, sailor = Principal("1", "Ada"), Principal("2", "Ben", groups=frozenset({"crew"}))
    admin = Principal("3", "Cy", is_admin=True)
    seen = {who: [s.id for s in who.visible([everybody, crew, nobodys])] for who in (member, sailor, admin, NOBODY, OPERATOR)}
    assert seen == {member: ["a"], sailor: ["a", "b"], admin: ["a"], NOBODY: [], OPERATOR: ["a", "b", "c"]}
    assert [s.id for s in sailor.narrowed(["b", "c"]).visible([everybody, crew, nobodys])] == ["b"]
    assert [s.id for s in sailor.narrowed(["a"]).narrowed(["a", "b"]).visible([everybody, crew])] == ["a"], "never widened"
    assert [s.id for s in OPERATOR.narrowed(["c"]).visible([everybody, crew, nobodys])] == ["c"]


# ---- links


def test_the_set_up_link_makes_the_first_admin_once(accounts: Accounts, database: Database) -> None:
    chats = Chats(database)
    before = chats.running.begin("What is green?", owner="").chat_id
    first, second = accounts.links.for_setup(), accounts.links.for_setup()
    with pytest.raises(AccountError, match="used or is too old"):
        accounts.links.use(first, "ada@example.org", "Ada", GOOD)
    with pytest.raises(AccountError, match="at least 12"):
        accounts.links.use(second, "ada@example.org", "Ada", "short")
    ada = accounts.links.use(second, "ada@example.org", "Ada", GOOD)
    assert ada.is_admin and chats.rows.get(before, ada.id).owner == ada.id
    with pytest.raises(AccountError, match="used or is too old"):
        accounts.links.use(second, "eve@example.org", "Eve", GOOD)
    with pytest.raises(AccountError, match="admin already"):
        accounts.links.use(accounts.links.for_setup(), "eve@example.org", "Eve", GOOD)
    assert [person.name for person in accounts.people.all()] == ["Ada"]


def test_set_up_links_that_several_apps_print_work_side_by_side_until_one_is_used(accounts: Accounts) -> None:
    first, second, third = (accounts.links.for_setup(beside=True) for _ in range(3))
    assert all(accounts.links.look(token) for token in (first, second, third))
    accounts.links.use(second, "ada@example.org", "Ada", GOOD)
    assert not any(accounts.links.look(token) for token in (first, second, third))


def test_a_link_that_two_people_open_at_once_works_for_one(accounts: Accounts) -> None:
    token = accounts.links.for_setup()
    made, refused = [], []

    def use(name: str) -> None:
        try:
            made.append(accounts.links.use(token, f"{name}@example.org", name, GOOD))
        except AccountError as error:
            refused.append(error)

    threads = [threading.Thread(target=use, args=(name,)) for name in ("ada", "ben", "cy", "dee")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1 and len(refused) == 3 and len(accounts.people.all()) == 1


def test_an_invitation_says_who_and_in_which_groups(accounts: Accounts) -> None:
    crew = accounts.people.add_group("Crew")
    token = accounts.links.for_invitation("ben@example.org", "Ben", groups=[crew])
    assert accounts.links.look(token).purpose == "invitation"
    ben = accounts.links.use(token, "eve@example.org", "Benedict", GOOD)
    assert (ben.email, ben.name, ben.is_admin) == ("ben@example.org", "Benedict", False)
    assert accounts.people.groups_of(ben.id) == {crew} and accounts.links.look(token) is None


def test_a_new_password_ends_the_sessions_and_tokens_of_the_old_one(accounts: Accounts) -> None:
    ada = accounts.people.add("ada@example.org", "Ada", GOOD)
    session, program = accounts.sessions.start(ada.id), accounts.tokens.add(ada.id, "script")
    void, token = accounts.links.for_reset(ada.id), accounts.links.for_reset(ada.id)
    assert accounts.links.look(void) is None
    accounts.links.use(token, password=OTHER)
    assert accounts.sessions.find(session) is None and accounts.tokens.principal(program, accounts.people) is None
    assert accounts.people.signed_in_with("ada@example.org", OTHER) and not accounts.people.signed_in_with(
        "ada@example.org", GOOD
    )


def test_a_password_that_is_changed_keeps_one_session_and_those_of_others(accounts: Accounts) -> None:
    ada, ben = (accounts.people.add(f"{name}@example.org", name, GOOD) for name in ("ada", "ben"))
    own, stolen, bens = (accounts.sessions.start(id_) for id_ in (ada.id, ada.id, ben.id))
    program, of_ben = (accounts.tokens.add(id_, "script") for id_ in (ada.id, ben.id))
    with pytest.raises(AccountError, match="at least 12"):
        accounts.people.set_password(ada.id, "short")
    assert accounts.sessions.find(stolen) and accounts.tokens.principal(program, accounts.people)
    accounts.people.set_password(ada.id, OTHER, keep_session=accounts.sessions.find(own).session.id)
    assert accounts.sessions.find(own) and accounts.sessions.find(bens) and accounts.sessions.find(stolen) is None
    assert accounts.tokens.principal(program, accounts.people) is None and accounts.tokens.principal(of_ben, accounts.people)
    with pytest.raises(AccountError, match="no such person"):
        accounts.people.set_password("nobody", OTHER)


class _Written(str):
    """A password that writes something else when it is hashed: that fails where a transaction holds the database."""

    def __new__(cls, password: str, other: Database) -> _Written:
        made = super().__new__(cls, password)
        made.other = other
        return made

    def encode(self, *arguments: str) -> bytes:
        open_accounts(self.other).audit.write("somebody else wrote")
        return super().encode(*arguments)


@pytest.mark.parametrize("how", ["add", "set", "setup", "invitation", "reset"])
def test_others_write_while_a_password_is_hashed(tmp_path: Path, how: str) -> None:
    database = Database(tmp_path)
    other = Database(tmp_path, busy_seconds=0)
    accounts, password = open_accounts(database), _Written(OTHER, other)
    ada = accounts.people.add("ada@example.org", "Ada", GOOD)
    links = accounts.links
    doing = {
        "add": lambda: accounts.people.add("ben@example.org", "Ben", password),
        "set": lambda: accounts.people.set_password(ada.id, password),
        "setup": lambda: links.use(links.for_setup(), "ben@example.org", "Ben", password),
        "invitation": lambda: links.use(links.for_invitation("ben@example.org"), "", "Ben", password),
        "reset": lambda: links.use(links.for_reset(ada.id), password=password),
    }
    doing[how]()
    assert [entry.action for entry in accounts.audit.entries()] == ["somebody else wrote"]
    assert accounts.people.signed_in_with("ada@example.org" if how in ("set", "reset") else "ben@example.org", OTHER)
    for each in (database, other):
        each.close()


def test_no_password_is_hashed_for_a_link_that_is_void_or_somebody_who_cannot_be_made(accounts: Accounts) -> None:
    class Unhashed(str):
        def encode(self, *_arguments: str) -> bytes:
            raise AssertionError

    accounts.people.add("ada@example.org", "Ada", GOOD)
    for link, email, said in (("void", "ben@example.org", "used or is too old"), (accounts.links.for_setup(), "ada@example.org", "already here")):  # fmt: skip
        with pytest.raises(AccountError, match=said):
            accounts.links.use(link, email, "Ben", Unhashed(OTHER))


def test_a_link_for_somebody_who_was_deactivated_is_void(accounts: Accounts) -> None:
    accounts.people.add("boss@example.org", "Boss", GOOD, is_admin=True)
    ada = accounts.people.add("ada@example.org", "Ada", GOOD)
    token = accounts.links.for_sign_in(ada.id)
    accounts.people.set_active(ada.id, False)
    with pytest.raises(AccountError, match="used or is too old"):
        accounts.links.use(token)


# ---- tokens


def test_a_token_is_never_an_admin_and_sees_no_more_than_its_person(accounts: Accounts) -> None:
    crew = accounts.people.add_group("Crew")
    ada = accounts.people.add("ada@example.org", "Ada", GOOD, is_admin=True, groups=[crew])
    sources = [_source("a", None), _source("b", [crew]), _source("c", ["others"])]

    def seen(token: str) -> list[str]:
        return [source.id for source in accounts.tokens.principal(token, accounts.people).visible(sources)]

    whole, narrow = accounts.tokens.add(ada.id, "script"), accounts.tokens.add(ada.id, "bot", ["b", "c"])
    assert seen(whole) == ["a", "b"] and seen(narrow) == ["b"]
    assert not accounts.tokens.principal(whole, accounts.people).is_admin
    accounts.people.set_groups(ada.id, [])
    assert seen(whole) == ["a"] and seen(narrow) == []
    [first, _] = accounts.tokens.of(ada.id)
    accounts.tokens.end("somebody else", first.id)
    assert accounts.tokens.principal(whole, accounts.people) is not None
    accounts.tokens.end(ada.id, first.id)
    assert accounts.tokens.principal(whole, accounts.people) is None
    assert accounts.tokens.principal(accounts.tokens.add(ada.id, "late", seconds=-1), accounts.people) is None


# ---- audit


def test_the_log_is_read_a_page_at_a_time_and_exported_without_formulas(accounts: Accounts) -> None:
    for number in range(5):
        accounts.audit.write("source.paused", f"=SUM({number})", who="Ada", address="10.0.0.7")
    first = accounts.audit.entries(2)
    second = accounts.audit.entries(9, offset=2)
    assert [entry.target for entry in (*first, *second)] == [f"=SUM({number})" for number in (4, 3, 2, 1, 0)]
    assert [entry.target for entry in accounts.audit.entries(containing="sum(3")] == ["=SUM(3)"]
    assert accounts.audit.entries(containing="%") == [] and accounts.audit.count() == 5
    assert accounts.audit.count("0.0.7") == 5 and accounts.audit.count("sum(3") == 1
    rows = list(csv.reader(io.StringIO(accounts.audit.as_csv())))
    assert rows[0][0] == "at" and rows[1][3] == "'=SUM(0)"
