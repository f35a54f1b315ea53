"""What other sources answer to the same question: in a home of several offices or teams each may have an insurer, and whoever asks did
not say whose is meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from prompts.extractive import as_text
from prompts.language import terms
from prompts.months import NUMBERS, weekday_of
from prompts.regex import regex
from tree.ask.findings import Findings
from tree.ask.snapshot.answer import Answer
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.understand import Understanding
from tree.retrieve.index import Hit, SearchScope

MOST_SOURCES = 2  # that are asked besides
MOST_LEAVES = 20  # the best leaves of the other sources, whose sources these are
LEAST_SHARE = 0.9  # of the words of the question, by weight, that one of these leaves has
_BOLD = regex(r"\*\*([^*\n]{1,500})\*\*")
_TELLING = regex(r"\d+(?:[.,:/-]\d+)*|[A-ZÀ-Þ][\w'’-]+")  # a number or a name, or what begins a sentence
_YEAR = regex(r"20\d\d")


def asked_of_others(snapshot: Snapshot, understanding: Understanding, findings: Findings, answer: Answer) -> Iterator[Snapshot]:
    """The other sources that may answer a question which one source alone answers, each by itself, the likeliest first; none where the
    question names what it is about, or where all sources were gone through for it."""
    direct = findings.direct or findings.branch
    told = {citation.source_id for citation in answer.citations}
    if answer.verdict != "complete" or len(told) != 1 or answer.steps or snapshot.asked_in:
        return
    if understanding.named or understanding.chat.leans or understanding.analysis.keys:
        return
    if direct is not None and (direct.is_of_all or direct.is_set):
        return
    others = tuple(source_id for source_id in snapshot.sources if source_id not in told)
    words = terms(understanding.text)
    hits = snapshot.index.search(words, SearchScope(others), MOST_LEAVES)
    weights = snapshot.index.weights(words, snapshot.scope)
    tops = {top.source_id: top for top in snapshot.tops}
    whole = [hit.source_id for hit in hits if _share(hit, weights) >= LEAST_SHARE]
    likeliest = [one for one in dict.fromkeys(whole) if one in tops]
    for source_id in likeliest[:MOST_SOURCES]:
        sources = {source_id: snapshot.sources[source_id]}
        yield replace(snapshot, scope=SearchScope((source_id,)), sources=sources, tops=(tops[source_id],))


def _share(hit: Hit, weights: Mapping[str, float]) -> float:
    """How much of the words of a question a leaf has, by their weight."""
    there = {*hit.heading.split(), *hit.body.split()}
    return sum(weight for word, weight in weights.items() if word in there) / (sum(weights.values()) or 1.0)


def says_otherwise(question: str, first: Answer, other: Answer) -> bool:
    """Whether an answer of another source is one, and says what the first does not: no number and no name of what either begins with is
    in the other, so that it is no remark on the same."""
    if other.verdict != "complete" or not other.citations:
        return False
    asked, before, after = set(terms(question)), _without_marks(first), _without_marks(other)
    return not set(terms(after)) <= asked.union(terms(before)) and _telling(before).isdisjoint(_telling(after) - asked)


def _without_marks(answer: Answer) -> str:
    text = answer.text
    for mark in reversed(answer.marks):
        text = text[: mark.start] + text[mark.start :].removeprefix(f"[{mark.number}]")
    return text.strip()


def _telling(text: str) -> set[str]:
    """The numbers, and the terms of the names, that an answer begins with, in bold or in its first line; but for months, weekdays and
    years."""
    line = text.partition("\n")[0]
    lead = bold[1] if (bold := _BOLD.search(line)) else line
    found = [word for word in _TELLING.findall(lead) if not _is_of_any_day(word)]
    return {term for word in found for term in ([word] if word[0].isdigit() else terms(word))}


def _is_of_any_day(word: str) -> bool:
    return word.casefold() in NUMBERS or weekday_of(word) is not None or _YEAR.fullmatch(word) is not None


def asked_too(snapshot: Snapshot) -> Step:
    """The step of the trail that leads to the answer of another source."""
    (source,) = snapshot.sources.values()
    return Step("names", "", "", source.name, reason="Nothing says which source is meant, so this one is asked by itself too.")


def headings_of(snapshot: Snapshot, answers: Sequence[Answer]) -> Iterator[str]:
    """What stands above the answer of each source, Markdown: nothing above one alone."""
    for at, answer in enumerate(answers):
        name = snapshot.sources[answer.citations[0].source_id].name if len(answers) > 1 else ""
        yield ("" if at == 0 else "\n\n") + (f"**In {as_text(name)}:**\n\n" if name else "")
