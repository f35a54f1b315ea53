"""Questions for rows of a table: the risks that are open, what each ship takes, how many there are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from prompts.language import terms
from tree.ask.attribute import is_of_degree
from tree.ask.ticket_words import CLOSED, FILLERS, NEGATIONS, OPEN, TURNING
from tree.retrieve.fact_index import FactIndex, StoredFact, folded, head_of
from tree.retrieve.names import Mention, Names, tokens

_PUT = frozenset(
    terms("list show give name tell all every each complete full overview table comprehensive take have fit carry hold")
)
_HAVE = frozenset(("have", "has", "with"))
_FIRST = frozenset(("which", "what", "list", "show", "give", "name", "how", "all", "tell", "count", "are", "is", "any"))


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows that satisfy a question: the cells of each by column (folded), in the order of the table."""

    caption: str
    noun: str  # what the rows are, in the question's word
    rows: tuple[Mapping[str, StoredFact], ...]
    total: int  # rows of the table, sums left out
    columns: tuple[str, ...] = ()  # those that the question asks for, folded; empty for all
    conditions: tuple[str, ...] = ()
    is_count: bool = False
    sum: StoredFact | None = None  # where the table has a row of totals and its number is asked for


def find_rows(text: str, names: Names, facts: FactIndex) -> Rows | None:
    """None where no table holds such things, or the question says more than its cells can tell."""
    found = tokens(text)
    low = [token.text.casefold() for token in found]
    mentions = names.find(found)
    if not low or low[0] not in _FIRST or (low[0] == "how" and low[1:2] != ["many"]) or is_of_degree(low, mentions):
        return None
    if any(word in TURNING and not any(one.first <= at < one.last for one in mentions) for at, word in enumerate(low)):
        return None
    said = {at: terms(token.text)[:1] for at, token in enumerate(found)}
    words = {at: term[0] for at, term in said.items() if term and low[at] not in FILLERS}
    is_count = low[:2] == ["how", "many"] or low[0] == "count"
    best: tuple[int, int, Rows] | None = None
    for naming, caption in dict.fromkeys(names.classes):
        nouns = set(terms(naming)) | set(terms(caption))
        at = next(
            (at for at, term in words.items() if term in nouns and (low[at].endswith("s") or low[at] in folded(caption).split())),
            None,
        )
        if at is None:
            continue
        rows = rows_of(facts, caption, naming)
        answer = _matching(rows, caption, at, words, low, mentions, (naming, nouns), is_count)
        if answer is not None:
            fit = int(words[at] in terms(naming)), len(answer.columns) + len(answer.conditions)
            if best is None or fit > best[:2]:
                best = (*fit, answer)
    if best is None and "each" in low and len(words) > 1:
        return _of_each(words, low, names, facts)
    return best[2] if best else None


def _of_each(words: Mapping[int, str], low: list[str], names: Names, facts: FactIndex) -> Rows | None:
    """ "Which boats do we have and how many cars does each take?": things under another name, told by the column asked for."""
    unknown = [
        at for at, term in words.items() if term not in _PUT and not any(term in terms(column) for column in names.relations)
    ]
    wanted = [term for at, term in words.items() if term not in _PUT and at not in unknown]
    if len(unknown) != 1 or not wanted:
        return None
    found = []
    for naming, caption in dict.fromkeys(names.classes):
        rows = [cells for cells in rows_of(facts, caption, naming) if not is_total(cells)]
        columns = [column for column in dict.fromkeys(c for cells in rows for c in cells) if set(terms(column)) & set(wanted)]
        if rows and columns and all(any(term in terms(column) for column in columns) for term in wanted):
            found.append(Rows(caption, naming, tuple(rows), len(rows), tuple(columns)))
    return found[0] if len(found) == 1 else None


def rows_of(facts: FactIndex, caption: str, naming: str) -> list[dict[str, StoredFact]]:
    """The rows of a table by its caption and the column that names them, each cell by its column (folded)."""
    lines: dict[tuple[str, int], dict[str, StoredFact]] = {}
    for fact in facts.in_category([caption]):
        if fact.fact.row:
            lines.setdefault(fact.line, {})[folded(fact.fact.relation)] = fact
    found = [cells for cells in lines.values() if naming in cells]
    documents = {next(iter(cells.values())).place.partition("#")[0] for cells in found}
    return found if len(documents) == 1 else []  # tables of several documents are not one set


