"""Which documents of the topic a job's says that it replaces or repeals."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ingest.models import Job
from ingest.similar.naming import fields_of
from sources.models import Source
from sources.references import Citation, ResolutionStatus, read_references, resolve_mentions


@dataclass(frozen=True, slots=True)
class EndedDocument:
    """A source that a job's document ends, with the words that say so and their page.

    It is replaced when the document takes its place, as another version of the same work, and else repealed. `day` is
    the first on which the source is not in force any more, where that is known.
    """

    source: Source
    is_replaced: bool
    day: dt.date | None
    quote: str
    page: int | None


def documents_named(words: str) -> list[Citation]:
    """The documents, as a whole, that the words name. As one title where they cite none."""
    cited = [one for one in read_references(words, (), title="", kind="") if not (one.internal or one.number)]
    return cited or [Citation(start=0, end=len(words), title=words)]


def ended_by(job: Job) -> list[EndedDocument]:
    """The sources that the job's document replaces or repeals: those of its topic that are found, each alone.

    A source of another kind is repealed, not replaced. Each source once, by the first clause about it.
    """
    clauses: list[Mapping[str, Any]] = (job.ai_suggestions or {}).get("ends") or []
    named = [(clause, mention) for clause in clauses for mention in documents_named(clause["named"])]
    mentions = [mention for _, mention in named]
    targets = resolve_mentions(mentions, topics=[job.topic_id], source_id=None, provisions=()) if mentions else []
    found = [
        (clause, target.source_id)
        for (clause, _), target in zip(named, targets, strict=True)
        if target.status == ResolutionStatus.RESOLVED
        and target.source_id not in (None, job.source_id)
        and not target.eid
    ]
    sources = Source.objects.in_bulk({pk for _, pk in found})
    return list(_documents(job, [(clause, sources[pk]) for clause, pk in found if pk in sources]))


def _documents(job: Job, found: list[tuple[Mapping[str, Any], Source]]) -> Iterator[EndedDocument]:
    own = fields_of(job)
    seen: set[int] = set()
    for clause, source in found:
        if source.pk in seen:
            continue
        seen.add(source.pk)
        day = dt.date.fromisoformat(clause["day"]) if clause["day"] else own.valid_from
        replaced = bool(clause["replaced"]) and own.kind in ("", source.kind)
        yield EndedDocument(source, replaced, day, clause["quote"], clause["page"])
