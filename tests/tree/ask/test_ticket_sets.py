"""A question for tickets is answered with exactly those that satisfy it, or left to the walk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.tree.retrieve.fact_tables import indexed, ticket
from tree.ask.facts.fact_question import read_set_question
from tree.ask.facts.thing_sets import find_set
from tree.retrieve.names import Names
from tree.store.leaves import Fact

TODAY = date(2026, 6, 15)
PEOPLE = ("Maren Oduya", "Tomas Reyl", "Ines Falk", "José Ölund")
COMPONENTS = ("Turnstile", "Berth Board", "Tide Store")
VERSIONS = ("1.4", "2.0")
STATES = {"To Do": False, "In Progress": False, "Done": True}
TYPES = ("Bug", "Story", "Task")
PRIORITIES = ("High", "Low")
DAYS = ("2026-04-30", "2026-05-01", "2026-05-31", "2026-06-01", "2026-06-15", "2026-06-20")
VOCABULARY = ticket("GWY-0", *(("assignee", one, "person", "2020-01-01", "2020-01-02") for one in PEOPLE),
    *(("reporter", one, "person", "2020-01-01", "2020-01-02") for one in PEOPLE),
    *(("component", one, "component", "2020-01-01", "2020-01-02") for one in COMPONENTS), *(("priority", one) for one in PRIORITIES),
    *(("fix version", one, "version", "2020-01-01", "2020-01-02") for one in VERSIONS), *(("type", one) for one in TYPES))[1:]  # fmt: skip


@dataclass(frozen=True)
class Made:
    """A ticket as the test knows it."""

    key: str
    type: str
    status: str
    priority: str
    assignee: str
    reporter: str
    components: tuple[str, ...]
    version: str
    created: str
    due: str

    def facts(self) -> list[Fact]:
        said = [("type", self.type), ("status", self.status), ("category", "Done" if STATES[self.status] else "To Do"),
                ("priority", self.priority), ("created", f"{self.created}T09:30:00+00:00"), ("updated", "2026-06-10T09:30:00+00:00"),
                ("reporter", self.reporter, "person")]  # fmt: skip
        said += [("assignee", self.assignee, "person")] if self.assignee else []
        said += [("component", one, "component") for one in self.components]
        said += [("fix version", self.version, "version")] if self.version else []
        said += [("due", self.due)] if self.due else []
        return ticket(self.key, *said)


@st.composite
def made(draw: st.DrawFn, number: int) -> Made:
    return Made(f"GWY-{number}", draw(st.sampled_from(TYPES)), draw(st.sampled_from(list(STATES))), draw(st.sampled_from(PRIORITIES)),
                draw(st.sampled_from((*PEOPLE, ""))), draw(st.sampled_from(PEOPLE)),
                tuple(draw(st.lists(st.sampled_from(COMPONENTS), unique=True, max_size=2))), draw(st.sampled_from((*VERSIONS, ""))),
                draw(st.sampled_from(DAYS)), draw(st.sampled_from((*DAYS, ""))))  # fmt: skip


Put = tuple[str, Callable[[Made], bool]]  # words, and what they mean


@st.composite
def condition(draw: st.DrawFn) -> Put:
    one, other = draw(st.permutations(PEOPLE))[:2]
    component, another = draw(st.permutations(COMPONENTS))[:2]
    state, priority, version = (
        draw(st.sampled_from(list(STATES))),
        draw(st.sampled_from(PRIORITIES)),
        draw(st.sampled_from(VERSIONS)),
    )
    known: tuple[Put, ...] = (
        (f"assigned to {one}", lambda t: t.assignee == one),
        (f"not assigned to {one}", lambda t: t.assignee != one),
        (f"assigned to {one} or {other}", lambda t: t.assignee in (one, other)),
        (f"not assigned to {one} or {other}", lambda t: t.assignee not in (one, other)),
        (f"assigned to neither {one} nor {other}", lambda t: t.assignee not in (one, other)),
        (f"not assigned to {one} and not assigned to {other}", lambda t: t.assignee not in (one, other)),
        (f"assigned to anyone other than {one}", lambda t: t.assignee not in (one, "")),
        ("unassigned", lambda t: not t.assignee),
        ("not unassigned", lambda t: bool(t.assignee)),
        ("assigned to nobody", lambda t: not t.assignee),
        ("without an assignee", lambda t: not t.assignee),
        (f"reported by {one}", lambda t: t.reporter == one),
        (f"not reported by {one}", lambda t: t.reporter != one),
        (f"in status {state}", lambda t: t.status == state),
        (f"not in status {state}", lambda t: t.status != state),
        ("open", lambda t: not STATES[t.status]),
        ("not open", lambda t: STATES[t.status]),
        ("not closed", lambda t: not STATES[t.status]),
        ("resolved", lambda t: STATES[t.status]),
        ("overdue", lambda t: "" < t.due < TODAY.isoformat() and not STATES[t.status]),
        ("not overdue", lambda t: not ("" < t.due < TODAY.isoformat() and not STATES[t.status])),
        (f"in the component {component}", lambda t: component in t.components),
        (f"not in the component {component}", lambda t: component not in t.components),
        (f"in {component} or {another}", lambda t: component in t.components or another in t.components),
        (f"not in {component} or {another}", lambda t: component not in t.components and another not in t.components),
        ("without a component", lambda t: not t.components),
        ("not without a component", lambda t: bool(t.components)),
        (f"with priority {priority}", lambda t: t.priority == priority),
        (f"not of priority {priority}", lambda t: t.priority != priority),
        (f"with the fix version {version}", lambda t: t.version == version),
        (f"without the fix version {version}", lambda t: t.version != version),
        ("without a fix version", lambda t: not t.version),
        ("created in May 2026", lambda t: t.created[:7] == "2026-05"),
        ("not created in May 2026", lambda t: t.created[:7] != "2026-05"),
        ("created before 1 June 2026", lambda t: t.created < "2026-06-01"),
        ("created since 31 May 2026", lambda t: t.created >= "2026-05-31"),
        ("due after 1 June 2026", lambda t: t.due > "2026-06-01"),
        ("without a due date", lambda t: not t.due),
    )  # fmt: skip
    return draw(st.sampled_from(known))


NOUNS: tuple[Put, ...] = (
    ("tickets", lambda t: True), ("bugs", lambda t: t.type == "Bug"), ("stories", lambda t: t.type == "Story"),
    ("open bugs", lambda t: t.type == "Bug" and not STATES[t.status]), ("closed tickets", lambda t: STATES[t.status]),
)  # fmt: skip


@st.composite
def question(draw: st.DrawFn) -> Put:
    noun, is_noun = draw(st.sampled_from(NOUNS))
    some = [draw(condition()) for _ in range(draw(st.sampled_from((1, 1, 2, 3))))]
    joint = draw(st.sampled_from((" and ", ", ", " that are ")))
    form = draw(
        st.sampled_from(("Which {0} are {1}?", "List all {0} {1}", "How many {0} are {1}?", "show me the {0} that are {1}"))
    )
    words = form.format(noun, joint.join(words for words, _ in some))
    excluded = draw(st.sampled_from((None, None, *COMPONENTS, *PEOPLE)))
    if excluded:
        words = words.rstrip("?") + draw(
            st.sampled_from((" except {}", " excluding {}", " other than {}", " but not {}"))
        ).format(excluded)
    return words, lambda t: is_noun(t) and all(holds(t) for _, holds in some) and (
        excluded is None or (t.assignee != excluded if excluded in PEOPLE else excluded not in t.components))  # fmt: skip


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data(), question())
def test_the_set_is_exact_or_the_question_is_declined(data: st.DataObject, put: Put) -> None:
    tickets = [data.draw(made(number)) for number in range(1, 9)]
    words, holds = put
    facts = indexed({"s/v": VOCABULARY, **{f"s/{one.key}": one.facts() for one in tickets}})
    asked = read_set_question(words, Names(facts), TODAY)
    found = find_set(asked, facts, TODAY) if asked is not None else None
    if found is not None:
        assert {key.upper().replace(" ", "-") for key in found.keys} == {one.key for one in tickets if holds(one)}, (words, asked)


def _asked(words: str) -> list[str] | None:
    """The conditions that a question is read as, in words; None where it is declined."""
    asked = read_set_question(words, Names(indexed({"s/v": VOCABULARY, "s/1": ticket("GWY-1", ("status", "To Do"))})), TODAY)
    return None if asked is None else [condition.words for condition in asked.conditions]


@pytest.mark.parametrize(
    ("words", "conditions"),
    [
        ("Which tickets are not assigned to Maren or Tomas?", ["not assignee Maren or Tomas"]),
        ("Which tickets are assigned to neither Maren nor Tomas?", ["not assignee Maren", "not assignee Tomas"]),
        ("Which tickets are in a component other than Turnstile?", ["not component Turnstile"]),
        ("Which bugs are without the fix version 1.4?", ["bug", "not fix version 1.4"]),
        ("Which bugs are not unassigned?", ["bug", "assigned to somebody"]),
        ("Which bugs, except those of Maren, are overdue?", ["bug", "not assignee Maren", "overdue"]),
        ("Which tickets are without a fix version, due after 1 June?", ["due after 1 June", "without fix version"]),
        ("Which tickets are not due after 1 June?", ["not due after 1 June"]),
        ("Which tickets were not closed in May?", ["not resolved in May"]),
    ],
)
def test_a_negation_reaches_what_it_stands_before(words: str, conditions: list[str]) -> None:
    assert sorted(_asked(words) or ()) == sorted(conditions)


@pytest.mark.parametrize(
    "words",
    [
        "Which tickets are not not assigned to Maren?",
        "Which tickets are never assigned to Maren?",
        "Which tickets no longer have the component Turnstile?",
        "Which tickets hardly belong to Maren?",
        "Which tickets are not in Turnstile and Tide Store?",
        "Which tickets are not assigned and in Turnstile?",
        "Which tickets aren't either open or assigned to Maren?",
        "Which tickets are anything but open?",
        "Which tickets are in status To Do and in status Done?",
        "Which tickets are assigned to Maren Reyl?",
        "Which tickets were closed by Maren?",
        "Which tickets were updated by Maren?",
        "Which bugs are assigned?",
        "Which bugs are due?",
        "Which tickets have both Turnstile and Tide Store?",
        "Which tickets have only the component Turnstile?",
    ],
)
def test_what_may_mean_something_else_is_declined(words: str) -> None:
    assert _asked(words) is None


TRICKY = ticket("GWY-1", ("label", "label", "label"), ("label", "labels", "label"), ("label", "night", "label"), ("label", "version", "label"),
    ("fix version", "2.0", "version"), ("component", "Manual", "component"), ("assignee", "Ines Falk", "person"), ("status", "Open"),
    ("status", "Closed"), ("category", "To Do"), ("priority", "None"), ("resolution", "Won't Do"), ("type", "Bug"), ("type", "Epic"), ("type", "Sub-task"), ("reporter", "Tomas Reyl", "person"))  # fmt: skip


@pytest.mark.parametrize(
    ("words", "conditions"),
    [
        ("Which tickets have the label night?", ["label night"]),
        ("Which tickets have the label labels?", ["label labels"]),
        ("How many bugs are labelled night?", ["bug", "label night"]),
        ("how many sub-tasks are there", ["sub task"]),
        ("Which tickets are for the version 2.0?", ["fix version 2.0"]),
        ("Which tickets are in status Open?", ["status open"]),
        ("Which tickets are open?", ["open"]),
        ("Which tickets are not done?", ["open"]),
        ("Which tickets have priority none?", ["priority none"]),
        ("List all tickets with resolution Won't Do", ["resolution Won't Do"]),
        ("closed tickets with the resolution Won't Do", ["closed", "resolution Won't Do"]),
        ("Ines Falk's tickets", ["assignee Ines Falk"]),
        ("list everything assigned to Ines Falk", ["assignee Ines Falk"]),
        ("which issues is Ines responsible for", ["assignee Ines"]),
        ("show me everything in Manual", ["component Manual"]),
        ("which issues are filed under Manual", ["component Manual"]),
        ("open tickets in Manual that are not epics", ["component Manual", "not epic", "open"]),
    ],
)
def test_the_words_around_a_name_say_what_it_is_a_value_of(words: str, conditions: list[str]) -> None:
    asked = read_set_question(words, Names(indexed({"s/1": TRICKY})), TODAY)
    assert asked is not None and sorted(condition.words for condition in asked.conditions) == conditions


@pytest.mark.parametrize(
    "words",
    [
        "What kind of issue is GWY-1?",
        "What priority has the ticket that blocks GWY-1?",
        "Which epic is the ticket in that blocks GWY-1?",
        "Which tickets have the label Quillon?",
        "Who reported everything?",
    ],
)
def test_a_question_for_one_ticket_or_an_unknown_name_is_none_for_a_set(words: str) -> None:
    assert read_set_question(words, Names(indexed({"s/1": TRICKY})), TODAY) is None


def test_who_reported_the_most_is_counted_by_reporter() -> None:
    asked = read_set_question("Who reported the most bugs?", Names(indexed({"s/1": TRICKY})), TODAY)
    assert asked is not None and (asked.wanted, asked.group) == ("most", "reporter")


def test_what_is_finished_goes_by_the_category_of_its_state() -> None:
    """A team without a state "Done" still has tickets that are done."""
    facts = indexed(
        {
            "s/1": ticket("GWY-1", ("status", "Closed"), ("category", "Done")),
            "s/2": ticket("GWY-2", ("status", "Open"), ("category", "To Do")),
        }
    )
    asked = read_set_question("Which tickets are not done?", Names(facts), TODAY)
    assert asked is not None and (found := find_set(asked, facts, TODAY)) is not None and found.keys == {"gwy 2"}


@pytest.mark.parametrize(
    ("words", "conditions"),
    [
        ("What is the oldest open ticket?", ["open", "oldest"]),
        ("Which bug was resolved last?", ["bug", "resolved last"]),
        ("The 3 newest bugs of Maren", ["bug", "assignee Maren", "the 3 newest"]),
        ("Which ticket was created first?", ["created first"]),
    ],
)
def test_the_first_by_date_is_asked_for_after_all_other_conditions(words: str, conditions: list[str]) -> None:
    assert _asked(words) == conditions


@pytest.mark.parametrize(
    "words",
    [
        "Which component is the oldest open bug in?",
        "When was the oldest open ticket created?",
        "What is the second oldest ticket?",
        "What is the oldest ticket but one?",
        "Which tickets are older than 30 days?",
        "Which tickets have more than 3 comments?",
        "Which components have more than 5 people on tickets?",
        "Who closed more than 2 tickets?",
        "Who created the most tickets?",
        "How many people work on Turnstile?",
        "Which components have more than 5 tickets or more than 2 bugs?",
        "Which components do not have more than 5 tickets?",
    ],
)
def test_a_comparison_that_facts_do_not_tell_is_declined(words: str) -> None:
    assert _asked(words) is None


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data(), st.integers(1, 4), st.booleans())
def test_the_oldest_and_the_components_of_a_size_are_exact(data: st.DataObject, number: int, is_open: bool) -> None:
    tickets = [data.draw(made(at)) for at in range(1, 9)]
    facts = indexed({"s/v": VOCABULARY, **{f"s/{one.key}": one.facts() for one in tickets}})
    among = [one for one in tickets if not (is_open and STATES[one.status])]
    said = "open " * is_open

    oldest = find_set(read_set_question(f"Which is the oldest {said}ticket?", Names(facts), TODAY), facts, TODAY)
    first = min((one.created for one in among), default="")
    assert {key.upper().replace(" ", "-") for key in oldest.keys} == {one.key for one in among if one.created == first}

    asked = read_set_question(f"Which components have more than {number} {said}tickets?", Names(facts), TODAY)
    groups = {group.value for group in find_set(asked, facts, TODAY).groups}
    assert groups == {one for one in COMPONENTS if sum(one in ticket.components for ticket in among) > number}


_TEAM = indexed(
    {
        "s/1": ticket("GWY-1", ("type", "Bug"), ("status", "Blocked"), ("category", "To Do"), ("component", "Turnstile", "component"),
                      ("fix version", "Quay 4.3.0", "version"), ("epic", "GWY-9", "ticket"), ("assignee", "Ines Falk", "person")),
        "s/2": ticket("GWY-2", ("type", "Task"), ("status", "To Do"), ("category", "To Do"), ("component", "Turnstile", "component"),
                      ("is blocked by", "GWY-1", "ticket"), ("fix version", "Quay 4.2.1", "version"), ("epic", "GWY-9", "ticket")),
        "s/3": ticket("GWY-3", ("type", "Task"), ("status", "Done"), ("category", "Done"), ("is blocked by", "GWY-1", "ticket"),
                      ("assignee", "Tomas Reyl", "person")),
        "s/9": ticket("GWY-9", ("type", "Epic"), ("status", "In Progress"), ("category", "In Progress"),
                      ("component", "Turnstile", "component"), ("assignee", "Ines Falk", "person")),
    }
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("which Turnstile tickets are not done, except the epic", "1 2"),
        ("Turnstile tickets that aren't finished except for the epic", "1 2"),
        ("open Turnstile tickets without the epic", "1 2"),
        ("open Turnstile tickets but not the epic", "1 2"),
        ("tickets without an epic", "3 9"),  # of which none is stated
        ("tickets without any epic", "3 9"),
        ("open tickets without anybody assigned", "2"),
        ("which tickets are not assigned to anyone", "2"),
        ("tickets that no one is working on", "2"),
        ("open tickets that don't have somebody yet", "2"),
        ("tickets that haven't got anybody working on them", "2"),
        ("tickets that are not assigned to Ines Falk", "2 3"),
        ("which tickets are in 4.3.0", "1"),
        ("open tickets of release 4.2.1", "2"),
        ("which tickets are blocked", "1"),
        ("how many tickets are blocked right now", "1"),
        ("which tickets are not blocked", "3 9"),
    ],
)
def test_what_is_left_out_and_what_nobody_has(question: str, keys: str) -> None:
    asked = read_set_question(question, Names(_TEAM), TODAY)
    found = find_set(asked, _TEAM, TODAY) if asked is not None else None
    assert found is not None and sorted(found.keys) == [f"gwy {key}" for key in keys.split()]


def test_what_is_held_up_in_another_state_is_told_beside_those_that_are_called_blocked() -> None:
    asked = read_set_question("which tickets are blocked", Names(_TEAM), TODAY)
    assert asked is not None and (found := find_set(asked, _TEAM, TODAY)) is not None and set(found.held_up) == {"gwy 2"}


def test_tickets_asked_for_by_a_date_come_in_its_order() -> None:
    """The one that is overdue for longest first; one without a date would be last."""
    late = {"GWY-1": "2026-06-01", "GWY-2": "2026-04-30", "GWY-3": "2026-05-31"}
    facts = indexed(
        {
            f"s/{key}": ticket(key, ("due", due), ("category", "To Do"), ("updated", f"2026-06-0{at}T09:00:00+00:00"))
            for at, (key, due) in enumerate(late.items(), 1)
        }
    )
    for words in ("Which tickets are overdue?", "Which tickets are due before 10 June?"):
        asked = read_set_question(words, Names(facts), TODAY)
        assert asked is not None and (found := find_set(asked, facts, TODAY)) is not None
        assert list(found.told) == ["gwy 2", "gwy 3", "gwy 1"]
        assert [told["due"].fact.value for told in found.told.values()] == sorted(late.values())


@pytest.mark.parametrize(
    ("words", "within", "last"),
    [
        ("Are all tickets done?", [], "closed"),
        ("Is everything in Turnstile done?", ["component Turnstile"], "closed"),
        ("Are all bugs of Maren resolved?", ["bug", "assignee Maren"], "closed"),
        ("Are all open bugs unassigned?", ["bug", "open"], "assigned to nobody"),
        ("Have all bugs been closed?", ["bug"], "closed"),
        ("Are all stories assigned to Maren Oduya?", ["story"], "assignee Maren Oduya"),
    ],
)
def test_whether_something_holds_of_all_asks_for_the_exceptions(words: str, within: list[str], last: str) -> None:
    asked = read_set_question(words, Names(indexed({"s/v": VOCABULARY})), TODAY)
    assert asked is not None and asked.wanted == "all"
    assert [one.words for one in asked.conditions] == [*within, last]
    assert [one.words for one in asked.exceptions.within] == within and asked.exceptions.conditions[
        0
    ].negated != asked.conditions[-1].negated


def test_all_is_never_said_of_some() -> None:
    states = {"GWY-1": "Done", "GWY-2": "To Do"}
    facts = indexed({f"s/{key}": ticket(key, ("category", state)) for key, state in states.items()})
    asked = read_set_question("Are all tickets done?", Names(facts), TODAY)
    assert asked is not None and (found := find_set(asked, facts, TODAY)) is not None
    assert (found.keys, found.total) == ({"gwy 2"}, 2)


@pytest.mark.parametrize("words", ["Which tickets have the same component?", "Is the bug closed?", "Is our bug overdue?"])
def test_what_compares_them_or_asks_of_one_is_no_set(words: str) -> None:
    assert read_set_question(words, Names(indexed({"s/v": VOCABULARY})), TODAY) is None
