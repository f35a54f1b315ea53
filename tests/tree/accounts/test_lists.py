"""What an admin's lists are made of: people by words and pages, when they were seen, invitations that still hold."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from tree.accounts.accounts import Accounts, open_accounts
from tree.accounts.models import OneTimeLink, SignInSession
from tree.accounts.people import AccountError
from tree.accounts.provider_people import Identity, ProviderPeople
from tree.accounts.provider_settings import ProviderSettings
from tree.store.database import Database
from tree.store.models import table_of
from tree.workspace import open_database


@pytest.fixture
def database(tmp_path: Path, each_database) -> Iterator[Database]:
    opened = open_database(tmp_path / "home")
    yield opened
    opened.close()


@pytest.fixture
def accounts(database: Database) -> Accounts:
    return open_accounts(database)


def test_people_are_found_by_all_words_in_name_address_and_groups(accounts: Accounts) -> None:
    people = accounts.people
    crew = people.add_group("Übersee Crew")
    people.add("ada@example.org", "Ada Éclair", is_admin=True)
    ben = people.add("ben@example.net", "ben Oak", groups=[crew])
    people.add("cy@example.org", "Cy 100%")

    def found(words: str = "", kind: str = "everybody") -> list[str]:
        return [person.name for person in people.search(words, kind).people]

    assert found() == ["Ada Éclair", "ben Oak", "Cy 100%"]
    assert found("éCLAIR") == ["Ada Éclair"] and found("example.ORG c") == ["Ada Éclair", "Cy 100%"]
    assert found("übersee oak") == ["ben Oak"] and found("übersee ada") == []
    assert found("%") == ["Cy 100%"] and found("_") == []
    people.set_active(ben.id, False)
    assert (found(kind="deactivated"), found(kind="admins")) == (["ben Oak"], ["Ada Éclair"])
    assert list(people.labels().values()) == ["Ada Éclair · ada@example.org", "Cy 100% · cy@example.org"]


def test_people_come_a_page_at_a_time(accounts: Accounts) -> None:
    for number in range(7):
        accounts.people.add(f"p{number}@example.org", f"Person {number}")
    page = accounts.people.search("person", offset=3, limit=3)
    assert [person.name for person in page.people] == ["Person 3", "Person 4", "Person 5"] and page.total == 7
    assert accounts.people.search(offset=9, limit=3) == ([], 7)


def test_somebody_was_seen_when_their_latest_browser_was(accounts: Accounts, database: Database) -> None:
    ada, ben, cy = (accounts.people.add(f"{name}@example.org", name) for name in ("ada", "ben", "cy"))
    for _ in range(2):
        accounts.sessions.start(ada.id)
    accounts.sessions.start(ben.id)
    now, table = time.time(), table_of(SignInSession)
    with database.write() as connection:
        first = connection.scalar(sa.select(table.c.id).where(table.c.person_id == ada.id).limit(1))
        connection.execute(sa.update(table).where(table.c.id == first).values(seen_at=now - 500))
        connection.execute(sa.update(table).where(table.c.person_id == ben.id).values(seen_at=0.0))
    seen = accounts.sessions.seen([ada.id, ben.id, cy.id])
    assert seen.keys() == {ada.id} and now - seen[ada.id] < 60


def test_invitations_are_listed_until_they_are_used_withdrawn_or_too_old(accounts: Accounts, database: Database) -> None:
    used, old, withdrawn, held = (accounts.links.for_invitation(f"{name}@example.org") for name in ("a", "b", "c", "d"))
    accounts.links.for_setup()
    table = table_of(OneTimeLink)
    ids = {link.email: link.id for link in accounts.links.invitations()}
    with database.write() as connection:
        connection.execute(sa.update(table).where(table.c.id == ids["b@example.org"]).values(expires_at=time.time() - 1))
    accounts.links.use(used, name="A", password="a heron on the slipway")
    assert accounts.links.invited(ids["c@example.org"]) == "c@example.org"
    accounts.links.end(ids["c@example.org"])
    assert [link.email for link in accounts.links.invitations()] == ["d@example.org"]
    assert accounts.links.look(withdrawn) is None and accounts.links.look(old) is None and accounts.links.look(held)
    with pytest.raises(AccountError, match="was used or is too old"):
        accounts.links.invited(ids["c@example.org"])


def test_a_group_changes_by_those_who_are_named_alone(accounts: Accounts) -> None:
    people = accounts.people
    ada, ben, cy = (people.add(f"{name}@example.org", name) for name in ("ada", "ben", "cy"))
    crew, pilots = people.add_group("Crew"), people.add_group("Pilots")
    people.set_groups(ada.id, [crew, pilots])
    people.change_members(crew, [ben.id, cy.id, "nobody"], [ada.id])
    assert people.members(crew) == {ben.id, cy.id} and people.groups_of(ada.id) == {pilots}
    with pytest.raises(AccountError, match="already a group called “CREW”"):
        people.add_group("CREW")


def test_a_group_of_the_provider_in_another_case_is_told_and_not_taken_for_the_one_here(
    accounts: Accounts, database: Database
) -> None:
    people, crew, ours = accounts.people, accounts.people.add_group("Crew"), accounts.people.add_group("HR")
    settings = ProviderSettings(issuer="https://id.example.org", client_id="tree", domains=("*",))
    eve = Identity("eve", "eve@example.org", True, "Eve", frozenset({"hr", "Crew"}))
    arrived = ProviderPeople(database, settings).arrive(eve)
    assert arrived.changes == ("person joined", "group “hr” made, which is not “HR”", "groups changed")
    theirs = people.groups_of(arrived.person.id)
    assert ours not in theirs and crew in theirs
    assert people.groups_named(["HR", "crew"]) == [ours, crew] and set(people.groups_named(["hr"])) < theirs
    with pytest.raises(AccountError, match="Which group is “Hr”\\? There is: “HR”, “hr”"):
        people.groups_named(["Hr"])
    assert ProviderPeople(database, settings).arrive(eve).changes == (), "it is told once"
