"""One issue: reading, creating, editing, moving through the workflow, deleting, and its properties."""

from __future__ import annotations

from typing import Any

from jira_simulator.model.records import Named, Project, Ticket
from jira_simulator.rest.comments import add_comment
from jira_simulator.rest.errors import RestError, envelope
from jira_simulator.rest.issue_fields import FieldError, FieldReader, described, editable
from jira_simulator.rest.links import add_link
from jira_simulator.rest.request import NO_CONTENT, Call, Reply, split
from jira_simulator.rest.worklogs import add_worklog

MOST_HISTORIES = 100
MOST_AT_ONCE = 50


def ticket(call: Call) -> Any:
    """GET /issue/{key}."""
    found = call.ticket(call.path["key"])
    fields, expand = split(call.many("fields"), ["*all"]), split(call.many("expand"), [])
    shown = call.payloads.ticket(found, fields, expand, MOST_HISTORIES)
    if "names" in expand:
        shown["names"] = {each: call.site.fields[each].name for each in call.payloads.wanted_fields(fields)}
    if "transitions" in expand:
        shown["transitions"] = _transitions(call)
    if "editmeta" in expand:
        shown["editmeta"] = edit_metadata(call)
    if asked := call.query.get("properties"):
        names = asked.split(",")
        shown["properties"] = {n: v for n, v in found.properties.items() if "*all" in names or n in names}
    return shown


def create(call: Call) -> Any:
    """POST /issue."""
    return Reply(201, _created(call, call.data))


def create_many(call: Call) -> Any:
    """POST /issue/bulk: what is wrong with one does not keep the others from being made."""
    given = call.only("issueUpdates").get("issueUpdates") or []
    if not 1 <= len(given) <= MOST_AT_ONCE:
        raise call.refuse(400, "bulk", MOST_AT_ONCE)
    made, errors = [], []
    for number, each in enumerate(given):
        try:
            if not isinstance(each, dict):
                raise call.refuse(400, "payload")
            made.append(_created(call, each))
        except RestError as error:
            errors.append({"status": error.status, "elementErrors": error.body, "failedElementNumber": number})
    if not made:
        raise RestError(400, {"issues": [], "errors": errors})
    return Reply(201, {"issues": made, "errors": errors})


def edit(call: Call) -> Any:
    """PUT /issue/{key}."""
    found = call.ticket(call.path["key"])
    call.require_on(found, "EDIT_ISSUES")
    _change(call, found, call.data)
    return call.payloads.ticket(call.site.find(found), ["*all"]) if call.flag("returnIssue") else NO_CONTENT


def delete(call: Call) -> Any:
    found = call.ticket(call.path["key"])
    user = call.require_on(found, "DELETE_ISSUES")
    if call.site.children_of(found) and not call.flag("deleteSubtasks"):
        words = f"The issue '{found.key}' has subtasks.  You must specify the 'deleteSubtasks' parameter to delete this issue and all its subtasks."
        raise RestError(400, envelope(words))
    call.site.delete(found, user)
    return NO_CONTENT


def assign(call: Call) -> Any:
    """PUT /issue/{key}/assignee: null takes the assignee away, "-1" sets the default one."""
    found = call.ticket(call.path["key"])
    call.require_on(found, "ASSIGN_ISSUES")
    _change(call, found, {"fields": {"assignee": call.data}})
    return NO_CONTENT


# ---------------------------------------------------------------- workflow: from every status to every status


def transitions(call: Call) -> Any:
    """GET /issue/{key}/transitions."""
    call.ticket(call.path["key"])
    shown = _transitions(call)
    if wanted := call.query.get("transitionId"):
        shown = [each for each in shown if each["id"] == wanted]
    return {"expand": "transitions", "transitions": shown}


def transition(call: Call) -> Any:
    """POST /issue/{key}/transitions, with fields and a comment if wanted."""
    found = call.ticket(call.path["key"])
    call.require_on(found, "TRANSITION_ISSUES")
    given = call.data
    wanted = given.get("transition")
    if not isinstance(wanted, dict) or "id" not in wanted:
        raise RestError(400, envelope("Missing 'transition' identifier"))
    status = next((each for number, each in _numbered(call) if number == str(wanted["id"])), None)
    if status is None:
        raise RestError(400, envelope(f"Transition id '{wanted['id']}' is not valid for this issue."))
    _change(call, found, given, status=status.id)
    return NO_CONTENT


