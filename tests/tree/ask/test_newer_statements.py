"""What was said last of a thing leads, whether a table, a ticket's comment or a sentence says it; the older is told as until when."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered
from tree.accounts.principal import OPERATOR
from tree.ask.ask import Earlier, ask
from tree.ask.snapshot.answer import Answer


def test_a_comment_that_moves_a_date_leads_over_the_plan_that_gave_it(docs: Following) -> None:
    docs.write("plan.md", "# Plan of July 2026\n\nAutumn. Siren test on the north pier on Thursday 8 October.\n")
    docs.write(
        "siren.md",
        "# Siren test\n\nTold to the neighbours first.\n\n## Comments\n\n### Kit Marlo, 2026-08-03 14:06\n\n"
        "The fair is on the pier on 8 October. We move to Thursday 15 October, which is a school day.\n",
    )
    answer = answered(docs, "When is the siren test?")
    assert answer.verdict == "complete" and "15 October" in answer.text.split("Until")[0]
    assert "Until 3 August 2026: " in answer.text and "8 October" in answer.text.split("Until")[1]


def test_of_two_comments_the_newer_leads(docs: Following) -> None:
    docs.write(
        "keys.md",
        "# Keys of the boathouse\n\n## Comments\n\n### Ana Sol, 2026-03-01 10:00\n\nBen Marsh keeps the boathouse keys.\n\n"
        "### Ana Sol, 2026-05-02 10:00\n\nSince today Zoe Tarn keeps the boathouse keys.\n",
    )
    answer = answered(docs, "Who keeps the boathouse keys?")
    assert "Zoe Tarn" in answer.text.split("\n")[0] and "Ben Marsh" not in answer.text.split("\n")[0]


def test_a_table_does_not_lead_over_newer_minutes_that_say_otherwise(docs: Following) -> None:
    docs.write("fleet.md", "# Fleet of 10 January 2026\n\n| Boat | Seats |\n|---|---|\n| Plover | 40 |\n| Dunlin | 60 |\n")
    docs.write("minutes.md", "# Minutes of 4 May 2026\n\nThe Plover has 48 seats since the yard put in a bench.\n")
    answer = answered(docs, "How many seats does the Plover have?")
    assert answer.verdict == "complete" and "48 seats" in answer.text.split("Until")[0]
    assert "Until 4 May 2026: **40**" in answer.text
    docs.write("minutes.md", "# Minutes of 4 May 2026\n\nThe Plover has 40 seats, as ever.\n")
    assert answered(docs, "How many seats does the Plover have?").text.startswith("**40**")


def test_what_was_so_during_a_pilot_is_no_answer_for_now(docs: Following) -> None:
    docs.write("pilot.md", "# Lamps\n\nDuring the pilot each lamp was cleaned every 15 minutes, which nobody liked.\n")
    assert answered(docs, "How often is each lamp cleaned?").verdict != "complete"
    assert answered(docs, "How often was each lamp cleaned?").verdict == "complete"


def test_a_budget_without_its_currency_is_a_budget_and_the_last_one_set_leads(docs: Following) -> None:
    docs.write("kick-off.md", "# Kick-off, 5 February 2026\n\n- **Budget**: the board approved EUR 1,840,000 in winter.\n")
    docs.write("steering.md", "# Steering group, 16 July 2026\n\n**Decision: budget set to 2,010,000.** The rest went back.\n")
    asked = (
        "What is the budget?",
        "What is the budget of the programme now?",
        "Wie hoch ist das Budget?",
        "budget",
        "Our budget?",
        "Was ist das Budget?",
    )
    for question in asked:
        answer = answered(docs, question)
        assert answer.verdict == "complete" and "2,010,000." in answer.text.split("Until")[0], question
        assert "…" not in answer.text, "a sentence in bold ends with its full stop"
        if answer.trail[-1].kind == "register":  # the trail names the passage that leads
            assert answer.trail[-1].place == answer.citations[0].place, question


def test_the_thing_that_a_label_is_stated_of_has_to_be_said(docs: Following) -> None:
    docs.write(
        "fog.md",
        "# Incident: fog on 27 June 2026\n\n## Impact\n\n- Nobody was hurt.\n- Cost: EUR 3,480, of which 640 for overtime.\n",
    )
    docs.write("fire.md", "# Incident: fire at the mill\n\nIt was out by noon.\n\n**Cost.** EUR 9,742.\n")
    answer = answered(docs, "What did the incident cost?")
    assert answer.verdict == "complete" and answer.text.startswith("**2** documents state a cost")
    assert 0 < answer.text.index("3,480") < answer.text.index("9,742")  # the newest first
    answer = answered(docs, "What did it at the mill in June cost?")
    assert answer.verdict != "complete"
    answer = answered(docs, "What did the incident at the mill cost?")
    assert answer.verdict == "complete" and "9,742" in answer.text and "3,480" not in answer.text


def test_a_follow_up_is_answered_only_with_what_it_leans_on(docs: Following) -> None:
    docs.write("bells.md", "# Bells\n\nThe bronze bell cracked in the frost, because nobody had covered it.\n")
    docs.write("lamps.md", "# Lamps\n\nReplaced on 4 May 2026.\n")
    docs.sync()
    first = answered(docs, "Why did the bronze bell crack?")
    chat = [Earlier("Why did the bronze bell crack?", tuple(one.place for one in first.citations), first.text)]
    *_, answer = ask(docs.workspace, "When was it replaced?", earlier=chat, principal=OPERATOR)
    assert isinstance(answer, Answer) and answer.verdict != "complete"
    assert answered(docs, "When were the lamps replaced?").verdict == "complete"


def test_facts_are_asked_for_in_german_and_french_and_by_other_words(docs: Following) -> None:
    docs.write(
        "teams.md",
        "# Teams\n\n## Team Quay\n\nLead: Solveig Aden. Engineer: Tomas Wren.\n\n| Component | Owner |\n|---|---|\n| Ledger | Team Quay |\n",
    )
    for question in ("Wer leitet Team Quay?", "Qui dirige Team Quay ?"):
        assert answered(docs, question).text.startswith("**Solveig Aden**"), question
    for question in ("Wem gehört Ledger?", "who looks after Ledger"):
        assert "**Team Quay**" in answered(docs, question).text, question


def test_what_is_nowhere_together_is_not_found(docs: Following) -> None:
    docs.write("people.md", "# People\n\nNadia is on parental leave until autumn. Kit stands in for her.\n")
    docs.write(
        "badges.md", "# Policy for badges\n\nWhoever will leave the company hands in the badge. The policy holds for all.\n"
    )
    assert answered(docs, "What is our parental leave policy?").verdict == "none"
    assert answered(docs, "What is the policy for badges?").verdict != "none"


def test_a_first_name_is_somebody_and_the_beginning_of_a_sentence_is_not(docs: Following) -> None:
    docs.write("rota.md", "# Kick-off, 5 February 2026\n\nThe tide rota is owned by Yusuf Lind, from the first day.\n")
    docs.write("leads.md", "# Leads, 7 May 2026\n\nFor two weeks now Carla owns the tide rota, no longer Yusuf.\n")
    answer = answered(docs, "Who owns the tide rota?")
    assert "Carla owns" in answer.text.split("Until")[0] and "Until 7 May 2026: " in answer.text
    docs.write("charter.md", "# Charter\n\nAt Council meetings the support for the tide charter grows.\n")
    assert answered(docs, "Who has to support the tide charter?").verdict != "complete"


def test_a_short_question_that_points_at_nothing_is_answered_by_itself(docs: Following) -> None:
    docs.write("terms.md", "# Terms\n\nA bollard is a post for ropes.\n\nA gangway is a way on board.\n")
    docs.sync()
    chat = [Earlier("What is a bollard?", (), "A post for ropes.")]
    *_, answer = ask(docs.workspace, "What is a gangway?", earlier=chat, principal=OPERATOR)
    assert isinstance(answer, Answer) and answer.verdict == "complete"


def test_a_month_as_a_whole_is_not_answered_with_some_days_of_it(docs: Following) -> None:
    docs.write("sales.md", "# Sales of 2026\n\nThere were 68,900 bookings from 22 June to 12 July on all routes.\n")
    assert answered(docs, "How many bookings were there in July?").verdict != "complete"
    docs.write("sales.md", "# Sales of 2026\n\nThere were 112,700 bookings in July on all routes.\n")
    assert answered(docs, "How many bookings were there in July?").verdict == "complete"


def test_who_may_do_something_is_not_answered_with_a_name_beside_it(docs: Following) -> None:
    docs.write("logs.md", "# Logs\n\nSee Audit Logs of Fenwick Harbour for how to view audit logs.\n")
    assert answered(docs, "Who can view audit logs?").verdict != "complete"


def test_yesterday_is_told_as_the_day_it_was_when_somebody_wrote_it(docs: Following) -> None:
    docs.write(
        "lamps.md",
        "# Oil lamps of the pier\n\nTwelve of them, brass.\n\n## Comments\n\n### Ana Sol, 2026-03-01 10:00\n\n"
        "Taken down. The pier has electric lamps since yesterday.\n",
    )
    answer = answered(docs, "When did the pier switch to electric lamps?")
    assert "**28 February 2026** (“yesterday”): Ana Sol wrote on 2026-03-01" in answer.text
    assert "28 February" not in answered(docs, "Why did the pier switch to electric lamps?").text


def test_when_something_was_given_up_is_shown_though_another_verb_says_so(docs: Following) -> None:
    docs.write("0003.md", "# Oil lamps on the pier\n\n- Status: superseded by 0009 on 27 March 2026\n\nTwelve of them, brass.\n")
    answer = answered(docs, "When did we leave oil lamps?")
    assert answer.verdict == "partial" and "27 March 2026" in answer.text


@pytest.mark.parametrize(
    ("question", "is_answered"),
    [
        ("Who has to release a payment above 5,000 euros?", True),
        ("Who must release payments over EUR 5000?", True),
        ("Who has to release a payment below 5,000 euros?", False),
        ("Who has to release a payment above 50,000 euros?", False),
        ("Who has to collect a payment above 5,000 euros?", False),
        ("Who must not release a payment above 5,000 euros?", False),
        ("Who has to release a payment?", False),  # it depends
    ],
)
def test_who_has_to_do_something_is_told_by_name_for_just_that_case(docs: Following, question: str, is_answered: bool) -> None:
    docs.write("payments.md", "# Payments\n\nAny payment above EUR 5,000 needs Zoe Tarn's release; Ben Marsh collects them.\n")
    assert (answered(docs, question).verdict == "complete") == is_answered


@pytest.mark.parametrize("question", ["What is the workaround for the pump?", "Is there a workaround for the pump?"])
def test_who_asks_for_a_workaround_is_shown_it_before_the_cause(docs: Following, question: str) -> None:
    docs.write(
        "pump.md",
        "# Pump trips at night\n\nThe pump trips every night.\n\n## Comments\n\n### Kit Marlo, 2026-08-03 14:06\n\n"
        "At three the tank of the pump is full. The float of the pump was fitted twice; the second float trips the pump.\n\n"
        "The workaround has changed. Do not drain the tank any more. Pull the second float of the pump up by hand.\n",
    )
    answer = answered(docs, question)
    lead = answer.text.split("More passages")[0]
    assert "Pull the second float" in lead and lead.index("workaround has changed") < lead.find("fitted twice") % len(lead)


def test_why_of_a_ticket_by_its_key_is_told_from_that_ticket(docs: Following) -> None:
    docs.write("list.md", "# What has to be true\n\n- PMP-296 happens no more over five nights (PMP-296)\n- the gate closes\n")
    docs.write(
        "PMP-296.md",
        "# PMP-296 Pump trips at night\n\nThe pump trips every night.\n\n## Comments\n\n### Kit Marlo, 2026-08-03 14:06\n\nThe cause is a second float that was fitted in April.\n",
    )
    told = answered(docs, "Why does PMP-296 happen?").text
    assert "second float" in told and "five nights" not in told.split("second float")[0]


def test_a_ticket_of_the_same_stands_below_what_a_table_says(docs: Following) -> None:
    docs.write("feeds.csv", "code,insurer,reject_max_pct\nKUS,Kustline,5.0\nALM,Almar,2.0\nTER,Tercena,3.0\n")
    asked = "max rejects for the Kustline feed"
    assert answered(docs, asked).verdict == "complete"
    docs.write("tickets/one.md", "# PIER-12 Kustline calls too often\n\nThey call each night.\n")
    assert answered(docs, asked).verdict == "complete", "it is of something else"
    docs.write("tickets/two.md", "# PIER-13 Reject limit of Kustline is too generous\n\nThree is enough.\n")
    answer = answered(docs, asked)
    assert answer.verdict == "partial" and answer.text.startswith("**5.0**")
    assert "PIER" in answer.text and "too generous" in answer.text and "too often" not in answer.text


MINUTES = """MINUTES 2026
(one file, newest at the bottom)

