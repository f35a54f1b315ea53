"""The identity provider's settings are read whole, or refused in one line that names the variable."""

from __future__ import annotations

import pytest

from tree.accounts.provider_settings import SettingsError, provider_settings

GOOD = {"ISSUER": "https://id.example.org/realms/team", "CLIENT_ID": "knowledge-tree"}


def _environment(**settings: str) -> dict[str, str]:
    return {f"KNOWLEDGE_TREE_OIDC_{name}": value for name, value in settings.items()} | {"HOME": "/"}


def test_nothing_is_set_without_a_provider() -> None:
    assert provider_settings({"HOME": "/"}) is None and provider_settings(_environment(ISSUER=" ")) is None


def test_every_setting_is_read() -> None:
    more = {
        "CLIENT_SECRET": "s3cret", "LABEL": "Harbour ID", "GROUPS_CLAIM": "roles", "ADMIN_GROUP": "/leads", "DOMAINS": "Example.org, @example.com",
        "ONLY": "1", "TRUST_EMAIL": "yes", "HOURS": "8", "SCOPES": "openid email groups",
    }  # fmt: skip
    found = provider_settings(_environment(**GOOD, **more))
    assert (found.name, found.groups_claim, found.admin_group, found.hours) == ("Harbour ID", "roles", "/leads", 8.0)
    assert found.domains == ("example.org", "example.com") and found.only and found.trust_email
    assert "s3cret" not in repr(found) and found.client_secret.get_secret_value() == "s3cret"
    assert provider_settings(_environment(**GOOD)).name == "id.example.org"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"ISSUER": "http://id.example.org"}, "OIDC_ISSUER: give the https address"),
        ({"ISSUER": "id.example.org"}, "OIDC_ISSUER: give the https address"),
        ({"ISSUER": "https://id.example.org/?a=b"}, "OIDC_ISSUER: give the https address"),
        ({"CLIENT_ID": ""}, "OIDC_CLIENT_ID: this is missing"),
        ({"DOMAINS": "*.example.org"}, "OIDC_DOMAINS: give domains"),
        ({"DOMAINS": "example"}, "OIDC_DOMAINS: give domains"),
        ({"ONLY": "perhaps"}, "OIDC_ONLY: "),
        ({"HOURS": "0"}, "OIDC_HOURS: "),
        ({"SCOPES": "email"}, "OIDC_SCOPES: “openid” must be"),
        ({"CLIENT": "x"}, "OIDC_CLIENT: there is no such setting; there are ISSUER, CLIENT_ID"),
    ],
    ids=str,
)
def test_what_is_no_good_is_said_in_one_line(wrong: dict[str, str], said: str) -> None:
    with pytest.raises(SettingsError) as raised:
        provider_settings(_environment(**GOOD | wrong))
    assert f"KNOWLEDGE_TREE_{said}" in str(raised.value) and "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("issuer", "domains", "email", "hosted", "lets"),
    [
        ("https://id.example.org", "example.org", "a@example.org", "", True),
        ("https://id.example.org", "example.org", "a@sub.example.org", "", False),
        ("https://id.example.org", "example.org", "a@notexample.org", "", False),
        ("https://id.example.org", "example.org", "example.org@evil.example", "", False),
        ("https://id.example.org", "example.org", "a@EXAMPLE.org", "", True),
        ("https://id.example.org", "", "a@example.org", "", False),
        ("https://id.example.org", "*", "a@example.org", "", True),
        ("https://accounts.google.com", "example.org", "a@example.org", "", False),
        ("https://accounts.google.com/", "example.org", "a@example.org", "", False),
        ("https://accounts.google.com", "example.org", "a@example.org", "example.org", True),
        ("https://accounts.google.com", "example.org", "a@example.org", "evil.example", False),
    ],
)  # fmt: skip
def test_who_may_join_by_the_domain(issuer: str, domains: str, email: str, hosted: str, lets: bool) -> None:
    settings = provider_settings(_environment(**GOOD | {"ISSUER": issuer, "DOMAINS": domains}))
    assert settings.lets_join(email, hosted) is lets
