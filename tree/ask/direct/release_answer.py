"""What a release brought, when it came, which one is the latest: told from the sections of a log of releases.

Such a section stands below a heading that is a version, with its day or without: "## 5.3.0 (24 November 2026)".
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from prompts.extractive import as_text
from prompts.extractive.dates import Day, days
from prompts.extractive.passages import quote
from prompts.extractive.procedures import scopes_of
from prompts.language import terms
from prompts.months import MONTH
from prompts.regex import regex
from prompts.sentences import blocks
from prompts.timespans import Span, day_of, find_span
from tree.ask.direct.pulled_releases import pulled
from tree.ask.direct.written_lines import with_lines_above
from tree.ask.facts.told_facts import readable
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.snapshot_view import OpenedLeaf, SnapshotView, document_of
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.understand import Understanding
from tree.retrieve.attendance import attendance

MOST_LOOKED_INTO = 12  # leaves that may hold a log of releases
MOST_PAGES = 200  # leaves of one log
MOST_TOLD = 15  # lines of a release
MOST_RELEASES = 6  # of a time
MOST_WORDS = 4  # of a heading that is a day or a month
LONGEST_LINE = 400  # characters
_VERSION = r"v?\d{1,4}(?:\.\d{1,5}){1,3}(?:-?(?:rc|beta|alpha|b|a|p)\.?\d{0,3})?"
_HEADING = regex(
    rf"\A\W{{0,3}}(?:(?:version|release|hotfix|v\.?)\s+)?\W?(?P<version>{_VERSION})(?P<rest>(?:\]|\W*\Z| ?[-–—:,(] ?| (?=\d{{1,4}}[-. ])| released\b| \[)[^\n]{{0,80}}|)\Z",
    re.IGNORECASE,
)
_RELEASED_ON = regex(r"(?<!not )(?<!not yet )\breleased(?: on)? (?P<day>[^,;()\n]{6,24})", re.IGNORECASE)
_UNUSUAL = regex(  # what stands behind a version that is not out for all, or not any more
    r"\b(?:rc|alpha|beta|preview|pre-?release|nightly|candidate|yanked|rollback|rolled back|deprecated|internal(?:ly)?)\b",
    re.IGNORECASE,
)
_UNUSUAL_VERSION = regex(r"(?:rc|beta|alpha|\d[ab])\.?\d{0,3}\Z", re.IGNORECASE)
_NOT_YET = regex(
    r"\b(?:unreleased|not (?:yet )?released|planned|upcoming|draft|tbd|cancelled|withdrawn|in work|geplant"
    r"|delayed|postponed|deferred|on hold|(?:no|without a?) (?:release )?date|to be (?:announced|confirmed|decided|released)|tba|tbc|verschoben|verzögert|reportée?|retardée?)\b",
    re.IGNORECASE,
)
_LOG = regex(r"\b(?:change ?log|changes|release(?:s| notes| history)|history|what['’]s new|news)\b", re.IGNORECASE)
_WORDS = regex(r"(?!(?:released|the)\b)\b[a-z]{3,20}", re.IGNORECASE)
_MONTHS = regex(rf"\b(?:{MONTH})", re.IGNORECASE)
_OF = rf"(?:(?:of|for|in|with|by) )?(?:the )?(?:(?:version|release) )?(?P<version>{_VERSION})(?: (?:of|in) (?P<what>[\w .-]{{2,40}}?))?"
_BROUGHT = regex(
    rf"\A\W*(?:and )?(?:what(?:['’]?s| is| are| was| were| has| did| does)?(?: the)?(?: been)? (?:new|changed?|changes|fixed|fixes|added|included|released|bring|contain|bring us)? ?(?:there )?(?:(?:in|with|by|of) )?(?:the )?(?:(?:version|release) )?(?:(?P<product>[A-Za-z][\w-]{{1,30}}(?: [A-Za-z][\w-]{{1,30}})?) )?(?P<asked>{_VERSION})(?: bring| contain| change| fix| add)?"
    rf"|(?:the )?(?:release notes?|change ?log|changes|news) {_OF}"
    rf"|(?:the )?(?P<noted>{_VERSION}) (?:release notes?|change ?log|changes|news))\W*\Z",
    re.IGNORECASE,
)
_WHEN = regex(
    rf"\A\W*(?:and )?(?:when (?:was|did|has|is) (?:the )?(?:(?:version|release) )?(?P<asked>{_VERSION})(?: been)? (?:released|come out|came out|shipped|published|out|go out|go live)|release date (?:of|for) (?P<dated>{_VERSION}))\W*\Z",
    re.IGNORECASE,
)
_LATEST = regex(
    r"\A\W*(?:and )?(?:(?:what|which)(?:['’]?s| is| was)? )?(?:the |our )?(?:(?:latest|newest|last|most recent) (?:(?P<pre>[A-Za-z][\w-]{1,30}) )?(?:release|version)|current release)(?: (?:of|for|in) (?:the )?(?P<what>[\w .-]{2,40}?))?\W*\Z"
    r"|\A\W*(?:and )?what(?:['’]?s| is| was)? new in (?:the (?:latest|newest|last) (?:release|version)(?: of (?:the )?(?P<of>[\w .-]{2,40}?))?|(?:the )?(?P<in>[\w .-]{2,40}?))\W*\Z"
    r"|\A\W*(?:and )?what did we release (?:last|most recently)\W*\Z",
    re.IGNORECASE,
)
_CHANGED_IN = regex(
    r"\A\W*(?:and )?what (?:has |have |was |were |is |did )?(?:been )?(?:changed?|new|released|added|fixed) (?:in|on|to|with|for) (?:the )?(?P<what>[\w .-]{2,40}?) (?P<when>(?:in|during|since|this|last)\b[^?\n]{2,30}?)\W*\Z",
    re.IGNORECASE,
)
_IN_TIME = regex(
    r"\A\W*(?:and )?(?:what|which versions?|which releases?) (?:did we release|(?:was|were|has been|have been) released|(?:did we|we) (?:ship|shipped)|came out)\b",
    re.IGNORECASE,
)
_OTHER_RELEASE = regex(
    r"\b(?:after|since|before|until|not|except|between)\b", re.IGNORECASE
)  # another than the one that is named
_SORTS = (  # of changes: as they are asked for, and as headings call them
    (
        regex(r"\bfix(?:ed|es)\b", re.IGNORECASE),
        regex(r"\b(?:fix(?:ed|es)?|bug ?fixes|bugs|hot ?fix(?:es)?|corrections|behoben)\b", re.IGNORECASE),
    ),
    (regex(r"\badded\b", re.IGNORECASE), regex(r"\b(?:added|additions|new|features?|neu)\b", re.IGNORECASE)),
)


@dataclass(frozen=True, slots=True)
class _Release:
    """A section of a log: [start, end) of the text of its leaf."""

    version: str
    heading: str
    day: date | None
    opened: OpenedLeaf
    start: int
    end: int
    is_out: bool
    is_month: bool = False  # its heading says no day of it
    below: str = ""  # the headings below that of the release: "Known issues"
    is_called_by_day: bool = False  # it is no version, but what was changed on a day or in a month

    def is_within(self, span: Span) -> bool:
        """Whether its day lies in a time, or its month does as a whole."""
        if self.day is None:
            return False
        last = date(self.day.year, self.day.month, monthrange(self.day.year, self.day.month)[1]) if self.is_month else self.day
        return span.first <= self.day and last <= span.last

    @property
    def document(self) -> tuple[str, str | None]:
        return document_of(self.opened.node)


def answer_release(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for "what is new in 5.3.0?", "latest release" and "when was 5.2 released?"; None where no log of releases says it."""
    text, now = understanding.text, today(snapshot)
    if _OTHER_RELEASE.search(text) is None and (asked := _BROUGHT.match(text)):
        version = asked["asked"] or asked["version"] or asked["noted"]
        found, is_sure = _of_sort(text, [one for one in _releases(snapshot, version) if _same(one.version, version)])
        return _told(found, asked["what"] or asked["product"] or "", snapshot, is_sure=is_sure) if found else None
    if asked := _WHEN.match(text):
        version = asked["asked"] or asked["dated"]
        found = [one for one in _releases(snapshot, version) if _same(one.version, version) and one.day is not None]
        return _dated(found, snapshot) if found else None
    if asked := _LATEST.match(text):
        what = asked["what"] or asked["pre"] or asked["of"] or asked["in"] or ""
        every = _releases(snapshot, what)
        out = [one for one in every if one.is_out and one.day and one.day <= now]
        newest = _newest(out)
        logs = {one.document for one in newest}
        is_sure = not any(one.is_out and one.day is None and one.document in logs for one in every)  # it may be the latest
        return _told(newest, what, snapshot, is_sure=is_sure) if newest else None
    if (asked := _CHANGED_IN.match(text)) and (span := find_span(asked["when"], now)) is not None:
        what = asked["what"]
        within = [one for one in _releases(snapshot, what, with_days=True) if one.is_out and one.is_within(span)]
        dated, is_sure = _of_sort(text, within)
        newest_first = sorted(dated, key=lambda one: one.day or now, reverse=True)
        return _told(newest_first, what, snapshot, is_sure=is_sure) if dated else None
    span = find_span(text, now) if _IN_TIME.match(text) else None
    if span is None:
        return None
    found = [
        one
        for one in _releases(snapshot, "")
        if one.is_out and one.day is not None and span.first <= one.day <= min(span.last, now)
    ]
    rest = _rest(text, span)
    # nobody knows what stands in no log
    return _told(sorted(found, key=lambda one: one.day or now, reverse=True), rest, snapshot, is_sure=False) if found else None


