"""The agile interface: sprints, epics, the backlog and ranking."""

from __future__ import annotations

import datetime as dt
from typing import Any

from jira_simulator.model.records import Sprint, Ticket
from jira_simulator.rest.boards import agile_page, find_board, is_epic, issue_page, sees_board
from jira_simulator.rest.errors import RestError, envelope
from jira_simulator.rest.request import NO_CONTENT, Call, Reply, split

MEMBERS = ("id", "self", "name", "state", "startDate", "endDate", "completeDate", "activatedDate", "originBoardId", "goal")
TIMES = {"startDate": "start", "endDate": "end", "completeDate": "complete"}
NEXT_STATES = {"future": ("future", "active"), "active": ("active", "closed"), "closed": ("closed",)}
MOST_MOVED = 50


def of_board(call: Call) -> Any:
    """GET /board/{id}/sprint."""
    found = find_board(call)
    if found.kind == "kanban":
        raise RestError(400, envelope("The board does not support sprints"))
    states = set((call.query.get("state") or "future,active,closed").split(","))
    shown = [each for each in call.site.sprints.values() if each.board == found.id and each.state in states]
    return agile_page(call, [call.payloads.sprint(each, agile=True) for each in shown], "values")


def create(call: Call) -> Any:
    """POST /sprint."""
    given = call.only(*MEMBERS)
    if not given.get("name") or given.get("originBoardId") is None:
        raise RestError(400, envelope("The sprint needs a name and an originBoardId."))
    found = call.site.boards.get(int(given["originBoardId"]))
    if found is None or not sees_board(call, found):
        raise call.refuse(404, "no board", given["originBoardId"])
    call.require("MANAGE_SPRINTS_PERMISSION", call.site.projects[found.project])
    made = call.site.add_sprint(given["name"], found, goal=given.get("goal") or "", **_times(given))
    return Reply(201, call.payloads.sprint(made, agile=True))


def sprint(call: Call) -> Any:
    """GET, PUT (everything), POST (what is given) and DELETE of /sprint/{id}."""
    found = _find(call)
    if call.method == "GET":
        return call.payloads.sprint(found, agile=True)
    call.require("MANAGE_SPRINTS_PERMISSION", call.site.projects[call.site.boards[found.board].project])
    if call.method == "DELETE":
        call.site.remove_sprint(found.id)
        return NO_CONTENT
    given = call.only(*MEMBERS)
    state = given.get("state") or found.state
    if call.method == "PUT" and not given.get("name"):
        raise RestError(400, envelope("Sprint name must be specified."))
    if state not in NEXT_STATES[found.state]:
        raise RestError(400, envelope(f"A sprint can not go from '{found.state}' to '{state}'."))
    changed = {name: given[name] for name in ("name", "goal") if given.get(name) is not None} | _times(given)
    if state == "active" and not ((changed.get("start") or found.start) and (changed.get("end") or found.end)):
        raise RestError(400, envelope("The sprint needs a startDate and an endDate to be started."))
    if state == "closed" and found.state == "active":
        changed.setdefault("complete", call.site.clock.now())
    return call.payloads.sprint(call.site.edit_sprint(found.id, state=state, **changed), agile=True)


def issues(call: Call) -> Any:
    """GET and POST (moves issues into it) of /sprint/{id}/issue."""
    found = _find(call)
    if call.method == "GET":
        return issue_page(call, lambda ticket: found.id in ticket.sprints)
    if found.state == "closed":
        raise RestError(400, envelope("Issues can only be moved to open or active sprints."))
    for each in _moved(call):
        _set_sprint(call, each, found.id)
    _rank(call)
    return NO_CONTENT


def to_backlog(call: Call) -> Any:
    """POST /backlog/issue and /backlog/{board}/issue."""
    for each in _moved(call):
        _set_sprint(call, each, None)
    _rank(call)
    return NO_CONTENT


def rank(call: Call) -> Any:
    """PUT /issue/rank."""
    _moved(call)
    if not (call.data.get("rankBeforeIssue") or call.data.get("rankAfterIssue")):
        raise RestError(400, envelope("Either rankBeforeIssue or rankAfterIssue must be given."))
    _rank(call)
    return NO_CONTENT


