"""Words, sentences, key phrases and names of a text: what every part of the app means by a term, in linear time."""

# ruff: noqa: SIM905 - long lists of words are read as text

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, pairwise
from math import prod
from typing import Literal, NamedTuple

import Stemmer

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
_CACHE_SIZE = 200_000

# Chinese, Japanese, Korean; Thai, Lao, Burmese and Khmer with their vowel signs: written without spaces, or with them at will
_CJK = (
    r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f"
    r"\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u1049\u1050-\u109f\u1780-\u17b3\u17b6-\u17d3"
)
_WORD = re.compile(rf"[A-Za-z][A-Za-z0-9]*-\d+(?![\w-])|[vV]?\d+(?:[.,]\d+)+|[{_CJK}]+|[^\W{_CJK}]+")
_HYPHENATED = re.compile(r"(?<![\w-])[A-Za-z]{1,12}(?:-[A-Za-z]{1,12}){1,2}(?![\w-])")
_TELLING = frozenset("us it a".split())  # in a name with hyphens no stopwords: a country, a department, one of several
_CJK_RUN = re.compile(rf"[{_CJK}]+")
_CJK_SPACE = re.compile(rf"([{_CJK}])\s{{1,3}}(?=([{_CJK}]))")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")
_ALNUM = re.compile(r"[^\W_]+")
_MAJOR = re.compile(r"[vV][1-9]\d{0,2}")  # v5 is release 5
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?\Z")

# ---------------------------------------------------------------- characters that are not seen

# control characters, marks that turn the direction of writing, halves of characters; not the joiners that scripts need
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


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
    found = [known for word in _WORD.findall(text) if (known := _KNOWN[word])]
    return found + [(one,) for one in _of_small_words(text)] if "-" in text else found


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
            if len(self) >= _CACHE_SIZE:
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


# ---------------------------------------------------------------- sentences

_LONGEST_SENTENCE = 700
_LONGEST_ROW = 400
_LONGEST_CODE = 1_200  # a fence of code is one sentence up to here: half of it says nothing
_LONGEST_TERM = 60  # of a list of definitions
_LONGEST_STAMP = 24  # of when something was said

_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
_ITEM = re.compile(
    r"[ \t]*(?:[-*+\u2022\u2023\u25aa\u25cf\u2013][ \t]+(?:\[[ xX]\][ \t]+)?|\(?\d{1,3}[.)][ \t]+|\(?[a-z][.)][ \t]+(?=\S))"
)
_ADDRESSES = re.compile(r"\[[^\]\s][^\]]{0,80}\]: \S+\Z")  # "[name]: https://...": not read, only referred to
_SAYS = re.compile(r"[A-Z][\w.'-]{0,30}(?: [\w.'-]{1,20}){0,2}: ")  # who speaks, or a field: never the middle of a sentence
_SAYS_AT = re.compile(  # who speaks, behind the time
    r"[\[(]?(?:\d{1,4}[-./]\d{1,2}(?:[-./]\d{0,4})?[ T,]{1,2})?\d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp][Mm])?[\])]? (?:- )?[\w@][\w.'’-]{0,30}(?: [\w.'’-]{1,20}){0,2}: "
)
_NAME_WORD = r"[A-ZÀ-Þ][a-zß-ÿ'’-][A-Za-zÀ-ÿ'’-]{0,30}"  # of somebody: "AL-609 ZONE_MISSING" are no two of them
_CONTACT = re.compile(  # a line of a list of people: "Jane Doe - quality - ext 112"
    rf"{_NAME_WORD} (?:(?:de|van|von|der|la|le|di|da|el|al) )?{_NAME_WORD}(?: {_NAME_WORD})?(?: [-–—] |\t|  +)(?=\S)"
)
_BOLD_LEAD = re.compile(  # a topic in bold, and what is said of it behind: "**Budget.** Agreed."
    r"(?P<marks>\*\*|__)(?P<topic>[^*_\n]{2,60}?)(?:[.:](?P=marks)|(?P=marks)[.:])(?=\s|\Z)"
)
_ASIDE = re.compile(  # what announces a note or a warning, without its title: "!!! warning", ":::tip", "> [!NOTE]"
    r"(?:(?:!!!|\?\?\?\+?)[ \t]*[a-z]{2,20}|:::+[ \t]*(?:[a-z]{2,20}\b)?|\[!?(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]"
    r"|\.\. (?:note|tip|hint|important|warning|caution|danger|attention)::)(?:[ \t]+|\Z)"
)
# what reStructuredText says of one thing: a setting, an option, a function; the text below belongs to it like to a heading
_OBJECT = re.compile(
    r"\.\. (?:[a-z]{1,5}:)?(?:data|confval|setting|option|envvar|function|class|method|attribute|property|exception|module|macro|type|command)::[ \t]+"
)
_QUOTED = re.compile(r"[ \t]*>+[ \t]?")
_RULE = re.compile(r"[ \t]*+(?:[-=_*~^+#.]{3,}+[ \t]*+|\|?[ \t:|+=-]{3,}+)\Z")
_END = re.compile(  # one set of characters first: that is what `re` looks for fast
    r"[.!?\u2026\u3002\uff01\uff1f](?:"
    r"(?<=[.!?\u2026])(?<![.!?\u2026].)[.!?\u2026]*+[\"'\u201d\u2019)\]*_]{0,3}(?=\s++[\"'\u201c\u2018(\[*_`]{0,3}[^\Wa-z_])"
    r"|(?<=[\u3002\uff01\uff1f])[\u3002\uff01\uff1f]*[\u300d\u300f\uff09\u201d]*"
    r"|(?<=[.!?])(?=\s*\Z))"
)
_ABBREVIATIONS = frozenset(
    """mr mrs ms dr prof sr jr st vs etc e.g i.e eg ie cf al fig figs eq no nos vol pp p ch sec inc ltd corp co bros
    dept est approx appt jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun u.s u.k u.n a.m
    p.m ph.d gen sen rep gov lt col capt sgt rev hon v ed eds op ca resp incl excl ref refs no art ver max min""".split()
)
_GERMAN_MONTH = re.compile(r" (?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b")
_INITIALS = re.compile(r"(?:[a-z]\.)+[a-z]\Z")
_BEFORE = re.compile(r"[^\s(\[\"']{1,12}\Z")


