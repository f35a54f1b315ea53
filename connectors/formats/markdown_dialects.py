"""What dialects add to Markdown, in words: MyST, MkDocs, GitHub, Docusaurus, Hugo, Jekyll. Line by line, so that places still hold.

Notes have their label, footnotes stand in the sentence that has them, roles are code or links, and what only steers a website goes.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from connectors.formats.restructured_blocks import (
    ASIDES,
    CODE,
    HIDDEN,
    INCLUDED,
    LANGUAGES,
    NO_PAGES,
    OBJECTS,
    TITLED,
    VERSIONS,
    as_markdown,
)
from connectors.formats.rewritten import Rewritten
from connectors.formats.shortcodes import Shortcodes
from connectors.formats.sphinx_inline import LONGEST, References, convert_paragraphs, from_myst

LABELS = {**ASIDES, "abstract": "Summary", "question": "Question", "example": "Example", "quote": "Quote", "summary": "Summary",
          "tldr": "Summary", "check": "Note", "done": "Note", "help": "Question", "faq": "Question", "fail": "Warning",
          "missing": "Warning", "cite": "Quote", "caution": "Caution"}  # fmt: skip
CELLS = frozenset("r python julia bash sh sql js ojs javascript rcpp stan".split())  # noqa: SIM905 - of notebooks written as text
TEXTUAL = frozenset(
    """image figure table list-table csv-table only container epigraph pull-quote highlights compound glossary grid tab-set tabs
    margin aside div card-carousel proof prf hlist line-block centered""".split()  # noqa: SIM905
)
DEEPEST = 20  # notes in notes
_FENCE = re.compile(r"(?P<mark>`{3,}|~{3,}|:{3,})[ \t]*(?P<info>.*)\Z")
_DIRECTIVE = re.compile(r"\{(?P<name>[\w:+.-]{1,40})\}[ \t]*(?P<said>.*)\Z")
_CONTAINER = re.compile(r"(?P<name>[a-z][\w-]{0,30})(?:\[(?P<label>[^\]]*)\]|[ \t]+(?P<said>[^{]*))?[ \t]*(?:\{[^{}]*\})?\Z")
_OPTION = re.compile(r"[ \t]*:(?P<name>[\w-]{1,40}):(?:[ \t]+(?P<said>.*))?\Z")
_ASIDE = re.compile(
    r"(?:!!!|\?\?\?\+?)[ \t]*(?P<name>[A-Za-z][\w-]{0,30})(?:[ \t]+[\w-]+){0,8}(?:[ \t]+\"(?P<said>[^\"]*)\")?[ \t]*\Z"
)
_TAB = re.compile(r"===[!+]{0,2}[ \t]+\"(?P<said>[^\"]+)\"[ \t]*\Z")
_ALERT = re.compile(r"(?P<mark>(?:>[ \t]?)+)\[!(?P<name>[A-Za-z]{3,20})\][+-]?[ \t]*(?P<said>.*)\Z")
_LABEL = re.compile(r"\((?P<name>[\w./:+-]{1,100})\)=[ \t]*\Z")
_NOTE = re.compile(r"[ ]{0,3}\[\^(?P<name>[^\]\s\[]{1,60})\]:[ \t]*(?P<said>.*)\Z")
_DEFINED = re.compile(r"[ ]{0,3}:[ \t]+(?=\S)")
_ATTRIBUTES = re.compile(
    r"[ \t]?(?:\{:?[ \t]{0,4}[#.:][^{}\n]{0,300}\}|\{:[^{}\n]{1,300}\}|(?<=\))\{[ \t]{0,4}[\w-]{1,40}=[^{}\n]{1,300}\})"
)
_SNIPPET = re.compile(r"-{1,2}8<-{1,2}.*\Z")
_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]+(?=\S)")
_CODE = re.compile(r"((?<!`)`++[^`\n]++`++)")
_IMPORT = re.compile(
    r"(?:import\s[^\n]{1,300}['\"];?\s{0,9}|import\s?\{?\s{0,9}|export (?:const|default|function|let)\b[^\n]*)\Z"
)


@dataclass(slots=True)
class _Open:
    """A note, tab or directive whose text is being read."""

    mark: str  # that closes it; none where its text is indented
    margin: int  # from which column a line belongs to it; 0 where a mark closes it


def in_words(lines: list[str], front: Mapping[str, object], is_mdx: bool) -> tuple[list[str], tuple[str, ...]]:
    """At least as many lines, each where it was, and the labels that other files link to."""
    page = _Page(lines, front, is_mdx)
    page.run()
    return page.made, tuple(dict.fromkeys(page.labels))


class _Page(Rewritten):
    """The lines of a file, what they are in plain Markdown, and what is open above the line that is looked at."""

    def __init__(self, lines: list[str], front: Mapping[str, object], is_mdx: bool) -> None:
        super().__init__(lines)
        self.is_mdx = is_mdx
        self.labels: list[str] = []
        self.open: list[_Open] = []
        self.label: tuple[str, int] | None = None  # that stands before the next text, and the line of what announces it
        self.known = References(values=_values(front), titles=_titles(lines))
        self.shortcodes = Shortcodes(is_mdx)
        self.closing: dict[str, list[tuple[int, int]]] = {"`": [], "~": [], ":": []}  # lines that are only a mark, and its length
        for number, line in enumerate(lines):
            if (bare := line.strip())[:3] in ("```", "~~~", ":::") and not bare.strip(bare[0]):
                self.closing[bare[0]].append((number, len(bare)))
        self._collect_notes()

    def _collect_notes(self) -> None:
        self.notes: dict[int, tuple[int, str]] = {}  # first line of a footnote, the line behind it and its name
        if not any("[^" in line for line in self.lines):
            return
        used = {name for line in self.lines if "[^" in line for name in re.findall(r"(?<=\S)[ ]?\[\^([^\]\s\[]{1,60})\]", line)}
        for number, line in enumerate(self.lines):
            note = _NOTE.match(line) if "[^" in line else None
            if note is None or note["name"] not in used:
                continue
            end = number + 1
            while end < len(self.lines) and self.lines[end][:4].strip(" \t") == "" and self._goes_on(end):
                end += 1
            inside = self.lines[number + 1 : end]
            said = " ".join([note["said"], *(one.strip() for one in inside if one.strip())]).strip()
            if said and len(said) <= LONGEST and not any("```" in one for one in inside):
                self.known.notes.setdefault(note["name"].casefold(), from_myst(said, self.known))
                self.notes[number] = end, note["name"].casefold()

    def _goes_on(self, number: int) -> bool:
        """Whether a line that is blank or indented belongs to what is above it."""
        after = number
        while after < len(self.lines) and not self.lines[after].strip():
            after += 1
        return after < len(self.lines) and self.lines[after].startswith(("    ", "\t", "  "))

    def run(self) -> None:
        while (number := len(self.made)) < len(self.lines):
            line = self.lines[number]
            bare = line.strip()
            if not bare:
                self.made.append("")
            elif number in self.notes:
                self._pad(self.notes[number][0])
            else:
                self._line(number, line, bare)
        self._convert_inline()

    def _convert_inline(self) -> None:
        convert_paragraphs(self.made, self.verbatim, lambda text: from_myst(text, self.known))
        for number, (_, name) in self.notes.items():
            if name not in self.known.told:
                self.made[number] = self.known.notes[name]

    # ---- what goes out

    def _put(self, out: int, said: str) -> None:
        if self.label and said:
            label, at = self.label
            if _ITEM.match(said) or said[0] in "#|" or said.startswith("**"):
                self.made[at] = label
            else:
                said = f"{label} {said}"
            self.label = None
        self.made.append(f"{' ' * out}{said}" if said else "")

    def _literal(self, lines: Sequence[str]) -> None:
        if self.label:
            self.made[self.label[1]], self.label = self.label[0], None
        self.verbatim.update(range(len(self.made), len(self.made) + len(lines)))
        self.made += lines

    # ---- single lines

    def _line(self, number: int, line: str, bare: str) -> None:
        indent = (
            len(line) - len(line.lstrip()) if "\t" not in line else len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
        )
        while self.open and self.open[-1].margin > indent:
            self.open.pop()
        out = max(0, indent - 4 * sum(1 for one in self.open if one.margin))
        first = bare[0]
        if first in "`~:" and (fence := _FENCE.match(bare)):
            self._fence(number, indent, out, fence)
        elif first.isalpha() and not self.is_mdx and "{" not in bare and "<" not in bare:
            self._defined_or_text(number, out, bare)
        elif first in "!?" and (aside := _ASIDE.match(bare)):
            self._begin(out, _label(aside["name"]), aside["said"] or "", _Open("", indent + 4))
        elif first == "=" and (tab := _TAB.match(bare)):
            self._put(out, f"**{tab['said']}**")
            self.open = [*self.open[-DEEPEST:], _Open("", indent + 4)]
        elif first == ">" and (alert := _ALERT.match(bare)):
            self._alert(number, out, alert)
        elif first == "(" and (label := _LABEL.match(bare)):
            self.labels.append(label["name"])
            self._put(out, "")
        elif (first == "%" and bare[1:2] in ("", " ") and number and self._is_blank(number - 1)) or _SNIPPET.match(bare):
            self._put(out, "")
        elif self.is_mdx and _IMPORT.match(line):
            self._import(number)
        elif (after := self.shortcodes.hidden(self.lines, number)) > number:
            self._pad(after)
        else:
            self._defined_or_text(number, out, self._plain(bare))

    def _plain(self, bare: str) -> str:
        """A line without attributes, shortcodes, tags and comments; code stays as it is."""
        if not any(mark in bare for mark in ("{", "<", "![", ":material", ":octicons", ":fontawesome", ":simple")):
            return bare
        parts = _CODE.split(bare)
        parts[::2] = [self.shortcodes.without(_ATTRIBUTES.sub("", part) if "{" in part else part) for part in parts[::2]]
        return "".join(parts).strip()

    def _defined_or_text(self, number: int, out: int, bare: str) -> None:
        if (defined := _DEFINED.match(bare)) and (term := self._term(number)):
            at, said = term
            self.made[at] = ""
            self._put(out, f"- {said if '`' in said else f'**{said}**'}: {bare[defined.end() :]}")
            return
        label, bare = self.shortcodes.label, bare
        if label:
            self.shortcodes.label = ""
            self.label = (label, number)
        self._put(out, bare)

    def _term(self, number: int) -> tuple[int, str] | None:
        """The line of one term that a definition follows, with or without a blank line between."""
        at = number - 1 if not self._is_blank(number - 1) else number - 2
        if at < 0 or at >= len(self.made) or at in self.verbatim or not self._is_blank(at - 1):
            return None
        said = self.made[at].strip()
        return (at, said.strip("*")) if said and len(said) <= 100 and said[-1] not in ".:;," and said[0] not in "#>|-" else None

    def _import(self, number: int) -> None:
        """Lines that import or export something for the page, up to the blank line behind them."""
        end = number
        while not self._is_blank(end):
            end += 1
        self._pad(end)

    def _alert(self, number: int, out: int, alert: re.Match[str]) -> None:
        """The label stands before the first line of the quotation."""
        label = f"**{_label(alert['name'])}:**"
        said = alert["said"].strip()
        if said:
            self._put(out, f"{alert['mark']}{_titled(label, said)}")
            return
        following = self.lines[number + 1].strip() if number + 1 < len(self.lines) else ""
        words = following.lstrip("> \t")
        if following.startswith(">") and words and not _ITEM.match(words) and not words.startswith(("```", "|")):
            self._put(0, "")
            self._put(out, f"{alert['mark']}{label} {self._plain(words)}")
        else:
            self._put(out, f"{alert['mark']}{label}")

    def _begin(self, out: int, name: str, title: str, opened: _Open) -> None:
        """A note: its title is a sentence of its own, its label stands before the text."""
        if title and title.casefold() not in (name.casefold(), *LABELS):
            self._put(out, _titled(f"**{name}:**" if name else "", title))
        else:
            at = len(self.made)
            self._put(out, "")
            self.label = (f"**{name}:**", at) if name else None
        self.open = [*self.open[-DEEPEST:], opened]

    # ---- fences

    def _fence(self, number: int, indent: int, out: int, fence: re.Match[str]) -> None:
        mark, info = fence["mark"], fence["info"].strip()
        closes = next((at for at in range(len(self.open) - 1, -1, -1) if self.open[at].mark == mark), -1)
        if not info and closes >= 0:
            del self.open[closes:]
            self._put(0, "")
        elif directive := _DIRECTIVE.match(info):
            self._directive(number, indent, out, mark, directive["name"].casefold(), directive["said"].strip())
        elif mark[0] == ":":
            self._container(number, indent, out, mark, info)
        else:
            end = self._closing(number, mark)
            self._literal([self._dedented(line) for line in self.lines[number : end + 1]])

    def _dedented(self, line: str) -> str:
        by = 4 * sum(1 for one in self.open if one.margin)
        return line[by:] if not line[:by].strip() else line

    def _closing(self, number: int, mark: str) -> int:
        """The line that closes a fence, or the last of the file."""
        marks = self.closing[mark[0]]
        for at, size in marks[bisect_right(marks, (number, sys.maxsize)) :]:
            if size >= len(mark):
                return at
        return len(self.lines) - 1

    def _container(self, number: int, indent: int, out: int, mark: str, info: str) -> None:
        """ ":::tip Title" and its like; "::: package.module" asks for what stands in code, and pandoc's "::: {.name}" for a style."""
        container = _CONTAINER.match(info)
        if not info:
            self._put(0, "")
        elif container and container["name"] in LABELS:
            title = (container["label"] or container["said"] or "").strip()
            self._begin(out, _label(container["name"]), title, _Open(mark, 0))
        elif self._closing(number, mark) < len(self.lines) - 1 or self.lines[-1].strip() == mark:
            title = (container["label"] or container["said"] or "").strip() if container else ""
            self._begin(out, "", title, _Open(mark, 0))
        else:
            self._put(out, f"`{info}`")
            end = number + 1
            while end < len(self.lines) and self.lines[end].startswith(" " * (indent + 4)):
                end += 1
            self._pad(end)

    def _directive(self, number: int, indent: int, out: int, mark: str, name: str, said: str) -> None:
        first, options = self._options(number + 1)
        base = name if name in CODE or name in HIDDEN else name.rpartition(":")[2]
        closing = self._closing(number, mark)
        first = min(first, closing)
        is_text = base in LABELS or base in VERSIONS  # whose lines are looked at one by one
        inside = [] if is_text else [self._dedented(line) for line in self.lines[first:closing]]
        margin = " " * out
        if base == "eval-rst":
            made, _ = as_markdown([line[out:] for line in inside], [], {})
            self._literal(["", *(f"{margin}{line}" if line else "" for line in made)])
        elif name in CODE or base == "code-block" or (mark[0] != ":" and not _holds_text(base)):
            language = re.sub(r"[^\w+-].*", "", said) if base in LANGUAGES else CODE.get(name, name if name in CELLS else "")
            self._pad(first - 1)
            self._literal([f"{margin}```{language}", *inside, f"{margin}```"])
        elif base == "toctree":
            entries = [] if "hidden" in options else [line.strip() for line in inside]
            self._pad(first)
            self.made += [f"{margin}- [{one}]({one})" if one not in NO_PAGES and "<" not in one else "" for one in entries]
        elif name in HIDDEN or base in ("image", "figure", *INCLUDED):
            shown = f"![{options['alt']}]({said})" if base in ("image", "figure") and options.get("alt") else ""
            self._put(out, f"See [{said}]({said})" if base in INCLUDED and said else shown)
            if base == "figure":
                self._pad(first)
                self.made += inside
        elif base in ("list-table", "csv-table", "table") or base in OBJECTS or base not in LABELS and base not in VERSIONS:
            self._other(out, base, said, options, (first, closing), mark)
            return
        else:
            self._note(out, base, said, mark)
            self._pad(first)
            return
        self._pad(closing + 1)

    def _note(self, out: int, base: str, said: str, mark: str) -> None:
        if base in VERSIONS:
            version, _, said = said.partition(" ")
            self.label = (f"**{VERSIONS[base]} {version}:**", len(self.made))
            self._put(out, said)
            self.open = [*self.open[-DEEPEST:], _Open(mark, 0)]
        else:
            self._begin(out, _label(base), said, _Open(mark, 0))

    def _other(self, out: int, base: str, said: str, options: Mapping[str, str], lines: tuple[int, int], mark: str) -> None:
        first, closing = lines
        if base in ("list-table", "csv-table"):
            kept = [f"   {key}" for key in (f":{name}: {value}" for name, value in options.items())]
            made, _ = as_markdown(
                [f".. {base}:: {said}", *kept, "", *(f"   {line}" for line in self.lines[first:closing])], [], {}
            )
            self._put(out, f"**{said}**" if said else "")
            self.made += [line for line in made if line.startswith("|")]
            self._pad(closing + 1)
        elif base in OBJECTS or base.startswith("auto"):
            self._put(out, f"`{said}`" if said else "")
            self.open = [*self.open[-DEEPEST:], _Open(mark, 0)]
            self._pad(first)
        else:
            self._begin(out, "", said, _Open(mark, 0))
            self._pad(first)

    def _options(self, first: int) -> tuple[int, dict[str, str]]:
        """The settings below a directive: lines ":name: value", or YAML between rules."""
        options: dict[str, str] = {}
        if first < len(self.lines) and self.lines[first].strip() == "---":
            end = next((at for at in range(first + 1, len(self.lines)) if self.lines[at].strip() == "---"), first)
            for line in self.lines[first + 1 : end]:
                name, _, said = line.partition(":")
                options[name.strip()] = said.strip()
            return (end + 1, options) if end > first else (first, {})
        while first < len(self.lines) and (option := _OPTION.match(self.lines[first])):
            options[option["name"]] = (option["said"] or "").strip()
            first += 1
        return first, options


