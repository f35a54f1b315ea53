"""Attachments: uploading, describing, downloading, deleting."""

from __future__ import annotations

import re
from email.message import Message
from typing import Any
from urllib.parse import quote, urlsplit

from starlette.responses import RedirectResponse, Response

from jira_simulator.model.records import Attachment, Ticket
from jira_simulator.model.visibility import sees_ticket
from jira_simulator.rest.errors import RestError, envelope
from jira_simulator.rest.request import NO_CONTENT, Call

MOST_BYTES = 10 * 1024 * 1024  # of one file


def attachment(call: Call) -> Any:
    shown = call.payloads.attachment(_find(call)[1])
    return {**shown, "id": int(shown["id"])}  # a number here, a string in an issue


def settings(call: Call) -> Any:
    """GET /attachment/meta."""
    return {"enabled": True, "uploadLimit": MOST_BYTES}


def create(call: Call) -> Any:
    """POST /issue/{key}/attachments: files as multipart/form-data, which a browser must not be able to send unasked."""
    found = call.ticket(call.path["key"])
    user = call.require_on(found, "CREATE_ATTACHMENTS")
    if call.headers.get("x-atlassian-token") not in ("no-check", "nocheck"):
        raise RestError(403, "XSRF check failed")
    files = files_of(call.headers.get("content-type", ""), call.raw)
    if not files:
        raise RestError(400, envelope("No files were sent in the part named 'file'."))
    if any(len(content) > MOST_BYTES for _, _, content in files):
        raise RestError(413, envelope(f"The field file exceeds its maximum permitted size of {MOST_BYTES} bytes."))
    made = [call.site.attach(found, name, content, user, kind) for name, kind, content in files]
    return [call.payloads.attachment(each) for each in made]


def delete(call: Call) -> Any:
    owner, found = _find(call)
    user = call.require_on(owner, "DELETE_OWN_ATTACHMENTS" if found.author == call.caller.account else "DELETE_ALL_ATTACHMENTS")
    call.site.detach(found.id, user)
    return NO_CONTENT


def content(call: Call) -> Any:
    """Cloud sends on to a signed address of another host, which must not be shown the credentials."""
    found = _find(call)[1]
    if call.query.get("redirect") == "false":
        return streamed(call, found)
    return RedirectResponse(media_url(call, found), 303)


def file(call: Call) -> Any:
    """Data Center streams it from below /secure."""
    return streamed(call, _find(call)[1])


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


def files_of(content_type: str, raw: bytes) -> list[tuple[str, str, bytes]]:
    """Name, type and content of each part called `file` of a multipart/form-data body (RFC 7578)."""
    header = Message()
    header["content-type"] = content_type
    boundary = header.get_param("boundary")
    if header.get_content_type() != "multipart/form-data" or not isinstance(boundary, str):
        return []
    found = []
    for part in (b"\r\n" + raw).split(b"\r\n--" + boundary.encode())[1:]:
        head, separator, body = part.partition(b"\r\n\r\n")
        if part.startswith(b"--") or not separator:
            continue
        described = Message()
        for line in head.decode("utf-8", "replace").strip().splitlines():
            name, _, value = line.partition(":")
            described[name.strip()] = value.strip()
        part_name = described.get_param("name", header="content-disposition")
        filename = described.get_filename()
        if part_name == "file" and filename:
            found.append((filename, described.get("content-type", ""), body))
    return found


def _find(call: Call) -> tuple[Ticket, Attachment]:
    wanted = call.path["attachment"]
    for owner in call.site.tickets.values():
        for each in owner.attachments:
            if each.id == wanted and sees_ticket(call.site, call.caller, owner):
                return owner, each
    raise call.refuse(404, "no attachment", wanted)


def _signature(found: Attachment) -> str:
    return f"signed-{found.id}-{found.size}"
