"""The words of a text: what every part of the app means by a term, in linear time."""

# ruff: noqa: SIM905 - long lists of words are read as text

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import chain

import Stemmer

from prompts.regex import regex

STOPWORDS = frozenset(
    """
    a about above after again all also am an and any are as at be because been before being below between both but by
    can could did do does doing don down during each either else etc ever every few for from further get gets got had
    has have having he her here hers herself him himself his how however i if in into is it its itself just let like
    ll made make many may me might more most much must my myself neither no nor not now of off on once one only or
    other our ours ourselves out over own per please quite rather re really s same shall she should since so some such
    t than that the their theirs them themselves then there therefore these they this those though through thus to
    too under until up upon us use used uses using ve very via was we were what whatever when where whether which
    while who whoever whom whose why will with within without would yet you your yours yourself yourselves
    cannot didn doesn isn wasn aren weren won wouldn shouldn couldn hasn haven hadn tell d m
    """.split()
)

_LONGEST_WORD = 64  # longer runs are data (base64, hashes of hashes), not words
WORDS_KEPT = 200_000  # of which what was made of them is remembered

# Chinese, Japanese, Korean; Thai, Lao, Burmese and Khmer with their vowel signs: written without spaces, or with them at will
_CJK = (
    r"\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufa6d\ufa70-\ufad9\uff66-\uff9f"
    r"\u0e01-\u0e3a\u0e40-\u0e4e\u0e81\u0e82\u0e84\u0e86-\u0e8a\u0e8c-\u0ea3\u0ea5\u0ea7-\u0ebd\u0ec0-\u0ec4\u0ec6\u0ec8-\u0ecd"
    r"\u1000-\u1049\u1050-\u109d\u1780-\u17b3\u17b6-\u17d3"
)
_WORD = regex(rf"[A-Za-z][A-Za-z0-9]*-\d+(?![\w-])|[vV]?\d+(?:[.,]\d+)+|[{_CJK}]+|[^\W{_CJK}]+")
_HYPHENATED = regex(r"(?<![\w-])[A-Za-z]{1,12}(?:-[A-Za-z]{1,12}){1,2}(?![\w-])")
_TELLING = frozenset("us it a".split())  # in a name with hyphens no stopwords: a country, a department, one of several
_CJK_RUN = regex(rf"[{_CJK}]+")
_CJK_SPACE = regex(rf"([{_CJK}])\s{{1,3}}(?=([{_CJK}]))")
_PARTS = regex(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")
_ALNUM = regex(r"[^\W_]+")
_MAJOR = regex(r"[vV][1-9]\d{0,2}")  # v5 is release 5
_THOUSANDS = regex(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?\Z")

# ---------------------------------------------------------------- characters that are not seen

# control characters, marks that turn the direction of writing, halves of characters; not the joiners that scripts need
_UNSEEN = regex("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def visible(text: str) -> str:
    """For a terminal or a page: what would steer it, or turn a name around, stands there as an escape (`\\u001b`)."""
    return _UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def named(text: str) -> str:
    """A title or name without such characters; where nothing else is left, with them made visible."""
    plain = " ".join(_UNSEEN.sub(lambda match: " " if match[0].isspace() else "", text).split()) if _UNSEEN.search(text) else text
    return plain or visible(text)


# ---------------------------------------------------------------- terms


def singular(noun: str) -> str:
    """One of what a plural names: "policies", "processes", "teams"; a word that is none stays as it is."""
    if noun.endswith("aches") or noun in ("movies", "axes", "cookies"):
        return noun[:-1]
    if noun.endswith("ies") and len(noun) > 4:
        return f"{noun[:-3]}y"
    if noun.endswith(("sses", "shes", "ches", "xes")):
        return noun[:-2]
    return noun if noun.endswith("ss") else noun.removesuffix("s")


def plural(noun: str) -> str:
    """Several of what a noun names, the other way round: "policies", "processes", "teams"."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "sh", "ch", "x")) else f"{noun}s"


def terms(text: str) -> list[str]:
    """The words of a text as they are searched: folded, stemmed, without stopwords, each letters (with their marks) and digits only.

    Identifiers stay whole and give their parts too: `LeafText` -> leaftext, leaf, text; PAY-231 -> pay231, pay, 231.
    Runs of Chinese, Japanese, Korean or Thai give their pairs of characters, over a space between two runs too: so the
    text is found by a question that is written without the space. A question itself is read by `words`, which asks for no
    such pair.
    """
    if text.isascii():
        return list(chain.from_iterable(map(_KNOWN.__getitem__, text.split())))
    if not unicodedata.is_normalized("NFKC", text):
        text = unicodedata.normalize("NFKC", text)
    found = list(chain.from_iterable(map(_KNOWN.__getitem__, text.split())))
    found.extend(before + after for before, after in _CJK_SPACE.findall(text))
    return found


def words(text: str) -> list[tuple[str, ...]]:
    """The terms of a text word by word: the whole first, then its parts. Stopwords are left out."""
    if not text.isascii() and not unicodedata.is_normalized("NFKC", text):
        text = unicodedata.normalize("NFKC", text)
    found: list[tuple[str, ...]] = []
    for token in text.split():
        found += [known for word in _WORD.findall(token) if (known := _KNOWN[word])]
        found += [(one,) for one in _of_small_words(token)] if "-" in token else []
    return found


def wholes(text: str) -> list[str]:
    """The words of a text as terms, each as a whole only: `LeafText` -> leaftext; "family-booking" -> famili, book."""
    return [known[0] for word in _WORD.findall(text) if (known := _KNOWN[word])]


def first_term(word: str) -> str:
    """The first term of one word, which is the word as a whole; empty for one that has none."""
    return next(iter(_KNOWN[word] if word.isascii() and word.isalpha() else _terms_of(word)), "")


def _of_small_words(text: str) -> list[str]:
    """Names that are made of stopwords, "get-out", "in-off", each a word of its own; and what is a stopword, but tells names
    apart: "prod-us", "team-a"."""
    found: list[str] = []
    for match in _HYPHENATED.finditer(text):
        parts = match.group().lower().split("-")
        found += ["".join(parts)] if STOPWORDS.issuperset(parts) else [part for part in parts if part in _TELLING]
    return found


class _Known(dict[str, tuple[str, ...]]):
    """Terms by what stands between two spaces, remembered: most of a text was seen before."""

    def __missing__(self, token: str) -> tuple[str, ...]:
        low = token.lower()
        if token[1:] == low[1:] and token.isalpha() and token.isascii() and len(token) <= _LONGEST_WORD:  # most words
            made: tuple[str, ...] = () if low in STOPWORDS else (_stem(low),)
        elif (found := _WORD.findall(token)) == [token]:
            made = tuple(_terms_of(token))
        else:
            made = tuple(chain.from_iterable(map(self.__getitem__, found)))
            if "-" in token:
                made += tuple(_of_small_words(token))
        if len(token) <= _LONGEST_WORD:
            if len(self) >= WORDS_KEPT:
                self.clear()
            self[token] = made
        return made


_KNOWN = _Known()
_STEMMER = Stemmer.Stemmer("english")
_STEMMER.maxCacheSize = 0  # ours is enough


def _terms_of(word: str) -> Iterator[str]:
    if _CJK_RUN.match(word):
        yield from (word[at : at + 2] for at in range(max(1, len(word) - 1)))
        return
    if len(word) > _LONGEST_WORD:
        word = word[:_LONGEST_WORD]
    if "." in word or "," in word:
        yield from _number(word)
        return
    if _MAJOR.fullmatch(word):
        yield from (word.lower(), word[1:])
        return
    if word.islower() or (word[1:].islower() and word.isalpha()):
        whole = _fold(word)
        if whole.isalpha():
            if whole and whole not in STOPWORDS:
                yield _stem(whole)
            return
    if word.lower() in STOPWORDS and word != "IT" and word != "US":
        return
    whole = "".join(_ALNUM.findall(_fold(word)))
    if not whole:
        return
    yield _stem(whole)
    flat = word if word.isascii() else "".join(_base(char) for char in word)
    parts = [_fold(part) for part in _PARTS.findall(flat)]
    if len(parts) > 1 and not ("-" not in word and "_" not in word and len(parts) == 2 and parts[1].isdigit()):
        for part in parts:
            clean = "".join(_ALNUM.findall(part))
            if clean and clean not in STOPWORDS and (len(clean) > 1 or clean.isdigit()):
                yield _stem(clean)


def _number(word: str) -> Iterator[str]:
    """10,000 -> 10000; 2.9.1 -> 2p9, 2p9p1, 2, so that a version is found by its beginning."""
    if _THOUSANDS.match(word):
        word = word.replace(",", "")
        if "." not in word:
            yield word
            return
    pieces = re.split(r"[.,]", word.lstrip("vV"))[:6]
    for count in range(2, len(pieces) + 1):
        yield "p".join(pieces[:count])
    is_release = word[0] in "vV" or (len(pieces) == 3 and len(pieces[2]) < 4)  # no date, and no address
    if is_release and pieces[0] != "0":  # release 4 is 4.0.0
        yield pieces[0]


def stemmed(word: str) -> str:
    """The stem of one word in small letters, a stopword too."""
    return _stem(word)


def _stem(word: str) -> str:
    return _STEMMER.stemWord(word) if len(word) > 2 and word.isascii() else word


def _fold(word: str) -> str:
    word = word.casefold()
    if word.isascii():
        return word
    return "".join(_base(char) for char in unicodedata.normalize("NFKC", word))


def _base(char: str) -> str:
    """A Latin letter without its accents; any other letter as it is."""
    if char < "\u0250" or "\u1e00" <= char <= "\u1eff":
        return unicodedata.normalize("NFKD", char)[0]
    return char
