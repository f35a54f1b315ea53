"""Which passage is shown first: the one with what is asked for, told with what stands around it."""

from __future__ import annotations

from dataclasses import replace

from prompts.extractive import ExtractiveReader
from prompts.extractive.reasons import (
    asks_of_rejected,
    gives_reason_for_another,
    says_decision,
    says_what_decided,
    without_concession,
)
from prompts.language import terms
from prompts.question import weigh
from prompts.records import Evidence, Excerpt, LeafText, LogicUnit, Property, Question


def excerpts(question: str, text: str, *heading: str) -> tuple[Excerpt, ...]:
    leaf = LeafText(text, heading or ("Harbour",))
    return ExtractiveReader().answer(Question(question, dict.fromkeys(terms(question), 3.0)), leaf).excerpts


def best(question: str, text: str, *heading: str) -> str:
    first = excerpts(question, text, *heading)[0]
    return text[slice(*first.best)]


def test_a_sentence_with_the_kind_of_thing_asked_for_leads() -> None:
    text = "The crane of the harbour is loud when the harbour sleeps.\n\nIn the week of the fair the crane was painted by Ada Solberg.\n\nNo one likes it."
    assert best("Who painted the crane of the harbour for the mayor?", text).endswith("Ada Solberg.")


def test_what_a_sentence_leads_up_to_is_shown_with_it() -> None:
    text = "Boats pay by their length.\n\nTo moor a boat over night in the harbour you need:\n\n- a permit\n- two ropes\n\nThe office is closed on Sundays."
    first = excerpts("What do I need to moor a boat in the harbour over night with a dog?", text)[0]
    assert first.quote.text.startswith("To moor") and first.quote.text.endswith("two ropes")


def test_a_passage_is_its_paragraph_where_that_is_short() -> None:
    text = "The crane lifts ten tons. It was built in the yard. The crane is painted every spring. Nobody knows why. It is blue.\n\nBoats pay by length."
    first = excerpts("Is the crane painted every autumn by the yard?", text)[0]
    assert first.quote.text == text.partition("\n\n")[0]
    assert text[slice(*first.best)] == "The crane is painted every spring."


def test_of_a_long_paragraph_the_sentences_around_the_best_one_are_shown() -> None:
    rest = "Whoever is on deck at that time of the day waits until the arm is down again and the light is green. "
    text = f"{3 * rest}It was built in the yard. The crane is painted every spring. Nobody knows why. {3 * rest}"
    first = excerpts("Is the crane painted every autumn by the yard?", text)[0]
    assert "It was built in the yard. The crane is painted every spring. Nobody knows why." in first.quote.text
    assert len(first.quote.text) <= 420


def test_an_item_is_shown_with_all_that_it_says() -> None:
    text = "- **locked**: If true, the crane of the harbour cannot be moved. Only its light works. Default: true.\n- **speed**: In metres. Default: 2."
    first = excerpts("Can the crane of the harbour be moved out of the box?", text)[0]
    assert first.quote.text.endswith("Only its light works. Default: true.")


def test_a_list_within_an_item_ends_with_it() -> None:
    text = "- We use these names for the branches of the crane:\n  - Features get `feature/`.\n  - Fixes get `fix/`.\n- Follow the style.\n- Write tests."
    first = excerpts("What names do we use for the branches of the crane at sea?", text)[0]
    assert "Fixes get" in first.quote.text and "Follow the style" not in first.quote.text


def test_a_question_in_a_text_is_shown_with_its_reply() -> None:
    text = "**Q: Can the crane of the harbour lift a bus?**\n\nYes, but only an empty one.\n\nBoats pay by length."
    assert excerpts("May the crane of the harbour lift buses at night?", text)[0].quote.text.endswith("only an empty one.")


def test_a_row_of_a_table_without_a_header_has_no_names() -> None:
    text = "| lift the arm of the crane | Ported | Same as before |\n| lower the hook | Pending | Not yet |\n| turn the crane of the harbour | Done | With care |"
    asked = Question("Who may turn the crane of the harbour at sea?", dict.fromkeys(terms("turn crane harbour sea"), 3.0))
    leaf = LeafText(text, ("Harbour",))
    answer = ExtractiveReader().answer(asked, leaf)
    told = "".join(one.text for one in ExtractiveReader().compose(asked, [Evidence(1, leaf, answer, 1.0)]))
    assert "turn the crane of the harbour · Done · With care" in told


