"""Procedures and alerts as the raw text of Markdown and reStructuredText has them: titles, numbered lines, what is needed first, links.

Read line by line, by other means than the product's, so that the two can differ.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

FEWEST, MOST = 3, 20  # steps
_MARKDOWN_HEADING = re.compile(r"(#{1,6})\s+(.+?)\s*#*\s*$")
_UNDERLINE = re.compile(r"([=\-~^*\"'+#`:.])\1{2,}\s*$")
_STEP = re.compile(r"(\d+|#)[.)]\s+(\S.*)$")
_ITEM = re.compile(r"[-*+]\s+(\S.*)$")
_NEEDED_FIRST = re.compile(
    r"(?:prerequisites?|requirements|before you (?:start|begin)|what you(?:'ll)? need|you need)\b", re.IGNORECASE
)
_NEEDED_LABEL = re.compile(rf"\*\*({_NEEDED_FIRST.pattern}[^*\n]*?)(?::\*\*|\*\*:)\s*(.*)$", re.IGNORECASE)
_PLAIN_TITLES = frozenset("steps procedure procedures do this instructions process workflow diagnosis mitigation how to usage".split()) | {
    "do this", "how to", "recommended actions", "remediation", "resolution", "what to do", "the procedure", "the process"
}  # fmt: skip
_SAYS_STEPS = re.compile(
    r"\b(?:steps?|procedure|do the following|follow(?:ing)? these|instructions|in this order)\b", re.IGNORECASE
)
_OF_PROCEDURES = re.compile(r"\b(?:runbooks?|how-?tos?|procedures|playbooks?)\b")  # in the path of a page
_DOING = re.compile(r"(?:[A-Z][a-z]+ing\b|how to\b|steps?\b|runbook\b|to\b|set up\b|setup\b)", re.IGNORECASE)
_LINKS = re.compile(
    r"\]\(([^)\s#]+)(?:#[^)\s]*)?\)|\{\{<\s*ref\s+\"([^\"]+)\"|:doc:`(?:[^`<]*<)?/?([^`>]+)>?`|:ref:`(?:[^`<]*<)?([^`>]+)>?`"
)
_REFERENCE = re.compile(r":ref:`([^`<>]+)`")
_LABEL = re.compile(r"^\.\. _`?([^:`\n]+)`?:\s*$", re.MULTILINE)
_EMPTY = frozenset(("", "todo", "n a", "na", "none", "tbd", "todo add more details"))
_FENCE = re.compile(r"\s*(?:```|~~~)")


@dataclass(slots=True)
class RawSection:
    """What stands below one heading. `titles` are those of the document and of the headings above it, then its own."""

    path: str
    titles: tuple[str, ...]
    lines: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class RawProcedure:
    """A numbered list. `links` are files of the set that its steps lead to, each with the heading there, where one is named."""

    path: str
    titles: tuple[str, ...]
    steps: tuple[str, ...]
    needed: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class RawAlert:
    """A page with the section "Meaning". Of a part that says what to do without numbers its first line is enough."""

    path: str
    name: str
    meaning: str
    steps: tuple[str, ...]
    links: tuple[tuple[str, str], ...] = ()


def sections_of(path: str, text: str) -> list[RawSection]:
    """The sections in order; the part above the first heading is called like the file."""
    marked = _rst_headings if path.endswith(("rst", "txt")) else _markdown_headings
    stem = path.rpartition("/")[2].rpartition(".")[0]
    found = [RawSection(path, (stem,))]
    above: list[tuple[int, str]] = []
    for level, line in marked(text):
        if not level:
            found[-1].lines.append(line)
            continue
        above = [*(one for one in above if one[0] < level), (level, line)]
        found.append(RawSection(path, tuple(title for _, title in above)))
    return found


def _markdown_headings(text: str) -> Iterator[tuple[int, str]]:
    """Each line with the level of the heading that it is, or 0; no front matter, no code."""
    lines = text.splitlines()
    if lines[:1] == ["---"] and "---" in lines[1:]:
        lines = lines[lines.index("---", 1) + 1 :]
    is_code = False
    for line in lines:
        is_code ^= bool(_FENCE.match(line))
        heading = None if is_code else _MARKDOWN_HEADING.match(line)
        if heading:
            yield len(heading[1]), heading[2]
        elif not is_code and not _FENCE.match(line):
            yield 0, line


def _rst_headings(text: str) -> Iterator[tuple[int, str]]:
    lines, styles, at = text.splitlines(), list[str](), 0
    while at < len(lines):
        line, below = lines[at], lines[at + 1] if at + 1 < len(lines) else ""
        mark = _UNDERLINE.match(below)
        if mark and line[:1].strip() and not _UNDERLINE.match(line) and len(below.rstrip()) >= len(line.rstrip()):
            over = "over" if at and lines[at - 1].rstrip() == below.rstrip() else ""
            if mark[1] + over not in styles:
                styles.append(mark[1] + over)
            yield styles.index(mark[1] + over) + 1, line.strip()
            at += 2
        else:
            if not _UNDERLINE.match(line):
                yield 0, line
            at += 1


# ---------------------------------------------------------------- procedures


def procedures_of(files: Mapping[str, str]) -> list[RawProcedure]:
    """Numbered lists with an announcement or a heading for something to do, each the only one below its heading."""
    labels = _labels(files)
    return [one for path, text in files.items() for one in _procedures(path, text, files, labels)]


def with_titles(files: Mapping[str, str]) -> dict[str, str]:
    """The texts with the titles of sections where only their labels stand."""
    labels = _labels(files)
    return {path: _REFERENCE.sub(lambda match: labels.get(match[1], ("", match[1]))[1], text) for path, text in files.items()}


def _labels(files: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """The labels of reStructuredText before headings: each with its file and that heading."""
    found: dict[str, tuple[str, str]] = {}
    for path, text in files.items():
        for match in _LABEL.finditer(text) if path.endswith(("rst", "txt")) else ():
            below = next(
                (
                    line
                    for level, line in _rst_headings(text[match.end() :])
                    if level or line.strip() and not line.startswith("..")
                ),
                "",
            )
            found[match[1]] = path, below
    return found


def _procedures(path: str, text: str, files: Mapping[str, str], labels: Mapping[str, tuple[str, str]]) -> Iterator[RawProcedure]:
    needed: list[tuple[tuple[str, ...], list[str]]] = []
    for section in sections_of(path, text):
        if _NEEDED_FIRST.match(section.titles[-1]) and len(section.titles) > 1:
            needed = [(section.titles[:-1], _needed(section.lines))]
            continue
        lists = list(_lists(section.lines))
        if len(lists) != 1 or not FEWEST <= len(lists[0][1]) <= MOST or not _is_to_be_done(section, lists[0][0]):
            continue
        first = lists[0][0]
        own = [item for line in section.lines[:first] for item in _labelled(line)]
        before = [items for titles, items in needed if section.titles[: len(titles)] == titles]
        links = tuple(dict.fromkeys(_linked(path, section.lines[first:], files, labels)))
        steps = (_REFERENCE.sub(lambda match: labels.get(match[1], ("", match[1]))[1], step) for step in lists[0][1])
        yield RawProcedure(path, section.titles, tuple(steps), (*(before[-1] if before else ()), *own), links)


def _lists(lines: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """The numbered lists at the margin: where each begins, and the first line of each item."""
    steps: list[str] = []
    begin = 0
    is_lazy = sum(line.startswith(("1. ", "1) ")) for line in lines) > 1 and not any(
        line.startswith(("2. ", "2) ")) for line in lines
    )
    for at, line in enumerate(lines):
        match = _STEP.match(line)
        if not match:
            continue
        if steps and match[1] == "1" and not is_lazy:
            yield begin, steps
            steps = []
        begin = at if not steps else begin
        steps.append(match[2])
    if steps:
        yield begin, steps


def _is_to_be_done(section: RawSection, first: int) -> bool:
    title = section.titles[-1]
    announced = next((line for line in reversed(section.lines[:first]) if line.strip()), "")
    is_doing = _DOING.match(title) or plain_title(title) in _PLAIN_TITLES or _OF_PROCEDURES.search(section.path.lower())
    return bool(is_doing) or (announced.rstrip().endswith(":") and bool(_SAYS_STEPS.search(announced)))


def plain_title(title: str) -> str:
    return re.sub(r"\W+", " ", title).strip().lower()


def is_plain(title: str) -> bool:
    """Whether a heading says nothing of what its steps are for."""
    return plain_title(title) in _PLAIN_TITLES


def _needed(lines: Sequence[str]) -> list[str]:
    """The first line of each step, else of each item, else of each paragraph; no item of an item."""
    items = [match[2] for line in lines if (match := _STEP.match(line))] or [
        match[1] for line in lines if (match := _ITEM.match(line))
    ]
    if items:
        return items
    return [
        line.strip()
        for before, line in zip(["", *lines], lines, strict=False)
        if line.strip() and not before.strip() and line[0] not in ". "
    ]


def _labelled(line: str) -> Iterator[str]:
    """What is needed first in a line of its own: "**You need:** a badge; a key"."""
    if (match := _NEEDED_LABEL.match(line.strip())) and match[2]:
        yield match[2]


def _linked(
    path: str, lines: Sequence[str], files: Mapping[str, str], labels: Mapping[str, tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    for match in (match for line in lines for match in _LINKS.finditer(line)):
        target = next(filter(None, match.groups()))
        if match[4]:
            yield from (labels[target],) if target in labels else ()
            continue
        for base in (posixpath.dirname(path), ""):
            there = posixpath.normpath(posixpath.join(base, target))
            yield from ((name, "") for name in (there, f"{there}.md", f"{there}.rst") if name in files and name != path)


# ---------------------------------------------------------------- alerts


def alerts_of(files: Mapping[str, str]) -> list[RawAlert]:
    return [one for path, text in files.items() if (one := _alert(path, text, files)) is not None]


def _alert(path: str, text: str, files: Mapping[str, str]) -> RawAlert | None:
    sections = [one for one in sections_of(path, text) if len(one.titles) > 1]
    meaning = next(
        (first for one in sections if plain_title(one.titles[1]) == "meaning" and (first := _first_line(one.lines))), ""
    )
    steps: list[str] = []
    links: dict[tuple[str, str], None] = {}
    for part in ("diagnosis", "mitigation"):
        inside = [one for one in sections if plain_title(one.titles[1]) == part]
        numbered = [step for one in inside if len(one.titles) == 2 for _, found in _lists(one.lines) for step in found]
        steps += numbered or [first for one in inside[:1] if (first := _first_line(one.lines))]
        links |= dict.fromkeys(link for one in inside for link in _linked(path, one.lines, files, {}))
    return RawAlert(path, sections[0].titles[0], meaning, tuple(steps), tuple(links)) if meaning and steps else None


def _first_line(lines: Sequence[str]) -> str:
    """The first line with words in it, without the mark of an item."""
    for line in lines:
        bare = re.sub(r"^\s*(?:[-*+]|\d+[.)])\s+", "", line).strip()
        if bare and bare[0] not in "<|!{" and not line.startswith("    "):
            return "" if plain_title(bare) in _EMPTY else bare
    return ""
