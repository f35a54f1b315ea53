"""`python -m tree model`: a language model that runs on this machine without a server of one's own."""

from __future__ import annotations

import argparse
import os
import sys
import threading
from pathlib import Path

from prompts.engine.catalogue import GIGABYTE, RECOMMENDED, host, named, recommended_for
from prompts.engine.download import DownloadCancelled, download, look_up
from prompts.engine.memory import sized, total_memory
from prompts.engine.process import started
from prompts.engine.state import read_state, write_state
from prompts.model.trial import Trial
from tree.local_model import try_file
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
    running = actions.add_parser("run", help="run the chosen model until stopped, where the app is not running")
    running.set_defaults(run=_run)
    telling = actions.add_parser("status", help="how the chosen model stands")
    telling.set_defaults(run=_status)
    return [parser, listing, fetching, using, running, telling]


def _folder(opened: Workspace) -> Path:
    return opened.home / "models"


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
    for path in sorted(_folder(opened).glob("*.gguf")):
        print(f"here: {path.name}, {sized(path.stat().st_size)}. Use it: python -m tree model use {path.name}")
    return 0


def counted_processors(number: int) -> str:
    return "one processor" if number == 1 else f"{number} processors"


def _download(opened: Workspace, options: argparse.Namespace) -> int:
    model = named(options.name) if options.name else recommended_for(total_memory())
    remote = look_up(model, host())
    print(
        f"{remote.model.name}\nsize: {sized(remote.size)}\nlicence: {remote.licence}\nSHA-256: {remote.sha256}\nfrom: {remote.address}"
    )
    if not options.yes and not _agreed():
        print("Nothing was downloaded. Confirm with y, or give --yes.", file=sys.stderr)
        return 1
    shown = [-1]

    def progress(here: int, of: int) -> None:
        percent = 100 * here // max(1, of)
        if percent > shown[0]:
            shown[0] = percent
            print(f"\r{percent} %", end="", file=sys.stderr, flush=True)

    try:
        path = download(remote, _folder(opened), progress)
    except DownloadCancelled:
        return 1
    finally:
        print(file=sys.stderr)
    print(f"{path} is here and its checksum is right. Use it: python -m tree model use {path.name}")
    return 0


def _agreed() -> bool:
    if not sys.stdin.isatty():
        return False
    return input("Download it? [y/N] ").strip().casefold() in ("y", "yes")


def _use(opened: Workspace, options: argparse.Namespace) -> int:
    if opened.model.is_from_environment:
        raise StoreError("KNOWLEDGE_TREE_MODEL names the model. Unset it to choose one here.")
    here = _folder(opened) / options.file
    path = here if here.is_file() and not Path(options.file).is_file() else Path(options.file)
    print("Loading and testing it; this takes a minute or two …", file=sys.stderr)
    tried = try_file(path, opened.home)
    for finding in tried.found.findings:
        print(f"{finding.state}: {finding.words}")
    trial = tried.found.trial
    for one in trial.decisions if trial else ():
        print(f"{one.state}: {one.name}: {one.words}" + (f" ({one.seconds:.1f} s)" if one.state != "not asked" else ""))
    if tried.memory is not None:
        print(f"It holds {sized(tried.memory)} of memory.")
    if not tried.found.is_good and not (options.anyway and tried.found.can_be_used):
        print(_unfit(tried.spec.name, trial), file=sys.stderr)
        return 1
    opened.model.save(tried.used_in(opened.model.described()))
    unfit = "" if tried.found.is_good else " although it is unfit for answers"
    print(
        f"{tried.spec.name} is used from now on{unfit}. It runs with the app; summaries wait for: python -m ingestion model resume"
    )
    return 0


def _unfit(name: str, trial: Trial | None) -> str:
    if trial is None or trial.server_failure is not None:
        return f"{name} could not be asked, and is not used."
    return f"{name} is unfit for answers: it passed {trial.passed} of {len(trial.decisions)} decisions. It is not used; --anyway uses it all the same."


def _run(opened: Workspace, options: argparse.Namespace) -> int:
    choice = opened.model.choice()
    if choice.engine is None or choice.settings is None:
        raise StoreError("No model of this machine is chosen. Choose one: python -m tree model use FILE")
    if read_state(opened.home).name != "stopped":
        raise StoreError("It runs already, with the app or another command.")
    process = started(choice.engine, choice.settings.api_key.get_secret_value(), opened.home)
    told = None
    try:
        while True:
            if (state := process.state) != told:
                told = state
                write_state(opened.home, state)
                print(f"{choice.engine.name}: {state.name}. {state.sentence}".rstrip(), flush=True)
            threading.Event().wait(0.5)
    finally:
        process.stop()
        write_state(opened.home, process.state)


def _status(opened: Workspace, options: argparse.Namespace) -> int:
    choice = opened.model.choice()
    if choice.engine is None:
        print("No model of this machine is chosen. Choose one: python -m tree model use FILE")
        return 0
    state = read_state(opened.home)
    memory = f", {sized(state.memory)} of memory" if state.memory is not None else ""
    print(
        f"{choice.engine.name} at {choice.engine.address}: {state.name}{memory}, started again {state.restarts} times. {state.sentence}".rstrip()
    )
    if choice.is_unfit and choice.trial is not None:
        print(f"It is unfit for answers: it passed {choice.trial.passed} of {len(choice.trial.decisions)} decisions.")
    return 0
