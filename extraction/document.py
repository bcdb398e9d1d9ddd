"""What extraction yields: pages of logical-order text with their tables, or one refusal with a stable code."""

import enum
import json
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import IO, NamedTuple

PART_CHARACTERS = 100_000
PART_PARAGRAPHS = 500


class TextOrigin(enum.StrEnum):
    """Where a page's text came from."""

    TEXT = "text"  # the file's own text
    REPAIRED = "repaired"  # text layer read another way, because the first reading could not be right
    OCR = "ocr"  # recognised from the page image: numbers in it need a second look


class TableRow(NamedTuple):
    """A row of a table, as readers yield it among paragraphs.

    Every cell stands in its column: places that a merged cell covers besides its first are empty. A cell over the whole
    width is the only one of its row. `opens`: the first row of its table. `is_head`: it names the columns.
    """

    cells: tuple[str, ...]
    opens: bool = False
    is_head: bool = False


class SetApart(str):
    """A paragraph that stands further in than those around it, or whose style is one of quotations."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Table:
    """The paragraphs of a page that are the rows of one table, from `first` up to `end`, cells separated by tabs.

    The first `head` of them name the columns. `continues`: the rows go on with the last table of the page before.
    """

    first: int
    end: int
    head: int = 0
    continues: bool = False


@dataclass(frozen=True, slots=True)
class MarkedDivision:
    """A part of a document that its markup names. It begins with the paragraph `first`.

    `unit` is the beginning of an address (`sec`, `chp`), `depth` counts from 0. It ends where the next of its depth or
    less begins.
    """

    first: int
    unit: str
    depth: int
    eid: str = ""
    number: str = ""
    heading: str = ""


class LostWhat(enum.StrEnum):
    """What a reader saw and did not pass on."""

    ATTACHMENT = "attachment"  # a file inside of the document
    FORM = "form"  # what is typed into a form
    NOTE = "note"  # a note or comment on the text
    PICTURE = "picture"  # an image with ink, whose words are not read
    FORMULA = "formula"
    SHAPE = "shape"  # a text box, a drawing
    FOREIGN = "foreign"  # a part in a format that is not read there
    HIDDEN = "hidden"  # what the document itself does not show
    MARGIN = "margin"  # what lies outside of the page or repeats on each
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Lost:
    """Something that was seen and not passed on. `characters` are 0 where they cannot be counted, as in a picture."""

    what: LostWhat
    characters: int = 0


class Losses:
    """What a reader saw and did not pass on, counted until a page takes it."""

    def __init__(self) -> None:
        self._counts: Counter[LostWhat] = Counter()

    def add(self, what: LostWhat, characters: int | None = None) -> None:
        """Something lost with so many characters, or with what cannot be counted. Without characters nothing is."""
        if characters is None or characters > 0:
            self._counts[what] += characters or 0

    def take(self) -> tuple[Lost, ...]:
        """What was lost since the last call, each kind once."""
        counts, self._counts = self._counts, Counter()
        return tuple(Lost(what, characters) for what, characters in counts.items())


@dataclass(frozen=True, slots=True)
class Page:
    """One page in reading order.

    `number` is 1-based, None where the format has no pages (DOCX, HTML, text), which come as one or more such
    parts. `paragraphs` are logical-order strings without line breaks. Tabs separate the cells of a table row.
    `continues`: the last paragraph continues in the first one of the next page. `unread`: the page has text that was
    not read. `warnings` are sentences for people, which `sources.remarks` knows. `divisions` are None where the markup
    does not tell what the document is divided into. `lost` is what was seen and is not in them, each kind once.
    `set_apart` are the places of paragraphs that were `SetApart`.
    """

    number: int | None
    paragraphs: tuple[str, ...]
    continues: bool = False
    origin: TextOrigin = TextOrigin.TEXT
    unread: bool = False
    warnings: tuple[str, ...] = field(default=())
    tables: tuple[Table, ...] = ()
    divisions: tuple[MarkedDivision, ...] | None = None
    lost: tuple[Lost, ...] = ()
    set_apart: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        return "\n".join(self.paragraphs)


def characters_of(*texts: str | None) -> int:
    """How many characters are in them, without spaces."""
    return sum(len("".join(text.split())) for text in texts if text)


class ExtractionFailed(Exception):
    """The file gives no usable text.

    `code` is one of empty, corrupt, encrypted, no_text_layer, unsupported_type, too_many_pages, too_large,
    extraction_timeout, extraction_crashed. `message` is a sentence a person can act on.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def in_parts(
    paragraphs: Iterable[str | TableRow | MarkedDivision],
    *,
    marked_up: bool = False,
    losses: Losses | None = None,
    warnings: tuple[str, ...] = (),
) -> Iterator[Page]:
    """Pages of bounded size without number, for the formats that have no pages.

    A paragraph longer than a part continues in the next. So does a table, but for a row that is longer. With
    `marked_up` there are divisions among the paragraphs, each before its first, and the text is divided into no others.
    What is lost by then is told on the next part, or on a last one without text. The first one has the `warnings`.
    """
    part, losses = _PageText(warnings=warnings), losses or Losses()
    for paragraph in paragraphs:
        if isinstance(paragraph, MarkedDivision):
            part.divisions.append(replace(paragraph, first=len(part.paragraphs)))
            continue
        row = paragraph if isinstance(paragraph, TableRow) else None
        for piece, last in _pieces("\t".join(row.cells) if row else str(paragraph)):
            if isinstance(paragraph, SetApart):
                part.set_apart.append(len(part.paragraphs))
            part.add(piece, row if last else None)
            if not last or part.is_full():
                yield part.page(continues=not last, marked_up=marked_up, lost=losses.take())
                part = _PageText(in_table=row is not None and last)
    lost = losses.take()
    if part.paragraphs or lost:
        yield part.page(continues=False, marked_up=marked_up, lost=lost)


