"""Stock that is below its minimum: two columns of one row that are compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from prompts.regex import regex
from tree.ask.facts.amounts import Amount
from tree.retrieve.fact_index import folded

BELOW = frozenset("below under beneath".split())
MINIMUM = frozenset("min minimum reorder".split())
_LEVELS = frozenset("level levels point points stock quantity qty".split())  # behind "minimum"
STOCK = frozenset("qty quantity stock count onhand available bestand menge".split())  # in the name of a column
_PIECES = STOCK | frozenset("pieces pcs anzahl stück quantité".split())  # the same
_NO_STOCK = MINIMUM | {"max", "maximum", "unit", "value", "cost"}
ON_HAND = "on hand"
_BEFORE = frozenset("the their its a".split())
BELOW_MINIMUM = regex(r"\b(?:below|under|beneath) (?:(?:the|their|its|a) )?(?:min(?:imum)?|reorder)\b")


def is_stock(relation: str) -> bool:
    """Whether a column (folded) says how much there is of a thing."""
    words = frozenset(relation.split())
    return relation == ON_HAND or (not words.isdisjoint(STOCK) and words.isdisjoint(_NO_STOCK))


def says_how_many(columns: Iterable[str]) -> bool:
    """Whether one of these columns says of how many pieces each row is."""
    names = {folded(name) for name in columns}
    return ON_HAND in names or not _PIECES.isdisjoint(word for name in names for word in name.split())


def stock_and_minimum(relations: Sequence[str]) -> tuple[str, ...]:
    """The one column of what there is and that of the least there should be; empty where one of them is missing, or may be another."""
    least = [one for one in relations if MINIMUM & set(one.split())]
    there = [one for one in relations if is_stock(one)]
    return (there[0], least[0]) if len(least) == 1 == len(there) else ()


def words_of_minimum(words: Sequence[str], at: int) -> int:
    """Behind which of the words "below their minimum stock" ends that begins there; 0 where nothing of a minimum is said."""
    if words[at] not in BELOW:
        return 0
    end = at + 1
    while end < len(words) and words[end] in _BEFORE:
        end += 1
    if end >= len(words) or words[end] not in MINIMUM:
        return 0
    end += 1
    return end + 1 if end < len(words) and words[end] in _LEVELS else end


def below(stock: Mapping[str, Amount], least: Mapping[str, Amount]) -> set[str] | None:
    """The things of which there is less than there should be; None where of one that has a minimum it is not known what there is."""
    if not least.keys() <= stock.keys():
        return None
    return {thing for thing, amount in least.items() if stock[thing].number < amount.number}
