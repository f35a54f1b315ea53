"""A question as people type it in a chat, put in the words that it would have in a sentence.

Only what is said of the asking is changed: contractions without their apostrophe, greetings, thanks and "can you tell me" before
a question. What is asked about stays letter by letter.
"""

from __future__ import annotations

import re

from prompts.regex import regex

MOST_STRIPPED = 4  # greetings and phrases before a question, one after the other

_NEGATED = "are is was were do does did has have had could should would must need ca wo"  # before "nt"; "cant", "wont"
_ASKING_WORDS = "what who where when how why that there here"  # before "s"
_OTHERS = {"im": "I'm", "ive": "I've", "youre": "you're", "theyre": "they're", "thats": "that's"}
_SHORT = {"oncall": "on-call", "prio": "priority", "prios": "priorities", "ppl": "people"}
_SLIPS = {
    "wich": "which",
    "whcih": "which",
    "hwich": "which",
    "waht": "what",
    "hwat": "what",
    "wehre": "where",
    "wheer": "where",
    "hwo": "who",
    **dict.fromkeys(("wat", "wot", "wut", "wht"), "what"),
    **dict.fromkeys(("wats", "wots"), "what's"),
    "wen": "when",
    "wens": "when's",
    "wher": "where",
    "hw": "how",
    "teh": "the",
    "hav": "have",
    "frm": "from",
    "abt": "about",
    "ur": "your",
    "shud": "should",
    "cud": "could",
    "wud": "would",
    "cos": "because",
    "cuz": "because",
    "coz": "because",
    "alrdy": "already",
    "alredy": "already",
    "finaly": "finally",
    "befor": "before",
    "nxt": "next",
    "lst": "last",
    "fone": "phone",
    "fones": "phones",
    "tmrw": "tomorrow",
    "tmr": "tomorrow",
    "tomo": "tomorrow",
    "nite": "night",
    "alowed": "allowed",
    "happend": "happened",
    "hapens": "happens",
    "payed": "paid",
    "whos": "who's",
}
_LETTER = regex(  # a word of one letter, or with a digit, in the midst of others: "r we", "why n how", "b4 pickup"
    r"(?:(?<=[a-z,] )|(?<=\A))(?P<short>[urny]|b4|w/o|w/)(?= [a-z\d])", re.MULTILINE
)
_LETTERS = {"u": "you", "r": "are", "n": "and", "b4": "before", "w/o": "without", "w/": "with"}
_CONTRACTED = {
    **{f"{word}nt": f"{word}n't" for word in _NEGATED.split()},
    **{f"{word}s": f"{word}'s" for word in _ASKING_WORDS.split()},
    **_OTHERS,
    **_SHORT,
    **_SLIPS,
}
_WORD = regex(r"(?<![\w'’.@/#`-])[A-Za-z]{2,8}(?![\w'’@/#`-]|\.\w)")
_TYPOGRAPHIC = regex(r"(?<=[a-z]n)[’‘`´](?=t\b)", re.IGNORECASE)  # "aren’t": a negation that is overlooked becomes its opposite
_SHORTHAND = r"(?:pls|plz|plss+|thx|tnx|thks|tia)"
_THANKS = (
    rf"(?:{_SHORTHAND}|please|(?:many )?thanks|thank you|danke|merci)(?: (?:a lot|so much|very much|in advance|again|you|all))?"
)
_AFTER = regex(rf"(?<=[\w?)\"'`])[\s,;.!?–-]{{0,5}}\b{_THANKS}[\s!.:;)-]{{0,8}}\Z", re.IGNORECASE)
_INSIDE = regex(
    rf"(?<=\w) {_SHORTHAND}(?= \w)|(?<=hat|who|hen|ere|why|how) (?:exactly|actually|on earth|the (?:hell|heck|devil))(?= \w)",
    re.IGNORECASE,
)
_ASKS = r"(?:what|which|who|whom|whose|when|where|why|how)\b"
_PEOPLE = r"(?: (?:all|everyone|everybody|folks|guys|team|there|again|together))?"
_GREETING = rf"(?:hi|hello|hey|hiya|(?:good )?(?:morning|afternoon|evening)|moin|hallo|bonjour|salut){_PEOPLE}[\s,.!:;–-]{{1,5}}(?=[\w'’]+ \w)"
_PLEASE = rf"{_SHORTHAND}[\s,:]{{1,3}}(?=\w)"
_HESITATION = (
    r"(?:(?:quick |short |one |stupid |dumb |small )?question|just wondering|i was (?:just )?wondering|i wonder|btw|by the way|fyi"
    rf"|uh+m?|um+|hm+|ok(?:ay)?(?: so)?|so)[\s,.:;–-]{{1,5}}(?={_ASKS}|(?:is|are|was|were|do|does|did|can|has|have) )"
)
_TELL_ME = (
    r"(?:(?:(?:can|could|would) (?:you|someone|somebody|anyone|anybody) (?:please )?)?tell me"
    r"|do(?:es)? (?:you|we|i|anyone|anybody|someone|somebody) (?:happen to )?know|(?:any|no) (?:idea|clue)"
    r"|i(?:['’]d| would) (?:like|love|want) to know|i (?:need|want) to know|i have no idea|(?:please )?remind me)"
    rf"(?: please| {_SHORTHAND})?[\s,:]{{1,3}}(?={_ASKS})"
)
# what somebody says of themselves before a question, that begins anew after a mark: "sorry to ask again, I have to tell the board - when ...?"
_SITUATION = regex(
    r"\A\W*(?:(?:sorry|apologies|excuse me|pardon|my apologies|forgive me)\b"
    r"|(?:i|we)(?:['’]m| am|['’]re| are| was| were)? (?:(?:just|really|only|also|still|currently|now|always) )?"
    r"(?:know|knew|heard|read|guess|suppose|remember|forgot|asked|promised|looked|searched|tried|wondering|wonder|new\b|confused|lost\b|preparing|writing|asking"
    r"|(?:have|need|want|had|got|supposed|going|trying|about) (?:to|a meeting|a call|no idea|trouble)|can(?:no|['’])t find|could(?: not|n['’]t) find|do(?: not|n['’]t) (?:know|remember|find|understand)))\b",
    re.IGNORECASE,
)
_ANEW = regex(
    rf"(?:[.!:;]|,| [–—-]+|(?= but ))[ \t]{{1,3}}(?:(?:but|and|so|now|then|well)[ ,]{{1,2}})?(?={_ASKS}|(?:{_TELL_ME}){_ASKS})",
    re.IGNORECASE,
)
_COUNTS = regex(r"\A\W*how many\b", re.IGNORECASE)
_AND_WHICH = regex(
    r"(?<=\w)[,;]? (?:and|&) (?:which|who|what)(?: ones?)? (?:are|is) (?:they|it|these|those|that)(?: called)?(?P<end>\W*\Z)",
    re.IGNORECASE,
)
_BY_WHAT = regex(  # "according to the latest decision": a question asks for what is known anyway
    r"(?<=\w),? according to (?:the|our|your)(?! (?:\w+ ){0,2}(?:old|older|previous|former|first|superseded|draft)\b) [^?!.,;\n]{3,60}(?P<end>\W*\Z)",
    re.IGNORECASE,
)
_POINTS = regex(
    r"\b(?:it|its|this(?! (?:week|month|year|quarter|time|morning|afternoon|evening|sprint|season|summer|winter|autumn|spring))|that|these(?! days)|those|they|them|their|he|him|his|she|her|there|one|so)\b",
    re.IGNORECASE,
)
_NAMES_NOTHING = regex(  # "I want to swap my shift, what are the steps?": of what stands before it
    r"\W*(?:and |so |then )*(?:what (?:are|is) the (?:right |next |correct )?(?:steps?|procedure|process|way|rules?)|(?:how|where) (?:do|should|can|must) (?:i|we) (?:start|begin|proceed|go on|go about)"
    r"|what (?:do|should|must|can|shall|have|am|are) (?:i|we) (?:need |have |got |supposed )?(?:to )?(?:do|check|try))(?: (?:now|first|next|then|please|exactly|here))*\W*\Z",
    re.IGNORECASE,
)
_TELL_ME_FIRST = regex(rf"\A{_TELL_ME}", re.IGNORECASE)
LEAST_WORDS = 4  # of a question that can be asked without what stood before it
_WOULD_KNOW = regex(  # "I have to plan the sprint and would like to know who ..."
    rf"\A[^?\n]{{10,200}}?\b(?:and|so|but),? (?:i |we )?(?:(?:would|['’]d) (?:like|love|need)|want|need|have) to know[\s,:]{{1,3}}(?={_ASKS})",
    re.IGNORECASE,
)
_CAN_YOU = r"(?:can|could|would|will) you (?:please )?(?=(?:show|give|find|get) (?:me|us)\b|list (?:all|every|the|our|me|us)\b)"
_BEFORE = regex(f"{_GREETING}|{_PLEASE}|{_HESITATION}|{_TELL_ME}|{_CAN_YOU}", re.IGNORECASE)


