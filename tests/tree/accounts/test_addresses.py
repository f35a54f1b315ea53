"""An address is one person's: no two that differ in more than the case of ASCII letters pass for each other."""

from __future__ import annotations

import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tree.accounts.accounts import Accounts, open_accounts
from tree.accounts.addresses import domain_name, folded
from tree.accounts.people import AccountError
from tree.accounts.provider_people import Identity, ProviderPeople
from tree.accounts.provider_settings import ProviderSettings, SettingsError, provider_settings
from tree.store.database import Database
from tree.workspace import open_database

GOOD = "a heron on the slipway"
KELVIN = "\u212a"  # whose small letter is "k"
LOOK_ALIKE = ["boss@straße.example", f"boss@strasse.e{KELVIN}ample", "boſs@strasse.example", "ﬁn@strasse.example", f"mi{KELVIN}e@strasse.example"]  # fmt: skip


@pytest.fixture
def database(tmp_path: Path, each_database) -> Iterator[Database]:
    opened = open_database(tmp_path / "home")
    yield opened
    opened.close()


@pytest.fixture
def accounts(database: Database) -> Accounts:
    return open_accounts(database)


def _settings(domains: str = "") -> ProviderSettings:
    return ProviderSettings(issuer="https://id.example.org", client_id="tree", domains=domains)  # type: ignore[arg-type]  # as a variable has it


def _small(text: str) -> str:
    return "".join(each.lower() if each in string.ascii_uppercase else each for each in text)


@given(st.text(), st.text())
@example("boss@straße.de", "boss@strasse.de")
@example(f"mi{KELVIN}e@x.de", "mike@x.de")
@example("İ@x.de", "i̇@x.de")
@example("ADA@x.de", "ada@X.de")
def test_only_the_case_of_ascii_letters_is_left_out(one: str, other: str) -> None:
    assert (folded(one) == folded(other)) == (_small(one.strip()) == _small(other.strip()))
    assert folded(folded(one)) == folded(one)


@given(st.text(alphabet=st.sampled_from("aßsöÖk.-" + KELVIN), min_size=1), st.text(alphabet="ask.-", min_size=1))
@example("straße.de", "strasse.de")
@example(f"{KELVIN}.de", "k.de")
@example("strasse。de", "strasse.de")
def test_a_domain_with_other_letters_is_no_domain_of_ascii(one: str, other: str) -> None:
    assert one.isascii() or domain_name(one) != domain_name(other)


@pytest.mark.parametrize("email", LOOK_ALIKE)
def test_an_address_that_looks_like_an_admins_does_not_get_the_admins_account(
    accounts: Accounts, database: Database, email: str
) -> None:
    for local in ("boss", "fin", "mike"):
        accounts.people.add(f"{local}@strasse.example", local, GOOD, is_admin=True)
    with pytest.raises(AccountError, match="Nobody has invited"):
        ProviderPeople(database, _settings()).arrive(Identity("attacker", email, True, "Eve"))
    assert accounts.people.with_email(email) is None
    assert accounts.people.signed_in_with("boss@strasse.example", GOOD) is not None, "nothing of the admin was ended"


def test_an_address_in_other_letters_is_linked_by_the_case_of_ascii_alone(accounts: Accounts, database: Database) -> None:
    ada = accounts.people.add("Ada@Straße.example", "Ada", GOOD)
    arrived = ProviderPeople(database, _settings()).arrive(Identity("a", "ADA@straße.EXAMPLE", True, "Ada"))
    assert arrived.person.id == ada.id and arrived.changes == ("account linked",)


@pytest.mark.parametrize("email", ["eve@straße.example", f"eve@strasse.e{KELVIN}ample", "eve@strasse。example"])
def test_a_domain_that_looks_like_the_teams_lets_nobody_join(email: str) -> None:
    assert not _settings("strasse.example,strasse.ekample").lets_join(email, "")
    assert not _settings("strasse.example,strasse.ekample").lets_join("a@b.example", email.rpartition("@")[2])


@pytest.mark.parametrize("domains", ["Straße.example", "xn--strae-oqa.example"])
def test_a_domain_of_other_letters_is_the_same_however_it_is_written(domains: str) -> None:
    settings = _settings(domains)
    assert settings.lets_join("a@straße.example", "") and settings.lets_join("a@XN--STRAE-OQA.example", "")
    assert not settings.lets_join("a@strasse.example", "")


def test_a_domain_that_cannot_be_one_is_refused() -> None:
    with pytest.raises(SettingsError, match="OIDC_DOMAINS: give domains"):
        provider_settings(
            {
                "KNOWLEDGE_TREE_OIDC_ISSUER": "https://id.example.org",
                "KNOWLEDGE_TREE_OIDC_CLIENT_ID": "tree",
                "KNOWLEDGE_TREE_OIDC_DOMAINS": f"{KELVIN}.example",
            }
        )


def test_an_invitation_is_taken_up_by_its_own_address_alone(accounts: Accounts, database: Database) -> None:
    accounts.people.add("boss@strasse.example", "Boss", GOOD, is_admin=True)
    accounts.links.for_invitation("Ada@Strasse.example", "Ada")
    people = ProviderPeople(database, _settings())
    with pytest.raises(AccountError, match="Nobody has invited"):
        people.arrive(Identity("eve", "ada@straße.example", True, "Eve"))
    assert people.arrive(Identity("ada", "ADA@strasse.example", True, "Ada")).changes == ("person joined",)
