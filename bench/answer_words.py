"""The figures of `bench answers` in words and tables, for the page of figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bench.answer_table import cell

ELSEWHERE = ("tickets as files",)  # sets without goals of their own: what Jira states typed, files only write
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
    sets, made = figures["sets"], figures["made"]
    yield (
        "**Answers**, no language model. Right: the first sentence (or the list, with its number) says what the gold says; of lists the set of "
        "tickets has to be the same. Green: called *Answered*. Gold of the sample is written (`bench/gold/sample.yaml`; `python -m bench "
        "answers --out DIR`)" + _making(made)
    )
    yield ""
    yield from _table(sets)
    kinds = [(name, kind, some) for name in made for kind, some in sets[name]["kinds"].items() if some["questions"]]
    if kinds:
        yield ""
        yield "Made questions by their kinds, beside what is wanted:"
        yield ""
        yield "| set | kind | questions | right in the lead | anywhere | wanted |"
        yield "|---|---|---|---|---|---|"
    for name, kind, some in kinds:
        goal = f"{GOALS[kind] * 100:.0f} %" if kind in GOALS and name not in ELSEWHERE else "–"
        said = " | ".join(cell(some[key], True).replace("%", " %") for key in ("lead", "anywhere"))
        yield f"| {name} | {kind} | {some['questions']} | {said} | {goal} |"
    yield ""
    yield PAPERS


def _making(made: Mapping[str, Any]) -> str:
    """How the made sets came about."""
    if not made:
        return "."
    limits, seeds = ({one[key] for one in made.values()} for key in ("limit", "seed"))
    options = f"--limit {max(limits)} --seed {max(seeds)}"
    return (
        f"; that of the other sets is reckoned from raw data when the bench runs, without the product (`python -m bench answers --made "
        f"--data RAW {options} --out DIR`; no question of this seed was looked at before)."
    )


def answers_of_question_sets(sets: Mapping[str, Any]) -> Iterator[str]:
    """Of `bench quality`: the sets that give short answers, or have questions that nothing answers."""
    yield "Answers to the same questions, where a set gives short answers or has questions that nothing answers:"
    yield ""
    yield from _table(sets)


def _table(sets: Mapping[str, Any]) -> Iterator[str]:
    yield (
        "| set | questions | right in the lead | in its section | anywhere | EM / F1 | words p50 / p90 | green "
        "| of all green, right in the lead | wrongly not found | unanswerable: number, not found, green |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|---|"
    for name, one in sets.items():
        yield _row(name, one)


def _row(name: str, one: Mapping[str, Any]) -> str:
    trick = (
        f"{one['unanswerable']}, {cell(one['declined'], True)}, {cell(one['unanswerable_green'], True)}"
        if one["unanswerable"]
        else "–"
    )
    said = [cell(one[key], True) for key in ("lead", "section", "anywhere")]
    both = f"{cell(one['exact'], True)} / {cell(one['overlap'], True)}"
    words = f"{cell(one['words'], False)} / {cell(one['words_p90'], False)}"
    rest = [cell(one[key], True) for key in ("green", "green_right", "wrongly_none")]
    return f"| {' | '.join([name, str(one['questions']), *said, both, words, *rest, trick])} |".replace("%", " %")
