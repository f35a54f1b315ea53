"""Questions that readers of documentation put: what follows, what is the default, what is the difference, what is it."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following

FERRY = """# Ferry bookings

A quay is a place where ferries berth. We have a home quay which is what visitors see first. The home quay is currently Alder Point on the north shore.

## Holding

The hold is how a seat is kept while somebody pays.

If payment fails, the seat is released and the order is marked `LAPSED`. A seat is paid by card or in cash.

The hold lasts a while. The default hold time is 12 minutes. Use `--hold-time=20` to make the hold time 20 minutes.

## Vehicles

The following vehicles have a fixed fare:

* cars
* vans

The following vehicles do not have a fixed fare:

* coaches
* trailers

You can move a car or a van on any deck. A car is driven by its owner. Unlike a car, a van is weighed at the gate.

To weigh a van, stop on the plate:

    plate read --lane 2
"""
CREW = """Crew handbook
=============

Epic Voyage
   A long trip, as it is called on the Epic Link.
Skipper
   Voyages are planned by skippers, one for each quay.

When a trip has been logged on all decks, give its card the stamp `logged-done`. First, give the card the stamp `logged-a`, then log the trip.
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    following = Following(tmp_path_factory.mktemp("built"))
    following.write("ferry.md", FERRY)
    following.write("crew.rst", CREW)
    for number in range(9):
        following.write(f"notes/{number}.md", f"# Note {number}\n\nThe hall was swept on day {number} and paid in cash.\n")
    following.sync()
    return following.closed()


@pytest.fixture
def docs(built, tmp_path):
    following = built.copied(tmp_path)
    yield following
    following.workspace.close()


def test_what_follows_from_a_condition_is_told(docs) -> None:
    answer = docs.ask("What happens if payment fails?")
    assert answer.text.startswith("If payment fails, the seat is released") and answer.verdict == "complete"


def test_a_default_is_told_before_what_can_be_set(docs) -> None:
    text = docs.ask("What is the default hold time?").text
    assert text.index("12 minutes") < 150


def test_what_is_not_so_is_told_where_that_is_asked(docs) -> None:
    text = docs.ask("Which vehicles do not have a fixed fare?").text
    assert "coaches" in text and ("cars" not in text or text.index("coaches") < text.index("cars"))


def test_a_difference_is_told_before_what_only_names_both(docs) -> None:
    text = docs.ask("What is the difference between a car and a van?").text
    assert text.index("weighed at the gate") < 200


def test_the_way_to_do_something_is_the_sentence_that_begins_with_it(docs) -> None:
    assert "To weigh a van, stop on the plate" in docs.ask("How do I weigh a van?").text[:120]


def test_a_sentence_that_only_has_the_words_is_no_definition(docs) -> None:
    answer = docs.ask("What is the home quay?")
    assert answer.text.startswith("The home quay is currently Alder Point")


def test_a_term_is_not_read_into_its_definition(docs) -> None:
    answer = docs.ask("Who creates voyages?")
    assert answer.verdict != "complete"
    assert "Epic Voyage A long" not in answer.text


def test_of_two_sentences_with_the_same_words_the_one_said_as_asked_leads(docs) -> None:
    answer = docs.ask("What stamp does a card get when a trip has been logged?")
    assert answer.text.index("logged-done") < 150


def test_two_things_of_which_nothing_is_stated_in_common_are_not_put_side_by_side(docs) -> None:
    docs.write("a.md", "# Glossary\n\n| Name | Owner |\n|---|---|\n| Beacon | Ina Roth |\n")
    docs.write("b.md", "# Parts\n\n| Part | Colour |\n|---|---|\n| Buoy | red |\n")
    docs.sync()
    assert "side by side" not in docs.ask("What is the difference between Beacon and Buoy?").text


def test_a_word_that_says_in_which_state_or_of_which_sort_is_not_passed_over(tmp_path) -> None:
    docs = Following(tmp_path)
    docs.write("lights.md", "# Lights\n\nOne lantern broke on Tuesday. The keeper changed the order form of the lantern.\n")
    docs.write("orders.md", "# Orders\n\nCrew should ask for lanterns by putting an order form on the board.\n")
    docs.sync()
    assert docs.ask("How many lanterns are in use?").verdict != "complete"
    assert docs.ask("What form type do lantern orders have on the board?").verdict != "complete"
    docs.write("stock.md", "# Stock\n\nEleven lanterns are in use, two are spare.\n")
    docs.sync()
    assert "Eleven" in docs.ask("How many lanterns are in use?").text
    docs.workspace.close()


