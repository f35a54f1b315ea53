"""Who did somebody's job before, and who stands in for somebody, is answered from a page that says so."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tree.ask.several import as_earlier

PAGE = """# Who is who

- **Ida Holm** – warden of the harbour (since May 2021; before her Otto Reyl, retired)
- Deputy: Mara Quist, on leave 1 May 2026 to 28 February 2099; until then Per Lund stands in.
- **Wren Abbot** – ropes
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    following = Following(tmp_path_factory.mktemp("page"))
    following.write("who.md", PAGE)
    following.sync()
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("who did Ida's job before her?", "**Otto Reyl**, predecessor of Ida Holm"),
        ("Who was before Ida Holm?", "**Otto Reyl**, predecessor of Ida Holm"),
        ("whose job did ida take over", "**Otto Reyl**, predecessor of Ida Holm"),
        ("who is the successor of Otto Reyl?", "**Ida Holm**, successor of Otto Reyl"),
        ("who is Ida Holm's predecessor", "**Otto Reyl**, predecessor of Ida Holm"),
        ("whos covering for mara while she is away", "**Per Lund, until 28 February 2099**"),
        ("who stands in for Mara Quist?", "**Per Lund, until 28 February 2099**"),
        ("wer vertritt Mara", "**Per Lund, until 28 February 2099**"),
    ],
)
def test_it_is_asked_for_as_people_do(page, question: str, said: str) -> None:
    answer = page.ask(question)
    assert answer.verdict == "complete" and answer.text.startswith(said), answer.text


@pytest.mark.parametrize("question", ["who was before Wren Abbot?", "who stands in for Wren?", "who did Otto's job before him?"])
def test_of_whom_nothing_is_said_nothing_is_told(page, question: str) -> None:
    assert page.ask(question).verdict != "complete"


def test_whom_a_follow_up_means_is_who_the_passage_names(page) -> None:
    first = page.ask("who is the warden of the harbour?")
    then = page.ask("and who had that job before her?", earlier=[as_earlier(first)])
    assert "Otto Reyl" in then.text and then.verdict == "complete"
