"""Pages as a stream of lines that know their place in the document's text."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from extraction.document import MarkedDivision, Page

LOST = "\ufffd"
PIECE = 4_000  # characters; longer paragraphs come in pieces, so that nothing downstream grows with them


class DocumentLine(NamedTuple):
    """A paragraph, or a piece of one. `joint` is what stands between the text before it and itself.

    `table` counts the tables of the document from 1, 0 outside of them. A row with `is_head` names columns, one with
    `is_data` stands in a table whose columns have names, which only lays out no text.
    """

    text: str
    start: int  # offset in the document's text
    page: int | None
    joint: str
    opens: bool  # a paragraph begins here
    table: int = 0
    is_head: bool = False
    is_data: bool = False
    divisions: tuple[MarkedDivision, ...] = ()  # that the markup begins here


def readable(line: DocumentLine) -> str:
    """The words of the line, with the sign for what was lost as the dash or the space that it most likely was."""
    text = line.text
    if LOST in text:
        text = text.replace(f" {LOST} ", " – ").replace(LOST, " ")
    return text.strip()


def lines(pages: Iterable[Page]) -> Iterator[DocumentLine]:
    """Every paragraph in order. The document's text is the sum of joint + text."""
    offset = 0
    joint = ""
    opens = True
    tables, headed = 0, False
    for page in pages:
        last = len(page.paragraphs) - 1
        rows: dict[int, tuple[int, bool, bool]] = {}
        for table in page.tables:
            if not (table.continues and tables):
                tables, headed = tables + 1, bool(table.head)
            for place in range(table.first, table.end):
                rows[place] = tables, place < table.first + table.head, headed
        begun: dict[int, list[MarkedDivision]] = {}
        for division in page.divisions or ():
            begun.setdefault(division.first, []).append(division)
        for index, paragraph in enumerate(page.paragraphs):
            offset += len(joint)
            of_table = rows.get(index, (0, False, False))
            for at in range(0, len(paragraph) or 1, PIECE):
                piece = paragraph[at : at + PIECE]
                yield DocumentLine(
                    piece,
                    offset,
                    page.number,
                    "" if at else joint,
                    opens and not at,
                    *of_table,
                    () if at else tuple(begun.get(index, ())),
                )
                offset += len(piece)
            opens = not (page.continues and index == last)
            joint = "\n" if opens else " "


def document_text(pages: Iterable[Page]) -> str:
    """The whole text that chunk offsets count in: paragraphs joined by line feeds, over a page border by a space."""
    return "".join(line.joint + line.text for line in lines(pages))