_MAY = regex(  # the month, and not the verb: "in may", "may 2026", "4 may"
    r"(?<![\w-])(?P<before>(?:in|by|of|since|until|till|after|before|from|during|last|next|this|end of|\d{1,2}(?:st|nd|rd|th|\.)?) )(?P<month>may|march)\b"
    r"(?! (?:we|i|you|they|he|she|it|be|not|also|have)\b)|(?<![\w-])(?P<dated>may|march)(?= (?:20\d\d|\d{1,2})(?:[\s,]*\Z|,? 20\d\d| (?:and|or|to|until)\b|\?))"
)


def in_full_words(question: str) -> str:
    """The question without what is only said of the asking, and with the apostrophes that its contractions lack and the capital of its
    months; as it is where nothing else is in it."""
    text = _WORD.sub(_with_apostrophe, _TYPOGRAPHIC.sub("'", _LETTER.sub(_with_letters, question)))
    text = _MAY.sub(_with_capital, text)
    for _ in range(MOST_STRIPPED):
        match = _BEFORE.match(text.lstrip())
        if match is None:
            break
        text = text.lstrip()[match.end() :]
    text = _AND_WHICH.sub(r"\g<end>", text) if _COUNTS.match(text) else text  # what is counted is told anyway
    text = _BY_WHAT.sub(r"\g<end>", _INSIDE.sub("", _without_situation(_AFTER.sub("", text))))
    return text.strip() or question


def _with_capital(match: re.Match[str]) -> str:
    return f"{match['before'] or ''}{(match['month'] or match['dated']).title()}"


def _with_letters(match: re.Match[str]) -> str:
    short = match["short"]
    if short == "y":
        return "why" if match.start() == 0 else short
    return _LETTERS[short]


def _without_situation(text: str) -> str:
    """A question without what somebody says of themselves before it, where it names by itself what it asks about."""
    if (told := _WOULD_KNOW.match(text)) is not None and _POINTS.search(text, told.end()) is None:
        return text[told.end() :]
    if _SITUATION.match(text) is None or "?" in text.rstrip()[:-1]:
        return text
    begins = [match.end() for match in _ANEW.finditer(text)]
    for start in begins:
        asked = _TELL_ME_FIRST.sub("", text[start:])
        if len(asked.split()) >= LEAST_WORDS and _POINTS.search(asked) is None and _NAMES_NOTHING.match(asked) is None:
            return asked
    return text


def _with_apostrophe(match: re.Match[str]) -> str:
    word = match.group()
    if word.isupper():  # a name: "ISNT"
        return word
    full = _CONTRACTED.get(word.lower())
    if full is None:
        return word
    return full[0].upper() + full[1:] if word[0].isupper() else full
