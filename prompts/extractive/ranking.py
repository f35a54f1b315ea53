"""Ranks the sentences of a leaf by how well each speaks to a question, on a scale that holds across leaves.

The weights were fitted to which sentence has the answer, on one half of the questions of several question sets and of
documentation, and rounded; the other half was only measured.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import log

from prompts.extractive.acts import asked_act, opposites
from prompts.extractive.asked_forms import has_asked_form
from prompts.extractive.asked_values import NAMED as NAMED_THING
from prompts.extractive.asked_values import asks_for_hours, has_number, says_hours, tells_number, value_in
from prompts.extractive.change_logs import is_beside_changes
from prompts.extractive.dates import day_meant
from prompts.extractive.definitions import PRESENT, says_what_it_is
from prompts.extractive.forms import asks_form, form_of, has_sign, introduces, signs_in, sort_asked, version_asked
from prompts.extractive.kinds import SPEAKER
from prompts.extractive.markdown import without_tags
from prompts.extractive.no_answers import (
    cannot_lead,
    end_of_mail_head,
    is_greeting,
    is_of_document,
    lists_attendance,
    says_no_change,
    sends_elsewhere,
)
from prompts.extractive.numbered import numbered_things
from prompts.extractive.passages import Passage, is_run_in, quote, written_by
from prompts.extractive.reasons import (
    asks_of_alternatives,
    asks_of_choice,
    asks_of_rejected,
    gives_reason_for_another,
    heads_reason,
    label_of_reason,
    names_alternatives,
    says_decision,
    says_what_decided,
    without_concession,
)
from prompts.extractive.relations import turns
from prompts.extractive.surroundings import REMEDIES, paragraph_of, surrounded, with_remedies
from prompts.extractive.survey import Asked, Survey, share, weigh
from prompts.extractive.tickets import TYPE, fields_of, history_of, lists_of
from prompts.language import terms
from prompts.records import Excerpt
from prompts.regex import regex

MOST_EXCERPTS = 5  # of one leaf
SHORT, LONG = 110, 450  # characters of a sentence: below, it may say too little, above, too much
ALIKE = 0.8  # of the words of two sentences that say the same

VALUE, KIND, COUNTED, NAMED = 2.4, 0.9, 0.6, 0.65  # it has what is asked for: strictly, loosely, counted, by name
FORM = 1.6  # it has the form of an answer
VERSION = 3.5  # it says which version is needed of just the thing of which that is asked
TURNED = 1.2  # it says nothing of the "not" or "before" that is asked about
LISTED_LINK = 2.0  # it is a line of a table of contents
OWN, OWN_HERE, AROUND, AROUND_HERE, BESIDE = 1.0, 1.5, 1.9, 1.9, 0.4
HEADED, PAIRS, DEFINED, IMPERATIVE, OPENS, BEGINS = 0.9, 0.6, 1.2, 0.3, 0.2, 0.5
IN_SENTENCES = frozenset(("why", "how_to", "definition"))  # kinds of question that no field, link or change of a ticket answers
FIRST_STEP = 2.0  # of the first sentence below a heading that the question says: there the way begins
ASKING = 0.8  # of a sentence that asks something itself less
POINTING = 0.8  # of a sentence that points back, for the words of the one before it
SORT = 0.9  # it has a thing of the sort asked for: of a file a file name, of an option an option
ALLOWS, LIMITS = 0.4, 0.9  # of what is asked for with yes or no: it says what can be; what cannot, must or only so
TOPIC = 1.4  # it begins with what is asked about, so that what it says is said of that
TOPICAL = frozenset(("open", "definition", "count", "compare"))  # kinds of question about a thing, and not about what to do
CAUSES = 1.0  # it says when something happens or what it means
NEIGHBOURS = 0.6  # words of the question that are neighbours there, small ones too
SIGN = 1.0  # it has an option, a placeholder or a path of the question, letter by letter
INTRODUCED = 0.9  # it may say what something is
AS_IT = 1.2  # it may give a reason
MAY = 0.4  # it says what one can or has to do
WAY = 0.6  # of a sentence that says by what something is done
NAMED_REMEDY = 1.6  # of a remedy that is asked for: it begins by saying that it is one
COMMENTED, ROW, REMEDY = 0.6, 0.7, 1.2  # of a reason: what a comment on a ticket is worth, and a row of a table or a remedy less
CAUSE = 2.5  # of a reason: it stands below "Cause", or begins with that, in a text on what is asked about
HEADS_REASON = 4.0  # the same, below a heading that says just why of what is asked: "Why not 15 seconds"
OF_THE_THING = 0.4  # of the words of a question around such a sentence
DECIDED = 1.5  # of a reason for a choice: it stands in one paragraph with a decision on what is asked about
OF_NEIGHBOUR = 0.5  # what a word counts there that only the sentence before or after it has
OPENING = 5  # passages at the beginning of a text, in which it says what it is about
UNASKED_FIELD = 1.0  # of "Labels: ..." less, where no labels are asked for
CHANGED = 2.0  # of a line of a ticket's history less, where no change is asked about
LAST_OF_ALL = 0.7  # of that, for a comment with no word of a question for what it came to
NEWEST, LINKED = 1.5, 2.0  # of how a thing stands: what the newest comment is worth, and a link of a ticket less
CONDITIONED = 0.7  # of a reason that is one only on a condition less
WHOLE = 0.3  # all words of the question stand in it or around it
CODE_ELSE = 0.6  # what code is worth less where neither a way nor a list is asked for
NAMES_CODE = 0.8  # of a way: it names what is typed
OPPOSITE = 1.5  # of a way: it says how to undo what is asked, and no word of doing it
MISNAMED = 1.0  # it has a name of the question only as a word of another meaning: "the window size", of Windows
OTHER_NUMBER = 1.5  # it is of another of such things: "KR 1", and not "KR 4"
NEVER_FIRST = 4.0  # of navigation, licences, printed objects, who was at a meeting: anything else stands before it
OF_CHANGES = 1.6  # of a sentence in a log of changes less, where no change is asked about
REPLIED = 0.6  # a question that is followed by its reply
SHORT_AND_FITTING = 0.5
TOO_SHORT, TOO_LONG, NOTHING_NEW, CODE, CODE_OF_WAY, MARKUP, IN_MIDDLE = 1.1, 0.5, 0.5, 1.4, 0.4, 1.0, 0.5

DOCUMENT_LINE = 1.6  # of a line that says of its text for whom or until when it is less
NO_CHANGE = 1.5  # of a sentence that says only that a thing stays the same less
GLOSSED = 1.5  # of what a word means less, where a person, a day, a number or a reason is asked for
COUNTING = frozenset(("count", "open", "list"))  # kinds of question that may ask for a sum
TOTAL = 0.8  # it is a sum, where it is asked what something comes to in all
TYPED = frozenset(("who", "when", "where", "count", "why"))  # kinds of question that what a word means does not answer
OF_THINGS = frozenset(("open", "why", "how_to", "yes_no", "count", "list"))  # that what a text says of itself does not

LISTING = frozenset(("how_to", "list"))  # kinds of question that a list may answer

_ASKS_END = regex(  # what it came to, which the last comment says
    r"\b(?:in the end|finally|eventually|after all|at last|in the meantime|meanwhile|by now|these days|so far|(?:final|latest|newest|current) (?:decision|state|plan|date|price|offer|word))\b|\bnow\W*\Z"
    r"|\b(?:am Ende|schließlich|letztlich|inzwischen|jetzt|finalement|au final|maintenant)\b",
    re.IGNORECASE,
)
_FIELD_OF_TIME = regex(r"(?:Updated|Created|Resolved|Key): ")  # of a ticket: when something else happened
_ASKS_FIELD = regex(
    r"\b(?:updated|changed|edited|created|filed|reported|opened|resolved|closed|raised|ticket|issue)\b", re.IGNORECASE
)
_ASKS_STATE = regex(r"\W*(?:is|are|was|were|has|have|did)\b(?! (?:it|there) (?:possible|allowed|okay|ok)\b)", re.IGNORECASE)
_ASKS_CHANGE = regex(
    r"\b(?:when|who|whom|since|until|first|last|before|after|how (?:long|often)|chang\w*|histor\w*|status|state|assign\w*|priorit\w*|mov\w+|sprints?|versions?|release\w*|"
    r"reopen\w*|clos\w+|resolv\w+|fix\w*|link\w*|block\w*|depend\w*|due|open|work\w*|progress|seit|bis|wer|wann|qui|quand|depuis)\b|\b[A-Z][A-Z0-9]{1,15}-\d",
    re.IGNORECASE,
)
_LINKED = regex(
    r"(?:is )?(?:relate[sd]?|block(?:s|ed)|duplicate[sd]?|cause[sd]|clone[sd]?|depend(?:s|ed)|implement(?:s|ed)?)(?: to| by| on)? [A-Z][A-Z0-9]+-\d"
)
_WHICH = regex(
    r"(?:(?:in|on|at|to|for|from|by|with|since|until|of|under) )?(?:which|what) (?!(?:is|are|was|were|do|does|did|happens|should|can|must)\b)",
    re.IGNORECASE,
)
_IMPERATIVE = regex(
    r"(?:To \w+|Use|Run|Add|Set|Install|Create|Click|Open|Go|Select|Specify|Configure|Make|Check|Call|Start|Put"
    r"|You (?:can|must|should|need)|We (?:use|recommend)|The recommend(?:ed|ation)|It is (?:recommended|possible|best))\b"
)
_MAY = regex(
    r"\b(?:you|we|one|users?|admins?) (?:can|may|must|should|have to|need to)\b|\b(?:can|must|should|may) be \w+(?:ed|en|t)\b",
    re.IGNORECASE,
)
_ALLOWS = regex(
    r"\b(?:can|may|should|will|always|allow\w*|support\w*|possible|automatic\w*|by default|need\w*|requir\w+|recommend\w*|discouraged|enabled|optional|safe|secure|explicitly)\b",
    re.IGNORECASE,
)
_LIMITS = regex(
    r"\b(?:cannot|never|not|no|only|must|without|unless|neither|nor|disabled|deprecated|ignored|rejected|exclusive)\b|n['’]t\b",
    re.IGNORECASE,
)
_CAUSES = regex(
    r"\b(?:this|these|it|that|which|(?:the|an?|this|such an?) (?:error|issue|problem|message|warning))\b.{0,40}?\b(?:occurs?|happens?|means?|indicates?|is (?:\w+ )?(?:caused|due|because)|can be caused|is seen|comes? from|results? from)\b"
    r"|\b(?:because|due to|caused by|(?<!not )the reason)\b",
    re.IGNORECASE,
)
_POINTS_BACK = regex(
    r"\W*(?:this|it|these|that|those|they|its|such|doing so|otherwise|instead|in (?:this|that|such) case)\b", re.IGNORECASE
)
_SMALL = regex(r"\w+")
_AS_IT = regex(  # often a reason, but not "stays as it is"
    r"\bas (?:it|they|this|that|these|those|there|we|you)\b(?! (?:is|are|was|were|stands?|stood|does|did|has|have|had)\b(?:\W*\Z|[.:;,]| and\b))",
    re.IGNORECASE,
)
_ASKS_TOTAL = regex(r"\b(?:al(?:l )?together|in (?:total|all)|total|overall|sum)\b", re.IGNORECASE)
_SAYS_TOTAL = regex(r"\b(?:al(?:l )?together|in (?:total|all)|total|overall|sum|insgesamt|summe|gesamt)\b", re.IGNORECASE)
_WAY = regex(
    r"\bby (?:\w+ly )?[a-z]+ing\b|\b(?:us(?:e|ing)|run(?:ning)?|set(?:ting)?|pass(?:ing)?|add(?:ing)?|via|with) (?:the |an? )?`|\bwith the following command\b",
    re.IGNORECASE,
)
_ASKS_REMEDY = regex(
    r"\b(?:work-?arounds?|remed(?:y|ies)|fix(?:es)?|solutions?|mitigations?) (?:for|to|of|against|when|if)\b|\b(?:is|are) there an? (?:work-?around|fix|remedy|solution)\b",
    re.IGNORECASE,
)
_IS_REMEDY = regex(
    r"\W*(?:(?:the|an?|as an?|possible|temporary) ){0,2}(?:work-?around|remedy|solution|mitigation)\b", re.IGNORECASE
)
_SAYS_REMEDY = regex(r"\b(?:work-?around|remedy|solution|mitigation)\b", re.IGNORECASE)
_LINK_ALONE = regex(r"\[[^\[\]]{1,200}\]\([^()\s]{0,200}\)[.,;]?|:(?:ref|doc):`[^`]{1,200}`[.,;]?")
_LINK = regex(r"\[[^\[\]]{1,300}\]\([^()\s]{1,300}\)")
_THERE_IS = frozenset(terms("available supported exist there offered provided possible"))
_NAME = regex(r"(?<=[a-z,] )[A-Z][a-z]{3,}(?![\w-])")
_IDENTIFIER = regex(r"\W*[a-z][a-z0-9]*(?:[_-][a-z0-9]+)+\W*")  # the name of a setting or an option
_MARKUP = regex(r"\.\. |:\w|<|!\[|\{|[-=~^\"']{3}|\[[^\]\n]{1,80}\]:|\W*\Z")


def excerpts(surveyed: Survey) -> tuple[Excerpt, ...]:
    """The best sentences of a leaf, each with what has to stand around it, best first and none twice."""
    leaf, found = surveyed.leaf, surveyed.found
    worths = _worths(surveyed)
    asks_remedy = _asks_remedy(surveyed.asked.text)
    order = sorted((at for at, worth in enumerate(worths) if worth is not None), key=lambda at: -(worths[at] or 0.0))
    chosen: list[Excerpt] = []
    spans: list[tuple[int, int]] = []
    taken: list[frozenset[str]] = []
    for at in order:
        if len(chosen) == MOST_EXCERPTS:
            break
        if any(first <= found[at].start < last for first, last in spans):
            continue
        start, end = surrounded(leaf, found, at, surveyed.asked.analysis.kind in LISTING)
        end = with_remedies(leaf, found, at, start, end) if asks_remedy else end
        mine = found[at].distinct
        if any(start < last and first < end for first, last in spans) or any(_alike(mine, other) for other in taken):
            continue
        spans.append((start, end))
        taken.append(mine)
        told = (found[at].start, min(found[at].end, end))
        chosen.append(Excerpt(quote(leaf.text, start, end), told, round(worths[at] or 0.0, 4)))
    return tuple(chosen)


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) > ALIKE * max(1, min(len(one), len(other)))


# ---------------------------------------------------------------- what a sentence is worth


def _worths(surveyed: Survey) -> list[float | None]:
    """What each passage is worth; None for headings of texts and tables, heads of mails and greetings, which are no answer."""
    asked, found = surveyed.asked, surveyed.found
    here = _weights_here(asked, surveyed.own)
    pairs = set(pairwise(asked.terms))
    asked_pairs = set(pairwise(_SMALL.findall(asked.text.casefold())))
    is_ticket = bool(surveyed.leaf.stated(TYPE))
    lists = lists_of(surveyed.leaf) if is_ticket and asked.analysis.kind in (*IN_SENTENCES, "when") else ()
    changes = history_of(surveyed.leaf) if is_ticket and _ASKS_CHANGE.search(asked.text) is None else (0, 0)
    fields = fields_of(surveyed.leaf) if is_ticket else (0, 0)
    is_of_field = is_ticket and asked.analysis.kind == "when" and _ASKS_FIELD.search(asked.text) is None
    low, mail_head = asked.text.casefold(), end_of_mail_head(asked.text, surveyed.leaf.text)
    is_of_state = is_ticket and asked.analysis.kind == "yes_no" and _ASKS_STATE.match(asked.text) is not None
    is_of_end = is_ticket and asked.analysis.kind != "why" and _ASKS_END.search(asked.text) is not None
    newest = _newest_comments(surveyed, is_of_end) if is_of_state or is_of_end else {}
    worths: list[float | None] = []
    total, total_here = sum(asked.weights) or 1.0, sum(here) or 1.0
    is_led = asked.analysis.kind in LISTING
    act = asked_act(asked.words) if asked.analysis.kind == "how_to" else None
    undone, done = (opposites(act[1]), {act[1], act[0].whole}) if act is not None else (frozenset[str](), set[str]())
    numbered = numbered_things(asked.text)
    names = [(name, name.casefold()) for name in _NAME.findall(asked.text)]
    is_log = not is_ticket and is_beside_changes(asked.text, surveyed.leaf.heading)
    is_of_number = asked.analysis.kind != "count" and tells_number(asked.text, asked.analysis, "") is not None
    terms_told = [(unit.start, unit.end) for unit in surveyed.leaf.units if unit.kind == "term"]
    is_choice = asked.analysis.kind == "why" and asks_of_choice(asked.text) and not asks_of_rejected(asked.text)
    decided = _around_decisions(surveyed, total) if is_choice else frozenset[int]()
    spoken = set[int]().union(*surveyed.around[:OPENING])  # words with which a text says what it is about
    for at, passage in enumerate(found):
        is_listed = any(start <= passage.start < end for start, end in lists)
        if is_listed and asked.analysis.kind == "when":  # "Created: ..." says when something else happened
            is_listed = not surveyed.own[at]
        is_heading = (passage.kind == "heading" and not passage.text.endswith(":")) or at in surveyed.headers
        is_heading = is_heading or passage.start < mail_head or (asked.analysis.kind != "how_to" and is_run_in(found, at))
        is_listed = is_listed or (is_of_field and passage.start < fields[1] and _FIELD_OF_TIME.match(passage.text) is not None)
        if (
            is_listed
            or is_heading
            or is_greeting(passage.text)
            or (passage.text.startswith("<") and not without_tags(passage.text).strip())
        ):
            worths.append(None)
            continue
        own, around = surveyed.own[at], surveyed.around[at]
        is_unasked = fields[0] <= passage.start < fields[1] and passage.text.partition(":")[0].casefold() not in low
        worth = -CHANGED * (changes[0] <= passage.start < changes[1]) - UNASKED_FIELD * is_unasked
        worth += (OWN * weigh(asked.weights, own) + AROUND * weigh(asked.weights, around)) / total
        worth += (OWN_HERE * weigh(here, own) + AROUND_HERE * weigh(here, around)) / total_here
        worth += BESIDE * weigh(asked.weights, surveyed.beside[at] - own) / total
        worth += HEADED * surveyed.headed[at] - OF_CHANGES * is_log
        if surveyed.headed[at] == 1 and not is_log and _begins_section(found, at):
            worth += FIRST_STEP * _is_whole(asked, passage.heading)
        worth += _beside_others(asked, found, at, surveyed.own, asked_pairs)
        worth += PAIRS * len(pairs.intersection(pairwise(passage.terms))) / max(1, len(pairs))
        fitting = 0.0 if is_log else _kind(asked, passage)
        if asked.analysis.kind == "why" or is_of_number:  # a reason for something else is none, nor the size of something else
            at_hand = weigh(asked.weights, own | surveyed.above[at]) + OF_NEIGHBOUR * weigh(
                asked.weights, surveyed.beside[at] - own - surveyed.above[at]
            )
            fitting *= min(1.0, at_hand / total / OF_THE_THING)
        worth += OPENS * (at < 2) + _form(asked, passage, fitting >= FORM and asked.analysis.kind != "why") + fitting
        worth -= NEVER_FIRST * (cannot_lead(asked.text, passage.text, passage.kind) or sends_elsewhere(asked.text, passage.text))
        if asked.analysis.kind != "who" and not any(name in passage.text for name, _ in names):
            worth -= NEVER_FIRST * lists_attendance(low, passage.text)
        worth -= _beside_the_point(surveyed, passage, terms_told)
        worth -= OPPOSITE * (not undone.isdisjoint(passage.terms) and done.isdisjoint(passage.terms))
        worth -= OTHER_NUMBER * any(thing.is_another(passage.text) for thing in numbered)
        worth -= MISNAMED * any(lower in passage.text and name not in passage.text for name, lower in names)
        author = written_by(surveyed.leaf, passage.start) if asked.analysis.kind in ("why", "when") else None
        if asked.analysis.kind == "when" and author is not None and day_meant(passage.text, author[1]) is not None:
            worth += VALUE
        if is_of_state or is_of_end:  # how a thing stands is told by the last who wrote of it, and not by a link to its ticket
            written = written_by(surveyed.leaf, passage.start) if weigh(asked.weights, around) >= OF_THE_THING * total else None
            worth += (newest.get(written[1], 0.0) if written is not None else 0.0) - LINKED * (
                _LINKED.match(passage.text) is not None
            )
        if passage.text.endswith("?") and at + 1 < len(found) and found[at + 1].text.endswith("?"):
            worth -= LISTED_LINK  # one of a list of questions
        if asked.analysis.kind == "why":  # a comment on a ticket says more than what was reported, a row of a table less
            worth += COMMENTED * (is_ticket and author is not None) - ROW * (passage.kind == "row")
            label = label_of_reason(passage.heading, passage.text).casefold()
            is_cause = "cause" in label  # "Why" may stand above why a way was chosen
            subject = spoken if is_cause else around.union(*(surveyed.own[i] for i in _paragraph(surveyed, at, label)))
            if (
                label and (is_cause or asks_of_choice(asked.text)) and weigh(asked.weights, subject) >= OF_THE_THING * total
            ):  # its subject is that of the whole text, or of its paragraph
                worth += (
                    CAUSE + (OWN * weigh(asked.weights, subject - own) + AROUND * weigh(asked.weights, subject - around)) / total
                )
                worth += (OWN_HERE * weigh(here, subject - own) + AROUND_HERE * weigh(here, subject - around)) / total_here
            worth += DECIDED * (at in decided)
            worth += HEADS_REASON * heads_reason(passage.heading, set(asked.terms))
            worth -= CONDITIONED * (passage.text[:3].casefold() == "if ")
            worth -= REMEDY * bool(REMEDIES.match(passage.text.lstrip("*_ ")))
            worth -= CAUSE * (names_alternatives(passage.text) and not asks_of_alternatives(asked.text))
        worth += WHOLE * (len(around) == len(asked.words)) - CODE_ELSE * (passage.kind == "code" and not is_led)
        worth += NAMES_CODE * (asked.analysis.kind == "how_to" and "`" in passage.text)
        worths.append(worth)
    return worths


def _beside_the_point(surveyed: Survey, passage: Passage, terms_told: Sequence[tuple[int, int]]) -> float:
    """What a passage is worth less that says what a word means, or of the text for whom it is, or that nothing changes, where something
    else is asked for."""
    asked, kind = surveyed.asked, surveyed.asked.analysis.kind
    worth = DOCUMENT_LINE * (kind in OF_THINGS and is_of_document(asked.text, passage.text, passage.start))
    worth += NO_CHANGE * (kind in ("why", "open", "list") and says_no_change(passage.text))
    if any(start <= passage.start < end for start, end in terms_told):
        says = tells_number(asked.text, asked.analysis, passage.text)
        is_value = kind in TYPED and value_in(asked.text, asked.analysis, passage.text) is not None
        worth += GLOSSED * ((kind in TYPED or says is not None) and not (says or is_value))
    return worth


def _around_decisions(surveyed: Survey, total: float) -> frozenset[int]:
    """The passages that stand in one paragraph with a decision on what is asked about, without those that say what was decided."""
    found: set[int] = set()
    at = 0
    while at < len(surveyed.found):
        told = paragraph_of(surveyed.leaf, surveyed.found, at)
        words = set[int]().union(*(surveyed.own[i] | surveyed.above[i] for i in told))
        is_of_it = weigh(surveyed.asked.weights, words) >= OF_THE_THING * total
        if len(told) > 1 and is_of_it and any(says_decision(surveyed.found[i].text) for i in told):
            found.update(i for i in told if not says_decision(surveyed.found[i].text))
        at = told.stop
    return frozenset(found)


def _paragraph(surveyed: Survey, at: int, label: str) -> range:
    """The passages of the paragraph in which a sentence begins with a label, such as "Reason:"; none where nothing does."""
    return paragraph_of(surveyed.leaf, surveyed.found, at) if label else range(0)


def _newest_comments(surveyed: Survey, is_of_end: bool) -> dict[str, float]:
    """What the last comment on a ticket is worth, by when it was written; of what a thing came to the last that has a word of the
    question, and less the last of all. Nothing where nobody wrote one."""
    written = [written_by(surveyed.leaf, passage.start) for passage in surveyed.found]
    last = max((author[1] for author in written if author is not None), default="")
    said = [author[1] for author, own in zip(written, surveyed.own, strict=True) if author is not None and own]
    return {last: LAST_OF_ALL * NEWEST, max(said, default=last): NEWEST} if is_of_end else {last: NEWEST}


def _beside_others(
    asked: Asked, found: Sequence[Passage], at: int, own: Sequence[set[int]], pairs: set[tuple[str, str]]
) -> float:
    """What a passage is worth for its form, and for what stands before it."""
    text = found[at].text
    worth = -ASKING * text.endswith("?")
    if at and _POINTS_BACK.match(text) and found[at - 1].kind != "heading":
        worth += POINTING * share(asked.weights, own[at - 1] - own[at])
    worth += NEIGHBOURS * len(pairs.intersection(pairwise(_SMALL.findall(text.casefold())))) / max(1, len(pairs))
    return worth


def _is_whole(asked: Asked, heading: str) -> bool:
    """Whether a heading that the question says is what it asks about: of a way always, of a thing if it says all: "What does `log rotate` do?"."""
    there = set(terms(heading))
    kind = asked.analysis.kind
    if kind in TOPICAL and _IDENTIFIER.fullmatch(heading):
        return True
    return kind == "how_to" or (
        kind in ("definition", "open", "list") and all(word.is_in(there) or word.whole in _THERE_IS for word in asked.words)
    )


def _begins_section(found: Sequence[Passage], at: int) -> bool:
    before = next((found[i] for i in range(at - 1, -1, -1) if found[i].kind != "heading"), None)
    return before is None or before.heading != found[at].heading


def _weights_here(asked: Asked, had: Sequence[set[int]]) -> list[float]:
    """The weights of words within a leaf: a word that every sentence has tells none of them from the others."""
    count = len(had)
    if count < 2:
        return list(asked.weights)
    spread = [1 + sum(at in some for some in had) for at in range(len(asked.words))]
    return [weight * log(1 + count / times) / log(1 + count) for weight, times in zip(asked.weights, spread, strict=True)]


def _form(asked: Asked, passage: Passage, is_fitting: bool = False) -> float:
    """What the form of a passage makes it worth: less for what cannot stand alone, or is no sentence. One that `is_fitting` has what
    is asked for, and may be short."""
    text, size = passage.text, passage.end - passage.start
    worth = -TOO_LONG * (size > LONG)
    if not text.endswith(":"):  # what it leads up to says the rest
        worth -= (SHORT_AND_FITTING if is_fitting else TOO_SHORT) * max(0.0, 1 - size / SHORT) + NOTHING_NEW * (
            len(passage.distinct.difference(asked.terms)) < 2
        )
    if passage.kind == "code":
        worth -= CODE if asked.analysis.kind != "how_to" else CODE_OF_WAY
    elif passage.kind != "row" and _MARKUP.match(text):
        worth -= MARKUP
    elif (
        passage.kind == "item" and _LINK_ALONE.fullmatch(text) or "](" in text and not any(map(str.isalpha, _LINK.sub("", text)))
    ):
        worth -= LISTED_LINK
    elif text[:1].islower():
        worth -= IN_MIDDLE
    if text.endswith("?") and SPEAKER.match(text):
        worth += REPLIED
    known = {word.whole for word in asked.words}
    return worth + BEGINS * (not known.isdisjoint(passage.terms[:3]))


@lru_cache(16)  # it is asked anew for every sentence
def _asks_remedy(question: str) -> bool:
    return _ASKS_REMEDY.search(question) is not None


def _kind(asked: Asked, passage: Passage) -> float:
    """What it is worth that a passage has the kind of thing asked for."""
    said = SPEAKER.sub("", passage.text, count=1)
    analysis = asked.analysis
    if analysis.kind == "why" and gives_reason_for_another(said, asked.words):
        return 0.0
    number = tells_number(asked.text, analysis, said)
    worth = _value(asked, said, number)
    low = asked.text.casefold()
    worth += VALUE * (asks_for_hours(low) and says_hours(said))
    if (sort := sort_asked(low)) is not None:
        worth += SORT * any(match.group().casefold() not in low for match in sort.finditer(said))
    if analysis.kind == "yes_no":
        worth += LIMITS if _LIMITS.search(said) else ALLOWS * bool(_ALLOWS.search(said))
    if analysis.kind == "why" or " mean" in low:
        worth += CAUSES * bool(_CAUSES.search(said))
    if signs := signs_in(asked.text):
        worth += SIGN * sum(has_sign(sign, said) for sign in signs) / len(signs)
    if (version := version_asked(low)) is not None:
        worth += VERSION * (version.search(said) is not None)
    told = passage.text  # "Workaround: ..." is no speaker
    if _asks_remedy(low) and (REMEDIES.match(said.lstrip("*_ ")) or _SAYS_REMEDY.search(told)):
        worth += VALUE + NAMED_REMEDY * (_IS_REMEDY.match(told) is not None)
    form = form_of(low, analysis, asked.words, said)
    worth += FORM * form - TURNED * (not turns(without_concession(low) if analysis.kind == "why" else low, said))
    is_empty = number is False and not has_number(asked.text, said)  # of a question for a number: it says none
    if analysis.kind in TOPICAL and not is_empty and (form or not asks_form(low, analysis)):
        worth += TOPIC * any(word.is_in(passage.terms[:1]) for word in asked.words)
    if _WHICH.match(asked.text):
        worth += NAMED * any(match.group().casefold() not in low for match in NAMED_THING.finditer(said))
    return worth


def _value(asked: Asked, said: str, number: bool | None) -> float:
    """What it is worth that a sentence has what a question of its kind asks for; `number`: whether it has a number that is asked for."""
    analysis = asked.analysis
    worth = KIND * bool(asked.kind and asked.kind.search(said)) + COUNTED * bool(asked.counted and asked.counted.search(said))
    match analysis.kind:
        case "who" | "when" | "where" | "count":
            worth += VALUE * (value_in(asked.text, analysis, said) is not None)
        case "why":
            is_reason = (
                value_in(asked.text, analysis, said) is not None or bool(label_of_reason("", said)) or says_what_decided(said)
            )
            worth += VALUE * is_reason + AS_IT * bool(_AS_IT.search(said))
        case "definition" if analysis.subject:
            worth += DEFINED * says_what_it_is(terms(PRESENT.sub("", analysis.subject)), said)
            worth += INTRODUCED * introduces(PRESENT.sub("", analysis.subject), said)
        case "how_to":
            worth += IMPERATIVE * bool(_IMPERATIVE.match(said)) + WAY * bool(_WAY.search(said)) + MAY * bool(_MAY.search(said))
    if analysis.kind in ("open", "definition"):
        worth += VALUE * (bool(number) or has_asked_form(asked.text, said))
    if analysis.kind in COUNTING and _ASKS_TOTAL.search(asked.text):
        worth += TOTAL * bool(_SAYS_TOTAL.search(said))
    return worth
