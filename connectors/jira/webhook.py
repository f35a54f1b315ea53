"""What Jira calls us with: whether it is from Jira, and which tickets it is about. Hints only, each is read again.

The shapes differ: Cloud tells of a comment with six fields of its ticket, Data Center with none at all, only the
comment's address has the ticket's id in it; a link names two tickets; a body may be left out altogether.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from connectors.base import LARGEST_DELIVERY, Notice
from connectors.jira.values import mapping

LONGEST_NAME = 200
EVERYTHING = ("sprint_", "jira:version_", "project_", "board_", "user_", "option_", "attachment_")  # of no ticket in particular

_ID = re.compile(r"[0-9]{1,18}\Z")
_TICKET_IN_ADDRESS = re.compile(r"/issue/([0-9]{1,18})(?:/|\Z)")


def verify(secret: str, body: bytes, signature: str | None) -> bool:
    """Whether the body was signed with the secret. Over the bytes as they came: another spelling of the JSON is another body."""
    made = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    given = (signature or "").strip().removeprefix("sha256=")
    return bool(secret) and hmac.compare_digest(made.encode(), given.lower().encode("utf-8", "replace"))


def read(body: bytes, headers: Mapping[str, str]) -> Notice:
    """What a delivery says. Of what cannot be understood nothing; of an empty body, that something happened."""
    identifier = _header(headers, "x-atlassian-webhook-identifier")
    if not body.strip():
        return Notice(identifier, "", rescan=True)
    try:
        told = json.loads(body) if len(body) <= LARGEST_DELIVERY else {}
    except (ValueError, RecursionError):
        told = {}
    if not isinstance(told, dict):
        return Notice(identifier, "")
    event = told.get("webhookEvent")
    event = event[:LONGEST_NAME] if isinstance(event, str) else ""
    ids = tuple(dict.fromkeys(_ids(told)))
    return Notice(identifier, event, ids, rescan=not ids and event.startswith(EVERYTHING))


def _ids(told: Mapping[str, Any]) -> Iterator[str]:
    """The tickets that a body names, wherever it names them."""
    issue, comment, worklog, link = (mapping(told.get(name)) for name in ("issue", "comment", "worklog", "issueLink"))
    candidates = [issue.get("id"), worklog.get("issueId"), link.get("sourceIssueId"), link.get("destinationIssueId")]
    yield from (id for one in candidates if (id := _id(one)))
    for thing in (issue, comment, worklog, mapping(told.get("attachment"))):
        address = thing.get("self")
        if isinstance(address, str) and (match := _TICKET_IN_ADDRESS.search(address[-LONGEST_NAME:])):
            yield match[1]


def _id(value: Any) -> str:
    text = str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) else ""
    return text if _ID.match(text) else ""


def _header(headers: Mapping[str, str], name: str) -> str:
    return next((value for key, value in headers.items() if key.lower() == name), "")[:LONGEST_NAME]