def test_how_often_wants_a_rhythm_and_not_any_length_of_time(docs: Following) -> None:
    docs.write(
        "rhythm.md",
        "# Log book\n\nThe log book of the tender is copied every three days.\n\nThe log book of the tender is kept for 30 days.\n",
    )
    docs.sync()
    answer = docs.ask("How often is the log book of the tender copied?")
    assert answer.verdict == "complete" and "every three days" in answer.text and "30 days" not in answer.text.split("\n")[0]


def test_which_months_wants_months_and_not_a_number_of_them(docs: Following) -> None:
    docs.write(
        "dock.md",
        "# Dry dock\n\nThe tender is in dry dock in March and October.\n\nA tender that is late is put into dry dock within 6 months.\n",
    )
    docs.sync()
    told = docs.ask("In which months is the tender in dry dock?").text
    assert "March and October" in told and "6 months" not in told.split("March")[0]


def test_what_holds_for_some_is_not_told_of_all(docs: Following) -> None:
    docs.write("notice.md", "# Notice period\n\nCertain berths may be given up with a notice period of 3 weeks.\n")
    docs.sync()
    answer = docs.ask("How long is the notice period of a berth?")
    assert answer.verdict != "complete" and "3 weeks" in answer.text
    assert docs.ask("How long is the notice period of certain berths?").verdict == "complete"


def test_of_several_names_that_fit_none_is_called_the_answer(docs: Following) -> None:
    docs.write(
        "flags.md",
        "# Flags\n\nTo let the harbour office land a crate with fragile goods, add the flag `fragile`.\n\n"
        "To let the harbour office weigh a crate first, add the flag `weigh`.\n",
    )
    docs.sync()
    answer = docs.ask("Which flag do I add so that the harbour office lands my crate?")
    assert answer.verdict != "complete" and "`fragile`" in answer.text and "`weigh`" in answer.text


def test_steps_for_something_else_below_the_same_title_do_not_answer(docs: Following) -> None:
    docs.write(
        "camera.md",
        "# Quay camera\n\n## Managing access\n\n### Quay camera\n\nTo add keepers or see who they are:\n\n1. Open the box.\n2. Turn the key.\n3. Press `keepers`.\n",
    )
    docs.sync()
    assert docs.ask("How do I get access to the quay camera?").verdict != "complete"


def test_all_sentences_of_an_item_are_shown_together(docs: Following) -> None:
    docs.write(
        "tiers.md",
        "# Boat tiers\n\n- Tier 3 - If it can be done, the hull is looked at each night.\n  Does not keep a boat from sailing.\n- Tier 4 - Never looked at.\n",
    )
    docs.sync()
    told = docs.ask("Does a Tier 3 hull keep a boat from sailing?").text
    assert "Does not keep a boat from sailing" in told
    answer = docs.ask("What does Tier 3 mean?")
    assert answer.verdict == "complete" and answer.text.startswith("Tier 3")


def test_a_verb_of_two_words_is_found_by_the_one_that_says_the_same(docs: Following) -> None:
    docs.write(
        "siren.md",
        "# Siren\n\n## Off\n\nThe siren of the pier is disabled with the red key.\n\n## Care\n\nThe siren of the pier is washed in spring; turn the hose on low.\n",
    )
    docs.sync()
    told = docs.ask("How do I turn off the siren of the pier?").text
    assert "red key" in told.split("\n\n")[1]


def test_somebody_is_no_word_to_look_for(docs: Following) -> None:
    docs.write("leaving.md", "# Leaving\n\nThis page is a list of things to do when a deckhand leaves the crew.\n")
    docs.sync()
    assert "deckhand leaves the crew" in docs.ask("What do I do when somebody leaves the crew?").text


