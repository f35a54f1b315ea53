"""Questions for rows of tables put in other words: "what did all complaints cost together", "the most common defect".

Each is put as sets are usually asked for, and only where one table has the rows, or the column, that are meant.
"""

from __future__ import annotations

import re
from datetime import date

from prompts.language import terms
from prompts.regex import regex
from tree.ask.facts.amounts import DATE, amount_of, number_of
from tree.ask.facts.collection_question import has_days, money_column
from tree.ask.facts.thing_sets import BLANK
from tree.ask.facts.value_forms import singular_forms
from tree.retrieve.collections import Table, nouns_of_table
from tree.retrieve.fact_index import FactIndex, folded
from tree.retrieve.names import Names

_TOGETHER = r"(?: (?:all )?together| altogether| in (?:total|all|sum)| overall)"
_COST = regex(
    rf"\A\W*(?:and )?(?:what|how much) (?:did|do|does|have|will|would) (?P<all>all (?:of )?)?(?:the |our |these )?(?P<noun>[^?\n]{{3,80}}?)(?: (?:in|of|from|on) (?:the|our) (?:register|list|table|file|sheet|record)s?)? (?:cost(?: us)?|add up to|sum up to|come to|amount to)(?: so far)?(?: (?:per|a|each) (?:year|month))?(?P<together>{_TOGETHER})?\W*\Z",
    re.IGNORECASE,
)
_WORTH = regex(
    rf"\A\W*(?:and )?(?:what|how much) (?:is|are|was|were) (?P<all>all (?:of )?)?(?:the |our |these )*(?P<noun>[^?\n]{{3,60}}?) worth(?P<together>{_TOGETHER})?\W*\Z",
    re.IGNORECASE,
)
_PAST_DATE = regex(r"\bpast (?:its|their|the|his|her)(?: due)?(?: (?P<what>\w+))? date(?=\W*\Z| )|\bpast due\b", re.IGNORECASE)
_HAVE_ENDED = regex(
    r"\A\W*(?:and )?(?:(?:which|what|(?P<many>how many)) (?P<noun>[^?\n]{2,50}?)|whose (?P<whose>[^?\n]{2,50}?)) (?:have|has|are|is) (?:already |now |all )*(?:run out|expired|lapsed|ended|over|no longer valid|out of date)(?: already| now| by now)?\W*\Z",
    re.IGNORECASE,
)
_STILL_VALID = regex(
    r"\A\W*(?:and )?(?P<which>which|what|how many) (?P<noun>[^?\n]{2,50}?) (?:are|is) (?:still |currently )(?:valid|in force|running|good)\W*\Z",
    re.IGNORECASE,
)
_ENDING = frozenset(
    "valid until|valid till|valid to|val until|paid until|until|best before|use by|expires|expires on|expiry|expiry date|end|end date|ends|due|gültig bis|valable jusqu'au".split(
        "|"
    )
)
_RUN_OUT = regex(r"\b(?:run|runs|running|ran) out\b(?! of\b)", re.IGNORECASE)
_HAVE_RUN_OUT = regex(r"\b(?P<have>has|have) (?:already )?run out\b(?! of\b)", re.IGNORECASE)
_PAYING_FOR = regex(
    r"\A\W*(?:and )?how much (?:do|did) we (?:pay|spend)(?: (?:per|a|each) (?:month|year))? (?:for|on) (?:all )?(?:the |our )?(?P<noun>(?:[a-z]+ )?[a-z]+s\b[^?\n]{0,60}?)(?: (?:per|a|each) (?:month|year))?\W*\Z",
    re.IGNORECASE,
)
_MOST_COMMON = regex(
    r"\A\W*(?:and )?(?:(?:what|which)(?:['’]?s| is| are| was| were)? )?(?:the |our )?most (?:common|frequent|usual) (?P<column>[\w -]{3,40}?)"
    r"(?: (?:of|among|in|for) (?:all |the |our )*(?P<noun>[\w .-]{3,60}?))?\W*\Z"
    r"|\A\W*(?:and )?(?:what|which) (?P<asked>[\w-]{3,30})(?P<between>(?: [\w-]+){1,5}) most (?:often|frequently|commonly)\W*\Z",
    re.IGNORECASE,
)
_HAS_MOST = regex(
    r"\b(?:costs?|brings?|takes?|needs?|uses?|earns?|makes?|gets?|pays?|charges?|holds?)(?: us)? the "
    r"(?=(?:highest|lowest|largest|biggest|greatest|smallest|longest|shortest) [a-z])",
    re.IGNORECASE,
)
_OPEN = regex(
    r"\A\W*(?:and )?(?:which|what) (?P<noun>[^?\n]{3,40}?) (?:are|is) (?:still |currently )?(?:open|unresolved|pending|outstanding|unsettled|not (?:yet )?(?:closed|done|resolved|settled|answered))(?: yet| now| still)?\W*\Z",
    re.IGNORECASE,
)
_ENDED = frozenset(
    "closed|closed on|closed at|date closed|closing date|resolved|resolved on|done|done on|settled|settled on|answered|answered on|erledigt|erledigt am|geschlossen".split(
        "|"
    )
)  # columns
_STATES = frozenset("state status stand open zustand reopened".split())
_DAY = regex(r"\d{4}-\d\d-\d\d")
_MADE_IN = regex(
    r"\b(?:(?:that|which) )?(?:written|coded|implemented|programmed|developed) in\b(?= [A-Za-z][\w+#.]{0,20}\W*\Z)", re.IGNORECASE
)  # a language
_NUMBER_OF = regex(
    r"\bthe (?P<most>highest|largest|greatest|biggest|lowest|smallest) (?:number|count) of (?=[a-z])", re.IGNORECASE
)
_COSTS_MOST = regex(
    r"\A\W*(?:and )?(?:which|what) (?P<noun>[^?\n]{2,60}?) (?:costs?(?: us)?(?: the)? (?P<most>most|least)"
    r"|(?:costs?|pays?|needs?|takes?|uses?|gets?|brings?)(?: us)? the (?P<more>most|least) (?P<column>[a-z][a-z -]{2,30}?))\W*\Z",
    re.IGNORECASE,
)
_GOES_FOR = regex(  # "which carts have to go for their check by the end of May"
    r"\A\W*(?:and )?(?:which|what) (?P<noun>[^?\n]{2,50}?) (?:(?:have|has|need|needs|must|are|is)(?: to)?(?: (?:go|come|be taken|be brought|get|have))?(?: in)? (?:for|to) |(?:are|is) (?:up|due) for |need |needs )"
    r"(?:their |the |its |an? |a new )?(?P<column>[a-z][a-z -]{2,30}?) (?P<when>(?:by|before|until|till|in|within|this|next|on)\b[^?\n]{2,40}?)\W*\Z",
    re.IGNORECASE,
)
_NOBODY_HAS = regex(
    r"\b(?:without (?:any(?:body|one)|some(?:body|one)|a person)|(?:have|has|with|there is|there['’]s) (?:nobody|no ?one))(?: (?:who|that))?"
    r" (?:look(?:s|ing) after|tak(?:es|ing) care of|own(?:s|ing)|(?:is )?(?:in charge of|responsible for))(?: (?:them|it))?(?=\W*\Z)",
    re.IGNORECASE,
)
_SAYS_WHEN = frozenset(terms("due next until date by deadline"))  # in the name of a column
_HOW_MANY = regex(
    rf"\A\W*(?:and )?how (?:many|much) (?P<column>[a-z][a-z -]{{2,40}}?)(?: (?:do|did) we have| have we(?: got)?| are there| is there)?"
    rf"(?P<at> (?:in|at|of|for|on|from) [^?\n]{{2,60}}?)?(?P<together>{_TOGETHER})\W*\Z",
    re.IGNORECASE,
)
_SPENT = regex(
    rf"\A\W*(?:and )?(?:what|how much)(?: (?:money|did|do|does|have|has|was|is|we|you|they|us|the team))* (?P<act>order(?:ed)?|b[ou][yu](?:ght)?|purchased?|pa(?:y|id)|spen[dt]|get|got)"
    rf" (?:from|with|at|to|on|for)(?: the)? (?P<what>[^?\n]{{2,60}}?)(?P<when> (?:this|last) year| in \d{{4}})?{_TOGETHER}\W*\Z",
    re.IGNORECASE,
)
_PAIR = regex(r"\b(?P<first>[a-z]{3,15})[ -](?=(?P<second>[a-z]{3,15})\b)", re.IGNORECASE)
_OCCURS = frozenset(
    """do does did is are was were has have we us our the you they people customers users everybody come comes came up occur occurs occurred happen happens
    happened appear appears show shows see sees seen get gets got reported reports found find turn turns there in it about with""".split()
)
_FALL_DUE = regex(r"\b(?:fall|falls|come|comes|become|becomes|get|gets) due\b", re.IGNORECASE)
ALIKE = 6  # letters in which a verb and its noun are the same: "complain" and "complaints"


