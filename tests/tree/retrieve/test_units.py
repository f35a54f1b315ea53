"""Who leads what, as pages say it that list the units of an organisation."""

from __future__ import annotations

import pytest

from tree.retrieve.units import unit_facts

PAGE = """# Who is who

Managing director is Ada Thorne.

- **Sail loft** ("the Attic"). Per Lund runs it. Ida Holm cuts, Jan of Tarn sews.
- **Rope walk** (12 people) – led by Wren Abbot since 1 May 2026, before that by Otto Reyl, who retired.
- **Boat yard** (the Slip): Mara Quist, deputy Nils Ekberg.
- **Harbour desk** – Kit Moss is head of the desk; Olga Brandt is her deputy.
- **Tar kettle** – led by Sven Dahl until 31 March 2026; from 1 April 2026 by Ines Falk.
- **Divers**: two persons, Rolf Stein and Bea Lindqvist. Rolf leads, which means that he answers.
- **Kitchen** – buses: Paul Abel. Boats: Lea Brun.
- **Office** – Tom Berg (letters), Eva Strand (everything else).
"""


def _told(text: str) -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = {}
    for fact in unit_facts(text):
        found.setdefault(fact.subject.name, {}).setdefault(fact.relation, []).append(fact.value)
    return found


def test_each_unit_is_told_with_who_leads_it_who_did_and_who_else_is_in_it() -> None:
    told = _told(PAGE)
    assert told["Sail loft"] == {"lead": ["Per Lund"], "member": ["Per Lund", "Ida Holm", "Jan of Tarn"]}
    assert told["Attic"] == {"lead": ["Per Lund"]}
    assert told["Rope walk"]["lead"] == ["Wren Abbot, since 1 May 2026"] and told["Rope walk"]["former lead"] == ["Otto Reyl"]
    assert told["Boat yard"]["deputy"] == told["Slip"]["deputy"] == ["Nils Ekberg"] and told["Slip"]["lead"] == ["Mara Quist"]
    assert told["Harbour desk"]["lead"] == ["Kit Moss"] and told["Harbour desk"]["deputy"] == ["Olga Brandt"]
    assert told["Tar kettle"]["lead"] == ["Ines Falk, since 1 April 2026"] and told["Tar kettle"]["former lead"] == ["Sven Dahl"]
    assert told["Divers"] == {"lead": ["Rolf Stein"], "member": ["Rolf Stein", "Bea Lindqvist"]}


def test_where_two_share_a_unit_or_it_is_not_told_nobody_leads_it() -> None:
    assert not {"Kitchen", "Office"} & _told(PAGE).keys()


def test_of_a_unit_with_more_people_than_are_named_nobody_is_told_as_all_of_them() -> None:
    assert _told(PAGE)["Rope walk"].keys() == {"lead", "former lead", "colleague"}


def test_a_section_for_each_unit_is_such_a_list() -> None:
    text = (
        "# Who we are\n\n## Ropes (hemp: lines and nets)\n- **lead:** Per Lund, since 1 June 2026. Before him Otto Reyl\n- Ida Holm: knots\n\n"
        "## Sails\n- **lead:** Wren Abbot\n\n## Boats (\"the Yard\")\n- **lead:** Mara Quist\n- Nils Ekberg: tar\n\n## Who to ask\nAnybody.\n"
    )  # fmt: skip
    told = _told(text)
    assert told["hemp"]["lead"] == told["Ropes"]["lead"] == ["Per Lund, since 1 June 2026"]
    assert told["Ropes"]["former lead"] == ["Otto Reyl"] and told["Yard"]["lead"] == ["Mara Quist"]
    assert told["Boats"]["member"] == ["Mara Quist", "Nils Ekberg"] and "Who to ask" not in told


@pytest.mark.parametrize(
    "text",
    [
        "- **Sail loft** – led by Per Lund\n- **Rope walk** – led by Ida Holm\n",  # two are no list
        "- **Sail loft** – led by Per Lund\n- **Rope walk** – led by Per Lund\n- **Yard** – led by Per Lund\n",  # of one person
        "- **Per Lund** – boats, ropes\n- **Ida Holm** – sails\n- **Wren Abbot** – tar\n",
        "- **Website**: Supervisory Authority of Tarn\n- **Post**: Old Quay\n- **Mail**: Hove Road\n",
    ],
)
def test_what_is_no_list_of_units_says_nothing_of_who_leads(text: str) -> None:
    assert unit_facts(text) == []


def test_sections_in_prose_say_who_leads_and_a_table_in_them_may_name_more() -> None:
    text = (
        "# Who we are\n\n## Software\n\nIda Holm has run the software team since 1 May 2026. Before that it was Otto Reyl.\n\n| Who | What |\n|---|---|\n"
        "| Per Lund | tests |\n\n## The tide laboratory\n\nHead: Dr Wren Abbot. Deputy and quality manager: Mara Quist. The bench is Kit Moss and Lea Brun.\n\n"
        "## Boats (the people with the tar)\n\n* **Sven Dahl**, everybody says Svenni, leads. Until Svenni came Nils did it.\n* Olga Brandt, the south\n"
    )  # fmt: skip
    told = _told(text)
    assert told["Software"] == {"lead": ["Ida Holm, since 1 May 2026"], "former lead": ["Otto Reyl"], "colleague": ["Ida Holm"]}
    assert told["tide lab"]["deputy"] == ["Mara Quist"] and told["tide lab"]["lead"] == ["Wren Abbot"]
    assert told["The tide laboratory"]["member"] == ["Wren Abbot", "Mara Quist", "Kit Moss", "Lea Brun"]
    assert told["Boats"]["member"] == ["Sven Dahl", "Olga Brandt"]


def test_german_and_french_pages_say_it_in_their_words() -> None:
    told = _told(
        "## Werft\n\nLeitung: Ida Holm.\n\n## Segel\n\nGeleitet von Per Lund.\n\n## Cordes\n\nResponsable: Mara Quist.\n"
    )
    assert [told[name]["lead"] for name in ("Werft", "Segel", "Cordes")] == [["Ida Holm"], ["Per Lund"], ["Mara Quist"]]


def test_what_a_fact_is_cited_by_is_what_the_page_says_of_the_unit() -> None:
    fact = next(one for one in unit_facts(PAGE) if one.subject.name == "Boat yard")
    assert PAGE[fact.start : fact.end].startswith("**Boat yard** (the Slip): Mara Quist")


LINES = (
    "# Who is who\n\n**Hull** (wood): Ida Holm leads, Per Lund, Kit Moss. Channel #hull.\n"
    "**Rigging**: Mara Quist leads, Lea Brun. Deputy of Mara is Lea.\n**Engines**: Wren Abbot leads, 6 people.\n"
)


def test_lines_that_begin_with_the_unit_in_bold_are_a_list() -> None:
    told = _told(LINES)
    assert told["Hull"] == {"lead": ["Ida Holm"], "member": ["Ida Holm", "Per Lund", "Kit Moss"]}
    assert told["Rigging"] == {"lead": ["Mara Quist"], "deputy": ["Lea Brun"], "member": ["Mara Quist", "Lea Brun"]}
    assert told["Engines"] == {"lead": ["Wren Abbot"], "colleague": ["Wren Abbot"]}


def test_a_heading_above_several_units_is_none() -> None:
    told = _told("## Yard teams\n\n" + LINES.partition("\n\n")[2] + "\n## Office\n\nLed by Hanna Vik.\n")
    assert "Yard teams" not in told and told["Office"]["lead"] == ["Hanna Vik"]