def test_what_a_document_says_of_itself_answers_nothing_about_its_subject(docs: Following) -> None:
    front = "---\ntitle: Stowing\nsection: 7\ndescription: How crates are stowed, and why\n---\n\nCrates are stowed by hand.\n"
    docs.write("stowing.md", front)
    docs.write("leaving.md", "# Signing off\n\nThis page is a checklist of what to do when a stoker leaves the ship.\n")
    docs.sync()
    assert docs.ask("How many crates are stowed?").verdict != "complete"
    assert docs.ask("What happens when a stoker leaves the ship?").verdict != "complete"
    docs.write(
        "leaving.md", "# Signing off\n\nWhen a stoker leaves the ship, the bunk is scrubbed and the key goes to the purser.\n"
    )
    docs.sync()
    answer = docs.ask("What happens when a stoker leaves the ship?")
    assert answer.verdict == "complete" and "purser" in answer.text


NPM = """# Scripts

## pull boat

* first rope

## pull cart

* first wheel
* then axle

## Tier 1

**Tier 1**: These boats are most of all that sail here.
"""


def test_several_sections_of_a_document_are_not_one_answer(docs) -> None:
    docs.write("scripts.md", NPM)
    docs.sync()
    assert docs.ask("Which scripts run on pull install?").verdict != "complete"
    assert docs.ask("Which boats are tier 1?").verdict != "complete"  # that says what it means, and names none


def test_what_something_is_for_is_no_reason_for_that(docs: Following) -> None:
    docs.write("hull.md", "# Hull\n\nThe yard paints each hull twice so that hulls stay dry for years.\n")
    docs.sync()
    assert docs.ask("Why do hulls stay dry?").verdict != "complete"
    answer = docs.ask("Why does the yard paint each hull twice?")
    assert answer.verdict == "complete" and "stay dry" in answer.text


def test_what_something_is_called_must_be_said(docs: Following) -> None:
    docs.write("buoy.md", "# Buoys\n\nThe chain of a buoy must depend on the weight of the buoy, at least 40 kilos.\n")
    docs.sync()
    assert docs.ask("What must the chain of a buoy be called?").verdict != "complete"


def test_other_documents_are_read_before_a_log_of_changes(docs: Following) -> None:
    for number in range(8):
        docs.write(
            f"log/{number}.md",
            f"# Changelog 1.{number}\n\n- The windlass brake holds, windlass brake oiled.\n- Windlass brake lever: better windlass.\n",
        )
    docs.write(
        "windlass.md",
        "# Deck\n\nBefore work starts, somebody turns the wheel by hand.\n\nThe windlass is held by a brake that closes with a spring.\n",
    )
    docs.sync()
    answer = docs.ask("How is the windlass held by its brake?")
    assert "closes with a spring" in answer.text[:250]
    assert "Changelog" in docs.ask("What was fixed in the windlass brake in 1.3?").text


def test_a_page_is_found_by_other_words_for_the_same(docs: Following) -> None:
    docs.write("hold.md", "# Hold\n\nCargo directories are erased by the purser when a voyage is over.\n")
    docs.sync()
    assert "erased by the purser" in docs.ask("Which folders does the purser delete after a voyage?").text


def test_passages_of_a_page_that_says_little_stand_beside_those_of_one_that_says_more(docs: Following) -> None:
    docs.write("moor.md", "# Mooring\n\nA tug moors a barge at the north pier with two lines and a spring.\n")
    docs.write("rest.md", "# Resting\n\nBarges rest at the pier.\n")
    docs.sync()
    answer = docs.ask("How does a tug moor a barge at the north pier with lines?")
    assert "two lines and a spring" in answer.text.split("More passages")[0]


def test_a_table_of_several_things_on_a_page_is_stated_of_none_of_them(docs: Following) -> None:
    rows = "".join(f"| {pier} | 9/9 | 8/8 |\n" for pier in ("North", "South", "West"))
    docs.write(
        "winch.md", f"# Winches\n\n## Rope winch\n\nTried on these piers.\n\n| Pier | Lamp | Rope |\n|---|---|---|\n{rows}"
    )
    docs.write("rope.md", f"# Rope winch\n\nTried on these piers.\n\n| Pier | Lamp | Rope |\n|---|---|---|\n{rows}")
    docs.sync()
    answer = docs.ask("Which winch should I use for lamps?")
    assert answer.verdict != "complete" and answer.text.count("9/9, lamp") < 2


