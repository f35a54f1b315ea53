"""Versions of projects."""

from __future__ import annotations

from typing import Any

from jira_simulator.model.records import Named, Project
from jira_simulator.rest.errors import RestError
from jira_simulator.rest.request import NO_CONTENT, Call, Reply

MEMBERS = ("name", "description", "project", "projectId", "archived", "released", "startDate", "releaseDate", "userStartDate",
           "userReleaseDate", "overdue", "moveUnfixedIssuesTo", "expand", "id", "self", "operations", "approvers", "driver",
           "issuesStatusForFixVersion")  # fmt: skip
KEPT = {"archived": "archived", "released": "released", "releaseDate": "release_date", "startDate": "start_date"}


def of_project(call: Call) -> Any:
    """GET /project/{key}/versions: all of them."""
    return [call.payloads.project_version(each) for each in _versions(call, call.project(call.path["key"]))]


def page_of_project(call: Call) -> Any:
    """GET /project/{key}/version: page by page, by `query` and `status`."""
    found, text = call.project(call.path["key"]), (call.query.get("query") or "").lower()
    wanted = set((call.query.get("status") or "").split(",")) - {""}
    listed = [each for each in _versions(call, found) if text in each.name.lower() and (not wanted or _status(each) in wanted)]
    return call.page(listed, call.payloads.project_version, f"project/{found.key}/version")


def create(call: Call) -> Any:
    """POST /version."""
    given = call.only(*MEMBERS)
    project = call.project(given.get("projectId") or given.get("project") or "")
    call.require("ADMINISTER_PROJECTS", project)
    _check_name(call, project, given.get("name"), None)
    text = given.get("description") or ""
    made = call.site.add_named("versions", given["name"], description=text, project=project, **_kept(given))
    return Reply(201, call.payloads.project_version(made))


def one(call: Call) -> Any:
    """GET, PUT and DELETE of /version/{id}."""
    found, project = _find(call)
    if call.method == "GET":
        return call.payloads.project_version(found)
    call.require("ADMINISTER_PROJECTS", project)
    if call.method == "DELETE":
        _swap(call, found, call.query.get("moveFixIssuesTo"), call.query.get("moveAffectedIssuesTo"))
        return NO_CONTENT
    given = call.only(*MEMBERS)
    if given.get("name") is not None:
        _check_name(call, project, given["name"], found)
    new = call.site.edit_named("versions", found, given.get("name") or "", given.get("description"), **_kept(given))
    return call.payloads.project_version(new)


def remove_and_swap(call: Call) -> Any:
    """POST /version/{id}/removeAndSwap."""
    found, project = _find(call)
    call.require("ADMINISTER_PROJECTS", project)
    given = call.only("moveFixIssuesTo", "moveAffectedIssuesTo", "customFieldReplacementList")
    _swap(call, found, given.get("moveFixIssuesTo"), given.get("moveAffectedIssuesTo"))
    return NO_CONTENT


def count(call: Call) -> Any:
    """GET /version/{id}/relatedIssueCounts."""
    found, _ = _find(call)
    issues = call.visible()
    return {"self": call.payloads.url(f"version/{found.id}"), "issuesFixedCount": sum(found.id in each.fix_versions for each in issues),
            "issuesAffectedCount": sum(found.id in each.versions for each in issues), "issueCountWithCustomFieldsShowingVersion": 0,
            "customFieldUsage": []}  # fmt: skip


def unresolved(call: Call) -> Any:
    """GET /version/{id}/unresolvedIssueCount."""
    found, _ = _find(call)
    issues = [each for each in call.visible() if found.id in each.fix_versions]
    return {"self": call.payloads.url(f"version/{found.id}"), "issuesUnresolvedCount": sum(each.resolution is None for each in issues),
            "issuesCount": len(issues)}  # fmt: skip


def _swap(call: Call, found: Named, fixed_to: Any, affected_to: Any) -> None:
    """The version goes; issues that had it get the other one, if one is named."""
    for name, other in (("fix_versions", fixed_to), ("versions", affected_to)):
        if not other:
            continue
        target = call.site.versions.get(str(other))
        if target is None:
            raise call.refuse(404, "no version", other)
        for each in [each for each in call.site.tickets.values() if found.id in getattr(each, name)]:
            kept = [one for one in getattr(each, name) if one not in (found.id, target.id)]
            call.site.edit(each, call.signed_in(), **{name: [*kept, target.id]})
    call.site.remove_named("versions", found)


def _versions(call: Call, project: Project) -> list[Named]:
    return [each for each in call.site.versions.values() if each.more.get("project") == project.id]


def _find(call: Call) -> tuple[Named, Project]:
    found = call.site.versions.get(call.path["id"])
    if found is None:
        raise call.refuse(404, "no version", call.path["id"])
    return found, call.project(found.more["project"])


def _kept(given: dict[str, Any]) -> dict[str, Any]:
    return {name: given[member] for member, name in KEPT.items() if given.get(member) is not None}


def _status(each: Named) -> str:
    return "archived" if each.more.get("archived") else "released" if each.more.get("released") else "unreleased"


def _check_name(call: Call, project: Project, name: Any, own: Named | None) -> None:
    if not name:
        words = "You must specify a valid version name"
    elif any(each.name == name and each != own for each in _versions(call, project)):
        words = "A version with this name already exists in this project."
    else:
        return
    raise RestError(400, {"errorMessages": [], "errors": {"name": words}})
