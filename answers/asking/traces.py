"""The trace of an answer: written when it has ended, however it ended, and forgotten after a while."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import MISSING, asdict, fields
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from answers.asking.ask import PreparedQuestion, query_slot
from answers.models import AnswerFeedback, AnswerTrace
from answers.writing.protocol import Answer, AnswerCitation, AnswerStatus, Claim
from answers.writing.quotes.verify import QuoteFault, fault_of
from kb_project.errors import NotFound
from kb_project.llm import spending
from kb_project.llm.protocol import Usage
from kb_project.llm.roles import ANSWERS
from sources.models import Source
from topics.access import Topics

logger = logging.getLogger(__name__)

REMOVED = "a statement without a quote"


def asker(user: AbstractBaseUser | AnonymousUser) -> str:
    """Who asked, as a trace keeps it."""
    return user.get_username() or "anonymous"


class Trace:
    """What becomes one row. Set `answer` or `error` before saving, neither when the client left."""

    def __init__(self, prepared: PreparedQuestion, *, by: str) -> None:
        self._prepared, self._by = prepared, by
        self.answer: Answer | None = None
        self.error = ""
        self._is_saved = False

    def save(self) -> None:
        """Write the row, once, and give the connection back, since the request may have long ended.

        An answer is not lost because its trace cannot be written. The log then says so.
        """
        if self._is_saved:
            return
        self._is_saved = True
        self._count()
        try:
            with query_slot():
                self._write()
        except DatabaseError:
            logger.exception("The trace of an answer could not be kept")

    def _count(self) -> None:
        """Put down what the models cost, however the answer ended."""
        record, topic = self._prepared.record, self._prepared.asked.topic_name
        failed = {fell.provider for fell in record.fell}
        if (self.error or record.refused) and self._prepared.answerer.key:
            failed.add(self._prepared.answerer.provider)
        for provider in {*record.spent, *failed}:
            usage = record.spent.get(provider, Usage())
            spending.count(usage, role=ANSWERS.name, provider=provider, topic=topic, failed=provider in failed)

    def _what_went_wrong(self) -> str:
        """The error or refusal that ended the answer, behind those that it did not end with."""
        last = self.error or self._prepared.record.refused
        fell = [f"{fell.provider}: {fell.why}" for fell in self._prepared.record.fell]
        return " ".join([*fell, last] if last else fell)

    def _status(self) -> str:
        if self.answer and self.answer.truncated:
            return AnswerTrace.TRUNCATED
        if self.answer and (self.answer.passages or self.answer.versions):
            return AnswerTrace.SHOWN
        return self.answer.status if self.answer else AnswerTrace.FAILED if self.error else AnswerTrace.LEFT

    def _dropped(self, claim: Claim) -> dict[str, Any]:
        return {**asdict(claim), "why": fault_of(claim, self._prepared.asked.passages) or QuoteFault.NO_STATEMENT}

    def _write(self) -> None:
        prepared, record = self._prepared, self._prepared.record
        AnswerTrace.objects.create(
            answer_id=prepared.id,
            by=self._by,
            topic_id=prepared.scope.topic_id,
            question=prepared.asked.question,
            as_of=prepared.scope.as_of,
            expanded=list(prepared.retrieval.expanded),
            expansion=prepared.expansion,
            passages=[
                {
                    "chunk_id": hit.chunk_id,
                    "source_id": hit.source.id,
                    "match": hit.match,
                    "score": round(hit.score, 4),
                    "coverage": round(hit.coverage, 4),
                    "reranking": prepared.retrieval.reranking,
                }
                for hit in prepared.asked.passages
            ],
            status=self._status(),
            answer=self.answer.answer if self.answer else "",
            citations=[asdict(citation) for citation in self.answer.citations] if self.answer else [],
            dropped=[*map(self._dropped, record.dropped), *map(_removed, record.removed)],
            error=self._what_went_wrong(),
            provider=prepared.answerer.provider,
            model=prepared.answerer.model,
            fallback_from=record.fallback_from or "",
            **(asdict(record.usage) if record.usage.calls else {}),
            retrieval_ms=prepared.retrieval.took_ms,
            took_ms=round((time.perf_counter() - prepared.started) * 1000, 2),
        )


def _removed(sentence: str) -> dict[str, Any]:
    """A sentence that was left out of the answer, among the claims that were. It is of no passage."""
    return {"passage": None, "label": "", "quote": sentence, "why": REMOVED}


@contextmanager
def saved_trace(prepared: PreparedQuestion, *, by: str) -> Iterator[Trace]:
    """A trace that is saved at the end of the block, with the error that ended it if one did."""
    trace = Trace(prepared, by=by)
    try:
        yield trace
    except Exception as error:
        trace.error = str(error)
        raise
    finally:
        trace.save()


def forget_old() -> int:
    """Delete the traces that are older than `KB_TRACE_DAYS`. Returns how many."""
    oldest = timezone.now() - timedelta(days=settings.KB_TRACE_DAYS)
    return AnswerTrace.objects.filter(at__lt=oldest).delete()[0]


def find(answer_id: UUID, *, by: str, within: Topics) -> AnswerTrace:
    """An answer that the same person or key was given.

    Raises NotFound for others', for forgotten and broken off ones, and for those of what the caller does not see.
    """
    said = (*AnswerStatus, AnswerTrace.TRUNCATED, AnswerTrace.SHOWN)
    trace = AnswerTrace.objects.select_related("topic").filter(answer_id=answer_id, by=by, status__in=said).first()
    if trace is None or not _is_seen(trace, within):
        raise _forgotten()
    return trace


def _is_seen(trace: AnswerTrace, within: Topics) -> bool:
    """Whether the topic is seen, and each cited document that is here. Of all topics, whether all of them are here."""
    if within is None:
        return True
    cited = {citation["source_id"] for citation in trace.citations}
    topics = list(Source.objects.filter(pk__in=cited).values_list("topic_id", flat=True))
    of_topic = trace.topic_id in within if trace.topic_id else len(topics) == len(cited)
    return of_topic and within.issuperset(topics)


def day_of(trace: AnswerTrace) -> date:
    """The day whose law the answer is of."""
    return trace.as_of or timezone.localdate(trace.at)


def citations_of(trace: AnswerTrace) -> list[AnswerCitation]:
    """What it cites, as it was then. What another release does not keep of a citation is empty."""
    empty = {"n": 0, "chunk_id": 0, "source_id": 0, "page": None}
    names = [field.name for field in fields(AnswerCitation)]
    needed = {field.name: "" for field in fields(AnswerCitation) if field.default is MISSING}
    return [
        AnswerCitation(**{**needed, **empty, **{name: kept[name] for name in names if name in kept}})
        for kept in trace.citations
    ]


MAX_NOTE_LENGTH = 2_000  # characters


def give(answer_id: UUID, *, helpful: bool, note: str = "", by: str, within: Topics, is_pinned: bool = False) -> None:
    """Keep it in place of what was said before.

    Raises NotFound for an answer that is forgotten, and for one of another topic than those that a caller sees.
    """
    traces = AnswerTrace.objects.filter(answer_id=answer_id)
    of_all = Q() if is_pinned else Q(topic=None)  # asked in all topics that somebody sees
    seen = traces if within is None else traces.filter(Q(topic_id__in=within) | of_all)
    trace_id = seen.values_list("pk", flat=True).first()
    said = {"helpful": helpful, "note": note.strip(), "by": by, "at": Now()}
    try:
        with transaction.atomic():
            if trace_id is not None:
                AnswerFeedback.objects.update_or_create(trace_id=trace_id, defaults=said)
    except IntegrityError:  # the trace was forgotten just now
        trace_id = None
    if trace_id is None:
        raise _forgotten()


def _forgotten() -> NotFound:
    return NotFound(_("There is no such answer, or it was given too long ago."))