def test_what_follows_is_told_of_the_step_that_it_is_said_of_and_not_of_the_page(docs: Following) -> None:
    docs.write(
        "hoist.md",
        "# Hoist the barge\n\n1. Note the draught of the hull on the board. If this fails, go on; somebody will ask.\n"
        "2. Close the sluice. If the sluice jams, ring the yard.\n3. If the winch jams, see the page on winches.\n",
    )
    docs.sync()
    assert docs.ask("What happens when the hoist of the barge fails?").verdict != "complete"
    assert docs.ask("What happens if the winch jams?").verdict != "complete"  # the sentence only sends elsewhere
    assert docs.ask("What happens to a sluice that keeps jamming?").verdict != "complete"
    answer = docs.ask("What happens if the sluice jams?")
    assert answer.verdict == "complete" and "ring the yard" in answer.text


def test_what_is_said_of_another_case_answers_outright_neither_yes_nor_what_follows(docs: Following) -> None:
    docs.write(
        "bell.md",
        "# Harbour\n\nThe first time a bell is rung it wakes the keeper. A bell that waits for its rope but would otherwise be counted as mounted by the yard is kept in the shed.\n\n"
        "The watch hears of a lantern only if it is on duty, and from when the lantern is lit until the keeper comes to the pier.\n\nIf the lantern cannot be lit, a drum is beaten.\n",
    )
    docs.sync()
    assert docs.ask("Is a bell that waits for its rope counted as mounted?").verdict != "complete"
    assert docs.ask("What happens if the lantern is lit again?").verdict != "complete"
    assert docs.ask("What happens if the lantern is lit?").verdict != "complete"
    assert docs.ask("What happens if the lantern cannot be lit?").verdict == "complete"


def test_what_a_thing_is_for_is_not_told_as_its_default(docs: Following) -> None:
    docs.write(
        "winch.md",
        "# Winch\n\n## Slow and fast: both default\n\n- **Rope type**: For heavy loads, take steel. For light ones, take hemp.\n- **Speed**: One.\n",
    )
    docs.sync()
    assert docs.ask("What is the rope type?").verdict == "complete"
    assert docs.ask("What is the default rope type?").verdict != "complete"


def test_a_section_that_only_sends_elsewhere_is_no_answer(docs) -> None:
    docs.write("faq.md", "# Asked often\n\n## How can I book a mooring by telephone?\n\nSee [moorings](moorings.md).\n")
    docs.sync()
    answer = docs.ask("How do I book a mooring by telephone?")
    assert answer.verdict != "complete" and not answer.text.startswith("See")


def test_where_to_look_is_the_answer_to_where(docs) -> None:
    docs.write("faq.md", "# Asked often\n\n## Where is the mooring plan?\n\nSee the board at the gate.\n")
    docs.sync()
    answer = docs.ask("Where is the mooring plan?")
    assert answer.verdict == "complete" and answer.text.startswith("See the board at the gate")


@pytest.mark.parametrize(
    "text",
    [
        "# Signals\n\n## On leaving\n\n- `tender`: the tender which has just left\n- `reason`: why it left early\n",
        "# Console\n\n| Shortcut | Description |\n|---|---|\n| tender | the active tender |\n| port | the port in use |\n",
    ],
)
def test_a_parameter_described_by_its_own_name_is_no_definition(docs, text) -> None:
    docs.write("signals.md", text)
    docs.sync()
    assert docs.ask("What is a tender?").verdict != "complete"


def test_a_sentence_that_only_says_there_are_several_does_not_say_which(docs) -> None:
    docs.write("depots.md", "# Depots\n\nThe fare exports support multiple storage depots which are chosen by their URI.\n")
    docs.sync()
    assert docs.ask("Which storage depots do fare exports support?").verdict != "complete"


def test_several_things_are_told_where_they_are_named(docs) -> None:
    docs.write(
        "depots.md",
        "# Depots\n\nThe fare exports support several storage depots: the Alder shed, the north hall and the tower.\n",
    )
    docs.sync()
    answer = docs.ask("Which storage depots do fare exports support?")
    assert "north hall" in answer.text[:150]