def test_the_header_of_a_table_is_no_passage() -> None:
    text = "| Ship | Cars | Crew |\n|---|---|---|\n| Petrel | 12 | 3 |\n| Corvina | 84 | 9 |"
    found = excerpts("Which ship of the fleet has cars and a crew of 9 people?", text)
    assert all("Ship" not in one.quote.text for one in found)


def test_the_first_sentence_below_a_heading_that_the_question_says_leads_the_way() -> None:
    text = "## Rollback\nType `gate back` at the crane. Ships that wait are told, and the harbour is rolled back slowly."
    assert best("How is the harbour rolled back?", text, "Harbour", "Rollback") == "Type `gate back` at the crane."


def test_the_fields_of_a_ticket_are_no_reason() -> None:
    text = "- Key: CRA-7\n- Type: Bug\n- Epic: CRA-1 The crane of the harbour fails\n\nThe crane fails because its rope of CRA-7 is wet."
    leaf = LeafText(text, ("CRA-7 The crane fails",), properties=(Property("Type", "Bug"),))
    asked = Question("Why does the crane of CRA-7 fail in the harbour?", dict.fromkeys(terms("crane CRA-7 fail harbour"), 3.0))
    assert [one.quote.text for one in ExtractiveReader().answer(asked, leaf).excerpts] == [text.rpartition("\n\n")[2]]


def test_an_anchor_alone_is_no_passage() -> None:
    text = '<a id="crane"></a>\n\nThe crane of the harbour rests at night.\n\n<a id="harbour-crane"></a>\n\nBoats pay by their length.'
    found = excerpts("What does the crane of the harbour do at noon?", text)
    assert found and not any(one.quote.text.startswith("<a") for one in found)


def test_a_list_of_questions_is_no_passage_before_what_answers_one() -> None:
    text = "1. Who moors the boats? 2. What is the difference between a lost boat and a drifting boat? 3. Who pays?\n\nA lost boat has no owner; a drifting boat is one whose owner is known."
    assert best("What is the difference between a lost boat and a drifting boat?", text).startswith("A lost boat has no owner")


def test_an_option_is_found_letter_by_letter() -> None:
    text = "The crane of the harbour takes an option for each lift.\n\nWith -w the crane of the harbour waits for the wind.\n\nWith -x it does not."
    assert "-w the crane" in best("What does the option -w of the harbour crane do for me?", text)


def test_a_sentence_that_points_back_goes_with_the_one_before_it() -> None:
    text = "The crane of the harbour stops in strong wind.\nThis happens because its rope swings.\n\nThe harbour is closed on Sundays. Boats pay by length."
    assert best("Why does the crane of the harbour stop in wind?", text) == "This happens because its rope swings."


def test_code_comes_after_what_is_said_of_it() -> None:
    text = "```\ncrane.start(harbour, wind)\n```\n\nThe crane starts when the harbour reports little wind at both ends."
    assert best("When does the crane start in the harbour with wind?", text).startswith("The crane starts when")


def test_the_headings_above_the_nearest_one_count_too() -> None:
    text = (
        "## Crane stands still\n\n### Signs\n\nA red lamp is lit on the mast and the horn sounds twice.\n\n### Cause\n\n"
        "This likely means that the rope is wet.\n\n## Boats late\n\n### Cause\n\nThis likely means that the tide is low."
    )
    assert best("Why does the crane stand still in the harbour?", text) == "This likely means that the rope is wet."


def test_a_list_that_follows_a_way_is_told_with_it() -> None:
    text = "You can change the rope of the harbour crane without a stop. Work goes on meanwhile.\n\n1. Hang the new rope.\n2. Move the hook.\n\nBoats pay by their length."
    first = excerpts("How do I change the rope of the harbour crane without a stop of all work?", text)[0]
    assert first.quote.text.endswith("Move the hook.")


def test_what_is_so_if_nothing_is_said_is_the_default() -> None:
    text = "The lamp on the crane is lit by the harbour master at any time of day.\n\nThe default is the green lamp on the crane.\n\nBoats pay by length."
    assert best("Which lamp does the crane have if I do not set one?", text) == "The default is the green lamp on the crane."


