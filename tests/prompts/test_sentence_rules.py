"""Each rule that keeps a sentence from being called the answer, put to one sentence; and the reason, up to whoever wants to know it."""

from __future__ import annotations

import pytest

from prompts.extractive import ExtractiveReader
from prompts.extractive.asked_values import LIGHT
from prompts.extractive.candidates import Candidate, LeafQuestion, candidates
from prompts.extractive.passages import passages
from prompts.extractive.sentence_rules import RULES, refusing
from prompts.extractive.statements import refusals
from prompts.question import PUTTING, analyse, weigh
from prompts.records import LeafText, Question

MANUAL = "Harbour manual"
HISTORY = "- 2026-11-20 09:00 UTC assignee of the crane: Nobody -> Ida Holm, by Ida Holm"
FAR_APART = "The crane on the quay beside the green sheds of the harbour office in town slowly turns and lifts boats."
TWO_DEPTHS = "The inner harbour basin has a depth of 4 m.\n\nAt Low Water the inner harbour basin has a depth of 2 m."


def sentences(question: str, text: str, heading: str = MANUAL) -> list[Candidate]:
    leaf = LeafText(text, (heading,))
    needed = [word for word in weigh(Question(question, {})) if word.whole not in PUTTING | LIGHT]
    return list(candidates(LeafQuestion(question, analyse(question), needed, leaf, list(passages(leaf)))))


def first_refusals(question: str, text: str, heading: str = MANUAL) -> list[str]:
    """The names of the rules that refuse the sentences with all words of the question."""
    return [rule.name for one in sentences(question, text, heading) if (rule := refusing(one)) is not None]


ANSWERS = (
    ("Who closed the gate?", "Ida Holm closed the gate."),
    ("When is the gate closed?", "The gate is closed on 4 May."),
    ("Where are the old keys of the crane?", "The old keys of the crane are kept in the Boathouse."),
    ("Why is the gate closed at night?", "The gate is closed at night because boats were stolen."),
    ("How many boats are in the harbour?", "There are 12 boats in the harbour."),
    ("Does the crane lift boats?", "The crane lifts boats."),
    ("How many old drivers are there in the harbour?", "There are 12 old drivers in the harbour."),
)

