"""What crosses to a child process and back is what it was."""

import pickle

from connectors.base import Document, Locator, Section
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