def _of_sort(text: str, found: list[_Release]) -> tuple[list[_Release], bool]:
    """The sections below "Fixed" or "Added", where what was fixed or added is asked; else all, and whether they are what is asked for:
    not so where a log tells its sorts apart and has none of that one."""
    sort = next((form for asked, form in _SORTS if asked.search(text)), None)
    if sort is None:
        return found, True
    of_it = [one for one in found if sort.search(one.below)]
    return of_it or found, bool(of_it) or not any(one.below for one in found)


def _rest(text: str, span: Span) -> str:
    left = f"{text[: span.start]} {text[span.end :]}"
    return _IN_TIME.sub("", left).strip(" ?.!")


def _same(one: str, other: str) -> bool:
    """Whether two versions are one: "5.3" is no "5.3.1"."""
    return one.casefold().lstrip("v") == other.casefold().lstrip("v")


# ---------------------------------------------------------------- finding


def _releases(snapshot: Snapshot, wanted: str, *, with_days: bool = False) -> list[_Release]:
    """The releases of the logs that are most likely meant, each once; `with_days`: also sections that are called by a day or a month."""
    view = SnapshotView.of(snapshot, f"{wanted} changelog release notes releases changes version")
    documents = dict.fromkeys(document_of(node) for node in view.best_nodes(MOST_LOOKED_INTO) if node.document_id)
    found: list[_Release] = []
    for source_id, document_id in documents:
        inside = snapshot.store.nodes.of_document(source_id, document_id or "", snapshot.version)
        leaves = [one for one in inside if one.kind == "leaf" and snapshot.scope.includes(one.place)]
        if len(leaves) >= MOST_PAGES:
            continue
        own = [release for opened in view.open_leaves(leaves) for release in _sections(opened, with_days)]
        title = f"{own[0].opened.text.heading[0] if own and own[0].opened.text.heading else ''} {document_id or ''}"
        if any(one.is_called_by_day for one in own) and not (_LOG.search(title) and not _is_of_meetings(own)):
            own = [one for one in own if not one.is_called_by_day]  # minutes of several days, or who is away on them
        if own and (_LOG.search(title) or 2 * sum(one.day is not None for one in own) >= len(own)):  # "5.1 Backups" is no release
            found += own
    return found


