"""Numbers that are written as words: in English from zero to ninety-nine, with hundreds and thousands; the usual ones in German and French."""

from __future__ import annotations

_ONES = "one two three four five six seven eight nine".split()
_TO_NINETEEN = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_GERMAN = (
    "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreißig vierzig"
    " fünfzig sechzig siebzig achtzig neunzig hundert"
)
_FRENCH = "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize vingt trente quarante cinquante soixante cent"

NUMBER_WORDS = {word: number for number, word in enumerate(["zero", *_ONES, *_TO_NINETEEN])} | {
    f"{tens}{joint}{one}": 10 * at + number
    for at, tens in enumerate(_TENS, 2)
    for joint, one, number in [("", "", 0), *(("-", one, number) for number, one in enumerate(_ONES, 1))]
}
_BELOW_HUNDRED = rf"(?:(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_ONES)})\b)?|{'|'.join((*_TO_NINETEEN, *_ONES))})"
NUMBER_WORD = (
    rf"(?:(?:{_BELOW_HUNDRED}|an?) (?:hundred|thousand)|{_BELOW_HUNDRED})"  # a pattern: it stands between borders of words
)
FOREIGN_NUMBER_WORD = rf"(?:{'|'.join(dict.fromkeys(f'{_GERMAN} {_FRENCH}'.split()))})"  # the same
