"""Reads what another program put into a DOCX as a file of its own: HTML, MHTML, RTF, text or another DOCX."""

from __future__ import annotations

from collections.abc import Iterator
from email import message_from_bytes, policy
from itertools import chain
from pathlib import PurePosixPath

from extraction import detect, reader_of
from extraction.document import ExtractionFailed, Losses, LostWhat, Page, TableRow
from extraction.formats import Format
from extraction.html.reader import decode, paragraphs
from kb_project.processes import scratch

DEEPEST = 3  # files in files
_MAX_SUFFIX_LENGTH = 16  # characters. A part has a name of any length, a file has not.
_READ = frozenset({Format.RTF, Format.TXT, Format.MD, Format.ODT, Format.AKN})


def chunk_texts(name: str, content: bytes, losses: Losses, *, depth: int) -> Iterator[str | TableRow]:
    """The paragraphs and rows of a chunk that lies so deep. What cannot be read is lost."""
    try:
        if page := _of_web_archive(content):
            yield from _of_page(page, losses)
            return
        with scratch.directory("office") as directory:
            path = directory / f"chunk{PurePosixPath(name).suffix[:_MAX_SUFFIX_LENGTH]}"
            path.write_bytes(content)
            format = detect(path)
            if format is Format.HTML:
                yield from _of_page(content, losses)
                return
            if depth >= DEEPEST or format not in _READ | {Format.DOCX}:
                losses.add(LostWhat.FOREIGN)
                return
            read = reader_of(format)
            pages = read(path, depth=depth + 1) if format is Format.DOCX else read(path)
            for page_read in pages:
                for lost in page_read.lost:
                    losses.add(lost.what, lost.characters or None)
                yield from _texts(page_read)
    except ExtractionFailed:
        losses.add(LostWhat.FOREIGN)


def _of_page(content: bytes, losses: Losses) -> Iterator[str | TableRow]:
    """All of a page. It is a piece of the document, so nothing of it is the site round it."""
    return paragraphs(*decode(content), losses, in_site=False)


def _of_web_archive(content: bytes) -> bytes | None:
    """The page in a file of MHTML. None if it is another file."""
    if b"multipart/" not in content[:4096].lower():
        return None
    try:
        message = message_from_bytes(content, policy=policy.compat32)
    except RecursionError:  # messages in messages in messages
        return None
    for part in message.walk():
        if part.get_content_type() in {"text/html", "application/xhtml+xml"}:
            page = part.get_payload(decode=True)
            return page if isinstance(page, bytes) else None
    return None


def _texts(page: Page) -> Iterator[str | TableRow]:
    """The paragraphs of a page, those of tables as rows."""
    heads = set(chain.from_iterable(range(table.first, table.first + table.head) for table in page.tables))
    inside = set(chain.from_iterable(range(table.first, table.end) for table in page.tables))
    opens = {table.first for table in page.tables if not table.continues}
    for place, text in enumerate(page.paragraphs):
        row = TableRow(tuple(text.split("\t")), opens=place in opens, is_head=place in heads)
        yield row if place in inside else text
