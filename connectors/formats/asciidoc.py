"""AsciiDoc as Markdown, line by line, so that places in the file still hold, and cut at its headings.

Attributes have their values, notes their label, steps their numbers, code its fence. A file that is included is named, with a
link: it is read by itself.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict

from connectors.formats.asciidoc_inline import Attributes, plain
from connectors.formats.asciidoc_tables import table
from connectors.formats.encoding import lines_of
from connectors.formats.lines import Heading, split_at
from connectors.formats.parsed import Options, Parsed

INDENT = 3  # columns for each level of a list
HEADING = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*)")
ATTRIBUTE = re.compile(r":(!?[\w-]{1,80}!?):(?:[ \t]+(.*))?\Z")
AUTHOR = re.compile(r"[A-Z][\w'’.-]{0,30}(?: [\w'’.-]{1,30}){1,3}(?: <[^<>\s]{3,100}>)?(?:; [^;]{1,100}){0,5}\Z")
REVISION = re.compile(r"v?(?P<number>\d[\w.]{0,20})(?:, (?P<date>[^:]{4,40}))?(?::.*)?\Z")
BLOCK_STYLE = re.compile(r"\[(?!\[)(?P<style>[^\]\n]{0,300})\]\Z")
ANCHOR = re.compile(r"\[\[[^\]\n]{1,200}\]\]\Z")
BLOCK_TITLE = re.compile(r"\.(?=[^\s.])(.{1,200})\Z")
CONDITION = re.compile(r"(?:ifdef|ifndef|ifeval|endif)::[^\[\]]{0,200}\[(.{0,2000})\]\Z")
INCLUDE = re.compile(r"include::([^\[\]\s]{1,300})\[[^\]]{0,300}\]\Z")
LITERAL = re.compile(r"(?:-{4,}|\.{4,}|`{3,}[\w-]{0,20})\Z")
DELIMITER = re.compile(r"(?:={4,}|\*{4,}|_{4,}|\+{4,}|--|'{3}|<{3})\Z")
LABELLED = re.compile(r"(NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ \t]+(?=\S)")
ITEM = re.compile(r"[ \t]*(?P<mark>\*{1,5}|-|\.{1,5}|\d{1,3}\.|<(?:\d{1,3}|\.)>)[ \t]+(?P<said>\S.*)")
TERM = re.compile(r"[ \t]*(?P<term>[^\s:|][^\n|]{0,120}?)(?P<mark>:{2,4}|;;)(?:[ \t]+(?P<said>\S.*))?\Z")
TITLES = frozenset(  # of blocks, which are headings in documents made of modules
    """prerequisites prerequisite procedure steps verification result results next steps additional resources troubleshooting
    troubleshooting steps limitations example examples""".split()  # noqa: SIM905
) | {"next steps", "additional resources", "troubleshooting steps", "known issues", "before you begin"}  # fmt: skip


def read(name: str, data: bytes, options: Options) -> Parsed:
    lines = lines_of(data, options)
    page = _Page(lines)
    page.run()
    title = next((heading.title for heading in page.headings if heading.level == 1), "")
    return Parsed("asciidoc", tuple(split_at(page.made, page.headings, "markdown")), title, page.metadata)


class _Page:
    """One file: its lines, what they are in Markdown, and what is open above the line that is looked at."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.made: list[str] = []  # as many as `lines`
        self.headings: list[Heading] = []
        self.metadata: dict[str, str] = {}
        self.attributes = Attributes()
        self.closing: dict[str, list[int]] = defaultdict(list)  # lines that may close a block, by what stands there
        for number, line in enumerate(lines):
            if line and (bare := line.strip()) and (LITERAL.match(bare) or bare == "////" or bare.startswith("|===")):
                self.closing[bare].append(number)
        self.level = 1  # of the heading above
        self.style = ""  # of the block that comes
        self.label = ""  # "Note", before the text that comes
        self.marks: list[str] = []  # of the lists that are open, the outermost first
        self.counts: list[int] = []
        self.is_attached = False  # what comes belongs to the open item
        self.is_in_item = False  # the line before is of an item

    def run(self) -> None:
        while len(self.made) < len(self.lines):
            line = self.lines[len(self.made)].rstrip()
            bare = line.strip()
            end = self._end(bare)
            if end and bare == "////":
                self.made += [""] * (end + 1 - len(self.made))
            elif end and bare.startswith("|==="):
                self._table(end)
            elif end:
                self._literal(bare, end)
            else:
                self._line(line, bare)

    # ---- blocks of several lines

    def _end(self, bare: str) -> int:
        """The line that closes a block which this one opens; 0 where it opens none, or none does."""
        mark = "```" if bare.startswith("```") else bare
        closing = self.closing.get(mark, ())
        at = bisect_right(closing, len(self.made))
        return closing[at] if at < len(closing) else 0

    def _literal(self, bare: str, end: int) -> None:
        margin = self._margin()
        settings = self.style.split(",")
        language = bare.strip("`-.") or (settings[1].strip() if len(settings) > 1 else "")
        inside = self.lines[len(self.made) + 1 : end]
        said = [f"{margin}{line}" if line.strip() else "" for line in map(self.attributes.values_in, inside)]
        self.made += [f"{margin}```{language}", *said, f"{margin}```"]
        self._begun()

    def _table(self, end: int) -> None:
        rows = table([self.attributes.in_words(line) for line in self.lines[len(self.made) + 1 : end]], self.style)
        room = end + 1 - len(self.made)
        self.made += [*rows[:room], *[""] * max(0, room - len(rows))]
        self._begun()

    # ---- single lines

    def _line(self, line: str, bare: str) -> None:
        if not bare:
            self._put("")
            self.is_attached = self.is_in_item = False
        elif bare.startswith("//") or DELIMITER.match(bare) or ANCHOR.match(bare) or bare == "toc::[]":
            self._put("")
        elif match := CONDITION.match(bare):
            self._put(self.attributes.in_words(match[1]) if bare.startswith("if") and "ifeval" not in bare[:6] else "")
        elif bare == "+":
            self._put("")
            self.is_attached = True
        elif (match := ATTRIBUTE.match(bare)) and line[0] == ":":
            self._attribute(match)
        elif match := HEADING.match(line):
            self._heading(len(match[1]), plain(self.attributes.in_words(match[2])))
        elif match := BLOCK_STYLE.match(bare):
            self._styled(match["style"])
        elif (match := BLOCK_TITLE.match(line)) and not ITEM.match(line):
            self._titled(plain(self.attributes.in_words(match[1])))
        elif match := INCLUDE.match(bare):
            path = self.attributes.values_in(match[1])
            self._put(f"See [{path}]({path})")
        elif (match := ITEM.match(line)) or (match := TERM.match(line)):
            self._item(match)
        else:
            self._text(line, bare)

    def _put(self, line: str) -> None:
        self.made.append(line)

    def _begun(self) -> None:
        self.style = self.label = ""

    def _attribute(self, match: re.Match[str]) -> None:
        self._put("")
        name, value = match[1].casefold(), (match[2] or "").strip()
        self.attributes.set(name, value)
        if name in ("author", "revdate", "revnumber") and value:
            self.metadata[{"revdate": "date", "revnumber": "version"}.get(name, name)] = value

    def _heading(self, level: int, title: str) -> None:
        number = len(self.made)
        self.headings.append(Heading(level, title, number, number + 1))
        self._put("")
        self.level, self.marks, self.counts = level, [], []
        self.is_attached = self.is_in_item = False
        self._begun()
        if level == 1:
            self._byline()

    def _byline(self) -> None:
        """The lines of author and revision that may stand under the title."""
        for pattern in (AUTHOR, REVISION):
            line = self.lines[len(self.made)].strip() if len(self.made) < len(self.lines) else ""
            match = pattern.match(line) if line else None
            if match is None:
                return
            if pattern is AUTHOR:
                self.metadata["author"] = re.sub(r" <[^<>]*>", "", line)
                self._put(f"Author: {self.metadata['author']}")
            else:
                self.metadata |= {"version": match["number"]} | ({"date": match["date"].strip()} if match["date"] else {})
                self._put(f"Version: {line}")

    def _styled(self, style: str) -> None:
        self._put("")
        self.style = style
        first = style.split(",")[0].split("%")[0].strip()
        if first in ("NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"):
            self.label = first.capitalize()

    def _titled(self, title: str) -> None:
        if title.rstrip(":").casefold() in TITLES and not self.is_attached:
            number = len(self.made)
            self.headings.append(Heading(self.level + 1, title.rstrip(":"), number, number + 1))
            self.marks, self.counts = [], []
            self._put("")
        else:
            self._put(f"{self._margin()}**{title}**")

    def _item(self, match: re.Match[str]) -> None:
        groups = match.groupdict()
        mark = groups["mark"] if not groups["mark"][0].isdigit() and groups["mark"][0] != "<" else "1."
        if mark in self.marks:
            keep = self.marks.index(mark) + 1
            self.marks, self.counts = self.marks[:keep], self.counts[:keep]
        else:
            self.marks.append(mark)
            self.counts.append(0)
        self.counts[-1] += 1
        margin = " " * (INDENT * (len(self.marks) - 1))
        said = self.attributes.in_words(groups["said"] or "")
        if "term" in groups:
            said = f"**{plain(self.attributes.in_words(groups['term']))}**: {said}".rstrip()
        is_numbered = mark[0] == "." or mark == "1."
        self._put(f"{margin}{f'{self.counts[-1]}.' if is_numbered else '-'} {said}")
        self.is_attached, self.is_in_item = False, True
        self._begun()

    def _text(self, line: str, bare: str) -> None:
        if not (self.is_in_item or self.is_attached) and self.made and not self.made[-1].strip() and line[:1] not in " \t":
            self.marks, self.counts = [], []
        said = self.attributes.in_words(bare)
        if match := LABELLED.match(bare):
            said = f"**{match[1].capitalize()}:** {said[match.end() :]}"
        elif self.label:
            said = f"**{self.label}:** {said}"
        self._put(f"{self._margin()}{said}")
        self._begun()

    def _margin(self) -> str:
        """Where what belongs to the open item begins."""
        return " " * (INDENT * len(self.marks)) if self.marks and (self.is_attached or self.is_in_item) else ""
