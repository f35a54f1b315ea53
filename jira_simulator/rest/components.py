"""Components of projects."""

from __future__ import annotations

from typing import Any

from jira_simulator.model.records import Named, Project
from jira_simulator.rest.errors import RestError
from jira_simulator.rest.request import NO_CONTENT, Call, Reply

MEMBERS = ("name", "description", "project", "projectId", "leadAccountId", "leadUserName", "lead", "assigneeType", "assignee", "id", "self",
           "isAssigneeTypeValid", "realAssignee", "realAssigneeType", "ari", "metadata")  # fmt: skip


def of_project(call: Call) -> Any:
    """GET /project/{key}/components: all of them."""
    found = call.project(call.path["key"])
    return [call.payloads.component_in_full(each) for each in _components(call, found)]


def page_of_project(call: Call) -> Any:
    """GET /project/{key}/component: page by page."""
    found, text = call.project(call.path["key"]), (call.query.get("query") or "").lower()
    listed = [each for each in _components(call, found) if text in each.name.lower()]
    return call.page(listed, call.payloads.component_in_full, f"project/{found.key}/component")


def create(call: Call) -> Any:
    """POST /component."""
    given = call.only(*MEMBERS)
    project = call.project(given.get("project") or given.get("projectId") or "")
    call.require("ADMINISTER_PROJECTS", project)
    name = given.get("name")
    if not name:
        raise _wrong("The component name specified is invalid - cannot be an empty string.")
    if any(each.name.lower() == name.lower() for each in _components(call, project)):
        raise _wrong(f"A component with the name {name} already exists in this project.")
    more = _lead(call, given)
    made = call.site.add_named("components", name, description=given.get("description") or "", project=project, **more)
    return Reply(201, call.payloads.component_in_full(made))


def one(call: Call) -> Any:
    """GET, PUT and DELETE of /component/{id}."""
    found, project = _find(call)
    if call.method == "GET":
        return call.payloads.component_in_full(found)
    call.require("ADMINISTER_PROJECTS", project)
    if call.method == "DELETE":
        call.site.remove_named("components", found)
        return NO_CONTENT
    given = call.only(*MEMBERS)
    new = call.site.edit_named("components", found, given.get("name") or "", given.get("description"), **_lead(call, given))
    return call.payloads.component_in_full(new)


def count(call: Call) -> Any:
    """GET /component/{id}/relatedIssueCounts."""
    found, _ = _find(call)
    return {"self": call.payloads.url(f"component/{found.id}/relatedIssueCounts"),
            "issueCount": sum(found.id in each.components for each in call.visible())}  # fmt: skip


def _components(call: Call, project: Project) -> list[Named]:
    return [each for each in call.site.components.values() if each.more.get("project") == project.id]


def _find(call: Call) -> tuple[Named, Project]:
    found = call.site.components.get(call.path["id"])
    if found is None:
        raise call.refuse(404, "no component", call.path["id"])
    return found, call.project(found.more["project"])


def _lead(call: Call, given: dict[str, Any]) -> dict[str, Any]:
    wanted = given.get("leadAccountId") or given.get("leadUserName")
    if not wanted:
        return {}
    found = call.person(wanted)
    if found is None:
        raise _wrong(f"The user {wanted} does not exist.")
    return {"lead": found.account_id}


def _wrong(words: str) -> RestError:
    return RestError(400, {"errorMessages": [], "errors": {"name": words}})
