"""A search finds what a reader may see, the passage that fits best first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ingestion.workspaces import Following
from tree.accounts.principal import OPERATOR
from tree.browse.search import search_tree

pytestmark = pytest.mark.usefixtures("each_database")


@pytest.fixture
def docs(tmp_path: Path) -> Iterator[Following]:
    following = Following(tmp_path)
    yield following
    following.workspace.close()


def test_the_passage_that_fits_best_is_first_whatever_its_name_and_its_age(docs: Following) -> None:
    other = "The crane stands on the north quay and is greased by the night shift. "
    docs.write("m.md", f"# Crane\n\n{other * 8}The pump is beside it.\n")
    docs.sync()
    docs.write("z.md", "# Winch\n\nThe pump drives the pump of the winch: a pump for a pump.\n")
    docs.sync()
    docs.write("a.md", f"# Berth\n\n{other * 16}The pump is far away.\n")
    docs.sync()
    found = search_tree(docs.workspace, OPERATOR, "pump")["passages"]
    assert [one["place"].rpartition("/")[2] for one in found] == ["z.md", "m.md", "a.md"]
    assert ["pump", True] in found[0]["snippet"]
