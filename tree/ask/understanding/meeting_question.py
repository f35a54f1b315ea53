"""Questions for who was at a meeting, who led it or took its minutes, when it was and when the next one is.

As with decisions, such a question is understood only if every word of it is accounted for: what is neither put by the question nor
a time or a person is what the meeting is called.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from prompts.language import terms
from prompts.regex import regex
from prompts.timespans import Span, find_span
from tree.ask.facts.ticket_words import NEGATIONS
from tree.ask.understanding.question_forms import readings, whole_questions
from tree.retrieve.attendance import Role
from tree.retrieve.names import Names, tokens

Asked = Role | Literal["was there", "held"]  # "held": on which days it was
LONGEST = 140  # characters of such a question
MOST_WORDS = 6  # terms of the name of a meeting

_MEETING = regex(
    r"\b(?:meetings?|sittings?|sessions?|calls?|syncs?|retro\w*|reviews?|workshops?|rounds?|stand-?ups?|steering|board|committee|besprechung|treffen|réunion)\b|(?:sitzung|besprechung|runde)\b",
    re.IGNORECASE,
)
_LEADS = regex(r"\b(?:run|ran|lead|led|head|leit|führ)", re.IGNORECASE)
_IN = regex(r"\W*(?:(?:and|so|ok)\b,? )?(?:who|wer)\b.{0,20}? (?:was|were|war) (?:all |alles )?(?:in|im)\b", re.IGNORECASE)
_COUNTS = regex(r"\W*(?:how many|wie viele)\b", re.IGNORECASE)
_WHOM = r"(?P<of>[^?\n]{2,80}?)"
_FORMS: tuple[tuple[Asked, str], ...] = (
    ("absent", rf"who (?:was|were) (?:missing|absent|excused|away|not (?:there|present|at))(?: (?:from|at|in|on))? {_WHOM}"),
    ("absent", rf"who (?:missed|skipped|did ?n['’o]t (?:come to|attend|make it to|join)|could ?n['’o]t (?:come to|attend|make it to|make|join)|(?:sent|gave) (?:his |her |their )?apologies (?:for|to|at)) {_WHOM}"),
    ("absent", rf"wer (?:fehlte|war nicht|war entschuldigt|hat gefehlt) (?:bei|beim|bei der|in|im|in der|auf|an|am)\b ?{_WHOM}(?: dabei| gefehlt)?"),
    ("present", rf"who (?:all )?(?:was|were)(?: all)? (?:there |present |here )?(?:at|in|on(?! call\b| duty\b| leave\b| holiday\b)) {_WHOM}"),
    ("present", rf"who (?:all )?(?:attended|joined(?! (?:us\b|after|before|since|until|in \d|in (?:the )?(?:company|team)|last (?:year|month|week)|this (?:year|month|week)|the (?:company|team)\b(?! \w)))|came to|took part in|participated in|sat in) {_WHOM}"),
    ("present", rf"wer war (?:alles )?(?:bei|beim|bei der|in|im|in der|auf|an|am) {_WHOM}(?: dabei| anwesend| da)?"),
    ("present", rf"wer (?:hat|nahm) (?:an|bei) (?:dem |der )?{_WHOM} (?:teilgenommen|teil)"),
    ("present", rf"(?:how many|wie viele)(?: people| persons| leute)? (?:were|was|came|attended|waren|took part)(?: there| present)?(?: (?:at|to|in|on|bei|beim))? {_WHOM}"),
    ("chair", rf"who (?:is|was|does|did)? ?(?:the )?(?:chair|chairing|chairs|chaired|runs?|ran|running|leads?|led|leading|heads?|headed|moderates?|moderated|presides? over|presided over|hosts?|hosted|facilitates?|facilitated)(?:man|woman|person)?(?: (?:of|for|in|at))? {_WHOM}"),
    ("present", rf"qui (?:était|a assisté|a participé|participait|a pris part)(?: présente?| là)? (?:à|au|aux) {_WHOM}"),
    ("absent", rf"qui (?:manquait|était absente?|était excusée?|n['’]était pas) (?:à|au|aux|de|du) {_WHOM}"),
    ("chair", rf"qui (?:dirige|dirigeait|préside|présidait|a présidé|anime|animait) {_WHOM}"),
    ("next meeting", rf"(?:quand|c['’]est quand|à quelle date)(?: est| a lieu)? (?:la |le )?prochaine? {_WHOM}"),
    ("chair", rf"wer (?:leitet|leitete|moderiert|moderierte|führt) {_WHOM}"),
    ("minute taker", rf"who (?:is|was|does|did)? ?(?:takes?|took|taking|writes?|wrote|writing|keeps?|kept|doing|did|does|do) (?:the |up )*(?:minutes|notes)(?: (?:of|in|at|for|from|on))? {_WHOM}"),
    ("minute taker", rf"who (?:minuted|took down|wrote up) {_WHOM}"),
    ("minute taker", rf"wer (?:schreibt|schrieb|führt|führte|macht|hat) (?:das )?protokoll (?:bei|beim|in|im|in der|der|des|von|vom|zur|zum|bei der|am) {_WHOM}(?: geschrieben| geführt)?"),
    ("next meeting", rf"(?:when|on what day|what day|what date)(?: is|['’]s| will| does)(?: the)? (?:(?:our|the) )?next {_WHOM}(?: be| take place| meet)?"),
    ("next meeting", rf"when (?:does|do|will) (?:the )?{_WHOM} (?:next meet|meet (?:next|again))"),
    ("next meeting", rf"wann (?:ist|findet)(?: die| der| das)? nächste[rs]? {_WHOM}(?: statt)?"),
    ("held", rf"(?:when|on which (?:days|dates)|on what (?:days|dates)|how often|how many times) (?:did|has|have) (?:the )?{_WHOM} (?:meet|met)(?P<then>[^?\n]{{0,40}}?)"),
    ("held", rf"when (?:was|were) (?:the )?{_WHOM} held(?P<then>[^?\n]{{0,40}}?)"),
    ("held", rf"when (?:was|were) (?:the )?(?:last|latest|previous|most recent) {_WHOM}"),
    ("held", rf"wann (?:war|fand)(?: die| der| das)? letzte[rs]? {_WHOM}(?: statt)?"),
)  # fmt: skip
_PATTERNS = whole_questions(_FORMS)
_WAS_THERE = regex(
    rf"\A\W*(?:(?:and|so)\b,? )?(?:was|were) (?P<who>[^?\n]{{2,50}}?) (?:there |present |also )*(?:at|in|on|for) {_WHOM}\W*\Z"
    rf"|\A\W*(?:(?:and|so)\b,? )?did (?P<did>[^?\n]{{2,50}}?) (?:attend|join|come to|go to|take part in|make it to|turn up (?:at|for)|show up (?:at|for)) {_WHOM.replace('<of>', '<to>')}\W*\Z"
    rf"|\A\W*war (?P<war>[^?\n]{{2,50}}?) (?:bei|beim|bei der|in|im|in der|auf|am) {_WHOM.replace('<of>', '<bei>')}(?: dabei| anwesend| da)?\W*\Z",
    re.IGNORECASE,
)
_LED_IN = regex(r"\A\W*(?:(?:and|so|ok|okay|but|then)\b[\s,]*)*", re.IGNORECASE)
_IT = r"(?: (?:it|that|this|there|then|them|that (?:meeting|one|day|time)|this (?:meeting|one)|the (?:meeting|one)))?"
_FOLLOWING = tuple(  # a question for the meeting that the chat named, and how it is put with its name
    (regex(rf"{asked}\W*\Z", re.IGNORECASE), full)
    for asked, full in (
        (rf"who(?: all| else)?(?: was| were)(?: all)? (?:there|present|here|in it|at it|at (?:that|the) meeting)|who (?:attended|came|took part|joined){_IT}", "who was at {}"),
        (rf"how many(?: people)? (?:were|came|attended)(?: there| present)?{_IT}", "how many people were at {}"),
        (rf"who (?:was|were) (?:missing|absent|excused|not (?:there|present))|who (?:missed|skipped|did ?n['’o]t come(?: to)?){_IT}", "who was missing from {}"),
        (rf"who (?:chairs|chaired|runs|ran|leads|led|moderated|moderates|was in the chair|is the chair|was the chair){_IT}", "who chaired {}"),
        (rf"who (?:takes|took|writes|wrote|keeps|kept|does|did)(?: up| down)?(?: the)? (?:minutes|notes)(?: of)?{_IT}", "who took the minutes of {}"),
        (r"when(?: is|['’]s| will)(?: the)? next(?: (?:one|meeting|time))?(?: be)?|when do (?:they|we) (?:meet )?(?:next|again)(?: meet)?", "when is the next {}"),
        (r"when was (?:the )?last(?: (?:one|meeting|time))?|when did (?:they|we) (?:last meet|meet (?:last|the last time))", "when was the last {}"),
        (r"(?:was|were) (?P<who>[^?\n]{2,50}?) (?:also )?(?:there|present|at it)(?: too| as well)?|did (?P<did>[^?\n]{2,50}?) (?:come|attend|join)(?: it| too| as well)?", "was @ at {}"),
    )
)  # fmt: skip
_LAST = regex(
    r"\b(?:last|latest|previous|most recent|letzten?|letzter|letztes|derni[eè]re?)\b(?! (?:(?:week|month|year)s?\b|mon|tue|wed|thu|fri|sat|sun))",
    re.IGNORECASE,
)
_AFTER = regex(r"\b(?:after|following|before|since|from)\b", re.IGNORECASE)
_SAYS_NOTHING = frozenset(
    "meeting meetings minutes time the a an our this that of on in at for from held group's sitzung besprechung treffen der die das den dem des vom am im zum zur la le les de du réunion reunion compte rendu".split()
)
_NAME = regex(r"[^\W\d_][\w'’-]+(?: [^\W\d_][\w'’-]*\.?){0,2}")
_NO_PERSON = frozenset(
    "it that this there anything something nothing anyone anybody someone somebody nobody everyone everybody he she they we you i the a an any all what which who more less money food time".split()
)
_NO_NAME = frozenset("who what when where why how which charge it them him her".split())


@dataclass(frozen=True, slots=True)
class MeetingQuestion:
    """`called`: terms of the meeting's name, empty for any; `words` the same as written."""

    asked: Asked
    called: tuple[str, ...] = ()
    words: str = ""
    span: Span | None = None
    is_last: bool = False
    is_count: bool = False  # of people
    person: str = ""  # as written, where it is asked whether they were there
    people: frozenset[str] = frozenset()  # full names, folded
    is_known: bool = True  # some document names that person elsewhere than in minutes
    said: str = ""  # the meeting, as it was said, with its time


