"""Records without a model: greetings and exclamations are no summary where there is anything better, and what a text is about are
names and nouns."""

from __future__ import annotations

from importlib import import_module

import pytest

from prompts.extractive import ExtractiveReader
from prompts.extractive.greetings import GREETS, may_greet, says_little
from prompts.phrases import keyphrases
from prompts.records import Child, LeafText, SummaryRecord
from prompts.taxonomy import UNCLASSIFIED

CHAT = "Nadia: Your bread has been delivered, wow!\nTom: I'm so happy, can't wait!\nNadia: Agreed!\n"
STANDUP = (
    "[09:02] Ines: Morning all!\n[09:03] Piotr: Hey! Sorry I'm late\n"
    "[09:04] Ines: The importer of the orders database was moved to the new cluster last night.\n"
    "[09:05] Piotr: Great news, thanks!!\n[09:06] Ines: The dashboards of Grafana show the latency of the importer.\n"
)
MAIL = "Hi everyone,\n\nHappy Friday! Lunch is at the boathouse at 12:30.\n\nThanks so much, can't wait to see you!\n"
ARTICLE = (
    "After nine days the members of the dockers' union went back to work. The head of the yard, who reports to the harbour board, "
    "called the result fair. The union is led by Tom Reyes. The town council approved a second ferry to Heron Island."
)


def read(text: str, *heading: str, kind: str = "") -> SummaryRecord:
    return ExtractiveReader().read(LeafText(text, heading, kind=kind)).record


@pytest.mark.parametrize(
    ("text", "is_spoken"),
    [
        ("Morning all!", False), ("Great news, thanks!!", False), ("Nadia: Your bread has been delivered, wow!", True), ("Agreed!", True),
        ("Hi everyone,", False), ("Happy Friday!", False), ("Hope to see you there!", False), ("Thank you for the flowers", False),
        ("OMG congratulations!!!", False), ("I’m so happy, can’t wait!", False), ("Kind regards", False),
    ],
)  # fmt: skip
def test_what_people_say_to_be_kind_says_little(text: str, is_spoken: bool) -> None:
    assert says_little(text, is_spoken=is_spoken)


@pytest.mark.parametrize(
    ("text", "is_spoken"),
    [
        ("Agreed!", False), ("Never delete the volume!", False), ("Thanks to the cache, the importer takes four minutes less.", False),
        ("The importer was moved last night.", True), ("See the runbook for the restore.", False), ("Seven o'clock at the boathouse.", True),
        ("We restored the orders database on the new cluster on Friday at nine!", True),
    ],
)  # fmt: skip
def test_what_says_something_does_not(text: str, is_spoken: bool) -> None:
    assert not says_little(text, is_spoken=is_spoken)


@pytest.mark.parametrize(
    "said",
    """hi|hello|hey|dear colleagues|good morning|good luck|evening, folks|morning all|afternoon everyone|welcome|bye|goodbye|cheers|kind regards|best
    regards|warm regards|thanks|thank you|thx|sorry|wow|omg|haha|hahahaha|lol|hooray|yay|congrats|congratulations|awesome|amazing|lovely|wonderful
    |fantastic|brilliant|well done|so happy|happy to hear|glad to hear|i'm very excited|I’m glad|can't wait|cant wait|cannot wait|can not wait
    |see you|take care|fingers crossed|no worries|no problem|hope this|happy new year|happy birthday|hope you|hope all|can’t wait""".split(
        "|"
    ),  # noqa: SIM905
)
@pytest.mark.parametrize("form", ["{}", "({}).", "x-{}/y", "{}’s", "“{}”, é", "\u0130 {}"])
def test_what_begins_no_greeting_is_not_searched_for_one(said: str, form: str) -> None:
    said = " ".join(said.split())
    for text in (form.format(said), form.format(said.upper()), form.format(said.capitalize())):
        assert GREETS.search(text) is None or may_greet(text)
    assert GREETS.search(said) is None or may_greet(said)


def test_letters_that_are_taken_for_others_greet_too() -> None:
    assert GREETS.search("thank\u017f") and may_greet("thank\u017f")
    assert not may_greet("The importer was moved last night.")


