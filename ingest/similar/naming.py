"""What a job's document is nearly the same as, with what differs, and which documents it says that it ends."""

from __future__ import annotations

import datetime as dt
import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ingest.decisions import FIELD_LABELS
from ingest.job_states import UNFINISHED
from ingest.models import Job, Similar
from ingest.similar.duplicates import duplicate_reference
from kb_project.errors import Conflict
from law.words.analysis import terms
from sources.fields import DocumentFields
from sources.models import Source
from sources.references import Citation, ResolutionStatus, read_references, resolve_mentions

COMPARED = ("kind", "identifier", "published_at")


"""The fields besides the title that tell documents apart. The others are worded by whoever classified them."""
TEXT = "text"
NAMES: dict[str, str | Promise] = {**FIELD_LABELS, TEXT: gettext_lazy("Text")}
"""What the screens call what differs."""


@dataclass(frozen=True, slots=True)
class SimilarDocument:
    """A document that a job's is nearly the same as: a source, or the file of another job.

    `similarity` is from 0 to 1. `differs` has names of fields that both have and that are not the same, and `text`.
    """

    row: Similar
    document: Source | Job
    similarity: float
    differs: tuple[str, ...]

    @property
    def title(self) -> str:
        return title_of(self.document)

    @property
    def source(self) -> Source | None:
        return self.document if isinstance(self.document, Source) else None

    @property
    def percent(self) -> int:
        return round(100 * self.similarity)

    @property
    def differing(self) -> list[str]:
        """What differs, as people call it."""
        return [str(NAMES[name]) for name in self.differs]

    def as_json(self) -> dict[str, Any]:
        """A member of `similar_to` in the API."""
        about = {"title": self.title, "similarity": self.similarity, "differs": list(self.differs)}
        return duplicate_reference(self.document) | about


class SimilarDocumentsHere(Conflict):
    """Nearly the same document is in the topic, and nobody has said what becomes of the two."""

    code = "similar_document"
    title = "Similar document"

    def __init__(self, similar: list[SimilarDocument]) -> None:
        sentence = _("Nearly the same document is here already. Say whether this is another one or replaces it.")
        choose = _("Choose what becomes of the two.")
        super().__init__(sentence, errors={"replaces": [choose]}, similar_to=[one.as_json() for one in similar])


def similar_to(job: Job) -> list[SimilarDocument]:
    """The documents that the job's is nearly the same as and that are still here, the most similar first.

    For many jobs read them `with_similar`.
    """
    return list(_named(job))


def most_similar(job: Job) -> SimilarDocument | None:
    """The first of them, if there is any."""
    return next(_named(job), None)


def fields_of(document: Source | Job) -> DocumentFields:
    """Of a job what was decided, else what is proposed."""
    if isinstance(document, Source):
        return DocumentFields.of_source(document)
    return DocumentFields.of(document.confirmed or document.ai_suggestions or {})


def title_of(document: Source | Job) -> str:
    return str(document) if isinstance(document, Source) else fields_of(document).title or document.filename


def same_title(one: str, other: str) -> bool:
    """Whether two titles have the same words. No title is the same as none."""
    words = [term.word for term in terms(one)]
    return bool(words) and words == [term.word for term in terms(other)]


def _named(job: Job) -> Iterator[SimilarDocument]:
    seen: set[Source | Job] = set()
    for row in job.similar_rows:
        document = _document(row)
        if document is None or document in seen or (isinstance(document, Source) and document.pk == job.source_id):
            continue
        seen.add(document)
        differs = tuple(_differing(fields_of(job), fields_of(document), row.similarity))
        yield SimilarDocument(row, document, math.floor(100 * row.similarity) / 100, differs)


def _document(row: Similar) -> Source | Job | None:
    """What a row names: of another job the source that came of it. None when it is gone."""
    other = row.other
    if other is None or other.source is not None:
        return row.source if other is None else other.source
    return other if other.status in UNFINISHED else None


def _differing(own: DocumentFields, other: DocumentFields, similarity: float) -> Iterator[str]:
    if own.title and other.title and not same_title(own.title, other.title):
        yield "title"
    for name in COMPARED:
        values = {getattr(own, name), getattr(other, name)}
        if len(values) > 1 and all(values):
            yield name
    if similarity < 1:
        yield TEXT


# Of two sources the job of one names the other, or its job. A source that was replaced is named by its own.
_PAIRS = (
    Similar.objects.annotate(named=Coalesce("source_id", "other__source_id"))
    .filter(job__source__isnull=False, named__isnull=False)
    .exclude(named=F("job__source"))
    .order_by()
)
SIMILAR = Q(pk__in=_PAIRS.values("job__source")) | Q(pk__in=_PAIRS.values("named"))
"""The condition that a source is nearly the same as another one."""


def similar_sources(source_ids: Collection[int]) -> Mapping[int, list[Source]]:
    """What each of the sources is nearly the same as, by their ids."""
    pairs = _PAIRS.filter(Q(job__source__in=source_ids) | Q(named__in=source_ids)).values_list("job__source", "named")
    both = sorted({pair for one, other in pairs for pair in ((one, other), (other, one))})
    sources = Source.objects.only("title", "filename").in_bulk({pk for pair in both for pk in pair})
    found = defaultdict(list)
    for one, other in both:
        found[one].append(sources[other])
    return found


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
