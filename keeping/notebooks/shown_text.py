"""A note's text for a page: with its citations linked, and marked where what a sentence rests on does not stand."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from answers.writing.numbered_parts import NUMBER, numbered_parts
from keeping.notebooks.listing import ShownCitation, ShownNote
from law.comparison.provision_texts import ProvisionText
from law.comparison.side_by_side import DiffRow
from law.comparison.standing import StandingStatus
from reading.compare.screens import grouped_lines
from search.screens.marked import sentence


@dataclass(frozen=True)
class TextPiece:
    """A stretch of the text. `cited` is the citation whose number it is. `fell` is what it rests on no more."""

    text: str
    cited: ShownCitation | None = None
    fell: ShownCitation | None = None


def pieces(note: ShownNote) -> list[TextPiece]:
    """The text in stretches. A text without numbers rests on all that it cites."""
    by_number = {one.row.n: one for one in note.citations}
    text = note.row.text
    found = [one for one in NUMBER.finditer(text) if int(one[1]) in by_number]
    if not found:
        return [TextPiece(text, fell=note.fallen[0] if note.fallen else None)]
    fallen: list[tuple[int, int, ShownCitation]] = []
    for one in found:
        cited = by_number[int(one[1])]
        # The number stands behind the sentence's full stop as often as before it.
        first, last = sentence(text, max(one.start() - 1, 0), one.end())
        quote, before = cited.row.quote.rstrip(), text[: one.start()].rstrip()
        if quote and before.endswith(quote):  # over several lines, as extracts are
            first = min(first, len(before) - len(quote))
        if not cited.stands and (not fallen or first >= fallen[-1][1]):
            fallen.append((first, last, cited))
    places, at = list[TextPiece](), 0
    for first, last, cited in fallen:
        places += [*_numbered(text[at:first], by_number), *_numbered(text[first:last], by_number, fell=cited)]
        at = last
    return [*places, *_numbered(text[at:], by_number)]


def _numbered(
    text: str, by_number: dict[int, ShownCitation], *, fell: ShownCitation | None = None
) -> Iterator[TextPiece]:
    for words, number in numbered_parts(text):
        if words:
            yield TextPiece(words, fell=fell)
        if number:
            cited = by_number.get(int(number))
            yield TextPiece(f"[{number}]", cited=cited, fell=None if cited else fell)


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
        return grouped_lines(_text(row.eid, row.text), _text(row.now_eid, row.now_text))

    @property
    def beside(self) -> Sequence[tuple[bool, Sequence[DiffRow]]]:
        """The same, where both may say the same and the second is not kept."""
        row = self.shown.row
        now = row.now_text or (row.text if self.shown.stands else "")
        return grouped_lines(_text(row.eid, row.text), _text(row.now_eid, now))


def _text(eid: str, text: str) -> ProvisionText:
    return ProvisionText(eid, text, eid=eid)
