"""A word planted in any corner of a file is in its sections, or a problem says that something there was not read."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable
from email.message import EmailMessage

import pytest
from docx import Document as WordFile
from docx.oxml import parse_xml
from openpyxl import Workbook
from openpyxl.comments import Comment
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches
from reportlab.pdfgen.canvas import Canvas

from connectors.base import Document
from connectors.formats import parse_bytes
from connectors.formats.parsed import Options, Parsed
from ingestion.chunking.chunker import cut


def text_of(parsed: Parsed) -> str:
    """All words that leaves would hold."""
    cut_document = cut(Document("id", parsed.title or "x", (), parsed.sections, "f", kind=parsed.kind))
    return " ".join([parsed.title, *(leaf.text for leaf in cut_document.leaves)])


def missing(parsed: Parsed, planted: Iterable[str]) -> list[str]:
    text = text_of(parsed)
    return [word for word in planted if word not in text]


def told(parsed: Parsed, words: str) -> bool:
    return any(words in problem.reason and problem.kind in ("limit", "partial") for problem in parsed.problems)


# ---------------------------------------------------------------- documents of headings alone


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.md", "# Zebra\n"), ("b.md", "# Zebra\n\n## Okapi\n\n### Tapir\n"), ("c.html", "<h1>Zebra</h1>"),
        ("d.html", "<h1>Zebra</h1><h2>Okapi</h2><h2>Tapir</h2>"), ("e.rst", "Zebra\n=====\n\nOkapi\n-----\n"), ("f.rst", "Zebra\n=====\n"),
        ("g.org", "* Zebra\n"), ("h.org", "* Zebra\n** Okapi  :tag:\n"),
    ],
)  # fmt: skip
def test_a_document_of_headings_alone_has_a_leaf_with_them(name: str, data: str) -> None:
    parsed = parse_bytes(name, data.encode())
    leaves = cut(Document(name, parsed.title or name, (), parsed.sections, "f", kind=parsed.kind)).leaves
    text = " ".join(words for leaf in leaves for words in (*leaf.heading, leaf.text))
    assert all(word in text for word in ("Zebra", "Okapi", "Tapir") if word in data), text


def test_slides_of_titles_alone_have_a_leaf_with_them() -> None:
    talk = Presentation()
    for title in ("Zebra", "Okapi"):
        talk.slides.add_slide(talk.slide_layouts[5]).shapes.title.text = title
    assert not missing(parse_bytes("a.pptx", saved(talk)), ["Zebra", "Okapi"])
    single = Presentation()
    single.slides.add_slide(single.slide_layouts[5]).shapes.title.text = "Zebra"
    parsed = parse_bytes("b.pptx", saved(single))
    assert any("Zebra" in leaf.text for leaf in cut(Document("b", parsed.title, (), parsed.sections, "f")).leaves)


def test_a_heading_longer_than_is_shown_keeps_all_its_words() -> None:
    long = " ".join(f"word{number}" for number in range(80))
    for name, data in (
        ("a.md", f"# Top\n\n## {long}\n\nText.\n"),
        ("b.html", f"<h1>Top</h1><h2>{long}</h2><p>Text.</p>"),
        ("c.md", f"# {long}\n"),
    ):
        assert not missing(parse_bytes(name, data.encode()), ["word0", "word79"]), name


def saved(file: object) -> bytes:
    buffer = io.BytesIO()
    file.save(buffer)  # type: ignore[attr-defined]
    return buffer.getvalue()


def with_parts(data: bytes, parts: dict[str, str], replaced: dict[str, tuple[str, str]]) -> bytes:
    """A package with more parts, and some of its own changed: (what, by what)."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            content = old.read(name).decode("utf-8") if name in replaced else old.read(name)
            new.writestr(name, content.replace(*replaced[name]) if isinstance(content, str) else content)
        for name, content in parts.items():
            new.writestr(name, content)
    return buffer.getvalue()


# ---------------------------------------------------------------- office files

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
DIAGRAM = f'<d xmlns:a="{A}"><a:p><a:r><a:t>smartart</a:t></a:r></a:p></d>'
DIAGRAM_TYPE = (
    '<Override PartName="{}" ContentType="application/vnd.openxmlformats-officedocument.drawingml.diagramData+xml"/></Types>'
)
DIAGRAM_RELATION = f'<Relationship Id="rId900" Type="{R}/diagramData" Target="{{}}"/></Relationships>'


