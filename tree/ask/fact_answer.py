"""Answers told from facts: one to three sentences, a counted list or a table, each statement with its source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from prompts.extractive import as_text
from prompts.language import terms
from prompts.other_languages import in_english
from tree.ask.attribute import MOST_WORDS, PERSON_LABELS, Attribute, find_attribute
from tree.ask.chart import without_chart_words
from tree.ask.column_chart import ChartedRows, find_chart
from tree.ask.described_thing import tell_which
from tree.ask.direct_answer import DirectAnswer, Line
from tree.ask.fact_question import read_set_question
from tree.ask.newer_statements import with_newer
from tree.ask.rival_facts import DIFFER, is_disputed, newest_first
from tree.ask.row_sets import Rows, find_rows
from tree.ask.snapshot import Snapshot, today
from tree.ask.ticket_answer import tell_tickets
from tree.ask.ticket_history import History, find_history
from tree.ask.ticket_sets import find_tickets
from tree.ask.told_facts import ISO, FactCitations, line, readable, small
from tree.ask.trail import Step
from tree.ask.understanding import Understanding
from tree.retrieve.fact_index import FactIndex, StoredFact, folded
from tree.retrieve.names import Names, tokens
from tree.retrieve.text_facts import ANSWER, DEFINITION, PART
from tree.store.leaves import Leaf
from tree.store.rows import Node

SAME_WORDS = 2  # of a question, for a heading with just these words to be the same
MOST_MORE = 1  # words that such a heading may have besides
MOST_ROWS, MOST_COLUMNS = 30, 4  # of a table
MOST_VALUES = 8  # of one relation
_NUMBER = re.compile(r"[\d.,]+\Z")
_PHRASES = re.compile(
    r"\b(?:looks? after|takes? care of|(?:is|are) in charge of|(?:is|are) (?:the (?:one|person|team) )?responsible for|maintains)\b",
    re.IGNORECASE,
)


def answer_from_facts(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for what is known exactly; None where facts do not answer the question, or it says more than they can."""
    names, facts, day = snapshot.index.names(snapshot.scope), snapshot.index.facts(snapshot.scope), today(snapshot)
    sources = FactCitations(snapshot.store, snapshot.version)
    if understanding.tickets is not None:
        found = find_tickets(understanding.tickets, facts, day)
        return tell_tickets(understanding.tickets, found, sources) if found is not None else None
    told = next(
        (
            told
            for text in _ways_to_put(understanding.text)
            if (told := told_from_facts(text, names, facts, sources, day)) is not None
        ),
        None,
    )
    return with_newer(snapshot, understanding, told) if told is not None and told.may_be_outdated else told


def _ways_to_put(text: str) -> Iterator[str]:
    """A question as it is asked; in English, where it is in another language; in the words of facts, where others say the same."""
    yield text
    if (english := in_english(text)) != text:
        yield english
    plain = _PHRASES.sub("owns", text)
    if plain != text:
        yield plain


def told_from_facts(text: str, names: Names, facts: FactIndex, sources: FactCitations, today: date) -> DirectAnswer | None:
    """`today` is the day that "since Monday" and "overdue" are reckoned from."""
    if len(tokens(text)) > MOST_WORDS:
        return None
    question_answered = find_question(text, names, facts)
    if question_answered:
        return _attribute(Attribute(tuple(question_answered), subject=question_answered[0].fact.subject.name), sources)
    if (drawn := without_chart_words(text)) is not None and (answer := _draw(drawn, names, facts, sources, today)) is not None:
        return answer
    history = find_history(text, names, facts, today)
    if history is not None:
        return _history(history, sources)
    question = read_set_question(text, names, today)
    if question is not None and (found := find_tickets(question, facts, today)) is not None:
        return tell_tickets(question, found, sources)
    attribute = find_attribute(text, names, facts)
    if attribute is not None:
        return _attribute(attribute, sources)
    rows = find_rows(text, names, facts)
    return _rows(rows, sources) if rows is not None else None


def _draw(text: str, names: Names, facts: FactIndex, sources: FactCitations, today: date) -> DirectAnswer | None:
    """What is asked for as a chart: tickets that are counted, or the numbers of a table."""
    question = read_set_question(text, names, today)
    if question is not None and (found := find_tickets(question, facts, today)) is not None:
        return tell_tickets(question, found, sources)
    charted = find_chart(text, names, facts)
    return _charted(charted, sources) if charted is not None else None