def rows_in_usual_words(question: str, names: Names, facts: FactIndex, today: date) -> str | None:
    """None where it is put as it usually is, or not one table is meant."""
    if (plain := _FALL_DUE.sub("are due", _MADE_IN.sub("in", question))) != question:
        return plain
    if (joined := _joined_noun(question, names)) is not None:
        return joined
    if asked := _NUMBER_OF.search(question):
        most = "fewest" if asked["most"].casefold() in ("lowest", "smallest") else "most"
        return f"{question[: asked.start()]}the {most} {question[asked.end() :]}"
    if (asked := _COST.match(question) or _WORTH.match(question)) and (asked["all"] or asked["together"]):
        return _total(asked["noun"], names)
    if (asked := _PAYING_FOR.match(question)) and (total := _total(asked["noun"], names)):
        return total
    if asked := _HOW_MANY.match(question):
        if _tables_of(asked["column"].split()[0], names):
            return question[: asked.start("together")]
        if total := _total_of_column(asked["column"], asked["at"] or "", names):
            return total
    if (asked := _SPENT.match(question)) and (total := _total_of_value(asked["what"], asked["act"], asked["when"] or "", names)):
        return total
    if asked := _GOES_FOR.match(question):
        return _goes_for(asked["noun"], asked["column"], asked["when"], names)
    if asked := _COSTS_MOST.match(question):
        most = (asked["most"] or asked["more"]).casefold()
        dearest = _dearest(asked["noun"], "highest" if most == "most" else "lowest", names, asked["column"] or "")
        if dearest is not None or not asked["column"]:
            return dearest
    if _HAS_MOST.search(question) and _tables_of(question, names):
        return _HAS_MOST.sub("has the ", question)
    if _NOBODY_HAS.search(question) and _tables_of(question, names):
        return _NOBODY_HAS.sub("nobody owns", question)
    if (asked := _HAVE_ENDED.match(question)) and _has_ending_column(noun := asked["noun"] or asked["whose"], names, facts):
        return f"{asked['many'] or 'which'} {noun} expired before today"
    if (asked := _STILL_VALID.match(question)) and _has_ending_column(asked["noun"], names, facts):
        return f"{asked['which']} {asked['noun']} are not overdue"
    if _RUN_OUT.search(question) and _tables_of(question, names):
        return _RUN_OUT.sub("end", _HAVE_RUN_OUT.sub(r"\g<have> expired", question))
    if (asked := _PAST_DATE.search(question)) and _tables_of(question, names):
        late = f"overdue for {asked['what']}" if asked["what"] else "overdue"
        return f"{question[: asked.start()]}{late}{question[asked.end() :]}"
    if asked := _OPEN.match(question):
        return _not_ended(asked["noun"], names, facts, today)
    if asked := _MOST_COMMON.match(question):
        between = (asked["between"] or "").casefold().split()
        return _most_common(asked["column"] or asked["asked"], asked["noun"] or "", between, names)
    return None