@pytest.mark.parametrize(
    ("text", "said", "unsaid"),
    [
        (STANDUP, ("The importer", "The dashboards"), ("Morning", "thanks", "Sorry")),
        (MAIL, ("Lunch is at the boathouse",), ("Hi everyone", "Happy", "Thanks")),
    ],
)
def test_a_greeting_is_no_summary_where_there_is_anything_better(
    text: str, said: tuple[str, ...], unsaid: tuple[str, ...]
) -> None:
    summary = read(text, "Notes").summary
    assert all(part in summary for part in said) and not any(part in summary for part in unsaid), summary


def test_a_chat_of_nothing_else_is_summed_up_by_it_and_speaks_for_no_branch() -> None:
    chat, article = read(CHAT, "chat.txt", kind="chat"), read(ARTICLE, "Strike at the shipyard")
    assert "bread" in chat.summary
    root = ExtractiveReader().summarize(
        "Team", [Child("Strike at the shipyard", "leaf", article), Child("chat.txt", "leaf", chat)]
    )
    assert "dockers" in root.summary and "wow" not in root.summary
    assert "bread" in ExtractiveReader().summarize("Team", [Child("chat.txt", "leaf", chat)]).summary, "there is nothing else"


@pytest.mark.parametrize(
    ("text", "about"),
    [
        (CHAT, {"Nadia", "Tom", "bread"}),
        ("The council approved it. Ada reported costs, and Ben said they cost four crowns. I'm delighted!", {"Ada", "Ben", "council", "costs", "crowns"}),
    ],
)  # fmt: skip
def test_a_text_is_about_names_and_nouns(text: str, about: set[str]) -> None:
    assert set(keyphrases(text)) == about


def test_of_a_word_that_begins_as_a_verb_the_noun_is_told() -> None:
    text = "Released on Monday. The release of the importer waits. Allocated again, the allocation holds. " * 4
    found = keyphrases(text)
    assert (
        {"release", "allocation"} <= {phrase.lower() for phrase in found} and "Released" not in found and "Allocated" not in found
    )


@pytest.mark.parametrize(
    "phrase", ["shared library", "speed limit", "family fund", "Captain Fred Reyes", "hello world", "limited company", "embedded device", "hook offerRescinded", "red LED"]
)  # fmt: skip
def test_what_only_looks_like_a_verb_is_told(phrase: str) -> None:
    text = f"The {phrase} is here. We like the {phrase}. Nobody has a {phrase} but us."
    assert any(phrase.split()[-1] in found for found in keyphrases(text)) and any(
        phrase.split()[-2] in found for found in keyphrases(text)
    )


def test_an_article_that_speaks_of_a_head_and_of_members_is_no_page_of_an_organisation() -> None:
    assert read(ARTICLE, "Strike at the shipyard ends").content_types == (UNCLASSIFIED,)
    team = "| Name | Role |\n|---|---|\n| Ilse | head of the yard, reports to the board |\n| Tom | team lead |\n"
    assert "org_chart" in read(team, "Team members").content_types


def test_of_many_parts_only_so_many_are_asked_as_are_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    summarize = import_module("prompts.extractive.summarize")  # the package has a function of that name
    spokesman = summarize._spokesman
    monkeypatch.setattr(summarize, "_spokesman", lambda child: asked.append(child.title) or spokesman(child))
    texts = [f"The pump of bay {number} was moved to the harbour." for number in range(9)]
    children = [Child(f"Part {number}", "leaf", read(text), 1) for number, text in enumerate(texts)]
    assert [quote.child for quote in ExtractiveReader().summarize("Pumps", children).quotes] == [0, 1, 2, 3, 4]
    assert len(asked) == 5
    greetings = [Child("Hello", "leaf", read("Hi everyone!"), 1), *children[:2], Child("Bye", "leaf", read("Thanks!"), 1)]
    assert [quote.child for quote in ExtractiveReader().summarize("Pumps", greetings).quotes] == [1, 2]
    assert [quote.child for quote in ExtractiveReader().summarize("Pumps", greetings[::3]).quotes] == [0, 1]
