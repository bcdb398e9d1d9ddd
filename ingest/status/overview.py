"""What `/status/` shows, in the reader's language."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import reduce
from operator import or_
from typing import Any

import redis
from django.conf import settings
from django.core.files.storage import default_storage
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from answers.metrics import traces_since, with_provider_error
from ingest.job_states import FAILED, JobStatus
from ingest.metrics import queue_state
from ingest.models import Job, JobEvent
from ingest.review.phases import ReviewPhase
from ingest.stages.classify.proposal import UNCLASSIFIED
from ingest.status.failures import BY_A_PERSON, failed_jobs, failure_counts
from ingest.webhooks.delivering import overdue
from ingest.webhooks.models import Delivery, DeliveryStatus
from kb_project.celery import app, live_workers
from kb_project.database.rows import fetch
from kb_project.llm.options import known_refusals
from kb_project.llm.roles import ROLES, ModelRole, is_paid
from kb_project.operations.integrity.registry import named, sentence_of
from kb_project.operations.integrity.run import latest
from search.embedders import why_by_words
from search.embedders.spaces import space_in_use
from search.embedders.vector_progress import progress

DAY = timedelta(days=1)
MAX_ERRORS = 20
MAX_EXAMPLES = 5  # of what an integrity check found
PROVIDER_ERROR = "provider_error"
STORED = """
SELECT count(*), coalesce(sum(size), 0)::bigint FROM (
    SELECT file_key, max(size) AS size FROM (
        SELECT file_key, size FROM kb_source UNION ALL SELECT file_key, size FROM kb_ingest_job
        UNION ALL SELECT file_key, size FROM kb_trashed_source
    ) AS named WHERE file_key <> '' GROUP BY file_key
) AS files
"""
PROVIDERS = {
    "anthropic": "Claude",
    "openai": gettext_lazy("a server of OpenAI's API"),
    "extractive": gettext_lazy("sentences of the documents"),
    "rules": gettext_lazy("built-in rules"),
    "none": gettext_lazy("nobody"),
}


@dataclass(frozen=True, slots=True)
class PhaseCount:
    """The jobs of one phase, and when the one that is in it longest came to it."""

    name: str
    count: int
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class ProviderFailure:
    """`said` are the provider's words, or those about it, in English. `url` is the screen of what it failed. An answer
    has none.
    """

    at: datetime
    what: str
    said: str
    url: str


@dataclass(frozen=True, slots=True)
class CheckFault:
    """What an integrity check found and nobody repaired, with the first objects, or the error it broke off with."""

    meaning: str
    remaining: int
    error: str
    examples: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class ModelInUse:
    """`left_out` are the options that the model does not take. What works offline has no model."""

    provider: str
    model: str
    left_out: list[str]


@dataclass(frozen=True, slots=True)
class RoleInUse:
    """Who does a role's work, in the order in which they are tried."""

    name: str
    chain: list[ModelInUse]


def status_of_all() -> dict[str, Any]:
    """What the page shows. `workers` is None when the broker does not answer, `unserved` what no worker does."""
    by_a_person = Job.objects.filter(status=JobStatus.FAILED, error_code__in=BY_A_PERSON).count()
    failed, failed_count = failure_counts(), failed_jobs().count()
    live = _live_workers()
    return {
        "queue": _queue(by_a_person),
        "workers": None if live is None else _workers(live),
        "unserved": _unserved(live or {}),
        "webhooks": _webhooks(),
        "integrity": (run := latest()),
        "faults": [_fault(result) for result in run.results if result["remaining"] or result["error"]] if run else [],
        "failed": failed,
        "failed_count": failed_count,
        "failed_besides": failed_count - sum(row.count for row in failed),
        "provider_failures": _provider_failures(),
        "models": _models(),
        "meaning": progress(),
        "embedder": space_in_use(),
        "by_words": why_by_words(),
        "sizes": _sizes(),
        "at": timezone.now(),
    }


def _queue(by_a_person: int) -> list[PhaseCount]:
    rows = [
        PhaseCount(part.label, part.count - (by_a_person if part.state == FAILED else 0), part.since)
        for part in queue_state()
    ]
    return [*rows, PhaseCount(str(ReviewPhase.DISCARDED.label), by_a_person)]