RANGE = " \u2026 "  # between the first and the last section of a leaf, in its name
BEGINNING = "Beginning"  # in that, of a document or a heading: what stands before its first heading
BlockKind = Literal["text", "heading", "item", "row", "code"]
TEXTS_KEPT = 64  # of which the spans are remembered: one question looks at the same passages several times


def sentences(text: str) -> list[tuple[int, int]]:
    """Where the sentences of a text stand: spans without markers and outer white space, in order, never overlapping.

    Headings, list items and table rows are sentences of their own; wrapped lines are joined; the lines of a fence stay
    together, blank ones too.
    """
    return [(start, end) for start, end, _ in sentences_by_kind(text)]


@lru_cache(TEXTS_KEPT)
def sentences_by_kind(text: str) -> tuple[tuple[int, int, BlockKind], ...]:
    """The same spans, each with the kind of block it stands in."""
    found: list[tuple[int, int, BlockKind]] = []
    for start, end, kind in blocks(text):
        if kind == "code" or kind == "row":
            longest = _LONGEST_CODE if kind == "code" else _LONGEST_ROW
            found.extend((*span, kind) for span in _limited(text, start, end, longest))
        elif kind == "heading":
            found.extend((*span, kind) for span in _limited(text, start, end, _LONGEST_SENTENCE))
        else:
            found.extend((*span, kind) for span in _cut(text, start, end))
    return tuple(found)


@lru_cache(TEXTS_KEPT)
def terms_by_sentence(text: str) -> tuple[tuple[str, ...], ...]:
    """The terms of each of those sentences."""
    return tuple(tuple(terms(text[start:end])) for start, end, _ in sentences_by_kind(text))


