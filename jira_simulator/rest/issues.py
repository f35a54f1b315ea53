"""One ticket and what hangs on it: comments, changelog, links, worklogs, attachments."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote, urlsplit

from starlette.responses import RedirectResponse, Response

from jira_simulator.model.clock import milliseconds
from jira_simulator.model.records import Attachment, Comment, Ticket
from jira_simulator.model.visibility import sees_comment, sees_ticket, visible_comments
from jira_simulator.rest.errors import RestError, envelope
from jira_simulator.rest.request import Call, page, split

MOST_COMMENTS = 100
MOST_HISTORIES = 100


def ticket(call: Call) -> Any:
    found = call.ticket(call.path["key"])
    fields, expand = split(call.many("fields"), ["*all"]), split(call.many("expand"), [])
    shown = call.payloads.ticket(found, fields, expand, MOST_HISTORIES)
    if "names" in expand:
        shown["names"] = {each: call.site.fields[each].name for each in call.payloads.wanted_fields(fields)}
    return shown


def comments(call: Call) -> Any:
    """Cloud: at most a hundred at once. Data Center: all, unless it is asked for fewer."""
    found = call.ticket(call.path["key"])
    order = call.one("orderBy")
    if order not in (None, "created", "-created", "+created"):
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
    rendered = "renderedBody" in split(call.many("expand"), [])
    shown = [call.payloads.comment(found, each, rendered) for each in page(visible, start, most)]
    return {"startAt": start, "maxResults": most, "total": total, "comments": shown}


def comment(call: Call) -> Any:
    found = call.ticket(call.path["key"])
    for each in visible_comments(call.site, call.caller, found):
        if each.id == call.path["comment"]:
            return call.payloads.comment(found, each)
    raise call.refuse(404, "no comment", call.path["comment"])


def comment_list(call: Call) -> Any:
    """POST /comment/list: comments by id, of whatever tickets."""
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


def changelog(call: Call) -> Any:
    """GET /issue/{key}/changelog: whole, oldest first."""
    found = call.ticket(call.path["key"])
    start, most = max(call.number("startAt", 0), 0), min(max(call.number("maxResults", 100), 1), 100)
    total = len(found.histories)
    address = call.payloads.url(f"issue/{found.key}/changelog")
    answer = {"self": f"{address}?maxResults={most}&startAt={start}", "maxResults": most, "startAt": start, "total": total,
              "isLast": start + most >= total}  # fmt: skip
    if not answer["isLast"]:
        answer["nextPage"] = f"{address}?maxResults={most}&startAt={start + most}"
    return {**answer, "values": [call.payloads.history(each) for each in page(list(found.histories), start, most)]}


def changelog_bulk(call: Call) -> Any:
    """POST /changelog/bulkfetch. Its times are text or numbers, as the site's switch says."""
    wanted = call.many("issueIdsOrKeys") or []
    if not 1 <= len(wanted) <= 1000:
        raise call.refuse(400, "bulk", 1000)
    only = set(call.many("fieldIds") or [])
    rows = []
    for reference in wanted:
        try:
            found = call.ticket(reference)
        except RestError:
            continue
        for each in found.histories:
            if not only or any(change.field_id in only for change in each.changes):
                rows.append((found, each))
    start, most = int(call.one("nextPageToken") or 0), min(call.number("maxResults", 1000), 10000)
    logs: dict[str, list[Any]] = {}
    for found, each in page(rows, start, most):
        shown = call.payloads.history(each)
        if call.site.switches.changelog_bulk_epoch:
            shown["created"] = milliseconds(each.created)
        logs.setdefault(found.id, []).append(shown)
    answer: dict[str, Any] = {"issueChangeLogs": [{"issueId": issue, "changeHistories": each} for issue, each in logs.items()]}
    if start + most < len(rows):
        answer["nextPageToken"] = str(start + most)
    return answer


def remote_links(call: Call) -> Any:
    found = call.ticket(call.path["key"])
    return [call.payloads.remote_link(found, each) for each in found.remote_links]


def worklogs(call: Call) -> Any:
    start, most = max(call.number("startAt", 0), 0), min(call.number("maxResults", 5000), 5000)
    return call.payloads.worklogs(call.ticket(call.path["key"]), start, most)


# ---------------------------------------------------------------- attachments


def attachment(call: Call) -> Any:
    shown = call.payloads.attachment(_attachment(call))
    return {**shown, "id": int(shown["id"])}  # a number here, a string in a ticket


def attachment_content(call: Call) -> Any:
    """Cloud sends on to a signed address of another host, which must not be shown the credentials."""
    found = _attachment(call)
    if call.query.get("redirect") == "false":
        return streamed(call, found)
    return RedirectResponse(media_url(call, found), 303)


def attachment_file(call: Call) -> Any:
    """Data Center streams it from below /secure."""
    return streamed(call, _attachment(call))


def media(call: Call) -> Any:
    """The other host: whoever sends credentials here has leaked them, and is refused as a storage service refuses."""
    if call.headers.get("authorization"):
        raise RestError(400, "Only one auth mechanism allowed; the Authorization header must not be sent here.")
    for owner in call.site.tickets.values():
        for each in owner.attachments:
            if each.id == call.path["attachment"] and call.query.get("token") == _signature(each):
                return streamed(call, each)
    raise RestError(403, envelope("The address has expired."))


def media_url(call: Call, found: Attachment) -> str:
    parts = urlsplit(call.site.url)
    host = "localhost" if parts.hostname == "127.0.0.1" else "127.0.0.1"
    return f"{parts.scheme}://{host}:{parts.port}/simulator-media/{found.id}/{quote(found.filename)}?token={_signature(found)}"


def streamed(call: Call, found: Attachment) -> Response:
    if found.content is None:
        raise call.refuse(404, "no attachment", found.id)
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{quote(found.filename)}", "accept-ranges": "bytes"}
    asked = re.fullmatch(r"bytes=(\d+)-(\d*)", call.headers.get("range", ""))
    if not asked:
        return Response(found.content, 200, headers, media_type=found.mime)
    first, last = int(asked[1]), min(int(asked[2] or found.size), found.size - 1)
    if first >= len(found.content):
        return Response(b"", 416, {"content-range": f"bytes */{found.size}"})
    headers["content-range"] = f"bytes {first}-{last}/{len(found.content)}"
    return Response(found.content[first : last + 1], 206, headers, media_type=found.mime)


def _attachment(call: Call) -> Attachment:
    wanted = call.path["attachment"]
    for owner in call.site.tickets.values():
        for each in owner.attachments:
            if each.id == wanted and sees_ticket(call.site, call.caller, owner):
                return each
    raise call.refuse(404, "no attachment", wanted)


def _signature(found: Attachment) -> str:
    return f"signed-{found.id}-{found.size}"


def deleted_worklogs(call: Call) -> Any:
    """GET /worklog/deleted: not the last minute."""
    since, until = call.number("since", 0), milliseconds(call.site.clock.now()) - 60_000
    gone = [each for each in call.site.deleted_worklogs if since <= milliseconds(each[1]) <= until]
    values = [{"worklogId": int(worklog), "updatedTime": milliseconds(at), "properties": []} for worklog, at in gone]
    return {
        "values": values,
        "since": since,
        "until": until,
        "self": call.payloads.url(f"worklog/deleted?since={since}"),
        "lastPage": True,
    }
