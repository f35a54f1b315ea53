"""A passage as HTML that looks like its document (headings, lists, tables, code), the cited words marked in it, and among them those
that are current: what the sentence was taken from whose number was clicked.

The marks are found again in the HTML by characters put around them in the Markdown. Whether these changed anything else
is checked: a passage in which they did is shown as its text instead.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from prompts.regex import regex
from tree.store.leaves import Leaf
from ui.shared.markup import directions

# marks of punctuation, beside which Markdown still knows where emphasis begins and ends
OPEN, OPEN_CURRENT, CLOSE = "\u2e28", "\u2e26", "\u2e29"
IN_ADDRESS = regex("|".join(("%E2%B8%A8", "%E2%B8%A6", "%E2%B8%A9", OPEN, OPEN_CURRENT, CLOSE)))
STARTS = {OPEN: "<mark>", OPEN_CURRENT: '<mark class="current">'}
EDGES = regex(f"([{OPEN}{OPEN_CURRENT}{CLOSE}])")
Span = tuple[int, int]  # [start, end) of a text, in characters
AS_TEXT = frozenset(("text", "mail", "mailbox", "pdf"))  # kinds of documents whose lines are shown as they are
AS_CODE = frozenset(("code", "json", "yaml", "settings", "xml"))
PLAIN_NAMES = (".txt", ".text")  # of a readme
# lines that are only form: the fence of code, the rule of a table's head or of a heading, the target of a link, a tag
FORM = regex(r"\s*+(?:>\s?)*+(?:(?:```|~~~).*|[|\s:=\-*_]*|\[[^\]]{1,200}\]:.*|<[/!a-zA-Z].*)")
LEAD = regex(r"\s*(?:>\s?)*(?:(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?)?(?:#{1,6}\s+)?(?:\|\s*)?")
TAG = regex(r"(<[^<>]*>)")
MARKS = regex(r'</?mark(?: class="current")?>')
KNOWN_TAGS = regex(
    r"</?(?:a|abbr|b|big|blockquote|center|cite|code|dd|del|details|div|dl|dt|em|figcaption|figure|font|h[1-6]|hr|i|img|ins|kbd|li|"
    r"mark|ol|p|picture|pre|q|s|samp|section|small|source|span|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|u|ul|"
    r"var)(?:\s[^<>]*)?/?>|<!--(?:[^<]|<(?!!--))*?-->",
    re.IGNORECASE | re.DOTALL,
)
BREAK = regex(r"<br\s*/?>", re.IGNORECASE)
LIST = '<ul dir="auto">'
FIELD = regex(r"<li>(<mark(?: class=\"current\")?>)?([^\W\d_][\w ]{0,30}): ")
WEB = ("https://", "http://", "mailto:")


def is_code(kind: str) -> bool:
    return kind in AS_CODE


def told_apart(spans: Iterable[Span], current: Iterable[Span]) -> list[tuple[int, int, bool]]:
    """Spans of a text as pieces of it that do not overlap, in order, each with whether it is of the `current` ones."""
    chosen = _joined(current)
    found = [(start, end, True) for start, end in chosen]
    for start, end in _joined(spans):
        for low, high in chosen:
            if low < end and start < high:
                found.append((start, low, False))
                start = high
        found.append((start, end, False))
    return sorted(piece for piece in found if piece[0] < piece[1])


def _joined(spans: Iterable[Span]) -> list[Span]:
    """Those that overlap as one, in order, without empty ones."""
    made: list[Span] = []
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        if made and start < made[-1][1]:
            made[-1] = made[-1][0], max(end, made[-1][1])
        else:
            made.append((start, end))
    return made


def passage_html(leaf: Leaf, spans: Iterable[Span], kind: str, document_id: str, current: Iterable[Span] = ()) -> str:
    """The text of a leaf with these spans marked, and the `current` ones among them as such; empty where it is better shown as text, by the kind of its document."""
    is_plain = kind in AS_TEXT or kind in AS_CODE or (kind == "readme" and document_id.lower().endswith(PLAIN_NAMES))
    html = "" if is_plain else marked_html(leaf.text, spans, current)
    return with_fields(html) if kind == "ticket" else html


def marked_html(text: str, spans: Iterable[Span], current: Iterable[Span] = ()) -> str:
    """Empty where the marks would change how the text is drawn, or none of them can be drawn."""
    wanted = told_apart(spans, current)
    if any(mark in text for mark in (*STARTS, CLOSE)):
        return ""
    plain: str = _parser().render(text)
    if not wanted:
        return plain
    found = "".join(_with_marks(_parser().render(_enclosed(text, wanted))))
    return found if "<mark" in found and MARKS.sub("", found) == plain else ""


def with_fields(html: str) -> str:
    """The list with which a ticket begins, as names and values."""
    if not html.startswith(LIST):
        return html
    head, end, rest = html.partition("</ul>")
    return FIELD.sub(r"<li><b>\2</b> \1", head.replace(LIST, '<ul class="fields">', 1)) + end + rest


# ---------------------------------------------------------------- marks


def _enclosed(text: str, pieces: Collection[tuple[int, int, bool]]) -> str:
    """The text with the words of these pieces between OPEN, or OPEN_CURRENT, and CLOSE, line by line, so that no mark goes around a line's form."""
    made: list[str] = []
    done = 0
    for start, end, is_current in _by_line(text, pieces):
        made += [text[done:start], OPEN_CURRENT if is_current else OPEN, text[start:end], CLOSE]
        done = end
    return "".join([*made, text[done:]])