@lru_cache(TEXTS_KEPT)
def blocks(text: str) -> tuple[tuple[int, int, BlockKind], ...]:
    """The paragraphs, headings, list items, table rows and pieces of code of a text, without their markers."""
    found: list[tuple[int, int, BlockKind]] = []
    at, size = 0, len(text)
    start = end = -1  # of the paragraph, item or piece of code being read
    kind: BlockKind = "text"
    fence = ""
    while at < size:
        stop = text.find("\n", at)
        if stop < 0:
            stop = size
        line = text[at:stop]
        bare = line.strip()
        begins = at + len(line) - len(line.lstrip())
        ends = begins + len(bare)
        at = stop + 1
        first = bare[:1]
        if fence or (first in "`~" and bare[:3] in ("```", "~~~")):
            marked = bare[:3] if bare[:3] in ("```", "~~~") and (not fence or bare.strip(bare[0]) == "") else ""
            full = kind == "code" and start >= 0 and ends - start > _LONGEST_CODE
            if start >= 0 and (marked or full):
                found.append((start, end, kind))
                start = -1
            if marked and marked != fence and fence:
                marked = ""
            if marked:
                fence = "" if fence else marked
            elif bare:
                if start < 0:
                    start, kind = begins, "code"
                end = ends
            continue
        if first.isalpha() and (bare[1:2] not in (".", ")") or not _ITEM.match(bare)):
            says = (": " in bare[:50] and _SAYS.match(bare)) or _CONTACT.match(bare)
            if start >= 0 and (says or (kind == "text" and _is_defined(text, start, end, begins, ends))):
                found.append((start, end, kind))
                start = -1
            if start < 0:
                start, kind = begins, "text"
            end = ends
            continue
        opens = _opening(bare)
        if opens is None and bare:
            is_turn = (": " in bare[:90] and _SAYS_AT.match(bare)) or (first in "*_" and _BOLD_LEAD.match(bare))
            if start >= 0 and (is_turn or (kind == "text" and _is_defined(text, start, end, begins, ends))):
                found.append((start, end, kind))
                start = -1
            if start < 0:
                start, kind = begins, "text"
            end = ends
            continue
        if start >= 0:
            found.append((start, end, kind))
            start = -1
        if opens:
            skip, opened = opens
            if opened == "line":
                found.append((begins + skip, ends, "text"))
                continue
            while bare[skip].isspace():  # a control character that counts as space, behind the marker's own spaces
                skip += 1
            if opened in ("heading", "row"):
                found.append((begins + skip, ends, opened))
            else:
                start, end, kind = begins + skip, ends, opened
    if start >= 0:
        found.append((start, end, kind))
    return tuple(found)


def begins_entry(line: str) -> bool:
    """Whether a line is one of a list by its form: what somebody said at a time, who somebody is, what a label is followed by."""
    return any(form.match(line) for form in (_SAYS_AT, _SAYS, _BOLD_LEAD)) or is_contact(line)


def topic_of(line: str) -> str:
    """What a line in bold at its beginning says that it is about: "Budget" of "**Budget.** Agreed."; empty for others."""
    match = _BOLD_LEAD.match(line)
    return match["topic"] if match is not None else ""


def is_contact(line: str) -> bool:
    """Whether a line begins with somebody's name and goes on with what is known of them: "Jane Doe - quality - ext 112"."""
    return _CONTACT.match(line) is not None


def _is_defined(text: str, start: int, end: int, begins: int, ends: int) -> bool:
    """Whether a line of a list of definitions begins a text of its own: the first of a definition, indented below its term,
    or the next term."""
    before, here = start - text.rfind("\n", 0, start), begins - text.rfind("\n", 0, begins)
    if here >= before + 2:
        return _is_term(text, start, end) and (text[begins].isupper() or text[begins] in "*`_")
    return here <= before - 2 and _is_term(text, begins, ends)


def _is_term(text: str, start: int, end: int) -> bool:
    """Whether one line could be a term that is defined below it."""
    return end - start <= _LONGEST_TERM and text[end - 1] not in ".,;:!?-" and text.find("\n", start, end) < 0


