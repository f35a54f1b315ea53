"""Who is on duty at a time is told by the row that holds then, below the changes that name it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest

from ingestion.sync import sync
from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered
from tree.ask.direct.rota import _WEEK_CELL, _begins
from tree.ask.direct.rota_question import read_rota_question
from tree.ask.several import as_earlier

WATCH = (("Ana Sol", "Ben Marsh"), ("Zoe Tarn", "Ana Sol"), ("Ben Marsh", "Zoe Tarn"), ("Ana Sol", "Ben Marsh"))


@pytest.fixture
def monday() -> date:
    """Of this week: the second of the rota."""
    today = datetime.now(UTC).date()
    return today - timedelta(days=today.weekday())


def day(of: date) -> str:
    return f"{of.day} {of:%B}"


def week(of: date) -> int:
    return of.isocalendar().week


def rota(monday: date) -> str:
    weeks = [monday + timedelta(days=7 * at) for at in (-1, 0, 1, 2)]
    rows = [f"| {week(of)} | {day(of)} | {who} | {other} |" for of, (who, other) in zip(weeks, WATCH, strict=True)]
    head = ["| Week | From | Watch | Stand-in |", "|---|---|---|---|"]
    opening = '# Beacon watch ("the lamp phone")\n\nThe lamp phone is handed over on Monday at 07:00.\n\n'
    return opening + "\n".join([*head, *rows]) + "\n"


def changes(monday: date) -> str:
    last = week(monday - timedelta(days=7))
    said = (
        f"{day(monday - timedelta(days=6))}: Ana and Zoe swap weeks {last} and {week(monday)}.",
        f"{day(monday - timedelta(days=3))}: in week {week(monday)} Ben takes the watch after all.",
        f"{day(monday - timedelta(days=2))}: The kettle is broken.",
    )
    return "\n## Changes\n\n" + "".join(f"- {one}\n" for one in said)


@pytest.mark.parametrize(
    ("question", "who"),
    [
        ("Who has the lamp phone this week?", "Zoe Tarn"),
        ("who has the lamp telephone this week", "Zoe Tarn"),
        ("who has the lamp phone next week", "Ben Marsh"),
        ("Who was on beacon watch last week?", "Ana Sol"),
        ("Who is on beacon watch in week {week}?", "Ana Sol"),
        ("who is on beacon watch in the week from {day}", "Ben Marsh"),
        ("Who has the lamp phone today?", "Zoe Tarn"),
    ],
)
def test_the_row_that_holds_then_is_told(docs: Following, monday: date, question: str, who: str) -> None:
    docs.write("watch.md", rota(monday))
    said = question.format(week=week(monday + timedelta(days=14)), day=day(monday + timedelta(days=7)))
    answer = answered(docs, said)
    assert answer.verdict == "complete" and f"Watch: {who}" in answer.text, answer.text


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("over christmas", date(2026, 12, 25)),
        ("in christmas week", date(2026, 12, 25)),
        ("at xmas", date(2026, 12, 25)),
        ("on new year's eve", date(2026, 12, 31)),
    ],
)
def test_a_feast_is_a_day(said: str, day: date) -> None:
    asked = read_rota_question(f"Who has the lamp phone {said}?", date(2026, 11, 26))
    assert asked is not None and asked.day == day and asked.words == {"lamp", "phone"}
    later = read_rota_question(f"Who has the lamp phone {said}?", date(2027, 1, 4))
    assert later is not None and later.day == day, "the nearest"


@pytest.mark.parametrize("question", ["Who has the most watches this week?", "Who has open tickets now?"])
def test_who_has_most_is_on_no_duty(question: str) -> None:
    assert read_rota_question(question, date(2026, 11, 26)) is None


def test_a_rota_that_is_called_so_comes_before_one_that_mentions_it(docs: Following, monday: date) -> None:
    docs.write("watch.md", rota(monday))
    tea = rota(monday).replace("Beacon watch", "Tea kitchen").replace("The lamp phone", "Whoever has the lamp phone")
    docs.write("kitchen.md", tea.replace('("the lamp phone")', "").replace("Watch |", "Tea |").replace("Zoe Tarn", "Ida Holm"))
    assert "Zoe Tarn" in answered(docs, "Who is on beacon watch this week?").text


def test_changes_that_name_the_row_stand_above_it_the_newest_first_and_nothing_is_called_answered(
    docs: Following, monday: date
) -> None:
    docs.write("watch.md", rota(monday) + changes(monday))
    answer = answered(docs, "Who has the lamp phone this week?")
    assert answer.verdict == "partial"
    places = [answer.text.index(one) for one in ("Ben takes the watch", "Ana and Zoe swap", "Watch: Zoe Tarn")]
    assert places == sorted(places) and "kettle" not in answer.text
    assert answered(docs, f"Who has the lamp phone in week {week(monday + timedelta(days=7))}?").verdict == "complete"


def test_a_follow_up_that_says_only_another_time_asks_the_same_of_it(docs: Following, monday: date) -> None:
    docs.write("watch.md", rota(monday))
    first = answered(docs, "Who has the lamp phone this week?")
    for said in (f"and in the week of {day(monday + timedelta(days=7))}?", "what about next week?"):
        answer = docs.ask(said, earlier=[as_earlier(first)])
        assert answer.verdict == "complete" and "Watch: Ben Marsh" in answer.text, answer.text


def test_what_the_rota_is_not_of_or_a_time_that_it_has_not_is_not_told_from_it(docs: Following, monday: date) -> None:
    docs.write("watch.md", rota(monday))
    later = monday + timedelta(days=90)
    for question in (
        "Who has the fire bell this week?",
        f"Who has the lamp phone in week {week(later)}?",
        f"Who has the lamp phone on {later.day} {later:%B %Y}?",
    ):
        assert answered(docs, question).verdict != "complete", question


@pytest.mark.parametrize(
    ("said", "now", "meant"),
    [
        ("who has the lamp phone in the week of 4 January", date(2026, 12, 30), date(2027, 1, 4)),
        ("who had the lamp phone in the week of 28 December", date(2027, 1, 2), date(2026, 12, 28)),
        ("who has the lamp phone on 4 January 2026", date(2026, 12, 30), date(2026, 1, 4)),
        ("who has the lamp phone this week", date(2026, 12, 30), date(2026, 12, 30)),
    ],
)
def test_a_day_without_a_year_is_the_nearest(said: str, now: date, meant: date) -> None:
    asked = read_rota_question(said, now)
    assert asked is not None and asked.day == meant


def test_weeks_may_be_called_as_in_german(tmp_path) -> None:
    following = Following(tmp_path)
    weeks = "| KW | from | who |\n|---|---|---|\n| 48 | 23 November 2026 | Ines Falk |\n| 49 | 30 November 2026 | Tomas Reyl |\n| 50 | 7 December 2026 | Maren Oduya |\n"
    following.write(
        "phone.md",
        f"# Who has the harbour phone\n\n{weeks}\n## Changes\n* 18 November: Tomas Reyl takes KW 48, Ines takes KW 49.\n",
    )
    following.sync()
    answer = following.ask("who has the harbour phone in week 48?")
    assert answer.verdict == "partial" and "Tomas Reyl takes KW 48" in answer.text
    following.workspace.close()


def test_a_change_may_give_the_number_of_the_week_alone(docs: Following, monday: date) -> None:
    docs.write(
        "watch.md",
        rota(monday)
        + f"\n## Changes\n\n- Ben and Zoe swap: Ben takes {week(monday)}, Zoe takes {week(monday) + 7}. It took 70 minutes.\n",
    )
    docs.sync()
    answer = answered(docs, "Who has the beacon watch this week?")
    assert answer.verdict == "partial" and answer.text.startswith("Changes that name this row:") and "Ben takes" in answer.text
    assert answered(docs, f"Who has the beacon watch in week {week(monday + timedelta(days=7))}?").verdict == "complete"


def test_a_rota_in_a_file_that_is_called_oncall_with_remarks_at_its_end(docs: Following, monday: date) -> None:
    weeks = [monday + timedelta(days=7 * at) for at in (-1, 0, 1, 2)]
    rows = "".join(f"{of.isoformat()},{who}\n" for of, (who, _) in zip(weeks, WATCH, strict=True))
    docs.write("oncall-rota.csv", f"from,first\n{rows}# not in the rota:,\n# Ida Holm (from January),\n")
    docs.write("pay.md", "# On call\n\nWhoever is on call gets 90 euros.\n")
    answer = answered(docs, "who is on call this week?")
    assert answer.verdict == "complete" and "Zoe Tarn" in answer.text, answer.text


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("who is on call this weekend?", date(2026, 11, 28)),
        ("who is on call next weekend?", date(2026, 12, 5)),
        ("who is on call on 24 December?", date(2026, 12, 24)),
    ],
)
def test_the_day_that_is_asked_for(question: str, day: date) -> None:
    asked = read_rota_question(question, date(2026, 11, 26))
    assert asked is not None and asked.day == day


def test_weeks_may_be_written_as_their_first_and_last_day(tmp_path) -> None:
    following = Following(tmp_path)
    monday = datetime.now(UTC).date() - timedelta(days=datetime.now(UTC).weekday())
    weeks = [(monday + timedelta(days=7 * at), monday + timedelta(days=7 * at + 6)) for at in (-1, 0, 1)]
    rows = [
        f"| {a.day} {a:%b} – {b.day} {b:%b} | {who} |"
        for (a, b), who in zip(weeks, ("Zoe Tarn", "Ana Sol", "Ben Marsh"), strict=True)
    ]
    following.write("emergency-rota.md", "\n".join(["# Emergency rota", "", "| Week | Vet |", "|---|---|", *rows]) + "\n")
    plan = ["# First days", "", "| Until | Should | State |", "|---|---|---|"]
    plan += [f"| {b.day} {b:%b} | goes along on call | open |" for _, b in weeks]
    following.write("plan.md", "\n".join(plan) + "\n")
    following.sync()
    answer = answered(following, "who is on call this week?")
    following.workspace.close()
    assert answer.verdict == "complete" and "Ana Sol" in answer.text


def test_what_a_remark_of_the_row_says_of_the_very_day_stands_above_it(tmp_path) -> None:
    following = Following(tmp_path)
    monday = datetime.now(UTC).date() - timedelta(days=datetime.now(UTC).weekday())
    weeks = [monday + timedelta(days=7 * at) for at in (-1, 0, 1)]
    friday = monday + timedelta(days=4)
    remarks = ("", f"Fri {day(friday)}: Ines, Ana is at a wedding", "")
    rows = [f"| {day(of)} | {who} | {said} |" for of, who, said in zip(weeks, ("Zoe", "Ana", "Ben"), remarks, strict=True)]
    following.write("rota.md", "\n".join(["# Lamp rota", "", "| From | Lamp | Remark |", "|---|---|---|", *rows]) + "\n")
    following.sync()
    that_day, another = (answered(following, f"who has the lamp on {day(one)}?") for one in (friday, monday))
    following.workspace.close()
    assert that_day.verdict == "partial" and that_day.text.index("Ines") < that_day.text.index("The table itself")
    assert another.verdict == "complete"


def small_table(number: int, columns: str = "Part | Shelf") -> str:
    rows = "\n".join(f"| {name} {number} | A{number} |" for name in ("Bolt", "Nut", "Pin"))
    return f"# Parts {number}\n\n| {columns} |\n|---|---|\n{rows}\n"


@pytest.mark.parametrize("columns", ["Part | Shelf", "Date | Shelf"])
def test_many_other_tables_hide_no_rota(docs: Following, monday: date, columns: str) -> None:
    for number in range(60):
        docs.write(f"a/parts-{number:02}.md", small_table(number, columns))
    docs.write("watch/beacon.md", rota(monday))
    answer = answered(docs, "Who is on beacon watch this week?")
    assert answer.verdict == "complete" and "Watch: Zoe Tarn" in answer.text, answer.text


def test_a_29th_of_february_is_a_day_of_a_rota() -> None:
    assert _begins("29 Feb", date(2028, 2, 27)) == date(2028, 2, 29)
    assert _begins("29 Feb", date(2026, 2, 27)) is None


@pytest.mark.parametrize(
    ("said", "begins"),
    [
        ("4 Dez", date(2026, 12, 4)),
        ("4. Dezember", date(2026, 12, 4)),
        ("11 Okt", date(2026, 10, 11)),
        ("5 decks", None),
        ("3 marks", None),
    ],
)
def test_a_cell_is_a_day_only_where_it_names_a_month(said: str, begins: date | None) -> None:
    assert _begins(said, date(2026, 11, 26)) == begins


def rota_of_duties(monday: date) -> str:
    """Two rotas on a page: one with a column for each duty, whose weeks are told by number and days, and one of another place."""
    weeks = [monday + timedelta(days=7 * at) for at in (-1, 0, 1, 2)]
    rows = [
        f"| {week(of)} ({day(of)} - {day(of + timedelta(days=6))}) | {first} | {second} |"
        for of, (first, second) in zip(weeks, WATCH, strict=True)
    ]
    others = [f"| {of} | {of + timedelta(days=6)} | Ida Holm | Per Lund |" for of in weeks]
    return (
        "# Rota of the harbour (North quay), winter watch (South quay)\n\n| Week | IT on call | Night lead |\n|---|---|---|\n"
        + "\n".join(rows)
        + "\n\n## South quay, winter watch\n\n| from | to | watch_1 | watch_2 |\n|---|---|---|---|\n"
        + "\n".join(others)
        + "\n"
    )


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("who is night lead this week?", "**Night lead: Ana Sol"),
        ("it on call week {week}", "**IT on call: Ana Sol"),
        ("who is IT on call next week?", "**IT on call: Ben Marsh"),
        ("who has the winter watch at the south quay this week?", "**watch\\_1: Ida Holm · watch\\_2: Per Lund"),
    ],
)
def test_of_a_row_for_several_duties_the_one_that_is_asked_for_is_told(
    docs: Following, monday: date, question: str, begins: str
) -> None:
    docs.write("rota/winter.md", rota_of_duties(monday))
    answer = answered(docs, question.format(week=week(monday + timedelta(days=14))))
    assert answer.verdict == "complete" and answer.text.startswith(begins), answer.text


def test_a_rota_of_another_place_is_told_with_its_heading_and_not_for_sure(docs: Following, monday: date) -> None:
    docs.write("rota/winter.md", rota_of_duties(monday))
    answer = answered(docs, "who has the winter watch at the north quay this week?")
    assert answer.verdict == "partial" and "South quay, winter watch: " in answer.text
    assert answered(docs, "who is gate keeper this week?").verdict != "complete"


@pytest.mark.parametrize(
    ("said", "week"), [("W49", "49"), ("KW 49", "49"), ("49", "49"), ("49 (30 Nov - 6 Dec)", "49"), ("49 boats", "")]
)
def test_a_week_is_read_of_its_cell(said: str, week: str) -> None:
    match = _WEEK_CELL.fullmatch(said)
    assert (match["number"] if match is not None else "") == week


def test_a_chain_of_times_asks_each_time_for_the_same(docs: Following, monday: date) -> None:
    docs.write("rota/winter.md", rota_of_duties(monday))
    first = answered(docs, "who is night lead this week?")
    second = docs.ask("and next week?", earlier=[as_earlier(first)])
    last = docs.ask(f"and in week {week(monday + timedelta(days=14))}?", earlier=[as_earlier(first), as_earlier(second)])
    assert [one.text.partition(" · ")[0] for one in (first, second, last)] == [
        f"**Night lead: {name}" for name in ("Ana Sol", "Zoe Tarn", "Ben Marsh")
    ]


def test_an_empty_cell_is_nobody_and_no_other_duty(docs: Following, monday: date) -> None:
    docs.write("rota/winter.md", rota_of_duties(monday).replace("| Zoe Tarn | Ana Sol |", "| Zoe Tarn | |"))
    assert "Zoe Tarn" not in answered(docs, "who is night lead this week?").text.partition(" · ")[0]
    assert answered(docs, "who is IT on call this week?").verdict == "complete"


def test_a_duty_that_is_no_column_is_not_told_for_sure(docs: Following, monday: date) -> None:
    docs.write("rota/winter.md", rota_of_duties(monday))
    assert answered(docs, "who is the call lead this week?").verdict != "complete"


@pytest.mark.parametrize(
    "question",
    [
        "who is not on beacon watch this week?",
        "who else is on beacon watch this week",
        "who is on beacon watch until 24 December",
    ],
)
def test_who_is_not_on_duty_or_for_how_long_is_no_row(docs: Following, monday: date, question: str) -> None:
    docs.write("watch.md", rota(monday))
    assert answered(docs, question).verdict != "complete"


def test_what_a_row_says_besides_is_kept_where_it_has_no_column_for_each_duty(docs: Following, monday: date) -> None:
    weeks = [monday + timedelta(days=7 * at) for at in (-1, 0, 1, 2)]
    docs.write("deliveries.csv", "date,goods,received by\n" + "".join(f"{of},lamps,Per Lund\n" for of in weeks))
    assert "lamps" in answered(docs, "who received goods this week").text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("who is the standby captain this week?", None),  # none holds until the next
        ("who is the standby captain today", "1th quay"),
        ("who is the standby captain tomorrow", None),
    ],
)
def test_days_on_which_something_happens_are_told_of_just_that_day(docs: Following, question: str, said: str | None) -> None:
    days = [datetime.now(UTC).date() + timedelta(days=at) for at in (-9, 0, 4, 17)]
    docs.write(
        "standby.csv", "date,harbour,standby captain\n" + "".join(f"{of},{at}th quay,Per Lund\n" for at, of in enumerate(days))
    )
    answer = answered(docs, question)
    assert (answer.verdict == "complete") == (said is not None)
    assert said is None or said in answer.text


def test_this_week_is_more_than_its_monday() -> None:
    for day in range(7):
        asked = read_rota_question("who is the standby captain this week?", date(2026, 11, 30) + timedelta(days=day))
        assert asked is not None and not asked.is_day


def duties(monday: date) -> str:
    """A rota with a row for each duty of a week."""
    people = ("Ana Sol", "Ben Marsh", "Zoe Tarn", "Ana Sol", "Ben Marsh", "Zoe Tarn", "Ana Sol", "Per Lund")
    rows = [
        f"| {monday + timedelta(days=7 * (at // 2 - 1))} | {('Phone', 'Stage door')[at % 2]} | {who} |"
        for at, who in enumerate(people)
    ]
    return "# Weekend duties\n\n| From | Duty | Name |\n|---|---|---|\n" + "\n".join(rows) + "\n"


@pytest.mark.parametrize(
    ("question", "who"),
    [
        ("who has phone duty this week?", {"Zoe Tarn"}),
        ("who is at the stage door this week", {"Ana Sol"}),
        ("stage door duty next week?", {"Zoe Tarn"}),
        ("weekend duties this week", {"Zoe Tarn", "Ana Sol"}),
    ],
)
def test_a_rota_may_have_a_row_for_each_duty(docs: Following, monday: date, question: str, who: set[str]) -> None:
    docs.write("weekends.md", duties(monday))
    answer = answered(docs, question)
    assert answer.verdict == "complete"
    assert {one for one in ("Ana Sol", "Ben Marsh", "Zoe Tarn", "Per Lund") if one in answer.text} == who


@pytest.mark.parametrize("between", [", ", "\n- ", "; "])
def test_a_rota_may_be_a_list_of_days(docs: Following, monday: date, between: str) -> None:
    def listed(*people: str) -> str:
        days = (monday + timedelta(days=7 * (at - 1)) for at in range(len(people)))
        return between.join(f"{day(of)} {who}" for of, who in zip(days, people, strict=True))

    kitchen, plants = listed("Ana", "Ben", "Zoe", "Per"), listed("Per", "Ida", "Ana")
    docs.write("kitchen.md", f"# Kitchen duty\n\nThis is the order:\n\n- {kitchen}\n\n## Plants\n\nIn turn:\n\n- {plants}\n")
    answer = answered(docs, "who has kitchen duty this week?")
    assert answer.verdict == "complete" and "Ben" in answer.text and "Ida" not in answer.text
    assert "Ida" in answered(docs, "who does the plants this week").text
    assert "Zoe" in answered(docs, "kitchen duty next week?").text
    assert answered(docs, "who has kitchen duty in eight weeks?").verdict != "complete"


def test_what_a_chat_says_of_a_swap_is_told_with_the_lines_below(docs: Following, monday: date) -> None:
    docs.write("watch.md", rota(monday))
    said = (
        f"[{monday:%d.%m.} 07:20] Zoe: I have a fever. Can somebody take the lamp phone for the rest of the week?",
        f"[{monday:%d.%m.} 07:41] Per: I can. You do mine in March",
        f"[{monday:%d.%m.} 07:50] Ana: thanks Per",
        f"[{monday - timedelta(days=30):%d.%m.} 09:00] Zoe: can somebody take the lamp phone today?",
    )
    docs.write("chat.txt", "#harbour\n\n" + "\n".join(said) + "\n")
    answer = answered(docs, "Who has the lamp phone this week?")
    assert answer.verdict == "partial"
    assert "Per: I can. You do mine" in answer.text and "thanks Per" in answer.text
    assert "lamp phone today" not in answer.text


def test_a_part_of_the_day_may_tell_duties_apart(docs: Following) -> None:
    today = datetime.now(UTC).date()
    rows = "".join(f"{today + timedelta(days=at):%d.%m.%Y},Fire watch,{who},{when}\n" for at, who, when in ((0, "Ana", "14:00"), (0, "Ben", "19:00"), (3, "Zoe", "19:00")))  # fmt: skip
    docs.write("duties.csv", f"Date,Duty,Name,From\n{rows}")
    answer = answered(docs, "who does the fire watch this evening")
    assert answer.verdict != "complete"
    assert "Zoe" not in answer.text


def test_a_row_holds_until_its_last_day(docs: Following, monday: date) -> None:
    weeks = [monday + timedelta(days=7 * at) for at in (-3, -2, -1)]
    rows = "".join(f"| {of} | {of + timedelta(days=4)} | {who} |\n" for of, who in zip(weeks, "Ana Ben Zoe".split(), strict=True))
    docs.write("rota/ferry.md", f"# Ferry watch\n\n| From | Until | Ferryman |\n|---|---|---|\n{rows}")
    on = monday - timedelta(days=3)  # Friday
    assert "Zoe" in answered(docs, f"who is ferryman on {on}").text
    assert answered(docs, f"who is ferryman on {on + timedelta(days=1)}").verdict != "complete"
    docs.write("rota/ferry.md", f"# Ferry watch\n\n| From | Until | Ferryman |\n|---|---|---|\n{rows.replace(str(weeks[1]), str(weeks[0] + timedelta(days=2)))}")  # fmt: skip
    assert answered(docs, f"who is ferryman on {on}").verdict != "complete"  # several at once


def test_a_time_that_the_rota_does_not_reach_is_not_found(docs: Following, monday: date) -> None:
    docs.write("ops/watch.md", rota(monday))
    late = monday + timedelta(days=7 * 6)
    answer = answered(docs, f"Who is on beacon watch in week {week(late)}?")
    assert answer.verdict == "none" and f"nothing for week {week(late)}" in answer.text, answer.text
    assert f"weeks {week(monday - timedelta(days=7))} to {week(monday + timedelta(days=14))}" in answer.text
    answer = answered(docs, f"who has the lamp phone on {day(late)}?")
    assert answer.verdict == "none" and f"nothing for {day(late)}" in answer.text, answer.text


def test_a_time_that_the_rota_does_not_reach_may_be_told_elsewhere(docs: Following, monday: date) -> None:
    docs.write("ops/watch.md", rota(monday))
    late = monday + timedelta(days=7 * 6)
    docs.write("ops/mail.md", f"# Holidays\n\nThe beacon watch of week {week(late)} is done by Zoe Tarn.\n")
    answer = answered(docs, f"Who is on beacon watch in week {week(late)}?")
    assert "Zoe Tarn" in answer.text and answer.verdict != "none", answer.text


def test_a_swap_that_is_told_elsewhere_stands_above_the_row_and_nothing_is_called_answered(docs: Following, monday: date) -> None:
    docs.write("ops/watch.md", rota(monday))
    docs.write(
        "ops/chat.txt", f"[09:12] Ida: hi, in week {week(monday)} Ben takes the lamp phone, Zoe is in Oslo\n[09:14] Per: ok\n"
    )
    answer = answered(docs, "Who has the lamp phone this week?")
    assert answer.verdict == "partial" and answer.text.index("Ben takes") < answer.text.index("Watch: Zoe Tarn"), answer.text
    assert {one.title for one in answer.citations} >= {"chat.txt"}
    assert answered(docs, "Who has the lamp phone next week?").verdict == "complete"


def test_a_swap_in_a_mail_is_of_whoever_wrote_it(docs: Following, monday: date) -> None:
    docs.write("ops/watch.md", rota(monday))
    head = "From: Zoe Tarn <zoe@quay.example>\nTo: all@quay.example\nSubject: watch\nContent-Type: text/plain\n\n"
    docs.write("ops/swap.eml", f"{head}Hi, Ben takes week {week(monday)} for me.\nZoe\n")
    answer = answered(docs, "Who has the lamp phone this week?")
    assert answer.verdict == "partial" and "Zoe Tarn wrote: Hi, Ben takes week" in answer.text, answer.text


def test_what_a_chat_says_of_next_week_is_of_the_week_after_it_was_written(docs: Following, monday: date) -> None:
    docs.write("ops/watch.md", rota(monday))
    friday, after = monday - timedelta(days=3), monday + timedelta(days=7)
    said = (
        f"[{friday:%d.%m.%y}, 14:02] Zoe: I cannot have the lamp phone next week. Ben?\n"
        f"[{friday:%d.%m.%y}, 14:30] Ben: ok I take yours next week and you take mine, from the {after.day}th\n"
        f"[{friday:%d.%m.%y}, 14:40] Per: the kettle is broken\n"
    )
    docs.write("ops/chat.txt", said)
    answer = answered(docs, "Who has the lamp phone this week?")
    assert answer.verdict == "partial" and "I take yours" in answer.text and "kettle" not in answer.text, answer.text
    assert answered(docs, "Who has the lamp phone next week?").verdict == "partial"
    assert answered(docs, f"Who has the lamp phone in week {week(monday + timedelta(days=14))}?").verdict == "complete"


def test_a_swap_that_is_deleted_is_not_told(docs: Following, monday: date) -> None:
    docs.write("ops/watch.md", rota(monday))
    docs.write("ops/chat.txt", f"[09:12] Ida: in week {week(monday)} Ben takes the lamp phone, Zoe is in Oslo\n")
    assert answered(docs, "Who has the lamp phone this week?").verdict == "partial"
    (docs.folder / "ops/chat.txt").unlink()
    docs.sync()
    answer = answered(docs, "Who has the lamp phone this week?")
    assert answer.verdict == "complete" and "Ben takes" not in answer.text, answer.text


@pytest.mark.parametrize(
    "question",
    [
        "Who has the lamp phone on 31 December 9999?",
        "Who is on beacon watch in week 99?",
        "who is on beacon watch in week 1 of 2099",
    ],
)
def test_a_time_out_of_all_bounds_is_no_fault(docs: Following, monday: date, question: str) -> None:
    docs.write("ops/watch.md", rota(monday))
    comment = f"# Watch\n\n## Ida Holm, {monday.year}-99-99\n\nZoe cannot next week, Ben takes the 40th.\n\n[99.99.99, 10:00] Zoe: I cannot this week, 9999-12-31\n"
    docs.write("ops/notes.md", comment)
    assert answered(docs, question).verdict != "complete"
    assert "Zoe Tarn" in answered(docs, "Who has the lamp phone this week?").text


def test_a_rota_may_pause_and_have_notes_below(docs: Following, monday: date) -> None:
    weeks = [monday + timedelta(days=7 * at) for at in (-3, -2, -1, 0, 1, 2, 5, 6)]  # closed for two weeks
    rows = [f"{week(of)},{of},{of + timedelta(days=4)},{who},," for of, who in zip(weeks, "Ana Ben Zoe Per Ida Ana Ben Zoe".split(), strict=True)]  # fmt: skip
    notes = ["Swap among yourselves and tell the office.,,,,,", "Allowance 22 euros per evening.,,,,,"]
    docs.write("evening-duty-rota.csv", "\n".join(["week,from,to,who,reserve,remark", *rows, *notes]) + "\n")
    answer = answered(docs, f"who has evening duty in the week from {day(monday)}")
    assert answer.verdict == "complete" and "Per" in answer.text
    assert answered(docs, f"who has evening duty in the week from {day(weeks[5] + timedelta(days=7))}").verdict != "complete"


def test_a_swap_may_be_told_in_two_sentences_with_the_number_of_the_week_alone(docs: Following, monday: date) -> None:
    docs.write("watch.md", rota(monday))
    said = f"{monday - timedelta(days=4):%d.%m.} 15:22 Per: for your list: Zoe and I have swapped the watch. I do {week(monday)}, she does my {week(monday) + 2}"
    docs.write("chat.txt", f"#harbour\n\n{said}\n{monday - timedelta(days=3):%d.%m.} 08:00 Ida: {week(monday)} mugs are dirty\n")
    answer = answered(docs, "Who has the lamp phone this week?")
    assert answer.verdict == "partial" and "she does my" in answer.text and "mugs" not in answer.text


def test_a_month_without_its_year_is_the_one_to_come() -> None:
    assert read_rota_question("who has the lamp phone in february", date(2026, 11, 27)).day == date(2027, 2, 1)  # type: ignore[union-attr]
    assert read_rota_question("who had the lamp phone in february", date(2026, 11, 27)).day.year == 2026  # type: ignore[union-attr]


def test_of_a_month_all_rows_are_told_and_of_a_week_of_it_one(docs: Following) -> None:
    first = date(datetime.now(UTC).year, 3, 1)
    monday = first - timedelta(days=first.weekday())
    weeks = [monday + timedelta(days=7 * at) for at in range(-1, 7)]
    rows = "".join(f"| {of} | {who} |\n" for of, who in zip(weeks, "Ana Ben Zoe Per Ida Kit Mo Lu".split(), strict=True))
    docs.write("rota/ferry.md", f"# Ferry watch\n\n| From | Ferryman |\n|---|---|\n{rows}")
    answer = answered(docs, f"who is on ferry watch in March {first.year}")
    told = {who for who in "Ana Ben Zoe Per Ida Kit Mo Lu".split() if who in answer.text}
    assert answer.verdict == "partial" and {"Zoe", "Per", "Ida"} <= told and not told & {"Ana", "Lu"}, answer.text
    answer = answered(docs, "who is on ferry watch in the second week of march")
    assert answer.verdict != "complete"


def test_the_days_of_feasts_are_those_that_are_named() -> None:
    def day(question: str) -> date:
        asked = read_rota_question(f"who has the lamp phone {question}", date(2026, 11, 27))
        assert asked is not None
        return asked.day

    assert day("on christmas eve") == date(2026, 12, 24) and day("over christmas") == date(2026, 12, 25)
    assert day("on new year's day") == date(2027, 1, 1) and day("on new year's eve") == date(2026, 12, 31)
    assert read_rota_question("who has the lamp phone every monday", date(2026, 11, 27)) is None


def test_a_day_that_is_none_is_no_fault(docs: Following, monday: date) -> None:
    docs.write("watch.md", rota(monday))
    assert answered(docs, "who has the lamp phone on 31 feb?").verdict != "complete"


def test_a_cell_that_is_named_whole_tells_rows_apart(docs: Following) -> None:
    today = datetime.now(UTC).date()
    days = [today + timedelta(days=at) for at in range(-1, 4)]
    rows = "".join(f"{of:%d.%m.%Y};Tower {post};{who}\n" for of in days for post, who in (("A", "Hella"), ("B", "Ivo")))
    docs.write("pool-watch.csv", f"Day;Post;Guard\n{rows}")
    answer = answered(docs, "who is on tower a today")
    assert answer.verdict == "complete" and "Hella" in answer.text and "Ivo" not in answer.text
    assert "Ivo" in answered(docs, "who is on tower b tomorrow").text
    assert "Hella" in answered(docs, "pool watch tomorrow?").text


def test_rows_that_stand_in_several_passages_are_each_cited(docs: Following) -> None:
    today = datetime.now(UTC).date()
    days = [today + timedelta(days=at) for at in range(-150, 150)]
    rows = "".join(
        f"| {of:%Y-%m-%d} | {duty} | {WATCH[at % 4][duty == 'Door']} | {'to be told at the desk ' * 4}|\n"
        for at, of in enumerate(days)
        for duty in ("Phone", "Door")
    )
    docs.write("duties.md", f"# Duties of the house\n\n| Date | Duty | Person | Remark |\n|---|---|---|---|\n{rows}")
    answer = answered(docs, f"who has phone duty in {today:%B %Y}?")
    assert len(answer.citations) > 1
    assert all(f"[{number}]" in answer.text for number in range(1, len(answer.citations) + 1)), answer.text
    now = answered(docs, "who has door duty today?")
    assert WATCH[150 % 4][1] in now.text.partition("\n")[0]


def test_a_row_may_begin_on_the_last_day_that_there_is(docs: Following) -> None:
    rows = "".join(
        f"| 9999-12-{of} | {who} |\n" for of, who in ((10, "Ana Sol"), (17, "Zoe Tarn"), (24, "Ben Marsh"), (31, "Ana Sol"))
    )
    docs.write("watch.md", f"# Beacon watch\n\n| From | Watch |\n|---|---|\n{rows}")
    assert answered(docs, "who is on beacon watch today?").verdict != "complete"


def test_a_chat_line_of_the_last_day_that_there_is_is_of_no_row(docs: Following, monday: date) -> None:
    docs.write("watch.md", rota(monday))
    docs.write("chat.txt", "[9999-12-31 09:12] Zoe: I cannot have the lamp phone next week. Ben?\n[9999-12-31 09:14] Per: ok\n")
    answer = answered(docs, "Who has the lamp phone this week?")
    assert answer.verdict == "complete" and "Zoe Tarn" in answer.text, answer.text


DUTIES = """# Supervision rota 30 Nov - 11 Dec 2026

