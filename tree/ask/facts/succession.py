"""What took the place of what: documents and tickets that say they supersede another, or are superseded by one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from prompts.extractive.dates import Day, days
from prompts.language import terms
from prompts.regex import regex
from tree.retrieve.fact_index import TICKET, FactIndex, StoredFact, folded
from tree.retrieve.names import Names, tokens

_ENDS = ("superseded by", "replaced by")  # of what is over, as relations
_BEGINS = ("supersedes", "replaces")  # of what came after it
_ENDED = regex(r"\b(?:superseded|replaced) by\W{0,3}(?P<new>\w[^;,()\n]{0,80})", re.IGNORECASE)
_ON = regex(r"(?<=\w) (?:on|since|in|from)\b.*\Z", re.IGNORECASE)
_LIVE = regex(
    r"\b(?:live|in use|in production|in operation|in effect|effective|switched over|rolled out|valid|in force since)\b",
    re.IGNORECASE,
)
_NAMED = ("document", "ticket", "epic")


@dataclass(frozen=True, slots=True)
class Succession:
    """One thing that took the place of another: what each is called, and the facts that say so."""

    old: str
    new: str
    facts: tuple[StoredFact, ...]  # the first of them names the other
    live: StoredFact | None = None  # the status of the new one, where that says since when it is in use

    @property
    def day(self) -> Day | None:
        """Since when the new one is in use, as its status says."""
        return _day_of(self.live) if self.live is not None else None

    @property
    def ended(self) -> tuple[StoredFact, Day] | None:
        """What says when the old one was given up, and when."""
        return next(((fact, day) for fact in self.facts if (day := _day_of(fact)) is not None), None)


def find_successions(names: Names, facts: FactIndex) -> list[Succession]:
    """All of them that are stated, each pair once."""
    found: dict[tuple[str, str], Succession] = {}
    for old, new, fact in _stated(names, facts):
        pair = (folded(old), folded(new))
        known = found.get(pair)
        stated = (*(known.facts if known else ()), fact)
        found[pair] = Succession(old, new, stated, known.live if known else _live(new, facts))
    return _merged(list(found.values()))


def _merged(found: list[Succession]) -> list[Succession]:
    """Without those that a register repeats under a part of the name: "Booking store" of "0003: Booking store"."""
    kept: list[Succession] = []
    for one in sorted(found, key=lambda one: -len(one.old)):
        same = next((at for at, other in enumerate(kept) if other.new == one.new and is_called(other.old, one.old)), None)
        if same is None:
            kept.append(one)
        else:
            kept[same] = replace(kept[same], facts=(*kept[same].facts, *one.facts))
    return kept


def is_called(name: str, said: str) -> bool:
    """Whether all words of what was said stand in a name."""
    asked = set(terms(said))
    return bool(asked) and asked <= set(terms(name))


def _stated(names: Names, facts: FactIndex) -> Iterator[tuple[str, str, StoredFact]]:
    """Each statement as: the old one, the new one, and the fact."""
    for fact in facts.with_relation(_BEGINS):
        if (old := _named(fact.fact.value, names, facts)) and not fact.fact.until:
            yield old, fact.fact.subject.name, fact
    for fact in facts.with_relation(_ENDS):
        if (new := _named(fact.fact.value, names, facts)) and not fact.fact.until:
            yield fact.fact.subject.name, new, fact
    for ended in _ENDS:
        for fact in facts.beginning("status", ended, TICKET):
            match = _ENDED.search(fact.fact.value)
            new = _named(_ON.sub("", match["new"]), names, facts) if match is not None else ""
            if new and not fact.fact.until:
                yield fact.fact.subject.name, new, fact


def _named(value: str, names: Names, facts: FactIndex) -> str:
    """What a value names first, as it is called; empty where it names nothing that is known, or several things."""
    for said in dict.fromkeys((value, value.partition(" ")[0])):
        mention = next(iter(names.find(tokens(said))), None)
        stated = facts.about(mention.names) if mention is not None and not mention.first else ()
        known = {fact.fact.subject.name for fact in stated if fact.fact.subject.kind in _NAMED}
        if len(known) == 1:
            return known.pop()
    return ""


def _live(new: str, facts: FactIndex) -> StoredFact | None:
    for fact in facts.about([folded(new)]):
        if (
            folded(fact.fact.relation) == "status"
            and not fact.fact.until
            and _LIVE.search(fact.fact.value)
            and days(fact.fact.value)
        ):
            return fact
    return None


def _day_of(fact: StoredFact) -> Day | None:
    """The one day that a fact says; of a status, what stands behind the word for being in use."""
    value = fact.fact.value
    live = _LIVE.search(value)
    found = days(value[live.start() :] if live else value)
    return found[0] if len(set(found)) == 1 else None
