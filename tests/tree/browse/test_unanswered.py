"""Questions without help are put together by what they share, and other words for a known name are found."""

from __future__ import annotations

import time
from itertools import count

import pytest

from tree.browse.unanswered import Rewording, are_alike, find_rewordings, group_questions
from tree.retrieve.alias_list import Alias
from tree.retrieve.aliases import Aliases
from tree.store.asked import AskedAgain, Unanswered

pytestmark = pytest.mark.usefixtures("each_database")

numbers = count()


def asked(question: str, owner: str = "ben", again: str = "", verdict: str = "complete", rated: tuple[int | None, int | None] = (None, None), later: float = 60) -> Unanswered:  # fmt: skip
    at = float(next(numbers) * 10_000)
    following = AskedAgain(f"next{at}", again, verdict, rated[1], at + later) if again else None
    return Unanswered(f"turn{at}", question, "none", rated[0], owner, at, following)


PARENTAL = (
    "parental leave",
    "how much parental leave do I get",
    "leave for parents",
    "can I take leave when my child is born",
    "parental leave rules",
)


def test_five_wordings_of_one_thing_by_six_people_are_one_group() -> None:
    questions = [asked(question, f"person{number}") for number, question in enumerate((*PARENTAL, "what about parentel leave"))]
    [group] = group_questions(questions)
    assert group.people == 6 and len(group.questions) == 6
    assert group.about == "parental leave"
    assert group.questions[0].question == "what about parentel leave", "the newest first"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("How do I book a parking space?", "parking space reservation"),
        ("Where is the first-aid kit kept?", "first aid kit"),
        ("What does a badge cost?", "price of a badge"),
        ("Who fixes the coffee machine?", "coffee machine is broken, who repairs it"),
        ("Which supplier do we buy toner from?", "vendor for toner"),
        ("vacation rollover", "Can I roll over my holidays?"),
    ],
)
def test_wordings_that_share_what_carries_them_are_alike(one: str, other: str) -> None:
    assert are_alike(one, other) and are_alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("parental leave", "sick leave"),
        ("What does a parking permit cost?", "What does a fishing permit cost?"),
        ("Who is the fire warden?", "Who is the press officer?"),
        ("Where is the key of the boathouse?", "Where is the boathouse?"),
        ("wifi password for guests", "password of the payroll database"),
        ("When does the canteen open?", "When does the archive open?"),
    ],
)
def test_questions_for_different_things_are_not(one: str, other: str) -> None:
    assert not are_alike(one, other) and not are_alike(other, one)


def test_a_word_that_many_questions_have_makes_no_group_of_them() -> None:
    questions = [asked(f"{kind} leave", kind) for kind in ("parental", "sick", "unpaid", "study")]
    assert [len(group.questions) for group in group_questions([*questions, asked("leave", "cy")])] == [1] * 5


def test_what_was_asked_again_in_the_chat_without_help_is_the_same_thing() -> None:
    later = asked("bereavement days off after a death in the family", "ben")
    first = Unanswered("first", "family emergency, whom do I tell", "none", None, "ben", later.asked_at - 60)
    assert len(group_questions([later, first])) == 2
    following = AskedAgain(later.turn_id, later.question, "none", None, later.asked_at)
    linked = Unanswered("first", first.question, "none", None, "ben", first.asked_at, following)
    assert len(group_questions([later, linked])) == 1


def test_what_a_group_is_about_is_spelt_as_most_of_them_spell_it() -> None:
    questions = [asked(f"{what} technlogy preview", "ben") for what in ("plugin",)]
    questions += [asked(f"{what} technology preview", what) for what in ("install", "support", "price")]
    assert [group.about for group in group_questions([*questions, asked("technology preview", "cy")])] == ["technology preview"]


def test_five_hundred_questions_are_grouped_at_once() -> None:
    things = ("gate", "boat", "lamp", "rope", "pilot", "ferry", "quay", "crane", "winch", "anchor")
    questions = [
        asked(f"Where does the {one} of the {other} in hall {number} lie?", one)
        for number in range(5)
        for one in things
        for other in things
    ]
    start = time.process_time()
    assert group_questions(questions)
    assert time.process_time() - start < 5.0  # it was 15 s before only what shares words was compared


# ---------------------------------------------------------------- another word for a known name


def is_known(name: str) -> bool:
    return name.casefold() in ("leave planner", "quay board", "guest network")


def said(found: list[Rewording]) -> list[tuple[str, str]]:
    return [(one.said, one.meant) for one in found]


def test_a_synonym_of_a_known_name_is_proposed_when_it_was_asked_again_with_the_name() -> None:
    once = asked("Where is the holiday tracker?", again="Where is the leave planner?")
    [found] = find_rewordings([once], is_known, Aliases())
    assert (found.said, found.meant, found.people) == ("holiday tracker", "leave planner", 1)


def test_words_that_share_nothing_are_proposed_when_two_people_put_them_so() -> None:
    turns = [asked("Where is the ship list?", person, "where do I find the quay board") for person in ("ben", "cy")]
    assert find_rewordings(turns[:1], is_known, Aliases()) == []
    [found] = find_rewordings(turns, is_known, Aliases())
    assert (found.said, found.meant, found.people) == ("ship list", "quay board", 2)


def test_or_when_the_first_answer_was_marked_wrong_and_the_second_right() -> None:
    marked = asked("Where is the ship list?", again="Where is the quay board?", verdict="partial", rated=(0, 1))
    assert said(find_rewordings([marked], is_known, Aliases())) == [("ship list", "quay board")]


@pytest.mark.parametrize(
    "turn",
    [
        asked("Where is the holiday tracker?", again="Where is the leave planner?", verdict="none"),
        asked("Where is the holiday tracker?", again="Where is the leave planner?", rated=(None, 0)),
        asked("Where is the holiday tracker?", again="Where is the leave planner?", later=90_000),
        asked("Where is the holiday tracker?", again="Who signs the leave planner every Friday?"),
        asked("Who is the fire warden?", again="What is the guest network?"),
        asked("Where is the holiday tracker?"),
        asked("Where is the quay board?", again="Where is the leave planner?", rated=(0, 1)),
    ],
    ids=["not found either", "marked wrong", "a day later", "more is asked", "another subject", "not asked again", "both known"],
)
def test_what_says_nothing_of_a_name_proposes_no_alias(turn: Unanswered) -> None:
    assert find_rewordings([turn], is_known, Aliases()) == []


def test_an_alias_that_is_there_is_not_proposed_again() -> None:
    turn = asked("Where is the holiday tracker?", again="Where is the leave planner?")
    assert find_rewordings([turn], is_known, Aliases([Alias("holiday tracker", "leave planner", 1)])) == []
