"""What is shown of a cited ticket beside its words: key, status, assignee, how long ago it was changed, and its address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ui.chat.citation_status import CitationStatus

WEB = ("https://", "http://")
NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Ticket:
    """A ticket as it is now, which may be later than what was cited of it."""

    key: str
    title: str  # without the key
    status: str
    assignee: str
    updated: float | None  # seconds since 1970
    url: str  # of the ticket
    comment: str  # address of the comment that was cited, if it was one

    def as_json(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "title": self.title,
            "status": self.status,
            "assignee": self.assignee or NOBODY,
            "updated": self.updated,
            "url": self.comment or self.url,
            "opens": f"Open the comment in {self.key}" if self.comment else f"Open {self.key} in Jira",
        }


def ticket_of(status: CitationStatus) -> Ticket | None:
    """None for what is no ticket, or is no longer there."""
    document = status.document
    if document is None or document.kind != "ticket":
        return None
    facts: Mapping[str, str] = document.metadata
    key = facts.get("key", "")
    url = document.url if document.url.startswith(WEB) else ""
    cited = next((passage.url for passage in status.passages if passage.url.startswith(WEB)), "")
    return Ticket(
        key=key,
        title=document.title.removeprefix(key).strip() or document.title,
        status=facts.get("status", ""),
        assignee=facts.get("assignee", ""),
        updated=_seconds(facts.get("updated", "")),
        url=url,
        comment=cited if cited != url else "",
    )


def _seconds(written: str) -> float | None:
    try:
        return datetime.fromisoformat(written).timestamp()
    except ValueError:
        return None
