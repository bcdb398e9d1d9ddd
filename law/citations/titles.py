"""Titles of acts: their words, how far those of a text are the same, of one year, or a part that names the act."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import NamedTuple

from law.languages import LANGUAGES
from law.languages.scripts import either, language_of
from law.patterns import regex
from law.structure.lines.headings import UNITS
from law.words.analysis import Term, terms

STEM_MATCH = 0.9  # of a word's worth, when a word of the title is met in another form
SPELLING_MATCH = 0.8  # and when it is spelled otherwise

_YEAR = r"\d{4}"
_YEAR_LEAD = either(language.citations.year_lead for language in LANGUAGES)
# What follows a title's name, but for `71 of`: `, התש"ט–1949`, `, 1949`, ` 2006`.
_CALENDAR_YEAR = either(language.citations.calendar_year for language in LANGUAGES)
_TITLE_YEAR = regex(
    rf"(?<![,\s])(?:(?<!\d)[,\s]+{_YEAR_LEAD}|[,\s]+)(?:(?P<calendar>{_CALENDAR_YEAR})\s*[-–—־]?\s*)?"
    rf"(?P<year>{_YEAR})\s*(?P<edition>\[[^\]]*\])?\s*$"
)
# `Ports Act (2022)` is what `Ports Act, 2022` is
_BRACKETED_YEAR = regex(
    rf"(?<!\s)\s*\((?P<year>{_CALENDAR_YEAR}(?:\s*[-–—־]\s*{_YEAR})?|{_YEAR_LEAD}?{_YEAR})\)"
    r"(?P<edition>\s*\[[^\]]*\])?\s*$"
)
CALENDAR_MARKS = regex("^ה|[\"'״׳]")  # התשי"ט and תשי"ט are one year
_ONLY_CALENDAR_YEAR = regex(rf"(?:,\s*|\s(?=\S*[\"'׳״]))({_CALENDAR_YEAR})\s*$")
# `71 of` before the year: left out by who cites the act by its name and year.
_OF_NUMBER = either(language.citations.printed_number for language in LANGUAGES)
_PRINTED_NUMBER = regex(rf"(?i:({_OF_NUMBER})) *$")
_ARTICLE = regex(rf"(?i)^\s*{either(language.citations.articles for language in LANGUAGES)}\s+")
_BILL = regex(f"(?i){either(language.citations.bill for language in LANGUAGES)}")
_OPTIONAL = regex(r"[(\[]|[)\]]")
MAX_YEAR_WORDS = 5
_NUMBER = regex(f"(?i:{_OF_NUMBER}) ")
_LEAD = regex(_YEAR_LEAD)
_A_YEAR = regex(r"1[5-9]\d\d|2[045]\d\d")  # of the common era or the Buddhist one
MIN_LENGTH = 2  # words
SURELY_LENGTH = 3  # words that the end of a title has without its year
_CUT_SHORT = regex(r"([^\W\d_]{2,})\.")
_ABBREVIATED = regex(r"(?<![^\W_])[^\W\d_]{1,8}\. ?(?=[^\W\d_])")
_INITIALS = regex(r"(?:[^\W\d_]\. ?){2,4}(?=[^\W\d_]{2})")


class TitleWord(NamedTuple):
    """A word of a title. What stands in brackets may be left out when the title is cited."""

    term: Term
    optional: bool


class Title(NamedTuple):
    """A title as citations see it. `calendar` is its year in the language's own calendar, without marks."""

    words: tuple[TitleWord, ...]
    year: str
    calendar: str = ""

    @property
    def start(self) -> str:
        """The stems of its first two words, by which titles that a text may name are looked up."""
        return " ".join(word.term.stem for word in self.words[:2])

    @property
    def required(self) -> list[TitleWord]:
        """Its words outside brackets."""
        return [word for word in self.words if not word.optional]

    @property
    def called(self) -> list[TitleWord]:
        """Those of the brackets that it ends in: often what the act is called."""
        return [*takewhile(lambda word: word.optional, reversed(self.words))][::-1]


def leaves_out(name: Title, title: Title) -> bool:
    """Whether a name without a year has not all words of the title in brackets: another act may be called so.

    `the Animal Welfare Act` may be that of 2006, and not the Animal Welfare (Livestock Exports) Act 2024.
    """
    told = {word.term.stem for word in name.words}
    optional = {word.term.stem for word in title.words if word.optional}
    return not name.year and bool(title.year) and not optional <= told


