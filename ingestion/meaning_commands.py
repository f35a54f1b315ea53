"""`python -m ingestion meaning`: search by meaning, from the command line: which model makes vectors, and how far they are."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from typing import Any

from pydantic import SecretStr, ValidationError

from ingestion.embedding_progress import EmbeddingEstimate, EmbeddingProgress, embedding_estimate, embedding_progress
from ingestion.model_commands import key_from, told_seconds, wrong
from ingestion.sources import Sources
from prompts.engine.catalogue import EMBEDDINGS, named
from prompts.engine.gguf import model_files
from prompts.engine.memory import sized
from prompts.engine.state import EMBEDDING_ENGINE
from prompts.errors import ModelError
from prompts.model import ModelSettings
from prompts.model.embedding_trial import PROVIDERS, try_embedding
from tree.engine_keeper import EngineKeeper, kept_running, model_of_embeddings
from tree.local_model import models_folder, try_embedding_file
from tree.model_commands import fetch_model, file_of
from tree.store.database import StoreError
from tree.store.embedding_model import EmbeddingChoice
from tree.workspace import Workspace

NONE = "No model of embeddings is chosen: passages are found by their words, and by vectors of words where these find no answer. Choose one: python -m ingestion meaning set PROVIDER MODEL"


def offer(commands: Any) -> None:
    """Adds the command to a parser's."""
    meaning = commands.add_parser("meaning", help="search by meaning too: which model makes the vectors, and how far they are")
    meaning.set_defaults(run=_show)
    actions = meaning.add_subparsers(metavar="action")
    setting = actions.add_parser("set", help="choose a model of embeddings; it is tried first")
    setting.add_argument("provider", choices=PROVIDERS, metavar="PROVIDER", help=", ".join(PROVIDERS))
    setting.add_argument("model", metavar="MODEL", help="as the provider calls it")
    setting.add_argument("--url", default="", help="address of the server")
    setting.add_argument("--key-from", metavar="FILE", help="a file that holds the key, or - to type it or pipe it in")
    setting.set_defaults(run=_set)
    listing = actions.add_parser("models", help="models of embeddings that run on this machine, and files that are here")
    listing.set_defaults(run=_models)
    fetching = actions.add_parser("download", help="fetch a model's file and prove its checksum; goes on where it broke off")
    fetching.add_argument("name", nargs="?", help="as `models` shows it, or owner/repository/file.gguf; without it the first")
    fetching.add_argument("--yes", action="store_true", help="without asking first")
    fetching.set_defaults(run=_download)
    using = actions.add_parser("use", help="choose a model file that runs on this machine; it is tried first")
    using.add_argument("file", help="a .gguf file, by its path or as `models` shows it")
    using.set_defaults(run=_use)
    others = {
        "make": (_make, "make all vectors that are missing now; ends a pause"),
        "on": (_on, "search by meaning"),
        "off": (_off, "search by words alone; the vectors stay and are kept up to date"),
        "pause": (_pause, "make no vectors for now"),
        "anew": (_anew, "throw all vectors away and make them anew"),
        "forget": (_forget, "forget the model, its key and all vectors"),
    }
    for name, (run, words) in others.items():
        actions.add_parser(name, help=words).set_defaults(run=run)
    for command in (meaning, *actions.choices.values()):
        command.add_argument("--home", default=argparse.SUPPRESS, help="the data folder")
    meaning.add_argument("--json", action="store_true")


