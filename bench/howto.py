"""How-to: is the right procedure told, whole and in order, with what is needed first and nothing invented?

Gold is made from the raw structure of the folders at the time of the run (`bench.made.raw_procedures`).
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from bench.answers import ROOT, sample_workspace
from bench.judging import Gold, answered, plain, share
from bench.made.file_sets import Files, files_of, open_files
from bench.made.raw_procedures import RawAlert, RawProcedure, alerts_of, is_plain, plain_title, procedures_of, with_titles
from bench.report import store_run
from prompts.extractive.compose import MORE
from tree.ask.snapshot.answer import Answer
from tree.workspace import Workspace

SOURCES = {
    "openshift": "openshift*.tar.gz",
    "prometheus": "prometheus*.tar.gz",
    "mesos": "*mesos*.tar.gz",
    "lsst": "lsst*.tar.gz",
}
LIMIT = 40  # questions of each kind and set
LEFT_OUT = 12  # one page of so many is not in the folder, and is asked for
UNFOLDED = 2  # procedures that steps lead to, the first of them
WORDS = 5  # of a step, by which it is found in an answer
LONGEST_SHOWN = 1_500
ASKED = ("What are the steps for {t}?", "{t}: what should I do?", "steps to follow for {t}", "How do I go about {t}?")
ASKED_ALERT = (
    "What do I do when {t} fires?",
    "how do i fix {t}",
    "{t}",
    "Alert {t} is firing, what now?",
    "{t}: what should I do?",
)
_DOING = re.compile(r"([A-Z][a-z]{2,}ing)\s+(.+)$")
_LEAD = re.compile(r"^(?:runbook|playbook|procedure|how[ -]to)\s*:?\s+", re.IGNORECASE)
_NUMBERED = re.compile(r"^[ \t]*\d+\. +(.+)$", re.MULTILINE)
_TARGETS = re.compile(
    r"\]\([^)\n]*\)|\]\[[^\]\n]*\]|\{\{[^}\n]*\}\}|:[a-z:]+:(?=`)|\s*<[^<>\n`]*>(?=`)|`__?|(?<!\w)_{1,2}(?=\w)|_{1,2}(?=\W|$)|\\"
)
# column, and whether more is better
COLUMNS = ("n", "right", "steps", "needed", "unfolded", "alerts", "invented", "absent", "green")
NOTES = """n: questions for a procedure or an alert. right: the right procedure is told. steps: of these, all of its steps, in order. needed: where something
is needed first, all of it before the first step. unfolded: where a step leads to another procedure, a step of that too. alerts: meaning and steps
of an alert. invented: numbered lines that stand in no page of the procedure or one it links to. absent: of questions for a page that was left out,
not called answered. green: called answered, of all that are there."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with what its answer has to tell, in order."""

    question: str
    kind: str  # procedure, alert, absent
    path: str = ""
    steps: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    meaning: str = ""
    unfolded: tuple[tuple[str, ...], ...] = ()  # steps of each procedure that a step leads to
    pages: tuple[str, ...] = ()  # the texts that its steps may be from


@dataclass(frozen=True, slots=True)
class Told:
    """What became of a question; None where there was nothing to tell."""

    asked: Asked
    answer: Answer
    right: bool | None = None
    steps: bool | None = None
    needed: bool | None = None
    unfolded: bool | None = None
    alert: bool | None = None
    absent: bool | None = None
    invented: tuple[str, ...] = ()

    @property
    def is_missed(self) -> bool:
        return False in (self.right, self.steps, self.needed, self.unfolded, self.alert, self.absent) or bool(self.invented)


@dataclass(frozen=True, slots=True)
class HowToSet:
    name: str
    asked: tuple[Asked, ...]
    open: Callable[[Path], Workspace]


