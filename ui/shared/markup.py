"""The text of an answer as HTML that can do no harm: no HTML in it, no images, links only to what was quoted."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache, lru_cache
from html import unescape

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from prompts.extractive.compose import MORE
from prompts.language import visible
from prompts.model.citing import UNSUPPORTED
from prompts.regex import regex
from tree.ask.snapshot.answer import BEHIND

ESCAPED_OR_CODE = regex(r"(?P<code>```[^`]*```|`[^`\n]*`)|\\(?P<mark>[!-/:-@\[-`{-~])")
MARKER = regex(rf"[ \t]?\[(\d{{1,3}})(?:{BEHIND}([\d,]*))?\]")  # with the passages behind it, where they are known
MARKERS = regex(rf"(?:{MARKER.pattern})+")
LONGEST_WORD = 24  # characters that a line is sure to have room for, beside the number that follows
NO_SOURCE = UNSUPPORTED.strip(" *")  # as a model's answer has it in its text, between asterisks
MARK_MEANS = "No source: nothing that was read says this. The model added it."
MARK = f'<button type="button" class="unsupported" title="{MARK_MEANS}" data-means="{MARK_MEANS}">no source</button>'
JOINER = "\u2060"
TABLE_ROW = regex(r"(?:(?<=\s)|^)\|(?:[^|\n]+\|){2,}(?:[^|\n]*…)?", re.MULTILINE)  # also one that is cut short
WEB = regex(r"https?://[^\s<>\"`|]+", re.IGNORECASE)
# where an address may end within what stands there without a space: "(https://a.example/b_(c))."
END = regex(r"\Z|[)'*_,]|%5D|%7D|[.;:!?]+(?=\W|\Z)")


def answer_html(text: str, numbers: Collection[int], quoted: Iterable[str] = ()) -> str:
    """Markers [n] of these numbers become buttons with `data-cite`, and `data-passages` where the text is as
    `tree.ask.snapshot.answer.with_passages` makes it; anything else in brackets stays as it is.

    A link leads somewhere only where its address stands in one of the texts `quoted`: a model may write any address,
    also one that carries away what it was shown.
    """
    return _rendered(text, frozenset(numbers), frozenset(_addresses(quoted)))


@lru_cache(maxsize=300)  # a page draws the same answers again and again
def _rendered(text: str, numbers: frozenset[int], addresses: frozenset[str]) -> str:
    made: str = _parser().render(text, {"numbers": numbers, "addresses": addresses})
    return made


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("image")
    # before text_join: there `\[1\]` of a document still differs from our own [1]
    parser.core.ruler.before("text_join", "citations", _citations)
    parser.core.ruler.after("citations", "unsupported", _unsupported)
    parser.core.ruler.push("links", _links)
    parser.core.ruler.push("fold", _fold)
    parser.core.ruler.push("directions", directions)
    return parser


def _citations(state: StateCore) -> None:
    for token in state.tokens:
        if token.type == "inline" and token.children:
            token.children = [part for child in token.children for part in _split(child, state.env["numbers"])]


def _split(token: Token, numbers: Collection[int]) -> Iterator[Token]:
    if token.type != "text":
        yield token
        return
    start = 0
    for match in MARKERS.finditer(token.content):
        markers = list(MARKER.finditer(match[0]))
        if not any(int(marker[1]) in numbers for marker in markers):
            continue
        before, word = _last_word(token.content[start : match.start()])
        yield _text(token, before)
        yield _html('<span class="ends">')  # a line that breaks before a number would show it beside the next sentence
        yield _text(token, word)
        for marker in markers:
            yield _html(_button(marker)) if int(marker[1]) in numbers else _text(token, marker[0])
        yield _html("</span>")
        start = match.end()
    yield _text(token, token.content[start:])


def _button(marker: re.Match[str]) -> str:
    behind = "" if marker[2] is None else f' data-passages="{marker[2]}"'
    return f'<button type="button" class="cite" data-cite="{marker[1]}"{behind}>{marker[1]}</button>'


def _last_word(text: str) -> tuple[str, str]:
    """What comes before the last word, and that word; none where it is so long that it has to be broken itself."""
    before, space, word = text.rpartition(" ")
    return (before + space, word) if len(word) <= LONGEST_WORD else (text, "")


def _html(content: str) -> Token:
    """It is written out as it is; from the document itself none can come, because html is off."""
    return Token("html_inline", "", 0, content=content)


def _unsupported(state: StateCore) -> None:
    """A sentence of a model's that rests on nothing carries a mark that can be seen and asked what it means."""
    for token in state.tokens:
        if token.type == "inline" and token.children:
            token.children = _with_marks(token.children)


