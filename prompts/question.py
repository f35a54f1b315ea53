"""What a question asks for: its kind, the names it gives, and which of its words carry it."""

# ruff: noqa: SIM905 - long lists of words are read as text

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import pairwise
from typing import Literal

from prompts.language import words
from prompts.other_languages import GERMAN, bare, defined, folded, german_forms, is_of_two, kind_of, language_of, said_in_english
from prompts.phrases import NOT_KEYS
from prompts.records import Question
from prompts.regex import regex

Kind = Literal["how_to", "definition", "who", "when", "where", "count", "yes_no", "why", "list", "overview", "compare", "open"]


@dataclass(frozen=True, slots=True)
class QuestionAnalysis:
    """What the form of a question tells. `latest` says that only the newest statement will do."""

    kind: Kind
    phrases: tuple[str, ...] = ()  # what stands in quotation marks
    keys: tuple[str, ...] = ()  # ticket keys, in upper case
    files: tuple[str, ...] = ()  # file names as written
    subject: str = ""  # what an overview or a definition is asked of
    latest: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question: its term, the terms of its parts, what it weighs, and other terms that say the same."""

    whole: str
    parts: tuple[str, ...]
    weight: float
    others: tuple[str, ...] = ()
    occurs: bool = True  # somewhere in the text that is asked about

    def is_in(self, there: Container[str]) -> bool:
        """Whether it is among these terms: whole, in all its parts, or in another form."""
        if self.whole in there or (self.parts and all(part in there for part in self.parts)):
            return True
        return bool(self.others) and any(other in there for other in self.others)


def forms_of(words: Iterable[Word]) -> set[str]:
    """The terms that stand for any of these words: whole, in parts, in another form."""
    return {part for word in words for part in (word.whole, *word.parts, *word.others)}


_LONGEST_QUESTION = 4_000
_KEY = regex(r"(?<![\w-])[A-Za-z][A-Za-z0-9]{1,14}-\d{1,8}(?![\w-])")
_UPPER_KEY = regex(r"[A-Z][A-Z0-9]+-\d+\Z")
_EXTENSIONS = (
    "md|markdown|rst|txt|pdf|docx?|pptx?|xlsx?|od[tsp]|html?|csv|tsv|json|ya?ml|ipynb|epub|eml|py|js|ts|tsx|jsx|java|go|rs|"
    "cpp|hpp|cs|rb|php|sh|sql|toml|ini|cfg|conf|log|tex|adoc|org|xml|proto|swift|kt"
)
_QUOTED = regex(r"\"([^\"\n]{2,120})\"|\u201c([^\u201d\n]{2,120})\u201d|`([^`\n]{2,120})`|(?<!\w)'([^'\n]{2,120})'(?!\w)")
_FILE = regex(rf"(?<![\w./-])(?:[\w.-]{{1,80}}/){{0,8}}[\w-][\w.-]{{0,80}}\.(?:{_EXTENSIONS})(?!\w)", re.IGNORECASE)
_SPACED_FILE = regex(rf"(?:[A-Z][\w-]{{0,40}}(?: [\w-]{{1,40}}){{1,5}})\.(?:{_EXTENSIONS})(?!\w)", re.IGNORECASE)
_LATEST = regex(
    r"\b(?:latest|newest|most recent(?:ly)?|currently?|at present|as of|nowadays|these days|right now|so far|still|last|up[- ]to[- ]date)\b",
    re.IGNORECASE,
)
_OVERVIEW = regex(
    r"^(?:please |can you |could you )?(?:"
    r"(?:what(?:'s| is| are)?|which (?:files|documents|docs|pages|folders|notes|minutes|guides|reports|runbooks|pdfs|papers|records|texts|spreadsheets) are) (?:in|inside|contained in)|what (?:do we (?:have|keep)|have we got|is there|lies|is (?:kept|stored|lying)|can I find) (?:in|inside)(?=[^?]{1,80} (?:folder|directory)\b)|what (?:does|do)(?= [^?]{1,80} (?:contain|cover|include)s?\W*$)"
    r"|summari[sz]e|give (?:me )?(?:an? )?(?:short |brief |quick )?(?:overview|summary|rundown|recap) of|(?:an? )?(?:short |brief |quick )?(?:overview|summary|rundown|recap) of"
    r"|what(?:'s| is)(?= .{1,80} about\s*+\?*+\s*+$)|tl;?dr(?: of)?"
    r") ?(?P<subject>.{0,160})",
    re.IGNORECASE,
)
_AMOUNT_IN_WORDS = regex(r"(?:\w+ )?(?:budget|preis|kosten|gebühr|gehalt|betrag|prix|coûts?|montant|tarif)", re.IGNORECASE)
_ANOTHER_QUESTION = regex(r"\b(?:and|or) (?:what|which|who|when|where|why|how)\b", re.IGNORECASE)
_DEFINITION = regex(
    r"^(?:what(?:['’]?s| is| are| does)|define|definition of|meaning of|what do(?:es)? we mean by|explain the term) "
    r"(?P<subject>.{2,80}?)(?: mean(?: (?:for|in|to|by|with) [^?]{2,40}?)?| stand for|(?: used| good)? for)?[?.!\s]*$",
    re.IGNORECASE,
)
_SOUGHT = regex(  # "what is the ticket waiting for": what is sought, and not what a thing is for
    r"\b(?:waiting|looking|asking|paying|paid|searching|hoping|applying|calling|heading|aiming|preparing|standing|fighting|responsible|known|liable) for\W*\Z",
    re.IGNORECASE,
)
_KIND_PATTERNS: tuple[tuple[Kind, str], ...] = (
    ("how_to", r"^how (?:do|can|could|should|must) (?:i|we|you|one|people|users?|admins?)\b.+\bhow (?:many|much|often|long|large|big|high)\b"),
    ("count", r"\bhow (?:many|much|often|long|old|far|large|big|high|tall)\b|\bwhat (?:number|amount|percentage|share|size|price|version) of\b|^what (?:do|does|did|will|would|is|are|was)\b.{1,80}\bcosts?\b|^what(?:['’]?s| is| was| are| were)(?: the| our)? (?:\w+ )?(?:price|cost|budget|fee|salary)s?\b|^\W*(?:(?:the|our|and the) )?(?:\w+ )?(?:price|cost|budget|fee|salary)s?\W*\Z"),
    ("compare", r"\b(?:compare|difference between|differ from|differences? (?:of|in)|versus|vs\.?|as opposed to|better than|advantages? of .+ over)\b"),
    ("how_to", r"\bhow (?:do|can|could|should|would|must) (?:i|we|you|one|someone|people|users?|admins?)\b|\bhow to\b|\bsteps (?:to|for)\b|\b(?:first|next|last|final|second|third) steps? (?:to|for|of|in|when|after)\b|\bwhat are the (?:next )?steps\b|\bwhat (?:do|should|must|can) (?:i|we|you) (?:do|check|try|look at|look for)\b|[.,;:!?–—-] ?(?:the )?steps(?: please)?\W*\Z|\bhow (?:can|could|should|must) (?:an?|the|my|our|any|every|new) (?:[\w-]+ ){1,3}?(?:get|gain|receive|obtain|become|apply|pay|ask|request|book|order|cancel|change|report|register|sign|log|join|leave|return|reach|find|use|open|close|enter|renew|extend|claim|enrol|submit|send)\b|\bprocedure (?:for|to)\b|\bwhat(?:(?: i|['’]?)s| was)? the (?:procedure|process|way|drill|routine|protocol)(?: (?:for|to|if|when|in case|with|after|once)\b|\W*\Z)|\bwhat (?:am i|are we|is one) (?:supposed|meant|expected) to do\b|\bwhat do (?:i|we|you) (?:have|need) to do (?:to|if|when|for)\b|\bwhat (?:has|needs|ought) to happen\b|\bhow (?:does|do|will) (?:it|this|that|things|we|i) (?:go on|proceed)\b|\b(?:i|we|my|our)\b.{1,120}\bhow does (?:[\w-]+ ){0,2}?[\w-]+ing (?:[\w-]+ ){0,3}?work\b|\binstructions (?:for|to)\b|\bwhat to do\b|\bwhat now\b|^(?:(?:the |an? )?(?:alert|alarm|error)s? )?(?!(?:what|which|who|when|why|where|how|nothing|something|it|this|that)\b)\S+ (?:is firing|fires|fired|has fired|went off)\b|\bhow (?:is|are) (?:[\w-]+ ){1,5}?(?!(?:named|called|spelled|known|defined|licensed|related)\b)[\w-]+(?:ed|en|own|uilt|ept|ent|old|one|ade|ought|aid)\b"),
    ("how_to", r"^\W*(?:switch|turn|shut|power|sett|resett|restart|reboot|install|uninstall|replac|chang|order|book|cancell?|add|remov|creat|clos|open|start|stopp|restor|renew|request|report|register|connect|logg|unlock|clean|empty|fill|refill|calibrat|charg|return|swapp|updat|upgrad|export|import|merg|mov|send|print|scann|back)ing (?:on|off|up|down|in|out|the|an?|my|our|your|new)\b(?![^?]*\b(?:hours|times|dates?|costs?|fees?|prices?|rules|policy|deadline)\b)"),
    ("who", r"^(?:who|whom)\b"),
    ("when", r"^(?!what\b|how\b|which\b|who\b|why\b|where\b)(?:\w+ ){0,3}?when\b|\b(?:what|which|in what|in which) (?:year|quarter|month|week|weekday|day|date|time)s?\b|\bsince when\b|\bwhat(?: is|'s| was) the (?:date|deadline)\b|\bdue date\b|^(?!(?:what|how|which|who|why|where|is|are|was|were|do|does|did|can|could|should|will|has|have|list|name)\b)(?:[\w'’-]+ ){0,3}(?:date|deadline)(?: (?:of|for|in|to) [^?]*)?\W*\Z"),
    ("who", r"^(?:\w+ ){0,3}?(?:who|whose|whom)\b|\bwhich (?:person|people|team|member|engineer|author)\b"),
    ("where", r"^(?:\w+ ){0,2}?where\b|\bin (?:which|what) (?:file|folder|place|city|country|room)\b"),
    ("why", r"^(?:\w+ ){0,2}?why\b|\bwhat(?: is| was| are| were|['’]?s) (?:the|your|our|their) (?:(?:root|main|real|actual|underlying|likely) )?(?:reason|cause|rationale|motivation|thinking behind)s?\b|\bwhat (?:made|makes|led|leads|brought|drove) (?:us|you|them|him|her|it)\b|\bwhat (?:made|led|brought|drove) (?:the|our|my)\b|^(?:the )?(?:root )?(?:cause|reason)s? (?:of|for|behind)\b|^(?:for|from) (?:what|which) (?:reason|cause)s?\b|\bwhat caused\b|\bhow come\b"),
    ("list", r"^(?:list|name|enumerate)\b|\b(?:what|which) (?:are|were) (?:the|all|our|your|some)\b|\bwhich (?:[\w-]+ ){0,2}\w+s\b (?:are|were|have|do|did|can|must|need|should)\b|\blist (?:of|all|the)\b|\bwhat (?:kinds?|types?|sorts?) of\b"),
    ("yes_no", r"^(?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|had|may|must|am)\b"),
)  # fmt: skip
_KINDS = tuple((kind, regex(pattern, re.IGNORECASE)) for kind, pattern in _KIND_PATTERNS)
# Words by which a question is put rather than what it is about.
PUTTING = frozenset(
    """describ explain summar compar discuss discuss mean difference differ kind type list name mani much tell give
    show find know question answer inform detail detailed exampl follow main exact specif accord mention provid
    refer regard relat happen purpos reason possibl best way step thing anyth someth someon anyon somebodi anybodi everybodi everyon nobodi
    particular overal overview summari suggest expres opinion current latest recent last first question thank hello
    what whos hows where when
    advantag disadvantag drawback benefit downsid
    want need help understand look relev talk document file say said articl report weekday suppos""".split()
)
_PUT_FACTOR = 0.35
# Everyday words. A text seldom has them and yet is not about them, so rarity makes them weigh too much.
EVERYDAY = frozenset(
    known[0]
    for known in words(
        """able across actually again almost along already always anyway anywhere apart around away bad badly become begin behind
        believe besides bit bring busy came care carry catch certain come complain consider deal decent directly early
        easily easy either else enough entire especially even everything everywhere exactly far feel few fine forget
        fully further get give goes going gone good got great guess happy hard hardly heavy hit hits hold hope huge
        hundreds inside instead involved keep late later least leave left less let likely little lot make manage
        matter maybe miss moment mostly much myself near nearly need never nice normally nothing often once otherwise
        outside part past people perhaps pretty probably properly put quick quickly quite rather ready really regular
        rest rid roughly round see seem sense settle several simply single sometimes somewhere soon sort stay still straight
        stuff sudden suddenly sure take think thousands throw together touch tried true try turn usual usually very
        whole wish wonder worry worth wrong yet yourself"""
    )
)
EVERYDAY_FACTOR = 0.5
_THINGS_TOO = frozenset(
    "list name detail document file report articl question".split()
)  # further on in a question they are things
_AROUND = ".,;:!?\"'()[]{}\u201c\u201d\u2018\u2019`\u00bf"  # marks around a word
_OTHER_FACTOR = 0.6
# Forms of a word that the index does not bring together: irregular verbs and plurals, currencies.
_FORMS = """lead led|run ran|take took taken|give gave given|write wrote written|build built|buy bought|sell sold|hold held|keep kept|
leave left|lose lost|make made|meet met|pay paid|say said|send sent|spend spent|choose chose chosen|break broke broken|begin began begun|
come came|drive drove driven|fall fell fallen|feel felt|find found|forget forgot forgotten|grow grew grown|know knew known|mean meant|
rise rose risen|see saw seen|show shown|speak spoke spoken|stand stood|teach taught|tell told|think thought|throw threw thrown|
understand understood|win won|bring brought|catch caught|deal dealt|draw drew drawn|eat ate eaten|fly flew flown|freeze froze frozen|
hide hid hidden|ring rang rung|seek sought|shake shook shaken|sink sank sunk|sleep slept|steal stole stolen|strike struck|
wear wore worn|go went gone|person people|child children|foot feet|euro euros eur|dollar dollars usd|pound pounds gbp"""
# As they are spelt in Britain and in America.
SPELLINGS = """colour color|behaviour behavior|favour favor|favourite favorite|honour honor|labour labor|neighbour neighbor|harbour harbor|
flavour flavor|rumour rumor|centre center|metre meter|litre liter|fibre fiber|licence license|defence defense|offence offense|
practise practice|programme program|grey gray|artefact artifact|judgement judgment|fulfil fulfill|instalment installment|enrol enroll|
catalogue catalog|dialogue dialog|analyse analyze|cancellation cancelation|modelling modeling|labelling labeling|ageing aging|
organise organize|organisation organization|recognise recognize|customise customize|initialise initialize|optimise optimize|
summarise summarize|authorise authorize|authorisation authorization|synchronise synchronize|synchronisation synchronization|
serialise serialize|normalise normalize|visualise visualize|prioritise prioritize|minimise minimize|maximise maximize|
utilise utilize|utilisation utilization|categorise categorize|finalise finalize|standardise standardize|localise localize|
randomise randomize|tokenise tokenize|anonymise anonymize|centralise centralize|specialise specialize|generalise generalize|
capitalise capitalize|materialise materialize|virtualise virtualize|criticise criticize|apologise apologize|emphasise emphasize"""
_MEASURED = regex(
    r"\bhow (?:long|far|high|old|often|big|large|fast|quick(?:ly)?|soon|deep|wide|tall|thick|much|many)\b", re.IGNORECASE
)
_IN_PASSING = regex(  # said of time or of the asking, and no word of it is what a text is looked for by
    r"\b(?:at the moment|right now|in other words|for good|by the way|these days|of course|as it were|so far|after all)\b",
    re.IGNORECASE,
)
_HANDLED = regex(  # what the asking of somebody else is the occasion of, and is no part of the asking itself
    r"\bhow (?:do|should|can|must|shall|would) (?:i|we|you) (?:handle|deal with|treat|answer|process|react to|respond to|reply to) (?:it|this|that|those|these|such|him|her|them)\b"
    r"|\bwhat (?:do|should|must|can|shall) (?:i|we|you) do(?: then| now| with (?:it|that|him|her|them))?\W*\Z",
    re.IGNORECASE,
)
_FOR_ANOTHER = regex(  # who wants to know, and that they are told: "A guest on the phone asks how ...? What do I tell her?"
    r"\A\W*(?:hi,? |hello,? )?(?!(?:who|whom|whose|what|which|when|where|why|how|does|do|did|has|have|is|are|was|were|can|could|if|in)\b)(?:[\w'’-]+ )(?:(?!(?-i:[A-Z])|\d)[\w'’-]+ ){0,5}?"
    r"(?:(?:is |are |was |were )?(?:wondering|asking|asks?|asked|wonders?|curious)(?: me| us)?|(?:just )?(?:wants?|wanted|needs?|needed|would like) to know)(?=,? (?:what|which|who|whom|whose|when|where|why|how|if|whether)\b)"
    r"|[.,;?!–—-]\s+(?:so |and )?what (?:do|can|could|should|shall|would) (?:i|we) (?:tell|say to|say|answer|reply)(?: to)?(?: (?:him|her|them|(?:the|this|that) \w+))?\W*\Z"
    r"|[.,;?!–—-]\s+(?:(?:is|isn['’]t) (?:that|it|this) (?:right|correct|true|so)|right|correct)\W*\Z",
    re.IGNORECASE,
)
_OF_A_CODE = regex(  # said of an error's code, in words that a page about it need not have: "says error code E-17", "E-17 means"
    r"\b(?:(?:says?|shows?|displays?) )?(?:(?:error|fault|alarm) )?(?:code )?(?=[A-Z]{1,3}-?\d{1,5}[a-z]?\b)"
    r"|(?<=\d) (?:means?|stands? for)\b"
)
_ORDINAL = regex(r"\A(\d{1,2})(?:st|nd|rd|th)\Z")  # "the 20th", of which a text says "20 November"
_TWO_NAMES = regex(r"([^\W\d_][\w-]{2,40}) / ([^\W\d_][\w-]{2,40})")
_AT_LEAST = regex(r"\bat (?:least|most|the (?:very )?(?:least|most|latest|earliest))\b", re.IGNORECASE)
_ASKING = ("what", "which", "where", "when", "does", "should", "could", "would", "please", "the", "and", "how", "with", "that")


def _by_form(groups: str) -> dict[str, tuple[str, ...]]:
    """The other forms of each word, in terms of the index."""
    forms = (tuple(dict.fromkeys(known[0] for known in words(group))) for group in groups.split("|"))
    return {form: tuple(other for other in group if other != form) for group in forms for form in group}


_OTHER_FORMS = _by_form(f"{_FORMS}|{SPELLINGS}")
# Who has something to do with a thing is asked for by one verb and stated by another.
# When something was given up is asked for by one verb and stated by another.
_SAME_END = tuple(known[0] for known in words("leave abandon retire supersede switch migrate replace"))
_SAME_ROLE = tuple(
    frozenset(known[0] for known in words(group))
    for group in (
        "own owner run belong responsible charge keep maintain maintainer look",
        "lead leader head chair manage run led",
    )
)
_SAME_ROLES = {
    term: tuple(dict.fromkeys(other for group in _SAME_ROLE if term in group for other in sorted(group - {term})))
    for term in frozenset().union(*_SAME_ROLE)
}
_SAME_ENDS = {term: tuple(other for other in _SAME_END if other != term) for term in _SAME_END}
_PARTED = frozenset("turn switch shut take set bring roll plug power log sign call back spin kick pay give".split())
_IN_ONE = {  # verbs that say in one word what these say in two
    "turn off": "disable deactivate", "switch off": "disable deactivate", "shut off": "disable", "turn on": "enable activate",
    "switch on": "enable activate", "set up": "configure install", "shut down": "stop", "take out": "remove", "roll out": "deploy release",
    "go back": "rollback revert", "take back": "rollback revert undo withdraw return", "pay back": "refund repay", "give back": "return refund",
    **dict.fromkeys(("day off", "days off", "week off", "weeks off", "month off", "time off"), "leave holiday vacation absence"),
}  # fmt: skip
_PARTICLES = frozenset(("back", "down", "off", "on", "out", "over", "up"))


@lru_cache(maxsize=2_048)
def analyse(text: str) -> QuestionAnalysis:
    """What the question asks for."""
    text = " ".join(text[:_LONGEST_QUESTION].split())
    keys = tuple(dict.fromkeys(key.upper() for key in _KEY.findall(text) if _is_key(key)))
    phrases = tuple(dict.fromkeys(next(filter(None, found)).strip() for found in _QUOTED.findall(text)))
    files = tuple(dict.fromkeys([*(p for p in phrases if _is_file(p)), *_files(text)]))
    latest = bool(_LATEST.search(text))
    if (language := language_of(text)) is not None:
        if subject := defined(text, language):
            is_amount = _AMOUNT_IN_WORDS.fullmatch(subject) is not None
            return QuestionAnalysis(
                "count" if is_amount else "definition", phrases, keys, files, "" if is_amount else subject, latest
            )
        return QuestionAnalysis(kind_of(text, language), phrases, keys, files, "", latest)
    if overview := _OVERVIEW.match(text):
        subject = (overview.group("subject") or text).strip()
        if subject.rstrip(" ?!.").casefold() in ("this about", "this all about"):
            subject = "this"
        if _short_subject(subject):
            return QuestionAnalysis("overview", phrases, keys, files, _subject(subject), latest)
    for kind, pattern in _KINDS:
        if pattern.search(text):
            return QuestionAnalysis(kind, phrases, keys, files, "", latest)
    if not _SOUGHT.search(text) and (definition := _DEFINITION.match(text)) and len(definition.group("subject").split()) <= 6:
        return QuestionAnalysis("definition", phrases, keys, files, _subject(definition.group("subject")), latest)
    return QuestionAnalysis("open", phrases, keys, files, "", latest)


def other_forms(term: str) -> tuple[str, ...]:
    """Terms of the other forms of a word that the index does not bring together: "kept" for "keep"."""
    return _OTHER_FORMS.get(term, ())


def weigh(question: Question) -> list[Word]:
    """The words that carry the question, each once, with their weights; never empty where there is any word."""
    known = _weighed(question.text, tuple(question.weights.items()), question.unknown)
    return list(map(partial(_abbreviated, question), known) if question.short or question.full else known)


def _abbreviated(question: Question, word: Word) -> Word:
    """A word that is also said by an abbreviation that it is a part of; an abbreviation by all the words that it stands for."""
    short = question.short.get(word.whole, ())
    return replace(word, others=(*word.others, *short), parts=word.parts or question.full.get(word.whole, ()))


@lru_cache(maxsize=16)  # it is asked anew for every leaf and every option of a walk
def _weighed(asked: str, weighted: tuple[tuple[str, float], ...], unknown: frozenset[str]) -> tuple[Word, ...]:
    weights = dict(weighted)
    highest = max(weights.values(), default=1.0) or 1.0
    found: dict[str, Word] = {}
    german = _german_forms(asked[:_LONGEST_QUESTION])
    nouns = _nouns(asked[:_LONGEST_QUESTION])
    foreign = in_english_terms(asked)
    either = _either(asked[:_LONGEST_QUESTION])
    kind = analyse(asked).kind
    roles = _SAME_ROLES if kind == "who" else _SAME_ENDS if kind == "when" else {}
    text = asked[:_LONGEST_QUESTION]
    unsaid_here = (_MEASURED, _AT_LEAST, _IN_PASSING, _OF_A_CODE)
    for unsaid in unsaid_here if _HANDLED.search(text) else (_FOR_ANOTHER, *unsaid_here):
        text = unsaid.sub("", text)
    for at, known in enumerate(_without_putting(text) or words(text) or words(asked[:_LONGEST_QUESTION])):
        whole, parts = known[0], known[1:]
        if whole not in found:
            weight = _weight(whole, parts, weights, highest)
            put = (whole in PUTTING and (at < 2 or whole not in _THINGS_TOO)) or (
                weight >= highest and any(one_slip(whole, word) for word in _ASKING)
            )
            others = (
                *_OTHER_FORMS.get(whole, ()),
                *german.get(whole, ()),
                *nouns.get(whole, ()),
                *roles.get(whole, ()),
                *foreign.get(whole, ()),
                *_ORDINAL.findall(whole),
                *either.get(whole, ()),
            )
            if whole in EVERYDAY:
                weight *= EVERYDAY_FACTOR
            translated = [weights[other] for other in foreign.get(whole, ()) if other in weights and other not in unknown]
            if translated and weight >= highest:  # the word itself occurs nowhere
                weight = max(translated)
            elif others and whole in unknown and whole not in foreign:  # how rare the other form is is not known
                weight *= _OTHER_FACTOR
            if whole[:1].isalpha() and all(map(str.isdigit, parts)):
                parts = ()  # "06" is not "F-06"
            found[whole] = Word(whole, parts, weight * (_PUT_FACTOR if put else 1.0), others, whole not in unknown)
    return tuple(found.values())


def _without_putting(text: str) -> list[tuple[str, ...]]:
    """The words of a question in another language without those by which it is put; nothing for one in English."""
    if (language := language_of(text)) is None:
        return []
    said = [bare(word.strip(_AROUND), language) for word in text.split()]
    return [known for word in said if folded(word) not in language.words for known in words(word)]


@lru_cache(maxsize=256)
def _german_forms(text: str) -> dict[str, tuple[str, ...]]:
    """Other forms of the words of a question in German, by their terms."""
    said = [word.strip(_AROUND) for word in text.split()]
    if language_of(text) is not GERMAN:
        return {}
    made = {known[0]: german_forms(word, said[-1]) for word in said for known in words(word)}
    return {term: tuple(known[0] for form in forms for known in words(form)) for term, forms in made.items() if forms}


@lru_cache(maxsize=256)
def in_english_terms(text: str) -> dict[str, tuple[str, ...]]:
    """Terms with which an English text says the same as the words of a question in another language, by their terms."""
    text = text[:_LONGEST_QUESTION]
    if (language := language_of(text)) is None:
        return {}
    said = [bare(word.strip(_AROUND), language) for word in text.split()]
    found: dict[str, tuple[str, ...]] = {}
    for word in said:
        if folded(word) in language.words and folded(word) not in language.things:
            continue
        forms = german_forms(word, said[-1]) if language is GERMAN else ()  # "melde ... an" is "anmelden"
        english = next((one for form in (*forms[::-1], word) if (one := said_in_english(form, language))), "")
        same = [known[0] for known in words(english)]
        same += [other for term in same for other in _OTHER_FORMS.get(term, ())]
        if same:
            found |= {known[0]: tuple(dict.fromkeys(same)) for known in words(word)}
    return found


def as_a_whole(text: str, carrying: Sequence[Word]) -> list[Word]:
    """The words of a question, a German compound only where both of its parts are said: "Tageskarte" is no card."""
    language = language_of(text[:_LONGEST_QUESTION])
    if language is None:
        return list(carrying)
    said = [bare(word.strip(_AROUND), language) for word in text.split()]
    both = {
        known[0]: tuple(one[0] for one in words(said_in_english(word, language)))
        for word in said if is_of_two(word, language) for known in words(word)
    }  # fmt: skip
    # of more than two words some say the same: "data protection privacy officer"
    return [replace(word, parts=both[word.whole], others=()) if len(both.get(word.whole, ())) == 2 else word for word in carrying]


@lru_cache(maxsize=256)
def _nouns(text: str) -> dict[str, tuple[str, ...]]:
    """The noun that a verb and its particle make, by the terms of both: what is rolled back is a rollback."""
    found: dict[str, tuple[str, ...]] = {}
    doing = analyse(text).kind == "how_to"
    said = [word.strip(_AROUND).lower() for word in text.split()]
    apart = [(word, said[-1]) for word in said[:-2] if word in _PARTED]  # "turn the alarm off"
    for verb, particle in [*pairwise(said), *apart]:
        if particle in _PARTICLES and (known := words(verb)):
            noun = tuple(one[0] for one in words(known[0][0] + particle))
            noun += tuple(one[0] for one in words(_IN_ONE.get(f"{verb} {particle}", ""))) if doing else ()
            found |= dict.fromkeys([known[0][0], *(one[0] for one in words(particle))], noun)
    return found


def _either(text: str) -> dict[str, tuple[str, ...]]:
    """The other name of each thing that a question names twice, by the terms of both: "the crane / hoist"."""
    pairs = [(words(one), words(other)) for one, other in _TWO_NAMES.findall(text)]
    both = [(one[0][0], other[0][0]) for one, other in pairs if one and other]
    return {term: (other,) for one, two in both for term, other in ((one, two), (two, one))}


def words_in(carrying: Sequence[Word], there: Container[str]) -> set[int]:
    """Which words are among these terms, by number."""
    return {
        at
        for at, word in enumerate(carrying)
        if word.whole in there or ((word.parts or word.others) and word.is_in(there))  # most are plain, and this is asked often
    }


def as_written(text: str) -> dict[str, str]:
    """The words of a question as they were written, by their terms."""
    written: dict[str, str] = {}
    for word in text[:_LONGEST_QUESTION].split():
        bare = word.strip(_AROUND)
        for known in words(bare):
            written.setdefault(known[0], bare)
    return written


def one_slip(one: str, other: str) -> bool:
    """Do two words differ by one letter left out, added, changed or swapped with its neighbour?"""
    if one == other or abs(len(one) - len(other)) > 1 or min(len(one), len(other)) < 3:
        return False
    if len(one) > len(other):
        one, other = other, one
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
    if len(one) < len(other):
        return one[at:] == other[at + 1 :]
    return one[at + 1 :] == other[at + 1 :] or (one[at : at + 2] == other[at : at + 2][::-1] and one[at + 2 :] == other[at + 2 :])


def _weight(whole: str, parts: tuple[str, ...], weights: Mapping[str, float], highest: float) -> float:
    weight = weights.get(whole, highest)
    if parts:
        weight = min(weight, max(weights.get(part, highest) for part in parts))
    return weight


def _is_key(key: str) -> bool:
    if key.split("-")[0].upper() in NOT_KEYS:
        return False
    # in lower case only what hardly can be a word with a number: pay-231, not covid-19 or top-10
    return bool(_UPPER_KEY.match(key)) or (key.islower() and len(key.rsplit("-", 1)[1]) >= 3)


def _is_file(phrase: str) -> bool:
    return bool(re.search(rf"\.(?:{_EXTENSIONS})\Z", phrase, re.IGNORECASE))


def _files(text: str) -> list[str]:
    """File names in running text. One with spaces is given in each length it may have, longest first."""
    found: list[str] = []
    for match in _SPACED_FILE.finditer(text):
        pieces = match.group().split(" ")
        found.extend(" ".join(pieces[start:]) for start in range(len(pieces) - 1))
    found.extend(_FILE.findall(text))
    return found


def _short_subject(subject: str) -> bool:
    """An overview is asked of a thing with a name; a long or verbose subject is a question about details."""
    return len(subject.split()) <= 9 and not _ANOTHER_QUESTION.search(subject)


def _subject(subject: str) -> str:
    bare = re.sub(r"^(?:the|a|an|our|this|that|of|in|inside|about)\s+", "", subject.strip(" ?.!"), flags=re.IGNORECASE)
    bare = re.sub(r"(?<!\s)\s+(?:contain|cover|include|say|about)\Z", "", bare, flags=re.IGNORECASE)
    bare = re.sub(r"^(?:folder|directory|document|file|epic|project|ticket)\s+(?=\S)", "", bare, flags=re.IGNORECASE)
    return re.sub(r"(?<!\s)\s+(?:folder|directory|document|file|epic|project|ticket)\Z", "", bare, flags=re.IGNORECASE).strip(
        "\"'` "
    )
