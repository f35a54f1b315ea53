"""The rows that a question may mean, told above the passages that may help, with what was not understood."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import pairwise

from prompts.extractive import as_text
from prompts.extractive.asked_values import value_in
from prompts.extractive.dates import days
from prompts.extractive.support import lacks_form
from prompts.language import terms
from prompts.question import Word, weigh
from prompts.records import Question
from prompts.regex import regex
from tree.ask.direct.collection_answer import tell_collections
from tree.ask.direct.said_of_row import with_said_of_row, with_said_of_set
from tree.ask.facts.amounts import says_money
from tree.ask.facts.attribute import COST_WORDS, COSTS, LIGHT
from tree.ask.facts.fitting_facts import ON_DUTY
from tree.ask.facts.likely_rows import LikelyRows, called_by, cells_once, find_likely_rows
from tree.ask.facts.limit_lists import LimitLine, find_limit_line
from tree.ask.facts.limit_rows import LimitRow, find_limit_row
from tree.ask.facts.limits import amount_asked
from tree.ask.facts.price_columns import COSTING, is_price
from tree.ask.facts.row_calculations import find_calculation
from tree.ask.facts.set_question import Condition
from tree.ask.facts.thing_sets import BLANK, Found, aggregate
from tree.ask.facts.told_facts import FactCitations, line, listed, readable
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.snapshot_view import ReadLeaf, SnapshotView
from tree.ask.snapshot.standing_documents import held_against_standing
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.understand import Understanding
from tree.retrieve.collections import Table
from tree.retrieve.fact_index import FactIndex, StoredFact, folded
from tree.retrieve.names import tokens

LOOKED_AT = 40  # leaves, the most promising
MOST_TABLES = 8
MOST_LISTS = 12  # leaves, the most promising, that are looked through for lists of limits
MUCH_MORE = 0.2  # of the weight of a question that a passage has to say beside what rows say, to be told before them
_HOW_MANY = regex(r"\A\W*(?:and )?how many (?P<things>[\w-]+(?: [\w-]+s)?)\b", re.IGNORECASE)
ALL_BUT_NOUN = 0.85  # of the weight of a question without what its rows are called
_ENTRY = regex(r"\b(?:last|latest|newest|most recent|first|oldest) (?:entry|record|row|line)\b", re.IGNORECASE)
_DATE = "date"
_PUT_OF_CELLS = frozenset(
    terms(f"{COST_WORDS} what which who how much many get give have has please now currently")
)  # of a question
_OF_ONE_CELL = frozenset(("count", "open"))  # kinds of question that one cell of a row may answer
_FIGURE = regex(r"\d")
_PRICE_ASKED = regex(r"\W*how much (?:is|are|was|were|does|do|did)\b", re.IGNORECASE)
_ASKS_MEANING = regex(r"\b(?:stands? for|do you mean by|is meant by)\b", re.IGNORECASE)
_NO_ROWS = frozenset(("how_to", "why"))  # kinds of question that no row of a table answers


def answer_from_likely_rows(
    snapshot: Snapshot, understanding: Understanding, view: SnapshotView, read: Sequence[ReadLeaf]
) -> DirectAnswer | None:
    """None where no table has enough of the question. Where nothing that was `read` tells anything, only rows that are known by a name
    are looked for; where it says much more of the question than the rows do, these are a guess that stands below it."""
    kind = understanding.analysis.kind
    is_of_turns = kind == "when" and ON_DUTY.search(understanding.text) is not None  # which rotas tell
    if (
        kind in _NO_ROWS
        or _ASKS_MEANING.search(understanding.text)
        or is_of_turns
        or understanding.named
        or understanding.chat.points
    ):
        return None
    facts, names = snapshot.index.facts(snapshot.scope), snapshot.index.names(snapshot.scope)
    scent, best = view.scent, view.best_leaves()[:LOOKED_AT]
    tables = [names.tables[one] for one in facts.tables_in(best) if one in names.tables][:MOST_TABLES] if best else []
    question = Question(understanding.text, scent.question.weights, scent.question.unknown)
    words, day = weigh(question), today(snapshot)
    if (amount := amount_asked(understanding.text)) is not None:
        if (limited := find_limit_row(amount, words, tables, facts)) is not None:
            return _told_limit(limited, facts, FactCitations(snapshot.store, snapshot.version))
        if (in_list := find_limit_line(amount, words, view.open_leaves(view.best_nodes(MOST_LISTS)))) is not None:
            return _told_line(in_list)
    cells = cells_once(facts)
    telling = [one for one in read if one.answer.verdict != "none"]
    found = find_calculation(understanding.text, words, tables, names, cells, day)
    if found is None and tables:
        found = find_likely_rows(understanding.text, words, kind, tables, names, facts, cells, day, is_strict=not telling)
    if found is not None and _lacks_counted(understanding.text, found):
        return None
    if found is not None and kind == "who":
        found = _with_values(found, facts)
    if found is None:
        return None
    is_list = found.names_column and len(found.things) > 1  # "which boxes run firmware 4.3"
    is_ranked = any(one.rank for one in found.question.conditions)
    is_noun_alone = is_ranked and found.share >= ALL_BUT_NOUN  # not understood: "which bus has the most miles"
    is_guess = bool(found.not_understood) and not is_list and not is_noun_alone
    table = names.tables[found.question.collection]
    is_guess = is_guess and _says_much_more(telling, found, words, table, facts)
    is_guess = is_guess or (not found.is_worked_out and _is_part_of_name(understanding.text, found, telling, table))
    return _told(found, snapshot, understanding, is_guess)


def _says_much_more(read: Sequence[ReadLeaf], found: LikelyRows, words: Sequence[Word], table: Table, facts: FactIndex) -> bool:
    """Whether a passage has much more of the words of a question than any of the rows that were found, each with what stands above it."""
    rows: dict[str, set[str]] = {}
    for one in facts.of_things(found.things, found.question.collection):
        rows.setdefault(one.thing, set(called_by(table))).update(terms(f"{one.fact.relation} {one.fact.value}"))
    said = [
        {*terms(one.answer.excerpts[0].quote.text), *terms(" ".join(one.text.heading))} for one in read if one.answer.excerpts
    ]
    best = max((_weight_in(words, there) for there in said), default=0.0)
    total = sum(word.weight for word in words)
    return best - max((_weight_in(words, there) for there in rows.values()), default=0.0) > MUCH_MORE * total


def _is_part_of_name(text: str, found: LikelyRows, read: Sequence[ReadLeaf], table: Table) -> bool:
    """Whether the word that chose the rows is one of two that a passage has together: the "Open Day" is no row that is open."""
    valued = {term for one in found.question.conditions for term in {*terms(one.words)} - {*terms(" ".join(one.relations))}}
    around = set(called_by(table)) | valued | set(terms(" ".join(table.columns)))
    pairs = {
        pair for pair in pairwise(terms(text)) if len(valued.intersection(pair)) == 1 and len(around.intersection(pair)) == 1
    }
    said = (excerpt.quote.text for one in read for excerpt in one.answer.excerpts[:1])
    return bool(pairs) and any(not pairs.isdisjoint(pairwise(terms(one))) for one in said)


def _weight_in(words: Sequence[Word], there: Set[str]) -> float:
    return sum(word.weight for word in words if word.is_in(there))


def _lacks_counted(text: str, found: LikelyRows) -> bool:
    """Whether it is asked how many of something there are, "how many crew members", and of that the row has no word; nor the column that is
    added up: of "pallet places" not the pallets that were spoilt."""
    counted = _HOW_MANY.match(text)
    if counted is None:
        return False
    things = terms(counted["things"])
    if not set(things).isdisjoint(terms(" ".join(found.not_understood))):
        return True
    if not found.is_worked_out:
        return False
    labels = set(terms(" ".join(found.question.columns)))
    return (
        len(things) > 1 and counted["things"].endswith("s") and bool(labels) and things[0] in labels and things[-1] not in labels
    )


def _with_values(found: LikelyRows, facts: FactIndex) -> LikelyRows:
    """Of those who are asked for by a column, "who is trained for soldering", the ones who have something in it."""
    columns = tuple(folded(one) for one in found.question.columns)
    stated = facts.values(found.question.collection, columns) if len(columns) == 1 else ()
    having = {thing for thing, value in stated if folded(value) not in BLANK}
    things = tuple(one for one in found.things if one in having)
    if not 0 < len(things) < len(found.things):
        return found
    condition = Condition(columns, negated=True, words=f"with {found.question.columns[0]}")
    question = replace(found.question, conditions=(*found.question.conditions, condition))
    return replace(found, question=question, things=things)


def _told(found: LikelyRows, snapshot: Snapshot, understanding: Understanding, is_guess: bool) -> DirectAnswer | None:
    facts = snapshot.index.facts(snapshot.scope)
    rows: dict[str, dict[str, StoredFact]] = {thing: {} for thing in found.things}
    for fact in facts.of_things(found.things, found.question.collection):
        rows[fact.thing].setdefault(folded(fact.fact.relation), fact)
    sources = FactCitations(snapshot.store, snapshot.version)
    told = tell_collections(
        [(found.question, Found(frozenset(rows), rows, found.total, aggregated=aggregate(found.question, facts, rows.keys())))],
        sources,
    )
    if told is None or told.step is None:
        return None
    unknown = listed([f"“{word}”" for word in found.not_understood]) if found.not_understood else ""
    unknown = f"Not understood: {unknown}." if unknown else ""
    step = replace(told.step, reason=f"{told.step.reason} {unknown}".rstrip())
    may_answer = _may_answer(understanding, rows.values())
    is_of_no_day = understanding.analysis.kind == "when" and not may_answer
    if unknown and (is_of_no_day or lacks_form(understanding.text, *map(_in_a_line, rows.values()))):
        return None  # "when was the tunnel built?", "how heavy is it?"
    is_guess = is_guess or (bool(unknown) and not (may_answer and _has_date(found, rows.values())))
    is_understood = not unknown and found.is_worked_out
    told = replace(told, step=step, verdict="partial", chart=None, is_guess=is_guess, is_understood=is_understood)
    lines = (*told.lines, *([Line(f"\n\n*{as_text(unknown)}*")] if unknown else []))
    is_ranked = bool(found.question.aggregate) or any(one.rank for one in found.question.conditions)
    if len(rows) == 1 and is_ranked and _ENTRY.search(understanding.text):
        found, is_ranked = (
            replace(found, question=replace(found.question, columns=())),
            False,
        )  # what it says is asked, whatever that is
    if len(rows) == 1 and not is_ranked:
        by = ", ".join(one.words for one in found.question.conditions)
        chosen = f"1 of {found.total} rows of {found.question.called}, by {by}. {unknown}".rstrip()
        row = rows[found.things[0]]
        lines = (*_one(found, row, sources), Line(f"\n\n*{as_text(chosen)}*"))
        alone = replace(told, lines=lines)
        since = with_said_of_row(snapshot, alone, understanding.text)
        called = called_by(snapshot.index.names(snapshot.scope).tables[found.question.collection])
        if since is alone and not is_guess and not unknown and _is_plainly_asked(understanding, found, row, called):
            return held_against_standing(snapshot, understanding.text, replace(alone, verdict="complete"))
        return since
    return with_said_of_set(snapshot, replace(told, lines=lines), understanding.text)


def _is_plainly_asked(understanding: Understanding, found: LikelyRows, row: Mapping[str, StoredFact], called: Set[str]) -> bool:
    """Whether one cell of a row is what is asked for: of the only column that the question names, in words of its own, with an amount for
    "how much", of money where it is a price; all that chose the row is said by the question, and is more than a number; words with
    which things are asked for stand in the row, in its labels or in what its table is `called` as well."""
    kind, text = understanding.analysis.kind, understanding.text
    if found.is_worked_out or found.question.aggregate or len(found.question.columns) != 1 or kind not in _OF_ONE_CELL:
        return False
    cell = row.get(found.question.columns[0])
    said = {term for word in tokens(text) for term in terms(word.text)}
    chosen = [
        term for one in found.question.conditions for term in terms(one.words) if term not in terms(" ".join(one.relations))
    ]
    is_chosen = any(map(str.isalpha, chosen)) and said.issuperset(chosen)
    if cell is None or folded(cell.fact.value) in BLANK or not is_chosen or said.isdisjoint(terms(cell.fact.relation)):
        return False
    around = {*called, *_PUT_OF_CELLS}.union(*(terms(f"{one.fact.relation} {one.fact.value}") for one in row.values()))
    if said & LIGHT - around:
        return False  # "the stand-by rate for the third line": neither word need be light here
    value, others = cell.fact.value, [one.fact.value for one in row.values() if one is not cell]
    if kind == "count" and not _FIGURE.search(value):
        return False
    if COSTING.isdisjoint(folded(text).split()) and not _PRICE_ASKED.match(text):
        return True
    if not COSTS.isdisjoint(terms(cell.fact.relation)) and "price" not in {*terms(cell.fact.relation), *called}:
        return False  # what a complaint about a thing cost is not what the thing costs
    return says_money(value) or (is_price(cell.fact.relation.casefold()) and not any(map(says_money, others)))


def _in_a_line(row: Mapping[str, StoredFact]) -> str:
    return " · ".join(f"{fact.fact.relation}: {fact.fact.value}" for fact in row.values())


def _may_answer(understanding: Understanding, rows: Iterable[Mapping[str, StoredFact]]) -> bool:
    """Whether rows may have what is asked for: they say what is, and not whether it is so; and a day only where one stands in them."""
    asked = understanding.analysis
    told = map(_in_a_line, rows)
    return asked.kind != "yes_no" and (
        asked.kind != "when" or any(value_in(understanding.text, asked, one) is not None for one in told)
    )


def _has_date(found: LikelyRows, rows: Iterable[Mapping[str, StoredFact]]) -> bool:
    """Whether a date stands in the columns that are asked for, where it is a date that is asked for: "start date of ..."; none does where
    the row says "planned"."""
    asked = [row[one].fact.value for row in rows for one in found.question.columns if one in row]
    return not (asked and _DATE in found.not_understood) or any(days(value) for value in asked)


def _told_limit(found: LimitRow, facts: FactIndex, sources: FactCitations) -> DirectAnswer | None:
    row = {folded(fact.fact.relation): fact for fact in facts.of_things([found.thing], found.table.collection)}
    cited = sources.cite(row.values())
    first = next((fact for fact in row.values() if fact.place in cited), None)
    if first is None:
        return None
    node, _ = cited[first.place]
    others = [fact for relation, fact in row.items() if relation != found.column]
    told = [f"{as_text(fact.fact.relation)}: **{as_text(readable(fact.fact.value))}**" for fact in others]
    limit = row[found.column].fact
    told.append(f"{as_text(limit.relation)}: {as_text(limit.value)}")
    reason = f"Its limits hold the amount that is asked about: 1 of {found.total} rows of {found.table.called}."
    step = Step("register", node.place, node.hash, node.title, reason=reason)
    lines = (line(f"{' · '.join(told)} [1]", 1, first, cited), Line(f"\n\n*{as_text(reason)}*"))
    return DirectAnswer(step, lines, "partial")


def _told_line(found: LimitLine) -> DirectAnswer:
    node = found.opened.node
    reason = f"Its limits hold the amount that is asked about: 1 of {found.total} lines of “{node.title}”."
    step = Step("register", node.place, node.hash, node.title, reason=reason)
    told = f"**{as_text(found.value)}** · {as_text(found.limit)} [1]"
    lines = (Line(told, 1, node, found.opened.leaf, found.said), Line(f"\n\n*{as_text(reason)}*"))
    return DirectAnswer(step, lines, "partial")


def _one(found: LikelyRows, row: Mapping[str, StoredFact], sources: FactCitations) -> Iterator[Line]:
    """A row in full, what is asked for first."""
    cited = sources.cite(row.values())
    asked = [one for one in found.question.columns if one in row]
    for at, relation in enumerate([*asked, *(one for one in row if one not in asked)]):
        fact = row[relation].fact
        said = as_text(readable(fact.value))
        said = f"**{said}**" if relation in asked else said
        yield line(f"{' · ' if at else ''}{as_text(fact.relation)}: {said}", 1, row[relation], cited)
    yield line(" [1]", 1, next(iter(row.values())), cited)
