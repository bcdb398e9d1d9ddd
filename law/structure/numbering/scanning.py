"""A document as the first step of numbering reads it: what each line may be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex
from law.structure.lines.document_lines import DocumentLine
from law.structure.lines.gone import numbers_gone
from law.structure.lines.headings import HeadingDivision, looks_like_heading, read_division, tidy
from law.structure.lines.number_keys import Key, is_below, step
from law.structure.lines.numbers import Style, read_label, without_mark
from law.structure.numbering.candidates import (
    FORM,
    LATER_CLAUSE,
    NumberCandidate,
    candidate,
    heads_section,
    leads_in,
    may_be,
)
from law.structure.numbering.contents import find_contents
from law.structure.numbering.rows import weigh_contents, weigh_rows

MOST_TITLES = 3  # lines that head one section
LEAST_SECTIONS = 2  # printed as such in an act whose articles have sections
_QUOTE_LINES = 120  # a quotation that never closes is a misprint
# Points, as those of `candidates`
INSERTED = "text of another act"
OTHER_ACT, INSIDE = -3.0, -4.0
LEAST_DIVIDED = 2  # sections named by a word, whose paragraphs have numbers

_WORDS = [language.statutes for language in LANGUAGES]
_INSERTS = regex(rf"{either(words.inserts for words in _WORDS)}\s*[:–—-]+$", re.I)
_QUOTE_OPENS = regex(r"[\"”“״„]")
_QUOTE_CLOSES = regex(r"[\"”“״][.;,]?$")
_ROMAN_WORD = regex(either(words.roman_words for words in _WORDS))


@dataclass(frozen=True, slots=True)
class Border:
    """A line that opens a chapter or a schedule: behind it, numbers may begin anew."""

    place: int
    division: HeadingDivision


class QuotedAmendment:
    """Knows whether the stream is inside a text that is quoted to be inserted into another law."""

    def __init__(self) -> None:
        self._left = 0

    def holds(self, text: str, previous: str) -> bool:
        if not self._left and _QUOTE_OPENS.match(text) and _INSERTS.search(previous):
            self._left = _QUOTE_LINES
        if not self._left:
            return False
        self._left = 0 if _QUOTE_CLOSES.search(text) else self._left - 1
        return True


@dataclass
class Scan:
    """A document as the first step reads it: what each line may be."""

    candidates: list[NumberCandidate] = field(default_factory=list)
    borders: list[Border] = field(default_factory=list)
    quoted: set[int] = field(default_factory=set)  # places of quoted amendments and tables of contents
    gone: set[str] = field(default_factory=set)  # numbers of which the document says that they are repealed


def scan(lines: Sequence[DocumentLine], *, statutory: bool) -> Scan:
    """Every line that may begin a section, a chapter or a schedule."""
    texts = [line.text.strip() for line in lines]
    found, contents, quotation = Scan(), find_contents(texts), QuotedAmendment()
    articles = _articles_with_sections(texts)
    titles: list[int] = []
    untitled = -1  # the place below a chapter without a title
    titled = False
    last: Key = ()
    previous = ""  # the text before the titles
    for place, line in enumerate(lines):
        text = texts[place]
        following = texts[place + 1] if place + 1 < len(texts) else ""
        if not line.opens or not text or line.is_data:
            if text:
                previous, titles = text, []
            continue
        if text.isdecimal():
            continue  # the number of a page
        if place in contents or quotation.holds(text, previous if not titles else texts[titles[-1]]):
            found.quoted.add(place)
            found.gone.update(numbers_gone(text))
            previous, titles = "" if place in contents else text, []
        elif (division := articles.get(place) or read_division(text)) is not None:
            found.borders.append(Border(place, division))
            untitled = -1 if division.titled else place + 1
            previous, titles = previous if leads_in(previous) else "", []
            titled = titled or division.titled
        elif (label := read_label(without_mark(text, last))) is not None and may_be(label, statutory=statutory):
            before = next((texts[title] for title in reversed(titles) if texts[title].endswith(".")), previous)
            one = candidate(place, label, titles, following, before)
            one.entitles = titles[:1] == [untitled]
            before_it = found.candidates[-1].label if found.candidates else None
            if label.clause and before_it and (before_it.key, before_it.prefix) == (label.key, label.prefix):
                one.reasons.append(("a clause of the number before", LATER_CLAUSE))
            found.candidates.append(one)
            last = label.key
            previous, titles = "" if looks_like_heading(label.rest) else label.rest, []
        elif heads_section(text):
            titles = [*titles[1 - MOST_TITLES :], place] if titles else [place] if titled else []
            titled = True  # what the document begins with is its own title
            found.gone.update(numbers_gone(text))
        else:
            found.gone.update(numbers_gone(text))
            previous, titles, titled = text, [], titled or text.endswith(":")  # who enacts a law
    _weigh(found, texts, statutory=statutory)
    return found


def _weigh(found: Scan, texts: Sequence[str], *, statutory: bool) -> None:
    """Give each candidate the reasons that its neighbours are, and leave out borders that are none."""
    if statutory:
        _weigh_insertions(found.candidates)
        _weigh_paragraphs(found)
        found.borders = list(_not_inserted(found))
    _join_headings(found.candidates)
    places = weigh_contents(found.candidates, texts)
    amid = {border.place for border in found.borders if {border.place - 1, border.place + 1} <= places}
    found.quoted |= amid
    found.borders = [border for border in found.borders if border.place not in amid]
    found.borders = _without_own_number(found)
    annex = next((border.place for border in found.borders if border.division.annex), len(texts))
    weigh_rows((one for one in found.candidates if one.place < annex), texts)
    for one in found.candidates:
        one.weight = sum(points for _, points in one.reasons)


def _articles_with_sections(texts: Sequence[str]) -> dict[int, HeadingDivision]:
    """The lines `Article II` of an act whose articles have sections that count anew, as constitutions do."""
    found = ((place, read_label(text)) for place, text in enumerate(texts) if _ROMAN_WORD.match(text))
    romans = {place: label for place, label in found if label and label.is_roman}
    if not romans or sum(_is_section(text) for text in texts) < LEAST_SECTIONS:
        return {}
    return {
        place: HeadingDivision(
            kind="article", label=tidy(texts[place]), annex=False, titled=bool(label.rest), number=label.number,
            title=tidy(label.rest),
        )
        for place, label in romans.items()
    }  # fmt: skip


def _is_section(text: str) -> bool:
    label = read_label(text) if text[:1] in "§S" else None
    return label is not None and label.style is Style.WORD and label.word == "s"


def _weigh_insertions(candidates: Sequence[NumberCandidate]) -> None:
    """What is led in and does not go on from the number before is of another act, with all that goes on from it."""
    last: Key = ()
    inserted: Key = ()
    for one in candidates:
        key = one.label.key
        goes_on = len(last) == len(key) and step(last, key) == 1
        if (inserted and one.label.rest and step(inserted, key) == 1) or (
            one.is_led_in and key[0][0] != 1 and not goes_on
        ):
            one.reasons.append((INSERTED, OTHER_ACT))
            inserted = key
        else:
            last, inserted = key, ()


def _weigh_paragraphs(found: Scan) -> None:
    """Numbers below `Article 5` that begin anew or go on with it, as `5.1`, are of its paragraphs."""
    annex = next((border.place for border in found.borders if border.division.annex), None)
    body = [one for one in found.candidates if annex is None or one.place < annex]
    named = [one for one in body if one.label.style is Style.WORD and not one.label.is_text]
    divided = [
        one
        for one, below in pairwise(body)
        if one.label.style is Style.WORD
        and below.label.style is Style.NUMBER
        and (is_below(one.label.key, below.label.key) or below.label.number == "1")
    ]
    if len(divided) < max(LEAST_DIVIDED, len(named) / 2):
        return
    for one in body[body.index(divided[0]) :]:
        if one.label.style is Style.NUMBER:
            one.reasons.append(("a paragraph of the section above", INSIDE))


def _not_inserted(found: Scan) -> Iterator[Border]:
    """The borders, without those of parts that are inserted into another act."""
    after = iter(found.candidates)
    one = next(after, None)
    for border in found.borders:
        while one and one.place < border.place:
            one = next(after, None)
        if one is None or (INSERTED, OTHER_ACT) not in one.reasons:
            yield border


def _without_own_number(found: Scan) -> list[Border]:
    """The borders, without the line `CHAPTER 395` that says which chapter of the country's laws the act is."""
    chapters = [border.division for border in found.borders if border.division.unit == "chp"]
    first = next((one for one in found.candidates if one.place not in found.quoted), None)
    own = found.borders[0] if found.borders else None
    is_own = (
        own is not None and first is not None and own.place < first.place and first.label.number == "1"
        and own.division.unit == "chp" and own.division.number.isdecimal() and own.division.number != "1"
        and all(chapter.number == own.division.number for chapter in chapters)
    )  # fmt: skip
    return [border for border in found.borders if not is_own or border.division.unit != "chp"]


