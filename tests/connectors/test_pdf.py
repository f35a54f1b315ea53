"""PDFs, written here with reportlab and read through the front door."""

from __future__ import annotations

import io
import shutil
import stat
import textwrap
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path

import pypdf
import pytest
from PIL import Image, ImageDraw
from pypdf.generic import DictionaryObject, NameObject, NumberObject, StreamObject, TextStringObject
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from connectors.base import ConfigurationError, Document, Failure, Section
from connectors.folder import FolderConnector
from connectors.formats import parse_bytes
from connectors.formats.parsed import Options, Parsed, Unreadable
from connectors.formats.pdf import garbled, page_labels, render_page
from connectors.pdf import PdfConnector

PROSE = (
    "The scheduler keeps a list of all running tasks and offers whatever is left over to the frameworks in turn. "
    "Each framework takes what it can use and leaves the rest, so that nothing stays idle for long. "
    "A framework that does not answer within the time allowed loses its turn, and its tasks go to somebody else. "
)
WIDTH, HEIGHT = 595, 842


def pdf(draw: Callable[[Canvas], None], **options: object) -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(WIDTH, HEIGHT), **options)
    draw(canvas)
    canvas.save()
    return file.getvalue()


def write(
    canvas: Canvas, lines: Iterable[str], x: float = 72, y: float = 760, size: float = 10, font: str = "Helvetica"
) -> float:
    """Lines under each other; the height below the last one."""
    canvas.setFont(font, size)
    for line in lines:
        canvas.drawString(x, y, line)
        y -= 1.25 * size
    return y


def wrap(text: str, width: int = 85) -> list[str]:
    return textwrap.wrap(text, width)


def read(data: bytes, **settings: object) -> Parsed:
    return parse_bytes("test.pdf", data, Options(settings=settings))


def text_of(parsed: Parsed) -> str:
    return "\n\n".join(section.text for section in parsed.sections)


def headings_of(parsed: Parsed) -> list[tuple[tuple[str, ...], int | None]]:
    return [(section.locator.heading, section.locator.page) for section in parsed.sections]


def chapters(canvas: Canvas, outline: Iterable[tuple[str, int, int]] | None = None) -> None:
    """Three pages of chapters; two begin on the second page."""
    for page, titles in enumerate((["Beginnings"], ["Middles", "Details"], ["Endings"])):
        y = 760.0
        for title in titles:
            canvas.bookmarkHorizontal(title, 0, y + 20)
            y = write(canvas, [title], y=y, size=16, font="Helvetica-Bold") - 6
            y = write(canvas, wrap(f"About {title.lower()}. {PROSE}"), y=y) - 20
        for title, level, at in outline or ():
            if at == page:
                canvas.addOutlineEntry(title, title, level)
        canvas.showPage()


OUTLINE = [("Beginnings", 0, 0), ("Middles", 0, 1), ("Details", 1, 1), ("Endings", 0, 2)]
FOUND = [
    (("Beginnings",), 1),
    (("Middles",), 2),
    (("Middles", "Details"), 2),
    (("Endings",), 3),
]


# ---------------------------------------------------------------- sections


def test_the_outline_gives_the_sections_even_two_on_a_page() -> None:
    parsed = read(pdf(lambda canvas: chapters(canvas, OUTLINE)))
    assert headings_of(parsed) == FOUND
    middles, details = parsed.sections[1].text, parsed.sections[2].text
    assert middles.startswith("About middles.") and "details" not in middles
    assert details.startswith("About details.") and "Details\n" not in details  # the heading is in the locator only


def test_without_an_outline_larger_lines_are_the_headings() -> None:
    found = headings_of(read(pdf(chapters)))
    assert [(path[-1], page) for path, page in found] == [("Beginnings", 1), ("Middles", 2), ("Details", 2), ("Endings", 3)]


