"""Questions for rows of tables put in other words: "what did all complaints cost together", "the most common defect".

Each is put as sets are usually asked for, and only where one table has the rows, or the column, that are meant.
"""

from __future__ import annotations

import re

from prompts.language import terms
from tree.ask.facts.collection_question import money_column
from tree.retrieve.collections import Table, nouns_of_table
from tree.retrieve.fact_index import folded
from tree.retrieve.names import Names

_TOGETHER = r"(?: (?:all )?together| altogether| in (?:total|all|sum)| overall)"
_COST = re.compile(
    rf"\A\W*(?:and )?(?:what|how much) (?:did|do|does|have|will|would) (?P<all>all (?:of )?)?(?:the |our |these )?(?P<noun>[^?\n]{{3,80}}?)(?: (?:in|of|from|on) (?:the|our) (?:register|list|table|file|sheet|record)s?)? (?:cost(?: us)?|add up to|sum up to|come to|amount to)(?: so far)?(?P<together>{_TOGETHER})?\W*\Z",
    re.IGNORECASE,
)
_PAST_DATE = re.compile(
    r"\bpast (?:its|their|the|his|her)(?: due)?(?: (?P<what>\w+))? date(?=\W*\Z| )|\bpast due\b", re.IGNORECASE
)
_RUN_OUT = re.compile(r"\b(?:run|runs|running|ran) out\b(?! of\b)", re.IGNORECASE)
_MOST_COMMON = re.compile(
    r"\A\W*(?:and )?(?:(?:what|which)(?:['’]?s| is| are| was| were)? )?(?:the |our )?most (?:common|frequent|usual) (?P<column>[\w -]{3,40}?)"
    r"(?: (?:of|among|in|for) (?:all |the |our )*(?P<noun>[\w .-]{3,60}?))?\W*\Z"
    r"|\A\W*(?:and )?(?:what|which) (?P<asked>[\w-]{3,30})(?P<between>(?: [\w-]+){1,5}) most (?:often|frequently|commonly)\W*\Z",
    re.IGNORECASE,
)

_OCCURS = frozenset(
    """do does did is are was were has have we us our the you they people customers users everybody come comes came up occur occurs occurred happen happens
    happened appear appears show shows see sees seen get gets got reported reports found find turn turns there in it about with""".split()
)
ALIKE = 6  # letters in which a verb and its noun are the same: "complain" and "complaints"


def rows_in_usual_words(question: str, names: Names) -> str | None:
    """None where it is put as it usually is, or not one table is meant."""
    if (asked := _COST.match(question)) and (asked["all"] or asked["together"]):
        return _total(asked["noun"], names)
    if _RUN_OUT.search(question) and _tables_of(question, names):
        return _RUN_OUT.sub("end", question)
    if (asked := _PAST_DATE.search(question)) and _tables_of(question, names):
        late = f"overdue for {asked['what']}" if asked["what"] else "overdue"
        return f"{question[: asked.start()]}{late}{question[asked.end() :]}"
    if asked := _MOST_COMMON.match(question):
        between = (asked["between"] or "").casefold().split()
        return _most_common(asked["column"] or asked["asked"], asked["noun"] or "", between, names)
    return None


def _tables_of(noun: str, names: Names) -> list[Table]:
    said = {term for word in folded(noun).split() for term in terms(word)[:1]}
    return list({table.collection: table for term in said for table in names.tables_by_noun.get(term, ())}.values())


def _total(noun: str, names: Names) -> str | None:
    tables = _tables_of(noun, names)
    money = money_column(tables[0], names) if len(tables) == 1 else ""
    return f"total {money} of the {noun}" if money else None


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