def _join_headings(candidates: Sequence[NumberCandidate]) -> None:
    """`1 Introduction` right above `1.1 Dogs are …` is of the form of that, and `2 Scope` that goes on with it."""
    last = ""  # number of the last of these headings
    for one, below in pairwise([*candidates, *candidates[-1:]]):
        heads = one.label.style is Style.BARE and one.is_headed and below.label.style is Style.NUMBER
        if heads and below.label.key[:-1] == one.label.key and below.label.key[-1][0] <= 1:
            before = [other for other in candidates if other.place <= one.place and _is_bare_heading(other)]
            numbers = [other.label.number for other in before]
            beside = before if numbers == [str(number) for number in range(1, len(before) + 1)] else [one]
            for other in beside:  # with those before it that have nothing below them
                _join(other)
            last = one.label.number
        elif last.isdecimal() and one.label.number == str(int(last) + 1):
            last = one.label.number
            if _is_bare_heading(one):
                _join(one)


def _join(heading: NumberCandidate) -> None:
    heading.label = replace(heading.label, style=Style.NUMBER)
    heading.reasons[0] = (Style.NUMBER.value, FORM[Style.NUMBER])


def _is_bare_heading(one: NumberCandidate) -> bool:
    return one.label.style is Style.BARE and one.is_headed and len(one.label.key) == 1