REFUSED = (
    ("is_front_matter", "Who closed the gate?", "---\nnote: Ida Holm closed the gate\n---\n\nNothing else.", MANUAL),
    ("is_of_its_page", "When is the gate closed?", "This page is on how the gate is closed on 4 May.", MANUAL),
    ("stands_in_draft", "Who closed the gate?", "Ida Holm closed the gate.", "Gate plan, draft"),
    ("is_no_sentence", "Who closed the gate?", "| gate | closed by |\n|---|---|\n| the gate | closed by Ida Holm |\n", MANUAL),
    ("is_field", "Who is the assignee of the crane?", HISTORY, MANUAL),
    ("asks_or_leads_up", "Who closed the gate?", "Was it Ida Holm who closed the gate?", MANUAL),
    ("draws_conclusion", "How many boats does the recall cover?", "So the recall covers 12 boats.", MANUAL),
    ("is_code", "Who closed the gate?", "Ida Holm closed the gate with --now <gate>.", MANUAL),
    ("names_it_in_passing", "Where is the Petrel?", "In the harbour lies the Petrel.", MANUAL),
    ("is_of_any_such_thing", "Where is the key?", "The key is in the Boathouse.", MANUAL),
    ("lacks_telling_word", "How many green panes are in use?", "There are 12 green panes.", MANUAL),
    ("tells_of_doing_it", "How many old bookings does the harbour have?", "The harbour booked 12 old ones.", MANUAL),
    ("lacks_value", "Who closed the gate?", "The gate is closed.", MANUAL),
    ("leaves_words_to_heading", "Does the harbour crane lift boats?", "The crane lifts boats.", MANUAL),
    ("leaves_doing_to_heading", "How often are the boats tested?", "Wash the boats three times.", "Tests"),
    ("leaves_doing_to_heading", "On which day are the gates painted?", "The wood of the gates was renewed on 4 May.", "Painting the gates"),
    ("is_entry_on_other", "How long is the harbour season?", "**Shoulder weeks** – the first 2 weeks of the harbour season.", MANUAL),
    ("has_parts_of_compound", "Where is the key safe at the gate?", "A key for the gate lies in the Boathouse, and a safe is old.", MANUAL),
    ("has_half_of_compound", "How many litres does the water tank hold?", "Mix it with ten litres of water.", "Water tank"),
    ("is_of_namesake", "How many places has the harbour ward?", "The harbour room has 3 places.", "Harbour ward"),
    ("has_words_apart", "Does the crane lift boats?", FAR_APART, MANUAL),
    ("says_more_than_asked", "Does the crane turn?", "The crane on the quay turns slowly in the wind at night.", MANUAL),
    ("is_of_some", "Who closed the gate?", "Sometimes Ida Holm closed the gate.", MANUAL),
    ("tells_of_some_of_them", "How many old drivers are there in the harbour?", "Two old drivers in the harbour report a fault.", MANUAL),
    ("is_exception", "When is the gate closed?", "For Selmer the gate is closed at 12:00.", MANUAL),
    ("is_size_of_it", "How large is the harbour basin?", "It fills the harbour basin in 12 hours.", MANUAL),
    ("is_only_before_it", "How long does the gate repair take?", "After the gate repair the quay test takes 2 hours.", MANUAL),
    ("says_it_of_next", "How long does the gate test take?", "The price has a gate test for all and repairs for 5 years.", MANUAL),
    ("leaves_it_out", "How many boats has the harbour?", "One quay, not the harbour, has 12 boats.", MANUAL),
    ("is_done_by_them", "When do we get paid in December?", "On 11 December the crew pay for the food.", MANUAL),
    ("does_not_carry_over", "How many free days of the crew can be carried over?", "The crew gets 5 free days.", MANUAL),
    ("says_much_else", "Does the crane lift boats?", "The crane lifts boats, carts, anchors, ropes, masts and sails.", MANUAL),
    ("is_of_other_case", "Does the crane lift boats if it rains?", "The crane lifts boats in the rain.", MANUAL),
    ("is_task", "When is the new gate price?", "Per: tell members about the new gate price by 27 November.", MANUAL),
    ("was_so_once", "Does the crane lift boats?", "Before spring the crane lifts boats.", MANUAL),
    ("says_only_how_it_is_now", "How long did a lift take with the old crane?", "A lift with the crane now takes 3 minutes.", MANUAL),
    ("happened_once", "How often do we paint the gate?", "On 2 October I painted the gate, as yearly done.", MANUAL),
    ("may_not_be_last", "When was the last paint of the gate?", "The paint of the gate was on 4 May.", MANUAL),
    ("is_of_two_things", "When is the gate closed?", "The gate and the quay are closed on 4 May and 5 May respectively.", MANUAL),
    ("lists_who_came", "Who opens the gate for Per?", "Present: Ida Holm (opens the gate), Per.", MANUAL),
    ("is_where_something_else_is", "Where is the test lab?", "The cupboard is in the test lab; keys are in the Boathouse.", MANUAL),
    ("says_nothing_of_duty", "Who is on call for the harbour crane?", "Ida Holm has a stand at the harbour crane.", MANUAL),
    ("names_one_end", "Who did the keeper close the gate for?", "Ida Holm, the keeper, closed the gate on 4 May.", MANUAL),
    ("is_of_other_side", "Who is the quality manager?", "On their side: Ida Holm (quality manager), and the shift leads.", MANUAL),
    ("says_who_came_after", "Who did the gate job of the quay before Ida?", "Until May the gate job of the quay before the crane is done by Per Lund, Ida says.", MANUAL),
    ("stands_in_for_another", "Who covers for Ida at the gate?", "Until June Ida Holm covers at the gate for Per Lund.", MANUAL),
    ("has_value_elsewhere", "When is the gate painted?", "gate: painted, we said yes; boats come first. not the big ones. the crane moves on 4 May. rope is dear", MANUAL),
    ("is_several_messages", "How long did the crane test take?", "[14/10/2026, 15:48] Ida: crane away, test [14/10/2026, 19:02] Bo: took 2 hours", MANUAL),
    ("is_of_any_such_thing", "From when is the new one?", "New one on 3 May 2028.", MANUAL),
    ("says_it_of_it", "Who runs the crane?", "Ida Holm runs it.", "Crane"),
    ("leaves_thing_unsaid", "How much was lost by that?", "Lost keys of the gate are 340 EUR.", MANUAL),
    ("is_only_compared", "When does the gate close?", "It closes at 10:30, half an hour before the gate does.", MANUAL),
    ("leaves_these_unsaid", "Is lunch paid?", "Lunch is paid on these.", MANUAL),
    ("says_it_of_what_follows", "When is the harbour meeting in January 2027?", "Harbour meeting: the crane moves on 31 January 2027.", MANUAL),
    ("says_when_it_is_not", "When is the crane test?", "Bo cannot do the crane test on Wednesday 5 May 2027.", MANUAL),
    ("is_of_whoever", "How long is the turn of the crane?", "Whoever breaks the crane loses the turn for 14 days.", MANUAL),
    ("is_paid_into_it", "How much is in the crane fund?", "Surplus £4,800 before the transfer to the crane fund.", MANUAL),
    ("prices_another_thing", "How much is the insurance of the crane?", "The cost of the crane is the lease at £1,890 a month, and insurance.", MANUAL),
    ("tells_of_failure", "When are tests of the crane made?", "2026-09-08 The tests of the crane failed three nights running.", MANUAL),
    ("leaves_day_unsaid", "How many boats may moor in the harbour?", "12 boats may moor in the harbour from that date.", MANUAL),
    ("is_of_year_not_asked", "How many boats sank in the harbour in 2026?", "12 boats sank in the harbour in 2025.", "Report for 2026"),
    ("tells_what_was_done_with_some", "How many straps are there in Petrel?", "The crate had shifted because I used eight straps.", "Petrel in May"),
    ("does_not_name_all", "Who are the drivers of the crane?", "The drivers of the crane are Ida Holm and me.", MANUAL),
    ("is_of_several_years", "How many boats sank in the harbour in 2025?", "31 boats sank in the harbour in 2024 and 2025.", MANUAL),
    ("says_how_long_before", "How long can I borrow the lamp of the crane?", "Borrow the lamp of the crane at least two working days before.", MANUAL),
    ("is_length_of_way", "How long may the driver of the crane take?", "Above 2.50 m the driver of the crane may take more.", MANUAL),
    ("is_only_possible", "How long did the test of the crane take?", "We can take the test of the crane in seventy minutes.", MANUAL),
    ("says_no_beginning", "Since when is Horace Holm a boatman?", "Horace Holm is a boatman whose certificate ended in 1999.", MANUAL),
    ("need_not_be_so_now", "May boatmen moor in the harbour at the moment?", "Boatmen may moor in the harbour.", MANUAL),
    ("is_of_one_day", "When do gates of the harbour open on Saturdays?", "On Saturday 18 July the gates of the harbour stood open.", MANUAL),
    ("has_only_the_time", "When are the harbour gates open on Saturdays?", "Puppet show: second Saturday of the month, 10:00.", "Harbour gates open"),
    ("is_of_one_kind", "How much is a crane repair?", "Steel cranes: yes, but ask first, a repair takes long and is 80 EUR.", MANUAL),
    ("is_of_no_group", "How many boats per quay?", "The 12 boats of two owners are at the quay.", MANUAL),
    ("gives_one_of_several_reasons", "What are the reasons the gate is closed?", "The gate is closed because boats were stolen.", MANUAL),
    ("was_so_until", "When is the gate closed?", "Until 4 May the gate was closed at 12:00.", MANUAL),
    ("was_so_until", "Who is responsible for the harbour crane?", "The harbour crane was with Ida Holm from 2018 to 4 May 2025.", MANUAL),
    ("was_so_until", "Who runs the harbour crane?", "Ida Holm, who runs the harbour crane that day, heard nothing.", MANUAL),
    ("is_of_something_else", "How many boats may the harbour hold?", "There are 12 boats in the harbour.", MANUAL),
    ("does_not_say_whether", "Can boats moor at night?", "Boats moor at night.", MANUAL),
    ("is_comparison", "How often is the gate closed?", "The gate is closed more often than daily.", MANUAL),
    ("is_part_of_example", "Who closed the gate?", "Imagine that Ida Holm closed the gate.", MANUAL),
    ("does_not_say_most", "Who wrote the most reports on the crane?", "Ida Holm wrote the reports on the crane.", MANUAL),
    ("is_contested", "Which depth has the inner harbour basin?", TWO_DEPTHS, MANUAL),
    ("leaves_most_to_heading", "Who closed the old gate of the quay?", "Ida Holm closed it.", "The old gate of the quay"),
    ("says_where_other_is", "Where are the keys of the crane?", "The blue steel box from Holm, with keys of the crane, is kept in the Boathouse.", MANUAL),
    ("names_one_of_several_places", "Where can I find the keys of the crane?", "- The keys of the crane are in the Boathouse.", MANUAL),
    ("leaves_place_to_heading", "Where are the harbour keys?", "The keys are in the Boathouse.", MANUAL),
    ("does_not_say_who", "Who is the pilot of the crane boat?", "## Staff\n\nThe crane boat is led by Ida Holm.", "Pilot"),
    ("names_another_beside", "Who is the harbour master?", "It is signed by Ida Holm and by the harbour master.", MANUAL),
    ("has_name_elsewhere", "Who is the gate keeper?", "Gifts are declared to the gate keeper; money goes into the Hardship Tin.", MANUAL),
    ("has_other_role", "Who is head of the quay?", "Ida Holm is the crane manager of the quay.", MANUAL),
    ("is_of_page_on_two", "Who closed the gate of the quay?", "The gate was closed by Ida Holm.", "Quay and crane"),
    ("is_of_page_on_two", "Who runs the office?", "Owner: Ida Holm.", "Expenses, approval, home office"),
    ("is_of_page_called_more", "Who is head of the quays?", "Lead: Ida Holm.", "Playground of Heron Quay"),
    ("has_word_only_in_name", "Who runs the vans?", "Pieter van Aalst runs the quay.", MANUAL),
    ("says_who_does_other", "Who built the gate of the quay?", "Ida Holm opens the gate of the quay that others build.", MANUAL),
    ("leads_something_else", "Who leads the harbour crew?", "Ida Holm of the harbour crew leads the choir.", MANUAL),
    ("gives_other_reason", "Why is the gate closed at night?", "A guard is paid so that the gate is closed at night.", MANUAL),
    ("tells_alternatives", "Why was the steel gate of the quay chosen?", "Alternatives: the steel gate of the quay was chosen because of rust.", "Quay"),
    ("denies_a_reason", "Why was the old gate of the quay closed?", "The old gate of the quay was not closed because it was bad.", MANUAL),
    ("lacks_an_end", "From when to when is the gate of the quay closed?", "The gate of the quay is closed from 4 December 2026.", MANUAL),
    ("leaves_it_to_a_ticket", "How many boats are moored at the gate first?", "- First 5 boats are moored at the gate – QUAY-145", MANUAL),
    ("names_it_to_tell_it_apart", "How many litres of oil go into the crane?", "You need 2 persons and 78 litres of oil (not 40, that is for the crane).", MANUAL),
    ("is_of_other_month", "Who closed the gate in May?", "Ida Holm closed the gate in June 2026.", MANUAL),
    ("is_of_other_month", "How many boats did the quay have in June 2026?", "The quay had 12 boats in May.", "Meeting, 2 June 2026"),
    ("is_of_one_day_of_month", "How many boats did the quay have in October?", "The quay had 12 boats.", "Storm at the quay on 17 October 2026"),
    ("has_only_a_stamp", "When is the gate storm?", "07:31 the storm bell rings", "The gate storm"),
    ("has_only_a_stamp", "When does the gate of the quay close?", "[2026-11-23 09:40] Ida Holm: the gate of the quay closes earlier", "Quay"),
    ("says_no_opening", "When does the gate open?", "The gate may be opened after 4 hours.", MANUAL),
    ("is_of_one_closing", "When does the gate close?", "The gate closes on 24 December and opens again on 4 January.", MANUAL),
    ("says_when_it_was_printed", "When is the gate of the quay closed?", "Gate plan of the quay, printed 4 May 2026, gate closed", "Quay"),
    ("is_only_wanted", "How many boats does the gate get?", "The owners want 12 boats at the gate.", MANUAL),
    ("is_only_meant", "How many boats did Ida buy?", "Ida Holm proposed to buy 12 boats.", MANUAL),
    ("is_proposal", "When will the gate close?", "Ida Holm suggested to close the gate on 4 May.", MANUAL),
    ("is_only_no_more", "How many boats did the quay have?", "None of the quays had more than 12 boats.", MANUAL),
    ("is_doubted", "How many boats are at the quay?", "Maybe 12 boats are at the quay.", MANUAL),
    ("is_on_condition", "When is the gate painted?", "If the test is passed, Bo paints the gate on 4 May.", MANUAL),
    ("is_limit", "How much does the berth cost?", "The berth must not cost more than 400 EUR.", MANUAL),
    ("is_of_other_compound", "When is the gate window?", "A maintenance window is announced on 4 May.", "Gate manual"),
    ("counts_another_sort", "How many boats are in the regatta?", "There are six hire boats, first come first served.", "The regatta"),
    ("has_subject_of_its_own", "What does the playground cost?", "Safety check by Sigma, costs 1,900.", "Playground"),
    ("lacks_value", "What is the serial number of the crane?", "The serial number of the crane was compared with 212 lists.", MANUAL),
    ("lacks_value", "How much were the lamps of the crane?", "The lamps of the crane have 61 % of their light.", MANUAL),
    ("lacks_value", "How many days for painting the gate?", "Of nineteen wishes twelve were met, among them the day for painting the gate.", MANUAL),
    ("has_number_apart", "How many boats are moved to berth 11?", "Rent of berth 10 was paid for 25 boats that moved.", "Move of boats to berth 11"),
    ("has_number_apart", "How many boats moored at gate 4?", "At gate 1 there moored 12 boats, 4 fewer.", MANUAL),
    ("says_from_which_to_which", "When was the pay day of the crew changed to the 3rd?", "The pay day of the crew was changed from the 1st to the 3rd.", MANUAL),
    ("does_not_say_how_long_kept", "How long do we keep the signals of the gate?", "The signals of the gate come every 15 minutes.", MANUAL),
    ("is_of_its_item", "Who is the owner of the gates?", "- **north**: two gates. Owner: Ida Holm.", "Gates"),
    (
        "was_said_otherwise_later",
        "When is the gate closed?",
        "### Ida Holm, 2026-09-30 15:00\n\nThe gate is closed on 31 January 2027.\n\n### Bo Lund, 2026-11-10 16:00\n\nIt will be 31 March 2027.",
        MANUAL,
    ),
    ("lacks_turn", "Who has not closed the gate?", "Ida Holm closed the gate.", MANUAL),
    ("leaves_choice_open", "Who comes first, the crane or the gate?", "Ida Holm comes first for the crane or the gate.", MANUAL),
    ("is_unrelated", "When is the gate closed?", "Boats wait until 12:00 if the gate is closed.", MANUAL),
    ("is_unsure", "Who closed the gate of the quay?", "It is not odd that the gate was closed by Ida Holm.", "Quay"),
)  # fmt: skip


