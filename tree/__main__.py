"""`python -m tree`: asking the tree and looking at it from the command line, and the accounts of those who do so in a browser."""

from __future__ import annotations

import gc

if __name__ == "__main__":
    gc.disable()  # until all is loaded (`tree.garbage.loaded`)

import argparse
import json
import re
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from datetime import time as day_time
from typing import Any

from prompts.engine.spec import EngineError
from prompts.language import visible
from tree.accounts.principal import OPERATOR
from tree.ask.ask import Answer, AskError, Restart, TextPiece, ask
from tree.ask.snapshot.answer import VERDICT_WORDS
from tree.ask.snapshot.budget import Budget
from tree.ask.snapshot.trail import Step
from tree.garbage import collect_seldom, loaded, loading
from tree.model_commands import model_commands
from tree.people_commands import people_commands
from tree.remote import TOKEN_VARIABLE, ask_server
from tree.store.database import StoreError
from tree.store.nodes import Node
from tree.terminal import visible_output
from tree.workspace import OneLineParser, Workspace, workspace


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        if getattr(options, "server", None):
            with visible_output():
                return _ask_server(options)
        with workspace(options.home) as opened, visible_output():
            status: int = options.run(opened, options)
            return status
    except (StoreError, AskError, EngineError) as error:
        print(visible(str(error)), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    except BrokenPipeError:  # whoever was reading has seen enough
        sys.stdout = None
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(prog="python -m tree", description="Ask the tree, look at it, manage accounts.")
    parser.add_argument("--home", help="the data folder")
    commands = parser.add_subparsers(required=True, metavar="command")
    asking = commands.add_parser("ask", help="answer a question")
    asking.add_argument("question")
    asking.add_argument("--source", action="append", help="ask only this source (may be given more than once)")
    asking.add_argument(
        "--as-of",
        type=_moment,
        metavar="DATE",
        help="answer from what was known then, e.g. 2026-03-01: at the end of that day, in UTC",
    )
    asking.add_argument(
        "--leaves", type=int, default=Budget().leaves, help="how many passages a walk may read (default: %(default)s)"
    )
    asking.add_argument(
        "--branches", type=int, default=Budget().branches, help="... from how many branches (default: %(default)s)"
    )
    asking.add_argument("--no-model", dest="model", action="store_false", help="ask no language model, whichever is set up")
    asking.add_argument("--server", metavar="URL", help=f"ask the app at this address, with the token in {TOKEN_VARIABLE}")
    asking.add_argument("--json", action="store_true")
    asking.set_defaults(run=_ask)
    showing = commands.add_parser("show", help="show a node with its record and its children")
    showing.add_argument("node", nargs="?", help="a place, as shown in a trail; without it the root")
    showing.add_argument("--source", help="the root of this source's tree")
    showing.add_argument("--json", action="store_true")
    showing.set_defaults(run=_show)
    serving = commands.add_parser("serve", help="an MCP server on standard input and output, for assistants")
    serving.add_argument("--token", default="", help="act as the owner of this API token; KNOWLEDGE_TREE_TOKEN does the same")
    serving.set_defaults(run=_serve)
    people = commands.add_parser("people", help="who has an account: the first admin, invitations, new passwords")
    model = commands.add_parser("model", help="a language model that runs on this machine, without a server of its own")
    for command in (asking, showing, serving, *people_commands(people), *model_commands(model)):
        command.add_argument("--home", default=argparse.SUPPRESS, help="the data folder")
    return parser


def _moment(text: str) -> float:
    """A day counts to its end; a moment with a time as it is. Times without a zone are UTC."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date; write it like 2026-03-01 or 2026-03-01T14:30") from error
    if len(text) == 10:
        moment = datetime.combine(moment.date(), day_time.max)
    return min(time.time(), (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())


def _source_id(opened: Workspace, name: str) -> str:
    sources = opened.store.sources.askable()
    for source in sources:
        if name.casefold() in (source.name.casefold(), source.id):
            return source.id
    known = ", ".join(f"“{source.name}”" for source in sources) or "none yet"
    raise StoreError(f"There is no source called “{name}”. There is: {known}.")


def _serve(opened: Workspace, options: argparse.Namespace) -> int:
    with loading():
        from tree.serve.stdio import serve  # takes a second to import

    collect_seldom()
    return serve(opened, options)


# ---------------------------------------------------------------- ask


def _ask(opened: Workspace, options: argparse.Namespace) -> int:
    sources = [_source_id(opened, name) for name in options.source] if options.source else None
    answer, told = None, ""  # the text as far as it was printed
    budget = Budget(branches=max(1, options.branches), leaves=max(1, options.leaves))
    reader = None if options.model else opened.reader
    for event in ask(
        opened, options.question, sources=sources, as_of=options.as_of, budget=budget, reader=reader, principal=OPERATOR
    ):
        if isinstance(event, Answer):
            answer = event
        elif not options.json:
            if isinstance(event, TextPiece):
                told += event.text
            elif told and not told.endswith("\n"):  # another of several questions
                print()
                told += "\n"
            _tell(event)
    assert answer is not None
    if options.json:
        print(json.dumps(answer.as_json(), ensure_ascii=False, indent=2))
        return 0
    print("" if told else _plain(answer.text))
    _print_sources(answer.as_json())
    return 0


def _ask_server(options: argparse.Namespace) -> int:
    day = datetime.fromtimestamp(options.as_of, UTC).date().isoformat() if options.as_of is not None else None
    answer = ask_server(options.server, options.question, options.source, day)
    if options.json:
        print(json.dumps(answer, ensure_ascii=False, indent=2))
        return 0
    print(_plain(answer["answer"]))
    _print_sources(answer)
    return 0


READ = {"complete": "looks like the answer", "partial": "may help", "none": "no answer"}


def _tell(event: Step | TextPiece | Restart) -> None:
    if isinstance(event, Restart):
        print(f"\n{event.why}", file=sys.stderr)
        return
    if isinstance(event, TextPiece):
        print(_plain(event.text), end="", flush=True)
        return
    titles = {option.place: option.title for option in event.options}
    chosen = ", ".join(titles[place] for place in event.chosen[:3])
    words = {
        "choose": f"chose {chosen}" if chosen else "nothing to choose",
        "read": f"read ({event.standing if event.standing == 'premise is wrong' else READ[event.verdict or 'none']})",
        "back": "went back",
        "link": "followed a link",
        "named": "named in the question",
        "overview": "answered from its record",
        "register": "went through all of them",
        "chat": "the question before it",
        "names": "known by name",
        "follow_up": "looked for what is missing",
        "meaning": "by words alone",
    }[event.kind]
    print(f"· {' › '.join(event.path) or event.title}: {words}. {event.reason_in_full}", file=sys.stderr)


def _plain(markdown: str) -> str:
    """Markdown as a terminal shows it best: without the backslashes that keep quoted text from being markup."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown)


def _print_sources(answer: Mapping[str, Any]) -> None:
    """What belongs to an answer besides its text."""
    words = VERDICT_WORDS[answer["verdict"]]
    is_said = any(one["says"] == answer["verdict"] and not one["start"] for one in answer["asides"])
    said = "" if is_said or answer["is_help"] else f"{words}. "
    unreachable = ", ".join(one["name"] for one in answer["unreachable"] if not one["is_noted"])
    besides = f" Could not reach {unreachable}." if unreachable else ""
    print(f"\n{said}As of {answer['as_of'] or 'unknown'}, version {sum(answer['versions'].values())}.{besides}")
    for citation in answer["citations"]:
        place = " › ".join((citation["source"], *citation["path"], citation["title"]))
        where = f" ({citation['locator']})" if citation["locator"] else ""
        print(f"[{citation['number']}] {place}{where}\n    {citation['place']}")
    if answer["did_you_mean"]:
        others = " or ".join(f"“{one['question']}”" for one in answer["did_you_mean"])
        print(f"Did you mean {others}?")
    for closest in answer["closest"]:
        print(f"Closest: {closest['path']}\n    {closest['place']}")
    for note in answer["notes"]:
        print(f"Note: {note}")
    if answer["usage"]["model"]:
        print(_taken(answer["usage"]))


def _taken(usage: Mapping[str, Any]) -> str:
    """What the model took, in one line."""
    calls = "1 call" if usage["model_calls"] == 1 else f"{usage['model_calls']} calls"
    tokens = (
        f"{usage['input_tokens']:,} tokens read ({usage['cached_tokens']:,} of them cached), {usage['output_tokens']:,} written"
    )
    without = sum(usage["without_model"].values())
    cost = "" if usage["cost"] is None else f", cost {usage['cost']:.4f}"
    counted = f", {without} decisions without it" if without else ""
    return f"Model: {usage['model']}, {calls}, {tokens}{cost}, {usage['seconds']:.1f} s{counted}."


# ---------------------------------------------------------------- show


def _show(opened: Workspace, options: argparse.Namespace) -> int:
    shown = _over_all(opened) if not (options.node or options.source) else _node(opened, options)
    if options.json:
        print(json.dumps(shown, ensure_ascii=False, indent=2))
        return 0
    print(" › ".join(step["title"] for step in shown["path"]))
    print(f"{shown['kind']} {shown['place']}  {shown['hash'][:12]}  {shown['leaves']} leaves")
    for name, value in shown.get("properties", {}).items():
        print(f"{name}: {value}")
    for name, value in shown["record"].items():
        if value and name != "quotes":
            texts = value if isinstance(value, str) else "; ".join(v if isinstance(v, str) else v["text"] for v in value)
            print(f"{name.replace('_', ' ')}: {texts}")
    for child in shown["children"]:
        print(f"  {child['kind']:8} {child['title']}\n           {child['place']}")
    return 0


def _over_all(opened: Workspace) -> dict[str, Any]:
    """The root over all sources: put together now, kept nowhere."""
    roots = opened.store.nodes.roots()
    tops = [roots[source.id] for source in opened.store.sources.askable() if source.id in roots]
    return {
        "place": "",
        "hash": "",
        "kind": "root",
        "title": "All sources",
        "leaves": sum(top.leaves for top in tops),
        "version": opened.store.versions.total([source.id for source in opened.store.sources.askable()]),
        "record": {},
        "path": [],
        "children": [_brief(top) for top in tops],
    }


def _node(opened: Workspace, options: argparse.Namespace) -> dict[str, Any]:
    store = opened.store
    place = options.node or f"{_source_id(opened, options.source)}/"
    node = store.nodes.get(place)
    if node is None and options.source and not options.node:
        raise StoreError(f"“{options.source}” has no readable documents yet. Look at: python -m ingestion status")
    if node is None or node.source_id not in {source.id for source in store.sources.askable()}:
        raise StoreError(f"There is no node {place!r}. Places are shown by: python -m tree show")
    record = store.records.by_hash([node.record])[node.record]
    shown = {
        **_brief(node),
        "leaves": node.leaves,
        "version": store.versions.total([source.id for source in store.sources.askable()]),
        "record": record.model_dump(mode="json"),
        "path": [_brief(step) for step in store.nodes.path(place)],
        "children": [_brief(child) for child in store.nodes.children(place)],
    }
    if node.leaf is not None:
        leaf = store.leaves.by_key([node.leaf])[node.leaf]
        shown["properties"] = dict(leaf.properties)
        shown["text"] = leaf.text
        shown["units"] = [unit.model_dump(mode="json") for unit in leaf.units]
    return shown


def _brief(node: Node) -> dict[str, str]:
    return {"place": node.place, "hash": node.hash, "kind": node.kind, "title": node.title}


if __name__ == "__main__":
    loaded()
    sys.exit(main())
