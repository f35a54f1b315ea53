"""Reads pictures of pages with tesseract, where it is installed (ocrmypdf is built on it and cannot do without it)."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pypdfium2 as pdfium

DOTS_PER_INCH = 300
LONGEST_SIDE = 4_000  # pixels: A4 at 300 dots per inch has 3,508
PAGE_SECONDS = 60


def installed() -> bool:
    return shutil.which("tesseract") is not None


def recognize(page: pdfium.PdfPage, language: str, seconds: float = PAGE_SECONDS) -> str:
    """The text on a picture of a page; empty when tesseract fails on it or takes too long."""
    scale = min(DOTS_PER_INCH / 72, LONGEST_SIDE / max(page.get_size()))
    picture = page.render(scale=scale, grayscale=True).to_pil()
    with tempfile.TemporaryDirectory(prefix="knowledge-tree-") as folder:
        path = Path(folder) / "page.png"
        picture.save(path, dpi=(round(scale * 72), round(scale * 72)))
        command = ["tesseract", str(path), "stdout", *(["-l", language] if language else [])]
        one_core = {**os.environ, "OMP_THREAD_LIMIT": "1"}  # several get in each other's way on one page
        try:
            done = subprocess.run(command, capture_output=True, timeout=min(seconds, PAGE_SECONDS), check=False, env=one_core)
        except (OSError, subprocess.TimeoutExpired):
            return ""
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else ""