def run(options: argparse.Namespace) -> int:
    with TemporaryDirectory(prefix="knowledge-tree-bench-") as home:
        rows: dict[str, dict[str, float | None]] = {}
        everything: list[Told] = []
        for one in _sets(options):
            began = time.perf_counter()
            workspace = one.open(Path(options.homes or home) / one.name)
            told = [judged(asked, answered(workspace, Gold(asked.question, asked.kind))) for asked in one.asked]
            workspace.close()
            print(f"{one.name}: {len(told)} questions, {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
            rows[one.name] = figures(told)
            everything += told
            if options.show:
                print("\n".join(shown(told, options.show == "all")))
        rows["all"] = figures(everything)
    print(table(rows))
    if options.out:
        store_run(options.out, "howto", rows)
    return 0


# ---------------------------------------------------------------- questions


def _sets(options: argparse.Namespace) -> Iterator[HowToSet]:
    if not options.sets or "sample" in options.sets:
        files = {
            str(path.relative_to(ROOT / "sample")): path.read_text(encoding="utf-8")
            for path in sorted((ROOT / "sample").rglob("*.md"))
        }
        asked = questions(files, Random(options.seed), options.limit)
        yield HowToSet("sample", _half(asked, options.half), sample_workspace)
    for name, pattern in SOURCES.items() if options.data else ():
        path = next(iter(sorted(options.data.rglob(pattern))), None)
        if path is not None and (not options.sets or name in options.sets):
            there, left_out = _left_out(files_of(path))
            asked = [*questions(there, Random(options.seed), options.limit), *absent(there, left_out, Random(options.seed))]
            yield HowToSet(name, _half(asked, options.half), lambda home, name=name, there=there: open_files(name, there, home))  # type: ignore[misc]


def _half(asked: Sequence[Asked], half: str) -> tuple[Asked, ...]:
    """`tune` was looked at while causes were looked for, `report` is what is told: by folder and first letter of the page."""
    return tuple(one for one in asked if half == "both" or (_number(one.path) % 2 == 1) == (half == "tune"))


def _number(path: str) -> int:
    return hashlib.sha256(path.encode()).digest()[0]


def _left_out(files: Files) -> tuple[dict[str, str], dict[str, str]]:
    """What is in the folder, and pages that are not."""
    telling = {one.path for one in procedures_of(files)} | {one.path for one in alerts_of(files)}
    out = {path for path in telling if _number(f"out {path}") % LEFT_OUT == 0}
    return {path: text for path, text in files.items() if path not in out}, {path: files[path] for path in sorted(out)}


def questions(files: Files, chance: Random, limit: int) -> list[Asked]:
    """Of each procedure and each alert one, by a title that no other has; at most `limit` of each."""
    alerts, found, texts = alerts_of(files), procedures_of(files), with_titles(files)
    alert_pages = {one.path for one in alerts}
    steps = {(one.path, ""): one.steps for one in found} | {(one.path, one.titles[-1]): one.steps for one in found}
    steps |= {(one.path, ""): one.steps for one in alerts}
    named = [(one, name) for one in found if one.path not in alert_pages and (name := name_of(one, files))]
    asked = [_of_procedure(one, name, texts, steps, chance) for one, name in named]
    names = [one.name for one in alerts]
    asked_alerts = [_of_alert(one, texts, steps, chance) for one in alerts if names.count(one.name) == 1]
    return [*chance.sample(asked, min(limit, len(asked))), *chance.sample(asked_alerts, min(limit, len(asked_alerts)))]


def name_of(one: RawProcedure, files: Files) -> str:
    """What a procedure is asked for by: its own heading, or that of its document where its own says nothing; empty where others have it too."""
    titles = [_LEAD.sub("", title) for title in one.titles if not is_plain(title)]
    if not titles:
        return ""
    own = titles[-1]
    lists = sum(
        plain_title(own) == plain_title(_LEAD.sub("", line.strip("# "))) for text in files.values() for line in text.splitlines()
    )
    is_enough = lists == 1 and len(own.split()) >= 2
    return bare(own) if is_enough else bare(f"{own} ({titles[0]})") if len(titles) > 1 and lists <= 1 else ""


def _of_procedure(
    one: RawProcedure, name: str, files: Files, steps: Mapping[tuple[str, str], tuple[str, ...]], chance: Random
) -> Asked:
    doing = _DOING.match(name)
    question = f"How do I {_verb(doing[1], files)} {doing[2]}?" if doing else chance.choice(ASKED).format(t=name)
    unfolded = tuple(steps[link] for link in one.links if link in steps)[:UNFOLDED]
    pages = tuple(files[path] for path in (one.path, *(path for path, _ in one.links)))
    return Asked(question, "procedure", one.path, one.steps, one.needed, unfolded=unfolded, pages=pages)


def _of_alert(one: RawAlert, files: Files, steps: Mapping[tuple[str, str], tuple[str, ...]], chance: Random) -> Asked:
    unfolded = tuple(steps[link] for link in one.links if link in steps)[:UNFOLDED]
    pages = tuple(files[path] for path in (one.path, *(path for path, _ in one.links)))
    question = chance.choice(ASKED_ALERT).format(t=one.name)
    return Asked(question, "alert", one.path, one.steps, meaning=one.meaning, unfolded=unfolded, pages=pages)


def absent(there: Files, left_out: Files, chance: Random) -> Iterator[Asked]:
    """Questions for pages that are not in the folder, of which nothing else there speaks."""
    whole = plain(" ".join(there.values()))
    for one in alerts_of(left_out):
        if plain(one.name) not in whole:
            yield Asked(chance.choice(ASKED_ALERT).format(t=one.name), "absent", one.path)
    pages = {one.path for one in alerts_of(left_out)}
    for other in procedures_of(left_out):
        name = name_of(other, left_out)
        if other.path not in pages and name and plain(name) not in whole:
            yield Asked(f"What are the steps for {name}?", "absent", other.path)


def _verb(doing: str, files: Files) -> str:
    """The verb of "Configuring": of the words that it may come from the one that the files have most often."""
    stem = doing[:-3].lower()
    forms = dict.fromkeys((stem, f"{stem}e", stem[:-1] if stem[-2:-1] == stem[-1:] else stem))
    whole = " ".join(files.values()).lower()
    return max(forms, key=lambda form: len(re.findall(rf"\b{form}\b", whole)))


# ---------------------------------------------------------------- judging


def judged(asked: Asked, answer: Answer) -> Told:
    if asked.kind == "absent":
        return Told(asked, answer, absent=answer.verdict != "complete")
    said = plain(bare(answer.text))
    places = _places(said, asked.steps)
    found = [place for place in places if place >= 0]
    is_right = bool(found) and 2 * len(found) >= len(asked.steps)
    is_whole = is_right and len(found) == len(asked.steps) and found == sorted(found)
    invented = tuple(_invented(answer.text, asked.pages)) if is_right else ()
    unfolded = all(max(_places(said, one)) >= 0 for one in asked.unfolded) if asked.unfolded and is_right else None
    if asked.kind == "alert":
        means = _places(said, (asked.meaning,))[0] >= 0
        return Told(asked, answer, unfolded=unfolded, alert=means and is_whole, invented=invented)
    first = found[0] if found else len(said)
    needed = all(0 <= place < first for place in _places(said, asked.needed)) if asked.needed and is_right else None
    return Told(asked, answer, is_right, is_whole if is_right else None, needed, unfolded, invented=invented)


def _places(said: str, lines: Sequence[str]) -> list[int]:
    """Where each line stands in an answer, looked for after the one before; -1 where it does not."""
    places, at = list[int](), 0
    for line in lines:
        wanted = " ".join(plain(bare(line)).split()[:WORDS])
        place = said.find(wanted, at)
        place = place if place >= 0 else said.find(wanted)
        places.append(place)
        at = place + 1 if place >= 0 else at
    return places


def _invented(text: str, pages: Sequence[str]) -> Iterator[str]:
    """Numbered lines that no page has. What is folded below the steps is of other pages, and is told as such."""
    whole = plain(" ".join(map(bare, pages)))
    for match in _NUMBERED.finditer(text.partition(MORE)[0]):
        if (
            any(map(str.isalpha, match[1]))
            and not match[1].lstrip().startswith("```")
            and " ".join(plain(bare(match[1])).split()[:WORDS]) not in whole
        ):
            yield match[1]


def bare(text: str) -> str:
    """Without what only says where a link goes, and without marks of markup."""
    return _TARGETS.sub("", text.replace("\\", ""))


# ---------------------------------------------------------------- what is printed


def figures(told: Sequence[Told]) -> dict[str, float | None]:
    there = [one for one in told if one.absent is None]
    shares = {
        "right": share(one.right for one in told if one.right is not None),
        "steps": share(one.steps for one in told if one.steps is not None),
        "needed": share(one.needed for one in told if one.needed is not None),
        "unfolded": share(one.unfolded for one in told if one.unfolded is not None),
        "alerts": share(one.alert for one in told if one.alert is not None),
        "absent": share(one.absent for one in told if one.absent is not None),
        "green": share(one.answer.verdict == "complete" for one in there),
    }
    return {"n": float(len(there)), "invented": float(sum(len(one.invented) for one in told)), **shares}


def table(rows: Mapping[str, Mapping[str, float | None]]) -> str:
    """In Markdown, with the notes."""
    lines = [f"| | {' | '.join(COLUMNS)} |", "|---" * (len(COLUMNS) + 1) + "|"]
    for name, row in rows.items():
        cells = (
            "–" if (cell := row[one]) is None else f"{cell:.0f}" if one in ("n", "invented") else f"{100 * cell:.0f} %"
            for one in COLUMNS
        )
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join((*lines, "", NOTES))


def shown(told: Sequence[Told], is_all: bool) -> Iterator[str]:
    """What was missed, to be read."""
    for one in told:
        if is_all or one.is_missed:
            said = plain(bare(one.answer.text))
            gold = [*(("means", one.asked.meaning),) * bool(one.asked.meaning), *(("needs", need) for need in one.asked.needed)]
            gold += [("step", step) for step in one.asked.steps]
            wants = "\n".join(
                f"      {'+' if place >= 0 else '-'} {kind} {line[:90]}" for kind, line in gold for place in _places(said, [line])
            )
            judged_as = " ".join(
                f"{name}={value}"
                for name in ("right", "steps", "needed", "unfolded", "alert", "absent")
                if (value := getattr(one, name)) is not None
            )
            yield f"\n{one.asked.kind} · {one.answer.verdict} · {one.asked.path} · {judged_as}: {one.asked.question}\n{wants}"
            yield from (f"      invented: {line[:120]}" for line in one.invented)
            yield f"    {one.answer.text[:LONGEST_SHOWN]!r}"