@pytest.mark.parametrize(
    "praise", ["a good place to store lost things", "an easy way to find an owner", "the best choice for a wallet"]
)
def test_what_a_thing_is_good_for_is_not_what_it_is(docs, praise) -> None:
    docs.write("box.md", f"# Lost things\n\nThe finder box is {praise} until Monday.\n")
    docs.sync()
    answer = docs.ask("What is the finder box?")
    assert answer.verdict != "complete" and praise in answer.text


def test_sentences_that_each_send_elsewhere_are_no_answer(docs) -> None:
    docs.write(
        "faq.md", "# Questions\n\n## How do I book a cabin?\n\nSee the cabin chapter. Please refer to the v2.1 notes as well.\n"
    )
    docs.sync()
    assert docs.ask("How do I book a cabin?").verdict != "complete"


QUEUE = "## What is a berth queue?\n\nBerth queues are used to spread arriving ferries over the quays. A berth queue takes ferries {at} and pilots {how} watch it for the next one.\n"


@pytest.mark.parametrize(
    ("one", "other"),
    [("at 4 knots", "at 5 knots"), ("with a pilot", "without a pilot"), ("in turn", "not in turn"), ("for Ada", "for Bo")],
)
def test_copies_that_differ_in_a_word_are_two_statements(docs, one, other) -> None:
    docs.write("one.md", "# One\n\n" + QUEUE.format(at=one, how="always"))
    docs.write("two/one.md", "# One\n\n" + QUEUE.format(at=other, how="always"))
    docs.sync()
    assert "differ" in docs.ask("What is a berth queue?").text


def test_what_a_log_of_changes_says_of_a_thing_does_not_say_that_it_can_be_used(docs) -> None:
    docs.write(
        "changes.md",
        "# Change history\n\n## 3.0.17\n\n- **Harbours**: Fixed a problem with the berth picker\n- **Cranes**: Mended\n",
    )
    docs.sync()
    assert docs.ask("Can I use the ferry with Harbours?").verdict != "complete"


def test_a_way_to_do_something_else_with_another_thing_is_not_the_way(docs) -> None:
    docs.write(
        "runs.md",
        "# Tours\n\nTo run a convoy daily, use the `tour --convoy` command.\n\nTo run a rescue at night, use `tour --now`.\n",
    )
    docs.sync()
    assert docs.ask("How do I run daily tours?").verdict != "complete"


def test_a_page_of_changes_still_says_who_owns_it(docs) -> None:
    docs.write("changes.md", "# Changes to the holding time\n\nOwner: Ada Quill\n\nThe holding time was made longer.\n")
    docs.sync()
    answer = docs.ask("Who is the owner of Changes to the holding time?")
    assert "Ada Quill" in answer.text[:60] and answer.verdict == "complete"


FILLER = (
    "The {name} was swept on day {number}, and the {name} was dry. Whoever came by the {name} that day looked at the {name}.\n"
)


def test_a_definition_is_read_among_many_leaves_that_only_say_the_name(docs):
    for number in range(70):
        docs.write(f"log/{number}.md", f"# Day {number}\n\n" + 3 * FILLER.format(name="coaming", number=number))
    docs.write("parts.md", "# Parts of a ship\n\n## Coaming\n\nA coaming is a raised border that keeps water out of a hatch.\n")
    docs.sync()
    answer = docs.ask("What is a coaming?")
    assert answer.verdict == "complete" and answer.text.startswith("A coaming is a raised border")


def test_a_way_is_read_among_many_leaves_that_have_its_words_apart(docs):
    for number in range(200):
        docs.write(
            f"log/{number}.md",
            f"# Day {number}\n\nThe crew did start late. A winch was idle. They start to sing, and the winch sings.\n",
        )
    docs.write(
        "winch.md",
        "# Winches\n\n" + 4 * FILLER.format(name="winch", number=1) + "\n## Starting the winch\n\nPull the lever down.\n",
    )
    docs.sync()
    assert "Pull the lever down." in docs.ask("How do I start the winch?").text


