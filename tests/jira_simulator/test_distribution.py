"""The package can be installed on its own: what it imports, it names, and what it reads, it brings along."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path

import jira_simulator
from jira_simulator import Site, load_sample, load_script
from jira_simulator.scenario import play_until

FOLDER = Path(jira_simulator.__file__).parent
DESCRIBED = tomllib.loads((FOLDER / "pyproject.toml").read_text(encoding="utf-8"))


def test_it_imports_only_what_its_own_description_asks_for() -> None:
    names = {"pyyaml": "yaml"}
    asked = [re.split(r"[><=]", each)[0] for each in DESCRIBED["project"]["dependencies"]]
    allowed = {names.get(each, each.replace("-", "_")) for each in asked} | {"jira_simulator"} | set(sys.stdlib_module_names)
    for path in FOLDER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            found = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            found += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert {each.partition(".")[0] for each in found} <= allowed, path


def test_every_folder_of_it_is_installed() -> None:
    folders = {path.parent for path in FOLDER.rglob("*.py")} | {path.parent for path in (FOLDER / "sample").rglob("*.*")}
    places = {each.relative_to(FOLDER.parent).as_posix().replace("/", ".") for each in folders if "build" not in each.parts}
    assert places == set(DESCRIBED["tool"]["setuptools"]["packages"])


def test_its_sample_has_one_of_everything_and_a_day_that_can_be_played() -> None:
    site = load_sample(Site())
    issues = list(site.tickets.values())
    assert {site.category(each) for each in issues} == {"new", "done", "indeterminate"}
    assert all(
        any(getattr(each, name) for each in issues) for name in ("parent", "epic", "security", "sprints", "worklogs", "due")
    )
    assert site.links and site.find("LAMP-3").attachments and site.find("LAMP-3").custom
    assert play_until(site, load_script()) == 6
    assert site.find("DESK-1").project == site.project("LAMP").id and "LAMP-6" not in {each.key for each in site.tickets.values()}