def test_code_is_cited_whole_with_the_sentence_that_introduces_it():
    code = "```python\nimport crane\n\nrope = crane.rope()\n\nrope.change(slowly=True)\n```"
    text = f"The harbour has a crane.\n\nThis is how the rope of it is changed.\n\n{code}\n\nIt takes an hour."
    first = next(one for one in excerpts("How do I change rope with crane.rope slowly?", text) if "slowly=True" in one.quote.text)
    assert text[first.quote.start : first.quote.end].startswith("This is how") and first.quote.text.endswith(
        "rope.change(slowly=True)"
    )


def test_navigation_and_licences_stand_behind_what_says_something():
    text = (
        "Next: [What the crane of the harbour lifts at noon](noon.md)\n\n"
        "The crane of the harbour is licensed under the licence of noon.\n\nAt noon it rests in its corner."
    )
    found = [one.quote.text for one in excerpts("What does the crane of the harbour lift at noon with wind?", text)]
    assert found and found[0].endswith("At noon it rests in its corner.")


def test_a_sentence_that_begins_with_what_is_asked_about_leads() -> None:
    aside = "The mayor lets boats lie at the pontoon of the harbour in a dry summer for a fee that is paid to the town."
    text = f"{aside}\n\nBoats that stay longer than a week lie at the pontoon near the crane and pay a fee to the town for that."
    assert best("Which boats with a dog may lie at the pontoon of the harbour?", text).startswith("Boats that stay")


def test_a_question_for_yes_or_no_is_led_by_what_cannot_be() -> None:
    text = "The crane can lift most boats of the harbour in winter.\n\nThe crane of the harbour cannot lift boats in winter.\n\nNobody swims."
    assert best("Does the crane lift boats of the harbour in winter with a dog?", text).startswith(
        "The crane of the harbour cannot"
    )


def told(question: str, text: str) -> str:
    leaf = LeafText(text, ("Harbour",))
    asked = Question(question, dict.fromkeys(terms(question), 3.0))
    answer = ExtractiveReader().answer(asked, leaf)
    return "".join(one.text for one in ExtractiveReader().compose(asked, [Evidence(1, leaf, answer, 1.0)]))


def test_a_list_in_a_list_is_shown_as_one_with_its_numbers() -> None:
    text = (
        "1. Greet the crew of the ferry.\n2. For each van on the ferry of the night:\n   1. weigh it\n   2. park it\n3. Leave.\n"
    )
    shown = told("What is done for each van on a ferry by night by the crew?", text)
    assert "2. For each van" in shown or "For each van on the ferry of the night:" in shown
    assert "   1. weigh it" in shown and "   2. park it" in shown


def test_a_list_that_is_not_shown_to_its_end_says_so() -> None:
    items = "".join(f"- item {number} of the ferry with {'many words ' * 6}\n" for number in range(12))
    assert "\n- \u2026" in told(
        "What must the ferry of the harbour carry at night by law?", f"The ferry of the harbour must carry by law:\n\n{items}"
    )


def test_code_that_a_sentence_without_a_stop_leads_up_to_is_shown_with_it() -> None:
    text = "The branch of a ferry must be named\n\n```\nferry/NAME\n```\n\nBoats pay by length."
    assert "ferry/NAME" in told("How must the branch of the new ferry be named by the crew?", text)


def test_the_remedy_that_is_called_so_leads_where_one_is_asked_for() -> None:
    text = (
        "The crane 3 was enrolled twice in April; the second enrolment of crane 3 is the one that is renewed.\n\n"
        "Workaround until 2.1: Menu, Pair, both in one hand. Takes a minute."
    )
    assert best("What is the workaround for crane 3?", text, "Crane 3 forgets its partner").startswith("Workaround until 2.1")


def test_code_for_each_of_several_cases_is_told_with_what_leads_to_it() -> None:
    text = "To list what is old:\n\n**Boats**\n\n```sh\nlist --old boats\n```\n\n**Cars**\n\n```sh\nlist --old cars\n```\n\nIt takes a minute."
    leaf = LeafText(text, ("Lists",))
    [first, *_] = ExtractiveReader().answer(Question("How do I list what is old?", {}), leaf).excerpts
    assert first.quote.text.startswith("To list what is old") and first.quote.text.endswith("list --old cars")
    named = LeafText("**Boats.**\n```\n/var/boats\n```\n\nIt is emptied daily.", ("Where lists are",))
    [first, *_] = ExtractiveReader().answer(Question("Where are lists of boats kept?", {}), named).excerpts
    assert "/var/boats" in first.quote.text


