"""Questions for rows of a table: which table is meant, and what is asked of it.

A table is meant by its name ("tickets.csv", "the risk register"), by what its rows are called, or by a column that only it has. Where
several tables are meant, each is asked for itself. Files are asked for in `file_question`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from datetime import date
from functools import cache
from itertools import takewhile

from prompts.language import terms, wholes
from prompts.regex import regex
from prompts.timespans import QUARTER
from tree.ask.facts.amounts import Bounds, amount_of
from tree.ask.facts.attribute import CURRENCIES, OF_TIME, UNITS_OF_LABELS
from tree.ask.facts.collection_vocabulary import CollectionVocabulary
from tree.ask.facts.collection_words import in_plain_words, with_days_of_quarter
from tree.ask.facts.column_vocabulary import AVERAGING, FILLERS_OF_ROWS
from tree.ask.facts.degrees import AGES, SUPERLATIVES
from tree.ask.facts.described_row import PLACES
from tree.ask.facts.file_question import read_files
from tree.ask.facts.price_columns import COSTING, is_of_each, is_price
from tree.ask.facts.rows_of_kind import (
    ASKED_FIRST,
    GENERAL,
    MOST_NAME_WORDS,
    first_term,
    head_of_list,
    heads_of_list,
    in_words,
    kind_of_rows,
    values_with,
)
from tree.ask.facts.set_question import Aggregate, Condition, SetQuestion
from tree.ask.facts.set_reading import read_set
from tree.ask.facts.state_words import unfinished_beside
from tree.ask.facts.stock_columns import BELOW_MINIMUM, says_how_many, stock_and_minimum
from tree.ask.facts.stock_question import read_stock
from tree.ask.facts.thing_sets import BLANK
from tree.ask.facts.ticket_words import OPEN, TICKETS
from tree.ask.facts.valid_rows import read_valid
from tree.retrieve.collections import Table, nouns_of_table, surroundings_of
from tree.retrieve.fact_index import FactIndex, folded
from tree.retrieve.names import Names, Token, tokens
from tree.store.leaves import FILE

MOST_TABLES = 6  # that a question may mean
MOST_SEARCHED = 60  # tables of which the values are looked through for a noun that none of them is called by
_WORDS_OF_ACTS = frozenset("what why how when where whom".split())
_ASKS_NO_SET = regex(  # but for advice, what something is, or all there is: "how many berths should I book?", "what is a berth?"
    r"\W*(?:and |so )?(?:can|may|could|should|must|shall|do|am|are) (?:i|we|you|one)\b|\W*(?:\w+ ){0,2}everything (?:about|on|regarding)\b|\W*what (?:was|were|has been|have been|got) \w+(?:ed|en)\b|\W*what(?:['’]?s| is) an? |\W*how many\b[^?]{1,60}\b(?:(?:should|must|ought|shall) (?:i|we|you|one)|(?:do|does) (?:i|we|you|one) (?:need|have to)|(?:is|are) (?:recommended|best|ideal|enough|sensible)|(?:can|may|could|must|should|shall) (?:an?|one|each|every|any))\b",
    re.IGNORECASE,
)
_OF_A_TABLE = frozenset("line lines row rows entry entries item items record records".split())
SUM = regex(
    r"\b(?:total (?!number\b)|(?<!what )sum of|al{1,2}together|in total|in sum|(?:all )?together(?=\W*\Z| (?:per|a|each|every) (?:day|week|month|quarter|year)\b))",
    re.IGNORECASE,
)
_AVERAGE = regex(rf"\b(?:{'|'.join(AVERAGING)})\b(?! (?:by|of transport)\b)", re.IGNORECASE)
_SUMMING = regex(r"\b(?:al{1,2}together|in total|in sum|(?:all )?together(?=\W*\Z| (?:per|a|each|every) ))", re.IGNORECASE)
_SUM_OF = regex(r"\b(?:the )?sum of (?:the |all )?", re.IGNORECASE)
_IN_ALL = regex(r"\bhow many [^?\n]{2,40} in all (?:the |our )?[a-z-]+s\W*\Z", re.IGNORECASE)
_ASKING = frozenset("what which who whats what's what’s".split())
_YES, _NO = frozenset(("yes", "y", "true", "ja", "oui")), frozenset(("no", "n", "false", "nein", "non"))
_IN = frozenset("in of from within inside".split())


_OF_SMALL_WORDS = regex(  # "which flags are on for all": these words say which, and none of them is a value that is known
    r"\W*(?:and )?(?:which|what|how many|list|show)\b[^?]{2,60}? (?:is|are|was|were) (?:on|off|up|out|down|in|over|through) (?:for|to|by|of|at|with) (?:all|everyone|everybody|most|some|none|nobody|both|us|them)\W*\Z",
    re.IGNORECASE,
)
_VALUE_OF = regex(
    r"\W*(?:and )?what(?:['’]?s| is| was) the (?P<column>(?!(?:number|count|list|total|sum|average)\b)\w+) (?:of|for) ",
    re.IGNORECASE,
)
_OF_LETTERS = regex(r"(?<!to )\b(?:begin|start|end)(?:s|ning|ing)? with\b", re.IGNORECASE)  # "codes that begin with S"
_HOW_LONG = regex(
    r"\W*(?:(?:and|so) )?how many (?:working |calendar |full |more )?(?:minutes|hours|days|weeks|months|years)\b", re.IGNORECASE
)
_WEEK_REACHED = regex(r"\b(?:since|after|before|until|till|from|by) (?:week|kw|cw|wk) \d", re.IGNORECASE)  # no one week


def read_collections(text: str, names: Names, facts: FactIndex, today: date, is_plural: bool = True) -> list[SetQuestion]:
    """What is asked of each collection that the question can be about; nothing where it is about none, or says more than can be
    told. `is_plural`: only what asks for several things, and not for one."""
    text = in_plain_words(text)
    if _ASKS_NO_SET.match(text) or _OF_SMALL_WORDS.match(text) or _WEEK_REACHED.search(text) or _OF_LETTERS.search(text):
        return []
    found = tokens(text)
    if (known := read_valid(text, names, facts, today) or _of_stock(text, found, names)) is not None:
        return [known]
    text = _SUM_OF.sub("total ", text)
    found = tokens(text)
    if len(found) > 1 and found[0].folded in _WORDS_OF_ACTS and found[1].folded in ("did", "do", "does") and not SUM.search(text):
        return []  # "what did the hauliers ask for": what they did is no list of them
    named = _named(found, names)
    tables = list(_tables(found, named, names))
    if len(tables) > MOST_TABLES:
        return []
    questions = [one for table in tables if (one := _of_table(text, table, named, names, today, is_plural))]
    if not questions and (is_plural or _has_superlative(found)):
        questions = list(_of_values(text, found, [*tables] if named else list(names.tables.values()), named, names, facts, today))
    if not questions and BELOW_MINIMUM.search(text.casefold()):
        questions = list(_of_minimum(text, found, names, today))
    if not questions and not named and not is_plural:
        questions = list(_of_column(text, found, names, today))
    if not questions and not named and (one := _of_each(text, found, names, today)) is not None:
        return [one]
    return questions or ([] if named else list(read_files(text, found, names, facts, today)))


def read_narrowing(text: str, before: SetQuestion, names: Names, facts: FactIndex, today: date) -> SetQuestion | None:
    """What is asked of the things of a set before it, which the question calls as they were called there."""
    if before.collection == FILE:
        return next((one for one in read_files(text, tokens(text), names, facts, today) if one.called == before.called), None)
    table = names.tables.get(before.collection)
    return _of_table(text, table, {}, names, today, False, frozenset(terms(before.noun)[:1])) if table is not None else None


def money_of(question: SetQuestion, names: Names) -> str:
    """The one column of money of the table that a set is of."""
    table = names.tables.get(question.collection)
    return money_column(table, names) if table is not None else ""


def money_column(table: Table, names: Names) -> str:
    """The one column (folded) of money of a table; empty where it has none, or several."""
    return CollectionVocabulary(names, table.collection, (), naming=table.naming, labels=table.columns).amount_of("eur")


def has_days(table: Table, names: Names) -> bool:
    """Whether its rows have a day."""
    return CollectionVocabulary(names, table.collection, (), naming=table.naming, labels=table.columns).has_dates


def asks_for_rows(text: str, names: Names, is_named: bool = False) -> bool:
    """Whether a question asks for things that are rows of a table, and for several of them: "which vehicles ...". `is_named`:
    and says which table it means."""
    found = tokens(text)
    low = [token.text.casefold() for token in found]
    head = next((at for at, word in enumerate(low) if word not in ASKED_FIRST), len(low))
    is_asked = 0 < head < len(low) and low[head].endswith("s") and low[0] in ("which", "what", "list", "show", "how")
    known = names.tables_by_noun.get(first_term(low[head]), ()) if is_asked else ()
    return bool(known) and (not is_named or any(table in known for tables in _named(found, names).values() for table in tables))


# ---------------------------------------------------------------- tables


def _named(found: Sequence[Token], names: Names) -> dict[range, Sequence[Table]]:
    """The tables that the question names, and the words that name them."""
    named: dict[range, Sequence[Table]] = {}
    for size in range(min(MOST_NAME_WORDS, len(found)), 0, -1):
        for first in range(len(found) - size + 1):
            span = range(first, first + size)
            tables = names.tables_by_name.get(" ".join(token.folded for token in found[first : first + size]))
            if tables and _is_named(found, span) and all(set(span).isdisjoint(other) for other in named):
                named[span] = tables
    return named


def _is_named(found: Sequence[Token], span: range) -> bool:
    """Whether a name stands there, and not only a word: several words, the name of a file, or "in ...", "of the ..."."""
    words = [token.text.casefold() for token in found]
    before = words[span.start - 1] if span.start else ""
    before = words[span.start - 2] if before == "the" and span.start > 1 else before
    return len(span) > 1 or "." in words[span.start] or before in _IN


def _tables(found: Sequence[Token], named: Mapping[range, Sequence[Table]], names: Names) -> Iterator[Table]:
    said = {term for token in found for term in wholes(token.text)}
    if named:
        both = [table for tables in named.values() for table in tables]
        of_noun = [table for table in both if nouns_of_table(table) & said]
        yield from {table.collection: table for table in of_noun or both}.values()
        return
    yield from {table.collection: table for term in said for table in names.tables_by_noun.get(term, ())}.values()


def _of_table(
    text: str,
    table: Table,
    named: Mapping[range, Sequence[Table]],
    names: Names,
    today: date,
    is_plural: bool,
    also: frozenset[str] = frozenset(),
    is_titled: bool = False,
    kinds: Mapping[str, Condition] | None = None,
    is_implied: bool = False,
) -> SetQuestion | None:
    """`also` are nouns (terms) that mean its rows besides, `kinds` those that mean some of them; `is_titled`: the words of its
    document's title say no more than that they are its rows."""
    wanted = aggregate_asked(text)
    text = _SUMMING.sub("", text)
    if not named and QUARTER.search(text) is not None and has_days(table, names):
        text = with_days_of_quarter(text, table, today)
    nouns = nouns_of_table(table) | also
    called = _kinds_called(text, nouns, table, names) if kinds is None else {}
    kinds = called if kinds is None and _lists_several(table) else kinds
    vocabulary = _vocabulary_of(
        table, names, nouns, named, kinds, today, is_titled=is_titled, is_aggregate=bool(wanted), is_implied=is_implied
    )
    if (value := _VALUE_OF.match(text)) is not None and not wanted and vocabulary.relation_of(value["column"]):
        return None  # of one row of a price list: "price" is what it says of that, and not what its rows are
    question = read_set(text, vocabulary, today, is_narrowing=True) or _with_amount_said(text, vocabulary, table, names, today)
    if question is not None and wanted and question.wanted == "count":
        question = _counted_column(question, text, vocabulary, nouns)
        if wanted == "sum" and question.wanted == "count" and not (question.columns or says_how_many(table.columns)):
            wanted = ""  # "how many ... altogether": of rows that are one thing each
    question = _aggregating(question, text, vocabulary, wanted) if question is not None and wanted else question
    if question is None or (is_plural and not (vocabulary.is_plural or named or question.wanted == "count")):
        return None
    if is_plural and _is_of_one_row(question, table):
        return None  # "which fridge unit does BW-105 have?"
    words = [token.text.casefold() for token in tokens(text)]
    if _asks_of_one(words, question, vocabulary) and not named:
        return None
    if _is_open(question) and _WORTH.search(text):
        return None  # "the value of the stock"
    if _STILL_HAS.search(text) is not None and _says_returned(table) and not any(map(_is_of_absence, question.conditions)):
        return None  # "how many keys does she still have": some are back
    counted = list(takewhile(lambda word: word not in _VERBS, words[2:]))
    if question.wanted == "count" and words[:2] == ["how", "many"] and question.columns and not _is_of(counted, nouns):
        if not vocabulary.is_plural and not named:
            return None  # "how many people are in the team": not how many teams there are
        question = replace(question, wanted="list")  # "how many cars does each ship take": the cars of each
    conditioned = {relation for one in question.conditions for relation in one.relations}
    if question.wanted == "count" and not wanted and not conditioned.issuperset(question.columns):
        question = replace(question, is_guess=True)  # of what a column says nothing is counted
    if _is_also_value(text, table, nouns, names, question) or _drops_direction(text, table, names, question):
        question = replace(question, is_guess=True)
    question = _with_unfinished(_with_yes(question, table, names), table, names)
    if (predicated := _with_predicate(question, text, table, names)) is None:
        return None
    question = predicated
    if _STATE.search(text) is not None and not any(map(_may_be_state, question.conditions)):
        return None  # "flags expired but still on" asks for no column
    taken = {at for span in named for at in span}
    noun = next((word for at, word in enumerate(words) if at not in taken and _is_of([word], nouns)), "")
    is_by_heading = not noun and bool(table.headings) and not _ANY_NAME.issuperset(terms(table.naming))
    noun = noun or "rows"
    after = words[words.index(noun) + 1] if noun in words[:-1] else ""
    noun = after if after in _OF_A_TABLE else noun  # "budget lines"
    is_still = question.wanted == "any" and "still" in words  # the register may not say since when it is no longer so
    may_be_more = bool(called) and (not kinds or any(_has_other_kinds(one, table, nouns, names) for one in called.values()))
    question = replace(question, is_guess=question.is_guess or is_still or may_be_more)
    return replace(
        question, collection=table.collection, called=table.called, noun=noun, naming=table.named_by, is_by_heading=is_by_heading,
        aggregate=wanted,
    )  # fmt: skip


