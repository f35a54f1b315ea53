"""Where a sentence has the kind of thing that a question asks for: a person, a day, a reason, a place, a number, an amount."""

from __future__ import annotations

import re
from functools import lru_cache

from prompts.extractive.duties import who_has_to
from prompts.extractive.kinds import asks_how_often, how_often_in
from prompts.extractive.relations import asks_origin, is_of_another, origin_in, without_targets
from prompts.language import terms
from prompts.months import MONTH, WEEKDAY
from prompts.number_words import FOREIGN_NUMBER_WORD, NUMBER_WORD
from prompts.question import QuestionAnalysis
from prompts.regex import regex

FEWEST_TOLD = 3  # words of a sentence that says who does something
LONGEST_PLAIN = 200  # characters of a sentence that answers a question for a number or a yes
# Verbs and nouns by which a question is put, in terms of the index: a sentence need not have them.
LIGHT = frozenset(
    terms(
        """take fit hold carry happen go make say mean stand tell give name call called today now many much number long big large high
        there exist person people role job exactly actually want need must should find show list use work get time date day
        currently current last latest often old far value amount size come become keep kept responsible programme program project"""
    )
)
_DATES = rf"\b\d{{4}}-\d\d-\d\d\b|(?<![\d.])\d{{1,2}}\.\d{{1,2}}\.(?:\d{{4}}\b|(?!\d))|\b\d{{1,2}}(?:st|nd|rd|th|er)?\.?(?: of)? (?:{MONTH})\b|\b(?:{MONTH}) \d{{1,4}}\b"
DATE = regex(_DATES, re.IGNORECASE)
_UNTIL = regex(
    rf"\b(?:until|till|through|bis|jusqu['’]au)(?: the end of)? (?:{MONTH}\b|[^.;\n]{{0,12}}?(?:{_DATES}))", re.IGNORECASE
)
NUMBER_OF_WHAT = regex(r"(?<![\w.,-])\d[\d.,]*(?: ?(?:%|€|\$|EUR|USD|GBP|CHF)| [a-z]{3,20})")
_LENGTH = r"\d+ (?:minutes?|hours?|days?|weeks?|months?|years?|minuten?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?|jours?|heures?|semaines?|mois|ans)\b"
_WHEN = regex(  # a length of time only where it is reckoned from something: "after 21 days", "10 minutes before"
    rf"{_DATES}|\b\d{{1,2}}:\d\d\b|\b(?:19|20)\d\d\b|\bweek \d{{1,2}}\b|\b\d{{1,2}}(?:[.:]\d\d)? (?:uhr|heures?)\b"
    rf"|\b(?:after|within|in|every|each|for|since|at least|nach|innerhalb(?: von)?|alle|seit|après|dans|tous les|toutes les|depuis) (?:(?:about|the first|at least|\w+ der|\w+ von) )?{_LENGTH}"
    r"|\b(?:by|until|on|before|from|every|not later than) the \d{1,2}(?:st|nd|rd|th)\b"
    r"|\b(?:by|until|on|before|at|from) the (?:first|second|third|last|\w+ (?:last|working|business)|start|beginning|end) (?:working |business )?(?:days? )?of (?:the|each|every) (?:next |following |same |previous )?(?:week|month|quarter|year)\b"
    rf"|\b{_LENGTH} (?:before|after|later|ago|in advance|ahead|prior|earlier|from|vor|nach|avant|après)\b",
    re.IGNORECASE,
)
_WEEKDAY = regex(r"\b(?:on|every|each|until|by|from|before|after) (?:mon|tues|wednes|thurs|fri|satur|sun)days?\b", re.IGNORECASE)
_SOME_TIME = regex(r"\b(?:what|which) (month|day|weekday)s?\b", re.IGNORECASE)  # not of one year, but of each
_OF_WEEK = regex(
    r"\W*(?:and )?(?:on )?(?:what|which) days (?:does|do|is|are|can|may) [^?\n]{2,60} (?:work\w*|come|comes|in|there|open|here|off|available|teach\w*|collect\w*|deliver\w*|run|runs)\b",
    re.IGNORECASE,
)
_MONTH_NAME = regex(rf"\b(?=[A-Z])(?i:{MONTH})\b")
_DAY_NAME = regex(r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b")
_PAST = regex(r"\b(?:did|was|were|has|have|had)\b", re.IGNORECASE)
_WHO = regex(
    r"\b(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|(?:At|In|On|For|With|By|From|To|As|Of|If|When|While|Since|Until|After|Before|And|But|Or|Our|Their|This|That|These|Those|Each|All|The|Der|Die|Das|Den|Dem|Des|Eine?[nrms]?|Im|Am|Beim?|Zum|Zur|Für|Wir|Sie|Kein|Jede[rs]?|Le|La|Les|Une?|Au|Aux)\b)[A-Z][a-zà-ž'’-]+ (?:(?:de|van|von|der|la|le) )*(?!(?:OS|X|API|UI|ID|II|III)\b)[A-Z][\w'’-]+"
)
_MAY = r"can|could|may|might|must|should|shall|(?:has|have|needs?|is|are) (?:allowed )?to"
_ALLOWED = regex(rf"\bwho(?:m|ever)? (?:else )?(?:{_MAY})\b", re.IGNORECASE)  # asks for a role: a name beside it says nothing
_NO_PERSON = r"(?:It|He|She|They|We|You|I|There|Nobody|Somebody|Everybody|Someone|Anyone|One|Who|What|Which|This|That|The|And|But|So|Then)\b"
_ONE_NAME = regex(  # "since Monday Carla owns the rota"
    rf"\b(?!{_NO_PERSON})[A-Z][a-zà-ž]+(?= (?:now |also |alone )?(?:owns|leads|keeps|manages|heads|chairs|maintains|decides|led|kept|looks after|is responsible|takes over|took over|(?:runs|ran) (?:the|our|this|it|all|both))\b)"
)
_GIVEN = regex(r"(?<![\w'’-])[A-Z][\w'’-]{1,30} \Z")
_CURRENCY = r"EUR|USD|GBP|CHF|euros?|dollars?|pounds?|francs?|cents?|%|percent"
_MONEY = (
    r"(?:\b(?:EUR|USD|GBP|CHF)|[€$£])\s?\d[\d.,]*"
    r"|(?<![\w.,])\d{1,3}(?:,\d{3}){1,4}\b(?!,?\d| ?[a-z])"  # an amount without its currency, and not of things
    r"|(?<![\w.,])\d[\d.,]{0,40}\s?"
)
_PRICE = regex(rf"{_MONEY}(?:{_CURRENCY})(?!\w)", re.IGNORECASE)
AMOUNT = regex(rf"{_MONEY}(?:{_CURRENCY}|[kKMG]?B\b)", re.IGNORECASE)
_MEASURE = regex(
    r"(?!\d{1,2}\s?-\s?\d{1,2}h\b)(?<!\d-)\b\d[\d.,]*(?:\s?-\s?\d+)?[\s-]?(?:ms|milliseconds?|s|seconds?|min(?:utes?)?|h|hours?|days?|weeks?|months?|years?|minuten?|sekunden?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?|jours?|heures?|semaines?|mois|ans|mal|fois|km|m|metres?|meters?|cm|mm|miles?|"
    r"kg|tons?|tonnes?|times|attempts?)\b"
    rf"|\b(?:{FOREIGN_NUMBER_WORD}) (?:sekunden|minuten|stunden|tage?n?|wochen|monate?n?|jahre?n?|jours|heures|semaines|mois|ans|minutes)\b"
    rf"|\b(?:{NUMBER_WORD}|half an?)(?: calendar| full| whole| working)? (?:seconds?|minutes?|hours?|days?|weeks?|months?|quarters?|years?)\b",
    re.IGNORECASE,
)  # fmt: skip
_AGE = regex(
    r"\b\d{1,3}[- ](?:years?|months?|weeks?|days?)(?:[- ]old\b| of age\b)|\b(?:age[ds]?|born|built|made|founded)\b[^.;\n]{0,20}\d",
    re.IGNORECASE,
)
_ASKS_PRICE = regex(r"\b(?:costs?|prices?|fees?|fares?|kostet|kosten|preis|teuer|coûte|coûtent|prix)\b")
_NUMBER = regex(
    rf"(?<![\w#-])\d[\d.,]*\b|\b(?:{NUMBER_WORD}|{FOREIGN_NUMBER_WORD})\b",
    re.IGNORECASE,
)
_LABEL_AND_NAME = regex(
    r"\W{0,4}[A-ZÀ-Þ][^:\n.]{2,50}: (?P<name>[A-ZÀ-Þ][\w'’-]{1,30}(?:(?: and|,)? [A-ZÀ-Þ][\w'’.-]{1,30}){0,3})\W{0,3}\Z"
)
_WHY = regex(
    r"\b(?:because|due to|caused? by|the reason|cause (?:of|was|is)|so that|in order to|owing to|hence|therefore|(?:which|that|this) is why|for th(?:is|at) reason|root cause|to avoid|to prevent|otherwise|or (?:else|(?:you|it|they|he|she|we) (?:might|may|will|would|could))|since (?:it|they|we|he|she|this|that|there)|weil|wegen|aufgrund|damit|der Grund|um zu vermeiden|parce que?|à cause|en raison|afin)\b",
    re.IGNORECASE,
)
_WHERE = regex(
    r"\b(?:in|at|near|under|on|below|behind|im|am|beim|bei|auf|unter|hinter|à|au|dans|sous) (?:the |der |dem |den |la |le )?[`A-Z\"“][\w.-]+|[/\\][\w.-]+[/\\]|https?://"
    r"|\b(?:dans|sous|sur|chez|derrière) (?:le|la|les|une?) \w+|\b(?:in|at|near|under|below|behind) (?:the|a|an) (?!(?:start|end|beginning|middle|case|order|way|time|same|first|last|next|past|future"
    r"|morning|evening|night|day|week|month|year|moment|process|event|form|sense|meantime|background)\b)\w+"
)
_ASKS_NUMBER = regex(  # "what is the default number of workers": only a number says it
    r"\W*(?:(?:on|at|to|from|by|with|after|until) )?(?:what|which)(?:['’]?s| is| are| was| were)? (?!(?:does|do|did|happens|happened|if)\b)(?:the |our |its )?(?:[\w-]+ ){0,3}?(?:number|size|limit|length|age|amount|timeout|interval|port|duration|percentage|capacity|threshold|price|costs?|fee|weight|height|width"
    r"|depth|speed|delay|period|quota|rate|ratio|maximum|minimum|temperature|distance|deadline)s?\b(?! (?:for\b|called|named))",
    re.IGNORECASE,
)
_ASKS_IDENTIFIER = regex(
    r"\b(?:serial|order|invoice|policy|contract|account|reference|registration|customer|inventory|asset|licen[cs]e|batch|part|model|membership|article|permit|certificate) numbers?\b"
)
_ASKS_DEGREE = regex(r"\W*how (?:long|soon|quickly|fast|many|often|frequently|big|large|old|far|high|deep|late|early)\b")
_YEAR = regex(r"\b(?:19|20)\d\d\b")
_ASKS_MEASURE = regex(  # "how tight is the bolt"
    r"\W*how (?!(?:do|does|did|is|are|was|were|can|could|should|shall|must|may|might|will|would|has|have|had|come|to|about|not|well|exactly|ever|else|many|much|often|good|bad|likely|sure)\b)[a-z]{3,12} "
    r"(?:is|are|was|were|does|do|did|can|could|should|shall|must|may|might|will|would|has|have|had)\b",
    re.IGNORECASE,
)
_ASKS_DEFAULT = regex(r"\W*(?:what|which)(?:['’]s| is| are)? (?:the |its )?default (?!(?:port|number|size)\b)", re.IGNORECASE)
_SAYS_DEFAULT = regex(r"default|\b(?:unless|otherwise|if (?:it is |nothing is |none is )?(?:not|omitted|unset))\b", re.IGNORECASE)
_ASKS_HOURS = regex(
    r"\b(?:opening|office|business|working|visiting|support|service|core|counter|desk|reception|öffnungs)[\w '’-]{0,20}?(?:\b(?:hours|times)\b|zeiten\b)"
    r"|\b(?:hours|times)(?: of\b[^?]*| on\b[^?]*| at\b[^?]*)?\W*\Z"
    r"|\b(?:when|what time)\b[^?]{1,60}\b(?:opens?|closes?|closed|shuts?)\b",
    re.IGNORECASE,
)
_HOW = regex(r"\bhow (?:many|much|long|often)\b|\b(?:delivery|response|waiting|lead) times?\b", re.IGNORECASE)
_FROM_TO = regex(
    r"\b\d{1,2}(?:[.:]\d\d)?(?: ?(?:am|pm|h|uhr))?(?: o['’]clock)? ?(?:to|till|until|and|–|—|-|bis|à) ?(?:noon|midnight|\d{1,2}(?:[.:]\d\d)?)\b",
    re.IGNORECASE,
)
_OPEN_DAYS = regex(rf"\b(?:{WEEKDAY}s?|weekdays?|working days?|daily|every day|open|opens|opening|closed|hours)\b", re.IGNORECASE)
_ANY_NUMBER = regex(
    rf"\d|\b(?:{NUMBER_WORD}|hundred|thousand|half|none|unlimited|infinite|indefinite(?:ly)?|never|midnight|noon|no (?:limit|maximum|minimum|timeout|fee|charge)|free)\b"
    rf"|\b(?:ein|{FOREIGN_NUMBER_WORD}|unbegrenzt|kostenlos)\b",
    re.IGNORECASE,
)
_COUNTED_THINGS = regex(r"[\d.,]{0,12} (?:[a-z]+ )?(?P<things>[a-z]{3,}s)\b")
_UNIT = regex(
    r"(?:(?:kilo|mega|giga|tera|mebi|gibi|kibi)?bytes|bits|characters|chars|lines|pages|rows|pixels|points|(?:milli|micro|nano)?seconds|minutes|hours|days|nights|weeks|months|quarters|years|euros|dollars|pounds|francs"
    r"|metres|meters|(?:kilo|centi|milli)met(?:re|er)s|miles|inches|litres|liters|gallons|grams|kilograms|kilos|tonnes|tons|degrees|times|percents|volts|watts|plus|does|has|was|unless|its|this|thus|always|perhaps)\Z"
)
_COUNTED_BEFORE_VERB = regex(  # "how many request/reply hooks are there": hooks
    r"\bhow many (?:of (?:the|our) )?(?:(?!(?:the|an?|our|this|that)\b)[\w/-]+ ){0,3}?((?!(?:the|our|this|that)\b)[a-z][\w-]{2,})(?= (?:are|is|was|were|do|does|did|can|could|may|must|should|will|have|has|had)\b)",
    re.IGNORECASE,
)
_COUNTED = regex(  # "how many sail makers per loft": makers, the first noun in the plural or else the first word
    r"\b(?:how many|wie ?viele|combien de) (?:of (?:the|our) )?((?:(?!(?:per|for|in|on|at|of|to|from|with|do|does|did|can|may|must|should|will|have|has|had|each|every)\b)[\w-]+ ){0,2}?[a-z][\w-]{1,40}s\b(?<!ss)(?<!us)(?<!is)"
    r"|[a-z][\w-]{2,})",
    re.IGNORECASE,
)
FIRST_PERSON = regex(r"\b(?:I|we)\b(?! (?:think|hope|guess|believe|wonder|should|would|could))")
NAMED = regex(
    r"`[^`\n]{1,80}`|(?<=[a-z,:(] )[A-Z][a-z]+|\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b|\b[A-Za-z]{1,40}_[A-Za-z]{1,40}|\b[A-Z]{2,}\b"
)  # names, code, numbers
_OF_ITSELF = regex(
    r"(?:\W{0,4}(?:\*\*|__)[^*_\n]{1,60}(?:\*\*|__):?)?\W{0,6}(?:this|these|the following|here)\b", re.IGNORECASE
)  # of the page that it opens
_QUESTION_WORD = regex(
    r"^\W*(?:(?:in|on|at|to|for|from|by|with|since|until|of|under|after|before) )?(wer|wann|wo|warum|wie|welche[rsmn]?|was|qui|quand|pourquoi|comment|combien|quel(?:le)?s?|who|whom|whose|what|which|when|where|why|how|can|may|do|does|is|are|must|should)\b",
    re.IGNORECASE,
)


def value_in(question: str, asked: QuestionAnalysis, text: str) -> int | None:
    """Where a sentence has what is asked for, other than in the question's own words; None where it has not."""
    low, text = question.casefold(), without_targets(text)
    match asked.kind:
        case "who":
            if len(text.split()) < FEWEST_TOLD or _ALLOWED.search(question):
                return who_has_to(question, text)
            found = (find(text, low) for find in (_who, _one_name, _named_alone))
            return next((at for at in found if at is not None), None)
        case "when":
            if _OF_WEEK.match(question):  # "September 2026" says no days on which somebody works
                return _new(_WEEKDAY, text, low)
            wanted = _SOME_TIME.search(question)
            at = _new(_WHEN, text, low) if wanted is None else _new(DATE, text, low)
            if at is None and wanted is not None:
                at = _new(_MONTH_NAME if wanted[1].casefold() == "month" else _DAY_NAME, text, low)
            # "on Friday" says when something happens, and not when it happened
            return at if at is not None or _PAST.search(question) else _new(_WEEKDAY, text, low)
        case "why":
            return match.start() if (match := _WHY.search(text)) else None
        case "where":
            return origin_in(text) if asks_origin(low) else _place(text, low)
        case "count":
            return _counted(question, text, low)
        case "open":
            return 0 if _ASKS_NUMBER.match(question) and _is_plain(text) and has_asked_value(question, text) else None
        case "yes_no":
            return 0 if _is_plain(text) else None
        case _:
            return None


def has_asked_value(question: str, text: str) -> bool:
    """Whether a text that answers a question for a number, or for a default, has one that the question itself does not."""
    low = question.casefold()
    if _ASKS_DEGREE.match(low) and how_often_in(text) is None and _ANY_NUMBER.search(text) is None:
        return False  # "as quickly as possible"
    if _ASKS_NUMBER.match(question):
        asked = set(terms(low))
        numbers = (match for match in _ANY_NUMBER.finditer(text) if match.group().casefold() not in low)
        if _ASKS_IDENTIFIER.search(low):  # "the serial numbers of 212 disks" gives none
            undated = _YEAR.sub(" ", DATE.sub(" ", text))
            found = (one for one in _ANY_NUMBER.finditer(undated) if one.group()[0].isdigit() and one.group() not in low)
            return any(_COUNTED_THINGS.match(undated, one.end()) is None for one in found)
        return any(_is_measure(text, match.end(), asked) for match in numbers)
    return not _ASKS_DEFAULT.match(question) or (_SAYS_DEFAULT.search(text) is not None and _new(NAMED, text, low) is not None)


@lru_cache(16)  # it is asked anew for every sentence
def asks_for_hours(question: str) -> bool:
    """Whether it asks when something is open as a rule: "opening hours of the desk", "what time does the shop close?"."""
    return _ASKS_HOURS.search(question) is not None and _HOW.search(question) is None


def says_hours(text: str) -> bool:
    """Whether a text says from when to when something is open, on days of the week or always."""
    return _FROM_TO.search(text) is not None and _OPEN_DAYS.search(text) is not None


def tells_number(question: str, asked: QuestionAnalysis, text: str) -> bool | None:
    """Whether a text has a number such as a question asks for; None where no number is asked for."""
    if asked.kind == "count":
        return value_in(question, asked, text) is not None
    if asked.kind not in ("open", "definition"):
        return None
    if _ASKS_NUMBER.match(question):
        return has_asked_value(question, _YEAR.sub(" ", DATE.sub(" ", text)))
    return has_number(question, text) if _ASKS_MEASURE.match(question) else None


def has_number(question: str, text: str) -> bool:
    """Whether a text has any number that the question has not, other than those of days."""
    return _new(_ANY_NUMBER, _YEAR.sub(" ", DATE.sub(" ", text)), question.casefold()) is not None


def _is_measure(text: str, at: int, asked: set[str]) -> bool:
    """Whether a number that ends there is one by itself, with a unit, or of what is asked about: "300 features" is no size."""
    after = _COUNTED_THINGS.match(text, at)
    return after is None or _UNIT.match(after["things"]) is not None or not asked.isdisjoint(terms(after["things"]))


def _is_plain(text: str) -> bool:
    """Whether a text is one short sentence that says something of a thing, and nothing of the page that it opens."""
    is_whole = text.rstrip('*_"”)').endswith((".", "!", "。"))
    return len(text) <= LONGEST_PLAIN and is_whole and _OF_ITSELF.match(text) is None


def people_in(text: str) -> frozenset[str]:
    """The words of the names of those whom a text names, in full or as who does something."""
    return frozenset(word for form in (_WHO, _ONE_NAME) for match in form.finditer(text) for word in match.group().split())


def word_of(text: str) -> str:
    match = _QUESTION_WORD.match(text)
    return match.group(1).casefold() if match else ""


def _new(pattern: re.Pattern[str], text: str, question: str) -> int | None:
    return next((match.start() for match in pattern.finditer(text) if match.group().casefold().rstrip(".") not in question), None)


def _named_alone(text: str, low: str) -> int | None:
    """Where a name stands that is all that a label says: "Keeper of the keys: Ida"."""
    match = _LABEL_AND_NAME.match(text)
    return match.start("name") if match is not None and set(terms(low)).isdisjoint(terms(match["name"])) else None


def _who(text: str, low: str) -> int | None:
    """Where a name stands that is not made of the question's words: an "Epic Link" creates no epics."""
    asked = set(terms(low))
    names = (match for match in _WHO.finditer(text) if match.group().casefold() not in low and not _is_label(text, match))
    return next((match.start() for match in names if asked.isdisjoint(terms(match.group()))), None)


def _one_name(text: str, low: str) -> int | None:
    """Where somebody stands by one name, not made of the question's words: of "Ada Byron" who was before Ada, "Byron" is not asked for."""
    asked = set(terms(low))
    for match in _ONE_NAME.finditer(text):
        given = _GIVEN.search(text, 0, match.start())
        if asked.isdisjoint(terms(f"{given.group() if given else ''}{match.group()}")):
            return match.start()
    return None


_NO_PLACE = regex(
    r"(?:under|in|on) (?:[\w'’-]+ ){0,2}names?\b|(?:in|on|under|at) (?:writing|full|advance|person|time|future|general|short|case|charge|doubt|total|turn|stages|two|behalf|duty|call|leave|holiday|request|average|least|most|once|all)\b",
    re.IGNORECASE,
)


def _place(text: str, low: str) -> int | None:
    """Where a place stands that is not made of the question's words: "in the AWS CLI" is not where the AWS CLI is."""
    asked = set(terms(low))
    places = (
        match
        for match in _WHERE.finditer(text)
        if match.group().casefold() not in low and not _NO_PLACE.match(text, match.start())
    )
    return next((match.start() for match in places if not (there := set(terms(match.group()))) or not there <= asked), None)


def _is_label(text: str, name: re.Match[str]) -> bool:
    """Whether two words with capitals are what a paragraph is about, "Global Settings: ...", and not somebody who speaks."""
    is_first = not text[: name.start()].strip("*_ -")
    return is_first and text[name.end() :].lstrip("*_ ").startswith(":") and not FIRST_PERSON.search(text, name.end())


_FOR_ONE = regex(r"\b(?:for|per|each|je|pour) (?:one|1|ein|un)\Z", re.IGNORECASE)
_SOME_OF = regex(r"\b(?P<which>first|last|next|other|remaining|another|further|additional|extra|new) \Z", re.IGNORECASE)
_PAID = regex(rf"\s?(?:{_CURRENCY}|[€$£])(?!\w)", re.IGNORECASE)
_ANOTHER_NOUN = regex(r"[,;] |(?<=s) (?:with|for|from|in|at|by|per|to|on|and|or|mit|für|avec|pour)\b")


_SHARE = regex(r"(?<![\d.,])\d[\d.,]{0,12}\s?(?:%|percent\b|per cent\b)", re.IGNORECASE)
_ASKS_SHARE = regex(
    r"%|\b(?:per ?cent|percentages?|discounts?|shares?|rebates?|rates?|surcharges?|supplements?|tax(?:es)?|vat|interest|commissions?|margins?|deposits?|reductions?|penalty|penalties|rises?|raises?"
    r"|increases?d?|bonus(?:es)?|allowances?|higher|lower|more|less|charged?|full|left|used|filled|overtime|pay|paid|fees?|how much of)\b"
)
_NO_COUNT = regex(rf"\s*,| ?(?:{MONTH})\b|:\d\d| of (?:these|those|them)\b")


def _counted(question: str, text: str, low: str) -> int | None:
    if asks_how_often(question):
        return how_often_in(text)
    if counted := _COUNTED_BEFORE_VERB.search(question) or _COUNTED.search(question):
        noun = terms(counted.group(1))[-1:]
        for match in _NUMBER.finditer(text):
            if _FOR_ONE.search(text, 0, match.end()):
                continue  # "for one object" counts no objects
            some = _SOME_OF.search(text, 0, match.start())
            if some is not None and some["which"].casefold() not in low:
                continue  # "the first sixteen homes" are not all of them
            if _PAID.match(text, match.end()) and noun and not _PAID.match(noun[0]):
                continue  # nor does "250 EUR for each object"
            if text[match.end() :].lstrip()[:1] in ("(", "[", "%", ":"):
                continue  # "gate 3 (yellow card)" counts no cards, "95 % of the boats" no boats, and "Hall 2: gates" no gates
            if _NO_COUNT.match(text, match.end()) or text[match.start() - 1 : match.start()] == ":":
                continue  # nor do "two of these days", "3 July", "07:15, on site"
            # "two products with drivers": products
            own, *_ = _ANOTHER_NOUN.split(text[match.end() : match.end() + 40], maxsplit=1)
            after = terms(" ".join(own.split()[:2]) if match.group().casefold() == "one" else own)[
                :3
            ]  # "one in each van" counts no vans
            if (
                noun and noun[0] in after and match.group() not in low and match.group().count(".") < 2
                and not is_of_another(text, match.end(), noun[0])
            ):  # fmt: skip
                return match.start()
        return None
    if not _ASKS_SHARE.search(low):
        text = _SHARE.sub(lambda match: " " * len(match.group()), text)  # "22 % more" is no price, "61 % of new" no amount
    if _ASKS_PRICE.search(low):
        return _new(_PRICE, text, low)
    if re.search(r"\bhow much\b|\b(?:amount|budget|betrag|montant)\b", low):
        return _new(AMOUNT, text, low)
    if "how long" in low and (until := _UNTIL.search(text)) is not None and until.group().casefold() not in low:
        return until.start()  # "valid until 15 January"
    return _new(_AGE if "how old" in low else _MEASURE, text, low)
