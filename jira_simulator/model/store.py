"""What a simulated site holds and how things in it are found: users, projects, tickets, catalogues."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from jira_simulator.model import defaults
from jira_simulator.model.clock import Clock
from jira_simulator.model.page_hooks import PageHooks
from jira_simulator.model.records import (
    Board,
    Comment,
    FieldDefinition,
    Filter,
    Group,
    History,
    Link,
    LinkType,
    Named,
    Personality,
    Project,
    SecurityLevel,
    Sprint,
    Switches,
    Ticket,
    Token,
    User,
    Worklog,
)
from jira_simulator.model.search_index import SearchIndex


class NotOnSite(LookupError):
    """What was named is not on this site."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something happened: what webhooks tell of."""

    name: str  # jira:issue_updated
    type_name: str = ""  # issue_generic
    ticket: Ticket | None = None
    user: User | None = None
    history: History | None = None
    comment: Comment | None = None
    thing: Any = None  # a Link, Sprint, Project, Attachment
    secondary: bool = False


class SiteStore:
    """Everything a site holds. Change it only through the methods of `Site`, which keep histories, index and webhooks."""

    def __init__(
        self,
        personality: Personality = "cloud",
        clock: Clock | None = None,
        switches: Switches | None = None,
        context: str | None = None,
        epic_link: str = "customfield_10014",
        epic_name: str = "customfield_10011",
        sprint: str = "customfield_10020",
    ) -> None:
        self.personality: Personality = personality
        self.clock = clock or Clock()
        self.switches = switches or Switches()
        self.context = context if context is not None else ("/jira" if personality == "dc" else "")
        self.url = "http://simulator.invalid"  # where it listens; `running` sets it
        self.certificate: Path | None = None  # with which clients trust it, where it speaks HTTPS
        self.title = "Jira"
        self.cloud_id = "11111111-2222-4333-8444-555555555555"
        self.lock = threading.RLock()
        self.users: dict[str, User] = {}
        self.projects: dict[str, Project] = {}
        self.tickets: dict[str, Ticket] = {}
        self.links: dict[str, Link] = {}
        self.outside: dict[str, dict[str, Any]] = {}  # tickets that links lead to and that are not here
        self.tokens: dict[str, Token] = {}
        self.boards: dict[int, Board] = {}
        self.sprints: dict[int, Sprint] = {}
        self.levels: dict[str, SecurityLevel] = {}
        self.groups: dict[str, Group] = {}
        self.filters: dict[str, Filter] = {}
        self.user_properties: dict[str, dict[str, Any]] = {}  # account id -> properties
        self.ranks: dict[str, float] = {}  # ticket id -> its place in backlogs, where it was moved by hand
        self.components: dict[str, Named] = {}
        self.versions: dict[str, Named] = {}
        self.statuses = _by_id(defaults.STATUSES)
        self.issuetypes = _by_id(defaults.ISSUE_TYPES)
        self.priorities = _by_id(defaults.PRIORITIES)
        self.resolutions = _by_id(defaults.RESOLUTIONS)
        self.link_types: dict[str, LinkType] = {each.id: each for each in defaults.LINK_TYPES}
        self.epic_field, self.epic_name_field, self.sprint_field = epic_link, epic_name, sprint
        self.fields: dict[str, FieldDefinition] = {
            each.id: each for each in (*defaults.system_fields(), *defaults.agile_fields(epic_link, epic_name, sprint))
        }
        self.index = SearchIndex(self.clock)
        self.page_hooks = PageHooks()
        self.scenario_folder: Path | None = None  # of the project that was loaded
        self.log: list[Any] = []  # of requests: server.LoggedRequest
        self.players: list[Any] = []  # of scripts: player.ScenarioPlayer
        self.deleted_worklogs: list[tuple[str, dt.datetime]] = []  # id, when
        self.listeners: list[Callable[[Event], None]] = []
        self._children: dict[str, dict[str, None]] = {}  # ticket id -> the ids of its sub-tasks, in order
        self._links_of: dict[str, dict[str, None]] = {}  # ticket id -> the ids of its links
        self._keys: dict[str, str] = {}  # every key a ticket has or had, in capitals -> its id
        self._counters: dict[str, int] = {}
        self._numbers: dict[str, int] = {}  # project id -> the last number given

    # ------------------------------------------------------------ finding

    def find(self, reference: Ticket | str) -> Ticket:
        """The ticket with that id, key (in any case) or former key, as it is now."""
        ticket_id = reference.id if isinstance(reference, Ticket) else str(reference)
        found = self.tickets.get(ticket_id) or self.tickets.get(self._keys.get(ticket_id.upper(), ""))
        if found is None:
            raise NotOnSite(f"There is no ticket {ticket_id!r} on this site.")
        return found

    def user(self, reference: User | str) -> User:
        """The user with that account id, name, key, address or display name."""
        if isinstance(reference, User):
            return reference
        if found := self.users.get(reference):
            return found
        for user in self.users.values():
            if reference in (user.name, user.key, user.email, user.display_name):
                return user
        raise NotOnSite(f"There is no user {reference!r} on this site; add_user adds one.")

    def project(self, reference: Project | str) -> Project:
        if isinstance(reference, Project):
            return self.projects[reference.id]
        wanted = str(reference)
        if found := self.projects.get(wanted):
            return found
        for project in self.projects.values():
            if wanted.upper() in (project.key.upper(), *project.old_keys) or wanted.lower() == project.name.lower():
                return project
        raise NotOnSite(f"There is no project {wanted!r} on this site; add_project adds one.")

    def named(self, kind: str, reference: Named | str, project: str = "") -> Named:
        """One of `statuses`, `issuetypes`, `priorities`, `resolutions`, `components` or `versions`, by name or id."""
        things: dict[str, Named] = getattr(self, kind)
        if isinstance(reference, Named):
            return reference
        if reference in things:
            return things[reference]
        for thing in things.values():
            if thing.name.lower() == reference.lower() and thing.more.get("project", project) == project:
                return thing
        raise NotOnSite(f"There is nothing called {reference!r} in {kind}; there are: {_names(things.values())}.")

    def has(self, kind: str, name: str) -> bool:
        return any(each.name == name for each in getattr(self, kind).values())

    def sprint(self, reference: Sprint | int | str) -> Sprint:
        for sprint in self.sprints.values():
            if reference in (sprint, sprint.id, sprint.name, str(sprint.id)):
                return sprint
        raise NotOnSite(f"There is no sprint {reference!r} on this site; there are: {_names(self.sprints.values())}.")

    def level(self, reference: str) -> SecurityLevel:
        for level in self.levels.values():
            if reference in (level.id, level.name):
                return level
        raise NotOnSite(f"There is no security level {reference!r} on this site; add_level adds one.")

    def group(self, reference: Group | str) -> Group:
        """The group with that id or name."""
        for group in self.groups.values():
            if reference in (group, group.id, group.name):
                return group
        raise NotOnSite(f"There is no group {reference!r} on this site; there are: {_names(self.groups.values())}.")

    def groups_of(self, account: str | None) -> list[Group]:
        return [each for each in self.groups.values() if account in each.members]

    def saved_filter(self, reference: Filter | str) -> Filter:
        """The filter with that id or name."""
        for each in self.filters.values():
            if reference in (each, each.id) or (isinstance(reference, str) and reference.lower() == each.name.lower()):
                return each
        raise NotOnSite(f"There is no filter {reference!r} on this site; there are: {_names(self.filters.values())}.")

    def rank(self, ticket: Ticket) -> float:
        """Where the ticket stands in backlogs: by age, unless it was ranked."""
        return self.ranks.get(ticket.id, float(ticket.id))

    def comment_with_id(self, comment_id: str) -> tuple[Ticket, Comment]:
        for ticket in self.tickets.values():
            for comment in ticket.comments:
                if comment.id == str(comment_id):
                    return ticket, comment
        raise NotOnSite(f"There is no comment {comment_id!r} on this site.")

    def worklog_with_id(self, worklog_id: str) -> tuple[Ticket, Worklog]:
        for ticket in self.tickets.values():
            for worklog in ticket.worklogs:
                if worklog.id == str(worklog_id):
                    return ticket, worklog
        raise NotOnSite(f"There is no worklog {worklog_id!r} on this site.")

    def links_of(self, ticket: Ticket) -> list[Link]:
        return [self.links[each] for each in self._links_of.get(ticket.id, ())]

    def children_of(self, ticket: Ticket) -> list[Ticket]:
        return [self.tickets[each] for each in self._children.get(ticket.id, ())]

    def category(self, ticket: Ticket) -> str:
        """`new`, `indeterminate` or `done`."""
        return str(self.statuses[ticket.status].more["category"])

    # ------------------------------------------------------------ keeping

    def put(self, ticket: Ticket) -> Ticket:
        """Puts a finished ticket in, as loaders do: no history is written and nobody is told."""
        with self.lock:
            self._forget_parent(ticket.id)
            if ticket.parent:
                self._children.setdefault(ticket.parent, {})[ticket.id] = None
            self.tickets[ticket.id] = ticket
            for key in (*ticket.old_keys, ticket.key):
                self._keys[key.upper()] = ticket.id
            number = int(ticket.key.rpartition("-")[2])
            self._numbers[ticket.project] = max(number, self._numbers.get(ticket.project, 0))
        return ticket

    def take(self, ticket: Ticket) -> None:
        """Takes a ticket out, with its keys and links."""
        with self.lock:
            for link in self.links_of(ticket):
                self.take_link(link)
            self._forget_parent(ticket.id)
            del self.tickets[ticket.id]
            for key in [key for key, owner in self._keys.items() if owner == ticket.id]:
                del self._keys[key]

    def put_link(self, link: Link) -> Link:
        with self.lock:
            self.links[link.id] = link
            for end in (link.source, link.target):
                self._links_of.setdefault(end, {})[link.id] = None
        return link

    def take_link(self, link: Link) -> None:
        with self.lock:
            del self.links[link.id]
            for end in (link.source, link.target):
                self._links_of[end].pop(link.id, None)

    def _forget_parent(self, ticket_id: str) -> None:
        old = self.tickets.get(ticket_id)
        if old and old.parent:
            self._children[old.parent].pop(ticket_id, None)

    def next_id(self, kind: str, first: int) -> str:
        with self.lock:
            self._counters[kind] = max(self._counters.get(kind, first - 1) + 1, first)
            return str(self._counters[kind])

    def reserve(self, kind: str, number: int) -> None:
        """Ids of that kind start after `number`: a loader has used it."""
        self._counters[kind] = max(self._counters.get(kind, 0), number)

    def next_key(self, project: Project) -> str:
        self._numbers[project.id] = self._numbers.get(project.id, 0) + 1
        return f"{project.key}-{self._numbers[project.id]}"

    def rename_keys(self, project: Project, key: str) -> None:
        """Every ticket of the project gets a key with the new prefix; the former ones still lead to it."""
        for ticket in [each for each in self.tickets.values() if each.project == project.id]:
            number = ticket.key.rpartition("-")[2]
            self.put(replace(ticket, key=f"{key}-{number}", old_keys=(*ticket.old_keys, ticket.key)))

    def tell(self, event: Event) -> None:
        for listener in self.listeners:
            listener(event)


def _by_id(things: Iterable[Named]) -> dict[str, Named]:
    return {each.id: each for each in things}


def _names(things: Iterable[Named | Sprint | Group | Filter]) -> str:
    return ", ".join(sorted(each.name for each in things)) or "none yet"