def _is_of_meetings(found: Sequence[_Release]) -> bool:
    """Whether sections are minutes: one of them says who was there."""
    return any(attendance(one.opened.text.text[one.start : one.end]) for one in found)


def _sections(opened: OpenedLeaf, with_days: bool) -> Iterator[_Release]:
    for scope in scopes_of(opened.text):
        heading = scope.headings[-1].strip() if scope.headings else ""
        named = _HEADING.match(heading)
        is_day = with_days and len(scope.headings) > 1 and len(heading.split()) <= MOST_WORDS
        if is_day and (named is None or days(named["version"])) and (found := days(heading)):
            first = day_of(found[0].year, found[0].month, found[0].day or 1)
            yield _Release(
                heading, heading, first, opened, scope.start, scope.end, _NOT_YET.search(heading) is None, not found[0].day,
                is_called_by_day=True,
            )  # fmt: skip
            continue
        at = next((at for at, heading in enumerate(scope.headings) if _HEADING.match(heading.strip())), None)
        match = _HEADING.match(scope.headings[at].strip()) if at is not None else None
        if match is None or at is None:
            continue
        rest = match["rest"]
        is_usual = _UNUSUAL.search(rest) is None and _UNUSUAL_VERSION.search(match["version"]) is None
        is_out = is_usual and (_RELEASED_ON.search(rest) is not None or _NOT_YET.search(rest) is None)
        below = " › ".join(scope.headings[at + 1 :])
        yield _Release(
            match["version"], scope.headings[at].strip(), _released_on(rest), opened, scope.start, scope.end, is_out, below=below
        )


def _released_on(rest: str) -> date | None:
    """The day of a release, where what stands behind its version says no other: "hotfix for 5.8.0 of 1 July" is none."""
    on = _RELEASED_ON.search(rest)
    said = on["day"] if on is not None else rest
    found = [one for one in days(said) if one.day]
    return _calendar(found[0]) if len(found) == 1 and not _WORDS.search(_MONTHS.sub(" ", said)) else None


