"""The state of a request, as a cell of its row says it: denied, waiting for an answer, or neither."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal

from prompts.regex import regex
from tree.retrieve.fact_index import StoredFact, folded

State = Literal["denied", "waiting", ""]

LONGEST_NOTE = 6  # words of a cell that says no more than a state: "cancelled on 20 November"
_STATE_COLUMNS = frozenset("status state decision outcome stand statut état zustand".split())
_APPROVAL_COLUMNS = frozenset(
    "approved approval confirmed confirmation granted genehmigt genehmigung bestätigt approuvé accordé validé".split()
)
_BEFORE = r"\A\W*(?:(?:it|was|is|has|been|request|leave|wurde|ist) ){0,3}"
DENIED = (
    r"(?:reject(?:ed|ion)?|refused?|declined?|denied|cancel+(?:ed|s|ation)?|withdr[ae]wn?|revoked?|(?:turned|called|taken) (?:down|off|back)"
    r"|abgelehnt|storniert|abgesagt|zurückgezogen|gestrichen|widerrufen|refusée?s?|rejetée?s?|annulée?s?|retirée?s?)"
)
_DENIED = regex(rf"{_BEFORE}(?:{DENIED}|not (?:granted|approved)(?! yet)|nicht genehmigt|non accordée?s?)(?!\w)", re.IGNORECASE)
_WAITING = regex(
    rf"{_BEFORE}(?:request(?:ed)?|pending|submitted|applied|asked|waiting|awaiting|open|tentative|provisional|proposed|planned|draft|to be (?:approved|confirmed|decided)|tbc|tbd|not (?:yet )?(?:approved|confirmed|granted|decided)"
    r"|unconfirmed|unapproved|under review|on hold|postponed|beantragt|angefragt|offen|ausstehend|geplant|noch nicht|verschoben|demandée?s?|en attente|reportée?s?)(?!\w)|\A\W*\?+\W*\Z",
    re.IGNORECASE,
)
_NOT_SO = regex(r"\A\W*(?:(?:no|n|nein|non|false)\W*)?\Z", re.IGNORECASE)  # in a column "approved"; a mark is no word


def is_denied(said: str) -> bool:
    """Whether a heading or a cell begins with a word for what was not granted, or was taken back."""
    return _DENIED.match(said) is not None


def says_denied(cell: StoredFact) -> bool:
    """Whether a cell says that what its row asks for was not granted."""
    label = set(folded(cell.fact.relation).split())
    return not label.isdisjoint(_STATE_COLUMNS | _APPROVAL_COLUMNS) and is_denied(cell.fact.value)


def state_of_request(cells: Mapping[str, StoredFact], columns: Iterable[str]) -> tuple[State, str]:
    """How a request stands, and the words of its row that say so; `cells` by column (folded), `columns` all that the table has."""
    found: list[tuple[State, str]] = []
    for label in columns:
        words, value = set(label.split()), cells[label].fact.value if label in cells else ""
        is_state, is_approval = not words.isdisjoint(_STATE_COLUMNS), not words.isdisjoint(_APPROVAL_COLUMNS)
        if not (is_state or is_approval) and len(value.split()) > LONGEST_NOTE:
            continue
        if is_denied(value):
            found.append(("denied", value))
        elif (is_state or is_approval) and _WAITING.match(value):
            found.append(("waiting", value))
        elif is_approval and _NOT_SO.match(value):
            found.append(("waiting", f"{label}: {value or '-'}"))
    return next((one for one in found if one[0] == "denied"), found[0] if found else ("", ""))