def test_what_is_said_of_all_things_of_a_kind_names_none(docs):
    docs.write("docks.md", "# Docks\n\nEvery supported dock has fenders except `NorthDock` and `SouthDock`.\n")
    docs.write("more.md", "# Rules\n\nSee fenders (supported by every dock except `NorthDock`, which has planks).\n")
    docs.sync()
    assert docs.ask("Which docks are supported?").verdict != "complete"


def test_what_something_has_is_no_way_to_use_it(docs):
    docs.write(
        "tower.md",
        "# Tower\n\nThe tower works with Beacon. The integration provides:\n\n1. Lamps by the shore.\n2. Horns in fog.\n3. A watch at night.\n",
    )
    docs.sync()
    assert docs.ask("How do I use the tower with Beacon?").verdict != "complete"


def test_a_way_on_the_page_of_one_product_is_not_the_way_for_all(docs):
    docs.write(
        "kestrel.md",
        "# Kestrel\n\nIt runs under the Kestrel panel.\n\nTo run the pump, use the `kestrel pump` command:\n\n```\nkestrel pump\n```\n",
    )
    docs.sync()
    assert docs.ask("How do I run the pump?").verdict == "partial"
    assert docs.ask("How do I run the pump with Kestrel?").verdict == "complete"


def test_that_there_is_a_mode_called_so_does_not_say_what_it_does(docs):
    docs.write(
        "mode.md",
        "# Modes\n\n## Harbour mode\n\nThe ship has a special mode called harbour mode, which is very useful. In harbour mode the horn is silent.\n",
    )
    docs.sync()
    answer = docs.ask("What does harbour mode do?")
    assert answer.verdict == "complete" and "the horn is silent" in answer.text


def test_a_list_of_what_something_is_defines_it(docs):
    docs.write("tern.md", "# Tern\n\nTern is:\n\n* a timetable\n* kept by hand\n")
    docs.sync()
    answer = docs.ask("What is Tern?")
    assert answer.verdict == "complete" and "a timetable" in answer.text


def test_what_is_said_of_two_things_defines_neither(docs):
    docs.write("bells.md", "# Bells\n\nBells and whistles are the signals of a ship.\n")
    docs.sync()
    assert docs.ask("What is a bell whistle?").verdict != "complete"


BERTHS = """# Berths

## Settings

| Berth | Depth |
| --- | --- |
| north | 4 |
| south | 6 |

### `hold_depth`

**Command line:** `--hold-depth`

**Default:** `4`

The depth below which a berth is not given away.

## How many berths?

Book one berth for every two ships.

## Lamps

You can now disable the lamps with `--no-lamps`.

Enable the lamps by setting `--lamps`.

## Kinds of quay

Please refer to the chart of quays.

There are stone quays and floating quays.
"""


@pytest.fixture
def berths(docs):
    docs.write("berths.md", BERTHS)
    docs.sync()
    return docs


def test_how_many_should_be_taken_is_no_count_of_rows(berths):
    text = berths.ask("How many berths should I book?").text
    assert "one berth for every two ships" in text and "tables" not in text


def test_what_a_thing_is_is_not_told_by_a_column_that_is_called_so(berths):
    answer = berths.ask("What is a north berth?")
    assert answer.verdict != "complete" and "tables" not in answer.text


def test_what_a_setting_does_stands_below_its_fields(berths):
    answer = berths.ask("What does hold_depth do?")
    assert answer.verdict == "complete" and answer.text.startswith("The depth below which a berth is not given away.")


def test_how_to_undo_it_does_not_lead_an_answer_on_how_to_do_it(berths):
    text = berths.ask("How do I enable the lamps?").text
    assert "--lamps" in text and ("disable" not in text or text.index("Enable the lamps") < text.index("disable"))


def test_what_only_sends_elsewhere_does_not_lead(berths):
    text = berths.ask("Which kinds of quay are there?").text
    assert "floating quays" in text.split("\n\n")[1 if text.startswith("Passages") else 0]


def test_what_only_says_that_a_switch_switches_does_not_say_what_it_does(docs):
    docs.write(
        "flags.md",
        "# Flags\n\n## All\n\n* `night_lamps`: If `True`, night lamps will be enabled.\n* `fog_horn`: sounds every minute.\n",
    )
    docs.sync()
    assert docs.ask("What does night_lamps do?").verdict != "complete"


