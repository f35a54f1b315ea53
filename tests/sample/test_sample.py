"""The sample workspace is data that people judge the product by, so it is held to rules like code.

Evidence is where `questions.json` says it is, links and ticket keys lead somewhere, weekdays are right,
figures add up, generated files are what their text makes, and nothing in it is filler or ours.
"""

from __future__ import annotations

import calendar
import csv
import datetime as dt
import email
import email.policy
import html
import importlib.util
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import docx
import pypdf
import pytest

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "sample"
SOURCE = SAMPLE / ".source"
QUESTIONS = json.loads((SOURCE / "questions.json").read_text(encoding="utf-8"))["questions"]
TYPES = {"fact", "how-to", "who", "when", "changed-over-time", "overview", "two-hop", "unanswerable"}
DOCUMENTS = sorted(
    p.relative_to(SAMPLE).as_posix()
    for p in SAMPLE.rglob("*")
    if p.is_file()
    and not any(part.startswith(".") for part in p.relative_to(SAMPLE).parts)
    and p.relative_to(SAMPLE).parts[0] != "jira"  # the simulator's data; tests/jira_simulator holds it
)
PDFS = [d for d in DOCUMENTS if d.endswith(".pdf")]
MONTHS, WEEKDAYS = list(calendar.month_name)[1:], list(calendar.day_name)


@cache
def text(document: str) -> str:
    """What a reader of the document sees, as one string."""
    path = SAMPLE / document
    match path.suffix:
        case ".pdf":
            return "\n".join(page.extract_text() for page in pypdf.PdfReader(path).pages)
        case ".docx":
            body = docx.Document(path).element.body
            return "\n".join("".join(t.text or "" for t in p.iter("{*}t")) for p in body.iter("{*}p"))
        case ".html":
            raw = re.sub(r"<style.*?</style>", "", path.read_text(encoding="utf-8"), flags=re.S)
            return html.unescape(re.sub(r"<[^>]+>", " ", raw))
        case ".eml":
            mail = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
            return f"{mail['subject']}\n{mail['from']}\n{mail['date']}\n{mail.get_content()}"
        case _:
            return path.read_text(encoding="utf-8")


def flat(string: str) -> str:
    """Without emphasis and with single spaces: how a quote is compared."""
    return re.sub(r"\s+", " ", re.sub(r"[*`]", "", string)).strip()


def build():
    spec = importlib.util.spec_from_file_location("sample_build", SOURCE / "build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# ── the whole ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_workspace_has_the_promised_size_and_formats():
    kinds = {s: sum(d.endswith(s) for d in DOCUMENTS) for s in (".md", ".html", ".txt", ".docx", ".pdf", ".csv", ".eml")}
    assert len(DOCUMENTS) >= 40
    assert kinds[".pdf"] == 3 and kinds[".html"] >= 3 and kinds[".txt"] >= 3 and kinds[".docx"] >= 3
    characters = sum(len(text(d)) for d in DOCUMENTS)
    assert 180_000 <= characters <= 320_000, characters


@pytest.mark.parametrize("document", DOCUMENTS)
def test_no_document_is_filler_and_none_names_a_machine(document):
    content = text(document)
    assert len(flat(content)) > 400
    assert not re.search(
        r"\b(lorem|ipsum|dolor sit|TODO|TBD|FIXME|in conclusion|delve|leverag\w+|synerg\w+|holistic)\b", content, re.I
    )
    assert not re.search(r"(?<![\w.])/(work|home|root|Users|tmp)/", content)
    assert not re.search(r"https?://(?!127\.0\.0\.1)", content), "the sample may not lead out of itself"
    assert (SAMPLE / document).stat().st_size < 300_000


def test_no_long_sentence_is_said_twice_in_different_documents():
    seen: dict[str, str] = {}
    for document in DOCUMENTS:
        for sentence in re.split(r"(?<=[.!?])\s+", flat(text(document))):
            if len(sentence) > 90 and not sentence.startswith("Present:"):
                assert seen.setdefault(sentence, document) == document, (sentence, seen[sentence], document)


# ── questions ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_questions_cover_every_type():
    assert len(QUESTIONS) >= 40 and len({q["id"] for q in QUESTIONS}) == len({q["question"] for q in QUESTIONS}) == len(QUESTIONS)
    assert {q["type"] for q in QUESTIONS} == TYPES
    assert sum(q["type"] == "unanswerable" for q in QUESTIONS) >= 5


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q["id"])
def test_evidence_is_in_its_documents(question):
    if question["type"] == "unanswerable":
        assert not question["evidence"] and question["absent"]
        for string in question["absent"]:
            assert not [d for d in DOCUMENTS if string.lower() in flat(text(d)).lower()], string
        return
    assert question["evidence"]
    for evidence in question["evidence"]:
        assert evidence["document"] in DOCUMENTS
        assert flat(evidence["quote"]) in flat(text(evidence["document"])), evidence
    together = " ".join(flat(text(e["document"])) for e in question["evidence"]).lower()
    for string in question["must_contain"]:
        assert string.lower() in together, f"{string!r} cannot be answered from the named documents"
    if question["type"] == "two-hop":
        assert len({e["document"] for e in question["evidence"]}) >= 2


