"""The contract every reader keeps. Another reader is one more parameter."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prompts.extractive import ExtractiveReader
from prompts.extractive.markdown import as_words
from prompts.language import terms
from prompts.records import Child, Evidence, LeafText, LogicUnit, Option, Question, Quote, Reader, SummaryRecord
from prompts.taxonomy import UNCLASSIFIED, taxonomy
from tests.prompts.model.conftest import reader_of
from tests.prompts.model.provider import Provider, serving
from tests.prompts.texts import ADVERSARIAL, texts


@pytest.fixture(scope="module", params=["extractive", "model"])
def reader(request: pytest.FixtureRequest) -> Iterator[Reader]:
    """The model reader asks over HTTP, strictly: nobody takes over, so that what is tested is its own."""
    if request.param == "extractive":
        yield ExtractiveReader()
        return
    with serving(Provider()) as provider:
        model = reader_of(provider.url, timeout=30.0).strict()
        model.read(REFUNDS)  # the provider's library is imported now, and not within a test with a limit of time
        yield model


def question(text: str, **weights: float) -> Question:
    return Question(text, {term: weights.get(term, 3.0) for term in terms(text)})


def taken_from(quote: Quote, text: str) -> bool:
    """Its words are those of its span, without markup; of a row of a table its cells, with commas for lines."""
    said = text[quote.start : quote.end]
    cells = ", ".join(filter(None, map(str.strip, as_words(said).split("|"))))
    return 0 <= quote.start < quote.end <= len(text) and quote.text.split() in (
        said.split(),
        as_words(said).split(),
        cells.split(),
    )


def quotes_of(record: SummaryRecord) -> list[Quote]:
    return [*record.quotes, *record.critical_actions, *record.decisions, *record.events]


def record(*said: str, types: tuple[str, ...] = ("how_to",), about: tuple[str, ...] = ()) -> SummaryRecord:
    quotes = tuple(Quote(text=text, start=0, end=len(text)) for text in said)
    return SummaryRecord(summary=" ".join(said), quotes=quotes, content_types=types, critical_actions=quotes[:1], about=about)


REFUNDS = LeafText(
    "Refunds above 500 EUR need two approvals. They are granted by the finance lead. Smaller refunds need none.\n\n"
    "We decided on 2026-02-10 to keep the limit at 500 EUR.",
    ("Refund policy", "Limits"),
)

# ---------------------------------------------------------------- read


@settings(max_examples=60, deadline=None)
@given(text=texts, heading=st.lists(st.text(max_size=20), max_size=3))
def test_every_quote_is_taken_from_the_leaf(reader: Reader, text: str, heading: list[str]):
    leaf = LeafText(text, tuple(heading))
    reading = reader.read(leaf)
    assert all(taken_from(quote, text) for quote in quotes_of(reading.record))
    assert set(reading.record.content_types) <= {kind.id for kind in taxonomy().types} | {UNCLASSIFIED}
    assert SummaryRecord.model_validate(reading.record.model_dump()) == reading.record
    assert reader.read(leaf) == reading


@pytest.mark.parametrize("name", ADVERSARIAL)
def test_no_text_stops_a_reader(reader: Reader, name: str):
    leaf = LeafText(ADVERSARIAL[name], ("x",))
    start = time.process_time()
    reading = reader.read(leaf)
    answered = reader.answer(question("When is the pump checked?"), leaf)
    assert time.process_time() - start < 6.0
    assert all(taken_from(quote, leaf.text) for quote in (*quotes_of(reading.record), *answered.quotes))


def test_a_summary_of_a_leaf_is_short_and_in_its_words(reader: Reader):
    leaf = LeafText("The export writes one file a night. " * 3 + "It must be checked by hand. " * 40, ("Export",))
    assert 0 < len(reader.read(leaf).record.summary) <= 900


def test_units_pass_through(reader: Reader):
    unit = LogicUnit(kind="term", header="Refund", start=0, end=41)
    assert unit in reader.read(LeafText(REFUNDS.text, REFUNDS.heading, (unit,))).units


# ---------------------------------------------------------------- summarize


def test_a_branch_speaks_only_in_the_words_of_its_children(reader: Reader):
    children = [
        Child("Refunds", "leaf", record("Refunds need two approvals.")),
        Child("Payouts", "leaf", record("Payouts run at night.")),
    ]
    made = reader.summarize("Payments", children)
    assert "Refunds" in made.summary and "Payouts" in made.summary
    assert len(made.summary) <= 900
    for quote in quotes_of(made):
        assert quote.child is not None
        assert any(quote.text in said.text for said in quotes_of(children[quote.child].record))


def test_the_same_children_give_the_same_record(reader: Reader):
    children = [Child(f"Part {at}", "leaf", record(f"Part {at} says something of its own about pumps.")) for at in range(10)]
    assert reader.summarize("All", children) == reader.summarize("All", list(children))
    assert reader.summarize("All", []) == reader.summarize("All", [])


def test_a_change_that_does_not_reach_a_childs_first_words_stops_there(reader: Reader):
    children = [Child(f"Part {at}", "leaf", record(f"Part {at} is about pumps and valves.", "Later on.")) for at in range(8)]
    changed = [*children[:7], Child("Part 7", "leaf", record("Part 7 is about pumps and valves.", "Much later on."))]
    assert reader.summarize("All", children).summary == reader.summarize("All", changed).summary


def test_lists_of_a_branch_are_bounded(reader: Reader):
    many = tuple(Quote(text=f"Do thing {at} before the shift ends.", start=0, end=5) for at in range(20))
    one = SummaryRecord(
        summary="x", critical_actions=many, decisions=many, events=many, about=tuple(f"word{at}" for at in range(40))
    )
    made = reader.summarize("All", [Child("a", "leaf", one), Child("b", "leaf", one)])
    assert max(len(made.critical_actions), len(made.decisions), len(made.events)) <= 8
    assert len(made.about) <= 16


# ---------------------------------------------------------------- choose


def test_options_come_in_the_order_of_their_evidence_with_a_reason(reader: Reader):
    options = [
        Option("a", "Lunch", "branch", record("Soup."), 0.1, "Soup on Monday"),
        Option("b", "Money", "branch", record("Refunds."), 0.9, "Refunds above 500 EUR need two approvals"),
        Option("c", "Zoo", "branch", record("Lions."), 0.0, ""),
    ]
    chosen = reader.choose(question("How many approvals do refunds need?"), options).ways
    assert chosen[0].place == "b" and all(choice.place != "c" for choice in chosen)
    assert "approvals" in chosen[0].reason
    assert all(0 <= choice.score <= 1 for choice in chosen)


def test_nothing_is_chosen_where_nothing_matches(reader: Reader):
    assert reader.choose(question("refunds"), [Option("c", "Zoo", "branch", record("Lions."), 0.0, "")]).ways == ()


# ---------------------------------------------------------------- answer


def test_a_leaf_that_answers_is_quoted(reader: Reader):
    answered = reader.answer(question("How many approvals do refunds above 500 EUR need?"), REFUNDS)
    assert answered.verdict == "complete"
    assert answered.quotes[0].text == "Refunds above 500 EUR need two approvals."
    assert all(taken_from(quote, REFUNDS.text) for quote in answered.quotes)


def test_a_foreign_question_gets_none(reader: Reader):
    answered = reader.answer(question("Which stars are visible from Patagonia in winter?"), REFUNDS)
    assert answered.verdict == "none"


@settings(max_examples=40, deadline=None)
@given(text=texts, asked=texts)
def test_no_question_breaks_an_answer(reader: Reader, text: str, asked: str):
    leaf = LeafText(text, ("Title",))
    answered = reader.answer(question(asked), leaf)
    assert all(taken_from(quote, text) for quote in answered.quotes)
    assert 0 <= answered.coverage <= 1
    assert reader.answer(question(asked), leaf) == answered
    pieces = list(reader.compose(question(asked), [Evidence(1, leaf, answered, 1.0)]))
    assert all(piece.number in (None, 1) for piece in pieces)


# ---------------------------------------------------------------- compose


def test_an_answer_cites_only_what_it_was_given(reader: Reader):
    asked = question("How many approvals do refunds above 500 EUR need?")
    pieces = list(reader.compose(asked, [Evidence(4, REFUNDS, reader.answer(asked, REFUNDS), 1.0)]))
    text = "".join(piece.text for piece in pieces)
    assert text.startswith("Refunds above 500 EUR need two approvals. [4]")
    assert {piece.number for piece in pieces} <= {None, 4}


def test_no_evidence_is_said_plainly(reader: Reader):
    assert "nothing" in "".join(piece.text for piece in reader.compose(question("x"), []))
