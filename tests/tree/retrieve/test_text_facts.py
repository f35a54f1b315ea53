"""Facts are taken from a text's form: tables, labelled lines, terms, codes and question headings."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tree.retrieve.cell_values import in_iso
from tree.retrieve.text_facts import ANSWER, DEFINITION, MOST_FACTS, cells, text_facts


def _facts(text: str, *heading: str, kind: str = "file") -> list[tuple[str, str, str]]:
    return [(fact.subject.name, fact.relation, fact.value) for fact in text_facts(text, heading or ("Page",), kind)]


TABLE = "| Part | Keeper |\n| --- | --- |\n| Turnstile | Maren Oduya |\n| Berth | Ines Falk |\n"


def test_each_cell_is_a_fact_of_the_row_it_stands_in() -> None:
    assert _facts(TABLE) == [("Turnstile", "Part", "Turnstile"), ("Turnstile", "Keeper", "Maren Oduya"), ("Berth", "Part", "Berth"),
                             ("Berth", "Keeper", "Ines Falk")]  # fmt: skip
    facts = text_facts(TABLE, ("Page",))
    assert [fact.row for fact in facts] == [1, 1, 2, 2]
    assert TABLE[facts[1].start : facts[1].end].strip("| ") == "Turnstile | Maren Oduya"


def test_a_running_number_names_no_row() -> None:
    text = "| # | Part | Keeper |\n| --- | --- | --- |\n| 1 | Turnstile | Maren Oduya |\n| 2 | Berth | Ines Falk |\n"
    assert {subject for subject, _, _ in _facts(text)} == {"Turnstile", "Berth"}


def test_a_row_with_more_or_fewer_cells_than_the_header_is_counted_and_says_no_more_than_is_sure() -> None:
    text = "| Part | Keeper |\n| --- | --- |\n| Turnstile |\n| Berth | Ines Falk | Quay |\n| Tide | Tomas Reyl |\n"
    assert _facts(text) == [("Turnstile", "Part", "Turnstile"), ("Berth", "Part", "Berth"), ("Tide", "Part", "Tide"),
                            ("Tide", "Keeper", "Tomas Reyl")]  # fmt: skip


def test_a_row_below_a_merged_cell_is_named_by_another_column() -> None:
    text = "| Team | Person |\n| --- | --- |\n| Quay | Maren Oduya |\n|  | Ines Falk |\n| Shore | Tomas Reyl |\n"
    assert {subject for subject, _, _ in _facts(text)} == {"Maren Oduya", "Ines Falk", "Tomas Reyl"}


def test_an_escaped_pipe_is_part_of_its_cell() -> None:
    assert cells(r"| a \| b | `c` | [d](e.md) |") == ["a | b", "c", "d"]


def test_a_row_of_totals_is_no_thing() -> None:
    text = "| Ship | Cars |\n| --- | --- |\n| Alva | 12 |\n| Bram | 30 |\n| Total | 42 |\n"
    assert [fact.subject.kind for fact in text_facts(text, ("Page",)) if fact.relation == "Cars"] == ["row", "row", "total"]


def test_a_table_without_a_header_is_about_what_it_stands_under() -> None:
    text = "# Turnstile\n\n|  |  |\n| --- | --- |\n| Keeper | Maren Oduya |\n| Phone | 4711 |\n"
    assert _facts(text)[:2] == [("Turnstile", "Keeper", "Maren Oduya"), ("Turnstile", "Phone", "4711")]


def test_a_leaf_that_begins_inside_a_table_guesses_no_header() -> None:
    assert _facts("| Turnstile | Maren Oduya |\n| Berth | Ines Falk |\n") == []


def test_two_tables_have_rows_of_their_own() -> None:
    text = f"# One\n\n{TABLE}\n# Two\n\n{TABLE}"
    facts = text_facts(text, ("Page",))
    assert [(fact.group, fact.row) for fact in facts if fact.relation == "Keeper"] == [
        ("One", 1),
        ("One", 2),
        ("Two", 4),
        ("Two", 5),
    ]


def test_labels_are_facts_of_the_heading_above_and_several_people_are_several_facts() -> None:
    text = "## Team Quay\n\nLead: Maren Oduya. Engineers: Tomas Reyl and Ines Falk.\n"
    said = {(subject, relation, value) for subject, relation, value in _facts(text) if relation in ("Lead", "Engineers")}
    assert said == {
        ("Team Quay", "Lead", "Maren Oduya"),
        ("Team Quay", "Engineers", "Tomas Reyl"),
        ("Team Quay", "Engineers", "Ines Falk"),
    }


def test_the_labels_of_a_ticket_are_left_to_its_source() -> None:
    assert not _facts("- Status: Done\n- Assignee: Maren Oduya\n", kind="ticket")


@pytest.mark.parametrize(
    "text", ["Note: the pier is wet.", "Warning: mind the gap.", "http://example.com: it works", "see: below"]
)
def test_a_remark_is_no_label(text: str) -> None:
    assert _facts(text) == []


def test_a_term_is_what_is_said_of_it() -> None:
    assert ("Slack water", DEFINITION, "the time without current.") in _facts("**Slack water**: the time without current.\n")


def test_a_sentence_about_a_thing_in_bold_is_not_what_it_is() -> None:
    assert not _facts("**Almanac** uses two tables and reads the tide from one of them.\n")
    assert ("Almanac", DEFINITION, "is the calendar of tides.") in _facts("**Almanac** is the calendar of tides.\n")


def test_what_people_say_in_turn_is_no_fact_of_them() -> None:
    talk = "# Berths\n\n- **Ada**: the crane is too slow for us today\n- **Ole**: it was oiled in the spring of this year\n"
    said = _facts(talk.replace("oiled", "greased") + talk.partition("\n\n")[2] * 2)
    assert not {relation for _, relation, _ in said} & {"Ada", "Ole"}
    owners = _facts("# Berths\n\nOwner: Ada Quint\n\nOwner: Ole Brandt\n\nOwner: Ben Sorrel\n")
    assert sum(relation == "Owner" for _, relation, _ in owners) == 3


def test_tags_are_no_words_of_a_value() -> None:
    assert ("Harbour", "Default", "v7") in _facts("# Harbour\n\nDefault: `v7`<br>\n")


def test_codes_are_terms() -> None:
    said = _facts("- E-104 no paper: open the lid\n- E-105 - lamp is out\n")
    assert ("E-105", DEFINITION, "lamp is out") in said and said[0][:2] == ("E-104", DEFINITION)


def test_what_stands_below_a_question_answers_it() -> None:
    text = "## How do I reset it?\n\nPress both keys.\n\n### Why?\n\nIt listens then.\n\n## Next\n\nMore.\n"
    assert [(subject, value) for subject, relation, value in _facts(text) if relation == ANSWER][:2] == [
        ("How do I reset it?", "Press both keys."), ("Why?", "It listens then.")]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["|" * 100_000, "| a " * 20_000 + "|\n" + "|---" * 20_000 + "|\n" + "| b " * 20_000 + "|", f"| a | b |\n|---|---|\n| c | {'x' * 100_000} |",
     "Owner: " * 15_000, "**" * 50_000, "A: " + "b. " * 30_000, "E-1 " * 25_000, " " * 100_000, "[" * 100_000, "- A1 x\n" * 15_000,
     "# q?\n" * 20_000, "`" * 100_000],
    ids=lambda text: f"{text[:8]!r}",
)  # fmt: skip
def test_no_text_takes_long_or_gives_facts_without_end(text: str) -> None:
    began = time.process_time()
    facts = text_facts(text, ("Page",))
    assert time.process_time() - began < 3
    assert len(facts) <= MOST_FACTS and all(len(fact.value) <= 400 for fact in facts)


@given(st.text(alphabet="|-: \n#*ABab1.?`[]()\\;,_", max_size=200))
def test_every_fact_names_a_span_of_its_text(text: str) -> None:
    for fact in text_facts(text, ("Page", "Part")):
        assert 0 <= fact.start < fact.end <= len(text)
        assert fact.subject.name and fact.relation


def test_labels_side_by_side_are_facts_of_their_own_and_a_dash_is_no_value() -> None:
    text = "Type: Bug | Status: In Work | Resolution: -\nReporter: Cindy Lindqvist | Assignee: -"
    stated = text_facts(text, ("BUOY-7 The lamp is dark",))
    assert [(fact.relation, fact.value) for fact in stated] == [
        ("Type", "Bug"),
        ("Status", "In Work"),
        ("Reporter", "Cindy Lindqvist"),
    ]
    assert text[stated[-1].start : stated[-1].end].strip() == "Reporter: Cindy Lindqvist"


def test_where_a_route_goes_is_nobody() -> None:
    found = list(text_facts("| Route | From, to |\n|---|---|\n| AH | Port Ansgar, Holm |\n", ("Routes",)))
    assert [fact.object for fact in found if fact.relation == "From, to"] == [None]
    mail = list(text_facts("From: Jane Doe\n", ("A letter",)))
    assert mail[0].object is not None and mail[0].object.kind == "person"


def test_a_column_whose_name_is_written_as_code_holds_people_too() -> None:
    table = "| tag | looked_after_by |\n| --- | --- |\n| L-1 | Maren Oduya |\n"
    [fact] = [fact for fact in text_facts(table, ("Lamps",)) if fact.relation == "looked_after_by"]
    assert fact.object is not None and fact.object.kind == "person"


def said_of_people(text: str) -> set[tuple[str, str, str]]:
    found = text_facts(text, ("Who is who", "Sales"))
    return {(one.subject.name, one.relation, one.value) for one in found if one.subject.kind == "person"}


def test_how_somebody_is_reached_and_who_stands_in_stands_behind_their_name() -> None:
    assert said_of_people("Lead: Jane Doe, phone 040 555 0181") == {("Jane Doe", "phone", "040 555 0181")}
    assert said_of_people("Ben Marsh, hires and keys, ext 71 (on Mondays)") == {("Ben Marsh", "phone", "ext 71")}
    assert said_of_people('- Wilhelmina "Mina" Tarn, office, ext 40. When she is away: Ben.') == {
        ("Mina Tarn", "phone", "ext 40"), ("Mina Tarn", "deputy", "Ben")
    }  # fmt: skip
    assert said_of_people("Ida Holm (legal), deputy: Per Lund; room 4") == {("Ida Holm", "deputy", "Per Lund")}
    assert said_of_people("Ask Ben Marsh or Ida Holm, phone 12 34 56") == {("Ida Holm", "phone", "12 34 56")}, (
        "it stands behind one"
    )
    assert said_of_people("Jane Doe came at 12:30 and left.") == set()
    assert said_of_people("Jane Doe, box office, on the phone 9-12 only.") == set(), "hours"
    assert said_of_people("Harbour Office, phone 040 555 0181") == set(), "a place"
    assert said_of_people("Jane Roe, box office; Ben Marsh, bar, deputy: Kim Lund.") == set(), "whose deputy is not clear"


def test_what_an_entry_of_a_glossary_says_besides_is_of_its_term() -> None:
    text = "**Sel**: the mud in the tank. Owner: Mats.\n\n**Dolly** – a small cart. Owner: Ida. Built by: Per."
    found = {(one.subject.name, one.relation, one.value) for one in text_facts(text, ("Glossary",)) if one.relation != DEFINITION}
    assert found == {("Sel", "Owner", "Mats"), ("Dolly", "Owner", "Ida"), ("Dolly", "Built by", "Per")}
    lines = "**Kade** – the portal.\n**Lade** – where all documents lie: letters, photos."
    assert [(one.subject.name, one.value) for one in text_facts(lines, ("Words",)) if one.relation == DEFINITION] == [
        ("Kade", "the portal."), ("Lade", "where all documents lie: letters, photos.")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("column", "read"),
    [
        (["17/11/2026", "02/11/2026", ""], ["2026-11-17", "2026-11-02", ""]),  # a day comes first
        (["11/17/2026", "11/02/2026"], ["2026-11-17", "2026-11-02"]),  # a month does
        (["05/11/2026", "02/11/2026"], ["05/11/2026", "02/11/2026"]),  # it may be either
        (["17/11/2026", "11/17/2026"], ["17/11/2026", "11/17/2026"]),  # it is both
        (["17/11/26", "02/11/26"], ["2026-11-17", "2026-11-02"]),
        (["31/02/2026"], ["31/02/2026"]),
        (["17/11/2026", "soon"], ["17/11/2026", "soon"]),
    ],
)
def test_dates_with_strokes_are_read_where_the_column_shows_their_order(column: list[str], read: list[str]) -> None:
    assert in_iso(column) == read
