"""`python -m ingestion aliases`: the list of what people say for a name, from the command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from ingestion.sources import Sources
from ingestion.words import counted
from tree.retrieve.alias_list import MOST_BYTES, AliasError
from tree.retrieve.aliases import aliases_file, load_aliases, remove_aliases, save_aliases
from tree.workspace import Workspace


def offer(commands: Any) -> None:
    command = commands.add_parser("aliases", help="what people say for a name: take a list (YAML or CSV), show it, or drop it")
    command.add_argument("file", nargs="?", help="“alias: name” on each line, or CSV with the columns alias and name")
    command.add_argument("--remove", action="store_true", help="use no aliases any more")
    command.add_argument("--home", default=argparse.SUPPRESS, help="the data folder")
    command.set_defaults(run=_aliases)


def _aliases(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    if options.remove:
        remove_aliases(opened.home)
        print("No aliases are used any more.")
        return 0
    return _take(opened, Path(options.file)) if options.file else _show(opened)


def _take(opened: Workspace, path: Path) -> int:
    try:
        with path.open("rb") as file:
            number = save_aliases(opened.home, path.name, file.read(MOST_BYTES + 1))
    except AliasError as error:
        print(f"{path.name}: {error} The list that was used before is still used.", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{path} cannot be read: {error.strerror or error}.", file=sys.stderr)
        return 1
    print(
        f"{counted(number, 'alias', 'aliases')} from {path.name} {'holds' if number == 1 else 'hold'} from the next question on."
    )
    return 0


def _show(opened: Workspace) -> int:
    aliases = load_aliases(opened.home)
    if aliases.problem:
        print(aliases.problem, file=sys.stderr)
        return 1
    if not aliases.known:
        print("There are no aliases. Give a list of them: python -m ingestion aliases FILE")
    else:
        print(f"{counted(len(aliases.known), 'alias', 'aliases')} in {aliases_file(opened.home)}:")
    for one in aliases.known:
        print(f"  {one.alias}: {one.name}")
    return 0
