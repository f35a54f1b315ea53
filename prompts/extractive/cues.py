"""Sentences that ask for something to be done, that decide, or that tell of an event, found by the words they use."""

# ruff: noqa: SIM905 - long lists of words are read as text

from __future__ import annotations

import re
from typing import NamedTuple

from prompts.extractive.passages import Passage, in_words, shortened, words_in_place
from prompts.records import Quote
from prompts.regex import regex

_MOST = 6  # of each sort in one leaf
_LONGEST = 320
_SHORTEST = 12
_CASUAL = 2.0  # the score of an action up to which it counts for nothing in a conversation
_LEAST_SPOKEN = 4  # words of a decision in a conversation

ACTION_PART = regex(  # the heading of a list of actions
    r"(?:(?:open|new|our|agreed|all|the|resulting) )?(?:actions?(?: items?| points?)?|next steps|to[- ]?do(?:s| list)?|follow[- ]?ups?|tasks?)"
    r"(?: agreed| taken| log| list| register| tracker| (?:of|for) [^\n]{1,30}| [A-Z]{2,4})?:?",
    re.IGNORECASE,
)

_FIRST_WORD = regex(r"[*_`\"'(\[]{0,3}([A-Za-z][a-z]*)")

_IMPERATIVES = frozenset(
    """add allow apply approve archive ask assign attach back backup block build buy call cancel change check choose
    clean clear click clone close collect commit compare complete configure confirm connect contact copy create
    decide define delete deploy describe detect disable discuss document download drain edit enable ensure enter
    escalate evaluate examine execute export extend file fill find finish fix follow generate give go grant identify
    import increase inform inspect install investigate invite keep kill limit list log look make mark measure merge
    migrate monitor mount move navigate notify obtain open order organize page patch pause pick plan post prepare
    press propose provide publish pull push raise read reboot rebuild reconfigure record recreate redeploy reduce
    refer register reject release reload remove rename repair repeat replace report request reset resize resolve
    restart restore resume retry return review revert revoke roll rotate run save scale schedule search select send
    set share sign silence start stop submit switch take talk test tell track transfer trigger try tune turn uninstall
    unmount update upgrade upload use validate verify wait watch write""".split()
)
_ACTION_HEADINGS = regex(
    r"\b(?:action(?: item)?s?|mitigations?|steps?|next steps|to[- ]?do|remediation|resolution steps|procedure|tasks?|"
    r"follow[- ]?ups?|instructions|what to do|recovery|runbook|troubleshooting steps|solution|checklist|how to|"
    r"corrective|preventive|response)\b"
)
_ORDERS = regex(
    r"(?! \w+(?:ed\b| (?:is|was|are|were|has|will|should|can)\b))(?: (?:[a-z`*@\"'(]|[A-Z][\w-]* [a-z])|`|\*\*)(?:\S* ){2}"
)  # a verb with its object, not "Build resources"
_ITEM_WORDS = frozenset("action actions todo follow follow-up followup".split())
_MUST_WORDS = frozenset("must shall required".split())
_NOT_WORDS = frozenset("not never don't".split())
_CARE_WORDS = frozenset("sure ensure always important please".split())
_SHOULD_WORDS = frozenset("should need needs".split())
_HAVE_WORDS = frozenset("has have".split())
_ACTION_WORDS = _ITEM_WORDS | _MUST_WORDS | _NOT_WORDS | _CARE_WORDS | _SHOULD_WORDS | _HAVE_WORDS | {"will"}
_MUST = regex(r"\b(?:must|shall|(?:is|are) required to)\b(?! (?:have been|be (?:a|an|the|some|because|due)\b))", re.I)
_HAVE_TO = regex(r"\b(?:has|have) to\b", re.I)
_FORBID = regex(
    r"^\W{0,3}(?:do not|don't|never)\b (?=[a-z])|\b(?:must|should|shall) (?:not|never)\b|[.;:] (?:do not|never) ", re.I
)
_CARE = regex(
    r"(?<!to )(?<!that )\b(?:make sure|be sure to)\b|^\W{0,3}(?:please )?(?:ensure|always)\b|\bit is important to\b"
    r"|\bplease (?!refer|see|note|visit|take a look|let |feel free|find|read|consult|keep in mind)(?=[a-z]+ )", re.I
)  # fmt: skip
_ITEM = regex(r"^(?:\W{0,3})(?:action(?: item| required)?|todo|to do|follow[- ]?up)\W{0,3}:|\bTODO\b|\baction item\b", re.I)
_SOMEBODY_WILL = regex(
    r"^(?!(?:We|It|This|That|You|They|There|I|He|She|These|Those|The)\b)(?:@\w+|[A-Z][a-z]+(?: [A-Z][a-z]+)?) (?:will|to) (?!be\b|have\b)([a-z]+)\b"
)
_BY_DATE = regex(
    r"\b(?:by|before|until|no later than|due) (?:\d|(?:mon|tues|wednes|thurs|fri)day|tomorrow|next |end of |eod|"
    r"jan|feb|mar|apr|may |jun|jul|aug|sep|oct|nov|dec)", re.I
)  # fmt: skip
_SHOULD = regex(
    r"\b(?:you|we|they|team|users?|admins?|operators?|everyone|employees|members?|(?-i:[A-Z][a-z]+)) (?:should|needs? to) (?!have\b|be able\b)[a-z]+",
    re.I,
)
_NOT_ACTION = regex(
    r"\b(?:need not|not required|no need|don't need|does not need|not have to|don't have to|must have (?:been|had)|if (?:i|you) must|"
    r"optional(?:ly)?)\b", re.I
)  # fmt: skip
_TICKET_TITLE = regex(r"[\[*(]{0,3}[A-Z][A-Z0-9]+-\d")  # a list of tickets tells what they ask, not what to do
_HEDGED = regex(r"\b(?:i think|i guess|maybe|perhaps|wondering|i suppose|not sure)\b", re.I)

