"""Decisions and actions of minutes that are told in passing: in sentences and in tables of topics, in English and German.

Only what says so is taken: in a text that is minutes, by its title or by who was there, and for actions only of people who
were there. Spans are of the leaf's text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from prompts.line_pattern import LinePattern
from prompts.regex import regex
from prompts.text_lines import line_end, line_start
from tree.retrieve.attendance import HEAD, attendance
from tree.retrieve.item_cues import FULL_NAME, NAME, NO_NAME

LEAST_NAME = 2  # characters
MOST_LEADING = 3  # words of a sentence that only names the subject of the next
_TITLED = regex(
    r"\b(?:minutes|meetings?|board|committee|steering|catch-?up|stand-?up|check-?in|weekly|biweekly|monthly|retro(?:spective)?|sync|call|notes|"
    r"workshop|kick-?off|team leads|review|assembly|round|1:1|compte[- ]rendu|procès-verbal|réunion|decision (?:log|register|list|record)s?|decisions|beschl(?:uss|ü|üsse)\w*|protokoll|sitzung|besprechung|treffen|runde|jour fixe|versammlung)\b"
    r"|(?:sitzung|besprechung|versammlung|treffen|runde|protokoll)\b",
    re.IGNORECASE,
)
_ATTENDED_LABEL = (
    r"(?:^[ \t]*(?:[-*+] +)?[*_]{0,3}|(?<=[.;] ))(?:In attendance|Who|Present|Attendees|Attendance|Attending|Participants|Who (?:was there|came|attended)|Also (?:there|present)|There|Here|People|In the room"
    r"|On the call|Excused|Apologies|Absent|Regrets|Entschuldigt|Not (?:there|here|present)|(?:In the )?Chair(?:ed by)?|Invited|Round the table|Anwesend|Anwesende|Teilnehmer|Teilnehmende|Teilnehmerinnen und Teilnehmer|Teilnehmer:innen|Dabei|Mit dabei|Da waren|Joined|Joining|Dialled in|Présents?)\b"
    r"(?: (?:were|waren|was))?"
)
_ATTENDED = regex(
    _ATTENDED_LABEL + r"(?:[*_]{0,3}:[*_]{0,3}(?:[ \t]*\n){0,2}|(?<=were)|(?<=waren))[ \t]*(?=(?P<who>[^\n]{3,400}))",
    re.MULTILINE | re.IGNORECASE,
)
_ATTENDED_BEGINS = LinePattern(  # what of such a match stands in one line in any case
    _ATTENDED_LABEL + r"(?:[*_]{0,3}:|(?<=were)|(?<=waren))", (":", "were", "waren"), re.MULTILINE | re.IGNORECASE
)
_ATTENDED_LIST = regex(  # a heading, and a name in each line below it
    r"#(?<![^\n]#)#{0,5} +(?:In attendance|Present|Attendees|Attendance|Participants|Members present|Anwesend|Anwesende|Teilnehmer|Teilnehmende|Présents?)\b[^\n]{0,20}\n\s*"
    r"(?P<who>(?:[ \t]*[-*+] +[^\n]{2,120}\n?){1,40})",
    re.MULTILINE | re.IGNORECASE,
)
_CAME = LinePattern(  # "Ada, Ben and Cy were there"
    r"\b(?:were (?:there|present|here|in the room|on the call)|attended|took part|joined|waren da)\b",
    "were |attended|took part|joined|waren da",
)
_HEADED = regex(
    r"#(?<![^\n]#)#{0,5} +(?:In attendance|Present|Attendees|Attendance|Participants|Members present|Anwesend|Anwesende|Teilnehmer|Teilnehmende|Minutes|Meeting (?:notes|minutes)|Agenda|Tagesordnung)\W*$",
    re.MULTILINE | re.IGNORECASE,
)
_ASIDE = regex(r"\([^()\n]{0,80}\)")
_SENTENCE_ENDS = regex(r"(?<=[a-zà-ž)]{2})\.(?: |$)")
_MARK = regex(r"[ \t]*(?:[-*+] +|\d{1,2}[.)] +)?")
_STOP = regex(r"(?:(?<=[a-zà-ž\d)]{2})\.|[!?])[*_)]{0,3} +(?=[A-Z*_])")
_STARTS = r"(?:^[ \t]*(?:[-*+] +|\d{1,2}[.)] +)?[*_]{0,2}|(?<=[.;!?:] )|(?<=[.!?]\*\* )|(?<=-> )|(?<=→ )|(?<==> ))"
_MONTH = r"(?:Jan|Feb|Mar|Mär|Apr|May|Mai|Jun|Jul|Aug|Sep|Oct|Okt|Nov|Dec|Dez)[a-zä]{0,6}|spring|summer|autumn|winter|next (?:week|month|year|term|season)|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|now|today"
_BODY = (
    r"(?:(?:the|our) )?(?:council|committee|board|team|group|club|meeting|members|association|society|department|office|company)"
)
# ---- what was decided
_DECIDING = LinePattern(
    r"\b(?:(?:was|were|is|has been|have|has|we|and|it|meeting|group|team|council|club|members|board|committee|everybody|everyone|all) (?:\w+ly |then |finally |therefore |also |all )?"
    r"(?:resolved|decided|agreed|chose|voted|opted|determined) (?:to|that|on|for|not to|against|in favou?r|unanimously)"
    r"|(?:resolution|conclusion|decision|outcome|agreement|consensus) (?:was|is)(?: that| to)\b"
    r"|(?:overall|general|broad|full) (?:agreement|consensus) (?:that|on|to|it|we)\b"
    r"|(?<=[-*+:] )(?:defer(?:red)?|postponed?|moved) (?:to|until|till) (?:the )?(?:next|later|a later|then|we have)\b"
    r"|settled (?:on|for)|came down (?:in favou?r of|on the side of|against)|opted (?:for|to|against)|plumped for|went (?:with|for) (?:the|a|an|option)"
    r"|signed off(?: on)?|gave (?:its|their|the) (?:approval|consent|go-ahead|green light)|(?:motion|proposal|vote) (?:was |is )?(?:carried|passed|accepted|adopted)"
    r"|(?<!who )(?<!which )(?<!that )(?<!what )(?:was|were) (?:unanimously )?(?:approved|adopted|accepted|signed off|voted (?:in|through|down))"
    r"|(?:wurde|wurden|wird|werden|haben|hat|ist|sind)\b[^.\n]{0,80}?\b(?:beschlossen|entschieden|vereinbart|verabschiedet)"
    r"|(?:beschlie(?:ß|ss)t|beschlie(?:ß|ss)en|beschloss)\b|(?:beschlossen|entschied(?:en)?) (?:der|die|das|den|einstimmig|mit|man|wir)"
    r"|(?:every(?:one|body)|all|the others|most|\d+) (?:in favou?r|for it|dafür)\b|nobody (?:objected|was against)|no objections?(?! ?\?)|unanimous(?:ly)?|einstimmig|ohne Gegenstimme|(?:war|waren|sind) (?:man |wir )?(?:sich|uns) (?:alle )?einig|alle einig"
    r"|(?:date|day|time|price|place|name|limit) (?:(?:is|was) )?(?:now )?(?:fixed|set)\b(?: (?:for|to|at|on))?|(?:was|were|is|are) (?:turned down|rejected|dropped|scrapped|thrown out)"
    r"|(?:picked|preferred|chose) (?:the |a |an )?[^.,;\n]{2,60} (?:over|instead of|rather than) |(?:found|got|had) (?:no|a) majority|(?:is|are|was|were) (?:gone|history|no more|off the table) from\b"
    r"|carried (?:by|with|unanimously|nem)\b|(?:was|were) (?:adjourned|postponed|deferred|tabled|shelved|put off|held over|carried over) (?:to|until|till|for)\b|(?:is|are|was|were) left (?:unchanged|as (?:it|they) (?:is|are|was|were))"
    r"|(?:wurde|wurden|wird|werden|ist|sind)\b[^.\n]{0,100}?\b(?:angenommen|abgelehnt|vertagt|genehmigt|zurückgestellt|bewilligt|gebilligt|zugestimmt|verschoben|gestrichen|festgelegt)\b"
    r"|stimm(?:t|te|en|ten) (?:dem|der|den|dafür|dagegen)\b|(?:no|(?:will|do|does|are|is) not) (?!so\b|as\b|that\b|really\b|sure\b|very\b|too\b|one\b|need\b)[^.,;\n]{2,60} (?:any ?more|any longer|this year|this season|from now on)\b"
    r"|einigt(?:e|en)? (?:man |wir )?(?:sich|uns) (?:darauf|auf)|(?:man|wir|alle) (?:einig(?:t|te|ten)|entschied|entschieden|beschlossen) )",
    "resolved|decided|agreed|chose|voted|opted|determined|resolution|conclusion|decision|outcome|agreement|consensus|defer|postpone|moved|settled |came down |plumped for|went with |went for |signed off|gave |carried|passed|accepted|approved|beschl|entschied|vereinbart|verabschiedet|in favo|for it|dafür|nobody |no objection|unanimous|einstimmig|ohne gegenstimme|einig|adjourned|tabled|shelved|put off|held over| left |angenommen|abgelehnt|vertagt|genehmigt|zurückgestellt|bewilligt|gebilligt|zugestimmt|verschoben|gestrichen|festgelegt| fixed| set|turned down|rejected|dropped|scrapped|thrown out|picked|preferred|majority|gone from|history from|more from|table from|stimm|anymore|any more|any longer|this year|this season|from now on",
    re.IGNORECASE,
)
_LABEL = LinePattern(
    rf"{_STARTS}(?:Consensus|Conclusion|Outcome|Verdict|Resolution|Beschluss|Beschlüsse|Beschlossen|Entscheidung|Entschieden|Vereinbart|Einigung|Décision)"
    r"(?: \d{1,3}| \([^()\n]{1,20}\))?[*_]{0,2}:[*_]{0,2} ?(?=\S)",
    "Consensus|Conclusion|Outcome|Verdict|Resolution|Beschl|Entsch|Vereinbart|Einigung|Décision",
    re.MULTILINE,
)
_WE_WILL = LinePattern(
    rf"{_STARTS}(?P<we>(?:For now|For the time being|From now on),? we(?:['’]ll| will| shall| are going to)(?: not)?|We (?:will(?: not)?|won['’]t|shall(?: not)?|are going to|do not|don['’]t|no longer|stop|keep|drop|stay with|stick (?:with|to)|go (?:with|for|ahead)|move to|switch to)"
    r"|Wir (?:werden|bleiben bei|nehmen|verzichten auf|behalten|streichen)) (?!(?:(?:also|still|then|just|all|try to|need to) )?(?:see|discuss|come back|talk|look|revisit|wait|return|know|hear|have|want|like|be using|meet|sehen|need|think|ask|follow up|check|(?:leave|keep) (?:\w+ ){0,2}on the agenda)\b|likely|probably|maybe|perhaps|try\b|discuss)",
    "e will|e'll|e’ll|e shall|e are going|We won|We do|We no longer|We stop|We keep|We drop|We stay|We stick|We go |We move|We switch|Wir ",
    re.MULTILINE,
)
_STAYS = LinePattern(
    rf"{_STARTS}(?:(?:Until|Till) (?:then|that|further notice)[^.\n]{{3,160}}\b(?:stays?|remains?|is kept|goes on|keeps?)\b"
    rf"|Bis (?:dahin|auf weiteres)\b|(?!That\b|It\b|This\b)[A-Z\w][^.,;\n]{{2,60}} (?:stays|(?<!to )(?<!would )(?<!Would )(?<!could )(?<!Could )(?<!should )(?<!may )(?<!might )(?<!can )stay|bleib(?:t|en)) (?:(?:at|as|on|off|open|shut|closed|in|bei|zu|wie|geschlossen|offen)\b|\d))",
    "stay|remain|is kept|goes on|keep|Bis dahin|Bis auf weiteres|bleib",
    re.MULTILINE,
)
_FROM_NOW = LinePattern(  # what is to hold from a day on: "the old gate gets locked on 1 October", "from January on, plots will be split"
    rf"{_STARTS}(?:(?:From|As of|Starting|Beginning|Ab|Vom) (?:\d{{1,2}}\.? )?(?:the )?(?:{_MONTH})\b[^.\n]{{4,120}}\b(?:will|is|are|gets?|goes?|moves?|may|must|wird|werden|ist|sind|gilt|gelten)\b"
    rf"|(?!If\b|When\b|Once\b|Wenn\b|Falls\b)(?!Would\b|Could\b|Should\b)[^.;,:\n]{{3,80}} (?:gets?|will be|is to be|are to be) (?!figured|discussed|decided|seen|known|revisited|continued|reviewed|talked|looked|done\b|covered|raised|brought)\w+(?:ed|en|t|n)\b[^.,;\n]{{0,50}} (?:on|from|by|in|as of|at) (?:the )?(?:\d{{1,2}} )?(?:{_MONTH})\b"
    rf"|Wir \w+en\b[^.\n]{{0,60}} (?:ab|zum|vom) (?:\d{{1,2}}\.? ?)?(?:{_MONTH}|\d))",
    "From |As of |Starting |Beginning |Ab |Vom | get | gets | will be | is to be | are to be |Wir ",
    re.MULTILINE,
)
_BODY_WILL = LinePattern(
    rf"{_STARTS}(?:T|t)?(?i:{_BODY}) (?:will(?: not)?|won['’]t|shall(?: not)?|is going to|pays?|buys?|drops?|keeps?|stops?|cho(?:o)?se|chose) (?!see\b|discuss|come back|talk|look|revisit|wait\b|meet\b|hear\b|have\b|be\b)",
    "council|committee|board|team|group|club|meeting|members|association|society|department|office|company",
    re.MULTILINE,
    folded=True,
)
_UNDECIDED = regex(
    r"\b(?:not|no(?! objections?\b)|nothing|never|nobody|noch nicht|nicht|kein\w*|yet to|if|whether|unless|ob|wenn|once|might|may|could|would|should we|proposed|suggested|"
    r"wants? to|wanted to|hopes?)\b[^.\n]{0,40}?\b(?:decided?|decision|agree[ds]?|resolved?|settled?|vot\w+|consensus|outcome|beschlossen|entschieden|vereinbart|Beschluss|Entscheidung)\b"
    r"|\b(?:if|whether|unless|until|check|sure|see|provided|confirm|ensure|assuming|needs? to be|should be|must be|want)\b[^.\n]{0,40}\bno objections?\b|\bno objections?(?: but\b| ?\?)"
    r"|\b(?:author|he|she|I) (?:\w+ly )?agreed? (?:that|with)\b|\bsome consensus\b|\bpropos(?:es?|ed|ing) (?:that|to|a)\b(?![^\n]*\b(?:agreed|approved|no objection|accepted|carried))"
    r"|\?\s*\Z|\b(?:in|bei|from|at) (?:the |der )?(?:last|previous|vorigen|letzten) (?:meeting|sitzung)\b",
    re.IGNORECASE,
)
_NONE_YET = regex(
    r"\W*\Z|\W*(?:no(?:ne|thing)?|not|tbd|tbc|open|pending|later|deferred|postponed|offen|keine?|noch|vertagt|-|–|—|n/?a|info(?:rmation)?(?: only)?|for information|noted)\b",
    re.IGNORECASE,
)
OUTCOMES = (
    "outcome",
    "result",
    "decision",
    "resolution",
    "conclusion",
    "agreed",
    "decided",
    "beschluss",
    "ergebnis",
    "entscheidung",
)
ACTIONS = ("action", "actions", "next step", "next steps", "to do", "todo", "follow-up", "aufgabe", "aufgaben", "maßnahme")
TOPICS = frozenset(("topic", "item", "agenda item", "agenda", "subject", "thema", "top", "point", "discussion", "issue"))
WHO = ("who", "owner", "responsible", "person", "assigned", "assignee", "lead", "wer", "verantwortlich", "zuständig", "name")
_WHO_FIRST = frozenset(("who", "owner", "responsible", "assigned", "assignee", "wer", "verantwortlich", "zuständig"))
WHEN = ("by when", "due", "when", "deadline", "by", "until", "date", "bis", "bis wann", "termin", "frist", "wann")
_WHEN_DECIDED = frozenset(("date", "datum"))  # of a row of decisions: not when something is due
# ---- who is to do what
_DOES = regex(
    r"(?:(?:then |also |still |now )?(?:to|will|shall|must|has to|have to|needs to|need to|is to|are to|is going to|are going to|promised to|promises to|volunteered to|volunteers to"
    r"|offered to|offers to|undertook to|agreed to|agrees to|takes on|took on|takes care of|took it on to|wird|soll|muss|werden|sollen|übernimmt|kümmert sich)"
    r" (?!be\b|not\b|never\b|have\b|see\b|nicht\b)\w"
    r"|is on it\b|does (?:both|all|it|this|that)\b|(?:(?:meanwhile|then|also|still|now|first|always) )?(?P<verb>[a-zäöüß][a-zäöüß-]{1,24}(?:s|t))\b(?P<saying> (?:that|dass|whether|ob|if|why|how|what|about|wie|warum|was)\b)?)"
)
_SAYING = frozenset(
    """is was has does says thinks reports believes wants knows notes likes feels prefers suggests wonders agrees explains shows raises worries points sees
    hopes proposes mentions remains owns warns doubts objects joins regrets remembers recalls expects considers argues says states disagrees understands
    finds found recommends advises supports prefers presents leads represents seems appears gets needs means works lives sits loves hates speaks its his us as this
    berichtet meint sagt findet glaubt weist erklärt stellt hält schlägt wünscht hat ist bittet erinnert begrüßt eröffnet dankt hofft möchte weiß sieht
    freut bestätigt lobt fehlt leitet führt gibt zeigt informiert regt spricht fordert nicht fast erst jetzt geht kommt mit seit""".split()
)
_GERMAN = regex(r"\b(?:der|die|das|den|dem|und|bis|beim|für|nach|eine?|einen|zum|zur|mit|auf|an|im|am|vom)\b")
_AT_START = regex(rf"(?:{_STARTS}|(?<=, and )|(?<=, )|(?<= and )|(?<=, und )|(?<= und ))(?=[A-Z])", re.MULTILINE)
_CLAUSE = regex(r"[.;:\n]")
_JOINTS = (", ", " and ", " und ")
_PRONOUN = LinePattern(rf"{_STARTS}(?P<who>She|He|Er) +", "She |He |Er ", re.MULTILINE)
_ACTION_POINT = LinePattern(
    rf"{_STARTS}(?:AP|AI|Action|ACTION|Action item|TO-?DO|To[ -]?do|Task|Aufgabe)(?:[ -]?\d{{1,3}})?:? +(?:for |on |an )?@?(?P<who>{NAME})(?:[*_]{{0,2}}: |[*_]{{0,2}} [–—-] | to )",
    "AP|AI|Action|ACTION|TODO|TO-DO|Todo|To do|To-do|Task|Aufgabe",
    re.MULTILINE,
)
# ---- to whom a thing is handed in terse minutes
_SOME = rf"@?{NAME}(?:(?:, | and | & | \+ |/){NAME}){{0,3}}"
_HANDED = LinePattern(  # "two hooks are missing -> Jane: order them"
    rf"(?:->|=>|→|⇒|➜)[ \t]{{0,3}}[*_]{{0,2}}(?P<who>{_SOME})(?:[*_]{{0,2}}:[*_]{{0,2}} {{1,3}}| to | (?:will|soll) )(?=\S)",
    "->|=>|→|⇒|➜",
)
_HANDED_TO = LinePattern(  # "order two hooks -> Jane, by Friday"
    rf"(?:->|=>|→|⇒|➜)[ \t]{{0,3}}[*_]{{0,2}}(?P<who>{_SOME})[*_]{{0,2}}(?:,? (?:by|until|till|before|bis) [^\n]{{3,40}}|,? ?\([^()\n]{{1,40}}\))?[.;]?[ \t]{{0,3}}$",
    "->|=>|→|⇒|➜",
    re.MULTILINE,
)
_BEGINS_WITH_WHO = LinePattern(  # "Jane -> order two hooks"
    rf"^[ \t]{{0,8}}(?:[-*+] +|\d{{1,2}}[.)] +)?[*_]{{0,2}}(?P<who>{_SOME})[*_]{{0,2}} {{0,2}}(?:->|=>|→|⇒|➜) {{0,2}}(?=\S)",
    "->|=>|→|⇒|➜",
    re.MULTILINE,
)
_IN_BRACKETS = LinePattern(  # "TODO(jane): order two hooks"
    r"(?<!\w)(?:TO-?DO|To[ -]?do|AI|AP|ACTION|Action(?: item)?) ?[(\[]@?(?P<who>[^\W\d][\w.'’ -]{1,40})[)\]]:? {0,2}(?=\S)",
    "TODO|TO-DO|Todo|To do|To-do|AI|AP|ACTION|Action",
)
_TO_HANDLE = LinePattern(r"^[ \t]{0,8}(?:[-*+] +|\d{1,2}[.)] +)?@(?P<who>[^\W\d][\w.-]{1,38}):? +(?=\S)", "@", re.MULTILINE)
_AGREED_THAT = LinePattern(  # "we agreed that Jane asks the port, and that Tom books a hall"
    rf"\b(?:(?:agreed|agree|decided) that|(?P<more>and that)) (?P<who>{_SOME}) (?:(?:will|shall|should|is to|are to|to) (?!be\b|have\b|not\b)[a-z]|(?P<verb>[a-z]{{2,20}}s) )",
    "greed that|gree that|ecided that",
)
_NO_PERSON = frozenset(  # what an arrow may lead to, that is nobody
    """result results outcome note notes reason consequence consequences solution problem fix deadline status cost costs details done
    date time place room link version target info information question answer risk cause effect impact conclusion proposal alternative
    ergebnis grund folge folgen lösung problem frist termin kosten hinweis frage antwort vorschlag monday tuesday wednesday thursday friday
    saturday sunday""".split()
)


@dataclass(frozen=True)
class Minutes:
    """A leaf of minutes. `there` are the names of who was there, in full and by first and last name, as far as that is said."""

    text: str
    there: Mapping[str, str]

    @cached_property
    def _names(self) -> dict[str, list[str]]:
        """Those of who was there by how they begin, the longest first."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for name in sorted(self.there, key=len, reverse=True):
            found[name[:LEAST_NAME]].append(name)
        return found

    def decisions(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Where a sentence that says what was decided begins, and where it says so."""
        for pattern in (_DECIDING, _LABEL, _WE_WILL, _BODY_WILL, _STAYS, _FROM_NOW):
            for match in pattern.finditer(self.text, first, last):
                said = match.start() if pattern is _DECIDING else match.end() - 1
                yield self._sentence_start(min(said, _begin(match))), match.end()

    def is_settled(self, said: str) -> bool:
        return not _UNDECIDED.search(said) and not said.rstrip().endswith("?")

    def actions(self, first: int, last: int) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        """Where a sentence that says who is to do something begins, where it says so, and who; what is handed to somebody: see `handed`."""
        for match in _ACTION_POINT.finditer(self.text, first, last):
            if people := self._people(match["who"]):
                yield match.start("who"), match.end(), people
        yield from self._by_pronoun(first, last)
        for start, end in self._people_at_start(first, last):
            begin = end + len(self.text[end:last]) - len(self.text[end:last].lstrip(" "))
            does = _DOES.match(self.text, begin, last)
            if does is None or (does["verb"] and not self._is_doing(does["verb"], begin, bool(does["saying"]))):
                continue
            yield start, does.end(), self._people(self.text[start:end])

    def handed(self, first: int, last: int) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        """Where terse lines begin that hand something to somebody, where they say so, and to whom: told with what it is about."""
        for match in _HANDED.finditer(self.text, first, last):
            if people := self._possible(match["who"]):
                yield self._item_start(match.start()), match.end(), people
        for pattern in (_HANDED_TO, _BEGINS_WITH_WHO):  # without a colon a word with a capital may be anything
            for match in pattern.finditer(self.text, first, last):
                if (people := self._possible(match["who"])) and all(person in self.there.values() for person in people):
                    yield self._item_start(match.start()), match.end(), people
        for match in (*_IN_BRACKETS.finditer(self.text, first, last), *_TO_HANDLE.finditer(self.text, first, last)):
            name = match["who"].strip()
            yield self._item_start(match.start()), match.end(), (self.there.get(name.title(), name),)

    def _possible(self, who: str) -> tuple[str, ...]:
        people = self._people(who)
        return people if not any(name.split()[0].casefold() in _NO_PERSON for name in people) else ()

    def _item_start(self, at: int) -> int:
        line = line_start(self.text, at)
        found = _MARK.match(self.text, line)
        return found.end() if found else line

    def _people_at_start(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Where the names of people who were there, one or several, stand at the beginning of a sentence or of a part of one."""
        done = first
        for match in _AT_START.finditer(self.text, first, last) if self.there else ():
            end = self._end_of_names(match.end(), last) if match.start() >= done else None
            if end is not None:
                done = end + 1
                yield match.end(), end

    def _end_of_names(self, at: int, last: int) -> int | None:
        """Where the names that begin here end, before a space: as many and as long ones as can be."""
        for name in self._names.get(self.text[at : at + LEAST_NAME], ()):
            end = at + len(name)
            if end >= last or not self.text.startswith(name, at):
                continue
            joint = next((one for one in _JOINTS if self.text.startswith(one, end, last)), "")
            if joint and (further := self._end_of_names(end + len(joint), last)) is not None:
                return further
            if self.text[end] == " ":
                return end
        return None

    def _by_pronoun(self, first: int, last: int) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        """ "She installs it on Tuesday": whoever was named last in the same paragraph."""
        pronouns = list(_PRONOUN.finditer(self.text, first, last)) if self.there else []
        if not pronouns:
            return
        named = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(self.there, key=len, reverse=True)))})\b")
        for match in pronouns:
            paragraph = self.text.rfind("\n\n", 0, match.start()) + 1
            before = [one.group() for one in named.finditer(self.text, paragraph, match.start())]
            does = _DOES.match(self.text, match.end(), last)
            if (
                before
                and does is not None
                and (not does["verb"] or self._is_doing(does["verb"], match.end(), bool(does["saying"])))
            ):
                yield match.start("who"), does.end(), (self.there[before[-1]],)

    def _is_doing(self, verb: str, at: int, is_saying: bool) -> bool:
        rest = self.text[at : line_end(self.text, at)]
        if verb in _SAYING or (is_saying and verb in ("asks", "fragt")):
            return False
        return verb.endswith("s") or bool(_GERMAN.search(rest))

    def _people(self, text: str) -> tuple[str, ...]:
        found = (name for name in FULL_NAME.findall(text) if name.split()[0].casefold() not in NO_NAME)
        return tuple(self.there.get(name, name) for name in found)

    def _sentence_start(self, at: int) -> int:
        """Where the sentence begins, with the few words before it that name its subject: "Bonfires. The committee chose …"."""
        line = line_start(self.text, at)
        found = _MARK.match(self.text, line)
        begins = [found.end() if found else line, *(match.end() for match in _STOP.finditer(self.text, line, at + 1))]
        is_led = len(begins) == 2 and len(self.text[begins[0] : begins[1]].split()) <= MOST_LEADING
        return begins[0] if is_led else begins[-1]


