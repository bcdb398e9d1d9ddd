"""Metrics of jobs, from their rows and events: the queue, the time in each state, failures, classifications.

Totals are counted in the database. A process keeps its counts, so that a scrape reads only the events since the last
one. A new process gets the same totals, over as many scrapes as it takes: until it has counted all it tells none.
"""

import threading
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count
from django.utils import timezone
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric

from ingest.job_states import AWAITING_REVIEW, CLASSIFYING, DONE, EMBEDDING, FAILED, QUEUED, JobState, JobStatus, Stage
from ingest.models import Job
from kb_project.database.rows import fetch
from kb_project.observability.metrics import register

IN_ORDER = (QUEUED, CLASSIFYING, AWAITING_REVIEW, EMBEDDING, DONE, FAILED)
# Of those at rest only the number is asked for: there may be a hundred thousand, and they have no age to speak of.
STATES = """
SELECT status, processing_stage, count(*),
       extract(epoch FROM now() - min(entered.at))::float8
FROM kb_ingest_job j
LEFT JOIN LATERAL (
    SELECT at FROM kb_ingest_event WHERE job_id = j.id AND status NOT IN ('done', 'failed') ORDER BY id DESC LIMIT 1
) AS entered ON true
GROUP BY status, processing_stage
"""
SECONDS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0, 7200.0, 86400.0)
SETTLED_AFTER_S = 5  # an event with a lower id may be committed after one with a higher
NO_PROVIDER = "none"
STEP, STEPS = 20_000, 10  # events that one statement counts, and statements of a scrape
UNTIL = """
SELECT newest, least(newest, %(since)s + %(step)s, (
    SELECT min(id) - 1 FROM kb_ingest_event
    WHERE id > %(since)s AND id <= %(since)s + %(step)s AND at > now() - make_interval(secs => %(settled)s)
)) FROM (SELECT coalesce(max(id), 0) AS newest FROM kb_ingest_event) AS events
"""
MOVES = """
SELECT e.from_state, e.to_state,
       CASE WHEN e.to_state = 'awaiting_review' THEN coalesce(j.ai_suggestions ->> 'provider', %(no_provider)s) END,
       width_bucket(extract(epoch FROM e.at - before.at)::float8, %(seconds)s::float8[]),
       count(*), coalesce(sum(greatest(extract(epoch FROM e.at - before.at), 0)), 0)::float8
FROM kb_ingest_event e
JOIN kb_ingest_job j ON j.id = e.job_id
LEFT JOIN LATERAL (
    SELECT at FROM kb_ingest_event
    WHERE job_id = e.job_id AND id < e.id AND from_state <> to_state ORDER BY id DESC LIMIT 1
) AS before ON true
WHERE e.from_state <> e.to_state AND e.id > %(since)s AND e.id <= %(until)s
GROUP BY 1, 2, 3, 4
"""


@dataclass(frozen=True, slots=True)
class StateCount:
    """`oldest_age_s` is None for `done`, `failed` and empty states."""

    state: JobState
    count: int
    oldest_age_s: float | None

    @property
    def label(self) -> str:
        """The state in the reader's language."""
        return str(Stage(self.state.stage).label if self.state.stage else JobStatus(self.state.status).label)

    @property
    def since(self) -> datetime | None:
        return None if self.oldest_age_s is None else timezone.now() - timedelta(seconds=self.oldest_age_s)


def queue_state() -> list[StateCount]:
    """Every state in the order of a job's life, also empty ones."""
    found = {
        (status, stage): (count, None if age is None else max(0.0, age))  # clocks may differ
        for status, stage, count, age in fetch(STATES, ())
    }
    return [StateCount(state, *found.get((state.status, state.stage), (0, None))) for state in IN_ORDER]


class Moves:
    """Totals of the moves of all jobs. `read` adds the newest."""

    def __init__(self, *, settled_after_s: float = SETTLED_AFTER_S, step: int = STEP, steps: int = STEPS) -> None:
        self._settled_after_s, self._step, self._steps = settled_after_s, step, steps
        self._lock = threading.Lock()
        self._forget()

    def _forget(self) -> None:
        self._since = 0
        self._moves: dict[tuple[str, str], int] = defaultdict(int)
        self._classified: dict[str, int] = defaultdict(int)
        self._buckets: dict[str, list[int]] = defaultdict(lambda: [0] * (len(SECONDS) + 1))
        self._sums: dict[str, float] = defaultdict(float)

    def read(self) -> Iterator[Metric]:
        with self._lock:
            if any(self._has_caught_up() for _ in range(self._steps)):
                yield self._as_moves()
                yield self._as_times()
                yield self._as_classifications()

    def _has_caught_up(self) -> bool:
        """Count the next events. Returns whether there are no more that have settled."""
        asked = {"since": self._since, "step": self._step, "settled": self._settled_after_s}
        [(newest, until)] = fetch(UNTIL, asked)
        if newest < self._since:  # the database was replaced
            self._forget()
            return False
        whole_step = until == self._since + self._step
        if until > self._since:
            self._count(until)
        return not whole_step

    def _count(self, until: int) -> None:
        """Add the moves of jobs since the last count, up to the event with the id `until`, with their seconds."""
        asked = {"since": self._since, "until": until, "seconds": list(SECONDS), "no_provider": NO_PROVIDER}
        for left, entered, provider, bucket, count, seconds in fetch(MOVES, asked):
            self._moves[left, entered] += count
            if provider is not None and left == "processing/classifying":
                self._classified[provider] += count
            if left and bucket is not None:
                self._buckets[left][bucket] += count
                self._sums[left] += seconds
        self._since = until

    def _as_moves(self) -> Metric:
        family = CounterMetricFamily("kb_job_moves", "Moves of jobs from one state to another.", labels=["from", "to"])
        for (left, entered), count in sorted(self._moves.items()):
            family.add_metric([left, entered], count)
        return family

    def _as_times(self) -> Metric:
        family = HistogramMetricFamily(
            "kb_job_state_seconds", "Time that jobs spent in a state before they left it.", labels=["state"]
        )
        for state, counts in sorted(self._buckets.items()):
            total, buckets = 0, []
            for bound, count in zip([*map(str, SECONDS), "+Inf"], counts, strict=True):
                total += count
                buckets.append((bound, float(total)))
            family.add_metric([state], buckets, sum_value=self._sums[state])
        return family

    def _as_classifications(self) -> Metric:
        family = CounterMetricFamily(
            "kb_classifications",
            f"Jobs that were classified, by who proposed; `{NO_PROVIDER}` where nobody had a proposal.",
            labels=["provider"],
        )
        for provider, count in sorted(self._classified.items()):
            family.add_metric([provider], count)
        return family


def read_queue() -> Iterator[Metric]:
    """The number of jobs in each state, and the age of the oldest."""
    depth = GaugeMetricFamily("kb_jobs", "Jobs by the state that they are in.", labels=["state"])
    age = GaugeMetricFamily(
        "kb_job_oldest_age_seconds", "Time since the job that is in the state longest came to it.", labels=["state"]
    )
    for part in queue_state():
        depth.add_metric([str(part.state)], part.count)
        if part.oldest_age_s is not None:
            age.add_metric([str(part.state)], part.oldest_age_s)
    yield depth
    yield age
    failed = GaugeMetricFamily("kb_jobs_failed", "Failed jobs by their error code.", labels=["code"])
    codes = Job.objects.filter(status=JobStatus.FAILED).order_by().values_list("error_code").annotate(Count("pk"))
    for code, count in codes:
        failed.add_metric([code], count)
    yield failed


register("queue", read_queue)
register("moves", Moves().read)