def find_question(text: str, names: Names, facts: FactIndex) -> list[StoredFact]:
    """What stands below headings that ask the same; empty where none does."""
    asked, words = folded(text), frozenset(terms(text))
    same = [name for name, _ in names.questions if name == asked]
    if not same and len(words) >= SAME_WORDS:
        put = asked.split(" ")[0]
        alike = [(len(own - words), name) for name, own in names.questions if words <= own and name.split(" ")[0] == put]
        fewest = min((more for more, _ in alike), default=2)
        same = [name for more, name in alike if more == fewest] if fewest <= MOST_MORE else []
        same = same if len(same) == 1 else []
    return [fact for fact in facts.about(same) if fact.fact.relation == ANSWER] if same else []


# ---------------------------------------------------------------- the history of a ticket


def _history(found: History, sources: FactCitations) -> DirectAnswer | None:
    stated = [*found.values, *([found.now] if found.now else [])]
    cited = sources.cite(stated)
    if any(fact.place not in cited for fact in found.values):
        return None
    numbers: dict[str, int] = {}
    lead = found.values[0]
    step = Step("register", cited[lead.place][0].place, cited[lead.place][0].hash, cited[lead.place][0].title,
                reason=f"The history of the ticket says what its {found.relation} was, and when.")  # fmt: skip
    lines = []
    for text, fact in _told_in_time(found):
        number = numbers.setdefault(fact.place, len(numbers) + 1)
        lines.append(line(f"{text} [{number}]", number, fact, cited))
    return DirectAnswer(step, tuple(lines))


def _told_in_time(found: History) -> Iterator[tuple[str, StoredFact]]:
    """Sentences, each with the fact it rests on."""
    lead, now = found.values[0], found.now
    thing, what = as_text(lead.fact.subject.name), as_text(found.relation)
    value = as_text(readable(lead.fact.value))
    match found.kind:
        case "often":
            noun = "time" if found.times == 1 else "times"
            yield f"**{found.times} {noun}**: the {what} of {thing} changed", lead
            yield from ((f"\n- {_held(fact)}", fact) for fact in found.values)
        case "all":
            yield from (
                (f"\n- {_held(fact)}" if at else f"{what.capitalize()} of {thing}:\n- {_held(fact)}", fact)
                for at, fact in enumerate(found.values)
            )
        case "since" | "became":
            yield (
                f"**{readable(lead.fact.since)}**: since then the {what} of {thing} is {value}"
                if not lead.fact.until
                else (f"**{readable(lead.fact.since)}**: then the {what} of {thing} became {value}"),
                lead,
            )
        case "long":
            days = found.span.days if found.span else 0
            hours = round(found.span.seconds / 3600) if found.span else 0
            lasted = f"{days} days" if days > 1 else f"{days * 24 + hours} hours"
            yield f"**{lasted}**: {thing} was {value}", lead
            yield from ((f"\n- {_held(fact)}", fact) for fact in found.values)
        case "on":
            yield f"**{value}**, {what} of {thing} on {readable(found.day.isoformat() if found.day else '')}", lead
            if now is not None and now is not lead:
                yield f". Now: {as_text(now.fact.value)}", now
        case "first":
            yield (
                f"**{value}**, first {what} of {thing}" + (f", until {readable(lead.fact.until)}" if lead.fact.until else ""),
                lead,
            )
        case "unchanged":
            held = as_text(readable(now.fact.value)) if now else ""
            yield f"**{held}** since it was created, {value}: the history of {thing} has no other {what}", lead
        case "before":
            yield f"**{value}**, {what} of {thing} until {readable(lead.fact.until)}", lead
            if now is not None:
                yield f". Now: {as_text(now.fact.value)}", now


def _held(fact: StoredFact) -> str:
    since = readable(fact.fact.since) if fact.fact.since else "the beginning"
    until = f"until {readable(fact.fact.until)}" if fact.fact.until else "now"
    return f"{as_text(readable(fact.fact.value))}: from {since} {'to now' if until == 'now' else until}"


# ---------------------------------------------------------------- rows of tables


