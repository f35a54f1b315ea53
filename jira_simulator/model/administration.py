"""Setting a site up and administering it: users, groups, projects, boards, sprints, fields, filters and their names."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from jira_simulator.model import defaults
from jira_simulator.model.records import (
    Board,
    FieldDefinition,
    Filter,
    Group,
    LinkType,
    Named,
    Project,
    SecurityLevel,
    Sprint,
    Token,
    User,
)
from jira_simulator.model.store import Event, SiteStore


class AdministeredSite(SiteStore):
    """What an administrator does."""

    # ------------------------------------------------------------ adding

    def add_user(
        self, display_name: str, email: str = "", name: str = "", account_id: str = "", zone: str = "Etc/UTC", **more: Any
    ) -> User:
        """A new user. Without an account id it gets one that depends on its name alone."""
        name = name or ".".join(display_name.lower().split())
        account_id = account_id or f"5d{sum(ord(c) * 31**n for n, c in enumerate(name)) % 16**22:022x}"
        user = User(account_id, name, display_name, email or f"{name}@example.com", more.pop("key", name), zone, **more)
        with self.lock:
            self.users[user.account_id] = user
        return user

    def add_token(self, account: User | str, secret: str, kind: str = "api", **more: Any) -> Token:
        token = Token(secret, self.user(account).account_id, kind, **more)  # type: ignore[arg-type]  # a plain str names one of the kinds
        self.tokens[secret] = token
        return token

    def add_project(self, key: str, name: str, project_id: str = "", **more: Any) -> Project:
        project = Project(project_id or self.next_id("project", 10000), key, name, **more)
        with self.lock:
            self.projects[project.id] = project
        return project

    def add_named(self, kind: str, name: str, thing_id: str = "", description: str = "", **more: Any) -> Named:
        """Adds to `statuses` (category=), `issuetypes` (level=), `components` or `versions` (project=) and the like."""
        if project := more.get("project"):
            more["project"] = self.project(project).id
        thing = Named(thing_id or self.next_id(kind, 10100), name, description, more)
        with self.lock:
            getattr(self, kind)[thing.id] = thing
        return thing

    def add_board(self, name: str, project: Project | str, kind: str = "scrum", filter_id: str = "") -> Board:
        board = Board(int(self.next_id("board", 1)), name, self.project(project).id, kind, filter_id)  # type: ignore[arg-type]  # as above
        self.boards[board.id] = board
        return board

    def add_sprint(self, name: str, board: Board | int, **more: Any) -> Sprint:
        board_id = board.id if isinstance(board, Board) else board
        sprint = Sprint(more.pop("id", None) or int(self.next_id("sprint", 1)), name, board_id, **more)
        self.sprints[sprint.id] = sprint
        return sprint

    def add_level(self, name: str, members: Iterable[User | str] = ()) -> SecurityLevel:
        level = SecurityLevel(self.next_id("level", 10000), name, frozenset(self.user(each).account_id for each in members))
        self.levels[level.id] = level
        return level

    def add_group(self, name: str, members: Iterable[User | str] = (), group_id: str = "") -> Group:
        """A group. The members of `jira-administrators` (or `site-admins`) may administer the site."""
        group_id = group_id or str(uuid.uuid5(uuid.NAMESPACE_URL, f"{self.cloud_id}/group/{name}"))
        group = Group(group_id, name, frozenset(self.user(each).account_id for each in members))
        with self.lock:
            self.groups[group.id] = group
        return group

    def add_filter(self, name: str, owner: User | str, jql: str, description: str = "", favourite: bool = False) -> Filter:
        """A saved query, shared with everybody who is signed in."""
        account = self.user(owner).account_id
        favourites = frozenset({account} if favourite else ())
        made = Filter(self.next_id("filter", 10000), name, account, jql, description, favourites)
        with self.lock:
            self.filters[made.id] = made
        return made

    def add_field(self, name: str, kind: str = "string", custom: str = "textfield", field_id: str = "", items: str = "") -> str:
        """A custom field of this site; the id comes back."""
        field_id = field_id or f"customfield_{self.next_id('field', 10100)}"
        custom = custom if ":" in custom else defaults.FIELD_TYPES + custom
        self.fields[field_id] = FieldDefinition(field_id, name, kind, items, custom)
        return field_id

    # ------------------------------------------------------------ changing: `updated` of tickets does not move

    def rename_user(self, user: User | str, display_name: str) -> User:
        with self.lock:
            new = replace(self.user(user), display_name=display_name)
            self.users[new.account_id] = new
            self.tell(Event("user_updated", user=new, thing=new))
            return new

    def remove_user(self, user: User | str) -> None:
        """The account is deleted; what it wrote has no author, or on Cloud a "Former user"."""
        with self.lock:
            old = self.user(user)
            self.users[old.account_id] = replace(old, display_name="Former user", email="", active=False)

    def rename_project(self, project: Project | str, name: str | None = None, key: str | None = None) -> Project:
        with self.lock:
            old = self.project(project)
            new = replace(old, name=name or old.name, key=key or old.key)
            if key:
                new = replace(new, old_keys=(*old.old_keys, old.key))
                self.rename_keys(old, key)
            self.projects[old.id] = new
            self.tell(Event("project_updated", thing=new))
            return new

    def rename(self, kind: str, reference: str, name: str) -> Named | Sprint:
        """Renames one of `statuses`, `issuetypes`, `components`, `versions`, `priorities`, or a sprint (`sprints`)."""
        with self.lock:
            if kind == "sprints":
                return self.edit_sprint(self.sprint(reference).id, name=name)
            new = replace(self.named(kind, reference), name=name)
            getattr(self, kind)[new.id] = new
            if kind == "versions":
                self.tell(Event("jira:version_updated", thing=new))
            return new

    def edit_sprint(self, sprint: int, **fields: Any) -> Sprint:
        """Changes `name`, `goal`, `state`, `start` or `end`; starting and closing are told to webhooks as such."""
        with self.lock:
            old = self.sprints[sprint]
            new = self.sprints[sprint] = replace(old, **fields)
            event = {("future", "active"): "sprint_started", ("active", "closed"): "sprint_closed"}.get((old.state, new.state))
            self.tell(Event(event or "sprint_updated", thing=new))
            return new

    def edit_group(self, group: Group | str, members: Iterable[User | str]) -> Group:
        """The group has these members from now on."""
        with self.lock:
            old = self.group(group)
            new = self.groups[old.id] = replace(old, members=frozenset(self.user(each).account_id for each in members))
            return new

    def remove_group(self, group: Group | str) -> None:
        with self.lock:
            del self.groups[self.group(group).id]

    def edit_filter(self, saved: Filter | str, **fields: Any) -> Filter:
        """Changes `name`, `jql`, `description`, `owner`, `shared` or `favourite_of`."""
        with self.lock:
            old = self.saved_filter(saved)
            new = self.filters[old.id] = replace(old, **fields)
            return new

    def remove_filter(self, saved: Filter | str) -> None:
        with self.lock:
            del self.filters[self.saved_filter(saved).id]

    def edit_project(self, project: Project | str, **fields: Any) -> Project:
        """Changes `description`, `lead`, `roles`, `permissions`, `properties`, `browsers`, `public` or `archived`."""
        with self.lock:
            old = self.project(project)
            new = self.projects[old.id] = replace(old, **fields)
            self.tell(Event("project_updated", thing=new))
            return new

    def remove_project(self, project: Project | str) -> None:
        """Deletes a project with its boards, sprints, components and versions; its issues have to be gone."""
        with self.lock:
            old = self.project(project)
            if any(each.project == old.id for each in self.tickets.values()):
                raise ValueError(f"The project {old.key} still has issues.")
            boards = {each.id for each in self.boards.values() if each.project == old.id}
            self.sprints = {number: each for number, each in self.sprints.items() if each.board not in boards}
            self.boards = {number: each for number, each in self.boards.items() if number not in boards}
            for things in (self.components, self.versions):
                for each in [each.id for each in things.values() if each.more.get("project") == old.id]:
                    del things[each]
            del self.projects[old.id]
            self.tell(Event("project_deleted", thing=old))

    def edit_named(self, kind: str, reference: Named | str, name: str = "", description: str | None = None, **more: Any) -> Named:
        """Changes one of `components`, `versions`, `statuses` and the like: its name, description, or what else it has."""
        with self.lock:
            old = self.named(kind, reference)
            text = old.description if description is None else description
            new = replace(old, name=name or old.name, description=text, more={**old.more, **more})
            getattr(self, kind)[new.id] = new
            if kind == "versions":
                released = new.more.get("released") and not old.more.get("released")
                self.tell(Event("jira:version_released" if released else "jira:version_updated", thing=new))
            return new

    def remove_named(self, kind: str, reference: Named | str) -> None:
        """Deletes a component or version; issues that have it lose it without a history."""
        names = {"components": ("components",), "versions": ("versions", "fix_versions")}[kind]
        with self.lock:
            old = self.named(kind, reference)
            for ticket in list(self.tickets.values()):
                kept: dict[str, Any] = {name: tuple(each for each in getattr(ticket, name) if each != old.id) for name in names}
                if any(len(value) != len(getattr(ticket, name)) for name, value in kept.items()):
                    self.put(replace(ticket, **kept))
            del getattr(self, kind)[old.id]
            if kind == "versions":
                self.tell(Event("jira:version_deleted", thing=old))

    def remove_board(self, board: int) -> None:
        """Deletes a board and the sprints that were made on it."""
        with self.lock:
            for each in [each.id for each in self.sprints.values() if each.board == board]:
                self.remove_sprint(each)
            del self.boards[board]

    def remove_sprint(self, sprint: int) -> None:
        """Deletes a sprint; its issues go back to the backlog."""
        with self.lock:
            old = self.sprints.pop(sprint)
            for ticket in list(self.tickets.values()):
                if sprint in ticket.sprints:
                    self.put(replace(ticket, sprints=tuple(each for each in ticket.sprints if each != sprint)))
            self.tell(Event("sprint_deleted", thing=old))

    def add_link_type(self, name: str, inward: str, outward: str) -> LinkType:
        kind = LinkType(self.next_id("link type", 10100), name, inward, outward)
        self.link_types[kind.id] = kind
        return kind

    def set_user_property(self, user: User | str, name: str, value: Any = None) -> None:
        """None deletes it."""
        mine = self.user_properties.setdefault(self.user(user).account_id, {})
        mine.pop(name, None)
        if value is not None:
            mine[name] = value
