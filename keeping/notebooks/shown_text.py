"""A note's text for a page: with its citations linked, and marked where it rests on nothing, or on what fell."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from answers.writing.numbered_parts import NUMBER, numbered_parts
from keeping.models import NoteKind
from keeping.notebooks.listing import ShownCitation, ShownNote
from law.comparison.side_by_side import DiffRow
from law.comparison.statuses import StandingStatus
from reading.compare.screens import grouped_lines
from search.shown.marked import sentence


@dataclass(frozen=True)
class NotePiece:
    """A stretch of the text. `cited` is the citation whose number it is. `fell` is what it rests on no more.

    Of what is not `supported` no quote says so.
    """

    text: str
    cited: ShownCitation | None = None
    fell: ShownCitation | None = None
    supported: bool = True


def pieces(note: ShownNote) -> Iterator[NotePiece]:
    """The text in stretches."""
    text, by_number = note.row.text, {one.row.n: one for one in note.citations}
    fallen, unsupported = list(_fallen(note, by_number)), note.unsupported
    bounds = {0, len(text), *chain(*unsupported), *(bound for first, last, _cited in fallen for bound in (first, last))}
    for at, end in pairwise(sorted(bounds)):
        fell = next((cited for first, last, cited in fallen if first <= at < last), None)
        supported = not any(first <= at < last for first, last in unsupported)
        for words, number in numbered_parts(text[at:end]):
            if words:
                yield NotePiece(words, fell=fell, supported=supported)
            if number:
                cited = by_number.get(int(number))
                yield NotePiece(f"[{number}]", cited, None if cited else fell, supported)


def _fallen(note: ShownNote, by_number: Mapping[int, ShownCitation]) -> Iterator[tuple[int, int, ShownCitation]]:
    """The ranges that rest on what does not stand. A quote rests on what it is quoted from."""
    text = note.row.text
    found = [one for one in NUMBER.finditer(text) if int(one[1]) in by_number]
    if not found and note.fallen and note.row.kind in (NoteKind.ANSWER, NoteKind.QUOTE):
        yield 0, len(text), note.fallen[0]
    for one in found:
        cited = by_number[int(one[1])]
        if cited.stands:
            continue
        # The number stands behind the sentence's full stop as often as before it.
        first, last = sentence(text, max(one.start() - 1, 0), one.end())
        quote, before = cited.row.quote.rstrip(), text[: one.start()].rstrip()
        if quote and before.endswith(quote):  # over several lines, as extracts are
            first = min(first, len(before) - len(quote))
        yield first, last, cited


@dataclass(frozen=True)
class ThenAndNow:
    """A citation with its wording then and today, line beside line."""

    shown: ShownCitation

    @property
    def is_reworded(self) -> bool:
        row = self.shown.row
        return bool(row.text and row.now_text) and row.status in (StandingStatus.CHANGED, StandingStatus.RENUMBERED)

    @property
    def groups(self) -> Sequence[tuple[bool, Sequence[DiffRow]]]:
        row = self.shown.row
        return grouped_lines(row.text, row.now_text)

    @property
    def beside(self) -> Sequence[tuple[bool, Sequence[DiffRow]]]:
        """The same, where both may say the same and the second is not kept."""
        row = self.shown.row
        now = row.now_text or (row.text if self.shown.stands else "")
        return grouped_lines(row.text, now)