_DECISION_HEADINGS = regex(r"\b(?:decisions?|resolutions?|outcome|agreed|conclusions?|decision outcome|approved)\b")
_DECISION_WORDS = frozenset(
    """decided decide agreed approved accepted rejected chose chosen choose selected decision resolution resolved won't
    wontfix consensus voted vote motion go settled opted concluded signed passed turned adopted adopt dropped declined deprecate
    postponed deferred ratified confirmed unanimous""".split()
)
_DECIDED = regex(
    r"\b(?:(?:we|they|i|team|board|committee|council|group|tsc|management|members|everyone|company|it was|has been|have been|was|were|had|also|"
    r"(?-i:[A-Z][a-z]+)) (?:have |has |had |all |unanimously |finally |therefore )?(?:decided|agreed|chose|voted|opted|settled|concluded|resolved(?= (?:to|that|unanimously)\b)|"
    r"elected|ratified|adopted|approved|rejected|declined|postponed|deferred)(?: \d{1,3}\W{1,3}(?:to )?\d{1,3})?(?: (?:to|on|for|that|against|in favou?r|not|by|the|a|an|this|unanimously|using)\b|[.,;]|$)"
    r"|(?:^|: ?)(?:decided|agreed|approved|rejected|accepted|adopted|deferred|postponed|won'?t fix|declined)\b(?!\?|!| (?:is|are|was|were|means?)\b)|(?:^|: ?)(?-i:Resolved|RESOLVED)(?=: (?!http)| to\b| that\b|, that\b)"
    r"|\bdecision(?: (?:is|was|has been)|:)|(?:^|[.;] )resolution:|\bthe decision to\b|\bconsensus (?:is|was|that|to|reached)\b|\b(?:have|has|had|is|reached|got|with) (?:\w+ )?consensus on\b"
    r"|\bvote passed\b|\bmotion (?:was |is )?(?:passed|carried|approved|adopted|rejected|defeated|lost)\b|\bmotion\b.{0,40}\bfailed\b|\b(?:we|we'll|we will|let's) go with\b"
    r"|\bsigned off\b|\bwon't (?:fix|do|be fixed)\b|\bwontfix\b|\bwas (?:chosen|selected|adopted|approved|rejected|turned down|dropped|postponed|deferred)\b"
    r"|\b(?:chosen|selected) (?:because|over|as the|for)\b)", re.I
)  # fmt: skip
_NOT_DECIDED = regex(
    r"\b(?:(?:how|why|where|when|as|like) (?:we|they|it was) (?:\w+ )?(?:decided|agreed)|(?:until|before|unless|once|when) (?:a |the )?decision|not yet (?:a )?consensus|"
    r"(?:if|should|unless) (?:we|they|you|the \w+) (?:decide|agree|go)|(?-i:(?!We\b|They\b|The\b|Board\b|Group\b|Team\b|Members\b|Everyone\b|Committee\b|Council\b)[A-Z][a-z]+) voted|"
    r"not (?:yet )?(?:been )?(?:decided|agreed|approved|accepted|adopted|chosen)|undecided|no decision|to be (?:decided|agreed|approved)|(?:to|get|reach|seek|seeking|need|needs|no|without) (?:a )?consensus|yet to|if (?:approved|accepted|agreed|it is|we)|whether|"
    r"once (?:approved|accepted|agreed|it)|(?:must|should|can|may|could|would|will|to|needs? to|might|not) (?:first )?(?:be|have|get) (?:\w+ )?(?:decided|approved|accepted|agreed|rejected|chosen|selected|resolved|adopted)|"
    r"have decided yet|don't decide|haven't|hasn't|didn't (?:agree|decide))\b", re.I
)  # fmt: skip

