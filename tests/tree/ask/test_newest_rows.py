"""A question for the latest of something is answered with the row of the latest day, and not with all of them."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following

RELEASES = """product,version,platform,date,pushed by
Heron,1.0.0,PC,2026-03-12,Ada Holm
Heron,1.1.0,PC,2026-04-09,Ben Marsh
Heron,1.0.0,Tablet,2026-04-16,Ada Holm
Heron,1.2.0,PC,2026-06-25,Ben Marsh
Heron,1.3.0,PC,2099-01-01,Ben Marsh
"""


@pytest.mark.parametrize("question", ["What is the latest version of Heron?", "What is the newest version of Heron?"])
def test_the_latest_is_the_row_of_the_latest_day_until_today(tmp_path, question: str) -> None:
    following = Following(tmp_path)
    following.write("releases.csv", RELEASES)
    following.sync()
    answer = following.ask(question)
    told = answer.text.replace("\\", "")
    assert answer.verdict == "complete" and told.startswith("**1.2.0**"), told
    following.workspace.close()


def test_where_no_day_tells_which_is_the_latest_nothing_is_claimed(tmp_path) -> None:
    following = Following(tmp_path)
    following.write("releases.csv", RELEASES.replace(",date,", ",place,").replace("2026-", "shelf ").replace("2099-", "shelf "))
    following.sync()
    assert following.ask("What is the latest version of Heron?").verdict != "complete"
    following.workspace.close()