@lru_cache(maxsize=20_000)
def parse_title(title: str) -> Title:
    """The words of a title, without its year."""
    year = calendar = ""
    title = _BRACKETED_YEAR.sub(r", \g<year>\g<edition>", title)
    if match := _TITLE_YEAR.search(title):
        name = _PRINTED_NUMBER.sub(r" (\1)", title[: match.start()])
        year, title = match["year"], f"{name} {match['edition'] or ''}"
        calendar = CALENDAR_MARKS.sub("", match["calendar"] or "")
    if match := _ONLY_CALENDAR_YEAR.search(title):
        calendar, title = calendar or CALENDAR_MARKS.sub("", match[1]), title[: match.start()]
    title = _ARTICLE.sub("", title, count=1)
    words = []
    depth = 0
    place = 0
    for bracket in [*_OPTIONAL.finditer(title), None]:
        end = bracket.start() if bracket else len(title)
        words += [TitleWord(term, depth > 0) for term in terms(title[place:end])]
        if bracket:
            depth = depth + 1 if bracket.group() in "([" else max(depth - 1, 0)
            place = bracket.end()
    return Title(tuple(words), year, calendar)


class Alignment(NamedTuple):
    """How far words that a text says are those of a title, from the beginning of both.

    `said` and `titled` count the words up to where they part. `likenesses` are those of the words that both have,
    `said_alone` and `title_alone` count the words that only one has and may have.
    """

    said: int
    titled: int
    likenesses: tuple[float, ...]
    said_alone: int
    title_alone: int

    @property
    def matched(self) -> float:
        """How many words both have, those in another form as a part of one."""
        return sum(self.likenesses)


def align(
    said: Sequence[TitleWord], title: Sequence[TitleWord], alike: Callable[[Term, Term], float | bool]
) -> Alignment:
    """The words of a text beside those of a title. A word may be left out where it is `optional`, first in the title.

    `alike` tells how like a word of the title is to one that the text says, from 0 to 1.
    """
    one = other = said_alone = title_alone = 0
    likenesses = []
    end, title_end = len(said), len(title)
    while one < end or other < title_end:
        both = one < end and other < title_end
        if both and (likeness := alike(title[other].term, said[one].term)):
            one, other = one + 1, other + 1
            likenesses.append(float(likeness))
        elif other < title_end and title[other].optional:
            other, title_alone = other + 1, title_alone + 1
        elif one < end and said[one].optional:
            one, said_alone = one + 1, said_alone + 1
        else:
            break
    return Alignment(one, other, tuple(likenesses), said_alone, title_alone)


def title_similarity(one: Term, other: Term) -> float:
    """How far a word of a title is met by a word of a text, from 0 to 1."""
    if one.word == other.word:
        return 1.0
    if one.stem == other.stem:
        return STEM_MATCH
    language = language_of(one.stem)
    same = language.are_spellings(one.stem, other.stem) and language is language_of(other.stem)
    return SPELLING_MATCH if same else 0.0


@lru_cache(maxsize=10_000)
def without_prefixes(word: Term) -> tuple[Term, ...]:
    """A word, and what it is without one or two prefix letters (`לחוק`, `שבתקנות`)."""
    prefixes = language_of(word.word).prefixes
    found = [word]
    for dropped in (1, 2):
        if len(word.word) <= dropped + 1 or word.word[dropped - 1] not in prefixes:
            break
        found += terms(word.word[dropped:])[:1]
    return tuple(found)


def is_bill(title: str) -> bool:
    """Whether what has this title is only proposed, as a `Bill` or a `הצעת חוק` is."""
    return _BILL.search(title) is not None


