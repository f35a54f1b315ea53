"""Issues and what hangs on them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any
from urllib.parse import quote

from jira_simulator.model.records import (
    Attachment,
    Change,
    Comment,
    History,
    Link,
    RemoteLink,
    Ticket,
    Worklog,
)
from jira_simulator.model.visibility import visible_comments
from jira_simulator.payloads.base import Json
from jira_simulator.payloads.projects import NOT_NAVIGABLE, ProjectPayloads

CLOUD_EXPAND = "operations,versionedRepresentations,editmeta,changelog,renderedFields"
DC_EXPAND = "operations,versionedRepresentations,editmeta,changelog,renderedFields"
COMMENTS_IN_TICKET = 100
WORKLOGS_IN_TICKET = 20
PEOPLE = ("assignee", "reporter", "creator")


class IssuePayloads(ProjectPayloads):
    """Issues, comments, attachments, links, work logs and histories."""

    def comment(self, ticket: Ticket, comment: Comment, expand: Collection[str] = ()) -> Json:
        shown: Json = {"self": self.url(f"issue/{ticket.id}/comment/{comment.id}"), "id": comment.id}
        if comment.author:
            shown["author"] = self.user(comment.author)
        if comment.body is not None:
            shown["body"] = self.body(comment.body)
        if "renderedBody" in expand:
            shown["renderedBody"] = self.rendered(comment.body)
        if comment.updater or comment.author:
            shown["updateAuthor"] = self.user(comment.updater or comment.author)
        shown |= {"created": self.time(comment.created), "updated": self.time(comment.updated)}
        if comment.role:
            shown["visibility"] = {"type": "role", "value": comment.role, **({"identifier": comment.role} if self.cloud else {})}
        if self.cloud or comment.internal is not None:
            shown["jsdPublic"] = not comment.internal
        if "properties" in expand and self.site.projects[ticket.project].type_key == "service_desk":
            shown["properties"] = [{"key": "sd.public.comment", "value": {"internal": bool(comment.internal)}}]
        return shown

    def comment_total(self, ticket: Ticket) -> int:
        """Hidden comments are counted on most sites, so the total may stay above what can be read."""
        shown = len(visible_comments(self.site, self.caller, ticket))
        return shown + sum(each.hidden for each in ticket.comments) * self.site.switches.hidden_comments_counted

    def attachment(self, attachment: Attachment) -> Json:
        place = quote(attachment.filename)
        content = (
            self.url(f"attachment/content/{attachment.id}")
            if self.cloud
            else f"{self.base}/secure/attachment/{attachment.id}/{place}"
        )
        shown: Json = {"self": self.url(f"attachment/{attachment.id}"), "id": attachment.id, "filename": attachment.filename}
        if attachment.author:
            shown["author"] = self.user(attachment.author)
        return {**shown, "created": self.time(attachment.created), "size": attachment.size, "mimeType": attachment.mime,
                "content": content}  # fmt: skip

    def link(self, ticket: Ticket, link: Link) -> Json | None:
        """From this ticket's side: one of `inwardIssue` and `outwardIssue`, never both. Unseen targets stay dangling."""
        kind = self.site.link_types[link.type]
        shown: Json = {"id": link.id, "self": self.url(f"issueLink/{link.id}"),
                       "type": self.link_type(kind)}  # fmt: skip
        is_source = link.source == ticket.id
        other = link.target if is_source else link.source
        target = self.tiny(self.site.tickets[other]) if other in self.site.tickets else self.site.outside.get(other)
        return {**shown, "outwardIssue" if is_source else "inwardIssue": target} if target else None

    def tiny(self, ticket: Ticket) -> Json:
        """A ticket as it stands in another one: as link, parent or sub-task."""
        fields: Json = {
            "summary": ticket.summary,
            "status": self.status(ticket.status),
            "issuetype": self.issuetype(ticket.issuetype),
        }
        if ticket.priority:
            fields["priority"] = self.priority(ticket.priority)
        return {"id": ticket.id, "key": ticket.key, "self": self.url(f"issue/{ticket.id}"), "fields": fields}

    def remote_link(self, ticket: Ticket, link: RemoteLink) -> Json:
        thing = {"url": link.url, "title": link.title, **({"summary": link.summary} if link.summary else {}), **link.more}
        shown: Json = {
            "id": link.id,
            "self": self.url(f"issue/{ticket.key}/remotelink/{link.id}"),
            "application": dict(link.application),
            "object": thing,
        }
        if link.global_id:
            shown["globalId"] = link.global_id
        return {**shown, "relationship": link.relationship} if link.relationship else shown

    def worklog(self, ticket: Ticket, worklog: Worklog) -> Json:
        shown: Json = {"self": self.url(f"issue/{ticket.id}/worklog/{worklog.id}"), "id": worklog.id, "issueId": ticket.id}
        if worklog.author:
            shown |= {"author": self.user(worklog.author), "updateAuthor": self.user(worklog.updater or worklog.author)}
        if worklog.comment:
            shown["comment"] = self.body(worklog.comment)
        times = {"created": worklog.created, "updated": worklog.updated or worklog.created, "started": worklog.started}
        return {
            **shown,
            **{name: self.time(each) for name, each in times.items()},
            "timeSpent": _period(worklog.seconds),
            "timeSpentSeconds": worklog.seconds,
        }

    def history(self, history: History) -> Json:
        shown: Json = {"id": history.id}
        if history.author:
            shown["author"] = self.user(history.author)
        return {**shown, "created": self.time(history.created), "items": [self.change(each) for each in history.changes]}

    def change(self, change: Change) -> Json:
        old, new = (self._changed(change, each) for each in (change.old, change.new))
        if change.field_id == "description" and self.cloud and self.site.switches.description_versions:
            new = {"id": f"ari:cloud:jira:{self.site.cloud_id}:issuefieldvalue/description", "version": "1"}
        shown: Json = {"field": change.field, "fieldtype": change.kind}
        if self.cloud:
            shown["fieldId"] = change.field_id
        return {**shown, "from": old, "fromString": change.old_text, "to": new, "toString": change.new_text}

    def _changed(self, change: Change, value: Any) -> Any:
        if value is not None and change.field_id in PEOPLE and not self.cloud:
            return self.site.users[value].key or self.site.users[value].name
        return value

    def changelog(self, ticket: Ticket, most: int | None) -> Json:
        """Cloud: newest first and cut off. Data Center: oldest first and whole."""
        total = len(ticket.histories)
        shown = list(reversed(ticket.histories))[:most] if self.cloud else list(ticket.histories)
        return {"startAt": 0, "maxResults": len(shown), "total": total, "histories": [self.history(each) for each in shown]}

    def ticket(
        self, ticket: Ticket, fields: Collection[str], expand: Collection[str] = (), most_histories: int | None = None
    ) -> Json:
        """`fields` as asked: ids, `*all`, `*navigable`, and `-id` to leave one out. Only `id`: nothing but that."""
        wanted = self.wanted_fields(fields)
        if self.cloud and set(fields) == {"id"}:
            return {"id": ticket.id}
        shown: Json = {"expand": CLOUD_EXPAND if self.cloud else DC_EXPAND, "id": ticket.id,
                       "self": self.url(f"issue/{ticket.id}"), "key": ticket.key}  # fmt: skip
        if wanted:
            shown["fields"] = self.fields(ticket, wanted)
        if "changelog" in expand:
            shown["changelog"] = self.changelog(ticket, most_histories)
        if "renderedFields" in expand:
            shown["renderedFields"] = {
                name: self.rendered(getattr(ticket, name)) for name in ("description", "environment") if name in wanted
            }
        return shown

    def wanted_fields(self, fields: Iterable[str]) -> list[str]:
        found: dict[str, None] = {}
        for name in fields:
            name = name.strip()
            if name == "*all":
                found |= dict.fromkeys(self.site.fields)
            elif name == "*navigable":
                found |= dict.fromkeys(each for each in self.site.fields if each not in NOT_NAVIGABLE)
            elif name.startswith("-"):
                found.pop(name[1:], None)
            elif name in self.site.fields:
                found[name] = None
        return list(found)

    def fields(self, ticket: Ticket, wanted: Iterable[str]) -> Json:
        shown = {}
        for name in wanted:
            if reader := READERS.get(name):
                shown[name] = reader(self, ticket)
            elif name in (self.site.epic_field, self.site.sprint_field):
                shown[name] = self._agile_field(ticket, name)
            else:
                shown[name] = ticket.custom.get(name)
        if shown.get("parent", ...) is None:  # Jira leaves it out where there is none
            del shown["parent"]
        return shown

    def _agile_field(self, ticket: Ticket, name: str) -> Any:
        if name == self.site.sprint_field:
            return [self.sprint(self.site.sprints[each]) for each in ticket.sprints] or None
        epic = self.site.tickets.get(ticket.epic or "")
        return epic.key if epic and (not self.cloud or self.site.switches.epic_link_shown) else None

    def parent(self, ticket: Ticket) -> Json | None:
        owner = ticket.parent or (ticket.epic if self.cloud and self.site.switches.cloud_parent_is_epic else None)
        return self.tiny(self.site.tickets[owner]) if owner in self.site.tickets else None

    def comments(self, ticket: Ticket) -> Json:
        """Inside a ticket: on Cloud the newest hundred."""
        visible = visible_comments(self.site, self.caller, ticket)
        total = self.comment_total(ticket)
        shown = visible[-COMMENTS_IN_TICKET:] if self.cloud else visible
        most = COMMENTS_IN_TICKET if self.cloud else total
        return {"comments": [self.comment(ticket, each) for each in shown], "self": self.url(f"issue/{ticket.id}/comment"),
                "maxResults": most, "total": total, "startAt": 0}  # fmt: skip

    def worklogs(
        self, ticket: Ticket, start: int = 0, most: int = WORKLOGS_IN_TICKET, fits: Callable[[Worklog], bool] = lambda log: True
    ) -> Json:
        found = [each for each in ticket.worklogs if fits(each)]
        shown = found[start : start + most]
        return {
            "startAt": start,
            "maxResults": most,
            "total": len(found),
            "worklogs": [self.worklog(ticket, each) for each in shown],
        }

    def watches(self, ticket: Ticket) -> Json:
        return {"self": self.url(f"issue/{ticket.key}/watchers"), "watchCount": len(ticket.watchers),
                "isWatching": self.caller.account in ticket.watchers}  # fmt: skip

    def votes(self, ticket: Ticket) -> Json:
        return {"self": self.url(f"issue/{ticket.key}/votes"), "votes": len(ticket.voters),
                "hasVoted": self.caller.account in ticket.voters}  # fmt: skip

    def time_tracking(self, ticket: Ticket) -> Json:
        seconds = {"originalEstimate": ticket.original_estimate, "remainingEstimate": ticket.remaining_estimate,
                   "timeSpent": sum(each.seconds for each in ticket.worklogs) or None}  # fmt: skip
        known = {name: each for name, each in seconds.items() if each is not None}
        return {name: _period(each) for name, each in known.items()} | {f"{name}Seconds": each for name, each in known.items()}