@pytest.mark.parametrize(("question", "text"), ANSWERS)
def test_a_sentence_that_answers_is_refused_by_no_rule(question: str, text: str) -> None:
    assert sentences(question, text) and first_refusals(question, text) == []


@pytest.mark.parametrize(("rule", "question", "text", "heading"), REFUSED)
def test_a_rule_refuses_a_sentence_that_says_something_else(rule: str, question: str, text: str, heading: str) -> None:
    assert rule in first_refusals(question, text, heading)


@pytest.mark.parametrize(
    ("question", "text", "refused"),
    [
        ("Who painted the gate?", "## Actions\n\n- Ida Holm paints the gate by 4 May.", True),
        ("Who paints the gate?", "## Actions\n\n- Ida Holm paints the gate by 4 May.", False),
        ("Who painted the gate?", "## Work\n\n- Ida Holm painted the gate on 4 May.", False),
        ("To how many lamps do I switch?", "If it is dark, switch the lamps to 8.\n\nSwitch back to 3 lamps at noon.", True),
        ("To how many lamps do I switch?", "Switch to 3 lamps at noon.\n\nThe lamps are old.", False),
    ],
)
def test_what_is_planned_or_said_twice_with_other_numbers_is_no_answer(question: str, text: str, refused: bool) -> None:
    found = [refusing(one) for one in sentences(question, text, "Quay")]
    assert found and all((one is not None) is refused for one in found), found