def _numbered(call: Call) -> list[tuple[str, Named]]:
    return [(str(11 + 10 * place), each) for place, each in enumerate(call.site.statuses.values())]


def _transitions(call: Call) -> list[dict[str, Any]]:
    shown = []
    for number, status in _numbered(call):
        each = {"id": number, "name": status.name, "to": call.payloads.status(status.id), "hasScreen": False, "isGlobal": True,
                "isInitial": False, "isConditional": False, "isAvailable": True}  # fmt: skip
        if "transitions.fields" in (call.query.get("expand") or ""):
            resolution = call.site.fields["resolution"]
            each["fields"] = {"resolution": described(call, resolution)} if status.more["category"] == "done" else {}
        shown.append(each)
    return shown


# ---------------------------------------------------------------- what can be set


def edit_metadata(call: Call) -> Any:
    """GET /issue/{key}/editmeta."""
    call.ticket(call.path["key"])
    return {"fields": {each.id: described(call, each, each.id == "summary") for each in editable(call)}}


def create_metadata(call: Call) -> Any:
    """GET /issue/createmeta, which Data Center no longer has since 9.0."""
    wanted = {each for name in ("projectKeys", "projectIds") for each in (call.query.get(name) or "").split(",") if each}
    with_fields = "projects.issuetypes.fields" in (call.query.get("expand") or "")
    names = set(call.query.getlist("issuetypeNames"))
    projects = []
    for project in call.site.projects.values():
        if call.can("CREATE_ISSUES", project) and (not wanted or wanted & {project.key, project.id}):
            kinds = [each for each in call.site.issuetypes.values() if not names or each.name in names]
            shown = [{**call.payloads.issuetype(each.id), "expand": "fields"} for each in kinds]
            if with_fields:
                shown = [{**each, "fields": _creating(call)} for each in shown]
            projects.append({**call.payloads.project(project), "issuetypes": shown})
    return {"expand": "projects", "projects": projects}


def create_types(call: Call) -> Any:
    """GET /issue/createmeta/{project}/issuetypes."""
    call.require("CREATE_ISSUES", call.project(call.path["project"]))
    return _metadata_page(call, [call.payloads.issuetype(each) for each in call.site.issuetypes], "issueTypes")


def create_fields(call: Call) -> Any:
    """GET /issue/createmeta/{project}/issuetypes/{type}."""
    call.require("CREATE_ISSUES", call.project(call.path["project"]))
    if call.path["type"] not in call.site.issuetypes:
        raise call.refuse(404, "no catalogue", "issue type", call.path["type"])
    shown = [{**each, "fieldId": name} for name, each in _creating(call).items()]
    return _metadata_page(call, shown, "fields")


def _metadata_page(call: Call, found: list[Any], cloud_name: str) -> Any:
    start, most, items = call.listed(found, 50, 200)
    shown: dict[str, Any] = {"startAt": start, "maxResults": most, "total": len(found)}
    if call.payloads.cloud:
        return {**shown, cloud_name: items}
    return {**shown, "isLast": start + most >= len(found), "values": items}


def _creating(call: Call) -> dict[str, Any]:
    fields = [call.site.fields["project"], *editable(call)]
    return {each.id: described(call, each, each.id in ("summary", "issuetype", "project")) for each in fields}


# ---------------------------------------------------------------- properties, picker, notification


def properties(call: Call) -> Any:
    found = call.ticket(call.path["key"])
    return {
        "keys": [{"self": call.payloads.url(f"issue/{found.key}/properties/{each}"), "key": each} for each in found.properties]
    }


def property_of(call: Call) -> Any:
    """GET, PUT and DELETE of /issue/{key}/properties/{name}."""
    found, name = call.ticket(call.path["key"]), call.path["name"]
    if call.method == "PUT":
        call.require_on(found, "EDIT_ISSUES")
        call.site.set_property(found, name, call.body)
        return Reply(200 if name in found.properties else 201)
    if name not in found.properties:
        raise call.refuse(404, "no property", name)
    if call.method == "DELETE":
        call.require_on(found, "EDIT_ISSUES")
        call.site.set_property(found, name)
        return NO_CONTENT
    return {"key": name, "value": found.properties[name]}


