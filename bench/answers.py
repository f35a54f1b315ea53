"""Are the answers right? Exact gold, question by question: what the first sentence says, what is said anywhere, what is claimed."""

from __future__ import annotations

import argparse
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from bench.sets import load_sets, plant, sampled
from ingestion.sources import Sources
from ingestion.sync import sync
from jira_simulator import Site, load_sample, running
from tree.ask.ask import Answer, AskError, ask
from tree.workspace import Workspace, open_workspace

ROOT = Path(__file__).parents[1]
GOLD = Path(__file__).parent / "gold" / "sample.yaml"


@dataclass(frozen=True, slots=True)
class Gold:
    """A question with what its answer has to say. `lead`: one of them in the first sentence; `all`: all of them anywhere."""

    question: str
    kind: str
    lead: tuple[str, ...] = ()
    all: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()  # never in the first sentence
    none: bool = False  # nothing answers it
    places: tuple[str, ...] = ()  # the branches it is asked in


@dataclass(frozen=True, slots=True)
class Outcome:
    question: str
    kind: str
    verdict: str
    is_lead: bool  # right in the first sentence; for a question that nothing answers: not called answered
    is_anywhere: bool
    words: int
    text: str
    none: bool


def run(options: argparse.Namespace) -> int:
    outcomes: dict[str, list[Outcome]] = {}
    with TemporaryDirectory(prefix="knowledge-tree-bench-") as home:
        if options.data is None:
            workspace = sample_workspace(Path(options.homes or home) / "sample")
            outcomes["sample"] = [judge(workspace, gold) for gold in load_gold(options.gold)]
            workspace.close()
        for one in load_sets(options.data, options.sets) if options.data else ():
            planted = plant(one, Path(options.homes or home) / one.name)
            asked = [a for a in one.questions if options.half in ("both", a.half) and (a.answers or not a.is_answerable)]
            golds = [
                Gold(
                    a.text,
                    a.type,
                    () if not a.is_answerable else a.answers,
                    none=not a.is_answerable,
                    places=tuple(planted.places(a)),
                )
                for a in sampled(asked, options.limit)
            ]
            outcomes[one.name] = [judge(planted.workspace, gold) for gold in golds]
            planted.workspace.close()
    print(table(outcomes))
    if options.show:
        print("\n".join(shown(outcomes, options.show)))
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "answers.json").write_text(
            json.dumps({name: [asdict(o) for o in found] for name, found in outcomes.items()}, indent=1)
        )
    return 0


def load_gold(path: Path | None) -> list[Gold]:
    rows = yaml.safe_load((path or GOLD).read_text(encoding="utf-8"))
    return [
        Gold(
            row["q"],
            row["kind"],
            lead=tuple(map(str, row.get("lead", ()))),
            all=tuple(map(str, row.get("all", ()))),
            absent=tuple(map(str, row.get("absent", ()))),
            none=bool(row.get("none")),
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
    return workspace


def judge(workspace: Workspace, gold: Gold) -> Outcome:
    try:
        answer = [event for event in ask(workspace, gold.question, places=gold.places) if isinstance(event, Answer)][-1]
        text, verdict = answer.text, answer.verdict
    except AskError as error:
        text, verdict = str(error), "none"
    first, whole = plain(lead_of(text)), plain(text)
    if gold.none:
        return Outcome(
            gold.question, gold.kind, verdict, verdict != "complete", verdict == "none", len(whole.split()), text, True
        )
    says_all = all(plain(word) in whole for word in gold.all)
    says_one = not gold.lead or any(holds(word, whole) for word in gold.lead)
    is_lead = says_all and (not gold.lead or any(holds(word, first) for word in gold.lead))
    is_lead = is_lead and not any(plain(word) in first for word in gold.absent)
    return Outcome(gold.question, gold.kind, verdict, is_lead, says_all and says_one, len(whole.split()), text, False)


def lead_of(text: str) -> str:
    """What is read first: the first paragraph or list, without what only leads up to it."""
    paragraphs = [part for part in re.split(r"\n\s*\n", text.strip()) if part.strip()]
    if len(paragraphs) > 1 and paragraphs[0].rstrip().endswith(":"):
        return "\n".join(paragraphs[:2])[:600]
    return paragraphs[0][:400] if paragraphs else ""


def holds(word: str, text: str) -> bool:
    """Whether the words stand in a text as whole words."""
    wanted = plain(word)
    return not wanted or f" {wanted} " in f" {text} "


def plain(text: str) -> str:
    """Letters and digits of a text in small letters, without accents and markup."""
    text = unicodedata.normalize("NFKD", re.sub(r"\[\d+\]|\\", "", text).casefold())
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", "".join(char for char in text if not unicodedata.combining(char)))
    return " ".join(re.sub(r"[^\w]+", " ", text).split())


# ---------------------------------------------------------------- the table


def table(outcomes: dict[str, list[Outcome]]) -> str:
    lines = [f"{'set / kind':28}{'n':>5}{'lead':>7}{'any':>7}{'green':>7}{'g.right':>9}{'none':>7}{'words':>7}"]
    for name, found in outcomes.items():
        kinds: dict[str, list[Outcome]] = defaultdict(list)
        for one in found:
            kinds[one.kind].append(one)
        for kind, some in kinds.items():
            lines.append(_row(f"  {kind}", some))
        lines.append(_row(name, found))
        answerable = [one for one in found if not one.none]
        lines.append(_row(f"{name}, answerable", answerable))
    return "\n".join(lines)


def _row(name: str, found: Sequence[Outcome]) -> str:
    green = [one for one in found if one.verdict == "complete"]
    right = sum(one.is_anywhere if not one.none else False for one in green)
    green_right = f"{100 * right / len(green):8.0f}%" if green else f"{'–':>9}"
    return (
        f"{name:28}{len(found):5}{_share(one.is_lead for one in found)}{_share(one.is_anywhere for one in found)}"
        f"{_share(one.verdict == 'complete' for one in found)}{green_right}{_share(one.verdict == 'none' for one in found)}"
        f"{sum(one.words for one in found) / max(1, len(found)):7.0f}"
    )


def _share(flags: Iterable[bool]) -> str:
    known = list(flags)
    return f"{100 * sum(known) / max(1, len(known)):6.0f}%"


def shown(outcomes: dict[str, list[Outcome]], which: str) -> Iterable[Any]:
    """The answers that are wrong in the lead, or green and wrong, to be read."""
    for name, found in outcomes.items():
        for one in found:
            is_wrong = one.verdict == "complete" and not (one.is_anywhere and not one.none)
            if (which == "green" and is_wrong) or (which == "lead" and not one.is_lead) or which == "all":
                yield f"\n{name} · {one.kind} · {one.verdict}: {one.question}\n    {one.text[:500]!r}"