def _rows(found: Rows, sources: FactCitations) -> DirectAnswer | None:
    cells = [next(iter(row.values())) for row in found.rows]
    cited = sources.cite([*cells, *([found.sum] if found.sum else [])])
    said = f" ({as_text(', '.join(found.conditions))})" if found.conditions else ""
    reason = f"Every row of the table “{found.caption}” was held against the question."
    if found.sum is not None and found.sum.place in cited:
        node = cited[found.sum.place][0]
        step = Step("register", node.place, node.hash, node.title, reason=reason)
        return DirectAnswer(
            step,
            (
                line(
                    f"**{as_text(found.sum.fact.value)}** ({as_text(found.sum.fact.relation)}, {as_text(found.sum.fact.group)}) [1]",
                    1,
                    found.sum,
                    cited,
                ),
            ),
        )
    rows = [row for row in found.rows if next(iter(row.values())).place in cited]
    if len(rows) != len(found.rows):
        return None
    first = next(iter(rows[0].values())) if rows else None
    stands = cited[first.place][0] if first else None
    step = (
        Step("register", stands.place, stands.hash, stands.title, reason=reason)
        if stands
        else Step("register", "", "", found.caption, reason=reason)
    )
    lines = [Line(f"**{_counted(len(rows), found)}**{said}:\n\n")]
    lines += _table(rows[:MOST_ROWS], found.columns, cited)
    if len(rows) > MOST_ROWS:
        lines.append(Line(f"\n\n… and {len(rows) - MOST_ROWS} more."))
    return DirectAnswer(step, tuple(lines))


def _charted(found: ChartedRows, sources: FactCitations) -> DirectAnswer | None:
    cited = sources.cite(next(iter(row.values())) for row in found.rows)
    first = next(iter(found.rows[0].values()))
    if any(next(iter(row.values())).place not in cited for row in found.rows):
        return None
    node = cited[first.place][0]
    step = Step("register", node.place, node.hash, node.title, reason="The numbers of this table are drawn as a chart.")
    label = as_text(found.chart.label)
    many = len(found.chart.series) > 1
    said = f"**{as_text(node.title)}**" if many else f"**{as_text(found.chart.series[0].label)}**, {as_text(node.title)}"
    said = f"{said}, by {label}:" if len(found.rows) > 1 else f"**{label}**, {as_text(node.title)}:"
    table = _table(found.rows[:MOST_ROWS], found.columns, cited)
    more = [Line(f"\n\n… and {len(found.rows) - MOST_ROWS} more.")] if len(found.rows) > MOST_ROWS else []
    return DirectAnswer(step, (Line(f"{said}\n\n"), *table, *more), chart=found.chart)


def _counted(number: int, found: Rows) -> str:
    noun = as_text(found.noun)
    return f"{number} of {found.total} {noun}" if number != found.total else f"{number} {noun}"


def _table(
    rows: Sequence[Mapping[str, StoredFact]], wanted: Sequence[str], cited: dict[str, tuple[Node, Leaf]]
) -> Iterator[Line]:
    """The columns asked for beside the one that names the rows; without any the first few."""
    naming = next(iter(rows[0])) if rows else ""
    names = next(
        (column for row in rows for column, cell in row.items() if folded(cell.fact.value) == folded(cell.fact.subject.name)),
        naming,
    )
    others = [column for column in dict.fromkeys(column for row in rows for column in row) if column != names]
    columns = [names, *([column for column in others if column in wanted] or others[:MOST_COLUMNS])]
    heads = [next(row[column].fact.relation for row in rows if column in row) for column in columns]
    yield Line(f"| {' | '.join(map(as_text, heads))} | |\n|{' --- |' * (len(columns) + 1)}")
    numbers: dict[str, int] = {}
    for row in rows:
        place = next(iter(row.values())).place
        number = numbers.setdefault(place, len(numbers) + 1)
        said = " | ".join(as_text(row[column].fact.value) if column in row else "" for column in columns)
        yield line(f"\n| {said} | [{number}] |", number, next(iter(row.values())), cited)


# ---------------------------------------------------------------- one thing


def _attribute(answer: Attribute, sources: FactCitations) -> DirectAnswer | None:
    if answer.described is not None and answer.described.is_ambiguous:
        return tell_which(answer.described, sources)
    cited = sources.cite([*answer.way, *answer.facts])
    facts = [fact for fact in answer.facts if fact.place in cited]
    if not facts:
        return None
    numbers: dict[str, int] = {}
    lines = list(_reverse(answer, facts, numbers, cited) if answer.is_reverse else _values(answer, facts, numbers, cited))
    for fact in answer.way:
        if fact.place in cited:
            number = numbers.setdefault(fact.place, len(numbers) + 1)
            lines.append(line(f"\n\nBy way of: {_sentence(fact)} [{number}]", number, fact, cited))
    first = facts[0]
    node = cited[first.place][0]
    step = Step(
        "register",
        node.place,
        node.hash,
        node.title,
        reason=f"“{answer.subject}” is known, and its {first.fact.relation} is stated.",
    )
    is_open = any(one.text == DIFFER for one in lines)
    is_of_text = not answer.way and not answer.is_reverse and all(fact.fact.subject.kind != "ticket" for fact in facts)
    return DirectAnswer(step, tuple(lines), "partial" if is_open else "complete", may_be_outdated=is_of_text and not is_open)


