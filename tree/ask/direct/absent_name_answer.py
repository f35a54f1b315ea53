"""That nothing is called as a question names it, though others are called alike: "Team Anchor", where there are Team Quay and Team Shore.
What is said of the others is told in its place nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

from prompts.extractive import as_text
from prompts.months import MONTH
from prompts.regex import regex
from tree.ask.direct.mentions import occur
from tree.ask.facts.told_facts import listed
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.snapshot_view import SnapshotView
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.understand import Understanding
from tree.retrieve.names import tokens
from tree.retrieve.record_item import HONORIFICS

LOOKED_AT = 20  # leaves, the most promising, in which others of the kind may be named
FEWEST, MOST_TOLD = 2, 6  # others of the kind, for names of it to be made like this; of them told
_NAME = rf"(?!(?:{MONTH})\b)[A-ZÀ-Þ][a-zà-ž]{{2,30}}(?![\w’'-])"
_NAMED = regex(rf"(?<![\w’'-])(?P<kind>[A-ZÀ-Þ][A-Za-zà-ž]{{1,20}}) (?P<name>{_NAME})(?! [A-Z])")
_ASKING = frozenset("who what which when where why how is are was were do does did can may list show the and has have".split())


def answer_absent_name(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """None where all that the question names so is somewhere, by that name or by its last word alone, or fewer than two others are."""
    for named in _NAMED.finditer(understanding.text):
        kind, name = named["kind"], named["name"]
        if {kind.casefold()} & (_ASKING | HONORIFICS) or occur(snapshot, [named.group()]) or _is_known(snapshot, name):
            continue
        others = list(dict.fromkeys(_of_kind(snapshot, understanding.text, kind)))
        if len(others) >= FEWEST:
            told = f"Nothing here is called “{as_text(named.group())}”. There {'are' if len(others) > 1 else 'is'} {as_text(listed(others[:MOST_TOLD]))}"
            more = f" and {len(others) - MOST_TOLD} more" if len(others) > MOST_TOLD else ""
            reason = f"“{named.group()}” stands nowhere, and others that are called {kind} do."
            return DirectAnswer(Step("register", "", "", named.group(), reason=reason), (Line(f"{told}{more}."),), "none")
    return None


def _is_known(snapshot: Snapshot, name: str) -> bool:
    """Whether something is called by the last word alone."""
    return bool(snapshot.index.names(snapshot.scope).find(tokens(name)))


def _of_kind(snapshot: Snapshot, text: str, kind: str) -> Iterator[str]:
    """The names in the passages that a question leads to which begin with the same word."""
    view = SnapshotView.of(snapshot, text)
    others = re.compile(rf"(?<![\w’'-]){re.escape(kind)} {_NAME}")
    for opened in view.open_leaves(view.best_nodes(LOOKED_AT)):
        yield from others.findall(opened.leaf.text)
