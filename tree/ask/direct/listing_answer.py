"""What there is of a kind, all of it: "which runbooks do we have?" lists the folder that is called so, "which teams are there?" the
units of the organisation with who leads each."""

from __future__ import annotations

from collections.abc import Sequence

from prompts.extractive import as_text
from prompts.extractive.procedures import scopes_of
from prompts.language import terms
from prompts.records import Quote
from tree.ask.direct.folder_answer import find_folders, list_all, list_titles
from tree.ask.facts.told_facts import FactCitations, listed
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.listed_kind import kind_listed
from tree.ask.understanding.understand import Understanding
from tree.retrieve.fact_index import StoredFact, folded
from tree.retrieve.units import LEAD, UNIT, units_without_lead
from tree.store.leaves import Leaf

FEWEST = 2  # units
_DOCUMENTS = frozenset(  # what files are
    terms(
        "runbooks playbooks guides howtos how-tos manuals handbooks instructions tutorials policies rules guidelines processes procedures "
        "checklists templates forms minutes meetings protocols notes mails emails letters incidents postmortems reports reviews "
        "retrospectives decisions adrs rfcs proposals designs specifications plans roadmaps newsletters announcements blogs posts articles "
        "papers slides presentations recipes faqs changelogs releases documents files pages wikis"
    )
)
_ANY = frozenset(terms("documents files docs"))
_UNITS = frozenset(terms("teams units departments groups crews"))


def answer_listing(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for all of a kind; None for any other question, and where nothing is called so."""
    noun = kind_listed(understanding.text)
    if not terms(noun):
        return None
    if _UNITS.issuperset(terms(noun)) and (units := _units(snapshot, noun)) is not None:
        return units
    if terms(noun)[-1] not in _DOCUMENTS:
        return None  # the files in a folder "shops" are no shops
    if folders := find_folders(snapshot, noun):
        return list_titles(snapshot, folders, noun)
    return list_all(snapshot, noun) if _ANY.issuperset(terms(noun)) else None


def _units(snapshot: Snapshot, noun: str) -> DirectAnswer | None:
    """Those of the pages that say who leads some, in the order in which they stand; not for sure where these are not called so."""
    led: dict[tuple[str, int], StoredFact] = {}
    for fact in snapshot.index.facts(snapshot.scope).of_kind(UNIT):
        if fact.fact.relation == LEAD and not fact.fact.until:
            led.setdefault((fact.place, fact.fact.start), fact)  # of a unit with two names the first
    by_name = {folded(fact.fact.subject.name): fact for fact in reversed(led.values())}
    cited = FactCitations(snapshot.store, snapshot.version).cite(by_name.values())
    told = [fact for fact in led.values() if by_name[folded(fact.fact.subject.name)] is fact and fact.place in cited]
    if len(told) < FEWEST:
        return None
    numbers = {place: number for number, place in enumerate(dict.fromkeys(fact.place for fact in told), 1)}
    lines: list[Line] = []
    others: list[str] = []  # that stand in the same lists, and of whom nobody is said to lead them
    are_called = True
    for place, number in numbers.items():
        here = [fact for fact in told if fact.place == place]
        node, leaf = cited[place]
        units = [
            (fact.fact.start, f"**{as_text(fact.fact.subject.name)}**, led by {as_text(fact.fact.value)}", fact.fact.end)
            for fact in here
        ]
        others += [
            name
            for name, _, _ in units_without_lead(leaf.text)
            if folded(name) not in by_name and not _UNITS.issuperset(terms(name)[-1:])  # a heading over them
        ]
        are_called = are_called and _are_called(
            terms(noun)[0], leaf, [fact.fact.subject.name for fact in here], here[0].fact.start
        )
        for start, said, end in sorted(units):
            quote = Quote(text=" ".join(leaf.text[start:end].split()), start=start, end=end)
            lines.append(Line(f"\n- {said} [{number}]", number, node, leaf, quote))
    head = (
        f"**{len(lines)} {noun}**{' that somebody leads' if others else ''}:\n"
        if are_called
        else f"Nothing lists {noun} by that name. These are led by somebody:\n"
    )
    node = cited[told[0].place][0]
    step = Step("register", node.place, node.hash, node.title, reason="Some of these are said to be led by somebody.")
    if others:
        lines.append(Line(f"\n\nIn the same lists, and led by nobody that is named: {listed([as_text(one) for one in others])}."))
    return DirectAnswer(step, (Line(head), *lines), "complete" if are_called and not others else "partial", is_list=True)


def _are_called(noun: str, leaf: Leaf, names: Sequence[str], first: int) -> bool:
    """Whether units are called so: by one of their names, the headings they stand under, or what leads up to the first of them."""
    headings = next((one.headings for one in scopes_of(leaf.as_read()) if one.start <= first < one.end), ())
    lead = leaf.text[:first].rstrip(" -*+\n").rpartition("\n\n")[2]
    return noun in terms(" ".join((*names, *headings, *leaf.heading, leaf.title, lead)))
