"""Names and numbers of instruments beside a citation that no form reads: what it is of is not known.

Whoever took it for a provision of this document, or of the act named before, would link it to another law's. The forms
are rows of `unread.toml`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from law.citations.numbers import UNIT
from law.languages import DEFAULT, LANGUAGES
from law.languages.protocol import Language
from law.languages.scripts import CASELESS, PREFIX_LETTERS, either
from law.languages.words import read_patterns
from law.patterns import regex

_MAX_MARK_LENGTH = 70  # characters
_MAX_PLACES = 3  # parts of a document around one another


def _before_comma(words: Iterable[str]) -> str:
    """Words with a comma behind them or none: `regulation 3 of, and Schedule 2 to, the …`."""
    return either(word[:-1] + ",? " if word.endswith(" ") else word for word in words)


def _words(name: str, *, capitals: Sequence[bool] = (True, False)) -> str:
    """Those of the languages with capitals, or of those without, or of all."""
    return either(word for one in LANGUAGES if one.has_capitals in capitals for word in getattr(one.unread, name))


def _own_words(language: Language) -> dict[str, str]:
    """Those of one language."""
    said = language.unread
    return {
        "surely_of": _before_comma(said.surely_of),
        "joining_comma": _before_comma(said.joining),
        "loosely_comma": _before_comma(said.loosely),
        "joining_or_loosely": either((*said.joining, *said.loosely)),
        "of_or_joining": either((*said.surely_of, *said.joining)),
        "plain": either((*said.inside, *said.plain)),
        "numbering": either(said.numbered),
        "printed": either(said.printed_in),
        "the": either([language.citations.articles]),
        **{name: either(getattr(said, name)) for name in ("joining", "own", "articles", "places", "unnumbered")},
        **{f"said_{name}": either(getattr(said, name)) for name in ("instruments", "inside", "plans")},
    }


_OF_ALL = {
    "caseless": CASELESS,
    "prefix_letters": PREFIX_LETTERS,
    "months": either(month for one in LANGUAGES for month in one.dates.months),
    "listed_words": either(
        word for one in LANGUAGES if one.has_capitals for word in (*one.unread.places, one.statutes.other_words)
    ),
    "series_word": either(
        (f"[{PREFIX_LETTERS}]{{0,3}}" if one.prefixes else "") + either(one.unread.series) for one in LANGUAGES
    ),
    "in_it_words": _words("in_it"),
    "citing": either(word for one in LANGUAGES for word in one.documents.citing_words),
    "abroad": _words("abroad"),
    **{
        name: _words(name, capitals=[True])
        for name in ("instruments", "series", "plans", "inside", "counted", "dated", "paged", "issued", "enacted")
    },
    **{
        f"caseless_{name}": _words(name, capitals=[False])
        for name in ("instruments", "series", "numbered", "places", "unnumbered", "of_whom", "loosely", "articles")
    },
}
_FILE = Path(__file__).with_suffix(".toml")
_GIVEN = {language.code: {**_OF_ALL, **_own_words(language)} for language in LANGUAGES}
_PATTERNS = read_patterns(_FILE, given=_GIVEN[DEFAULT.code])


class UnreadName(NamedTuple):
    """Where such a name ends, and what says that it is one. `word` is that for what it is, '' for a number."""

    end: int
    words: str
    word: str = ""


class _Behind:
    """What one language says behind a citation, as compiled patterns."""

    def __init__(self, language: Language) -> None:
        self._has_capitals = language.has_capitals
        self._patterns = read_patterns(_FILE, given=_GIVEN[language.code], table="behind")

    def name(self, text: str, place: int, *, of_section: bool, is_listed: bool) -> UnreadName | None:
        """As `unread_behind`."""
        says = self._patterns
        if not self._has_capitals:
            glued = (says["loosely_glued"] if of_section else says["glued"]).match(text, place)
            return UnreadName(glued.end(), glued["words"], glued["word"] or "") if glued else None
        link = says["link"].match(text, place)
        hops = 0
        while link and (inner := says["place"].match(text, link.end())):  # `Part 2 of the Schedule to the lease`
            link, hops = (says["link"].match(text, inner.end()) if hops < _MAX_PLACES else None), hops + 1
        if link is None or (link["listed"] is not None and not is_listed):
            return None
        patterns = [says["printed_in"] if link["listed"] is not None and hops else says["numbered"]]
        if link["quoted"]:  # `the definition in section 5 of “boat”` names no act
            patterns += [says["named"], *([says["lower"]] if link["article"] else ())]
        elif link["sure"]:
            patterns += [says[name] for name in ("named", "lower", "plan", "run", "number", "script")]
        elif link["listed"] is None and (of_section or hops):
            patterns += [says["named"], *([says["lower"]] if link["joined"] and link["article"] else ())]
        found = next(filter(None, (pattern.match(text, link.end()) for pattern in patterns)), None)
        if found is None:
            return None
        word = found.groupdict().get("word") if link["definite"] else ""
        return UnreadName(found.end(), found[0], word or "")

    def is_of_this(self, text: str, place: int) -> bool:
        """As the function."""
        return self._patterns["of_this"].match(text, place) is not None


_SHORT_UNIT = regex(either(language.acts.short_unit for language in LANGUAGES))
_BEHIND = [_Behind(language) for language in LANGUAGES]


def unread_behind(text: str, place: int, *, of_section: bool, is_listed: bool) -> UnreadName | None:
    """What a citation that ends here goes on with: one of a section, or of clauses alone.

    Without `is_listed` not behind a comma.
    """
    names = (one.name(text, place, of_section=of_section, is_listed=is_listed) for one in _BEHIND)
    return next(filter(None, names), None)


def _is_of_instrument(mark: re.Match[str]) -> bool:
    if UNIT.match(mark[0], 0) or _PATTERNS["listed"].search(mark.string):  # `תקנות 5.1, סעיף 3`
        return False
    return not mark[0].endswith(("(", "[")) or _PATTERNS["tells_number"].search(mark[0]) is not None


def unread_before(text: str, place: int, end: int) -> str:
    """What stands right before a citation between these places, or ''."""
    lead = text[max(0, place - _MAX_MARK_LENGTH) : place].rpartition("\n")[2]
    patterns = [_PATTERNS["number_mark"], _PATTERNS["instrument_before"]]
    patterns += [_PATTERNS["short_mark"]] if _SHORT_UNIT.match(text, place) else []
    patterns += [_PATTERNS["caseless_before"]] if _PATTERNS["in_it"].match(text, end) else []
    marks = filter(None, (pattern.search(lead) for pattern in patterns))
    mark = next(filter(_is_of_instrument, marks), None)
    return mark[0].strip(" ,([") if mark else ""


def is_of_this(text: str, place: int) -> bool:
    """Whether a citation that ends here goes on with `of this title`."""
    return any(one.is_of_this(text, place) for one in _BEHIND)


def more_of_name(text: str, place: int, title: str) -> re.Match[str] | None:
    """What makes a name that ends here another one: a number, a day, or as the group `year` one that it has not."""
    more = _PATTERNS["goes_on"].match(text, place)
    return None if more is None or (more["year"] and more["year"] in title) else more


def number_beside(text: str, place: int) -> str:
    """A number of an act whose name ends here, or '': `(Cap. 57)`, `, R.S.O. 1990, c. H.19`."""
    found = _PATTERNS["beside"].match(text, place)
    if found is None or not re.search(r"\d", found[0]) or (found["open"] and UNIT.match(text, found.start("open"))):
        return ""  # `Ports Act, Sec. 36`
    return found["inside"] or found["era"] or found["open"]


def is_number_of_act(beside: str) -> bool:
    """Whether what stands in brackets behind `the Act` says which one that is: `R.S.A. c. H50`, not `Part 2`."""
    return _PATTERNS["abbreviated_series"].search(beside) is not None


def unread_alone(text: str) -> Iterator[tuple[int, int]]:
    """Where numbers of series that no form reads stand alone, those in letters behind what cites: `by SD 2031/143`."""
    done = 0
    hints = (_PATTERNS[name].finditer(text) for name in ("digit_hint", "word_hint"))
    for hint in sorted(chain.from_iterable(hints), key=re.Match.start):
        start, end = max(done, hint.start() - _MAX_MARK_LENGTH), hint.end() + _MAX_MARK_LENGTH
        for found in _PATTERNS["alone"].finditer(text, start, end):
            if found.end() == end < len(text):
                break  # its number goes on, and is a hint as well
            done = found.end()
            name = found["latin"] or ""
            is_cited = found["cites"] or _PATTERNS["has_series_word"].search(name)
            if not name or (is_cited and _PATTERNS["of_year"].search(name) and _PATTERNS["tells_series"].search(name)):
                yield found.span(found.lastgroup or 0)


def is_page(number: str) -> bool:
    """Whether it is where an act is printed: `110 Stat. 1936`."""
    return _PATTERNS["page"].fullmatch(number) is not None


def numbers_of_series(text: str) -> list[str]:
    """The numbers in a text, each with the words or letters that say of which series it is: `L.N. 63/2014`."""
    return [name[0] for name in _PATTERNS["any_series"].finditer(text) if _PATTERNS["tells_series"].search(name[0])]