def test_that_something_is_recommended_or_a_little_odd_does_not_say_what_it_is(docs):
    docs.write("odd.md", "# Gangways\n\nGangways are a little steep. Gangways are the recommended way to board.\n")
    docs.sync()
    assert docs.ask("What is a gangway?").verdict != "complete"


def test_a_log_of_changes_does_not_lead_a_way_even_below_its_heading(docs):
    docs.write(
        "news.md",
        "# What's new in Ferry 2.3\n\n## Ticket printer\n\nThe ticket printer now works with paper of any width and starts by itself.\n",
    )
    docs.write("printer.md", "# Hardware\n\nPress the round button and the ticket printer starts to print tickets of the day.\n")
    docs.sync()
    text = docs.ask("How do I start the ticket printer?").text
    assert "round button" in text and ("any width" not in text or text.index("round button") < text.index("any width"))


def test_which_version_is_needed_is_read_and_leads_over_an_older_log_of_changes(docs):
    for number in range(12):
        docs.write(f"rig/{number}.md", f"# Rig {number}\n\nThe version of rig {number} is needed at sea.\n")
    docs.write("news.md", "# Changelog 2021\n\n- the minimum version needed is Falcon 3.5\n")
    docs.write("install.md", "# Installation\n\nThe crane requires **Falcon 3.12 or newer**. Ask the mate.\n")
    docs.sync()
    answer = docs.ask("What Falcon version is needed?")
    assert "Falcon 3.12 or newer" in answer.text.split("\n\n")[1]


def test_since_when_there_is_something_is_not_what_it_is_for(docs):
    docs.write(
        "crane.md",
        "# Cranes\n\nA spare crane is a new feature introduced in release 25. A spare crane lifts when the first is broken.\n",
    )
    docs.sync()
    assert docs.ask("What are spare cranes for?").verdict != "complete"


def test_what_is_said_of_two_things_respectively_is_no_place_of_one(docs):
    docs.write(
        "keys.md",
        "# Keys\n\nThe seal is stored in the key file or in the ship config (in file mode and ship mode respectively).\n",
    )
    docs.sync()
    assert docs.ask("Where is the seal stored in file mode?").verdict != "complete"


def test_one_sentence_does_not_give_the_reasons(docs):
    docs.write("move.md", "# Moving\n\nWe move all ships from dock 1 to dock 2, so that the mail can be sent again.\n")
    docs.sync()
    assert docs.ask("What are the reasons to move ships from dock 1 to dock 2?").verdict != "complete"


def test_the_steps_of_one_way_are_not_told_as_the_way(docs):
    docs.write(
        "votes.md",
        "# Votes\n\n## Close a vote\n\nPress the button.\n\n### Using the lever\n\nOnly to try it out:\n\n1. Pull the lever.\n2. Count the balls.\n3. Note the number.\n",
    )
    docs.sync()
    assert docs.ask("How do I close a vote?").verdict != "complete"
    told = docs.ask("How do I close a vote using the lever?").text
    assert told.startswith("Only to try it out: [1]\n\n1. Pull the lever."), told


def test_what_is_said_of_a_name_of_code_is_shown_however_it_is_asked(docs):
    docs.write(
        "settings.md", "# Settings\n\n## hold_externals\n\nHas the same meaning as `allow_externals`, but it is deprecated.\n"
    )
    docs.sync()
    answer = docs.ask("Is hold_externals still okay to rely upon?")
    assert answer.verdict == "partial" and "deprecated" in answer.text
    assert docs.ask("Is hold_internals still okay to rely upon?").verdict == "none"


def test_how_something_is_set_up_or_who_uses_it_is_not_what_it_is(docs):
    docs.write(
        "mast.md",
        "# Rig\n\nA mast sensor is generally configured with the height of a mast.\n\nA deck lamp is used around the world by many ports, including:\n\n- Holm\n- Skarv\n",
    )
    docs.sync()
    assert docs.ask("What is a mast sensor?").verdict != "complete"
    assert docs.ask("What is a deck lamp?").verdict != "complete"