_AGENDA = regex(r"^(?:\d+\W+)?(?:the |our |draft |proposed )?agenda\b")  # what is to be talked about
_SEES = regex(r"\bagreed that [^,;.:]{1,120}?\b(?:is|are|was|were|has been|could|might|looks?|seems?)\b", re.I)
_WILL = regex(
    r"\b(?:will|shall|should(?:n['’]t)?|must|would|needs? to|ought to|to be|going to|have to|has to|going ahead|ready to|(?:is|are) to|not to)\b",
    re.I,
)

_EVENT_HEADINGS = regex(r"\b(?:timeline|history|what happened|incident|events?|changelog|chronology|outage|log of)\b")
_PAST = (
    "failed crashed released launched merged deployed rolled fixed resolved closed reopened migrated upgraded broke leaked "
    "announced acquired died joined left moved started completed signed shipped paged restarted restored recovered "
    "discovered detected reported happened occurred opened published introduced founded appointed resigned hired promoted "
    "elected reverted committed submitted verified switched terminated cancelled canceled delayed escalated expired lost "
    "rejected won sold bought born moved visited graduated retired married rebooted unavailable down outage incident "
    "degraded interrupted"
)
_EVENT_WORDS = frozenset(_PAST.split())
_HAPPENED = regex(
    r"\b(?:(?:has|have|had|was|were|been|got|it|we|they|he|she|i|which|who|and|team|just|then|already|(?-i:[A-Z])[\w-]*|service|server|cluster|release|"
    r"deployment|job|node|site|system|build|upgrade|migration|database|outage) )(?:just |already |finally |also |accidentally )?(?:" + _PAST.replace(" ", "|") + r")\b", re.I
)  # fmt: skip
_PARTICIPLE = regex(
    r"^(?:Merged|Fixed|Released|Deployed|Reverted|Committed|Verified|Resolved|Closed|Reopened|Launched|Migrated|Upgraded|"
    r"Rolled back|Restarted|Restored|Shipped|Published|Submitted|Moved|Backported|Landed|Cherry-picked|Rotated|Switched|"
    r"Escalated|Paged|Completed|Discovered|Detected)\b(?! (?:by|within|when|if|only)\b)"
)
_DIGIT = regex(r"\d")
_TIMES = frozenset(
    """yesterday today last this january february march april june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday""".split()
)
_WHEN = regex(
    r"\b(?:(?:19|20)\d\d(?:-\d\d-\d\d)?|\d{1,2}:\d\d|yesterday|today|last (?:week|month|night|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|this (?:week|morning)|"
    r"(?:jan|febr)uary|march|april|june|july|august|(?:sept|nov|dec)ember|october|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|in v?\d+\.\d+)\b", re.I
)  # fmt: skip
_MIGHT = regex(
    r"^(?:if|when|whenever|in case|unless|should|once|suppose|to)\b|\b(?:may|might|can|could|would|should|must|will|shall|cannot|if|whether|to be|be|being|is|are|gets?|becomes?) "
    r"(?:\w+ )?(?:" + _PAST.replace(" ", "|") + r")\b", re.I
)  # fmt: skip


_TELLING_WORDS = _ACTION_WORDS | _DECISION_WORDS | _EVENT_WORDS
_NO_WORDS: set[str] = set()


class Cued(NamedTuple):
    actions: tuple[Quote, ...]
    decisions: tuple[Quote, ...]
    events: tuple[Quote, ...]