def test_an_outline_whose_titles_are_not_on_their_pages_is_not_believed() -> None:
    def draw(canvas: Canvas) -> None:
        chapters(canvas)

    wrong = bookmarked(pdf(draw), [("Lorem", 0), ("Ipsum", 1), ("Dolor", 1), ("Amet", 2)])
    assert [path[-1] for path, _ in headings_of(read(wrong))] == ["Beginnings", "Middles", "Details", "Endings"]


def test_the_numbers_of_headings_say_how_deep_they_lie() -> None:
    def draw(canvas: Canvas) -> None:
        y = 760.0
        for title in ("1 Architecture", "1.1 Scheduler", "1.2 Executor", "2 Operation"):
            y = write(canvas, [title], y=y, size=14, font="Helvetica-Bold") - 4
            y = write(canvas, wrap(PROSE), y=y) - 16

    assert [path for path, _ in headings_of(read(pdf(draw)))] == [
        ("1 Architecture",),
        ("1 Architecture", "1.1 Scheduler"),
        ("1 Architecture", "1.2 Executor"),
        ("2 Operation",),
    ]


def test_every_section_has_one_page_and_its_label() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.addPageLabel(0, style="ROMAN_LOWER")
        canvas.addPageLabel(1, style="ARABIC", start=1, prefix="A-")
        for _ in range(3):
            write(canvas, wrap(PROSE))
            canvas.showPage()

    locators = [section.locator for section in read(pdf(draw)).sections]
    assert [(locator.page, locator.page_label) for locator in locators] == [(1, "i"), (2, "A-1"), (3, "A-2")]


def test_a_label_that_is_the_page_number_is_not_repeated() -> None:
    [section] = read(pdf(lambda canvas: write(canvas, wrap(PROSE)))).sections
    assert (section.locator.page, section.locator.page_label) == (1, "")


def test_the_title_is_the_written_one_unless_it_is_junk() -> None:
    def draw(title: str) -> Callable[[Canvas], None]:
        def page(canvas: Canvas) -> None:
            canvas.setTitle(title)
            write(canvas, ["The Handbook"], size=24)
            write(canvas, wrap(PROSE), y=700)

        return page

    assert read(pdf(draw("Handbook of Operations"))).title == "Handbook of Operations"
    assert read(pdf(draw("Microsoft Word - draft7.doc"))).title == "The Handbook"


# ---------------------------------------------------------------- text


def test_lines_become_paragraphs_and_divided_words_whole() -> None:
    def draw(canvas: Canvas) -> None:
        lines = [
            "The cluster has been divided into zones that fail inde-",
            "pendently of each other, and a fine-grained policy says",
            "which tasks may share one. Policies are very fine-",
            "grained in the second half of it.",
        ]
        y = write(canvas, lines)
        write(canvas, wrap("A second paragraph stands apart. " + PROSE, 60), y=y - 12)

    first, second = text_of(read(pdf(draw))).split("\n\n")
    assert first.endswith("very fine-grained in the second half of it.")
    assert "fail independently of each other, and a fine-grained policy says which" in first
    assert second.startswith("A second paragraph stands apart. The scheduler") and "\n" not in second


def test_lists_and_steps_stay_one_per_line() -> None:
    def draw(canvas: Canvas) -> None:
        y = write(canvas, wrap(PROSE)) - 10
        y = (
            write(canvas, ["• Stop the worker", "• Copy the data folder, which takes a while", "• Start the worker"], x=90, y=y)
            - 10
        )
        write(
            canvas, ["1. Open the console", "2. Choose the zone that you want to", "   drain and confirm", "3. Wait"], x=90, y=y
        )

    text = text_of(read(pdf(draw)))
    assert "- Stop the worker\n- Copy the data folder, which takes a while\n- Start the worker" in text
    assert "1. Open the console\n2. Choose the zone that you want to drain and confirm\n3. Wait" in text


