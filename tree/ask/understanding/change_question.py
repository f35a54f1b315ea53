"""Questions for what changed, in a span of days and below some places: "What changed today?", "What's new in runbooks?"."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from prompts.language import terms
from prompts.regex import regex
from prompts.timespans import Span, find_span
from tree.ask.facts.branches import branches_named, find_branch
from tree.ask.facts.ticket_words import FILLERS, NEGATIONS
from tree.ask.facts.told_facts import readable
from tree.ask.snapshot.snapshot import Snapshot
from tree.retrieve.names import tokens
from tree.store.changes import How

USUAL_DAYS = 7  # looked back, where a question says no time
_ASKED = regex(
    r"^(?:so )?(?:(?:what|anything)(?:'s| is| has| have| was| were)? (?:all |else )?(?:been )?(?:changed|new|different|added|removed|deleted|updated|edited)\b"
    r"|(?:what|which) (?:documents?|files?|pages?|things|docs) (?:(?:are|were|was|have|has|had) )?(?:been )?(?:changed|new|added|removed|deleted|updated|edited|moved)\b"
    r"|(?:(?:list|show|show me|give me) )?(?:the |all |all the )?(?:recent |latest |last )?changes\b)"
)
_PUT = FILLERS | frozenset(
    """changed changes change new different added removed deleted updated edited moved recent recently latest last documents document files
    file pages page docs things else been anything since today yesterday so far lately tickets ticket""".split()
)
_HOW: dict[How, frozenset[str]] = {
    "added": frozenset(("added", "new")),
    "removed": frozenset(("removed", "deleted")),
    "moved": frozenset(("moved",)),
    "changed": frozenset(("edited", "updated")),
}
_ONLY_DOCUMENTS = frozenset("documents document files file pages page docs".split())


@dataclass(frozen=True, slots=True)
class ChangeQuestion:
    """For what changed in a span of days, below these places or anywhere; `how` where only such changes are wanted."""

    first: date
    last: date
    said: str
    places: tuple[str, ...] = ()
    branch: str = ""
    how: How | None = None
    with_tickets: bool = True
    names_time: bool = True


def read_change_question(text: str, snapshot: Snapshot, today: date) -> ChangeQuestion | None:
    low = " ".join(text.casefold().split())
    if not _ASKED.match(low):
        return None
    found = tokens(text)
    span = find_span(text, today)
    used = {at for at, token in enumerate(found) if span is not None and token.start < span.end and token.end > span.start}
    branch = find_branch(found, used, lambda names: branches_named(snapshot, names))
    if branch is not None:
        used |= set(range(branch.first, branch.last))
    left = {token.text.casefold() for at, token in enumerate(found) if at not in used}
    if left & NEGATIONS or any(word not in _PUT and terms(word) for word in left):
        return None
    first, last, said = _days(span, today)
    how = next((how for how, words in _HOW.items() if words & left and not {"changed", "changes"} & left), None)
    return ChangeQuestion(
        first,
        last,
        said,
        branch.places if branch else (),
        branch.words if branch else "",
        how,
        not left & _ONLY_DOCUMENTS,
        span is not None,
    )


def _days(span: Span | None, today: date) -> tuple[date, date, str]:
    if span is None:
        return today - timedelta(days=USUAL_DAYS), today, f"in the last {USUAL_DAYS} days"
    if span.last >= today and span.first < today:
        return span.first, today, f"since {readable(span.first.isoformat())}"
    if span.first == span.last:
        return span.first, span.last, f"on {readable(span.first.isoformat())}"
    return span.first, span.last, f"from {readable(span.first.isoformat())} to {readable(span.last.isoformat())}"
