"""The README and the pages it leads to keep their word: what they link to is there, and the commands they name exist."""

from __future__ import annotations

import io
import re
import shlex
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import redirect_stderr
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

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


OTHERS = {"pytest", "pip", "venv"}  # programs that are not ours
LINE = re.compile(r"(?:python -m |^(?=bench ))(?P<module>[a-z_.]+)(?P<rest>.*?)(?:\s+#.*|\s+&&.*)?$", re.MULTILINE)
VALUES = {"N": "3", "DATE": "2026-03-01"}  # for what a usage writes where a number or a day belongs


class Command(NamedTuple):
    """As a page writes it. One in running text may leave out what has to be given; one in a block is whole."""

    module: str
    usage: str
    is_whole: bool


@pytest.mark.parametrize("page", [*PAGES, ROOT / "jira_simulator" / "README.md"], ids=lambda page: page.name)
def test_every_command_it_names_exists(page: Path) -> None:
    text = page.read_text("utf-8")
    assert not [f"{command.module}{command.usage}: {said}" for command in commands(text) for said in wrong(command)]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"(?:^|`)make ([a-z]+)", text, re.MULTILINE)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("`python -m tree aks`", "invalid choice: 'aks'"),
        ("`python -m tree model lst`", "invalid choice: 'lst'"),
        ("`python -m bench quality --lmit 3`", "unrecognized arguments: --lmit"),
        ("```sh\npython -m ingestion status [--jsn]   # how it is\n```", "unrecognized arguments: --jsn"),
        ("```sh\npython -m ingestion backup\n```", "arguments are required: file"),
        ("```sh\npython -m tree model list | dwnload [NAME] | run\n```", "'dwnload name' stands for nothing"),
        ("`bench truth --several`", "unrecognized arguments: --several"),
        ("`python -m tre ask`", "no such program"),
    ],
)
def test_a_command_that_does_not_exist_is_found(text: str, said: str) -> None:
    [command] = commands(text)
    assert any(said in one.lower() for one in wrong(command))


def commands(text: str) -> Iterator[Command]:
    for number, part in enumerate(re.split(r"^ *```.*$", text, flags=re.MULTILINE)):
        is_block = number % 2 == 1
        for piece in [part] if is_block else re.findall(r"`([^`\n]+)`", part):
            yield from (
                Command(one["module"], one["rest"], is_block) for one in LINE.finditer(piece) if one["module"] not in OTHERS
            )


def wrong(command: Command) -> Iterator[str]:
    """What the program says to it: without what stands in brackets, and with all of it."""
    parser = parser_of(command.module)
    if parser is None:
        yield "no such program"
        return
    for usage in (re.sub(r"\[[^\]]*\]", "", command.usage), re.sub(r"\[\.\.\.\]|[\[\]]", "", command.usage)):
        first, *others = ([VALUES.get(word, word) for word in shlex.split(part)] for part in usage.split(" | "))
        if said := refusal(parser, first, command.is_whole):
            yield said
        for other in others:  # in place of the end of the first
            if all(refusal(parser, [*first[:kept], *other], command.is_whole) for kept in range(len(first))):
                yield f"{' '.join(other)!r} stands for nothing in {usage}"


@cache
def parser_of(module: str) -> ArgumentParser | None:
    is_package = (ROOT / module.replace(".", "/") / "__main__.py").exists()
    if not is_package and not (ROOT / f"{module.replace('.', '/')}.py").exists():
        return None
    parser: ArgumentParser = import_module(f"{module}.__main__" if is_package else module)._parser()
    return parser


def refusal(parser: ArgumentParser, words: list[str], is_whole: bool) -> str:
    """What is wrong with these words; empty for nothing."""
    said = io.StringIO()
    try:
        with redirect_stderr(said):
            parser.parse_args(words)
        return ""
    except SystemExit:
        missing = re.search(r"arguments are required: ([^.\n]+)|One of the arguments (\S+)", said.getvalue())
    if missing is None or is_whole:
        return said.getvalue()
    names = (missing[1] or missing[2]).split(", ")
    if names[0] in ("command", "kind", "action", "what"):  # only the program is named
        return ""
    given = [part for name in names for part in ((name, "3") if name.startswith("-") else ("3",))]
    return refusal(parser, [*words, *given], is_whole)
