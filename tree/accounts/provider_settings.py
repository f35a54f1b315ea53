"""The team's identity provider (OpenID Connect), as the environment names it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from tree.accounts.addresses import domain_name
from tree.store.database import StoreError

PREFIX = "KNOWLEDGE_TREE_OIDC_"
ID = "oidc"  # in the address to which the provider sends people back: /sign-in/with/oidc/callback
EVERYBODY = "*"  # in `domains`
GOOGLE = "https://accounts.google.com"
LOOPBACK = frozenset(("localhost", "127.0.0.1", "::1"))


class SettingsError(StoreError):
    """A setting of the identity provider is no good; the message says which, and what it should be."""


class ProviderSettings(BaseModel):
    """Each field is a variable: `groups_claim` is KNOWLEDGE_TREE_OIDC_GROUPS_CLAIM."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    issuer: str
    client_id: str = Field(min_length=1)
    client_secret: SecretStr = SecretStr("")  # empty for a public client
    label: str = Field("", max_length=60)  # "Sign in with ..."
    scopes: str = "openid email profile"
    groups_claim: str = Field("groups", min_length=1)  # with dots for one inside another
    admin_group: str = ""  # whoever is in it is an admin, and nobody else who signs in this way
    domains: tuple[str, ...] = ()  # of e-mail addresses that may join without an invitation; "*" for everybody the provider knows
    trust_email: bool = False  # the provider lets nobody choose an address, and does not say email_verified
    only: bool = False  # nobody signs in with a password
    hours: Annotated[float, Field(gt=0, le=24 * 90)] = 12  # after which somebody is asked for anew

    @field_validator("issuer")
    @classmethod
    def _is_issuer(cls, issuer: str) -> str:
        parts = urlsplit(issuer)
        is_safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)
        if not is_safe or not parts.hostname or parts.query or parts.fragment or "@" in parts.netloc:
            raise ValueError("give the https address of the provider, such as https://id.example.org/realms/team")
        return issuer

    @field_validator("domains", mode="before")
    @classmethod
    def _as_domains(cls, written: Any) -> Any:
        return tuple(part.strip().lstrip("@") for part in written.split(",") if part.strip()) if isinstance(written, str) else written  # fmt: skip

    @field_validator("domains")
    @classmethod
    def _are_domains(cls, domains: tuple[str, ...]) -> tuple[str, ...]:
        names = tuple(domain if domain == EVERYBODY else domain_name(domain) or "" for domain in domains)
        if any(name != EVERYBODY and ("." not in name or "@" in name or "*" in name) for name in names):
            raise ValueError("give domains with commas between them, such as example.org,example.com, or * for everybody")
        return names

    @field_validator("scopes")
    @classmethod
    def _has_openid(cls, scopes: str) -> str:
        if "openid" not in scopes.split():
            raise ValueError("“openid” must be one of them")
        return scopes

    @property
    def name(self) -> str:
        return self.label or str(urlsplit(self.issuer).hostname)

    def subject_of(self, subject: str) -> str:
        """How an account of this provider is kept with a person."""
        return f"{self.issuer.rstrip('/')} {subject}"

    def lets_join(self, email: str, hosted_domain: str) -> bool:
        """Whether somebody with this address, which is theirs, may join without an invitation.

        At Google anybody can make an account with an address of another company; only `hd` says that it is the company's.
        """
        is_hosted = self.issuer.rstrip("/") == GOOGLE or hosted_domain != ""
        domain = domain_name(hosted_domain if is_hosted else email.rpartition("@")[2])
        return EVERYBODY in self.domains or domain in self.domains


def provider_settings(environment: Mapping[str, str] = os.environ) -> ProviderSettings | None:
    """None where no provider is named. Raises SettingsError, with one line for whoever starts the app."""
    given = {name.removeprefix(PREFIX).lower(): value for name, value in environment.items() if name.startswith(PREFIX)}
    given = {name: value for name, value in given.items() if value.strip()}
    if not given:
        return None
    try:
        return ProviderSettings.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        name = f"{PREFIX}{str(first['loc'][0]).upper()}" if first["loc"] else PREFIX
        raise SettingsError(f"{name}: {_in_words(first['type'], first['msg'])}.") from None


def _in_words(kind: str, words: str) -> str:
    if kind == "missing":
        return "this is missing, and sign-in with the provider needs it"
    if kind == "extra_forbidden":
        return f"there is no such setting; there are {', '.join(name.upper() for name in ProviderSettings.model_fields)}"
    return words.removeprefix("Value error, ")