def picker(call: Call) -> Any:
    """GET /issue/picker: issues whose key or summary has that text."""
    text = (call.query.get("query") or "").lower()
    found = [each for each in call.visible() if text in each.key.lower() or text in each.summary.lower()][:20]
    shown = [
        {"id": int(each.id), "key": each.key, "keyHtml": each.key, "img": "/images/issue.svg", "summary": each.summary,
         "summaryText": each.summary}
        for each in found
    ]  # fmt: skip
    return {
        "sections": [
            {
                "label": "Current Search",
                "sub": f"Showing {len(shown)} of {len(found)} matching issues",
                "id": "cs",
                "issues": shown,
            }
        ]
    }


def notify(call: Call) -> Any:
    """POST /issue/{key}/notify: mail that nobody gets."""
    found = call.ticket(call.path["key"])
    call.require_on(found, "BROWSE_PROJECTS")
    if not (call.data.get("to")):
        raise RestError(400, envelope("No recipients were defined for notification."))
    return NO_CONTENT


# ---------------------------------------------------------------- creating and changing


def _created(call: Call, given: dict[str, Any]) -> dict[str, Any]:
    fields = dict(given.get("fields") or {})
    user, cloud = call.signed_in(), call.payloads.cloud
    project = _home(call, fields.pop("project", None))
    if project is None:
        words = "Specify a valid project ID or key" if cloud else "project is required"
        raise RestError(400, {"errorMessages": [], "errors": {"project": words}})
    call.require("CREATE_ISSUES", project)
    reader = FieldReader(call, project)
    kind = fields.pop("issuetype", None)
    if kind is None:
        reader.errors["issuetype"] = "Specify an issue type" if cloud else "issue type is required"
    else:
        reader.read({"issuetype": kind})
    reader.read({"summary": fields.pop("summary", None)})
    reader.read(fields)
    reader.update(given.get("update") or {})
    values = reader.values
    issuetype = call.site.issuetypes.get(values.get("issuetype", ""))
    if issuetype and issuetype.more.get("level", 0) < 0 and "parent" not in values and "parent" not in reader.errors:
        reader.errors["issuetype"] = "Issue type is a sub-task but parent issue key or id not specified."
    reader.check()
    made = call.site.create(project, values.pop("summary"), user, values.pop("issuetype"), **values)
    _besides(call, made, given.get("update") or {})
    _set_properties(call, made, given)
    return {"id": made.id, "key": made.key, "self": call.payloads.url(f"issue/{made.id}")}


def _home(call: Call, given: Any) -> Project | None:
    if not isinstance(given, dict) or not (given.get("id") or given.get("key")):
        return None
    try:
        return call.project(given.get("id") or given.get("key"))
    except RestError:
        return None


def _change(call: Call, found: Ticket, given: dict[str, Any], **more: Any) -> None:
    """Reads and makes one edit, and adds what `update` adds besides."""
    reader = FieldReader(call, call.site.projects[found.project], found)
    reader.read(given.get("fields") or {})
    reader.update(given.get("update") or {})
    reader.check()
    call.site.edit(found, call.signed_in(), **{**more, **reader.values})
    _besides(call, found, given.get("update") or {})
    _set_properties(call, found, given)


def _set_properties(call: Call, found: Ticket, given: dict[str, Any]) -> None:
    for each in given.get("properties") or ():
        if not isinstance(each, dict) or not isinstance(each.get("key"), str):
            raise call.refuse(400, "payload")
        call.site.set_property(found, each["key"], each.get("value"))


def _besides(call: Call, found: Ticket, update: dict[str, Any]) -> None:
    """Comments, links and work logs that came with an edit."""
    try:
        for each in _additions(call, update, "comment"):
            add_comment(call, found, each)
        for each in _additions(call, update, "worklog"):
            add_worklog(call, found, each)
    except FieldError as error:
        raise RestError(400, {"errorMessages": [], "errors": {"update": str(error)}}) from error
    for each in _additions(call, update, "issuelinks"):
        add_link(call, {"inwardIssue": {"id": found.id}, "outwardIssue": {"id": found.id}, **each})


def _additions(call: Call, update: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """What `update` adds of that kind; a 400 for anything but `{"add": {…}}`."""
    listed = update.get(name) or []
    if not isinstance(listed, list) or not all(isinstance(each, dict) and isinstance(each.get("add"), dict) for each in listed):
        raise call.refuse(400, "payload")
    return [each["add"] for each in listed]