def test_the_setting_whose_name_the_question_says_leads_with_its_first_line() -> None:
    text = (
        "## LAMP_RETRY_CODES\n\nDefault: `[4, 7]`. Codes of the lamp after which the switch is pressed again.\n\n"
        "By the rules of the harbour a lamp that answers with a code of a fault leads somebody to it for a retry.\n"
    )
    assert excerpts("Which codes of the lamp lead to a retry?", text)[0].quote.text.startswith("Default:")


def test_what_a_sentence_only_led_up_to_is_shown_although_it_is_long() -> None:
    lead = "Sometimes a berth that somebody has taken stays empty for weeks because the owner of it is ill or has no time for the boat. "
    more = "Others would be glad of it and wait on the quay in the rain for weeks, with all that they own in bags. Nobody likes to ask them. "
    text = f"{lead}{more}In this case you may take over the empty berth, as long as you write to the owner and to the office, and leave when they come back."
    first = excerpts("May I take over an empty berth that somebody has?", text)[0]
    assert first.quote.text.endswith("when they come back.")


def test_what_is_said_in_passing_is_not_what_is_looked_for() -> None:
    asked = Question("Which boats are on the slip at the moment?", dict.fromkeys(terms("boat slip moment"), 3.0))
    assert {word.whole for word in weigh(asked)} == set(terms("boat slip"))


TICKET = """- Key: GWY-7
- Type: Task
- Labels: refunds, crew
- Status: In Progress

## Comments

### Ada Solberg, 2026-05-03 09:00 UTC

The crew can give a refund of up to 20 euros on its own.

## History

- 2026-05-02 08:00 UTC assignee: Ada Solberg -> Per Lund, by Per Lund
- 2026-05-03 08:00 UTC Labels: crew -> refunds, crew, by Per Lund
"""


def _of_ticket(question: str) -> str:
    leaf = LeafText(TICKET, ("GWY-7 Refunds of the crew",), kind="ticket", properties=(Property("Type", "Task"),))
    found = ExtractiveReader().answer(Question(question, dict.fromkeys(terms(question), 3.0)), leaf).excerpts
    return TICKET[slice(*found[0].best)]


def test_what_changed_on_a_ticket_leads_only_where_changes_are_asked_for() -> None:
    assert "up to 20 euros" in _of_ticket("Up to which amount can the crew with Per Lund give refunds?")
    assert "Labels" in _of_ticket("Which labels has the ticket on refunds of the crew?")


def test_the_head_of_a_mail_leads_only_where_the_mail_is_asked_for() -> None:
    text = (
        "From: Ada Solberg <ada@harbour.example>\nTo: Per Lund <per@harbour.example>\nSubject: The crane of the harbour and where it goes\n\n"
        "The crane of the harbour goes to the yard behind the church.\n"
    )  # fmt: skip
    assert best("Where does the crane of the harbour go in winter?", text).endswith("behind the church.")
    assert any(
        "Subject" in one.quote.text for one in excerpts("What is the subject of the mail on the crane of the harbour?", text)
    )


def test_a_heading_that_asks_why_it_could_happen_is_no_reason_for_something_else() -> None:
    text = "## Why could it happen\n\n- The hook was tested on land, not at the crane.\n\n## Sailing\n\nThe ferry did not sail to Holm on 20 May as the pier was shut."
    assert best("Why did the sailing of the ferry on the 20th of May not happen?", text).startswith("The ferry did not sail")


def test_a_reason_of_which_it_is_said_for_what_is_none_for_something_else() -> None:
    text = "The hooks of the crane are mixed. This is the reason why in May all twelve winches had to be sent back.\n\nThe load of the crane was raised because the old rope is gone."
    assert best("What was the reason for raising the load of the crane for the mayor?", text).startswith(
        "The load of the crane was raised"
    )
    asked = weigh(Question("Why is the rope of the crane red?"))
    assert gives_reason_for_another("That is why the winch came back.", asked)
    assert not gives_reason_for_another("That is why it was done.", asked)
    assert not gives_reason_for_another("This is why the rope is red.", asked)
    assert not gives_reason_for_another("Because of the winch.", asked)


