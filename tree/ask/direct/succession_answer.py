"""What replaced something, what it replaced, and when: told from what documents say of their own standing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from prompts.extractive import as_text
from prompts.records import Verdict
from prompts.regex import regex
from tree.ask.facts.succession import Succession, find_successions, is_called
from tree.ask.facts.told_facts import FactCitations, line, readable, small
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.understand import Understanding
from tree.retrieve.fact_index import StoredFact
from tree.store.leaves import Leaf
from tree.store.nodes import Node
from tree.store.places import document_around

_WE = r"(?:we|you|they|the team|the company|everybody)"
_GIVEN_UP = r"(?:replaced?|supersede[ds]?|left?|leave|abandon(?:ed)?|dropp?(?:ed)?|retired?|give(?:n)? up|gave up|stop(?:ped)? using|mov(?:ed?|e) (?:away )?from|switch(?:ed)? (?:away )?from|get rid of)"
_OLD, _NEW = r"(?P<old>[^?!]{1,80}?)", r"(?P<new>[^?!]{1,80}?)"
_END = r"[\s?!.]*\Z"
_PATTERNS = tuple(
    (wanted, regex(rf"\A\W*(?:and |so |then )?{pattern}{_END}", re.IGNORECASE))
    for wanted, pattern in (
        ("new", rf"(?:what|who|which [\w ]{{1,30}}?) (?:has |have |had )?(?:replaced?|superseded?|succeeded?) {_OLD}"),
        ("new", rf"(?:what|which [\w ]{{1,30}}?) (?:was|is|were|has been) {_OLD} (?:replaced|superseded) (?:by|with)"),
        ("new", rf"(?:what|which [\w ]{{1,30}}?) (?:did|do) {_WE} (?:replace {_OLD} with|use instead of {_OLD.replace('old', 'old2')}|switch to from {_OLD.replace('old', 'old3')})"),
        ("old", rf"(?:what|which [\w ]{{1,30}}?) (?:did|does|has|is) {_NEW} (?:replaced?|superseded?|taken the place of)"),
        ("old", rf"(?:what|which [\w ]{{1,30}}?) (?:was|has been|is) (?:replaced|superseded|given up|abandoned) (?:by|with|for|in favou?r of) {_NEW}"),
        ("old", rf"(?:what|which [\w ]{{1,30}}?) did {_WE} {_GIVEN_UP} (?:for|by|with|in favou?r of) {_NEW}"),
        ("when", rf"(?:since )?when (?:did|do|have|are|will) {_WE} (?:switch(?:ed)?|mov(?:e|ed)|chang(?:e|ed)|migrat(?:e|ed)|go|gone) (?:over )?(?:from {_OLD} )?to {_NEW}"),
        ("when", rf"when (?:did|do|have|will) {_WE} {_GIVEN_UP} {_OLD}"),
        ("ended", rf"when (?:was|were|is|has) {_OLD} (?:been )?(?:replaced|superseded|abandoned|retired|given up)(?: by {_NEW})?"),
    )
)  # fmt: skip
_KIND = regex(r"\A(?:the |our )?(?:(?:decision|document|page|ticket|adr|rfc|version|policy) (?=\S))?", re.IGNORECASE)
_IT = regex(r"(?:it|this|that|them|the (?:old|new) one)\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Asked:
    wanted: str  # "new", "old", "when" the new one came, or when the old one "ended"
    old: str  # as it is called in the question, empty where it is not
    new: str


def answer_succession(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for "what replaced X?", "what did X replace?" and "when did we switch to X?"; also of "it" in a chat.

    None where nothing says that it was replaced, or where several things may be meant.
    """
    asked = _read(understanding.text)
    if asked is None:
        return None
    names, facts = snapshot.index.names(snapshot.scope), snapshot.index.facts(snapshot.scope)
    points = bool(_IT.match(asked.new or asked.old))
    known = find_successions(names, facts)
    found = _pointed_at(understanding, known) if points else [one for one in known if _fits(one, asked)]
    if len(found) != 1:
        return None
    sources = FactCitations(snapshot.store, snapshot.version)
    [one] = found
    if asked.wanted in ("new", "old"):
        return _which(one, asked.wanted, sources)
    ended = _ended(one, sources, "complete" if asked.wanted == "ended" else "partial")
    if asked.wanted == "ended" and ended is not None:
        return ended
    return _live(one, sources, "complete" if not points or _is_of_new(understanding, one) else "partial") or ended


