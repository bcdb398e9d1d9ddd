"""What `templates/search/_part.html` shows of a document's text: lines and tables, and what begins with each line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import takewhile

from django.utils.html import strip_tags
from django.utils.safestring import SafeString

from search.shown.marked import MarkedLink, Ranges
from sources.changes.coming import Coming
from sources.models import Provision
from sources.validity import ValidityStatus

MAX_IN_MARGIN_LENGTH = 6  # characters of a number


@dataclass(frozen=True, slots=True)
class RenderedCell:
    """Text that begins at a character of the document."""

    at: int
    text: SafeString


@dataclass(frozen=True, slots=True)
class ShownDays:
    """As `templates/search/_days.html` shows them."""

    valid_from: date | None
    valid_to: date | None
    status: ValidityStatus


@dataclass(frozen=True, slots=True)
class RenderedLine:
    """A line of text, or a row of a table, and what begins with it.

    `level` is how deep it is indented, `anchors` are the addresses of clauses that begin with it. `head` is the part of
    the line that is the heading of `provision`. `cited` is how that is cited.
    """

    level: int = 0
    anchors: Sequence[str] = ()
    begins_page: int | None = None
    provision: Provision | None = None
    is_division: bool = False
    is_signature: bool = False
    """Whether it is one of a judgment's signatures, which nobody cites."""
    cited: str = ""
    place: str = ""
    """What `provision` is called in its document, '' where it has no number."""
    number: RenderedCell | None = None
    """The number of `provision`, also where it stood on the line behind the heading."""
    head: RenderedCell | None = None
    body: RenderedCell | None = None
    is_definition: bool = False
    is_note: bool = False
    is_bare: bool = False
    """Whether the heading is a number alone, with the text behind it."""
    holds: str = ""
    """Why it is not the law today, in the language in which it is cited. Empty for what is."""
    cited_by: int = 0
    """How many references lead to the provision."""
    coming: Coming | None = None
    """What becomes of the provision on a later day."""
    cells: Sequence[RenderedCell] = ()
    is_head: bool = False
    """Whether its cells name the columns."""
    table: int | None = None
    """Where the part of a table begins that it is a row of."""
    days: ShownDays | None = None
    """Those on which it reads so, where it says that of itself."""
    says_days: bool = False
    """Whether they are shown: at the first of the lines that have them, and at each provision."""

    @property
    def hangs(self) -> bool:
        """Whether the number is short enough for the margin."""
        return self.number is not None and len(strip_tags(self.number.text).strip()) <= MAX_IN_MARGIN_LENGTH


@dataclass(frozen=True, slots=True)
class LineBlock:
    """Lines of text, or the rows of a table with those `above` that name its columns and are shown elsewhere."""

    is_table: bool
    table: int | None = None
    lines: list[RenderedLine] = field(default_factory=list)
    above: Sequence[Sequence[str]] = ()

    @property
    def head(self) -> Sequence[RenderedLine]:
        """The rows that name the columns."""
        return list(takewhile(lambda line: line.is_head, self.lines))

    @property
    def body(self) -> Sequence[RenderedLine]:
        return self.lines[len(self.head) :]

    @property
    def width(self) -> int:
        """How many columns a table has."""
        return max(len(line.cells) for line in self.lines)


@dataclass(frozen=True, kw_only=True, slots=True)
class TextAnnotations:
    """What is shown in a text besides its characters, by the characters of the document.

    `cited` counts the references to provisions, by their eid. `coming` is what becomes of them on a later day.
    `signatures` are the ids of those that are a judgment's signatures.
    """

    marks: Ranges = ()
    links: Sequence[MarkedLink] = ()
    cited: Mapping[str, int] = field(default_factory=dict)
    coming: Mapping[str, Coming] = field(default_factory=dict)
    signatures: frozenset[int] = frozenset()