def _is_also_value(text: str, table: Table, nouns: Set[str], names: Names, question: SetQuestion) -> bool:
    """Whether a word by which the table is called is a value of a column too, and no condition: "sound items" of the inventory of light and
    sound, where a column says of each which of the two it is."""
    said = [token.folded for token in tokens(text) if not nouns.isdisjoint(terms(token.text)[:1])]
    conditioned = {value for one in question.conditions for value in one.values}
    held = (
        names.values_of(relation, table.collection)
        for relation in names.relations_of(table.collection)
        if relation != folded(table.naming)
    )
    return len(said) > 1 and any(
        word in values and word not in conditioned and len(values) > 1 for values in held for word in said
    )


_DIRECTION = frozenset("in out incoming outgoing inbound outbound to from".split())  # values
_IN_LIST = regex(
    r"\b(?:in|from|out of) (?:the|our|this) (?:[\w-]+ ){0,3}(?:register|list|table|file|sheet|log|inventory)\b|\bin [\w-]+\.[a-z]{2,4}\b",
    re.IGNORECASE,
)
_GOES = regex(r"\b(?:to|from|incoming|outgoing|borrowed|lent|out|in)\b", re.IGNORECASE)


def _drops_direction(text: str, table: Table, names: Names, question: SetQuestion) -> bool:
    """Whether it is said where the things go, "loans to Ebbel", a column says of each whether it goes in or out, and no condition is on it."""
    if _GOES.search(_IN_LIST.sub("", text)) is None:
        return False
    asked = {relation for one in question.conditions for relation in one.relations}
    known = (
        (relation, names.values_of(relation, table.collection) - frozenset(BLANK))
        for relation in names.relations_of(table.collection)
    )
    return any(relation not in asked and len(values) > 1 and values <= _DIRECTION for relation, values in known)


