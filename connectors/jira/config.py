"""What is set up for a Jira source, and the words that say so when something in it is not right."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

CLOUD_TOKENS = "https://id.atlassian.com/manage-profile/security/api-tokens"
GATEWAY = "https://api.atlassian.com"

CLOUD = ".atlassian.net"  # has no context path

# the first part of the path of a page: what stands before it is the context path
_PAGES = re.compile(
    r"/(?:browse|issues|projects|rest|secure|servicedesk|plugins|login\.jsp|"
    r"jira/(?:software|core|servicedesk|your-work|for-you|dashboards|people|plans|filters|settings|apps|search))(?:/|\Z)"
)
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_ORDER = re.compile(r"\border\s+by\b", re.IGNORECASE)
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'", re.DOTALL)


class JiraConfig(BaseModel):
    """One Jira site as one source: what of it is read, who reads it, and how often."""

    model_config = ConfigDict(frozen=True, extra="forbid", ignored_types=(cached_property,))

    url: str  # of the site, with its context path: https://team.atlassian.net, https://host/jira
    auth: Literal["token", "pat", "scoped"] = "token"
    email: str = ""  # whose token it is; also the user name of a password on Data Center
    projects: tuple[str, ...] = ()  # keys
    jql: str = ""  # narrows the projects down; alone, it is the scope
    internal_comments: bool = False  # comments that are not for everybody who may see the ticket
    restricted: bool = False  # tickets with a security level
    attachments: bool = True  # read files as documents below their ticket
    attachment_megabytes: float = Field(10, gt=0)
    poll_seconds: float = Field(30, gt=0)
    rescan_seconds: float = Field(900, gt=0)
    overlap_minutes: float = Field(10, ge=0)  # how long the search index of Jira may be behind
    gateway: str = GATEWAY  # where scoped tokens are taken

    @field_validator("url", "gateway")
    @classmethod
    def _address(cls, value: str) -> str:
        value = value.strip().rstrip("/")
        if value and "://" not in value:
            value = f"https://{value}"
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("write the address as in the browser, such as https://team.atlassian.net")
        if parts.username or parts.password:
            raise ValueError("leave the password out of the address")
        path = "" if (parts.hostname or "").endswith(CLOUD) else re.split(_PAGES, parts.path + "/")[0].rstrip("/")
        return f"{parts.scheme}://{parts.netloc}{path}"

    @field_validator("projects", mode="before")
    @classmethod
    def _keys(cls, value: object) -> object:
        keys = re.split(r"[\s,;]+", value) if isinstance(value, str) else value
        if not isinstance(keys, (list, tuple)):
            return keys
        keys = [str(key).strip() for key in keys]
        for key in filter(None, keys):
            if not _KEY.fullmatch(key):
                raise ValueError(f"“{key[:40]}” is not the key of a project; a key looks like GANG")
        return tuple(dict.fromkeys(key.upper() for key in keys if key))

    @model_validator(mode="after")
    def _enough(self) -> JiraConfig:
        if not self.projects and not self.filter:
            raise ValueError("choose at least one project, or write a JQL filter")
        if self.auth == "token" and not self.email.strip():
            raise ValueError("an API token needs the e-mail address of the account it was made for")
        return self

    @cached_property
    def filter(self) -> str:
        """The JQL without its order, which is ours to choose."""
        blanked = _QUOTED.sub(lambda match: "_" * len(match.group()), self.jql)
        order = _ORDER.search(blanked)
        return self.jql[: order.start() if order else None].strip()

    @property
    def attachment_bytes(self) -> int:
        return int(self.attachment_megabytes * 1_000_000)

    @property
    def host(self) -> str:
        return urlsplit(self.url).netloc

    def renew(self) -> str:
        """How a person gets another token."""
        if self.auth == "pat":
            return (
                f"Make a new one in Jira under your profile > Personal Access Tokens ({self.url}/secure/ViewProfile.jspa) "
                "and enter it for this source."
            )
        if self.auth == "scoped":
            return (
                f"Make a new one at {CLOUD_TOKENS} with the scopes read:jira-work and read:jira-user "
                "and enter it for this source."
            )
        return f"Make a new one at {CLOUD_TOKENS} and enter it for this source."

    def token_words(self) -> str:
        """Which token, for people."""
        if self.auth == "pat":
            return f"the personal access token for {self.host}"
        kind = "scoped API token" if self.auth == "scoped" else "API token"
        return f"the {kind} of {self.email}" if self.email else f"the {kind} for {self.host}"
