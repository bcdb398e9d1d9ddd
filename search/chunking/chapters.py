"""The path above a section: the chapters that are open, and the numbered headings it stands below."""

from __future__ import annotations

from dataclasses import replace

from search.chunking.headings import Division, read_division
from search.chunking.numbers import Key, is_below


class Chapters:
    """Open divisions, outermost first; a new one closes the last of its kind and all below it."""

    def __init__(self) -> None:
        self._divisions: list[Division] = []
        self._headings: list[tuple[Key, str]] = []

    def open(self, division: Division) -> None:
        if division.annex:
            self._divisions.clear()
        for index, above in enumerate(self._divisions):
            if above.kind == division.kind:
                del self._divisions[index:]
                break
        self._divisions.append(division)
        self._headings.clear()

    def open_named(self, names: tuple[str, ...]) -> None:
        """Divisions that are printed inside a number only: Part 2.Chapter 1.6."""
        for name in names:
            division = read_division(name)
            if division is not None and not any(_is_same(division, above) for above in self._divisions):
                self.open(division)

    def is_bare(self) -> bool:
        """Does the last division still lack its title?"""
        return bool(self._divisions) and not self._divisions[-1].titled

    def begins_annex(self) -> bool:
        """Is the last division a schedule or the like?"""
        return bool(self._divisions) and self._divisions[-1].annex

    def entitle(self, title: str) -> None:
        """The title of the last division stood on the next line."""
        last = self._divisions[-1]
        self._divisions[-1] = replace(last, label=f"{last.label}: {title}", titled=True)

    def add_heading(self, key: Key, heading: str) -> None:
        """A numbered heading under which only deeper numbers stand (1.1 above 1.1.1)."""
        self._close_headings(key)
        self._headings.append((key, heading))

    def path(self, key: Key | None = None) -> tuple[str, ...]:
        """The path of the section with that key; without one, of the text as it comes."""
        if key is not None:
            self._close_headings(key)
        return (*(division.label for division in self._divisions), *(heading for _, heading in self._headings))

    def _close_headings(self, key: Key) -> None:
        self._headings = [(above, heading) for above, heading in self._headings if is_below(above, key)]


def _is_same(named: Division, above: Division) -> bool:
    titled = (f"{named.label} ", f"{named.label}:")
    return above.kind == named.kind and (above.label == named.label or above.label.startswith(titled))
