"""A passage as HTML that looks like its document (headings, lists, tables, code), the cited words marked in it.

The marks are found again in the HTML by two characters put around them in the Markdown. Whether these changed anything else
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

from tree.store.leaves import Leaf
from ui.shared.markup import directions

# marks of punctuation, beside which Markdown still knows where emphasis begins and ends
OPEN, CLOSE = "\u2e28", "\u2e29"
IN_ADDRESS = re.compile("|".join(("%E2%B8%A8", "%E2%B8%A9", OPEN, CLOSE)))
AS_TEXT = frozenset(("text", "mail", "mailbox", "pdf"))  # kinds of documents whose lines are shown as they are
AS_CODE = frozenset(("code", "json", "yaml", "settings", "xml"))
PLAIN_NAMES = (".txt", ".text")  # of a readme
# lines that are only form: the fence of code, the rule of a table's head or of a heading, the target of a link, a tag
FORM = re.compile(r"\s*(?:>\s?)*(?:(?:```|~~~).*|[|\s:=\-*_]*|\[[^\]]{1,200}\]:.*|<[/!a-zA-Z].*)")
LEAD = re.compile(r"\s*(?:>\s?)*(?:(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?)?(?:#{1,6}\s+)?(?:\|\s*)?")
TAG = re.compile(r"(<[^<>]*>)")
MARKS = re.compile(r"</?mark>")
KNOWN_TAGS = re.compile(
    r"</?(?:a|abbr|b|big|blockquote|center|cite|code|dd|del|details|div|dl|dt|em|figcaption|figure|font|h[1-6]|hr|i|img|ins|kbd|li|"
    r"mark|ol|p|picture|pre|q|s|samp|section|small|source|span|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|u|ul|"
    r"var)(?:\s[^<>]*)?/?>|<!--(?:[^<]|<(?!!--))*?-->",
    re.IGNORECASE | re.DOTALL,
)
BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
LIST = '<ul dir="auto">'
FIELD = re.compile(r"<li>(<mark>)?([^\W\d_][\w ]{0,30}): ")
WEB = ("https://", "http://", "mailto:")


def is_code(kind: str) -> bool:
    return kind in AS_CODE


def passage_html(leaf: Leaf, spans: Iterable[tuple[int, int]], kind: str, document_id: str) -> str:
    """The text of a leaf with these spans marked; empty where it is better shown as text, by the kind of its document."""
    is_plain = kind in AS_TEXT or kind in AS_CODE or (kind == "readme" and document_id.lower().endswith(PLAIN_NAMES))
    html = "" if is_plain else marked_html(leaf.text, spans)
    return with_fields(html) if kind == "ticket" else html


def marked_html(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Empty where the marks would change how the text is drawn, or none of them can be drawn."""
    wanted = [(start, end) for start, end in spans if start < end]
    if OPEN in text or CLOSE in text:
        return ""
    plain: str = _parser().render(text)
    if not wanted:
        return plain
    found = "".join(_with_marks(_parser().render(_enclosed(text, wanted))))
    return found if "<mark>" in found and MARKS.sub("", found) == plain else ""


def with_fields(html: str) -> str:
    """The list with which a ticket begins, as names and values."""
    if not html.startswith(LIST):
        return html
    head, end, rest = html.partition("</ul>")
    return FIELD.sub(r"<li><b>\2</b> \1", head.replace(LIST, '<ul class="fields">', 1)) + end + rest


# ---------------------------------------------------------------- marks


def _enclosed(text: str, spans: Collection[tuple[int, int]]) -> str:
    """The text with the words of the spans between OPEN and CLOSE, line by line, so that no mark goes around a line's form."""
    made: list[str] = []
    done = 0
    for start, end in sorted(_by_line(text, spans)):
        if start < done:
            continue
        made += [text[done:start], OPEN, text[start:end], CLOSE]
        done = end
    return "".join([*made, text[done:]])


def _by_line(text: str, spans: Collection[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    at = 0
    for line in text.split("\n"):
        if not FORM.fullmatch(line):
            lead = LEAD.match(line)
            first, last = at + (lead.end() if lead else 0), at + len(line.rstrip(" \t\r|\\"))
            for start, end in spans:
                if max(start, first) < min(end, last):
                    yield max(start, first), min(end, last)
        at += len(line) + 1


def _with_marks(html: str) -> Iterator[str]:
    """Each piece of text between OPEN and CLOSE in an element of its own."""
    is_on = False
    for number, part in enumerate(TAG.split(html)):
        if number % 2:
            yield IN_ADDRESS.sub("", part)
            continue
        for piece in re.split(f"([{OPEN}{CLOSE}])", part):
            if piece in (OPEN, CLOSE):
                is_on = piece == OPEN
            elif is_on and piece.strip():
                yield f"<mark>{piece}</mark>"
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
