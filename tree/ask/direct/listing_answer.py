"""What there is of a kind, all of it: "which runbooks do we have?" lists the folder that is called so, "which teams are there?" the
units of the organisation with who leads each."""

from __future__ import annotations

from prompts.extractive import as_text
from prompts.language import terms
from tree.ask.direct.folder_answer import find_folders, list_titles
from tree.ask.facts.told_facts import FactCitations, line
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.listed_kind import kind_listed
from tree.ask.understanding.understand import Understanding
from tree.retrieve.fact_index import StoredFact, folded
from tree.retrieve.units import LEAD, UNIT

FEWEST = 2  # units
_DOCUMENTS = frozenset(  # what files are
    terms(
        "runbooks playbooks guides howtos how-tos manuals handbooks instructions tutorials policies rules guidelines processes procedures "
        "checklists templates forms minutes meetings protocols notes mails emails letters incidents postmortems reports reviews "
        "retrospectives decisions adrs rfcs proposals designs specifications plans roadmaps newsletters announcements blogs posts articles "
        "papers slides presentations recipes faqs changelogs releases documents files pages wikis"
    )
)
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
    folders = find_folders(snapshot, noun)
    return list_titles(snapshot, folders, noun) if folders else None


def _units(snapshot: Snapshot, noun: str) -> DirectAnswer | None:
    """Those that are said to be led by somebody, in the order in which they stand."""
    led: dict[tuple[str, int], StoredFact] = {}
    for fact in snapshot.index.facts(snapshot.scope).of_kind(UNIT):
        if fact.fact.relation == LEAD and not fact.fact.until:
            led.setdefault((fact.place, fact.fact.start), fact)  # of a unit with two names the first
    by_name = {folded(fact.fact.subject.name): fact for fact in reversed(led.values())}
    led = {where: fact for where, fact in led.items() if by_name[folded(fact.fact.subject.name)] is fact}
    cited = FactCitations(snapshot.store, snapshot.version).cite(led.values())
    told = [fact for fact in led.values() if fact.place in cited]
    if len(told) < FEWEST:
        return None
    numbers: dict[str, int] = {}
    lines = [Line(f"**{len(told)} {noun}**:\n")]
    for fact in told:
        number = numbers.setdefault(fact.place, len(numbers) + 1)
        said = f"\n- **{as_text(fact.fact.subject.name)}**, led by {as_text(fact.fact.value)} [{number}]"
        lines.append(line(said, number, fact, cited))
    node = cited[told[0].place][0]
    step = Step("register", node.place, node.hash, node.title, reason="These are said to be led by somebody.")
    return DirectAnswer(step, tuple(lines), is_list=True)