def _opening(bare: str) -> tuple[int, BlockKind | Literal["line"]] | tuple[()] | None:
    """What a line begins: (length of its marker, kind); () for a line that only divides; None for a line going on.

    A "line" is a text of its own.
    """
    if not bare:
        return ()
    first = bare[0]
    if first == "|":
        return () if _RULE.match(bare) else (0, "row")
    if _RULE.match(bare) or (first == "[" and _ADDRESSES.match(bare)):
        return ()
    if first == "#" and (mark := _HEADING.match(bare)):
        return (mark.end(), "heading") if mark.end() < len(bare) else ()
    quoted = 0
    if first == ">" and (mark := _QUOTED.match(bare)):
        quoted = mark.end()
        if quoted == len(bare):
            return ()
    if first == "." and (mark := _OBJECT.match(bare)):
        return mark.end(), "heading"
    if bare[quoted] in "!?:[." and (mark := _ASIDE.match(bare, quoted)):
        return (mark.end(), "line") if mark.end() < len(bare) else ()
    if (item := _ITEM.match(bare, quoted)) and item.end() < len(bare):
        return item.end(), "item"
    return (quoted, "text") if quoted else None


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    here = start
    for mark in _END.finditer(text, start, end):
        first, stop = mark.span()
        if stop - first == 1 and text[first] == "." and _abbreviated(text, here, first):
            continue
        if 0 < stop - here <= _LONGEST_SENTENCE:
            yield here, stop
        elif stop > here:
            yield from _limited(text, here, stop, _LONGEST_SENTENCE)
        here = stop
        while here < end and text[here].isspace():
            here += 1
    if here < end:
        yield from _limited(text, here, end, _LONGEST_SENTENCE)


def _abbreviated(text: str, start: int, dot: int) -> bool:
    if text[start] == "[" and dot - start < _LONGEST_STAMP and "]" not in text[start:dot]:
        return True  # in the time before who speaks: "[02.11. 07:12] Ann: ..."
    if dot - start < 6 and text[start:dot].lstrip("*_").isdigit():  # "**3. On-call.** Since Monday …"
        return True
    near = text[max(start, dot - 12) : dot]
    word = near[near.rfind(" ") + 1 :]
    if not word.isalpha():  # most are, and need no expression
        before = _BEFORE.search(near)
        if not before:
            return False
        word = before.group()
        if word.isdigit() and len(word) < 3 and _GERMAN_MONTH.match(text, dot + 1):  # "am 18. Mai"
            return True
    low = word.lower()
    if low in _ABBREVIATIONS or (len(low) == 1 and low.isalpha() and (text[dot - 1].isupper() or low == "c")):
        return True
    return bool(_INITIALS.match(low))


def _limited(text: str, start: int, end: int, longest: int) -> Iterator[tuple[int, int]]:
    """One span, or several where it is too long: cut at a line, else after punctuation, else at a space."""
    while end - start > longest:
        half = start + longest // 2
        last = start + longest
        cut = max(text.rfind("\n", half, last), text.rfind("; ", half, last) + 1)
        if cut < half:
            cut = max(text.rfind(", ", half, last) + 1, text.rfind("\uff0c", half, last) + 1)
        if cut < half:
            cut = text.rfind(" ", half, last)
        if cut < half:
            cut = last
        stop = cut
        while stop > start and text[stop - 1].isspace():
            stop -= 1
        if stop > start:
            yield start, stop
        start = cut
        while start < end and text[start].isspace():
            start += 1
    if end > start:
        yield start, end


# ---------------------------------------------------------------- key phrases

# A phrase ends at the end of a line or clause; other punctuation only falls away.
_BREAKS = ("\n", ". ", ", ", ": ", "; ", "? ", "! ", " - ", "\u2014")
_BREAK = "\x00"
_FALLS = bytes.maketrans(b'\t\r,;:!?()[]{}<>"*`#|\\=+~%&^$', b" " * 28)
# `(?<!\w.)` behind a capital says what `\b` before it would, and lets `re` look for capitals alone
_NAME = re.compile(r"[A-Z](?<!\w.)[\w\u2019'-]{1,30}(?: [A-Z][\w\u2019'-]{1,30}){1,3}")
_URL = re.compile(r"(?<!\w)\w++://[^\s)>\]]+")
_TICKET = re.compile(r"[A-Z](?<!\w.)[A-Z0-9]{1,9}-\d{1,7}\b(?![-.]\w)")
_SPEAKER = re.compile(r"^[ *]*([A-Z][\w.'-]{1,30}(?: [A-Z0-9][\w.'-]{0,30}){0,3})[ *]*:", re.MULTILINE)
_GENERIC = frozenset(
    """new time way first last two three good great see people thing things lot day days year years work works working
    need needs want going know think really well back come even still take look better best right left next number
    part case example point end start using used add set run make made change changes file files line lines code
    page section following available default value values name type true false null none yes okay nice sure hope
    love feel try got lol uh um hmm yeah like different possible able important different several various something
    anything everything someone today tomorrow yesterday week month hey thanks thank sounds amazing awesome http https
    www com org html issue issues meeting meetings refer create""".split()
)


