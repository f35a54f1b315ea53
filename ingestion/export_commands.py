"""`python -m ingestion export qa FILE`: questions with their answers and cited passages, for whoever tunes a model of their own."""

from __future__ import annotations

import argparse
import json
import os
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from ingestion.sources import Sources
from ingestion.words import counted
from tree.store.asked import Exchange, exchanges, topic_of
from tree.store.models import Source
from tree.workspace import Workspace

TEST_SHARE = 0.2


def offer(commands: Any) -> None:
    exporting = commands.add_parser("export", help="write what was asked and answered to a file")
    kinds = exporting.add_subparsers(dest="what", required=True, metavar="what")
    command = kinds.add_parser("qa", help="questions, answers and cited passages as JSON lines, with train and test parts")
    command.add_argument("file")
    command.add_argument(
        "--test-share", type=_share, default=TEST_SHARE, metavar="SHARE", help="of the questions; 0.2 by default"
    )
    command.add_argument("--home", default=argparse.SUPPRESS, help="the data folder")
    command.set_defaults(run=_export)


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError("give a share from 0 to 1")
    return share


def _export(opened: Workspace, sources: Sources, options: argparse.Namespace) -> int:
    names: dict[str, Source] = {source.id: source for source in sources.all()}
    path, written = Path(options.file), 0
    try:
        # it holds what was read: for its owner alone, like the data folder
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            for one in exchanges(opened.database):
                if one.of <= names.keys():  # nothing is told from a source that was removed
                    file.write(json.dumps(as_line(one, options.test_share), ensure_ascii=False) + "\n")
                    written += 1
    except OSError as error:
        print(f"{path} cannot be written: {error.strerror or error}.", file=sys.stderr)
        return 1
    print(f"{counted(written, 'question')} written to {path}.")
    return 0


def as_line(one: Exchange, test_share: float) -> dict[str, Any]:
    """The same question is always in the same part, however it is put and whenever it was asked."""
    answer = one.answer
    hashed = int.from_bytes(sha256((topic_of(one.question) or one.question).encode()).digest()[:8]) / 2**64
    return {
        "question": one.question,
        "answer": answer["answer"],
        "verdict": answer["verdict"],
        "rating": {1: "helpful", 0: "not helpful"}.get(-1 if one.rating is None else one.rating),
        "reason": one.reason,
        "passages": [
            {"number": cited["number"], "title": cited["title"], "place": cited["place"], "text": passage["text"]}
            for cited in answer.get("citations", ())
            for passage in cited["passages"]
        ],
        "part": "test" if hashed < test_share else "train",
    }