def test_one_of_several_places_to_look_is_no_answer(docs):
    docs.write(
        "help.md", "# Help with the crane\n\n- Help with the crane is given on the wharf channel.\n- The forum answers too.\n"
    )
    docs.write(
        "wire.md", "# Crane and winch\n\nThe link to the crane is based on a wire, which runs over the winch to the hold.\n"
    )
    docs.sync()
    assert docs.ask("Where can I get help with the crane?").verdict != "complete"
    assert docs.ask("Where do I look if the crane cannot link to the winch?").verdict != "complete"


LONG = "The crane was built in the yard of Holm and was brought here by the men who had made the ramp and the gate, who stayed for a year. "


def test_the_beginning_of_a_section_on_a_difference_that_names_none_is_no_answer(docs):
    docs.write(
        "crane.md",
        f"# Questions\n\n## What is the difference between the crane of Holm and the winch?\n\n{4 * LONG}\n\nUnlike it, the winch turns.\n",
    )
    docs.sync()
    answer = docs.ask("What is the difference between the winch and the crane of Holm?")
    assert answer.verdict != "complete"


def test_a_section_is_told_in_whole_sentences(docs):
    docs.write("crane.md", f"# Questions\n\n## Who built the crane?\n\n{4 * LONG}\n")
    docs.sync()
    answer = docs.ask("Who built the crane?")
    assert answer.text.startswith("The crane was built") and answer.text.rpartition(" [")[0].endswith("for a year.")


def test_a_section_that_begins_with_where_it_goes_on_is_not_told(docs):
    docs.write(
        "index.md",
        "# Wharf\n\n## What is the wharf?\n\nSee [../README.md](../README.md)\n\nThese pages are on the news of the wharf and the like.\n",
    )
    docs.write(
        "about.md", "# About\n\nThe wharf is a place of wood where ferries are tied up, with these parts:\n\n- a ramp\n- a gate\n"
    )
    docs.sync()
    assert docs.ask("What is the wharf?").text.startswith("The wharf is a place of wood")


def test_what_was_so_before_a_release_says_nothing_of_now(docs):
    docs.write("hold.md", "# Holds\n\nBefore Quay 7, the seats were kept as marks on the hold.\n")
    docs.sync()
    assert docs.ask("Can seats be kept as marks on the hold?").verdict != "complete"


@pytest.mark.parametrize(
    "question", ["whats the default hold time pls", "hi, can you tell me what the default hold time is? thx"]
)
def test_a_question_typed_in_a_chat_is_answered_as_in_a_sentence(docs, question) -> None:
    answer = docs.ask(question)
    assert "12 minutes" in answer.text and answer.question == question


def test_what_is_done_is_not_the_thing_that_is_called_by_it(docs) -> None:
    docs.write("gate.md", "# Gate\n\nSet it to closed in the file `gate.ini`, then book a seat in the office.\n")
    docs.sync()
    assert docs.ask("In which file are the settings?").verdict != "complete"
    assert docs.ask("Where are the bookings?").verdict != "complete"


def test_a_paragraph_is_of_the_subject_in_bold_that_opens_it_and_hours_are_told_by_their_form(docs: Following) -> None:
    docs.write(
        "sheds.md",
        "# Our sheds\n\n**Alder shed** is at the end of Rope Lane. It has two doors and one crane. Open Monday to Friday, 08:00 to 16:30. Piet Malk runs it.\n\n"
        "**Birch shed** is the old ice house. It has a cold room. Open Monday to Saturday, 07:00 to 15:00. Shona Dunn runs it.\n",
    )
    docs.write(
        "minutes.md",
        "# Meeting, 4 May 2026\n\nBirch shed: Shona would rather have fewer hours. Trucks need a weekday for Alder shed.\n",
    )
    docs.sync()
    assert (
        "08:00 to 16:30" in docs.ask("Opening hours of Alder shed on weekdays?").text.split("More passages")[0].split("\n\n")[1]
    )
    assert (
        "07:00 to 15:00" in docs.ask("Opening hours of Birch shed on weekdays?").text.split("More passages")[0].split("\n\n")[1]
    )
    answer = docs.ask("who runs Birch shed")
    assert answer.verdict != "complete" and "Shona Dunn" in answer.text.split("\n\n")[1]  # "it" may be the cold room