def _begin(match: re.Match[str]) -> int:
    """Where the words of a match begin, without the mark of a list before them."""
    begun = _MARK.match(match.string, match.start())
    return begun.end() if begun else match.start()


def agreed_that(text: str, first: int, last: int) -> Iterator[tuple[int, int, str]]:
    """Where it begins that somebody does what was agreed, where it says so, and who."""
    for match in _AGREED_THAT.finditer(text, first, last):
        before = text[line_start(text, match.start()) : match.start()]
        is_agreed = not match["more"] or re.search(r"\b(?:agreed?|decided) that\b", _STOP.split(before)[-1]) is not None
        if is_agreed and match["verb"] not in _SAYING:
            yield match.start("who"), match.end(), match["who"]


def minutes_of(text: str, title: str) -> Minutes | None:
    """None where neither the title, nor a list of who was there, nor who led it and who wrote it down says that a text is minutes."""
    there = dict(_there(text[:HEAD]))
    return Minutes(text, there) if there or _TITLED.search(title) or _HEADED.search(text) or _has_roles(text[:HEAD]) else None


def _has_roles(text: str) -> bool:
    return len({one.role for one in attendance(text) if one.people}) >= 2


def outcome_of(named: Mapping[str, str]) -> tuple[str, str, str] | None:
    """What a row of a table of topics says was decided, who is to do it and by when; None where it says none."""
    outcome = next((named[name].strip() for name in OUTCOMES if name in named), "")
    if not TOPICS & named.keys() or _NONE_YET.match(outcome) or _UNDECIDED.search(outcome):
        return None
    who = who_of(named)
    when = next((named[name].strip() for name in WHEN if name in named and name not in _WHEN_DECIDED), "")
    return outcome, who, when


