"""The first line of an entry as its title, in notes without markup."""

from __future__ import annotations

from prompts.extractive.entry_titles import entry_titles
from prompts.extractive.passages import passages
from prompts.records import LeafText


def titles(text: str) -> list[str]:
    leaf = LeafText(text, ("Notes",))
    return entry_titles(leaf, list(passages(leaf)))


def test_what_stands_below_the_first_line_of_an_entry_is_of_it() -> None:
    text = "1) Crane - DECIDED\nThe yard offers new ropes. They last three years.\n\n2) Ferry\nIda: it is late. Bo asks."
    assert titles(text) == ["Crane - DECIDED"] * 2 + ["Ferry"] * 3
    assert titles("OFFICE\nThe lamp is dark.\nBo buys one.\n\nThe rest is as it was. Nobody asked.")[-1] == ""


def test_a_line_that_goes_on_in_the_next_is_no_title() -> None:
    assert set(titles("The crane of the yard\nis painted each spring. It is blue.")) == {""}
    assert set(titles("Crane   valid until 2028\nFerry   valid until 2027")) == {""}
    assert set(titles("Dear Ida,\nThe crane is blue.\nBest, Bo")) == {""}


def test_lines_that_were_written_at_a_time_have_no_title() -> None:
    assert set(titles("Channel pier\n[04/05/2026 09:00] Ida: the crane is loud\n[04/05/2026 09:10] Bo: oil it")) == {""}
