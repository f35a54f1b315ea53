"""That nothing is called as a question names it, though others are called alike: "Team Anchor", where there are Team Quay and Team Shore.
What is said of the others is told in its place nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

from prompts.extractive import as_text
from prompts.language import STOPWORDS
from prompts.months import MONTH, WEEKDAY
from prompts.other_languages import language_of
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
_NAME = rf"(?!(?:{MONTH}|{WEEKDAY}s?)\b)[A-ZÀ-Þ][a-zà-ž]{{2,30}}(?![\w’'-])"
_NAMED = regex(rf"(?<![\w’'-])(?P<kind>[A-ZÀ-Þ][A-Za-zà-ž]{{1,20}}) (?P<name>{_NAME})(?! [A-Z])")
_ALSO_SMALL = frozenset("list show tell please give find could would should must say ask".split())
MOST_CAPITALS = 0.6  # of the other words of a question, for capitals in it to tell names


def answer_absent_name(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """None where all that the question names so is somewhere, by that name or by its last word alone, or fewer than two others are; and
    where capitals tell no names: in German, or where most words have them."""
    text = understanding.text
    if language_of(text) is not None:
        return None
    for named in _NAMED.finditer(text):
        kind, name = named["kind"], named["name"]
        if (
            {kind.casefold()} & (STOPWORDS | HONORIFICS | _ALSO_SMALL)
            or occur(snapshot, [named.group()])
            or _is_known(snapshot, name)
            or _in_capitals(f"{text[: named.start()]} {text[named.end() :]}")
        ):
            continue
        others = list(dict.fromkeys(_of_kind(snapshot, text, kind)))
        if len(others) >= FEWEST:
            told = f"Nothing here is called “{as_text(named.group())}”. There are {as_text(listed(others[:MOST_TOLD]))}"
            more = f" and {len(others) - MOST_TOLD} more" if len(others) > MOST_TOLD else ""
            reason = f"“{named.group()}” stands nowhere, and others that are called {kind} do."
            return DirectAnswer(Step("register", "", "", named.group(), reason=reason), (Line(f"{told}{more}."),), "none")
    return None


def _in_capitals(text: str) -> bool:
    """Whether most words after the first have capitals, names or not: a headline."""
    words = [word for word in text.split()[1:] if word[0].isalpha()]
    return sum(word[0].isupper() for word in words) > MOST_CAPITALS * len(words)


def _is_known(snapshot: Snapshot, name: str) -> bool:
    """Whether something is called by the last word alone."""
    return bool(snapshot.index.names(snapshot.scope).find(tokens(name)))


def _of_kind(snapshot: Snapshot, text: str, kind: str) -> Iterator[str]:
    """The names in the passages that a question leads to which begin with the same word."""
    view = SnapshotView.of(snapshot, text)
    others = re.compile(rf"(?<![\w’'-]){re.escape(kind)} {_NAME}")
    for opened in view.open_leaves(view.best_nodes(LOOKED_AT)):
        yield from others.findall(opened.leaf.text)
