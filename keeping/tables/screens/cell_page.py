"""What pages show of a cell: its value and state, its passage with the quote marked, and the cells around it."""

from dataclasses import dataclass
from functools import cached_property

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from answers.writing.quotes.verify import find_words
from keeping.models import UNFINISHED, CellStatus, Table, TableCell
from keeping.tables import kinds, visibility
from keeping.tables.serializers import reason_of, state_of, url_of
from sources.models import Chunk

PHASES = {
    CellStatus.WAITING: "phase-discarded",
    CellStatus.RUNNING: "phase-classifying",
    CellStatus.ANSWERED: "phase-embedding",
    CellStatus.NOT_STATED: "phase-discarded",
    CellStatus.UNDECIDED: "phase-awaiting_review",
    CellStatus.FAILED: "phase-failed",
}


@dataclass(frozen=True)
class ShownCell:
    """A cell as the table's page has it."""

    cell: TableCell

    @property
    def value(self) -> str:
        return kinds.show(self.cell.held_value, self.cell.column.kind)

    @property
    def state(self) -> str:
        return state_of(self.cell)

    @property
    def phase(self) -> str:
        """Its colour: that of what is done, where a person decided."""
        return "phase-done" if self.cell.decision else PHASES[CellStatus(self.cell.status)]


@dataclass(frozen=True)
class CellPage:
    """A cell, read with its row, source and column."""

    table: Table
    cell: TableCell

    @property
    def read_value(self) -> str:
        """What was read, whatever a person says of it."""
        return kinds.show(self.cell.value, self.cell.column.kind)

    @property
    def decided_value(self) -> str:
        return kinds.show(self.cell.decided_value, self.cell.column.kind)

    @property
    def reason(self) -> str:
        return reason_of(self.cell)

    @property
    def url(self) -> str:
        return url_of(self.cell)

    @property
    def searched(self) -> str:
        """What was read of the document, as a sentence."""
        told = self.cell.searched
        if not told:
            return ""
        numbers = {"read": told["read"], "passages": told["passages"], "model": told["model"]}
        if told["way"] == "words":
            return (
                ngettext(
                    "%(passages)d passage was searched by words. No model read it.",
                    "%(passages)d passages were searched by words. No model read them.",
                    numbers["passages"],
                )
                % numbers
            )
        return _("%(read)d of %(passages)d passages were read by %(model)s.") % numbers

    @cached_property
    def passage(self) -> Chunk | None:
        """None where the document was indexed again since."""
        return Chunk.objects.filter(pk=self.cell.chunk_id or 0, source_id=self.cell.row.source_id).first()

    @property
    def pieces(self) -> tuple[str, str, str]:
        """The passage's text before the quote, the quote, and what follows. All before it where there is none."""
        text = self.passage.text if self.passage else ""
        span = find_words(self.cell.quote, text)
        return (text[: span[0]], text[slice(*span)], text[span[1] :]) if span else (text, "", "")

    @property
    def previous(self) -> int | None:
        return self._first(self._before.order_by("-row_id", "-column_id"))

    @property
    def next(self) -> int | None:
        return self._first(self._behind)

    @property
    def next_open(self) -> int | None:
        """The next cell that was read and that nobody decided, from the beginning again behind the last."""
        is_open = ~Q(status__in=UNFINISHED) & Q(decision="")
        return self._first(self._behind.filter(is_open)) or self._first(self._before.filter(is_open))

    @property
    def _behind(self) -> QuerySet[TableCell]:
        here = self.cell
        return self._cells.filter(Q(row_id__gt=here.row_id) | Q(row_id=here.row_id, column_id__gt=here.column_id))

    @property
    def _before(self) -> QuerySet[TableCell]:
        here = self.cell
        return self._cells.filter(Q(row_id__lt=here.row_id) | Q(row_id=here.row_id, column_id__lt=here.column_id))

    @property
    def _cells(self) -> QuerySet[TableCell]:
        return visibility.cells_of(self.table).order_by("row_id", "column_id")

    @staticmethod
    def _first(cells: QuerySet[TableCell]) -> int | None:
        return cells.values_list("pk", flat=True).first()
