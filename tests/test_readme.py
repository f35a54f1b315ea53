"""The README and the pages it leads to keep their word: what they link to is there, and the commands they name exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_local_link_leads_somewhere(page: Path) -> None:
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")) if "://" not in link]
    assert not [link for link in links if link and not (page.parent / link).exists()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_page_can_be_found_from_the_readme(page: Path) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert page.name == "README.md" or f"({page.relative_to(ROOT).as_posix()})" in readme


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_it_names_exists(page: Path) -> None:
    text = page.read_text("utf-8")
    for module in set(re.findall(r"python -m ([a-z._]+)", text)) - {"pytest", "pip", "venv"}:
        assert (ROOT / module.replace(".", "/") / "__main__.py").exists() or (ROOT / f"{module.replace('.', '/')}.py").exists(), (
            module
        )
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"^make ([a-z]+)", text, re.MULTILINE)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