def _vocabulary_of(
    table: Table, names: Names, nouns: frozenset[str], named: Mapping[range, Sequence[Table]],
    kinds: Mapping[str, Condition] | None, today: date, *, is_titled: bool, is_aggregate: bool, is_implied: bool = False,
) -> CollectionVocabulary:  # fmt: skip
    stem = table.file.rpartition(".")[0] or table.file
    said = (*table.headings[-1:], *((stem,) if not table.headings else ()), *((table.title,) if is_titled else ()))
    return CollectionVocabulary(
        names, table.collection, nouns, named, table.naming, kinds, labels=table.columns, said=said, around=surroundings_of(table),
        today=today, is_aggregate=is_aggregate, is_implied=is_implied,
    )  # fmt: skip


def aggregate_asked(text: str) -> Aggregate:
    """Whether a question asks for amounts added up, or on average."""
    return "average" if _AVERAGE.search(text) else "sum" if SUM.search(text) or _IN_ALL.search(text) else ""


def _counted_column(question: SetQuestion, text: str, vocabulary: CollectionVocabulary, nouns: Iterable[str]) -> SetQuestion:
    """ "How many seats do all rooms have in total?" adds up the seats and counts no rooms."""
    words = [token.text.casefold() for token in tokens(text)]
    counted = set(terms(" ".join(takewhile(lambda word: word not in _VERBS, words[2:]))))
    whole = next((one for one in question.columns if set(terms(one)) == counted), "")  # "free ports" of "Ports free"
    relation = whole or (vocabulary.relation_of(words[2]) if words[:2] == ["how", "many"] and len(words) > 2 else "")
    if not relation or (not whole and _is_of(words[2:], nouns)):
        return question
    return replace(question, wanted="list", columns=(relation,))


