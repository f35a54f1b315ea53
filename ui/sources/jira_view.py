"""A Jira source in words, and the fields that adding one and its settings share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from pydantic import ValidationError

from connectors.base import ConfigurationError
from connectors.jira.config import CLOUD_TOKENS, JiraConfig

TOKENS = {
    "token": ("API token", "Jira Cloud: make one under [API tokens]({page}) of your Atlassian account."),
    "scoped": ("API token with scopes", "Jira Cloud: on the [same page]({page}), with *read:jira-work* and *read:jira-user*."),
    "pat": ("Personal access token", "Jira Data Center: in Jira, your picture › *Profile* › *Personal Access Tokens*."),
}
JQL_HELP = "As in Jira's own search, for example: labels = handbook AND created >= -365d"


@dataclass(frozen=True, slots=True)
class Access:
    """Which site, and who asks it."""

    url: str
    auth: str
    email: str
    token: str = field(repr=False)

    @property
    def config(self) -> dict[str, str]:
        return {"url": self.url, "auth": self.auth, "email": self.email if self.auth != "pat" else ""}

    @property
    def secrets(self) -> dict[str, str]:
        return {"token": self.token}


def checked(config: Mapping[str, Any]) -> dict[str, Any]:
    """Settings as they are kept: in one form, without what is so anyway. Raises ConfigurationError."""
    try:
        read = JiraConfig.model_validate(dict(config))
    except ValidationError as error:
        said = str(error.errors()[0]["msg"]).removeprefix("Value error, ")
        raise ConfigurationError(f"{said[:1].upper()}{said[1:]}.") from error
    return {"url": read.url, "auth": read.auth} | read.model_dump(mode="json", exclude_defaults=True)


def scope_in_words(config: Mapping[str, Any]) -> str:
    """The site and what of it is read: "team.atlassian.net · PAY, OPS"."""
    address = str(config.get("url", ""))
    site = urlsplit(address).netloc + urlsplit(address).path or address
    projects = ", ".join(config.get("projects", ()))
    jql = str(config.get("jql", ""))
    return " · ".join(filter(None, (site, projects, jql and f"filter: {jql}")))


# ---------------------------------------------------------------- fields


def kind_field(key: str, now: str = "token") -> str:
    return st.radio(
        "Kind of token", list(TOKENS), list(TOKENS).index(now), key=f"{key}_auth",
        format_func=lambda kind: TOKENS[kind][0], captions=[words.format(page=CLOUD_TOKENS) for _, words in TOKENS.values()],
    )  # fmt: skip


def email_field(key: str, now: str = "") -> str:
    return st.text_input(
        "E-mail address of the token's account", now, key=f"{key}_email", autocomplete="off", placeholder="you@example.com",
        help="Jira Cloud wants it beside an API token. A personal access token is enough by itself.",
    ).strip()  # fmt: skip


def token_field(key: str, label: str) -> str:
    """Only ever filled by the person: what was saved is not put into it."""
    return st.text_input(
        label, type="password", key=f"{key}_token", autocomplete="off", help="Saved encrypted, and never shown again."
    ).strip()


def scope_fields(key: str, projects: Sequence[tuple[str, str]], config: Mapping[str, Any]) -> dict[str, Any]:
    """`projects` are those that can be seen, as (key, name). Others can be typed in."""
    names = dict(projects)
    now = list(config.get("projects", ()))
    chosen = st.multiselect(
        "Projects", [*names, *(one for one in now if one not in names)], now, key=f"{key}_projects",
        format_func=lambda one: f"{one} · {names[one]}" if names.get(one) else one,
        placeholder="Type to search" if names else "Type the key of a project", accept_new_options=not names,
    )  # fmt: skip
    jql = st.text_input(
        "Filter (JQL)", str(config.get("jql", "")), key=f"{key}_jql", autocomplete="off", help=JQL_HELP,
        placeholder="optional: narrows the projects down, or stands alone",
    )  # fmt: skip
    return {"projects": chosen, "jql": jql.strip()}


def option_fields(key: str, config: Mapping[str, Any]) -> dict[str, Any]:
    now = JiraConfig.model_construct(**config)
    internal = st.checkbox("Read internal comments and those shown to a role only", now.internal_comments, key=f"{key}_internal")
    restricted = st.checkbox("Read tickets with a security level", now.restricted, key=f"{key}_restricted")
    if internal or restricted:
        st.caption(":material/visibility: Everybody who may see this source can then read them in answers.")
    attachments = st.checkbox("Read attached files (PDF, Office, text …)", now.attachments, key=f"{key}_attachments")
    largest = now.attachment_megabytes
    if attachments:
        largest = st.number_input(
            "Largest file to read, in megabytes", 1.0, 500.0, float(largest), 5.0, "%.0f", key=f"{key}_largest"
        )
    return {
        "internal_comments": internal, "restricted": restricted, "attachments": attachments, "attachment_megabytes": largest
    }  # fmt: skip
