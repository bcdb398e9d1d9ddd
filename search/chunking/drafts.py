"""A chunk before it is indexed: what chunking yields and indexing takes."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChunkDraft:
    """One searchable passage.

    `text` is verbatim: it equals the document's text from `start` to `end`, where the document's text is its pages'
    paragraphs joined by line feeds (a paragraph that runs over a page border is joined by one space). `page` is the
    1-based page of the first character, None where the format has no pages. `section` is the bare number as
    printed (`5`, `5א`, `18.8.2`), empty outside sections. `path` names the chapters above, outermost first. `eid` is
    the address of its provision (`search.structure.provisions`), empty before the first. `gap` is the white space
    between the chunk before it and this one.
    """

    text: str
    start: int
    end: int
    page: int | None = None
    section: str = ""
    heading: str = ""
    path: tuple[str, ...] = ()
    eid: str = ""
    gap: str = ""