def test_every_rule_is_tried_and_says_what_it_stands_for() -> None:
    assert [rule.name for rule in RULES] == list(dict.fromkeys(name for name, *_ in REFUSED))
    assert len({rule.reason for rule in RULES}) == len(RULES)


def told(question: str, text: str) -> list[tuple[str, str]]:
    """The sentences that seem to answer a question and are refused, each with the reason."""
    leaf, asked = LeafText(text, (MANUAL,)), analyse(question)
    carrying = weigh(Question(question, {}))
    return [
        (one.passage.text, one.rule.reason)
        for one in refusals(question, asked, carrying, frozenset(), leaf, list(passages(leaf)))
    ]


def test_it_can_be_seen_which_sentence_was_refused_and_why() -> None:
    text = "Sometimes Ida Holm closed the gate.\n\nThe gate is closed.\n\nBo Lund opened the quay.\n\nPerhaps it was Ida Holm."
    assert told("Who closed the gate?", text) == [("Sometimes Ida Holm closed the gate.", "says it of some of them only")]
    assert told("Who closed the gate?", "Ida Holm closed the gate.") == []


def test_nothing_is_refused_where_a_word_of_the_question_occurs_nowhere() -> None:
    leaf, question = LeafText("Sometimes Ida Holm closed the gate.", (MANUAL,)), "Who closed the gate?"
    carrying = weigh(Question(question, {}))
    unknown = frozenset(word.whole for word in carrying)
    assert not list(refusals(question, analyse(question), carrying, unknown, leaf, list(passages(leaf))))


