"""`python -m ingestion add … --group` and `python -m ingestion audience`: for whom a source is, from the command line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

from ingestion.sources import Sources
from tree.accounts.accounts import open_accounts
from tree.accounts.principal import OPERATOR
from tree.workspace import Workspace


def offer(commands: Any) -> None:
    command = commands.add_parser("audience", help="for whom a source is: everybody who is signed in, or groups alone")
    command.add_argument("name")
    whom = command.add_mutually_exclusive_group(required=True)
    offer_groups(whom, "for the people of this group (may be given more than once)")
    whom.add_argument("--everybody", action="store_true", help="for everybody who is signed in")
    command.add_argument("--home", default=argparse.SUPPRESS, help="the data folder")
    command.set_defaults(run=_set_audience)


def offer_groups(command: Any, words: str) -> None:
    command.add_argument("--group", action="append", default=[], metavar="GROUP", help=words)


def audience(opened: Workspace, groups: Sequence[str]) -> list[str] | None:
    """The ids of the groups of these names; None, which is everybody, where none is named. Raises AccountError for an unknown one."""
    return open_accounts(opened.database).people.groups_named(groups) if groups else None


def noting(opened: Workspace, action: str, source: str, groups: Sequence[str]) -> AbstractContextManager[None]:
    """What is done inside about for whom a source is, is in the audit log, or not done."""
    return open_accounts(opened.database).audit.noting(action, f"{source}: {', '.join(groups) or 'everybody'}", who=OPERATOR.name)


def _set_audience(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    source = sources.named(options.name)
    whom = audience(opened, options.group)
    with noting(opened, "source audience changed", source.name, options.group):
        sources.set_audience(source.id, whom)
    print(f"{source.name}: from the next question on for {', '.join(options.group) or 'everybody who is signed in'}.")
    return 0
