"""HTML as Markdown: headings, paragraphs, lists, tables and code; no scripts, no menus, nothing fetched.

lxml parses: a report of 2.4 MB takes it 0.05 s, BeautifulSoup 0.85 s. The conversion is ours, because sections with
their headings are wanted, and not one long Markdown text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html import escape, unescape

from lxml import etree, html

from connectors.base import Locator, Problem
from connectors.formats.encoding import decode
from connectors.formats.flow import Flow, struck
from connectors.formats.grid import is_without_header, pipe_tables
from connectors.formats.parsed import Options, Parsed, Unreadable

DROPPED = frozenset(
    [
        "script",
        "style",
        "noscript",
        "template",
        "svg",
        "iframe",
        "object",
        "embed",
        "canvas",
        "audio",
        "video",
        "map",
        "button",
        "input",
        "select",
        "textarea",
        "nav",
        "head",
        "link",
        "meta",
        "dialog",
    ]
)
DROPPED_ROLES = frozenset(("navigation", "banner", "contentinfo", "search", "complementary", "menu", "menubar", "dialog"))
BOILERPLATE = re.compile(
    r"(?:^|[\s_-])(?:navbar|nav|navbox|navigation|breadcrumbs?|sidebar|side-bar|menu|toc|cookies?|share|sharing|social|"
    r"related|newsletter|subscribe|advert|ads|banner|footer|pagination|pager|skip-link|printfooter|catlinks|editsection|"
    r"noprint|headerlink|screen-reader-text|sr-only|visually-hidden|comments?-form)(?:$|[\s_-])",
    re.I,
)
PAGE_EDGES = frozenset(("header", "footer", "aside"))
CONTAINERS = frozenset(
    [
        "html",
        "body",
        "main",
        "article",
        "section",
        "div",
        "header",
        "footer",
        "aside",
        "form",
        "fieldset",
        "center",
        "address",
        "figure",
        "details",
        "hgroup",
        "td",
        "th",
        "tr",
        "tbody",
        "thead",
        "tfoot",
        "table",
        "dl",
        "dd",
        "dt",
        "li",
        "ul",
        "ol",
        "p",
        "blockquote",
        "pre",
        "hr",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "figcaption",
        "summary",
        "caption",
        "legend",
        "dir",
        "menu",
    ]
)
HEADINGS = {f"h{level}": level for level in range(1, 7)}
DOCUMENT_LINK = re.compile(r"^(?![a-z]+:|/|#)[^?#]+\.(?:html?|md|rst|txt|pdf|docx?|pptx?|xlsx?|odt)(?:#.*)?$", re.I)
META_CHARSET = re.compile(rb"""<meta[^<>]+charset\s*+=\s*+["']?+\s*+([\w-]++)|<\?xml[^<>]+encoding\s*+=\s*+["']([\w-]++)""", re.I)
STRUCK_STYLE = re.compile(r"text-decoration(?:-line)?\s{0,3}:[^;]{0,60}?\bline-through\b", re.I)
BOLD_STYLE = re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)", re.I)
NORMAL_STYLE = re.compile(r"font-weight\s*:\s*(?:normal|[1-5]00)", re.I)
FEWEST_QUESTIONS = 2  # in bold, each at the beginning of its paragraph, for a page to be one of questions and answers
MAX_REPEATED = 2  # a bold line that comes more often is the head of each printed page
MAX_SPAN = 100
MAX_TABLE_CELLS = 200_000
MAX_DEPTH = 200
TAG = re.compile(r"<(/?)([a-zA-Z][\w:-]*+)?[^<>]*+>")
FLATTENED = "data-flattened"  # set on a page that is nested too deeply for its tree to be built
TOO_DEEP = Problem(
    "partial", "This page is nested too deeply for its structure to be read: its text was read without headings and tables."
)
FEWEST_WORDS = 5  # that stand in no link: from here on a block is text, whatever it is called
# what is left out, text or not, and told
ADVERTISING = re.compile(r"(?:^|[\s_-])(?:cookies?|newsletter|subscribe|advert|ads|share|sharing|social)(?:$|[\s_-])", re.I)


def read(name: str, data: bytes, options: Options) -> Parsed:
    root = parse_tree(data)
    flow = convert(root)
    sections = flow.sections()
    title = _page_title(root) or flow.first_heading
    return Parsed("html", sections, title, _metadata(root), tuple(flow.problems))


