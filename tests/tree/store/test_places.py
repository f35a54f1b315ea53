"""Places are made and taken apart by one grammar."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tree.store.places import (
    below,
    container_place,
    depth_of,
    escape,
    is_below,
    is_inside_document,
    natural_order,
    parent_container,
    places_above,
    ranges_below,
    root_place,
    run_place,
)

NAMES = st.text(st.sampled_from("ab%/#|0\n\0é"), max_size=4)


@given(st.lists(NAMES, min_size=1, max_size=4), st.lists(NAMES, max_size=3))
def test_every_place_lies_in_what_it_was_made_in_and_nowhere_else(folders: list[str], headings: list[str]) -> None:
    made = [root_place("s")]
    for name in folders[:-1]:
        made.append(container_place(made[-1], name))
        assert parent_container(made[-1]) == made[-2] and depth_of(made[-1]) == len(made)
    made.append(made[-1] + escape(folders[-1]))
    for name in headings:
        made.append(below(made[-1], escape(name)))
    assert list(places_above(made[-1])) == made[-2::-1]
    assert is_inside_document(made[-1]) == bool(headings)
    run = run_place(made[-1], 1, escape("a"))
    assert next(places_above(run)) == made[-1]
    for place in (*made, run):
        for top in made:
            assert is_below(place, top) == (place == top or any(first <= place < last for first, last in ranges_below(top)))
            assert is_below(place, top) == (top in (place, *places_above(place)))


def test_a_folder_and_a_document_of_the_same_name_are_two_places() -> None:
    folder = container_place(root_place("s"), "a")
    assert folder == "s/a/" and not is_below("s/a/b", "s/a") and not is_below("s/a", folder)


def test_a_root_has_no_container_around_it() -> None:
    with pytest.raises(ValueError, match="substring"):
        parent_container(root_place("s"))


@pytest.mark.parametrize(
    ("name", "step"), [("a/b", "a%2Fb"), ("100%", "100%25"), ("", "%"), ("a\0b", "a%00b"), ("x|#", "x%7C%23")]
)
def test_a_step_has_none_of_the_characters_that_places_are_made_with(name: str, step: str) -> None:
    assert escape(name) == step


def test_names_are_ordered_as_people_do() -> None:
    names = ["note 10", "Note 9", "note 1", "Alpha"]
    assert sorted(names, key=lambda name: natural_order(name, name)) == ["Alpha", "note 1", "Note 9", "note 10"]
