"""Work logs: of one issue, and the feeds of what changed and what was deleted."""

from __future__ import annotations

import datetime as dt
from typing import Any

from jira_simulator.model.clock import milliseconds
from jira_simulator.model.records import Ticket, Worklog
from jira_simulator.rest.errors import RestError
from jira_simulator.rest.issue_fields import FieldError, FieldReader, seconds_of
from jira_simulator.rest.request import NO_CONTENT, Call, Reply

MOST_IN_FEED = 1000
QUIET_MILLISECONDS = 60_000  # what happened in the last minute is not yet in the feeds


def worklogs(call: Call) -> Any:
    """GET /issue/{key}/worklog, those that began in a span of time if wanted."""
    found = call.ticket(call.path["key"])
    start, most = max(call.number("startAt", 0), 0), min(call.number("maxResults", 5000), 5000)
    after, before = call.number("startedAfter", 0), call.number("startedBefore", 1 << 62)
    return call.payloads.worklogs(found, start, most, lambda each: after <= milliseconds(each.started) <= before)


def worklog(call: Call) -> Any:
    return call.payloads.worklog(*_find(call))


def create(call: Call) -> Any:
    """POST /issue/{key}/worklog."""
    found = call.ticket(call.path["key"])
    call.require_on(found, "WORK_ON_ISSUES")
    made = _checked(lambda: add_worklog(call, found, call.data))
    return Reply(201, call.payloads.worklog(call.site.find(found), made))


def edit(call: Call) -> Any:
    """PUT /issue/{key}/worklog/{id}."""
    found, old = _find(call)
    user = call.require_on(found, "EDIT_OWN_WORKLOGS" if old.author == call.caller.account else "EDIT_ALL_WORKLOGS")
    given = call.data
    new = _checked(lambda: call.site.edit_worklog(old.id, user, **_fields(call, found, given)))
    return call.payloads.worklog(call.site.find(found), new)


def delete(call: Call) -> Any:
    found, old = _find(call)
    user = call.require_on(found, "DELETE_OWN_WORKLOGS" if old.author == call.caller.account else "DELETE_ALL_WORKLOGS")
    call.site.delete_worklog(old.id, user)
    return NO_CONTENT


def updated(call: Call) -> Any:
    """GET /worklog/updated: ids of what was made or changed since then, oldest first."""
    found = [(milliseconds(log.updated or log.created), log.id) for ticket in call.visible() for log in ticket.worklogs]
    return _feed(call, "updated", found)


def deleted(call: Call) -> Any:
    """GET /worklog/deleted."""
    return _feed(call, "deleted", [(milliseconds(at), worklog_id) for worklog_id, at in call.site.deleted_worklogs])


def listed(call: Call) -> Any:
    """POST /worklog/list: work logs by id; what is not there or not for this caller is left out."""
    ids = {str(each) for each in call.only("ids").get("ids") or []}
    if len(ids) > 1000:
        raise call.refuse(400, "bulk", 1000)
    return [call.payloads.worklog(ticket, log) for ticket in call.visible() for log in ticket.worklogs if log.id in ids]


def add_worklog(call: Call, found: Ticket, given: dict[str, Any]) -> Worklog:
    """Raises FieldError for a time that is missing or not valid."""
    fields = _fields(call, found, given)
    if "seconds" not in fields:
        raise FieldError("You must indicate the time spent working.")
    before = found.remaining_estimate
    made = call.site.log_work(found, fields["seconds"], call.signed_in(), fields.get("comment"), fields.get("started"))
    match call.query.get("adjustEstimate"):
        case "new":
            call.site.edit(found, call.signed_in(), remaining_estimate=seconds_of(call.query.get("newEstimate")))
        case "leave":
            call.site.edit(found, call.signed_in(), remaining_estimate=before)
        case "manual":
            less = seconds_of(call.query.get("reduceBy"))
            call.site.edit(found, call.signed_in(), remaining_estimate=max(0, (before or 0) - less))
    return made


def _fields(call: Call, found: Ticket, given: dict[str, Any]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    if given.get("timeSpentSeconds"):
        fields["seconds"] = int(given["timeSpentSeconds"])
    elif given.get("timeSpent"):
        fields["seconds"] = seconds_of(given["timeSpent"])
    if given.get("comment"):
        fields["comment"] = FieldReader(call, call.site.projects[found.project], found).text(given["comment"])
    if given.get("started"):
        try:
            fields["started"] = dt.datetime.strptime(given["started"], "%Y-%m-%dT%H:%M:%S.%f%z").astimezone(dt.UTC)
        except (TypeError, ValueError):
            words = f'Cannot deserialize value of type `java.util.Date` from String "{given["started"]}"'
            raise FieldError(words) from None
    return fields


def _feed(call: Call, name: str, found: list[tuple[int, str]]) -> Any:
    since, until = call.number("since", 0), milliseconds(call.site.clock.now()) - QUIET_MILLISECONDS
    rows = sorted((at, int(worklog_id)) for at, worklog_id in found if since <= at <= until)
    shown = rows[:MOST_IN_FEED]
    values = [{"worklogId": worklog_id, "updatedTime": at, "properties": []} for at, worklog_id in shown]
    is_last = len(shown) == len(rows)
    last = until if is_last else shown[-1][0]
    answer = {"values": values, "since": since, "until": last, "self": call.payloads.url(f"worklog/{name}?since={since}"),
              "lastPage": is_last}  # fmt: skip
    return answer if is_last else {**answer, "nextPage": call.payloads.url(f"worklog/{name}?since={last}")}


def _checked(do: Any) -> Any:
    try:
        return do()
    except FieldError as error:
        raise RestError(400, {"errorMessages": [], "errors": {"timeLogged": str(error)}}) from error


def _find(call: Call) -> tuple[Ticket, Worklog]:
    found = call.ticket(call.path["key"])
    for each in found.worklogs:
        if each.id == call.path["worklog"]:
            return found, each
    raise call.refuse(404, "no worklog", call.path["worklog"])
