"""Decisions, actions and events come and go with the text that states them: none is told that was deleted or edited away."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.databases import with_seeds
from tests.ingestion.workspaces import Following
from tree.retrieve.index import Index, SearchScope

THINGS = ("lantern", "turnstile", "almanac", "foghorn")
PEOPLE = ("Maren Oduya", "Tomas Reyl", "Ines Falk")

pytestmark = pytest.mark.usefixtures("each_database")


@pytest.fixture
def docs(tmp_path: Path) -> Iterator[Following]:
    following = Following(tmp_path)
    yield following
    following.workspace.close()


def _minutes(chance: Random, number: int) -> str:
    thing, person = chance.choice(THINGS), chance.choice(PEOPLE)
    code = f"W{number:04d}"
    return (
        f"# Round, {chance.randrange(1, 28)} May 2026\n\nWe decided to keep the {thing} under the name {code}D.\n\n"
        f"## Actions\n\n| Who | What | By |\n|---|---|---|\n| {person} | paint the {thing} {code}A | 30 May |\n\n"
        f"## History\n\nThe {thing} {code}E was launched on 2 May 2026.\n"
    )


def _fresh(docs: Following) -> list[tuple[Any, ...]]:
    scope = SearchScope((docs.source.id,))
    index = Index(docs.workspace.store, None)
    index.load(scope.sources, docs.workspace.index.version())
    return index.items(scope).everything()


def _written(docs: Following, letter: str) -> set[str]:
    texts = [path.read_text() for path in docs.folder.rglob("*.md")]
    return {
        word.strip(".|") for text in texts for word in text.split() if word.startswith("W0") and word.strip(".|").endswith(letter)
    }


def _told(docs: Following, question: str, letter: str) -> set[str]:
    text = docs.ask(question).text
    return {word.strip(".,") for word in text.split() if word.startswith("W0") and word.strip(".,").endswith(letter)}


@with_seeds(3)
def test_after_any_change_just_what_stands_there_is_told(docs: Following, seed: int) -> None:
    chance = Random(seed)
    number = 0
    for _ in range(5):
        for _ in range(chance.choice((1, 2, 4))):
            files = sorted(docs.folder.rglob("*.md"))
            name = f"{chance.choice(('', 'a/', 'b/'))}{chance.randrange(6)}.md"
            match chance.choice(("write", "write", "delete", "move")) if files else "write":
                case "write":
                    number += 1
                    docs.write(name, _minutes(chance, number))
                case "delete":
                    chance.choice(files).unlink()
                case "move":
                    (docs.folder / name).parent.mkdir(exist_ok=True)
                    chance.choice(files).rename(docs.folder / name)
        docs.sync()
        docs.workspace.index.catch_up()
        assert docs.workspace.index.items(SearchScope((docs.source.id,))).everything() == _fresh(docs)
        assert _told(docs, "Which decisions were made in May 2026?", "D") == _written(docs, "D")
        assert _told(docs, "Which actions are there?", "A") == _written(docs, "A")
        assert _told(docs, "Which events were there in May 2026?", "E") == _written(docs, "E")


def test_what_is_edited_away_is_told_no_more(docs: Following) -> None:
    docs.write("minutes.md", "# Round, 4 May 2026\n\nWe decided to paint the ferry red.\n")
    docs.sync()
    assert "red" in docs.ask("What was decided about the ferry?").text
    docs.write("minutes.md", "# Round, 4 May 2026\n\nWe decided to paint the ferry blue.\n")
    docs.sync()
    told = docs.ask("What was decided about the ferry?")
    assert "blue" in told.text and "red" not in told.text and told.verdict == "complete"
    assert "red" not in docs.indexed()
    docs.write("minutes.md", "# Round, 4 May 2026\n\nThe ferry sails at ten.\n")
    docs.sync()
    assert docs.ask("What was decided about the ferry?").verdict != "complete"


def test_a_question_in_one_branch_tells_nothing_of_another(docs: Following) -> None:
    docs.write("open/a.md", "# Round, 4 May 2026\n\nWe decided to paint the ferry red.\n")
    docs.write("closed/b.md", "# Board, 5 May 2026\n\nWe decided to sell the ferry to Hidden Shipping.\n")
    docs.sync()
    told = docs.ask("What was decided about the ferry?", places=[f"{docs.source.id}/open/"])
    assert "red" in told.text and "Hidden" not in told.text and told.text.startswith("**1 decision found** about ferry")
    there = docs.ask("decisions in the closed folder", places=[f"{docs.source.id}/open/"])
    assert "Hidden" not in there.text


def test_an_older_version_tells_what_was_decided_then(docs: Following) -> None:
    docs.write("minutes.md", "# Round, 4 May 2026\n\nWe decided to paint the ferry red.\n")
    docs.sync()
    then = docs.workspace.store.versions.with_changes(limit=1)[0].published_at
    docs.write("minutes.md", "# Round, 4 May 2026\n\nWe decided to paint the ferry blue.\n")
    docs.sync()
    told = docs.ask("What was decided about the ferry?", as_of=then)
    assert "red" in told.text and "blue" not in told.text
