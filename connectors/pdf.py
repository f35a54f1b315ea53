"""The PDF connector: one PDF, or every PDF below a folder, with the passwords that open them."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from connectors.base import Check, ConfigurationError
from connectors.folder import FolderConfig, FolderConnector
from connectors.sandbox import Sandbox

PDFS = ("*.pdf", "*.PDF", "*.Pdf")


class PdfConfig(FolderConfig):
    """What is set up for PDFs: as for a folder, or the path of a single PDF."""

    include: tuple[str, ...] = PDFS

    @property
    def single(self) -> bool:
        """Whether the path is that of one PDF, even while it is away."""
        path = os.path.expanduser(self.path)
        return not os.path.isdir(path) and (os.path.isfile(path) or str(path).lower().endswith(".pdf"))


class PdfConnector(FolderConnector):
    """Reads PDFs."""

    Config: ClassVar[type[FolderConfig]] = PdfConfig
    config: PdfConfig

    def __init__(self, config: PdfConfig, passwords: Sequence[str] = (), sandbox: Sandbox | None = None) -> None:
        self.file = Path(os.path.abspath(os.path.expanduser(config.path))) if config.single else None
        super().__init__(_for_one(config, self.file) if self.file else config, sandbox, passwords=passwords)

    def check(self) -> Check:
        """Counts the PDFs. Raises ConfigurationError where there are none to be found, AccessLost for a closed folder."""
        if self.file and not self.file.is_file():
            raise ConfigurationError(f"There is no file “{self.file}”. Check the path, or connect the drive it is on.")
        found = super().check()
        noun = "PDF" if found.documents == 1 else "PDFs"
        place = self.file or self.config.root
        return Check(f"{found.documents:,} {noun} in “{place}”.", found.documents, found.sample, found.warning)


def _for_one(config: PdfConfig, file: Path) -> PdfConfig:
    """The folder that the file lies in, narrowed down to it."""
    pattern = "/" + re.sub(r"([\\*?\[\]!# ])", r"\\\1", file.name)
    narrowed = {"path": file.parent, "include": (pattern,), "exclude": (), "hidden": file.name.startswith(".")}
    return config.model_copy(update=narrowed)
