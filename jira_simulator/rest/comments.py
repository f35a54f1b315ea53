"""Comments of issues."""

from __future__ import annotations

from typing import Any

from jira_simulator.model.records import Comment, Ticket
from jira_simulator.model.visibility import sees_comment, sees_ticket, visible_comments
from jira_simulator.rest.errors import RestError
from jira_simulator.rest.issue_fields import FieldError, FieldReader
from jira_simulator.rest.request import NO_CONTENT, Call, Reply, page, split

MOST_COMMENTS = 100
ORDERS = (None, "created", "-created", "+created")


def comments(call: Call) -> Any:
    """Cloud: at most a hundred at once. Data Center: all, unless it is asked for fewer."""
    found = call.ticket(call.path["key"])
    order = call.one("orderBy")
    if order not in ORDERS:
        raise call.refuse(400, "order by")
    visible = visible_comments(call.site, call.caller, found)
    if order == "-created":
        visible.reverse()
    total = call.payloads.comment_total(found)
    start = max(call.number("startAt", 0), 0)
    if call.payloads.cloud:
        most = min(max(call.number("maxResults", MOST_COMMENTS), 1), MOST_COMMENTS)
    else:
        most = call.number("maxResults", 0) or max(total, 1)
    expand = split(call.many("expand"), [])
    shown = [call.payloads.comment(found, each, expand) for each in page(visible, start, most)]
    return {"startAt": start, "maxResults": most, "total": total, "comments": shown}


def comment(call: Call) -> Any:
    found, each = _find(call)
    return call.payloads.comment(found, each, split(call.many("expand"), []))


def create(call: Call) -> Any:
    """POST /issue/{key}/comment."""
    found = call.ticket(call.path["key"])
    call.require_on(found, "ADD_COMMENTS")
    made = _checked(lambda: add_comment(call, found, call.data))
    return Reply(201, call.payloads.comment(call.site.find(found), made))


def edit(call: Call) -> Any:
    """PUT /issue/{key}/comment/{id}."""
    found, old = _find(call)
    user = _require(call, found, old, "EDIT")
    given = call.data
    body = _checked(lambda: _body(call, found, given))
    new = call.site.edit_comment(old.id, body, user)
    return call.payloads.comment(call.site.find(found), new)


def delete(call: Call) -> Any:
    found, old = _find(call)
    call.site.delete_comment(old.id, _require(call, found, old, "DELETE"))
    return NO_CONTENT


def comment_list(call: Call) -> Any:
    """POST /comment/list: comments by id, of whatever issues."""
    ids = {str(each) for each in call.one("ids") or []}
    if not 1 <= len(ids) <= 1000:
        raise call.refuse(400, "bulk", 1000)
    found: list[tuple[Ticket, Comment]] = []
    for owner in call.site.tickets.values():
        if any(each.id in ids for each in owner.comments) and sees_ticket(call.site, call.caller, owner):
            found += [
                (owner, each) for each in owner.comments if each.id in ids and sees_comment(call.site, call.caller, owner, each)
            ]
    start, most = max(call.number("startAt", 0), 0), call.number("maxResults", 1000)
    shown = [call.payloads.comment(*each) for each in page(found, start, most)]
    return {"startAt": start, "maxResults": most, "total": len(found), "isLast": start + most >= len(found), "values": shown}


def add_comment(call: Call, found: Ticket, given: dict[str, Any]) -> Comment:
    """Raises FieldError for a body or a visibility that is not valid."""
    body, role = _body(call, found, given), None
    if visibility := given.get("visibility"):
        role = visibility.get("value") or visibility.get("identifier")
        if role not in call.site.projects[found.project].roles:
            raise FieldError(f"Role: {role} does not exist.")
    internal = None
    for each in given.get("properties") or ():
        if each.get("key") == "sd.public.comment":
            internal = bool((each.get("value") or {}).get("internal"))
    return call.site.comment(found, body, call.signed_in(), internal, role)


def _body(call: Call, found: Ticket, given: dict[str, Any]) -> Any:
    if not given.get("body"):
        raise FieldError("Comment body can not be empty!")
    return FieldReader(call, call.site.projects[found.project], found).text(given["body"])


def _checked(do: Any) -> Any:
    try:
        return do()
    except FieldError as error:
        raise RestError(400, {"errorMessages": [], "errors": {"comment": str(error)}}) from error


def _find(call: Call) -> tuple[Ticket, Comment]:
    found = call.ticket(call.path["key"])
    for each in visible_comments(call.site, call.caller, found):
        if each.id == call.path["comment"]:
            return found, each
    raise call.refuse(404, "no comment", call.path["comment"])


def _require(call: Call, found: Ticket, old: Comment, verb: str) -> Any:
    return call.require_on(found, f"{verb}_OWN_COMMENTS" if old.author == call.caller.account else f"{verb}_ALL_COMMENTS")