def convert_text(markup: str, locator: Locator = Locator()) -> Flow:
    """A piece of HTML that is already text: a mail's body, an entry of a feed."""
    return convert(parse_tree(markup.encode("utf-8", "replace"), "utf-8"), locator)


def parse_tree(data: bytes, claimed: str = "") -> html.HtmlElement:
    """The tree of a page, its encoding found first: what a page claims is often not true."""
    if not claimed and (match := META_CHARSET.search(data[:2048])):
        claimed = (match[1] or match[2]).decode("ascii", "replace")
    text = re.sub(r"^\s*<\?xml[^>]*\?>", "", decode(data, claimed))
    parser = html.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        root = html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except etree.ParserError as error:
        raise Unreadable("empty", "There is no text in this page.") from error
    if any("Excessive depth" in entry.message for entry in parser.error_log):
        root = html.document_fromstring("".join(f"<p>{escape(line)}</p>" for line in _without_tags(text)))
        root.set(FLATTENED, "")
    return root


def _without_tags(text: str) -> Iterator[str]:
    """The lines of a page, its tags taken out one by one."""
    parts: list[str] = []
    at, skipped = 0, ""
    for match in TAG.finditer(text):
        if not skipped:
            parts.append(text[at : match.start()])
        at, tag = match.end(), (match[2] or "").lower()
        if tag in ("script", "style"):
            skipped = "" if match[1] else tag
        parts.append("\n" if tag in CONTAINERS or tag == "br" else "")
    parts.append("" if skipped else text[at:])
    return (line for line in unescape("".join(parts)).split("\n") if line.strip())


def convert(root: html.HtmlElement, locator: Locator = Locator()) -> Flow:
    """The content of a page; if leaving out menus and the like would leave next to nothing, all of it."""
    main = _main_part(root)
    whole = len(" ".join(_visible_text(main).split()))
    for drop in (True, False):
        flow = Flow(locator)
        converter = _Converter(flow, drop)
        converter.page(main)
        flow.problems.extend(converter.problems())
        if root.get(FLATTENED) is not None:
            flow.problems.append(TOO_DEEP)
        kept = sum(len(section.text) for section in flow.sections())
        if kept > 0.2 * whole or whole - kept < 400:
            break
    return flow


def _main_part(root: html.HtmlElement) -> html.HtmlElement:
    body = root.find(".//body")
    body = root if body is None else body
    whole = len(_visible_text(body))
    for path in (".//main", ".//*[@role='main']", ".//article"):
        found = body.findall(path)
        if len(found) == 1 and len(_visible_text(found[0])) > 0.3 * whole:
            return found[0]
    return body


def _visible_text(node: html.HtmlElement) -> str:
    return "".join(node.xpath(".//text()[not(ancestor::script or ancestor::style or ancestor::noscript or ancestor::template)]"))


def _page_title(root: html.HtmlElement) -> str:
    return " ".join((root.findtext(".//title") or "").split())


def _metadata(root: html.HtmlElement) -> dict[str, str]:
    wanted = {"author": "author", "description": "description", "date": "date", "article:published_time": "date"}
    found: dict[str, str] = {}
    for meta in root.iterfind(".//meta"):
        name = wanted.get((meta.get("name") or meta.get("property") or "").lower())
        content = " ".join((meta.get("content") or "").split())
        if name and content:
            found.setdefault(name, content[:500])
    return found


