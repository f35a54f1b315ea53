"""Turns the bytes of a text file into text, whatever encoding they are in.

charset-normalizer (MIT, maintained) is asked only for what is not plainly Unicode, sees only the lines with letters
beyond ASCII, and chooses among the encodings that are in use: left alone it takes a French sentence for mac_latin2 and
a Russian one in cp866 for cp1125.
"""

from __future__ import annotations

import codecs
import re

from charset_normalizer import from_bytes

from connectors.formats.parsed import Options, Unreadable

BOMS = (  # UTF-32 first: its little-endian mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
LIKELY = (  # of equally good ones the first is taken
    "cp1252", "cp1251", "cp932", "gb18030", "euc_jp", "cp949", "big5", "cp866", "koi8_r", "cp1250", "cp1253", "cp1254",
    "cp1255", "cp1256", "cp1257", "cp874", "iso8859_2", "iso8859_8", "cp850", "mac_roman",
)  # fmt: skip
SAMPLE_BYTES = 60_000
CONTROLS = bytes(byte for byte in range(32) if byte not in b"\t\n\r\f\x1b")
EBCDIC_LETTERS = bytes([*range(0x81, 0x8A), *range(0x91, 0x9A), *range(0xA2, 0xAA), *range(0xC1, 0xCA), *range(0xD1, 0xDA)])


def decode(data: bytes, claimed: str = "") -> str:
    """The text, with line ends as `\\n`. What a file claims as its encoding is believed only if it fits.

    Raises Unreadable for bytes that are no text.
    """
    text = _decode(data, claimed)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\0", "\ufffd") if "\0" in text else text


def lines_of(data: bytes, options: Options) -> list[str]:
    """The lines of a text up to the limit of characters; `parse_bytes` says so where there are more."""
    return decode(data)[: options.max_characters].split("\n")


def _decode(data: bytes, claimed: str) -> str:
    for mark, name in BOMS:
        if data.startswith(mark):
            return data.decode(name, "replace").removeprefix("\ufeff")
    if name := _wide(data[:4096]):
        return data.decode(name, "replace")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start >= len(data) - 3 and error.start:  # cut in the middle of its last letter
            return data[: error.start].decode("utf-8")
    else:
        if not _is_binary(data):
            return text
    if _is_ebcdic(data[:65_536]):
        return data.decode("cp500", "replace").replace("\x85", "\n")
    if _is_binary(data):
        raise Unreadable("unsupported", "This is not a text file, and its format is not one that the app can read.")
    return data.decode(_likeliest(data, claimed), "replace")


def _wide(start: bytes) -> str:
    """UTF-16 or UTF-32 without a mark: nearly every letter has a zero byte on the same side."""
    zeros = [start[offset::4].count(0) for offset in range(4)]
    quarter = len(start) // 4
    if quarter < 4 or not any(zeros):
        return ""
    full, none = 0.7 * quarter, 0.05 * quarter
    pattern = "".join("1" if count >= full else "0" if count <= none else "?" for count in zeros)
    return {"0101": "utf-16-le", "1010": "utf-16-be", "0111": "utf-32-le", "1110": "utf-32-be"}.get(pattern, "")


def _is_binary(data: bytes) -> bool:
    sample = data[:65_536]
    controls = len(sample) - len(sample.translate(None, CONTROLS))
    return controls > 0.02 * len(sample) or (sample.count(0) > 0 and controls > 3)


def _is_ebcdic(sample: bytes) -> bool:
    letters = len(sample) - len(sample.translate(None, EBCDIC_LETTERS))
    spaces = sample.count(0x40)
    return letters + spaces > 0.6 * len(sample) and spaces > 0.05 * len(sample) and sample.count(0x20) < 0.01 * len(sample)


def _likeliest(data: bytes, claimed: str) -> str:
    sample = _telling_lines(data)
    guesses = list(from_bytes(sample, cp_isolation=list(LIKELY), threshold=0.4))
    if not guesses:
        return _codec(claimed) or "cp1252"
    least = min(guess.chaos for guess in guesses)
    calm = [guess for guess in guesses if guess.chaos <= least + 0.02]
    best = max(guess.coherence for guess in calm)
    good = {guess.encoding for guess in calm if guess.coherence >= best - 0.1}
    if _codec(claimed) in good:
        return _codec(claimed)
    return min(good, key=LIKELY.index)


def _codec(name: str) -> str:
    try:
        return codecs.lookup(name).name.replace("-", "_") if name else ""
    except LookupError:
        return ""


def _telling_lines(data: bytes) -> bytes:
    """Lines with bytes beyond ASCII: the only ones that tell encodings apart."""
    lines, size = [], 0
    for match in re.finditer(rb"[^\r\n]++[\r\n]*+", data):
        if match[0].isascii():
            continue
        lines.append(match[0][:4_000])
        size += len(lines[-1])
        if size > SAMPLE_BYTES:
            break
    return b"".join(lines)
