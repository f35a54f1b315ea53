"""The bodies of webhooks, as Cloud and Data Center send them: hints with less in them than one would think."""

from __future__ import annotations

from typing import Any

from jira_simulator.clock import milliseconds
from jira_simulator.holdings import Event, Holdings
from jira_simulator.records import Attachment, Link, Named, Project, Sprint, Ticket, User
from jira_simulator.shapes import Shapes
from jira_simulator.sight import Caller

SMALL = ("summary", "issuetype", "project", "assignee", "priority", "status")


def payload(site: Holdings, event: Event) -> dict[str, Any]:
    """Texts are wiki markup on both; times are in the server's zone."""
    shapes = Shapes(site, Caller(), "2")
    shown: dict[str, Any] = {"timestamp": milliseconds(site.clock.now()), "webhookEvent": event.name}
    if event.name.startswith("comment_") and event.ticket and event.comment:
        return {**shown, **_comment(shapes, event)}
    if event.type_name:
        shown["issue_event_type_name"] = event.type_name
    if event.user:
        shown["user"] = shapes.user(event.user.account_id)
    if event.name.startswith("jira:issue_") and event.ticket:
        shown["issue"] = shapes.ticket(event.ticket, ["*all"] if not shapes.cloud else ["*all", "-comment", "-worklog"])
        if event.comment:
            shown["comment"] = shapes.comment(event.ticket, event.comment)
        if event.history:
            shown["changelog"] = {"id": event.history.id, "items": [shapes.change(each) for each in event.history.changes]}
        return shown
    return {**shown, **_thing(shapes, event.thing)}


def _comment(shapes: Shapes, event: Event) -> dict[str, Any]:
    """Cloud shows six fields of the ticket and not `updated`; Data Center does not show the ticket at all."""
    ticket, comment = event.ticket, event.comment
    assert ticket is not None and comment is not None
    shown: dict[str, Any] = {"comment": shapes.comment(ticket, comment)}
    if shapes.cloud:
        small = shapes.fields(ticket, SMALL)
        return {**shown, "issue": {"id": ticket.id, "self": shapes.url(f"issue/{ticket.id}"), "key": ticket.key, "fields": small}}
    return {**({"user": shapes.user(event.user.account_id)} if event.user else {}), **shown}


def _thing(shapes: Shapes, thing: Any) -> dict[str, Any]:
    match thing:
        case Sprint():
            return {"sprint": shapes.sprint(thing, agile=True)}
        case Project():
            return {"project": shapes.project(thing)}
        case User():
            return {"user": shapes.user(thing.account_id)}
        case Attachment():
            return {"attachment": shapes.attachment(thing)}
        case Link():
            ends = {"sourceIssueId": int(thing.source), "destinationIssueId": int(thing.target)}
            kind = shapes.site.link_types[thing.type]
            words = {"id": int(kind.id), "name": kind.name, "outwardName": kind.outward, "inwardName": kind.inward}
            return {"issueLink": {"id": int(thing.id), **ends, "issueLinkType": words}}
        case Ticket():
            return {"issue": shapes.ticket(thing, ["*all"])}
        case Named():
            return {"version": shapes.project_version(thing)}
    return {}