def _with_marks(parts: list[Token]) -> list[Token]:
    found: list[Token] = []
    for part in parts:
        found.append(part)
        if [one.type for one in found[-3:]] == ["em_open", "text", "em_close"] and found[-2].content == NO_SOURCE:
            found[-3:] = [_html(MARK)]
    return found


def directions(state: StateCore) -> None:
    """A list, a table or a quotation in a script that is read from the right has its marks on the right."""
    for token in state.tokens:
        if token.type in ("bullet_list_open", "ordered_list_open", "table_open", "blockquote_open"):
            token.attrSet("dir", "auto")


def _fold(state: StateCore) -> None:
    """What stands below the line that says that there is more can be opened."""
    tokens = state.tokens
    at = next(
        (at for at, token in enumerate(tokens) if token.type == "inline" and token.level == 1 and token.content == MORE), None
    )
    if at is not None and tokens[at - 1].type == "paragraph_open":
        opening = f'<details class="more" data-name="more"><summary>{MORE.rstrip(":")}</summary>'
        tokens[at - 1 : at + 2] = [Token("html_block", "", 0, content=opening)]
        tokens.append(Token("html_block", "", 0, content="</details>"))


def _text(token: Token, content: str) -> Token:
    return Token("text", "", 0, content=content, level=token.level)


def _links(state: StateCore) -> None:
    """A link to what was quoted opens beside the app; any other is its words: nobody vouches for where it leads."""
    for token in state.tokens:
        kept: list[bool] = []
        for child in token.children or ():
            if child.type == "link_open":
                href = str(child.attrGet("href") or "")
                kept.append(_is_quoted(href, state.env["addresses"]))
                child.tag = "a" if kept[-1] else "span"
                child.attrs = {"href": href, "target": "_blank", "rel": "noopener noreferrer nofollow"} if kept[-1] else {}
            elif child.type == "link_close" and kept:
                child.tag = "a" if kept.pop() else "span"


def _addresses(texts: Iterable[str]) -> frozenset[str]:
    """The web addresses in texts of any format, as the parser writes them in a link, with what stands right behind them."""
    return frozenset(_parser().normalizeLink(unescape(match.group())) for text in texts for match in WEB.finditer(text))


def _is_quoted(href: str, addresses: Collection[str]) -> bool:
    return any(address.startswith(href) and END.match(address, len(href)) for address in addresses)


def _cells(row: str) -> str:
    """ "| line | spent |" as "line · spent"; the rule below the head of a table says nothing."""
    return " · ".join(cell for cell in map(str.strip, row.split("|")) if cell.strip(":-"))


def title_of(kind: str, title: str) -> str:
    """What a node is called to people: a group of neighbours by the first and the last of them."""
    first, between, last = title.partition(" … ")
    return f"{first} to {last.rpartition(' … ')[2]}" if kind == "run" and between else title


@lru_cache(maxsize=4_096)  # a chat shows the same thousand lines at every rerun
def without_markdown(text: str) -> str:
    """Without the marks of Markdown, for lines that are shown letter by letter."""
    text = TABLE_ROW.sub(lambda row: _cells(row[0]), text)
    text = re.sub(r"!?\[([^\[\]]*+)\](?:\([^)\s]{0,500}\)|\[[^\[\]]*+\])", r"\1", text)
    text = re.sub(r"(\*\*|__|``?|~~)", "", text)
    return re.sub(r"(?<![\w*])[*_](\S(?:[^*_\n]*\S)?)[*_](?![\w*])", r"\1", text)


def without_escapes(text: str) -> str:
    """Markdown without the backslashes before punctuation, for pasting as plain text; code stays as it is."""
    return ESCAPED_OR_CODE.sub(lambda match: match["code"] or match["mark"], text)


def escaped(text: str) -> str:
    """For Streamlit's Markdown: shown letter by letter, whatever it holds.

    Streamlit looks for its directives (":red[", ":material/") and for addresses, of mail too, after escapes have been undone, so
    they are parted by a character that nobody sees.
    """
    joined = visible(" ".join(text.split()))
    plain = re.sub(r"(?<=:)(?=[\w/])|(?<=www)(?=\.)|(?=@)", JOINER, joined, flags=re.IGNORECASE)
    return re.sub(r"([\\`*_{}\[\]()#+\-.!|<>~$:&])", r"\\\1", plain)
