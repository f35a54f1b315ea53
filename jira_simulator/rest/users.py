"""Users: who one is, who there is, who can be assigned, and their properties."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import Any

from jira_simulator.model.records import Project, User
from jira_simulator.model.visibility import Caller, has_permission, sees_project, sees_ticket
from jira_simulator.rest.errors import RestError, envelope
from jira_simulator.rest.request import NO_CONTENT, Call, Reply


def myself(call: Call) -> Any:
    return _full(call, call.signed_in(), {"locale": "en_US"})


def user(call: Call) -> Any:
    """GET /user by `accountId` on Cloud; by `username` or `key` on Data Center."""
    return _full(call, _named(call), {})


def create(call: Call) -> Any:
    """POST /user."""
    call.require("ADMINISTER")
    email = call.data.get("emailAddress")
    if not email:
        raise RestError(400, {"errorMessages": [], "errors": {"email": "You must specify an email address."}})
    shown = call.data.get("displayName") or email.partition("@")[0]
    name = call.data.get("name") or email.partition("@")[0]
    return Reply(201, call.payloads.user(call.site.add_user(shown, email, name).account_id))


def delete(call: Call) -> Any:
    call.require("ADMINISTER")
    call.site.remove_user(_named(call))
    return NO_CONTENT


def search(call: Call) -> Any:
    """GET /user/search: by `query` on Cloud, by `username` on Data Center ("." finds everybody)."""
    call.signed_in()
    if call.payloads.cloud and "username" in call.query:
        raise RestError(400, envelope("The query parameter 'username' is not supported in GDPR strict mode."))
    if not any(each in call.query for each in ("query", "username", "accountId", "property")):
        raise RestError(400, envelope("The username query parameter was not provided"))
    return _shown(call, _matching(call, call.site.users.values()))


def everybody(call: Call) -> Any:
    """GET /users/search."""
    call.signed_in()
    return _shown(call, list(call.site.users.values()))


def bulk(call: Call) -> Any:
    """GET /user/bulk?accountId=…&accountId=…"""
    wanted = call.query.getlist("accountId")
    if not wanted:
        raise RestError(400, envelope("At least one accountId must be provided."))
    found = [each for each in call.site.users.values() if each.account_id in wanted]
    return call.page(found, lambda each: call.payloads.user(each.account_id), "user/bulk", 10, 200)


def assignable(call: Call) -> Any:
    """GET /user/assignable/search and /user/assignable/multiProjectSearch."""
    projects = _projects(call)
    found = [
        each for each in _matching(call, call.site.users.values())
        if each.active and all(_may_be_assigned(call, each, project) for project in projects)
    ]  # fmt: skip
    return _shown(call, found)


def viewers(call: Call) -> Any:
    """GET /user/viewissue/search: who sees an issue or a project."""
    found = _matching(call, call.site.users.values())
    if key := call.query.get("issueKey"):
        ticket = call.ticket(key)
        return _shown(call, [each for each in found if sees_ticket(call.site, Caller(each), ticket)])
    return _shown(call, [each for each in found if all(sees_project(call.site, Caller(each), one) for one in _projects(call))])


def picker(call: Call) -> Any:
    """GET /user/picker: for a box in which one types."""
    call.signed_in()
    found = _matching(call, call.site.users.values())
    _, most, users = call.listed(found)
    shown = []
    for each in users:
        name = (
            {"accountId": each.account_id, "accountType": "atlassian"}
            if call.payloads.cloud
            else {"name": each.name, "key": each.key}
        )
        shown.append({**name, "html": html.escape(each.display_name), "displayName": each.display_name})
    return {"users": shown, "total": len(found), "header": f"Showing {len(shown)} of {len(found)} matching users"}


def groups(call: Call) -> Any:
    """GET /user/groups."""
    return [call.payloads.group(each) for each in call.site.groups_of(_named(call).account_id)]


def properties(call: Call) -> Any:
    mine = call.site.user_properties.get(_named(call).account_id, {})
    return {"keys": [{"self": call.payloads.url(f"user/properties/{each}"), "key": each} for each in mine]}


def property_of(call: Call) -> Any:
    """GET, PUT and DELETE of /user/properties/{name}."""
    found, name = _named(call), call.path["name"]
    mine = call.site.user_properties.get(found.account_id, {})
    if call.method == "PUT":
        call.site.set_user_property(found, name, call.body)
        return Reply(200 if name in mine else 201)
    if name not in mine:
        raise call.refuse(404, "no property", name)
    if call.method == "DELETE":
        call.site.set_user_property(found, name)
        return NO_CONTENT
    return {"key": name, "value": mine[name]}


def _full(call: Call, found: User, more: dict[str, Any]) -> Any:
    groups = call.site.groups_of(found.account_id)
    asked = (call.query.get("expand") or "").split(",")
    shown = {**(call.payloads.user(found.account_id) or {}), **more, "expand": "groups,applicationRoles"}
    shown["groups"] = {"size": len(groups), "items": [call.payloads.group(each) for each in groups] if "groups" in asked else []}
    shown["applicationRoles"] = {"size": 1, "items": []}
    return shown


def _named(call: Call) -> User:
    names = ("accountId",) if call.payloads.cloud else ("username", "key", "userKey")
    given = next((call.query[each] for each in names if each in call.query), None)
    if given is None:
        raise RestError(400, envelope(f"The query parameter '{names[0]}' is required."))
    found = call.person(given)
    if found is None:
        words = f"The user named '{given}' does not exist"
        raise call.refuse(404, "no user") if call.payloads.cloud else RestError(404, envelope(words))
    return found


def _matching(call: Call, users: Iterable[User]) -> list[User]:
    """By the beginning of a word of the name, or of the address."""
    text = (call.query.get("query") or call.query.get("username") or "").lower()
    account = call.query.get("accountId")
    return [
        each for each in users
        if (account is None or account == each.account_id)
        and (text in ("", ".", "%") or any(part.startswith(text) for part in _words(each)))
    ]  # fmt: skip


def _words(each: User) -> list[str]:
    name = each.display_name.lower()
    return [name, *name.split(), each.email.lower(), each.name.lower()]


def _projects(call: Call) -> list[Project]:
    if key := call.query.get("issueKey"):
        return [call.site.projects[call.ticket(key).project]]
    keys = [
        each
        for each in (call.query.get("projectKeys") or call.query.get("projectKey") or call.query.get("project") or "").split(",")
        if each
    ]
    if not keys:
        raise RestError(400, envelope("Either the project or the issueKey query parameter must be provided."))
    return [call.project(each) for each in keys]


def _may_be_assigned(call: Call, each: User, project: Project) -> bool:
    return has_permission(call.site, Caller(each), "ASSIGNABLE_USER", project)


def _shown(call: Call, found: list[User]) -> Any:
    return [call.payloads.user(each.account_id) for each in call.listed(found)[2]]
