"""Rows that a question may mean: a guess that is told as one, above the passages, with what was not understood."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered
from tree.ask.facts.likely_rows import MOST_ROWS

BOATS = """hull,boat,class,berth,state,survey,rent eur
H-1,Grey Heron,sloop,Oster,afloat,2026-12-04,900
H-2,Marsh Tern,sloop,Hove,ashore,2027-03-09,1150
H-3,Little Auk,dinghy,Oster,afloat,2026-12-18,210
H-4,Snipe,dinghy,Hove,afloat,2027-01-20,
H-5,Old Dunlin,ketch,Hove,sold,2026-06-01,1800
H-6,Ruff,sloop,Oster,afloat,2027-05-05,980
"""
PIERS = """# Piers

| Pier | Warden | Extension | Opens |
| --- | --- | --- | --- |
| North pier | Ines Falk | 412 | 06:30 |
| Long mole | Tomas Reyl | 418 | 08:00 |
| Fish quay | Maren Oduya | 431 | 05:00 |
"""


@pytest.fixture(scope="module")
def harbour(tmp_path_factory):
    following = Following(tmp_path_factory.mktemp("harbour"))
    following.write("lists/season.csv", BOATS)
    following.write("piers.md", PIERS)
    following.write(
        "notes/winter.md", "# Winter\n\nThe slipway is salted by hand. Nobody sleeps aboard between January and March.\n"
    )
    following.sync()
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("what extension do i ring at the mole", ["**418**", "Long mole"]),
        ("afloat sloops at oster", ["2 of 6 rows of season.csv", "H-1", "H-6"]),
        ("boats with a survey in december", ["2 of 6", "H-1", "H-3"]),
        ("boats that have no rent in the list yet", ["H-4"]),
    ],
)
def test_the_rows_are_told_above_the_passages(harbour, question, told) -> None:
    answer = harbour.ask(question)
    text = answer.text.replace("\\", "")
    assert answer.verdict == "partial"
    assert all(one in text.split("Passages that may help")[0] for one in told), text


@pytest.mark.parametrize(
    "question",
    [
        "who painted the tern",  # nobody stands in the row
        "what does a mooring for the auk cost at the fish quay on sundays",  # of another thing
        "which of those are at hove",  # of what was said before
        "why is the tern ashore",
        "how do i rent the tern",
        "which boats are not at hove but were last year",
        "where is the Grand Pier Hotel",
    ],
)
def test_what_no_row_answers_is_not_told_from_one(harbour, question) -> None:
    assert all(step.kind != "register" for step in harbour.ask(question).trail)


def test_a_row_is_not_shown_again_as_a_passage(harbour) -> None:
    text = harbour.ask("what extension do i ring at the mole").text.replace("\\", "")
    assert text.count("Tomas Reyl") == 1


def test_what_was_not_understood_is_said(harbour) -> None:
    text = harbour.ask("which sloops at oster are leaking").text
    assert "Not understood: “leaking”" in text


def test_whether_something_is_so_is_told_by_passages_before_rows_that_may_be_meant(tmp_path) -> None:
    following = Following(tmp_path)
    following.write("season.csv", BOATS)
    following.write("sloops.md", "# Sloops\n\nThe sloops at Oster are leaking since the storm, says the warden.\n")
    following.write("winter.md", "# Winter\n\nThe slipway at Oster is salted by hand. Sloops are put ashore.\n")
    following.sync()
    answer = following.ask("are the afloat sloops at oster leaking")
    rows, passage, more = (answer.text.find(said) for said in ("2 of 6 rows", "since the storm", "More passages:"))
    assert answer.verdict == "partial" and 0 <= passage < rows and (more < 0 or rows < more), answer.text


@pytest.mark.parametrize(("name", "noun"), [("Reklamationen", "complaints"), ("Lieferanten", "suppliers")])
def test_a_register_with_a_german_name_is_asked_in_english(tmp_path, name, noun) -> None:
    following = Following(tmp_path)
    following.write(f"{name}.csv", "no,shop,state\nA-1,Hove,open\nA-2,Oster,open\nA-3,Hove,closed\n")
    following.sync()
    answer = following.ask(f"how many {noun} are open?")
    assert answer.verdict == "complete" and answer.text.startswith(f"**2 of 3 {noun}")
    following.workspace.close()


def test_a_negation_without_its_apostrophe_is_not_dropped(harbour) -> None:
    assert any(step.kind == "register" for step in harbour.ask("afloat sloops at oster").trail)
    assert all(step.kind != "register" for step in harbour.ask("afloat sloops at oster that arent painted").trail)


def test_a_table_of_too_many_rows_is_not_looked_through(tmp_path) -> None:
    following = Following(tmp_path)
    rows = "".join(f"S-{number},Sail {number},{number % 7} m\n" for number in range(MOST_ROWS + 1))
    following.write("sails.csv", f"code,sail,width\n{rows}")
    following.sync()
    assert all(step.kind != "register" for step in following.ask("the width of this old sail 77, approximately?").trail)
    following.workspace.close()


def test_who_is_asked_for_by_a_column_has_something_in_it(docs: Following) -> None:
    others = "".join(f"Worker {at},{'AC'[at % 2]},2026-0{at + 1}-04,\n" for at in range(8))
    rows = "Ida Holm,B,2026-02-11,\nPer Lund,B,,2026-03-01\nLea Brun,B,2026-09-03,\n"
    docs.write("training.csv", f"name,line,hand soldering,first aid\n{rows}{others}")
    answer = answered(docs, "who on line b is trained for hand soldering")
    told = answer.text.partition("Passages")[0]
    assert answer.verdict == "partial" and "2 of 11 rows" in told, answer.text
    assert "Ida Holm" in told and "Lea Brun" in told and "Per Lund" not in told


TOUR = """date,town,venue,show
2027-03-18,Aldersea,Fish hall,20:00
2027-03-19,Aldersea,Fish hall,20:00
2027-04-03,Kirk Hallow,Town hall,19:30
2027-04-15,Penmore,Institute,19:30
2027-04-16,Stow,Chapel,19:30
"""


def test_a_place_that_is_named_whole_leads_to_its_rows(docs: Following) -> None:
    docs.write("tours/tour.csv", TOUR)
    answer = answered(docs, "when are we performing in aldersea")
    assert answer.verdict == "partial"
    rows = answer.text.partition("Passages that may help")[0]
    assert "2027\\-03\\-18" in rows and "2027\\-03\\-19" in rows and "Penmore" not in rows
    assert "performing" in answer.text.partition("Not understood")[2]
    assert "Kirk Hallow" in answered(docs, "when do we act in Kirk Hallow?").text
    assert answered(docs, "which hotel do we stay at in aldersea").verdict == "none"


def test_rows_that_are_over_tell_nothing_of_the_next_time_and_a_verb_is_no_name(tmp_path) -> None:
    following = Following(tmp_path)
    following.write(
        "rota.csv",
        "day,course,tutor,note\n2026-01-05,Sign painting,Ada Holm,Failover rehearsal in the evening\n2026-01-12,Knots,Per Lund,\n2026-01-19,Sails,Ida Brink,\n",
    )
    following.write(
        "plan.md", "# Plan\n\nThe failover rehearsal takes an hour. Registration for the spring courses opens in January.\n"
    )
    following.sync()
    assert not following.ask("When is the next failover rehearsal?").text.startswith("day:")
    assert not following.ask("when can I sign up for spring").text.startswith("day:")
    following.workspace.close()


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How much is a mast lamp?", ("mast lamp", "12.50", "31.00")),
        ("What do mast lamps cost?", ("mast lamp", "12.50", "31.00")),
        ("On which shelf are the mast lamps?", ("mast lamp", "A1", "B3")),
    ],
)
def test_what_is_asked_of_a_kind_of_thing_is_told_of_all_that_are_called_so(docs: Following, question: str, told) -> None:
    docs.write(
        "stock.csv",
        "part,description,left,price eur,shelf\nQ-1,Mast lamp 10 W,4,12.50,A1\nQ-2,Mast lamp 40 W,2,31.00,B3\nQ-3,Cleat,9,3.20,A1\n"
        "Q-4,Bilge pump,1,88.00,C1\nQ-5,Fender,6,17.00,B3\nQ-6,Mast step,1,140.00,C2\n",
    )
    docs.write("complaints.csv", "no,subject,cost eur\n1,two mast lamps dead after three months,40\n2,wet sails,0\n3,late,10\n")
    answer = answered(docs, question)
    assert answer.verdict == "partial"
    assert answer.text.startswith("**2 of 6") and all(one in answer.text for one in told), answer.text


STAFF = "name,role,base,joined\n" + "".join(
    f"{name},{role},{base},20{20 + at}-0{at % 8 + 1}\n"
    for at, (name, role, base) in enumerate(
        [
            ("Ines Falk", "fitter", "Arden"),
            ("Tomas Reyl", "clerk", "Arden"),
            ("Ida Holm", "cook", "Remote"),
            ("Per Lund", "rigger", "Arden"),
        ]
    )
)
HOSTS = "host,system,patched\npike-1,Tarn 12,2026-11-10\npike-2,Tarn 11,2026-07-04\nperch-1,Tarn 11,2026-08-09\nperch-2,Tarn 12,2026-11-11\n"


def test_most_rows_are_told_where_all_of_the_question_is_understood(docs: Following) -> None:
    docs.write("staff-list.csv", STAFF)
    answer = answered(docs, "Who is based in Arden?")
    assert answer.text.startswith("**3 of 4 rows") and "Ida" not in answer.text.split("Passages")[0]
    assert "Ida Holm" in answered(docs, "Who works remotely?").text
    counted = answered(docs, "How many people on the staff list are based in Arden?")
    assert counted.text.startswith("**3 of 4 rows"), counted.text


def test_a_cell_of_two_words_is_chosen_whole(docs: Following) -> None:
    docs.write("hosts.csv", HOSTS)
    answer = answered(docs, "Which hosts run Tarn 11?")
    assert answer.text.startswith("**2 of 4"), answer.text
    assert "pike\\-2" in answer.text and "perch\\-1" in answer.text.split("Passages")[0]
