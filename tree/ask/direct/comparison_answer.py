"""Two things compared by one thing that is stated of both: which row of a table is the cheaper, who of two has more tickets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from prompts.extractive import as_text
from prompts.regex import regex
from tree.ask.facts.amounts import MONEY, amount_of, units_in
from tree.ask.facts.collection_question import read_collections
from tree.ask.facts.fact_question import read_set_question
from tree.ask.facts.row_names import rows_called
from tree.ask.facts.row_table import table_of
from tree.ask.facts.set_question import SetQuestion
from tree.ask.facts.thing_sets import Found, find_set
from tree.ask.facts.told_facts import FactCitations, line
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.understand import Understanding
from tree.retrieve.collections import Table
from tree.retrieve.fact_index import StoredFact, folded
from tree.store.leaves import Leaf
from tree.store.nodes import Node

_CHEAPER, _DEARER = r"cheaper|less expensive|less costly", r"dearer|pricier|costlier|more expensive|more costly"
_ARTICLE = r"(?:(?:an?|the|our) )?"
_ONE, _OTHER = rf"{_ARTICLE}(?P<one>[^?,\n]{{2,60}}?)", rf"{_ARTICLE}(?P<other>[^?,\n]{{2,60}}?)"
_WHICH = rf"(?:which|what)(?: one| of (?:them|the two|these|those))?(?: is| are|['’]s)? (?:the )?(?P<degree>{_CHEAPER}|{_DEARER})(?: one)?"
_HOW_MUCH = r"(?:,? and by how much|,? and how much)?"
_ENDS = r"\W*\Z"
_PRICED = tuple(
    regex(rf"\A\W*{pattern}{_HOW_MUCH}{_ENDS}", re.IGNORECASE)
    for pattern in (
        rf"(?:is|are) {_ONE} (?P<degree>{_CHEAPER}|{_DEARER}) than {_OTHER}",
        rf"{_WHICH}[,:;]? {_ONE} or {_OTHER}",
        rf"{_ONE} or {_OTHER}[,:;?]? {_WHICH}",
        rf"how much (?P<degree>{_CHEAPER}|{_DEARER}) (?:is|are) {_ONE} than {_OTHER}",
        rf"how much (?P<degree>more|less) (?:do|does) {_ONE} costs? than {_OTHER}",
        rf"(?:do|does) {_ONE} cost (?P<degree>more|less) than {_OTHER}",
    )
)
_HAS_MORE = regex(
    r"\A\W*who (?:has|have|got|has got) (?:the )?(?:more|most|fewer) (?P<what>[^?,\n]{3,80}?)[,:;]? (?P<one>\w+(?: \w+)?) or (?P<other>\w+(?: \w+)?)\W*\Z",
    re.IGNORECASE,
)
_PRICES = frozenset("price prices cost costs fee fees".split())


def answer_comparison(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for "is A dearer than B?", and for "who has more open cases, A or B?"."""
    if (asked := _HAS_MORE.match(understanding.text)) is not None:
        return _who_has_more(snapshot, asked)
    asked = next((match for pattern in _PRICED if (match := pattern.match(understanding.text)) is not None), None)
    return _by_price(snapshot, asked) if asked is not None else None


# ---------------------------------------------------------------- what two rows cost


def _by_price(snapshot: Snapshot, asked: re.Match[str]) -> DirectAnswer | None:
    """Both amounts, each of its row, of the one table that has a price for both; None where there is no such table, or several."""
    names, facts = snapshot.index.names(snapshot.scope), snapshot.index.facts(snapshot.scope)
    others = {table.collection: name for table, name in rows_called(asked["other"], names)}
    both = [
        (table, name, others[table.collection])
        for table, name in rows_called(asked["one"], names)
        if others.get(table.collection, name) != name and _priced(table)
    ]
    if len(both) != 1:
        return None
    table, one, other = both[0]
    rows = [_row(facts.about([name]), table) for name in (one, other)]
    if not all(rows):
        return None
    return _told(asked, table, [row for row in rows if row], FactCitations(snapshot.store, snapshot.version))


def _priced(table: Table) -> list[str]:
    """The columns (folded) that hold prices: by their name, else by the unit of what they hold."""
    columns = list(map(folded, table.columns))
    return [one for one in columns if _PRICES & set(one.split())] or [one for one in columns if units_in(one) & MONEY]


def _row(stated: Sequence[StoredFact], table: Table) -> dict[str, StoredFact]:
    """The cells of the one row of a table, by column; nothing where there are several."""
    columns = set(map(folded, table.columns))
    cells = [one for one in stated if one.fact.row and folded(one.fact.relation) in columns and one.place.startswith(table.place)]
    return {folded(one.fact.relation): one for one in cells} if len({one.line for one in cells}) == 1 else {}


