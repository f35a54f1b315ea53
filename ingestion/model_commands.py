"""`python -m ingestion upgrade`, `usage` and `model`: the language model a team brings, from the command line."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from getpass import getpass
from pathlib import Path
from typing import Any, get_args

from pydantic import SecretStr, ValidationError

from ingestion.progress import Estimate, Progress, estimate, progress
from ingestion.sources import Sources
from ingestion.upgrade import Upgrader
from prompts.model import ModelSettings, Prices
from prompts.model.probe import probe
from prompts.model.settings import KEY_VARIABLES, MODEL_VARIABLE, Provider
from prompts.model.trial_report import report_lines, verdict_line
from tree.store.database import StoreError
from tree.store.language_model import ModelChoice
from tree.workspace import Workspace

HELD_BACK = "Questions are answered without it until it passes."
HELD_BACK_UNFIT = "Questions are answered without it; to use it all the same: python -m ingestion model test --anyway"


def offer(commands: Any) -> None:
    """Adds the commands to a parser's."""
    upgrading = commands.add_parser(
        "upgrade", help="have the model read what it has not read yet, until nothing is left; ends a pause"
    )
    upgrading.add_argument("name", nargs="?", help="of a source; without it all")
    upgrading.add_argument("--estimate", action="store_true", help="only tell what that would take")
    upgrading.set_defaults(run=_upgrade)
    using = commands.add_parser("usage", help="what the model took, by day, purpose, source and model")
    using.add_argument("--days", type=int, default=30, help="default: %(default)s")
    using.set_defaults(run=_usage)
    model = commands.add_parser("model", help="which language model reads and answers, and what it may take")
    model.set_defaults(run=_show)
    of_model = model.add_subparsers(metavar="action")
    setting = of_model.add_parser(
        "set",
        help="choose a model, or change what is said about it",
        description="Without PROVIDER and MODEL only what is named changes. The key is never an argument, which others could see.",
    )
    _offer_settings(setting)
    actions = {
        "test": (_test, "ask it for five small decisions, and say what is wrong; a model that passes is used from then on"),
        "off": (_off, "forget the model and its key; nothing is sent to it any more"),
        "pause": (_pause, "stop upgrades for now"),
        "resume": (_resume, "go on with upgrades"),
    }
    for name, (run, words) in actions.items():
        of_model.add_parser(name, help=words).set_defaults(run=run)
    of_model.choices["test"].add_argument(
        "--anyway", action="store_true", help="have it answer though its test says that it is unfit for answers"
    )
    for command in (upgrading, using, model, *of_model.choices.values()):
        command.add_argument("--home", default=argparse.SUPPRESS, help="the data folder")
    for command in (upgrading, using, model):
        command.add_argument("--json", action="store_true")


def _offer_settings(setting: argparse.ArgumentParser) -> None:
    setting.add_argument(
        "provider", nargs="?", choices=get_args(Provider), metavar="PROVIDER", help=", ".join(get_args(Provider))
    )
    setting.add_argument("model", nargs="?", metavar="MODEL", help="as the provider calls it")
    setting.add_argument("--url", help="address of the server")
    setting.add_argument("--key-from", metavar="FILE", help="a file that holds the key, or - to type it or pipe it in")
    setting.add_argument("--api-version", help="Azure only")
    setting.add_argument("--context", type=int, metavar="TOKENS", help="how long a prompt may be")
    setting.add_argument("--timeout", type=float, metavar="SECONDS", help="for one decision")
    setting.add_argument("--at-once", type=int, metavar="NUMBER", help="requests of one process at the same time")
    setting.add_argument("--total-at-once", type=int, metavar="NUMBER", help="requests of all processes together; 0 for no limit")
    setting.add_argument("--prices", type=_prices, metavar="IN,OUT", help="of a million tokens read and written")
    setting.add_argument("--daily-tokens", type=_tokens, metavar="N", help="a day's budget, read and written; none for no limit")
    setting.add_argument("--question-calls", type=int, metavar="N", help="of the model, for one question")
    setting.add_argument("--question-tokens", type=int, metavar="N", help="read and written, for one question")
    setting.add_argument("--question-seconds", type=float, metavar="N", help="of the model, for one question")
    setting.add_argument(
        "--source-tokens",
        type=_source_tokens,
        action="append",
        default=[],
        metavar="NAME=N",
        help="a day's budget of a source's upgrades",
    )
    for what, words in (("upgrades", "make records better in the background"), ("answers", "answer questions")):
        setting.add_argument(f"--{what}", action=argparse.BooleanOptionalAction, help=words)
    setting.set_defaults(run=_set)


