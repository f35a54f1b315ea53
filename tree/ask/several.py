"""Several answers, to questions asked at once or of several sources: made into one answer that is no surer than the least sure of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from prompts.extractive import as_text
from prompts.records import Verdict
from tree.ask.citations import Cited, make_citations
from tree.ask.compose import CLOSEST, AnswerComposer
from tree.ask.snapshot.answer import Answer, MarkAt
from tree.ask.snapshot.corrections import Correction
from tree.ask.snapshot.snapshot import Snapshot, Unreachable
from tree.ask.understanding.earlier import Earlier


def headline(question: str, is_first: bool) -> str:
    """What stands above the answer to one of several questions, Markdown."""
    return ("" if is_first else "\n\n") + f"**{as_text(question)}**\n\n"


def as_earlier(answer: Answer) -> Earlier:
    """An answered question as a turn of the chat, for the question after it: "Who owns it?"."""
    cited = answer.citations if answer.verdict != "none" else ()
    return Earlier(answer.question, tuple(one.place for one in cited), answer.text, tuple(one.leaf for one in cited))


class Told(NamedTuple):
    """An answer that may be told with others."""

    composer: AnswerComposer  # which has been gone through
    pieces: Sequence[str]  # of the text
    answer: Answer


def joined(question: str, snapshot: Snapshot, every: Sequence[Told], headings: Sequence[str]) -> Answer:
    """One answer to all of `question`, each below its heading. The composers share their numbers."""
    composers, answers = [one.composer for one in every], [one.answer for one in every]
    verdict = _verdict(answers)
    cited = _cited(composers)
    answers = [_of_all(answer, composer, cited) for answer, composer in zip(answers, composers, strict=True)]
    guided = [answer.steps for answer in answers if answer.steps]
    starts = list(_starts(answers, headings))
    closest = {place["place"]: place for answer in answers for place in answer.closest}
    read = {name: sum(answer.coverage[name] for answer in answers) for name in ("leaves_read", "characters_read")}
    return replace(
        answers[0],
        question=question,
        text="".join(heading + answer.text for heading, answer in zip(headings, answers, strict=True)),
        asides=tuple(one._replace(start=one.start + at, end=one.end + at) for at, answer in starts for one in answer.asides),
        marks=tuple(one._replace(start=one.start + at) for at, answer in starts for one in answer.marks),
        verdict=verdict,
        citations=make_citations(snapshot, [cited[number] for number in sorted(cited)]),
        trail=tuple(chain.from_iterable(answer.trail for answer in answers)),
        coverage={**answers[0].coverage, **read},
        usage=answers[-1].usage,  # of all
        notes=tuple(dict.fromkeys(chain.from_iterable(answer.notes for answer in answers))),
        closest=() if verdict == "complete" else tuple(closest.values())[:CLOSEST],
        cut=any(answer.cut for answer in answers),
        chart=None,  # which would stand above all of them; the table it was drawn from is in the text
        did_you_mean=tuple(_corrections(question, answers)),
        rests_on=tuple(dict.fromkeys(chain.from_iterable(answer.rests_on for answer in answers))),
        unread=tuple(dict.fromkeys(chain.from_iterable(answer.unread for answer in answers))),
        unreachable=tuple(_unreachable(answers)),
        steps=guided[0] if len(guided) == 1 else (),
        is_help=all(answer.is_help for answer in answers),
    )


def _starts(answers: Sequence[Answer], headings: Sequence[str]) -> Iterator[tuple[int, Answer]]:
    """Each answer with where it begins in the text of all."""
    before = 0
    for heading, answer in zip(headings, answers, strict=True):
        before += len(heading)
        yield before, answer
        before += len(answer.text)


def _of_all(answer: Answer, composer: AnswerComposer, cited: Mapping[int, Cited]) -> Answer:
    """An answer whose marks lead to the passages as they are counted in the citations of all answers."""
    own = {number: quotes for number, _, _, quotes in composer.cited.values()}

    def counted(marks: Iterable[MarkAt]) -> tuple[MarkAt, ...]:
        return tuple(
            one._replace(passages=tuple(cited[one.number][3].index(own[one.number][at]) for at in one.passages)) for one in marks
        )

    steps = tuple(
        replace(step, marks=counted(step.marks), failing_marks=tuple(map(counted, step.failing_marks))) for step in answer.steps
    )
    return replace(answer, marks=counted(answer.marks), steps=steps)


def _unreachable(answers: Sequence[Answer]) -> Iterator[Unreachable]:
    """Each source once; noted where one of the answers notes it."""
    every = list(chain.from_iterable(answer.unreachable for answer in answers))
    for one in dict.fromkeys(one._replace(is_noted=False) for one in every):
        yield one._replace(is_noted=any(other.is_noted for other in every if other.source_id == one.source_id))


def _verdict(answers: Sequence[Answer]) -> Verdict:
    found = {answer.verdict for answer in answers}
    return found.pop() if len(found) == 1 else "partial"


def _cited(composers: Sequence[AnswerComposer]) -> dict[int, Cited]:
    """By number, with all that was quoted of each."""
    found: dict[int, Cited] = {}
    for number, node, leaf, quotes in chain.from_iterable(composer.cited.values() for composer in composers):
        told = found.setdefault(number, (number, node, leaf, []))[3]
        told += [quote for quote in quotes if quote not in told]
    return found


def _corrections(question: str, answers: Sequence[Answer]) -> list[Correction]:
    """In the whole question, where the part stands in it as it was asked."""
    found = []
    for answer in answers:
        part = answer.question.rstrip("?")
        asked = next((one for one in (part, f"{part[:1].lower()}{part[1:]}") if one in question), None)
        for other in answer.did_you_mean if asked is not None else ():
            found.append(Correction(other.name, question.replace(asked or "", other.question.rstrip("?"))))
    return found
