"""Opens a PDF with PDFium, trying the passwords of its source; PDFium itself runs one call at a time."""

from __future__ import annotations

import threading
from collections.abc import Iterable

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from connectors.formats.parsed import Unreadable

PDFIUM = threading.RLock()  # PDFium is not safe to use from two threads at once: hold this around every use

ENCRYPTED = "This PDF is locked with a password. Add its password to the source (Sources, Settings, Passwords), then sync again."
WRONG = "This PDF is locked, and none of the source's passwords opens it. Correct them (Sources, Settings, Passwords), then sync again."
DAMAGED = "This PDF is damaged: no page of it can be read. Open it in a PDF viewer and save it again, or get a fresh copy."
UNKNOWN_LOCK = "This PDF is protected by a method other than a password. Save an unprotected copy of it."


def open_document(data: bytes, passwords: Iterable[str] = ()) -> tuple[pdfium.PdfDocument, str]:
    """The open document and the password that opened it (empty: none needed). Raises Unreadable."""
    tried = 0
    for password in ("", *passwords):
        try:
            return pdfium.PdfDocument(data, password=password or None), password
        except pdfium.PdfiumError as error:
            code = error.err_code
        if code == raw.FPDF_ERR_SECURITY:
            raise Unreadable("encrypted", UNKNOWN_LOCK)
        if code != raw.FPDF_ERR_PASSWORD:
            raise Unreadable("damaged", DAMAGED)
        tried += bool(password)
    raise Unreadable("encrypted", WRONG if tried else ENCRYPTED)
