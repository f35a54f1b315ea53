"""The words for documents: what they are, by their content or by the form of their file."""

from __future__ import annotations

import re
from typing import NamedTuple

from prompts.regex import regex


class Form(NamedTuple):
    """A form of files: how one and several are called, and the endings of their names, in small letters."""

    one: str
    many: str
    endings: tuple[str, ...]
    said: str  # a pattern


FORMS: dict[str, Form] = {
    "pdf": Form("PDF", "PDFs", (".pdf",), r"pdfs?(?: files?| documents?)?"),
    "spreadsheet": Form("spreadsheet", "spreadsheets", (".xlsx", ".xlsm", ".xls", ".ods"), r"(?:excel )?spread ?sheets?|excel (?:files?|sheets?|tables?|documents?|workbooks?)|excels|xlsx?(?: files?)?"),
    "word": Form("Word document", "Word documents", (".docx", ".docm", ".doc"), r"word (?:documents?|files?|docs?)|docx(?: files?)?|doc files?"),
    "presentation": Form("presentation", "presentations", (".pptx", ".pptm", ".ppt", ".odp"), r"presentations?|power ?points?(?: files?| presentations?| slides)?|slide ?decks?|pptx?(?: files?)?"),
    "web": Form("web page", "web pages", (".html", ".htm", ".xhtml"), r"web ?pages?|html?(?: files?| pages?| documents?)?"),
    "csv": Form("CSV file", "CSV files", (".csv",), r"csvs?(?: files?| tables?)?"),
    "markdown": Form("Markdown file", "Markdown files", (".md", ".markdown"), r"markdown(?: files?| pages?| documents?)?|md files?"),
    "text": Form("text file", "text files", (".txt",), r"(?:plain )?text files?|txt(?: files?)?"),
    "json": Form("JSON file", "JSON files", (".json",), r"json(?: files?)?"),
    "yaml": Form("YAML file", "YAML files", (".yaml", ".yml"), r"ya?ml(?: files?)?"),
    "xml": Form("XML file", "XML files", (".xml",), r"xml(?: files?)?"),
    "book": Form("e-book", "e-books", (".epub",), r"e-?books?|epubs?(?: files?)?"),
}  # fmt: skip
FORMS_SAID = rf"(?:{'|'.join(form.said for form in FORMS.values())})"
KIND = rf"(?:{FORMS_SAID}|(?:wiki )?(?:documents?|docs?|files?|pages?|articles?)|documentation|papers?)"
NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10}

_PATTERNS = {key: regex(form.said, re.IGNORECASE) for key, form in FORMS.items()}
_PLAIN = r"(?:wiki )?(?:documents?|docs?|files?|pages?)"
GENERIC = regex(rf"[ \"'“”‘’`]{{1,3}}(?:{FORMS_SAID}|{_PLAIN})\Z", re.IGNORECASE)  # "the test plan document"
_TITLED = (
    r"plan|handbook|manual|guide|guidelines?|runbook|playbook|report|minutes|form|checklist|check list|template|specification|spec|statement|"
    r"assessment|agreement|contract|price ?list|register|policy|charter|roadmap|glossary|readme|changelog|protocol|memo|newsletter|brochure|"
    r"leaflet|flyer|catalogue?|list|budget|proposal|questionnaire|faq|review|analysis|comparison|summary|notice|terms and conditions|slides|"
    r"notes|rules|terms|regulations|code of conduct|adr|how-?to|instructions|rota|timetable|worksheet|workbook|white ?paper|presentation|spreadsheet"
)
_WITHIN = r"(?:of|in|on|for|from|with|about|to|by|at|and)"
TITLED = regex(  # "price list", "minutes of the board", "leave policy 2026", and not "actions of the report"
    rf"\A(?:(?!{_WITHIN} )[^ \n]{{1,40}} ){{0,6}}?(?:{_TITLED})(?:\Z| {_WITHIN} |,? (?:v(?:ersion)? ?)?\d[\d.]{{0,10}}\Z)",
    re.IGNORECASE,
)
SAID_OF_LENGTH = regex(
    r"\b(?:handbook|manual|guide|guidelines?|runbook|playbook|report|minutes|specification|spec|statement|assessment|policy|charter|glossary|"
    r"readme|changelog|memo|newsletter|brochure|proposal|faq|analysis|white ?paper|presentation)\Z",
    re.IGNORECASE,
)
ENDING_OF_A_FILE = regex(r"\w\.(?:pdf|docx?|docm|xlsx?|xlsm|pptx?|od[tsp]|html?|md|markdown|txt|csv|tsv|json|ya?ml|xml|rtf|epub|rst|eml|adoc|org|ipynb)\Z", re.IGNORECASE)  # fmt: skip


def form_said(kind: str) -> str:
    """The key of the form that a word for documents says; empty for documents of any."""
    return next((key for key, pattern in _PATTERNS.items() if pattern.fullmatch(kind)), "")
