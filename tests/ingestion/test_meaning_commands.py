"""`python -m ingestion meaning`: a model of embeddings from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ingestion.__main__ import main
from prompts.engine.catalogue import EMBEDDINGS, HOST_VARIABLE
from prompts.engine.process import EngineState
from prompts.engine.spec import EngineSpec, is_installed
from prompts.engine.state import EMBEDDING_ENGINE, write_state
from tests.ingestion.workspaces import Following
from tests.prompts.engine.model_host import FILE, REPOSITORY, ModelHost, serving
from tests.prompts.model.embedding_server import KEY, MODEL, embedding
from tree.__main__ import main as tree
from tree.local_model import settings_of
from tree.store.embedding_model import WORD_VECTORS, EmbeddingChoice
from tree.workspace import open_workspace, workspace


def test_a_model_is_set_made_told_and_forgotten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    docs = Following(tmp_path)
    docs.write("a.md", "# A\n\nDefective goods go back.\n")
    docs.sync()
    docs.workspace.close()
    (tmp_path / "key").write_text(KEY)

    def run(*words: str) -> tuple[int, str]:
        status = main(["meaning", *words, "--home", str(tmp_path / "home")])
        said = capsys.readouterr()
        return status, said.out + said.err

    assert "No model of embeddings is chosen" in run()[1]
    status, said = run("make")
    assert status == 1 and "Choose one: python -m ingestion meaning set" in said
    with embedding() as server:
        server.wants_key = True
        where = ("openai-compatible", MODEL, "--url", server.url)
        status, said = run("set", *where)
        assert status == 1 and "wants a key" in said and "Nothing was changed." in said
        status, said = run("set", *where, "--key-from", str(tmp_path / "key"))
        assert status == 0 and "works. 1 passages: about" in said and KEY not in said
        assert run("make") == (0, "1 of 1 passages have vectors.\n")
    assert tree(["ask", "What goes back?", "--home", str(tmp_path / "home")]) == 0
    assert "by words alone. It was looked for by words alone, not by meaning." in capsys.readouterr().err
    said = run("off")[1]
    assert "by words alone" in said
    found = json.loads(run("--json")[1])
    assert (found["is_on"], found["state"], found["made"]) == (False, "done", 1) and KEY not in json.dumps(found)
    assert run("forget")[0] == 0 and not (tmp_path / "home" / "vectors.db").exists()


def test_a_model_file_is_listed_fetched_and_refused_where_it_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"

    def run(*words: str) -> tuple[int, str]:
        status = main(["meaning", *words, "--home", str(home)])
        said = capsys.readouterr()
        return status, said.out + said.err

    listed = run("models")[1]
    assert all(f"{one.title}: for {one.languages}, about" in listed and one.licence in listed for one in EMBEDDINGS)
    with serving(ModelHost()) as host:
        monkeypatch.setenv(HOST_VARIABLE, host.url)
        status, said = run("download", f"{REPOSITORY}/{FILE}")
        assert status == 1 and host.sha256 in said and "licence: apache-2.0" in said and "Nothing was downloaded" in said
        status, said = run("download", f"{REPOSITORY}/{FILE}", "--yes")
        assert status == 0 and f"Use it: python -m ingestion meaning use {FILE}" in said
        assert "\n0 %\n" in said and "\n100 %\n" in said, "lines: what steers a terminal is not printed"
        assert (home / "models" / FILE).read_bytes() == host.content
    status, said = run("download", "--yes")
    assert status == 1 and "cannot be reached from here" in said and "copy a .gguf file to this machine" in said
    assert run("download", "nothing")[1].startswith("“nothing” names no model.")
    status, said = run("use", FILE)
    words = "which is not known; versions 2 and 3 are" if is_installed() else "Run: make local"
    assert status == 1 and words in said and "No model of embeddings is chosen" in run()[1]


def test_a_model_of_embeddings_is_told_of_beside_the_one_that_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def status() -> str:
        assert tree(["model", "status", "--home", str(tmp_path)]) == 0
        return capsys.readouterr().out

    assert "No model of embeddings of this machine is chosen. Choose one: python -m ingestion meaning use FILE" in status()
    spec = EngineSpec(file="/models/bge-small.gguf", port=8_791, embeddings=True)
    workspace = open_workspace(tmp_path)
    workspace.meaning.model.save(EmbeddingChoice(settings=settings_of(spec, "key"), engine=spec))
    workspace.close()
    writes, embeds = status().splitlines()
    assert writes.startswith("No model of this machine is chosen")
    assert embeds.startswith("embeddings: bge-small at http://127.0.0.1:8791/v1: stopped") and "is not running" in embeds
    write_state(tmp_path, EngineState("waiting", "Port 8791 is taken.", 3), EMBEDDING_ENGINE)
    assert "bge-small at http://127.0.0.1:8791/v1: waiting, started again 3 times. Port 8791 is taken." in status()


def test_a_sync_by_hand_makes_vectors_of_words_too(tmp_path: Path) -> None:
    docs = Following(tmp_path)
    docs.write("a.md", "# A\n\nDefective goods go back.\n")
    source_id = docs.source.id
    docs.workspace.close()
    assert main(["sync", "--home", str(tmp_path / "home")]) == 0
    with workspace(tmp_path / "home") as opened:
        assert opened.meaning.vectors.label() == WORD_VECTORS and opened.meaning.vectors.known(source_id)