def _values(
    answer: Attribute, facts: Sequence[StoredFact], numbers: dict[str, int], cited: dict[str, tuple[Node, Leaf]]
) -> Iterator[Line]:
    """Each thing with its value or values; statements that differ are told as that."""
    by_value: dict[tuple[str, str, str], list[StoredFact]] = {}
    for fact in facts:
        by_value.setdefault((fact.key[1], folded(fact.fact.relation), folded(fact.fact.value)), []).append(fact)
    subject = "" if answer.way else answer.subject
    by_thing: dict[tuple[str, str], list[list[StoredFact]]] = {}
    for (thing, relation, _), same in by_value.items():
        by_thing.setdefault((thing, relation), []).append(same)
    for values in by_thing.values():
        told, days = newest_first(values, cited) if is_disputed(values, cited) else (values, ())
        if is_disputed(values, cited) and not days:
            yield Line(DIFFER)
        for at, stating in enumerate(told[:MOST_VALUES]):
            number = numbers.setdefault(stating[0].place, len(numbers) + 1)
            many = len(values) > 1 or len(by_thing) > 1
            text = f"{_of_its_thing(answer, stating[0], cited) or _sentence(stating[0], answer.asked, subject)} [{number}]"
            until = f"\n\nUntil {days[at - 1].in_words}: " if days and at else ""  # when the next newer one was stated
            begins = until or ("\n- " if many and not (days and len(by_thing) == 1) else "")
            yield line(begins + text, number, stating[0], cited)
            for other in stating[1:3]:
                if other.place not in numbers:
                    number = numbers.setdefault(other.place, len(numbers) + 1)
                    yield line(f" [{number}]", number, other, cited)


def _reverse(
    answer: Attribute, facts: Sequence[StoredFact], numbers: dict[str, int], cited: dict[str, tuple[Node, Leaf]]
) -> Iterator[Line]:
    things: dict[str, StoredFact] = {}
    for fact in facts:
        things.setdefault(fact.key[1], fact)
    if len(things) > 1:
        yield Line(f"**{len(things)}** with {as_text(facts[0].fact.relation.lower())} {as_text(answer.subject)}:\n")
    for fact in things.values():
        number = numbers.setdefault(fact.place, len(numbers) + 1)
        said = f"**{as_text(fact.fact.subject.name)}** ({as_text(fact.fact.relation.lower())}: {as_text(fact.fact.value)})"
        yield line(("\n- " if len(things) > 1 else "") + f"{said} [{number}]", number, fact, cited)


def _of_its_thing(answer: Attribute, fact: StoredFact, cited: Mapping[str, tuple[Node, Leaf]]) -> str:
    """A value with what it was stated of, where that is a document or a column; empty for any other."""
    value, one = as_text(readable(fact.fact.value)), fact.fact
    if answer.is_crossed:
        return f"**{value}**, {as_text(small(one.subject.name))}: {as_text(one.relation)}"
    if answer.described is None:
        return ""
    leaf = cited[fact.place][1]
    label = one.subject.name if one.subject.kind == "term" else one.relation
    return f"**{value}**, {as_text(small(label))}: {as_text((*leaf.heading, leaf.title)[0])}"


def _sentence(fact: StoredFact, asked: str = "what", subject: str = "") -> str:
    """A value with the thing it belongs to. `subject` is what the question called that thing."""
    one = fact.fact
    value, label, thing = as_text(readable(one.value)), as_text(one.relation), as_text(one.subject.name)
    if fact.fact.row and subject and not set(folded(subject).split()) & set(folded(one.subject.name).split()):
        thing = f"{as_text(subject)} ({thing})"  # the row was found by another of its cells
    if one.relation == DEFINITION:
        return f"**{thing}**: {value}"
    if one.relation == ANSWER or one.group == PART:
        return value
    if one.object is not None and one.object.kind == "ticket" and one.relation not in ("epic", "parent", "sub-task"):
        return f"{thing} {label} **{value}**"
    if folded(one.relation) in PERSON_LABELS:
        return f"**{value}**, {thing}"
    if one.relation in DATED:
        return f"**{value}**: {thing} {DATED[one.relation]}"
    if asked == "count" and _NUMBER.match(one.value.strip()):
        said = f"**{value}** {small(label)}, {thing}"
    else:
        said = f"**{value}**, {small(label)} of {thing}"
    if one.since and not ISO.match(one.value):
        said += f" (since {readable(one.since)})"
    return said


DATED = {"created": "was created", "updated": "was updated last", "resolved": "was resolved", "due": "is due"}
