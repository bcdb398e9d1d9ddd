"""Small indexed documents for tests of search."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from extraction.document import Page
from extraction.tables import with_tables
from law.chunking.packing import ChunkDraft
from search import abbreviations, publishing
from search.index import IndexContext, engine
from sources.models import Source
from tests.factories import first_topic, make_source
from topics.models import Topic


def section(number: str, heading: str, text: str) -> ChunkDraft:
    return ChunkDraft(text=text, start=0, end=len(text), page=1, section=number, heading=heading)


def passage(text: str) -> ChunkDraft:
    return ChunkDraft(text=text, start=0, end=len(text))


def publish(source: Source, *drafts: ChunkDraft | str) -> None:
    """Stage and publish the chunks of a source, without any maintenance; a plain string is one without a section."""
    whole = [passage(draft) if isinstance(draft, str) else draft for draft in drafts]
    explained: abbreviations.Explained = Counter()
    context = IndexContext.of(source)
    with engine().stage(abbreviations.noting(whole, explained), context=context) as staged, transaction.atomic():
        engine().publish(staged, source=source)
        abbreviations.store(source.pk, explained)


def index(source: Source, drafts: Sequence[ChunkDraft | str]) -> Source:
    """Publish the chunks of a source, and have the index brought into shape."""
    publish(source, *drafts)
    engine().maintain()
    return source


def add_document(*pages: str, topic: Topic | None = None, **fields: Any) -> Source:
    """A source with a document of one line a paragraph, read and cut as an upload is; several pages are numbered."""
    fields.setdefault("title", "")
    source = make_source(topic=topic or first_topic(), **fields)
    return replace_text(source, *pages)


def replace_text(source: Source, *pages: str) -> Source:
    """Publish another text of a source."""
    read = [
        with_tables(Page(number=number if len(pages) > 1 else None, paragraphs=tuple(text.split("\n"))))
        for number, text in enumerate(pages, 1)
    ]
    with publishing.stage(read, context=IndexContext.of(source)) as staged, transaction.atomic():
        publishing.publish(staged, source=source)
    engine().maintain()
    return source


def add_source(*drafts: ChunkDraft | str, topic: Topic | None = None, **fields: Any) -> Source:
    """A source with chunks; a plain string is a passage without a section."""
    fields.setdefault("title", "")
    source = make_source(topic=topic or first_topic(), **fields)
    return index(source, drafts)
