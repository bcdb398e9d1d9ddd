"""Publishing a document: its provisions and its passages, in one transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from extraction.document import Page
from kb_project.observability import tracing
from law.chunking import chunk
from law.structure.provisions import Outline
from search import abbreviations
from search.index import IndexContext, IndexProgress, StagedChunks, engine
from sources import provisions
from sources.models import Source


@dataclass(frozen=True)
class StagedDocument:
    """A document cut and analysed. A context manager: what it keeps is freed at the end."""

    chunks: StagedChunks
    outline: Outline
    abbreviations: abbreviations.Explained

    @property
    def context(self) -> IndexContext:
        return self.chunks.context

    @property
    def count(self) -> int:
        """How many passages it has."""
        return self.chunks.count

    @property
    def numbering(self) -> dict[str, Any] | None:
        """The value of `Source.numbering`."""
        return self.outline.numbering.as_json() if self.outline.numbering else None

    def __enter__(self) -> StagedDocument:
        self.chunks.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self.chunks.__exit__(*exc)


def stage(pages: Iterable[Page], *, context: IndexContext, on_progress: IndexProgress | None = None) -> StagedDocument:
    """The slow half of publishing, without a transaction, as `SearchIndex.stage`."""
    outline = Outline()
    explained: abbreviations.Explained = Counter()
    drafts = abbreviations.noting(chunk(pages, kind=context.kind, outline=outline), explained)
    with tracing.span("stage document", {"kb.kind": context.kind}) as span:
        staged = engine().stage(drafts, context=context, on_progress=on_progress)
        span.set({"kb.chunks": staged.count})
    return StagedDocument(staged, outline, explained)


def publish(staged: StagedDocument, *, source: Source, new: bool = False) -> None:
    """Replace a source's passages and provisions, in the caller's transaction, as `SearchIndex.publish`."""
    with tracing.span("publish document", {"kb.source.id": source.pk, "kb.chunks": staged.count}):
        engine().publish(staged.chunks, source=source, new=new)
        provisions.store(source.pk, staged.outline.provisions)
        abbreviations.store(source.pk, staged.abbreviations)
