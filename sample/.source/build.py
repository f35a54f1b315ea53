"""Write the docx and PDF documents of the sample workspace from their text.

    python sample/.source/build.py            # writes into sample/
    python sample/.source/build.py --check    # writes nothing, exit 1 if a file is missing or its text is old

The text is Markdown (headings, paragraphs, lists, tables, emphasis, code), so it can be reviewed in a difference.
The same text gives the same bytes on one version of reportlab and python-docx: no clock, no random id.
`--check` compares text, not bytes, because another version of a library may lay a page out otherwise.
Needs reportlab, which is a test dependency of the project, not one of the product.
"""

from __future__ import annotations

import datetime as dt
import io
import re
import sys
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

from markdown_it import MarkdownIt
from markdown_it.token import Token

SOURCE = Path(__file__).resolve().parent
SAMPLE = SOURCE.parent
PDF_FOLDERS = {
    "requirements-specification": "requirements",
    "security-assessment-greywater": "security",
    "operations-handbook": "runbooks",
}


# ── reading: front matter, then a flat list of blocks ────────────────────────────────────────────────────────────


def read(path: Path) -> tuple[dict[str, str], list[tuple]]:
    """The front matter and the blocks: (kind, ...) with inline Markdown kept as tokens."""
    _, front, body = path.read_text(encoding="utf-8").split("---\n", 2)
    meta = dict(line.split(": ", 1) for line in front.strip().splitlines())
    return meta, blocks(MarkdownIt("commonmark").enable("table").parse(body))


def blocks(tokens: list[Token]) -> list[tuple]:
    out: list[tuple] = []
    lists: list[str] = []
    row: list[list[Token]] = []
    table: list[list[list[Token]]] = []
    kind = "paragraph"
    for token in tokens:
        match token.type:
            case "heading_open":
                kind = f"h{token.tag[1]}"
            case "bullet_list_open" | "ordered_list_open":
                lists.append("bullet" if token.type.startswith("bullet") else "number")
                out.append(("list", lists[-1]))
            case "bullet_list_close" | "ordered_list_close":
                lists.pop()
            case "table_open":
                table = []
            case "table_close":
                out.append(("table", table))
            case "tr_open":
                row = []
            case "tr_close":
                table.append(row)
            case "th_open" | "td_open":
                kind = "cell"
            case "fence":
                out.append(("code", token.content.rstrip("\n")))
            case "inline" if kind == "cell":
                row.append(token.children or [])
                kind = "paragraph"
            case "inline":
                out.append((lists[-1] if lists and kind == "paragraph" else kind, token.children or []))
                kind = "paragraph"
    return out


def plain(tokens: list[Token]) -> str:
    return "".join(" " if t.type == "softbreak" else t.content for t in tokens if t.type in ("text", "code_inline", "softbreak"))


# ── docx ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def docx_bytes(meta: dict[str, str], content: list[tuple]) -> bytes:
    import docx
    from docx.shared import Pt

    document = docx.Document()
    document.styles["Normal"].font.name = "Calibri"
    document.styles["Normal"].font.size = Pt(11)
    day = dt.datetime.fromisoformat(meta["date"])
    core = document.core_properties
    core.title, core.author, core.last_modified_by = meta["title"], meta["author"], meta["author"]
    core.created = core.modified = day
    core.comments, core.revision = "", 1

    def runs(paragraph, tokens: list[Token]) -> None:
        bold = italic = False
        for token in tokens:
            match token.type:
                case "strong_open" | "strong_close":
                    bold = token.type == "strong_open"
                case "em_open" | "em_close":
                    italic = token.type == "em_open"
                case "text" | "softbreak":
                    run = paragraph.add_run(token.content or " ")
                    run.bold, run.italic = bold or None, italic or None
                case "code_inline":
                    paragraph.add_run(token.content).font.name = "Consolas"

    document.add_heading(meta["title"], 0)
    numbering = _Numbering(document)
    for kind, *rest in content:
        if kind == "list":
            numbering.restart(rest[0])
        elif kind in ("h1", "h2", "h3"):
            runs(document.add_heading("", int(kind[1])), rest[0])
        elif kind in ("bullet", "number"):
            paragraph = document.add_paragraph(style="List Bullet" if kind == "bullet" else "List Number")
            if kind == "number":
                numbering.apply(paragraph)
            runs(paragraph, rest[0])
        elif kind == "table":
            rows = rest[0]
            table = document.add_table(len(rows), len(rows[0]), style="Table Grid")
            for y, row in enumerate(rows):
                for x, cell in enumerate(row):
                    paragraph = table.cell(y, x).paragraphs[0]
                    runs(paragraph, cell)
                    if y == 0:
                        for run in paragraph.runs:
                            run.bold = True
            document.add_paragraph()
        elif kind == "code":
            document.add_paragraph(rest[0]).runs[0].font.name = "Consolas"
        else:
            runs(document.add_paragraph(), rest[0])
    buffer = io.BytesIO()
    document.save(buffer)
    return _fixed_zip(buffer.getvalue(), day)


