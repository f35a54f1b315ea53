"""A procedure step by step: each step as it is told, and what the documents say for when it fails."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from prompts.extractive.how_to import MOST_STEPS, Told, answering, needed_first, told_once, unfolded_steps, write_need, written
from prompts.extractive.markdown import as_text
from prompts.extractive.pages import is_how_to
from prompts.extractive.passages import quote
from prompts.extractive.procedures import Part, scopes_of
from prompts.extractive.rendering import body_of, marked
from prompts.extractive.unfolding import Unfolding
from prompts.question import weigh
from prompts.records import Cited, Evidence, LeafText, Question
from prompts.regex import regex
from prompts.sentences import blocks, sentences

FEWEST = 2  # steps, for them to be gone through one by one
MOST_FAILING = 2  # sections that say what to do when something fails
LONGEST_FAILING = 900  # characters of one
_CONDITION = regex(r"\W*(?:If|Otherwise|Unless|In case|When|Until|Wenn|Falls|Sonst|Si|Sinon)\b")
# Headings, and labels in bold at the beginning of a paragraph, of what is for when something goes wrong.
_FAILING = regex(
    r"(?:.{0,60}\b)?(?:goes? wrong|went wrong|fail(?:s|ed|ure|ures|ing)?|roll(?:ing|ed)?[ -]?back|revert(?:ing)?|undo(?:ing)?|back(?:ing)? out|troubleshoot\w*|"
    r"does not work|doesn't work|neither works|escalat\w+|stuck\b.*|known (?:issues|problems|traps|errors)|going back|back|fehlerfall|en cas d'échec)\W*\Z",
    re.IGNORECASE,
)  # fmt: skip
_LABEL = regex(r"[*_]{2}([^*_\n]{3,90}?):?[*_]{2}:?")
_STEP_NAMED = regex(r"\bsteps? (\d{1,3})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class GuidedStep:
    """One thing to do, or what is needed first. The pieces are as an answer has them, with the numbers of the evidence."""

    title: str  # of the procedure
    number: int  # of the step, from 1; 0: what is needed first
    pieces: tuple[Cited, ...]
    failing: tuple[tuple[Cited, ...], ...] = ()  # what is said for when it fails, piece by piece


def guide(question: Question, evidence: Sequence[Evidence], pages: Sequence[Evidence] = ()) -> tuple[GuidedStep, ...]:
    """The steps of the procedure that answers a question; nothing where there are fewer than two.

    `pages` are the leaves of its document, to look in them for what to do when a step fails.
    """
    told = told_once(_told(question, evidence))
    if sum(len(one.procedure.steps) for one in told) < FEWEST:
        return ()
    needed = needed_first(told)
    steps = [*_needed(told, needed, evidence), *_steps(told, evidence)]
    found = list(_failing_sections(told, pages))
    return tuple(
        replace(step, failing=(*step.failing, *_for_step(found, step.number))) if step.number else step for step in steps
    )


def document_told(question: Question, evidence: Sequence[Evidence]) -> Evidence | None:
    """What was read of the document whose procedure answers the question."""
    told = _told(question, evidence)
    return next((e for e in evidence if told and e.number == told[0].number), None)


def _told(question: Question, evidence: Sequence[Evidence]) -> list[Told]:
    read = [e for e in evidence if e.answer.verdict != "none"]
    return answering(weigh(question), read) if is_how_to(question.text) else []


def _needed(told: Sequence[Told], needed: dict[str, Told], evidence: Sequence[Evidence]) -> Iterator[GuidedStep]:
    if needed:
        pieces = [piece for need, one in needed.items() for piece in (Cited("\n- "), *write_need(need, one, evidence))]
        yield GuidedStep(told[0].procedure.title, 0, tuple(pieces))


def _steps(told: Sequence[Told], evidence: Sequence[Evidence]) -> Iterator[GuidedStep]:
    """The steps, each with what says before it when it is for, and the last with what follows it."""
    unfolding = Unfolding(evidence, [one.document for one in told], [one.procedure.title for one in told])
    number = 0
    for one in told:
        waiting: list[Cited] = []
        parts = one.procedure.parts
        last = max((at for at, part in enumerate(parts) if part.step is not None), default=-1)
        for at, part in enumerate(parts[: last + 1]):
            body, said = written(one, part, "")
            if part.step is None:
                waiting += (Cited(body, one.number, said), Cited("\n\n"))
                continue
            number += 1
            if number > MOST_STEPS:
                return
            pieces = [*waiting, Cited(body, one.number, said)]
            pieces += (piece for other in unfolding.of(one.leaf, one.document, part) for piece in unfolded_steps(other, ""))
            after = parts[at + 1 :] if at == last else parts[at + 1 : at + 2]
            conditions = [written(one, other, "") for other in after if other.step is None]
            if at == last:
                pieces += (piece for body, said in conditions for piece in (Cited("\n\n"), Cited(body, one.number, said)))
            branches = [*_branches(one, part), *((Cited(body, one.number, said),) for body, said in conditions)]
            yield GuidedStep(one.procedure.title, number, tuple(pieces), tuple(branches))
            waiting = []


def _branches(one: Told, part: Part) -> Iterator[tuple[Cited, ...]]:
    """The sentences of a step that say what to do if something is so: "If this fails, go on"."""
    text = one.leaf.text
    for start, end in sentences(text[part.start : part.end]):
        if _CONDITION.match(text, part.start + start, part.start + end):
            said = quote(text, part.start + start, part.start + end)
            yield (Cited(f"{as_text(said)} [{one.number}]", one.number, said),)


@dataclass(frozen=True, slots=True)
class _Section:
    """What a document says below such a heading: for these steps, where it names any."""

    title: str
    steps: frozenset[int]
    pieces: tuple[Cited, ...]


def _for_step(found: Sequence[_Section], number: int) -> Iterator[tuple[Cited, ...]]:
    """The sections that speak of this step first."""
    ranked = sorted(found, key=lambda one: number not in one.steps)
    yield from (one.pieces for one in ranked[:MOST_FAILING])


def _failing_sections(told: Sequence[Told], pages: Sequence[Evidence]) -> Iterator[_Section]:
    """The sections and labelled paragraphs of the document that are for when something goes wrong, none of what is told anyway."""
    spans = {(one.leaf.text, part.start): part.end for one in told for part in one.procedure.parts}
    for page in pages:
        for title, start, end in [*_sections(page.leaf), *_labelled(page.leaf)]:
            if any(text == page.leaf.text and low < end and start < high for (text, low), high in spans.items()):
                continue
            said = quote(page.leaf.text, start, end)
            steps = frozenset(map(int, _STEP_NAMED.findall(said.text)))
            body = marked(body_of(page.leaf, said, ""), page.number)
            yield _Section(title, steps, (Cited(f"**{as_text(title)}**\n\n"), Cited(body, page.number, said)))


def _sections(leaf: LeafText) -> Iterator[tuple[str, int, int]]:
    for scope in scopes_of(leaf):
        if len(scope.headings) > 1 and _FAILING.match(scope.headings[-1]):
            inside = [
                (start, end)
                for start, end, kind in blocks(leaf.text)
                if scope.start <= start and end <= scope.end and kind != "heading"
            ]
            within = [(start, end) for start, end in inside if end - inside[0][0] <= LONGEST_FAILING]
            if within:
                yield scope.headings[-1], within[0][0], within[-1][1]


def _labelled(leaf: LeafText) -> Iterator[tuple[str, int, int]]:
    """Paragraphs such as "**Undo:** before step 5, discard it"."""
    at = 0
    for paragraph in leaf.text.split("\n\n"):
        label = _LABEL.match(paragraph)
        if label and _FAILING.match(label[1]) and paragraph[label.end() :].strip():
            yield (
                label[1],
                at + label.end() + len(paragraph[label.end() :]) - len(paragraph[label.end() :].lstrip()),
                at + len(paragraph),
            )
        at += len(paragraph) + 2
