"""Columns and labels that say who leads something, and who is the deputy of whoever leads it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from prompts.language import terms
from prompts.regex import regex
from tree.retrieve.fact_index import StoredFact, folded

LEADS = frozenset(
    "lead leader leads led head manager director supervisor chair chairman chairwoman chairperson captain foreman forewoman boss run"
    " leitung leiter leiterin chef".split()
)
DEPUTIES = frozenset(
    "deputy|deputy lead|stand-in|stand in|stands in|standin|substitute|stellvertretung|vertretung|vertreter|adjoint|adjointe".split(
        "|"
    )
)
OF_OTHERS = frozenset("hiring account project product community office".split())  # a manager of these leads no team
HAS_IT = regex(
    r"\bwho(?:['’]s| is| has)? (?:has|have|got|holds?|holding|having|on|doing|handling|dealing with|working on|looking after|looks after)\b",
    re.IGNORECASE,
)
_HOLDING = frozenset("assigned assignee holder held owner responsible borrower keeper".split())
_LEAD_TERMS = frozenset(term for word in LEADS for term in terms(word)) | frozenset(terms("owner name person who"))
_DEPUTY_TERMS = frozenset(term for words in DEPUTIES if " " not in words for term in terms(words))


def is_of_leading(fact: StoredFact) -> bool:
    """Whether it says who leads something."""
    said = re.split(r"[\W_]+", folded(fact.fact.relation))
    return not LEADS.isdisjoint(said) and OF_OTHERS.isdisjoint(said)


def holder_among(relations: Iterable[str]) -> str:
    """The one column (folded) of some that says who has a thing, or works on it; empty where there is none, or several."""
    held = [one for one in relations if not _HOLDING.isdisjoint(re.split(r"[\W_]+", one))]
    return held[0] if len(held) == 1 else ""


def is_of_head_of_row(fact: StoredFact) -> bool:
    """Whether it names whoever the rest of its row is about: who leads it, owns it or is listed in it."""
    return not _LEAD_TERMS.isdisjoint(terms(fact.fact.relation))


def is_of_deputy(fact: StoredFact) -> bool:
    """Whether it is of a deputy, whatever else its column says: "Deputy / who covers"."""
    return not _DEPUTY_TERMS.isdisjoint(terms(fact.fact.relation))