def test_that_a_thing_stays_as_it_is_gives_no_reason() -> None:
    text = "The pump is tested on Mondays. Otherwise the plan of the office stays as it is.\n\nThe mooring test was moved away from Mondays. Reason: on Mondays the ferry takes on oil."
    assert best("Why was the mooring test moved away from Mondays?", text).startswith("Reason: on Mondays")


def test_a_reason_by_its_label_is_one_for_what_its_paragraph_says() -> None:
    text = "Mooring test. Accepted. From June it is on a Sunday. Reason: the ferry takes on oil.\n\nCrew. Accepted. Reason: nobody is there."
    assert best("Why was the mooring test put on a Sunday?", text) == "Reason: the ferry takes on oil."


def test_what_weighed_most_is_a_reason() -> None:
    assert says_what_decided("The main point was the weight of the barge.")
    assert not says_what_decided("The main pier is closed.")


def test_a_number_that_is_asked_for_by_name_leads() -> None:
    text = "The winch of the crane is new, its day is 4 May 2026.\n\nAt the crane the winch pulls with 28 kN.\n\nThe bell of the crane is loud."
    for question in ("whats the maximum pull of the winch of the crane", "how strong does the winch of the crane have to be"):
        assert "28 kN" in best(question, text)
    assert "28 kN" not in best("Who hears the bell of the crane?", text)


def test_what_a_word_means_does_not_lead_where_a_day_is_asked_for() -> None:
    glossary = LeafText("- **PSA** – the pier safety adviser, external.", ("Glossary",))
    units = (LogicUnit(kind="term", header="PSA", start=0, end=len(glossary.text)),)
    question = "When does the pier safety adviser come?"
    asked = Question(question, dict.fromkeys(terms(question), 3.0))
    plain, told = (
        ExtractiveReader().answer(asked, leaf).excerpts[0].worth for leaf in (glossary, replace(glossary, units=units))
    )
    assert told < plain
    meaning = Question("What is the pier safety adviser?", asked.weights)
    plain, told = (ExtractiveReader().answer(meaning, leaf).excerpts for leaf in (glossary, replace(glossary, units=units)))
    assert told == plain


def test_a_sum_leads_where_it_is_asked_what_it_comes_to() -> None:
    text = (
        "| Cost of the storm | EUR |\n|---|---|\n| New ropes, incl. freight | 1,980 |\n| **Total** | **2,915** |\n| Paint | 935 |"
    )
    assert "Total" in best("How much did the storm at the pier cost us altogether?", text)
    assert "New ropes" in best("How much did the new ropes at the pier cost us after the storm?", text)


def test_the_reasons_for_a_choice_stand_around_the_decision() -> None:
    text = "Ida wants quotes for the ropes from Holm and Linnet.\n\nThe ropes of the crane come from Holm, decided. A bit dearer, but Linnet needs 16 weeks for the ropes."
    question = "Why did we go for Holm for the ropes of the crane when Linnet was cheaper in the fleet?"
    assert best(question, text).startswith("A bit dearer")
    assert best(question.replace("Why did", "How did"), text).startswith("The ropes of the crane")
    assert without_concession(question) == "Why did we go for Holm for the ropes of the crane "
    assert says_decision("We stay with Holm.") and says_decision("DECIDED: Holm.")
    assert asks_of_rejected("Why was Linnet not chosen?") and not asks_of_rejected("Why did the move not happen?")
    assert not says_decision("To be decided.") and not says_decision("Holm is a harbour.")


def test_the_verb_of_a_choice_need_not_stand_with_its_reason() -> None:
    leaf = LeafText("Linnet needs 16 weeks for a rope.\n\nBoats pay by length.", ("Minutes",))
    verdicts = []
    for question in ("Why are we leaving Linnet?", "Why are we thanking the long Linnet?", "Why did Linnet leave the harbour?"):
        asked = Question(question, dict.fromkeys(terms(question), 3.0))
        verdicts.append(ExtractiveReader().answer(asked, leaf).verdict)
    assert verdicts == ["partial", "none", "none"]


def test_a_title_in_notes_without_markup_says_what_its_lines_are_about() -> None:
    text = "1) Tug\nThe yard has oil. Bo asks. On watch from Monday.\n\n2) Ferry\nThe yard has a plan. Bo asks. On watch from Sunday."
    assert best("Since when is Ada on watch for the ferry?", text) == "On watch from Sunday."
    assert best("Since when is Ada on watch for the tug?", text) == "On watch from Monday."
