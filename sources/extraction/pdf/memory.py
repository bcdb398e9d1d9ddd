"""What the pages of a PDF read so far tell about the next: the only thing that a page takes from those before it.

A page's dealings with it can be noted. Where another memory would have given the same answers, the page reads the same
with that one; so a page can be read before those in front of it, and be believed once they were read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sources.extraction.pdf.brackets import BracketVote

HEBREW_PAGE = 0.25  # share of Hebrew among the letters
HEBREW_PAGE_OF_HEBREW_FILE = 0.1

Note = list[Any]  # what was told or asked, and the answer: JSON holds it as it is


class FileMemory:
    """`right_to_left` is the file's viewer preference, which steers PDFium's own ordering."""

    def __init__(self, *, right_to_left: bool) -> None:
        self.right_to_left = right_to_left
        self.vote, self.second_vote = BracketVote(), BracketVote()
        self._hebrew_letters = self._letters = 0

    def is_hebrew_page(self, *, hebrew: int, letters: int) -> bool:
        """Whether a page reads as Hebrew that has so many letters, so many of them Hebrew; they are counted."""
        self._hebrew_letters += hebrew
        self._letters += letters
        if hebrew > HEBREW_PAGE * letters:
            return True
        mostly_hebrew = self._hebrew_letters > 0.5 * self._letters
        return mostly_hebrew and hebrew > HEBREW_PAGE_OF_HEBREW_FILE * letters

    def after(self, notes: Iterable[Note]) -> FileMemory | None:
        """The memory after the page with these notes; None where it would have answered that page otherwise."""
        later = FileMemory(right_to_left=self.right_to_left)
        later._take_over(self)
        votes = later.vote, later.second_vote
        for what, *told, answer in notes:
            if what == _LETTERS:
                if later.is_hebrew_page(hebrew=told[0], letters=told[1]) != answer:
                    return None
            else:
                vote, font = votes[told[0]], _font_of(told[1])
                if what == _PAIR:
                    vote.count(font, swapped=answer)
                elif vote.is_swapped(font) != answer:
                    return None
        return later

    def _take_over(self, other: FileMemory) -> None:
        self.vote.with_votes_of(other.vote)
        self.second_vote.with_votes_of(other.second_vote)
        self._hebrew_letters, self._letters = other._hebrew_letters, other._letters


class NotingMemory(FileMemory):
    """Begins with what another knows, and notes in `notes` what it is told and answers from then on."""

    def __init__(self, begun: FileMemory) -> None:
        super().__init__(right_to_left=begun.right_to_left)
        self.notes: list[Note] = []
        self.vote, self.second_vote = _NotingVote(0, self.notes), _NotingVote(1, self.notes)
        self._take_over(begun)

    def is_hebrew_page(self, *, hebrew: int, letters: int) -> bool:
        answer = super().is_hebrew_page(hebrew=hebrew, letters=letters)
        self.notes.append([_LETTERS, hebrew, letters, answer])
        return answer


class _NotingVote(BracketVote):
    def __init__(self, number: int, notes: list[Note]) -> None:
        super().__init__()
        self._number, self._notes = number, notes

    def count(self, font: object, *, swapped: bool) -> None:
        super().count(font, swapped=swapped)
        self._notes.append([_PAIR, self._number, _name_of(font), swapped])

    def any_swapped(self) -> bool:
        """True, so that each font is asked about, which is noted."""
        return True

    def is_swapped(self, font: object) -> bool:
        answer = super().is_swapped(font)
        self._notes.append([_IS_SWAPPED, self._number, _name_of(font), answer])
        return answer


_LETTERS, _PAIR, _IS_SWAPPED = "letters", "pair", "is swapped"


def _name_of(font: object) -> str | None:
    """A font as JSON can hold it: PDFium's names are bytes."""
    return font.decode("latin-1") if isinstance(font, bytes) else None


def _font_of(name: str | None) -> bytes | None:
    return None if name is None else name.encode("latin-1")