def _joined_noun(question: str, names: Names) -> str | None:
    """With two words as one, where a table calls its rows so, and no other by the second word: "cool boxes" of "coolbox_register.csv"."""
    for pair in _PAIR.finditer(question):
        joined = pair["first"] + pair["second"]
        called = [table.collection for table in _tables_of(joined, names)]
        if called and all(table.collection in called for table in _tables_of(pair["second"], names)):
            return question[: pair.start()] + joined + question[pair.end("second") :]
    return None


def _tables_of(noun: str, names: Names) -> list[Table]:
    said = {term for word in folded(noun).split() for term in terms(word)[:1]}
    return list({table.collection: table for term in said for table in names.tables_by_noun.get(term, ())}.values())


def _has_ending_column(noun: str, names: Names, facts: FactIndex) -> bool:
    """Whether there is one table of such things, with one column that says until when each is valid, by plain days alone: "expired" as
    a value, or "extended to", is read by whoever asks."""
    tables = _tables_of(noun, names)
    columns = [one for table in tables for one in table.columns if folded(one) in _ENDING]
    if len(tables) != 1 or len(columns) != 1:
        return False
    values = [value.strip() for _, value in facts.values(tables[0].collection, (folded(columns[0]),))]
    return all(
        amount is not None and amount.unit == DATE
        for value in values
        if folded(value) not in BLANK
        for amount in (amount_of(value),)
    )


