"""The words and forms by which decisions, actions and events are known where a record does not list them, and by whom."""

from __future__ import annotations

import re

from prompts.line_pattern import LinePattern
from prompts.regex import regex

HEADING = regex(r"(#(?<![^\n]#)#{0,5}) +(\S[^\n]*)$", re.MULTILINE)
SENTENCE = regex(r"(?<=[.!?])\s+")
DECISION_PART = regex(r"(?:the |our )?(?:decision|decision outcome|resolution)", re.IGNORECASE)
DECISION_LIST = regex(
    r"(?:(?:main|key|our|other|small|the) )?(?:decisions|resolutions|agreements)(?: (?:made|taken|reached))?"
    r"|what (?:we|was|has been|is) (?:decided|agreed|settled)(?: on)?|what (?:we|will) change|(?:changes|new rules) we agreed(?: on)?|beschlüsse|entscheidungen|vereinbarungen|"
    r"(?:decided|agreed|settled)(?: items)?",
    re.IGNORECASE,
)
LIST_ITEM = regex(r"^(?:[-*+]|\d{1,2}[.)]) +(\S[^\n]*)$", re.MULTILINE)
CLAUSE_END = regex(r"[,;:]| [–—-] |(?<=\w)[.!?](?= )")
IS_DONE = regex(r"\W{0,4}(?:DONE|~~)\b|\W{0,4}Done:")
INDENT = regex(r"[ \t]*")
INDENTED_ITEM = regex(r"([ \t]*)(?:[-*+]|\d{1,2}[.)]) +(\S[^\n]{0,120})")
LIST_MARK = regex(r"\A(?:[-*+]|\d{1,2}[.)]) +")
OPENING = regex(
    r"(?:^|(?<=[.!?] )|(?<=[.!?]\*\* )|(?<=  ))[ \t]{0,8}(?:[-*+] )?(?::[a-z_]{3,30}: |[✅➡✔☑]\W{1,2})?[*_(]{0,4}(?:Decided|Decision|Agreed|Approved|(?-i:Resolved|RESOLVED|Resolution|RESOLUTION))(?: \([^()\n]{1,20}\))?[*_]{0,3}:(?! ?https?:)[*_]{0,3} ?",
    re.MULTILINE | re.IGNORECASE,
)
OPENED = "decided|decision|agreed|approved|resolved|resolution"
OPENED_BY = LinePattern(  # every opening has one of these: to look for it alone takes longer
    rf"(?:{OPENED})(?: \([^()\n]{{1,20}}\))?[*_]{{0,3}}:", "deci|agreed|approved|resol", re.IGNORECASE
)
STOP = regex(  # not in "bis zum 5. Februar"
    r"(?<=[.!?])(?<!\W[A-Z]\.)[*_)]{0,4} (?=[A-Z*_(\[✅➡]|:[a-z_]{3,30}: )(?!(?<=\d\. )(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b)"
)
ACTION_LABEL = regex(r"\W*(?:action(?: item| point)?|to ?do)(?: \d{1,3})?[*_]{0,3}:", re.IGNORECASE)
META = regex(
    r"(?:[-*+] +)?(?:\*\*|__)?(?!(?:Decision|Decided|Agreed|Resolution|Outcome|Approved|Action|Action item|To ?do)\b(?! by\b))"
    r"(?:Key|Type|Status|Resolved|Priority|Assignee|Reporter|Created|Updated|Decided by|Deciders?|Approved by|Date|Author|Owner|"
    r"Supersedes|Superseded by|Tickets?|Present|Attendees|Participants|Minutes)(?:\*\*|__)?:",
    re.IGNORECASE,
)
DECIDED_HEADING = regex(
    r"(?: [–—-] |[(:] ?)(?:decided|agreed|beschlossen|entschieden|décidé)\W*\Z", re.IGNORECASE
)  # "Crane A - DECIDED"
SETTLING = regex(  # where that begins which was decided, below such a heading: "So: we repair it", "We stay with Kordel"
    r"(?:^|(?<=[.!?] ))(?:(?:So|Therefore|Hence|Thus|Result|Also|Daher|Donc)(?: ?[:,]|(?= (?:we|it|the)\b)) ?|(?=(?:We|Wir|Nous) [a-z]))",
    re.MULTILINE,
)
OF_A_TICKET = regex(r"\W*resolution\W{0,4}:(?:\W+\w+){0,2}\W*\Z", re.IGNORECASE)  # a field: "Resolution: Fixed"
NO_DECISION = regex(
    r"\b(?:(?:is|are|was|were|been|be|gets?|got|not) (?:\w+ )?signed off for|(?:once|until|unless|before|when|after) (?:\w+ ){0,2}signed off)\b|"
    r"\A\W*agreed!|\bvot(?:e|ing) (?:has |was |is )?(?:concluded|closed|ended|started|open(?:ed)?)\b|\b(?:until|before|unless) (?:a |the )?decision\b|"
    r"\A\W*(?:(?:accepted|agreed|approved|decided|rejected) (?:is|are|means|does|by whom)\b|(?:if|when|once|unless|until|after(?! (?:[a-z]+ing|discussion|some|long|a|last|this|much|many|several|two|three)\b)|while|although|though|as soon as|in that case)\b)"
    r"|\b(?:nothing|not much|little) (?:else )?(?:was|has been|is|got) (?:decided|agreed|settled)\b|\bproposed (?:resolution|decision)|\b(?:not|never) found consensus\b|\bconsensus (?:is|was|has|has been|could|can)(?: be)?(?:n't| not|not) "
    r"|\b(?:no|not|never|without|(?<!we )have|wasn't|weren't|isn't|lack of|get|getting|form|forming|reach|reaching|seek|seeking|build|building|towards?|for|ask for|"
    r"necessarily|try for) (?:(?:a|an|any|the|enough|necessarily|broad|rough|clear|more) )?consensus\b|\b(?:confirm|ensure|make sure|check|see|needs? to be|should be|must be|want|assuming|any) [^.\n]{0,30}\bno objections?\b|\bno objections? ?\?(?! *no\b)|\bhalf (?:of )?(?:the )?\w+ (?:has|have) voted\b"
    r"|\bconsensus (?:is|was)\W*\Z|\b(?:to be|being|not yet|yet to be) (?:decided|agreed|approved|voted)\b",
    re.IGNORECASE,
)
STATED = LinePattern(  # within a sentence, where the record wants a subject before it
    r"\b(?:agreed|decided|\*{0,2}resolved\*{0,2}) (?:to|that|we|not to|in (?:the )?meeting to)\b|\bconsensus (?:\w+ ){0,4}(?:is|was) (?:to|that)\b",
    "agreed |decided |resolved|consensus ",
    re.IGNORECASE,
)
UNSETTLED = regex(
    r"\?\s*\Z|\b(?:whether|if|once|until|unless|should be|must be|to be|can be|could be|would have|have to be|had not|hadn't|haven't|hasn't|not|never|who|"
    r"previously|as) (?:\w+ ){0,2}(?:agreed|decided|consensus)\b",
    re.IGNORECASE,
)
CLOSING = regex(  # behind what was: "The desk is closed on Sunday. Decided."
    r"(?<=[.!)]) (?:So )?(?:Decided|Agreed|Approved|Beschlossen|Angenommen|Genehmigt|Einstimmig)(?: unanimously)?[.!]?[*_]{0,3}[ \t]*$",
    re.MULTILINE,
)
CONTINUED = regex(r"\n[ \t]{0,8}(?=[a-z(])")  # a line that goes on with the sentence before
ASSENT = regex(
    r"\W*(?:[\w ,.'-]{1,60}: *)?(?:(?:I|we|all|everybody|everyone|(?:the )?(?:group|team|board|committee|council|tsc)) )?(?:agreed?|approved|accepted|decided(?: on this)?|\+1)\W*"
    r"|(?:[^.\n]{0,80}[, ])?(?:agreed?|decided|resolved|voted|opted|choose|chose)(?: (?:not )?(?:to|that|on|for|against))\W*",
    re.IGNORECASE,
)
MARK_FIRST = regex(r"\A(?::[a-z_]{3,30}:|[✅➡✔☑]\ufe0f?) ?")  # a picture before a statement
LOG = regex(r"\b[IWEF]\d{4} \d\d:\d\d:\d\d|\[ +(?:RUN|OK|FAILED) +\]|\d\d:\d\d:\d\d\.\d{3}")
LINK = regex(r"(?:is )?(?:duplicated?|duplicates|blocked|blocks|caused|causes|relates)\b(?: by| to)? [A-Z][A-Z0-9]+-\d")
LED = regex(
    r"\A\W*(?:(?:the )?decision|decided|resolved|resolution|outcome|action(?: item)?|todo)(?: (?:is|was|then|now|so)| \([^()]{1,20}\))?\s*[:\u2013-]\W*",
    re.IGNORECASE,
)
NAME = r"(?:(?:Captain|Dr|Prof|Mr|Ms|Mrs)\.? )?[A-Z][\w'’-]+(?: (?:de|van|von|der|la|le|of) [A-Z][\w'’-]+| [A-Z][\w'’-]+){0,2}"
ACTING = regex(
    rf"(?:^|(?<=[.;:] )|(?<=\()|\b(?:and|that|but) )(?P<who>{NAME}(?:(?:, | and |, and ){NAME}){{0,5}})"
    r"(?: (?:has|have|had|finally|then|also|all|unanimously))* "
    r"(?:to|will|shall|is going to|are going to|agreed|agrees|decided|decides|approved|accepted|rejected|chose|proposed|postponed|adopted|signed)\b"
)
TAKEN_ON = LinePattern(  # "Jane to ask the port by Friday", at the beginning of a sentence
    rf"(?:^|(?<=[.;:!?] )|(?<=\())(?:[-*+] +)?(?P<who>{NAME}(?:(?:, | and ){NAME}){{0,5}}) (?:to|will|is going to|are going to) (?:also )?(?:"
    "analy[sz]e|book|chase|circulate|compare|compile|confirm|coordinate|evaluate|install|measure|migrate|monitor|obtain|pair|pay|print|recruit|seek|share|summari[sz]e|transfer|translate|"
    "bake|build|call|carry|clean|cook|count|cover|cut|drop|hang|hire|paint|rent|return|sell|sign|sort|store|visit|wash|water|weigh|"
    "mark|add|agree|announce|arrange|ask|bring|buy|call|change|check|clarify|collect|contact|create|decide|deploy|discuss|document|do|draft|"
    "ensure|extend|file|find|finish|fix|follow|forward|get|give|implement|inform|investigate|invite|look|make|merge|move|name|notify|open|order|"
    "organi[sz]e|plan|post|prepare|present|propose|provide|publish|put|raise|reach|read|release|remove|repair|replace|report|request|"
    "research|respond|reply|review|schedule|send|set|share|speak|start|submit|switch|take|talk|tell|test|train|try|update|upgrade|verify|work|write)"
    r"\b(?! place\b)",
    " to | will ",
    re.MULTILINE,
)
BY = regex(
    rf"\b(?:decided|agreed|approved|accepted|rejected|chosen|adopted|signed|postponed|confirmed|owner|owned|assigned|responsible|action)"
    rf"(?:\W{{1,3}}|[^.;\n]{{0,60}}? )(?:by |to |on |is )?(?P<who>{NAME}(?:(?:, | and |, and ){NAME}){{0,5}})"
)
SPEAKER = regex(rf"\A\W{{0,4}}(?P<who>{NAME}):(?:\*\*)? ")
DECIDERS = LinePattern(
    r"^(?:[-*+] +)?(?:\*\*|__)?(?:Decided by|Deciders?|Decision[- ]makers?|Approved by)(?:\*\*|__)?:(?:\*\*|__)? *(\S[^\n]{0,300})",
    "decided by|decider|decision-maker|decision maker|approved by",
    re.MULTILINE | re.IGNORECASE,
)
POINTS = regex(  # a statement that begins with what was done, and not with what it was done to
    rf"\W*(?:{NAME}: )?(?:(?:has|have|was|were) )?(?:agreed|approved|accepted|decided|decision|resolved|rejected|adopted|deferred|postponed|tabled|reached|settled|"
    r"dropped|merged|closed|vote|voted|motion|consensus|no objections?|it|they|this|that|these|those|we|all|everyone|everybody|group|team|participants)\b"
    rf"|\W*{NAME} (?:has |have |had )?agreed\W*\Z",
    re.IGNORECASE,
)
POINTS_AT = regex(r"\b(?:it|this|that|them|these|those|so)\b(?! is\b| was\b)", re.IGNORECASE)
PENDING = regex(
    r"\W*(?:proposed|pending|open|draft|under discussion|tbd|to be (?:decided|discussed)|not (?:yet )?decided|undecided|withdrawn|in review|deferred|tabled)\b",
    re.IGNORECASE,
)
BY_COLON = regex(
    rf"\W*(?P<who>(?:{NAME}(?:(?:, | and |/){NAME}){{0,3}}))(?::(?:\*\*)?|(?:\*\*)? (?:->|=>|[\u2013\u2014\u2192-])) "
)
STATE = LinePattern(  # at the beginning of a line, or behind another label: "Date: 3 May 2026. Status: in force."
    r"(?:^(?:[-*+] +)?|(?<=[.;|·] ))(?:\*\*|__)?Status(?:\*\*|__)?:(?:\*\*|__)? *(\S(?:(?![.;|·] +[A-Z*])[^\n]){0,120})",
    "status",
    re.MULTILINE | re.IGNORECASE,
)
FIRST_PERSON = regex(r"\b(?:I|we|my|our)\b")
FULL_NAME = regex(NAME)
NO_NAME = frozenset(
    """january february march april may june july august september october november december call unanimous general no then there if when once so thus budget name handhelds nothing nobody somebody you i this those these the this that we it they he she action decision owner all everyone agreed decided in on at
    need needs unable changes change link refer strive according similar reasons however other note attention time ability want ways how
    what where option due go plan suggest suggestion proposal try continue upgrade update move add use remove work works back next also
    please request requests support tools users readers people team members version release issue bug step steps goal idea question read
    open see look way ready likely right export import search filter convert connect login access reply answer response switch return copy sync
    print button report reports everything anything something someone anyone nobody""".split()
)
_NO_NAME_ENDS = ("ing", "ed")  # "Attempting to", "Failed to"
_NAMES_THAT_END_SO = frozenset(
    """ahmed mohammed mohamed muhammed mohammad hamed saeed waleed rasheed majed khaled reed jared jarred ed ned ted fred jed alfred
    wilfred manfred winifred mildred aldred eldred sterling irving golding harding ming ling ying jing ping qing xing bing ding king
    ting""".split()
)


