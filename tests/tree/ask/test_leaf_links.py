"""What was read leads on: by the names of documents that it says, and what is left to ask goes there."""

from __future__ import annotations

import pytest

from connectors.base import Document, Section
from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered
from tests.tree.ask.worlds import Feed
from tree.ask.snapshot.said_names import said_names


def _films(docs: Following) -> None:
    docs.write("low-tide.md", "# Low Tide\n\nLow Tide is a drama starring Ada Quint. It was directed by Ole Brandt in Kiel.\n")
    docs.write("high-water.md", "# High Water\n\nHigh Water is a comedy starring Ben Sorrel, directed by Ines Valdor.\n")
    docs.write("brandt.md", "# Ole Brandt\n\nOle Brandt (1931-2002) grew up in Lübeck. He was born in Husum.\n")
    docs.write("valdor.md", "# Ines Valdor\n\nInes Valdor came to the screen late. She was born in Porto.\n")
    docs.write("quint.md", "# Ada Quint\n\nAda Quint has played in forty plays.\n")
    docs.write("sorrel.md", "# Ben Sorrel\n\nBen Sorrel has played in six plays.\n")
    for number in range(30):
        docs.write(f"other/{number}.md", f"# Person {number}\n\nPerson {number} was born in town {number} and likes plays.\n")


def test_the_second_step_is_found_by_the_name_that_the_first_says(docs: Following) -> None:
    _films(docs)
    found = answered(docs, "Where was the director of Low Tide born?")
    links = [step for step in found.trail if step.kind == "link"]
    assert links[0].title == "Ole Brandt" and links[0].reason == "“Low Tide” leads here: it names “Ole Brandt”."
    assert "born in Husum" in found.text, "what is left to ask, where he was born, is asked of his page"
    assert found.verdict == "partial", "that the name is the director's is not certain"


def test_of_two_things_each_leads_on_before_one_leads_twice(docs: Following) -> None:
    _films(docs)
    found = answered(docs, "Were the directors of Low Tide and High Water born in the same country?")
    assert {step.title for step in found.trail if step.kind == "link"} == {"Ole Brandt", "Ines Valdor"}


def test_a_page_that_said_nothing_is_asked_again_for_what_is_left(docs: Following) -> None:
    _films(docs)
    found = answered(docs, "Where was the director of Low Tide born?")
    assert [step.verdict for step in found.trail if step.kind == "read" and step.title == "Ole Brandt"] == ["none", "partial"]
    assert len({step.place for step in found.trail if step.kind == "read"}) == found.coverage["leaves_read"]


def test_a_word_of_the_question_or_of_every_page_leads_nowhere(docs: Following) -> None:
    docs.write("quay.md", "# Quay\n\nAll about quays.\n")
    docs.write("status.md", "# Status\n\nThe status of things.\n")
    for number in range(20):
        docs.write(f"notes/{number}.md", f"# Note {number}\n\nStatus of berth {number} at the Quay: the berth is free.\n")
    found = answered(docs, "What is the status of berth 7 at the quay?")
    assert not [step for step in found.trail if step.kind == "link"]


def test_a_name_beside_nothing_that_is_asked_leads_on_only_from_the_page_of_what_is_named(docs: Following) -> None:
    docs.write("gardens.md", "# Colac Gardens\n\nThe roses in the gardens bloom in May. Trains run to Velmar twice a day.\n")
    docs.write("velmar.md", "# Velmar\n\nIt has a tram.\n")
    for number in range(12):
        docs.write(f"other/{number}.md", f"# Berth {number}\n\nBerth {number} is long enough for most ships.\n")
    assert not _links(docs, "When do the roses bloom in the old gardens?")
    assert [title for title, _ in _links(docs, "Which mayor do the Colac gardens have?")] == ["Velmar"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("It was directed by Ole Brandt in Kiel.", {"Ole Brandt", "Kiel", "Ole", "Brandt", "Ole Brandt in Kiel", "It"}),
        ("see Sovereign (album) and", {"Sovereign"}),
        ("The Trial (1962 Film) ended", {"The Trial", "The Trial (1962 Film)", "1962 Film", "Trial (1962 Film)"}),
        ("Bank of the West, J. Dory", {"Bank of the West", "J. Dory", "Bank of the West, J. Dory"}),
        ("One. Two", {"One", "Two"}),
        ("“Low Tide”, “High Water”", {"Low Tide", "High Water"}),
        ("nothing here", set()),
    ],
)
def test_names_begin_and_end_with_a_capital_or_a_number(text: str, said: set[str]) -> None:
    found = list(said_names(text))
    assert said <= {one.written for one in found}
    assert all(text[one.start : one.end] == one.written for one in found)
    assert not any("” " in one.written or " and" in one.written for one in found)