def test_two_columns_are_read_one_after_the_other_even_if_drawn_line_by_line() -> None:
    left = wrap("Left column. " + PROSE * 2, 42)
    right = wrap("Right column. " + PROSE.upper() * 2, 36)

    def draw(canvas: Canvas) -> None:
        write(canvas, ["A title over both of the columns of this page"], size=16, x=110, y=790)
        canvas.setFont("Helvetica", 10)
        for number in range(max(len(left), len(right))):
            y = 750 - 12.5 * number
            for lines, x in ((left, 60), (right, 320)):
                if number < len(lines):
                    canvas.drawString(x, y, lines[number])

    text = " ".join(text_of(read(pdf(draw))).split())
    assert " ".join(left) in text and " ".join(right) in text
    assert text.index("Left column.") < text.index("Right column.")


def test_a_table_keeps_its_rows_and_columns() -> None:
    rows = [("Zone", "Owner", "Tasks"), ("north", "Ada", "1,200"), ("south", "Grace", "87"), ("west | east", "Alan", "5")]

    def draw(canvas: Canvas) -> None:
        y = write(canvas, wrap(PROSE)) - 12
        canvas.setFont("Helvetica", 10)
        for number, row in enumerate(rows):
            for x, cell in zip((80, 220, 360), row, strict=True):
                canvas.drawString(x, y - 14 * number, cell)

    assert text_of(read(pdf(draw))).endswith(
        "| Zone | Owner | Tasks |\n| --- | --- | --- |\n| north | Ada | 1,200 |\n| south | Grace | 87 |\n| west \\| east | Alan | 5 |"
    )


def table_of(*lines: tuple[float, tuple[str, ...]]) -> list[str]:
    """The rows that are read of a table; before each line as many points are free as it says."""

    def draw(canvas: Canvas) -> None:
        y = write(canvas, wrap(PROSE)) - 24
        canvas.setFont("Helvetica", 10)
        for above, cells in lines:
            y -= above
            for x, cell in zip((80, 220, 360), cells, strict=True):
                canvas.drawString(x, y, cell)

    return [line.strip("| ") for line in text_of(read(pdf(draw))).splitlines() if line.startswith("|") and "---" not in line]


def test_a_cell_that_was_broken_onto_several_lines_is_one() -> None:
    assert table_of(
        (0, ("Alarm", "First question", "Usual cause")),
        (18, ("queue_depth", "Is the lighthouse now, or is", "a full copy over the radio")),
        (12, ("", "its fog signal, sending?", "link")),
        (18, ("list_age", "Is it Sunday?", "the lighthouse")),
    ) == [
        "Alarm | First question | Usual cause",
        "queue_depth | Is the lighthouse now, or is its fog signal, sending? | a full copy over the radio link",
        "list_age | Is it Sunday? | the lighthouse",
    ]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("Model one", "accuracy of all answers", "0.91"), ("", "share of them declined", "0.82")),  # figures below figures
        (("Model one", "red", "thick"), ("", "blue", "thin")),  # there was room for it
        (("Model one", "Ada of the northern zone", "x"), ("", "Grace of the southern one", "y")),  # a new beginning
        (("learning rate of a model", "all", "x"), ("epochs for each of them", "", "y")),  # a name of its own
        (("north", "Ada and all of her people", "a"), ("south", "grain and all that is in it", "b")),  # nothing is empty
    ],
)
def test_rows_that_stand_close_in_groups_stay_rows(first: tuple[str, ...], second: tuple[str, ...]) -> None:
    head, last = ("Group", "What", "Value"), ("Model two", "green", "9 kg")
    found = table_of((0, head), (18, first), (12, second), (18, last))
    assert len(found) == 4 and found[1].endswith(first[-1]) and found[2].endswith(second[-1])


def test_lines_of_a_table_that_are_all_as_far_apart_are_rows() -> None:
    rows = (
        ("Alarm", "Question", "Cause"),
        ("lag", "Is it Sunday?", "a full copy over the radio"),
        ("", "", "link"),
        ("age", "When?", "x"),
    )
    assert len(table_of(*((14, row) for row in rows))) == 4


