"""Asking: the walk, its budget, its links, and the passages behind every number."""

from __future__ import annotations

import pytest

from prompts.model import Stop
from tests.ingestion.workspaces import Following
from tree.accounts.principal import OPERATOR
from tree.ask.ask import Answer, AskError, Earlier, TextPiece, ask
from tree.ask.compose import in_a_row
from tree.ask.several import as_earlier
from tree.ask.snapshot.budget import Budget
from tree.ask.snapshot.trail import Step


@pytest.fixture
def docs(tmp_path):
    following = Following(tmp_path)
    yield following
    following.workspace.close()


def _many(docs, size: int = 60) -> None:
    for number in range(size):
        docs.write(
            f"area {number % 6}/note {number}.md", f"# Note {number}\n\nThe pump of hall {number} was mended in week {number}.\n"
        )
    docs.sync()


def test_events_come_in_order_and_end_with_the_answer(docs) -> None:
    _many(docs)
    events = list(ask(docs.workspace, "When was the pump of hall 17 mended?", principal=OPERATOR))
    kinds = [type(event) for event in events]
    assert kinds[-1] is Answer and kinds.count(Answer) == 1
    assert kinds == sorted(kinds, key=[Step, TextPiece, Answer].index)
    assert "".join(event.text for event in events if isinstance(event, TextPiece)).strip() == events[-1].text
    assert events[-1].trail == tuple(event for event in events if isinstance(event, Step))


def test_a_walk_keeps_to_its_budget(docs) -> None:
    _many(docs)
    for leaves, branches in ((1, 1), (2, 3), (6, 4)):
        answer = docs.ask("Which pump was mended in which week?", budget=Budget(branches=branches, leaves=leaves, beside=0))
        read = [step for step in answer.trail if step.kind == "read"]
        assert len(read) <= leaves
        assert answer.coverage["leaves_read"] == len(read)


def test_every_place_of_a_trail_was_an_option_before_it_was_opened(docs) -> None:
    _many(docs)
    answer = docs.ask("When was the pump of hall 17 mended?")
    offered = {option.place for step in answer.trail for option in step.options}
    for step in answer.trail[1:]:
        if step.kind in ("choose", "read"):
            assert step.place in offered
        assert set(step.chosen) <= {option.place for option in step.options}


def test_a_citation_quotes_exactly_what_stands_at_its_span(docs) -> None:
    _many(docs)
    answer = docs.ask("When was the pump of hall 17 mended?")
    assert answer.citations
    for citation in answer.citations:
        leaf = docs.workspace.store.leaves.by_key([citation.leaf])[citation.leaf]
        for passage in citation.passages:
            assert " ".join(leaf.text[passage.start : passage.end].split()) == " ".join(passage.text.split())


def test_numbers_are_used_in_order_without_gaps(docs) -> None:
    _many(docs)
    answer = docs.ask("Which pumps were mended?")
    assert [citation.number for citation in answer.citations] == list(range(1, len(answer.citations) + 1))
    assert all(f"[{citation.number}]" in answer.text for citation in answer.citations)


def test_a_link_in_what_was_read_is_followed(docs) -> None:
    docs.write(
        "deploy.md", "# Deploying the gateway\n\nTo deploy the gateway, first prepare it as in [the checklist](checklist.md).\n"
    )
    docs.write("checklist.md", "# Checklist\n\nThe seal must be dry and the valve shut.\n")
    for number in range(20):
        docs.write(f"other {number}.md", f"# Other {number}\n\nThe gateway and its deployment were mentioned on day {number}.\n")
    docs.sync()
    answer = docs.ask("How do I deploy the gateway?")
    assert any(step.kind == "link" and step.title == "Checklist" for step in answer.trail)


def test_a_procedure_is_told_in_order_with_what_must_hold_first(docs) -> None:
    steps = "".join(f"{number}. Turn valve {number} by a quarter.\n" for number in range(1, 8))
    docs.write("valves.md", f"# Emptying the tank\n\n## Before you begin\n\nYou need the blue key.\n\n## Steps\n\n{steps}")
    docs.sync()
    text = docs.ask("How do I empty the tank?").text
    places = [text.index(f"valve {number}") for number in range(1, 8)]
    assert places == sorted(places)
    assert "blue key" in text and text.index("blue key") < places[0]


def test_a_question_can_be_narrowed_to_a_branch(docs) -> None:
    _many(docs)
    place = f"{docs.source.id}/area 5/"
    answer = docs.ask("When was the pump of hall 17 mended?", places=[place])
    assert answer.citations
    assert all(citation.document_id.startswith("area 5/") for citation in answer.citations)


def test_a_stopped_question_ends_without_an_answer(docs) -> None:
    _many(docs)
    stop, seen = Stop(), []
    for event in ask(docs.workspace, "When was the pump of hall 17 mended?", stop=stop, principal=OPERATOR):
        seen.append(event)
        if len(seen) >= 2:
            stop.set()
    assert len(seen) == 2
    assert not any(isinstance(event, Answer) for event in seen)


def test_no_answer_says_so_and_shows_the_closest_places(docs) -> None:
    _many(docs)
    answer = docs.ask("Which gardener from Ghent watered the pump of hall 17?")
    assert answer.verdict == "none" and answer.text.startswith("No answer was found in ")
    said, _, closest = answer.text.partition("The closest passages, which may say it in other words:")
    assert "mended in week 17" in closest and "pump" not in said
    assert [f"[{citation.number}]" in closest for citation in answer.citations] == [True]