def _aggregating(question: SetQuestion, text: str, vocabulary: CollectionVocabulary, aggregate: Aggregate) -> SetQuestion | None:
    """With the one column whose amounts are asked for, of prices where it is asked what something costs; None where several columns may
    be meant, or prices of one of several would be added up."""
    is_of_cost = not COSTING.isdisjoint(folded(text).split())
    columns = question.columns
    may_add = aggregate == "average"
    if is_of_cost and len(columns) == 1 and not is_price(columns[0]):
        return None  # "what do all seats cost": how many there are is not what they cost
    if is_of_cost and (len(columns) != 1 or (is_of_each(columns[0]) and not may_add)):
        columns = (vocabulary.price_in_all(),)
    if (is_of_cost and (question.group or not columns[0])) or (any(map(is_of_each, columns)) and not may_add):
        return None
    return replace(question, columns=columns)


def _with_yes(question: SetQuestion, table: Table, names: Names) -> SetQuestion:
    """ "Which workers support it?", where a column of that says yes or no: to have it is not to say no."""
    if question.wanted not in ("list", "count"):
        return question
    conditions = tuple(_said_no(one, table, names) for one in question.conditions)
    if not conditions and len(question.columns) == 1:
        found = _said_no(Condition(question.columns[:1], negated=True), table, names)
        conditions = (replace(found, words=f"with {question.columns[0]}"),) if found.values else ()
    asked = [one.relations[0] for one in conditions if one not in question.conditions]  # as yes and no
    others = {value for one in asked for value in names.values_of(one, table.collection) - _YES - _NO - frozenset(BLANK)}
    return replace(question, conditions=conditions, is_guess=question.is_guess or bool(others))  # "pending" may be either


