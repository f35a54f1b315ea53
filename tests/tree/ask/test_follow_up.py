"""Follow-ups: they narrow the set before them, or leave out the name that the chat gave, and are answered as things are now."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ingestion.sync import sync
from prompts.extractive import ExtractiveReader
from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered
from tests.tree.ask.ticket_rows import OTHER, Tickets, open_site
from tree.accounts.principal import OPERATOR
from tree.ask.ask import Earlier
from tree.ask.several import as_earlier
from tree.ask.snapshot.answer import Answer
from tree.ask.snapshot.snapshot import open_snapshot
from tree.ask.understanding.lead_passage import may_mean_another
from tree.ask.understanding.understand import IN_FULL, understand


class Chat:
    """Somebody who asks one question after the other, of some sources."""

    def __init__(self, site: Following, sources: list[str]) -> None:
        self.site, self.sources, self.earlier = site, sources, []

    def ask(self, question: str) -> Answer:
        answer = self.site.ask(question, earlier=self.earlier, sources=self.sources)
        places, leaves = zip(*((one.place, one.leaf) for one in answer.citations), strict=True) if answer.citations else ((), ())
        self.earlier.append(Earlier(question, places, answer.text, leaves))
        return answer


def keys(answer: Answer) -> list[str]:
    return sorted(citation.title.split()[0] for citation in answer.citations)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """That no test changes."""
    following = open_site(tmp_path_factory.mktemp("site"))
    yield following
    following.workspace.close()


@pytest.fixture
def changing_site(tmp_path):
    following = open_site(tmp_path)
    yield following
    following.workspace.close()


@pytest.fixture
def chat(site):
    return Chat(site, [site.source.id, site.people.id])


@pytest.mark.parametrize(
    ("questions", "lead", "found"),
    [
        (["Which bugs are open?", "which of them are high priority?"], "Of the 3 open bugs, **2** (priority high)", ["GWY-1", "GWY-4"]),
        (["Which bugs are open?", "and of Team Quay?"], "Of the 3 open bugs, **2** (of Team Quay)", ["GWY-1", "GWY-3"]),
        (["Which bugs are open?", "and of Team Quay?", "and of Team Shore?"], "Of the 3 open bugs, **1** (of Team Shore)", ["GWY-4"]),
        (["Which bugs are there?", "which of them?", "how many bugs are there?", "how many of those were closed in May?"],
         "Of the 4 bugs, **1** (resolved in May)", ["GWY-2"]),
        (["Which bugs are open?", "how many are unassigned?"], "Of the 3 open bugs, **1** (assigned to nobody)", ["GWY-4"]),
        (["Which bugs are open?", "how many are unassigned?", "and the others?"], "Of the 3 open bugs, **2** (assigned to somebody)", ["GWY-1", "GWY-3"]),
        (["Which bugs are open?", "and stories?"], "Of the 4 open tickets, **1** (story)", ["GWY-5"]),
        (["Which bugs are open?", "which of them are high priority?", "only the unassigned ones"], "Of the 2 open bugs", ["GWY-4"]),
        (["Which bugs are open?", "who is assigned to GWY-2?", "which of them are in Turnstile?"], "Of the 3 open bugs, **2**", ["GWY-1", "GWY-3"]),
        (["Which tickets were created in May 2026?", "and in June?"], "**2 of 5 tickets** (created in June)", ["GWY-4", "GWY-5"]),
        (["Which bugs are open?", "which of them are in status Done?", "which of them are in Turnstile?"], "Of the 3 open bugs, **2**", ["GWY-1", "GWY-3"]),
        (["Who has the most open tickets?", "which ones?"], "Of the 2 open tickets", ["GWY-3", "GWY-5"]),
    ],
)  # fmt: skip
def test_a_follow_up_narrows_the_set_before_it_and_says_which(chat, questions, lead, found) -> None:
    answer = [chat.ask(question) for question in questions][-1]
    assert (answer.verdict, keys(answer)) == ("complete", found), answer.text
    assert answer.text.replace("\\", "").startswith(lead)
    assert answer.trail[0].kind == "chat"


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("How many tickets are there per status?", "**5 of 5 tickets**:"),
        ("How many open tickets are there per component?", "**4 of 5 tickets** (open):"),
        ("How many bugs were there per assignee?", "**4 of 5 tickets** (bug):"),
    ],
)
def test_a_question_for_all_there_are_is_not_narrowed_to_what_the_chat_named(chat, question, lead) -> None:
    chat.ask("Who is assigned to GWY-1?")
    answer = chat.ask(question)
    assert answer.verdict == "complete" and answer.text.startswith(lead)


@pytest.mark.parametrize(
    ("questions", "lead"),
    [
        (["How many tickets are there per status?", "as a pie chart"], "**5 of 5 tickets**:"),
        (["How many tickets are there per status?", "can you show me that in a graph please?"], "**5 of 5 tickets**:"),
        (["How many tickets are there per status?", "as a chart", "and now as a bar chart"], "**5 of 5 tickets**:"),
        (["Which bugs are open?", "how many per component?", "draw it"], "The 3 open bugs by component:"),
    ],
)
def test_a_chart_is_of_what_was_answered_before(chat, questions, lead) -> None:
    answer = [chat.ask(question) for question in questions][-1]
    assert answer.verdict == "complete" and answer.chart is not None and answer.text.startswith(lead)
    assert not answer.notes


def test_what_has_no_numbers_is_answered_again_and_that_is_said(chat) -> None:
    before = chat.ask("Who is assigned to GWY-1?")
    answer = chat.ask("show me as a chart")
    assert (answer.text, answer.chart) == (before.text, None)
    assert answer.notes == ("There are no numbers in it that can be drawn as a chart.",)


def test_a_chart_of_a_table_is_drawn_for_what_was_asked_of_it(changing_site) -> None:
    changing_site.write("guests.csv", "Partner,Country,Guests\nElbufer,Germany,40\nJanelas,Portugal,71\nFosshotel,Iceland,26\n")
    changing_site.sync()
    chat = Chat(changing_site, [changing_site.source.id])
    assert chat.ask("What are the guests of guests.csv?").chart is None
    answer = chat.ask("as a chart")
    assert answer.chart is not None and answer.chart.series[0].values == (40, 71, 26)


def test_nor_is_it_read_as_one_for_what_was_asked_of_that(chat) -> None:
    chat.ask("Who is assigned to GWY-1?")
    assert "assignee" not in chat.ask("Which tickets are there?").text


def test_who_has_the_most_of_them(chat) -> None:
    chat.ask("Which bugs are there?")
    answer = chat.ask("who has the most of them?")
    assert answer.text.startswith("Of the 4 bugs: **Maren Oduya** with 2 tickets.")
    assert chat.ask("and the fewest?").text.startswith("Of the 4 bugs: **Tomas Reyl** with 1 ticket.")


@pytest.mark.parametrize(
    "question",
    [
        "which of them are about the radio?",
        "which of them are not not open?",
        "which of them hardly matter?",
        "why are they open?",
    ],
)
def test_what_cannot_be_understood_as_narrowing_is_left_to_the_walk(chat, question) -> None:
    chat.ask("Which bugs are open?")
    assert "register" not in [step.kind for step in chat.ask(question).trail]


def test_when_they_were_created_is_told_of_each(chat) -> None:
    chat.ask("Which bugs are open?")
    answer = chat.ask("when were they created?")
    assert "- **3 May 2026**: GWY" in answer.text and keys(answer) == ["GWY-1", "GWY-3", "GWY-4"]


@pytest.mark.parametrize("before", ["Which bugs are open?", "What is the status of GWY-1?"])
@pytest.mark.parametrize(
    "question", ["what changed since Monday", "what changed today", "What's new today?", "what has changed this week?"]
)
def test_what_changed_is_asked_of_everything_whatever_was_asked_before(chat, before, question) -> None:
    chat.ask(before)
    assert "since the sources were read first" in (answer := chat.ask(question)).text or "No changes" in answer.text
    assert "bug" not in answer.text and "status of" not in answer.text


def test_a_whole_question_after_a_set_is_one_of_its_own(chat) -> None:
    chat.ask("Which bugs are open?")
    assert chat.ask("Which tickets are assigned to Tomas Reyl?").text.startswith("**2 of 5 tickets**")
    assert chat.ask("And which tickets are unassigned?").text.startswith("**1 of 5 tickets**")


def test_the_set_before_is_found_anew(changing_site) -> None:
    chat = Chat(changing_site, [changing_site.source.id, changing_site.people.id])
    assert keys(chat.ask("Which bugs are open?")) == ["GWY-1", "GWY-3", "GWY-4"]
    changing_site.tickets.rows[0] = (
        "GWY-1",
        "Gate scanner freezes",
        "Bug",
        "Done",
        "Maren Oduya",
        "High",
        "Turnstile",
        "2026-05-03",
        "2026-06-09",
    )
    changing_site.tickets.rows[4] = ("GWY-5", "Show the berth", "Bug", "To Do", "Tomas Reyl", "High", "", "2026-06-07", "")
    changing_site.sync(connector=changing_site.tickets)
    answer = chat.ask("which of them are high priority?")
    assert answer.text.startswith("Of the 3 open bugs, **2**")
    assert keys(answer) == ["GWY-4", "GWY-5"]


def test_two_people_narrow_what_each_of_them_may_see(changing_site) -> None:
    chat = Chat(changing_site, [changing_site.source.id, changing_site.people.id])
    other = changing_site.sources.add("folder", "Operations", {"path": str(changing_site.folder)})

    sync(changing_site.workspace, changing_site.sources, other, None, connector=Tickets(list(OTHER)))
    everything, little = Chat(changing_site, [changing_site.source.id, other.id]), Chat(changing_site, [changing_site.source.id])
    for chat in (everything, little):
        chat.ask("Which bugs are open?")
    assert keys(everything.ask("which of them are high priority?")) == ["GWY-1", "GWY-4", "OPS-1"]
    assert keys(little.ask("which of them are high priority?")) == ["GWY-1", "GWY-4"]
    assert "Pumps" not in little.ask("and in Pumps?").text.replace("in Pumps", "")


# ---------------------------------------------------------------- one thing


@pytest.mark.parametrize(
    ("questions", "lead"),
    [
        (["Who is assigned to GWY-1?", "and GWY-3?"], "**Tomas Reyl**, assignee of GWY-3"),
        (["Who is assigned to GWY-1?", "what is its status?"], "**In Progress**, status of GWY-1"),
        (["Who is assigned to GWY-1?", "and since when?"], "**Maren Oduya** since it was created, 3 May 2026"),
        (["Who is assigned to GWY-1?", "what else is she working on?"], "**1 of 5 tickets** (assignee Maren Oduya, open)"),
        (["Which component is GWY-1 in?", "who owns it?"], "**Team Quay**"),
        (["Who owns Turnstile?", "and Tide Store?"], "**Team Shore**"),
        (["Who owns Turnstile?", "who leads it?"], "**Solveig Marsh**"),
    ],
)
def test_a_follow_up_may_leave_out_the_name(chat, questions, lead) -> None:
    answer = [chat.ask(question) for question in questions][-1]
    assert answer.text.replace("\\", "").startswith(lead)
    assert answer.verdict == "complete" and answer.trail[0].kind == "chat"


def test_whom_she_means_is_looked_up_now(changing_site) -> None:
    chat = Chat(changing_site, [changing_site.source.id, changing_site.people.id])
    chat.ask("Who is assigned to GWY-1?")
    changing_site.tickets.rows[0] = (
        "GWY-1",
        "Gate scanner freezes",
        "Bug",
        "In Progress",
        "Ines Falk",
        "High",
        "Turnstile",
        "2026-05-03",
        "",
    )
    changing_site.sync(connector=changing_site.tickets)
    assert "assignee Ines Falk" in chat.ask("what else is she working on?").text


def test_of_two_that_were_named_none_is_guessed(chat) -> None:
    chat.ask("Did Maren Oduya and Tomas Reyl talk about the ramp?")
    assert "register" not in [step.kind for step in chat.ask("what is he working on?").trail]


@pytest.mark.parametrize(
    ("head", "lead", "verdict"),
    [
        ("Contact: Ines Varga, desk 3\n\n", "**Ines Varga, desk 3**", "complete"),
        ("---\nmaintainer: Ines Varga\n---\n\n", "**Ines Varga** (maintainer), Kiln", "complete"),
        ("Written by: Oto Brandt, 3 May 2026\n\n", "**Oto Brandt, 3 May 2026** (written by), Kiln", "partial"),
        ("", "", "none"),
    ],
)
def test_whom_to_ask_is_who_the_document_before_names(tmp_path, head, lead, verdict) -> None:
    docs = Following(tmp_path)
    front, _, _ = head.partition("\n\n") if head.startswith("---") else ("", "", "")
    top = f"{front}\n\n# Kiln\n\n" if front else f"# Kiln\n\n{head}"
    docs.write("kiln.md", top + "The kiln is fired at 1,180 degrees for nine hours.\n")
    docs.write("glaze.md", "# Glaze\n\nOwner: Piet Moran\n\nThe glaze is mixed on Mondays.\n")
    docs.sync()
    chat = Chat(docs, [docs.source.id])
    assert "1,180" in chat.ask("How hot is the kiln fired?").text
    answer = chat.ask("Who do I ask about it?")
    assert "Piet" not in answer.text.split("\n")[0]
    assert (answer.text.startswith(lead) and answer.verdict == verdict) if lead else answer.verdict != "complete"
    docs.workspace.close()


def test_why_tells_a_cause_before_a_remedy(tmp_path) -> None:
    docs = Following(tmp_path)
    docs.write(
        "bell.md",
        "# The bell rings at night\n\nEvery night the bell rings twice.\n\n## Notes\n\nTurn the bell off at the fuse until the bell is mended.\n\n"
        "The bell shares its wire with the gate, and the gate tests itself at two in the night.\n",
    )
    docs.sync()
    text = docs.ask("Why does the bell ring at night?").text
    assert "shares its wire" in text and text.find("shares its wire") < (text.find("Turn the bell off") % 10_000)
    docs.workspace.close()


@pytest.mark.parametrize(
    ("question", "lead", "found"),
    [
        ("Which tickets are in component Tide Store or assigned to Tomas Reyl?", "**4 of 5 tickets**", ["GWY-2", "GWY-3", "GWY-4", "GWY-5"]),
        ("Which open tickets are in Tide Store or assigned to Tomas Reyl?", "**3 of 5 tickets**", ["GWY-3", "GWY-4", "GWY-5"]),
        ("Which bugs have low priority or are assigned to Maren Oduya?", "**3 of 5 tickets**", ["GWY-1", "GWY-2", "GWY-3"]),
        ("Which tickets are in Turnstile or Tide Store?", "**4 of 5 tickets**", ["GWY-1", "GWY-2", "GWY-3", "GWY-4"]),
    ],
)  # fmt: skip
def test_one_of_two_conditions_is_enough_where_or_joins_them(chat, question, lead, found) -> None:
    answer = chat.ask(question)
    assert answer.text.startswith(lead) and keys(answer) == found and answer.verdict == "complete"


@pytest.mark.parametrize(
    "question",
    ["Which tickets are in Turnstile or unassigned?", "Which tickets are not in Turnstile or assigned to Tomas Reyl?"],
)
def test_a_choice_that_is_not_understood_is_left_to_the_walk(chat, question) -> None:
    assert chat.ask(question).verdict != "complete"


class Counting:
    """An index that counts how often it is asked what words weigh, once for each turn that is put in full."""

    def __init__(self, index) -> None:
        self.index, self.asked = index, 0

    def __getattr__(self, name):
        return getattr(self.index, name)

    def weights(self, *args):
        self.asked += 1
        return self.index.weights(*args)


def test_of_a_long_chat_only_the_turns_that_can_be_leaned_on_are_put_in_full(tmp_path) -> None:
    following = Following(tmp_path)
    following.write("pump.md", "# Pump\n\nThe pump is green.\n")
    following.sync()
    snapshot = open_snapshot(following.workspace, OPERATOR)
    asked = []
    for turns in (20, 60):
        index = Counting(snapshot.index)
        earlier = [Earlier(f"What is pump {number}?", (), "", ()) for number in range(turns)]
        understand(replace(snapshot, index=index), ExtractiveReader(), "And what colour is it?", earlier)
        asked.append(index.asked)
    assert asked[0] == asked[1] >= IN_FULL
    following.workspace.close()


FLOOD = """# Report on the flood