def year_beside(words: Sequence[Term]) -> tuple[str, str]:
    """The year right behind a name, of the common calendar and of the language's own: `71 of 2008`, `התש״ף–2020`."""
    text = f" {' '.join(term.word for term in words[:MAX_YEAR_WORDS])} "
    number = _NUMBER.match(text)
    rest = text[number.end() if number else 1 :]
    lead = _LEAD.match(rest)
    first, second, third, *_ = [*rest[lead.end() if lead else 0 :].split(), "", "", ""]
    if len(second) == 1 and language_of(second).calendar_years(first + second):  # an apostrophe written twice
        first, second = first + second, third
    calendar = CALENDAR_MARKS.sub("", first) if language_of(first).calendar_years(first) else ""
    year = second if calendar else first
    return (year if _A_YEAR.fullmatch(year) else ""), calendar


def of_one_year(title: Title, year: str, calendar: str) -> bool | None:
    """Whether the title is of that year, or None where one of the two is not dated.

    It is if one calendar says so: a year in the other may be misprinted.
    """
    pairs = [pair for pair in ((title.year, year), (title.calendar, calendar)) if all(pair)]
    if pairs:
        return any(one == other for one, other in pairs)
    if title.year and calendar:
        return int(title.year) in language_of(calendar).calendar_years(calendar)
    if title.calendar and year:
        return int(year) in language_of(title.calendar).calendar_years(title.calendar)
    return None


def is_misdated(title: Title, year: str, calendar: str) -> bool:
    """Whether a text gives the title's act a year in two calendars of which only one is the act's."""
    if not (year and calendar):
        return False
    return of_one_year(title, year, "") is not of_one_year(title, "", calendar)


class PartName:
    """A name that may be a part of a title: its end, words cut short, or a code of which the document is a part."""

    def __init__(self, name: str) -> None:
        self._title = parse_title(name)
        self._cut = {word.casefold() for word in _CUT_SHORT.findall(name)}
        initials = _INITIALS.match(name)
        self._initials = initials[0].casefold().replace(".", " ").split() if initials and initials[0].isupper() else []
        # `N.Y. Alco. Bev. Cont. Law`: most titles do not say which land they are of
        self._words = [word for word in self._title.required if len(word.term.word) > 1]

    @property
    def whole(self) -> list[Term]:
        """The words that are not cut short: each title that it may mean has them."""
        return [word.term for word in self._words if word.term.word not in self._cut]

    def may_mean(self, title: Title) -> bool:
        if len(self._words) < MIN_LENGTH or of_one_year(title, self._title.year, self._title.calendar) is False:
            return False
        is_whole = bool(self._cut) and self._has_all(title.required)
        is_called = bool(title.called) and self._has_all(title.called)
        return is_whole or is_called or self._is_end(title) or self.is_code(title) or self._is_of_land(title)

    def _is_of_land(self, title: Title) -> bool:
        """`N.Y. Penal Law` of `New York Penal Law`."""
        length = len(self._initials)
        land, rest = title.required[:length], title.required[length:]
        return (
            0 < length == len(land)
            and self._has_all(rest)
            and all(word.term.word.startswith(letter) for word, letter in zip(land, self._initials, strict=True))
        )

    def _is_end(self, title: Title) -> bool:
        """`Fish Act, 1950` of `Conservation of Fish Act, 1950`."""
        length = len(self._words)
        is_telling = length >= SURELY_LENGTH or bool(self._title.year and title.year)
        return is_telling and length < len(title.required) and self._has_all(title.required[-length:])

    def is_code(self, title: Title) -> bool:
        """`Oxbow Code` of `Oxbow Code of Ordinances, Chapter 1 Carts`."""
        found = align(self._words, title.words, self._is_same)
        return found.said == len(self._words) and is_part(title.words[found.titled :])

    def _has_all(self, words: list[TitleWord]) -> bool:
        found = align(self._words, words, self._is_same)
        return found.said == len(self._words) and found.titled == len(words)

    def _is_same(self, word: Term, said: Term) -> float:
        is_beginning = said.word in self._cut and word.word.startswith(said.word)
        return float(is_beginning) or title_similarity(word, said)


def is_part(words: Iterable[TitleWord]) -> bool:
    """Whether words of a title say that it is of a part of a code: `Oxbow Code of Ordinances, Chapter 1 Carts`."""
    bare = (word.term.word for word in words)
    return any(word in UNITS and number[0].isdigit() for word, number in pairwise(bare))


def is_cut_short(name: str) -> bool:
    """Whether words of a name are cut short: `N.Y. Alco. Bev. Cont. Law`."""
    return _ABBREVIATED.search(name) is not None