def _with_unfinished(question: SetQuestion, table: Table, names: Names) -> SetQuestion:
    """ "Which tickets are open?" of a list of open tickets, where a column says of some of them "open" and of others "in progress": any of
    them may be meant, so all are told with their states, as a guess."""
    if OPEN.isdisjoint(
        folded(f"{table.file.rpartition('.')[0]} {table.title} {' '.join(table.headings)}").replace("-", " ").split()
    ):
        return question
    held = [_of_unfinished(one, table, names) for one in question.conditions]
    if all(one is None for one in held):
        return question
    conditions = tuple(one or before for one, before in zip(held, question.conditions, strict=True))
    return replace(question, conditions=conditions, is_guess=True)


def _of_unfinished(condition: Condition, table: Table, names: Names) -> Condition | None:
    """The same condition with all states in which something is not finished; None where it is no such state."""
    if condition.negated or len(condition.relations) != 1:
        return None
    [relation] = condition.relations
    values = unfinished_beside(condition.values, names.values_of(relation, table.collection) - frozenset(BLANK))
    label = next((one for one in table.columns if folded(one) == relation), relation)
    return replace(condition, values=values, words=f"{label} {' or '.join(sorted(values))}") if values else None


_PREDICATE = regex(
    r"\W*(?:which|what|how many|list|show|are there)\b (?:[\w-]+ ){1,4}?(?P<verb>is|are|was|were|that are|which are) (?P<said>(?:(?:currently|still|now|already|all|not|out|sold|of|in|on|no|longer|at|the) ){0,4})(?P<column>[\w-]+(?: [\w-]+)?)(?: (?:now|today|at the moment|right now|currently))?\W*\Z",
    re.IGNORECASE,
)
_IS_NOT = regex(r"\b(?:out|not|no|sold)\b", re.IGNORECASE)
_SOME, _NOTHING = Bounds(low=0.0), Bounds(0.0, 0.0, is_closed=True)


