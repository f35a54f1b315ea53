"""Answers told from facts: one to three sentences, a counted list or a table, each statement with its source."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise

from prompts.extractive import as_text
from prompts.extractive.asked_values import has_asked_value
from prompts.extractive.change_logs import asks_for_changes, is_log
from prompts.extractive.dates import days
from prompts.extractive.forms import may_be_all
from prompts.extractive.no_answers import sends_elsewhere
from prompts.extractive.standing import asks_of_then
from prompts.extractive.support import lacks_form
from prompts.language import terms
from prompts.other_languages import in_english, wholly_in_english
from prompts.question import analyse
from prompts.records import Verdict
from prompts.regex import regex
from prompts.timespans import NOW_WORDS, day_of
from tree.ask.direct.collection_answer import tell_collections
from tree.ask.direct.document_editions import is_title, newest_called, with_newer_edition
from tree.ask.direct.newer_statements import with_newer, with_reversal
from tree.ask.direct.said_of_row import with_said_of_set
from tree.ask.direct.set_answer import tell_set
from tree.ask.facts.attribute import MOST_WORDS, Attribute, find_attribute
from tree.ask.facts.collection_question import asks_for_rows, read_collections
from tree.ask.facts.column_chart import ChartedRows, find_chart
from tree.ask.facts.deputies import find_deputy, in_words_of_deputies, is_of_no_lead
from tree.ask.facts.described_thing import tell_each
from tree.ask.facts.fact_question import read_set_question
from tree.ask.facts.fitting_facts import fitting, is_known_by_remark
from tree.ask.facts.newest_rows import newest_of_rows
from tree.ask.facts.other_columns import says_something_else
from tree.ask.facts.rival_facts import DIFFER, are_owners_of_others, is_disputed, newest_first, standing_and_over
from tree.ask.facts.row_conditions import NO_CONDITIONS, Conditions, conditions_of, says_gone_or_denied
from tree.ask.facts.row_table import MOST_ROWS, table_of
from tree.ask.facts.set_question import Condition, SetQuestion
from tree.ask.facts.table_rows import find_total
from tree.ask.facts.thing_sets import find_set
from tree.ask.facts.ticket_history import History, find_history
from tree.ask.facts.ticket_words import in_words_of_facts, in_words_of_owning, is_of_other
from tree.ask.facts.told_facts import ISO, FactCitations, line, readable, small
from tree.ask.facts.unfit_forms import PERSON_LABELS
from tree.ask.snapshot.chart import as_chart, without_chart_words
from tree.ask.snapshot.direct_answer import DirectAnswer, Line, StatedValue, beside
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.standing_documents import ALL_OVER
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.relation_twice import relation_twice
from tree.ask.understanding.understand import Understanding
from tree.retrieve.fact_index import TICKET, FactIndex, StoredFact, folded
from tree.retrieve.names import Names, tokens
from tree.retrieve.text_facts import ANSWER, DEFINITION, PART, says_meaning
from tree.store.leaves import FILE, Leaf
from tree.store.nodes import Node
from tree.store.places import document_around

LONGEST_WHOLE = 300  # characters below a heading; what is longer may be only the beginning of what stands there
SAME_WORDS = 2  # of a question, for a heading with just these words to be the same
MOST_MORE = 1  # words that such a heading may have besides
MOST_VALUES = 8  # of one relation
MOST_OVER = 2  # values of documents that hold no more, told below the others
_OF_NOW = regex(rf" (?:{NOW_WORDS})(?=\W*\Z)", re.IGNORECASE)
_IN_STATE = regex(
    r"\A\W*what(?:['’]s| is|['’]re| are) (?P<state>(?:still |not )?(?:overdue|blocked|unassigned|open|due [\w ]{3,30}|in (?!the |a |an |our |this |here\b)\w+))\W*\Z",
    re.IGNORECASE,
)
_NUMBER = regex(r"[\d.,]+\Z")
_ISO_DAY = regex(r"\d{4}(?:-\d\d(?:-\d\d)?)?(?!\d)")
_DATED_LINE = regex(r"\d{4}-\d\d-\d\d \d\d:\d\d")  # in UTC, as times of facts are
_DEFINE = regex(
    r"\A\W*(?:please )?(?:define|definition of|meaning of|explain the term|what is meant by) (?P<term>[^?!.]{2,80}?)[?!.\s]*\Z",
    re.IGNORECASE,
)
_WHAT_ARE = regex(
    r"\A\W*(?:what|which ones) are (?:the |our |these |those )?(?P<term>[\w-]+(?: [\w-]+){0,3}(?<!s)s)\W*\Z", re.IGNORECASE
)
_COUNTED = regex(r"\A\W*how many (?P<things>[\w-]+(?: [\w-]+){0,2}?) (?:does|do|did|has|have) ", re.IGNORECASE)
_OF_DOCUMENT = regex(
    r"\b(?:owns?|owners?|responsible|maintain\w*|wrote|written|author\w*|review\w*|updated|version|status)\b", re.IGNORECASE
)
_SORT = r" (?:policy|policies|guide|guidelines?|page|document|handbook|rules|manual|how-?to|sop|runbook)"
_TO_THE_END = r"(?=\W*\Z| (?:last |been )?(?:reviewed|updated|written)\b)"
_DOCUMENT = regex(f"{_SORT}{_TO_THE_END}", re.IGNORECASE)
_DOCUMENT_CALLED = regex(  # "the expenses policy", of which there may be one for each year
    rf"\b(?:the|our|of|is|was|owns?|maintains?|wrote|reviewed|updated) (?P<name>(?!the |our )[^?.,]{{2,60}}?{_SORT}){_TO_THE_END}",
    re.IGNORECASE,
)
_ASKS_VALUE = regex(r"\A\W*(?:who|whose|what|when|where|how (?:much|many|long|old)|until when)\b", re.IGNORECASE)
_UNTIL_WHEN = regex(
    r"\A\W*(?:un)?till? when (?P<is>is|are|does|do) (?P<what>[^?\n]{2,80}?)(?: (?:valid|good|in force|run(?:ning)?|last|hold|go on|booked|rented|hired))?\W*\Z",
    re.IGNORECASE,
)
_HOW_MUCH = regex(
    r"\A\W*(?:and )?how much (?:is|are|does|do) (?:the |an? |one )?(?P<what>(?!it\b|that\b|this\b|they\b|those\b)[^?\n]{2,60}?)(?: cost)?\W*\Z",
    re.IGNORECASE,
)
_HOW_LONG = regex(
    r"\A\W*(?:and )?how (?:long|far) is (?:the )?(?P<what>(?!it\b|that\b|this\b)[^?\n]{2,60}?)(?<! out)(?<! for)(?<! away)(?<! off)(?<! open)(?<! valid)(?<! still)\W*\Z",
    re.IGNORECASE,
)
_USED_ON = regex(r"(?P<is>\b(?:is|are) )used (?=(?:on|for|in|by|at)\b)", re.IGNORECASE)
_WHICH_TEAM = regex(
    r"\A\W*(?:and )?(?:which|what) (?P<unit>team|department|squad|crew) (?:owns?|maintains?|has|develops?|builds?|looks after|is responsible for|takes care of) (?:the )?(?P<what>(?![^?\n]*(?: of |['’]s |\w-\d| that | which ))[^?\n]{2,60}?)\W*\Z",
    re.IGNORECASE,
)
_PART_OF = regex(
    r"\A\W*(?:which|what) (?:(?:ticket|issue|story|task|bug|one) )?(?:is|was) (?P<key>[a-z][a-z0-9]+-\d+) (?:a|the) (?:sub-?task|child)(?: ticket| issue)? of\W*\Z",
    re.IGNORECASE,
)


def answer_as_chart(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for the question before once more, as a chart; None where that has no numbers to draw, or draws them anyway."""
    if not understanding.is_drawn or understanding.narrowing is not None:
        return None
    told = answer_from_facts(snapshot, replace(understanding, text=as_chart(understanding.text)))
    return told if told is not None and told.chart is not None else None