def _matching(
    rows: list[dict[str, StoredFact]], caption: str, noun: int, words: Mapping[int, str], low: list[str], mentions: Iterable[Mention],
    naming: tuple[str, set[str]], is_count: bool,
) -> Rows | None:  # fmt: skip
    """The rows that satisfy every condition the question states. `naming`: the column that names the rows, and its words."""
    column_of_names, nouns = naming
    things = [cells for cells in rows if not is_total(cells)]
    if not things:
        return None
    used = {at for at, term in words.items() if term in nouns or term in _PUT}
    kept, conditions = things, []
    for at in words:  # a state before a column: "open" is not "opened"
        if at in used or low[at] not in OPEN | CLOSED:
            continue
        holding = [cells for cells in kept if any(_begins(cell.fact.value, low[at]) for cell in cells.values())]
        if holding:
            negated = _negated(low, at, used)
            kept = [cells for cells in kept if cells not in holding] if negated else holding
            conditions.append(("not " if negated else "") + low[at])
            used.add(at)
    columns = dict.fromkeys(
        column for cells in things for column in cells for at, term in words.items() if at not in used and term in terms(column)
    )
    used |= {at for at, term in words.items() if any(term in terms(column) for column in columns)}
    if columns and _HAVE & set(low):
        kept = [cells for cells in kept if any(column in cells and not _is_none(cells[column].fact.value) for column in columns)]
    for mention in mentions:
        span = range(mention.first, mention.last)
        if all(one in used or one not in words for one in span) or mention.first <= noun < mention.last:
            continue
        holding = [cells for cells in kept if any(folded(head_of(cell.fact.value)) in mention.names for cell in cells.values())]
        if not holding:
            return None
        negated = _negated(low, mention.first, used)
        kept = [cells for cells in kept if cells not in holding] if negated else holding
        conditions.append(("not " if negated else "") + mention.text)
        used |= set(span)
    if any(at not in used for at in words) or any(word in NEGATIONS and at not in used for at, word in enumerate(low)):
        return None
    sums = [cells for cells in rows if is_total(cells)]
    total = None
    is_caption = terms(caption) == [words[noun]]
    if words[noun] not in terms(column_of_names) and not is_caption and not _is_text(things, words[noun]):
        total = _total(sums) if is_count and not conditions else None
        if total is None:
            return None  # the table is about these things, and its rows are something else
    return Rows(caption, low[noun], tuple(kept), len(things), tuple(columns), tuple(conditions), is_count, total)


def is_total(cells: Mapping[str, StoredFact]) -> bool:
    """Whether a row holds the sums of the others."""
    return next(iter(cells.values())).fact.subject.kind == "total"


def _total(sums: list[dict[str, StoredFact]]) -> StoredFact | None:
    """The number in the row of totals: the column that says it is of now, else the last one."""
    numbers = [cell for cells in sums for cell in cells.values() if cell.fact.value.replace(",", "").replace(".", "").isdigit()]
    current = [cell for cell in numbers if folded(cell.fact.relation) in ("now", "today", "current", "currently")]
    return next(iter(current or numbers[-1:]), None)


def _is_text(things: list[dict[str, StoredFact]], noun: str) -> bool:
    """Whether a column that is called so holds words, and not how many there are."""
    cells = [cells[column].fact.value for cells in things for column in cells if noun in terms(column)]
    return bool(cells) and sum(any(map(str.isdigit, cell[:4])) for cell in cells) * 2 < len(cells)


def _is_none(value: str) -> bool:
    return folded(value).split(" ")[0] in ("", "none", "no", "nobody", "n")


def _begins(value: str, word: str) -> bool:
    return folded(value).split(" ")[0] == word


def _negated(low: list[str], at: int, used: set[int]) -> bool:
    for before in range(at - 1, max(-1, at - 4), -1):
        if low[before] in NEGATIONS:
            used.add(before)
            return True
    return False
