"""Instruments and parts of collections that a text names by numbers, by their keys: `12 CFR 1072`, `S.I. 2031/5`."""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import takewhile

from law.citations.cited_items import ParsedCitation
from law.citations.items import MAX_ITEMS, read_items
from law.patterns import regex
from law.words.series import find_series, named_in_any_case, part_of_number

# A word in small letters goes before what is only mentioned.
_IN_PASSING = regex(r"(?<!\w)[a-z]+ \(?$")
_DOTTED = regex(r"\.\d")
# A section of its own, of which a clause may be that stands before it: `subsection (a) of G.S. 20-138.1`
_GOES_ON = regex(r"[-–.:]\d")
_SECTION = regex(r",? ?§{0,2} ?\d")
_MAX_AROUND = 3  # of those that begin before the end of a citation


class SeriesIndex:
    """What a text names by a number: `instruments` by where they begin, `parts` of collections with their ends.

    `unsigned` are those of parts behind which a section's number stands without a sign, by where both begin.
    `shown` are those of the latter that texts write in several ways, as they are shown. `reports` are judgments, where
    they begin and end.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        named = find_series(text)
        self.reports = {one.start: one.end for one in named if one.series.judgment}
        self.instruments = {one.start: one for one in named if not one.series.around and not one.series.judgment}
        self._parts = [(one.start, one.end) for one in named if one.series.around]
        self.parts = dict(self._parts)
        self.unsigned = {one.start: number for one in named if (number := one.unsigned(text)) >= 0}
        self.shown = {one.start: one.shown for one in named if one.series.around and one.series.shown}
        self._divided = {one.shown: one.series for one in named if one.series.divided}
        self._dotted = {  # `12 CFR 1008.5`
            text[one.start : one.end]: one.fields["part"] + "."
            for one in named
            if one.series.around and not one.series.divided and _DOTTED.match(text, one.end)
        }

    def sections_at(self, place: int, *, most: int = MAX_ITEMS) -> ParsedCitation | None:
        """The sections right behind the name of their code, up to what is of another law: `C.R.S. 18-3-102`."""
        number = self.unsigned.get(place)
        items = read_items(self._text, number, most=most)[0] if number is not None else ()
        part = self.shown.get(place, "")
        of_part = tuple(takewhile(lambda one: self.part_of(part, one.number) == part, items))
        return ParsedCitation(start=of_part[0].start, end=of_part[-1].end, items=of_part) if of_part else None

    def part_of(self, part: str, number: str) -> str:
        """The part of the same collection that has a number: of one with `§ 75-1`, `§ 90-95` is in another. Else ''."""
        series = self._divided.get(part)
        if series is None:
            return part if number.startswith(self._dotted.get(part, "")) else ""
        return part_of_number(series, number)

    def around(self, start: int, end: int, *, comma: bool = False) -> tuple[int, int] | None:
        """Where the part of a collection is named that a citation between these places is of: `5 U.S.C. 552(a)`.

        With `comma` also one before a comma: `Title 44, United States Code, section 507`.
        """
        last = bisect_right(self._parts, (end, len(self._text)))
        for opens, closes in reversed(self._parts[max(last - _MAX_AROUND, 0) : last]):
            between = self._text[closes:start].strip()
            if (not between or (comma and between == ",")) and "\n" not in self._text[opens:closes]:
                return opens, closes
        behind = self._parts[last : last + 1]  # `section 5, title 18, United States Code`
        tied = (part for part in behind if self._text[end : part[0]] in (", ", " of "))
        return next((part for part in tied if not _GOES_ON.match(self._text, part[1])), None)

    def has_section(self, end: int) -> bool:
        """Whether a section is named behind the name of a part: `section 5 of 1 V.I.C. § 33` is of that section."""
        return _SECTION.match(self._text, end) is not None


def own_collection_keys(title: str) -> Iterator[str]:
    """The keys of the document that has the title, and of no other that it mentions: `… under Act 71 of 2008`."""
    named: set[str] = set()
    for one in named_in_any_case(title):
        series = one.series.same_as or one.series.name
        if series not in named and not _IN_PASSING.search(title[: one.start]):
            named.add(series)
            yield from one.keys