class _Numbering:
    """Every numbered list starts at 1: Word continues a style's count through the whole document otherwise."""

    def __init__(self, document) -> None:
        self._part = document.part.numbering_part.element
        style = document.styles["List Number"].element
        number = style.find(".//{*}numId").get(_w("val"))
        self._abstract = (
            next(n for n in self._part.findall("{*}num") if n.get(_w("numId")) == number).find("{*}abstractNumId").get(_w("val"))
        )
        self._current: int | None = None

    def restart(self, kind: str) -> None:
        if kind == "number":
            num = self._part.add_num(int(self._abstract))
            num.add_lvlOverride(0).add_startOverride(1)
            self._current = num.numId

    def apply(self, paragraph) -> None:
        properties = paragraph._p.get_or_add_pPr().get_or_add_numPr()
        properties.get_or_add_ilvl().val = 0
        properties.get_or_add_numId().val = self._current


def _w(name: str) -> str:
    return "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}" + name


def _fixed_zip(data: bytes, day: dt.datetime) -> bytes:
    """The same archive with one time in every entry, and without the thumbnail of python-docx's template."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
        for name in sorted(old.namelist(), key=lambda n: (n != "[Content_Types].xml", n)):
            if name == "docProps/thumbnail.jpeg":
                continue
            body = old.read(name)
            if name == "_rels/.rels":
                body = re.sub(rb"<Relationship [^>]*thumbnail[^>]*/>", b"", body)
            info = zipfile.ZipInfo(name, (day.year, day.month, day.day, 9, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            new.writestr(info, body)
    return buffer.getvalue()


# ── PDF ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def pdf_bytes(meta: dict[str, str], content: list[tuple]) -> bytes:
    from reportlab.lib import colors, pagesizes
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.lib.units import mm
    from reportlab.platypus import (
        BaseDocTemplate,
        Frame,
        ListFlowable,
        ListItem,
        NextPageTemplate,
        PageBreak,
        PageTemplate,
        Paragraph,
        Preformatted,
        Spacer,
        Table,
        TableStyle,
    )
    from reportlab.platypus.tableofcontents import TableOfContents

    small = meta["page"] == "A5"
    width, height = size = pagesizes.A5 if small else pagesizes.A4
    side, top, bottom = (13 * mm, 16 * mm, 15 * mm) if small else (25 * mm, 25 * mm, 23 * mm)
    base = 8.6 if small else 10.4
    serif = meta["font"] == "Times"
    regular, bold, italic, bold_italic = (
        ("Times-Roman", "Times-Bold", "Times-Italic", "Times-BoldItalic")
        if serif
        else ("Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique")
    )
    ink = colors.HexColor("#1d3b4f")
    line = colors.HexColor("#9fb0ba")

    def style(name: str, size: float, **kw) -> ParagraphStyle:
        return ParagraphStyle(name, fontName=kw.pop("font", regular), fontSize=size, leading=size * 1.36, **kw)

    body = style("body", base, spaceAfter=base * 0.6)
    heads = {
        "h1": style("h1", base * 1.75, font=bold, textColor=ink, spaceBefore=base * 1.6, spaceAfter=base * 0.8, keepWithNext=1),
        "h2": style("h2", base * 1.25, font=bold, textColor=ink, spaceBefore=base * 1.1, spaceAfter=base * 0.5, keepWithNext=1),
    }
    cell, head_cell = style("cell", base * 0.9), style("head_cell", base * 0.9, font=bold)
    mono = ParagraphStyle("mono", fontName="Courier", fontSize=base * 0.9, leading=base * 1.2, spaceAfter=base)

    def markup(tokens: list[Token]) -> str:
        parts = []
        for token in tokens:
            match token.type:
                case "text":
                    parts.append(escape(token.content))
                case "softbreak":
                    parts.append(" ")
                case "code_inline":
                    parts.append(f'<font face="Courier" size="{base * 0.9:.1f}">{escape(token.content)}</font>')
                case "strong_open":
                    parts.append(f'<font face="{bold}">')
                case "em_open":
                    parts.append(f'<font face="{italic}">')
                case "strong_close" | "em_close":
                    parts.append("</font>")
        return "".join(parts)

    class Document(BaseDocTemplate):
        first_body_page = 0

        def beforeDocument(self) -> None:
            self.first_body_page = 0
            self.canv.addPageLabel(0, style="ROMAN_LOWER", start=1)
            self.canv.showOutline()

        def number(self) -> str:
            if not self.first_body_page:
                return {1: "i", 2: "ii", 3: "iii", 4: "iv"}[self.page]
            return str(self.page - self.first_body_page + 1)

        def afterFlowable(self, flowable) -> None:
            name = getattr(getattr(flowable, "style", None), "name", "")
            if name not in heads:
                return
            title = flowable.getPlainText()
            level = int(name[1]) - 1
            key = f"s{self.page}-{re.sub(r'[^a-z0-9]+', '-', title.lower())}"
            self.canv.bookmarkPage(
                key,
                fit="FitH",
                top=min(height - top, flowable._frame._y + flowable.height + 20 if hasattr(flowable, "_frame") else height - top),
            )
            self.canv.addOutlineEntry(title, key, level, closed=False)
            self.notify("TOCEntry", (level, escape(title), int(self.number()), key))

    def front(canvas, doc) -> None:
        canvas.setFont(regular, base * 0.85)
        canvas.setFillColor(colors.grey)
        if doc.page > 1:
            canvas.drawCentredString(width / 2, bottom / 2, doc.number())

    def inner(canvas, doc) -> None:
        if not doc.first_body_page:
            doc.first_body_page = doc.page
            canvas.addPageLabel(doc.page - 1, style="ARABIC", start=1)
        canvas.setFont(regular, base * 0.8)
        canvas.setFillColor(colors.grey)
        canvas.drawString(side, height - top * 0.62, meta["header"])
        canvas.drawRightString(width - side, bottom * 0.55, doc.number())
        canvas.setStrokeColor(line)
        canvas.line(side, height - top * 0.72, width - side, height - top * 0.72)

    buffer = io.BytesIO()
    document = Document(
        buffer,
        pagesize=size,
        title=meta["title"],
        author=meta["author"],
        subject=meta["subtitle"],
        creator="",
        invariant=1,
        lang="en",
    )
    frame = lambda name: Frame(side, bottom, width - 2 * side, height - top - bottom, id=name, leftPadding=0, rightPadding=0)  # noqa: E731
    document.addPageTemplates(
        [PageTemplate("front", [frame("f")], onPage=front), PageTemplate("inner", [frame("i")], onPage=inner)]
    )

    toc = TableOfContents(
        levelStyles=[
            style("toc1", base * 0.95, font=bold, spaceBefore=base * 0.35),
            style("toc2", base * 0.95, leftIndent=base * 1.5),
        ],
        dotsMinLevel=0,
    )
    day = dt.date.fromisoformat(meta["date"])
    story: list = [
        Spacer(1, height * 0.16),
        Paragraph(escape(meta["title"]), style("title", base * 2.6, font=bold, textColor=ink, spaceAfter=base)),
        Paragraph(escape(meta["subtitle"]), style("subtitle", base * 1.35, spaceAfter=base * 3)),
        Paragraph(escape(meta["author"]), body),
        Paragraph(f"{day.day} {day:%B %Y}", body),
        Paragraph(escape(meta["edition"]), body),
        Spacer(1, height * 0.18),
        Paragraph(escape(meta["note"]), style("note", base * 0.95, font=italic)),
        PageBreak(),
        Paragraph("Contents", style("contents", base * 1.75, font=bold, textColor=ink, spaceAfter=base)),
        toc,
        NextPageTemplate("inner"),
        PageBreak(),
    ]
    items: list[Paragraph] = []
    pending: str = ""
    first_chapter = True

    def flush() -> None:
        if items:
            kw = {"bulletType": "bullet", "start": "•"} if pending == "bullet" else {"bulletType": "1", "bulletFormat": "%s."}
            story.append(
                ListFlowable(
                    [ListItem(p, leftIndent=base * 1.9) for p in items],
                    leftIndent=base * 1.9,
                    bulletFontName=regular,
                    bulletFontSize=base,
                    **kw,
                )
            )
            story.append(Spacer(1, base * 0.5))
            items.clear()

    for kind, *rest in content:
        if kind == "list":
            flush()
            pending = rest[0]
            continue
        if kind in ("bullet", "number"):
            items.append(Paragraph(markup(rest[0]), style("item", base, spaceAfter=base * 0.25)))
            continue
        flush()
        if kind in heads:
            if kind == "h1" and not first_chapter and meta.get("break") == "yes":
                story.append(PageBreak())
            first_chapter = first_chapter and kind != "h1"
            story.append(Paragraph(markup(rest[0]), heads[kind]))
        elif kind == "table":
            rows = rest[0]
            data = [[Paragraph(markup(c), head_cell if y == 0 else cell) for c in row] for y, row in enumerate(rows)]
            table = Table(data, colWidths=_widths(rows, width - 2 * side, base), repeatRows=1, hAlign="LEFT")
            table.setStyle(
                TableStyle(
                    [
                        ("GRID", (0, 0), (-1, -1), 0.4, line),
                        ("VALIGN", (0, 0), (-1, -1), "TOP"),
                        ("BACKGROUND", (0, 0), (-1, 0), colors.HexColor("#e8eef1")),
                        ("TOPPADDING", (0, 0), (-1, -1), 2),
                        ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
                        ("LEFTPADDING", (0, 0), (-1, -1), 4),
                        ("RIGHTPADDING", (0, 0), (-1, -1), 4),
                    ]
                )
            )
            story += [table, Spacer(1, base * 0.9)]
        elif kind == "code":
            story.append(Preformatted(rest[0], mono))
        else:
            story.append(Paragraph(markup(rest[0]), body))
    flush()
    document.multiBuild(story)
    return buffer.getvalue()


def _widths(rows: list[list[list[Token]]], total: float, base: float) -> list[float]:
    """Columns as wide as their text asks for, none narrower than its longest word, long ones sharing the rest."""
    longest_word, wanted = [], []
    for x in range(len(rows[0])):
        texts = [plain(row[x]) for row in rows]
        longest_word.append(max((len(w) for t in texts for w in t.split()), default=1) * base * 0.56 + 13)
        wanted.append(max(longest_word[-1], min(max(len(t) for t in texts), 70) * base * 0.5 + 10))
    if sum(wanted) <= total:
        return wanted
    room = max(0.0, total - sum(longest_word))
    over = [max(0.0, w - m) for w, m in zip(wanted, longest_word, strict=True)]
    scale = room / (sum(over) or 1)
    widths = [m + o * scale for m, o in zip(longest_word, over, strict=True)]
    return [w * min(1.0, total / sum(widths)) for w in widths]


# ── all of them ──────────────────────────────────────────────────────────────────────────────────────────────────


def targets() -> dict[Path, tuple[dict[str, str], list[tuple]]]:
    """Every generated file, by its path, with what it is made from."""
    out = {}
    for path in sorted(SOURCE.glob("docx/*.md")):
        meta, content = read(path)
        out[SAMPLE / meta["target"]] = (meta, content)
    for name, folder in PDF_FOLDERS.items():
        out[SAMPLE / folder / f"{name}.pdf"] = read(SOURCE / "pdf" / f"{name}.md")
    return out


def source_words(meta: dict[str, str], content: list[tuple]) -> list[str]:
    """The words a reader of the generated file must find, in any order of lines."""
    texts = [meta["title"]]
    for kind, *rest in content:
        if kind == "table":
            texts += [plain(c) for row in rest[0] for c in row]
        elif kind == "code":
            texts.append(rest[0])
        elif kind != "list":
            texts.append(plain(rest[0]))
    return re.findall(r"\w+", " ".join(texts))


def render(path: Path, meta: dict[str, str], content: list[tuple]) -> bytes:
    return docx_bytes(meta, content) if path.suffix == ".docx" else pdf_bytes(meta, content)


def file_words(path: Path) -> list[str]:
    if path.suffix == ".pdf":
        import pypdf

        return re.findall(r"\w+", " ".join(page.extract_text() for page in pypdf.PdfReader(path).pages))
    import docx

    return re.findall(
        r"\w+", " ".join("".join(t.text or "" for t in p.iter(_w("t"))) for p in docx.Document(path).element.body.iter(_w("p")))
    )


def main() -> int:
    old = []
    for path, (meta, content) in targets().items():
        if "--check" in sys.argv:
            if not path.exists() or set(source_words(meta, content)) - set(file_words(path)):
                old.append(path.relative_to(SAMPLE).as_posix())
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        data = render(path, meta, content)
        path.write_bytes(data)
        print(f"{path.relative_to(SAMPLE).as_posix()}: {len(data):,} bytes")
    if old:
        print("older than their text, run build.py:", ", ".join(old), file=sys.stderr)
    return bool(old)


if __name__ == "__main__":
    sys.exit(main())
