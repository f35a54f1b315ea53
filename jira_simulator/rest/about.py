"""What a site says of itself: server, caller, projects, fields, catalogues, boards and sprints."""

from __future__ import annotations

from typing import Any

from jira_simulator.model.clock import wire
from jira_simulator.model.records import Board, Project
from jira_simulator.model.store import NotOnSite
from jira_simulator.model.visibility import sees_project
from jira_simulator.rest.errors import RestError, envelope
from jira_simulator.rest.request import Call, page


def server_info(call: Call) -> Any:
    """Anonymous gets no `serverTime`: one more sign of a dead token."""
    site, zone = call.site, call.site.clock.zone
    cloud = site.personality == "cloud"
    version = [1001, 0, 0] if cloud else [9, 12, 5]
    shown: dict[str, Any] = {
        "baseUrl": call.payloads.base, "version": "1001.0.0-SNAPSHOT" if cloud else "9.12.5", "versionNumbers": version,
        "deploymentType": "Cloud" if cloud else "Server", "buildNumber": 100294 if cloud else 9120005,
        "buildDate": wire(site.clock.now().replace(month=1, day=1), zone), "scmInfo": "0" * 40, "serverTitle": site.title,
    }  # fmt: skip
    if cloud:
        shown |= {"defaultLocale": {"locale": "en_US"}, "serverTimeZone": zone}
    if call.caller.user or not cloud:
        shown["serverTime"] = wire(site.clock.now(), zone)
    return shown


def tenant_info(call: Call) -> Any:
    return {"cloudId": call.site.cloud_id}


def myself(call: Call) -> Any:
    return {**(call.payloads.user(call.caller.account) or {}), "locale": "en_US"}


def user(call: Call) -> Any:
    try:
        found = call.site.user(call.query.get("accountId") or call.query.get("username") or call.query.get("key") or "")
    except NotOnSite as error:
        raise RestError(404, envelope(str(error))) from error
    return call.payloads.user(found.account_id)


def fields(call: Call) -> Any:
    return [call.payloads.field(each) for each in call.site.fields.values()]


def statuses(call: Call) -> Any:
    return [call.payloads.status(each) for each in call.site.statuses]


def issue_types(call: Call) -> Any:
    return [call.payloads.issuetype(each) for each in call.site.issuetypes]


def priorities(call: Call) -> Any:
    return [call.payloads.priority(each) for each in call.site.priorities]


def resolutions(call: Call) -> Any:
    return [call.payloads.resolution(each) for each in call.site.resolutions]


def link_types(call: Call) -> Any:
    kinds = [
        {"id": each.id, "name": each.name, "inward": each.inward, "outward": each.outward,
         "self": call.payloads.url(f"issueLinkType/{each.id}")}
        for each in call.site.link_types.values()
    ]  # fmt: skip
    return {"issueLinkTypes": kinds}


def permissions(call: Call) -> Any:
    names = (call.query.get("permissions") or "BROWSE_PROJECTS").split(",")
    where = call.query.get("projectId") or call.query.get("projectKey")
    allowed = bool(_visible(call)) if where is None else any(where in (each.id, each.key) for each in _visible(call))
    shown = {}
    for number, name in enumerate(names):
        words = name.replace("_", " ").capitalize()
        shown[name] = {"id": str(10 + number), "key": name, "name": words, "type": "PROJECT", "description": words,
                       "havePermission": allowed if name == "BROWSE_PROJECTS" else False}  # fmt: skip
    return {"permissions": shown}


# ---------------------------------------------------------------- projects


def projects(call: Call) -> Any:
    return [call.payloads.project(each) for each in _visible(call)]


def project_search(call: Call) -> Any:
    wanted = set((call.query.get("status") or "live").split(","))
    keys = {each.upper() for each in call.query.getlist("keys")}
    found = [
        each for each in _visible(call)
        if ("archived" if each.archived else "live") in wanted and (not keys or each.key.upper() in keys)
    ]  # fmt: skip
    start, most = max(call.number("startAt", 0), 0), min(max(call.number("maxResults", 50), 1), 100)
    address = call.payloads.url("project/search")
    answer = {"self": f"{address}?maxResults={most}&startAt={start}", "maxResults": most, "startAt": start,
              "total": len(found), "isLast": start + most >= len(found)}  # fmt: skip
    if not answer["isLast"]:
        answer["nextPage"] = f"{address}?maxResults={most}&startAt={start + most}"
    return {**answer, "values": [call.payloads.project(each) for each in page(found, start, most)]}