def _links(docs: Following, question: str) -> list[tuple[str, str]]:
    return [(step.title, step.reason) for step in answered(docs, question).trail if step.kind == "link"]


def _filled(docs: Following) -> None:
    for number in range(12):
        docs.write(f"other/{number}.md", f"# Berth {number}\n\nBerth {number} is long enough for most ships.\n")


def test_a_label_of_restructured_text_leads_to_what_stands_below_it(docs: Following) -> None:
    _filled(docs)
    docs.write("winch.rst", "Winch\n=====\n\nHow to free a jammed winch: read :ref:`the safe way <drum-release>` first.\n")
    body = "Pull the red handle twice, then wait for a minute until nothing moves. " * 60
    first = "Wear gloves at all times here. " * 100
    docs.write(
        "safety.rst", f"Safety\n======\n\n{first}\n\n.. _drum-release:\n\nRelease of the drum\n-------------------\n\n{body}\n"
    )
    links = dict(_links(docs, "How do I free a jammed winch?"))
    assert links["Release of the drum"] == "“Winch” leads here: it links to “drum-release”."


def test_a_reference_of_hugo_and_a_heading_of_another_file_lead_there(docs: Following) -> None:
    _filled(docs)
    docs.write("alerts/Jam.md", '# Jam\n\nA jam of the winch is cleared as in [this runbook]({{< ref "./Release.md" >}}).\n')
    docs.write("alerts/Release.md", "# Letting go\n\nPull the handle.\n")
    assert "Letting go" in dict(_links(docs, "How is a jam of the winch cleared?"))
    parts = "\n\n".join(
        f"## {title}\n\n{'Words of this part go on and on. ' * 60}" for title in ("Ropes", "Drum and brake", "Paint")
    )
    docs.write("guide.md", f"# Guide\n\n{parts}\n")
    docs.write("crane.md", "# Crane\n\nThe crane squeals when it is cold: [oil it](guide.md#drum-and-brake).\n")
    assert "Drum and brake" in dict(_links(docs, "Why does the crane squeal?"))


def test_the_web_address_of_a_document_leads_to_it(docs: Following) -> None:
    def page(id_: str, title: str, text: str, url: str = "") -> Document:
        return Document(id_, title, (), (Section(text, markup="plain"),), id_, url=url)

    link = "https://www.jira.example.org/browse/GWY-7?focusedId=3#c"
    feed = Feed({
        "7": page("7", "GWY-7 The boom", "The boom did not close; its hinge was replaced.", "https://jira.example.org/browse/GWY-7"),
        "1": page("1", "Gate", f"The barrier was repaired, see [what was done]({link}).\n"),
        **{str(number): page(str(number), f"Note {number}", "Nothing else here.") for number in range(20, 30)},
    })  # fmt: skip
    docs.sync(connector=feed)
    answer = docs.ask("How was the barrier repaired?")
    assert "GWY-7 The boom" in [step.title for step in answer.trail if step.kind == "link"]


def test_a_heading_or_a_term_that_one_leaf_has_leads_there(docs: Following) -> None:
    _filled(docs)
    parts = "\n\n".join(
        f"## {title}\n\n{'Words of this part go on and on. ' * 120}" for title in ("Rope Care", "Evening Tide Watch")
    )
    docs.write("handbook.md", f"# Handbook\n\n{parts}\n")
    docs.write("glossary.md", "# Glossary\n\n**Quay Light Band**: the strip of lamps along the edge.\n\n**Bollard**: a post.\n")
    docs.write("skipper.md", "# Skipper\n\nThe skipper on duty keeps the Evening Tide Watch and the Quay Light Band.\n")
    titles = dict(_links(docs, "What does the skipper on duty keep?"))
    assert {"Evening Tide Watch", "Glossary"} <= titles.keys()