def read_meeting_question(text: str, names: Names, today: date) -> MeetingQuestion | None:
    """None where it asks for something else, or says more than this can."""
    if len(text) > LONGEST:
        return None
    return next(readings(_PATTERNS, text, lambda asked, match: _read(asked, match, today)), None) or _was_there(
        text, names, today
    )


def _read(asked: Asked, match: re.Match[str], today: date) -> MeetingQuestion | None:
    if asked == "next meeting" and _AFTER.search(match["of"]) is not None:
        return None  # after a day, minutes of before it know of none
    question = _called(asked, f"{match['of']}{match.groupdict().get('then') or ''}", today)
    text = match.string
    is_of_team = (asked == "chair" and _LEADS.search(text)) or (asked == "present" and _IN.match(text))
    if question is None or (is_of_team and not _MEETING.search(text)):
        return None  # who leads a team, or is in it, is another question
    is_last = question.is_last or (asked == "held" and _LAST.search(text) is not None)
    return replace(question, is_last=is_last, is_count=_COUNTS.match(text) is not None)


def _was_there(text: str, names: Names, today: date) -> MeetingQuestion | None:
    match = _WAS_THERE.match(text)
    if match is None:
        return None
    groups = match.groupdict()
    who, of = next((groups[who], groups[of]) for who, of in (("who", "of"), ("did", "to"), ("war", "bei")) if groups[who])
    said = tokens(who)
    mentions = names.find(said)
    is_known = len(mentions) == 1 and "person" in mentions[0].objects and mentions[0].last - mentions[0].first == len(said)
    if not is_known and (_NAME.fullmatch(who) is None or any(token.folded in _NO_PERSON for token in said)):
        return None
    question = _called("was there", of, today)
    people = frozenset(mentions[0].names) if is_known else frozenset((" ".join(token.folded for token in said),))
    return replace(question, person=who, people=people, is_known=is_known) if question is not None else None


