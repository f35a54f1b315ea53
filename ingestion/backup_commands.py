"""`python -m ingestion backup` and `restore`. Neither opens the data folder: what is backed up stays of the release it is of."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from ingestion.backup import KEY, back_up, restore
from ingestion.words import counted
from tree.store.secrets import KEY_VARIABLE


def offer(commands: Any) -> None:
    backup = commands.add_parser("backup", help="write the data folder to one file; the app may run meanwhile")
    backup.add_argument("file", metavar="FILE", help="such as backup.tar.gz; must not exist yet")
    backup.add_argument("--with-key", action="store_true", help="also the key that saved passwords and tokens are encrypted with")
    restoring = commands.add_parser("restore", help="fill an empty data folder with what is in such a file")
    restoring.add_argument("file", metavar="FILE")
    for command, run in ((backup, _back_up), (restoring, _restore)):
        command.add_argument("--home", default=argparse.SUPPRESS, help="the data folder")
        command.set_defaults(run_closed=run)


def _back_up(home: Path, options: argparse.Namespace) -> int:
    done = back_up(home, Path(options.file), options.with_key)
    files = f" and {counted(done.files, 'uploaded file')}" if done.files else ""
    print(f"{options.file}: the database{files}, {max(1, done.size // 1000):,} kB.")
    if done.has_key:
        print("The key to saved passwords and tokens is in it: keep it as safe as those.", file=sys.stderr)
    elif options.with_key:
        print(f"There is no key in it: {_no_key()}", file=sys.stderr)
    elif (home / KEY).exists() or os.environ.get(KEY_VARIABLE):  # else nothing was encrypted yet
        print(f"Saved passwords and tokens can only be read with the key: keep a copy of {home / 'secret.key'} elsewhere, "
              f"or of {KEY_VARIABLE}.", file=sys.stderr)  # fmt: skip
    return 0


def _no_key() -> str:
    if os.environ.get(KEY_VARIABLE):
        return f"it is in {KEY_VARIABLE}; keep a copy of that elsewhere."
    return "no password or token was saved yet."


def _restore(home: Path, options: argparse.Namespace) -> int:
    done = restore(Path(options.file), home)
    print(f"{home} holds {counted(done.sources, 'source')} again. Every source is read anew when the app starts.")
    print("Everybody signs in anew. People and groups are those of the backup: look through them.")
    if done.tokens:
        print(f"{counted(done.tokens, 'API token')} ended: whoever needs one makes it anew on the page Account.")
    if done.sealed:
        print(f"The saved passwords and tokens of {', '.join(done.sealed)} cannot be read: put secret.key of the old folder into "
              f"{home}, set {KEY_VARIABLE}, or enter them again.", file=sys.stderr)  # fmt: skip
    return 0