def test_every_corner_of_a_word_file_is_read() -> None:
    file = WordFile()
    file.add_heading("topheading", 1)
    file.add_heading("headingstart " + "long " * 80 + "headingend", 2)
    paragraph = file.add_paragraph("bodyword")
    file.sections[0].header.paragraphs[0].text = "headerword"
    file.sections[0].footer.paragraphs[0].text = "footerword"
    table = file.add_table(1, 2)
    table.cell(0, 0).text = "cellword"
    table.cell(0, 1).add_table(1, 1).cell(0, 0).text = "nestedword"
    file.add_comment(paragraph.runs, "commentword", author="Someone")
    file.element.body.insert(
        0,
        parse_xml(
            f'<w:p {W} xmlns:v="urn:schemas-microsoft-com:vml"><w:r><w:pict><v:shape><v:textbox><w:txbxContent><w:p><w:r><w:t>'
            "boxword</w:t></w:r></w:p></w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>"
        ),
    )
    picture = '<wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="1" name="p" descr="altword"/></wp:inline>'
    file.element.body.insert(1, parse_xml(f"<w:p {W}><w:r><w:drawing>{picture}</w:drawing></w:r></w:p>"))
    data = with_parts(
        saved(file),
        {"word/diagrams/data1.xml": DIAGRAM},
        {
            "[Content_Types].xml": ("</Types>", DIAGRAM_TYPE.format("/word/diagrams/data1.xml")),
            "word/_rels/document.xml.rels": ("</Relationships>", DIAGRAM_RELATION.format("diagrams/data1.xml")),
        },
    )
    planted = "topheading headingstart headingend bodyword headerword footerword cellword nestedword commentword boxword altword smartart"
    assert not missing(parse_bytes("a.docx", data), planted.split())


def test_every_corner_of_slides_is_read() -> None:
    talk = Presentation()
    slide = talk.slides.add_slide(talk.slide_layouts[5])
    slide.shapes.title.text = "titleword"
    slide.shapes.add_textbox(0, 0, Inches(1), Inches(1)).text_frame.text = "boxword"
    slide.shapes.add_table(1, 1, 0, 0, Inches(1), Inches(1)).table.cell(0, 0).text = "cellword"
    group = slide.shapes.add_group_shape()
    group.shapes.add_textbox(0, 0, Inches(1), Inches(1)).text_frame.text = "groupword"
    shape = slide.shapes.add_shape(1, 0, 0, Inches(1), Inches(1))
    shape._element.nvSpPr.cNvPr.set("descr", "altword")
    slide.notes_slide.notes_text_frame.text = "noteword"
    chart = CategoryChartData()
    chart.categories = ["categoryword"]
    chart.add_series("seriesword", [1])
    slide.shapes.add_chart(XL_CHART_TYPE.BAR_CLUSTERED, 0, 0, Inches(2), Inches(2), chart)
    hidden = talk.slides.add_slide(talk.slide_layouts[5])
    hidden._element.set("show", "0")
    hidden.shapes.title.text = "hiddenword"
    comments = '<p:cmLst xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"><p:cm authorId="0"><p:text>commentword</p:text></p:cm></p:cmLst>'
    relations = f'<Relationship Id="rId901" Type="{R}/comments" Target="../comments/comment1.xml"/>' + DIAGRAM_RELATION.format(
        "../diagrams/data1.xml"
    )
    comment_type = '<Override PartName="/ppt/comments/comment1.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.comments+xml"/>'
    data = with_parts(
        saved(talk),
        {"ppt/diagrams/data1.xml": DIAGRAM, "ppt/comments/comment1.xml": comments},
        {
            "[Content_Types].xml": ("</Types>", comment_type + DIAGRAM_TYPE.format("/ppt/diagrams/data1.xml")),
            "ppt/slides/_rels/slide1.xml.rels": ("</Relationships>", relations),
        },
    )
    planted = "titleword boxword cellword groupword altword noteword categoryword seriesword hiddenword commentword smartart"
    assert not missing(parse_bytes("a.pptx", data), planted.split())