def _holds_text(base: str) -> bool:
    """Whether what a directive between backquotes holds is Markdown; of one that nobody knows it is shown as it is."""
    known = (LABELS, VERSIONS, HIDDEN, INCLUDED, OBJECTS, TITLED, TEXTUAL)
    return base.startswith("auto") or any(base in one for one in known)


def _label(name: str) -> str:
    low = name.casefold()
    return LABELS.get(low, "" if low in ("admonition", "details", "tab", "dropdown") else name.capitalize())


def _titled(label: str, title: str) -> str:
    """A title in bold that ends like a sentence, so that the text behind it is one of its own."""
    words = title.strip().replace("**", "")
    stop = "" if words[-1:] in ".!?:" else "."
    return f"{label[:-2]} {words}{stop}**" if label else f"**{words}{stop}**"


def _values(front: Mapping[str, object]) -> dict[str, str]:
    """The substitutions that the settings at the top give values to, as MyST has them."""
    myst = front.get("myst")
    found = front.get("substitutions") or (myst.get("substitutions") if isinstance(myst, dict) else None)
    if not isinstance(found, dict):
        return {}
    return {str(name).casefold(): str(value) for name, value in found.items() if isinstance(value, str | int | float)}


def _titles(lines: Sequence[str]) -> dict[str, str]:
    """The headings of a file by the labels that stand above them."""
    titles: dict[str, str] = {}
    waiting: list[str] = []
    for line in lines:
        bare = line.strip()
        if bare[:1] == "(" and (label := _LABEL.match(bare)):
            waiting.append(label["name"].casefold())
        elif bare and waiting:
            if bare[0] == "#":
                titles.update(dict.fromkeys(waiting, bare.strip("# ").replace("`", "").replace("*", "")))
            waiting = []
    return titles