def _told(
    asked: re.Match[str], table: Table, rows: Sequence[dict[str, StoredFact]], sources: FactCitations
) -> DirectAnswer | None:
    columns = [one for one in _priced(table) if all(one in row for row in rows)]
    amounts = [[amount_of(row[one].fact.value) for one in columns] for row in rows]
    cited = sources.cite([fact for row in rows for fact in row.values()])
    if not columns or any(fact.place not in cited for row in rows for fact in row.values()):
        return None
    gaps = {
        column: mine.number - other.number
        for column, mine, other in zip(columns, *amounts, strict=True)
        if mine is not None and other is not None and mine.unit == other.unit
    }
    if len(gaps) < len(columns) or len({(gap > 0) - (gap < 0) for gap in gaps.values()}) > 1:
        return None  # the one is dearer by the day and cheaper by the week
    first, second = (next(iter(row.values())).fact.subject.name for row in rows)
    gap = gaps[columns[0]]
    more, less = (first, second) if gap > 0 else (second, first)
    sought = less if re.fullmatch(rf"{_CHEAPER}|less", asked["degree"], re.IGNORECASE) else more
    differences = "; ".join(
        f"{f'{abs(difference):,.2f}'.removesuffix('.00')} {'more' if sought == more else 'less'} ({as_text(rows[0][column].fact.relation)})"
        for column, difference in gaps.items()
    )
    said = f"**{as_text(sought)}**, {differences}:" if gap else f"**{as_text(first)}** and **{as_text(second)}** cost the same:"
    if re.match(r"\W*(?:is|are|do|does)\b", asked.string, re.IGNORECASE):
        said = f"{'Yes' if gap and sought == first else 'No'}: {said}"
    fact = rows[0][columns[0]]
    node = cited[fact.place][0]
    step = Step(
        "register", node.place, node.hash, node.title, reason=f"Both are rows of {table.called}, which says what each costs."
    )
    return DirectAnswer(
        step, (Line(f"{said}\n\n"), *table_of(rows, tuple(columns), cited, folded(table.naming))), may_be_outdated=True
    )


# ---------------------------------------------------------------- who has more


def _who_has_more(snapshot: Snapshot, asked: re.Match[str]) -> DirectAnswer | None:
    """Both sets counted; None where one of them cannot be, or they are not of the same things."""
    told = [_counted(snapshot, f"how many {asked['what']} does {name} have") for name in (asked["one"], asked["other"])]
    known = [one for one in told if one is not None]
    if len(known) < len(told) or known[0][0].collection != known[1][0].collection:
        return None
    sizes = [len(found.keys) for _, found in known]
    sources = FactCitations(snapshot.store, snapshot.version)
    facts = [next(iter(stated.values())) for _, found in known for stated in found.told.values() if stated]
    cited = sources.cite(facts)
    if not facts or any(fact.place not in cited for fact in facts):
        return None
    is_fewer = "fewer" in asked.group().casefold()
    names = [name.title() if name.islower() else name for name in (asked["one"], asked["other"])]
    best = (min if is_fewer else max)(sizes)
    who = [name for name, size in zip(names, sizes, strict=True) if size == best]
    lead = f"**{as_text(who[0])}** with {best}" if len(who) == 1 else f"**The same**: {best} each"
    things = f"{as_text(asked['what'])} of {as_text(known[0][0].called)}" if known[0][0].called else as_text(asked["what"])
    numbers: dict[str, int] = {}
    lines = [Line(f"{lead}, of {things}:\n")]
    for name, (_, found) in zip(names, known, strict=True):
        lines.append(Line(f"\n- {as_text(name)}: **{len(found.keys)}**"))
        lines += _proofs(found, numbers, cited)
    node = cited[facts[0].place][0]
    step = Step("register", node.place, node.hash, node.title, reason=f"Counted for each: {', '.join(names)}.")
    return DirectAnswer(step, tuple(lines), is_list=True)


def _proofs(found: Found, numbers: dict[str, int], cited: dict[str, tuple[Node, Leaf]]) -> Iterator[Line]:
    """What was counted, once for each leaf that it stands in."""
    places: dict[str, StoredFact] = {}
    for stated in found.told.values():
        for fact in stated.values():
            places.setdefault(fact.place, fact)
            break
    for place, fact in places.items():
        number = numbers.setdefault(place, len(numbers) + 1)
        yield line(f" [{number}]", number, fact, cited)


def _counted(snapshot: Snapshot, text: str) -> tuple[SetQuestion, Found] | None:
    names, facts, day = snapshot.index.names(snapshot.scope), snapshot.index.facts(snapshot.scope), today(snapshot)
    question = read_set_question(text, names, day)
    asked = [question] if question is not None else read_collections(text, names, facts, day)
    found = [(one, result) for one in asked if (result := find_set(one, facts, day)) is not None]
    return found[0] if len(found) == 1 else None
