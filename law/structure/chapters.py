"""The path above a section: the chapters that are open, and the numbered headings it stands below."""

from dataclasses import replace

from law.structure.lines.headings import HeadingDivision, read_division
from law.structure.lines.number_keys import Key, is_below
from law.structure.provisions import ParsedProvision, address_of_number
from law.words.numerals import division_number


class Chapters:
    """Open divisions, outermost first. A new one closes the last of its kind and all below it."""

    def __init__(self) -> None:
        self._divisions: list[tuple[HeadingDivision, ParsedProvision]] = []
        self._headings: list[tuple[Key, str, ParsedProvision]] = []

    def open(self, division: HeadingDivision) -> ParsedProvision:
        """Open a division. Returns its provision, which has no place yet."""
        if division.annex:
            self._divisions.clear()
        for index, (above, _) in enumerate(self._divisions):
            if above.kind == division.kind:
                del self._divisions[index:]
                break
        provision = ParsedProvision(
            unit=division.unit,
            number=division.number,
            heading=division.title,
            parent=self._divisions[-1][1] if self._divisions else None,
            number_id=address_of_number(division_number(division.number)),
        )
        self._divisions.append((division, provision))
        self._headings.clear()
        return provision

    def open_named(self, names: tuple[str, ...]) -> list[ParsedProvision]:
        """Open divisions that are printed inside a number only: Part 2.Chapter 1.6. Returns those that are new."""
        opened = []
        for name in names:
            division = read_division(name)
            if division is not None and not any(_is_same(division, above) for above, _ in self._divisions):
                opened.append(self.open(division))
        return opened

    def is_bare(self) -> bool:
        """Does the last division still lack its title?"""
        return bool(self._divisions) and not self._divisions[-1][0].titled

    def is_annex(self) -> bool:
        """Do sections count anew here, as in a schedule?"""
        return any(division.annex for division, _ in self._divisions)

    def entitle(self, title: str) -> None:
        """The title of the last division stood on the next line."""
        last, provision = self._divisions[-1]
        self._divisions[-1] = replace(last, label=f"{last.label}: {title}", titled=True), provision
        provision.heading = title

    def add_heading(self, key: Key, heading: str, provision: ParsedProvision) -> None:
        """A numbered heading under which only deeper numbers stand (1.1 above 1.1.1)."""
        self._close_headings(key)
        self._headings.append((key, heading, provision))

    def innermost(self, key: Key | None = None) -> ParsedProvision | None:
        """What a section with that key stands in. Without one, the text as it comes."""
        if key is not None:
            self._close_headings(key)
        if self._headings:
            return self._headings[-1][2]
        return self._divisions[-1][1] if self._divisions else None

    def path(self, key: Key | None = None) -> tuple[str, ...]:
        """The path of the section with that key. Without one, of the text as it comes."""
        if key is not None:
            self._close_headings(key)
        return (*(division.label for division, _ in self._divisions), *(heading for _, heading, _ in self._headings))

    def _close_headings(self, key: Key) -> None:
        self._headings = [heading for heading in self._headings if is_below(heading[0], key)]


def _is_same(named: HeadingDivision, above: HeadingDivision) -> bool:
    titled = (f"{named.label} ", f"{named.label}:")
    return above.kind == named.kind and (above.label == named.label or above.label.startswith(titled))
