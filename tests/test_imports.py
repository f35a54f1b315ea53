"""Imports go only as the design says: connectors and prompts know nothing of ours, only ui draws, one way down."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OURS = {"connectors", "jira_simulator", "prompts", "tree", "ingestion", "ui", "bench"}
MAY_IMPORT = {
    "connectors": set(),
    "jira_simulator": set(),
    "prompts": set(),
    "tree": {"prompts"},
    "ingestion": {"connectors", "prompts", "tree"},
    "ui": {"connectors", "prompts", "tree", "ingestion"},
    "bench": {"connectors", "jira_simulator", "prompts", "tree", "ingestion"},
}
ONLY_FILES = {"ui/demo.py": {"jira_simulator"}, "bench/slow_app.py": {"ui"}}  # what a single file may import besides


def _files(packages: Collection[str]) -> Iterator[tuple[str, set[str]]]:
    """Each file of ours in these packages with what it imports."""
    for path in (path for package in sorted(packages) for path in (ROOT / package).rglob("*.py")):
        yield path.relative_to(ROOT).as_posix(), _imports(path)


@cache
def _nodes(path: Path) -> tuple[ast.AST, ...]:
    """What these tests look at of a file, which is read once for all of them."""
    kinds = ast.Import | ast.ImportFrom | ast.Call | ast.Constant
    return tuple(node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, kinds))


@cache
def _imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in _nodes(path):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.add(node.module.partition(".")[0])
    return found


@pytest.mark.parametrize("package", sorted(MAY_IMPORT))
def test_a_package_imports_only_what_it_may(package) -> None:
    files = list(_files([package]))
    assert files
    for place, imports in files:
        wrong = (imports & OURS) - MAY_IMPORT[package] - {package} - ONLY_FILES.get(place, set())
        assert not wrong, f"{place} imports {wrong}"


LAYERS = {  # inside a package: what a folder may import of the others; the files beside them may import all
    "tree": {
        "store": set(),
        "build": {"store"},
        "retrieve": {"store"},
        "accounts": {"store"},
        "workspace": {"store", "retrieve"},
        "ask": {"store", "retrieve", "workspace", "accounts"},
        "browse": {"store", "retrieve", "workspace", "accounts", "ask"},
        "serve": {"store", "workspace", "accounts", "ask", "browse"},
    },
    "tree/ask": {
        "snapshot": set(),
        "facts": {"snapshot"},
        "understanding": {"snapshot", "facts"},
        "direct": {"snapshot", "facts", "understanding"},
        "walk": {"snapshot", "facts", "understanding", "direct"},
    },
    "ingestion": {"chunking": set()},
    "prompts": {"engine": set()},
    "ui": {
        "server": set(),
        "shared": {"server"},
        "chat": {"server", "shared"},
        "explorer": {"server", "shared"},
        "activity": {"server", "shared"},
        "following": {"server", "shared"},
        "api": {"server"},
        "sources": {"server", "shared"},
        "settings": {"server", "shared"},
        "account": {"server", "shared"},
        "help": {"server", "shared"},
        "admin": {"server", "shared"},
        "sign_in": {"server", "shared"},
    },
}


@pytest.mark.parametrize(("package", "folder"), [(package, folder) for package in LAYERS for folder in LAYERS[package]])
def test_inside_a_package_imports_go_down(package: str, folder: str) -> None:
    """In `ui` the server (the opened data folder, the answers in the background, the routes) knows of no page; `shared` is
    what several pages draw with; a page knows both and no other page: ui/shared/pages.py names them as "module:function".
    """
    inside = [
        path for path in (ROOT / package).rglob("*.py") if path.relative_to(ROOT / package).parts[0].split(".")[0] == folder
    ]
    assert inside
    for path in inside:
        above = package.replace("/", ".") + "."
        parts = {name.removeprefix(above).split(".")[0] for name in _modules(path) if name.startswith(above)}
        wrong = parts - LAYERS[package][folder] - {folder}
        assert not wrong, f"{path.relative_to(ROOT)} imports {wrong} of {package}"


NAMED_IN = {"ui/shared/pages.py"}  # the table of pages: each is imported when it is drawn


def test_a_string_names_only_modules_beside_it() -> None:
    """Such as "module:function", by which an import upwards would be hidden from these tests."""
    name = re.compile(rf"((?:{'|'.join(OURS)})(?:\.\w+)+):\w+")
    for path in (path for package in OURS for path in (ROOT / package).rglob("*.py")):
        place = path.relative_to(ROOT)
        strings = {node.value for node in _nodes(path) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
        named = {found[1] for one in strings if (found := name.fullmatch(one))}
        wrong = {module for module in named if _layer(module.split(".")) != _layer(place.parts)}
        assert not wrong or place.as_posix() in NAMED_IN, f"{place} names {wrong}"


def _layer(parts: Sequence[str]) -> Sequence[str]:
    return list(parts[:2] if parts[0] in LAYERS else parts[:1])


@pytest.mark.parametrize("package", ["connectors", "jira_simulator", "prompts", "tree", "ingestion", "ui", "bench"])
def test_no_module_imports_itself_by_way_of_others(package: str) -> None:
    paths = {_dotted(path): path for path in (ROOT / package).rglob("*.py")}
    imports = {name: _imported_modules(path, paths) - {name} for name, path in paths.items()}
    while leaves := {name for name, found in imports.items() if not found & imports.keys()}:
        imports = {name: found for name, found in imports.items() if name not in leaves}
    assert not imports, f"a circle among {sorted(imports)}"


def _imported_modules(path: Path, known: Collection[str]) -> set[str]:
    """Of the modules known, those a file imports; `from package import module` is an import of the module alone."""
    found: set[str] = set()
    for node in _nodes(path):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in known else node.module for name in names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found & set(known)


def _dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def _modules(path: Path) -> set[str]:
    """The dotted names that a file imports, both as a module and as a name in one."""
    found: set[str] = set()
    for node in _nodes(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def test_only_the_screens_import_streamlit() -> None:
    for place, imports in _files(OURS - {"ui", "bench"}):
        assert "streamlit" not in imports, place


TABLES = {  # beside tree/store, which owns the others: the tables of the database for which files or folders have statements
    "tree/accounts/": {"Person", "Group", "Membership", "SignInSession", "ApiToken", "OneTimeLink", "AuditEntry", "Follow", "Digest"},
    "ingestion/sources.py": {"Source", "CheckpointRow", "FailureRow", "Tombstone", "HintRow"},
}  # fmt: skip
OF_FILES = {  # what keeps a file of its own
    *(f"tree/retrieve/{name}.py" for name in ("index", "index_entries", "index_file", "derived_file", "fact_index", "item_index", "name_counts", "word_index", "vectors")),
}  # fmt: skip


def test_only_files_that_own_tables_write_sql() -> None:
    """A connection may be handed through by others: what must be true together is written by several owners in one transaction."""
    for place, imports in _files(OURS - {"bench"}):
        if not place.startswith("tree/store/"):
            owner = next((owner for owner in TABLES if place.startswith(owner)), None)
            names = {name for name in _modules(ROOT / place) if name.partition(".")[0] in ("sqlalchemy", "sqlmodel")}
            assert owner or names <= {"sqlalchemy.engine", "sqlalchemy.engine.Connection"}, f"{place} imports {names}"
            assert place in OF_FILES or "sqlite3" not in imports, place
            wrong = _tables(ROOT / place) - TABLES.get(owner or "", set())
            assert not wrong, f"{place} has statements for {wrong}"


def test_tables_are_owned_by_one_folder_or_file() -> None:
    used = {owner: set[str]() for owner in TABLES}
    for place, _ in _files(["tree", "ingestion"]):
        if owner := next((owner for owner in TABLES if place.startswith(owner)), None):
            used[owner] |= _tables(ROOT / place)
    assert used == TABLES


def _tables(path: Path) -> set[str]:
    """The models whose tables a file makes statements of."""
    if "tree.store.models.table_of" not in _modules(path):
        return set()
    calls = (node for node in _nodes(path) if isinstance(node, ast.Call))
    return {ast.unparse(call.args[0]) for call in calls if isinstance(call.func, ast.Name) and call.func.id == "table_of"}


OTHER_REQUESTS = (  # with an HTTP library alone: for a list of models, for vectors, for a model's file, and for who signs in
    "prompts/engine/download.py", "prompts/model/probe.py", "prompts/model/discovery.py", "prompts/model/embedding.py", "ui/sign_in/oidc.py", "tree/remote.py",
)  # fmt: skip
PROVIDERS = {"pydantic_ai", "openai", "anthropic", "google", "litellm", "genai_prices"}


def test_only_one_file_imports_a_providers_library() -> None:
    for place, imports in _files(OURS):
        wrong = imports & (PROVIDERS | {"httpx2"})
        assert not wrong or place == "prompts/model/client.py" or wrong == {"httpx2"} and place in OTHER_REQUESTS, place


def test_a_providers_library_is_imported_only_when_a_model_is_asked() -> None:
    brought = "{'pydantic_ai', 'openai', 'httpx2', 'numpy'}"
    said = f"import sys, prompts.model, tree.ask.ask; print(sorted({brought} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", said], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout.strip() == "[]"
