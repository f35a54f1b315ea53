"""The README keeps its word: what it links to is there, and the commands it names exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_local_link_leads_somewhere() -> None:
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", README) if "://" not in link]
    assert links
    assert not [link for link in links if not (ROOT / link).exists()]


def test_every_command_it_names_exists() -> None:
    for module in set(re.findall(r"python -m ([a-z.]+)", README)):
        assert (ROOT / module / "__main__.py").exists(), module
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"^make ([a-z]+)", README, re.MULTILINE)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
