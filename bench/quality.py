"""Does the walk find the right place: every question of every set asked as a person would, beside flat search."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench import answer_table, judging
from bench.figures import mean, paired, percentile
from bench.meaning import make_vectors
from bench.page import quality_page
from bench.report import store_run
from bench.rivals import FlatSearch, best_by_scent, greedy_walk
from bench.sets import Asked, Planted, QuestionSet, exact_answers, has_exact_answer, load_sets, plant, sampled
from prompts.extractive import ExtractiveReader
from prompts.follow_up import chat_context
from prompts.language import terms
from prompts.model import ModelReader, ModelSettings
from prompts.model.settings import MODEL_VARIABLE
from prompts.question import analyse
from prompts.records import Reader
from tree.accounts.principal import OPERATOR
from tree.ask.ask import Answer, AskError, Earlier, ask
from tree.ask.snapshot.budget import Budget
from tree.retrieve.index import SearchScope
from tree.retrieve.scent import score_leaves
from tree.store.nodes import Node

NOTES = """flat ... walk: hit / recall in per cent; vectors: flat search with them. cited: citations that are of gold documents. quoted: an answer's words are in what
was quoted. none: answerable questions called none; read: of those whose evidence was read. trick: unanswerable ones called
none; foreign: those of other sets. share: of the corpus read for a question. p50, p95: milliseconds for a whole answer."""
TOKENS = ("model_calls", "input_tokens", "output_tokens")
METHODS = ("walk", "flat", "vectors", "boosted", "greedy")
FOREIGN = 40  # questions of other sets asked of each corpus
LARGE = 200_000  # characters from which on a question may read a tenth of the corpus at most


@dataclass
class Outcome:
    """What became of one question."""

    set: str
    id: str
    type: str
    half: str
    verdict: str
    answerable: bool
    seconds: float
    characters: int
    steps: int
    hit: dict[str, float] = field(default_factory=dict)  # by method; empty where there is nothing to find
    recall: dict[str, float] = field(default_factory=dict)
    cited: float | None = None  # share of the citations that are of gold documents
    answered: bool | None = None  # whether an answer's words stand in what was quoted
    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    judged: judging.Outcome | None = None  # where an answer can be held word for word against what is given


def run(options: argparse.Namespace) -> int:
    sets = load_sets(options.data, options.sets)
    reader = reader_for(options.reader)
    sample = json.loads(options.sample.read_text()) if options.sample else None
    if sample is not None:
        sets = [one for one in sets if one.name in sample]
    results: dict[str, Any] = {}
    outcomes: list[Outcome] = []
    foreign: dict[str, list[str]] = {}
    for one in sets:
        began = time.perf_counter()
        with TemporaryDirectory(prefix="knowledge-tree-bench-") as home:
            planted = plant(one, Path(options.homes or home) / one.name)
            planted.workspace = replace(planted.workspace, reader=reader)  # records are the extractive reader's, whoever walks
            results[one.name] = {
                "documents": len(one.rows),
                "leaves": len(planted.leaves),
                "corpus_characters": planted.characters,
                "build_seconds": round(time.perf_counter() - began, 2),
            }
            questions = _chosen(one, sample, options)
            if options.meaning:
                make_vectors(planted.workspace, options.meaning)
            outcomes += list(_ask_all(planted, questions, options.leaves, options.rivals))
            foreign[one.name] = [_verdict(planted, text) for text in _foreign(one, sets, options.half)]
            planted.workspace.close()
        print(f"{one.name}: {len(questions)} questions, {time.perf_counter() - began:.0f} s", file=sys.stderr)
    report = summarized(results, outcomes, foreign, options.half)
    report["settings"] = {"leaves": options.leaves, "half": options.half, "reader": options.reader, "limit": options.limit}
    if isinstance(reader, ModelReader):
        usage = {name: sum(getattr(outcome, name) for outcome in outcomes) for name in TOKENS}
        report["settings"] |= {"reader": reader.settings.label, "usage": usage}
    print(table(report))
    print(f"\n{answer_table.table(report['answers'])}")
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "quality.json").write_text(json.dumps(report, indent=1))
        (options.out / "quality.outcomes.jsonl").write_text("".join(json.dumps(asdict(o)) + "\n" for o in outcomes))
        (options.out / "quality.html").write_text(quality_page(report), encoding="utf-8")
        store_run(options.out, "quality", report)
    return 0


def reader_for(name: str, environment: Mapping[str, str] = os.environ) -> Reader:
    """Raises SystemExit when a model is wanted and none is set up."""
    if name == "extractive":
        return ExtractiveReader()
    settings = ModelSettings.from_environment(environment)
    if settings is None:
        raise SystemExit(f"No model is set up. Set {MODEL_VARIABLE}=provider:model and the key that the provider wants.")
    return ModelReader(settings)


def _chosen(one: QuestionSet, sample: dict[str, Any] | None, options: argparse.Namespace) -> list[Asked]:
    questions = [asked for asked in one.questions if options.half in ("both", asked.half)]
    if sample is not None:
        ids = {id_ for group in sample[one.name].values() for id_ in group}
        questions = [asked for asked in one.questions if asked.id in ids]
    return sampled(questions, options.limit)


def _foreign(one: QuestionSet, sets: Sequence[QuestionSet], half: str) -> list[str]:
    """Questions that other sets answer and this one does not, as many of each; without those that ask of everything there is."""
    others = [other for other in sets if other is not one]
    drawn: list[Asked] = []
    for other in others:
        fitting = [
            asked
            for asked in other.questions
            if half in ("both", asked.half) and asked.is_answerable and analyse(asked.text).kind != "overview"
        ]
        drawn += sampled(fitting, -(-FOREIGN // len(others)), one.name)
    return [asked.text for asked in sampled(drawn, FOREIGN, one.name)]


def _verdict(planted: Planted, question: str) -> str:
    return _asked(planted, question).verdict


def _asked(
    planted: Planted, question: str, places: Sequence[str] = (), leaves: int = Budget().leaves, earlier: Sequence[str] = ()
) -> Answer:
    chat = [Earlier(text) for text in earlier]
    try:
        reader, budget = planted.workspace.reader, Budget(leaves=leaves)  # whatever model the environment names
        *_, answer = ask(
            planted.workspace, question, places=places, earlier=chat, budget=budget, reader=reader, principal=OPERATOR
        )
    except AskError as error:  # no word to look for: a person is told so
        return Answer(question=question, text=str(error), verdict="none")
    assert isinstance(answer, Answer)
    return answer


# ---------------------------------------------------------------- one question


def _ask_all(planted: Planted, questions: Iterable[Asked], leaves: int, rivals: bool) -> Iterable[Outcome]:
    flat = FlatSearch(planted) if rivals else None
    by_place = {node.place: node for node in planted.leaves}
    for asked in questions:
        yield _outcome(planted, asked, leaves, flat, by_place)


def _outcome(planted: Planted, asked: Asked, leaves: int, flat: FlatSearch | None, by_place: dict[str, Node]) -> Outcome:
    places = planted.places(asked)
    began = time.perf_counter()
    answer = _asked(planted, asked.text, places, leaves, asked.earlier)
    seconds = time.perf_counter() - began
    outcome = Outcome(
        planted.set.name, asked.id, asked.type, asked.half, answer.verdict, asked.is_answerable, seconds,
        int(answer.coverage.get("characters_read", 0)), len(answer.trail),
        **{name: answer.usage.get(name, 0) for name in TOKENS},
        judged=judging.judged(_gold(asked), answer) if has_exact_answer(asked) else None,
    )  # fmt: skip
    if not asked.is_answerable or not asked.evidence:
        return outcome
    cited = [planted.set.corpus_ids.get(citation.document_id, "") for citation in answer.citations]
    outcome.cited = mean(id_ in asked.evidence for id_ in cited) if cited else None
    outcome.answered = _is_quoted(asked, answer)
    scope = SearchScope((planted.source.id,), places)
    inside = {planted.corpus_id(node) for node in planted.leaves if scope.includes(node.place)} if places else None
    if inside is not None and inside <= asked.evidence:
        return outcome  # wherever one looks is right
    read = [step.place for step in answer.trail if step.kind == "read"] or [citation.place for citation in answer.citations]
    found = {"walk": [by_place[place] for place in read if place in by_place]}
    if flat is not None:
        found |= _rivals(planted, asked, places, scope, leaves, flat)
    for method, nodes in found.items():
        documents = {planted.corpus_id(node) for node in nodes[:leaves]}
        outcome.hit[method] = float(bool(documents & asked.evidence))
        outcome.recall[method] = len(documents & asked.evidence) / len(asked.evidence)
    return outcome


def _rivals(
    planted: Planted, asked: Asked, places: Sequence[str], scope: SearchScope, leaves: int, flat: FlatSearch
) -> dict[str, list[Node]]:
    workspace = planted.workspace
    version = workspace.store.versions.newest()
    carried = chat_context(asked.text, asked.earlier).words
    scent = score_leaves(workspace.store, workspace.index, asked.text, version, scope, neighbours=0.0, carried=carried)
    looked = workspace.meaning.look(asked.text, scope.sources)
    if looked.problem:
        raise SystemExit(looked.problem)
    by_meaning = {"vectors": flat.search(_with_chat(asked), scope, leaves, looked.likeness)} if looked.likeness else {}
    tops = list(workspace.store.nodes.at(places, version).values()) or list(workspace.store.nodes.roots(version).values())
    return {
        "flat": flat.search(_with_chat(asked), scope, leaves),
        **by_meaning,
        "boosted": best_by_scent(scent, leaves),
        "greedy": greedy_walk(planted, asked.text, tops, leaves, version),
    }


def _with_chat(asked: Asked) -> str:
    """What flat search is given: of four ways to put the chat before a question into it the one that finds most."""
    return f"{asked.earlier[-1]} {asked.text} {asked.text}" if asked.earlier else asked.text


def _gold(asked: Asked) -> judging.Gold:
    return judging.Gold(asked.text, asked.type, exact_answers(asked), none=not asked.is_answerable)


def _is_quoted(asked: Asked, answer: Answer) -> bool | None:
    short = [text for text in (" ".join(terms(text)) for text in exact_answers(asked)) if text]
    if not short:
        return None
    quoted = " ".join(" ".join(terms(passage.text)) for citation in answer.citations for passage in citation.passages)
    return any(f" {text} " in f" {quoted} " for text in short)


# ---------------------------------------------------------------- all of them


def summarized(sets: dict[str, Any], outcomes: Sequence[Outcome], foreign: dict[str, list[str]], half: str) -> dict[str, Any]:
    report: dict[str, Any] = {"sets": {}, "types": {}, "overall": {}}
    by_set = _grouped(outcomes, lambda outcome: outcome.set)
    for name, about in sets.items():
        some = by_set.get(name, [])
        report["sets"][name] = (
            about
            | _measures(some)
            | {
                "share_read": mean(outcome.characters for outcome in some) / about["corpus_characters"] if some else None,
                "foreign_none": mean(verdict == "none" for verdict in foreign[name]) if foreign.get(name) else None,
                "foreign": len(foreign.get(name, [])),
            }
        )
    report["types"] = {key: _measures(some) for key, some in _grouped(outcomes, lambda o: f"{o.set} / {o.type}").items()}
    report["overall"] = _overall(by_set, report["sets"])
    judged = {name: [one.judged for one in some if one.judged is not None] for name, some in by_set.items()}
    report["answers"] = answer_table.report({name: found for name, found in judged.items() if found})
    return report


def _measures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    found = [outcome for outcome in outcomes if outcome.hit]
    answerable = [outcome for outcome in outcomes if outcome.answerable]
    trick = [outcome for outcome in outcomes if not outcome.answerable]
    seconds = [outcome.seconds for outcome in outcomes]
    measures: dict[str, Any] = {"questions": len(outcomes), "to_find": len(found)}
    for name in ("hit", "recall"):
        rows = [getattr(outcome, name) for outcome in found]
        measures[name] = {method: mean(row[method] for row in rows) for method in METHODS if rows and method in rows[0]}
        measures[f"{name}_gain"] = {
            rival: paired({"": [row["walk"] - row[rival] for row in rows]}) for rival in METHODS[1:] if rows and rival in rows[0]
        }
    measures |= {
        "cited": mean(outcome.cited for outcome in answerable if outcome.cited is not None),
        "answered": mean(outcome.answered for outcome in answerable if outcome.answered is not None),
        "own_none": mean(outcome.verdict == "none" for outcome in answerable),
        "read_none": mean(outcome.verdict == "none" for outcome in found if outcome.hit["walk"]),
        "own_complete": mean(outcome.verdict == "complete" for outcome in answerable),
        "trick_none": mean(outcome.verdict == "none" for outcome in trick),
        "trick": len(trick),
        "characters": mean(outcome.characters for outcome in outcomes),
        "steps": mean(outcome.steps for outcome in outcomes),
        "p50": percentile(seconds, 50),
        "p95": percentile(seconds, 95),
    }
    return measures


def _overall(by_set: dict[str, list[Outcome]], sets: dict[str, Any]) -> dict[str, Any]:
    overall: dict[str, Any] = {"sets": sum(bool(one.get("to_find")) for one in sets.values())}
    for name in ("hit", "recall"):
        rows = {key: [getattr(o, name) for o in some if o.hit] for key, some in by_set.items()}
        rows = {key: some for key, some in rows.items() if some}
        methods = [method for method in METHODS if rows and all(method in row for some in rows.values() for row in some)]
        overall[name] = {method: mean(mean(row[method] for row in some) for some in rows.values()) for method in methods}
        overall[f"{name}_gain"] = {
            rival: paired({key: [row["walk"] - row[rival] for row in some] for key, some in rows.items()})
            for rival in methods[1:]
        }
    for key in ("foreign_none", "cited", "answered", "own_none", "read_none", "p50", "p95", "steps", "characters"):
        overall[key] = mean(one[key] for one in sets.values() if one.get(key) is not None and one[key] == one[key])
    large = {
        key: one["share_read"]
        for key, one in sets.items()
        if one["corpus_characters"] >= LARGE and one.get("share_read") is not None
    }
    overall["largest_share_read"] = max(large.values(), default=float("nan"))
    return overall


def _grouped(outcomes: Iterable[Outcome], key: Callable[[Outcome], str]) -> dict[str, list[Outcome]]:
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        groups[key(outcome)].append(outcome)
    return dict(groups)


# ---------------------------------------------------------------- the table


def table(report: dict[str, Any]) -> str:
    """A line for each set, below it one for each type of question where it has several."""
    rows = list(_lines_of(report))
    wide = max(len(name) for name, _ in rows)
    head = f"{'set':<{wide}}{'n':>5}{'leaves':>7} | {'flat':>9} {'vectors':>9} {'boosted':>9} {'greedy':>9} {'walk':>9} | {'hit gain':>20} {'recall gain':>20} |"
    head += f"{'cited':>6}{'quoted':>7}{'none':>6}{'read':>6}{'trick':>6}{'foreign':>8}{'chars':>7}{'share':>7}{'steps':>6}{'p50':>5}{'p95':>5}"
    lines = [head, "-" * len(head)]
    for name, one in rows:
        pairs = " ".join(f"{_pair(one, method):>9}" for method in ("flat", "vectors", "boosted", "greedy", "walk"))
        lines.append(
            f"{name:<{wide}}{one['questions']:>5}{one.get('leaves', ''):>7} | {pairs} | {_gain(one, 'hit'):>20} {_gain(one, 'recall'):>20} |"
            f"{_percent(one.get('cited')):>6}{_percent(one.get('answered')):>7}{_percent(one.get('own_none')):>6}"
            f"{_percent(one.get('read_none')):>6}{_percent(one.get('trick_none')):>6}{_percent(one.get('foreign_none')):>8}"
            f"{one['characters']:>7.0f}{_percent(one.get('share_read')):>7}{one['steps']:>6.1f}{one['p50'] * 1000:>5.0f}{one['p95'] * 1000:>5.0f}"
        )
    most = _percent(report["overall"]["largest_share_read"])
    return "\n".join(
        [*lines, "", NOTES, f"Of a corpus of over {LARGE:,} characters, at most {most} was read for a question on average."]
    )


def _lines_of(report: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, one in report["sets"].items():
        yield name, one
        types = {key.partition(" / ")[2]: some for key, some in report["types"].items() if key.startswith(f"{name} / ")}
        if len(types) > 1:
            yield from ((f"  {type_}", some) for type_, some in types.items())
    yield "mean of the sets", report["overall"] | {"questions": ""}


def _pair(one: dict[str, Any], method: str) -> str:
    if method not in one["hit"]:
        return "–"
    return f"{one['hit'][method] * 100:.0f}/{one['recall'][method] * 100:.1f}"


def _gain(one: dict[str, Any], name: str) -> str:
    gain = one[f"{name}_gain"].get("flat")
    return f"{gain[0] * 100:+.1f} [{gain[1] * 100:+.1f}, {gain[2] * 100:+.1f}]" if gain else "–"


def _percent(share: float | None) -> str:
    return "–" if share is None or share != share else f"{share * 100:.0f}%"
