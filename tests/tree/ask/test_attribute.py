"""Questions for one thing that is stated of another: answered from the fact that says it, or left to the walk."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from random import Random

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered
from tests.tree.retrieve.fact_tables import indexed, ticket
from tree.ask.facts import attribute
from tree.ask.facts.attribute import find_attribute
from tree.ask.facts.collection_question import read_collections
from tree.ask.facts.described_thing import MOST_MEANT
from tree.ask.facts.fact_question import read_set_question
from tree.retrieve.fact_index import FactIndex, StoredFact
from tree.retrieve.names import Names
from tree.retrieve.text_facts import table_key
from tree.store.leaves import Entity, Fact


def table(caption: str, header: tuple[str, ...], *rows: tuple[str, ...]) -> list[Fact]:
    return [
        Fact(
            Entity("row", row[0], row[0]),
            column,
            value,
            0,
            0,
            None,
            "",
            "",
            caption,
            number,
            table_key([caption], header[0], header),
        )
        for number, row in enumerate(rows, 1)
        for column, value in zip(header, row, strict=True)
    ]


FACTS = indexed(
    {
        "s/ports": table("Ports and their radios", ("Port", "Berths", "Radios until May", "now"), ("Fenwick", "3", "8", "10"), ("Oster", "1", "5", "8")),
        "s/boats": table("Boats", ("Boat", "Lane metres", "Crossing"), ("Plover", "54", "35 min"), ("Dunlin", "80", "1 h 50")),
        "s/troubles": table("Troubles", ("Boat", "Usual trouble"), ("Plover", "fog"), ("Dunlin", "ice")),
        "s/lamps": table("Lamps", ("", "Marl 5", "Tern 2"), ("Price each", "EUR 90", "EUR 70"), ("Price a lamp", "EUR 9", "EUR 7"), ("Weight", "2 kg", "1 kg")),
        "s/risks": table("Risks", ("Risk", "Impact"), ("X-01", "high"), ("X-02", "very high"), ("X-03", "high")),
        "s/roles": [Fact(Entity("row", "Architect", "Architect"), "Name", "Ewan Strand", 0, 0, Entity("person", "Ewan Strand", ""), group="Roles", row=1)],
        "s/team": [Fact(Entity("section", "Team Chart", "Team Chart"), "Engineers", "Mei-Lin Castel", 0, 0, Entity("person", "Mei-Lin Castel", "")),
                   Fact(Entity("section", "Team Keel", "Team Keel"), "Lead", "Ewan Strand", 0, 0, Entity("person", "Ewan Strand", ""))],
        "s/1": ticket("GWY-1", ("status", "Open"), ("component", "Deck", "component"), ("assignee", "Ines Falk", "person"),
                      ("is blocked by", "GWY-2", "ticket"), ("priority", "Low"), title="Open a comment block that depends on others"),
        "s/2": ticket("GWY-2", ("status", "Closed"), ("resolution", "Fixed"), ("assignee", "Tomas Reyl", "person"), ("priority", "High"), ("duplicates", "GWY-3", "ticket"),
                      ("fix version", "Quay release 7", "version"), ("fix version", "Deck 1.4", "version")),
        "s/terms": table("Words", ("Term", "Meaning"), ("New release", "what is shipped")),
        "s/3": ticket("GWY-3", ("priority", "Lowest"), ("type", "Bug")),
    }
)  # fmt: skip
NAMES = Names(FACTS)


def told(question: str) -> list[str] | None:
    found = find_attribute(question, NAMES, FACTS)
    return None if found is None else [fact.fact.value for fact in found.facts]


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("How many radios does Oster have now?", ["8"]),
        ("how many radios are in Fenwick", ["10"]),
        ("how many radios did Fenwick have until may?", ["8"]),
        ("what is the usual trouble of the Plover", ["fog"]),
        ("what is the weight of a Marl 5?", ["2 kg"]),
        ("price per lamp of the Marl", ["EUR 9"]),
        ("How long is the Plover in metres?", None),
        ("How many berths has Fenwick?", ["3"]),
        ("How long is the crossing of the Plover?", ["35 min"]),
        ("whos the architect", ["Ewan Strand"]),
        ("whats the priority of GWY-1", ["Low"]),
        ("is GWY-2 closed already?", ["Closed"]),
        ("with which resolution was GWY-2 closed?", ["Fixed"]),
        ("Which component does GWY-1 belong to?", ["Deck"]),
        ("In which release was GWY-2 fixed?", ["Quay release 7", "Deck 1.4"]),
        ("what kind of issue is GWY-3", ["Bug"]),
        ("Who is assigned to what blocks GWY-1?", ["Tomas Reyl"]),
        ("What priority has the ticket that blocks GWY-1?", ["High"]),
        ("What is the priority of the issue GWY-2 duplicates?", ["Lowest"]),
    ],
)
def test_the_fact_that_is_asked_for_is_told(question: str, values: list[str]) -> None:
    assert told(question) == values


@pytest.mark.parametrize(
    "question",
    [
        "How long is the Plover in metres?",
        "How fast is the Plover?",
        "Who is assigned to what blocks GWY-3?",
        "Who is assigned to what GWY-1 depends on?",
        "How many radios did Oster have before?",
        "X-01: what should I do?",
    ],
)
def test_what_no_fact_says_is_left_to_the_walk(question: str) -> None:
    assert told(question) is None


def test_very_high_is_not_high() -> None:
    assert told("Which risks have very high impact?") == ["very high"]
    assert told("Which risks have nearly high impact?") is None
    assert read_collections("Which risks have nearly high impact?", NAMES, FACTS, date(2026, 6, 15)) == []


def test_a_table_is_not_told_to_somebody_who_asks_what_was_before() -> None:
    assert read_collections("What were the boats called before?", NAMES, FACTS, date(2026, 6, 15)) == []


def stated(title: str, **said: str) -> list[Fact]:
    """What a file says of itself in its head."""
    return [Fact(Entity("document", title, title), label.replace("_", " "), value, 0, 0) for label, value in said.items()]


FILES = indexed({
    "f/1": stated("BUOY-7 The lamp is dark", Assignee="Cindy Lindqvist", Status="In Work", Resolution="Cannot Reproduce", Fix_versions="1.3", Type="Bug"),
    "f/2": stated("Chapter 3 The mast", Status="Draft"), "f/3": stated("Chapter 3 The sail", Status="Final"),
})  # fmt: skip


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("what is the status of BUOY-7?", "In Work"),
        ("In which release was BUOY-7 fixed?", "1.3"),
        ("which resolution has buoy-7", "Cannot Reproduce"),
        ("What type of ticket is BUOY-7?", "Bug"),
    ],
)
def test_a_file_is_known_by_the_key_that_its_title_begins_with(question: str, value: str) -> None:
    found = find_attribute(question, Names(FILES), FILES)
    assert found is not None and [fact.fact.value for fact in found.facts] == [value]


def test_what_fits_several_documents_is_no_answer_but_told_of_each() -> None:
    found = find_attribute("What is the status of chapter 3?", Names(FILES), FILES)
    assert found is not None and found.described is not None and found.described.is_ambiguous
    assert [fact.fact.value for fact in found.facts] == ["Draft", "Final"]


def test_what_fits_a_great_many_documents_is_told_of_none() -> None:
    pages = indexed({f"f/{at}": stated(f"Harbour light {at}", Name=f"Lamp {at}") for at in range(MOST_MEANT + 1)})
    assert find_attribute("What does the name harbour light stand for?", Names(pages), pages) is None
    few = indexed({f"f/{at}": stated(f"Harbour light {at}", Name=f"Lamp {at}") for at in range(3)})
    found = find_attribute("What is the name of the harbour light?", Names(few), few)
    assert found is not None and found.described is not None and len(found.described.documents) == 3


@pytest.mark.parametrize(
    ("question", "team"),
    [
        ("Which team is Mei-Lin in?", "Team Chart"),
        ("which team does Ewan Strand work in", "Team Keel"),
        ("What team does Mei-Lin belong to?", "Team Chart"),
    ],
)
def test_the_team_of_a_person_is_the_section_that_names_them(question: str, team: str) -> None:
    assert read_set_question(question, NAMES, date(2026, 6, 15)) is None
    found = find_attribute(question, NAMES, FACTS)
    assert found is not None and found.is_reverse and [fact.fact.subject.name for fact in found.facts] == [team]


@pytest.mark.parametrize("question", ["List all tickets in status Dark", "which issues have the status dark?"])
def test_a_list_is_not_answered_with_what_one_title_happens_to_say(question: str) -> None:
    named = indexed({"f/1": stated("BUOY-7 The lamp is dark", Status="In Work"), "f/2": stated("BUOY-8 The bell", Status="Dark")})
    assert find_attribute(question, Names(named), named) is None


def test_a_value_that_hundreds_of_rows_have_tells_none_of_them_from_the_others(docs: Following) -> None:
    owners, kinds = ("Alva Brekke", "Bram Eilers", "Cato Harmsen"), ("pump", "crane", "valve", "motor")
    rows = [f"A{number},{kinds[number % 4]},{owners[number % 3]},North Dock,{number * 10}" for number in range(1, 901)]
    docs.write("equipment.csv", "\n".join(("Asset,Kind,Owner,Site,Price", *rows)))
    assert answered(docs, "What is the price of A77?").text.startswith("**770**")
    asked = answered(docs, "What is the price of the crane at the North Dock?")
    assert asked.verdict != "complete" and len(asked.citations) <= 6


@pytest.mark.parametrize("question", ["Which ticket is Ines working on?", "Which ticket does Ines Falk handle?"])
def test_a_relation_of_tickets_is_known_by_the_words_people_use_for_it(question: str) -> None:
    found = find_attribute(question, NAMES, FACTS)
    assert found is not None and [fact.fact.subject.id for fact in found.facts] == ["GWY-1"]


class AllRead(FactIndex):
    """Reads every fact of a value, whatever is asked."""

    def telling(self, values: Iterable[str], *_chosen: object, **_more: object) -> list[StoredFact]:
        return self.with_value(values)


WHO = ("Ada Wren", "Ada Falk", "Ines Falk", "Ines Wren")
WHAT = ("Gate", "Almanac", "Night Ferry", "Keel", "Ada")
STATED_OF = (
    "Owner",
    "owner",
    "Lead",
    "ownerName",
    "now",
    "today",
    "Engineers",
    "resolution",
    "assignee",
    "status",
    "created",
    "Deputy",
    "parent",
)
ASKED = (
    "Who is the {label} of {what}?", "What does {first} own?", "Which team is {first} in?", "What is the {label} of {what}?",
    "Which {kind} has {who} as {label}?", "Who is the {label} of the {kind} that {first} owns?", "Where does {who} work?",
    "When was the {kind} of {first} {label}?", "How many {kind} does {last} {label}?", "What is the {label} of the {kind} of {first}?",
    "Which {kind} is assigned to {who}?", "What is the {group} of {first} now?", "Which crew does {last} belong to?",
    "Who leads the team of {first}?", "Which {what} of the {group} does {who} lead today?",
)  # fmt: skip


def _some_world(chance: Random) -> tuple[dict[str, list[Fact]], list[str] | None]:
    facts: dict[str, list[Fact]] = {}
    for number in range(chance.randrange(4, 30)):
        kind, name = (
            chance.choice(("section", "document", "term", "ticket", "part")),
            f"{chance.choice(WHAT)} {chance.randrange(9)}",
        )
        name = name if chance.random() < 0.7 else chance.choice((*WHAT, "Team Ada", "Crew Keel"))
        value = chance.choice((*WHO, *WHO, *WHAT, name))
        person = Entity("person", value, value) if value in WHO and chance.random() < 0.8 else None
        group, until = chance.choice(("file", "part", "Crew", "Dock", "")), chance.choice(("", "", "", "2026-01-01"))
        one = Fact(Entity(kind, name, name), chance.choice(STATED_OF), value, number, number, person, "", until, group)
        facts.setdefault(f"{chance.choice('prs')}/{chance.randrange(8)}", []).append(one)
    for at in range(chance.randrange(3)):
        rows = [
            (f"{chance.choice(WHAT)} {row}", chance.choice(WHO), chance.choice(WHO)) for row in range(chance.choice((2, 4, 150)))
        ]
        facts.setdefault(f"s/t{at}", []).extend(
            table(chance.choice(("Crew", "Dock")), ("Boat", chance.choice(STATED_OF), "Lead"), *rows)
        )
    return facts, chance.choice((None, ["p"], ["s", "p"], ["s", "r", "p"]))


@pytest.mark.parametrize("seed", range(40))
def test_what_is_found_is_as_if_every_fact_of_a_name_had_been_read(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random(seed)
    monkeypatch.setattr(attribute, "MOST_RESULTS", chance.choice((1, 2, 12)))
    facts, sources = _some_world(chance)
    chosen, read = indexed(facts, sources=sources), indexed(facts, sources=sources, kind=AllRead)
    names = Names(chosen)
    for _ in range(25):
        who = chance.choice(WHO)
        first, last = who.split()
        question = chance.choice(ASKED).format(
            label=chance.choice(STATED_OF).lower(), what=chance.choice(WHAT), first=first, last=last, who=who,
            kind=chance.choice(("gate", "boat", "ticket", "document", "team", "crew")), group=chance.choice(("crew", "dock", "file")),
        )  # fmt: skip
        assert find_attribute(question, names, chosen) == find_attribute(question, names, read), question


def test_the_first_documents_of_an_owner_lead_on_to_who_leads_them() -> None:
    facts = {}
    for number in range(10, 40):
        said = {"Owner": "Ada Wren"} | (
            {"Lead": "Ines Falk"} if number in (13, 36) else {"Lead": "Bo Hale"} if number == 38 else {}
        )
        name = f"Note {number}"
        facts[f"{'qp'[number % 2]}/note {number}.md"] = [
            Fact(Entity("document", name, name), label, value, at, at, Entity("person", value, value), group="file")
            for at, (label, value) in enumerate(said.items())
        ]
    chosen, read = (indexed(facts, sources=["q", "p"], kind=kind) for kind in (FactIndex, AllRead))
    found = find_attribute("Who leads what Ada owns?", Names(chosen), chosen)
    assert found == find_attribute("Who leads what Ada owns?", Names(read), read)
    assert found is not None and [one.place for one in (*found.way, *found.facts)] == ["p/note 13.md", "p/note 13.md"]
    assert [one.place[0] for one in chosen.telling(["ada wren"], lambda label: label == "Owner", 0, 12, lambda _: False)] == [
        "p"
    ] * 15


def test_who_leads_two_things_together_need_not_lead_one_of_them(docs: Following) -> None:
    docs.write("heron.md", "# Heron and Ferryline (QAY)\n\nLead: Ravi Okoye\n\nTwo systems of one project.\n")
    assert answered(docs, "Who leads Ferryline?").verdict != "complete"
    assert answered(docs, "Who leads Heron and Ferryline?").text.startswith("**Ravi Okoye**")
    docs.write("teams.md", "# Teams\n\n## Ferryline\n\nLead: Dora Vik\n")
    answer = answered(docs, "Who leads Ferryline?")
    assert answer.verdict == "complete" and "Dora Vik" in answer.text and "Ravi" not in answer.text


def test_for_how_long_something_is_kept_is_not_who_keeps_it(tmp_path) -> None:
    following = Following(tmp_path)
    following.write(
        "systems.md",
        "# Systems\n\n| System | What it does | Owner (us) |\n|---|---|---|\n| Cellar | backup of the tills | Samir Lodhi |\n| Scales | weighing | Per Lund |\n",
    )
    following.write(
        "teams.md",
        "# Who is who\n\n| Group | Lead | Deputy lead | Members |\n|---|---|---|---|\n| Shops | Declan Foyle | Priya Venn | Tobias Krell |\n"
        "| Network | Yusuf Adey | Greta Holm | Samir Lodhi |\n",
    )
    following.sync()
    assert following.ask("For how long are the backups in Cellar kept?").verdict != "complete"
    assert following.ask("Who is the owner of Cellar?").text.startswith("**Samir Lodhi**")
    assert following.ask("Who stands in for Tobias Krell when he is on holiday?").verdict != "complete"
    assert following.ask("Who stands in for Declan Foyle?").text.startswith("**Priya Venn**")
    following.workspace.close()


def test_the_deputy_of_a_supervisor_is_told_and_not_the_supervisor(tmp_path) -> None:
    following = Following(tmp_path)
    following.write(
        "quays.md",
        "# Quays\n\n| Quay | Supervisor | Extension | Deputy |\n|---|---|---|---|\n| North Quay | Rhea Stone | 4210 | Piet Holm |\n"
        "| South Quay | Tom Aalto | 4220 | none |\n",
    )
    following.sync()
    answer = following.ask("Who is the deputy of the supervisor of North Quay?")
    assert answer.verdict == "complete" and answer.text.startswith("**Piet Holm**")
    assert following.ask("deputy of Rhea Stone").text.startswith("**Piet Holm**")
    following.workspace.close()