def _by_line(text: str, pieces: Collection[tuple[int, int, bool]]) -> Iterator[tuple[int, int, bool]]:
    at = 0
    for line in text.split("\n"):
        if not FORM.fullmatch(line):
            lead = LEAD.match(line)
            first, last = at + (lead.end() if lead else 0), at + len(line.rstrip(" \t\r|\\"))
            for start, end, is_current in pieces:
                if max(start, first) < min(end, last):
                    yield max(start, first), min(end, last), is_current
        at += len(line) + 1


def _with_marks(html: str) -> Iterator[str]:
    """Each piece of text between OPEN, or OPEN_CURRENT, and CLOSE in an element of its own."""
    opened = ""
    for number, part in enumerate(TAG.split(html)):
        if number % 2:
            yield IN_ADDRESS.sub("", part)
            continue
        for piece in EDGES.split(part):
            if EDGES.fullmatch(piece):
                opened = STARTS.get(piece, "")
            elif opened and piece.strip():
                yield f"{opened}{piece}</mark>"
            else:
                yield piece


# ---------------------------------------------------------------- Markdown


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    parser.core.ruler.push("links", _links)
    parser.core.ruler.push("directions", directions)
    parser.add_render_rule("html_inline", _tag)
    parser.add_render_rule("html_block", _block)
    parser.add_render_rule("image", _image)
    return parser


def _links(state: StateCore) -> None:
    """A link to the web opens beside the app; a link within the source is its words: what it leads to is not here."""
    for token in state.tokens:
        kept: list[bool] = []
        for child in token.children or ():
            if child.type == "link_open":
                href = str(child.attrGet("href") or "")
                kept.append(href.startswith(WEB))
                child.tag = "a" if kept[-1] else "span"
                child.attrs = {"href": href, "target": "_blank", "rel": "noopener noreferrer nofollow"} if kept[-1] else {}
            elif child.type == "link_close" and kept:
                child.tag = "a" if kept.pop() else "span"


def _tag(_: Any, tokens: list[Token], at: int, *rest: Any) -> str:
    return _without_tags(tokens[at].content)


def _block(_: Any, tokens: list[Token], at: int, *rest: Any) -> str:
    words = _without_tags(tokens[at].content).strip()
    return f"<p>{words}</p>\n" if words else ""


def _image(_: Any, tokens: list[Token], at: int, *rest: Any) -> str:
    """No picture is fetched; its words stand for it."""
    return f"<em>{escapeHtml(tokens[at].content)}</em>"


def _without_tags(html: str) -> str:
    """HTML in a document is what is between its tags; what only looks like a tag, such as `<name>`, stays."""
    return "<br />".join(escapeHtml(KNOWN_TAGS.sub("", part)) for part in BREAK.split(html))
