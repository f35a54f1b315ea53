"""Questions for procedures: the steps of a numbered list, all of them and in their order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random

from bench.judging import Gold
from bench.made.file_sets import Files, files_of, open_files, titles_of
from bench.made.made_set import MadeSet

ARCHIVES = "*runbooks.tar.gz"
FEWEST, MOST = 3, 20  # steps
ASKED = ("What do I do when {t} fires?", "What are the steps for {t}?", "how do i fix {t}", "{t}: what should I do?")
_STEP = re.compile(r"^(\d+)[.)]\s+(\S.*)$")
# Headings of one case among several, and of what is needed first: a list below them is no way for the document's title.
_PART = re.compile(r"#{4,} |#+ (?:prerequisites|requirements|before you)\b", re.IGNORECASE)


def procedure_sets(data: Path, limit: int, seed: int) -> Iterator[MadeSet]:
    for path in sorted(data.rglob(ARCHIVES)):
        files, name = files_of(path), path.name.partition(".")[0]
        golds = list(_golds(files, Random(seed)))
        if golds:
            drawn = Random(seed).sample(golds, min(len(golds), 2 * limit))
            yield MadeSet(f"procedures, {name}", tuple(drawn), partial(open_files, name, files))


def _golds(files: Files, chance: Random) -> Iterator[Gold]:
    """Of each document with just one list of steps a question by its title: steps of the whole, not of one case in it."""
    for path, text in files.items():
        lists = list(step_lists(text.splitlines()))
        if len(lists) == 1 and FEWEST <= len(lists[0]) <= MOST:
            yield Gold(chance.choice(ASKED).format(t=titles_of(path, text)[-1]), "procedure", steps=tuple(lists[0]))


def step_lists(lines: Sequence[str]) -> Iterator[list[str]]:
    """The first line of each item of the numbered lists at the margin that are steps of the whole, list by list, outside of code."""
    steps: list[str] = []
    is_code = False
    is_part = False
    for line in lines:
        if line.lstrip().startswith("```"):
            is_code = not is_code
        if line.startswith("#") and not is_code:
            is_part = bool(_PART.match(line))
        match = None if is_code else _STEP.match(line)
        if match and int(match[1]) == 1 and steps and not _is_lazy(steps, lines):
            yield steps
            steps = []
        if match and not is_part:
            steps.append(match[2])
        elif line.startswith("#") and not is_code and steps:
            yield steps
            steps = []
    if steps:
        yield steps


def _is_lazy(steps: Sequence[str], lines: Sequence[str]) -> bool:
    """Whether every item is numbered 1, as Markdown allows."""
    return not any(re.match(r"^2[.)]\s", line) for line in lines)