def answer_from_facts(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for what is known exactly; None where facts do not answer the question, or it says more than they can."""
    names, facts, day = snapshot.index.names(snapshot.scope), snapshot.index.facts(snapshot.scope), today(snapshot)
    sources = FactCitations(snapshot.store, snapshot.version)

    def tell(asked: Understanding) -> DirectAnswer | None:
        put = (told_from_facts(one, names, facts, sources, day) for one in _ways_to_put(asked.text, snapshot))
        told = next((one for one in put if one is not None), None)
        return _held_against_others(snapshot, asked, told) if told is not None else None

    if (twice := relation_twice(understanding.text)) is not None:
        first = tell(replace(understanding, text=twice.first))
        if first is None or first.stated is None:
            return None
        return _by_way_of(first, tell(replace(understanding, text=twice.then(first.stated.value))))
    told, each = tell(understanding), _of_each(understanding.text, names)
    if each and (told is None or told.stated is not None):
        return _told_of_each([tell(replace(understanding, text=text)) for text in each])
    return told


def _held_against_others(snapshot: Snapshot, understanding: Understanding, told: DirectAnswer) -> DirectAnswer:
    """What is told with what a newer text, or a newer edition of the same document, says of it."""
    if told.is_set:
        return with_said_of_set(snapshot, told, understanding.text)
    if told.may_be_outdated:
        told = with_newer(snapshot, understanding, told)
        return told if asks_of_then(understanding.text) else with_newer_edition(snapshot, told)
    return with_reversal(snapshot, understanding, told) if told.is_list and told.stated is not None else told


def _by_way_of(first: DirectAnswer, second: DirectAnswer | None) -> DirectAnswer | None:
    """The second answer, with the first below it as the way there."""
    if second is None:
        return None
    way = [replace(one, text=one.text.replace("\n\n", "\n\nBy way of: ", 1)) for one in beside(first.lines, second.lines)]
    verdict: Verdict = "complete" if first.verdict == second.verdict == "complete" else "partial"
    return replace(second, lines=(*second.lines, *way), verdict=verdict)


def _of_each(text: str, names: Names) -> list[str]:
    """The questions for each of two names that are joined by "and": "who owns the beacon and the courier?"; none where there are no two."""
    found = tokens(text)
    mentions = sorted(names.find(found), key=lambda one: one.first)
    for one, other in pairwise(mentions):
        between = [token.text.casefold() for token in found[one.last : other.first]]
        if between[:1] == ["and"] and set(between[1:]) <= {"the", "of"} and _ASKS_VALUE.match(text):
            first, second = (found[at.first].start for at in (one, other))
            ends, ends_too = (found[at.last - 1].end for at in (one, other))
            return [text[:ends] + text[ends_too:], text[:first] + text[second:]]
    return []


def _told_of_each(told: Sequence[DirectAnswer | None]) -> DirectAnswer | None:
    """Each answer as an item of a list; None where one is missing, or says more than one value."""
    known = [one for one in told if one is not None and one.stated is not None]
    if len(known) < len(told):
        return None
    lines: list[Line] = []
    for one in known:
        first, *rest = beside(one.lines, lines)
        begins = "\n- " if lines else "- "
        lines += [replace(first, text=f"{begins}{first.text.lstrip()}"), *rest]
    verdict: Verdict = "complete" if all(one.verdict == "complete" for one in known) else "partial"
    return replace(known[0], lines=tuple(lines), verdict=verdict, stated=None, is_list=True)


def answer_from_set_before(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for a follow-up that narrows the set before it."""
    asked = understanding.narrowing
    found = find_set(asked, snapshot.index.facts(snapshot.scope), today(snapshot)) if asked is not None else None
    if asked is None or found is None:
        return None
    sources = FactCitations(snapshot.store, snapshot.version)
    return tell_set(asked, found, sources) if asked.collection == TICKET else tell_collections([(asked, found)], sources)


_LOOKS_AFTER = regex(r"\b(?:does|do) (?P<who>[^?\n]{2,40}?) (?:look after|take care of)\b", re.IGNORECASE)


def _ways_to_put(text: str, snapshot: Snapshot) -> Iterator[str]:
    """A question as it is asked; in English, where it is in another language; in the words of facts, where others say the same."""
    if (of := _PART_OF.match(text)) is not None:
        yield f"What is the parent of {of['key']}?"
        return  # and never its own sub-tasks
    if (team := _WHICH_TEAM.match(text)) is not None:  # the column "team" says it, and not the column "owner"
        yield f"What is the {team['unit']} of {team['what']}?"
    yield text
    if (defined := _DEFINE.match(text)) is not None:
        yield f"What is {defined['term']}?"
    if (until := _UNTIL_WHEN.match(text)) is not None:
        yield f"Until when is {until['what']}?"
        yield f"When does {until['what']} end?"
    if (costs := _HOW_MUCH.match(text)) is not None:
        yield f"What is the price of {costs['what']}?"
    if (measured := _HOW_LONG.match(text)) is not None:
        yield from (f"What is the {said} of {measured['what']}?" for said in ("length", "distance", "km"))
    if (used := _USED_ON.sub(r"\g<is>", text)) != text:
        yield used
    if (several := _WHAT_ARE.match(text)) is not None:  # a glossary has the one: "what are the golden stations?"
        term = several["term"]
        yield f"What is a {term[:-3]}y?" if term.endswith("ies") else f"What is a {term[:-1]}?"
    if (english := in_english(text)) != text:
        yield english
        yield from wholly_in_english(text)
    if (plain := in_words_of_facts(text)) != text:
        yield plain
    if (covered := in_words_of_deputies(text)) != text:
        yield covered
    if (charged := _LOOKS_AFTER.sub(r"is \g<who> in charge of", text)) != text:
        yield charged
    if (owned := in_words_of_owning(text)) not in (text, plain):
        yield owned
    if _OF_DOCUMENT.search(text) and (named := _DOCUMENT.sub("", text)) != text:  # "the travel policy" is called "Travel"
        edition = _DOCUMENT_CALLED.search(text)
        title = newest_called(snapshot, frozenset(terms(edition["name"]))) if edition is not None else ""
        if edition is not None and title:
            yield f"{text[: edition.start('name')]}{title}{text[edition.end('name') :]}"
        elif edition is None or is_title(snapshot, frozenset(terms(_DOCUMENT.sub("", edition["name"])))):
            yield named
    if (of_now := _OF_NOW.sub("", text)) != text:
        yield of_now
    if (state := _IN_STATE.match(of_now)) is not None:
        yield f"which tickets are {state['state']}?"


def answer_from_a_table(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for rows of a table that the question names, "which vehicles in fleet.csv are electric?", or that have a value
    which may be taken for a place: "which vehicles are in repair?" asks for no overview."""
    names, text = snapshot.index.names(snapshot.scope), understanding.text
    is_named = understanding.analysis.kind != "overview"
    if len(tokens(text)) > MOST_WORDS or not asks_for_rows(text, names, is_named=is_named):
        return None
    sources = FactCitations(snapshot.store, snapshot.version)
    told = _of_collections(text, names, snapshot.index.facts(snapshot.scope), sources, today(snapshot), is_plural=True)
    return with_said_of_set(snapshot, told, text) if told is not None else None


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
    if question is not None and (found := find_set(question, facts, today)) is not None:
        return tell_set(question, found, sources)
    attribute = _counted_of_one(text, names, facts)
    if attribute is None:
        if (told := _of_collections(text, names, facts, sources, today, is_plural=True)) is not None:
            return told
        attribute = find_attribute(text, names, facts)
        if asks_for_rows(text, names) and not (attribute is not None and _is_of_named_column(text, attribute)):
            return None  # of several things, under a condition that is not understood
        if attribute is None or is_of_no_lead(attribute):
            attribute = find_deputy(text, names, facts)
    attribute = fitting(text, attribute, facts, today) if attribute is not None else None
    attribute, is_latest = newest_of_rows(text, attribute, facts, today) if attribute is not None else (None, True)
    if attribute is not None and _says_default_where_asked(text, attribute):
        of_log = analyse(text).kind != "yes_no" or asks_for_changes(text)
        conditions = conditions_of(attribute.facts, facts, text)
        told = _attribute(attribute, sources, of_log=of_log, of_then=asks_of_then(text), conditions=conditions)
        is_gone = any(says_gone_or_denied(cell) for cells in conditions.values() for cell in cells)
        if lacks_form(text, *(f"{one.fact.relation} {one.fact.value}" for one in attribute.facts)) or _are_several_next(
            attribute
        ):
            return None
        is_unsure = (
            not is_latest or is_gone or is_known_by_remark(attribute, facts) or says_something_else(text, attribute, facts)
        )
        return replace(told, verdict="partial") if told is not None and is_unsure else told
    if (told := _of_collections(text, names, facts, sources, today, is_plural=False)) is not None:
        return told
    total = find_total(text, names, facts)
    return _total(*total, sources) if total is not None else None


def _is_of_named_column(text: str, found: Attribute) -> bool:
    """ "Which days does Ada work?" asks for no row of a list of days where a column of hers is called "working days"."""
    asked = tokens(text)[1:2]
    return bool(asked) and all(
        fact.fact.row and set(terms(asked[0].text)) < set(terms(fact.fact.relation)) for fact in found.facts
    )


def _counted_of_one(text: str, names: Names, facts: FactIndex) -> Attribute | None:
    """ "How many berths does the north pier have?": what a row has in a column that is called so."""
    counted = _COUNTED.match(text)
    found = find_attribute(text, names, facts) if counted is not None else None
    if counted is None or found is None:
        return None
    things = set(terms(counted["things"]))
    return found if all(fact.fact.row and things <= set(terms(fact.fact.relation)) for fact in found.facts) else None


def _are_several_next(answer: Attribute) -> bool:
    """Whether several texts state each its own "next meeting": which one is next now only what was written last can tell."""
    stated = [one for one in answer.facts if "next" in folded(one.fact.relation).split() and not one.fact.row]
    return len({document_around(one.place) for one in stated}) > 1


def _says_default_where_asked(text: str, answer: Attribute) -> bool:
    """What a thing is says nothing of its default, even below a heading that speaks of defaults."""
    told = (folded(f"{one.fact.subject.name} {one.fact.relation} {one.fact.value}") for one in answer.facts)
    return "default" not in folded(text) or any("default" in one for one in told)


def _of_collections(
    text: str, names: Names, facts: FactIndex, sources: FactCitations, today: date, is_plural: bool
) -> DirectAnswer | None:
    """Rows of tables, and files. Where several tables or folders may be meant, what each of them says."""
    asked = read_collections(text, names, facts, today, is_plural)
    asked = [one for one in asked if not is_of_other(text, (name for part in one.conditions for name in part.relations))]
    asked = [one for one in asked if not _cannot_tell(one, facts)]
    found = [(one, result) for one in asked if (result := find_set(one, facts, today)) is not None]
    if any(not result.keys and one.collection == FILE and not one.within for one, result in found):
        return None  # of all files few say such a thing: that none says it is no answer
    if any(not result.keys and _lies_beyond(one, facts) for one, result in found):
        return None  # a register of another year says nothing of this one
    if any(not result.keys and _is_of_unnamed_days(one, text) for one, result in found):
        return None  # that none retired was bought in 2025 does not say that none was retired then
    if any(not result.keys and _is_in_another_table(one, names, facts) for one, result in found):
        return None  # that no tour goes from gate 4 says nothing of the gates
    if any(one.aggregate and result.aggregated is None and len(result.keys) > 1 for one, result in found):
        return None  # the rows alone do not say what they come to
    return tell_collections(found, sources) if found else None


def _is_in_another_table(asked: SetQuestion, names: Names, facts: FactIndex) -> bool:
    """Whether another table has the value that is asked for, in a column that is called the same."""
    for one in asked.conditions:
        wanted = set(one.values)
        if one.bounds is not None and one.bounds.low == one.bounds.high:
            wanted.add(f"{one.bounds.low:g}")
        tables = (
            (collection, relation)
            for relation in one.relations
            for collection in names.relations.get(relation, ())
            if collection != asked.collection and collection in names.tables
        )
        if not one.negated and any(
            folded(value) in wanted for collection, relation in tables for _, value in facts.values(collection, (relation,))
        ):
            return True
    return False


def _is_of_unnamed_days(asked: SetQuestion, text: str) -> bool:
    """Whether a time is held against a column of days that the question does not name, beside another condition."""
    said = set(terms(text))
    spans = [one for one in asked.conditions if one.span is not None]
    named = (said & {term for relation in one.relations for term in terms(relation)} for one in spans)
    return len(asked.conditions) > len(spans) > 0 and not any(named)


def _lies_beyond(asked: SetQuestion, facts: FactIndex) -> bool:
    """Whether a time that is asked for lies before all days of its column, or behind them."""
    return any(
        one.span.last < min(first for first, _ in periods) or one.span.first > max(last for _, last in periods)
        for one in asked.conditions
        if one.span and (periods := _periods(asked, one, facts))
    )


def _cannot_tell(asked: SetQuestion, facts: FactIndex) -> bool:
    """Whether a cell is a month or a year of which only a part lies in the time that is asked for: "2026" in "since May 2026"."""
    return any(
        (first <= one.span.last and last >= one.span.first) and not (one.span.first <= first and last <= one.span.last)
        for one in asked.conditions
        if one.span
        for first, last in _periods(asked, one, facts)
    )


def _periods(asked: SetQuestion, condition: Condition, facts: FactIndex) -> list[tuple[date, date]]:
    """The first and the last day of each cell of the condition's column that is a day, a month or a year."""
    return [period for _, value in facts.values(asked.collection, condition.relations) if (period := _period(value)) is not None]


_CLOCK = regex(r"\d{1,2}[:.]\d\d(?: ?[ap]m)?", re.IGNORECASE)
_DOTTED_DAY = regex(r"\d{1,2}[./]\d{1,2}[./](?:19|20)\d\d\Z|\d{1,2} [A-Z][a-z]{2,8} (?:19|20)\d\d\Z")


def _period(value: str) -> tuple[date, date] | None:
    if (match := _ISO_DAY.match(value)) is None:
        written = [one for one in days(value) if one.day] if _DOTTED_DAY.match(value) else []
        told = day_of(*written[0]) if len(written) == 1 else None
        return (told, told) if told is not None else None
    year, month, day = (int(part) for part in (*match[0].split("-"), "0", "0")[:3])
    try:
        first = date(year, month or 1, day or 1)
    except ValueError:  # no day of the calendar
        return None
    last_month = month or 12
    return first, first if day else date(year, last_month, monthrange(year, last_month)[1])


def _draw(text: str, names: Names, facts: FactIndex, sources: FactCitations, today: date) -> DirectAnswer | None:
    """What is asked for as a chart: tickets that are counted, or the numbers of a table."""
    question = read_set_question(text, names, today)
    if question is not None and (found := find_set(question, facts, today)) is not None:
        return tell_set(question, found, sources)
    counted = _of_collections(text, names, facts, sources, today, is_plural=True)
    if counted is not None and counted.chart is not None:
        return counted
    charted = find_chart(text, names, facts)
    return _charted(charted, sources) if charted is not None else None


def find_question(text: str, names: Names, facts: FactIndex) -> list[StoredFact]:
    """What stands below headings that ask the same; empty where none does, or what stands there only sends elsewhere."""
    asked, words = folded(text), frozenset(terms(text))
    known = names.questions(asked.split(" ")[0])
    same = [name for name, _ in known if name == asked]
    if not same and len(words) >= SAME_WORDS:
        alike = [(len(own - words), name) for name, own in known if words <= own]
        fewest = min((more for more, _ in alike), default=2)
        same = [name for more, name in alike if more == fewest] if fewest <= MOST_MORE else []
        same = same if len(same) == 1 else []
    found = [fact for fact in facts.about(same) if fact.fact.relation == ANSWER] if same else []
    told = [fact for fact in found if not sends_elsewhere(text, fact.fact.value) and has_asked_value(text, fact.fact.value)]
    return [fact for fact in told if len(fact.fact.value) < LONGEST_WHOLE or may_be_all(text, fact.fact.value)]


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
    is_in_order = not any(_goes_back(fact, cited[fact.place][1]) for fact in found.values)
    if not is_in_order:
        lines.append(Line("\n\nThe times in this history go back: when which value held is not certain."))
    return DirectAnswer(step, tuple(lines), "complete" if is_in_order else "partial")


def _goes_back(fact: StoredFact, leaf: Leaf) -> bool:
    """Whether the line of a history that ends something is dated before it began: a clock was put back."""
    line = leaf.text[fact.fact.start : fact.fact.end].removeprefix("- ")
    return (
        bool(fact.fact.until and fact.fact.since and _DATED_LINE.match(line))
        and line[:16].replace(" ", "T") < fact.fact.since[:16]
    )


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


def _total(caption: str, total: StoredFact, sources: FactCitations) -> DirectAnswer | None:
    cited = sources.cite([total])
    if total.place not in cited:
        return None
    node, one = cited[total.place][0], total.fact
    step = Step("register", node.place, node.hash, node.title, reason=f"The table “{caption}” has a row of totals.")
    said = f"**{as_text(one.value)}** ({as_text(one.relation)}, {as_text(one.group)}) [1]"
    return DirectAnswer(step, (line(said, 1, total, cited),))


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
    table = table_of(found.rows[:MOST_ROWS], found.columns, cited)
    more = [Line(f"\n\n… and {len(found.rows) - MOST_ROWS} more.")] if len(found.rows) > MOST_ROWS else []
    return DirectAnswer(step, (Line(f"{said}\n\n"), *table, *more), chart=found.chart)


# ---------------------------------------------------------------- one thing


def _attribute(
    answer: Attribute,
    sources: FactCitations,
    *,
    of_log: bool = True,
    of_then: bool = True,
    conditions: Conditions = NO_CONDITIONS,
) -> DirectAnswer | None:
    """`of_log`: also by what a log of changes says of a thing; what was once mended does not say whether something is so.
    `of_then`: as well by documents that hold no more. `conditions` are the cells that say when the values of a row hold."""
    if answer.described is not None and answer.described.is_ambiguous:
        return tell_each(answer.described, sources)
    cited = sources.cite([*answer.way, *answer.facts])
    told = [fact for fact in answer.facts if fact.place in cited and not _says_nothing(fact, answer.subject)]
    facts = list({_told_as(fact): fact for fact in reversed(told)}.values())[::-1]
    if not of_log:
        facts = [
            fact for fact in facts if fact.fact.subject.kind == "ticket" or fact.fact.row or not _is_in_log(*cited[fact.place])
        ]
    if not facts or (answer.described is not None and len({fact.key[1] for fact in facts if fact.fact.row}) > 1):
        return None  # what a page has in a table of several things is stated of none of them
    standing, over = (facts, []) if of_then else standing_and_over(facts, cited)
    facts = standing or over
    numbers: dict[str, int] = {}
    lines = list(
        _reverse(answer, facts, numbers, cited) if answer.is_reverse else _values(answer, facts, numbers, cited, conditions)
    )
    for fact in over[:MOST_OVER] if standing else []:
        number = numbers.setdefault(fact.place, len(numbers) + 1)
        lines.append(line(f"\n\nSuperseded: {_sentence(fact)} [{number}]", number, fact, cited))
    is_over = not standing and not all(map(_is_of_document, over))  # what such a document says of itself is so
    if is_over:
        lines.append(Line(f"\n\n{ALL_OVER}"))
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
    is_open = any(one.text == DIFFER for one in lines) or (
        not answer.way and not answer.is_reverse and are_owners_of_others(facts, answer.subject)
    )
    is_of_text = not answer.way and not answer.is_reverse and all(fact.fact.subject.kind != "ticket" for fact in facts)
    one = first.fact
    stated = (
        StatedValue(one.subject.name, one.value, one.relation, answer.subject)
        if len({fact.fact.value for fact in facts}) == 1
        else None
    )
    return DirectAnswer(
        step,
        tuple(lines),
        "partial" if is_open or is_over else "complete",
        may_be_outdated=is_of_text and not is_open,
        stated=stated,
        is_of_standing=bool(over),
        is_list=answer.is_reverse,
    )


_OF_DOCUMENTS = frozenset(
    "status version author owner editor date edition revision valid until superseded replaced replaces approved reviewed updated created written".split()
)


def _is_of_document(fact: StoredFact) -> bool:
    """Whether a document says it of itself, "Version: 3", and not of what it is about, as its deadline."""
    return not fact.fact.row and not _OF_DOCUMENTS.isdisjoint(folded(fact.fact.relation).split())


def _told_as(fact: StoredFact) -> tuple[object, ...]:
    """The same for two facts that one line of a text states: a unit and the section "Ticketing (6)" have the same deputy."""
    return (fact.place, folded(fact.fact.relation), folded(fact.fact.value)) if not fact.fact.row else (id(fact),)


def _says_nothing(fact: StoredFact, subject: str) -> bool:
    """Whether a cell is blank, or tells of what the question names only how it is called: "52 (21 - 27 Dec)" of week 52."""
    name = folded(fact.fact.subject.name)
    if fact.fact.row and not any(map(str.isalnum, fact.fact.value)):
        return True
    return folded(fact.fact.value) == name and not set(folded(subject).split()).isdisjoint(name.split())


def _is_in_log(node: Node, leaf: Leaf) -> bool:
    return node.kind == "leaf" and is_log((*leaf.heading, leaf.title))


def _values(
    answer: Attribute, facts: Sequence[StoredFact], numbers: dict[str, int], cited: dict[str, tuple[Node, Leaf]],
    conditions: Conditions = NO_CONDITIONS,
) -> Iterator[Line]:  # fmt: skip
    """Each thing with its value or values; statements that differ are told as that."""
    by_value: dict[tuple[str, str, str], list[StoredFact]] = {}
    for fact in facts:
        by_value.setdefault((fact.key[1], folded(fact.fact.relation), folded(readable(fact.fact.value))), []).append(fact)
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
            said = _of_its_thing(answer, stating[0], cited) or _sentence(stating[0], answer.asked, subject)
            text = f"{said}{_holding(conditions.get(stating[0].line, ()))} [{number}]"
            until = f"\n\nUntil {days[at - 1].in_words}: " if days and at else ""  # when the next newer one was stated
            begins = until or ("\n- " if many and not (days and len(by_thing) == 1) else "")
            yield line(begins + text, number, stating[0], cited)
            for other in stating[1:3]:
                if other.place not in numbers:
                    number = numbers.setdefault(other.place, len(numbers) + 1)
                    yield line(f" [{number}]", number, other, cited)


def _holding(conditions: Sequence[StoredFact]) -> str:
    """When a value holds, as its row says."""
    return "".join(f"; {as_text(small(one.fact.relation))}: {as_text(one.fact.value)}" for one in conditions)


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
    if one.row or one.subject.kind == "person":
        return ""
    leaf = cited[fact.place][1]
    label = one.subject.name if one.subject.kind == "term" else one.relation
    return f"**{value}**, {as_text(small(label))}: {as_text((*leaf.heading, leaf.title)[0])}"


def _sentence(fact: StoredFact, asked: str = "what", subject: str = "") -> str:
    """A value with the thing it belongs to. `subject` is what the question called that thing."""
    one = fact.fact
    value, label, thing = as_text(readable(one.value)), as_text(one.relation), as_text(one.subject.name)
    if (
        fact.fact.row
        and subject
        and asked == "when"
        and _CLOCK.fullmatch(one.value.strip())
        and _ISO_DAY.fullmatch(one.subject.name)
    ):
        return f"**{as_text(readable(one.subject.name))}, {value}**, {as_text(small(one.relation))} of {as_text(subject)}"
    if fact.fact.row and subject and (value == thing or ((thing.isdigit() or len(thing) == 1) and subject.endswith(f" {thing}"))):
        thing = as_text(subject)
    elif fact.fact.row and subject and not set(folded(subject).split()) & set(folded(one.subject.name).split()):
        thing = f"{as_text(subject)} ({thing})"  # the row was found by another of its cells
    if one.relation == DEFINITION or says_meaning(folded(one.relation)):
        return f"**{thing}**: {value}"
    if one.relation == ANSWER or one.group == PART:
        return value
    if one.object is not None and one.object.kind == "ticket" and one.relation not in ("epic", "parent", "sub-task"):
        return f"{thing} {label} **{value}**"
    if folded(one.relation) in PERSON_LABELS:
        return f"**{value}**, {thing}"
    if one.relation in DATED:
        return f"**{value}**: {thing} {DATED[one.relation]}"
    if label.casefold() in ("since", "until"):
        return f"**{label[:1].upper()}{label[1:]} {value}**: {thing}"
    if asked == "count" and _NUMBER.match(one.value.strip()):
        said = f"**{value}** {small(label)}, {thing}"
    else:
        said = f"**{value}**, {small(label)} of {thing}"
    if one.since and not ISO.match(one.value):
        said += f" (since {readable(one.since)})"
    return said


DATED = {"created": "was created", "updated": "was updated last", "resolved": "was resolved", "due": "is due"}