def _live_workers() -> dict[str, str] | None:
    try:
        return live_workers()
    except redis.RedisError:
        return None


def _workers(live: dict[str, str]) -> list[tuple[str, str]]:
    """What each does, and its name."""
    indexing, waiting = _("Indexing"), _("Classification, webhooks and checks of texts")
    named = [
        (indexing if app.conf.task_default_queue in queues.split(",") else waiting, name)
        for name, queues in live.items()
    ]
    return sorted(named)


def _unserved(live: dict[str, str]) -> list[str]:
    """The work whose queue no worker reads."""
    served = {queue for queues in live.values() for queue in queues.split(",")}
    work = {
        app.conf.task_default_queue: _("Indexing"),
        settings.KB_CLASSIFY_QUEUE: _("Classification"),
        settings.KB_WEBHOOK_QUEUE: _("Webhooks"),
        settings.KB_VECTOR_QUEUE: _("Search by meaning"),
        settings.KB_CHECK_QUEUE: _("Checks of texts"),
    }
    return [does for queue, does in work.items() if queue not in served]


def _webhooks() -> dict[str, int]:
    """How many deliveries wait and were given up, and to how many webhooks nobody sends."""
    waiting, given_up = (
        Delivery.objects.filter(status=status).count() for status in (DeliveryStatus.WAITING, DeliveryStatus.GIVEN_UP)
    )
    return {"waiting": waiting, "given_up": given_up, "unserved": len(overdue())}


def _fault(result: Mapping[str, Any]) -> CheckFault:
    check = named(result["name"])  # None for one that this version of the program does not have
    examples = [
        (one["object"], sentence_of(one["detail"], one["values"])) for one in result.get("examples", ())[:MAX_EXAMPLES]
    ]
    return CheckFault(str(check.meaning) if check else result["name"], result["remaining"], result["error"], examples)


def _provider_failures() -> list[ProviderFailure]:
    """Of the last day, newest first: answers that failed, jobs that nobody could classify, jobs that failed for it."""
    answer, classification, job = _("An answer"), _("A classification"), _("A job")
    found = [
        ProviderFailure(trace.at, answer, trace.error, "")
        for trace in with_provider_error(traces_since(DAY)).order_by("-id")[:MAX_ERRORS]
    ]
    since = timezone.now() - DAY
    events = JobEvent.objects.filter(at__gte=since).order_by("-id")
    for what, state, codes in (
        (classification, JobStatus.AWAITING_REVIEW, UNCLASSIFIED),
        (job, JobStatus.FAILED, (PROVIDER_ERROR,)),
    ):
        of_a_code = reduce(or_, (Q(why__startswith=f"{code}: ") for code in codes))
        found += [
            ProviderFailure(
                event.at,
                what,
                event.why.partition(": ")[2],
                reverse("review-job-anywhere", args=[event.job_id]),
            )
            for event in events.filter(of_a_code, to_state=state)[:MAX_ERRORS]
        ]
    return sorted(found, key=lambda failure: failure.at, reverse=True)[:MAX_ERRORS]


def _models() -> list[RoleInUse]:
    refusals = known_refusals()

    def shown(role: ModelRole, name: str) -> ModelInUse:
        provider = str(PROVIDERS.get(name, name))
        if not is_paid(name):
            return ModelInUse(provider, "", [])
        model = role.model(name).name
        return ModelInUse(provider, model, refusals.get((name, model), []))

    return [RoleInUse(role.name, [shown(role, name) for name in role.chain]) for role in ROLES]


def _sizes() -> dict[str, int | None]:
    """Bytes. Those that are free are of the disk that the files lie on, None where they are not on this machine."""
    [(files, files_bytes)] = fetch(STORED, ())
    [(database_bytes,)] = fetch("SELECT pg_database_size(current_database())", ())
    try:
        free_bytes = shutil.disk_usage(default_storage.path("")).free
    except (NotImplementedError, OSError):  # the files are on S3, or no file was stored yet
        free_bytes = None
    return {
        "files": files,
        "files_bytes": files_bytes,
        "database_bytes": database_bytes,
        "free_bytes": free_bytes,
    }