class _Keys(dict[str, str]):
    """The stem under which a token counts in a phrase, remembered; empty for what ends a phrase."""

    def __missing__(self, token: str) -> str:
        bare = token.strip("'.\u2019\u201c\u201d-_/@\u2026")
        if bare.endswith(("'s", "\u2019s")):
            bare = bare[:-2]
        key = ""
        if bare[:1].isalpha() and 1 < len(bare) <= 40 and bare.count("/") < 2:
            key = next(iter(_KNOWN[bare] if bare.isascii() and bare.isalpha() else _terms_of(bare)), "")
        if len(self) >= _CACHE_SIZE:
            self.clear()
        self[token] = key
        return key


_KEYS = _Keys()


def keyphrases(text: str, limit: int = 10) -> list[str]:
    """What a text is about, most telling first: what it repeats, and the names in it."""
    if "://" in text:
        text = _URL.sub(" | ", text)
    tokens = _tokens(text)
    keys = list(map(_KEYS.__getitem__, tokens))
    first = dict(zip(reversed(keys), reversed(tokens), strict=True))
    speakers = {_KEYS[name.split(" ")[0]] for name, count in Counter(_SPEAKER.findall(text)).items() if count > 2}
    scores = _repeated(keys, least=2 if len(tokens) > 60 else 1)
    shown: dict[tuple[str, ...], str] = {}
    for name, count in Counter(_NAME.findall(text)).items():
        pieces = name.split(" ")
        while pieces and (pieces[0] in _NAME_OPENERS or not _KEYS[pieces[0]]):
            pieces = pieces[1:]
        whole = tuple(_KEYS[piece] for piece in pieces)
        if len(pieces) > 1 and all(whole):
            scores[whole] = max(scores.get(whole, 0.0), 0.0) + 0.6 + count * 0.9
            shown.setdefault(whole, " ".join(pieces))
    for ticket, count in Counter(_TICKET.findall(text)).items():
        if ticket.split("-")[0] not in NOT_KEYS and _KNOWN[ticket]:
            scores[(_KNOWN[ticket][0],)] = 0.8 + count * 0.8
            shown[(_KNOWN[ticket][0],)] = ticket
    looks = {key: _LOOKS[first.get(key, key)] * (0.3 if key in speakers else 1.0) for key in set(chain.from_iterable(scores))}
    ranked = sorted((-score * prod(map(looks.__getitem__, whole)), whole) for whole, score in scores.items())
    return _distinct([whole for score, whole in ranked if score < -0.3], shown, keys, tokens, limit)


def _repeated(keys: list[str], least: int) -> dict[tuple[str, ...], float]:
    """The words and pairs of neighbours that come at least so often, by what that is worth."""
    often = {key: count for key, count in Counter(keys).items() if count >= least and key}
    pairs = Counter([pair for pair in pairwise(keys) if pair[0] in often and pair[1] in often])
    scores: dict[tuple[str, ...], float] = {(key,): count * 0.55 for key, count in often.items()}
    scores |= {pair: count * 1.5 for pair, count in pairs.items() if count >= least and pair[0] != pair[1]}
    return scores


def _tokens(text: str) -> list[str]:
    """Words as they are written, and the breaks between phrases. By bytes, which is several times faster."""
    for end in _BREAKS:
        if end in text:
            text = text.replace(end, f" {_BREAK} ")
    return text.encode("utf-8", "replace").translate(_FALLS).decode("utf-8").split()


class _Looks(dict[str, float]):
    """How telling a token is by its looks, remembered."""

    def __missing__(self, token: str) -> float:
        factor = 1.0
        if token.lower() in _GENERIC or len(token) < 3:
            factor = 0.35
        elif "_" in token or any(map(str.isupper, token[1:])):
            factor = 1.35
        elif token[0].isupper():
            factor = 1.1
        if len(self) >= _CACHE_SIZE:
            self.clear()
        self[token] = factor
        return factor


_LOOKS = _Looks()


def _distinct(
    ranked: list[tuple[str, ...]],
    shown: dict[tuple[str, ...], str],
    keys: list[str],
    tokens: list[str],
    limit: int,
) -> list[str]:
    """The best phrases that do not say the same; a longer one takes the place of its part where it is as frequent."""
    chosen: list[tuple[str, ...]] = []
    used: set[str] = set()
    for whole in ranked:
        if sum(map(used.__contains__, whole)) * 2 >= len(whole):
            continue
        chosen.append(whole)
        used.update(whole)
        if len(chosen) == limit:
            break
    return [shown.get(whole) or _as_written(whole, keys, tokens) for whole in chosen]


