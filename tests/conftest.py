"""What holds for all tests."""

from __future__ import annotations

import gc
import os
import sqlite3
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from argon2 import PasswordHasher
from starlette import routing

from tests.databases import LEFT_OUT, SYSTEMS, new_database
from tree.accounts import passwords
from tree.workspace import DATABASE_VARIABLE

LONG = (  # files that take longest, and folders of such, as they are begun
    "browser", "bench", "prompts/engine/test_real_engine.py", "ui/test_demo.py", "sample/test_answers.py", "test_command_line.py",
    "connectors/jira/test_faults.py", "connectors/test_watch.py", "test_patterns.py", "ingestion", "prompts/test_readers.py",
    "connectors/jira/test_connector.py", "tree",
)  # fmt: skip


gc.disable()  # until all tests are collected: a sixth of that would be looking for garbage, and there is none
for _name in [name for name in os.environ if name.startswith("KNOWLEDGE_TREE_MODEL")]:
    del os.environ[_name]  # whatever model the person at this machine uses, no test asks it
os.environ.pop(DATABASE_VARIABLE, None)  # nor writes into it
os.environ["KNOWLEDGE_TREE_MODEL_SERVERS"] = ""  # nor looks for one
os.environ["SSL_CERT_FILE"] = str(
    Path(__file__).with_name("nobody.pem")
)  # no host outside is reached: each client would load all authorities, 35 ms
os.environ["KNOWLEDGE_TREE_HOME"] = (
    f"{os.devnull}/none"  # nor opens the data folder of whoever runs the tests: each makes its own
)


class CompiledStatements(dict[Any, Any]):
    """Compiled SQL for all databases of a kind: SQLAlchemy compiles for each engine anew, and each test has one of its own."""

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get((key[0].name, *key[1:]), default)

    def __setitem__(self, key: Any, compiled: Any) -> None:
        super().__setitem__((key[0].name, *key[1:]), compiled)


STATEMENTS = CompiledStatements()


@sa.event.listens_for(sa.Engine, "engine_connect")
def _share_compiled_statements(connection: sa.Connection) -> None:
    connection.execution_options(compiled_cache=STATEMENTS)


@sa.event.listens_for(sa.pool.Pool, "checkout")
def _wait_for_no_disk(connection: Any, record: Any, _proxy: object) -> None:
    """No test cuts the power: an SQLite file that waits for the disk at every commit is a third of the time of the tests."""
    if isinstance(connection, sqlite3.Connection) and not record.info.get("waits for no disk"):
        record.info["waits for no disk"] = True
        connection.execute("PRAGMA synchronous = OFF")


routing.compile_path = cache(routing.compile_path)  # a test's server has the same sixty paths as the server of the test before

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
NOBODYS = CHEAP.hash("of nobody")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long is begun first, so that no worker is alone with it at the end."""
    items.sort(key=lambda item: _rank(item.path))


def pytest_collection_finish() -> None:
    """The thousands of tests and all that they import stay: no collection need go through them again, and none after every 700
    objects. A fifteenth of the processor."""
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()


@cache
def _rank(path: Path) -> int:
    place = path.relative_to(Path(__file__).parent)
    return next((rank for rank, name in enumerate(LONG) if place.is_relative_to(name)), len(LONG))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Two more than there are processors: a third of the time a test waits, for a browser, a process or a time-out."""
    return (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1) + 2


@pytest.fixture(autouse=True)
def _main_module() -> Iterator[None]:
    """A page under test makes itself the main module, which multiprocessing would then run in every child of later tests."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main


@pytest.fixture
def full_cost_passwords() -> None:
    """For a test of what a guess costs: the hashes that the product makes."""


@pytest.fixture(autouse=True)
def _cheap_passwords(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same hash with its least cost: a quarter of a second of processor is meant for who guesses, and the tests sign in often."""
    if "full_cost_passwords" not in request.fixturenames:
        monkeypatch.setattr(passwords, "_hasher", CHEAP)
        monkeypatch.setattr(passwords, "_NOBODYS", NOBODYS)


@pytest.fixture(params=SYSTEMS)
def each_database(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The test is run on each database system that there is: whatever it opens by `open_workspace` or `open_database`, and in
    whatever process, is kept there."""
    if request.param == "sqlite":
        yield request.param
        return
    with new_database() as url:
        monkeypatch.setenv(DATABASE_VARIABLE, url)
        yield request.param


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if "postgresql" not in SYSTEMS:
        terminalreporter.write_line(LEFT_OUT)