def _show(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    choice, found = opened.meaning.model.described(), embedding_progress(opened)
    if options.json:
        model = {"label": choice.settings.label, "address": choice.settings.host} if choice.settings else None
        said = {"model": model, "is_on": choice.settings is not None and choice.is_on, **asdict(found)}
        print(json.dumps(said, ensure_ascii=False, indent=2))
    elif choice.settings is None:
        print(NONE)
    else:
        print(f"{choice.title} at {choice.place}, {'on' if choice.is_on else 'off'}")
        print(in_words(found))
    return 0


def in_words(found: EmbeddingProgress) -> str:
    failed = f", {len(found.given_up):,} given up ({found.given_up[0]})" if found.given_up else ""
    left = f", about {told_seconds(found.seconds_left)} left" if found.seconds_left else ""
    total = found.made + found.pending + len(found.given_up)
    return f"{found.made:,} of {total:,} passages have vectors{failed}{left}. {found.sentence}".rstrip()


def _set(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    given = key_from(options.key_from) if options.key_from else SecretStr("")
    try:
        settings = ModelSettings(provider=options.provider, model=options.model, base_url=options.url, api_key=given)
    except ValidationError as error:
        raise StoreError(wrong(error)) from error
    try:
        trial = try_embedding(settings)
    except ModelError as error:
        raise StoreError(f"{error} Nothing was changed.") from error
    return _save(opened, EmbeddingChoice(settings=settings, last_trial=trial, paused=True))


def _save(opened: Workspace, tried: EmbeddingChoice) -> int:
    """Keeps a choice that was tried; nothing is made before somebody has seen what that takes."""
    choice = tried.model_copy(update={"anew": opened.meaning.model.described().anew})
    opened.meaning.model.save(choice)
    if choice.trial is not None and not choice.trial.tells_apart:
        print(f"{choice.title} makes vectors that do not tell meaning apart; another model will find more.", file=sys.stderr)
    print(f"{choice.title} works. {takes(embedding_estimate(opened, choice))} Begin with: python -m ingestion meaning make")
    return 0


def _models(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    for model in EMBEDDINGS:
        print(f"{model.title}: for {model.languages}, about {model.gigabytes * 1_000:.0f} MB, {model.licence}")
    print("Fetch one: python -m ingestion meaning download [NAME]")
    for path in model_files(models_folder(opened.home), embeddings=True):
        print(f"here: {path.name}, {sized(path.stat().st_size)}. Use it: python -m ingestion meaning use {path.name}")
    return 0


def _download(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    model = named(options.name, EMBEDDINGS) if options.name else EMBEDDINGS[0]
    path = fetch_model(model, models_folder(opened.home), is_agreed=options.yes)
    if path is not None:
        print(f"{path} is here and its checksum is right. Use it: python -m ingestion meaning use {path.name}")
    return 0 if path is not None else 1


def _use(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    try:
        tried = try_embedding_file(file_of(opened.home, options.file), opened.home)
    except ModelError as error:
        raise StoreError(f"{error} Nothing was changed.") from error
    return _save(opened, tried)


def takes(found: EmbeddingEstimate) -> str:
    """What making all vectors takes, as a sentence."""
    seconds = "" if found.seconds is None else f", about {told_seconds(found.seconds)}"
    cost = ", at a price that is not known" if found.cost is None else f", {found.cost:,.2f}" if found.cost else ""
    return f"{found.leaves:,} passages: about {found.tokens:,} tokens{seconds}{cost}."


def _make(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    from ingestion.embedder import Embedder  # it brings numpy, which most commands can do without

    _chosen(opened)
    opened.meaning.model.change(paused=False)
    with kept_running(EngineKeeper(opened, wanted=model_of_embeddings, name=EMBEDDING_ENGINE)):
        why = Embedder(opened).run_out()
    found = embedding_progress(opened)
    print(in_words(found))
    if why:
        print(why, file=sys.stderr)
    return 1 if found.pending or found.given_up else 0


def _on(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    return _changed(opened, "Questions are looked for by meaning too, as far as there are vectors.", is_on=True)


def _off(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    return _changed(opened, "Questions are looked for by words alone.", is_on=False)


def _pause(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    return _changed(opened, "No vectors are made for now.", paused=True)


def _anew(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    return _changed(opened, "All vectors are made anew.", anew=_chosen(opened).anew + 1, paused=False)


def _changed(opened: Workspace, told: str, **fields: object) -> int:
    _chosen(opened)
    opened.meaning.model.change(**fields)
    print(told)
    return 0


def _forget(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    opened.meaning.model.save(EmbeddingChoice())
    opened.meaning.vectors.forget()
    print("The model, its key and all vectors are forgotten.")
    return 0


def _chosen(opened: Workspace) -> EmbeddingChoice:
    choice = opened.meaning.model.described()
    if choice.settings is None:
        raise StoreError(NONE)
    return choice