class _Converter:
    """Walks a page once and hands headings and blocks to a flow."""

    def __init__(self, flow: Flow, drop_boilerplate: bool) -> None:
        self.flow = flow
        self.drop_boilerplate = drop_boilerplate
        self.words_dropped = 0  # of advertising and the like, that stand in no link
        self.has_large_table = False

    def problems(self) -> Iterator[Problem]:
        """What of the page was left out."""
        if self.words_dropped:
            words = "1 word" if self.words_dropped == 1 else f"{self.words_dropped:,} words"
            yield Problem("partial", f"Blocks marked as advertising, sharing or cookie notices were left out ({words}).")
        if self.has_large_table:
            yield Problem("limit", f"Of a table with more than {MAX_TABLE_CELLS:,} cells only the first were read.")

    def page(self, node: html.HtmlElement) -> None:
        items = list(self._items(node, 0, edges=True))
        blocks = [item for item in items if isinstance(item, str)]
        bold_heads = Counter(map(_bold_title, blocks) if len(blocks) == len(items) else ())
        are_questions = sum(_BOLD_QUESTION.match(block) is not None for block in blocks) >= FEWEST_QUESTIONS
        level = 1  # of the heading above
        for item in items:
            if isinstance(item, tuple):
                level = item[0]
                self.flow.heading(*item)
            elif are_questions and (match := _BOLD_QUESTION.match(item)):
                self.flow.heading(level + 1, " ".join(match["question"].split()))
                if answer := item[match.end() :].replace(BOLD, "").strip():
                    self.flow.block(answer)
            elif (title := _bold_title(item)) and 0 < bold_heads[title] <= MAX_REPEATED:
                self.flow.heading(1 if title.isupper() else 2, title)
            else:
                self.flow.block(item.replace(BOLD, ""))

    def _items(self, node: html.HtmlElement, depth: int, edges: bool = False) -> Iterator[str | tuple[int, str]]:
        """Blocks, and headings as (level, title), of what is in a node."""
        inline: list[str] = [node.text or ""]
        if depth > MAX_DEPTH:
            yield _squeeze(_visible_text(node))
            return
        for child in node:
            if not isinstance(child.tag, str) or self._is_dropped(child, edges):
                pass
            elif child.tag not in CONTAINERS and not _holds_blocks(child):
                inline.append(self._inline(child, depth + 1))
            else:
                if text := _squeeze("".join(inline)):
                    yield text
                inline = []
                yield from self._block(child, depth + 1, edges)
            inline.append(child.tail or "")
        if text := _squeeze("".join(inline)):
            yield text

    def _block(self, node: html.HtmlElement, depth: int, edges: bool) -> Iterator[str | tuple[int, str]]:
        tag = node.tag
        if tag in HEADINGS:
            yield HEADINGS[tag], _squeeze(self._inline(node, depth)).replace(BOLD, "").replace("`", "").rstrip("¶# ")
        elif tag in ("ul", "ol", "dir", "menu"):
            yield self._list(node, depth)
        elif tag == "pre":
            yield _fence(node)
        elif tag == "blockquote":
            yield "\n>\n".join(_indent(text, "> ", "> ") for text in self._texts(node, depth))
        elif tag == "table":
            yield from self._table(node, depth)
        elif tag == "dl":
            yield self._definitions(node, depth)
        elif tag == "hr":
            return
        else:
            items = self._items(node, depth, edges and tag in ("html", "body", "div"))
            yield from map(_embolden, items) if _is_bold(node) else items

    def _texts(self, node: html.HtmlElement, depth: int) -> Iterator[str]:
        """The blocks of a node where no heading can begin a section: in a list, a quotation, a cell."""
        for item in self._items(node, depth):
            text = item[1] if isinstance(item, tuple) else item
            if text.strip():
                yield text

    def _list(self, node: html.HtmlElement, depth: int) -> str:
        lines = []
        start = node.get("start", "1")
        number = int(start) if start.isdigit() and len(start) < 9 else 1
        for child in node:
            if not isinstance(child.tag, str) or self._is_dropped(child, False):
                continue
            mark = f"{number}. " if node.tag == "ol" else "- "
            texts = list(self._texts(child, depth + 1)) if child.tag not in ("ul", "ol") else [self._list(child, depth + 1)]
            if not texts:
                continue
            number += child.tag == "li"
            lines.append(_indent(texts[0], mark if child.tag == "li" else "  "))
            for text in texts[1:]:
                tight = re.match(r"(- |\d+\. )", text)
                lines.append(("" if tight else "\n") + _indent(text, " " * len(mark)))
        return "\n".join(lines)

    def _definitions(self, node: html.HtmlElement, depth: int) -> str:
        lines = []
        for child in node.iter("dt", "dd"):
            if child.getparent() is not node and child.getparent().tag != "div":
                continue
            texts = list(self._texts(child, depth + 1))
            if child.tag == "dt":
                lines.append(f"- {' '.join(texts)}")
            else:
                lines.extend(_indent(text, "  ") for text in texts)
        return "\n".join(lines)

    def _table(self, node: html.HtmlElement, depth: int) -> Iterator[str | tuple[int, str]]:
        rows = [row for row in node.iter("tr") if _table_of(row) is node]
        if (caption := node.find("caption")) is not None:
            yield _squeeze(self._inline(caption, depth))
        nested = next(node.iterdescendants("table"), None) is not None
        if len(rows) == 1 and not nested and (line := self._one_line(rows[0], depth)):
            yield line
            return
        layout = nested or len(rows) <= 1
        if layout or all(len(row) == 1 for row in rows):
            for row in rows:
                for cell in row.iterchildren("td", "th"):
                    yield from self._items(cell, depth + 1)
            return
        grid = _join_symbols(self._grid(rows, depth))
        if next(node.iterdescendants("th", "thead"), None) is None and is_without_header(grid):
            yield "\n".join(f"- {' · '.join(filter(None, map(str.strip, row)))}" for row in grid if any(map(str.strip, row)))
        else:
            yield from pipe_tables(grid)

    def _one_line(self, row: html.HtmlElement, depth: int) -> str:
        """A table that is one row of a few words: the way some pages set a heading or a bullet."""
        texts = [list(self._texts(cell, depth + 1)) for cell in row.iterchildren("td", "th")]
        short = all(len(text) <= 1 for text in texts) and sum(len(text[0]) for text in texts if text) < 150
        return " ".join(text[0] for text in texts if text) if short else ""

    def _grid(self, rows: list[html.HtmlElement], depth: int) -> list[list[str]]:
        """Cells by row and column; a cell that spans rows is repeated in each, one that spans columns stands in the first."""
        grid: list[list[str]] = []
        hanging: dict[int, tuple[int, str]] = {}
        cells = 0
        for row in rows:
            line: list[str] = []
            for cell in row.iterchildren("td", "th"):
                self._hang(line, hanging)
                text = " ".join(" ".join(self._texts(cell, depth + 1)).replace(BOLD, "").split())
                down, across = _span(cell, "rowspan"), _span(cell, "colspan")
                if down > 1:
                    hanging[len(line)] = (down - 1, text)
                line.extend((text, *[""] * (across - 1)))
            self._hang(line, hanging)
            cells += len(line)
            if cells > MAX_TABLE_CELLS:
                self.has_large_table = True
                break
            grid.append(line)
        return grid

    @staticmethod
    def _hang(line: list[str], hanging: dict[int, tuple[int, str]]) -> None:
        while len(line) in hanging:
            column = len(line)
            left, text = hanging[column]
            line.append(text)
            if left > 1:
                hanging[column] = (left - 1, text)
            else:
                del hanging[column]

    def _inline(self, node: html.HtmlElement, depth: int) -> str:
        tag = node.tag
        if tag == "br":
            return BREAK
        if tag == "img":
            return f" {node.get('alt', '').strip()} "
        if tag in ("code", "kbd", "samp", "tt"):
            words = " ".join(node.text_content().split())
            return f"`{words}`" if words and "`" not in words else words
        if depth > MAX_DEPTH:
            return _visible_text(node)
        parts = [node.text or ""]
        for child in node:
            if isinstance(child.tag, str) and not self._is_dropped(child, False):
                parts.append(self._inline(child, depth + 1))
            parts.append(child.tail or "")
        text = "".join(parts)
        if tag in ("del", "s", "strike") or STRUCK_STYLE.search(node.get("style", "")):
            text = BREAK.join(map(struck, text.split(BREAK)))
        if tag in ("b", "strong") or _is_bold(node):
            return f"{BOLD}{text}{BOLD}"
        return _link(node.get("href", ""), text) if tag == "a" else text

    def _is_dropped(self, node: html.HtmlElement, edges: bool) -> bool:
        if node.tag in DROPPED or node.get("hidden") is not None or node.get("aria-hidden") == "true":
            return True
        if node.attrib and "none" in (style := node.get("style", "")) and re.search(r"display\s*:\s*none", style):
            return True
        if not self.drop_boilerplate:
            return False
        names = f"{node.get('class', '')} {node.get('id', '')}"
        named = len(names) > 1 and node.tag not in ("html", "body", "main", "article")
        if named and ADVERTISING.search(names):
            self.words_dropped += _words_outside_links(node)[0]
            return True
        if (edges and node.tag in PAGE_EDGES) or node.get("role") in DROPPED_ROLES or (named and BOILERPLATE.search(names)):
            own, linked = _words_outside_links(node)
            return own < FEWEST_WORDS or own < linked
        return False