=====================
Thu 5 March 2026
there: Ana, Ben     minutes: Zoe

1) oldbook. Nobody wants to maintain it. DECISION 26-01: oldbook is switched off on 30 June 2026.
2) Lamp day. Thursday is too late. DECISION 26-02: lamps are cleaned on Tuesdays, from April on.
3) DECISION 26-03: we hire a second diver, Ana writes the advert.

=====================
Thu 8 October 2026   after the storm
there: Ana, Zoe     minutes: Ben

1) Money. No new posts this year. DECISION 26-07: 26-03 is taken back. Instead a boat is rented for the winter.
2) Lamp day. On Tuesdays nobody is here. DECISION 26-08: lamps are cleaned on Wednesdays from 14 October (replaces 26-02).
3) oldbook again: DECISION 26-09: last postponement, off on 31 January 2027.
"""
SECTIONS = """# Site group

## Thu 10 September 2026

- **Canteen cards.** Agreed: no more cash from 2 November.
- Car park barrier: three quotes. Agreed to order from Gatewell.

## 8/10/26

- Cards: readers are held up. Put back to 5 January 2027.

### Minutes, Thursday 5 November 2026

**4 Hall floor.** Sanding is agreed for 21-23 December.

## Minutes 19 Nov 2026 (Thurs.)

