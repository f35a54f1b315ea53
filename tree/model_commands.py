"""`python -m tree model`: a language model that runs on this machine without a server of one's own."""

from __future__ import annotations

import argparse
import os
import sys
import threading
from pathlib import Path

from prompts.engine.catalogue import GIGABYTE, RECOMMENDED, Model, host, named, recommended_for
from prompts.engine.download import DownloadCancelled, download, look_up
from prompts.engine.gguf import model_files
from prompts.engine.memory import sized, total_memory
from prompts.engine.process import EngineState
from prompts.engine.spec import EngineSpec
from prompts.engine.state import EMBEDDING_ENGINE, WRITING_ENGINE, read_state
from prompts.model.probe import Probe
from prompts.model.trial import AnswerLimits
from prompts.model.trial_report import report_lines, verdict_line
from tree.engine_keeper import EngineKeeper, model_of_embeddings, model_that_writes
from tree.local_model import TriedFile, models_folder, try_file
from tree.store.database import StoreError
from tree.workspace import Workspace


def model_commands(parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    """Adds the actions to the command's parser; returns all parsers, which share `--home`."""
    actions = parser.add_subparsers(required=True, metavar="action")
    listing = actions.add_parser("list", help="models that fit this machine, and files that are here")
    listing.set_defaults(run=_list)
    fetching = actions.add_parser("download", help="fetch a model's file and prove its checksum; goes on where it broke off")
    fetching.add_argument(
        "name", nargs="?", help="as `list` shows it, or owner/repository/file.gguf; without it what fits this machine"
    )
    fetching.add_argument("--yes", action="store_true", help="without asking first")
    fetching.set_defaults(run=_download)
    using = actions.add_parser("use", help="run a file, test it, and use it if it is fit")
    using.add_argument("file", help="a .gguf file, by its path or as `list` shows it")
    using.add_argument("--anyway", action="store_true", help="though its test says that it is unfit for answers")
    using.set_defaults(run=_use)
    running = actions.add_parser(
        "run", help="run the chosen models until stopped, that of embeddings too, where the app is not running"
    )
    running.set_defaults(run=_run)
    telling = actions.add_parser("status", help="how the chosen models stand, that of embeddings too")
    telling.set_defaults(run=_status)
    return [parser, listing, fetching, using, running, telling]


def file_of(home: Path, name: str) -> Path:
    """A model's file by its path, or by its name among those that were downloaded."""
    here = models_folder(home) / name
    return here if here.is_file() and not Path(name).is_file() else Path(name)


def _list(opened: Workspace, options: argparse.Namespace) -> int:
    memory = total_memory()
    fitting = recommended_for(memory)
    for model in RECOMMENDED:
        mark = "*" if model == fitting else " "
        print(
            f"{mark} {model.title}: about {model.gigabytes:.1f} GB, {model.licence}, for machines with {model.memory:.0f} GB of memory"
        )
    if memory is not None:
        print(
            f"* fits this machine: {memory / GIGABYTE:.0f} GB of memory, {counted_processors(os.cpu_count() or 1)}. Fetch it: python -m tree model download"
        )
    for path in model_files(models_folder(opened.home)):
        print(f"here: {path.name}, {sized(path.stat().st_size)}. Use it: python -m tree model use {path.name}")
    return 0


def counted_processors(number: int) -> str:
    return "one processor" if number == 1 else f"{number} processors"


def _download(opened: Workspace, options: argparse.Namespace) -> int:
    model = named(options.name) if options.name else recommended_for(total_memory())
    path = fetch_model(model, models_folder(opened.home), is_agreed=options.yes)
    if path is not None:
        print(f"{path} is here and its checksum is right. Use it: python -m tree model use {path.name}")
    return 0 if path is not None else 1


def fetch_model(model: Model, folder: Path, *, is_agreed: bool) -> Path | None:
    """Tells what would be downloaded, asks unless `is_agreed`, and downloads it. None where that was not wanted. Raises DownloadError."""
    remote = look_up(model, host())
    print(
        f"{remote.model.name}\nsize: {sized(remote.size)}\nlicence: {remote.licence}\nSHA-256: {remote.sha256}\nfrom: {remote.address}"
    )
    if not is_agreed and not _agreed():
        print("Nothing was downloaded. Confirm with y, or give --yes.", file=sys.stderr)
        return None
    shown = [-1]

    def progress(here: int, of: int) -> None:
        tenth = 10 * here // max(1, of)
        if tenth > shown[0]:
            shown[0] = tenth
            print(f"{10 * tenth} %", file=sys.stderr, flush=True)

    try:
        return download(remote, folder, progress)
    except DownloadCancelled:
        return None


def _agreed() -> bool:
    if not sys.stdin.isatty():
        return False
    return input("Download it? [y/N] ").strip().casefold() in ("y", "yes")


def _use(opened: Workspace, options: argparse.Namespace) -> int:
    if opened.model.is_from_environment:
        raise StoreError("KNOWLEDGE_TREE_MODEL names the model. Unset it to choose one here.")
    print("Loading and testing it; this takes a minute or two …", file=sys.stderr)
    return use_tried(opened, try_file(file_of(opened.home, options.file), opened.home), is_agreed=options.anyway)


def use_tried(opened: Workspace, tried: TriedFile, *, is_agreed: bool) -> int:
    """Tells how the test of a file went, and uses it if it is fit, or `is_agreed` though it is not. Returns the exit status."""
    for _, line in report_lines(tried.found):
        print(line)
    if tried.memory is not None:
        print(f"It holds {sized(tried.memory)} of memory.")
    choice = opened.model.described()
    limits = choice.limits_of(tried.settings)
    is_fit = tried.found.fits(limits)
    if not is_fit and not (is_agreed and tried.found.can_be_used):
        print(_unfit(tried.spec.name, tried.found, limits), file=sys.stderr)
        return 1
    opened.model.save(tried.used_in(choice))
    if tried.found.trial is not None:
        print(verdict_line(tried.found.trial, limits))
    unfit = "" if is_fit or tried.found.trial is None else f" although it is {tried.found.trial.verdict(limits)} for answers"
    print(
        f"{tried.spec.name} is used from now on{unfit}. It runs with the app; summaries wait for: python -m ingestion model resume"
    )
    return 0


def _unfit(name: str, found: Probe, limits: AnswerLimits) -> str:
    if not found.can_be_used or found.trial is None:
        return f"{name} could not be asked, and is not used."
    return f"{verdict_line(found.trial, limits)} It is not used; --anyway uses it all the same."


def _run(opened: Workspace, options: argparse.Namespace) -> int:
    kinds = ((model_that_writes, WRITING_ENGINE), (model_of_embeddings, EMBEDDING_ENGINE))
    keepers = {
        EngineKeeper(opened, wanted=wanted, name=name): spec for wanted, name in kinds if (spec := wanted(opened)[0]) is not None
    }
    if not keepers:
        raise StoreError("No model of this machine is chosen. Choose one: python -m tree model use FILE")
    if any(keeper.state().name != "stopped" for keeper in keepers):
        raise StoreError("It runs already, with the app or another command.")
    told: dict[EngineKeeper, EngineState] = {}
    try:
        for keeper in keepers:
            keeper.start()
        while True:
            for keeper, spec in keepers.items():
                if (state := keeper.state()) != told.get(keeper) and state.name != "stopped":
                    told[keeper] = state
                    print(f"{spec.name}: {state.name}. {state.sentence}".rstrip(), flush=True)
            threading.Event().wait(0.5)
    finally:
        for keeper in keepers:
            keeper.stop()


def _status(opened: Workspace, options: argparse.Namespace) -> int:
    choice, embeddings = opened.model.described(), opened.meaning.model.described()
    if choice.engine is None:
        print("No model of this machine is chosen. Choose one: python -m tree model use FILE")
    else:
        print(_standing(choice.engine, read_state(opened.home)))
        if choice.is_unfit and choice.settings is not None:
            print(verdict_line(choice.trial, choice.limits_of(choice.settings)))
    if embeddings.engine is None:
        print("No model of embeddings of this machine is chosen. Choose one: python -m ingestion meaning use FILE")
    else:
        print(f"embeddings: {_standing(embeddings.engine, read_state(opened.home, EMBEDDING_ENGINE))}")
    return 0


def _standing(spec: EngineSpec, state: EngineState) -> str:
    memory = f", {sized(state.memory)} of memory" if state.memory is not None else ""
    return f"{spec.name} at {spec.address}: {state.name}{memory}, started again {state.restarts} times. {state.sentence}".rstrip()