def _not_ended(noun: str, names: Names, facts: FactIndex, today: date) -> str | None:
    """What is open has nothing in the one column that says when it was closed, in which stand nothing but days that are past; where
    another column says its state, or that it was opened again, that one does."""
    tables = _tables_of(noun, names)
    columns = [one for table in tables for one in table.columns if folded(one) in _ENDED]
    has_state = any(_STATES & set(folded(one).split()) for table in tables for one in table.columns)
    if len(tables) != 1 or len(columns) != 1 or has_state:
        return None
    ended = [value for _, value in facts.values(tables[0].collection, (folded(columns[0]),))]
    is_plain = all(_DAY.fullmatch(value) and value <= today.isoformat() for value in ended if value)
    return f"which {noun} have no {columns[0]}" if is_plain else None


def _total(noun: str, names: Names) -> str | None:
    tables = _tables_of(noun, names)
    if not tables:
        return _total_of_kind(noun, names)
    money = money_column(tables[0], names) if len(tables) == 1 else ""
    return f"total {money} of the {noun}" if money else None


def _total_of_kind(noun: str, names: Names) -> str | None:
    """Of the rows of the one table with money in which some are called so in one column: "cello" of "cellos"."""
    held = [
        (table, label, value)
        for table in names.tables.values()
        if money_column(table, names)
        for label in table.columns
        for value in names.values_of(folded(label), table.collection) & set(singular_forms(folded(noun)))
    ]
    if len(held) != 1:
        return None
    [(table, label, value)] = held
    return f"total {money_column(table, names)} of the rows in {table.file} with {label} {value}"


def _goes_for(noun: str, column: str, when: str, names: Names) -> str | None:
    """By the one column that says when that is due."""
    wanted = set(terms(column))
    held = [
        one
        for table in _tables_of(noun, names)
        for one in table.columns
        if wanted <= set(terms(one)) and _SAYS_WHEN & set(terms(one))
    ]
    return f"which {noun} have {' '.join(held[0].split('_'))} {when}" if len(held) == 1 and wanted else None


def _dearest(noun: str, most: str, names: Names, column: str = "") -> str | None:
    """ "Which weights cost the most": by the column of money, and not the cost that most of them have; "which weight has the most
    dust": by the one column that has this word."""
    tables = _tables_of(noun, names)
    if column:
        held = [(table, label) for table in tables for label in table.columns if set(terms(column)) <= set(terms(label))]
        values = names.values_of(folded(held[0][1]), held[0][0].collection) if len(held) == 1 else frozenset()
        is_of_numbers = len(held) == 1 and 2 * sum(number_of(value) is not None for value in values) >= len(values)
        return f"which {noun} has the {most} {column}" if is_of_numbers else None
    money = money_column(tables[0], names) if len(tables) == 1 else ""
    return f"which {noun} has the {most} {money}" if money else None


def _total_of_column(column: str, at: str, names: Names) -> str | None:
    """ "How many docks in Ashcombe altogether": the sum of the one column that is called so."""
    wanted = terms(column)
    held = [
        table
        for table in names.tables.values()
        if wanted and any(terms(label) == wanted and _is_of_numbers(table, label, names) for label in table.columns)
    ]
    return f"total {column} of the rows in {held[0].file}{at}" if len(held) == 1 else None


def _is_of_numbers(table: Table, label: str, names: Names) -> bool:
    """Whether no name is a value of this column: what is one figure long is none."""
    return all(number_of(value) is not None for value in names.values_of(folded(label), table.collection))


def _total_of_value(value: str, act: str, when: str, names: Names) -> str | None:
    """ "What did we order from Nimbus North in total": the money in the rows of the one table with such a value. What was
    spent has a day, a list of prices has none."""
    held = [
        (table, label)
        for table in names.tables.values()
        if money_column(table, names) and has_days(table, names)
        for label in table.columns
        if folded(value) in names.values_of(folded(label), table.collection)
    ]
    if len(held) != 1:
        return None
    [(table, label)] = held
    done = next((one for one in table.columns if terms(act) and terms(act)[0] in terms(one)), "") if when else ""
    said = f"total {money_column(table, names)} of the rows in {table.file} with {label} {value}"
    return f"{said}{f' {done}' if done else ''}{when}"


def _most_common(column: str, noun: str, between: list[str], names: Names) -> str | None:
    """`between` are further words of the question: one that says more than that there are such rows may be a condition."""
    tables = _tables_of(noun, names) if noun else list(names.tables.values())
    wanted = terms(column)
    held = [
        (table, label)
        for table in tables
        for label in table.columns
        if label and folded(label) != folded(table.naming) and terms(label) == wanted
    ]
    if len(held) != 1 or not wanted:
        return None
    table, label = held[0]
    nouns = nouns_of_table(table)
    is_clear = all(word in _OCCURS or any(word[:ALIKE] == noun[:ALIKE] for noun in nouns) for word in between)
    return f"which {label} has the most rows in {table.file}" if is_clear else None