def test_a_row_of_a_table_is_shown_with_the_names_of_its_columns_where_nothing_answers(docs) -> None:
    docs.write("rota.csv", "Date,Counter,Hotline\n2026-12-02,Petra Lang,Jonas Weber\n2026-12-03,Lukas Bauer,Hanna Moser\n")
    docs.sync()
    answer = docs.ask("What does Hanna Moser earn?")
    assert answer.verdict == "none" and "Date: 2026\\-12\\-03 · Counter: Lukas Bauer · Hotline: Hanna Moser" in answer.text
    assert "|" not in answer.text


@pytest.mark.parametrize(
    ("number", "named"), [(1, "S0"), (2, "S0 and S1"), (3, "S0, S1 and S2"), (9, "S0, S1, S2, S3 and 5 more")]
)
def test_the_sources_that_have_no_answer_are_named_as_far_as_they_can_be_read(number, named) -> None:
    assert in_a_row([f"S{at}" for at in range(number)]) == named


def test_what_was_only_close_is_nothing_that_a_follow_up_leans_on(docs) -> None:
    _many(docs)
    answer = docs.ask("Which gardener from Ghent watered the pump of hall 17?")
    assert as_earlier(answer).cited == () and answer.citations


# ---------------------------------------------------------------- in a chat


def test_a_follow_up_is_read_with_the_question_before_it_and_the_trail_says_so(docs) -> None:
    docs.write("gateway.md", "# Booking gateway\n\nThe retry limit is five. Maren Oduya fixed it in March.\n")
    for number in range(12):
        docs.write(f"pump {number}.md", f"# Pump {number}\n\nPump {number} leaked, and Tomas Reyl fixed it in week {number}.\n")
    docs.sync()
    first = docs.ask("What is the retry limit of the booking gateway?")
    earlier = [Earlier(first.question, tuple(citation.place for citation in first.citations))]
    answer = docs.ask("And who fixed it?", earlier=earlier)
    assert "Maren Oduya" in answer.text
    assert answer.citations[0].document_id == "gateway.md"
    assert (answer.trail[0].kind, answer.trail[0].title) == ("chat", first.question)


def test_a_follow_up_of_no_word_of_its_own_may_be_asked(docs) -> None:
    docs.write("gateway.md", "# Booking gateway\n\nThe retry limit is five because the bank allows no more.\n")
    docs.sync()
    earlier = [Earlier("What is the retry limit of the booking gateway?")]
    assert "because the bank" in docs.ask("And why?", earlier=earlier).text
    with pytest.raises(AskError):
        docs.ask("And why?")


def test_a_new_topic_in_the_same_chat_is_not_drowned_by_the_old_one(docs) -> None:
    _many(docs)
    docs.write("canteen.md", "# Canteen\n\nThe canteen opens at eleven.\n")
    docs.sync()
    earlier = [Earlier(f"When was the pump of hall {number} mended?") for number in range(5)]
    answer = docs.ask("When does the canteen open?", earlier=earlier)
    assert "eleven" in answer.text and answer.citations[0].document_id == "canteen.md"


def test_a_name_that_is_only_beside_what_was_quoted_is_not_followed(docs) -> None:
    filler = "\n\n".join(f"Paragraph {number} deals with ropes, paint and lamps of the harbour." for number in range(30))
    docs.write("Osprey Beacon.md", "# Osprey Beacon\n\nA light north of the bay.\n")
    docs.write("ferry.md", f"# Ferry\n\nThe ferry to Lundby leaves at 7:30.\n\n{filler}\n\nIt passes the Osprey Beacon.\n")
    docs.sync()
    answer = docs.ask("When does the ferry to Lundby leave?")
    assert answer.verdict == "complete"
    assert "link" not in [step.kind for step in answer.trail]


def test_a_name_of_everyday_words_leads_nowhere(docs) -> None:
    for number in range(40):
        docs.write(f"note {number}.md", f"# Note {number}\n\nThe Harbour Office wrote that ferry {number} was late.\n")
    docs.write("Harbour Office.md", "# Harbour Office\n\nOpen from nine to five.\n")
    docs.sync()
    answer = docs.ask("Why was ferry 17 late?")
    assert "link" not in [step.kind for step in answer.trail]


def test_the_document_whose_title_is_asked_for_is_read_first(docs) -> None:
    for number in range(12):
        docs.write(
            f"visit {number}.md", f"# Visit {number}\n\nWe spoke of the oil, which the blue lantern burns. The blue lantern!\n"
        )
    docs.write("lantern.md", "# Blue lantern\n\nIt hangs in the stairwell, and what it burns is oil of the cheap kind.\n")
    docs.sync()
    answer = docs.ask("What oil does the blue lantern burn?")
    assert next(step for step in answer.trail if step.kind == "read").title == "Blue lantern"


def test_a_question_asked_in_a_heading_is_answered_from_what_stands_below_it(docs) -> None:
    filling = "The handbook says more on this in another place, and nobody has to know it by heart. " * 40
    parts = "".join(f"### Part {n}\n\nThe valve of pump {n} is greased in week {n}. {filling}\n\n" for n in range(4))
    docs.write("handbook.md", f"# Handbook\n\n## Lamps\n\n{filling}\n\n## Pumps\n\n{parts}")
    docs.sync()
    store = docs.workspace.store
    [heading] = [node for node in store.nodes.of_source(docs.source.id) if node.title == "Pumps" and node.kind == "heading"]
    answer = docs.ask("When is the valve of pump 2 greased?", places=[heading.place])
    assert "week 2" in answer.text and answer.citations
