"""Says which format a file is in: by its first bytes where they tell, by its name where they do not.

A table of signatures rather than python-magic, which needs a C library on the machine and leaves the wording for
people to us.
"""

from __future__ import annotations

import io
import os
import re
import zipfile
from dataclasses import dataclass

from connectors.formats.parsed import Unreadable

EXTENSIONS = {
    "markdown": "md markdown mdown mkd mkdn mdx mdwn qmd rmd",
    "restructured": "rst rest",
    "org": "org",
    "asciidoc": "adoc asciidoc",
    "html": "html htm xhtml xht shtml",
    "table": "csv tsv tab psv",
    "data": "json jsonl ndjson geojson jsonc json5 yaml yml toml ini cfg conf properties env",
    "xml": "xml rss atom opml xsd xsl xslt wsdl plist",
    "notebook": "ipynb",
    "docx": "docx docm dotx",
    "pptx": "pptx pptm ppsx potx",
    "xlsx": "xlsx xlsm xltx",
    "opendocument": "odt ott ods odp fodt fods fodp",
    "epub": "epub",
    "mail": "eml mbox mbx",
    "rtf": "rtf",
    "pdf": "pdf",
    "code": "py pyi pyx js mjs cjs jsx ts tsx java kt kts scala groovy gradle go rs c h cc cpp cxx hpp hh hxx m mm cs fs vb "
    "rb php pl pm lua r jl swift dart ex exs erl hrl hs ml mli clj cljs lisp el scm sh bash zsh fish ps1 bat cmd sql proto "
    "thrift graphql tf hcl nix cmake mk make dockerfile css scss sass less vue svelte asm s f f90 f95 pas d zig nim sol v "
    "vhd vhdl sv patch diff",
    "text": "txt text log md5 tex bib srt vtt",
}
BY_EXTENSION = {extension: kind for kind, words in EXTENSIONS.items() for extension in words.split()}
BY_NAME = {"makefile": "code", "dockerfile": "code", "jenkinsfile": "code", "vagrantfile": "code", "rakefile": "code"}
BY_LINE = ("markdown", "text", "code", "table", "restructured", "org", "asciidoc")

OFFICE = {
    "docx": "Word file",
    "pptx": "PowerPoint file",
    "xlsx": "Excel file",
    "opendocument": "OpenDocument file",
    "epub": "EPUB book",
}
ARCHIVE = "This is an archive. Archives are not opened: unpack it to have the files in it read."
IMAGE = "This is an image. Images are not read: if it shows text, save it as a PDF with recognised text (OCR)."
SOUND = "This is a sound recording. Recordings are not read: save a transcript beside it."
VIDEO = "This is a video. Videos are not read: save a transcript beside it."
PROGRAM = "This is a program. It has no text to read."
FONT = "This is a font. It has no text to read."
DATABASE = "This is a database. Export what people should find as CSV or text."

SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG", IMAGE), (b"\xff\xd8\xff", IMAGE), (b"GIF8", IMAGE), (b"II*\0", IMAGE), (b"MM\0*", IMAGE),
    (b"\0\0\1\0", IMAGE), (b"8BPS", IMAGE), (b"ID3", SOUND), (b"fLaC", SOUND), (b"OggS", SOUND), (b"\xff\xfb", SOUND),
    (b"FORM", SOUND), (b"MThd", SOUND), (b"\x1aE\xdf\xa3", VIDEO), (b"\0\0\1\xba", VIDEO), (b"FLV\1", VIDEO),
    (b"\x1f\x8b", ARCHIVE), (b"BZh", ARCHIVE), (b"\xfd7zXZ", ARCHIVE), (b"7z\xbc\xaf", ARCHIVE), (b"Rar!", ARCHIVE),
    (b"\x28\xb5\x2f\xfd", ARCHIVE), (b"MSCF", ARCHIVE), (b"!<arch>", ARCHIVE),
    (b"\x7fELF", PROGRAM), (b"MZ", PROGRAM), (b"\xca\xfe\xba\xbe", PROGRAM), (b"\xcf\xfa\xed\xfe", PROGRAM),
    (b"\0asm", PROGRAM), (b"wOFF", FONT), (b"wOF2", FONT), (b"OTTO", FONT), (b"\0\1\0\0\0", FONT),
    (b"SQLite format 3\0", DATABASE), (b"PAR1", DATABASE),
)  # fmt: skip
BINARY_ENDINGS = {
    IMAGE: "png jpg jpeg gif bmp tif tiff webp ico heic heif avif psd raw svg svgz ai eps xcf",
    SOUND: "mp3 wav flac ogg oga opus m4a aac wma aiff mid midi amr",
    VIDEO: "mp4 m4v mov avi mkv webm wmv flv mpg mpeg 3gp",
    ARCHIVE: "zip tar gz tgz bz2 xz 7z rar zst jar war whl iso dmg cab deb rpm apk",
    PROGRAM: "exe dll so dylib o a class pyc pyo wasm msi",
    FONT: "ttf otf woff woff2 eot",
    DATABASE: "db sqlite sqlite3 mdb accdb parquet feather orc dbf",
}
ADVICE = {extension: words for words, extensions in BINARY_ENDINGS.items() for extension in extensions.split()}
OLD_OFFICE = {
    "doc": "This is a Word file in the format from before 2007. Save it as .docx to have it read.",
    "dot": "This is a Word template in the format from before 2007. Save it as .docx to have it read.",
    "xls": "This is an Excel file in the format from before 2007. Save it as .xlsx to have it read.",
    "ppt": "This is a PowerPoint file in the format from before 2007. Save it as .pptx to have it read.",
    "msg": "This is a mail in Outlook's own format. Save it as .eml or as a PDF to have it read.",
    "vsd": "This is a Visio drawing. Save it as a PDF to have it read.",
    "mpp": "This is a Microsoft Project plan. Save it as a PDF to have it read.",
}
_TITLE = re.compile(rb"^\S[^\n]{0,200}\n([=\-~^*#\"+])\1{2,}[ \t\r]*$", re.MULTILINE)
_DIRECTIVE_OR_ROLE = re.compile(rb"^[ \t]*\.\. [a-z][\w-]*::|:[a-z]{2,20}:`[^`\n]", re.MULTILINE)
FEWEST_MARKS = 2  # one may be an example
LFS = b"version https://git-lfs.github.com/spec/"


@dataclass(frozen=True, slots=True)
class _Sample:
    """What is known about a file before it is read."""

    name: str
    data: bytes

    @property
    def extension(self) -> str:
        return os.path.splitext(self.name)[1].lower().lstrip(".")


def kind_of(name: str, data: bytes) -> str:
    """The module that reads it. Raises Unreadable for what no module reads, saying what to do."""
    look = _Sample(name, data)
    if data.startswith(LFS):
        raise Unreadable(
            "unsupported", "This is a Git LFS pointer: the real file has not been downloaded. Run “git lfs pull” to have it read."
        )
    kind = _by_content(look)
    if kind:
        return kind
    claimed = BY_EXTENSION.get(look.extension) or BY_NAME.get(name.lower(), "")
    if not data and (claimed in OFFICE or claimed == "pdf"):
        raise Unreadable("damaged", "This file is empty: it has no bytes. Get it again.")
    if claimed in OFFICE and not look.extension.startswith("fod"):
        raise Unreadable(
            "damaged",
            f"By its name this is a file of the kind “{OFFICE[claimed]}”, by its content not. Open it in its program and save it again.",
        )
    if claimed == "pdf":
        raise Unreadable("damaged", "This is called a PDF and is not one, or its beginning is missing. Get the file again.")
    if look.extension in ADVICE and (_is_binary(data) or look.extension in ("svg", "eps", "ai")):
        raise Unreadable("unsupported", ADVICE[look.extension])
    return claimed or _by_shebang(data) or "text"


def is_text_by_line(name: str, data: bytes) -> bool:
    """Whether the beginning of such a file makes sense without its end."""
    return kind_of(name, data) in BY_LINE or name.lower().endswith((".jsonl", ".ndjson"))