def test_every_corner_of_a_workbook_is_read() -> None:
    book = Workbook()
    sheet = book.active
    sheet["A1"], sheet["A2"] = "headword", "cellword"
    sheet.cell(3, 700).value = "farcolumn"
    sheet.cell(20_000, 1).value = "farrow"
    sheet["A2"].comment = Comment("commentword", "Someone")
    sheet.oddHeader.center.text, sheet.oddFooter.left.text = "headerword", "footerword"
    hidden = book.create_sheet("hiddensheet")
    hidden.sheet_state = "hidden"
    hidden["B2"] = "hiddenword"
    planted = "headword cellword farcolumn farrow commentword headerword footerword hiddensheet hiddenword"
    assert not missing(parse_bytes("a.xlsx", saved(book)), planted.split())


def test_cells_beyond_the_limit_of_a_workbook_are_told() -> None:
    book = Workbook()
    for number in range(300):
        book.active.append([f"cell{number}"])
    parsed = parse_bytes("a.xlsx", saved(book), Options(max_cells=100))
    assert missing(parsed, ["cell299"]) and told(parsed, "limit is 100 cells")


OFFICE = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0" '
    'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"'
)


def opendocument(kind: str, body: str, styles: str = "") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("mimetype", f"application/vnd.oasis.opendocument.{kind}")
        archive.writestr(
            "content.xml", f"<office:document-content {OFFICE}><office:body>{body}</office:body></office:document-content>"
        )
        archive.writestr(
            "styles.xml",
            f"<office:document-styles {OFFICE}><office:master-styles>{styles}</office:master-styles></office:document-styles>",
        )
    return buffer.getvalue()


EDGES = "<style:master-page><style:header><text:p>headerword</text:p></style:header><style:footer><text:p>footerword</text:p></style:footer></style:master-page>"


def test_every_corner_of_an_opendocument_text_is_read() -> None:
    body = (
        '<office:text><text:h text:outline-level="1">headingword</text:h><text:p>bodyword<text:note><text:note-citation>1</text:note-citation>'
        "<text:note-body><text:p>footnoteword</text:p></text:note-body></text:note><office:annotation><text:p>commentword</text:p></office:annotation>"
        "</text:p><text:p><draw:frame><draw:text-box><text:p>boxword</text:p></draw:text-box></draw:frame></text:p>"
        "<text:p><draw:frame><draw:image/><svg:desc>altword</svg:desc></draw:frame></text:p><table:table><table:table-row><table:table-cell>"
        "<text:p>cellword</text:p><table:table><table:table-row><table:table-cell><text:p>nestedword</text:p></table:table-cell></table:table-row>"
        "</table:table></table:table-cell></table:table-row></table:table></office:text>"
    )
    planted = "headingword bodyword footnoteword commentword boxword altword cellword nestedword headerword footerword"
    assert not missing(parse_bytes("a.odt", opendocument("text", body, EDGES)), planted.split())


def test_every_corner_of_opendocument_slides_and_sheets_is_read() -> None:
    slides = (
        '<office:presentation><draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>titleword</text:p></draw:text-box></draw:frame>'
        "<draw:custom-shape><text:p>shapeword</text:p></draw:custom-shape><office:annotation><text:p>commentword</text:p></office:annotation>"
        "<presentation:notes><draw:frame><draw:text-box><text:p>noteword</text:p></draw:text-box></draw:frame></presentation:notes></draw:page></office:presentation>"
    )
    assert not missing(
        parse_bytes("a.odp", opendocument("presentation", slides)), ["titleword", "shapeword", "commentword", "noteword"]
    )
    sheets = (
        '<office:spreadsheet><table:table table:name="sheetword"><table:shapes><draw:frame><draw:text-box><text:p>boxword</text:p></draw:text-box>'
        "</draw:frame></table:shapes><table:table-row><table:table-cell><office:annotation><text:p>commentword</text:p></office:annotation>"
        "<text:p>cellword</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>"
    )
    data = opendocument("spreadsheet", sheets, EDGES)
    assert not missing(
        parse_bytes("a.ods", data), ["sheetword", "boxword", "commentword", "cellword", "headerword", "footerword"]
    )


