"""A model is downloaded from a host over HTTP: what it is first, then the file, resumed where it broke off, then the proof."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from prompts.engine import download as downloads
from prompts.engine.catalogue import EMBEDDINGS, GIGABYTE, RECOMMENDED, Model, named, recommended_for
from prompts.engine.download import DownloadCancelled, DownloadError, Remote, download, look_up
from prompts.engine.spec import EngineError
from prompts.model.embedding import text_before
from tests.prompts.engine.model_host import FILE, REPOSITORY, RESOLVE, STORE, ModelHost, serving

MODEL = Model(REPOSITORY, FILE)


@pytest.fixture
def host() -> Iterator[ModelHost]:
    with serving(ModelHost()) as started:
        yield started


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "PAUSE", 0.0)


@pytest.fixture
def remote(host: ModelHost) -> Remote:
    return look_up(MODEL, host.url)


@pytest.mark.parametrize("tells", ["headers", "pointer"])
def test_the_host_says_size_checksum_and_licence_before_anything_is_downloaded(host: ModelHost, tells) -> None:
    host.tells = tells
    found = look_up(MODEL, host.url)
    assert (found.size, found.sha256, found.licence) == (len(host.content), host.sha256, "apache-2.0")
    assert not any(STORE in request for request in host.requests)


def test_a_file_arrives_whole_and_is_proved(host: ModelHost, remote: Remote, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    path = download(remote, tmp_path / "models", lambda here, of: seen.append((here, of)))
    assert path == tmp_path / "models" / FILE and path.read_bytes() == host.content
    assert seen[0] == (0, remote.size) and seen[-1] == (remote.size, remote.size)
    asked = len(host.requests)
    assert download(remote, tmp_path / "models") == path and len(host.requests) == asked, "what is there is not fetched again"


def test_a_connection_that_breaks_off_is_gone_on_with(host: ModelHost, remote: Remote, tmp_path: Path) -> None:
    host.hangs_up_after, host.hang_ups = 300_000, 3
    assert download(remote, tmp_path).read_bytes() == host.content
    assert f"GET {RESOLVE} bytes=300000-" in host.requests and f"GET {RESOLVE} bytes=600000-" in host.requests


def test_a_download_that_is_given_up_goes_on_later(host: ModelHost, remote: Remote, tmp_path: Path) -> None:
    host.hangs_up_after, host.hang_ups = 400_000, 1

    def stop_then(here: int, of: int) -> None:
        if here >= 400_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):  # as when the app is ended
        download(remote, tmp_path, stop_then)
    host.requests.clear()
    assert download(remote, tmp_path).read_bytes() == host.content
    assert any("bytes=4" in request for request in host.requests), host.requests


def test_a_host_that_only_sends_whole_files_is_begun_anew(host: ModelHost, remote: Remote, tmp_path: Path) -> None:
    host.hangs_up_after, host.hang_ups, host.takes_ranges = 300_000, 1, False
    assert download(remote, tmp_path).read_bytes() == host.content


def test_a_host_that_always_breaks_off_at_once_is_given_up_in_words(host: ModelHost, remote: Remote, tmp_path: Path) -> None:
    host.hangs_up_after, host.hang_ups = 0, 1_000
    with pytest.raises(DownloadError, match=r"broke off at 0 % .* download it again to go on from there"):
        download(remote, tmp_path)


@pytest.mark.parametrize("wrong", ["another file", "a longer file"])
def test_a_file_with_another_checksum_is_deleted(host: ModelHost, remote: Remote, tmp_path: Path, wrong: str) -> None:
    host.sends = host.content[::-1] if wrong == "another file" else host.content + b"more"
    with pytest.raises(DownloadError, match="its checksum is another. It was deleted"):
        download(remote, tmp_path)
    assert not [path for path in tmp_path.iterdir() if path.suffix in (".part", ".gguf")]
    host.sends = None
    assert download(remote, tmp_path).read_bytes() == host.content


def test_a_damaged_part_is_found_out(host: ModelHost, remote: Remote, tmp_path: Path) -> None:
    (tmp_path / f"{remote.sha256[:16]}.part").write_bytes(b"x" * 1_000)
    with pytest.raises(DownloadError, match="checksum"):
        download(remote, tmp_path)
    assert download(remote, tmp_path).read_bytes() == host.content


def test_cancelling_keeps_what_has_come(host: ModelHost, remote: Remote, tmp_path: Path) -> None:
    host.waits = threading.Event()
    cancelled = threading.Event()

    def progress(here: int, of: int) -> None:
        if here:
            cancelled.set()
            host.waits.set()

    with pytest.raises(DownloadCancelled):
        download(replace(remote), tmp_path, progress, cancelled.is_set)
    assert not (tmp_path / FILE).exists() and list(tmp_path.glob("*.part"))


def test_a_disk_without_room_is_said_before_anything_is_fetched(host: ModelHost, remote: Remote, tmp_path: Path) -> None:
    with pytest.raises(
        DownloadError, match=r"needs 1000000\.0 GB more, with 200 MB left for everything else, and the disk of .* free"
    ):
        download(replace(remote, size=10**15), tmp_path)
    assert not any(STORE in request for request in host.requests)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_disk_that_fills_up_meanwhile_is_said(remote: Remote, tmp_path: Path) -> None:
    (tmp_path / f"{remote.sha256[:16]}.part").symlink_to("/dev/full")
    with pytest.raises(DownloadError, match="is full. What is here is kept"):
        download(remote, tmp_path)


def test_a_folder_that_cannot_be_made_is_said(remote: Remote, tmp_path: Path) -> None:
    (tmp_path / "models").write_text("a file")
    with pytest.raises(DownloadError, match="cannot be written to"):
        download(remote, tmp_path / "models")


@pytest.mark.parametrize(("status", "words"), [(404, "has no team/tiny"), (401, "to everybody"), (503, "refuses to give")])
def test_what_a_host_refuses_is_said(host: ModelHost, status: int, words: str) -> None:
    host.status = status
    with pytest.raises(DownloadError, match=words):
        look_up(MODEL, host.url)


def test_a_host_that_says_no_checksum_is_not_believed(host: ModelHost) -> None:
    host.tells = "nothing"
    with pytest.raises(DownloadError, match="says no checksum"):
        look_up(MODEL, host.url)


def test_without_a_network_the_words_say_what_to_do() -> None:
    with pytest.raises(
        DownloadError, match=r"cannot be reached from here \(Connection refused\)\. .* copy a .gguf file to this machine"
    ):
        look_up(MODEL, "http://127.0.0.1:9")
    with pytest.raises(DownloadError, match="Downloads are switched off here"):
        look_up(MODEL, "")


def test_a_model_is_recommended_by_the_memory_of_the_machine() -> None:
    assert [recommended_for(size * GIGABYTE, 32).gigabytes for size in (2, 4, 8, 16, 64)] == [1.1, 1.1, 2.5, 4.7, 9.0]
    assert [recommended_for(64 * GIGABYTE, number).gigabytes for number in (2, 4, 8, 16)] == [1.1, 2.5, 4.7, 9.0]
    assert recommended_for(None, 32) == RECOMMENDED[0]
    assert all(one.licence and one.gigabytes < one.memory and named(one.name) == one for one in RECOMMENDED)


def test_models_of_embeddings_are_named_apart_from_those_that_write() -> None:
    assert all(one.licence and one.languages and one.embeddings and named(one.title, EMBEDDINGS) == one for one in EMBEDDINGS)
    assert named("team/tiny-GGUF/tiny.gguf", EMBEDDINGS) == Model("team/tiny-GGUF", "tiny.gguf", embeddings=True)
    with pytest.raises(EngineError, match="or choose: BGE Small"):
        named(RECOMMENDED[0].title, EMBEDDINGS)


def test_what_the_recommended_models_want_before_a_text_is_known() -> None:
    def before(file: str) -> tuple[str, str]:
        return text_before(file, "question"), text_before(file, "passage")

    english, multilingual, large = (before(one.file) for one in EMBEDDINGS)
    assert english == ("Represent this sentence for searching relevant passages: ", "")
    assert multilingual == ("", "") and large == ("search_query: ", "search_document: ")
    assert before("multilingual-e5-small-Q8_0.gguf") == ("query: ", "passage: ")


@pytest.mark.parametrize(
    "text", ["", "tiny", "team/tiny", "../../etc/passwd.gguf", "https://host/a/b.gguf", "team/tiny/../x.gguf"]
)
def test_a_name_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(EngineError, match="names no model"):
        named(text)
    assert named("team/tiny-GGUF/q4/tiny.gguf") == Model("team/tiny-GGUF", "q4/tiny.gguf")
