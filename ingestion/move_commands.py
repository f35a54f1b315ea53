"""`python -m ingestion move`: the database to PostgreSQL, and back to the file of the data folder."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ingestion.move import FILE, move, take_back
from ingestion.words import counted
from tree.workspace import DATABASE_VARIABLE


def offer(commands: Any) -> None:
    moving = commands.add_parser(
        "move", help="copy the database to PostgreSQL, or back to a file, and check every tree there; stop the app first"
    )
    where = moving.add_mutually_exclusive_group(required=True)
    where.add_argument("--to", metavar=f"URL|{FILE}", help=f"such as postgresql+psycopg://tree@host/tree; “{FILE}”: back")
    where.add_argument("--undo", action="store_true", help="use the database from which one was moved again, as it was then")
    moving.add_argument("--home", default=argparse.SUPPRESS, help="the data folder")
    moving.set_defaults(run_closed=_move)


def _move(home: Path, options: argparse.Namespace) -> int:
    if options.undo:
        print(f"{take_back(home)} is used again, as it was when it was moved. What was written elsewhere since is not in it.")
        return 0
    moved = move(home, options.to)
    trees = counted(moved.trees, "tree", "trees")
    print(f"{moved.rows:,} rows are at {moved.identity}; {trees} made anew there from the documents are the same.")
    if options.to == FILE:
        print(
            f"Start the app without {DATABASE_VARIABLE} from now on. What is on the server is left as it is, and is not opened any more."
        )
    else:
        print(
            f"Start the app with {DATABASE_VARIABLE} set to that URL from now on. The file is left as it is, and is not opened any more."
        )
    return 0