class _PageText:
    """Paragraphs for one page. `in_table`: the page before ended in a table."""

    def __init__(self, *, in_table: bool = False, warnings: tuple[str, ...] = ()) -> None:
        self.paragraphs: list[str] = []
        self.divisions: list[MarkedDivision] = []
        self.set_apart: list[int] = []
        self._size = 0
        self._tables: list[Table] = []
        self._in_table, self._warnings = in_table, warnings

    def add(self, text: str, row: TableRow | None) -> None:
        """A paragraph. A head that stands below other rows begins a table of its own."""
        place = len(self.paragraphs)
        self.paragraphs.append(text)
        self._size += len(text)
        if row is None:
            self._in_table = False
            return
        open_table = self._tables[-1] if self._in_table and self._tables else None
        in_head = open_table is None or open_table.head == place - open_table.first
        if row.opens or not self._in_table or (row.is_head and not in_head):
            self._tables.append(Table(place, place + 1, int(row.is_head)))
        elif open_table is None:
            self._tables.append(Table(place, place + 1, continues=True))
        else:
            self._tables[-1] = replace(open_table, end=place + 1, head=open_table.head + row.is_head)
        self._in_table = True

    def is_full(self) -> bool:
        return self._size >= PART_CHARACTERS or len(self.paragraphs) >= PART_PARAGRAPHS

    def page(self, *, continues: bool, marked_up: bool, lost: tuple[Lost, ...]) -> Page:
        divisions = tuple(self.divisions) if marked_up else None
        paragraphs, tables = tuple(self.paragraphs), tuple(self._tables)
        return Page(
            None,
            paragraphs,
            continues=continues,
            warnings=self._warnings,
            tables=tables,
            divisions=divisions,
            lost=lost,
            set_apart=tuple(self.set_apart),
        )


def _pieces(paragraph: str) -> Iterator[tuple[str, bool]]:
    start = 0
    while len(paragraph) - start > PART_CHARACTERS:
        cut = paragraph.rfind(" ", start + 1, start + PART_CHARACTERS)
        cut = cut if cut > 0 else start + PART_CHARACTERS
        yield paragraph[start:cut], False
        start = cut
    yield paragraph[start:], True


def write_page(file: IO[str], page: Page) -> None:
    """Append one page to a page file: JSON lines that a reader writes and the application reads."""
    file.write(json.dumps(asdict(page), ensure_ascii=False, separators=(",", ":")) + "\n")


def read_page_file(path: str | Path) -> Generator[Page, None, None]:
    """The pages in order, one in memory at a time, also while the file is being written."""
    with Path(path).open(encoding="utf-8", newline="\n") as file:
        for line in file:
            row = json.loads(line)
            row |= {name: tuple(row[name]) for name in ("paragraphs", "warnings", "set_apart")}
            row["tables"] = tuple(Table(**table) for table in row["tables"])
            row["lost"] = tuple(Lost(LostWhat(one["what"]), one["characters"]) for one in row["lost"])
            if row["divisions"] is not None:
                row["divisions"] = tuple(MarkedDivision(**division) for division in row["divisions"])
            yield Page(**{**row, "origin": TextOrigin(row["origin"])})
