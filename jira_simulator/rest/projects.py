"""Projects, with their roles, statuses and properties."""

from __future__ import annotations

import re
from typing import Any

from jira_simulator.model.records import Project
from jira_simulator.model.visibility import sees_project
from jira_simulator.rest.errors import RestError, envelope
from jira_simulator.rest.request import NO_CONTENT, Call, Reply, page

KEY = re.compile(r"[A-Z][A-Z0-9_]{1,9}")
MEMBERS = ("key", "name", "description", "lead", "leadAccountId", "projectTypeKey", "projectTemplateKey", "url", "assigneeType",
           "avatarId", "categoryId", "permissionScheme", "issueSecurityScheme", "notificationScheme", "workflowScheme",
           "issueTypeScheme", "issueTypeScreenScheme", "fieldConfigurationScheme")  # fmt: skip
FIRST_ROLE = 10002


def projects(call: Call) -> Any:
    """GET and POST of /project."""
    if call.method == "POST":
        return _create(call)
    recent = call.number("recent", 0)
    shown = [call.payloads.project(each) for each in visible(call)]
    return shown[:recent] if recent else shown


def search(call: Call) -> Any:
    """GET /project/search."""
    wanted = set((call.query.get("status") or "live").split(","))
    keys = {each.upper() for each in call.query.getlist("keys")}
    ids, text = set(call.query.getlist("id")), (call.query.get("query") or "").lower()
    found = [
        each for each in visible(call)
        if ("archived" if each.archived else "live") in wanted and (not keys or each.key.upper() in keys)
        and (not ids or each.id in ids) and (text in each.key.lower() or text in each.name.lower())
    ]  # fmt: skip
    start, most = max(call.number("startAt", 0), 0), min(max(call.number("maxResults", 50), 1), 100)
    address = call.payloads.url("project/search")
    answer = {"self": f"{address}?maxResults={most}&startAt={start}", "maxResults": most, "startAt": start,
              "total": len(found), "isLast": start + most >= len(found)}  # fmt: skip
    if not answer["isLast"]:
        answer["nextPage"] = f"{address}?maxResults={most}&startAt={start + most}"
    return {**answer, "values": [call.payloads.project(each) for each in page(found, start, most)]}


def project(call: Call) -> Any:
    """GET, PUT and DELETE of /project/{key}."""
    found = call.project(call.path["key"])
    if call.method == "GET":
        return call.payloads.project(found, full=True)
    if call.method == "DELETE":
        call.require("ADMINISTER")
        for each in [each for each in call.site.tickets.values() if each.project == found.id]:
            if each.id in call.site.tickets:  # not deleted with its parent
                call.site.delete(each, call.signed_in())
        call.site.remove_project(found)
        return NO_CONTENT
    call.require("ADMINISTER_PROJECTS", found)
    given = call.only(*MEMBERS)
    if given.get("key") or given.get("name"):
        call.site.rename_project(found, given.get("name"), _checked_key(call, given["key"], found) if given.get("key") else None)
    changed: dict[str, Any] = {"description": given["description"]} if "description" in given else {}
    if lead := _lead(call, given):
        changed["lead"] = lead
    return call.payloads.project(call.site.edit_project(found, **changed), full=True)


def types(call: Call) -> Any:
    """GET /project/type and /project/type/{key}."""
    found = [{"key": key, "formattedKey": key.capitalize(), "descriptionI18nKey": f"jira.project.type.{key}.description"}
             for key in ("software", "business", "service_desk")]  # fmt: skip
    if "type" not in call.path:
        return found
    for each in found:
        if each["key"] == call.path["type"]:
            return each
    raise call.refuse(404, "no catalogue", "project type", call.path["type"])


def validate_key(call: Call) -> Any:
    """GET /projectvalidate/key."""
    try:
        _checked_key(call, call.query.get("key") or "", None)
    except RestError as error:
        return error.body
    return {"errorMessages": [], "errors": {}}


def archive(call: Call) -> Any:
    """POST and PUT of /project/{key}/archive and /restore."""
    call.require("ADMINISTER")
    call.site.edit_project(call.project(call.path["key"]), archived=call.url_path.endswith("archive"))
    return NO_CONTENT


def statuses(call: Call) -> Any:
    """GET /project/{key}/statuses: for every issue type, all of them."""
    call.project(call.path["key"])
    listed = [call.payloads.status(each) for each in call.site.statuses]
    kinds = [call.payloads.issuetype(each) for each in call.site.issuetypes]
    return [
        {"self": each["self"], "id": each["id"], "name": each["name"], "subtask": each["subtask"], "statuses": listed}
        for each in kinds
    ]


def avatars(call: Call) -> Any:
    call.project(call.path["key"])
    return {"system": [], "custom": []}


def none(call: Call) -> Any:
    """What a site may have and this one has not: categories of projects."""
    call.signed_in()
    return []


# ---------------------------------------------------------------- roles


def site_roles(call: Call) -> Any:
    """GET /role."""
    return [_role(call, name, None) for name in _names(call)]


def site_role(call: Call) -> Any:
    return _role(call, _role_name(call), None)


def roles(call: Call) -> Any:
    """GET /project/{key}/role: names and addresses."""
    found = call.project(call.path["key"])
    return {name: call.payloads.url(f"project/{found.id}/role/{_role_id(call, name)}") for name in found.roles}


