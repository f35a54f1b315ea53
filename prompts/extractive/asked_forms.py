"""What is asked for by name and is known by its form: a phone number, a price, a time of day, a colour."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain

from prompts.months import MONTH
from prompts.number_words import NUMBER_WORD
from prompts.regex import regex

_MONEY_WORDS = r"costs?|prices?|priced|fees?|fares?|rents?|salary|salaries|wages?|paid|pays?|charged?|charges|rates?|deposit|euros?|eur|worth|value|total|amount|budget"
_PRICE = regex(
    r"[€$£]\s?\d|\b(?:EUR|USD|GBP|CHF)\s?\d|\d\s?(?:[€$£]|(?:EUR|USD|GBP|CHF|euros?|dollars?|pounds?|francs?|cents?|pence|p|quid|k)\b)|\d\.\d\d\b"
    r"|\d{1,3}(?:,\d{3})+|\b(?:free|gratis|no (?:charge|fee|cost)|nothing|for (?:free|nothing))\b"
    rf"|\b(?:{_MONEY_WORDS})\b[^\n]{{0,80}}?(?:\d|\b(?:{NUMBER_WORD})\b)|(?:\d|\b(?:{NUMBER_WORD})\b)[^\n]{{0,80}}?\b(?:{_MONEY_WORDS})\b",
    re.IGNORECASE,
)
_ASKS_PRICE = regex(
    r"\bhow much (?:is|are|was|were|does|did|do|will|would) [^?]{1,80}\b(?:costs?|charged?|pay|paid|earn)\b|\bhow expensive\b"
    r"|\bhow much (?:is|are|was|were) [^?]{0,40}\b(?:rent|fee|price|fare|salary|deposit|tickets?)\b"
    r"|\A\W*(?:what(?:['’]?s| is| was| are| were)? )?(?:the |our )?(?:[\w-]+ ){0,2}?(?:price|cost|rent|salary|fee|fare|wage)s?\b(?: of| for| per|\W*\Z)"
    r"|\bwhat (?:rent|salary|fee|price|wage)\b|\bwhat (?:does|do|did|will|would) [^?]{1,80}\b(?:cost|charge|get paid|earn)\b",
    re.IGNORECASE,
)
_TIME_OF_DAY = regex(
    r"\b\d{1,2}[:.]\d\d\b|\b\d{1,2} ?(?:am|pm|h|uhr|o['’]clock)\b|\b(?:noon|midnight|midday|dawn|dusk|sunrise|sunset|lunch|breakfast|dinner)\b"
    rf"|\b(?:at|from|until|till|by|before|after|past|to|about|around) (?:about |around |half |quarter )?(?:past |to )?(?:\d{{1,2}}|{NUMBER_WORD})\b(?!(?:\.|st|nd|rd|th)? ?{MONTH})"  # "moves to 10 December" says no hour
    r"|\b\d{4}(?: ?(?:h|hours|hrs))\b|\b(?:0\d|1[0-8]|2[1-3])[0-5]\d\b",  # 19xx and 20xx are years
    re.IGNORECASE,
)
_ASKS_TIME_OF_DAY = regex(
    r"\bwhat time\b(?! (?:zone|period|frame|limit|span)s?\b)|\b(?:start(?:ing)?|closing|opening|finishing|departure|arrival) time\b",
    re.IGNORECASE,
)
_COLOUR = regex(
    r"\b(?:red|green|blue|yellow|white|black|gr[ae]y|brown|orange|purple|pink|violet|silver|gold(?:en)?|beige|cream|navy|turquoise|teal|maroon|crimson"
    r"|colou?r|paint|shade|amber|bronze|copper|ivory|lilac|magenta|cyan|olive|khaki|tan|tabby|ginger|blond|dark|light|transparent|striped|stripes|RAL)\w{0,3}\b",
    re.IGNORECASE,
)
_WEIGHT = regex(
    rf"(?:\d|\b(?:{NUMBER_WORD})) ?(?:kg|kilos?|kilograms?|g|grams?|lbs?|pounds?|t|tonnes?|tons?|cwt|stone|oz|ounces?)\b|\bweigh",
    re.IGNORECASE,
)
_FORMS = (  # what is asked for by name, and what it looks like
    (
        regex(
            r"\b(?:phone|telephone|mobile|fax)(?: numbers?)? (?:of|for)\b|\b(?:phone|telephone|mobile|fax) (?:number|extension)\b|['’]s (?:phone|telephone|mobile|extension)\b",
            re.IGNORECASE,
        ),
        regex(r"(?<![\w£$€.-])\+?\d{3}|(?<![\w£$€.-])\d[ /-]\d\d"),
    ),
    (regex(r"\be-?mail address\b|\be-?mail of\b", re.IGNORECASE), regex(r"\S@\S")),
    (
        regex(r"\b(?<!serial )(?<!model )(?<!part )(?<!type )(?:number|licen[cs]e) plate\b", re.IGNORECASE),
        regex(r"\b(?=[\w -]{0,9}\d)[A-ZÄÖÜ0-9]{1,3}[ -][A-ZÄÖÜ0-9]{1,4}(?:[ -]\d{1,4})?\b"),
    ),
)
_SAID_FORMS = (  # and what a sentence tells, where nothing of a number is left out
    (_ASKS_PRICE, _PRICE),
    (_ASKS_TIME_OF_DAY, _TIME_OF_DAY),
    (regex(r"\b(?:what|which) colou?rs?\b|\bcolou?r of\b", re.IGNORECASE), _COLOUR),
    (regex(r"\bhow heavy\b|\bhow much (?:does|do|did) [^?]{1,60} weigh\b|\bweight of\b", re.IGNORECASE), _WEIGHT),
)
_NO_NUMBER = regex(r"\b\d{4}-\d\d-\d\d\b|\b\d{1,2}[.:]\d\d\b|\b(?:19|20)\d\d\b|\b\d{1,3}(?:[.,]\d{3})+\b")


def asks_for_form(question: str) -> bool:
    """Whether it asks for what is known by its form: a phone number, an e-mail address, a number plate, a price, a time of day."""
    return _form_of(question) is not None


def asks_time_of_day(question: str) -> bool:
    return _ASKS_TIME_OF_DAY.search(question) is not None


def has_asked_form(question: str, text: str) -> bool:
    """Whether a text has what could be such a number or address, where one is asked for."""
    if (form := _form_of(question)) is None:
        return False
    pattern, is_number = form
    return pattern.search(_NO_NUMBER.sub(" ", text) if is_number else text.replace("_", " ")) is not None


@lru_cache(16)  # asked for each passage that is read
def _form_of(question: str) -> tuple[re.Pattern[str], bool] | None:
    """What that looks like, and whether dates and amounts are none of it."""
    numbers = ((form, True) for asks, form in _FORMS if asks.search(question))
    return next(chain(numbers, ((form, False) for asks, form in _SAID_FORMS if asks.search(question))), None)
