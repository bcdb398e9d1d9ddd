"""Failed jobs by their causes, and the jobs of one cause."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.db.models import Count, Max, QuerySet
from django.urls import reverse

from ingest.decide.discard import DISCARDED
from ingest.documents.edit import SOURCE_DELETED
from ingest.job_states import JobStatus
from ingest.models import Job
from ingest.review.warnings import SENTENCES, details_of, sentence_of

BY_A_PERSON = (DISCARDED, SOURCE_DELETED)  # decisions of a person: no failures, and not retried
MAX_CAUSES = 50  # that are shown, those of most jobs first


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a job failed: the code for programs, and the sentence that was stored with it, in English."""

    code: str = ""
    said: str = ""

    @property
    def sentence(self) -> str:
        """In the reader's language, where the code has one."""
        return sentence_of(self.code, self.said) or str(SENTENCES.get(self.code, self.code))

    @property
    def details(self) -> str:
        """What was stored, where the reader is shown the sentence of its code."""
        return details_of(self.code, self.said)

    @property
    def url(self) -> str:
        """The page that lists its jobs."""
        return f"{reverse('status-failed')}?{urlencode({'code': self.code, 'said': self.said})}"


@dataclass(frozen=True, slots=True)
class FailureCount:
    """The failed jobs of one cause."""

    cause: Cause
    count: int
    latest_at: datetime | None


@dataclass(frozen=True, slots=True)
class FailedJob:
    """`url` is the screen of the job, or of the document that it was to index again."""

    job: Job
    cause: Cause

    @property
    def url(self) -> str:
        if self.job.batch_id:
            return reverse("review-job", args=[self.job.batch_id, self.job.pk])
        if self.job.source_id:
            return reverse("library-source", args=[self.job.source_id])
        return reverse("review-job-anywhere", args=[self.job.pk])


def failed_jobs(cause: Cause | None = None) -> QuerySet[Job]:
    """The jobs that failed, without those that a person ended. Of one cause, or of a code if nothing was said."""
    found = Job.objects.filter(status=JobStatus.FAILED).exclude(error_code__in=BY_A_PERSON)
    if cause and cause.code:
        found = found.filter(error_code=cause.code)
    return found.filter(error_message=cause.said) if cause and cause.said else found


def failure_counts() -> list[FailureCount]:
    """How many failed for each cause, at most `MAX_CAUSES` of them. Of one code there may be many causes."""
    rows = failed_jobs().order_by().values_list("error_code", "error_message")
    counted = rows.annotate(count=Count("pk"), latest_at=Max("finished_at"))
    ordered = counted.order_by("-count", "error_code", "error_message")[:MAX_CAUSES]
    return [FailureCount(Cause(code, said), count, latest_at) for code, said, count, latest_at in ordered]
