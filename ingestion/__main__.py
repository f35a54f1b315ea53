"""`python -m ingestion`: add sources, sync their trees, show their state, verify them."""

from __future__ import annotations

import gc

if __name__ == "__main__":
    gc.disable()  # until all is loaded (`tree.garbage.loaded`)

import argparse
import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from getpass import getpass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from connectors.base import ConfigurationError, ConnectorError
from ingestion import (
    alias_commands,
    audience_commands,
    backup_commands,
    export_commands,
    meaning_commands,
    model_commands,
    move_commands,
)
from ingestion.connection import open_connector
from ingestion.preview import preview
from ingestion.progress import SourceProgress, progress
from ingestion.source_status import describe_status
from ingestion.sources import Sources, counted_failures
from ingestion.sync import Synced, is_running, repair, sync, verify
from ingestion.tidying import remove
from ingestion.words import counted
from ingestion.worker import Worker
from prompts.engine.spec import EngineError
from prompts.language import visible
from tree.ask.snapshot.zones import as_iso
from tree.garbage import collect_seldom, loaded
from tree.store.database import StoreError
from tree.store.errors import SourceRemoved
from tree.store.forgetting import forget_before
from tree.store.models import Source
from tree.terminal import visible_output
from tree.workspace import OneLineParser, Workspace, home_folder, workspace

