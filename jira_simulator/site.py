"""A simulated Jira site: everything that can happen to it, as methods. The control interface calls the same ones.

Every write is seen at once by GET, by searches after the index's lag, in the ticket's own history, and by webhooks.
A ticket is named by its id, its key, a former key, or the record itself.
"""

from __future__ import annotations

import datetime as dt
import mimetypes
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from jira_simulator.faults import FaultList
from jira_simulator.model.administration import AdministeredSite
from jira_simulator.model.clock import Clock
from jira_simulator.model.issue_edit import IssueEdit, as_body
from jira_simulator.model.records import (
    Attachment,
    Body,
    Change,
    Comment,
    History,
    Link,
    LinkType,
    Personality,
    Project,
    RemoteLink,
    Switches,
    Ticket,
    User,
    Worklog,
)
from jira_simulator.model.store import Event, NotOnSite
from jira_simulator.webhook_sender import Webhooks


class Site(AdministeredSite):
    """One Jira site. `personality` is `cloud` or `dc`; `clock` is the only time there is."""

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
        """`context` is the path below which it lies (Data Center: /jira); the rest are ids of fields, which differ by site."""
        super().__init__(personality, clock, switches, context, epic_link, epic_name, sprint)
        self.faults = FaultList(self.clock)
        self.webhooks = Webhooks(self)
        self.listeners.append(self.webhooks.hear)

    # ------------------------------------------------------------ tickets

    def create(
        self, project: Project | str, summary: str, author: User | str | None = None, issuetype: str = "Task",
        key: str = "", ticket_id: str = "", **fields: Any,
    ) -> Ticket:  # fmt: skip
        """A new ticket. Fields are as for `edit`; nothing of them stands in its history, as in Jira."""
        with self.lock:
            home, now = self.project(project), self.clock.now()
            creator = self.user(author).account_id if author else None
            ticket = Ticket(
                id=ticket_id or self.next_id("ticket", 10000),
                key=key or self.next_key(home),
                project=home.id,
                summary=summary,
                created=now,
                updated=now,
                issuetype=self.named("issuetypes", issuetype).id,
                status=next(iter(self.statuses)),
                priority=self.named("priorities", "Medium").id if self.has("priorities", "Medium") else None,
                creator=creator,
                reporter=creator,
                status_changed=now,
            )
            if ticket.id in self.tickets or (key and key.upper() in self._keys):
                raise ValueError(f"There is already a ticket {key or ticket.id}.")
            edit = IssueEdit(self, ticket)
            for name, value in fields.items():
                edit.change(name, value)
            self.index.note(ticket.id, None)
            self.put(edit.ticket)
            self.tell(Event("jira:issue_created", "issue_created", edit.ticket, self._person(author)))
            return edit.ticket

    def edit(self, ticket: Ticket | str, author: User | str | None = None, **fields: Any) -> Ticket:
        """Changes fields in one edit, which is one history.

        `summary`, `description`, `environment` (text, ADF or a Body), `status`, `priority`, `resolution`, `issuetype`,
        `assignee`, `reporter`, `labels`, `components`, `fix_versions`, `versions`, `parent`, `epic`, `sprints`,
        `security`, `due`, `original_estimate`, `remaining_estimate` (seconds), and custom fields by id or in `custom={name or id: value}`.
        """
        with self.lock:
            edit = IssueEdit(self, self.find(ticket))
            for name, value in fields.items():
                edit.change(name, value)
            return self._finish(edit, author)

    def move(self, ticket: Ticket | str, project: Project | str, author: User | str | None = None) -> Ticket:
        """Moves the ticket, with its sub-tasks: a new key; the former one still leads to it."""
        with self.lock:
            old, goal = self.find(ticket), self.project(project)
            home = self.projects[old.project]
            edit = IssueEdit(self, old)
            key = self.next_key(goal)
            for name, value in (("project", goal.id), ("key", key), ("old_keys", (*old.old_keys, old.key))):
                edit.set(name, value)
            edit.set("components", ())
            edit.set("fix_versions", ())
            if self.switches.move_items == "project and key":
                edit.changes.append(Change("project", "project", home.id, home.name, goal.id, goal.name))
            edit.changes.append(Change("Key", "Key", None, old.key, None, key))
            moved = self._finish(edit, author, type_name=self.switches.move_event)
            for child in self.children_of(moved):
                if child.project != goal.id:
                    self.move(child, goal, author)
            return self.find(moved)

    def delete(self, ticket: Ticket | str, author: User | str | None = None) -> None:
        """Deletes the ticket, its comments and its sub-tasks; links to it go as well."""
        with self.lock:
            gone = self.find(ticket)
            children = self.children_of(gone)
            self.index.note(gone.id, gone)
            self.take(gone)
            self.tell(Event("jira:issue_deleted", "issue_deleted", gone, self._person(author)))
            for comment in gone.comments:
                self.tell(Event("comment_deleted", "", gone, self._person(author), comment=comment, secondary=True))
            for child in children:
                if child.id in self.tickets:  # not where tickets are each other's parents
                    self.delete(child, author)

    def restrict(self, ticket: Ticket | str, level: str | None, author: User | str | None = None) -> Ticket:
        """Only the members of that security level see the ticket; None lifts it."""
        return self.edit(ticket, author, security=level)

    # ------------------------------------------------------------ comments and what hangs on a ticket

    def comment(
        self, ticket: Ticket | str, text: str | Mapping[str, Any] | Body, author: User | str | None = None,
        internal: bool | None = None, role: str | None = None,
    ) -> Comment:  # fmt: skip
        """`internal` is a service desk's "not for customers"; `role` shows the comment to that project role only."""
        with self.lock:
            now, writer = self.clock.now(), self.user(author).account_id if author else None
            new = Comment(self.next_id("comment", 10000), writer, as_body(text), now, now, writer, role, internal)
            old = self.find(ticket)
            saved = self._save(old, replace(old, comments=(*old.comments, new), updated=now))
            self._tell_of_comment("comment_created", "issue_commented", saved, new, author)
            return new

    def edit_comment(self, comment_id: str, text: str | Mapping[str, Any] | Body, author: User | str | None = None) -> Comment:
        with self.lock:
            ticket, old = self.comment_with_id(comment_id)
            now = self.clock.now()
            new = replace(old, body=as_body(text), updated=now, updater=self.user(author).account_id if author else old.author)
            saved = self._save(ticket, replace(ticket, comments=_replaced(ticket.comments, old, new), updated=now))
            self._tell_of_comment("comment_updated", "issue_comment_edited", saved, new, author)
            return new

    def delete_comment(self, comment_id: str, author: User | str | None = None) -> None:
        with self.lock:
            ticket, old = self.comment_with_id(comment_id)
            left = replace(ticket, comments=_replaced(ticket.comments, old, None), updated=self.clock.now())
            self._tell_of_comment("comment_deleted", "issue_comment_deleted", self._save(ticket, left), old, author)

    def attach(
        self, ticket: Ticket | str, filename: str, content: bytes | None, author: User | str | None = None, mime: str = "",
        size: int | None = None,
    ) -> Attachment:  # fmt: skip
        """`content` None is a record without a file (asking for it is a 404); `size` is then what the record says."""
        with self.lock:
            kind = mime or mimetypes.guess_type(filename)[0] or "application/octet-stream"
            new = Attachment(
                self.next_id("attachment", 10000),
                filename,
                kind,
                len(content or b"") if size is None else size,
                self.clock.now(),
                self.user(author).account_id if author else None,
                content,
            )
            edit = IssueEdit(self, self.find(ticket))
            edit.set("attachments", (*edit.ticket.attachments, new))
            edit.changes.append(Change("Attachment", "attachment", None, None, new.id, filename))
            saved = self._finish(edit, author)
            self.tell(Event("attachment_created", "", saved, self._person(author), thing=new))
            return new

    def detach(self, attachment_id: str, author: User | str | None = None) -> None:
        with self.lock:
            for ticket in self.tickets.values():
                for old in ticket.attachments:
                    if old.id == attachment_id:
                        edit = IssueEdit(self, ticket)
                        edit.set("attachments", _replaced(ticket.attachments, old, None))
                        edit.changes.append(Change("Attachment", "attachment", old.id, old.filename))
                        saved = self._finish(edit, author)
                        self.tell(Event("attachment_deleted", "", saved, self._person(author), thing=old))
                        return
            raise NotOnSite(f"There is no attachment {attachment_id!r} on this site.")

    def link(
        self, source: Ticket | str, kind: str, target: Ticket | str, author: User | str | None = None, link_id: str = ""
    ) -> Link:
        """`kind` is a link type's name, or its outward or inward words: link("GWY-1", "blocks", "GWY-2")."""
        with self.lock:
            each, ends = self._link_type(kind), (self.find(source), self.find(target))
            if kind.lower() == each.inward.lower() != each.outward.lower():
                ends = ends[::-1]
            new = Link(link_id or self.next_id("link", 10000), each.id, ends[0].id, ends[1].id)
            self.put_link(new)
            for ticket, other, words in ((*ends, each.outward), (*ends[::-1], each.inward)):
                change = Change("Link", "issuelinks", None, None, other.key, f"This issue {words} {other.key}")
                self._finish(
                    IssueEdit(self, self.find(ticket), change), author, touch=self.switches.link_touches_updated, silent=True
                )
            self.tell(Event("issuelink_created", "", self.find(ends[0]), self._person(author), thing=new))
            return new

    def unlink(self, link_id: str, author: User | str | None = None) -> None:
        with self.lock:
            if link_id not in self.links:
                raise NotOnSite(f"There is no link {link_id!r} on this site.")
            old = self.links[link_id]
            self.take_link(old)
            kind, ends = self.link_types[old.type], (self.tickets.get(old.source), self.tickets.get(old.target))
            for ticket, other, words in ((*ends, kind.outward), (*ends[::-1], kind.inward)):
                if ticket and other:
                    change = Change("Link", "issuelinks", other.key, f"This issue {words} {other.key}")
                    self._finish(IssueEdit(self, ticket, change), author, touch=self.switches.link_touches_updated, silent=True)
            self.tell(Event("issuelink_deleted", "", None, self._person(author), thing=old))

    def remote_link(self, ticket: Ticket | str, url: str, title: str, relationship: str = "", summary: str = "") -> RemoteLink:
        with self.lock:
            new = RemoteLink(int(self.next_id("remote", 10000)), url, title, relationship, summary)
            edit = IssueEdit(self, self.find(ticket))
            edit.set("remote_links", (*edit.ticket.remote_links, new))
            edit.changes.append(
                Change("RemoteIssueLink", "RemoteIssueLink", None, None, str(new.id), f'This issue links to "{title}"')
            )
            self._finish(edit, None)
            return new

    def edit_remote_link(self, ticket: Ticket | str, link: RemoteLink) -> RemoteLink:
        """Puts the link in the place of the one with its id; `updated` does not move."""
        with self.lock:
            old = self.find(ticket)
            kept = tuple(link if each.id == link.id else each for each in old.remote_links)
            self.put(replace(old, remote_links=kept))
            return link

    def delete_remote_link(self, ticket: Ticket | str, link_id: int) -> None:
        with self.lock:
            old = self.find(ticket)
            self.put(replace(old, remote_links=tuple(each for each in old.remote_links if each.id != link_id)))

    def log_work(
        self, ticket: Ticket | str, seconds: int, author: User | str, text: str | Mapping[str, Any] | Body | None = "",
        started: dt.datetime | None = None,
    ) -> Worklog:  # fmt: skip
        """`started` is when the work began (now, without it). What is left of an estimate becomes that much less."""
        with self.lock:
            now = self.clock.now()
            new = Worklog(
                self.next_id("worklog", 10000), self.user(author).account_id, started or now, seconds, now, as_body(text)
            )
            edit = IssueEdit(self, self.find(ticket))
            if edit.ticket.remaining_estimate is not None:
                edit.change("remaining_estimate", max(0, edit.ticket.remaining_estimate - seconds))
            self._change_worklogs(edit, (*edit.ticket.worklogs, new))
            self._finish(edit, author)
            return new

    def edit_worklog(self, worklog_id: str, author: User | str | None = None, **fields: Any) -> Worklog:
        """Changes `seconds`, `started` or `comment` (text, ADF or a Body)."""
        with self.lock:
            ticket, old = self.worklog_with_id(worklog_id)
            if "comment" in fields:
                fields["comment"] = as_body(fields["comment"])
            writer = self.user(author).account_id if author else old.author
            new = replace(old, **fields, updated=self.clock.now(), updater=writer)
            edit = IssueEdit(self, ticket)
            self._change_worklogs(edit, _replaced(ticket.worklogs, old, new))
            self._finish(edit, author)
            return new

    def delete_worklog(self, worklog_id: str, author: User | str | None = None) -> None:
        with self.lock:
            ticket, old = self.worklog_with_id(worklog_id)
            edit = IssueEdit(self, ticket)
            edit.changes.append(Change("WorklogId", "WorklogId", old.id, old.id))
            self._change_worklogs(edit, _replaced(ticket.worklogs, old, None))
            self.deleted_worklogs.append((old.id, self.clock.now()))
            self._finish(edit, author)

    def watch(self, ticket: Ticket | str, user: User | str, watching: bool = True) -> Ticket:
        """Starts or ends watching; neither history nor `updated` tell of it."""
        return self._set_member(ticket, "watchers", user, watching)

    def vote(self, ticket: Ticket | str, user: User | str, voting: bool = True) -> Ticket:
        """Adds or takes back a vote; neither history nor `updated` tell of it."""
        return self._set_member(ticket, "voters", user, voting)

    def set_property(self, ticket: Ticket | str, name: str, value: Any = None) -> Ticket:
        """An entity property of the issue; None deletes it."""
        with self.lock:
            old = self.find(ticket)
            kept = {each: what for each, what in old.properties.items() if each != name}
            return self.put(replace(old, properties={**kept, name: value} if value is not None else kept))

    # ------------------------------------------------------------ rights

    def hide(self, thing: Project | Ticket | Comment | str) -> None:
        """Nobody sees it through the REST interface any more, though it is still there. `restore` brings it back."""
        self._set_hidden(thing, True)

    def restore(self, thing: Project | Ticket | Comment | str) -> None:
        self._set_hidden(thing, False)

    def kill_token(self, secret: str | None = None) -> None:
        """That token (or every token) is no longer believed."""
        self._set_alive(secret, False)

    def revive_token(self, secret: str | None = None) -> None:
        self._set_alive(secret, True)

    # ------------------------------------------------------------ how an edit is made

    def _finish(
        self, edit: IssueEdit, author: User | str | None, type_name: str = "", touch: bool = True, silent: bool = False
    ) -> Ticket:
        """Writes the history of the collected changes and saves; nothing changed is nothing written."""
        if not edit.changes:
            return edit.ticket
        now = self.clock.now()
        writer = self.user(author).account_id if author else None
        history = History(self.next_id("history", 10000), writer, now, tuple(edit.changes))
        old = self.tickets[edit.ticket.id]
        new = replace(edit.ticket, histories=(*old.histories, history), updated=now if touch else old.updated)
        saved = self._save(old, new)
        if not silent:
            kind = type_name or _type_name(edit.changes)
            self.tell(Event("jira:issue_updated", kind, saved, self._person(author), history))
        return saved

    @staticmethod
    def _change_worklogs(edit: IssueEdit, worklogs: tuple[Worklog, ...]) -> None:
        """Sets the work logs and writes the time spent into the history."""
        before, after = (sum(each.seconds for each in listed) for listed in (edit.ticket.worklogs, worklogs))
        old, new = (str(each) if each else None for each in (before, after))
        edit.set("worklogs", worklogs)
        edit.changes.append(Change("timespent", "timespent", old, old, new, new))

    def _set_member(self, ticket: Ticket | str, name: str, user: User | str, member: bool) -> Ticket:
        with self.lock:
            old, account = self.find(ticket), self.user(user).account_id
            others = tuple(each for each in getattr(old, name) if each != account)
            changed: dict[str, Any] = {name: (*others, account) if member else others}
            return self.put(replace(old, **changed))

    def _save(self, old: Ticket, new: Ticket) -> Ticket:
        self.index.note(old.id, old)
        return self.put(new)

    def _tell_of_comment(self, event: str, type_name: str, ticket: Ticket, comment: Comment, author: User | str | None) -> None:
        person = self._person(author)
        self.tell(Event(event, "", ticket, person, comment=comment))
        if self.personality == "dc":  # which tells of the same comment twice
            self.tell(Event("jira:issue_updated", type_name, ticket, person, comment=comment))

    def _set_hidden(self, thing: Project | Ticket | Comment | str, hidden: bool) -> None:
        with self.lock:
            if isinstance(thing, Comment):
                ticket, old = self.comment_with_id(thing.id)
                self.put(replace(ticket, comments=_replaced(ticket.comments, old, replace(old, hidden=hidden))))
            elif isinstance(thing, Project) or (
                isinstance(thing, str) and any(thing in (p.key, p.id) for p in self.projects.values())
            ):
                project = self.project(thing)
                self.projects[project.id] = replace(project, hidden=hidden)
            else:
                self.put(replace(self.find(thing), hidden=hidden))

    def _set_alive(self, secret: str | None, alive: bool) -> None:
        with self.lock:
            for each in self.tokens.values() if secret is None else (self.tokens[secret],):
                self.tokens[each.secret] = replace(each, alive=alive)

    def _link_type(self, words: str) -> LinkType:
        for kind in self.link_types.values():
            if words.lower() in (kind.name.lower(), kind.outward.lower(), kind.inward.lower()):
                return kind
        names = ", ".join(each.name for each in self.link_types.values())
        raise NotOnSite(f"There is no link type {words!r}; there are: {names}.")

    def _person(self, author: User | str | None) -> User | None:
        return self.user(author) if author else None


def _replaced(things: tuple[Any, ...], old: Any, new: Any) -> tuple[Any, ...]:
    return tuple(new if each is old else each for each in things if new is not None or each is not old)


def _type_name(changes: Iterable[Change]) -> str:
    fields = {each.field for each in changes}
    if "assignee" in fields:
        return "issue_assigned"
    return "issue_generic" if fields & {"status", "resolution"} else "issue_updated"
