"""Permissions, permission schemes and security levels."""

from __future__ import annotations

from typing import Any

from jira_simulator.model.records import Project, SecurityLevel
from jira_simulator.model.visibility import GLOBAL, PROJECT_PERMISSIONS, Caller, has_permission
from jira_simulator.rest.errors import RestError, envelope
from jira_simulator.rest.request import Call

ALL = (*sorted(GLOBAL), *PROJECT_PERMISSIONS)
SCHEME = 10000  # of projects that limit nothing; others have one of their own
SECURITY_SCHEME = "10000"


def everything(call: Call) -> Any:
    """GET /permissions: what permissions there are."""
    return {"permissions": {each: _described(each) for each in ALL}}


def mine(call: Call) -> Any:
    """GET /mypermissions: of the site, or where `projectKey`, `projectId`, `issueKey` or `issueId` is given, there."""
    asked = call.query.get("permissions")
    if not asked and call.payloads.cloud:
        raise RestError(400, envelope("The 'permissions' query parameter is required."))
    names = asked.split(",") if asked else ALL
    if unknown := [each for each in names if each not in ALL]:
        raise RestError(400, envelope(f"Unrecognized permission(s): {', '.join(unknown)}"))
    project, is_known = _context(call)
    shown = {}
    for number, name in enumerate(names):
        has = is_known and has_permission(call.site, call.caller, name, project)
        shown[name] = {"id": str(10 + number), **_described(name), "havePermission": has}
    return {"permissions": shown}


def check(call: Call) -> Any:
    """POST /permissions/check: which of these projects and issues the permissions are held for."""
    given = call.data
    who = Caller(call.person(given["accountId"])) if given.get("accountId") else call.caller
    shown = []
    for asked in given.get("projectPermissions") or []:
        if not isinstance(asked, dict):
            raise call.refuse(400, "payload")
        for name in asked.get("permissions") or []:
            projects = [each for each in asked.get("projects") or [] if _holds(call, who, name, str(each))]
            issues = [each for each in asked.get("issues") or [] if _holds_for_issue(call, who, name, str(each))]
            shown.append({"permission": name, "issues": issues, "projects": projects})
    held = [each for each in given.get("globalPermissions") or [] if has_permission(call.site, who, each)]
    return {"projectPermissions": shown, "globalPermissions": held}


def permitted_projects(call: Call) -> Any:
    """POST /permissions/project: where the caller has all of these."""
    names = call.only("permissions").get("permissions") or []
    found = [p for p in call.site.projects.values() if all(has_permission(call.site, call.caller, each, p) for each in names)]
    return {"projects": [{"id": int(each.id), "key": each.key} for each in found]}


def schemes(call: Call) -> Any:
    """GET /permissionscheme: one for projects that limit nothing, and one for each of the others."""
    call.signed_in()
    limited = [each for each in call.site.projects.values() if _scheme_of(each) != SCHEME]
    return {"permissionSchemes": [_scheme(call, None), *(_scheme(call, each) for each in limited)]}


def scheme(call: Call) -> Any:
    call.signed_in()
    wanted = call.path["scheme"]
    if wanted == str(SCHEME):
        return _scheme(call, None)
    for each in call.site.projects.values():
        if wanted == str(_scheme_of(each)):
            return _scheme(call, each)
    raise RestError(404, envelope(f"The permission scheme with id '{wanted}' does not exist."))


def grants(call: Call) -> Any:
    """GET /permissionscheme/{id}/permission."""
    return {"permissions": scheme(call)["permissions"], "expand": "user,group,projectRole,field,all"}


def project_scheme(call: Call) -> Any:
    found = call.project(call.path["key"])
    call.require("ADMINISTER_PROJECTS", found)
    return _scheme(call, found if _scheme_of(found) != SCHEME else None)


# ---------------------------------------------------------------- security levels


def security_level(call: Call) -> Any:
    for each in call.site.levels.values():
        if each.id == call.path["level"]:
            return _level(call, each)
    raise call.refuse(404, "no level", call.path["level"])


def project_levels(call: Call) -> Any:
    """GET /project/{key}/securitylevel: those the caller may set."""
    call.project(call.path["key"])
    return {"levels": [_level(call, each) for each in call.site.levels.values() if call.caller.account in each.members]}


def security_schemes(call: Call) -> Any:
    call.require("ADMINISTER")
    return {"issueSecuritySchemes": [_security_scheme(call)] if call.site.levels else []}


def security_scheme(call: Call) -> Any:
    if "key" in call.path:
        call.require("ADMINISTER_PROJECTS", call.project(call.path["key"]))
    else:
        call.require("ADMINISTER")
    if not call.site.levels or call.path.get("scheme", SECURITY_SCHEME) != SECURITY_SCHEME:
        raise RestError(404, envelope("The issue security scheme does not exist."))
    return {**_security_scheme(call), "levels": [_level(call, each) for each in call.site.levels.values()]}


def _security_scheme(call: Call) -> dict[str, Any]:
    return {"self": call.payloads.url(f"issuesecurityschemes/{SECURITY_SCHEME}"), "id": int(SECURITY_SCHEME), "name": "Security",
            "description": "The security levels of this site."}  # fmt: skip


def _level(call: Call, each: SecurityLevel) -> Any:
    return call.payloads.security(each.id)


# ---------------------------------------------------------------- helpers


def _context(call: Call) -> tuple[Project | None, bool]:
    """The project that is asked about, and whether there is one for this caller."""
    try:
        if key := call.query.get("issueKey") or call.query.get("issueId"):
            return call.site.projects[call.ticket(key).project], True
        key = call.query.get("projectKey") or call.query.get("projectId")
        return (call.project(key), True) if key else (None, True)
    except RestError:
        return None, False


def _holds(call: Call, who: Caller, name: str, project: str) -> bool:
    return project in call.site.projects and has_permission(call.site, who, name, call.site.projects[project])


def _holds_for_issue(call: Call, who: Caller, name: str, issue: str) -> bool:
    found = call.site.tickets.get(issue)
    return found is not None and has_permission(call.site, who, name, call.site.projects[found.project])


def _described(name: str) -> dict[str, Any]:
    words = name.replace("_", " ").capitalize()
    return {"key": name, "name": words, "type": "GLOBAL" if name in GLOBAL else "PROJECT", "description": words}


def _scheme_of(project: Project) -> int:
    return SCHEME + int(project.id) if project.permissions or project.browsers is not None else SCHEME


def _scheme(call: Call, project: Project | None) -> dict[str, Any]:
    number = _scheme_of(project) if project else SCHEME
    name = f"{project.name}: permissions" if project else "Default Permission Scheme"
    shown = {"expand": "permissions,user,group,projectRole,field,all", "id": number, "name": name,
             "self": call.payloads.url(f"permissionscheme/{number}"), "description": name}  # fmt: skip
    limits = (
        {**project.permissions, **({} if project.browsers is None else {"BROWSE_PROJECTS": project.browsers})} if project else {}
    )
    found = []
    for place, permission in enumerate(PROJECT_PERMISSIONS):
        holders: list[dict[str, Any]] = [{"type": "applicationRole", "expand": "user"}]
        if permission in limits:
            holders = [
                {"type": "user", "parameter": each, "value": each, "expand": "user"} for each in sorted(limits[permission])
            ]
        for holder in holders:
            grant = number * 100 + place
            found.append({"id": grant, "self": call.payloads.url(f"permissionscheme/{number}/permission/{grant}"), "holder": holder,
                          "permission": permission})  # fmt: skip
    return {**shown, "permissions": found}