def project(call: Call) -> Any:
    return call.payloads.project(_project(call), full=True)


def project_components(call: Call) -> Any:
    return call.payloads.project(_project(call), full=True)["components"]


def project_versions(call: Call) -> Any:
    return call.payloads.project(_project(call), full=True)["versions"]


def _visible(call: Call) -> list[Project]:
    return [each for each in call.site.projects.values() if sees_project(call.site, call.caller, each)]


def _project(call: Call) -> Project:
    key = call.path["key"]
    for each in _visible(call):
        if key.upper() in (each.id, each.key.upper(), *each.old_keys):
            return each
    raise call.refuse(404, "no project", key)


# ---------------------------------------------------------------- boards and sprints


def boards(call: Call) -> Any:
    wanted = call.query.get("projectKeyOrId")
    seen = {each.id for each in _visible(call) if wanted in (None, each.id, each.key)}
    return _agile_page(call, [_board(call, each) for each in call.site.boards.values() if each.project in seen], "values")


def board(call: Call) -> Any:
    return _board(call, _find_board(call))


def board_configuration(call: Call) -> Any:
    found = _find_board(call)
    groups: dict[str, list[Any]] = {"To Do": [], "In Progress": [], "Done": []}
    for status in call.site.statuses.values():
        name = {"new": "To Do", "done": "Done"}.get(status.more["category"], "In Progress")
        groups[name].append({"id": status.id, "self": call.payloads.url(f"status/{status.id}")})
    columns = [{"name": name, "statuses": statuses} for name, statuses in groups.items()]
    home = call.site.projects[found.project]
    place = {
        "type": "project",
        "key": home.key,
        "id": home.id,
        "self": call.payloads.url(f"project/{home.id}"),
        "name": home.name,
    }
    return {
        "id": found.id,
        "name": found.name,
        "type": found.kind,
        "self": f"{call.payloads.base}/rest/agile/1.0/board/{found.id}/configuration",
        "location": place,
        "filter": {"id": str(found.id), "self": call.payloads.url(f"filter/{found.id}")},
        "columnConfig": {"columns": columns, "constraintType": "none"},
        "ranking": {"rankCustomFieldId": 10019},
    }


def board_sprints(call: Call) -> Any:
    found = _find_board(call)
    states = set((call.query.get("state") or "future,active,closed").split(","))
    shown = [each for each in call.site.sprints.values() if each.board == found.id and each.state in states]
    return _agile_page(call, [call.payloads.sprint(each, agile=True) for each in shown], "values")


def sprint(call: Call) -> Any:
    found = call.site.sprints.get(int(call.path["sprint"]))
    if found is None or found.board not in call.site.boards or not _is_visible(call, call.site.boards[found.board]):
        raise call.refuse(404, "no sprint", call.path["sprint"])
    return call.payloads.sprint(found, agile=True)


def _board(call: Call, found: Board) -> Any:
    home = call.site.projects[found.project]
    place = {"projectId": int(home.id), "projectName": home.name, "projectKey": home.key, "name": f"{home.name} ({home.key})"}
    return {"id": found.id, "self": f"{call.payloads.base}/rest/agile/1.0/board/{found.id}", "name": found.name,
            "type": found.kind, "location": place}  # fmt: skip


def _find_board(call: Call) -> Board:
    found = call.site.boards.get(int(call.path["board"]))
    if found is None or not _is_visible(call, found):
        raise call.refuse(404, "no board", call.path["board"])
    return found


def _is_visible(call: Call, found: Board) -> bool:
    return sees_project(call.site, call.caller, call.site.projects[found.project])


def _agile_page(call: Call, found: list[Any], name: str) -> Any:
    start, most = max(call.number("startAt", 0), 0), min(max(call.number("maxResults", 50), 1), 50)
    return {"maxResults": most, "startAt": start, "total": len(found), "isLast": start + most >= len(found),
            name: page(found, start, most)}  # fmt: skip