def _versions(payloads: IssuePayloads, ids: Iterable[str]) -> list[Json]:
    return [payloads.project_version(payloads.site.versions[each]) for each in ids]


def _period(seconds: int) -> str:
    """Work as Jira writes it, in days of eight hours and weeks of five days: 1w 2d 3h 4m."""
    minutes = seconds // 60
    parts = []
    for unit, size in (("w", 2400), ("d", 480), ("h", 60), ("m", 1)):
        count, minutes = divmod(minutes, size)
        if count:
            parts.append(f"{count}{unit}")
    return " ".join(parts) or "0m"


READERS: Mapping[str, Callable[[IssuePayloads, Ticket], Any]] = {
    "summary": lambda s, t: t.summary,
    "issuetype": lambda s, t: s.issuetype(t.issuetype),
    "project": lambda s, t: s.project(s.site.projects[t.project]),
    "status": lambda s, t: s.status(t.status),
    "statusCategory": lambda s, t: s.category(s.site.category(t)),
    "statuscategorychangedate": lambda s, t: s.time(t.status_changed),
    "priority": lambda s, t: s.priority(t.priority),
    "resolution": lambda s, t: s.resolution(t.resolution),
    "resolutiondate": lambda s, t: s.time(t.resolved),
    "created": lambda s, t: s.time(t.created),
    "updated": lambda s, t: s.time(t.updated),
    "duedate": lambda s, t: t.due,
    "description": lambda s, t: s.body(t.description),
    "environment": lambda s, t: s.body(t.environment),
    "creator": lambda s, t: s.user(t.creator),
    "reporter": lambda s, t: s.user(t.reporter),
    "assignee": lambda s, t: s.user(t.assignee),
    "labels": lambda s, t: list(t.labels),
    "components": lambda s, t: [s.component(s.site.components[each]) for each in t.components],
    "fixVersions": lambda s, t: _versions(s, t.fix_versions),
    "versions": lambda s, t: _versions(s, t.versions),
    "parent": IssuePayloads.parent,
    "subtasks": lambda s, t: [s.tiny(each) for each in s.site.children_of(t)],
    "issuelinks": lambda s, t: [shown for each in s.site.links_of(t) if (shown := s.link(t, each))],
    "attachment": lambda s, t: [s.attachment(each) for each in t.attachments],
    "comment": IssuePayloads.comments,
    "worklog": IssuePayloads.worklogs,
    "security": lambda s, t: s.security(t.security),
    "watches": lambda s, t: s.watches(t),
    "votes": lambda s, t: s.votes(t),
    "timetracking": lambda s, t: s.time_tracking(t),
    "timeoriginalestimate": lambda s, t: t.original_estimate,
    "timeestimate": lambda s, t: t.remaining_estimate,
    "timespent": lambda s, t: sum(each.seconds for each in t.worklogs) or None,
    "workratio": lambda s, t: -1,
}