@pytest.mark.parametrize(
    ("text", "near_miss"),
    [
        ("Sometimes Ida Holm closed the gate.", "says it of some of them only"),
        ("Ida Holm closed the gate.", ""),  # that is the answer
        ("The gate is closed by somebody.", ""),  # that it names nobody need not be told
    ],
)
def test_an_answer_tells_why_its_best_sentence_is_only_a_passage(text: str, near_miss: str) -> None:
    assert ExtractiveReader().answer(Question("Who closed the gate?", {}), LeafText(text, (MANUAL,))).near_miss == near_miss


def test_a_line_of_a_chat_may_ask_without_a_mark_and_its_time_is_no_number() -> None:
    question = "How many boats have a berth?"
    assert first_refusals(question, "[09:31] Ida: what do I tell 12 boats that have a berth") == ["asks_or_leads_up"]
    assert first_refusals(question, "[09:31] The boats have a berth of their own.") == ["lacks_value"]


def test_a_share_is_no_number_of_things() -> None:
    question = "How many boats are painted?"
    assert first_refusals(question, "A season is over when 95 % of the boats are painted.") == ["lacks_value"]
    assert first_refusals(question, "This year 95 boats are painted.") == []


def test_what_was_in_several_months_or_a_number_before_a_colon_is_no_count() -> None:
    question = "How many faults were there in July?"
    assert first_refusals(question, "There were 26 faults from July to September.") == ["is_of_other_month"]
    assert first_refusals(question, "There were 26 faults in July.") == []
    assert first_refusals("How many gates has the hall?", "Assembly, hall 2: gates") == ["lacks_value"]
    assert first_refusals("How many crews has the quay?", "We tried two tools with crews from the quay.") == ["lacks_value"]


