"""The form in which a sentence answers: what follows from a condition, how something is done, a default, a difference."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from prompts.language import terms
from prompts.question import QuestionAnalysis, Word, analyse
from prompts.regex import regex

LEAST_OF_CLAUSE = 0.5  # of the question in a clause, for it to be the one that is asked about
FEWEST_AFTER = 3  # words that say what follows

_WHAT_HAPPENS = regex(
    r"\bwhat (?:happens|happened|would happen|will happen|does .{1,60}? do)\b.{0,80}?\b(?:if|when|once|after|with|for)\b|\bwhat if\b"
)
_REPEATED = regex(
    r"\bkeeps? (?:on )?(?:not )?\w+ing\b|\b(?:again and again|over and over|repeatedly|several times|many times|more than once|twice|"
    r"time and again|a (?:second|third) time|the (?:second|third) time)\b",
    re.IGNORECASE,
)
_SAYS_REPEATED = regex(
    r"\bkeeps?\b|\b(?:again|repeated(?:ly)?|repeat|twice|times|second|third|fourth|each time|every time|more than|in a row|once more|two|three|four|2|3|4)\b",
    re.IGNORECASE,
)
_CONDITION = regex(
    r"(?:\A|[\s(])(?:if|when|once|whenever|in case|after) ([^,;:]{2,160}?)(?:,|[;:]| then )\s*(?=\S)", re.IGNORECASE
)
_AFTERWARDS = regex(r"[^,;:]{10,200}? (?:if|when|once|whenever|in case) ([^,;:.]{2,160})[.!]?\Z", re.IGNORECASE)
_PURPOSE = regex(r"(?:[-*+] )?(?:(?:In order to|To|For) ([^,:;.]{3,120}?)[,:]\s*(?=\S))")
_WANTED = regex(
    r"\b(?:if|when|whenever|should|in case) (?:you|one|we|users?) (?:also |only |just |really |do )?(?:want|wish|need|like|would like|have|intend|prefer|plan)s?(?: to)? ([^,:;]{3,160}?)(?:[,:;]|\Z)",
    re.IGNORECASE,
)
_USED_TO = regex(
    r"\b(?:us(?:e|ed|ing|es)|call(?:ed|ing)?|run|set(?:ting)?|pass(?:ing)?|add(?:ing)?|specify|with|via|provides?|helper|option|command|setting)\b[^.;]{1,90}? (?:to|for|that|which) ([^,:;]{3,140})",
    re.IGNORECASE,
)
_ASKS_DEFAULT = regex(  # also by what is so if nothing else is said
    r"\bdefaults?\b|\b(?:if|when|unless) (?:(?:i|you|we|one) (?:do not|don['’]t|did not)|nothing|none|no \w+|it is not|(?:the |an? )?(?:\w+ ){1,3}(?:is not|isn['’]t|are not|not)) ?"
    r"(?:is |are |was |has been )?(?:set|given?|configured?|specif(?:y|ied)|chosen?|choose|pass(?:ed)?|named?|tell|told|say|said|provided?|defined?)\b"
    r"|\bwithout (?:setting|giving|configuring|specifying|choosing|passing)\b|\bout of the box\b"
)
_DEFAULT = regex(
    r"\b(?:default[sd]?|by default)(?: \w+){0,3}? (?:is|are|to|of)\b|\bdefault(?:ed|s)?(?: value)?[:=]|[(\[]defaults?\b|\bby default\b",
    re.IGNORECASE,
)
_DIFFERS = regex(
    r"\b(?:unlike|whereas|while|differs?|different|difference|in contrast|on the other hand|instead of|rather than|compared (?:to|with)|but not|not the same)\b",
    re.IGNORECASE,
)
_REASON = regex(
    r"\b(?:because|since|so that|therefore|otherwise|due to|reasons?|in order to|as (?:it|they|this|that|there|we|you))\b",
    re.IGNORECASE,
)
_ASKS_PURPOSE = regex(r"^what (?:is|are|was) .{2,80} (?:used )?for\W*\Z|\bpurpose of\b|\bwhat .{2,60} good for\b")
_SERVES = regex(
    r"\b(?:(?:purpose|goal|aim|driver|idea|intent(?:ion)?)\b.{0,60}\b(?:is|are|was)|used (?:to|for|by)|so that|allows?|enables?|in order to|helps?|is for)\b",
    re.IGNORECASE,
)

_NEEDED = regex(r"\b(?:need|requir|support|compatible|work|run|minimum|install|use)\w*")
_OF_VERSIONS = regex(
    r"\b(?:which|what) (?P<name>[\w.+#-]{2,40}) versions?\b|\bversions? of (?:the )?(?P<other>[\w.+#-]{2,40})|\bminimum (?P<third>[\w.+#-]{2,40}) version\b"
)


@lru_cache(16)
def version_asked(question: str) -> re.Pattern[str] | None:
    """How it is said which version of the thing is needed of which a question, in small letters, asks that: "requires Python 3.12 or
    newer"; None for any other question."""
    match = _OF_VERSIONS.search(question)
    if match is None or _NEEDED.search(question) is None:
        return None
    name = re.escape(next(filter(None, match.groups())).strip("."))
    number = r"(?:\s+version)?\s*[`*]{0,2}(?:>=?\s?)?v?\d+(?:\.\d+)*"
    return re.compile(
        rf"\b{name}{number}\+?[`*]{{0,2}}(?:\+|,?\s+(?:or|and)\s+(?:later|newer|above|higher|greater|up)\b)"
        rf"|\b(?:requires?|needs?|supports?|works? (?:on|with)|runs? (?:on|with|under)|tested (?:on|with|against)|at least|minimum)\b[^.\n]{{0,40}}\b{name}{number}"
        rf"|\b{name}{number}\b[^.\n]{{0,40}}\b(?:is|are) (?:required|supported|needed)\b",
        re.IGNORECASE,
    )