def may_be_first_name(word: str) -> bool:
    """Whether the first word of what is written like a name, in small letters, may be one: not the verb of a sentence."""
    return word not in NO_NAME and (not word.endswith(_NO_NAME_ENDS) or word in _NAMES_THAT_END_SO)


HISTORY = regex(r"^- (\d{4}-\d\d-\d\d) \d\d:\d\d(?: UTC)? (\S[^\n]*)$", re.MULTILINE)
HISTORY_BY = regex(r", by ([^,\n]{2,60})$")
COMMENT = regex(
    r"^#{2,6} +(?P<who>[^\n,][^\n]{0,80}?), (?P<when>(?P<day>\d{4}-\d\d-\d\d) \d\d:\d\d)(?: UTC)?[ \t]{0,4}$", re.MULTILINE
)
BOX = regex(r"^[ \t]*+(?:[-*+] )?\[([ xX])\] ++(\S[^\n]*)$", re.MULTILINE)
LINE = regex(r"[^\n]+")
LABEL_LINE = LinePattern(
    r"^[ \t]*+[*_]{0,2}+(?:(?:Open |New |Our |The )?(?:ACTIONS|ACTION (?:ITEMS|POINTS)|[Aa]ctions|[Aa]ction (?:items|points|list)|NEXT STEPS|[Nn]ext steps|TO[ -]?DOs?|TODOS|[Tt]o[ -]?dos?(?: list)?|FOLLOW-?UPS|[Ff]ollow[ -]?ups?|TASKS|[Tt]asks|Who does what)|Aufgaben|AUFGABEN|Maßnahmen)(?: (?:from|of|after) [^\n:*_]{3,30})?:?[*_]{0,2}+[ \t]*+:?[ \t]*+$",
    "action|next steps|todo|to do|to-do|follow|tasks|who does what|aufgaben|maßnahmen",
    re.MULTILINE,
    folded=True,
)
# a line that is the heading of a list of decisions, or leads up to one, without the mark of a heading
DECISION_LABEL = LinePattern(
    r"^[ \t]*+[*_]{0,2}+(?:(?:(?:main|key|our|other|the) )?(?:decisions|resolutions|agreements)(?: (?:made|taken|reached))?|decided|agreed|resolved|beschlüsse|beschlossen|entscheidungen|vereinbart|vereinbarungen"
    r"|(?:what )?(?:we|the (?:group|team|board|committee|council|meeting))(?: have| has| all)? (?:decided|agreed|resolved)(?: (?:on|to|that|upon))?(?: the following)?"
    r"|(?:what|the following|it)(?: points| things| items)? (?:was|were|has been|have been) (?:decided|agreed|resolved)(?: (?:on|to|that|upon))?(?: the following)?"
    r"|wir haben (?:beschlossen|entschieden|vereinbart)|es wurde (?:beschlossen|entschieden|vereinbart))"
    r"(?: (?:today|on [^\n:*_]{3,24}))?[ ]?:?[*_]{0,2}+:?[ \t]*+$",
    "decision|resol|agree|decided|beschl|entsch|vereinbart",
    re.MULTILINE | re.IGNORECASE,
)
DUE = regex(r"\b(?:by|before|until|due|no later than|on|bis(?: zum| spätestens)?) ((?:\d{1,2}\. ?)?[^.;()]{3,30})", re.IGNORECASE)
PAST = regex(r"\b(?:superseded|replaced|withdrawn|rejected|revoked|deprecated)\b", re.IGNORECASE)
IN_FORCE = regex(r"\W*(?:in force|accepted|active|adopted|approved|current|valid)\b", re.IGNORECASE)
WHO = frozenset("who owner assignee person responsible assigned name by whom lead".split())
WHAT = frozenset(("what", "action", "task", "to do", "todo", "item", "description", "action item", "step", "follow-up"))
WHEN = frozenset(("by", "due", "due date", "deadline", "when", "until", "date", "by when"))
DONE = frozenset("done closed finished complete completed resolved yes x shipped".split())