def test_every_corner_of_an_rtf_file_is_read() -> None:
    deep = "{" * 6_000 + "deepword" + "}" * 6_000
    data = (
        r"{\rtf1\ansi{\fonttbl{\f0 Arial;}}{\header headerword\par}{\footerl footerword\par}\b bodyword\b0{\footnote footnoteword}"
        r"{\*\atnauthor Someone}{\*\annotation commentword}{\*\unknown secret}{\shp{\*\shpinst{\sp{\sn name}{\sv 1}}{\shptxt boxword\par}}}"
        r"\trowd cellone\cell celltwo\cell\row {\field{\*\fldinst HYPERLINK x}{\fldrslt linkword}}{\object{\*\objdata 00}{\result objectword}}"
        r"{\v hiddenword}\u382?\'e9t\'e9" + deep + " afterword}"
    )
    parsed = parse_bytes("a.rtf", data.encode())
    planted = "headerword footerword bodyword footnoteword commentword boxword cellone celltwo linkword objectword hiddenword deepword afterword"
    assert not missing(parsed, [*planted.split(), "ž", "été"])
    assert missing(parsed, ["secret", "Arial"]) == ["secret", "Arial"]


def test_every_corner_of_a_book_is_read() -> None:
    page = "<html><body><h1>{}</h1><p>{}</p></body></html>"
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="b" href="b.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>'
    )
    container = '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="p.opf"/></rootfiles></container>'
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr("META-INF/container.xml", container)
        archive.writestr("p.opf", package)
        archive.writestr("a.xhtml", page.format("chapterword", "bodyword"))
        archive.writestr("b.xhtml", page.format("notesword", "besideword"))
    assert not missing(parse_bytes("a.epub", buffer.getvalue()), ["chapterword", "bodyword", "notesword", "besideword"])


# ---------------------------------------------------------------- pages, mails, notebooks, data


def test_every_corner_of_a_page_is_read() -> None:
    filler = "<p>" + "Ordinary text of the page that stands in it. " * 30 + "</p>"
    page = (
        "<html><head><title>titleword</title></head><body><header><p>A headerword stands above in a sentence.</p></header>"
        f'{filler}<div class="menu"><p>The soup of today is menuword with fresh bread.</p></div>'
        '<div class="related"><p>See what was said before of relatedword and others.</p></div>'
        '<nav><a href="/a">Start</a> <a href="/b">About</a></nav><img alt="altword" src="x.png">'
        "<table><tr><td>cellword</td><td><table><tr><td>nestedword</td></tr></table></td></tr></table>"
        "<footer><p>At the end the footerword stands in a sentence.</p></footer></body></html>"
    )
    parsed = parse_bytes("a.html", page.encode())
    assert not missing(parsed, "titleword headerword menuword relatedword altword cellword nestedword footerword".split())
    assert missing(parsed, ["About"]) and not parsed.problems


def test_what_a_page_marks_as_advertising_is_left_out_and_told() -> None:
    parsed = parse_bytes(
        "a.html", b"<p>" + b"Text of the page. " * 50 + b"</p><div class='cookies'>We use cookieword here.</div>"
    )
    assert missing(parsed, ["cookieword"]) and told(parsed, "(4 words)")


@pytest.mark.parametrize("tag", ["<div>", "<b>", "<ul><li>", "<table><tr><td>", "<p><font>"])
@pytest.mark.parametrize("count", [150, 1_000, 5_000])
def test_a_page_of_unclosed_tags_is_read_to_its_end(tag: str, count: int) -> None:
    parsed = parse_bytes(
        "a.html", f"<h1>Start</h1>{tag * count}deepword &amp; more</b><p>lastword</p><script>secret</script>".encode()
    )
    assert not missing(parsed, ["Start", "deepword", "lastword"]) and missing(parsed, ["secret"])
    assert count < 5_000 or told(parsed, "nested too deeply")