def _calendar(day: Day) -> date | None:
    return day_of(day.year, day.month, day.day)


def _newest(found: Sequence[_Release]) -> list[_Release]:
    """The newest of each log, all sections of it."""
    newest: list[_Release] = []
    for document in dict.fromkeys(one.document for one in found):
        own = [one for one in found if one.document == document]
        last = max(own, key=lambda one: one.day or date.min)
        newest += [one for one in own if one.heading == last.heading]
    return newest


# ---------------------------------------------------------------- telling


def _told(found: Sequence[_Release], what: str, snapshot: Snapshot, *, is_sure: bool = True) -> DirectAnswer | None:
    """Each release with its lines. Of several logs those that are called by what is asked about. `is_sure`: no other may be meant."""
    named, now = set(terms(what)), today(snapshot)
    called = {one.document: set(terms(f"{one.document[1]} {' '.join(one.opened.text.heading[:1])}")) for one in found}
    meant = [one for one in found if named <= called[one.document]]
    headings = list(dict.fromkeys((one.document, one.heading) for one in meant))
    if not meant or len(headings) > MOST_RELEASES:
        return None
    lines: list[Line] = []
    numbers: dict[str, int] = {}
    is_whole = is_sure and all(one.is_out and (one.day is None or one.day <= now) for one in meant)
    for document, heading in headings:
        parts = [one for one in meant if (one.document, one.heading) == (document, heading)]
        title = parts[0].opened.text.heading[0] if parts[0].opened.text.heading else ""
        where = f" ({as_text(title)})" if title and title != heading else ""
        lines.append(Line(f"{chr(10) * 2 if lines else ''}**{as_text(heading)}**{where}\n"))
        said = [
            (one, start, end)
            for one in parts
            for start, end, kind in blocks(one.opened.text.text)
            if one.start <= start and end <= one.end and kind in ("text", "item", "row")
        ]
        below: set[str] = set()
        for one, start, end in said[:MOST_TOLD]:
            number = numbers.setdefault(one.opened.node.place, len(numbers) + 1)
            cut = quote(one.opened.text.text, start, min(end, start + LONGEST_LINE))
            dots = " …" if end > start + LONGEST_LINE else ""
            if one.below and one.below not in below:
                below.add(one.below)
                lines.append(Line(f"\n\n*{as_text(one.below)}*\n"))
            lines.append(Line(f"\n- {as_text(cut)}{dots} [{number}]", number, one.opened.node, one.opened.leaf, cut))
        if len(said) > MOST_TOLD:
            lines.append(Line(f"\n\n… and {len(said) - MOST_TOLD} more lines."))
        is_whole = is_whole and bool(said)
    node = meant[0].opened.node
    step = Step("register", node.place, node.hash, node.title, reason="It is a log of releases, and has a section for this.")
    is_one = len({one for one, _ in headings}) == 1
    direct = DirectAnswer(step, tuple(lines), "complete" if is_one and is_whole else "partial")
    return _with_said(direct, meant, snapshot)


def _dated(found: Sequence[_Release], snapshot: Snapshot) -> DirectAnswer | None:
    told, now = {one.document: one for one in reversed(found)}, today(snapshot)
    lines: list[Line] = []
    for number, one in enumerate(told.values(), 1):
        heading = one.opened.text.text.find(one.heading, one.start, one.end)
        cut = (
            quote(one.opened.text.text, max(one.start, heading), max(one.start, heading) + len(one.heading))
            if heading >= 0
            else None
        )
        title = one.opened.text.title
        said = f"**{readable(one.day.isoformat() if one.day else '')}**{'' if one.is_out and one.day and one.day <= now else ' (not released)'}: {as_text(one.heading)}, {as_text(title)} [{number}]"
        lines.append(Line(f"{'' if len(told) == 1 else chr(10) + '- '}{said}", number, one.opened.node, one.opened.leaf, cut))
    node = found[0].opened.node
    step = Step("register", node.place, node.hash, node.title, reason="It is a log of releases, and says when.")
    is_sure = len(told) == 1 and all(one.is_out and one.day is not None and one.day <= now for one in found)
    direct = DirectAnswer(step, tuple(lines), "complete" if is_sure else "partial")
    return _with_said(direct, found, snapshot)


def _with_said(direct: DirectAnswer, told: Sequence[_Release], snapshot: Snapshot) -> DirectAnswer:
    """Releases below what is said later of one that was rolled back or withdrawn."""
    releases = {one.version: one.day for one in told if not one.is_called_by_day}
    return with_lines_above(direct, pulled(snapshot, releases), "Said later:", "The log itself:")