POLLING: dict[str, str | bool] = {"auto": "auto", "always": True, "never": False}
FOR_GROUP = "for the people of this group alone, from its first moment on (may be given more than once)"
TOKEN_VARIABLE = "KNOWLEDGE_TREE_JIRA_TOKEN"


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        if "run_closed" in options:
            with visible_output():
                return int(options.run_closed(home_folder(options.home), options))
        with workspace(options.home) as opened, visible_output():
            collect_seldom()
            return int(options.run(opened, Sources(opened.database), options))
    except (StoreError, ConnectorError, EngineError) as error:
        print(visible(str(error)), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # whoever was reading has seen enough
        sys.stdout = None
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(prog="python -m ingestion", description="Keep trees up to date with their sources.")
    parser.add_argument("--home", help="the data folder")
    commands = parser.add_subparsers(required=True, metavar="command")
    adding = commands.add_parser("add", help="add a source")
    kinds = adding.add_subparsers(dest="kind", required=True, metavar="kind")
    for kind, words in (("folder", "every readable file below a folder"), ("pdf", "a PDF file, or the PDFs below a folder")):
        of_kind = kinds.add_parser(kind, help=words)
        of_kind.add_argument("path")
        of_kind.add_argument("--name")
        of_kind.add_argument("--include", action="append", default=[], metavar="PATTERN", help="as in a .gitignore file")
        of_kind.add_argument("--exclude", action="append", default=[], metavar="PATTERN")
        of_kind.add_argument("--hidden", action="store_true", help="read hidden files too (names that begin with a dot)")
        of_kind.add_argument("--max-file-megabytes", type=float, metavar="MB", help="largest file to read; 100 by default")
        of_kind.add_argument(
            "--polling", choices=tuple(POLLING), help="look the folder through instead of waiting for events; default: auto"
        )
        of_kind.add_argument("--ocr", action="store_true", help="recognise the text of scanned pages, with tesseract")
        of_kind.add_argument("--ocr-language", metavar="CODE", help="as tesseract names it: eng, deu+fra")
        of_kind.add_argument(
            "--published-at",
            metavar="URL",
            help="where the files can be opened in a browser; {path} or {page} stands for a file's",
        )
        of_kind.add_argument("--password", action="append", default=[], help="tried on encrypted PDFs")
        audience_commands.offer_groups(of_kind, FOR_GROUP)
        of_kind.add_argument("--home", default=argparse.SUPPRESS)
        of_kind.set_defaults(run=_add_path)
    _offer_jira(kinds)
    commands_of = {
        "sync": (_sync, "sync one source, or all, now"),
        "status": (_status, "show the state of every source"),
        "preview": (_preview, "show what a full rescan would remove, without removing it"),
        "verify": (_verify, "rebuild each tree from its documents and compare"),
        "approve": (_approve, "confirm the deletion of all documents that went missing at once from a source"),
        "remove": (_remove, "remove a source with everything that was read from it"),
        "forget": (
            _forget,
            "delete versions older than a number of days; 0 leaves no trace of what was deleted but answers in chats",
        ),
    }
    for name, (run, words) in commands_of.items():
        command = commands.add_parser(name, help=words)
        if name == "forget":
            command.add_argument("days", type=_days)
        else:
            command.add_argument("name", nargs="?" if name not in ("approve", "remove", "preview") else None)
        command.add_argument("--home", default=argparse.SUPPRESS, help="the data folder")
        if name in ("status", "verify"):
            command.add_argument("--json", action="store_true")
        if name == "verify":
            command.add_argument("--repair", action="store_true", help="make again what differs")
        if name == "sync":
            command.add_argument("--watch", action="store_true", help="go on following changes until stopped")
        command.set_defaults(run=run)
    model_commands.offer(commands)
    meaning_commands.offer(commands)
    alias_commands.offer(commands)
    audience_commands.offer(commands)
    export_commands.offer(commands)
    backup_commands.offer(commands)
    move_commands.offer(commands)
    return parser


def _offer_jira(kinds: Any) -> None:
    jira = kinds.add_parser(
        "jira", help="tickets of a Jira site",
        description=f"The token is taken from {TOKEN_VARIABLE}, else asked for; it is never an argument, which others could see.",
    )  # fmt: skip
    jira.add_argument("url", help="as in the browser: https://team.atlassian.net")
    jira.add_argument("--project", action="append", default=[], metavar="KEY", help="may be given several times")
    jira.add_argument("--jql", default="", help="which tickets, instead of or within the projects")
    jira.add_argument("--email", default="", help="of the account that the API token belongs to (Jira Cloud)")
    jira.add_argument("--auth", choices=("token", "pat", "scoped"), help="default: token with --email, else pat")
    jira.add_argument("--internal-comments", action="store_true", help="read internal comments as well")
    jira.add_argument("--restricted", action="store_true", help="read tickets with a security level as well")
    jira.add_argument("--no-attachments", action="store_true")
    jira.add_argument("--max-file-megabytes", type=float, metavar="MB", help="largest attachment to read; 10 by default")
    jira.add_argument("--poll", type=float, metavar="SECONDS", help="how often to ask for changes; 30 by default")
    jira.add_argument("--rescan", type=float, metavar="SECONDS", help="how often to look at everything; 900 by default")
    jira.add_argument("--overlap", type=float, metavar="MINUTES", help="how long Jira's search may be behind; 10 by default")
    jira.add_argument("--gateway", help="where scoped tokens are taken, if not at Atlassian's own gateway")
    jira.add_argument("--name")
    audience_commands.offer_groups(jira, FOR_GROUP)
    jira.add_argument("--home", default=argparse.SUPPRESS)
    jira.set_defaults(run=_add_jira)


def _days(text: str) -> float:
    days = float(text)
    if not 0 <= days < 100_000:
        raise argparse.ArgumentTypeError("give a number of days, 0 or more")
    return days


def _add_path(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    if not options.path.strip():
        raise ConfigurationError("Give the path of a folder or a file, such as ~/documents; a dot is the folder you are in.")
    try:
        path = Path(options.path).expanduser().resolve()
    except (OSError, RuntimeError) as error:
        raise ConfigurationError(f"The path “{options.path}” cannot be followed ({error}). Write it out in full.") from error
    config: dict[str, Any] = {"path": str(path)}
    named = ("include", "exclude", "hidden", "max_file_megabytes", "ocr", "ocr_language", "published_at")
    config |= {name: value for name in named if (value := getattr(options, name)) not in (None, False, [])}
    config |= {"polling": POLLING[options.polling]} if options.polling else {}
    secrets = {"passwords": "\n".join(options.password)} if options.password else {}
    return _add(opened, sources, options.kind, options.name or path.name or str(path), config, secrets, options.group)


def _add_jira(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    token = os.environ.get(TOKEN_VARIABLE) or _asked_for(f"Token for {options.url}: ")
    config: dict[str, Any] = {
        "url": options.url,
        "auth": options.auth or ("token" if options.email else "pat"),
        "email": options.email,
        "projects": options.project,
        "jql": options.jql,
        "internal_comments": options.internal_comments,
        "restricted": options.restricted,
        "attachments": not options.no_attachments,
    }
    more = {
        "poll_seconds": options.poll,
        "rescan_seconds": options.rescan,
        "overlap_minutes": options.overlap,
        "attachment_megabytes": options.max_file_megabytes,
        "gateway": options.gateway,
    }
    config |= {name: value for name, value in more.items() if value is not None}
    host = urlsplit(options.url if "://" in options.url else f"https://{options.url}").hostname or "Jira"
    name = options.name or f"{host} {' '.join(options.project)}".strip()
    return _add(opened, sources, "jira", name, config, {"token": token}, options.group)


def _asked_for(prompt: str) -> str:
    """A secret typed without being shown. Raises ConfigurationError where nobody can type."""
    try:
        if sys.stdin is None or sys.stdin.closed:
            raise EOFError
        return getpass(prompt)
    except (EOFError, OSError) as error:
        raise ConfigurationError(f"There is nobody to ask for the token. Set it in {TOKEN_VARIABLE}.") from error


def _add(
    opened: Workspace,
    sources: Sources,
    kind: str,
    name: str,
    config: Mapping[str, Any],
    secrets: Mapping[str, Any],
    groups: Sequence[str],
) -> int:
    audience = audience_commands.audience(opened, groups)
    with closing(open_connector(opened.home, kind, config, secrets, is_new=True)) as connector:
        check = connector.check()
    with audience_commands.noting(opened, "source added", " ".join(name.split()), groups):
        source = sources.add(kind, name, config, secrets, audience)
    print(f"Added “{source.name}”. {check.whole}")
    if check.warning:
        print(f"{check.warning} To take it out again: python -m ingestion remove {source.name!r}", file=sys.stderr)
    return 0


def _chosen(sources: Sources, name: str | None) -> list[Source]:
    return [sources.named(name)] if name else sources.all()


def _sync(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    failed = False
    for source in _chosen(sources, options.name):
        try:
            done = sync(opened, sources, source)
        except ConnectorError as error:
            failed = True
            print(f"{source.name}: {error}", file=sys.stderr)
            continue
        print(_told(source, done))
    if options.watch:
        Worker(opened, sources, only=options.name, synced=_tell_change).run()
    elif opened.meaning.model.described().settings is None:
        from ingestion.embedder import Embedder  # it brings numpy, which most commands can do without

        Embedder(opened).run_out()  # of words, which costs nothing; those of a model are made when that is asked for
    return 1 if failed else 0


def _told(source: Source, done: Synced) -> str:
    parts = [f"{counted(done.put, 'document')} read", f"{done.removed} removed"]
    if done.failed:
        parts.append(f"{done.failed} could not be read")
    if done.awaiting_approval:
        parts.append(
            f"{done.awaiting_approval} went missing at once; to confirm the deletion, run: python -m ingestion approve {source.name!r}"
        )
    return f"{source.name}: {', '.join(parts)}."


def _tell_change(source: Source, done: Synced) -> None:
    if done.put or done.removed or done.failed or done.awaiting_approval:
        print(_told(source, done), flush=True)


def _approve(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    source = sources.named(options.name)
    print(f"{source.name}: {counted(sources.approve(source.id), 'document')} confirmed as deleted.")
    return 0


def _preview(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    source = sources.named(options.name)
    missing = preview(opened, sources, source)
    for document in missing:
        print(f"{document.title} ({'not ours to see any more' if document.presence == 'hidden' else 'gone'})")
    print(f"A full rescan of “{source.name}” would remove {len(missing)} of {opened.store.documents.count(source.id)} documents.")
    return 0


def _remove(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    source = sources.named(options.name)
    sources.mark_removing(source.id)
    remove(opened, sources, source.id)
    print(f"Removed “{source.name}” and everything that was read from it.")
    return 0


def _forget(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    moment = time.time() - options.days * 86_400 if options.days else None
    gone = forget_before(opened.database, moment)
    sources.forget_tombstones(moment)
    is_wiped = [opened.database.wipe(), opened.index.wipe()]
    print(f"{gone} rows of old versions are deleted. Answers in chats keep what they quote until their chat is deleted.")
    if not all(is_wiped):
        print("Another program is still reading what was deleted: run this again once it has ended.", file=sys.stderr)
        return 1
    return 0


def _verify(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    chosen = _chosen(sources, options.name)
    if options.repair:
        for source in chosen:
            print(f"{source.name}: {repair(opened, sources, source)} nodes made again", file=sys.stderr)
    results = []
    for source in chosen:
        try:
            results.append(verify(opened, source))
        except SourceRemoved as removed:
            print(removed, file=sys.stderr)
    if options.json:
        print(json.dumps([{"source": r.source, "equal": r.is_equal, "live": r.live_hash, "rebuilt": r.rebuilt_hash,
                           "nodes": r.nodes, "differing": list(r.differing)} for r in results], indent=2))  # fmt: skip
    else:
        for r in results:
            words = (
                f"equal, {r.nodes} nodes, root {r.live_hash[:12]}"
                if r.is_equal
                else f"{len(r.differing)} nodes differ: {r.differing[:5]}"
            )
            print(f"{r.source}: {words}")
    for result in results:
        if not result.is_equal:
            print(
                f"{result.source}: the tree is not what its documents make. Run: python -m ingestion verify --repair {result.source!r}",
                file=sys.stderr,
            )
    return 0 if all(result.is_equal for result in results) else 1


def _is_alive(opened: Workspace, sources: Sources, source: Source) -> bool:
    """Whether some process does what the state of a source says: a sync, or one of another source that it waits for."""
    if source.state == "waiting":
        return any(is_running(opened, other.id) for other in sources.all())
    return source.state != "syncing" or is_running(opened, source.id)


def status_of(opened: Workspace, sources: Sources, source: Source, upgrades: SourceProgress | None = None) -> dict[str, Any]:
    """The state of a source, as `status --json` prints it; without `upgrades` no model reads it."""
    store, now = opened.store, time.time()
    awaiting_approval = len(sources.awaiting_approval(source.id))
    is_alive = _is_alive(opened, sources, source)
    failures = sources.failures(source.id)
    root = store.nodes.get(f"{source.id}/")
    return {
        "id": source.id,
        "name": source.name,
        "kind": source.kind,
        "state": "paused" if source.paused else source.state if is_alive else "stopped",
        "message": source.message,
        "words": describe_status(
            source,
            now,
            awaiting_approval=awaiting_approval,
            stale=len(sources.stale(source.id)),
            unreadable=len(failures),
            is_running=is_alive,
        ).in_one_line,
        "documents": store.documents.count(source.id),
        "leaves": root.leaves if root else 0,
        "nodes": store.nodes.count(source.id),
        "depth": root.height if root else 0,
        "version": source.published,
        "root_hash": root.hash if root else "",
        "last_sync": as_iso(source.synced_at),
        "last_change": as_iso(source.changed_at),
        "lag_seconds": round(max(0.0, now - source.synced_at), 1) if source.synced_at else None,
        "pending_upgrades": upgrades.pending if upgrades else 0,
        "upgraded": upgrades.upgraded if upgrades else 0,
        "given_up": [asdict(given_up) for given_up in upgrades.given_up] if upgrades else [],
        "awaiting_approval": awaiting_approval,
        "failures": counted_failures(failures),
        "unreadable": [
            {
                "id": f.document_id,
                "title": f.title,
                "kind": f.kind,
                "reason": f.reason,
                "tries": f.tries,
                "since": as_iso(f.since),
                "last_read": as_iso(f.read_at),
            }
            for f in failures
        ],  # fmt: skip
        "partly_unreadable": store.documents.with_problems(source.id),
    }


def _status(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    upgrades = progress(opened)
    of_source = {one.source_id: one for one in upgrades.sources}
    states = [status_of(opened, sources, source, of_source.get(source.id)) for source in _chosen(sources, options.name)]
    if options.json:
        print(json.dumps({"sources": states, "model": model_commands.state_of(opened)}, ensure_ascii=False, indent=2))
        return 0
    model = model_commands.state_of(opened)
    if model["is_fit"] is False:
        print(
            f"The language model {model['label']} is unfit for answers. Choose another: python -m ingestion model set PROVIDER MODEL"
        )
    if not states:
        print("No source yet. Add one: python -m ingestion add folder PATH")
    for s in states:
        print(f"{s['name']} ({s['kind']}): {s['words']}")
        print(
            f"  {counted(s['documents'], 'document')}, {counted(s['leaves'], 'leaf', 'leaves')}, {counted(s['nodes'], 'node')}, depth {s['depth']}"
        )
        if s["awaiting_approval"]:
            print(f"  To confirm the deletion: python -m ingestion approve {s['name']!r}")
        if s["upgraded"] or s["pending_upgrades"]:
            print(
                f"  summaries written by the model: {s['upgraded']}, pending: {s['pending_upgrades']}. {upgrades.sentence}".rstrip()
            )
        for given_up in s["given_up"]:
            print(f"  summary failed, tried again after a day: {given_up['title']}: {given_up['reason']}")
        for unreadable in s["unreadable"]:
            stale = f" The text of {unreadable['last_read']} is kept." if unreadable["last_read"] else ""
            print(f"  not read: {unreadable['title']}: {unreadable['reason']}{stale}")
        for partly in s["partly_unreadable"]:
            print(f"  read in part: {partly['title']}: {' '.join(problem['reason'] for problem in partly['problems'])}")
    return 0


if __name__ == "__main__":
    loaded()
    sys.exit(main())
