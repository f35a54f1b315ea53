"""What crosses to a child process and back is what it was."""

import importlib
import inspect
import os
import pickle
import pkgutil
from collections.abc import Iterator

import pytest

import connectors
from connectors.base import Cancelled, ConnectorError, Document, Locator, Section
from connectors.packing import Answer, pack, unpack
from ingestion.pool import chunk_each
from tree.store.leaves import LeafDocument


def test_documents_and_their_leaves_come_back_from_another_process_as_they_were():
    sections = (
        Section("Text of it.\n\n1. One\n2. Two", Locator(heading=("Steps",), lines=(2, 5))),
        Section("More.", Locator(page=3)),
    )
    document = Document("a/b.md", "Title", (), sections, "print", metadata={"size": "12"}, aliases=("b",))
    [leaves] = chunk_each([document])
    assert isinstance(leaves, LeafDocument)
    assert pickle.loads(pickle.dumps((document, leaves))) == (document, leaves)
    assert unpack(pack(Answer([leaves], 20, 0.5))).result == [leaves]


def _errors(above: type[Exception] = ConnectorError) -> Iterator[type[Exception]]:
    for module in pkgutil.walk_packages(connectors.__path__, "connectors."):
        importlib.import_module(module.name)
    yield above
    for one in above.__subclasses__():
        yield from _errors(one)


@pytest.mark.parametrize("error", [*_errors(), Cancelled])
def test_every_error_of_a_connector_comes_back_from_another_process_as_it_was(error):
    of_its_own = inspect.isfunction(error.__init__)  # else it is made of its words alone
    needed = list(inspect.signature(error.__init__).parameters)[1:] if of_its_own else ["words"]
    made = error(*(f"the {name}" for name in needed))
    back = unpack(pack(Answer(made, 20, 0.5))).result
    assert (type(back), str(back), vars(back)) == (error, str(made), vars(made))


@pytest.mark.parametrize(
    "packed",
    [
        pickle.dumps((os.system, 20, 0.5)),
        b"cos\nsystem\n(S'true'\ntR.",
        b"\x80\x04\x8c\x12connectors.sandbox\x8c\x09os.system\x93.",
        b"cconnectors.sandbox\nSandbox\n.",
        b"cbuiltins\neval\n.",
        b"cbuiltins\nSystemExit\n.",
        pickle.dumps("no answer"),
        pickle.dumps(("a result", "much", 0.5)),
        pickle.dumps(("a result", 20, float("nan"))),
        b"",
        b"\x00garbage",
    ],
)
def test_what_is_no_answer_of_a_child_is_refused(packed):
    with pytest.raises(pickle.UnpicklingError):
        unpack(packed)