def _called(asked: Asked, said: str, today: date) -> MeetingQuestion | None:
    """What the meeting is called, and when it was."""
    span = find_span(said, today)
    rest = f"{said[: span.start]} {said[span.end :]}" if span is not None else said
    is_last = _LAST.search(rest) is not None
    words = [token for token in tokens(_LAST.sub(" ", rest)) if token.folded not in _SAYS_NOTHING]
    if any(token.folded in NEGATIONS or token.folded in _NO_NAME for token in words):
        return None
    called = tuple(dict.fromkeys(term for token in words for term in terms(token.text)))
    if len(called) > MOST_WORDS or not (called or span or is_last or (asked == "next meeting" and _MEETING.search(rest))):
        return None
    return MeetingQuestion(asked, called, " ".join(token.text for token in words), span, is_last, said=said.strip())


def asked_of_meeting(question: str, meeting: str, name: str = "") -> str | None:
    """A question that leaves out the meeting it is about, put with it: "who was there?"; None for any other. `name`: without its time."""
    bare = _LED_IN.sub("", question)
    for pattern, full in _FOLLOWING:
        if (match := pattern.match(bare)) is not None:
            who = next(filter(None, match.groupdict().values()), "")
            named = name or _LAST.sub(" ", meeting) if "next" in full or "last" in full else meeting
            return " ".join(full.replace("@", who).format(named).split())
    return None
