"""What is said later of an action in its own words: "domain is renewed, done" in a chat, of "Renew the domain"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from prompts.extractive.asked_values import DATE, LIGHT
from prompts.extractive.later_entries import says_change
from prompts.extractive.passages import Passage, passages, quote
from prompts.extractive.rivals import dated, is_said_then
from prompts.extractive.section_days import without_chat_head
from prompts.language import terms
from prompts.months import IN_ENGLISH
from prompts.question import other_forms
from prompts.regex import regex
from prompts.text_lines import line_end, line_start
from tree.ask.direct.said_later import LONGEST_LINE, SaidLater, newest_first
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.snapshot_view import OpenedLeaf, SnapshotView, document_of

FEWEST_LOOKED_AT = 8  # leaves, the most promising; one more for each action
OPENING = 6  # words of a sentence in which it says what it is about
MANY = 4  # words of an action, of which a line need not have all
MOST_OF_THEM = 0.75
_MONTHS = frozenset(terms(" ".join(IN_ENGLISH)))
_SETTLED = regex(  # it is done, needed no more, or somebody else's
    r"\b(?:done|finished|completed?|closed|ready|arrived|delivered|sorted|settled|solved|paid|sent|(?:is|are|gone|sent) out|in place|up and running|not needed|no longer needed|erledigt|fertig"
    r"|(?:takes?|took|taken|taking) (?:it |this |that |them )?over|hands? over|handed over|(?:from|instead of) (?:me|him|her|us)|new owner|(?:I|he|she|we)(?:['’]ll| will) do (?:it|that))\b",
    re.IGNORECASE,
)
_WORD = regex(r"[\w'’-]+")
_MARKER = regex(r"[ \t]*(?:[-*+•][ \t]+)?")  # of an item of a list


class Line(NamedTuple):
    """A sentence with its terms, in all of their forms, whether it settles something, and where its line stands."""

    passage: Passage
    terms: frozenset[str]
    is_settled: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Action:
    """What somebody has to do, in the terms by which it is spoken of, the document that states it, and since when that is known."""

    words: frozenset[str]
    thing: frozenset[str]  # without what is done with it
    own: tuple[str, str | None]
    since: str = ""

    @classmethod
    def of(cls, said: str, people: Set[str], own: tuple[str, str | None], since: str = "") -> Action:
        """`people` are the terms of the names of whoever has to do it."""
        left = [term for term in terms(DATE.sub(" ", said)) if term not in people | LIGHT | _MONTHS and not term.isdigit()]
        return cls(frozenset(left), frozenset(left[1:] or left), own, since)

    def is_meant(self, line: Line) -> bool:
        """Whether a sentence has all words of it, or its thing and says that it is done or somebody else's."""
        if len(self.words) > 1 and self.words <= line.terms:
            return True
        return line.is_settled and bool(self.thing) and self._is_subject(line.passage.text, line.terms)

    def _is_subject(self, said: str, there: Set[str]) -> bool:
        """Whether a sentence is of the thing: a single word stands by itself near its beginning, "the mail" and no "mail server"; of many
        most are in it."""
        if len(self.thing) > 1:
            return len(self.thing & there) >= (1.0 if len(self.thing) < MANY else MOST_OF_THEM) * len(self.thing)
        words = _WORD.findall(without_chat_head(said))[: OPENING + 1]
        followed = pairwise([*words, ""])
        return any(
            not self.thing.isdisjoint(terms(word)) and (not terms(after) or _SETTLED.match(after)) for word, after in followed
        )


def said_of_actions(
    snapshot: Snapshot, actions: Sequence[Action], but: Mapping[str, Set[int]] = MappingProxyType({})
) -> list[list[SaidLater]]:
    """What was said of each of these actions on a day, the newest first: in other documents than its own, or there later than the action
    was noted; nothing in a line where by `but`, by place, an action begins: the same stands in a list once more."""
    words = sorted(frozenset[str]().union(*(action.words for action in actions)))
    view = SnapshotView.of(snapshot, " ".join(words))
    found: list[list[SaidLater]] = [[] for _ in actions]
    for opened in view.open_leaves(view.best_nodes(FEWEST_LOOKED_AT + len(actions))) if words else []:
        document = document_of(opened.node)
        for line in _lines(opened, frozenset(words), but.get(opened.node.place, frozenset())):
            meant = [at for at, action in enumerate(actions) if action.is_meant(line)]
            told = _said(line, opened) if meant else None
            for at in meant:
                action = actions[at]
                if told and (document != action.own or (action.since and str(told.day) > action.since)):
                    found[at].append(told)
    return [newest_first(said) for said in found]


def _lines(opened: OpenedLeaf, words: Set[str], again: Set[int]) -> Iterator[Line]:
    """The sentences with one of these words, but questions, and those in whose lines an action begins."""
    text = opened.leaf.text
    for passage in passages(opened.text):
        if passage.kind not in ("text", "item") or passage.text.endswith("?"):
            continue
        there = frozenset(form for term in passage.distinct for form in (term, *other_forms(term)))
        begins, ends = line_start(text, passage.start), line_end(text, passage.end)
        if there.isdisjoint(words) or ends - begins > LONGEST_LINE or any(begins <= at < ends for at in again):
            continue
        is_settled = _SETTLED.search(passage.text) is not None or says_change(passage.text)
        yield Line(passage, there, is_settled, begins, ends)


def _said(line: Line, opened: OpenedLeaf) -> SaidLater | None:
    """A line with the day on which somebody said it; None where nobody did."""
    marker = _MARKER.match(opened.leaf.text, line.start)
    said = quote(opened.leaf.text, marker.end() if marker is not None else line.start, line.end)
    day = dated(opened.text, said, "when") if is_said_then(opened.text, line.start) else None
    return SaidLater(day, opened, said) if day is not None else None
