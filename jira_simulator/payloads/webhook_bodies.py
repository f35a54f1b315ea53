"""The bodies of webhooks, as Cloud and Data Center send them: hints with less in them than one would think."""

from __future__ import annotations

from typing import Any

from jira_simulator.model.clock import milliseconds
from jira_simulator.model.records import Attachment, Link, Named, Project, Sprint, Ticket, User
from jira_simulator.model.store import Event, SiteStore
from jira_simulator.model.visibility import Caller
from jira_simulator.payloads.payloads import Payloads

SMALL = ("summary", "issuetype", "project", "assignee", "priority", "status")


def payload(site: SiteStore, event: Event) -> dict[str, Any]:
    """Texts are wiki markup on both; times are in the server's zone."""
    payloads = Payloads(site, Caller(), "2")
    shown: dict[str, Any] = {"timestamp": milliseconds(site.clock.now()), "webhookEvent": event.name}
    if event.name.startswith("comment_") and event.ticket and event.comment:
        return {**shown, **_comment(payloads, event)}
    if event.type_name:
        shown["issue_event_type_name"] = event.type_name
    if event.user:
        shown["user"] = payloads.user(event.user.account_id)
    if event.name.startswith("jira:issue_") and event.ticket:
        shown["issue"] = payloads.ticket(event.ticket, ["*all"] if not payloads.cloud else ["*all", "-comment", "-worklog"])
        if event.comment:
            shown["comment"] = payloads.comment(event.ticket, event.comment)
        if event.history:
            shown["changelog"] = {"id": event.history.id, "items": [payloads.change(each) for each in event.history.changes]}
        return shown
    return {**shown, **_thing(payloads, event.thing)}


def _comment(payloads: Payloads, event: Event) -> dict[str, Any]:
    """Cloud shows six fields of the ticket and not `updated`; Data Center does not show the ticket at all."""
    ticket, comment = event.ticket, event.comment
    assert ticket is not None and comment is not None
    shown: dict[str, Any] = {"comment": payloads.comment(ticket, comment)}
    if payloads.cloud:
        small = payloads.fields(ticket, SMALL)
        return {
            **shown,
            "issue": {"id": ticket.id, "self": payloads.url(f"issue/{ticket.id}"), "key": ticket.key, "fields": small},
        }
    return {**({"user": payloads.user(event.user.account_id)} if event.user else {}), **shown}


def _thing(payloads: Payloads, thing: Any) -> dict[str, Any]:
    match thing:
        case Sprint():
            return {"sprint": payloads.sprint(thing, agile=True)}
        case Project():
            return {"project": payloads.project(thing)}
        case User():
            return {"user": payloads.user(thing.account_id)}
        case Attachment():
            return {"attachment": payloads.attachment(thing)}
        case Link():
            ends = {"sourceIssueId": int(thing.source), "destinationIssueId": int(thing.target)}
            kind = payloads.site.link_types[thing.type]
            words = {"id": int(kind.id), "name": kind.name, "outwardName": kind.outward, "inwardName": kind.inward}
            return {"issueLink": {"id": int(thing.id), **ends, "issueLinkType": words}}
        case Ticket():
            return {"issue": payloads.ticket(thing, ["*all"])}
        case Named():
            return {"version": payloads.project_version(thing)}
    return {}
