"""`python -m bench`: does the walk find the right place, what does a change cost, how fast is it, is anything ever wrong."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from prompts.model.settings import MODEL_VARIABLE


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    if options.command not in ("quality", "model"):
        os.environ.pop(MODEL_VARIABLE, None)  # what is timed here is the program, not somebody's model
    status: int = import_module(f"bench.{options.command}").run(options)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure it: quality, cost, speed and correctness.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    quality = commands.add_parser("quality", help="does the walk find the right place, and better than flat search")
    quality.add_argument(
        "--data", type=Path, required=True, help="a folder of sets: NAME/corpus.jsonl, NAME/questions.public.jsonl"
    )
    quality.add_argument("--sets", nargs="*", default=[], help="only these")
    quality.add_argument("--reader", choices=("extractive", "model"), default="extractive", help="who walks and answers")
    quality.add_argument("--sample", type=Path, help='only these questions: {"set": {"any name": [ids]}}')
    quality.add_argument("--limit", type=int, help="at most so many questions of a set, the same ones every time")
    quality.add_argument("--half", choices=("tune", "report", "both"), default="report", help="a fixed half of the questions")
    quality.add_argument("--leaves", type=int, default=6, help="leaves a walk may read")
    quality.add_argument("--homes", type=Path, help="keep the trees here and use them again; else thrown away")
    quality.add_argument("--no-rivals", dest="rivals", action="store_false", help="the walk alone")
    quality.add_argument(
        "--meaning",
        metavar="MODEL@URL",
        help="search by meaning too, with the vectors of a server in OpenAI's form; the column vectors then",
    )
    answers = commands.add_parser("answers", help="are the answers right: exact gold for the sample, or question sets by path")
    answers.add_argument(
        "--gold", type=Path, help="questions with what an answer has to say (YAML); those of the sample by default"
    )
    answers.add_argument(
        "--folder", type=Path, help="a folder of documents that the questions of --gold are asked of, instead of the sample"
    )
    answers.add_argument("--data", type=Path, help="a folder of question sets, instead of the sample; with --made, of raw data")
    answers.add_argument(
        "--made",
        nargs="*",
        help="questions made from raw data below --data, with gold reckoned from it: tickets, files, histories, folders, procedures; "
        "without a name all for which there is data",
    )
    answers.add_argument("--seed", type=int, default=1, help="of the questions that are made")
    answers.add_argument("--sets", nargs="*", default=[], help="only these")
    answers.add_argument("--limit", type=int, help="at most so many questions of a set, the same ones every time")
    answers.add_argument("--half", choices=("tune", "report", "both"), default="report", help="a fixed half of the questions")
    answers.add_argument("--homes", type=Path, help="keep the trees here and use them again; else thrown away")
    answers.add_argument(
        "--show", choices=("lead", "green", "all"), help="print answers: wrong ones, green and wrong ones, or all"
    )
    howto = commands.add_parser("howto", help="procedures and alerts: the right one, its steps in order, what is needed first")
    howto.add_argument("--data", type=Path, help="a folder of archives of documentation; without it the sample alone")
    howto.add_argument("--sets", nargs="*", default=[], help="only these: sample, openshift, prometheus, mesos, lsst")
    howto.add_argument("--limit", type=int, default=40, help="at most so many questions of each kind and set")
    howto.add_argument(
        "--half", choices=("tune", "report", "both"), default="both", help="pages that were looked at, the others, or all"
    )
    howto.add_argument("--homes", type=Path, help="keep the trees here and use them again; else thrown away")
    howto.add_argument("--show", choices=("missed", "all"), help="print answers: those that miss something, or all")
    howto.add_argument("--seed", type=int, default=1)
    change = commands.add_parser("change", help="what a change costs, beside the fewest calls any tree could do with")
    change.add_argument("--leaves", type=int, nargs="+", default=[50, 400, 4_000, 40_000])
    change.add_argument("--tries", type=int, default=150, help="single changes of each kind, for mean and worst")
    change.add_argument("--seed", type=int, default=1)
    truth = commands.add_parser("truth", help="random histories with crashes and races, each held against the folder itself")
    truth.add_argument("--runs", type=int, default=100)
    truth.add_argument("--seed", type=int, default=1, help="of the first history; each next one has the next number")
    truth.add_argument("--steps", type=int, default=0, help="of one history; by default what its world takes")
    truth.add_argument(
        "--world",
        choices=("folder", "jira", "several", "commits"),
        default="folder",
        help="what the histories happen to. several: four sources, several processes, people who ask, faults and kills. "
        "commits: one piece of work, killed at each of its commit points",
    )
    truth.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="histories side by side")
    truth.add_argument("--minutes", type=float, help="begin no further history after so many")
    soak = commands.add_parser("soak", help="an hour of the real app: sources change, people ask, kill -9 every minute")
    soak.add_argument("--minutes", type=float, default=60)
    soak.add_argument("--kill-seconds", type=float, default=60, help="from one kill to the next")
    soak.add_argument("--seed", type=int, default=1)
    speed = commands.add_parser("speed", help="how fast and how large, and how each grows")
    speed.add_argument("--leaves", type=int, nargs="*", default=[1_000, 10_000, 100_000])
    speed.add_argument("--data", type=Path, nargs="*", default=[], help="real folders, read as they are and left so")
    speed.add_argument(
        "--server",
        default="",
        help="the same on PostgreSQL too, where databases may be made: postgresql+psycopg://USER@HOST:PORT",
    )
    speed.add_argument("--sessions", type=int, default=50, help="open pages of a real server; 0 leaves the server out")
    speed.add_argument("--saves", type=int, default=20, help="files saved under the worker's eyes; 0 leaves it out")
    speed.add_argument("--repeat", type=int, default=30, help="how often a change, a page and a third of a walk are timed")
    speed.add_argument("--seed", type=int, default=1)
    forest = commands.add_parser("forest", help="many sources: how fast and how large, and how that grows with all their leaves")
    forest.add_argument("--leaves", type=int, nargs="+", default=[10_000, 100_000, 1_000_000], help="of all sources together")
    forest.add_argument("--sources", type=int, default=200)
    forest.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="sources that are built side by side")
    forest.add_argument("--homes", type=Path, help="keep the files and trees here and use them again; else thrown away")
    forest.add_argument("--repeat", type=int, default=30, help="how often a change and a third of a walk are timed")
    forest.add_argument("--no-app", dest="app", action="store_false", help="leave out the server and its worker")
    forest.add_argument("--seed", type=int, default=1)
    facts = commands.add_parser("facts", help="how fast are names and exact answers over many tickets")
    facts.add_argument("--tickets", type=int, default=20_000)
    facts.add_argument("--repeat", type=int, default=10, help="how often a question and a change are timed; the median counts")
    facts.add_argument("--home", type=Path, help="keep the tree here and use it again; else thrown away")
    jira = commands.add_parser("jira", help="what reading tickets costs, and how soon an edit of one is answerable")
    jira.add_argument("--load", type=Path, action="append", default=[], help="tickets as REST bodies; else the sample project")
    jira.add_argument("--adf", type=Path, action="append", default=[], help="the texts of the --load at the same place, in ADF")
    jira.add_argument("--edits", type=int, default=200)
    jira.add_argument("--pause", type=float, default=1.0, help="seconds between two edits, on average")
    jira.add_argument("--poll", type=float, default=10.0, help="seconds between two polls, where there is no webhook")
    jira.add_argument(
        "--faults", action="store_true", help="instead: each fault at each request of a sync, none may lose a ticket"
    )
    jira.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes side by side, for --faults")
    jira.add_argument("--chats", type=int, default=5)
    jira.add_argument("--seed", type=int, default=1)
    model = commands.add_parser("model", help="what the model that the environment names is asked for questions and changes")
    model.add_argument("--data", type=Path, help="a folder of files, or of a question set; without it no questions")
    model.add_argument("--questions", type=Path, help="a file with one on each line; a set has its own")
    model.add_argument("--limit", type=int, default=20, help="at most so many questions")
    model.add_argument("--homes", type=Path, help="keep the trees here and use them again; else thrown away")
    model.add_argument("--reading", action="store_true", help="no questions: what reading all of --data takes")
    model.add_argument("--changes", type=int, default=5, help="edits, inserts and deletes, so many of each; 0 leaves them out")
    model.add_argument("--leaves", type=int, default=40, help="of the made-up tree that is changed")
    model.add_argument("--seed", type=int, default=1)
    load = commands.add_parser("load", help="a team at once: open chats, people who ask, documents that change")
    load.add_argument("--sessions", type=int, default=50, help="people with an open chat")
    load.add_argument("--askers", type=int, default=10, help="of them, who ask one question after the other")
    load.add_argument("--minutes", type=float, default=10)
    load.add_argument("--click-seconds", type=float, default=10, help="between two clicks of one who does not ask, on average")
    load.add_argument("--leaves", type=int, default=1_000, help="over three sources, two of which only some may see")
    load.add_argument("--step-seconds", type=float, default=0.3, help="that an answer waits before each step, as for a model")
    load.add_argument("--seed", type=int, default=1)
    workers = commands.add_parser(
        "workers", help="several workers on one PostgreSQL: how fast they read, and what kills and cuts cost"
    )
    workers.add_argument("--server", required=True, help="where databases may be made: postgresql+psycopg://USER@HOST:PORT")
    workers.add_argument("--workers", type=int, nargs="*", default=[1, 2, 4], help="how many, side by side in one run")
    workers.add_argument("--sources", type=int, default=12)
    workers.add_argument("--files", type=int, default=150, help="of a source")
    workers.add_argument("--kills", type=int, default=50, help="kill -9, while files change; 0 leaves it out")
    workers.add_argument(
        "--cuts", type=int, default=0, help="of the network between the workers and the server, while files change"
    )
    workers.add_argument("--cut-seconds", type=float, default=60)
    workers.add_argument("--seed", type=int, default=1)
    first = commands.add_parser("first_reads", help="many large new folders and then one more: after how long can that be asked")
    first.add_argument(
        "--workers", type=int, default=1, help="processes; more than one only where KNOWLEDGE_TREE_DATABASE names a server"
    )
    first.add_argument("--large", type=int, default=6, help="folders that are added at once")
    first.add_argument("--files", type=int, default=3_000, help="of each of them")
    first.add_argument(
        "--later", type=int, nargs="*", default=[20], help="files of the folders that are added later, one after the other"
    )
    first.add_argument("--after", type=float, default=10.0, help="seconds before each of these is added")
    first.add_argument("--seed", type=int, default=1)
    pictures = commands.add_parser("screenshots", help="pictures of every page, in light, in dark and on a telephone")
    pictures.add_argument("--into", type=Path, default=Path("docs/pictures"), help="the folder they are written to")
    report = commands.add_parser("report", help="write the figures of the last runs into docs/measurements.md, between markers")
    report.add_argument("--into", type=Path, default=Path("docs/measurements.md"), help="the page that has the markers")
    report.add_argument("--figures", type=Path, help="figures.json of the runs; that in --out or in bench/ by default")
    return _with_out(parser, [quality, answers, howto, change, truth, soak, speed, forest, facts, jira, model, load, report])


def _with_out(parser: argparse.ArgumentParser, commands: Sequence[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    for command in commands:
        command.add_argument("--out", type=Path, help="a folder for the figures (JSON) and the page (HTML)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