The pump stopped at night and the cellar was full of water.

The insurance paid nothing, because the door was open.

## Visits

Visits to the lower lock are forbidden from March to May, because the herons breed there.
"""


@pytest.mark.parametrize(
    ("before", "question", "said"),
    [
        ("what happened to the cellar when the pump stopped?", "and did the insurance chip in?", "paid nothing"),
        ("are visits to the lower lock forbidden in april?", "how come?", "herons breed"),
        ("are visits to the lower lock forbidden in april?", "why?", "herons breed"),
    ],
)
def test_what_leans_on_an_answer_is_asked_of_what_that_was_taken_from(
    docs: Following, before: str, question: str, said: str
) -> None:
    docs.write("flood.md", FLOOD)
    docs.write("tea.md", "# Tea\n\nThe chip shop brings tea because people come late.\n")
    first = answered(docs, before)
    answer = docs.ask(question, earlier=[as_earlier(first)])
    first_passage = answer.text.removeprefix("Passages that may help:").strip().split("\n\n")[0]
    assert answer.verdict != "none" and said in first_passage, answer.text
    assert any("what that was answered from is read for it" in step.reason for step in answer.trail)


def test_a_question_that_stands_by_itself_is_asked_of_everything(docs: Following) -> None:
    docs.write("flood.md", FLOOD)
    docs.write("tea.md", "# Tea\n\nThe tea kettle of the lock house is kept in the tower.\n")
    first = answered(docs, "are visits to the lower lock forbidden in april?")
    answer = docs.ask("where is the tea kettle of the lock house kept?", earlier=[as_earlier(first)])
    assert "tower" in answer.text and not any("is read for it" in step.reason for step in answer.trail)


HALLS = "no,hall,rent_month_eur,end,owner\n1,Upper hall,900,2028-12-31,Ida Holm\n2,Lower hall,400,2027-06-30,Per Lund\n"


@pytest.mark.parametrize("first", ["what is the rent of the Upper hall?", "which hall has the highest rent?"])
@pytest.mark.parametrize("question", ["and how long are we bound?", "und bis wann sind wir gebunden?", "and whose is it?"])
def test_the_row_that_was_answered_from_is_told_to_what_leans_on_it(docs: Following, first: str, question: str) -> None:
    docs.write("halls.csv", HALLS)
    docs.write("tea.md", "# Tea\n\nTea is brought at four.\n")
    before = answered(docs, first)
    answer = docs.ask(question, earlier=[as_earlier(before)])
    assert before.verdict == "complete" and "900" in before.text
    told = answer.text.partition("Passages")[0]
    assert "Ida Holm" in told and "31 December 2028" in told and "Per Lund" not in told, answer.text


def test_a_row_is_told_to_nothing_that_stands_by_itself(docs: Following) -> None:
    docs.write("halls.csv", HALLS)
    docs.write("tea.md", "# Tea\n\nTea is brought at four to the harbour office.\n")
    before = answered(docs, "what is the rent of the Upper hall?")
    assert "900" not in docs.ask("when is tea brought to the harbour office?", earlier=[as_earlier(before)]).text


def test_nothing_is_called_answered_of_what_it_may_not_mean(docs: Following) -> None:
    question, passages = "who takes care of that?", "Passages that may help:\n\nThe second lamp is there since May. [1]"
    assert may_mean_another(question, passages) and not may_mean_another(question, "**Ida Holm**, lead of Lamps [1]")
    assert not may_mean_another("what does she do?", passages)
