"""Text files by their paths, from a folder, an archive or a corpus, and a folder source made of them."""

from __future__ import annotations

import json
import re
import tarfile
from collections.abc import Mapping
from pathlib import Path

from bench.meaning import make_missing_vectors
from ingestion.sources import Sources
from ingestion.sync import sync
from tree.workspace import Workspace, open_workspace

TEXTS = frozenset("md rst txt yaml yml".split())  # formats of which every file with text in it is a document
Files = Mapping[str, str]  # path -> text


def files_of(path: Path) -> Files:
    """Those that are text, are not empty, and whose path has no hidden part."""
    if path.name == "corpus.jsonl":
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        found = {row["path"]: row["text"] for row in rows if row.get("path")}
    else:
        with tarfile.open(path) as archive:
            members = [one for one in archive.getmembers() if one.isfile() and one.name.rpartition(".")[2] in TEXTS]
            found = _without_root({one.name: _text(archive, one) for one in members})
    return {
        name: text
        for name, text in sorted(found.items())
        if text.strip() and name.rpartition(".")[2] in TEXTS and not any(part.startswith(".") for part in name.split("/"))
    }


def _without_root(files: dict[str, str]) -> dict[str, str]:
    """A folder that holds everything in an archive is what a person would point at."""
    roots = {name.partition("/")[0] if "/" in name else "" for name in files}
    return {name.partition("/")[2]: text for name, text in files.items()} if len(roots) == 1 and "" not in roots else files


def _text(archive: tarfile.TarFile, member: tarfile.TarInfo) -> str:
    file = archive.extractfile(member)
    return file.read().decode("utf-8", "replace") if file else ""


def open_files(name: str, files: Files, home: Path) -> Workspace:
    """The files in a folder beside `home`, read through the connector of folders."""
    folder = home.with_name(f"{home.name}.files") / name
    for path, text in ({} if folder.exists() else files).items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return open_folder(folder, home)


def open_folder(folder: Path, home: Path) -> Workspace:
    """A folder as it is, read through the connector of folders; as it was read before where `home` has it already."""
    workspace = open_workspace(home)
    sources = Sources(workspace.database)
    if not sources.all():
        sync(workspace, sources, sources.add("folder", folder.name, {"path": str(folder.resolve())}))
        make_missing_vectors(workspace)
    return workspace


def titles_of(path: str, text: str) -> tuple[str, ...]:
    """What a file may be called: its name, its stem, and its first title."""
    name = path.rpartition("/")[2]
    title = re.search(r"<title>([^<]+)", text[:5_000]) if name.endswith("html") else None
    title = title or re.search(r"^title:\s*[\"']?([^\n\"']+)", text[:500], re.MULTILINE)
    title = title or re.search(r"^#\s+([^\n]+)", text, re.MULTILINE)
    title = title or re.search(r"^([^\n]{3,})\n[=#*~^-]{3,}[ ]*$", text, re.MULTILINE)
    return (name, name.rpartition(".")[0], *([title[1].strip()] if title else []))