Printed 20 November. Swaps at the bottom.

| Day | Gate | Yard | Canteen |
|---|---|---|---|
| Mon 30/11/2026 | TR | WD, KO | JE |
| Tue 1/12/2026 | WD | TR, JE | KO |
| Wed 2/12/2026 (concert) | JE | KO, TR | WD |
| Thu 3/12/2026 | KO | JE, WD | TR |
| Fri 4/12/2026 | TR | KO, WD | JE |

Key: TR Tess Roe, WD Will Dorn, JE Jo Ebb, KO Kit Orr

Locking up in the evening: Bo Hale both weeks

## Swaps agreed

- Gate Mon 30 Nov 2026 <-> Wed 2 Dec 2026: Tess and Jo swap with each other
"""


@pytest.fixture(scope="module")
def supervision(tmp_path_factory):
    following = Following(tmp_path_factory.mktemp("supervision"))
    following.write("supervision.md", DUTIES)
    following.write(
        "chat.txt",
        "Export #site\n[Tue 24.11.2026 08:02] Will D: can anyone do my gate Tue 1/12/2026?\n"
        "[Tue 24.11.2026 08:40] Kit O: yes if you do mine on the 3rd\n[Tue 24.11.2026 08:41] Will D: DEAL\n"
        "[Wed 25.11.2026 10:00] Tess R: who took the good umbrella\n",
    )
    following.sync()
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    ("question", "verdict", "told"),
    [
        ("Who is on gate duty on Thursday 3 December 2026?", "partial", ["KO (Kit Orr)"]),  # a swap in the chat names it
        ("who is on yard duty on 4 december 2026", "complete", ["KO (Kit Orr), WD (Will Dorn)"]),
        ("Who is on gate duty on Wednesday 2 December 2026?", "partial", ["Tess and Jo swap", "JE (Jo Ebb)"]),
        ("who has the gate on 1 december 2026", "partial", ["can anyone do my gate", "yes if you do mine", "WD (Will Dorn)"]),
        ("Who is crewing the canteen hatch on Friday 4 December 2026?", "partial", ["JE (Jo Ebb)"]),
        ("Who is on gate duty on Monday 14 December 2026?", "none", ["nothing for 14 December 2026"]),
    ],
)
def test_a_day_with_a_note_letters_for_names_and_swaps_in_a_chat(
    supervision, question: str, verdict: str, told: list[str]
) -> None:
    answer = supervision.ask(question)
    text = answer.text.replace("\\", "")
    assert answer.verdict == verdict and all(one in text for one in told), text


def test_what_stands_below_the_table_of_duties_is_of_no_row(supervision) -> None:
    answer = supervision.ask("Who locks up in the evening in the week of 30 November 2026 to 4 December 2026?")
    assert answer.verdict != "complete" and "Bo Hale" in answer.text and "Roe" not in answer.text.partition("Bo Hale")[0]


def test_weeks_with_a_letter_and_a_mail_in_a_chat(tmp_path, monday: date) -> None:
    weeks = [monday + timedelta(days=7 * at) for at in (-1, 0, 1, 2)]
    rows = "".join(f"| W{week(of)} | {day(of)} | {who} | {other} |\n" for of, (who, other) in zip(weeks, WATCH, strict=True))
    following = Following(tmp_path)
    following.write("on-call.md", f"# On-call rota\n\n| Week | from | first | backup |\n|---|---|---|---|\n{rows}")
    stamp = monday - timedelta(days=3)
    following.write(
        "ops.txt",
        f"Export #ops\n[{stamp} 08:10] Ben: quiet so far\n[{stamp} 16:12] mailbot: >> ops@\n    From: Zoe Tarn\n"
        f"    Subject: swap W{week(weeks[1])} / W{week(weeks[3])}\n"
        f"    Hi, my sister is moving house. Lea and I have agreed to swap: she takes first in W{week(weeks[1])}.\n"
        f"[{stamp} 16:30] Ana: ok with me\n",
    )
    following.sync()
    told = following.ask(f"who is first on call this week (W{week(weeks[1])})")
    assert told.verdict == "partial" and "she takes first" in told.text and "Zoe Tarn" in told.text
    assert following.ask(f"who is first on call in W{week(weeks[2])}?").verdict == "complete"
    following.workspace.close()


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who is on lock-up on Wednesday 9 December 2026?", ["I do Sunday 6th if you take my lock-up on Wed 9th", "Rosa Quill"]),
        ("who locks up on 6 december 2026", ["can someone lock up for me Sun 6 Dec", "deal", "Gil Tav"]),
        ("who is in the shop on 29 november 2026", ["Pim does shop on the 29th", "Kit Ames"]),
    ],
)
def test_swaps_as_people_agree_on_them(tmp_path, question: str, told: list[str]) -> None:
    following = Following(tmp_path)
    days = [date(2026, 11, 27) + timedelta(days=at) for at in range(14)]
    people = {date(2026, 12, 9): "Rosa Quill", date(2026, 12, 6): "Gil Tav"}
    rows = "".join(f"{one},{people.get(one, 'Ines Par')},{'Kit Ames' if one.day == 29 else 'Del Orr'}\n" for one in days)
    following.write("rota.csv", f"Date,Lock_up,Shop\n{rows}")
    following.write(
        "chat.txt",
        "Front of house, export 2026-11-27\n--- 24 Nov ---\n[09:12] Gil: can someone lock up for me Sun 6 Dec? my niece is christened\n"
        "[09:31] Rosa: I do Sunday 6th if you take my lock-up on Wed 9th\n[09:32] Gil: deal!! thank you\n[12:47] Kit: Del any chance you could do shop "
        "this Sunday (29th)?\n[13:05] Pim: I could\n[13:06] Del: fine by me, Pim does shop on the 29th\n",
    )
    following.sync()
    answer = following.ask(question)
    text = answer.text.replace("\\", "")
    assert answer.verdict == "partial" and all(one in text for one in told), text
    following.workspace.close()


@pytest.mark.parametrize(
    "asked", ["extra money for being on call at night?", "on call allowance this week", "what do we get paid on call tonight"]
)
def test_what_is_paid_for_a_duty_is_not_who_is_on_it(asked: str) -> None:
    assert read_rota_question(asked, date(2026, 11, 27)) is None


@pytest.fixture
def shelter(tmp_path) -> Iterator[Following]:
    """A rota with a row for each part of a day and each area."""
    following = Following(tmp_path)
    people = ("Gil Tav", "Del Orr", "Rosa Quill", "Ines Par")
    rows = "".join(
        f"{one},{part},{area},{people[(one.day + 2 * at + other) % 4]}\n"
        for one in (date(2026, 11, 30) + timedelta(days=ahead) for ahead in range(14))
        for at, part in enumerate(("morning", "afternoon"))
        for other, area in enumerate(("dogs", "cats"))
    )
    following.write("rota-december.csv", f"date,shift,area,person\n{rows}")
    following.write(
        "chat.txt",
        "[26/11/2026 13:20] Del Orr: I can't do Wednesday the 9th in the morning, sorry\n"
        "[26/11/2026 13:26] Gil Tav: I'll take it if you take my Tuesday morning, the 8th\n[26/11/2026 13:27] Del Orr: deal!!\n"
        "[26/11/2026 19:02] Ines Par: 143 calendars sold so far\n",
    )
    following.sync()
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("Who is looking after the cats on the afternoon of Thursday 10 December 2026?", ("2026-12-10", "afternoon", "cats")),
        ("who is on dogs on thursday afternoon 10 december 2026", ("2026-12-10", "afternoon", "dogs")),
        ("who is on dogs on friday morning 4/12/2026", ("2026-12-04", "morning", "dogs")),
    ],
)
def test_a_part_of_a_day_has_a_row_of_its_own(shelter: Following, question: str, row: tuple[str, ...]) -> None:
    answer = shelter.ask(question)
    text = answer.text.replace("\\", "")
    assert answer.verdict == "complete" and all(one in text for one in row), text


def test_who_works_on_a_day_is_told_by_the_rota(shelter: Following) -> None:
    answer = shelter.ask("who is working on saturday 5/12/2026?")
    assert answer.verdict == "complete" and answer.text.startswith("**4 rows of this time**")


def test_what_somebody_cannot_do_is_told_with_the_replies(shelter: Following) -> None:
    answer = shelter.ask("who has the dogs on wednesday morning 9 december 2026")
    assert answer.verdict == "partial" and "I'll take it if you take" in answer.text and "deal" in answer.text
    assert "calendars" not in answer.text
    assert "my Tuesday morning" in shelter.ask("who has the dogs on tuesday morning 8 december 2026").text


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("who is on dogs on wednesday morning 9 december", date(2026, 12, 9)),
        ("who is on cats sunday the 6th", date(2026, 12, 6)),
        ("who is on cats on friday evening the 4th", date(2026, 12, 4)),
        ("who is on call on saturday night 5/12", date(2026, 12, 5)),
        ("who is on call 5/12?", date(2026, 12, 5)),
    ],
)
def test_a_date_says_more_than_the_weekday_before_it(text: str, day: date) -> None:
    asked = read_rota_question(text, date(2026, 11, 27))
    assert asked is not None and asked.day == day


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ("Zoe Tarn: I am ill all this week", True),
        ("Ida Brink: Zoe is on parental leave until {later}", True),
        ("Ben Marsh: I step in for Zoe this week", True),
        ("Ben Marsh: Zoe's lamp phone goes to me, from {day} on", True),
        ("Zoe Tarn: this week the new printer comes", False),
    ],
)
def test_what_people_write_of_a_turn_is_told_above_it(tmp_path, monday: date, said: str, is_told: bool) -> None:
    following = Following(tmp_path)
    following.write("beacon/rota.md", rota(monday))
    later = monday + timedelta(days=40)
    said = said.format(day=day(monday), later=f"{day(later)} {later.year}")
    following.write(
        "chat.txt", f"[{monday} 07:40] Ida Brink: good morning\n[{monday} 08:00] {said}\n[{monday} 08:05] Ida Brink: rain\n"
    )
    following.sync()
    answer = following.ask("Who has the lamp phone this week?")
    assert (answer.verdict == "partial") is is_told and ("Said elsewhere of this time" in answer.text) is is_told
    following.workspace.close()


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ("17/11/2026 13:10  Zoe: I'd like to be at home over Christmas. can someone take the phone?", True),
        ("17/11/2026 13:10  Zoe: can someone take the week of the 21st for me?", True),  # of the month after
        ("17/11/2026 13:10  Zoe: can someone take the cat on the 5th?", False),
    ],
)
def test_a_swap_is_known_by_the_remark_of_its_row_and_by_a_day_of_the_month_after(tmp_path, said: str, is_told: bool) -> None:
    following = Following(tmp_path)
    weeks = "".join(
        f"{date(2026, 11, 23) + timedelta(days=7 * at)},{name},Bo\n" for at, name in enumerate(("Ida", "Per", "Ana", "Ben"))
    )
    following.write(
        "rota.csv",
        f"week_start,primary,secondary,note\n{weeks.replace(',Bo', ',Bo,')}2026-12-21,Zoe,Bo,Christmas\n2026-12-28,Per,Ida,\n",
    )
    following.write("chat.txt", f"Pager chat\n\n{said}\n17/11/2026 13:20  Kit: ask me again tomorrow\n")
    following.sync()
    answer = following.ask("Who is primary on 22 December 2026?")
    assert (answer.verdict == "partial", "someone take" in answer.text) == (is_told, is_told), answer.text


def test_on_the_day_of_handing_over_it_is_the_next_one(docs: Following, monday: date) -> None:
    weeks = [monday + timedelta(days=7 * at) for at in range(4)]
    rows = [f"| {day(of)} | {day(of + timedelta(days=7))} | {who} |" for of, (who, _) in zip(weeks, WATCH, strict=True)]
    docs.write("rota.md", "\n".join(["# Rota of the ferry watch", "", "| From | To | Watch |", "|---|---|---|", *rows]) + "\n")
    told = answered(docs, f"Who has the ferry watch in the week from {day(weeks[1])}?")
    assert "Zoe Tarn" in told.text and "Ana Sol" not in told.text, told.text
    after = answered(docs, f"Who has the ferry watch in the week from {day(weeks[3] + timedelta(days=7))}?")
    assert after.verdict == "none" and "nothing for" in after.text, after.text


def test_a_duty_that_nobody_has_yet_may_be_filled_elsewhere(docs: Following, monday: date) -> None:
    weeks = [monday + timedelta(days=7 * at) for at in range(4)]
    who = ("Ida Holm | Bo Lund", "(not filled) | Per Dahl", "Per Dahl | Bo Lund", "Ida Holm | Per Dahl")
    rows = [f"| {day(of)} | {one} |" for of, one in zip(weeks, who, strict=True)]
    docs.write(
        "rota.md", "\n".join(["# Harbour rota", "", "| Week beginning | Crane | Duty manager |", "|---|---|---|", *rows]) + "\n"
    )
    question = f"Who is on the crane in the week of {day(weeks[1])}?"
    assert answered(docs, question).verdict == "partial"
    docs.write(
        "round.md",
        f"# Harbour round, 3 May 2026\n\nThe gap in the crane rota for the week of {day(weeks[1])} is filled: Zoe Tarn takes it.\n",
    )
    told = answered(docs, question)
    assert told.verdict == "partial" and told.text.startswith("Said elsewhere") and "Zoe Tarn" in told.text, told.text


@pytest.mark.parametrize(
    "question", ["Who is harbour manager now?", f"Has the new crane phone arrived on {day(datetime.now(UTC).date())}?"]
)
def test_another_role_than_that_of_a_column_is_not_told(docs: Following, monday: date, question: str) -> None:
    weeks = [monday + timedelta(days=7 * at) for at in range(-1, 3)]
    rows = [f"| {day(of)} | {one} |" for of, one in zip(weeks, ("Ida Holm", "Bo Lund", "Per Dahl", "Ida Holm"), strict=True)]
    docs.write("rota.md", "\n".join(["# Harbour crane rota", "", "| Week beginning | Duty manager |", "|---|---|", *rows]) + "\n")
    assert "Bo Lund" in answered(docs, "Who is duty manager now?").text
    assert answered(docs, question).verdict != "complete"


def test_a_table_with_a_column_for_each_day_of_the_week(tmp_path) -> None:
    following = Following(tmp_path)
    following.write(
        "phone.md",
        "# Support phone\n\n| Mon | Tue | Wed | Thu | Fri |\n|---|---|---|---|---|\n| Ines | Yusuf | Ines | Callum | Ines, to 13:00 |\n",
    )
    following.write("hours.md", "# Opening hours\n\nOn Thursdays the shop is open until eight.\n")
    following.sync()
    for question in ("Who has the support phone on Thursdays?", "Who has the support phone on Thursday?"):
        answer = following.ask(question)
        assert answer.text.startswith("**Thu: Callum** [1]"), answer.text
    assert "Yusuf" in following.ask("Who has the support phone on Tuesdays?").text.splitlines()[0]
    assert "Callum" not in following.ask("Who has the support phone on Saturdays?").text.splitlines()[0]
    following.workspace.close()


def test_a_rota_of_dates_says_nothing_of_every_thursday(tmp_path) -> None:
    following = Following(tmp_path)
    rows = "".join(
        f"| {(date(2099, 11, 2) + timedelta(days=at)).isoformat()} | {who} |\n"
        for at, who in enumerate(["Ana Sol", "Ben Marsh"] * 5)
    )
    following.write("rota.md", f"# Desk rota\n\n| Day | Desk |\n|---|---|\n{rows}")
    following.sync()
    assert following.ask("Who has the desk on Thursdays?").verdict != "complete"
    following.workspace.close()


@pytest.mark.parametrize("question", ["Who is working today?", "who is on shift today", "Who has the duty phone today?"])
def test_who_has_the_pager_need_not_be_who_works(docs: Following, monday: date, question: str) -> None:
    rows = "\n".join(
        f"{monday + timedelta(days=7 * at)},{monday + timedelta(days=7 * at + 7)},{who}"
        for at, who in enumerate(("Ana Sol", "Ben Marsh"))
    )
    docs.write("operations/rota.csv", f"week_from,week_to,first_line\n{rows}\n")
    assert answered(docs, "who is on call today").verdict == "complete"
    assert answered(docs, question).verdict != "complete"


@pytest.mark.parametrize("begun", range(7))
def test_two_rows_that_say_their_last_day_are_a_rota_on_every_day_of_the_week(docs: Following, begun: int) -> None:
    first = datetime.now(UTC).date() - timedelta(days=begun)
    rows = "\n".join(
        f"{first + timedelta(days=7 * at)},{first + timedelta(days=7 * at + 7)},{who}" for at, who in enumerate(("Ana", "Ben"))
    )
    docs.write("operations/rota.csv", f"from,to,first_line\n{rows}\n")
    found = answered(docs, "who is on call today")
    assert found.verdict == "complete"
    assert "Ana" in found.text and "Ben" not in found.text


def test_a_list_with_a_day_in_it_is_no_rota(docs: Following) -> None:
    docs.write("staff.csv", "name,role,started\nJonah Tredwick,backend,2026-09-01\nIda Holm,frontend,2020-01-01\n")
    assert answered(docs, "Who was on call on 1 September 2026?").verdict != "complete"


def test_the_rotas_of_two_sources_are_both_told(tmp_path, monday: date) -> None:
    following = Following(tmp_path)
    following.write("watch.md", rota(monday))
    following.sync()
    other = tmp_path / "other"
    other.mkdir()
    (other / "watch.md").write_text(rota(monday).replace("Zoe Tarn", "Ida Holm").replace("Ana Sol", "Bo Lund"))
    added = following.sources.add("folder", "Lighthouse", {"path": str(other)})
    sync(following.workspace, following.sources, following.sources.get(added.id))
    answer = following.ask("Who has the watch this week?")
    assert answer.verdict != "complete" and "Zoe Tarn" in answer.text and "Ida Holm" in answer.text
    assert "Docs:" in answer.text and "Lighthouse:" in answer.text
    following.workspace.close()