b) **Barrier** - order with Gatewell cancelled because of the boiler.
c) **Floor.** The sanders cannot do December. New date: 15-19 Feb 2027.
"""

NUMBERED = """# Sync, running file

## 20 Aug 2026

1. Radio for rev C. **D-33**: Kestwick, 6 EUR.
2. Installer field day, **D-34**: 2 December in Wexmoor.
3. How long are raw readings kept? **D-32**: 18 months.

## Sync 17/09/2026

- Storage bill is up. **D-35**: raw readings are kept for 12 months.
- **D-36** Android 9 is dropped with app 4.7.

## minutes 12 Nov

- **D-40** D-35 is taken back, raw readings stay at 18 months.
- **D-41** Radio: Orlo instead of Kestwick (D-33 void).
- **D-45** Firmware 2.9.0 comes on 2 December.

## 26.11.26

- The valve test is red. **D-47**: 2.9.0 goes to 9 December.
- **D-49** Field day is cancelled, too few sign-ups.
"""


@pytest.fixture(scope="module")
def minutes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Following]:
    following = Following(tmp_path_factory.mktemp("minutes"))
    following.write("minutes.txt", MINUTES)
    following.write("site.md", SECTIONS)
    following.write("sync.md", NUMBERED)
    following.sync()
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    ("question", "newer", "older"),
    [
        ("when is oldbook switched off", "31 January 2027", "30 June 2026"),
        ("on which weekday are lamps cleaned", "Wednesdays", "on Tuesdays, from April"),
        ("do we hire a second diver", "26-03 is taken back", "we hire a second diver"),
        ("When will the hall floor be sanded?", "15-19 Feb 2027", "21-23 December"),
        ("start date of the canteen cards", "5 January 2027", "2 November"),
        ("What was finally decided about the car park barrier?", "cancelled", "three quotes"),
        ("how long are raw readings kept now", "stay at 18 months", "12 months"),
        ("which radio goes in rev C", "Orlo instead", "6 EUR"),
        ("when is the installer field day", "too few sign-ups", "2 December in Wexmoor"),
        ("when does firmware 2.9.0 come out", "9 December", "2 December"),
    ],
)
def test_a_later_meeting_of_the_same_file_leads(minutes: Following, question: str, newer: str, older: str) -> None:
    """By its topic, also in fewer words, or by the number of the decision that it takes back."""
    answer = minutes.ask(question)
    text = answer.text.replace("\\", "")
    assert answer.verdict != "complete" and newer in text and text.index(newer) < text.index(older), text


def test_what_was_decided_in_a_year_is_not_replaced(minutes: Following) -> None:
    answer = minutes.ask("When was oldbook to be switched off before?")
    assert "30 June 2026" in answer.text.partition("26\\-09")[0]


def test_a_line_of_a_chat_that_moves_a_day_leads_over_the_minutes(tmp_path: Path) -> None:
    following = Following(tmp_path)
    following.write(
        "minutes.md", "# Committee\n\n## 19 Nov 2026 - minutes\n\n- Flu jabs. Wed 2 Dec, 14:00, training room. Samuel.\n"
    )
    following.write(
        "crew.txt",
        "--- export #crew 23.11.26 - 27.11.26 ---\n[Mon 23.11. 18:02] Jo: who has the ladder\n[Wed 25.11. 09:05] Samuel: Flu jabs!! nurse "
        "can't do the Wednesday. Now THURSDAY 3 Dec, same room\n[Wed 25.11. 09:06] Per: ok\n",
    )
    following.sync()
    for question in ("flu jabs - when and where", "when are the flu jabs"):
        answer = following.ask(question)
        assert answer.verdict != "complete" and answer.text.index("THURSDAY 3 Dec") < answer.text.index("Wed 2 Dec"), answer.text
    following.workspace.close()


def test_a_contract_that_was_extended_by_mail_does_not_end_as_the_list_says(tmp_path: Path) -> None:
    following = Following(tmp_path)
    following.write(
        "systems.md",
        "# Systems, 5 November 2026\n\n| System | Owner | Contract ends |\n|---|---|---|\n| Shop network | Greta Holm | 2026-12-31 |\n"
        "| Scales | Per Lund | 2027-01-31 |\n",
    )
    following.write(
        "thread.txt",
        "From: Corvin Ashdale\nDate: Fri, 20 Nov 2026 15:12\nSubject: RE: Extension shop network\n\nDear Greta,\n\nthank you for the copy. So the "
        "contract now runs until 30 June 2027 for all shops.\n\n> From: Greta Holm\n> Date: Mon, 9 Nov 2026 08:20\n> please make us an offer.\n",
    )
    following.sync()
    told = following.ask("When does our contract for the shop network end?")
    assert told.verdict == "partial" and told.text.index("30 June 2027") < told.text.index("31 December 2026")
    assert following.ask("When does the contract of the scales end?").verdict == "complete"
    following.workspace.close()


def test_an_entry_of_minutes_or_a_chat_leads_over_what_a_newsletter_announced(tmp_path: Path) -> None:
    following = Following(tmp_path)
    following.write(
        "newsletter.html",
        "<html><head><title>Mast Post, November 2026</title></head><body><h1>Mast Post</h1><p>No. 41, sent on 2 November 2026.</p>"
        "<h2>Save the date: harbour feast</h2><p>On Tuesday 19 January 2027 we open all gates.</p></body></html>",
    )
    following.write(
        "minutes.md",
        "# Minutes of the board, 2026\n\n## Meeting of 17 September 2026\n\n2. **Harbour feast.** Moved to Tuesday 19 January 2027.\n\n"
        "## Meeting of 12 November 2026\n\n2. **Harbour feast.** Moved once more, to Thursday 21 January 2027.\n",
    )
    following.write(
        "thread.txt",
        "Mail thread: caterer / harbour feast January 2027\n(printed by Ada for the folder, 26 Nov 2026, oldest first)\n\nFrom: Ada\nTo: Cook\n"
        "Date: Tue, 6 Oct 2026 10:20\nSubject: Harbour feast, 19 January\n\nWe need soup.\n",
    )
    following.sync()
    answer = following.ask("When is the harbour feast?")
    assert (
        answer.verdict == "partial"
        and answer.text.index("21 January") < answer.text.index("19 January")
        and "printed" not in answer.text
    )
    following.workspace.close()


def test_what_took_the_place_of_a_value_under_a_topic_stands_above_it(tmp_path: Path) -> None:
    following = Following(tmp_path)
    following.write(
        "glossary.md",
        "# Glossary\n\nLast tidied up on 2 October 2026.\n\n**Soft hold**: a berth kept for a skipper while the harbour office is on the line. Lasts "
        "5 minutes, then the berth is free.\n\n**Pilot flag**: the white one.\n",
    )
    following.write(
        "releases.md",
        "# Releases\n\n## 2026.23 (17 November 2026)\n\n- Soft hold lengthened from 5 to 8 minutes.\n- Berths are drawn in blue.\n",
    )
    following.sync()
    answer = following.ask("How long is a berth kept while the harbour office is on the line?")
    assert answer.verdict == "partial" and answer.text.index("8 minutes") < answer.text.index("Lasts 5 minutes")
    following.workspace.close()


def test_a_decision_that_moves_what_a_row_is_called_leads_over_the_row(tmp_path: Path) -> None:
    following = Following(tmp_path)
    following.write(
        "guide.md",
        "# First weeks\n\nVersion of 20 October 2026.\n\n## Meetings\n\n| Meeting | When | Who |\n|---|---|---|\n| Stand-up | daily, 09:40 | all |\n"
        "| Retro | every second Friday | all |\n",
    )
    following.write(
        "retros.md",
        "# Retros\n\n## Friday 30 October 2026\n\n- **Decided:** stand-up moves to 10:10 from 2 November.\n- The board is full.\n",
    )
    following.sync()
    told = following.ask("what time is standup these days").text
    assert 0 <= told.find("10:10") < (told.find("09:40") if "09:40" in told else len(told))
    following.workspace.close()


HANDBOOK = "# Guard handbook\n\nVersion 4, 20 April 2026\n\n## Pay\n\n- first guard 250 euro per week, second guard 100 euro\n- a holiday: plus 75 euro\n"


@pytest.mark.parametrize(
    ("minutes", "is_first"),
    [
        ("2 GUARDS\nThe weeks of summer are hard. DECIDED: the first guard gets 325 euro per week from 1 October, the second guard stays at 100.\n", True),
        ("2 GUARDS\nSomebody said that the first guard gets 325 euro per week in other ports, and that our first guard is happy.\n", False),
    ],
)  # fmt: skip
def test_what_minutes_decide_later_stands_before_the_handbook(docs: Following, minutes: str, is_first: bool) -> None:
    docs.write("guard-handbook.md", HANDBOOK)
    docs.write(
        "minutes.txt",
        "LEADS ROUND 15.9.2026, dock room\n\n1 CRANES\nThe north crane is out until the gear has come from the yard.\n\n"
        + minutes
        + "\n3 REST\nThe autumn party of all teams is on the last Friday of the month.\n",
    )
    answer = answered(docs, "what do I get paid for a week as first guard")
    lead = answer.text.split("More passages")[0]
    assert answer.verdict == "partial" and "250 euro" in answer.text
    assert (lead.find("325") >= 0 and lead.find("325") < lead.find("250 euro") % len(lead)) == is_first, answer.text


def test_a_later_line_of_a_chat_stands_before_an_older_one(docs: Following) -> None:
    docs.write(
        "chat.txt",
        "Dock chat, export of November 2026\n\n== #office ==\n05/11 09:15  Ada Holm: Gas comes on Thursdays as of now, not Tuesdays\n"
        "05/11 09:20  Ben: noted\n19/11 11:30  Ada Holm: they have changed the route again. From next week gas comes on WEDNESDAY mornings\n\n"
        "== #yard ==\n20/11 10:00  Ben: the crane is free\n20/11 10:05  Kit: thanks\n",
    )
    told = answered(docs, "On which day does the gas come?").text
    assert told.find("WEDNESDAY") >= 0 and told.find("WEDNESDAY") < told.find("Thursdays") % len(told), told


COUNCIL = "# Harbour council, {day} 2026\n\nPresent: Ada Byron, Ben Marsh.\n\n"


def test_what_later_minutes_say_below_a_heading_in_fewer_words_leads(docs: Following) -> None:
    """Before the same said below a longer one, or behind "Decision:"; what they say in passing below another does not."""
    docs.write(
        "minutes/may.md",
        COUNCIL.format(day="5 May")
        + "**2. Summer feast.** Friday 3 July, in the boat hall. Ada asks the band.\n\n**3. Gate desk.** From 1 June the desk is open from 14:00 to 16:00.\n\n"
        "**4. Winter jackets.** 84 are ordered, delivery promised for 20 June.\n\n"
        "## Crane 4A\n\n**Decision:** the order goes to Winch & Son. Work to start on 1 September 2026.\n",
    )
    docs.write(
        "minutes/june.txt",
        "Harbour council, 2 June 2026\nPresent: Ada Byron, Cy Noll.\n\n1) Feast\n17 July, the old mill, 19:00. Ninety people have said yes.\n\n"
        "2) Crane 4A\nWinch & Son have given a firm date: they begin on 7 October 2026 and need two weeks.\n\n"
        "3) Jackets\nThe sewer is late. New date 4 August. Old ones are fine.\n\n4) Winter\nThe harbour is closed from 20 December to 5 January. First gate desk in the new year: Monday 11 January.\n",
    )
    assert "17 July" in first_of(answered(docs, "When and where is the summer feast?"))
    assert "7 October" in first_of(answered(docs, "When do Winch & Son start the work on crane 4A?"))
    assert "4 August" in first_of(answered(docs, "When will the winter jackets arrive?"))
    assert "14:00 to 16:00" in first_of(answered(docs, "what are the gate desk hours"))


def first_of(answer: Answer) -> str:
    """The first paragraph, or what is first below the line that leads up to it."""
    paragraphs = answer.text.split("\n\n")
    return paragraphs[1] if paragraphs[0].endswith(":") else paragraphs[0]


def test_a_length_of_time_in_a_table_stands_beside_a_decision_that_gives_another(docs: Following) -> None:
    docs.write(
        "rules.md",
        "# Keeping things\n\n| What | Kept for |\n|---|---|\n| Gate picture, visit unpaid | 28 days after the visit |\n| Bell log | 90 days |\n",
    )
    asked = "How long are gate pictures of unpaid visits kept?"
    assert answered(docs, asked).verdict == "complete"
    docs.write(
        "minutes/june.md",
        "# Harbour council, 2 June 2026\n\nPictures of unpaid visits are kept for 35 days, with immediate effect.\n",
    )
    answer = answered(docs, asked)
    assert answer.verdict == "partial" and "35 days" in answer.text and "28 days" in answer.text
    assert answered(docs, "how long is the bell log kept").verdict == "complete"


def test_what_a_chat_moves_by_its_number_and_lengths_in_words_are_held_against_what_is_told(docs: Following) -> None:
    docs.write(
        "minutes/june.md", COUNCIL.format(day="2 June") + "Winch software 4.4 on 14 July, on our own crane since 1 June.\n"
    )
    docs.write(
        "minutes/may.md", COUNCIL.format(day="5 May") + "**Keeping.** Gate records are kept seven years instead of five.\n"
    )
    docs.write("rules.md", "# Rules of the harbour\n\nGate records are kept five years, bells for ever.\n")
    asked = "When is winch software 4.4 coming out?"
    assert answered(docs, asked).verdict == "complete"
    docs.write(
        "chat.txt",
        "2026-06-20 12:40 Cy: the crane stood still\n2026-06-20 12:47 Ben: so 4.4 goes to august. new date 18 august\n",
    )
    answer = answered(docs, asked)
    assert answer.verdict == "partial" and answer.text.index("18 august") < answer.text.index("14 July")
    answer = answered(docs, "How long are gate records kept?")
    assert answer.verdict == "partial" and "five years" in answer.text and "seven years" in answer.text
