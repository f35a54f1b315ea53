"""What is known of all tickets follows a checkpoint without being made anew, and says the same as if it were."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from connectors.jira.places import Places, Row


def row_of(chance: Random) -> Row:
    ids = [str(number) for number in range(9)]
    return Row(
        key=f"GWY-{chance.randrange(9)}", title=f"A ticket {chance.randrange(3)}", project="1", parent=chance.choice(["", *ids]),
        epic=chance.random() < 0.2, links=tuple(chance.sample(ids, chance.randrange(3))),
        former=tuple(chance.sample(["OLD-1", "OLD-2", "GWY-3"], chance.randrange(3))), stamp="read",
    )  # fmt: skip


def told(places: Places) -> dict[str, object]:
    """All that a set of tickets says."""
    ids = [str(number) for number in range(9)]
    known = sorted(places)
    return {
        "rows": {id: places[id] for id in known},
        "places": {id: places.place(id) for id in known},
        "below": {id: places.below(id) for id in known},
        "naming": {id: places.naming(id) for id in ids},
        "keys": {key: places.id_of(key) for key in ("OLD-1", "OLD-2", *(f"GWY-{number}" for number in range(9)))},
    }


@pytest.mark.parametrize("seed", range(20))
def test_after_any_changes_the_rows_are_those_of_the_checkpoint(seed: int) -> None:
    chance, followed, kept = Random(seed), Places({}), {}
    for _ in range(12):
        for id in chance.sample([str(number) for number in range(9)], 3):  # a sync that is cut off: not all of it is kept
            row = row_of(chance)
            match chance.randrange(4):
                case 0:
                    followed.put(id, row)
                case 1:
                    followed.drop(id)
                case 2:
                    kept.pop(id, None)
                case _:
                    kept[id] = row
                    followed.put(id, row)
        followed.follow({id: row.packed() for id, row in kept.items()})
        assert told(followed) == told(Places(kept))
        for id in kept:
            assert followed.naming(id) == {other for other, row in kept.items() if id in row.links}


def test_what_a_checkpoint_says_as_before_is_not_unpacked_again() -> None:
    lines = {str(number): Row(key=f"GWY-{number}", links=("3",)).packed() for number in range(50)}
    places = Places({})
    places.follow(lines)
    before = {id: places[id] for id in places}
    places.put("8", replace(places["8"], title="met on the way"))
    places.follow({**lines, "7": Row(key="GWY-7", title="another").packed()})
    assert {id for id in places if places[id] is not before[id]} == {"7", "8"}
    assert places["7"].title == "another" and places["8"].title == ""
