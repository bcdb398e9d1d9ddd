"""Pages as a stream of lines that know their place in the document's text."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sources.extraction.document import Page

PIECE = 4_000  # characters; longer paragraphs come in pieces, so that nothing downstream grows with them


class Line(NamedTuple):
    """A paragraph, or a piece of one. `joint` is what stands between the text before it and itself."""

    text: str
    start: int  # offset in the document's text
    page: int | None
    joint: str
    opens: bool  # a paragraph begins here


def lines(pages: Iterable[Page]) -> Iterator[Line]:
    """Every paragraph in order. The document's text is the sum of joint + text."""
    offset = 0
    joint = ""
    opens = True
    for page in pages:
        last = len(page.paragraphs) - 1
        for index, paragraph in enumerate(page.paragraphs):
            offset += len(joint)
            for at in range(0, len(paragraph) or 1, PIECE):
                piece = paragraph[at : at + PIECE]
                yield Line(piece, offset, page.number, "" if at else joint, opens and not at)
                offset += len(piece)
            opens = not (page.continues and index == last)
            joint = "\n" if opens else " "


def document_text(pages: Iterable[Page]) -> str:
    """The whole text that chunk offsets count in: paragraphs joined by line feeds, over a page border by a space."""
    return "".join(line.joint + line.text for line in lines(pages))