def _by_content(look: _Sample) -> str:
    data = look.data
    if b"%PDF-" in data[:1024] and not _is_written_about(look):
        return "pdf"
    if data.startswith((b"PK\3\4", b"PK\5\6")):
        return _in_zip(look)
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        return _in_ole(look)
    if data.startswith(b"{\\rtf"):
        return "rtf"
    for signature, words in SIGNATURES:
        if data.startswith(signature) and _is_binary(data):
            raise Unreadable("unsupported", words)
    if data[:4] == b"RIFF" and data[8:12] in (b"WAVE", b"AVI ", b"WEBP"):
        raise Unreadable("unsupported", {b"WAVE": SOUND, b"AVI ": VIDEO, b"WEBP": IMAGE}[data[8:12]])
    if data[4:8] == b"ftyp":
        raise Unreadable("unsupported", {b"hei": IMAGE, b"avi": IMAGE, b"mif": IMAGE, b"M4A": SOUND}.get(data[8:11], VIDEO))
    if data[257:262] == b"ustar":
        raise Unreadable("unsupported", ARCHIVE)
    if BY_EXTENSION.get(look.extension, "text") in ("text", *OFFICE, "pdf") and _is_html(data):
        return "html"
    if BY_EXTENSION.get(look.extension) == "text" and _is_restructured(data):
        return "restructured"
    return ""


def _is_restructured(data: bytes) -> bool:
    """Whether a text file is in the markup that Sphinx reads, which some projects keep in files called .txt: titles with a line
    below them, and directives or roles."""
    return _TITLE.search(data) is not None and len(_DIRECTIVE_OR_ROLE.findall(data)) >= FEWEST_MARKS


def _is_written_about(look: _Sample) -> bool:
    """A text in which the mark of a PDF stands as a word."""
    return not look.data.startswith(b"%PDF-") and BY_EXTENSION.get(look.extension, "pdf") in (*BY_LINE, "html", "data", "mail")


def _in_zip(look: _Sample) -> str:
    claimed = BY_EXTENSION.get(look.extension, "")
    try:
        with zipfile.ZipFile(io.BytesIO(look.data)) as archive:
            names = set(archive.namelist())
            mimetype = archive.read("mimetype")[:100] if "mimetype" in names and _is_small(archive, "mimetype") else b""
    except (zipfile.BadZipFile, RuntimeError, OSError, NotImplementedError, EOFError, ValueError) as error:
        if claimed in OFFICE:
            raise Unreadable(
                "damaged", f"This {OFFICE[claimed]} is damaged or incomplete: its end is missing. Get the file again."
            ) from error
        raise Unreadable("unsupported", ARCHIVE) from error
    if mimetype.startswith(b"application/vnd.oasis.opendocument"):
        return "opendocument"
    if mimetype.startswith(b"application/epub") or "META-INF/container.xml" in names:
        return "epub"
    for folder, kind in (("word/", "docx"), ("ppt/", "pptx"), ("xl/", "xlsx")):
        if "[Content_Types].xml" in names and any(name.startswith(folder) for name in names):
            return kind
    if claimed in OFFICE and look.extension not in ("zip", "jar"):
        return claimed
    raise Unreadable("unsupported", ARCHIVE)


def _is_small(archive: zipfile.ZipFile, name: str) -> bool:
    return archive.getinfo(name).file_size < 10_000


def _in_ole(look: _Sample) -> str:
    if "EncryptedPackage".encode("utf-16-le") in look.data:
        name = OFFICE.get(BY_EXTENSION.get(look.extension, ""), "Office file")
        raise Unreadable(
            "encrypted", f"This {name} is protected with a password. Save a copy without a password to have it read."
        )
    words = OLD_OFFICE.get(look.extension) or next(
        (OLD_OFFICE[extension] for stream, extension in OLE_STREAMS if stream.encode("utf-16-le") in look.data),
        "This is a file in an old Microsoft format. Save it as .docx, .xlsx, .pptx or PDF to have it read.",
    )
    raise Unreadable("unsupported", words)


OLE_STREAMS = (("WordDocument", "doc"), ("Workbook", "xls"), ("PowerPoint Document", "ppt"), ("__substg1.0_", "msg"))


def _is_html(data: bytes) -> bool:
    return bool(
        re.match(
            rb"\s*(<\?xml[^>]*>\s*)?(?>(?:<!--(?:(?!-->).)*+-->\s*+)*+)<(!doctype\s+html|html[\s>])", data[:2048].lower(), re.S
        )
    )


def _is_binary(data: bytes) -> bool:
    return bool(re.search(rb"[\0-\x08\x0e-\x1a\x1c-\x1f]", data[:4096]))


def _by_shebang(data: bytes) -> str:
    return "code" if data.startswith(b"#!") else ""
