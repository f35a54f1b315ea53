"""The head of a model file is read: what it is, and that it is one at all."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from prompts.engine.gguf import NotAModel, model_files, read_header

TEXT, NUMBER, LIST = 8, 4, 9


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value.encode())) + value.encode()


def written(path: Path, fields: dict[str, object], version: int = 3, data: int = 4_096) -> Path:
    """A GGUF file of these fields with one tensor, and so many bytes of data."""
    made = b"GGUF" + struct.pack("<IQQ", version, 1, len(fields))
    for name, value in fields.items():
        made += text(name)
        if isinstance(value, str):
            made += struct.pack("<I", TEXT) + text(value)
        elif isinstance(value, list):
            made += struct.pack("<IIQ", LIST, TEXT, len(value)) + b"".join(map(text, value))
        else:
            made += struct.pack("<II", NUMBER, value)
    made += text("weights") + struct.pack("<IQIQ", 1, 1_024, 0, 3_000)
    path.write_bytes(made + bytes(data))
    return path


MODEL = {
    "general.architecture": "llama",
    "general.name": "Tiny",
    "general.license": "mit",
    "tokenizer.tokens": ["a", "b"],
    "llama.context_length": 4_096,
}


def test_what_a_file_says_of_itself_is_read(tmp_path: Path) -> None:
    header = read_header(written(tmp_path / "tiny.gguf", MODEL))
    assert (header.architecture, header.name, header.licence, header.context_tokens) == ("llama", "Tiny", "mit", 4_096)
    assert header.size > 4_096


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"general.architecture": "bert"}, "holds no model that writes"),
        ({"general.name": "x"}, "holds no model that writes"),
        (MODEL | {"general.type": "adapter"}, "holds no model that writes"),
    ],
)
def test_what_does_not_write_is_refused(tmp_path: Path, fields: dict, words: str) -> None:
    with pytest.raises(NotAModel, match=words):
        read_header(written(tmp_path / "other.gguf", fields))


def test_a_model_of_embeddings_is_taken_where_one_is_wanted(tmp_path: Path) -> None:
    encoder = written(tmp_path / "encoder.gguf", {"general.architecture": "bert", "bert.pooling_type": 1})
    assert read_header(encoder, embeddings=True).pools
    assert not read_header(written(tmp_path / "chat.gguf", MODEL), embeddings=True).pools
    with pytest.raises(NotAModel, match="makes vectors of texts"):
        read_header(written(tmp_path / "pictures.gguf", {"general.architecture": "clip"}), embeddings=True)


def test_files_are_told_apart_by_what_they_are_made_for(tmp_path: Path) -> None:
    for part in ("1", "2"):
        written(tmp_path / f"large-0000{part}-of-00002.gguf", MODEL)
    encoder = {"general.architecture": "bert", "bert.pooling_type": 1}
    written(tmp_path / "encoder.gguf", encoder)
    written(tmp_path / "qwen3-embedding.gguf", {"general.architecture": "qwen3", "qwen3.pooling_type": 3})
    (tmp_path / "noise.gguf").write_text("noise")
    assert [path.name for path in model_files(tmp_path, embeddings=True)] == ["encoder.gguf", "qwen3-embedding.gguf"]
    assert [path.name for path in model_files(tmp_path)] == ["large-00001-of-00002.gguf", "noise.gguf"]
    assert model_files(tmp_path / "nowhere") == []


def test_what_is_no_model_file_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    for path, words in (
        (tmp_path / "notes.txt", "is no GGUF file"),
        (tmp_path / "nothing.gguf", "cannot be read"),
        (tmp_path, "cannot be read"),
    ):
        with pytest.raises(NotAModel, match=words):
            read_header(path)
    with pytest.raises(NotAModel, match="version 9"):
        read_header(written(tmp_path / "later.gguf", MODEL, version=9))


def test_a_file_that_is_cut_anywhere_is_found_out(tmp_path: Path) -> None:
    whole = written(tmp_path / "whole.gguf", MODEL).read_bytes()
    cut = tmp_path / "cut.gguf"
    for length in (*range(4, len(whole) - 4_096, 7), len(whole) - 2_000):
        cut.write_bytes(whole[:length])
        with pytest.raises(NotAModel):
            read_header(cut)


@pytest.mark.parametrize("number", [2**64 - 1, 2**40, 2**31])
def test_numbers_that_cannot_be_are_not_believed(tmp_path: Path, number: int) -> None:
    path = tmp_path / "odd.gguf"
    for at in (8, 16, 24):  # tensors, fields, length of a name
        data = bytearray(written(path, MODEL).read_bytes())
        data[at : at + 8] = struct.pack("<Q", number)
        path.write_bytes(data)
        with pytest.raises(NotAModel):
            read_header(path)
