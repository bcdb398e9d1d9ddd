"""Whether a citation's words for an act are the title of a source."""

from collections.abc import Iterable
from dataclasses import dataclass

from law.citations.titles import Title, TitleWord, align, of_one_year, parse_title, title_similarity
from law.languages.scripts import language_of
from law.words.analysis import Term
from sources.citations.act_names import AMENDING_WORDS
from sources.citations.source_keys import NUMBER_NOUNS

_MIN_WORDS = 2
_OTHER_SPELLING = 0.7


@dataclass(frozen=True, order=True, slots=True)
class _Distance:
    """How far a title is from the words that cite it. The least is the likeliest."""

    other_year: bool  # one of the two has none, or only one of their calendars agrees
    brackets_left: int  # words in brackets that only one of the two has
    spelling: float


def title_starts(cited: str) -> list[str]:
    """The beginnings, as kb_source_key has them, of titles that the words may be. The first has their own spelling."""
    return other_starts(parse_title(cited).start)


def other_starts(start: str) -> list[str]:
    """A beginning and those of the same words in another spelling, in which one may cite what has the other."""
    first, _, second = start.partition(" ")
    if not second:
        return [start] if start else []
    return [start, *(f"{first} {one}" for one in language_of(second).other_spellings(second))]


def closest(cited: str, titles: Iterable[tuple[int, Title]]) -> list[int]:
    """The ids of the sources whose title the words are. Several where nothing tells them apart."""
    wanted = parse_title(cited)
    found = [(distance, source_id) for source_id, title in titles if (distance := _distance(wanted, title))]
    if not found:
        return []
    least, _ = min(found)
    return sorted({source_id for distance, source_id in found if distance == least})


def of_another_year(cited: str, titles: Iterable[tuple[int, Title]]) -> list[int]:
    """The ids of the sources that are called so but for the year, none where the words give no year.

    `Welfare Act 2015` is no other year of `Welfare (Exports) Act 2024`: the brackets make that another act.
    """
    wanted = parse_title(cited)
    if not (wanted.year or wanted.calendar):
        return []
    undated = wanted._replace(year="", calendar="")
    found = [
        (distance, source_id)
        for source_id, title in titles
        if (distance := _distance(undated, title)) and not distance.brackets_left
    ]
    least = min(found)[0] if found else None
    return sorted({source_id for distance, source_id in found if distance == least})


def _distance(cited: Title, title: Title) -> _Distance | None:
    said, words = _telling(cited), _telling(title)
    found = align(said, words, _same_word)
    is_whole = found.said == len(said) and found.titled == len(words)
    if not is_whole or len(found.likenesses) < min(_MIN_WORDS, len(words)):
        return None
    if of_one_year(title, cited.year, cited.calendar) is False:
        return None  # an act of that name, of another year; one of two calendars may be misprinted
    if (cited.year or cited.calendar) and _amending(words) - _amending(said):
        return None  # `Hoists Act 1990` is not the act that amends it in that year
    other_year = bool(cited.year) and cited.year != title.year
    if found.said_alone and (found.title_alone or not cited.year or other_year):
        return None  # `(מימון בחירות)` is not `(בחירות)`
    spelling = round(len(found.likenesses) - found.matched, 3)
    return _Distance(other_year, found.said_alone + found.title_alone, spelling)


def _amending(words: Iterable[TitleWord]) -> set[str]:
    """The words in brackets that say that an act amends the one without them."""
    return {word.term.stem for word in words if word.optional and word.term.word in AMENDING_WORDS}


def _telling(title: Title) -> list[TitleWord]:
    """Its words but for `No.`, which one may write before a number or not."""
    return [word for word in title.words if word.term.word not in NUMBER_NOUNS]


def _same_word(one: Term, other: Term) -> float:
    """As in queries, and a spelling that differs where a prefix may be: `ביטחון` and `בטחון` have other stems."""
    if likeness := title_similarity(one, other):
        return likeness
    spelled = not one.word[:1].isdigit() and language_of(one.word).are_spellings(one.word, other.word)
    return _OTHER_SPELLING if spelled else 0.0
