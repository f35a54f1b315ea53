"""The figures of `bench answers` in words and tables, for the page of figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bench.answer_table import cell

MOST_WRONG = 0.03  # of the answers that are called answered
GOALS = {  # kind of made question -> share that has to be right in the lead
    "simple": 1.0, "count": 1.0, "chain": 1.0, "complex": 0.95, "paraphrase": 0.9, "before": 1.0, "on a day": 1.0, "since": 1.0,
    "became": 1.0, "first": 1.0, "how often": 1.0, "how long": 1.0, "who before": 1.0, "in a time": 1.0,
}  # fmt: skip
PAPERS = (
    "Published systems on questions of these kinds, each with its own data and a language model: T-RAG (arXiv 2402.07483) 100 % of simple "
    "questions on entities and 68 to 77 % of complex ones (plain RAG 58.5 % and 50 %); bottom-up summaries of folders 0.81 exact match on "
    "questions about folders and 0.60 about files."
)


def answers_in_words(figures: Mapping[str, Any]) -> Iterator[str]:
    sets = figures["sets"]
    yield (
        "**Answers**, no language model. Right: the first sentence (or the list, with its number) says what the gold says; of lists the set of "
        "tickets has to be the same. Green: called *Answered*. Gold of the sample is in `bench/gold/sample.yaml`, written by people; that of "
        "the other sets is made from raw data when the bench runs, and reckoned from it without the product."
    )
    yield ""
    yield "| set | questions | right in the lead | anywhere | EM / F1 | words p50 / p90 | green | green and right | wrongly not found | unanswerable: number, not found, green |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for name, one in sets.items():
        yield _row(name, one)
    yield ""
    yield "Goals by kind of question, over all made sets:"
    yield ""
    yield "| kind | questions | right in the lead | goal |"
    yield "|---|---|---|---|"
    for kind, (right, asked) in _by_kind(sets).items():
        goal = f"{GOALS[kind] * 100:.0f} %" if kind in GOALS else "–"
        yield f"| {kind} | {asked} | {100 * right / asked:.1f} % | {goal} |"
    yield ""
    yield PAPERS


def _row(name: str, one: Mapping[str, Any]) -> str:
    trick = (
        f"{one['unanswerable']}, {cell(one['declined'], True)}, {cell(one['unanswerable_green'], True)}"
        if one["unanswerable"]
        else "–"
    )
    said = [cell(one[key], True) for key in ("lead", "anywhere")]
    both = f"{cell(one['exact'], True)} / {cell(one['overlap'], True)}"
    words = f"{cell(one['words'], False)} / {cell(one['words_p90'], False)}"
    rest = [cell(one[key], True) for key in ("green", "green_right", "wrongly_none")]
    return f"| {' | '.join([name, str(one['questions']), *said, both, words, *rest, trick])} |".replace("%", " %")


def _by_kind(sets: Mapping[str, Any]) -> dict[str, tuple[float, int]]:
    """How many are right and asked, of the kinds that sets with made questions have."""
    found: dict[str, tuple[float, int]] = {}
    for name, one in sets.items():
        for kind, some in one["kinds"].items() if name != "sample" else ():
            if some["questions"]:
                right, asked = found.get(kind, (0.0, 0))
                found[kind] = (right + some["lead"] * some["questions"], asked + some["questions"])
    return found
