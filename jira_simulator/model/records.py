"""What a Jira site is made of, as frozen records: a change makes a new record, so an old one stays as a snapshot."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Personality = Literal["cloud", "dc"]
CATEGORIES = {"new": (2, "To Do", "blue-gray"), "indeterminate": (4, "In Progress", "yellow"), "done": (3, "Done", "green")}


@dataclass(frozen=True, slots=True)
class Body:
    """A text as it was written: wiki markup (or plain text), or ADF, or both where both are known."""

    wiki: str | None = None
    adf: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class User:
    """`account_id` is what Cloud shows, `name` and `key` what Data Center shows."""

    account_id: str
    name: str
    display_name: str
    email: str = ""
    key: str = ""
    zone: str = "Etc/UTC"
    active: bool = True
    account_type: str = "atlassian"


@dataclass(frozen=True, slots=True)
class Named:
    """A status, issue type, priority, resolution, component or version: an id, a name, and what else it shows."""

    id: str
    name: str
    description: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LinkType:
    id: str
    name: str
    inward: str
    outward: str


@dataclass(frozen=True, slots=True)
class FieldDefinition:
    """A row of the field catalogue. `custom` is the type key that tells what a custom field is for."""

    id: str
    name: str
    kind: str = "string"
    items: str = ""
    custom: str = ""
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Project:
    id: str
    key: str
    name: str
    description: str = ""
    lead: str | None = None  # an account id
    public: bool = False  # anonymous may see it
    hidden: bool = False  # nobody but the site itself may see it
    archived: bool = False
    browsers: frozenset[str] | None = None  # account ids that may see it; None: every signed-in account
    roles: Mapping[str, frozenset[str]] = field(default_factory=dict)  # role name -> account ids
    permissions: Mapping[str, frozenset[str]] = field(
        default_factory=dict
    )  # permission -> account ids; not named: who may browse
    properties: Mapping[str, Any] = field(default_factory=dict)
    old_keys: tuple[str, ...] = ()
    type_key: str = "software"  # or "service_desk", "business"


@dataclass(frozen=True, slots=True)
class Sprint:
    id: int
    name: str
    board: int
    state: Literal["future", "active", "closed"] = "future"
    start: dt.datetime | None = None
    end: dt.datetime | None = None
    complete: dt.datetime | None = None
    goal: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    id: int
    name: str
    project: str  # a project id
    kind: Literal["scrum", "kanban"] = "scrum"
    filter: str = ""  # the id of the saved query it shows; empty: everything in the project


@dataclass(frozen=True, slots=True)
class Group:
    id: str
    name: str
    members: frozenset[str] = frozenset()  # account ids


@dataclass(frozen=True, slots=True)
class Filter:
    """A saved query. Its owner sees it; others do where it is shared."""

    id: str
    name: str
    owner: str  # an account id
    jql: str
    description: str = ""
    favourite_of: frozenset[str] = frozenset()  # account ids
    shared: bool = True  # with everybody who is signed in


@dataclass(frozen=True, slots=True)
class SecurityLevel:
    id: str
    name: str
    members: frozenset[str] = frozenset()  # account ids


@dataclass(frozen=True, slots=True)
class Comment:
    id: str
    author: str | None  # an account id; None: the account is gone
    body: Body | None
    created: dt.datetime
    updated: dt.datetime
    updater: str | None = None
    role: str | None = None  # only this role sees it
    internal: bool | None = None  # service desk: jsdPublic is False; None: not a service desk
    hidden: bool = False  # counted, never shown
    properties: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Attachment:
    """`content` is None where only the record is known: asking for it is a 404."""

    id: str
    filename: str
    mime: str
    size: int
    created: dt.datetime
    author: str | None = None
    content: bytes | None = None


@dataclass(frozen=True, slots=True)
class RemoteLink:
    id: int
    url: str
    title: str
    relationship: str = ""
    summary: str = ""
    global_id: str = ""
    application: Mapping[str, str] = field(default_factory=dict)  # type, name
    more: Mapping[str, Any] = field(default_factory=dict)  # of the object: icon, status


@dataclass(frozen=True, slots=True)
class Worklog:
    id: str
    author: str | None
    started: dt.datetime
    seconds: int
    created: dt.datetime
    comment: Body | None = None
    updated: dt.datetime | None = None  # None: never since it was made
    updater: str | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """One item of a history, with the names Jira gives its members."""

    field: str
    field_id: str
    old: Any = None
    old_text: str | None = None
    new: Any = None
    new_text: str | None = None
    kind: Literal["jira", "custom"] = "jira"


@dataclass(frozen=True, slots=True)
class History:
    id: str
    author: str | None
    created: dt.datetime
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """`source` `outward`s `target`: "blocks". Either end may be a ticket that this site does not have."""

    id: str
    type: str
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Ticket:
    """`id` never changes; `key` does when the ticket moves, and then the old one joins `old_keys`."""

    id: str
    key: str
    project: str
    summary: str
    created: dt.datetime
    updated: dt.datetime
    issuetype: str
    status: str
    priority: str | None = None
    resolution: str | None = None
    resolved: dt.datetime | None = None
    status_changed: dt.datetime | None = None
    due: str | None = None
    description: Body | None = None
    environment: Body | None = None
    creator: str | None = None
    reporter: str | None = None
    assignee: str | None = None
    labels: tuple[str, ...] = ()
    components: tuple[str, ...] = ()
    fix_versions: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    parent: str | None = None  # a ticket id
    epic: str | None = None  # a ticket id
    sprints: tuple[int, ...] = ()
    security: str | None = None  # the id of a security level
    hidden: bool = False
    custom: Mapping[str, Any] = field(default_factory=dict)  # field id -> JSON value
    old_keys: tuple[str, ...] = ()
    comments: tuple[Comment, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    remote_links: tuple[RemoteLink, ...] = ()
    worklogs: tuple[Worklog, ...] = ()
    histories: tuple[History, ...] = ()  # oldest first
    watchers: tuple[str, ...] = ()  # account ids
    voters: tuple[str, ...] = ()  # account ids
    original_estimate: int | None = None  # seconds
    remaining_estimate: int | None = None  # seconds
    properties: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Token:
    """What signs in as `account`: an API token (with the account's address), a PAT, or a scoped token."""

    secret: str
    account: str
    kind: Literal["api", "pat", "scoped"] = "api"
    alive: bool = True
    expires: dt.datetime | None = None


@dataclass
class Switches:
    """What a live Jira would have to settle (JIRA.md, section 6), and what differs between sites."""

    jql_truncates_milliseconds: bool = False  # are numeric bounds cut to the minute, as written dates are?
    move_items: Literal["project and key", "key only"] = "project and key"
    move_event: Literal["issue_moved", "issue_updated", "issue_generic"] = "issue_moved"
    dc_max_results: int = 1000
    cloud_page_cap: int = 100  # the most tickets on a page that shows more than ids
    webhook_retries: int = 5
    webhook_retry_minutes: tuple[float, float] = (5, 15)
    webhook_timeout_seconds: float = 20
    dc_webhooks_retry: bool = False
    gateway_auth: Literal["both", "basic", "bearer"] = "both"
    link_touches_updated: bool = True
    hidden_comments_counted: bool = True
    sprint_as_text: bool = True  # Data Center shows sprints as strings
    changelog_bulk_epoch: bool = False  # changelog/bulkfetch: `created` as a number
    description_versions: bool = False  # histories: what a description changed `to` is an object, as recorded on Cloud
    anonymous_project_search: Literal["empty", "refused"] = "empty"
    cloud_parent_is_epic: bool = True  # the epic is shown as `parent`, as on Cloud since 2023
    epic_link_shown: bool = True  # the old custom field is filled as well
    language: Literal["en", "de"] = "en"  # of error messages
    rate_limit_headers: bool = True