def form_of(question: str, asked: QuestionAnalysis, words: Sequence[Word], said: str) -> float:
    """How far a sentence has the form of an answer to such a question, from 0 to 1. `question` is in small letters."""
    if asks_what_happens(question):
        return share_of_condition(words, said)
    if asked.kind == "how_to":
        return share_of_purpose(words, said)
    form = _DIFFERS if asked.kind == "compare" else _form_asked(question)
    return float(form is not None and form.search(said) is not None)


def asks_form(question: str, asked: QuestionAnalysis) -> bool:
    """Whether a question is one that `form_of` knows the form of an answer to, other than a way."""
    return asked.kind == "compare" or asks_what_happens(question) or _form_asked(question) is not None


@lru_cache(16)  # it is asked anew for every sentence
def _form_asked(question: str) -> re.Pattern[str] | None:
    if asks_default(question):
        return _DEFAULT
    return _SERVES if _ASKS_PURPOSE.search(question) else None


@lru_cache(16)
def asks_default(question: str) -> bool:
    return _ASKS_DEFAULT.search(question) is not None


@lru_cache(16)
def asks_what_happens(question: str) -> bool:
    return _WHAT_HAPPENS.search(question) is not None


def is_of_repeating(question: str, said: str) -> bool:
    """Whether a sentence says of what happens repeatedly that it does, where just that is asked: "somebody who keeps coming late"."""
    return _REPEATED.search(question) is None or _SAYS_REPEATED.search(said) is not None


def may_be_all(question: str, beginning: str) -> bool:
    """Whether the beginning of a section may be the answer by itself: where a difference or a reason is asked for, it has to tell one."""
    match analyse(question).kind:
        case "compare":
            return _DIFFERS.search(beginning) is not None
        case "why":
            return _REASON.search(beginning) is not None
    return True


def share_of_condition(words: Sequence[Word], said: str) -> float:
    """How much of a question stands in the condition of a sentence that says what follows from it."""
    return max((share_of_clause(words, clause) for clause in conditions_in(said)), default=0.0)


def conditions_in(said: str) -> list[str]:
    """The conditions in a sentence from which it says that something follows."""
    clauses = [match[1] for match in _CONDITION.finditer(said) if len(said[match.end() :].split()) >= FEWEST_AFTER]
    if (match := _AFTERWARDS.match(said)) is not None:
        clauses.append(match[1])
    return clauses


def without_conditions(said: str) -> str:
    """What a sentence says follows, without the conditions that it begins with."""
    return _CONDITION.sub(" ", said).strip()


def share_of_purpose(words: Sequence[Word], said: str) -> float:
    """How much of a question stands in the purpose that a sentence begins with: "To restart the broker, run ..."."""
    match = _PURPOSE.match(said)
    share = share_of_clause(words, match[1]) if match else 0.0
    return max(
        [share, *(share_of_clause(words, found[1]) for pattern in (_WANTED, _USED_TO) for found in pattern.finditer(said))]
    )


def share_of_clause(words: Sequence[Word], clause: str) -> float:
    """How much of a question a clause says, from LEAST_OF_CLAUSE to 1; else nothing."""
    there = set(terms(clause))
    total = sum(word.weight for word in words) or 1.0
    share = sum(word.weight for word in words if word.is_in(there)) / total
    return share if share >= LEAST_OF_CLAUSE else 0.0


_DOES = regex(
    r"\W*what (?:does|do|is) (?:the |our )?(?:(?:option|setting|flag|parameter|command|directive|variable|key|argument|switch|function) )?[`'\"“]*(?P<name>[\w./:-]{2,60}(?: [\w./:-]{2,40}){0,2}?)[`'\"”]*"
    r"(?: (?:option|setting|flag|parameter|command|directive|field|variable|property|function|method|key|argument|switch)s?)? (?:do|mean|control|used for|good for|for|stand for)\W*\Z",
    re.IGNORECASE,
)