def _words_outside_links(node: html.HtmlElement) -> tuple[int, int]:
    """How many words of a block are its own, and how many stand in links and buttons."""
    linked = sum(len("".join(one.itertext()).split()) for one in node.iter("a", "button", "select"))
    hidden = sum(len("".join(one.itertext()).split()) for one in node.iter("script", "style"))
    own = len("".join(node.itertext()).split()) - linked - hidden
    return max(own, 0), linked


BREAK = "\ue001"  # a line break that the page asks for, as opposed to one in its source
BOLD = "\ue000"  # a private character around bold text, until it is known whether a paragraph is all bold


_BOLD_QUESTION = re.compile(rf"\s*{BOLD}(?P<question>[^{BOLD}]{{3,200}}\?)\s*{BOLD}\s*")  # and then its answer


def _is_bold(node: html.HtmlElement) -> bool:
    """Bold by its style, and nothing in it set back to normal."""
    return bool(BOLD_STYLE.search(node.get("style", ""))) and not any(
        NORMAL_STYLE.search(child.get("style", "")) for child in node.iterdescendants() if isinstance(child.tag, str)
    )


def _embolden(item: str | tuple[int, str]) -> str | tuple[int, str]:
    return f"{BOLD}{item.replace(BOLD, '')}{BOLD}" if isinstance(item, str) else item