def test_code_is_fenced_with_its_indentation() -> None:
    def draw(canvas: Canvas) -> None:
        y = write(canvas, wrap(PROSE * 2)) - 12
        write(canvas, ["for task in tasks:"], y=y, font="Courier")
        write(canvas, ["run(task)"], x=72 + 4 * 6, y=y - 12.5, font="Courier")

    assert text_of(read(pdf(draw))).endswith("```\nfor task in tasks:\n    run(task)\n```")


def test_running_heads_feet_and_page_numbers_are_left_out() -> None:
    def draw(canvas: Canvas) -> None:
        for page in range(1, 6):
            write(canvas, ["ACME operations handbook"], y=810, size=8)
            write(canvas, wrap(f"Content number {page}00. {PROSE}"))
            write(canvas, [f"Page {page} of 5"], y=30, size=8, x=280)
            canvas.showPage()

    text = text_of(read(pdf(draw)))
    assert text.count("ACME operations handbook") == 1  # once: it may be the only place that says whose handbook it is
    assert "of 5" not in text
    assert all(f"Content number {page}00." in text for page in range(1, 6))


def test_numbers_that_are_not_page_numbers_stay() -> None:
    def draw(canvas: Canvas) -> None:
        for number in (7310, 2284, 9127):
            write(canvas, [f"Invoice {number}"])
            write(canvas, wrap(PROSE), y=700)
            canvas.showPage()

    text = text_of(read(pdf(draw)))
    assert all(f"Invoice {number}" in text for number in (7310, 2284, 9127))


def test_form_values_notes_and_attachments_are_not_lost() -> None:
    def draw(canvas: Canvas) -> None:
        write(canvas, ["Name of the owner:"], y=700)
        canvas.acroForm.textfield(name="owner", value="Ada Lovelace", x=180, y=692, width=200, height=20)
        canvas.acroForm.checkbox(name="agreed", checked=True, x=180, y=650)
        write(canvas, ["Agreed:"], y=655)

    writer = pypdf.PdfWriter(io.BytesIO(pdf(draw)))
    note = DictionaryObject(
        {NameObject("/Type"): NameObject("/Annot"), NameObject("/Subtype"): NameObject("/Text"),
         NameObject("/Contents"): TextStringObject("Ask Grace before signing."),
         NameObject("/Rect"): pypdf.generic.RectangleObject((10, 10, 30, 30))}
    )  # fmt: skip
    writer.add_annotation(0, note)
    writer.add_attachment("figures.csv", b"a,b")
    parsed = read(bytes_of(writer))
    text = text_of(parsed)
    assert "Name of the owner: Ada Lovelace" in " ".join(text.replace("|", " ").split())
    assert "Agreed:" in text and "[x]" in text and "Note: Ask Grace before signing." in text
    assert parsed.metadata["attachments"] == "figures.csv"
    assert [(problem.kind, "figures.csv" in problem.reason) for problem in parsed.problems] == [("partial", True)]


def test_text_that_runs_upwards_is_read_along_its_direction() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.rotate(90)
        write(canvas, wrap(PROSE), x=60, y=-100)

    assert text_of(read(pdf(draw))) == PROSE.strip()


# ---------------------------------------------------------------- bounds and bad input


def bookmarked(data: bytes, entries: Iterable[tuple[str, int]]) -> bytes:
    writer = pypdf.PdfWriter(io.BytesIO(data))
    for title, page in entries:
        writer.add_outline_item(title, page)
    return bytes_of(writer)


def bytes_of(writer: pypdf.PdfWriter) -> bytes:
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def test_a_thousand_bookmarks_on_one_page_are_a_few_sections() -> None:
    data = bookmarked(pdf(lambda canvas: write(canvas, wrap(PROSE))), [(f"Chapter {number}", 0) for number in range(1_372)])
    parsed = read(data)
    assert len(parsed.sections) == 1
    assert text_of(parsed) == PROSE.strip()


