"""RTF as paragraphs of text.

A reader of its own, a page long: striprtf (0.0.29) is as fast, but leaves out headers, footers, footnotes, comments, text
boxes and objects.
"""

from __future__ import annotations

import codecs
import re

from connectors.base import Locator, Problem
from connectors.formats.flow import Flow
from connectors.formats.parsed import Options, Parsed

TOKEN = re.compile(rb"\\([a-z]{1,32})(-?\d{1,10})?[ ]?|\\'([0-9a-fA-F]{2})|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)")
SKIPPED = frozenset(
    b"fonttbl colortbl stylesheet listtable listoverridetable info pict themedata colorschememapping latentstyles datastore "
    b"generator xmlnstbl rsidtbl fldinst nonshppict bkmkstart bkmkend sp objdata objclass".split()
)
EDGES = frozenset(b"header footer headerl headerr headerf footerl footerr footerf".split())  # of each page: read once, at the end
READ_NEVERTHELESS = frozenset(b"annotation shpinst shptxt".split())  # text in groups that older programs are told to skip
MEANINGS = {
    b"par": "\n", b"sect": "\n", b"page": "\n", b"line": "\n", b"row": "\n", b"cell": " | ", b"tab": "\t", b"emdash": "—", b"endash": "–",
    b"lquote": "‘", b"rquote": "’", b"ldblquote": "“", b"rdblquote": "”", b"bullet": "•", b"emspace": " ", b"enspace": " ",
}  # fmt: skip
SYMBOLS = {b"~": "\xa0", b"_": "-", b"-": "", b"\\": "\\", b"{": "{", b"}": "}", b"\n": "\n", b"\r": "\n"}
CHARSETS = {
    0: "cp1252", 77: "mac_roman", 128: "cp932", 129: "cp949", 134: "gb18030", 136: "big5", 161: "cp1253", 162: "cp1254",
    163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
MAX_GROUPS = 1_000_000


def read(name: str, data: bytes, options: Options) -> Parsed:
    flow = Flow()
    body, edges, is_whole = text_of(data)
    for paragraph in body.split("\n"):
        flow.block(paragraph.strip(" |"))
    beside = Flow(Locator(heading=("Header and footer",), part="header and footer"))
    for line in dict.fromkeys(line.strip(" |") for line in edges.split("\n")):
        beside.block(line)
    problem = Problem("limit", f"Reading stopped where groups lie more than {MAX_GROUPS:,} deep in each other.")
    return Parsed("rtf", (*flow.sections(), *beside.sections()), problems=() if is_whole else (problem,))


def text_of(data: bytes) -> tuple[str, str, bool]:
    """The text with its paragraphs as lines, that of headers and footers, and whether it was read to its end."""
    page = re.search(rb"\\ansicpg(\d+)", data[:2000])
    default = _codec(f"cp{page[1].decode()}") if page else "cp1252"
    fonts = _fonts(data)
    body: list[str] = []
    edges: list[str] = []
    text = body
    is_whole = True
    pending = bytearray()
    groups: list[tuple[bool, str, int, list[str]]] = []
    skip, codec, fallback, left, starts, is_starred = False, default, 1, 0, False, False
    for match in TOKEN.finditer(data):
        word, number, hexadecimal, symbol, brace, plain = match.groups()
        if hexadecimal or plain:
            if not skip:
                raw = bytes([int(hexadecimal, 16)]) if hexadecimal else plain
                dropped = min(left, len(raw))
                left -= dropped
                pending += raw[dropped:]
            starts = is_starred = False
            continue
        if pending:
            text.append(pending.decode(codec, "replace"))
            pending.clear()
        if brace == b"{":
            if len(groups) > MAX_GROUPS:
                is_whole = False
                break
            groups.append((skip, codec, fallback, text))
            starts, left = True, 0
            continue
        if brace == b"}":
            skip, codec, fallback, text = groups.pop() if groups else (False, default, 1, body)
            left = 0
        elif symbol == b"*" and starts:
            skip = is_starred = True
            continue
        elif word and is_starred and word in READ_NEVERTHELESS:
            skip = groups[-1][0] if groups else False
            text.append("\n")
        elif word and starts and word in EDGES:
            text = edges
            text.append("\n")
        elif symbol and not skip:
            text.append(SYMBOLS.get(symbol, ""))
        elif word and starts and word in SKIPPED:
            skip = True
        elif word and not skip:
            value = int(number) if number else 0
            if word == b"u" and number:
                text.append(chr(value % 65_536))
                left = fallback
            elif word == b"uc":
                fallback = value
            elif word == b"f":
                codec = fonts.get(value, default)
            elif word == b"plain":
                codec = default
            else:
                text.append(MEANINGS.get(word, ""))
        starts = is_starred = False
    text.append(pending.decode(codec, "replace"))
    return _joined(body), _joined(edges), is_whole


def _joined(text: list[str]) -> str:
    return "".join(text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _fonts(data: bytes) -> dict[int, str]:
    """Font numbers to the encoding of text set in them."""
    found = re.findall(rb"{\\f(\d{1,9})[^;{}]{0,200}?\\fcharset(\d{1,9})", data[:200_000])
    return {int(font): CHARSETS[int(charset)] for font, charset in found if int(charset) in CHARSETS and int(charset)}


def _codec(name: str) -> str:
    try:
        return codecs.lookup(name).name
    except LookupError:
        return "cp1252"
