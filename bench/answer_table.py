"""The columns by which answers are judged, over any number of questions, as numbers and as a table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bench.figures import mean, percentile
from bench.judging import Outcome, share

# column -> key of the measures, and whether it is a share
COLUMNS: tuple[tuple[str, str, bool], ...] = (
    ("n", "questions", False),
    ("lead", "lead", True),
    ("sect.", "section", True),
    ("any", "anywhere", True),
    ("EM", "exact", True),
    ("F1", "overlap", True),
    ("rec.", "recall", True),
    ("prec.", "precision", True),
    ("words", "words", False),
    ("p90", "words_p90", False),
    ("green", "green", True),
    ("g.right", "green_right", True),
    ("wr.none", "wrongly_none", True),
    ("un.", "unanswerable", False),
    ("un.none", "declined", True),
    ("un.green", "unanswerable_green", True),
)
NOTES = """n: answerable questions; lead, sect., any: right in the first sentence or passage, in all passages of the first section, anywhere
in the answer. EM, F1: what is set in bold at the head, else the first sentence, held against the gold word for word; of lists the set of tickets. rec., prec.: of the items and lines of a list of decisions, actions or events, on average. words, p90: of an answer, half of them and all but
one in ten. green: called answered; g.right: of all called answered, right in the lead. wr.none: answerable and not found. un.: questions that
nothing answers; un.none: of these, not found; un.green: of these, called answered."""


def measures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """All columns; None where there is nothing to measure."""
    asked, trick = [one for one in outcomes if not one.none], [one for one in outcomes if one.none]
    green = [one for one in outcomes if one.verdict == "complete"]
    return {
        "questions": len(asked),
        "lead": share(one.is_lead for one in asked),
        "section": share(one.is_section for one in asked),
        "anywhere": share(one.is_anywhere for one in asked),
        "exact": _mean(one.exact for one in asked),
        "overlap": _mean(one.overlap for one in asked),
        "recall": _mean(one.recall for one in asked),
        "precision": _mean(one.precision for one in asked),
        "words": percentile([one.words for one in asked], 50) if asked else None,
        "words_p90": percentile([one.words for one in asked], 90) if asked else None,
        "green": share(one.verdict == "complete" for one in asked),
        "green_right": share(one.is_lead and not one.none for one in green),
        "green_number": len(green),
        "wrongly_none": share(one.verdict == "none" for one in asked),
        "unanswerable": len(trick),
        "declined": share(one.verdict == "none" for one in trick),
        "unanswerable_green": share(one.verdict == "complete" for one in trick),
    }


def by_kind(outcomes: Iterable[Outcome]) -> dict[str, list[Outcome]]:
    kinds: dict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        kinds[one.kind].append(one)
    return dict(kinds)


def report(sets: Mapping[str, Sequence[Outcome]]) -> dict[str, Any]:
    """The measures of each set and of each kind of its questions."""
    return {
        name: measures(found) | {"kinds": {kind: measures(some) for kind, some in by_kind(found).items()}}
        for name, found in sets.items()
    }


def table(figures: Mapping[str, Any]) -> str:
    """A line for each set, below it one for each kind of question."""
    wide = 30
    lines = ["set / kind".ljust(wide) + "".join(f"{column:>9}" for column, _, _ in COLUMNS)]
    for name, one in figures.items():
        lines.append(_line(name.ljust(wide), one))
        if len(one["kinds"]) > 1:
            lines += [_line(f"  {kind}".ljust(wide), some) for kind, some in one["kinds"].items()]
    return "\n".join([*lines, "", NOTES])


def _line(name: str, one: Mapping[str, Any]) -> str:
    return name + "".join(f"{cell(one[key], is_share):>9}" for _, key, is_share in COLUMNS)


def cell(value: float | None, is_share: bool) -> str:
    if value is None:
        return "–"
    return f"{100 * value:.0f}%" if is_share else f"{value:.0f}"


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return mean(known) if known else None