def _prices(text: str) -> Prices:
    given, _, made = text.partition(",")
    return Prices(input=float(given), output=float(made))


def _tokens(text: str) -> int:
    """-1 for no limit."""
    number = -1 if text == "none" else int(text.replace(",", "").replace("_", ""))
    if number < 0 and text != "none":
        raise argparse.ArgumentTypeError("give a number of tokens, or none")
    return number


def _source_tokens(text: str) -> tuple[str, int]:
    name, _, number = text.rpartition("=")
    if not name:
        raise argparse.ArgumentTypeError("write it like Docs=50000")
    return name, _tokens(number)


# ---------------------------------------------------------------- upgrade


def _upgrade(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    source = sources.named(options.name) if options.name else None
    if _chosen(opened).settings is None:
        raise StoreError("No model is chosen. Choose one: python -m ingestion model set PROVIDER MODEL")
    if options.estimate:
        expected = estimate(opened, source_id=source.id if source else None)
        print(json.dumps(asdict(expected), indent=2) if options.json else _expected(expected))
        return 0
    opened.model.change(paused=False)
    upgrader = Upgrader(opened, only=source.id if source else None)
    done = upgrader.run_out(lambda now: print(_counted(now), file=sys.stderr))
    of_those = [one for one in done.sources if source is None or one.source_id == source.id]
    if options.json:
        print(json.dumps(as_json(done), ensure_ascii=False, indent=2))
    else:
        for one in of_those:
            print(f"{one.name}: {one.upgraded} upgraded, {one.pending} pending, {len(one.given_up)} given up.")
    for given_up in (given_up for one in of_those for given_up in one.given_up):
        print(f"Given up for a day: {given_up.title}: {given_up.reason}", file=sys.stderr)
    pending = any(one.pending for one in of_those)
    if pending:
        print(next(filter(None, (done.sentence, *(one.sentence for one in of_those))), "Stopped."), file=sys.stderr)
    return 1 if pending or any(one.given_up for one in of_those) else 0


def _expected(expected: Estimate) -> str:
    cost = "at a price that is not known" if expected.cost is None else f"for about {expected.cost:,.2f}"
    return (
        f"{expected.leaves:,} passages and {expected.branches:,} branches: about {expected.calls:,} calls, {expected.input_tokens:,} tokens "
        f"read and {expected.output_tokens:,} written, {told_seconds(expected.seconds)}, {cost}."
    )


def _counted(now: Progress) -> str:
    left = f", about {told_seconds(now.seconds_left)} left" if now.seconds_left else ""
    words = f"{now.upgraded:,} of {now.upgraded + now.pending + now.given_up:,} read by the model{left}"
    return f"{words}. {now.sentence}".rstrip()


def told_seconds(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5_400 else f"{seconds / 3_600:.1f} h"


def as_json(done: Progress) -> dict[str, Any]:
    return {
        "state": done.state,
        "sentence": done.sentence,
        "upgraded": done.upgraded,
        "pending": done.pending,
        "seconds_left": done.seconds_left,
        "sources": [asdict(source) for source in done.sources],
    }


# ---------------------------------------------------------------- usage


def _usage(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    names = {source.id: source.name for source in sources.all()}
    spent = [
        {**asdict(one), "source": names.get(one.source_id, "(removed)") if one.source_id else ""}
        for one in opened.model.spent(options.days)
    ]
    if options.json:
        print(json.dumps({"usage": spent}, ensure_ascii=False, indent=2))
        return 0
    if not spent:
        print(f"No model was asked in {options.days} days.")
    for one in spent:
        cost = "" if one["cost"] is None else f", {one['cost']:,.4f}"
        print(
            f"{one['day']}  {one['purpose']:8}  {one['source'] or '-'}  {one['model']}: {one['calls']:,} calls, "
            f"{one['input_tokens']:,} tokens read, {one['output_tokens']:,} written{cost}, {one['hits']:,} known already"
        )
    return 0


# ---------------------------------------------------------------- model


def _chosen(opened: Workspace) -> ModelChoice:
    """Raises StoreError with words for what is wrong in the environment too."""
    try:
        return opened.model.choice()
    except ValidationError as error:
        raise StoreError(f"{MODEL_VARIABLE} and what goes with it cannot be used: {wrong(error)}") from error


def wrong(error: ValidationError) -> str:
    parts = ((".".join(map(str, one["loc"])), one["msg"].removeprefix("Value error, ")) for one in error.errors())
    return "; ".join(f"{where}: {words}" if where else words for where, words in parts)


def _show(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    choice = _chosen(opened)
    shown = _shown(opened, choice, {source.id: source.name for source in sources.all()})
    if options.json:
        print(json.dumps(shown, ensure_ascii=False, indent=2))
        return 0
    if choice.settings is None:
        print("No model is chosen: nothing is sent anywhere. Choose one: python -m ingestion model set PROVIDER MODEL")
        return 0
    print(
        f"{shown['label']} at {shown['address']}, key: {shown['key']}{', from the environment' if shown['from_environment'] else ''}"
    )
    on = {True: "on", False: "off"}
    print(
        f"answers {'held back' if choice.answers and choice.held_back else on[choice.answers]}, upgrades {'paused' if choice.paused else on[choice.upgrades]}, {choice.settings.concurrency} at once{_in_all(choice.settings)}"
    )
    print(verdict_line(choice.trial, choice.limits_of(choice.settings)))
    if choice.held_back and choice.answers:
        print(HELD_BACK)
    limit = "no limit" if choice.daily_tokens is None else f"of {choice.daily_tokens:,}"
    print(f"{shown['tokens_today']:,} tokens today, {limit}")
    for name, tokens in shown["source_tokens"].items():
        print(f"upgrades of {name}: at most {tokens:,} tokens a day")
    print(_counted(progress(opened)))
    return 0


def _shown(opened: Workspace, choice: ModelChoice, names: Mapping[str, str]) -> dict[str, Any]:
    """The choice without its key."""
    settings = choice.settings
    return {
        "label": settings.label if settings else None,
        "address": settings.host if settings else None,
        "key": _told_key(settings) if settings else None,
        "from_environment": opened.model.is_from_environment,
        "is_fit": _is_fit(choice),
        "held_back": choice.held_back,
        "upgrades": choice.upgrades,
        "answers": choice.answers,
        "paused": choice.paused,
        "daily_tokens": choice.daily_tokens,
        "source_tokens": {names.get(id_, id_): tokens for id_, tokens in choice.source_tokens.items()},
        "tokens_today": opened.model.tokens_today(),
    }


def state_of(opened: Workspace) -> dict[str, Any]:
    """Which model is set and whether its test says that it is fit; as `status --json` prints it."""
    choice = opened.model.described()
    try:
        settings = ModelSettings.from_environment() or choice.settings
    except ValidationError:  # `model` says what is wrong with it
        settings = choice.settings
    choice = choice.model_copy(update={"settings": settings})
    return {"label": settings.label if settings else None, "is_fit": _is_fit(choice)}


def _is_fit(choice: ModelChoice) -> bool | None:
    """What its test says of the model that is set; None without one."""
    return None if choice.trial is None or choice.settings is None else choice.trial.fits(choice.limits_of(choice.settings))


def _in_all(settings: ModelSettings) -> str:
    number = settings.total_concurrency
    return "" if number is None else f", {number} of all processes together"


def _told_key(settings: ModelSettings) -> str:
    if settings.api_key.get_secret_value():
        return "saved"
    return f"from {' or '.join(KEY_VARIABLES[settings.provider])}" if settings.key() else "none"


def _set(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    try:
        choice = _chosen(opened)
    except StoreError:
        if not options.key_from:
            raise
        choice = opened.model.described()  # the key that cannot be read any more is being replaced
    changed = {
        "base_url": options.url,
        "api_version": options.api_version,
        "context_tokens": options.context,
        "timeout": options.timeout,
        "concurrency": options.at_once,
        "total_concurrency": options.total_at_once or None,
        "prices": options.prices,
        "api_key": key_from(options.key_from) if options.key_from else None,
    }
    changed = {name: value for name, value in changed.items() if value is not None}
    if options.total_at_once == 0:
        changed["total_concurrency"] = None
    fields: dict[str, Any] = {}
    if options.provider or changed:
        _refuse_where_environment_says(opened)
        settings = _settings(choice.settings, options.provider, options.model, changed)
        fields["settings"] = settings
        if choice.settings is None or (choice.settings.label, choice.settings.address) != (settings.label, settings.address):
            fields["held_back"] = _is_fit(choice.model_copy(update={"settings": settings})) is not True
    if options.daily_tokens is not None:
        fields["daily_tokens"] = None if options.daily_tokens < 0 else options.daily_tokens
    if options.source_tokens:
        given = {sources.named(name).id: tokens for name, tokens in options.source_tokens}
        fields["source_tokens"] = {id_: tokens for id_, tokens in {**choice.source_tokens, **given}.items() if tokens >= 0}
    plain = ("upgrades", "answers", "question_calls", "question_tokens", "question_seconds")
    fields |= {name: getattr(options, name) for name in plain if getattr(options, name) is not None}
    try:
        ModelChoice.model_validate(choice.model_dump() | {name: value for name, value in fields.items() if name != "settings"})
    except ValidationError as error:
        raise StoreError(wrong(error)) from error
    opened.model.change(**fields)
    options.json = False
    return _show(opened, sources, options)


def _settings(before: ModelSettings | None, provider: str | None, model: str | None, changed: Mapping[str, Any]) -> ModelSettings:
    """A key stays with the address it was given for."""
    if provider and not model:
        raise StoreError("Name the model too: python -m ingestion model set PROVIDER MODEL")
    if before is None and not provider:
        raise StoreError("No model is chosen yet: python -m ingestion model set PROVIDER MODEL")
    is_same = before is not None and (provider or before.provider) == before.provider
    fields: dict[str, Any] = {name: getattr(before, name) for name in ModelSettings.model_fields} if before and is_same else {}
    fields |= {"provider": provider or fields["provider"], "model": model or fields["model"], **changed}
    try:
        made = ModelSettings.model_validate(fields)
    except ValidationError as error:
        raise StoreError(wrong(error)) from error
    if before is not None and made.address != before.address and "api_key" not in changed:
        made = made.model_copy(update={"api_key": SecretStr("")})
    return made


def key_from(place: str) -> SecretStr:
    try:
        if place != "-":
            text = Path(place).expanduser().read_text(encoding="utf-8")
        else:
            text = getpass("Key: ") if sys.stdin.isatty() else sys.stdin.read()
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"The key could not be read from {place}: {error}.") from error
    if not text.strip():
        raise StoreError("The key is empty; nothing was changed.")
    return SecretStr(text.strip())


def _refuse_where_environment_says(opened: Workspace) -> None:
    if opened.model.is_from_environment:
        raise StoreError(f"{MODEL_VARIABLE} names the model. Unset it to choose one here.")


def _test(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    settings = _chosen(opened).settings
    if settings is None:
        raise StoreError("No model is chosen. Choose one: python -m ingestion model set PROVIDER MODEL")
    found = probe(settings)
    for is_wrong, line in report_lines(found):
        print(line, file=sys.stderr if is_wrong else sys.stdout)
    choice = _chosen(opened)
    is_fit = found.fits(choice.limits_of(settings))
    if found.trial is not None and found.can_be_used:
        is_released = choice.held_back and (is_fit or options.anyway)
        opened.model.change(last_trial=found.trial, **({"held_back": False} if is_released else {}))
        print(verdict_line(found.trial, choice.limits_of(settings)))
        if choice.held_back:
            print("Questions are answered with it from now on." if is_released else HELD_BACK_UNFIT)
    return 0 if is_fit or (options.anyway and found.can_be_used) else 1


def _off(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    _refuse_where_environment_says(opened)
    opened.model.change(settings=None)
    print("The model and its key are forgotten. What it has read stays.")
    return 0


def _pause(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    opened.model.change(paused=True)
    print("Upgrades are paused.")
    return 0


def _resume(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    opened.model.change(paused=False)
    print("Upgrades go on.")
    return 0
