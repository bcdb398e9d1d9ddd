"""Reads a document's lines once: which may begin a section, a chapter or a schedule."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import accumulate

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex
from law.structure.lines.captions import is_author
from law.structure.lines.document_lines import DocumentLine, readable
from law.structure.lines.headings import HeadingDivision, is_reference, looks_like_heading, read_division, tidy
from law.structure.lines.number_keys import ONE, Key, SectionNumber, Style, key_of, step
from law.structure.lines.numbers import read_label, without_mark
from law.structure.lines.quoted import QuotedLaw
from law.structure.lines.repealed import numbers_repealed, says_repealed
from law.structure.lines.word_numbers import RaisedNumber, is_named, raised_number
from law.structure.numbering.candidates import (
    LATER_CLAUSE,
    Border,
    NumberCandidate,
    Scan,
    candidate,
    ends_whole,
    heads_section,
    is_margin_note,
    leads_in,
    may_be,
)
from law.structure.numbering.contents import find_contents
from law.structure.numbering.own_numbers import inserted_before_first, own_label
from law.structure.numbering.weighing import weigh
from law.words.analysis import RAISED_DIGITS

MAX_TITLES = 3  # lines that head one section
MAX_NOTED = 7  # with the notes below them
MAX_AHEAD = 400  # lines
MIN_SECTIONS = 2  # printed as such in an act whose articles have sections

_WORDS = [language.statutes for language in LANGUAGES]
_ROMAN_WORD = regex(either(words.roman_words for words in _WORDS))
_BETWEEN = regex(
    rf"(?P<kind>{either(words.above_articles for words in _WORDS)})\s(?P<number>\d{{1,2}}|[IVXL]{{1,7}}|[A-Z])"
    r"(?:\s?[.:–—-](?=\s|$))?(?:\s+(?P<title>\S.*))?$"
)
_BRACKETED = regex(r"\([^()]*\d[^()]*(?:\([^()]*\)[^()]*){0,3}\)|\[[^\[\]]*\d[^\[\]]*\]")
_NAMED = regex(r"(\D+)(\d+)")
_FOOTNOTE = regex(rf"[{RAISED_DIGITS}]{{1,3}}")
_OF_ANNEX = regex(
    r"(?P<number>(?P<annex>[A-Z])\.(?P<digits>\d{1,3}(?:\.\d{1,3}){0,4}))\.?(?:\s+(?P<rest>.*)|$)", re.DOTALL
)
_NEAR = 2  # lines from such a division to its first article


def scan(
    lines: Sequence[DocumentLine], *, statutory: bool, titled: bool = False, opening_nothing: Collection[int] = ()
) -> Scan:
    """Every line that may begin a section, a chapter or a schedule. `titled`: the document's title stands before.

    `opening_nothing` are the places of lines that read so and are known to be text.
    """
    scanner = _Scanner(lines, statutory=statutory, titled=titled, opening_nothing=opening_nothing)
    for place in range(len(lines)):
        scanner.read(place)
    weigh(scanner.found, scanner.texts, statutory=statutory)
    return scanner.found


class _Scanner:
    """Goes through the lines once. Lines that may be titles wait for what they head."""

    def __init__(
        self, lines: Sequence[DocumentLine], *, statutory: bool, titled: bool, opening_nothing: Collection[int]
    ) -> None:
        self.found = Scan()
        self.texts = [readable(line) for line in lines]
        self._lines, self._statutory, self._opening_nothing = lines, statutory, opening_nothing
        self._contents, self._quoted = find_contents(self.texts), QuotedLaw("\n".join(self.texts))
        self._starts = list(accumulate((len(text) + 1 for text in self.texts), initial=0))
        self._own_label = own_label(self.texts, statutory=statutory)
        self._before_first = inserted_before_first(self.texts, self._contents) if statutory else {}
        self._divisions = _articles_with_sections(self.texts) or _sections_of_articles(self.texts)
        self._titles: list[int] = []
        self._is_in_schedule = False
        self._untitled = -1  # the place below a chapter without a title
        self._titled = titled
        self._last: Key = ()
        self._named: SectionNumber | None = None  # the last behind a word
        self._footnotes = {found[0] for text in self.texts if (found := _FOOTNOTE.match(text))}
        self._inserts = _inserts_raised(self.texts)
        self._previous = ""  # the text before the titles

    def read(self, place: int) -> None:
        """Note what the next line may be."""
        line, text = self._lines[place], self.texts[place]
        if not line.opens or not text or line.is_data:
            if text:
                self._previous, self._titles = text, []
        elif text.isdecimal():
            return  # the number of a page
        elif place in self._contents or self._quoted.hold(self._starts[place]):
            self.found.quoted.add(place)
            self.found.repealed.update(numbers_repealed(text))
            self._previous, self._titles = "" if place in self._contents else text, []
        elif (division := self._divisions.get(place) or self._opened(place, text)) is not None:
            self._divide(place, division)
        elif self._is_origin(place, text):
            self.found.origins.add(place)
            self._untitled += self._untitled == place
        elif (label := self._label(place, text)) is not None:
            self._number(place, label)
        else:
            self._text(place, text)

    def _label(self, place: int, text: str) -> SectionNumber | None:
        text = self._raised(place, text)
        label = self._before_first.get(place) or self._own_label(text) or self._of_annex(place, text)
        label = label or read_label(without_mark(text, self._last))
        return label if label is not None and may_be(label, statutory=self._statutory) else None

    def _raised(self, place: int, text: str) -> str:
        """The line with a point before a raised digit that belongs to its number, or without the mark of a footnote.

        It belongs to it behind the number that it stands behind: where it has a point, or as `_goes_on_raised`. With a
        point it also does where others of a document without footnotes do: what stood before may be repealed.
        """
        raised = raised_number(text)
        if raised is None:
            return text
        if self._named is not None and self._named.number == raised.before:
            is_inserted = raised.is_pointed or self._goes_on_raised(place, text, raised)
        elif raised.is_pointed and self._named is not None and self._named.number == raised.number:
            is_inserted = True  # no article stands there twice: the inserted one before it is repealed
        else:
            is_inserted = raised.is_pointed and self._inserts and not self._footnotes
            self.found.has_marked |= not is_inserted and raised.sign not in self._footnotes
        self.found.has_inserted |= is_inserted
        return raised.inserted if is_inserted else raised.plain

    def _goes_on_raised(self, place: int, text: str, raised: RaisedNumber) -> bool:
        """Whether the next raised one follows or was before it, so that it is no head of a note on that section.

        Or there is a heading behind it as behind the number before, and no footnote in the document.
        """
        named = _NAMED.match(text) if not self._footnotes else None
        if self._named is None or named is None or len(self._named.key) > 1:
            return named is not None
        after = self.texts[place + 1 : place + MAX_AHEAD]
        if any(line.startswith(f"{named[0]}²") for line in after):
            return True
        label = read_label(raised.inserted)
        is_headed = label is not None and bool(label.rest) and bool(self._named.rest)
        following = regex(rf"{re.escape(named[1])}{int(named[2]) + 1}(?!\d)")
        return is_headed and any(map(following.match, after))

    def _of_annex(self, place: int, text: str) -> SectionNumber | None:
        """`A.1 Apparatus` below `Annex A`, from .1 on. It stands below a whole sentence or a heading."""
        found = _OF_ANNEX.match(text)
        border = self.found.borders[-1] if found and self.found.borders else None
        if found is None or border is None or not border.division.annex or border.division.number != found["annex"]:
            return None
        rest, key = (found["rest"] or "").strip(), key_of(found["digits"])
        last = self.found.candidates[-1] if self.found.candidates else None
        is_next = step(last.label.key, key) == 1 if last and last.place > border.place else set(key) == {*ONE}
        if not is_next or rest[:1].islower() or not self._is_below_whole(place, border.place, last):
            return None
        return SectionNumber(found["number"], key, Style.NUMBER, rest, prefix=found["annex"])

    def _is_below_whole(self, place: int, border: int, last: NumberCandidate | None) -> bool:
        """Whether the line before the number ends nothing that goes on in it."""
        if place == border + 1:
            return True
        if last is not None and last.place == place - 1:
            return not last.label.rest or ends_whole(last.label.rest)
        before = self.texts[place - 1]
        return ends_whole(before) and not _OF_ANNEX.match(before)

    def _is_origin(self, place: int, text: str) -> bool:
        """Whether the line below the head of a schedule tells the section that it belongs to: `(Section 5)`."""
        last = self.found.borders[-1] if self.found.borders else None
        if last is None or not last.division.annex or last.place != place - 1:
            return False
        if is_reference(text):
            return not self._goes_on(place, text)
        return _BRACKETED.fullmatch(text) is not None and not says_repealed(text)

    def _goes_on(self, place: int, text: str) -> bool:
        """Whether a later line has the next number: `Article 4` of a convention that the schedule holds."""
        named = _NAMED.match(text)
        if named is None:
            return False
        after = regex(rf"{re.escape(named[1])}{int(named[2]) + 1}(?!\d)", re.I)
        return any(map(after.match, self.texts[place + 1 : place + MAX_AHEAD]))

    def _opened(self, place: int, text: str) -> HeadingDivision | None:
        """The division that the line opens.

        A bare `Annex` below a schedule heads what the schedule holds, an explanatory note before the sections nothing.
        """
        division = read_division(text)
        if division is None or not division.is_weak:
            return division
        is_inside = not self.found.candidates if division.is_note else self._is_in_schedule
        is_listed = self._previous.endswith((":", "—", "–"))  # `the following documents:`
        is_text = is_listed or place in self._opening_nothing or self._following(place)[:1].islower()
        return None if is_inside or is_text else division

    def _divide(self, place: int, division: HeadingDivision) -> None:
        if division.annex or (self._named and self._named.key == ONE):
            self._named = None  # numbers may begin anew
        self.found.borders.append(Border(place, division))
        self._is_in_schedule = self._is_in_schedule or (division.annex and not division.is_weak)
        self._untitled = -1 if division.titled else place + 1
        self._previous, self._titles = self._previous if leads_in(self._previous) else "", []
        self._titled = self._titled or division.titled

    def _number(self, place: int, label: SectionNumber) -> None:
        texts = self.texts
        before = next((texts[title] for title in reversed(self._titles) if texts[title].endswith(".")), self._previous)
        one = candidate(place, label, self._titles, self._following(place), before, follows=self._last)
        one.entitles = self._titles[:1] == [self._untitled]
        before_it = self.found.candidates[-1].label if self.found.candidates else None
        if label.clause and before_it and (before_it.key, before_it.prefix) == (label.key, label.prefix):
            one.reasons.append(("a clause of the number before", LATER_CLAUSE))
        self.found.candidates.append(one)
        self._last = label.key
        if label.style is Style.WORD:
            self._named = label if one.ended else None
        self._previous, self._titles = "" if looks_like_heading(label.rest.lstrip("–— ")) else label.rest, []

    def _text(self, place: int, text: str) -> None:
        self.found.repealed.update(numbers_repealed(text, self._following(place)))
        if not self._statutory and is_author(text):
            self._previous, self._titles, self._titled = "", [], True
        elif self._titles and is_margin_note(text):
            self._titles = [*self._titles[-MAX_NOTED:], place]
        elif heads_section(text):
            titles = self._titles
            self._titles = [*titles[1 - MAX_TITLES :], place] if titles else [place] if self._titled else []
            self._titled = True  # what the document begins with is its own title
        else:  # the last are the words of who enacts a law
            self._previous, self._titles, self._titled = text, [], self._titled or text.endswith(":")

    def _following(self, place: int) -> str:
        return self.texts[place + 1] if place + 1 < len(self.texts) else ""


def _articles_with_sections(texts: Sequence[str]) -> dict[int, HeadingDivision]:
    """The lines `Article II` of an act whose articles have sections that count anew, as constitutions do."""
    found = ((place, read_label(text)) for place, text in enumerate(texts) if _ROMAN_WORD.match(text))
    romans = {place: label for place, label in found if label and label.is_roman}
    if not romans or sum(_is_section(text) for text in texts) < MIN_SECTIONS:
        return {}
    return {
        place: HeadingDivision(
            kind="article", label=tidy(texts[place]), annex=False, titled=bool(label.rest), number=label.number,
            title=tidy(label.rest),
        )
        for place, label in romans.items()
    }  # fmt: skip


def _sections_of_articles(texts: Sequence[str]) -> dict[int, HeadingDivision]:
    """The lines `Section I` and `SECTION 2 Licences` that most often have an article right below them."""
    found = {place: match for place, text in enumerate(texts) if (match := _BETWEEN.match(text))}
    divisions = {
        place: HeadingDivision(
            kind=one["kind"].lower(), label=tidy(texts[place]), annex=False, titled=bool(one["title"]), unit="dvs",
            number=one["number"], title=tidy(one["title"] or ""),
        )
        for place, one in found.items() if not one["title"] or looks_like_heading(one["title"])
    }  # fmt: skip
    above = [place for place in divisions if any(map(_is_article, texts[place + 1 : place + 1 + _NEAR]))]
    return divisions if 2 * len(above) > len(divisions) else {}


def _is_article(text: str) -> bool:
    label = read_label(text) if _ROMAN_WORD.match(text) else None
    return label is not None and not label.is_roman


def _is_section(text: str) -> bool:
    label = read_label(text) if text[:1] in "§S" else None
    return label is not None and label.style is Style.WORD and label.word == "s"


def _inserts_raised(texts: Sequence[str]) -> bool:
    """Whether an article with a raised digit and a point stands behind the one that it belongs behind."""
    found = [raised_number(text) for text in texts]
    last = ""
    for text, raised in zip(texts, found, strict=True) if any(found) else ():
        if raised and raised.is_pointed and raised.before == last:
            return True
        if raised or is_named(text):
            label = read_label(raised.inserted if raised else text)
            last = label.number if label else last
    return False