def issue(call: Call) -> Any:
    """GET /issue/{key} of the agile interface."""
    fields, expand = split(call.many("fields"), ["*all"]), split(call.many("expand"), [])
    return call.payloads.agile_issue(call.ticket(call.path["key"]), fields, expand)


# ---------------------------------------------------------------- epics


def epic(call: Call) -> Any:
    """GET and POST of /epic/{id or key}."""
    found = _epic(call)
    if call.method == "POST":
        user = call.require_on(found, "EDIT_ISSUES")
        given = call.only("name", "summary", "color", "done")
        changed: dict[str, Any] = {"summary": given["summary"]} if given.get("summary") else {}
        if given.get("name"):
            changed[call.site.epic_name_field] = given["name"]
        found = call.site.edit(found, user, **changed)
    return call.payloads.epic(found)


def epic_issues(call: Call) -> Any:
    """GET and POST (puts issues into it) of /epic/{id or key}/issue; `none` is no epic."""
    wanted = None if call.path["epic"] == "none" else _epic(call).id
    if call.method == "GET":
        return issue_page(call, lambda t: t.epic == wanted and not is_epic(call, t))
    for each in _moved(call):
        if is_epic(call, each):
            raise RestError(400, envelope(f"The issue '{each.key}' is an epic; it can not be put into one."))
        call.site.edit(each, call.require_on(each, "EDIT_ISSUES"), epic=wanted)
    return NO_CONTENT


def _epic(call: Call) -> Ticket:
    try:
        found = call.ticket(call.path["epic"])
    except RestError:
        raise call.refuse(404, "no epic") from None
    if not is_epic(call, found):
        raise call.refuse(404, "no epic")
    return found


# ---------------------------------------------------------------- helpers


def _find(call: Call) -> Sprint:
    found = call.site.sprints.get(int(call.path["sprint"]))
    if found is None or found.board not in call.site.boards or not sees_board(call, call.site.boards[found.board]):
        raise call.refuse(404, "no sprint", call.path["sprint"])
    return found


def _moved(call: Call) -> list[Ticket]:
    """The issues that are to be moved, all of which the caller may schedule."""
    given = call.only("issues", "rankBeforeIssue", "rankAfterIssue", "rankCustomFieldId").get("issues") or []
    if not 1 <= len(given) <= MOST_MOVED:
        raise RestError(400, envelope(f"Between 1 and {MOST_MOVED} issues can be moved at once."))
    found = [call.ticket(str(each)) for each in given]
    for each in found:
        call.require_on(each, "SCHEDULE_ISSUES")
    return found


def _set_sprint(call: Call, ticket: Ticket, sprint_id: int | None) -> None:
    """An issue is in one sprint that is not over; those that are over are kept."""
    closed = [each for each in ticket.sprints if call.site.sprints[each].state == "closed"]
    call.site.edit(ticket, call.signed_in(), sprints=[*closed, *([] if sprint_id is None else [sprint_id])])


def _rank(call: Call) -> None:
    """Puts the issues before or behind another one, in the order in which they are given."""
    before, after = call.data.get("rankBeforeIssue"), call.data.get("rankAfterIssue")
    if not (before or after):
        return
    site, moved = call.site, [call.ticket(str(each)).id for each in call.data["issues"]]
    anchor = call.ticket(str(before or after)).id
    ordered = [each.id for each in sorted(site.tickets.values(), key=site.rank) if each.id not in moved or each.id == anchor]
    at = ordered.index(anchor) + (0 if before else 1)
    ordered[at:at] = [each for each in moved if each != anchor]
    site.ranks.update({each: float(place) for place, each in enumerate(ordered)})


def _times(given: dict[str, Any]) -> dict[str, Any]:
    found = {}
    for member, name in TIMES.items():
        if given.get(member):
            try:
                moment = dt.datetime.fromisoformat(str(given[member]))
            except ValueError:
                raise RestError(400, envelope(f"The value of '{member}' is not a date.")) from None
            found[name] = moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)
    return found
