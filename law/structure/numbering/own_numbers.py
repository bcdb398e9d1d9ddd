"""How a document numbers its sections that has none of the forms of its language: `Canon 1`, `IV.`, `(4)`, `ד.2`"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

from law.languages import LANGUAGES
from law.languages.dates import MONTH_NUMBERS
from law.languages.scripts import CASELESS, either, language_of
from law.patterns import regex
from law.structure.lines.headings import read_division
from law.structure.lines.number_keys import ONE, SectionNumber, Style, key_of, step
from law.structure.lines.numbers import read_label
from law.structure.lines.word_numbers import read_behind
from law.words.numerals import division_number

MAX_INSERTED = 30  # sections before the first
MIN_OWN = 3  # numbers behind a word that no language has for sections
MIN_COUNTED = 5  # numbers that lists have elsewhere
_OWN_WORD = regex(r"(?P<word>[^\W\d_]{2,15}\.?) (?P<open>\()?(?P<number>\d{1,3})(?(open)\))[º°]?(?![\w,]|\.\d)")
_OTHER_WORD = regex(either(language.statutes.other_words for language in LANGUAGES), re.I)
_COUNTS = [
    regex(rf"(?P<number>{number})(?=\s|$)\s*(?P<rest>.*)", re.DOTALL)
    for number in (r"(?P<plain>[IVXL]{1,6})\.", rf"(?P<plain>[{CASELESS}]{{1,2}})\.", r"\((?P<plain>\d{1,3})\)")
]
# `ד. Heading`, and below it `ד.2` and `ד.2.1`
_LETTERED = regex(
    rf"(?P<number>(?P<letter>[{CASELESS}]{{1,2}}|[A-Z])(?P<below>(?:\.\d{{1,2}}){{0,4}}))\.?(?<=[.\d])(?:\s+(?P<rest>.*)|$)",
    re.DOTALL,
)

# `A1 Duty to keep a register` and `[F2ZA1 Meaning of “register”`
_BEFORE_ONE = regex(r"(?:F\d{1,4})?(?:\[(?:F\d{1,4}(?=Z?A))?)?(?P<letters>Z?A)(?=\d{1,2}\b)")
_IS_TEXT = regex(r"[.;:,—–-][”\"’)\]]*$")
_SECTION = regex(rf"(?<!\w){either(language.statutes.section_words for language in LANGUAGES)}\s?", re.I)


def own_label(texts: Sequence[str], *, statutory: bool) -> Callable[[str], SectionNumber | None]:
    """What reads the numbers of a document that are of no language, from the beginning of a line."""
    if word := _own_word(texts):
        return lambda text: read_behind(text, found) if (found := word.match(text)) else None
    if _letters_sections(texts):
        return _lettered
    count = next((count for count in _COUNTS if _counts_sections(count, texts)), None) if statutory else None
    return partial(_counted, count) if count else lambda text: None


def _counted(count: re.Pattern[str], text: str) -> SectionNumber | None:
    if (found := count.match(text)) is None:
        return None
    key = key_of(division_number(found["plain"]))
    return SectionNumber(found["plain"], key, Style.WORD, found["rest"].strip(), word=found["number"][-1])


def _counts_sections(count: re.Pattern[str], texts: Sequence[str]) -> bool:
    """Whether the lines count once from one on, before all other numbers, further than these and beside no section.

    Where most have a list that counts from one, they may be parts above the sections.
    """
    numbers: list[int] = []
    others: list[int] = []
    for text in texts:
        if own := _counted(count, text):
            numbers.append(own.key[0][0])
        elif label := read_label(text):
            if not numbers or label.style is Style.WORD:
                return False
            others.append(label.key[0][0])
    is_once = numbers == list(range(1, len(numbers) + 1)) and 2 * others.count(1) <= len(numbers)
    return is_once and len(numbers) >= max(MIN_COUNTED, 1 + _run(others))


def _lettered(text: str) -> SectionNumber | None:
    if (found := _LETTERED.match(text)) is None:
        return None
    letters = found["letter"]
    place, _ = language_of(letters[0]).letters_order(letters)
    key = key_of(f"{place}{found['below']}")
    return SectionNumber(found["number"], key, Style.NUMBER, (found["rest"] or "").strip(), word=".")


def _letters_sections(texts: Sequence[str]) -> bool:
    """Whether letters count headings from the first on, once, and numbers below them begin with the letter above.

    Where other numbers go on from heading to heading, these are the sections, or the paragraphs of a judgment.
    """
    heads: list[int] = []
    numbers = 0
    for own in filter(None, map(_lettered, texts)):
        letter = own.key[0][0]
        if len(own.key) == 1:
            heads.append(letter)
        elif heads[-1:] != [letter]:
            return False
        else:
            numbers += 1
    if min(len(heads), numbers) < MIN_OWN or heads != list(range(1, len(heads) + 1)):
        return False
    labels = (read_label(text) for text in texts if _lettered(text) is None)
    return _run([label.key[0][0] for label in labels if label and len(label.key) == 1]) < MIN_OWN


def _own_word(texts: Sequence[str]) -> re.Pattern[str] | None:
    """The word that this document alone has for its sections, as in `Canon 1`, `Canon 2`: no other numbers go further.

    What counts inside a section begins behind its number. Where most have such a list, as the orders of rules of
    court have rules, they may be parts above the sections. No word does that counts where one of a language does.
    """
    found: dict[str, list[int]] = {}
    others: list[int] = []
    lists: Counter[str] = Counter()
    last = ""
    for text in texts:
        if (match := _may_be_own(text)) and not (others and match["word"] not in found):
            last = match["word"]
            found.setdefault(last, []).append(int(match["number"]))
        elif (label := read_label(text)) and len(label.key) == 1:
            others.append(label.key[0][0])
            lists[last] += others[-1] == 1
    word = max(found, key=lambda word: _run(found[word]), default="")
    if not word or _run(found[word]) < max(MIN_OWN, 1 + _run(others)) or 2 * lists[word] > len(found[word]):
        return None
    if read_division(f"{word} 1:") or any(_is_of_sections(one) and _run(found[one]) > 1 for one in found):
        return None
    return regex(rf"{re.escape(word)}\s*(?=\(?\d)")


def _may_be_own(text: str) -> re.Match[str] | None:
    """A word and a number that the line begins with, if it is none that never counts sections."""
    match = _OWN_WORD.match(text)
    is_other = match and (_OTHER_WORD.fullmatch(match["word"]) or match["word"].rstrip(".").casefold() in MONTH_NUMBERS)
    return None if is_other else match


def _is_of_sections(word: str) -> bool:
    """Whether a language has the word for sections."""
    named = read_label(f"{word} 1:")
    return named is not None and not named.behind


def _run(numbers: Sequence[int]) -> int:
    """How far they count in order from one, whatever else is between."""
    last = 0
    for number in numbers:
        last += number == last + 1
    return last


def inserted_before_first(texts: Sequence[str], passed_over: Container[int]) -> dict[int, SectionNumber]:
    """The sections A1, A2 and ZA1 that were inserted before section 1, by the places of their lines.

    They count from one on, each has text below it, and behind them section 1 is printed in the same form. A list may
    look the same, so one of them has the mark of an amendment (`[F1A1`) or is cited: `section A1(2)`.
    """
    found: dict[int, SectionNumber] = {}
    for place, text in enumerate(texts if any(map(_BEFORE_ONE.match, texts)) else ()):
        inserted = _BEFORE_ONE.match(text)
        label = read_label(text[inserted.end() :] if inserted else text) if place not in passed_over else None
        if label is None or len(label.key) > 1:
            continue
        if inserted is not None:
            last = next(reversed(found.values()), label)
            key = ((0, len(inserted["letters"]) == 1, label.key[0][0]),)
            found[place] = replace(label, number=f"{inserted['letters']}{label.number}", key=key)
            is_first, is_next = len(found) == 1 and key[0][2] == 1, step(last.key, key) == 1
            if not (is_first or is_next) or last.form != label.form or len(found) > MAX_INSERTED:
                return {}
        elif found and label.key == ONE and label.form == next(iter(found.values())).form:
            return found if _are_sections([*found, place], texts, [*found.values()]) else {}
        elif label.key == ONE:
            return {}
    return {}


def _are_sections(places: Sequence[int], texts: Sequence[str], numbers: Sequence[SectionNumber]) -> bool:
    """Whether text is between the lines, and one has the mark of an amendment or is cited as a section."""
    is_marked = any(texts[place].startswith(("F", "[F")) for place in places[:-1])
    cited = regex(rf"{_SECTION.pattern}{either([one.number for one in numbers])}(?=[.,;:()–—]|$)", re.I)
    has_text = all(any(map(_IS_TEXT.search, texts[at:end])) for at, end in pairwise(places))
    return has_text and (is_marked or any(map(cited.search, texts)))