def _read(text: str) -> _Asked | None:
    for wanted, pattern in _PATTERNS:
        if (match := pattern.match(text.strip())) is not None:
            said = match.groupdict()
            old = next((said[name] for name in ("old", "old2", "old3") if said.get(name)), "")
            return _Asked(wanted, _KIND.sub("", old.strip()), _KIND.sub("", (said.get("new") or "").strip()))
    return None


def _fits(one: Succession, asked: _Asked) -> bool:
    """Whether what is named is the one end of it, and not both."""
    is_old = not asked.old or (is_called(one.old, asked.old) and not is_called(one.new, asked.old))
    is_new = not asked.new or (is_called(one.new, asked.new) and not is_called(one.old, asked.new))
    return is_old and is_new


def _pointed_at(understanding: Understanding, known: Sequence[Succession]) -> list[Succession]:
    """Those of which one end is what the answer before was taken from."""
    if not understanding.chat.follows:
        return []
    places = {document_around(place) for place in understanding.likely[:1]}
    return [
        one for one in known if places & {document_around(fact.place) for fact in (*one.facts, *([one.live] if one.live else []))}
    ]


def _is_of_new(understanding: Understanding, one: Succession) -> bool:
    """Whether "it" is the new one, rather than what was given up for it."""
    place = document_around(understanding.likely[0])
    return one.live is not None and document_around(one.live.place) == place


# ---------------------------------------------------------------- telling


def _which(one: Succession, wanted: str, sources: FactCitations) -> DirectAnswer | None:
    lead, other = (one.new, one.old) if wanted == "new" else (one.old, one.new)
    said = "took the place of" if wanted == "new" else "was replaced by"
    facts = sorted(one.facts, key=lambda fact: fact.fact.subject.name != lead)
    return _told(f"**{as_text(lead)}** {said} {as_text(other)}", [*facts, *([one.live] if one.live else [])], sources, "complete")


def _live(one: Succession, sources: FactCitations, verdict: Verdict) -> DirectAnswer | None:
    """The day since which the new one is in use."""
    if one.live is None or one.day is None:
        return None
    lead = f"**{one.day.in_words}**: {as_text(one.new)} took the place of {as_text(one.old)}"
    return _told(lead, [one.live, *one.facts], sources, verdict)


def _ended(one: Succession, sources: FactCitations, verdict: Verdict) -> DirectAnswer | None:
    """The day on which the old one was superseded: it may have been used for longer."""
    if one.ended is None:
        return None
    fact, day = one.ended
    lead = f"**{day.in_words}**: then {as_text(one.old)} was superseded by {as_text(one.new)}"
    return _told(lead, [fact], sources, verdict)


def _told(lead: str, facts: Sequence[StoredFact], sources: FactCitations, verdict: Verdict) -> DirectAnswer | None:
    cited = sources.cite(facts)
    shown = [fact for fact in facts if fact.place in cited]
    shown = [fact for fact in shown if not fact.fact.row] or shown  # a register says it again
    if not shown:
        return None
    node = cited[shown[0].place][0]
    step = Step("register", node.place, node.hash, node.title, reason="It is stated what took the place of what.")
    return DirectAnswer(step, tuple(_lines(lead, shown, cited)), verdict)


def _lines(lead: str, facts: Sequence[StoredFact], cited: dict[str, tuple[Node, Leaf]]) -> Iterator[Line]:
    numbers: dict[str, int] = {}
    for at, fact in enumerate(facts):
        number = numbers.setdefault(fact.place, len(numbers) + 1)
        said = f"{as_text(small(fact.fact.relation))}: {as_text(readable(fact.fact.value))}"
        if not at:
            yield line(f"{lead} [{number}]\n", number, fact, cited)
        yield line(f"\n- {as_text(fact.fact.subject.name)}: {said} [{number}]", number, fact, cited)
