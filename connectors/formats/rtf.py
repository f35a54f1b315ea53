"""RTF as paragraphs of text.

A reader of its own, a page long, rather than one more library for a format that is dying out.
"""

from __future__ import annotations

import codecs
import re

from connectors.formats.flow import Flow
from connectors.formats.parsed import Options, Parsed

TOKEN = re.compile(rb"\\([a-z]{1,32})(-?\d{1,10})?[ ]?|\\'([0-9a-fA-F]{2})|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)")
SKIPPED = frozenset(
    b"fonttbl colortbl stylesheet listtable listoverridetable info pict object header footer headerl headerr footerl footerr "
    b"themedata colorschememapping latentstyles datastore generator xmlnstbl rsidtbl fldinst nonshppict bkmkstart bkmkend".split()
)
MEANINGS = {
    b"par": "\n", b"sect": "\n", b"page": "\n", b"line": "\n", b"row": "\n", b"cell": " | ", b"tab": "\t", b"emdash": "—", b"endash": "–",
    b"lquote": "‘", b"rquote": "’", b"ldblquote": "“", b"rdblquote": "”", b"bullet": "•", b"emspace": " ", b"enspace": " ",
}  # fmt: skip
SYMBOLS = {b"~": "\xa0", b"_": "-", b"-": "", b"\\": "\\", b"{": "{", b"}": "}", b"\n": "\n", b"\r": "\n"}
CHARSETS = {
    0: "cp1252", 77: "mac_roman", 128: "cp932", 129: "cp949", 134: "gb18030", 136: "big5", 161: "cp1253", 162: "cp1254",
    163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
MAX_GROUPS = 5_000


def read(name: str, data: bytes, options: Options) -> Parsed:
    flow = Flow()
    for paragraph in text_of(data).split("\n"):
        flow.block(" ".join(paragraph.replace(" | \n", "\n").split(" ")).strip(" |"))
    return Parsed("rtf", flow.sections())


def text_of(data: bytes) -> str:
    """The text with its paragraphs as lines."""
    page = re.search(rb"\\ansicpg(\d+)", data[:2000])
    default = _codec(f"cp{page[1].decode()}") if page else "cp1252"
    fonts = _fonts(data)
    text: list[str] = []
    pending = bytearray()
    groups: list[tuple[bool, str, int]] = []
    skip, codec, fallback, left, starts = False, default, 1, 0, False
    for match in TOKEN.finditer(data):
        word, number, hexadecimal, symbol, brace, plain = match.groups()
        if hexadecimal or plain:
            if not skip:
                raw = bytes([int(hexadecimal, 16)]) if hexadecimal else plain
                dropped = min(left, len(raw))
                left -= dropped
                pending += raw[dropped:]
            starts = False
            continue
        if pending:
            text.append(pending.decode(codec, "replace"))
            pending.clear()
        if brace == b"{":
            if len(groups) > MAX_GROUPS:
                break
            groups.append((skip, codec, fallback))
            starts, left = True, 0
            continue
        if brace == b"}":
            skip, codec, fallback = groups.pop() if groups else (False, default, 1)
            left = 0
        elif symbol == b"*" and starts:
            skip = True
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
        starts = False
    text.append(pending.decode(codec, "replace"))
    return "".join(text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _fonts(data: bytes) -> dict[int, str]:
    """Font numbers to the encoding of text set in them."""
    found = re.findall(rb"{\\f(\d+)[^;{}]*?\\fcharset(\d+)", data[:200_000])
    return {int(font): CHARSETS[int(charset)] for font, charset in found if int(charset) in CHARSETS and int(charset)}


def _codec(name: str) -> str:
    try:
        return codecs.lookup(name).name
    except LookupError:
        return "cp1252"