# ── references ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("document", [d for d in DOCUMENTS if d.endswith((".md", ".html"))])
def test_links_lead_to_documents(document):
    raw = (SAMPLE / document).read_text(encoding="utf-8")
    raw = re.sub(r"```.*?```", "", raw, flags=re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", raw) + re.findall(r'href="([^"]+)"', raw):
        path, _, anchor = target.partition("#")
        resolved = (SAMPLE / document).parent / path if path else SAMPLE / document
        assert resolved.resolve().is_relative_to(SAMPLE) and resolved.is_file(), target
        if anchor:
            headings = re.findall(r"^#+ (.+)$", resolved.read_text(encoding="utf-8"), re.M)
            assert anchor in {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}, target


def register() -> list[dict[str, str]]:
    with (SAMPLE / "reference/tickets.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_ticket_key_is_in_the_register():
    known = {row["key"] for row in register()}
    used = {(key, d) for d in DOCUMENTS for key in re.findall(r"\bGWY-\d+", text(d))}
    assert not {u for u in used if u[0] not in known}


def test_tickets_are_in_order():
    numbers = [int(row["key"][4:]) for row in register()]
    assert numbers == sorted(set(numbers))
    for row in register():
        created = dt.date.fromisoformat(row["created"])
        assert dt.date(2026, 2, 2) <= created <= dt.date(2026, 7, 31), row
        if row["resolved"]:
            assert created <= dt.date.fromisoformat(row["resolved"]) <= dt.date(2026, 7, 31), row
        assert bool(row["resolved"]) != (row["status"] == "open"), row


def test_decision_numbers_are_in_the_register():
    listed = set(re.findall(r"^\| (\d{4}) \|", text("decisions/README.md"), re.M))
    for document in DOCUMENTS:
        named = set(re.findall(r"\b(?:decision|record) (0\d{3})\b", text(document), re.I))
        assert named <= listed, (document, named - listed)
    files = {Path(d).name[:4] for d in DOCUMENTS if d.startswith("decisions/0")}
    assert files <= listed


def test_requirement_and_finding_numbers_exist():
    requirements = set(re.findall(r"REQ-[A-Z]{2}-\d{2}", text("requirements/requirements-specification.pdf")))
    findings = set(re.findall(r"GW-\d{2}(?!\d)", text("security/security-assessment-greywater.pdf")))
    for document in DOCUMENTS:
        assert set(re.findall(r"REQ-[A-Z]{2}-\d{2}", text(document))) <= requirements, document
        assert set(re.findall(r"\bGW-\d{2}(?!\d)", text(document))) <= findings, document


def test_releases_named_anywhere_are_in_the_changelog_or_planned():
    released = set(re.findall(r"^## (\d\.\d\.\d)", text("CHANGELOG.md"), re.M)) | {"2.1.1", "2.2.0"}
    for document in DOCUMENTS:
        named = set(re.findall(r"\b(?:release|in|with|since|until) (\d\.\d\.\d)\b", text(document), re.I))
        assert named <= released, (document, named - released)


# ── dates and figures ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("document", DOCUMENTS)
def test_weekdays_are_right(document):
    content = flat(text(document))
    own = re.search(r"(20\d\d)-\d\d", document)
    pattern = rf"\b({'|'.join(WEEKDAYS)}|{'|'.join(d[:3] for d in WEEKDAYS)}),? (\d{{1,2}}) ({'|'.join(MONTHS)})(?: (20\d\d))?"
    for weekday, day, month, year in re.findall(pattern, content):
        date = dt.date(int(year or (own and own[1]) or 2026), MONTHS.index(month) + 1, int(day))
        assert f"{date:%A}".startswith(weekday), f"{weekday} {day} {month}: {date:%A}"
    for iso in re.findall(r"\b20\d\d-\d\d-\d\d\b", content):
        dt.date.fromisoformat(iso)
    for compact in re.findall(r"\b[A-Z]{2}-(20\d{6})-\d{4}\b", content):
        dt.datetime.strptime(compact, "%Y%m%d")


def test_the_budget_adds_up():
    with (SAMPLE / "reports/budget.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    *lines, total = rows
    for column in list(rows[0])[1:5]:
        assert sum(int(line[column]) for line in lines) == int(total[column]), column
    for figure, document in (
        ("1,840,000", "meetings/2026-02/2026-02-05-kick-off.md"),
        ("2,065,000", "meetings/2026-04/2026-04-09-steering.docx"),
        ("2,010,000", "meetings/2026-07/2026-07-16-steering.md"),
        ("1,577,400", "meetings/2026-07/2026-07-16-steering.md"),
    ):
        assert figure in text(document) and figure.replace(",", "") in total.values()


def test_handhelds_and_incident_figures_add_up():
    ports = re.findall(
        r"^\| (?:Port Ansgar|Holm|Linnet|Skarvoy|Thrale|Spare, Port Ansgar) \|.*?\| (\d+) \| (\d+) \|(?: [A-Z]{3}-| \|)",
        text("reference/fleet-and-ports.md"),
        re.M,
    )
    assert len(ports) == 6 and [sum(int(p[i]) for p in ports) for i in (0, 1)] == [24, 32]
    report = text("incidents/2026-04-02-boarding-stopped-at-holm.md")
    people = [int(n) for n in re.findall(r"^\| AH-20260402-\d{4} .*\| (\d+) \| \d+ \|$", report, re.M)]
    assert sum(people) == 611 and 6380 + 1112 + 2250 == 9742


# ── generated files ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("document", PDFS)
def test_pdfs_have_outline_labels_and_pages(document):
    reader = pypdf.PdfReader(SAMPLE / document)
    labels = list(reader.page_labels)
    assert 6 <= len(reader.pages) <= 15
    assert (
        labels[0] == "i"
        and "1" in labels
        and labels[labels.index("1") :] == [str(n + 1) for n in range(len(labels) - labels.index("1"))]
    )

    def entries(outline, depth=1):
        for entry in outline:
            yield from entries(entry, depth + 1) if isinstance(entry, list) else [(depth, entry)]

    found = list(entries(reader.outline))
    assert len(found) >= 12 and {depth for depth, _ in found} == {1, 2}
    for _, entry in found:
        page = reader.get_destination_page_number(entry)
        assert flat(entry.title) in flat(reader.pages[page].extract_text()), entry.title


@pytest.mark.parametrize("document", [d for d in DOCUMENTS if d.endswith(".docx")])
def test_docx_have_headings_lists_and_tables(document):
    styles = {p.style.name for p in docx.Document(SAMPLE / document).paragraphs}
    assert {"Title", "Heading 1"} <= styles and styles & {"List Bullet", "List Number"}
    assert docx.Document(SAMPLE / document).tables


def test_generated_files_are_what_their_text_makes():
    module = build()
    for path, (meta, content) in module.targets().items():
        assert module.render(path, meta, content) == module.render(path, meta, content), "not deterministic"
    done = subprocess.run([sys.executable, SOURCE / "build.py", "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