def test_a_table_beyond_the_limit_of_cells_is_told() -> None:
    rows = "".join(f"<tr>{'<td>x</td>' * 100}</tr>" for _ in range(2_001))
    parsed = parse_bytes("a.html", f"<p>Text.</p><table>{rows}<tr><td>lastcell</td><td>y</td></tr></table>".encode())
    assert missing(parsed, ["lastcell"]) and told(parsed, "200,000 cells")


def test_every_corner_of_a_mail_is_read() -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "jane@example.com", "bob@example.com", "subjectword"
    mail.set_content("The plainword of this mail, which is long enough to be taken for its text. " * 5)
    mail.add_alternative("<p>The plainword of this mail.</p><p>Only here stands htmlword.</p>", subtype="html")
    for number in range(260):
        mail.add_attachment(f"attached{number}", filename=f"note{number}.txt")
    parsed = parse_bytes("a.eml", mail.as_bytes())
    assert not missing(parsed, ["subjectword", "plainword", "htmlword", "attached0", "attached259"])
    assert text_of(parsed).count("The plainword of this mail.") == 0  # what both forms say is read once


def test_parts_beyond_the_limit_of_a_mail_are_told() -> None:
    parts = "".join(f"--b\nContent-Type: text/plain\n\npart{number}\n" for number in range(5_100))
    parsed = parse_bytes(
        "a.eml", f"From: a@example.com\nSubject: S\nContent-Type: multipart/mixed; boundary=b\n\n{parts}--b--\n".encode()
    )
    assert missing(parsed, ["part5099"]) and told(parsed, "first 5000 parts")


def test_every_corner_of_a_notebook_is_read_or_told() -> None:
    error = {"output_type": "error", "ename": "KeyError", "evalue": "errorword", "traceback": ["\x1b[31mtraceword\x1b[0m"]}
    printed = {"output_type": "stream", "text": ["x " * 3_000, "lateword"]}
    cells = [
        {"cell_type": "markdown", "source": "# headingword\n\nbodyword"},
        {"cell_type": "code", "source": "codeword", "outputs": [error]},
        {"cell_type": "raw", "source": "rawword"},
        {"cell_type": "code", "source": "more", "outputs": [printed]},
    ]
    parsed = parse_bytes("a.ipynb", json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}).encode())
    assert not missing(parsed, "headingword bodyword codeword errorword traceword rawword".split())
    assert missing(parsed, ["lateword"]) and told(parsed, "output of cell 4")


@pytest.mark.parametrize("depth", [50, 150, 400])
def test_deep_json_and_xml_are_read_or_told(depth: int) -> None:
    for name, data in (
        ("a.json", '{"k": [' * depth + '"deepword"' + "]}" * depth),
        ("a.xml", "<k>" * depth + "deepword" + "</k>" * depth),
    ):
        parsed = parse_bytes(name, data.encode())
        assert not missing(parsed, ["deepword"]) or parsed.problems, name
        assert depth > 200 or not missing(parsed, ["deepword"]), name


# ---------------------------------------------------------------- PDF


def test_headings_of_a_pdf_without_text_below_them_are_read() -> None:
    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    for number in range(3):
        canvas.setFont("Helvetica", 11)
        for line in range(12):
            canvas.drawString(
                72, 700 - 16 * line, f"This is line {line} of the ordinary text on page {number}, long enough to be body."
            )
        canvas.setFont("Helvetica-Bold", 20)
        canvas.drawString(72, 420, f"1.{number} Firstheading{number}")
        canvas.drawString(72, 360, f"2.{number} Lastheading{number}")
        canvas.showPage()
    canvas.save()
    planted = [f"{word}heading{number}" for number in range(3) for word in ("First", "Last")]
    assert not missing(parse_bytes("a.pdf", buffer.getvalue()), planted)


def test_a_page_of_a_pdf_beyond_the_limit_is_told() -> None:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(600, 70_000))
    canvas.setFont("Helvetica", 8)
    for line in range(6_300):
        canvas.drawString(10, 69_900 - 11 * line, f"Line {line} of a page that has a great many of them.")
    canvas.drawString(10, 20, "lastword")
    canvas.save()
    parsed = parse_bytes("a.pdf", buffer.getvalue())
    assert missing(parsed, ["lastword"]) and told(parsed, "first 300,000 characters of page 1")
