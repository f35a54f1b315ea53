"""Which columns of a table the words of a question name: by their labels, by other words for the same, by what labels are short for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from prompts.language import terms
from prompts.question import Word
from prompts.synonyms import same_as
from tree.ask.facts.attribute import SAME
from tree.ask.facts.row_grid import terms_of, words_of
from tree.retrieve.names import tokens

OF_USUAL, OF_SAME = (
    0.9,
    0.6,
)  # of the weight of a word: where it is usual for the column, and where it is said like that elsewhere
LEAST_INITIALS, MOST_INITIALS = 2, 4
SHORTEST = 3  # letters of an abbreviation
_USUAL = (*SAME, *(
    frozenset(terms(words))
    for words in (
        "arrears owe owed owes owing outstanding debt debts", "rate charge charges charged hourly wage", "rent rental bring income lease let",
        "insurance insured cover covered uninsured", "downtime down outage", "used usage use uses", "hours worked put", "flat apartment",
        "licence license licensed", "renewal renew extend extended", "expires expiry until valid", "purchase purchased bought buy",
        "bump bumped updated upgrade", "budget allowed", "pages paged", "daily day", "hourly hour", "yearly year annual", "monthly month",
    )
))  # fmt: skip
TALK = frozenset(  # in questions for rows, beside what is asked about
    terms(
        """give gave given gives tell list name names show write find look check need want please just only them these those number numbers title titles one ones date dates today now
        current currently already figure figures pound pounds penny pence euro euros decimal decimals place places round rounded nearest digit digits point register
        list sheet spreadsheet excerpt extract export table book log file each every all whole entire various according going through moment row rows entry entries thing things stuff piece pieces
        item items year month whole lot vat net gross counting standing far way people anybody somebody altogether together sort kind type big good real really
        single value values amount amounts both"""
    )
)


def naming_of(word: Word, relation: str) -> float:
    """How well a word names a column, from 0 to 1."""
    own = terms_of(relation)
    if word.whole in own:
        return 1.0
    same = {term for group in _USUAL if word.whole in group for term in group}
    if not same.isdisjoint(own) or any(is_short_for(short, word.whole) for short in words_of(relation)):
        return OF_USUAL
    return OF_SAME if not set(same_as(word.whole)).isdisjoint(own) else 0.0


def is_short_for(short: str, term: str) -> bool:
    """Whether a word of a label is short for a term of a question, "repl" for "replac", "qty" for "quantiti": its beginning, or its first
    letter and consonants in their order."""
    if not SHORTEST <= len(short) < len(term) or short[0] != term[0] or not short.isalpha():
        return False
    if term.startswith(short):
        return True
    letters = iter(term)
    return all(letter not in "aeiou" for letter in short[1:]) and all(letter in letters for letter in short)


def called_by_initials(relations: Iterable[str], asked: str) -> Iterator[tuple[str, Sequence[str]]]:
    """The columns that are called by the first letters of words that stand side by side, "RH" of "relative humidity", with the terms of
    these."""
    said = [(token.folded, next(iter(terms(token.text)), "")) for token in tokens(asked)]
    for relation in relations:
        for short in words_of(relation):
            size = len(short)
            if not LEAST_INITIALS <= size <= MOST_INITIALS or not short.isalpha():
                continue
            for at in range(len(said) - size + 1):
                some = said[at : at + size]
                if all(word[:1] == letter for (word, _), letter in zip(some, short, strict=True)):
                    yield relation, [term for _, term in some]
