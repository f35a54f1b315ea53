"""What else is said of the same thing: before an answer is told, leaves that may say otherwise are read, and the newest leads."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence, Set
from dataclasses import replace
from datetime import date

from prompts.extractive import as_text
from prompts.extractive.asked_values import AMOUNT, LIGHT
from prompts.extractive.contests import contesting
from prompts.extractive.dates import Day, days
from prompts.extractive.newest_first import may_change
from prompts.extractive.passages import passages, quote
from prompts.extractive.rendering import Point, shown
from prompts.extractive.replaced_values import is_replaced, may_be_changed
from prompts.extractive.rivals import COMPARED, dated, is_said_then, newest
from prompts.extractive.standing import asks_of_then, holds_no_more
from prompts.extractive.successors import Role, is_succeeded, is_succeeded_for_sure
from prompts.language import terms
from prompts.months import MONTH
from prompts.question import Kind, analyse, weigh
from prompts.records import Evidence, LeafAnswer, Question, Quote, Reader
from prompts.regex import regex
from prompts.synonyms import same_as
from prompts.text_lines import line_end, line_start
from tree.ask.direct.said_later import SaidLater, newest_first
from tree.ask.direct.said_of_row import told_below, with_said_of_row
from tree.ask.facts.price_columns import is_price
from tree.ask.facts.rival_facts import DIFFER
from tree.ask.snapshot.budget import Budget
from tree.ask.snapshot.direct_answer import DirectAnswer, Line, StatedValue
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.snapshot_view import OpenedLeaf, SnapshotView, document_of
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.understand import Understanding
from tree.retrieve.abbreviations import find_abbreviations
from tree.retrieve.fact_index import folded
from tree.store.nodes import Node
from tree.store.places import document_around

OF_THE_SAME = "Tickets of the same, which may have changed it:"
MOST_TICKETS = 3
MANY_SHARED = 3  # words of a row that a question and the title of a ticket have, for it to be of just that row and its number
_NUMBER = regex(r"\W*\d[\d.,]*\W?[^\W\d]{0,4}\W*")
_LENGTH = regex(r"(?<![\d.,])\d[\d.,]*\W?(?:minutes?|hours?|days?|weeks?|months?|years?)\b", re.IGNORECASE)
ALL_BUT_ONE = 2  # words of a name of three or more, by which it is spoken of elsewhere
_KEY = regex(r"[A-Z][A-Z0-9]{1,9}-\d{1,7}\b")  # at the beginning of the title of a ticket
MOST_LOOKED_INTO = 12  # leaves that may say what took the place of a value
MOST_NAMED = 500  # leaves that have all words of a name, of which it is looked up where they lie
_ABOVE = 300  # characters above a statement that say from when it holds
_CITED = regex(r" ?\[\d+\]")
_PAST = regex(r"\b(?:was|were|did|had|used to|originally|until|before|formerly|previously)\b", re.IGNORECASE)
_LAST = regex(  # what was so last may have been so once more since
    r"\b(?:last|latest|most recent(?:ly)?|newest)\b(?! (?:year|month|week|quarter|night|summer|winter|spring|autumn|season)\b)",
    re.IGNORECASE,
)
_BEGINNING = regex(r"\b(?:from|as of|starting|effective|beginning|with effect from) [^.;\n]{0,30}", re.IGNORECASE)
_FROM_THEN = regex(
    rf"\b(?:from|as of|starting|beginning) (?:next (?:year|month|week)\b|{MONTH}\b|20\d\d\b|\d{{1,2}}\.? {MONTH})", re.IGNORECASE
)
_AHEAD = regex(r"\b(?:will|from|next|soon|going to|as of|starting|in future|20\d\d|tomorrow)\b", re.IGNORECASE)
_EXTENDED = regex(r"\b(?:extend\w*|extension|renew\w*|prolong\w*|verlänger\w*)\b", re.IGNORECASE)
_RUNS_UNTIL = regex(r"\b(?:until|till|through|ends?|expires?|runs? (?:to|out)|bis|jusqu['’]au)\b", re.IGNORECASE)
_SENT = regex(r"^[> \t]*(?:Date|Sent|Datum|Gesendet): *([^\n]{6,60})", re.MULTILINE)
_FROM_TO = regex(r"\bfrom\b(?P<first>[^.;\n]{1,40}?)\bto\b(?P<last>[^.;\n]{1,40})", re.IGNORECASE)
_OF_DAYS = frozenset(terms("date day on at when done"))  # in the name of a column
FEW_WORDS = 4  # of a question that is a name alone
_ARTICLE = regex(r"\A\W*(?:(?:and|so|the|our|a|an|der|die|das|unser|unsere|le|la|notre)\b\s*)+", re.IGNORECASE)


def stating_leaves(
    view: SnapshotView, reader: Reader, read: Container[str], most: int = Budget().beside, *, with_changes: bool = False
) -> Iterator[tuple[OpenedLeaf, LeafAnswer]]:
    """Of the best leaves that were not read, those that answer the question outright; `with_changes` those too that say of what is asked
    about that something was decided, or changed. Nothing where answers are not compared."""
    if reader.model_label or analyse(view.question.text).kind not in COMPARED:
        return
    places = [place for place in view.best_leaves() if place not in read][:most]
    nodes = view.store.nodes.at(places, view.version)
    for place in places:
        if place in nodes and nodes[place].kind == "leaf":
            opened = view.open_leaf(nodes[place])
            answer = reader.answer(view.question, opened.text)
            is_stating = answer.verdict == "complete" and not answer.is_stated
            if is_stating or (with_changes and _tells_change(view, opened, answer)):
                yield opened, answer


def _tells_change(view: SnapshotView, opened: OpenedLeaf, answer: LeafAnswer) -> bool:
    """Whether a passage of a leaf says of what is asked about that something was decided, or changed."""
    if asks_of_then(view.question.text):
        return False
    asked, carrying, leaf = analyse(view.question.text), weigh(view.question), opened.text
    points = (Point(0, leaf, one.quote, one.worth, best=one.best) for one in answer.excerpts)
    return any(may_change(view.question.text, asked, carrying, point) for point in points)


def with_newer(snapshot: Snapshot, understanding: Understanding, direct: DirectAnswer) -> DirectAnswer:
    """A fact that a table or a label states, below what a later document says otherwise, or above the tickets that are of it; as it is
    where there are none."""
    first = next((line for line in direct.lines if line.leaf is not None), None)
    if first is not None and (done := _with_later_time(snapshot, understanding, direct, first)) is not None:
        return done
    told = _with_later(snapshot, understanding, direct)
    if told is direct and first is not None:
        told = _with_changed_number(snapshot, understanding, direct, first) or direct
    if told is direct and first is not None and _FROM_THEN.search(understanding.text) and AMOUNT.search(first.text):
        return (
            direct if days(first.text) else replace(direct, verdict="partial")
        )  # what it is then, the amount of now does not say
    if told is direct and direct.verdict == "complete":
        told = _above_tickets(snapshot, understanding, told)
    return (
        with_said_of_row(snapshot, told, understanding.text) if told is direct and not _asks_of_past(understanding.text) else told
    )


def with_reversal(snapshot: Snapshot, understanding: Understanding, direct: DirectAnswer) -> DirectAnswer:
    """A fact that says whether something is so, below what says later that it is not; as it is where nothing does, or more is asked."""
    first = next((line for line in direct.lines if line.leaf is not None and line.node is not None), None)
    if analyse(understanding.text).kind != "yes_no" or first is None or first.leaf is None or first.node is None:
        return direct
    if first.quote is None:
        return direct
    known, said = first.leaf.as_read(), _CITED.sub("", first.text)
    told = Point(1, known, first.quote.model_copy(update={"text": said}), 1.0, dated(known, first.quote, "yes_no"))
    return _contested(snapshot, understanding, direct, told, first.node, "yes_no") or direct


def _with_later(snapshot: Snapshot, understanding: Understanding, direct: DirectAnswer) -> DirectAnswer:
    first = next((line for line in direct.lines if line.leaf is not None and line.node is not None), None)
    if first is not None and (changed := _with_replacing(snapshot, understanding, direct, first)) is not None:
        return changed
    if first is not None and (extended := _with_extension(snapshot, understanding, direct, first)) is not None:
        return extended
    understanding = _asking_how_much(understanding, first)
    kind = analyse(understanding.text).kind
    if kind == "yes_no":
        return with_reversal(snapshot, understanding, direct)
    if kind not in COMPARED - {"definition"} or first is None or first.leaf is None or first.quote is None or first.node is None:
        return direct
    known = first.leaf.as_read()
    day = dated(known, first.quote, kind)
    said = _CITED.sub("", first.text)
    told = Point(1, known, first.quote.model_copy(update={"text": said}), 1.0, day)
    is_alone = _is_alone(snapshot, understanding.text, direct, first.node)
    others = [] if is_alone else list(_others(snapshot, understanding, first.node, kind))
    lead, older = newest([told, *(point for point, _ in others)], kind)
    opened = {id(point): one for point, one in others}
    if older is not None and lead is told and (day is None or older.day is None):
        beside = _lines(older, opened[id(older)])
        lines = (Line(DIFFER), *_as_item(direct.lines), Line("\n- "), *beside)
        return replace(direct, lines=lines, verdict="partial")
    if lead is told and older is None and (contested := _contested(snapshot, understanding, direct, told, first.node, kind)):
        return contested
    if lead is told or older is None or lead.day is None:
        return direct
    if older is told and lead is not told and _is_to_come(lead, today(snapshot)):
        ahead = (*direct.lines, Line("\n\nTo come: "), *_lines(lead, opened[id(lead)]))
        return replace(direct, lines=ahead, verdict="partial" if _AHEAD.search(understanding.text) else direct.verdict)
    rest = direct.lines if older is told else tuple(_lines(older, opened[id(older)]))
    node = opened[id(lead)].node
    step = Step("register", node.place, node.hash, node.title, reason=f"It is newer than what “{first.node.title}” says.")
    return replace(direct, step=step, lines=(*_lines(lead, opened[id(lead)]), Line(f"\n\nUntil {lead.day.in_words}: "), *rest))


def _contested(
    snapshot: Snapshot, understanding: Understanding, direct: DirectAnswer, told: Point, node: Node, kind: Kind
) -> DirectAnswer | None:
    """A fact below what speaks against it in another document, or later in the same, where it says whether something is so; None where
    nothing does."""
    view = SnapshotView.of(snapshot, understanding.text)
    opened = dict(enumerate(view.open_leaves(view.best_nodes(MOST_LOOKED_INTO)), 2))
    said_nothing = LeafAnswer("none", (), 0.0)
    evidence = [
        Evidence(number, one.text, said_nothing, 0.0)
        for number, one in opened.items()
        if kind == "yes_no" or document_of(one.node) != document_of(node)
    ]
    contest = contesting(told, evidence, weigh(view.question), kind)
    if contest is None:
        return None
    lines = (Line(DIFFER), Line("\n- "), *_lines(contest, opened[contest.number]), *_as_item(direct.lines))
    return replace(direct, lines=lines, verdict="partial")


def _with_replacing(snapshot: Snapshot, understanding: Understanding, direct: DirectAnswer, told: Line) -> DirectAnswer | None:
    """A value below the sentence that says what has taken its place; None where none does, or what states the value is newer.

    Where the days do not tell which was said last, both are told and nothing is called answered.
    """
    stated = direct.stated
    if stated is None or told.leaf is None or told.node is None or told.quote is None:
        return None
    key = _naming(stated, understanding.text)
    if not key or _asks_of_past(understanding.text):
        return None
    day = dated(told.leaf.as_read(), told.quote, "when")
    role = _role(understanding.text, key, stated)
    found: list[tuple[Point, OpenedLeaf]] = []
    for number, opened in enumerate(_with_all(snapshot, sorted(key), stated.value), 2):
        for passage in passages(opened.text):
            said = quote(opened.text.text, passage.start, passage.end)
            if passage.kind not in ("text", "item") or said.text.endswith("?") or not key <= set(terms(said.text)):
                continue
            if is_replaced(stated.value, said.text) or (role is not None and is_succeeded(stated.value, said.text, role)):
                found.append((Point(number, opened.text, said, 1.0, dated(opened.text, said, "when")), opened))
    if not found:
        return None
    lead, opened = max(found, key=lambda one: one[0].day or Day(0, 0))
    if day is not None and lead.day is not None and lead.day < day:
        return None  # the table was kept up to date
    is_sure = day is not None and lead.day is not None and lead.day > day and not _is_to_come(lead, today(snapshot))
    if role is not None and not is_replaced(stated.value, lead.quote.text):
        is_sure = is_sure and is_succeeded_for_sure(stated.value, lead.quote.text, role)
    until = f"\n\nUntil {lead.day.in_words}: " if is_sure and lead.day is not None else "\n\nStated besides: "
    reason = f"It says what took the place of what “{told.node.title}” says."
    step = Step("register", opened.node.place, opened.node.hash, opened.node.title, reason=reason)
    lines = (*_lines(lead, opened), Line(until), *direct.lines)
    return replace(direct, step=step, lines=lines, verdict="complete" if is_sure else "partial")


def _asks_of_past(text: str) -> bool:
    return _PAST.search(text) is not None and _LAST.search(text) is None


def _naming(stated: StatedValue, text: str) -> set[str]:
    """The words by which a question names what a value is stated of; of somebody, whose it is, the first name."""
    asked = set(terms(text)) - LIGHT
    return set(terms(stated.subject)) & asked or set(terms(stated.asked_of)[:1]) & asked


def _role(text: str, key: Set[str], stated: StatedValue) -> Role | None:
    """What a question asks who is or does; None where it does not ask who."""
    if analyse(text).kind != "who":
        return None
    words = weigh(Question(text, dict.fromkeys(terms(text), 1.0)))
    return Role([word for word in words if word.whole not in key | LIGHT], stated.relation, frozenset(key))


def _with_extension(snapshot: Snapshot, understanding: Understanding, direct: DirectAnswer, told: Line) -> DirectAnswer | None:
    """The day on which something ends below a sentence that gives another one, in a text that speaks of the same and of its extension:
    "so the contract now runs until 30 June 2027". None where there is none, or it is older than what states the day."""
    stated = direct.stated
    if stated is None or told.leaf is None or told.node is None or told.quote is None or not days(stated.value):
        return None
    key = set(terms(stated.subject)) & set(terms(understanding.text)) - LIGHT
    if not key or _asks_of_past(understanding.text):
        return None
    since = dated(told.leaf.as_read(), told.quote, "when")
    found: list[tuple[Day, Quote, OpenedLeaf]] = []
    for opened in _near(snapshot, f"{' '.join(sorted(key))} extended extension renewed until"):
        text = opened.text.text
        if document_of(opened.node) == document_of(told.node) or not key <= set(terms(f"{' '.join(opened.text.heading)} {text}")):
            continue
        for passage in passages(opened.text):
            ends = set(days(passage.text)) - set(days(stated.value))
            around = f"{' '.join(opened.text.heading)} {text[max(0, passage.start - _ABOVE) : passage.end]}"
            if passage.kind in ("text", "item") and ends and _RUNS_UNTIL.search(passage.text) and _EXTENDED.search(around):
                said = quote(text, passage.start, passage.end)
                day = dated(opened.text, said, "when") or max(_sent_days(text[: passage.start]), default=None)
                if day is not None and (since is None or day > since):
                    found.append((day, said, opened))
    if not found:
        return None
    _, said, opened = max(found, key=lambda one: one[0])
    step = Step(
        "register",
        opened.node.place,
        opened.node.hash,
        opened.node.title,
        reason=f"It is newer than what “{told.node.title}” says.",
    )
    number = max((line.number or 0 for line in direct.lines), default=0) + 1
    lead = Line(f"{as_text(said)} [{number}]", number, opened.node, opened.leaf, said)
    return replace(direct, step=step, lines=(lead, Line("\n\nStated besides: "), *direct.lines), verdict="partial")


def _with_changed_number(
    snapshot: Snapshot, understanding: Understanding, direct: DirectAnswer, told: Line
) -> DirectAnswer | None:
    """The number in a row of a table beside a sentence elsewhere that has the whole name of what the row is of, tells of a change and
    gives another number: "the farm call-out goes up to 168 euros from 16 November". None where there is none."""
    stated = direct.stated
    if stated is None or told.node is None or told.quote is None or not told.quote.text.lstrip().startswith("|"):
        return None
    key = set(terms(stated.asked_of)) - LIGHT
    named = set(terms(stated.relation)) - key - LIGHT
    is_number = _NUMBER.fullmatch(stated.value) or _LENGTH.match(stated.value)
    if not key or not is_number or _asks_of_past(understanding.text):
        return None
    for number, opened in enumerate(_near(snapshot, f"{' '.join(sorted(key))} {stated.relation}"), 2):
        if document_of(opened.node) == document_of(told.node):
            continue
        for passage in passages(opened.text):
            said = quote(opened.text.text, passage.start, passage.end)
            there = set(terms(said.text))
            is_named = len(key & there) >= max(ALL_BUT_ONE, len(key) - 1)
            is_of_it = passage.kind in ("text", "item") and (key <= there or is_named) and not said.text.endswith("?")
            around = opened.text.text[line_start(opened.text.text, said.start) : line_end(opened.text.text, said.end)]
            is_price_told = is_price(folded(stated.relation)) and AMOUNT.search(said.text) is not None
            is_length_told = _LENGTH.match(stated.value) is not None and _LENGTH.search(said.text) is not None
            is_of_it = is_of_it and (is_price_told or is_length_told or not named.isdisjoint(terms(around)))
            if is_of_it and may_be_changed(stated.value, said.text) and not holds_no_more(opened.text, said.start):
                point = Point(number, opened.text, said, 1.0, dated(opened.text, said, "count"))
                lines = (Line(DIFFER), Line("\n- "), *_lines(point, opened), *_as_item(direct.lines))
                return replace(direct, lines=lines, verdict="partial")
    return None


def _with_later_time(snapshot: Snapshot, understanding: Understanding, direct: DirectAnswer, told: Line) -> DirectAnswer | None:
    """The day on which something was last done, in a row of a table, below a line of a later day that has the whole name of what the row is
    of and what was done: "I did the restore test of the calendar on Wednesday". None where there is none."""
    stated = direct.stated
    if stated is None or told.node is None or _LAST.search(understanding.text) is None or not days(stated.value):
        return None
    key = set(terms(stated.asked_of or stated.subject)) - LIGHT
    done = set(terms(_LAST.sub(" ", stated.relation))) - key - LIGHT - _OF_DAYS
    found: list[SaidLater] = []
    for opened in _near(snapshot, f"{' '.join(sorted(key))} {stated.relation}") if key and done else ():
        for passage in passages(opened.text) if document_of(opened.node) != document_of(told.node) else ():
            said = quote(opened.text.text, passage.start, passage.end)
            is_of_it = passage.kind in ("text", "item") and key | done <= set(terms(said.text)) and not said.text.endswith("?")
            day = dated(opened.text, said, "when") if is_of_it and is_said_then(opened.text, said.start) else None
            if day is not None and day > max(days(stated.value)):
                found.append(SaidLater(day, opened, said))
    return told_below(direct, newest_first(found)) if found else None


def _sent_days(above: str) -> list[Day]:
    """The day of the nearest mail above, in a text with several: "Date: Fri, 20 Nov 2026 15:12"."""
    sent = next(reversed([*_SENT.finditer(above)]), None)
    return days(sent[1]) if sent is not None else []


def _above_tickets(snapshot: Snapshot, understanding: Understanding, direct: DirectAnswer) -> DirectAnswer:
    """A value that a page states, above the tickets whose titles name what it is stated of and another word of the question: what a
    table says may have been changed by one of them."""
    told = next((line for line in direct.lines if line.node is not None and line.quote is not None), None)
    if direct.stated is None or told is None or told.node is None or told.quote is None:
        return direct
    asked = set(terms(understanding.text)) - LIGHT
    row = told.quote.text if told.quote.text.lstrip().startswith("|") else f"{direct.stated.subject} {direct.stated.value}"
    key = asked & set(terms(f"{direct.stated.subject} {row}"))
    if _KEY.match(told.node.title) or _asks_of_past(understanding.text):
        return direct
    others = asked - key - set(terms(told.node.title))
    view = SnapshotView.of(snapshot, understanding.text)
    of_it: dict[str, OpenedLeaf] = {}
    for opened in view.open_leaves(view.best_nodes(MOST_LOOKED_INTO)):
        title = opened.text.title
        named = set(terms(title))
        shared = key & named
        is_of_it = bool(shared and others) and 2 * len(others & named) >= len(others)
        is_of_row = len(shared) >= MANY_SHARED and _NUMBER.fullmatch(direct.stated.value) is not None
        if _KEY.match(title) and (is_of_it or is_of_row):
            of_it.setdefault(title, opened)
    if not of_it:
        return direct
    lines = [*direct.lines, Line(f"\n\n{OF_THE_SAME}\n")]
    for number, (title, opened) in enumerate(list(of_it.items())[:MOST_TICKETS], 2):
        first = next(iter(passages(opened.text)), None)
        said = quote(opened.leaf.text, first.start, first.end) if first is not None else None
        lines.append(Line(f"\n- {as_text(title)} [{number}]", number, opened.node, opened.leaf, said))
    return replace(direct, lines=tuple(lines), verdict="partial")


def _is_to_come(point: Point, now: date) -> bool:
    """Whether a statement, or the lines above it, say that it holds from a day that is still to come."""
    above = point.leaf.text[max(0, point.quote.start - _ABOVE) : point.quote.start]
    begins = (day for match in _BEGINNING.finditer(f"{above}{point.quote.text}") for day in days(match.group()))
    is_span = any(days(one["first"]) and days(one["last"]) for one in _FROM_TO.finditer(point.quote.text))
    return any(tuple(day) > (now.year, now.month, now.day) for day in begins) and not is_span


def _is_alone(snapshot: Snapshot, text: str, direct: DirectAnswer, told: Node) -> bool:
    """Whether no other document has all the words, in any form, by which a question names what a value is stated of: nothing there says
    otherwise, and over many sources that is found out at once."""
    key = _naming(direct.stated, text) if direct.stated is not None else set[str]()
    explained = find_abbreviations(text, snapshot.index.facts(snapshot.scope))
    if not key or explained.full:
        return False
    forms = [(term, *same_as(term), *explained.short.get(term, ())) for term in sorted(key)]
    places = snapshot.index.with_all(forms, snapshot.scope, MOST_NAMED)
    return places is not None and all(document_around(place) == document_around(told.place) for place in places)


def _with_all(snapshot: Snapshot, key: Sequence[str], value: str) -> Iterator[OpenedLeaf]:
    """The leaves that have all of these terms; of very many those that have most of them and of a value."""
    places = snapshot.index.with_all([(term,) for term in key], snapshot.scope, MOST_LOOKED_INTO)
    if places is None:
        return _near(snapshot, f"{' '.join(key)} {value}")
    nodes = snapshot.store.nodes.at(places, snapshot.version)
    leaves = [nodes[place] for place in places if place in nodes and nodes[place].kind == "leaf"]
    return iter(SnapshotView.unscored(snapshot).open_leaves(leaves))


def _near(snapshot: Snapshot, text: str) -> Iterator[OpenedLeaf]:
    """The leaves that have most of these words."""
    view = SnapshotView.of(snapshot, text)
    return map(view.open_leaf, view.best_nodes(MOST_LOOKED_INTO))


def _asking_how_much(understanding: Understanding, told: Line | None) -> Understanding:
    """A name alone, or "what is it?", of which an amount is told, asks how much that is."""
    asked = analyse(understanding.text)
    name = (
        asked.subject
        if asked.kind == "definition"
        else understanding.text
        if len(understanding.text.split()) <= FEW_WORDS
        else ""
    )
    name = _ARTICLE.sub("", name).strip(" ?.!")
    if not name or told is None or asked.kind not in ("definition", "open") or not AMOUNT.search(told.text):
        return understanding
    return replace(understanding, text=f"How much is the {name}?")


def _as_item(lines: Sequence[Line]) -> Sequence[Line]:
    """An answer as an item of a list; one that is a list stays as it is."""
    is_list = bool(lines) and lines[0].text.lstrip().startswith("- ")
    return (Line("\n"), *lines) if is_list else (Line("\n- "), *lines)


def _lines(point: Point, opened: OpenedLeaf) -> Iterator[Line]:
    return (Line(one.text, one.number, opened.node, opened.leaf, one.quote) for one in shown(point))


def _others(snapshot: Snapshot, understanding: Understanding, told: Node, kind: Kind) -> Iterator[tuple[Point, OpenedLeaf]]:
    """What other documents state, each with a number of its own."""
    view = SnapshotView.of(snapshot, understanding.text)
    for number, (opened, answer) in enumerate(stating_leaves(view, snapshot.workspace.reader, ()), 2):
        if document_of(opened.node) != document_of(told):
            said: Quote = answer.quotes[0]
            yield Point(number, opened.text, said, answer.strength, dated(opened.text, said, kind)), opened
