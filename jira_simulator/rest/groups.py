"""Groups and their members."""

from __future__ import annotations

import html
from typing import Any

from jira_simulator.model.records import Group
from jira_simulator.rest.errors import RestError, envelope
from jira_simulator.rest.request import Call, Reply


def group(call: Call) -> Any:
    """GET /group with `expand=users`; POST makes one; DELETE deletes it."""
    if call.method == "POST":
        return _create(call)
    found = _named(call)
    if call.method == "DELETE":
        call.require("ADMINISTER")
        call.site.remove_group(found)
        return Reply(200)
    members = _members(call, found)
    shown = {**call.payloads.group(found), "expand": "users"}
    start, most, items = call.listed(members, 50, 50)
    listed = items if "users" in (call.query.get("expand") or "") else []
    shown["users"] = {
        "size": len(members),
        "items": listed,
        "max-results": most,
        "start-index": start,
        "end-index": start + len(listed),
    }
    return shown


def members(call: Call) -> Any:
    """GET /group/member."""
    return call.page(_members(call, _named(call)), lambda each: each, "group/member", 50, 50)


def bulk(call: Call) -> Any:
    """GET /group/bulk: every group, or those named."""
    call.signed_in()
    ids, names = set(call.query.getlist("groupId")), set(call.query.getlist("groupName"))
    found = [each for each in call.site.groups.values() if not (ids or names) or each.id in ids or each.name in names]
    return call.page(found, lambda each: {"name": each.name, "groupId": each.id}, "group/bulk")


def picker(call: Call) -> Any:
    """GET /groups/picker: groups with that text in their name."""
    call.signed_in()
    text = (call.query.get("query") or "").lower()
    found = [each for each in call.site.groups.values() if text in each.name.lower()]
    shown = [_picked(call, each) for each in found[: call.number("maxResults", 20)]]
    return {"header": f"Showing {len(shown)} of {len(found)} matching groups", "total": len(found), "groups": shown}


def membership(call: Call) -> Any:
    """POST and DELETE of /group/user."""
    call.require("ADMINISTER")
    found = _named(call)
    given = call.data if call.method == "POST" else {"accountId": call.query.get("accountId"), "name": call.query.get("username")}
    user = call.person(given)
    if user is None:
        raise call.refuse(404, "no user")
    if call.method == "POST":
        if user.account_id in found.members:
            raise RestError(400, envelope(f"Cannot add user '{user.name}', user is already a member of '{found.name}'"))
        call.site.edit_group(found, found.members | {user.account_id})
        return Reply(201, call.payloads.group(found))
    call.site.edit_group(found, found.members - {user.account_id})
    return Reply(200)


def _create(call: Call) -> Any:
    call.require("ADMINISTER")
    name = call.data.get("name")
    if not name:
        raise RestError(400, envelope("The group name is required."))
    if any(each.name == name for each in call.site.groups.values()):
        raise RestError(400, envelope("A group or user with this name already exists."))
    made = call.site.add_group(name)
    return Reply(201, {**call.payloads.group(made), "users": {"size": 0, "items": []}})


def _members(call: Call, found: Group) -> list[Any]:
    with_inactive = call.flag("includeInactiveUsers")
    users = [each for each in call.site.users.values() if each.account_id in found.members and (each.active or with_inactive)]
    return [call.payloads.user(each.account_id) for each in users]


def _named(call: Call) -> Group:
    call.signed_in()
    given = call.query.get("groupId") or call.query.get("groupname") or call.query.get("groupName")
    if not given:
        raise RestError(400, envelope("Group name or group id is required."))
    for each in call.site.groups.values():
        if given in (each.id, each.name):
            return each
    raise call.refuse(404, "no group here", given)


def _picked(call: Call, each: Group) -> dict[str, Any]:
    shown = {"name": each.name, "html": html.escape(each.name), "labels": []}
    return {**shown, "groupId": each.id} if call.payloads.cloud else shown
