"""Mails (.eml) and mailboxes (.mbox): who, when, the text, and the attachments that can be read.

The standard library's email package, which follows the mail standards and forgives those who do not; the standard
mailbox module wants a file of its own, so the messages of a mailbox are told apart here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import MIMEPart

from connectors import formats
from connectors.base import Locator, Problem, Section
from connectors.formats.aligned import with_aligned_columns
from connectors.formats.encoding import decode
from connectors.formats.flow import Flow
from connectors.formats.html import convert_text
from connectors.formats.parsed import Options, Parsed, Unreadable

HEADERS = ("From", "To", "Cc", "Date", "Subject")
SEPARATOR = re.compile(rb"(?:\A|\n\r?\n)From (\S[^\n]*+)\n")

YEAR = re.compile(rb"\S.*?\d{4}")
HEADER_LINE = re.compile(rb"[\w-]+:[ \t]")
MAX_DEPTH = 3
HINT_CHARACTERS = 200  # "Your mail program cannot show this message" and a link
MAX_PARTS = 5_000
WORD = re.compile(r"\w+")
LINK_TARGET = re.compile(r"\]\([^()\s]*+\)")


def read(name: str, data: bytes, options: Options) -> Parsed:
    if name.lower().endswith((".mbox", ".mbx")):
        return _mailbox(data, options)
    data = re.sub(rb"\AFrom .*\r?\n", b"", data)  # one mail, saved as a mailbox
    message = message_from_bytes(data.lstrip(), policy=policy.default)
    if not message.keys() or not any(_header(message, header) for header in HEADERS):
        raise Unreadable("damaged", "This is not a mail: it has no sender, date or subject.")
    problems: list[Problem] = []
    sections = tuple(_message(message, options, (), problems))
    metadata = {header.lower(): _header(message, header) for header in ("From", "To", "Date") if _header(message, header)}
    return Parsed("mail", sections, _header(message, "Subject"), metadata, tuple(problems))


def _mailbox(data: bytes, options: Options) -> Parsed:
    sections: list[Section] = []
    problems: list[Problem] = []
    found = [one for one in SEPARATOR.finditer(data) if YEAR.match(one[1]) and HEADER_LINE.match(data, one.end())]
    bounds, starts = [one.end() for one in found], [one.start() for one in found]
    for number, (start, end) in enumerate(zip(bounds, [*starts[1:], len(data)], strict=True), 1):
        message = message_from_bytes(data[start:end], policy=policy.default)
        subject = _header(message, "Subject") or f"Mail {number}"
        for section in _message(message, options, (subject,), problems):
            part = f"mail {number}" + (f", {section.locator.part}" if section.locator.part else "")
            sections.append(replace(section, locator=replace(section.locator, part=part)))
    if not sections:
        raise Unreadable("damaged", "There is no mail in this mailbox.")
    return Parsed("mailbox", tuple(sections), metadata={"mails": str(len(bounds))}, problems=tuple(problems))


def _message(message: MIMEPart, options: Options, heading: tuple[str, ...], problems: list[Problem]) -> Iterator[Section]:
    facts = [f"{header}: {value}" for header in HEADERS if (value := _header(message, header))]
    bodies, attachments, richer = _parts(message, problems)
    names = [name for name, _ in attachments]
    if names:
        facts.append(f"Attachments: {', '.join(names)}")
    flow = Flow(Locator(heading=heading))
    flow.block("\n".join(facts))
    for part in bodies:
        if part.get_content_subtype() != "html":
            for paragraph in re.split(r"\n\s*\n", "\n".join(with_aligned_columns(_text(part).splitlines()))):
                flow.block(paragraph)
    sections = list(flow.sections())
    for part in bodies:
        if part.get_content_subtype() == "html":
            page = convert_text(_text(part), Locator(heading=heading))
            sections.extend(page.sections())
            problems.extend(page.problems)
    told = set(WORD.findall(" ".join(section.text for section in sections).casefold()))
    for part in richer:
        sections.extend(_only_in(part, told, heading))
    yield from sections
    for name, part in attachments:
        yield from _attachment(name, part, options, heading, problems)


def _only_in(part: MIMEPart, told: set[str], heading: tuple[str, ...]) -> Iterator[Section]:
    """The paragraphs of the HTML form of a mail with words that its plain form does not have."""
    try:
        page = convert_text(_text(part))
    except Unreadable:
        return
    flow = Flow(Locator(heading=heading, part="HTML form"))
    for section in page.sections():
        for paragraph in (*section.locator.heading[-1:], *section.text.split("\n\n")):
            words = LINK_TARGET.sub("]", paragraph).casefold()
            if not told.issuperset(WORD.findall(words)):
                flow.block(paragraph)
    yield from flow.sections()


def _parts(message: MIMEPart, problems: list[Problem]) -> tuple[list[MIMEPart], list[tuple[str, MIMEPart]], list[MIMEPart]]:
    """The parts that are the text, in one form each, the attachments with their names, and other forms of the text."""
    richer: list[MIMEPart] = []
    bodies: list[MIMEPart] = []
    attachments: list[tuple[str, MIMEPart]] = []
    waiting: list[MIMEPart] = [message]
    seen = 0
    while waiting:
        if (seen := seen + 1) > MAX_PARTS:
            problems.append(Problem("limit", f"Only the first {MAX_PARTS} parts of this mail were read."))
            break
        part = waiting.pop(0)
        kind = part.get_content_type()
        if kind == "multipart/alternative":
            forms = list(part.iter_parts())
            chosen = _best_alternative(forms)
            waiting[:0] = chosen
            others = (inner for form in forms if form not in chosen for inner in form.walk())
            richer.extend(inner for inner in others if inner.get_content_type() == "text/html")
        elif part.get_content_maintype() == "multipart":
            waiting[:0] = [inner for inner in part.get_payload() if isinstance(inner, MIMEPart)] if part.is_multipart() else []
        elif part.get_content_disposition() == "attachment" or _file_name(part) or part.get_content_maintype() != "text":
            if part.get_content_disposition() != "inline" or part.get_content_maintype() != "image":
                attachments.append((_file_name(part) or _unnamed(part), part))
        else:
            bodies.append(part)
    return bodies, attachments, richer


def _best_alternative(parts: list[MIMEPart]) -> list[MIMEPart]:
    """Plain text, unless it is only a hint to look at the HTML; else the richest."""
    plain = next((part for part in parts if part.get_content_type() == "text/plain"), None)
    page = next((part for part in parts if part.get_content_type() == "text/html"), None)
    words = len(_text(plain).strip()) if plain is not None else 0
    if plain is not None and words and (words > HINT_CHARACTERS or page is None or words * 3 > _length(page)):
        return [plain]
    return parts[-1:]


def _length(page: MIMEPart) -> int:
    try:
        return sum(len(section.text) for section in convert_text(_text(page)).sections())
    except Unreadable:
        return 0


def _attachment(
    name: str, part: MIMEPart, options: Options, heading: tuple[str, ...], problems: list[Problem]
) -> Iterator[Section]:
    if part.get_content_type() == "message/rfc822":
        inner = part.get_payload()
        data = inner[0].as_bytes() if isinstance(inner, list) and inner and isinstance(inner[0], MIMEPart) else b""
        name = name if name.lower().endswith(".eml") else f"{name}.eml"
    else:
        decoded = part.get_payload(decode=True)
        data = decoded if isinstance(decoded, bytes) else b""
    if options.depth >= MAX_DEPTH:
        problems.append(Problem("limit", f"The attachment “{name}” lies more than {MAX_DEPTH} mails deep and was not read."))
        return
    try:
        parsed = formats.parse_bytes(name, data, replace(options, depth=options.depth + 1))
    except Unreadable as unreadable:
        problems.append(Problem("partial", f"Attachment “{name}”: {unreadable.problem.reason}"))
        return
    problems.extend(parsed.problems)
    for section in parsed.sections:
        locator = replace(section.locator, heading=(*heading, name, *section.locator.heading), part=name, lines=None)
        yield replace(section, locator=locator)


def _text(part: MIMEPart) -> str:
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return str(part.get_payload())
    try:
        return decode(data, part.get_content_charset() or "").strip("\n")
    except Unreadable:
        return data.decode("utf-8", "replace")


def _header(message: MIMEPart, name: str) -> str:
    try:
        value = str(message.get(name, ""))
    except (ValueError, IndexError, AttributeError, TypeError):  # the header parser of the standard library gives up
        value = next((str(raw) for key, raw in message.raw_items() if key.lower() == name.lower()), "")
    return " ".join(value.encode("utf-8", "replace").decode().split())


def _file_name(part: MIMEPart) -> str:
    try:
        name = part.get_filename() or ""
    except (ValueError, IndexError, AttributeError, TypeError):
        name = ""
    return " ".join(name.replace("/", "_").encode("utf-8", "replace").decode().split())


def _unnamed(part: MIMEPart) -> str:
    return "forwarded mail" if part.get_content_type() == "message/rfc822" else f"unnamed {part.get_content_type()}"