def who_of(named: Mapping[str, str]) -> str:
    """Whom a row names as responsible: in a column called so, or whose name begins so ("Who follows up")."""
    exact = next((named[name].strip() for name in WHO if name in named), "")
    return exact or next((named[name].strip() for name in named if name.split(" ", 1)[0] in _WHO_FIRST), "")


def action_of(named: Mapping[str, str]) -> str:
    """What a row of a table of topics names as what is to be done, where that says who; empty for any other."""
    told = next((named[name].strip() for name in ACTIONS if name in named), "")
    first = FULL_NAME.match(told)
    is_person = first is not None and first.group().split()[0].casefold() not in NO_NAME
    return told if TOPICS & named.keys() and is_person and first and _DOES.match(told[first.end() :].lstrip()) else ""


def is_told_of(outcome: str, who: str) -> bool:
    """Whether it says what somebody does, rather than what was decided: "Aylin sends comments"."""
    return bool(who) and outcome.startswith(who.split()[0]) and bool(_DOES.match(outcome[len(who.split()[0]) :].lstrip()))


def says_who_came(line: str) -> bool:
    return _ATTENDED.match(line.strip()) is not None


def _attended(text: str) -> Iterator[re.Match[str]]:
    """What `_ATTENDED` finds in all of the text, several times faster."""
    done = 0
    for begun in _ATTENDED_BEGINS.finditer(text):
        match = _ATTENDED.match(text, begun.start()) if begun.start() >= done else None
        if match is not None:
            done = match.end()
            yield match


def _there(text: str) -> Iterator[tuple[str, str]]:
    said = [_SENTENCE_ENDS.split(_ASIDE.sub("", match["who"]), maxsplit=1)[0] for match in _attended(text)]
    clauses = (_CLAUSE.split(text[: match.start()])[-1] for match in _CAME.finditer(text))
    said += [clause for clause in clauses if "," in clause or " and " in clause or " und " in clause]
    listed = [_ASIDE.sub("", line) for match in _ATTENDED_LIST.finditer(text) for line in match["who"].splitlines()]
    for some in (*said, *listed):
        for name in FULL_NAME.findall(some):
            words = name.split()
            if words[0].casefold() in NO_NAME:
                continue
            yield name, name
            yield words[0], name
            yield words[-1], name
