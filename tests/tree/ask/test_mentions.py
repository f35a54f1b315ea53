"""Which files mention something: all of them, counted by folder."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following


@pytest.fixture
def docs(tmp_path):
    following = Following(tmp_path)
    for number in range(4):
        following.write(f"runbooks/pump {number}.md", f"# Pump {number}\n\nThe standby pump {number} has a red valve.\n")
    following.write("meetings/may.md", "# May\n\nWe talked about the red valve, twice.\n\nThe valve is red.\n")
    following.write("other.md", "# Other\n\nNothing here but a blue lid, which is read daily.\n")
    following.sync()
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    ("question", "lead", "number"),
    [
        ("Which files mention the red valve?", "**5 files** mention “red valve”", 5),
        ("How many documents mention standby?", "**4 documents** mention “standby”", 4),
        ("where is the blue lid mentioned?", "**1 document** mentions “blue lid”", 1),
        ("List all files that contain the word 'lid'", "**1 file** mentions “lid”", 1),
        ("Which files mention the unicorn?", "**None** of the files mentions “unicorn”.", 0),
        ("Which tickets mention the red valve?", "**None** of the tickets mentions “red valve”. (5 other documents do.)", 0),
    ],
)
def test_all_that_mention_it_are_counted(docs, question, lead, number) -> None:
    answer = docs.ask(question)
    assert answer.text.startswith(lead)
    assert (answer.verdict, len(answer.citations)) == ("complete", number)
    for citation in answer.citations:
        assert any(word in citation.passages[0].text for word in ("valve", "standby", "lid"))


def test_they_are_counted_by_folder(docs) -> None:
    text = docs.ask("Which files mention the red valve?").text
    assert "| Docs › runbooks | 4 |" in text and "| Docs › meetings | 1 |" in text


def test_what_is_deleted_mentions_nothing(docs) -> None:
    (docs.folder / "meetings/may.md").unlink()
    docs.sync()
    assert docs.ask("Which files mention the red valve?").text.startswith("**4 files**")


def test_only_what_is_asked_in_is_counted(docs) -> None:
    place = f"{docs.source.id}/meetings/"
    assert docs.ask("Which files mention the red valve?", places=[place]).text.startswith("**1 file**")
    other = docs.sources.add("folder", "Empty", {"path": str(docs.folder)})
    assert "5 files" not in docs.ask("Which files mention the red valve?", sources=[other.id]).text


@pytest.mark.parametrize(
    "question",
    [
        "Which files mention the valve and the lid?",
        "Which files do not mention the valve?",
        "Which files mention?",
        "Which file names does it look for the valve in?",
    ],
)
def test_a_question_that_says_more_is_left_to_the_walk(docs, question) -> None:
    assert "register" not in [step.kind for step in docs.ask(question).trail]


def test_an_identifier_is_searched_for_letter_by_letter(docs) -> None:
    docs.write("volumes.md", "# Volumes\n\nThe option `sandbox_path` names the place.\n")
    docs.write("camel.md", "# Camel\n\nIn JSON it is `sandboxPath`.\n")
    docs.write("prose.md", "# Prose\n\nThe sandbox path of a task is deleted.\n")
    docs.sync()
    answer = docs.ask("Which files mention sandbox_path?")
    assert answer.text.startswith("**1 file** mentions") and len(answer.citations) == 1
    assert docs.ask("Which files mention sandbox path?").text.startswith("**3 files**")
    docs.write("constant.md", "# Constant\n\nThe call is named SANDBOX_PATH.\n")
    docs.write("apart.md", "# Apart\n\nThe path leads to the sandbox.\n")
    docs.sync()
    assert docs.ask("Which files mention sandboxPath?").text.startswith("**1 file**")
    assert "Apart" not in docs.ask("Which files mention the sandbox path?").text


@pytest.mark.parametrize(
    "question",
    [
        "What is the workaround for THR-03?",
        "ما هو الحل البديل للمشكلة THR-03؟",
        "ما هي حالة \u2068THR-03\u2069؟",
    ],
)
def test_what_is_no_title_and_is_mentioned_is_said_to_be_in_whatever_language(docs, question) -> None:
    docs.write("fleet.md", "# Handhelds of the fleet\n\nThe device THR-03 lies in the cradle at night.\n")
    docs.sync()
    answer = docs.ask(question)
    assert answer.verdict == "partial" and "**1 document mentions** it" in answer.text and "is called" not in answer.text
    assert [citation.passages[0].text for citation in answer.citations] == ["The device THR-03 lies in the cradle at night."]
    unknown = docs.ask(question.replace("THR-03", "THR-04"))
    assert unknown.verdict == "none" and unknown.text == "Nothing in Docs is called THR\\-04."


@pytest.mark.parametrize(
    "question",
    [
        "in which documents does the blue lid come up?",
        "which documents say something about the blue lid",
        "In welchen Dokumenten steht etwas über blue lid?",
    ],
)
def test_it_is_asked_in_other_words_too(docs, question) -> None:
    answer = docs.ask(question)
    assert answer.verdict == "complete" and answer.text.startswith("**1 document** mentions"), answer.text
