"""Whether a decision, a policy or another document that is named still holds: by the status it states, or by what says that it
replaces it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from prompts.extractive import as_text
from prompts.language import terms
from prompts.other_languages import folded
from prompts.question import analyse
from prompts.records import Quote
from prompts.regex import regex
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.snapshot_view import OpenedLeaf, SnapshotView, document_of
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.understand import Understanding
from tree.retrieve.item_cues import IN_FORCE, PAST

MOST_READ = 12  # leaves that may state it
_HOLDS = r"(?:valid|in force|in effect|current|binding|active|applicable|up[- ]to[- ]date|the (?:rule|case|plan))"
_ASKS = regex(
    rf"\W*(?:(?:is|are) (?P<thing>[^?]{{2,80}}?) (?:still |yet |now )?(?:{_HOLDS})\b"
    r"|(?:does|do) (?P<does>[^?]{2,80}?) (?:still )?(?:apply|hold|stand|count)\b"
    r"|(?:is|are|was|were|has|have) (?P<was>[^?]{2,80}?) (?:been )?(?:superseded|replaced|withdrawn|revoked|cancelled)\b"
    r"|(?:what|which \w+) (?:has |was )?(?:supersedes|superseded|replaced|replaces) (?P<by>[^?]{2,80}))[ ?.!]*(?:(?:today|now|any ?more|anymore|yet|already)[ ?.!]*)?\Z",
    re.IGNORECASE,
)  # fmt: skip
_KIND = regex(r"\b(?:the|our|this|decision|policy|rule|guideline|document|adr|rfc|record|still|now)\b", re.IGNORECASE)
_STATUS = regex(
    r"^\W{0,4}(?P<line>Status\W{0,3}:\W{0,4}(?P<state>[^\n;]{2,100}?))(?:\.(?= |$|\*)|[*_;]|$)", re.MULTILINE | re.IGNORECASE
)
_REPLACES = (
    r"\b(?:Supersedes|Replaces|Superseding|Replacing|Ersetzt|Remplace)\W{{1,4}}(?:[A-Z][\w-]{{1,12}}, |and ){{0,3}}{key}(?![\w-])"
)


@dataclass(frozen=True, slots=True)
class _Stated:
    """Where a document says whether the one that is asked about holds, and how it says so."""

    opened: OpenedLeaf
    start: int
    end: int
    said: str
    holds: bool


def answer_validity(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """None where another thing is asked, or nothing says so of what is named."""
    asked = _ASKS.match(understanding.text)
    thing = next(filter(None, asked.groups()), "") if asked is not None else ""
    keys = analyse(thing).keys
    if not thing or len(keys) > 1 or (not keys and len(terms(_KIND.sub(" ", thing))) < 2):
        return None
    view = SnapshotView.of(snapshot, thing)
    near = view.open_leaves(view.best_nodes(MOST_READ))
    own = [one for one in near if _is_of(one, thing, keys)]
    documents = {document_of(one.node) for one in own}
    if len(documents) != 1:
        return None
    title = own[0].text.heading[0]
    key = keys[0] if keys else next(iter(analyse(title).keys), "")
    stated = _status(own)
    if key and (stated is None or stated.holds):  # a status may not have been kept up to date
        stated = _replaced_by([one for one in near if document_of(one.node) not in documents], key) or stated
    if stated is None:
        return None
    node, leaf = stated.opened.node, stated.opened.leaf
    quote = Quote(text=stated.said, start=stated.start, end=stated.end)
    yes = f"**{'Yes' if stated.holds else 'No'}**: " if asked is not None and (asked["thing"] or asked["does"]) else ""
    told = "" if stated.opened in own else f"{as_text(stated.opened.text.heading[0])}: "
    lines = [Line(yes), Line(f"{as_text(title)} – {told}{as_text(stated.said)} [1]", 1, node, leaf, quote)]
    step = Step("register", node.place, node.hash, node.title, reason="It says whether it still holds.")
    return DirectAnswer(step, tuple(lines), is_of_standing=True)


def _is_of(one: OpenedLeaf, thing: str, keys: Sequence[str]) -> bool:
    """Whether a leaf is of the document that is named: by the key that its title begins with, or by all words of the name."""
    title = one.text.title
    if keys:
        return re.match(rf"\W*{re.escape(keys[0])}(?![\w-])", title, re.IGNORECASE) is not None
    return set(terms(_KIND.sub(" ", thing))) <= set(terms(title))


def _status(own: Sequence[OpenedLeaf]) -> _Stated | None:
    for one in own:
        match = _STATUS.search(one.text.text)
        if match is None:
            continue
        state = match["state"].strip()
        if PAST.search(state) or IN_FORCE.match(state):
            return _Stated(one, match.start("line"), match.end("line"), match["line"].strip(" *_"), PAST.search(state) is None)
    return None


def _replaced_by(others: Sequence[OpenedLeaf], key: str) -> _Stated | None:
    pattern = re.compile(_REPLACES.format(key=re.escape(key)), re.IGNORECASE)
    for one in others:
        if (match := pattern.search(one.text.text)) is not None and not folded(one.text.heading[0]).startswith(folded(key)):
            return _Stated(one, match.start(), match.end(), match.group(), False)
    return None