def _with_amount_said(text: str, vocabulary: CollectionVocabulary, table: Table, names: Names, today: date) -> SetQuestion | None:
    """ "Which articles are out of stock", where that cannot be read as a condition on a column: of the things alone, and of how many there
    are."""
    asked = _PREDICATE.match(text)
    if asked is None or not asked["said"].strip():
        return None
    question = read_set(text[: asked.start("verb")], vocabulary, today, is_narrowing=True)
    told = _with_predicate(question, text, table, names) if question is not None else None
    return told if told is not question else None


def _with_predicate(question: SetQuestion, text: str, table: Table, names: Names) -> SetQuestion | None:
    """ "Which products are out of stock?", where a column says how many are: none. As it is where nothing is said of them in this way;
    None where it is and the column does not tell."""
    asked = _PREDICATE.match(text)
    if asked is None or question.wanted not in ("list", "count") or question.conditions or not asked["said"].strip():
        return question
    named = set(terms(asked["column"]))
    meant = [
        folded(label) for label in table.columns if named and named <= set(terms(label)) and folded(label) != folded(table.naming)
    ]
    if len(meant) != 1:
        return question
    [column] = meant
    values = names.values_of(column, table.collection)
    if not values or any(amount_of(value) is None for value in values if value not in BLANK):
        return None
    bounds = _NOTHING if _IS_NOT.search(asked["said"]) else _SOME
    words = f"{asked['said'].strip()} {asked['column']}"
    return replace(question, conditions=(Condition((column,), bounds=bounds, words=words),))


def _said_no(condition: Condition, table: Table, names: Names) -> Condition:
    """That a column is empty as that it says no, where it says yes of others."""
    is_empty = not (
        condition.values or condition.span or condition.bounds or condition.rank or condition.either or condition.folders
    )
    if not is_empty or len(condition.relations) != 1:
        return condition
    values = names.values_of(condition.relations[0], table.collection)
    if not (values & _NO and values & _YES):
        return condition
    if condition.negated:  # to have it is to say something else than no: what says nothing has it not
        return replace(condition, values=frozenset(values - _NO), negated=False)
    return replace(condition, values=frozenset(values & _NO))


def _of_values(
    text: str, found: Sequence[Token], tables: Sequence[Table], named: Mapping[range, Sequence[Table]], names: Names,
    facts: FactIndex, today: date,
) -> Iterator[SetQuestion]:  # fmt: skip
    """ "How many pumps and motors are in use?": rows called by the last word of what a column says of several of them. A noun that nothing
    is called by is that of the one table whose columns and title have all that is said of them: "which kit is under 40 pounds a
    day?"."""
    nouns = [] if _HOW_LONG.match(text) else heads_of_list(found)  # "how many days off": an amount, and no rows called "... Day"
    if not nouns or len(tables) > MOST_SEARCHED or nouns[0] in names.tables_by_noun:
        return
    of_kind: list[SetQuestion] = []
    for table in tables:
        if any(terms(column) == [nouns[0]] for column in table.columns):
            continue  # "how many seats of the editor": what a column says, and no rows
        kind = kind_of_rows(table, nouns, names, facts)
        kinds = dict.fromkeys(nouns, kind) if kind is not None else {}
        is_plural = not _has_superlative(found)
        if kind is not None and not is_plural and (nouns[0] in GENERAL or not _is_of_several(kind, table, facts)):
            continue  # the oldest of one, and "machine" of any
        one = _of_table(text, table, named, names, today, is_plural, kinds=kinds) if kinds else None
        if kind is not None and one is not None and not _is_of_another_kind(one, kind):
            called = set(terms(f"{table.title} {table.file} {' '.join(table.headings)}"))
            of_kind.append(one if called.isdisjoint(nouns) else replace(one, is_guess=True))  # of "wagons.csv" all may be
    if of_kind:
        yield from of_kind
        return
    if not any(map(str.isdigit, text)):
        return  # without an amount a noun alone names no table
    also = frozenset(nouns[:1])
    others = [one for table in tables if (one := _of_table(text, table, named, names, today, False, also, True))]
    others = [one for one in others if any(part.bounds for part in one.conditions)]
    if len(others) == 1:
        is_guess = not _may_be_called(nouns[0], names.tables[others[0].collection])
        yield replace(others[0], noun="rows", is_guess=is_guess)