def test_bookmarks_that_point_outside_are_left_out() -> None:
    writer = pypdf.PdfWriter(io.BytesIO(pdf(lambda canvas: chapters(canvas, OUTLINE))))
    for number in range(50):
        item = writer.add_outline_item(f"Outside {number}", 0).get_object()
        item.pop("/A", None)
        item[NameObject("/Dest")] = pypdf.generic.ArrayObject([NumberObject(900), NameObject("/Fit")])
    assert not any("Outside" in name for path, _ in headings_of(read(bytes_of(writer))) for name in path)


def test_bookmarks_in_a_circle_come_to_an_end() -> None:
    writer = pypdf.PdfWriter(io.BytesIO(pdf(lambda canvas: chapters(canvas))))
    first = writer.add_outline_item("Beginnings", 0)
    second = writer.add_outline_item("Endings", 2)
    second.get_object()[NameObject("/Next")] = first.get_object().indirect_reference
    first.get_object()[NameObject("/First")] = first.get_object().indirect_reference
    assert ("Beginnings",) in [path for path, _ in headings_of(read(bytes_of(writer)))]


def test_bookmarks_a_hundred_deep_have_a_bounded_path() -> None:
    writer = pypdf.PdfWriter(io.BytesIO(pdf(lambda canvas: write(canvas, wrap(PROSE)))))
    parent = None
    for number in range(100):
        parent = writer.add_outline_item(f"Level {number}", 0, parent)
    assert max(len(path) for path, _ in headings_of(read(bytes_of(writer)))) <= 6


def locked(password: str = "secret", strength: int = 128) -> bytes:
    return pdf(lambda canvas: write(canvas, wrap(PROSE)), encrypt=StandardEncryption(password, "owner", strength=strength))


@pytest.mark.parametrize("strength", [40, 128, 256])
def test_a_password_of_the_source_opens_a_locked_file(strength: int) -> None:
    data = locked(strength=strength) if strength < 256 else locked_with_aes()
    assert "scheduler" in text_of(read(data, passwords=("wrong", "secret")))


def locked_with_aes() -> bytes:
    writer = pypdf.PdfWriter(io.BytesIO(pdf(lambda canvas: write(canvas, wrap(PROSE)))))
    writer.encrypt("secret", algorithm="AES-256")
    return bytes_of(writer)


def test_a_file_locked_against_copying_only_is_read() -> None:
    assert "scheduler" in text_of(read(locked(password="")))


@pytest.mark.parametrize(("passwords", "words"), [((), "Add its password"), (("wrong",), "none of the source's passwords")])
def test_a_locked_file_says_what_to_do(passwords: tuple[str, ...], words: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read(locked(), passwords=passwords)
    assert caught.value.problem.kind == "encrypted"
    assert words in caught.value.problem.reason


def picture_of(text: str) -> ImageReader:
    image = Image.new("L", (900, 220), 255)
    ImageDraw.Draw(image).text((30, 60), text, fill=0, font_size=72)
    return ImageReader(image)


def scanned(*pages: str | None) -> bytes:
    """Pages with text in a picture, and (None) with real text."""

    def draw(canvas: Canvas) -> None:
        for page in pages:
            if page is None:
                write(canvas, wrap(PROSE))
            else:
                canvas.drawImage(picture_of(page), 50, 500, 495, 121)
            canvas.showPage()

    return pdf(draw)


def test_pages_that_are_pictures_are_listed() -> None:
    parsed = read(scanned(None, "one", "two", None, "three"))
    [problem] = parsed.problems
    assert problem.kind == "needs OCR"
    assert problem.reason.startswith("Pages 2–3, 5 are pictures without text. Switch on text recognition")


def test_a_scan_without_any_text_needs_ocr_as_a_whole() -> None:
    with pytest.raises(Unreadable) as caught:
        read(scanned("one", "two"))
    assert caught.value.problem.kind == "needs OCR"
    assert "All 2 pages" in caught.value.problem.reason


def test_empty_pages_are_no_pictures() -> None:
    def draw(canvas: Canvas) -> None:
        write(canvas, wrap(PROSE))
        canvas.showPage()
        canvas.showPage()

    assert read(pdf(draw)).problems == ()


def test_a_program_named_tesseract_reads_the_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "tesseract"
    fake.write_text('#!/bin/sh\ncase "$1" in *.png) echo "Recognized by $4 on $(basename $1)";; *) exit 1;; esac\n')
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    parsed = read(scanned("one", None), ocr=True, ocr_language="deu")
    assert [(section.locator.page, section.text[:30]) for section in parsed.sections][0] == (1, "Recognized by deu on page.png")
    assert parsed.problems == ()


def test_a_tesseract_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "tesseract"
    fake.write_text("#!/bin/sh\nexec sleep 60\n")
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    parsed = read(scanned(None, "one"), ocr=True, seconds=0.5)
    assert "needs OCR" in {problem.kind for problem in parsed.problems}


def test_without_tesseract_it_says_that_it_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unreadable, match="tesseract is not installed"):
        read(scanned("one"), ocr=True)


