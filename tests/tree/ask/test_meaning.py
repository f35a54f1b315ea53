"""Search by meaning: a paraphrase that shares no word is found, and the walk goes on by words where it cannot be done."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ingestion.embedder import Embedder
from prompts.records import Evidence, Excerpt, LeafAnswer, LeafText, Quote
from tests.ingestion.workspaces import Following
from tests.prompts.model.embedding_server import EmbeddingServer, embedding
from tree.accounts.principal import OPERATOR, Principal
from tree.ask.ask import Answer, ask
from tree.ask.passage_order import MOST_COMPARED, weigh_by_meaning
from tree.retrieve.meaning import LONGEST
from tree.store.embedding_model import EmbeddingChoice
from tree.workspace import open_workspace

OTHERS = ("harbour", "crane", "winch", "berth", "turbine", "pump", "gate", "tide", "cable", "buoy", "mast", "anchor")
PARAPHRASE = "faulty items money?"  # synonyms of what stands in returns.md; none of its words do


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with embedding() as started:
        yield started


@pytest.fixture
def docs(tmp_path: Path, server: EmbeddingServer) -> Iterator[Following]:
    following = Following(tmp_path)
    for number, word in enumerate(OTHERS):
        following.write(f"{word}.md", f"# The {word}\n\nThe {word} stands at quay {number} and is greased every week.\n")
    following.write("returns.md", "# Returns\n\nDefective goods are taken back. A refund follows within a week.\n")
    following.sync()
    following.workspace.meaning.model.save(EmbeddingChoice(settings=server.settings))
    assert Embedder(following.workspace).run_out() == ""
    server.received.clear()
    yield following
    following.workspace.close()


def read(answer: Answer) -> list[str]:
    return [step.title for step in answer.trail if step.kind == "read"]


def test_a_paraphrase_that_shares_no_word_is_found(docs: Following, server: EmbeddingServer) -> None:
    answer = docs.ask(PARAPHRASE)
    assert read(answer)[0] == "Returns" and answer.verdict == "partial"
    assert "Defective goods are taken back." in answer.text and answer.citations[0].document_id == "returns.md"
    step = next(step for step in answer.trail if step.kind == "read")
    assert "Near to the question in meaning" in step.reason
    assert server.received == [[PARAPHRASE]], "one request for one question"
    docs.ask(PARAPHRASE)
    assert len(server.received) == 1, "what was asked before is known"


def test_it_is_off_where_nobody_has_turned_it_on(docs: Following, server: EmbeddingServer) -> None:
    docs.workspace.meaning.model.change(is_on=False)
    answer = docs.ask(PARAPHRASE)
    assert answer.verdict == "none" and server.received == [] and all(step.kind != "meaning" for step in answer.trail)


def test_a_server_that_is_gone_stops_no_question(docs: Following, server: EmbeddingServer) -> None:
    server.manner = "hangs up"
    answer = docs.ask("Where does the winch stand?")
    assert answer.citations[0].document_id == "winch.md"
    [step] = [step for step in answer.trail if step.kind == "meaning"]
    assert step.reason.startswith("It was looked for by words alone, not by meaning.") and "cannot be reached" in step.reason
    server.manner = "well"
    asked = len(server.received)
    again = docs.ask("Where does the crane stand?")
    assert any(step.kind == "meaning" for step in again.trail) and len(server.received) == asked, "it is left alone for a while"


def test_what_was_deleted_or_edited_is_not_found_by_its_old_meaning(docs: Following) -> None:
    docs.write("returns.md", "# Returns\n\nBooks are lent for four weeks.\n")
    docs.sync()
    answer = docs.ask(PARAPHRASE)
    assert "Returns" not in read(answer)[:1] and "taken back" not in answer.text
    (docs.folder / "returns.md").unlink()
    docs.sync()
    assert "Returns" not in read(docs.ask(PARAPHRASE))


def test_a_question_in_a_branch_finds_nothing_beside_it(docs: Following) -> None:
    docs.write("shop/hours.md", "# Hours\n\nThe shop is open from nine.\n")
    docs.write("shop/vouchers.md", "# Vouchers\n\nGoods that are faulty can be exchanged.\n")
    docs.sync()
    Embedder(docs.workspace).run_out()
    place = f"{docs.source.id}/shop/"
    everywhere, inside = docs.ask("defective items refund?"), docs.ask("defective items refund?", places=(place,))
    assert "Returns" in read(everywhere) and set(read(inside)) <= {"Hours", "Vouchers"}


def test_vectors_of_sources_that_somebody_may_not_see_change_nothing_for_them(
    docs: Following, server: EmbeddingServer, tmp_path: Path
) -> None:
    somebody = Principal("somebody", "Somebody", only=frozenset([docs.source.id]))

    def told() -> list[object]:
        workspace = open_workspace(docs.workspace.home)  # nothing is remembered of what was asked before
        try:
            asked = [PARAPHRASE, "Where does the winch stand?", "Which vacation does my boss allow?"]
            answers = [list(ask(workspace, text, principal=somebody))[-1] for text in asked]
        finally:
            workspace.close()
        assert all(isinstance(answer, Answer) for answer in answers)
        return [
            (answer.text, answer.verdict, answer.citations, [(s.kind, s.title, s.options, s.reason) for s in answer.trail])
            for answer in answers
            if isinstance(answer, Answer)
        ]

    before = told()
    hidden = docs.sources.add("folder", "Hidden", {"path": str(tmp_path / "hidden")})
    (tmp_path / "hidden").mkdir()
    for number in range(5):
        text = f"# Holidays {number}\n\nFaulty items, money and leave: your supervisor decides on number {number}.\n"
        (tmp_path / "hidden" / f"{number}.md").write_text(text)
    from ingestion.sync import sync
    from tests.reading import open_folder

    sync(docs.workspace, docs.sources, hidden, connector=open_folder(path=str(tmp_path / "hidden")))
    assert Embedder(docs.workspace).run_out() == ""
    assert len(docs.workspace.meaning.vectors.known(hidden.id)) == 5
    assert told() == before
    seeing = [*ask(docs.workspace, "Which vacation does my boss allow?", principal=OPERATOR)][-1]
    assert isinstance(seeing, Answer) and any(citation.source == "Hidden" for citation in seeing.citations)


def test_passages_that_may_help_are_in_the_order_of_their_meaning(docs: Following, server: EmbeddingServer) -> None:
    docs.write(
        "shop.md",
        "# The shop\n\nThe shop may give a rope to the mast, and money is counted at night.\n\nA faulty lamp hangs in the shop.\n\nIn the shop, a refund is due for a defective rope.\n",
    )
    docs.sync()
    Embedder(docs.workspace).run_out()
    question = "Does the shop give money for a faulty rope?"
    docs.workspace.meaning.model.change(is_on=False)
    by_words = docs.ask(question)
    docs.workspace.meaning.model.change(is_on=True)
    by_meaning = docs.ask(question)
    assert by_words.verdict == by_meaning.verdict == "partial"
    assert "give a rope" in by_words.text.split("\n\n")[1]
    assert "refund is due" in by_meaning.text.split("\n\n")[1]
    asked = len(server.received)
    assert docs.ask(question).text == by_meaning.text and len(server.received) == asked, "what was compared before is known"


def test_only_the_best_passages_by_words_are_compared(docs: Following, server: EmbeddingServer) -> None:
    told = [f"The {word} is greased." for word in OTHERS[: MOST_COMPARED - 1]] + ["Defective goods go back."]
    told += ["Broken items are sent.", "The lamp burns."]  # behind the best by words
    excerpts = tuple(Excerpt(Quote(text=text, start=at, end=at + 1), (at, at + 1), 20.0 - at) for at, text in enumerate(told))
    one = Evidence(1, LeafText("text", ("Shop",)), LeafAnswer("partial", (), 0.5, excerpts=excerpts), 1.0)
    [weighed], problem = weigh_by_meaning("faulty items", [one], docs.workspace.meaning)
    assert problem == "" and [len(texts) for texts in server.received] == [1, MOST_COMPARED]
    changed = [after.worth - before.worth for after, before in zip(weighed.answer.excerpts, excerpts, strict=True)]
    assert max(changed) == changed[MOST_COMPARED - 1] > 3, "what means the same gains"
    assert changed[-1] == changed[-2] == min(changed), "what is behind gains nothing by not being compared"


def test_passages_that_cannot_be_compared_are_in_the_order_of_their_words_and_that_is_told(
    docs: Following, server: EmbeddingServer
) -> None:
    meaning = docs.workspace.meaning
    assert len(meaning.compare("faulty items", ["Defective goods.", "The crane.", "A mast."]).scores) == 3
    assert meaning.compare("faulty items", ["Defective goods."]).scores == (), "one text is like itself alone"
    server.manner = "hangs up"
    compared = meaning.compare("faulty items", ["Other goods.", "The crane.", "A mast."])
    assert compared.scores == () and compared.problem.startswith("The passages stand in the order of their words alone")


def test_a_server_that_fails_with_the_passages_is_asked_for_the_next_question_all_the_same(
    docs: Following, server: EmbeddingServer
) -> None:
    meaning, texts = docs.workspace.meaning, ["Other goods.", "The crane.", "A mast."]
    assert meaning.look("faulty items", [docs.source.id]).likeness is not None
    server.manner = "hangs up"
    assert meaning.compare("faulty items", texts).problem
    server.manner = "well"
    assert meaning.look("broken things", [docs.source.id]).likeness is not None
    asked = len(server.received)
    assert meaning.compare("faulty items", texts).problem and len(server.received) == asked, (
        "for passages it is left alone a while"
    )


def test_a_long_question_and_long_passages_are_compared_by_their_beginning(docs: Following, server: EmbeddingServer) -> None:
    meaning, server.longest = docs.workspace.meaning, LONGEST
    assert meaning.look("faulty items " * 300, [docs.source.id]).likeness is not None
    assert meaning.compare("faulty items", ["Other goods. " * 300, "The crane.", "A mast."]).scores


def test_a_text_that_a_model_cannot_take_says_nothing_of_others(docs: Following, server: EmbeddingServer) -> None:
    meaning, server.longest = docs.workspace.meaning, 20
    assert "too long" in meaning.look("faulty items or defective goods", [docs.source.id]).problem
    assert meaning.look("faulty items", [docs.source.id]).likeness is not None


def test_vectors_of_two_lengths_are_told_and_stop_no_question(docs: Following, server: EmbeddingServer) -> None:
    meaning = docs.workspace.meaning
    assert meaning.look("faulty items", [docs.source.id]).likeness is not None
    server.size = 32
    compared = meaning.compare("faulty items", ["Other goods.", "The crane.", "A mast."])
    assert compared.scores == () and "vectors of two lengths" in compared.problem
