"""Questions for mails: which there are, how many, who sent one, when, and what it says."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered


def _mail(sender: str, to: str, day: str, subject: str, body: str) -> str:
    return f"From: {sender}\nTo: {to}\nSubject: {subject}\nDate: {day} 08:15:22 +0100\nContent-Type: text/plain; charset=utf-8\n\n{body}\n"


ROOF = _mail(
    "Odile Kern <odile@example.org>",
    "all@example.org",
    "Mon, 16 Nov 2026",
    "Roof of the barn",
    "Dear all,\n\nthe roofers come on Thursday. Please move the vans.\n\nThe scaffold stays until 4 December.\n\nOdile",
)
KEYS = _mail(
    "Bram Voss <bram@example.org>",
    "Odile Kern <odile@example.org>",
    "Tue, 3 Nov 2026",
    "Keys",
    "Hello Odile,\n\nthe key of the barn is back.",
)
BILL = _mail("clerk@council.example", "Bram Voss <bram@example.org>", "Fri, 9 Oct 2026", "Water bill", "The bill is 412 euros.")


@pytest.fixture
def mails(docs: Following) -> Following:
    for name, text in (("roof.eml", ROOF), ("keys.eml", KEYS), ("bill.eml", BILL)):
        docs.write(f"mail/{name}", text)
    docs.write("notes/barn.md", "# The barn\n\nThe roof of the barn was mended in 2019.\n")
    return docs


def test_who_sent_a_mail_and_when(mails: Following) -> None:
    for question in (
        "who sent the mail about the roof?",
        "who wrote the mail Roof of the barn",
        "who was the email about the roof from",
    ):
        answer = answered(mails, question)
        assert answer.verdict == "complete" and answer.text.startswith("**Odile Kern** sent"), (question, answer.text)
    for question in ("when was the mail about the barn roof sent?", "when did odile write about the roof"):
        answer = answered(mails, question)
        assert answer.verdict == "complete" and answer.text.startswith("**16 November 2026**"), (question, answer.text)
    assert answer.citations[0].document_id == "mail/roof.eml"
    assert "council" in answered(mails, "who sent the mail about the water bill").text


def test_what_a_mail_says_is_shown_without_its_head_and_its_greeting(mails: Following) -> None:
    for question in (
        "what does the mail about the roof say?",
        "what does Odile's mail say",
        "what is in the latest mail from odile",
    ):
        answer = answered(mails, question)
        assert answer.verdict == "complete" and "until 4 December" in answer.text, (question, answer.text)
        assert "Dear all" not in answer.text and "example.org" not in answer.text
    answer = answered(mails, "what did odile write about the roof?")  # she may have written elsewhere too
    assert answer.verdict == "partial" and "until 4 December" in answer.text


def test_mails_are_listed_and_counted(mails: Following) -> None:
    answer = answered(mails, "which mails are there?")
    assert answer.verdict == "complete" and answer.text.startswith("**3 mails**")
    assert answer.text.index("Roof") < answer.text.index("Keys") < answer.text.index("Water")  # the newest first
    answer = answered(mails, "how many mails did we get in November 2026")
    assert answer.text.startswith("**2 mails**") and "Water" not in answer.text
    answer = answered(mails, "mails to bram")
    assert answer.text.startswith("**1 mail**") and "Water" in answer.text
    answer = answered(mails, "latest mail from the council")
    assert answer.text.startswith("**1 mail**") and "Water" in answer.text
    answer = answered(mails, "mails about the scaffold")  # in its text
    assert answer.text.startswith("**1 mail** that mentions") and "Roof" in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "mails from Peter",
        "mails not from odile",
        "who sent the mail about the lift?",
        "which emails are sent to customers",
        "how many emails can I send per day",
        "when did Peter write about the roof",
    ],
)
def test_what_no_mail_fits_is_not_answered_by_mails(mails: Following, question: str) -> None:
    answer = answered(mails, question)
    assert answer.verdict != "complete", answer.text
    assert "**16 November" not in answer.text


def test_a_mail_that_is_deleted_is_listed_no_more(mails: Following) -> None:
    (mails.folder / "mail/roof.eml").unlink()
    mails.sync()
    assert answered(mails, "which mails are there?").text.startswith("**2 mails**")
    assert answered(mails, "who sent the mail about the roof?").verdict != "complete"


def test_a_passage_of_a_mail_is_told_with_its_day(mails: Following) -> None:
    """What "on Thursday" means is reckoned from there."""
    answer = answered(mails, "when do the roofers come")
    assert "Roof of the barn*, sent 16 November 2026" in answer.text
    assert "Dear all" not in answer.text and "08:15" not in answer.text