def test_what_something_is_within_another_is_not_what_that_is() -> None:
    leaf = LeafText("- **Soak** – a long rest. In firmware: the run of 200 h before a release.", (MANUAL,))
    for question in ("What is the firmware?", "What is the latest firmware?"):
        assert ExtractiveReader().answer(Question(question, {}), leaf).verdict != "complete"
    plain = LeafText("- **Firmware** – what runs in the motor.", (MANUAL,))
    assert ExtractiveReader().answer(Question("What is firmware?", {}), plain).verdict == "complete"
    assert ExtractiveReader().answer(Question("What is the latest firmware?", {}), plain).verdict != "complete"


def test_a_word_that_there_is_is_not_spelt_otherwise() -> None:
    leaf = LeafText("We wait for 20 lamps, stuck at the border since June.", (MANUAL,))
    weights = {"lamp": 3.0, "stock": 3.0}
    assert ExtractiveReader().answer(Question("How many lamps do we have in stock?", weights), leaf).verdict != "complete"
    slipped = Question("How many lamps are stcuk at the border?", {**weights, "stcuk": 4.0, "border": 3.0}, frozenset(("stcuk",)))
    assert ExtractiveReader().answer(slipped, leaf).verdict == "complete"


def test_half_of_a_name_in_the_question_is_not_who_is_asked_for() -> None:
    text = "Ida Holm takes over as harbour warden before May."
    assert first_refusals("Who was the harbour warden before Ida?", text) == ["lacks_value"]
    assert first_refusals("Who was the harbour warden before Per?", text.replace("before", "before Per, in")) != ["lacks_value"]
