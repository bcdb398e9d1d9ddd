"""Cuts a document into searchable passages: by section in laws and regulations, by paragraph in the others."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from extraction.document import Page
from law.chunking.packing import ChunkDraft, Sizes, pack
from law.kinds import numbers_paragraphs
from law.languages.documents import CASELAW
from law.structure.dated import dated
from law.structure.lines.document_lines import document_text, lines
from law.structure.marked_up import MarkedUp
from law.structure.numbering.summary import NumberingSummary
from law.structure.provisions import Outline, TypedLine
from law.structure.recogniser import Recogniser

__all__ = ["chunk", "document_text", "numbering_of"]

SECTION_SIZES = Sizes(maximum=2_400, target=1_500, minimum=500)
PROSE_SIZES = Sizes(maximum=2_000, target=1_250, minimum=400)


def chunk(pages: Iterable[Page], *, kind: str, outline: Outline | None = None) -> Iterator[ChunkDraft]:
    """Yield the passages in order, each as soon as it is complete. `outline` is complete once all were taken.

    In a law or regulation one section is one chunk. A long one is cut at its clauses, and each part carries the
    section's number, heading and path. Items of a schedule carry their bare number, with the schedule in the path.
    In the other kinds a number is that of a paragraph: a line such as `סעיף 12.` is a law's that is quoted.
    Where the markup names the divisions of a document, these are taken and no others. What reads so only on some days
    is in chunks of its own.
    """
    statutory = not numbers_paragraphs(kind)
    pages = iter(pages)
    first = list(islice(pages, 1))
    is_marked_up = any(page.divisions is not None for page in first)
    recogniser = (
        MarkedUp(statutory=statutory) if is_marked_up else Recogniser(statutory=statutory, judged=kind == CASELAW)
    )
    units = recogniser.units(lines(chain(first, pages)))
    outline = Outline() if outline is None else outline
    return pack(_followed(units, recogniser, outline), sizes=SECTION_SIZES if statutory else PROSE_SIZES)


def numbering_of(pages: Iterable[Page], *, kind: str) -> NumberingSummary | None:
    """What the numbers of a document are like, of which these may be the first pages, or None without any."""
    outline = Outline()
    for _ in chunk(pages, kind=kind, outline=outline):
        pass
    return outline.numbering


def _followed(units: Iterable[TypedLine], recogniser: Recogniser | MarkedUp, outline: Outline) -> Iterator[TypedLine]:
    yield from outline.follow(dated(units))
    outline.numbering = recogniser.summary()
