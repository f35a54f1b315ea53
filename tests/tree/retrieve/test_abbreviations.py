"""An abbreviation and what it stands for are one thing where the documents say so."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.retrieve.fact_tables import indexed
from tree.retrieve.abbreviations import find_abbreviations, stands_for
from tree.store.leaves import Entity, Fact

MEANINGS = {
    "HV": "harbour valve. Two of them.", "QPA": "quay protection adviser, external", "BW test": "Bowen-Wick test, shows that steam gets in",
    "EOQ": "end of quay, i.e. berth 8", "LN2": "liquid nitrogen", "Red tag": "do not use", "CSS": "sterile rooms on the ground floor",
}  # fmt: skip
FACTS = indexed(
    {"s/words": [Fact(Entity("term", name, name), "definition", said, 0, 0, group="Words") for name, said in MEANINGS.items()]}
)


@pytest.mark.parametrize(
    ("short", "meaning", "words"),
    [
        ("HV", "harbour valve. Two of them.", ["harbour", "valve"]),
        ("FLO", "Facilities and Laboratory Operations, i.e. us", ["facilities", "laboratory", "operations"]),
        ("EOQ", "end of quay, i.e. berth 8", ["end", "of", "quay"]),
        ("LN2", "liquid nitrogen", ["liquid", "nitrogen"]),
        ("CSS", "sterile rooms on the ground floor", []),
        ("A", "anchor", []),
    ],
)
def test_an_abbreviation_has_the_first_letters_of_what_it_stands_for(short: str, meaning: str, words: Sequence[str]) -> None:
    assert list(stands_for(short, meaning)) == words


@pytest.mark.parametrize(
    ("question", "short", "full"),
    [
        ("how often are harbour valves counted?", {"harbour": ("hv",), "valv": ("hv",)}, {}),
        ("when does the protection adviser of the quay come", {"quay": ("qpa",), "protect": ("qpa",), "advis": ("qpa",)}, {}),
        ("is the bowen wick test done on Sundays", {"bowen": ("bw",), "wick": ("bw",)}, {}),
        ("where is the HV?", {}, {"hv": ("harbour", "valv")}),
        ("who may fill the ln2 tank", {}, {"ln2": ("liquid", "nitrogen")}),
        ("which valve leaks below the old stairs of the harbour bar?", {}, {}),  # the two do not stand together
        ("which valve leaks?", {}, {}),  # one of two words says nothing
        ("what is a red tag?", {}, {}),
    ],
)
def test_a_question_is_read_in_both_forms(question: str, short: dict[str, object], full: dict[str, object]) -> None:
    found = find_abbreviations(question, FACTS)
    assert (found.short, found.full) == (short, full)


def test_what_is_asked_in_full_is_found_where_it_is_written_short(tmp_path: Path) -> None:
    docs = Following(tmp_path)
    docs.write(
        "glossary.md", "# Words\n\n- **HV** – harbour valve. Two of them.\n- **QPA** – quay protection adviser, external.\n"
    )
    docs.write(
        "minutes.md", "# Minutes of 5 November 2026\n\n## Rest\n\nThe QPA visits on 9 December, 10:00, at the long pier.\n"
    )
    docs.write("list.md", "# Visits\n\nThe protection of birds at the quay is seen to by nobody. An adviser would be good.\n")
    docs.sync()
    told = docs.ask("When does the quay protection adviser visit?").text
    assert "9 December" in told.split("More passages")[0], told
    docs.workspace.close()