def _is_of_another_kind(question: SetQuestion, kind: Condition) -> bool:
    """Whether the column of the kind is asked for another value too: the "people" of "team Hinge" are not those of the team "People"."""
    said = [one for one in question.conditions if one.relations == kind.relations and one.values and not one.negated]
    return any(one.values.isdisjoint(kind.values) for one in said)


def _of_stock(text: str, found: Sequence[Token], names: Names) -> SetQuestion | None:
    """What there is of something that is no row, file or ticket by itself."""
    noun = head_of_list(found)
    is_counted = noun in names.tables_by_noun or noun in map(first_term, TICKETS) or bool(names.folders(noun))
    return None if is_counted else read_stock(text, names)


def _of_column(text: str, found: Sequence[Token], names: Names, today: date) -> Iterator[SetQuestion]:
    """ "The longest lead time", "the average unit price": of the rows of the one table that has such a column, where they are not
    named; of a price list without units of money too."""
    low = {token.text.casefold() for token in found}
    if not aggregate_asked(text) and not _has_superlative(found):
        return
    said = {term for word in low for term in wholes(word)}
    tables = [
        table
        for table in names.tables.values()
        if any(len(own) > 1 and own <= said for column in table.columns for own in _bare(column))
    ]
    if len(tables) == 1:
        one = _of_table(text, tables[0], {}, names, today, False, is_implied=True)
        if one is not None and (one.aggregate or any(condition.rank for condition in one.conditions)):
            yield replace(one, noun="rows")


def _is_of_several(kind: Condition, table: Table, facts: FactIndex) -> bool:
    return sum(folded(value) in kind.values for _, value in facts.values(table.collection, kind.relations)) > 1


def _has_superlative(found: Sequence[Token]) -> bool:
    return not (SUPERLATIVES | AGES.keys()).isdisjoint(token.text.casefold() for token in found)


@cache  # of all columns, for each question with a superlative
def _bare(column: str) -> tuple[set[str], set[str]]:
    """The terms of the name of a column without units, "lead time" of "lead_time_days", and without money alone: "annual fee"."""
    every = {term for word in folded(column).split() for term in wholes(word)}
    return every - UNITS_OF_LABELS - OF_TIME, every - CURRENCIES


def _of_minimum(text: str, found: Sequence[Token], names: Names, today: date) -> Iterator[SetQuestion]:
    """ "Which articles are below their minimum?": rows of the one table that says what there is and what there should be."""
    noun = head_of_list(found)
    tables = [one for one in names.tables.values() if stock_and_minimum([*map(folded, one.columns)])]
    if len(tables) != 1 or not noun:
        return
    is_sure, some = _may_be_called(noun, tables[0]), values_with(tables[0], noun, names)
    kinds = {noun: some} if some is not None and not is_sure else None
    one = _of_table(text, tables[0], {}, names, today, False, frozenset((noun,)), True, kinds)
    if one is not None and any(condition.is_below for condition in one.conditions):
        yield replace(one, noun="rows", is_guess=not is_sure)


def _may_be_called(noun: str, table: Table) -> bool:
    """Whether rows of a table may be called so whatever they are, or by its title, a heading or the name of its file."""
    said = (table.title, *table.headings, table.file.rpartition(".")[0], table.naming)
    is_place = noun in terms(" ".join(PLACES)) and not PLACES.isdisjoint(folded(table.naming).split())
    return noun in _ANYTHING or is_place or any(noun in terms(one) for one in said)


_ANYTHING = frozenset(terms("items articles products parts things goods materials"))  # that any stock is of


_STILL_HAS = regex(
    r"\bstill (?:have|has|hold|holds|got|keep|keeps)\b|\b(?:have|has)(?: \w+)? still\b|\b(?:do|does) .{2,60} hold\b",
    re.IGNORECASE,
)
_RETURNED = frozenset("returned back return returns".split())  # in the name of a column that says when something came back


def _says_returned(table: Table) -> bool:
    return any(not _RETURNED.isdisjoint(folded(label).split()) and "due" not in folded(label).split() for label in table.columns)


def _is_of_absence(condition: Condition) -> bool:
    return not condition.values and condition.span is None and condition.bounds is None and not condition.rank