def thing_that_does(question: str) -> str:
    """The name of the setting or command of which it is asked what it does, as it is compared; empty for any other question."""
    match = _DOES.match(question)
    return match["name"].casefold().strip("-.:") if match is not None else ""


def named_in(heading: str) -> set[str]:
    """The names that a heading is made of, as they are compared: "-n, --nodaemon" is two; a heading that says more is none."""
    parts = [part.strip("`*' \"") for part in heading.casefold().split(",")]
    names = [part.split("=")[0].split(" ")[0] if part.startswith("-") else part for part in parts]
    return {name.strip("-.:") for name in names} if len(names) == 1 or all(one.startswith("-") for one in parts) else set()


_MARKED = regex(  # an option, a placeholder, a sign: what the words of the index say nothing of
    r"(?<![\w`'\"(/.-])(?:--?[A-Za-z][\w-]*|%[A-Za-z%]\w*|\$[\w{$]\w*|&&|\|\||[~/.][\w./*-]+/?[\w*]|\.\w{2,5})(?=[\s`'\"),.:;?!]|\Z)"
)


@lru_cache(16)
def signs_in(question: str) -> tuple[str, ...]:
    """The options, placeholders, paths and the like that a question names: `-j`, `%e`, `/etc/app`."""
    return tuple(dict.fromkeys(match.group() for match in _MARKED.finditer(question)))


def has_sign(sign: str, text: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(sign)}(?![\w-])", text) is not None


_INTRODUCED = r"\b(?:called|known as|named|termed|referred to as|defines?)(?: (?:an?|the))?\W{0,6}"
_SUBJECT_VERB = r"\W{0,4}(?:\([^()]{1,40}\)\W{0,3})?(?:is|are|was|were|means?|refers?|represents?|describes?|defines?|denotes?|consists?|contains?|provides?|holds?|allows?|lets?|specif(?:y|ies)|determines?|controls?|enables?|helps?|offers?|manages?|handles?|gives?|runs?|lists?|creates?|tells?|takes?|makes?|sets?|shows?|removes?)\b"
_BEGINNING = r"(?:\W{0,4}(?:the|an?|each|every|our|all)\b)?\W{0,6}"


def introduces(subject: str, said: str) -> bool:
    """Whether a sentence may say what something is: it begins with it and goes on with a verb, or says what is called so."""
    words = r"[\s_-]+".join(re.escape(word.rstrip("s")) + r"s?" for word in subject.casefold().split())
    low = said.casefold()
    return bool(words) and (
        re.match(rf"{_BEGINNING}{words}{_SUBJECT_VERB}", low) is not None
        or re.search(rf"{_INTRODUCED}{words}\b", low) is not None
    )


_SORTS = tuple(
    (regex(rf"\b(?:which|what)\b(?: [\w-]+){{0,2}}? (?:{nouns})\b"), regex(thing))
    for nouns, thing in (
        ("environment variables?|env vars?|variables?", r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|\$[A-Z][A-Z0-9_]+|`[^`\n]+`"),
        ("options?|flags?|switch(?:es)?|arguments?", r"(?<![\w-])--?[A-Za-z][\w-]*|`[^`\n]+`|\b[a-z]+_[a-z_]+\b"),
        (
            "settings?|parameters?|configurations?|propert(?:y|ies)|attributes?|keys?|fields?|keywords?",
            r"`[^`\n]+`|\b\w+[_.]\w+\b|\b[a-z]+[A-Z]\w+\b",
        ),
        ("commands?|subcommands?|tools?|scripts?", r"`[^`\n]+`|(?<![\w-])--[a-z][\w-]*"),
        (
            "functions?|methods?|class(?:es)?|modules?|hooks?|decorators?|types?|objects?|exceptions?",
            r"`[^`\n]+`|\b\w+\(\)|\b[A-Z][a-z]+[A-Z]\w+\b|\b\w+_\w+\b",
        ),
        (
            "files?|folders?|director(?:y|ies)|paths?",
            r"`[^`\n]*[./][^`\n]*`|(?<![\w-])[\w-]{1,60}\.[a-z]{2,5}\b|(?<![~\w.-])[~\w.-]{0,60}/[\w./-]+",
        ),
        (
            "ports?|numbers?|sizes?|limits?|codes?|status(?:es)?|lengths?|values?",
            r"(?<![\w.])\d[\d.,]*|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|zero)\b",
        ),
        ("versions?|releases?", r"\bv?\d+(?:\.\d+)+|\b[Vv]ersion \d|\b[A-Z]\w+ \d+\b"),
        (
            "platforms?|systems?|languages?|databases?|browsers?|licen[cs]es?|formats?|protocols?|packages?|librar(?:y|ies)",
            r"(?<=[a-z,(] )[A-Z][\w+.-]+|`[^`\n]+`",
        ),
    )
)


@lru_cache(16)
def sort_asked(low: str) -> re.Pattern[str] | None:
    """What a thing looks like of the sort that a question names: "which environment variable", "in which file"."""
    return next((thing for asked, thing in _SORTS if asked.search(low)), None)