def role_details(call: Call) -> Any:
    found = call.project(call.path["key"])
    return [_role(call, name, found) for name in found.roles]


def role(call: Call) -> Any:
    """GET, POST (adds), PUT (sets) and DELETE (takes away) of who has a role in a project."""
    found, name = call.project(call.path["key"]), _role_name(call)
    if call.method == "GET":
        return _role(call, name, found)
    call.require("ADMINISTER_PROJECTS", found)
    members = found.roles.get(name, frozenset())
    if call.method == "POST":
        members |= _people(call, call.data.get("user"))
    elif call.method == "PUT":
        actors = call.data.get("categorisedActors")
        members = _people(call, actors.get("atlassian-user-role-actor") if isinstance(actors, dict) else None)
    else:
        members -= _people(call, [call.query.get("user") or ""])
    saved = call.site.edit_project(found, roles={**found.roles, name: members})
    return NO_CONTENT if call.method == "DELETE" else _role(call, name, saved)


def _people(call: Call, given: Any) -> frozenset[str]:
    found = [call.person(each) for each in given] if isinstance(given, list) else []
    if not found or None in found:
        raise call.refuse(404, "no user")
    return frozenset(each.account_id for each in found if each)


def _names(call: Call) -> list[str]:
    return list(dict.fromkeys(name for each in call.site.projects.values() for name in each.roles))


def _role_id(call: Call, name: str) -> int:
    return FIRST_ROLE + _names(call).index(name)


def _role_name(call: Call) -> str:
    for place, name in enumerate(_names(call)):
        if call.path["role"] in (str(FIRST_ROLE + place), name):
            return name
    raise call.refuse(404, "no role", call.path["role"])


def _role(call: Call, name: str, found: Project | None) -> Any:
    number = _role_id(call, name)
    path = f"project/{found.id}/role/{number}" if found else f"role/{number}"
    shown: dict[str, Any] = {"self": call.payloads.url(path), "name": name, "id": number, "description": ""}
    if found is None:
        return {**shown, "actors": []}
    return {**shown, "actors": [_actor(call, each) for each in sorted(found.roles.get(name, ()))]}


def _actor(call: Call, account: str) -> dict[str, Any]:
    user = call.site.users[account]
    shown: dict[str, Any] = {"id": 10000 + list(call.site.users).index(account), "displayName": user.display_name,
                             "type": "atlassian-user-role-actor"}  # fmt: skip
    return {**shown, "actorUser": {"accountId": account}} if call.payloads.cloud else {**shown, "name": user.name}


# ---------------------------------------------------------------- properties


def properties(call: Call) -> Any:
    found = call.project(call.path["key"])
    return {
        "keys": [{"self": call.payloads.url(f"project/{found.key}/properties/{each}"), "key": each} for each in found.properties]
    }


def property_of(call: Call) -> Any:
    """GET, PUT and DELETE of /project/{key}/properties/{name}."""
    found, name = call.project(call.path["key"]), call.path["name"]
    others = {each: value for each, value in found.properties.items() if each != name}
    if call.method == "PUT":
        call.require("ADMINISTER_PROJECTS", found)
        call.site.edit_project(found, properties={**others, name: call.body})
        return Reply(200 if name in found.properties else 201)
    if name not in found.properties:
        raise call.refuse(404, "no property", name)
    if call.method == "DELETE":
        call.require("ADMINISTER_PROJECTS", found)
        call.site.edit_project(found, properties=others)
        return NO_CONTENT
    return {"key": name, "value": found.properties[name]}


# ---------------------------------------------------------------- helpers


def visible(call: Call) -> list[Project]:
    """The projects that the caller sees."""
    return [each for each in call.site.projects.values() if sees_project(call.site, call.caller, each)]


def _create(call: Call) -> Any:
    user = call.require("ADMINISTER")
    given = call.only(*MEMBERS)
    if not given.get("name"):
        raise RestError(400, {"errorMessages": [], "errors": {"projectName": "You must specify a valid project name."}})
    key = _checked_key(call, given.get("key") or "", None)
    lead = _lead(call, given) or user.account_id
    kind = given.get("projectTypeKey") or "software"
    made = call.site.add_project(key, given["name"], description=given.get("description") or "", lead=lead, type_key=kind)
    return Reply(201, {"self": call.payloads.url(f"project/{made.id}"), "id": int(made.id), "key": made.key})


def _checked_key(call: Call, key: str, own: Project | None) -> str:
    if not KEY.fullmatch(key):
        words = "Project keys must start with an uppercase letter, followed by one or more uppercase alphanumeric characters."
        raise RestError(400, {"errorMessages": [], "errors": {"projectKey": words}})
    for each in call.site.projects.values():
        if each != own and key in (each.key, *each.old_keys):
            raise RestError(400, {"errorMessages": [], "errors": {"projectKey": f"Project '{each.name}' uses this project key."}})
    return key


def _lead(call: Call, given: dict[str, Any]) -> str | None:
    wanted = given.get("leadAccountId") or given.get("lead")
    if not wanted:
        return None
    found = call.person(wanted)
    if found is None:
        raise RestError(400, envelope("You must specify a valid project lead."))
    return found.account_id
