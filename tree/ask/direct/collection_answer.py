"""Sets of rows and of files as an answer: how many of how many and of what, the first of them, grouped where that is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from prompts.extractive import as_text
from prompts.language import plural, singular, terms
from tree.ask.direct.said_of_row import CHANGING
from tree.ask.facts.described_row import REMARKS
from tree.ask.facts.ended_rows import gone_among, is_of_end
from tree.ask.facts.row_table import table_of
from tree.ask.facts.set_question import Condition, SetQuestion
from tree.ask.facts.stock_columns import says_how_many
from tree.ask.facts.thing_sets import BASES, SHOWN, Found, extremes
from tree.ask.facts.told_facts import FactCitations, line, listed, readable
from tree.ask.snapshot.chart import Chart, chart_of
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.trail import Step
from tree.retrieve.fact_index import StoredFact, folded
from tree.store.leaves import FILE, Leaf
from tree.store.nodes import Node

_ARTICLES = frozenset(
    "item items article product goods part what material description name artikel produkt ware teil article produit".split()
)  # columns
_CODES = frozenset("id no nr number code key sku ref reference".split())  # in the name of the column that names rows
_DESCRIBING = frozenset(
    """item name description title subject summary product article part happened supplier customer service tool role what bezeichnung
    beschreibung artikel produkt titel""".split()
)
MOST_SAID = 3  # statements told of a file
MOST_GROUPS = 40
MOST_BASES = 5
MOST_GONE = 4  # rows that hold no more
Told = tuple[SetQuestion, Found]


def tell_collections(found: Sequence[Told], sources: FactCitations) -> DirectAnswer | None:
    """One set, or one of each collection that may be meant: then it is shown that there are several, and none is chosen."""
    found = [(question, replace(result, aggregated=None) if result.bases else result) for question, result in found]
    facts = [fact for _, result in found for stated in result.told.values() for fact in stated.values()]
    cited = sources.cite(facts)
    if any(fact.place not in cited for fact in facts):
        return None
    numbers: dict[str, int] = {}
    lines: list[Line] = []
    if len(found) > 1:
        lines.append(Line(f"{len(found)} tables or folders may be meant; of each:"))
    for question, result in found:
        lines += [Line("\n\n")] if lines else []
        lines += _told(question, result, cited, numbers)
    gone: list[StoredFact] = []
    for question, result in found if all(one.collection != FILE for one, _ in found) else ():
        asked = frozenset(relation for one in question.conditions for relation in one.relations)
        gone += gone_among(result.told, asked)
    if gone:
        said = (f"{as_text(one.fact.subject.name)}: {as_text(one.fact.value)}" for one in gone[:MOST_GONE])
        lines.append(Line(f"\n\n*Of these {'; '.join(said)}{' …' if len(gone) > MOST_GONE else ''}*"))
    elif besides := sum(result.void_besides for _, result in found):
        says = (
            "says that it holds no more, or is there twice" if besides == 1 else "say that they hold no more, or are there twice"
        )
        lines.append(Line(f"\n\n*{besides} of those that are not told here {says}.*"))
    question, result = found[0]
    chart = _chart(question, result) if len(found) == 1 else None
    is_sure = len(found) == 1 and not (question.is_by_heading and question.wanted == "list" and not question.conditions)
    is_sure = is_sure and not (question.aggregate and result.aggregated is None) and not _may_be_pieces(question, result)
    is_sure = (
        is_sure and not (gone and _rests_on_gone(question, result, gone)) and not any(result.void_besides for _, result in found)
    )
    is_sure = (
        is_sure
        and not any(result.bases for _, result in found)
        and not question.is_guess
        and not any(result.unread for _, result in found)
    )
    is_sure = is_sure and not _counts_rows_twice(question, result)
    if unsaid := _asked_and_unsaid(question, result):
        lines.append(Line(f"\n\n*{as_text(unsaid).capitalize()}: not said there.*"))
        is_sure = False
    if len(result.keys) <= 1:
        is_sure = is_sure and not any(_is_of_remarks(condition) for condition in question.conditions)
    return DirectAnswer(
        _step(found, cited),
        tuple(lines),
        "complete" if is_sure else "partial",
        chart,
        is_set=True,
        may_be_outdated=any(CHANGING.search(one.replace("_", " ")) for question, _ in found for one in _columns(question)),
    )


def _rests_on_gone(question: SetQuestion, found: Found, gone: Sequence[StoredFact]) -> bool:
    """Whether rows that hold no more, are there twice or never were make what is told of all another: how many there are, what they come
    to, which is the first, what is overdue. Who has most of them is the same where it is so without them."""
    if question.wanted in ("most", "least"):
        left = frozenset(found.keys).difference(one.thing for one in gone)
        remaining = [replace(group, keys=tuple(key for key in group.keys if key in left)) for group in found.groups]
        with_all, without = extremes(found.groups, question.wanted), extremes(remaining, question.wanted)
        return [(one.value, len(one.keys)) for one in with_all] != [(one.value, len(one.keys)) for one in without]
    is_ranked = any(one.rank for one in question.conditions)
    ends = (relation for one in question.conditions if one.span or one.either for relation in one.relations)
    return question.wanted != "list" or bool(question.aggregate) or is_ranked or is_of_end(ends)


def _may_be_pieces(question: SetQuestion, found: Found) -> bool:
    """Whether rows of an article are counted in a table that says of how many pieces each of them is: "how many pumps"."""
    if not any(_ARTICLES & set(one.split()) for condition in question.conditions for one in condition.relations):
        return False
    is_stock = says_how_many(name for stated in found.told.values() for name in stated)
    return question.wanted == "count" and not question.aggregate and is_stock


def _asked_and_unsaid(question: SetQuestion, found: Found) -> str:
    """The column that is asked for, where no row that is told says anything in it: the express price of a test that has none."""
    rows = found.told.values()
    if (
        question.wanted != "list"
        or not question.columns
        or not rows
        or any(one in row for row in rows for one in question.columns)
    ):
        return ""
    return question.columns[0].replace("_", " ")


def _counts_rows_twice(question: SetQuestion, found: Found) -> bool:
    """Whether things are counted by the column that names the rows, which names some of them several times."""
    if question.wanted != "count" or question.conditions or not question.naming:
        return False
    names = [folded(row[question.naming[0]].fact.value) for row in found.told.values() if question.naming[0] in row]
    return len(set(names)) < len(names) and terms(question.noun) == terms(question.naming[0])


def _is_of_remarks(condition: Condition) -> bool:
    """Whether it looks for words in a column of remarks: what one row alone says there may be so of others too."""
    return bool(condition.relations) and all(REMARKS & set(one.split()) for one in condition.relations)


def _told(question: SetQuestion, found: Found, cited: dict[str, tuple[Node, Leaf]], numbers: dict[str, int]) -> Iterator[Line]:
    yield Line(_headline(question, found))
    if found.bases:
        yield Line(f"\n\n*{_kinds_told(question, found.bases)}*")
    if question.group and found.keys:
        yield Line(f"\n\n| {as_text(question.group)} | {as_text(question.noun)} |\n| --- | --- |")
        yield from (Line(f"\n| {as_text(readable(group.value))} | {len(group.keys)} |") for group in found.groups[:MOST_GROUPS])
        if len(found.groups) > MOST_GROUPS:
            yield Line(f"\n\n… and {len(found.groups) - MOST_GROUPS} more.")
    rows = [stated for stated in found.told.values() if stated]
    if found.unread:
        number = len(found.unread)
        yield Line(
            f"\n\n*Of {number} more {'file' if number == 1 else 'files'} it is not known: they say it in no form that is read.*"
        )
    if not rows:
        return
    yield Line("\n\n")
    if question.collection == FILE:
        yield from _files(question, rows, cited, numbers)
    else:
        described = _describing(rows, question.naming[0])
        bases = [one for one in BASES if found.bases and any(one in row for row in rows)][:1]
        columns = tuple(dict.fromkeys((*_called_as(question.noun, rows), *described, *_columns(question), *bases)))
        yield from table_of(rows, columns, cited, question.naming[0], numbers)
    if len(found.keys) > SHOWN:
        yield Line(f"\n\n… and {len(found.keys) - SHOWN} more.")


def _kinds_told(question: SetQuestion, bases: Sequence[str]) -> str:
    """That amounts of different kinds are no sum, and have no greatest."""
    more = f" and {len(bases) - MOST_BASES} more" if len(bases) > MOST_BASES else ""
    kinds = as_text(", ".join(bases[:MOST_BASES]) if more else listed(list(bases)))
    done = "added up" if question.aggregate else "compared as they stand"
    return f"These amounts cannot be {done}, they are of {len(bases)} kinds: {kinds}{more}."


def _called_as(noun: str, rows: Sequence[Mapping[str, StoredFact]]) -> list[str]:
    """The column that is called as the things are that are asked for, where another one names their rows."""
    every = dict.fromkeys(column for row in rows for column in row)
    return [column for column in every if terms(column) == terms(noun)]


def _describing(rows: Sequence[Mapping[str, StoredFact]], naming: str) -> list[str]:
    """The first column that says in words what rows are that only a number or a code names: "EQ-009" is a safety cabinet."""
    if naming and not _CODES.intersection(naming.split()):  # "#" is no word
        return []
    every = dict.fromkeys(column for row in rows for column in row)
    return [column for column in every if column != naming and _DESCRIBING.intersection(column.split())][:1]


def _columns(question: SetQuestion) -> tuple[str, ...]:
    """Those that the question asks for or is about."""
    about = (relation for condition in question.conditions for relation in condition.relations)
    return tuple(dict.fromkeys((*question.columns, *about, question.group)))


def _step(found: Sequence[Told], cited: Mapping[str, tuple[Node, Leaf]]) -> Step:
    question, result = found[0]
    title = "; ".join(f"{len(result.keys)} of {result.total} {_whole(question, result.total)}" for question, result in found)
    said = _said(question.conditions)
    reason = f"Every one of them was held against: {said}." if said else "All of them were counted."
    node = next((node for node, _ in cited.values()), None)
    return Step("register", node.place if node else "", node.hash if node else "", title, reason=reason)


def _said(conditions: Sequence[Condition]) -> str:
    return ", ".join(condition.words for condition in conditions)


def _whole(question: SetQuestion, number: int) -> str:
    """ "tickets of tickets.csv", "incidents in incidents", "tickets" that are files, and what these were narrowed to before."""
    said = _said([one for one in question.within if not one.folders and one.words != question.noun])
    return _things(question, number) + (f" ({said})" if said else "")


def _things(question: SetQuestion, number: int) -> str:
    noun = singular(question.noun) if number == 1 else _several(question.noun)
    if question.collection == FILE:
        return f"{noun} {question.called}" if question.called else noun
    return f"{noun} of {question.called}"


def _several(noun: str) -> str:
    return noun if noun.endswith("s") else plural(noun)


def _headline(question: SetQuestion, found: Found) -> str:
    number, asked = len(found.keys), f" ({as_text(_said(question.conditions))})" if question.conditions else ""
    whole = as_text(_whole(question.exceptions if question.wanted == "all" else question, found.total))
    if question.wanted == "all":
        said = as_text((question.conditions[-1].turned if found.keys else question.conditions[-1]).words)
        return f"**{f'No: {number}' if found.keys else 'Yes: all'} of {found.total} {whole}** ({said})."
    if not found.keys and question.sizes is not None:
        return f"**None**: no {as_text(question.group)} has {question.sizes.words} of {found.total} {whole}{asked}."
    if not found.keys:
        return f"**{'No: none' if question.wanted == 'any' else 'None'} of {found.total} {whole}**{asked}."
    if question.wanted in ("most", "least") and (groups := extremes(found.groups, question.wanted)):
        size, each = len(groups[0].keys), " each" if len(groups) > 1 else ""
        return f"**{as_text(listed([readable(group.value) for group in groups]))}** with {size}{each} of {found.total} {whole}{asked}."
    if question.sizes is not None:
        each = " each" if len(found.groups) > 1 else ""
        said = listed([readable(group.value) for group in found.groups])
        return f"**{as_text(said)}** with {question.sizes.words}{each} of {found.total} {whole}{asked}:"
    rank = next((one for one in question.conditions if one.rank), None)
    if rank is not None and number == 1 == len(found.told):
        [told] = found.told.values()
        cell = told.get(rank.relations[0])
        value = f": {as_text(readable(cell.fact.value))}" if cell is not None else ""
        called = [one for one in _called_as(question.noun, [told]) if one not in question.naming]
        columns = [] if question.collection == FILE else called or _describing([told], question.naming[0])
        described = [told[one].fact.value for one in columns]
        name = " ".join(dict.fromkeys((next(iter(told.values())).fact.subject.name, *described)))
        name = ", ".join(dict.fromkeys((name, *(told[one].fact.value for one in question.leading if one in told))))
        return f"**{as_text(name)}**{asked}{value}, of {found.total} {whole}:"
    if found.aggregated is not None:
        said = f"{found.aggregated.amount:,.2f}".removesuffix(".00")
        column = next(
            (row[found.aggregated.relation].fact.relation for row in found.told.values() if found.aggregated.relation in row),
            found.aggregated.relation,
        )
        silent = number - found.aggregated.stated
        blank = f" ({silent} of these {'says' if silent == 1 else 'say'} none)" if silent else ""
        of = f"{number} of {found.total}" if number < found.total else f"all {number}"
        made = "on average" if question.aggregate == "average" else "in all"
        return f"**{said}** {made}, {as_text(column)} of {of} {whole}{asked}{blank}:"
    yes = "Yes: " if question.wanted == "any" else ""
    if number == found.total and not asked:
        return f"**{yes}{number} {whole}**:"
    return f"**{yes}{number} of {found.total} {whole}**{asked}:"


def _files(
    question: SetQuestion, rows: Sequence[Mapping[str, StoredFact]], cited: dict[str, tuple[Node, Leaf]], numbers: dict[str, int]
) -> Iterator[Line]:
    """A line for each, with what it says of itself that the question is about."""
    wanted = _columns(question)
    for facts in rows:
        proof = next((facts[one] for one in wanted if one in facts), next(iter(facts.values())))
        node, leaf = cited[proof.place]
        title = _with_key(leaf.as_read().title or node.title, facts)
        told = [facts[one] for one in wanted if one in facts] or [
            facts[one] for one in ("status", "date", "owner") if one in facts
        ]
        said = "; ".join(f"{as_text(fact.fact.relation)}: {as_text(readable(fact.fact.value))}" for fact in told[:MOST_SAID])
        number = numbers.setdefault(proof.place, len(numbers) + 1)
        yield line(f"\n- **{as_text(title)}**{f' ({said})' if said else ''} [{number}]", number, proof, cited)


def _with_key(title: str, facts: Mapping[str, StoredFact]) -> str:
    """A title with the key of a ticket before it, where it has that not in it."""
    key = facts["key"].fact.value if "key" in facts else ""
    return title if key in title else f"{key} {title}"


def _chart(question: SetQuestion, found: Found) -> Chart | None:
    names = [group.value for group in found.groups]
    return chart_of(question.group, names, {question.noun: [len(group.keys) for group in found.groups]})
