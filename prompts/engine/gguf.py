"""Reads the head of a GGUF file (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md): whether it is a model that writes."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from prompts.engine.spec import EngineError

MAGIC = b"GGUF"
MOST_FIELDS, MOST_TENSORS, LONGEST_TEXT = 100_000, 1_000_000, 64_000_000
_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}  # bytes of a plain value, by its type
_FORMATS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
_STRING, _ARRAY = 8, 9
# Architectures that do not write: those that make vectors of texts, and those of pictures and sounds.
ENCODERS = ("bert", "nomic-bert", "nomic-bert-moe", "jina-bert-v2", "jina-bert-v3", "modern-bert", "gemma-embedding", "t5encoder")
NO_TEXT = ("clip", "wavtokenizer-dec")


class NotAModel(EngineError):
    """The file cannot be run as a language model."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a model file says of itself."""

    architecture: str
    name: str
    licence: str
    context_tokens: int | None  # that it was trained for
    size: int  # bytes
    pools: bool = False  # it makes one vector of a text by itself, as models of embeddings do

    @property
    def makes_embeddings(self) -> bool:
        """Whether that is what it was made for."""
        return self.pools or self.architecture in ENCODERS


def read_header(path: Path, embeddings: bool = False) -> Header:
    """Of a model that writes, or of one that makes `embeddings`. Raises NotAModel with words for a person."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            return _read(file, size, path.name, embeddings)
    except OSError as error:
        raise NotAModel(f"{path} cannot be read: {error.strerror or error}. Give the full path of a .gguf file.") from error
    except (struct.error, _Ends) as error:
        raise NotAModel(f"{path.name} is cut short or damaged; download it again.") from error


def model_files(folder: Path, embeddings: bool = False) -> list[Path]:
    """Files of models of embeddings in a folder, or all others; of one in parts only the first."""
    found = (path for path in sorted(folder.glob("*.gguf")) if "-of-" not in path.name or "-00001-of-" in path.name)
    return [path for path in found if path.is_file() and _makes_embeddings(path, path.stat().st_mtime) == embeddings]


@lru_cache(maxsize=100)
def _makes_embeddings(path: Path, changed_at: float) -> bool:
    """False of a file that cannot be read: whoever tries it is told why."""
    try:
        return read_header(path, embeddings=True).makes_embeddings
    except NotAModel:
        return False


class _Ends(Exception):
    """The file ends before what it announces, or announces what cannot be."""


def _read(file: BinaryIO, size: int, name: str, embeddings: bool) -> Header:
    if file.read(4) != MAGIC:
        raise NotAModel(f"{name} is no GGUF file. Give a model in llama.cpp's format; its name mostly ends in .gguf.")
    version, tensors, fields = struct.unpack("<IQQ", file.read(20))
    if version not in (2, 3):
        raise NotAModel(f"{name} is a GGUF file of version {version}, which is not known; versions 2 and 3 are.")
    if fields > MOST_FIELDS or tensors > MOST_TENSORS:
        raise _Ends
    said = dict(_field(file) for _ in range(fields))
    _check_whole(file, size, tensors, said)
    architecture = str(said.get("general.architecture", ""))
    is_none = not architecture or architecture in NO_TEXT or said.get("general.type") in ("adapter", "mmproj", "imatrix", "vocab")
    if is_none or (architecture in ENCODERS and not embeddings):
        wanted, choose = ("makes vectors of texts", "a model of embeddings") if embeddings else ("writes", "an instruction model")
        raise NotAModel(f"{name} holds no model that {wanted} ({architecture or 'no architecture'}). Choose {choose}.")
    trained = said.get(f"{architecture}.context_length")
    return Header(
        architecture,
        str(said.get("general.name") or name.removesuffix(".gguf")),
        str(said.get("general.license") or ""),
        trained if isinstance(trained, int) else None,
        size,
        f"{architecture}.pooling_type" in said,
    )


def _check_whole(file: BinaryIO, size: int, tensors: int, said: dict[str, object]) -> None:
    """Every tensor has to begin within the file."""
    last = 0
    for _ in range(tensors):
        _text(file)
        (dimensions,) = struct.unpack("<I", file.read(4))
        if dimensions > 8:
            raise _Ends
        file.read(8 * dimensions + 4)
        (offset,) = struct.unpack("<Q", file.read(8))
        last = max(last, offset)
    alignment = said.get("general.alignment", 32)
    begins = file.tell() + (alignment if isinstance(alignment, int) else 32)
    if tensors and begins + last > size + 64:
        raise _Ends


def _field(file: BinaryIO) -> tuple[str, object]:
    name = _text(file)
    (kind,) = struct.unpack("<I", file.read(4))
    return name, _value(file, kind)


def _value(file: BinaryIO, kind: int) -> object:
    if kind == _STRING:
        return _text(file)
    if kind == _ARRAY:
        _skip_array(file)
        return None
    if kind not in _SIZES:
        raise _Ends
    return struct.unpack(_FORMATS[kind], file.read(_SIZES[kind]))[0]


def _skip_array(file: BinaryIO) -> None:
    kind, number = struct.unpack("<IQ", file.read(12))
    if kind in _SIZES:
        _skip(file, _SIZES[kind] * number)
        return
    read: Callable[[BinaryIO], object] = _skip_text if kind == _STRING else _skip_array
    if kind not in (_STRING, _ARRAY) or number > LONGEST_TEXT:
        raise _Ends
    for _ in range(number):
        read(file)


def _text(file: BinaryIO) -> str:
    (length,) = struct.unpack("<Q", file.read(8))
    if length > LONGEST_TEXT:
        raise _Ends
    return file.read(length).decode("utf-8", "replace")


def _skip_text(file: BinaryIO) -> None:
    _skip(file, struct.unpack("<Q", file.read(8))[0])


def _skip(file: BinaryIO, length: int) -> None:
    if length > 1 << 40:
        raise _Ends
    file.seek(length, 1)