_VERBS = frozenset("are is was were do does did have has had can could in on at of there".split())
_STATE = regex(
    r"\b(?:expired|lapsed|overdue|outdated|past due|(?:out of|in|not in|no longer in) (?:use|stock|service|order|repair|working order)|leased|broken|missing|full|fully booked|booked out|booked up|sold out|empty)\b",
    re.IGNORECASE,
)


def _may_be_state(condition: Condition) -> bool:
    """Whether it says how rows stand: by a day, a value, or by what is not there."""
    return (
        condition.span is not None
        or bool(condition.either)
        or len(condition.relations) > 1
        or _STATE.search(condition.words) is not None
        or not condition.values
        and condition.bounds is None
    )


_WORTH = regex(r"\b(?:value|worth)\b", re.IGNORECASE)  # what a list of rows does not say


def _asks_of_one(words: Sequence[str], question: SetQuestion, vocabulary: CollectionVocabulary) -> bool:
    """ "What is the policy?", "which database do we use?": one thing that nothing is said of is not answered with all."""
    return _is_open(question) and not vocabulary.is_plural and words[0] in _ASKING


def _is_open(question: SetQuestion) -> bool:
    """Whether nothing is said of the rows that are asked for."""
    return question.wanted == "list" and not (question.conditions or question.group or question.columns)


def _has_other_kinds(kind: Condition, table: Table, nouns: Set[str], names: Names) -> bool:
    """Whether a column has values that end with none of the nouns for rows: of "carriages-and-wagons.csv" a "salt van" may be a wagon."""
    values = names.values_of(kind.relations[0], table.collection) - frozenset(BLANK)
    return any(first_term(one.split(" ")[-1]) not in nouns for one in values)


def _kinds_called(text: str, nouns: Set[str], table: Table, names: Names) -> dict[str, Condition]:
    """The rows that one column calls by the noun of the question, where it calls others otherwise: of "keys-and-badges.csv" those that are
    a "room key" or a "master key"."""
    found: dict[str, Condition] = {}
    for noun in {term for token in tokens(text) for term in terms(token.text)[:1]} & nouns:
        held: list[Condition] = []
        for label in table.columns:
            if _KIND.isdisjoint(folded(label).split()) or label == table.naming:
                continue
            values = names.values_of(folded(label), table.collection) - frozenset(BLANK)
            called = frozenset(one for one in values if first_term(one.split(" ")[-1]) == noun)
            if called and called != values:
                held.append(Condition((folded(label),), called, words=f"{label} {in_words(called)}"))
        if len(held) == 1:
            found[noun] = held[0]
    return found


def _lists_several(table: Table) -> bool:
    """Whether a file is called by several things: "keys-and-badges", "printers_projectors"."""
    parts = folded(table.file.rpartition(".")[0] or table.file).split()
    return len([part for part in parts if part.endswith("s") and not part.endswith("ss")]) > 1


_KIND = frozenset("kind type category class sort art typ".split())  # columns


def _is_of_one_row(question: SetQuestion, table: Table) -> bool:
    """Whether a column of one row is asked for, which the question names."""
    named = [one for one in question.conditions if one.relations == (folded(table.naming),) and len(one.values) == 1]
    is_plain = question.wanted == "list" and not question.aggregate and not any(one.negated for one in named)
    return bool(named and question.columns) and is_plain


def _of_each(text: str, found: Sequence[Token], names: Names, today: date) -> SetQuestion | None:
    """ "Which boats do we have and how many cars does each take?": things under another name, of the one table that has what is
    asked of each."""
    low = [token.text.casefold() for token in found]
    if "each" not in low:
        return None
    columns = {term for relation in names.relations for term in terms(relation)}
    said = [term for word in low if word not in FILLERS_OF_ROWS for term in wholes(word)]
    unknown, wanted = [term for term in said if term not in columns], {term for term in said if term in columns}
    tables = [table for table in names.tables.values() if wanted <= {term for one in table.columns for term in terms(one)}]
    if len(unknown) != 1 or not wanted or len(tables) != 1:
        return None
    return _of_table(text, tables[0], {}, names, today, True, frozenset(unknown))


_ANY_NAME = frozenset(terms("name names id key title no number code label item description"))  # of the column that names the rows


def _is_of(words: Sequence[str], nouns: Iterable[str]) -> bool:
    """Whether the first of these words is one of the nouns."""
    return bool(words) and bool(set(terms(words[0])[:1]) & {*nouns, "row"})
