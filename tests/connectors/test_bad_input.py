"""Files that are broken, locked, disguised, hostile or not text at all: bounded, and named in words."""

from __future__ import annotations

import ast
import io
import random
import time
import zipfile
from pathlib import Path

import pytest
from docx import Document as WordDocument
from hypothesis import given, settings
from hypothesis import strategies as st

import connectors
from connectors.formats import parse_bytes
from connectors.formats.encoding import decode
from connectors.formats.parsed import Options, Unreadable
from connectors.formats.sniff import BY_EXTENSION


def refusal(name: str, data: bytes, **options: object) -> tuple[str, str]:
    with pytest.raises(Unreadable) as caught:
        parse_bytes(name, data, Options(**options))
    reason = caught.value.problem.reason
    assert reason[0].isupper() and reason.endswith("."), reason
    return caught.value.problem.kind, reason


def words(name: str, data: bytes) -> str:
    return "\n".join(section.text for section in parse_bytes(name, data).sections)


def package(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def word_file() -> bytes:
    buffer = io.BytesIO()
    document = WordDocument()
    document.add_paragraph("Hello.")
    document.save(buffer)
    return buffer.getvalue()


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600
NOISE = random.Random(1).randbytes(1_024)


@pytest.mark.parametrize(
    ("name", "data", "kind", "said"),
    [
        ("a.txt", b"", "empty", "empty"),
        ("a.txt", b" \n\t ", "empty", "no text"),
        ("a.bin", NOISE, "unsupported", "not a text file"),
        ("a.txt", NOISE, "unsupported", "not a text file"),
        ("a.docx", OLE + "EncryptedPackage".encode("utf-16-le"), "encrypted", "Word file is protected with a password"),
        ("a.xlsx", OLE + "EncryptedPackage".encode("utf-16-le"), "encrypted", "Excel file"),
        ("a.doc", OLE, "unsupported", "before 2007"),
        ("a.bin", OLE + "Workbook".encode("utf-16-le"), "unsupported", ".xlsx"),
        ("a.msg", OLE, "unsupported", ".eml"),
        ("a.docx", word_file()[:700], "damaged", "incomplete"),
        ("a.odt", b"not a zip", "damaged", "OpenDocument"),
        ("a.zip", package({"a.txt": b"x"}), "unsupported", "unpack it"),
        ("a.tar.gz", b"\x1f\x8b\x08\0\0\0", "unsupported", "unpack it"),
        ("a.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "unsupported", "image"),
        ("a.wav", b"RIFF\0\0\0\0WAVEfmt ", "unsupported", "recording"),
        ("a.mp4", b"\0\0\0\x18ftypmp42\0\0\0\0", "unsupported", "video"),
        ("a.pdf", b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 2\n", "unsupported", "git lfs pull"),
        ("a.pdf", b"hello", "damaged", "called a PDF"),
        ("a.pdf", b"", "damaged", "This file is empty"),
        ("a.docx", b"", "damaged", "This file is empty"),
        ("a.ipynb", b"{}", "damaged", "no cells"),
        ("a.ipynb", b"{", "damaged", "damaged"),
        ("a.eml", b"just words", "damaged", "not a mail"),
        ("a.json", b"[" * 100_000, "limit", "nested"),
    ],
)
def test_what_cannot_be_read_is_said_in_words(name: str, data: bytes, kind: str, said: str) -> None:
    found, reason = refusal(name, data)
    assert found == kind and said in reason


def test_a_word_file_with_another_name_is_read_as_what_it_is() -> None:
    assert words("notes.txt", word_file()) == "Hello." and words("notes", word_file()) == "Hello."


def test_a_text_with_an_unknown_ending_is_read_as_text() -> None:
    assert words("README.whatever", b"Hello.") == "Hello." and words("LICENSE", b"Hello.") == "Hello."


def test_a_text_about_pdf_is_no_pdf() -> None:
    assert "%PDF-1.7" in words("a.md", b"A file begins with `%PDF-1.7`.")


# ---------------------------------------------------------------- bombs


def test_a_zip_bomb_is_refused_before_it_is_unpacked() -> None:
    bomb = package({"[Content_Types].xml": b"<x/>", "word/document.xml": b"\0" * 60_000_000})
    started = time.perf_counter()
    assert refusal("a.docx", bomb)[0] == "limit"
    assert (
        refusal("a.xlsx", package({"[Content_Types].xml": b"", "xl/a": b"\0" * 3_000_000}), max_unpacked_bytes=1_000_000)[0]
        == "limit"
    )
    assert time.perf_counter() - started < 2


@pytest.mark.parametrize("name", ["a.xml", "a.fodt", "a.rss"])
def test_entities_are_not_expanded(name: str) -> None:
    levels = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    bomb = f'<!DOCTYPE x [<!ENTITY a0 "lol">{levels}]><x><y>kept</y>&a9;</x>'.encode()
    started = time.perf_counter()
    try:
        assert "lollol" not in words(name, bomb)
    except Unreadable as unreadable:
        assert unreadable.problem.reason
    assert time.perf_counter() - started < 2


def test_nothing_is_loaded_from_outside(tmp_path: object) -> None:
    secret = tmp_path / "secret.txt"  # type: ignore[operator]
    secret.write_text("TOP SECRET")
    source = f'<!DOCTYPE x [<!ENTITY e SYSTEM "file://{secret}">]><x><y>kept</y><z>&e;</z></x>'
    parsed = parse_bytes("a.xml", source.encode())
    text = "\n".join(section.text for section in parsed.sections)
    assert "kept" in text and "SECRET" not in text and "entities" in parsed.problems[0].reason


CONNECTORS = Path(connectors.__file__).parent
PARSING = {
    "fromstring",
    "parse",
    "iterparse",
    "XML",
    "XMLPullParser",
}  # of lxml's etree, which expands entities unless it is told not to


def test_xml_is_parsed_in_one_way_alone() -> None:
    makers, unguarded = [], []
    for path in sorted(CONNECTORS.rglob("*.py")):
        for call in (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)):
            name = ast.unparse(call.func)
            if name.endswith("XMLParser"):
                makers.append(path.name)
            if name.rpartition(".")[0].endswith("etree") and name.rpartition(".")[2] in PARSING and len(call.args) < 2:
                unguarded.append(f"{path.name}:{call.lineno}")
            assert "minidom" not in name and "expat" not in name and "ElementTree" not in name, f"{path.name}:{call.lineno}"
    assert makers == ["xml_parser.py"] and unguarded == []


def test_yaml_aliases_are_not_expanded() -> None:
    bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(f"b{n}: &b{n} [{','.join(['*a'] * 9)}]\n" for n in range(50))
    assert len(words("a.yaml", bomb.encode())) <= len(bomb)
    assert "*a" in words("a.md", f"---\n{bomb}---\nText.\n".encode())


def test_cells_repeated_without_end_are_bounded() -> None:
    content = (
        '<o:document-content xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:t="urn:oasis:names:tc:opendocument:xmlns:'
        'table:1.0" xmlns:x="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><o:body><o:spreadsheet><t:table t:name="S">'
        '<t:table-row t:number-rows-repeated="1000000"><t:table-cell t:number-columns-repeated="1000000"><x:p>v</x:p></t:table-cell>'
        "</t:table-row></t:table></o:spreadsheet></o:body></o:document-content>"
    )
    data = package({"mimetype": b"application/vnd.oasis.opendocument.spreadsheet", "content.xml": content.encode()})
    assert len(words("a.ods", data)) < 2_000_000


def test_a_page_with_a_huge_span_is_bounded() -> None:
    page = "<table><tr><td colspan=99999999 rowspan=99999999>a<td>b</tr><tr><td>c<td>d</tr></table>"
    assert len(words("a.html", page.encode())) < 10_000


def test_one_endless_line_is_read_in_bounded_time() -> None:
    started = time.perf_counter()
    for name in (
        "a.md",
        "a.txt",
        "a.rst",
        "a.csv",
        "a.py",
        "a.yaml",
        "a.html",
        "a.json",
        "a.xml",
        "a.rtf",
        "a.eml",
        "a.org",
        "a.adoc",
    ):
        for unit in (b"word ", b"[", b"*_`", b"<b>", b"> ", b"(", b"a:", b"\\", b"{"):
            try:
                parse_bytes(name, unit * (200_000 // len(unit)))
            except Unreadable:
                continue
    assert time.perf_counter() - started < 30


# ---------------------------------------------------------------- whatever comes


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(set(BY_EXTENSION) - {"pdf"})), st.binary(max_size=400))
def test_any_bytes_under_any_name_end_in_sections_or_words(extension: str, data: bytes) -> None:
    try:
        assert parse_bytes(f"a.{extension}", data).sections
    except Unreadable as unreadable:
        assert unreadable.problem.reason


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.binary(min_size=1, max_size=30))
def test_a_word_file_with_scribbles_in_it_ends_in_sections_or_words(place: int, scribble: bytes) -> None:
    data = bytearray(word_file())
    place %= len(data)
    data[place : place + len(scribble)] = scribble
    try:
        parse_bytes("a.docx", bytes(data))
    except Unreadable as unreadable:
        assert unreadable.problem.reason


# ---------------------------------------------------------------- encodings

RUSSIAN = "Однажды, в студеную зимнюю пору, я из лесу вышел; был сильный мороз. Гляжу, поднимается медленно в гору."
FRENCH = "L'été était très chaud cette année. J'ai acheté un café au lait pour 3,50 €. C'était délicieux."
JAPANESE = "名前,年齢,住所\n佐藤太郎,30,東京\n三木英子,25,大阪\n髙橋淳,35,名古屋\n"


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        ("Plain text, nothing else.", "utf-16"), ("Plain text, nothing else.", "utf-16-be"), ("Plain text, nothing else.", "utf-16-le"),
        ("Plain text, nothing else.", "utf-32"), (FRENCH, "utf-8-sig"), (FRENCH, "cp1252"), (RUSSIAN, "cp1251"), (RUSSIAN, "cp866"),
        (RUSSIAN, "koi8_r"), (JAPANESE, "cp932"), ("Größe und Öl", "latin-1"),
        ("This is a report from the mainframe about nightly jobs. " * 5, "cp500"),
    ],
)  # fmt: skip
def test_a_text_is_read_in_the_encoding_it_has(content: str, encoding: str) -> None:
    assert decode(content.encode(encoding)) == content


@given(st.text())
def test_unicode_text_comes_through_unchanged(content: str) -> None:
    expected = content.replace("\r\n", "\n").replace("\r", "\n")
    if not any(ord(letter) < 32 and letter not in "\n\t\f" for letter in expected) and not expected.startswith("\ufeff"):
        assert decode(content.encode()) == expected


def test_a_letter_cut_in_half_at_the_end_is_dropped() -> None:
    assert decode("Größ".encode()[:-1]) == "Grö"
