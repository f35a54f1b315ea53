"""The blocks of reStructuredText as Markdown, line by line: directives, code, tables and fields as a reader of the page sees them.

What a directive holds moves to the margin of the directive, so that a note is text and not code. Lines keep their places.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from connectors.formats import restructured_tables as tables
from connectors.formats.lines import Heading
from connectors.formats.rewritten import Rewritten, indent_of
from connectors.formats.sphinx_inline import LONGEST, References, convert_paragraphs, from_rst

LONGEST_TITLE = 80
MOST_LINES = 500  # of a table between rules
ASIDES = {
    **{name: name.capitalize() for name in ("note", "tip", "hint", "important", "warning", "caution", "danger", "attention", "error")},
    "seealso": "See also", "todo": "To do", "info": "Note", "success": "Note", "failure": "Warning", "bug": "Warning",
}  # fmt: skip
VERSIONS = {
    "versionadded": "Added in version", "versionchanged": "Changed in version", "deprecated": "Deprecated since version",
    "versionremoved": "Removed in version", "deprecated-removed": "Deprecated since version",
}  # fmt: skip
CODE = {
    "code": "", "code-block": "", "sourcecode": "", "prompt": "", "code-cell": "", "literalblock": "", "parsed-literal": "", "math": "",
    "doctest": "pycon", "testcode": "python", "testoutput": "", "ipython": "python", "click:example": "python", "productionlist": "",
    "console": "console", "graphviz": "dot", "mermaid": "mermaid", "digraph": "dot", "uml": "", "highlight-block": "",
}  # fmt: skip
HIDDEN = frozenset(
    """toctree contents index module currentmodule py:module py:currentmodule highlight meta sectionauthor codeauthor moduleauthor
    tabularcolumns default-role role raw rst-class testsetup testcleanup click:run include-start ifconfig sectnum header footer
    image-end default-domain autosummary-end keywords autosummary""".split()  # noqa: SIM905
)
LANGUAGES = frozenset(("code", "code-block", "sourcecode", "code-cell", "highlight-block"))
OBJECTS = frozenset(
    """data confval setting signal option envvar function class method attribute property exception module macro type command classmethod
    staticmethod decorator program cmdoption rst:directive object var struct enum member""".split()  # noqa: SIM905
)
TITLED = frozenset(
    "rubric topic sidebar admonition tab tab-item dropdown card grid-item-card collapse details group-tab code-tab".split()
)  # noqa: SIM905
NO_PAGES = frozenset(("", "genindex", "modindex", "search", "self", "py-modindex"))  # of a table of contents
INCLUDED = frozenset(("include", "literalinclude", "mdinclude"))

_DIRECTIVE = re.compile(r"\.\. (?P<name>[A-Za-z][\w:+.-]{0,40}?)\s?::(?:[ \t]+(?P<said>.*))?\Z")
_NOTE = re.compile(r"\.\. \[(?P<name>#[\w-]{0,60}|\d{1,4}|\*|[A-Za-z][\w.-]{0,60})\](?:[ \t]+(?P<said>.*))?\Z")
_ADDRESS = re.compile(r"\s*\.\. _(?:`(?P<quoted>[^`]{1,200})`|(?P<name>(?:[^:\\]|\\.|:(?! )){1,200})):[ \t]+(?P<to>\S.*)\Z")
_VALUE = re.compile(r"\s*\.\. \|(?P<name>[^|\n]{1,60})\| replace::[ \t]+(?P<said>.*)\Z")
_OPTION = re.compile(r"[ \t]+:(?P<name>[\w-]{1,40}):(?:[ \t]+(?P<said>.*))?\Z")
_FIELD = re.compile(r":(?P<name>[A-Za-z][\w+-]{0,30})(?:[ ]+(?P<of>[^:`]{1,100}))?:(?:[ \t]+(?P<said>.*))?\Z")
_ITEM = re.compile(r"(?:[-*+•]|\(?(?:\d{1,4}|[a-zA-Z])[.)])[ \t]+(?=\S)")
_CLASSIFIER = re.compile(r"(?P<term>\S.*?) : (?P<kind>\S.*)\Z")  # "width : int"
_SWITCHES = re.compile(
    r"(?P<names>(?:-[A-Za-z]|--[A-Za-z][\w-]{0,40})(?:[ =][\w<>-]{1,30})?(?:, (?:-[A-Za-z]|--[A-Za-z][\w-]{0,40})(?:[ =][\w<>-]{1,30})?){0,3})[ ]{2,}(?P<said>\S.*)\Z"
)
_HEADER = re.compile(r"(?:[A-Z][\w-]{0,40}|:[\w -]{1,60}):[ \t]")  # "Author: ", ":param x: "
LONGEST_TERM = 150
_ENTRY = re.compile(r"(?P<title>[^<>]*)<(?P<to>[^<>]+)>\Z")
_ON_PAGES = re.compile(r"(?<!\bnot )\b(?:builder_)?html\b|\bnot (?!(?:builder_)?html\b)\w")
_PARAMETER = frozenset(("param", "parameter", "arg", "argument", "key", "keyword", "kwarg", "var", "ivar", "cvar"))
_RESULTS = {"returns": "Returns", "return": "Returns", "rtype": "Return type", "raises": "Raises", "raise": "Raises", "yields": "Yields",
            "except": "Raises", "exception": "Raises"}  # fmt: skip


def as_markdown(lines: Sequence[str], headings: Sequence[Heading], titles: Mapping[str, str]) -> tuple[list[str], list[Heading]]:
    """At least as many lines, each where it was, and the headings with those of what is described ("function", "setting").

    `titles`: of the sections that have a label.
    """
    known = References(titles)
    _collect(lines, known)
    page = _Page(lines, headings, known)
    page.run()
    return page.made, sorted(page.headings, key=lambda heading: heading.start)


def _collect(lines: Sequence[str], known: References) -> None:
    """The addresses, values and footnotes that a file gives names to."""
    used = set(re.findall(r"\[(#[\w-]*|\d{1,4}|\*)\]_", "\n".join(line for line in lines if "]_" in line)))
    for number, line in enumerate(lines):
        bare = line.lstrip()
        if not bare.startswith(".. ") or bare[3:4] not in "_|[":
            continue
        if match := _ADDRESS.match(line):
            name = (match["quoted"] or match["name"]).replace("\\", "").casefold()
            known.addresses.setdefault(name, match["to"].strip())
        elif match := _VALUE.match(line):
            known.values.setdefault(match["name"].casefold(), match["said"].strip())
        elif (match := _NOTE.match(bare)) and match["name"] in used:
            said = " ".join([match["said"] or "", *(one.strip() for one in lines[number + 1 : _end(lines, number)])]).strip()
            if said and len(said) <= LONGEST:
                known.notes.setdefault(match["name"].lstrip("#").casefold() or match["name"], from_rst(said, known))


def _end(lines: Sequence[str], number: int) -> int:
    """The first line behind those that are indented below a line."""
    indent = indent_of(lines[number])
    end = number + 1
    while end < len(lines) and (not lines[end].strip() or indent_of(lines[end]) > indent):
        end += 1
    return end


class _Page(Rewritten):
    """The lines of a file, what they are in Markdown, and what is open above the line that is looked at."""

    def __init__(self, lines: Sequence[str], headings: Sequence[Heading], known: References) -> None:
        super().__init__(lines)
        self.known = known
        self.headings = list(headings)
        self.begins = {heading.start: heading for heading in headings}
        self.notes: dict[str, int] = {}  # where the footnotes stand that are told where they are referred to
        self.open: list[tuple[int, int, bool]] = []  # margins of a directive and of what it holds; whether it describes an object
        self.label: tuple[str, int] | None = None  # that stands before the next text, and the line of its directive
        self.term: tuple[str, int, int] | None = None  # the same of a term and its definition, and the margin where it stands
        self.level, self.title = 0, ""  # of the heading above

    def run(self) -> None:
        while (number := len(self.made)) < len(self.lines):
            if number in self.begins:
                heading = self.begins[number]
                self._flush()
                self.level, self.title, self.open = heading.level, heading.title, []
                self.verbatim.update(range(number, heading.end))
                self.made += self.lines[number : heading.end]
                if heading.end == number + 1:  # a line that names what is indented below it
                    self._hold(indent_of(self.lines[number]), self._after(heading.end, len(self.lines)), _end(self.lines, number))
            else:
                self._line(number)
        self._convert_inline()

    def _convert_inline(self) -> None:
        convert_paragraphs(self.made, self.verbatim, lambda text: from_rst(text, self.known))
        for name, number in self.notes.items():
            if name not in self.known.told:
                self.made[number] = self.known.notes[name]

    def _line(self, number: int) -> None:
        line = self.lines[number]
        bare = line.strip()
        if not bare:
            self.made.append("")
            return
        indent = indent_of(line)
        while self.open and indent < self.open[-1][1]:
            self.open.pop()
        out = max(0, indent - sum(inner - outer for outer, inner, _ in self.open))
        if bare.startswith((".. ", "__ ")) or bare == "..":
            self._explicit(number, indent, out, bare)
        elif bare.startswith(">>> ") and self._is_blank(number - 1):
            self._doctest(number, out)
        elif (bare[0] == "+" and tables.GRID.match(bare)) or (
            bare[0] == "=" and tables.RULE.match(bare) and self._closing_rule(number)
        ):
            self._table(number, indent, out)
        elif bare[0] == "|" and bare[1:2] in ("", " ") and not bare.endswith("|"):
            self._put(out, bare[1:].strip())
        elif bare[0] == ":" and (field := _FIELD.match(bare)) and self._is_list(number):
            self._put(out, _field(field))
        else:
            self._text(number, indent, out, bare)

    def _is_list(self, number: int) -> bool:
        return self._is_blank(number - 1) or number - 1 in self.verbatim or self._follows_field(number)

    def _follows_field(self, number: int) -> bool:
        before = number - 1
        while before > 0 and indent_of(self.lines[before]) > indent_of(self.lines[number]) and self.lines[before].strip():
            before -= 1
        return bool(_FIELD.match(self.lines[before].strip()) or self.lines[before].lstrip().startswith(".. "))

    # ---- what goes out

    def _put(self, out: int, said: str) -> None:
        if self.term and said:
            term, at, margin = self.term
            if _ITEM.match(said):
                self.made[at] = f"{' ' * margin}{term}"
            else:
                said, out = f"{term} {said}", margin
            self.term = None
        if self.label and said:
            label, at = self.label
            if _ITEM.match(said):
                self.made[at] = f"{self.made[at]}{label}" if not self.made[at] else self.made[at]
            else:
                said = f"{label} {said}"
            self.label = None
        quoted = "\\" if said.startswith(">") else ""  # ">= 2" that begins a line is no quotation
        self.made.append(f"{' ' * out}{quoted}{said}" if said else "")

    def _flush(self) -> None:
        """The label of a note that begins with no text stands in the line of its directive, a term in its own."""
        if self.term:
            term, at, margin = self.term
            self.made[at], self.term = f"{' ' * margin}{term}", None
        if self.label:
            self.made[self.label[1]] = self.label[0]
            self.label = None

    def _text(self, number: int, indent: int, out: int, bare: str) -> None:
        if switches := _SWITCHES.match(bare):
            self._put(out, f"- `{switches['names']}`: {switches['said']}")
            self.open.append((indent + 2, indent + switches.start("said"), False))
            return
        if self._is_term(number, indent, bare):
            self._flush()
            kind = _CLASSIFIER.match(bare)
            term, kinds = (kind["term"], f" ({kind['kind']})") if kind else (bare.rstrip(":"), "")
            self.made.append("")
            self.term = f"- {term if '`' in term or '*' in term else f'**{term}**'}{kinds}:", number, out
            self.open.append((indent + 2, indent_of(self.lines[number + 1]), False))
            return
        body = self._after(number + 1, len(self.lines))
        is_literal = bare.endswith("::") and body > number + 1 and body < len(self.lines) and indent_of(self.lines[body]) > indent
        if not is_literal:
            self._put(out, bare)
            return
        said = bare[:-1] if bare[-3:-2].strip() else bare[:-2].rstrip()
        item = _ITEM.match(bare)
        inside = item.end() if item else 0  # where the text of an item begins: what stands there again is text too
        self._put(out, "" if not bare.strip(":") else said)
        margin = indent + inside if indent_of(self.lines[body]) > indent + inside else indent
        self._code(body, margin, out + inside, "")

    def _is_term(self, number: int, indent: int, bare: str) -> bool:
        """Whether what is indented below this line, without a blank line between, is its definition."""
        if self._is_blank(number + 1) or indent_of(self.lines[number + 1]) <= indent or number + 1 in self.begins:
            return False
        if len(bare) > LONGEST_TERM or bare.endswith("::") or _ITEM.match(bare) or _HEADER.match(bare):
            return False
        before = number - 1
        return self._is_blank(before) or before in self.verbatim or indent_of(self.lines[before]) > indent

    def _after(self, number: int, end: int) -> int:
        """The next line that is not blank."""
        while number < end and not self.lines[number].strip():
            number += 1
        return number

    def _code(self, body: int, indent: int, out: int, language: str) -> None:
        """Lines of code in a fence, where there is a blank line for each of its marks; else indented."""
        self._flush()
        end = body
        while end < len(self.lines) and (not self.lines[end].strip() or indent_of(self.lines[end]) > indent):
            end += 1
        while end > body and not self.lines[end - 1].strip():
            end -= 1
        inside = self.lines[body:end]
        margin = min((indent_of(line) for line in inside if line.strip()), default=0)
        mark = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", "\n".join(inside)) if len(run) > 2), 3)
        is_fenced = len(self.made) < body and self._is_blank(end)
        self._pad(body - 1)
        space = " " * (out if is_fenced else out + 4)
        if len(self.made) < body:
            self._literal([f"{space}{mark}{language}" if is_fenced else ""])
        self._literal([f"{space}{line[margin:]}" if line.strip() else "" for line in inside])
        if is_fenced:
            self._literal([f"{space}{mark}"])

    def _literal(self, lines: Sequence[str]) -> None:
        self.verbatim.update(range(len(self.made), len(self.made) + len(lines)))
        self.made += lines

    def _doctest(self, number: int, out: int) -> None:
        self._flush()
        end = number
        while not self._is_blank(end) or (not self._is_blank(end + 1) and self.lines[end + 1].lstrip().startswith(">>> ")):
            end += 1
        margin = indent_of(self.lines[number])
        if number and not self.made[-1]:
            self.made.pop()
            self._literal([f"{' ' * out}```pycon"])
        else:
            self._pad(number)
        self._literal([f"{' ' * out}{line[margin:]}" for line in self.lines[number:end]])
        if self.made[number - 1].endswith("```pycon"):
            self._literal([f"{' ' * out}```"])

    def _table(self, number: int, indent: int, out: int) -> None:
        self._flush()
        end = number + 1
        if self.lines[number].lstrip()[0] == "+":
            while not self._is_blank(end):
                end += 1
            made = tables.in_grid([line[indent:] for line in self.lines[number:end]])
        else:
            end = self._closing_rule(number) + 1
            made = tables.between_rules([line[indent:] for line in self.lines[number:end]])
        self._rows(made, end, out)

    def _closing_rule(self, number: int) -> int:
        """The last line of a table between rules; 0 where a line only looks like one."""
        for at in range(number + 1, min(number + MOST_LINES, len(self.lines))):
            if self._is_blank(at + 1) and tables.RULE.match(self.lines[at].strip()):
                return at
        return 0

    def _rows(self, made: Sequence[str], end: int, out: int) -> None:
        self.made += [f"{' ' * out}{row}" for row in made]
        self._pad(end)

    # ---- what begins with two full stops

    def _explicit(self, number: int, indent: int, out: int, bare: str) -> None:
        end = _end(self.lines, number)
        if directive := _DIRECTIVE.match(bare):
            self._directive(number, indent, out, directive["name"].casefold(), (directive["said"] or "").strip(), end)
        elif note := _NOTE.match(bare):
            name = note["name"].lstrip("#").casefold() or note["name"]
            if name in self.known.notes:
                self.notes.setdefault(name, number)
                self._pad(end)
            else:
                self._put(out, note["said"] or "")
                self._hold(indent, self._after(number + 1, end), end)
        else:  # a label, the value of a name, a comment
            self._pad(end)

    def _hold(self, indent: int, body: int, end: int, is_object: bool = False) -> None:
        if body < end:
            self._pad(body)
            self.open.append((indent, indent_of(self.lines[body]), is_object))

    def _directive(self, number: int, indent: int, out: int, name: str, said: str, end: int) -> None:
        first, options = self._options(number + 1, end)
        body = self._after(first, end)
        is_hidden = name in HIDDEN or (name == "only" and not _is_for_pages(said))
        base = name if name in CODE or name in HIDDEN else name.rpartition(":")[2]
        if name in CODE:
            if body < end:
                self._code(body, indent, out, re.sub(r"[^\w+-].*", "", said) if name in LANGUAGES else CODE[name])
        elif base == "toctree":
            entries = () if "hidden" in options or "titlesonly-hidden" in options else range(body, end)
            self._pad(body)
            self.made += [
                " " * out + _entry(self.lines[at].strip()) if self.lines[at].strip() not in NO_PAGES else "" for at in entries
            ]
        elif is_hidden:
            pass
        elif base in INCLUDED:
            self._put(out, f"See [{said}]({said})" if said else "")
        elif base in ("image", "figure"):
            alt = options.get("alt", "")
            self._put(out, f"![{alt}]({said})" if alt else "")
            self._hold(indent, body, end)
            end = body if body < end else end
        elif convert := self._table_of(base, options):
            self._put(out, f"**{said}**" if said else "")
            self._rows(
                ["", *convert(self.lines[body:end])] if body == len(self.made) else convert(self.lines[body:end]), end, out
            )
        else:
            self._described(number, indent, out, (name, base), said, (first, body, end))
            return
        self._pad(end)

    def _table_of(self, name: str, options: Mapping[str, str]) -> Callable[[Sequence[str]], list[str]] | None:
        rows = options.get("header-rows", "0")
        header = int(rows) if rows.isdigit() else 0
        if name == "list-table":
            return lambda lines: tables.as_list(lines, header)
        if name == "csv-table" and "file" not in options and "url" not in options:
            return lambda lines: tables.separated(lines, options.get("header", ""), header)
        return None

    def _described(
        self, number: int, indent: int, out: int, names: tuple[str, str], said: str, lines: tuple[int, int, int]
    ) -> None:
        """Notes, objects and all else that holds text of its own."""
        first, body, end = lines
        name, base = names
        is_object = False
        if base in ASIDES or base in VERSIONS:
            version, _, said = said.partition(" ") if base in VERSIONS else ("", "", said)
            self._flush()
            self.label = (f"**{f'{VERSIONS[base]} {version}'.strip() if base in VERSIONS else ASIDES[base]}:**", number)
            self._put(out, said)
            if body == end and self.label:  # "Added in version 3." says all
                self.made[number], self.label = f"{' ' * out}{self.label[0].removesuffix(':**')}.**", None
        elif base in OBJECTS and said and body < end and self._stands_alone(end):
            is_object = True
            self._headed(number, said, body)
        elif base in OBJECTS and body == end and self._after(end, len(self.lines)) in self.begins:
            pass  # only makes an entry in the index
        elif base in OBJECTS or base.startswith("auto"):
            self._put(out, "" if said == self.title else f"`{said}`" if said and "`" not in said else said)
        elif base in TITLED and said:
            self._put(out, f"**{said.replace('*', '')}**" if said.strip("\\* ") else "")
        else:
            self._put(out, said if (" " in said and base != "only") or base == "glossary" else "")
        self._pad(number + 1)
        self._hold(indent, body, end, is_object)
        self._pad(end if body == end else body)

    def _stands_alone(self, end: int) -> bool:
        """Whether what comes after an object is not text that would seem to belong to it."""
        after = self._after(end, len(self.lines))
        return after == len(self.lines) or after in self.begins or self.lines[after].lstrip().startswith(".. ")

    def _headed(self, number: int, said: str, body: int) -> None:
        signature = from_rst(said, self.known).replace("`", "")
        is_long = len(signature) > LONGEST_TITLE and body > number + 1
        title = signature.partition("(")[0] if is_long and "(" in signature else signature
        depth = sum(is_object for *_, is_object in self.open)
        if title != self.title:
            self.headings.append(Heading(self.level + 1 + depth, title, number, number + 1))
            self._put(0, "")
        if is_long or (title == self.title and signature != title):
            self._put(0, f"`{signature}`")

    def _options(self, first: int, end: int) -> tuple[int, dict[str, str]]:
        options: dict[str, str] = {}
        margin, name = -1, ""
        while first < end and self.lines[first].strip():
            if (option := _OPTION.match(self.lines[first])) and (margin < 0 or indent_of(self.lines[first]) == margin):
                margin, name = indent_of(self.lines[first]), option["name"]
                options[name] = (option["said"] or "").strip()
            elif 0 <= margin < indent_of(self.lines[first]):
                options[name] = f"{options[name]} {self.lines[first].strip()}".strip()
            else:
                break
            first += 1
        return first, options


def _is_for_pages(tags: str) -> bool:
    """Whether what "only" holds is shown on a page: "html", "not latex", and not "latex" or "man"."""
    return _ON_PAGES.search(tags) is not None


def _entry(said: str) -> str:
    """A line of a table of contents as a link."""
    match = _ENTRY.match(said)
    title, to = (match["title"].strip(), match["to"]) if match else (said, said)
    return f"- [{title or to}]({to})"


def _field(match: re.Match[str]) -> str:
    name, of, said = match["name"], (match["of"] or "").strip(), match["said"] or ""
    low = name.casefold()
    if low in _PARAMETER and of:
        sort, _, last = of.rpartition(" ")
        return f"- `{last}`{f' ({sort})' if sort else ''}: {said}".rstrip()
    if low in ("type", "vartype") and of:
        return f"- Type of `{of}`: {said}".rstrip()
    if low in _RESULTS:
        return f"- {_RESULTS[low]}{f' `{of}`' if of else ''}: {said}".rstrip()
    words = f"{name} {of}".strip().replace("_", " ")
    return f"- {words[0].upper()}{words[1:]}: {said}".rstrip()
