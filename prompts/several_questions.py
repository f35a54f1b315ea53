"""Several questions asked at once, in the languages that questions are read in: "Who leads Team Quay, and when is the failover test?"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from prompts.asking_part import without_its_value
from prompts.follow_up import points_at_something
from prompts.language import terms
from prompts.months import MONTH
from prompts.other_languages import FRENCH, GERMAN, language_of
from prompts.regex import regex

MOST = 3  # questions that are answered one by one
_FEWEST_WORDS = 3


@dataclass(frozen=True)
class _Forms:
    """How questions begin in one language: patterns for small letters and capitals alike, in which a space is written as such.

    `asks` is in the order of a question: "when is it", and not "when it is", which belongs to what is before it. A question for
    yes or no begins with one of `auxiliaries`, of which the `modals` are a part, and goes on with what it is about: "can it be
    changed" is one, "can be changed" and "does the laundry" are none.
    """

    asks: str
    auxiliaries: str
    modals: str
    pronouns: str
    determiners: str
    prepositions: str
    joins: str  # "and", with what may stand behind it
    polite: str
    as_one: str  # words of a question that asks about two things together
    each: str  # in a later question: each of what the one before asks for, which is a question about one set
    counts: str = r"(?!)"  # how a question for a number begins, however far its verb is; only of what stands first
    asks_set: str = r"(?!)"  # how a question for a set begins, and
    members: str = r"(?!)"  # words for all of it in a later one, which is a question about that set too
    goes_on: str = r"(?!)"  # where this is in what was asked before, the rest of it may begin like a question

    @cached_property
    def opening(self) -> re.Pattern[str]:
        return re.compile(
            rf"\W*(?:(?:{self.joins}|{self.polite})\b[\s,]*)*(?:{self.asks}|{self.counts}|(?:{self.auxiliaries})\b[ -]?\w)",
            re.IGNORECASE,
        )

    @cached_property
    def between(self) -> re.Pattern[str]:
        name = r"(?-i:`[^`]+`|[A-Z][\w.-]*|\w+[_.]\w+)"
        more = rf" (?!(?:{self.prepositions})\b)[\w`'’-]+"
        thing = rf"(?:(?:{self.determiners}) ?[\w'’-]+(?: [\w'’-]+)?|{name}(?: (?!be\b|is\b)[\w'’-]+)?)"
        said = rf"(?:{self.auxiliaries})[ -](?:{self.pronouns}){more}|(?:{self.modals}) {thing}{more}"  # surely of something else
        apart = rf"(?:{self.auxiliaries}) {thing}{more}"  # so where a comma stands before it
        return re.compile(
            rf" ?\? (?:(?:{self.joins}) )?(?=(?:{self.asks})|(?:{self.auxiliaries})\b[ -]\w)"
            rf"|[,;]? (?:{self.joins}) (?=(?:{self.asks})|{said})|[,;] (?:{self.joins}) (?={apart})",
            re.IGNORECASE,
        )

    @cached_property
    def together(self) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{self.as_one})\b|{self.goes_on}", re.IGNORECASE)


_MODALS = "can|could|should|shall|must|may|might|will|would|can't"
_AUXILIARIES = f"am|is|are|was|were|do|does|did|has|have|had|isn't|aren't|doesn't|don't|didn't|{_MODALS}"
_ENGLISH = _Forms(
    rf"(?:when|where|why|how(?: (?!to\b)\w+){{0,3}}?|(?:what|which|whose)(?: [\w-]+){{0,3}}?) (?:{_AUXILIARIES})\b"
    r"|(?:who|what|when|where|how)['’]s \w"
    r"|who(?:m| else)? (?!\w+ also\b|(?:i|you|he|she|it|we|they|the|a|an|this|that)\b)\w"
    r"|(?:what|which(?: \w+)?) (?!(?:i|you|he|she|it|we|they|the|a|an|this|that|to|if|about|of|for|kinds?|sorts?|types?)\b)[a-z]+s\b"
    rf"(?! (?:{_AUXILIARIES})\b)",
    _AUXILIARIES,
    _MODALS,
    "i|you|he|she|it|we|they|this|that|these|those|there|one|somebody|someone|anybody|anyone|everybody|everyone|nobody",
    "(?:the|an?|my|our|your|its|their|his|her|any|all|some|every|each|other|no)",
    "of|in|on|at|for|to|by|with|from|into|about|over|under|and|or|that|which|who",
    "and(?: also)?",
    "also|so|ok|please",
    r"between|both|compared?|differ\w*|versus|vs",
    r"\beach(?: of them| one)?(?: \w+)?\W*\Z",
    counts=r"how many\b",
    asks_set=r"\W*(?:which|what) (?:of (?:the|our) )?\w+s (?!is\b)",
    members=r"\b(?:they|them|their)\b",
)
# A clause that belongs to what is before it has its verb at the end: "wann der Test ist", and not "wann ist der Test".
_GERMAN_MODALS = "kann|können|könnte|könnten|darf|dürfen|muss|müssen|soll|sollen|sollte|sollten|will|wollen"
_GERMAN_AUXILIARIES = f"ist|sind|war|waren|wird|werden|wurde|wurden|hat|haben|hatte|hatten|gibt|gilt|{_GERMAN_MODALS}"
_GERMAN_VERB = rf"(?:{_GERMAN_AUXILIARIES}|(?!(?:seit|mit|nicht|jetzt|erst|sonst|zuerst|oft|und|alt|weit)\b)[a-zäöüß]{{2,20}}t)"
_GERMAN_FORMS = _Forms(
    rf"(?:wer|wen|wem|wann|wo|wohin|woher|warum|weshalb|wieso|wozu|womit|worin|wie(?: (?:viele?|oft|lange|hoch|groß|teuer|weit|genau))?(?: [\w-]+)?|wieviele?(?: [\w-]+)?|was) {_GERMAN_VERB}\b"
    rf"|(?:wessen|welche[rsmn]?|wie ?viele?)(?: (?!(?:der|die|das|den|dem|ein|eine|ich|du|er|sie|es|wir|man)\b)[\w-]+){{1,3}}? {_GERMAN_VERB}\b"
    r"|(?:wie|wann|wo|warum|was|womit|wozu) (?:kann|muss|soll|darf|[a-zäöüß]{2,20}e|[a-zäöüß]{2,20}en) (?:ich|man|wir|sie)\b",
    _GERMAN_AUXILIARIES,
    _GERMAN_MODALS,
    "ich|du|er|sie|es|wir|ihr|man|das|dies|jemand|jeder|niemand",
    "(?:der|die|das|den|dem|ein|eine|einen|unser|unsere|mein|meine|sein|seine|ihr|ihre|alle|jede[rsn]?)",
    "von|vom|in|im|an|am|auf|aus|bei|beim|mit|nach|zu|zum|zur|für|über|unter|und|oder|der|des",
    "und(?: auch)?",
    "auch|also|bitte",
    r"zwischen|beide[nrms]?|verglichen|unterschied\w*|unterscheide\w*|gegenüber",
    r"\bjede[rsnm]?(?: von ihnen)?\W*\Z|\bjeweils\b",
)
_FRENCH_VERB = r"(?:est(?:-ce)?|sont|était|étaient|a|ont|avait|peut|peuvent|doit|doivent|faut|va|vont|sera|seront|\w+-(?:t-)?(?:il|elle|on|ils|elles|je|tu|nous|vous|ce))"
_FRENCH_FORMS = _Forms(
    rf"(?:quand|où|pourquoi|comment|combien(?: (?:de|d['’]) ?[\w'’-]+)?|à quelle? [\w'’-]+|quel(?:le)?s?(?: [\w'’-]+){{0,3}}?) (?:{_FRENCH_VERB}(?![\w-])|(?:le|la|les|un|une|l['’])(?: ?[\w'’-]+){{1,3}}? \w+-t-\w+)"
    r"|comment (?!(?:le|la|les|un|une|de|il|elle|on)\b)[a-zà-ÿ]{3,}(?:er|ir|re)\b|combien (?:coûte|dure|reste|pèse|mesure)(?:nt)?\b"
    r"|qui (?!(?:le|la|les|l['’]|je|tu|il|elle|on|nous|vous|ils|elles|\w+ aussi)\b)\w|(?:que|qu['’])(?:est-ce| \w+-|\b ?(?:faut|fait|signifie|contient)\b)",
    r"est-ce|peut-on|peut-il|faut-il|doit-on|est-il|est-elle|sont-ils|sont-elles|a-t-il|a-t-elle|a-t-on|puis-je|y a-t-il",
    r"est-ce qu['’e]",
    r"que|qu['’]\w+|[a-zà-ÿ'’]+",
    r"(?:le|la|les|un|une|des|mon|notre|votre|ce|cette|l['’])",
    "de|du|des|dans|en|au|aux|par|pour|avec|sans|sur|et|ou|qui|que",
    "et(?: aussi)?",
    "aussi|alors",
    r"entre|différence|diffèrent|comparée?s?|deux",
    r"\bchacune?\b",
    goes_on=r"\w qui \w.*\bet qui\b",
)


def each_question(text: str) -> tuple[str, ...]:
    """The questions in a text, each as it is asked; the text alone where it is one, or where they cannot be told apart.

    Only where each begins as a question does and has words enough to be one: "who decided what and when" stays whole.
    """
    if without_its_value(text) != text:
        return (text,)  # "..., and how much is it" belongs to what is before it
    if (of_days := _of_each_day(text)) is not None:
        return of_days
    language = language_of(text)
    forms = _GERMAN_FORMS if language is GERMAN else _FRENCH_FORMS if language is FRENCH else _ENGLISH
    parts = [part.strip(" \t\n,;") for part in forms.between.split(" ".join(text.split()))]
    is_sound = 1 < len(parts) <= MOST and not forms.together.search(text)
    later = rf"{forms.each}|{forms.members}" if re.match(forms.asks_set, text, re.IGNORECASE) else forms.each
    is_sound = is_sound and not any(re.search(later, part, re.IGNORECASE) for part in parts[1:])
    if not is_sound or not all(
        forms.opening.match(part) and len(part.split()) >= _FEWEST_WORDS and _says_of_what(part) for part in parts
    ):
        return (text,)
    return tuple(f"{part[:1].upper()}{part[1:].rstrip(' ?')}?" for part in parts)


_DAYS = regex(  # "on 25, 26 and 28 December"
    rf"(?<![\d.:-])(?<!\d, )(?<!\d,)(?<!(?:st|nd|rd|th), )(?P<days>\d{{1,2}}(?:st|nd|rd|th)?(?:, ?\d{{1,2}}(?:st|nd|rd|th)?)?,? (?:and|&) \d{{1,2}}(?:st|nd|rd|th)?)(?P<month>(?: of)? {MONTH}\b)",
    re.IGNORECASE,
)
_WHO = regex(r"\W*(?:(?:and|so|ok|please)\b[\s,]*)*who\b", re.IGNORECASE)
_ONE_DAY = regex(r"\d{1,2}(?:st|nd|rd|th)?")


def _of_each_day(text: str) -> tuple[str, ...] | None:
    """A question for somebody on several days of one month as a question for each of them; None for any other."""
    match = _DAYS.search(text) if _WHO.match(text) else None
    days = _ONE_DAY.findall(match["days"]) if match is not None else []
    if match is None or _ENGLISH.together.search(text):
        return None
    asked = text.strip(" ?")
    return tuple(f"{asked[: match.start('days')]}{day}{asked[match.start('month') :]}?" for day in days)


def _says_of_what(part: str) -> bool:
    """Whether it names what it asks of, or points at it: "how many can we have" does neither."""
    return bool(terms(part)) or points_at_something(part)
