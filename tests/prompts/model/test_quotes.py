"""Words given as a quote are found where they stand, or not at all."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prompts.model.quotes import Text
from tests.prompts.texts import texts

PASSAGE = "The “green” lamp is on – wait for it.\n  Then **stop** the\ngate; don’t hurry. Name: Gate-7. Set `x` to 1."


@pytest.mark.parametrize(
    ("said", "stands"),
    [
        ('The "green" lamp is on - wait for it.', "The “green” lamp is on – wait for it."),
        ("Then stop the gate; don't hurry.", "Then **stop** the\ngate; don’t hurry."),
        ("  “stop the gate”  ", "**stop** the\ngate"),  # with the marks that its own words close
        ("…Set x to 1.", "Set `x` to 1."),  # the mark that closes it stands there
        ("… the green", ""),
        ("then stop the gate", ""),  # case counts
        ("3| Then stop the gate", "Then **stop** the\ngate"),
        ("Gate-7", "Gate-7"),
        ("Set x to 1", "Set `x` to 1"),
        ("Gate-8", ""),
        ("", ""),
        ("...", ""),
    ],
)
def test_a_quote_is_found_but_for_space_quotation_marks_and_dashes(said: str, stands: str) -> None:
    found = Text(PASSAGE).find(said)
    assert (PASSAGE[found.start : found.end] if found else "") == stands


LINKED = (
    "Marit accepted it, R-11 in the [register](../risks.csv). See [the plan](plan.md)!\n\n**Decision: go.** Then `make run`.\n"
    "5. Restore:\n   ```\n   pg_restore --clean\n   ```\n6. **Try it** and wait."
)


@pytest.mark.parametrize(
    ("said", "stands"),
    [
        ("R-11 in the register. See the plan!", "R-11 in the [register](../risks.csv). See [the plan](plan.md)!"),
        ("R-11 in the [register](../risks.csv).", "R-11 in the [register](../risks.csv)."),
        ("accepted it, R-11 in the register", "accepted it, R-11 in the [register](../risks.csv)"),
        ("register", "register"),  # as it stands, where it stands so
        ("../risks.csv", "../risks.csv"),
        ("R-11 in the plan", ""),
        ("Marit accepted it … See the plan!", "Marit accepted it, R-11 in the [register](../risks.csv). See [the plan](plan.md)!"),
        ("Marit accepted it [...] Then make", "Marit accepted it, R-11 in the [register](../risks.csv). See [the plan](plan.md)!\n\n"
         "**Decision: go.** Then `make"),
        ("Marit accepted it … and left.", "Marit accepted it"),
        ("Try it and wait … Marit accepted it", "**Try it** and wait"),  # not the wrong way round
        ("Then make run", "Then `make run`"),
        ("5. Restore:\n```\npg_restore --clean", "5. Restore:\n   ```\n   pg_restore --clean\n   ```"),
    ],
)  # fmt: skip
def test_of_a_link_its_label_is_enough_and_of_a_long_quote_its_ends(said: str, stands: str) -> None:
    found = Text(LINKED).find(said)
    assert (LINKED[found.start : found.end] if found else "") == stands


def test_ends_that_stand_too_far_apart_are_no_quote_of_all_between() -> None:
    text = f"It begins here. {'It goes on. ' * 200} It ends here."
    assert Text(text).find("It begins here … It ends here.").text == "It begins here"


@settings(max_examples=150, deadline=None)
@given(text=texts, cut=st.tuples(st.integers(0, 400), st.integers(1, 80)))
def test_what_stands_in_a_text_is_found_and_what_is_found_stands_there(text: str, cut: tuple[int, int]) -> None:
    said = text[cut[0] : cut[0] + cut[1]]
    found = Text(text).find(said)
    assert found is not None or not any(map(str.isalnum, said))
    assert found is None or found.text.split() == text[found.start : found.end].split()
