"""`python -m ingestion move`: the database to PostgreSQL, and back to the file of the data folder."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ingestion.move import FILE, move
from ingestion.words import counted
from tree.workspace import DATABASE_VARIABLE


def offer(commands: Any) -> None:
    moving = commands.add_parser(
        "move", help="copy the database to PostgreSQL, or back to a file, and check every tree there; stop the app first"
    )
    moving.add_argument(
        "--to", required=True, metavar=f"URL|{FILE}", help=f"such as postgresql+psycopg://tree@host/tree; “{FILE}”: back"
    )
    moving.add_argument("--home", default=argparse.SUPPRESS, help="the data folder")
    moving.set_defaults(run_closed=_move)


def _move(home: Path, options: argparse.Namespace) -> int:
    moved = move(home, options.to)
    trees = counted(moved.trees, "tree", "trees")
    print(f"{moved.rows:,} rows are at {moved.identity}; {trees} made anew there from the documents are the same.")
    if options.to == FILE:
        print(f"Start the app without {DATABASE_VARIABLE} from now on. What is on the server is left as it is.")
    else:
        print(
            f"Start the app with {DATABASE_VARIABLE} set to that URL from now on. The file is left as it is, and is not opened any more."
        )
    return 0