@pytest.mark.skipif(not shutil.which("tesseract"), reason="tesseract is missing: apt-get install tesseract-ocr to run this test")
def test_the_real_tesseract_reads_a_picture() -> None:
    assert "Hello reader" in text_of(read(scanned("Hello reader"), ocr=True))


def test_time_and_size_are_bounded_and_what_was_read_is_kept() -> None:
    def draw(canvas: Canvas) -> None:
        for _ in range(30):
            write(canvas, wrap(PROSE))
            canvas.showPage()

    parsed = parse_bytes("long.pdf", pdf(draw), Options(max_characters=1_000))
    assert 0 < len(parsed.sections) < 10
    assert [problem.kind for problem in parsed.problems] == ["limit"]
    hurried = read(pdf(draw), seconds=0.0)
    assert len(hurried.sections) == 1 and "0 seconds" in hurried.problems[0].reason


def test_a_giant_picture_costs_little(tmp_path: Path) -> None:
    """50 KB that would be 400 million points."""
    picture = StreamObject()
    picture._data = zlib.compress(bytes(20_000 // 8 * 20_000))
    picture.update(
        {NameObject("/Type"): NameObject("/XObject"), NameObject("/Subtype"): NameObject("/Image"),
         NameObject("/Width"): NumberObject(20_000), NameObject("/Height"): NumberObject(20_000),
         NameObject("/ColorSpace"): NameObject("/DeviceGray"), NameObject("/BitsPerComponent"): NumberObject(1),
         NameObject("/Filter"): NameObject("/FlateDecode")}
    )  # fmt: skip
    drawing = StreamObject()
    drawing._data = b"q 595 0 0 842 0 0 cm /Im0 Do Q"
    writer = pypdf.PdfWriter()
    page = writer.add_blank_page(WIDTH, HEIGHT)
    page[NameObject("/Contents")] = writer._add_object(drawing)
    pictures = DictionaryObject({NameObject("/Im0"): writer._add_object(picture)})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/XObject"): pictures})
    path = tmp_path / "giant.pdf"
    path.write_bytes(bytes_of(writer))
    with pytest.raises(Unreadable, match="picture without text"):
        read(path.read_bytes())
    assert render_page(path, 1, scale=1.0).width == WIDTH


@pytest.mark.parametrize(
    "data", [b"%PDF-1.7\n", b"%PDF-1.4\n" + bytes(range(256)) * 40, b"%PDF-1.5\ntrailer<</Root 1 0 R>>\n%%EOF"]
)
def test_a_file_that_is_none_says_so(data: bytes) -> None:
    with pytest.raises(Unreadable) as caught:
        read(data)
    assert caught.value.problem.kind in ("damaged", "empty")
    assert caught.value.problem.reason.endswith(".")


def test_a_truncated_file_gives_what_can_be_saved_or_a_reason() -> None:
    whole = pdf(chapters)
    for share in (0.3, 0.6, 0.9, 0.99):
        try:
            assert "About" in text_of(read(whole[: int(len(whole) * share)]))
        except Unreadable as unreadable:
            assert unreadable.problem.kind in ("damaged", "empty", "needs OCR")


def test_no_flipped_byte_raises_anything_but_unreadable() -> None:
    whole = bytearray(pdf(lambda canvas: chapters(canvas, OUTLINE)))
    for position in range(0, len(whole), max(1, len(whole) // 120)):
        broken = bytearray(whole)
        broken[position] ^= 0x5A
        try:
            read(bytes(broken))
        except Unreadable as unreadable:
            assert unreadable.problem.reason


@pytest.mark.parametrize(
    ("text", "is_garbled"),
    [
        (PROSE, False),
        ("Total 1,200.50 | 87 | 5,000.00", False),
        ("1 Introduction ........................ 3", False),
        ("計画は来週の火曜日に決まります。", False),
        ("\ue001\ue002\ue003 \ue004\ue005 a", True),
        ("(cid:12)(cid:44)(cid:7) x", True),
        ("TThhee sscchheedduulleerr kkeeeeppss", True),
        ('"7+%-', True),
        (" ".join("the scheduler keeps a list".replace(" ", "")), True),
    ],
)
def test_garbage_is_told_from_text(text: str, is_garbled: bool) -> None:
    assert (garbled(text) > 0.2) is is_garbled


# ---------------------------------------------------------------- pictures of pages


def page_file(tmp_path: Path, **options: object) -> Path:
    path = tmp_path / "page.pdf"
    lines = ["Offers that nobody answers are with-", "drawn after sixty seconds.", "Other text."]
    path.write_bytes(pdf(lambda canvas: write(canvas, lines, size=14), **options))
    return path


def yellow(png: bytes) -> list[tuple[int, int]]:
    image = Image.open(io.BytesIO(png)).convert("RGB")
    pixels = image.load()
    return [(x, y) for x in range(0, image.width, 2) for y in range(image.height) if pixels[x, y][2] < 200 < pixels[x, y][0]]


def test_a_quote_is_marked_on_every_line_that_it_stands_on(tmp_path: Path) -> None:
    rendered = render_page(page_file(tmp_path), 1, "nobody answers are withdrawn  after sixty seconds", scale=1.0)
    assert rendered.found and (rendered.width, rendered.height) == (WIDTH, HEIGHT)
    heights = {y for _, y in yellow(rendered.png)}
    assert len(heights) > 28 and min(heights) > HEIGHT - 785 and max(heights) < HEIGHT - 735  # two lines, not the third


def test_a_quote_that_is_not_on_the_page_marks_nothing_and_says_so(tmp_path: Path) -> None:
    rendered = render_page(page_file(tmp_path), 1, "something else altogether")
    assert not rendered.found and not yellow(rendered.png)
    assert render_page(page_file(tmp_path), 1).found  # nothing to find


def test_markdown_that_reading_added_does_not_hide_a_quote(tmp_path: Path) -> None:
    path = tmp_path / "table.pdf"
    path.write_bytes(
        pdf(
            lambda canvas: (
                canvas.drawString(80, 700, "Northern zone office"),
                canvas.drawString(300, 700, "Ada Lovelace, owner"),
            )
        )
    )
    assert render_page(path, 1, "| Northern zone office | Ada Lovelace, owner |").found


def test_a_picture_of_a_page_is_never_huge(tmp_path: Path) -> None:
    path = tmp_path / "poster.pdf"
    path.write_bytes(pdf(lambda canvas: (canvas.setPageSize((14_000, 14_000)), canvas.drawString(80, 700, "Poster"))))
    rendered = render_page(path, 1, scale=10)
    assert rendered.width * rendered.height <= 6_100_000


def test_a_page_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no page 2"):
        render_page(page_file(tmp_path), 2)


def test_a_locked_page_is_drawn_with_the_password(tmp_path: Path) -> None:
    path = page_file(tmp_path, encrypt=StandardEncryption("secret", "owner", strength=128))
    assert render_page(path, 1, "Other text", passwords=["secret"]).found
    assert page_labels(path, passwords=["secret"]) == ["1"]
    with pytest.raises(Unreadable):
        render_page(path, 1)


# ---------------------------------------------------------------- the connector


def fetched(connector: PdfConnector) -> dict[str, Document | Failure]:
    try:
        return {item.id: item for batch in connector.fetch({}) for item in (*batch.documents, *batch.failures)}
    finally:
        connector.close()


def test_a_folder_of_pdfs_gives_its_pdfs_and_the_reasons_for_the_others(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "Handbook.PDF").write_bytes(pdf(lambda canvas: chapters(canvas, OUTLINE)))
    (tmp_path / "locked.pdf").write_bytes(locked())
    (tmp_path / "broken.pdf").write_bytes(b"not a pdf at all")
    (tmp_path / "notes.txt").write_text("not asked for")
    found = fetched(PdfConnector.configured({"path": str(tmp_path)}, {}))
    assert set(found) == {"deep/Handbook.PDF", "locked.pdf", "broken.pdf"}
    assert isinstance(found["deep/Handbook.PDF"], Document) and found["deep/Handbook.PDF"].kind == "pdf"
    assert isinstance(found["locked.pdf"], Failure) and found["locked.pdf"].problem.kind == "encrypted"
    assert isinstance(found["broken.pdf"], Failure) and found["broken.pdf"].problem.kind == "damaged"


def test_a_single_pdf_is_a_source_of_one(tmp_path: Path) -> None:
    (tmp_path / "other.pdf").write_bytes(pdf(chapters))
    path = tmp_path / "My [final] plan #2.pdf"
    path.write_bytes(pdf(chapters))
    connector = PdfConnector.configured({"path": str(path)}, {})
    assert connector.check().documents == 1
    assert list(connector.census()) == [path.name] == list(fetched(connector))


def test_a_pdf_that_is_not_there_is_a_mistake_in_the_settings(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="There is no file"):
        PdfConnector.configured({"path": str(tmp_path / "missing.pdf")}, {}).check()
    with pytest.raises(ConfigurationError, match="passwords"):
        PdfConnector.configured({"path": str(tmp_path), "passwords": "no place for secrets"}, {})


@pytest.mark.parametrize("kind", [PdfConnector, FolderConnector])
def test_a_password_that_is_added_makes_the_locked_file_readable(tmp_path: Path, kind: type[FolderConnector]) -> None:
    (tmp_path / "locked.pdf").write_bytes(locked())
    connector = kind.configured({"path": str(tmp_path)}, {})
    checkpoint = {key: value for batch in connector.fetch({}) for key, value in batch.checkpoint.items() if value is not None}
    assert not [failure for batch in connector.fetch(checkpoint) for failure in batch.failures]  # tried once, not again
    connector.close()
    opened = kind.configured({"path": str(tmp_path)}, {"passwords": "wrong\nsecret\n"})
    documents = [document for batch in opened.fetch(checkpoint) for document in batch.documents]
    opened.close()
    assert [document.id for document in documents] == ["locked.pdf"]


def test_no_section_is_empty_or_without_a_page() -> None:
    for data in (pdf(chapters), pdf(lambda canvas: chapters(canvas, OUTLINE)), scanned(None, "one")):
        for section in read(data).sections:
            assert isinstance(section, Section) and section.text.strip() and section.locator.page


@pytest.mark.parametrize(("author", "kept"), [(None, False), ("unspecified", False), ("Ada Voss", True)])
def test_an_author_that_only_the_program_gives_is_none(author: str | None, kept: bool) -> None:
    def draw(canvas: Canvas) -> None:
        if author is not None:
            canvas.setAuthor(author)
        write(canvas, wrap(PROSE))

    assert read(pdf(draw)).metadata.get("author") == (author if kept else None)
