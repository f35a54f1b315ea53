"""The agile interface: boards, with their backlog, issues, epics and configuration."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jira_simulator.jql.evaluate import Evaluator
from jira_simulator.jql.parse import Order, parse
from jira_simulator.model.records import Board, Ticket
from jira_simulator.model.visibility import sees_project
from jira_simulator.rest.errors import RestError, envelope
from jira_simulator.rest.request import NO_CONTENT, Call, Reply, page, split

MOST = 50  # of boards, sprints and epics on a page


def boards(call: Call) -> Any:
    """GET and POST of /board; GET by `projectKeyOrId`, `type` and `name`."""
    if call.method == "POST":
        return _create(call)
    wanted, kind, text = call.query.get("projectKeyOrId"), call.query.get("type"), (call.query.get("name") or "").lower()
    seen = {
        each.id
        for each in call.site.projects.values()
        if sees_project(call.site, call.caller, each) and wanted in (None, each.id, each.key)
    }
    found = [
        each for each in call.site.boards.values()
        if each.project in seen and (kind is None or each.kind in kind.split(",")) and text in each.name.lower()
    ]  # fmt: skip
    return agile_page(call, [call.payloads.board(each) for each in found], "values")


def board(call: Call) -> Any:
    """GET and DELETE of /board/{id}."""
    found = find_board(call)
    if call.method == "DELETE":
        call.require("ADMINISTER_PROJECTS", call.site.projects[found.project])
        call.site.remove_board(found.id)
        return NO_CONTENT
    return call.payloads.board(found)


def of_filter(call: Call) -> Any:
    """GET /board/filter/{id}: boards that show what this saved query selects."""
    wanted = call.path["filter"]
    found = [each for each in call.site.boards.values() if each.filter == wanted and sees_board(call, each)]
    return agile_page(call, [call.payloads.board(each) for each in found], "values")


def configuration(call: Call) -> Any:
    found = find_board(call)
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
        "filter": {"id": found.filter or str(found.id), "self": call.payloads.url(f"filter/{found.filter or found.id}")},
        "columnConfig": {"columns": columns, "constraintType": "none"},
        "ranking": {"rankCustomFieldId": 10019},
    }


def projects(call: Call) -> Any:
    """GET /board/{id}/project."""
    return agile_page(call, [call.payloads.project(call.site.projects[find_board(call).project])], "values")


def versions(call: Call) -> Any:
    """GET /board/{id}/version."""
    home, wanted = find_board(call).project, call.query.get("released")
    shown = [
        {**call.payloads.project_version(each), "projectId": int(home)} for each in call.site.versions.values()
        if each.more.get("project") == home and wanted in (None, str(bool(each.more.get("released"))).lower())
    ]  # fmt: skip
    return agile_page(call, shown, "values")


def issues(call: Call) -> Any:
    """GET /board/{id}/issue."""
    found = find_board(call)
    return issue_page(call, lambda ticket: ticket.project == found.project, found)


def backlog(call: Call) -> Any:
    """GET /board/{id}/backlog: what is not done and in no sprint that runs or ran."""
    found = find_board(call)
    return issue_page(call, lambda ticket: ticket.project == found.project and is_in_backlog(call, ticket), found)


def epics(call: Call) -> Any:
    """GET /board/{id}/epic, by `done`."""
    home, done = find_board(call).project, call.query.get("done")
    found = [
        each for each in call.visible()
        if each.project == home and is_epic(call, each) and done in (None, str(call.site.category(each) == "done").lower())
    ]  # fmt: skip
    return agile_page(call, [call.payloads.epic(each) for each in found], "values")


def epic_issues(call: Call) -> Any:
    """GET /board/{id}/epic/{epic}/issue and /board/{id}/epic/none/issue."""
    home, wanted = find_board(call).project, call.path.get("epic")
    return issue_page(
        call, lambda t: t.project == home and not is_epic(call, t) and (t.epic == wanted if wanted else t.epic is None)
    )


def sprint_issues(call: Call) -> Any:
    """GET /board/{id}/sprint/{sprint}/issue."""
    home, wanted = find_board(call).project, call.path["sprint"]
    return issue_page(call, lambda ticket: ticket.project == home and wanted in ticket.sprints)


def properties(call: Call) -> Any:
    find_board(call)
    return {"keys": []}


# ---------------------------------------------------------------- what the other files of the agile interface use


def find_board(call: Call) -> Board:
    """Raises a 404 for a board that is not there or not for this caller."""
    found = call.site.boards.get(int(call.path["board"]))
    if found is None or not sees_board(call, found):
        raise call.refuse(404, "no board", call.path["board"])
    return found


def sees_board(call: Call, found: Board) -> bool:
    return sees_project(call.site, call.caller, call.site.projects[found.project])


def is_epic(call: Call, ticket: Ticket) -> bool:
    return int(call.site.issuetypes[ticket.issuetype].more.get("level", 0)) > 0


def is_in_backlog(call: Call, ticket: Ticket) -> bool:
    if is_epic(call, ticket) or ticket.parent or call.site.category(ticket) == "done":
        return False
    return not any(call.site.sprints[each].state == "active" for each in ticket.sprints if each in call.site.sprints)


def issue_page(call: Call, fits: Callable[[Ticket], bool], board: Board | None = None) -> Any:
    """Issues that fit and that `jql` and the board's filter select, by rank or in the order of that query."""
    query = parse(call.query.get("jql") or "")
    evaluator = Evaluator(call.site, call.caller)
    test, order = evaluator.test(query), query.order or (Order("rank"),)
    saved = call.site.filters.get(board.filter) if board else None
    shown_on_board = evaluator.test(parse(saved.jql)) if saved else lambda ticket: True
    seen = call.site.index.seen(call.site.tickets)
    found = [each for each in seen if fits(each) and test(each) and shown_on_board(each)]
    key = evaluator.sort_key(order)
    for at in reversed(range(len(order))):
        found.sort(key=lambda each, at=at: key(each)[at], reverse=order[at].descending)  # type: ignore[misc]  # not inferred with defaults
    start, most, items = call.listed(found, MOST)
    fields, expand = split(call.many("fields"), ["*navigable"]), split(call.many("expand"), [])
    shown = [call.payloads.agile_issue(each, fields, expand) for each in items]
    return {"expand": "schema,names", "startAt": start, "maxResults": most, "total": len(found), "issues": shown}


def agile_page(call: Call, found: list[Any], name: str) -> Any:
    start, most = max(call.number("startAt", 0), 0), min(max(call.number("maxResults", MOST), 1), MOST)
    return {"maxResults": most, "startAt": start, "total": len(found), "isLast": start + most >= len(found),
            name: page(found, start, most)}  # fmt: skip


def _create(call: Call) -> Any:
    given = call.only("name", "type", "filterId", "location")
    place = given.get("location") or {}
    saved = call.site.filters.get(str(given.get("filterId")))
    if not given.get("name") or given.get("type") not in ("scrum", "kanban"):
        raise RestError(400, envelope("The board needs a name and a type, scrum or kanban."))
    reference = place.get("projectKeyOrId") or next(
        (p.key for p in call.site.projects.values() if saved and p.key in saved.jql), ""
    )
    project = call.project(reference)
    call.require("CREATE_SHARED_OBJECTS")
    return Reply(201, call.payloads.board(call.site.add_board(given["name"], project, given["type"], saved.id if saved else "")))