def cued(text: str, found: list[Passage], code: bool, spoken: bool = False) -> Cued:
    """The critical actions, decisions and noteworthy events of a text; none in source code.

    In a conversation people say more than they mean: "Always need more!" asks for nothing.
    """
    actions: list[tuple[float, Passage]] = []
    decisions: list[tuple[float, Passage]] = []
    events: list[tuple[float, Passage]] = []
    if code:
        return Cued((), (), ())
    heading, under = None, (False, False, False)
    words_there = words_in_place(text)  # of the whole text at once: most sentences have no word that tells anything
    for passage in found:
        said = passage.text
        size = len(said)
        if passage.kind in ("row", "code", "heading") or size < _SHORTEST or said[-1] == "?":
            continue
        if passage.heading != heading:
            heading = passage.heading
            under = (
                bool(_ACTION_HEADINGS.search(heading)),
                bool(_DECISION_HEADINGS.search(heading)),
                bool(_EVENT_HEADINGS.search(heading)),
            )
        is_silent = words_there and not under[2] and _TELLING_WORDS.isdisjoint(words_there[passage.start : passage.end].split())
        if is_silent and passage.kind != "item" and not any(under):
            continue
        words = _NO_WORDS if is_silent else passage.words
        score = _action(said, words, passage, under[0])
        if score > (_CASUAL if spoken else 0.0) and not (spoken and "!" in said[-4:]):
            actions.append((score, passage))
        if (under[1] or not words.isdisjoint(_DECISION_WORDS)) and (score := _decision(said, passage, under[1])):
            decisions.append((score, passage))
        elif (under[2] or not words.isdisjoint(_EVENT_WORDS)) and (score := _event(said, words, under[2])):
            events.append((score, passage))
    return Cued(_best(text, actions), _best(text, decisions), _best(text, events))


def _action(said: str, words: set[str], passage: Passage, under: bool) -> float:
    if _TICKET_TITLE.match(said):
        return 0.0
    score = 0.0
    first = _FIRST_WORD.match(said)
    opener = first.group(1).lower() if first else ""
    if first and opener in _IMPERATIVES and not _AGENDA.search(passage.heading) and _ORDERS.match(said, first.end()):
        if under:
            score = 2.0
        elif passage.kind == "item":
            score = 1.0
    if under and passage.kind == "item" and _SOMEBODY_WILL.match(said):
        score = max(score, 2.5)
    if not words.isdisjoint(_ACTION_WORDS):
        score = max(score, _ordered(said, words))
    if score and _BY_DATE.search(said):
        score += 1.0
    if not score or _NOT_ACTION.search(said):
        return 0.0
    return 0.0 if _HEDGED.search(said) else score


def _ordered(said: str, words: set[str]) -> float:
    """How strongly a sentence asks for something; each test runs only where its words stand."""
    if not words.isdisjoint(_ITEM_WORDS) and _ITEM.search(said):
        return 3.0
    if not words.isdisjoint(_MUST_WORDS) and _MUST.search(said):
        return 2.5
    if not words.isdisjoint(_NOT_WORDS) and _FORBID.search(said):
        return 2.5
    if "will" in words and (will := _SOMEBODY_WILL.match(said)) and will.group(1) in _IMPERATIVES:
        return 2.2
    if not words.isdisjoint(_CARE_WORDS) and _CARE.search(said):
        return 2.0
    if not words.isdisjoint(_SHOULD_WORDS) and _SHOULD.search(said):
        return 1.5
    return 1.5 if "to" in words and not words.isdisjoint(_HAVE_WORDS) and _HAVE_TO.search(said) else 0.0


def _decision(said: str, passage: Passage, under: bool) -> float:
    said = said.replace("**", "").replace("__", "")
    if _NOT_DECIDED.search(said) or _HEDGED.search(said) or is_opinion(said):
        return 0.0
    if passage.speaker and len(said.split()) < _LEAST_SPOKEN:
        return 0.0  # "Agreed!" decides nothing by itself
    if _DECIDED.search(said):
        return 2.5 if under else 2.0
    if under and passage.kind == "item":
        return 1.5
    return 0.0


def is_opinion(said: str) -> bool:
    """Whether people only see something alike: "members agreed that parking is a nuisance"."""
    match = _SEES.search(said)
    return match is not None and not _WILL.search(said, match.start())


def _event(said: str, words: set[str], under: bool) -> float:
    dated = (not words.isdisjoint(_TIMES) or bool(_DIGIT.search(said))) and bool(_WHEN.search(said))
    if not (dated or under or said[0].isupper()):
        return 0.0
    if _PARTICIPLE.match(said):
        return 2.0 + dated
    if not (dated or under) or _MIGHT.search(said):
        return 0.0
    if _HAPPENED.search(said):
        return (2.0 if dated else 0.0) + (1.5 if under else 0.0)
    return 1.5 if under and dated else 0.0


def _best(text: str, found: list[tuple[float, Passage]]) -> tuple[Quote, ...]:
    """The strongest, in the order in which they stand, none twice."""
    found = list({pair[1].text: pair for pair in reversed(found)}.values())[::-1]
    if len(found) > _MOST:
        found = sorted(found, key=lambda pair: -pair[0])[:_MOST]
        found.sort(key=lambda pair: pair[1].start)
    return tuple(in_words(text, *shortened(text, p.start, p.end, _LONGEST), p.speaker) for _, p in found)
