"""Are the answers right? Exact gold, question by question: what the first sentence says, what is said anywhere, what is claimed.

Gold is written (the sample, or for a folder of one's own), given with question sets, or made from raw data at the time of the run
(`bench.made`).
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from bench.answer_table import report, table
from bench.judging import Gold, Outcome, judge
from bench.made import LIMIT, make
from bench.made.file_sets import open_folder
from bench.meaning import make_missing_vectors
from bench.report import store_run
from bench.sets import Asked, Planted, exact_answers, has_exact_answer, load_sets, plant, sampled
from ingestion.sources import Sources
from ingestion.sync import sync
from jira_simulator import Site, load_sample, running
from tree.workspace import Workspace, open_workspace

ROOT = Path(__file__).parents[1]
GOLD = Path(__file__).parent / "gold" / "sample.yaml"
LONGEST_SHOWN = 700  # characters of an answer


def run(options: argparse.Namespace) -> int:
    with TemporaryDirectory(prefix="knowledge-tree-bench-") as home:
        outcomes: dict[str, list[Outcome]] = {}
        for name, golds, opened in _sets(options, Path(options.homes or home)):
            began = time.perf_counter()
            workspace = opened()
            outcomes[name] = [judge(workspace, gold) for gold in golds]
            workspace.close()
            print(f"{name}: {len(golds)} questions, {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    figures = report(outcomes)
    print(table(figures))
    if options.show:
        print("\n".join(shown(outcomes, options.show)))
    if options.out:
        _store(options, figures, outcomes)
    return 0


def _sets(options: argparse.Namespace, homes: Path) -> Iterator[tuple[str, Sequence[Gold], Callable[[], Workspace]]]:
    """Name, questions, and what opens the data folder they are asked of."""
    if options.made is not None:
        for one in make(options.data, options.made, options.limit, options.seed):
            yield one.name, one.golds, lambda one=one: one.open(homes / one.name)  # type: ignore[misc]
    elif options.data is not None:
        for questions in load_sets(options.data, options.sets):
            planted = plant(questions, homes / questions.name)
            asked = [one for one in questions.questions if options.half in ("both", one.half) and has_exact_answer(one)]
            yield questions.name, [_gold(planted, one) for one in sampled(asked, options.limit)], lambda: planted.workspace  # noqa: B023
    elif options.folder is not None:
        if options.gold is None or not options.folder.is_dir():
            raise SystemExit("--folder needs a folder that is there, and --gold the questions that are asked of it.")
        name = options.gold.stem
        yield name, load_gold(options.gold)[: options.limit], lambda: open_folder(options.folder, homes / name)
    else:
        yield (options.gold or GOLD).stem, load_gold(options.gold)[: options.limit], lambda: sample_workspace(homes / "sample")


def _gold(planted: Planted, asked: Asked) -> Gold:
    lead = exact_answers(asked) if asked.is_answerable else ()
    return Gold(asked.text, asked.type, lead, none=not asked.is_answerable, places=planted.places(asked), earlier=asked.earlier)


def load_gold(path: Path | None = None) -> list[Gold]:
    rows = yaml.safe_load((path or GOLD).read_text(encoding="utf-8"))
    return [
        Gold(
            row["q"],
            row["kind"],
            lead=tuple(map(str, row.get("lead", ()))),
            all=tuple(map(str, row.get("all", ()))),
            items=tuple(tuple(str(item).split("|")) for item in row.get("items", ())),
            also=tuple(tuple(str(item).split("|")) for item in row.get("also", ())),
            absent=tuple(map(str, row.get("absent", ()))),
            none=bool(row.get("none")),
            earlier=tuple(row.get("earlier", ())),
        )
        for row in rows
    ]


def sample_workspace(home: Path) -> Workspace:
    """The sample folder and its Jira, as they stand in the morning, read through their connectors."""
    workspace = open_workspace(home)
    sources = Sources(workspace.database)
    if sources.all():
        return workspace
    site = load_sample(Site("cloud"), ROOT / "sample" / "jira")
    account = next(iter(site.users.values()))
    site.add_token(account, "token")
    with running(site) as url:
        config = {"url": url, "auth": "token", "email": account.email, "projects": [one.key for one in site.projects.values()]}
        for source in (
            sources.add("folder", "Sample workspace", {"path": str(ROOT / "sample")}),
            sources.add("jira", "Gangway", config, {"token": "token"}),
        ):
            sync(workspace, sources, source)
        make_missing_vectors(workspace)
    return workspace


# ---------------------------------------------------------------- what is printed and kept


def _store(options: argparse.Namespace, figures: Mapping[str, Any], outcomes: Mapping[str, Sequence[Outcome]]) -> None:
    """The figures of this run beside those of the sets of other runs."""
    options.out.mkdir(parents=True, exist_ok=True)
    told = {name: [asdict(one) for one in found] for name, found in outcomes.items()}
    (options.out / "answers.json").write_text(json.dumps(told, indent=1))
    path = options.out / "figures.json"
    known = json.loads(path.read_text()).get("answers", {}) if path.exists() else {}
    one = {"sets": known.get("sets", {}) | dict(figures), "made": known.get("made", {})}
    if options.made is not None:
        one["made"] |= {name: {"limit": options.limit or LIMIT, "seed": options.seed} for name in figures}
    store_run(options.out, "answers", one)


def shown(outcomes: Mapping[str, Sequence[Outcome]], which: str) -> Iterable[str]:
    """The answers that are wrong in the lead, or green and wrong, to be read."""
    for name, found in outcomes.items():
        for one in found:
            is_wrong = one.verdict == "complete" and not (one.is_anywhere and not one.none)
            if (which == "green" and is_wrong) or (which == "lead" and not one.is_lead) or which == "all":
                yield f"\n{name} · {one.kind} · {one.verdict}: {one.question}\n    {one.text[:LONGEST_SHOWN]!r}"