def _bold_title(block: str) -> str:
    """The title that an all-bold short paragraph is, in a page without heading elements."""
    stripped = block.strip()
    inner = re.sub(f"{BOLD}[^{BOLD}]*{BOLD}", "", stripped)
    title = " ".join(stripped.replace(BOLD, "").split())
    if inner.strip() or not stripped.startswith(BOLD) or not 3 < len(title) < 120 or title.startswith(("|", "-")):
        return ""
    return "" if title.endswith((",", ";", ":")) else title


def _squeeze(text: str) -> str:
    """Runs of blanks become one; the line breaks that the page asked for stay."""
    if not text or text.isspace():
        return ""
    lines = (" ".join(line.split()) for line in text.split(BREAK))
    return "\n".join(line for line in lines if line.replace(BOLD, ""))


def _holds_blocks(node: html.HtmlElement) -> bool:
    return len(node) > 0 and any(child.tag in CONTAINERS for child in node.iterdescendants())


def _indent(text: str, first: str, rest: str | None = None) -> str:
    return first + text.replace("\n", "\n" + (" " * len(first) if rest is None else rest))


def _fence(node: html.HtmlElement) -> str:
    code = node.text_content().strip("\n").rstrip()
    if not code.strip():
        return ""
    marks = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", code) or [""]))
    language = re.search(r"(?:language|lang|highlight)-([\w+-]+)", " ".join(item.get("class", "") for item in node.iter()))
    return f"{marks}{language[1] if language else ''}\n{code}\n{marks}"


def _link(href: str, text: str) -> str:
    """Links to web pages and to neighbouring documents are kept; those within the page or the site are only words."""
    words = _squeeze(text)
    if not words or BOLD in words or not (DOCUMENT_LINK.match(href) or re.match(r"https?://", href)):
        return text
    if words.rstrip("/") == href.rstrip("/") or re.search(r"[\s()<>]", href) or len(href) > 200 or "[" in words:
        return text
    return f"[{words}]({href})"


def _table_of(row: html.HtmlElement) -> html.HtmlElement | None:
    return next(row.iterancestors("table"), None)


def _span(cell: html.HtmlElement, name: str) -> int:
    value = cell.get(name, "1").strip()
    return min(int(value), MAX_SPAN) if value.isascii() and value.isdigit() and int(value) > 0 else 1


def _join_symbols(grid: list[list[str]]) -> list[list[str]]:
    """`$` and `%` that stand in cells of their own go to their number."""
    for row in grid:
        for column, cell in enumerate(row):
            if cell in ("$", "€", "£", "(") and column + 1 < len(row) and row[column + 1]:
                row[column + 1], row[column] = cell + row[column + 1], ""
            elif cell in ("%", ")", ")%") and (left := _last_filled(row, column)) is not None:
                row[left], row[column] = row[left] + cell, ""
    return grid


def _last_filled(row: list[str], column: int) -> int | None:
    return next((left for left in range(column - 1, -1, -1) if row[left]), None)
