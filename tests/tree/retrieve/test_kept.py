"""A few things are kept, and none is made twice at the same time."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from tree.retrieve.kept import Kept


def test_the_one_used_longest_ago_goes_first() -> None:
    kept: Kept[str, list[str]] = Kept(2)
    first, second = kept.get("first", list), kept.get("second", list)
    assert kept.get("first", list) is first
    third = kept.get("third", list)
    assert kept.get("first", list) is first and kept.get("third", list) is third and kept.get("second", list) is not second


def test_what_several_ask_for_at_once_is_made_once() -> None:
    kept: Kept[str, object] = Kept(2)
    is_asked, may_end, made = threading.Event(), threading.Event(), []

    def make() -> object:
        is_asked.set()
        may_end.wait()
        made.append(object())
        return made[-1]

    with ThreadPoolExecutor(3) as executor:
        asked = [executor.submit(kept.get, "one", make) for _ in range(3)]
        is_asked.wait()
        may_end.set()
        assert {id(one.result()) for one in asked} == {id(made[0])} and len(made) == 1


def test_what_could_not_be_made_is_tried_again() -> None:
    kept: Kept[str, int] = Kept(2)
    for _ in range(2):
        try:
            kept.get("one", lambda: 1 // 0)
        except ZeroDivisionError:
            continue
        raise AssertionError("nothing was made")
    assert kept.get("one", lambda: 3) == 3


def test_what_does_not_hold_any_more_goes_before_another_is_made() -> None:
    kept: Kept[str, list[str]] = Kept(3)
    first, second = kept.get("first", list), kept.get("second", list)
    kept.get("third", list, lambda key: key != "first")
    assert kept.get("second", list) is second and kept.get("first", list) is not first
    kept.clear()
    assert kept.get("second", list) is not second