def _as_written(whole: tuple[str, ...], keys: list[str], tokens: list[str]) -> str:
    at = -1
    while True:
        at = keys.index(whole[0], at + 1)
        if tuple(keys[at : at + len(whole)]) == whole:
            return " ".join(token.strip("'.\u2019\u201c\u201d-_/@\u2026") for token in tokens[at : at + len(whole)])


# ---------------------------------------------------------------- entities


class Entity(NamedTuple):
    kind: str  # name, key, version, date, email, url, code
    text: str
    start: int
    end: int


_MONTH = r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
_NAMED = re.compile(
    r"(?P<url>\bhttps?://[^\s<>\"'`|\\^{}]{1,400})"
    r"|(?P<email>\b[\w.+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,5}[A-Za-z]{2,24}\b)"
    r"|(?P<date>\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}(?:st|nd|rd|th)?(?: of)? " + _MONTH + r"\b\.?,?(?: \d{4}\b)?"
    r"|\b" + _MONTH + r"\.? \d{1,2}(?:st|nd|rd|th)?\b(?:,? \d{4}\b)?|\b" + _MONTH + r",? \d{4}\b|\b\d{1,2}/\d{1,2}/\d{2,4}\b)"
    r"|(?P<key>\b[A-Z][A-Z0-9]{1,9}-\d{1,7}\b(?![-.]\w))"
    r"|(?P<version>\bv\d{1,4}(?:\.\d{1,6}){0,3}\b(?:-(?:rc|alpha|beta)\.?\d*)?|\b\d{1,4}\.\d{1,5}\.\d{1,6}(?:-(?:rc|alpha|beta)\.?\d*)?\b)"
    r"|(?P<code>\b[A-Za-z]\w{0,40}\(\)|\b[a-z]{2,40}(?:[A-Z][a-z0-9]{1,40}){1,6}\b|\b[A-Za-z][a-z0-9]{0,40}(?:_[A-Za-z0-9]{1,40}){1,8}\b|\b[A-Z][a-z0-9]{1,40}(?:[A-Z][a-z0-9]{1,40}){1,6}\b)"
    r"|(?P<name>\b[A-Z][\w\u2019'-]{1,30}(?:(?: (?:of|de|van|von|der|la|the))? [A-Z][\w\u2019'-]{0,30}){1,4})"
)
NOT_KEYS = frozenset(
    """UTF ISO SHA CC CC0 RFC PEP CVE MD RSA AES TLS SSL HTTP GPL LGPL AGPL MPL BSD MIT X86 ARM ASCII EN IEC IEEE UTC
    GMT COVID MP H IPV PY ES WIN WINDOWS CP LATIN KOI8 BIG5 SP V VER STEP PART PAGE FIG TABLE F1 COLOR""".split()
)
_NAME_OPENERS = frozenset(
    """The This That These Those A An In On At If When While For From To And But Or As After Before With It We You They
    He She There Here What Which Who How Why Where Is Are Was Were Do Does Did Can Could Should Would Will May Please
    See Note Hi Hey Hello Dear Thanks Thank Yes No Not Also However Then Now So Our Your My Their His Her Its Actual
    Expected Steps Step""".split()
)


def entities(text: str) -> list[Entity]:
    """Names, ticket keys, versions, dates, addresses and code identifiers, in the order in which they stand."""
    found = []
    for match in _NAMED.finditer(text):
        kind = match.lastgroup or "name"
        start, end = match.span()
        if kind == "key" and text[start:end].split("-")[0] in NOT_KEYS:
            continue
        if kind == "url":
            end = start + len(text[start:end].rstrip(".,;:!?)]*_>"))
        if kind == "name":
            while start < end and text[start:end].split(" ", 1)[0] in _NAME_OPENERS:
                space = text.find(" ", start, end)
                start = space + 1 if space >= 0 else end
            if " " not in text[start:end] or any(map(str.isdigit, text[start:end])):
                continue
        found.append(Entity(kind, text[start:end], start, end))
    return found
