"""The queue: how many jobs are in each state, and how long the oldest has been there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection
from django.utils import timezone

from ingest.jobs.states import AWAITING_REVIEW, CLASSIFYING, DONE, EMBEDDING, FAILED, QUEUED, Stage, State, Status

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


@dataclass(frozen=True, slots=True)
class StateCount:
    """`oldest_age_s` is None for `done`, `failed` and empty states."""

    state: State
    count: int
    oldest_age_s: float | None

    @property
    def label(self) -> str:
        """The state in the reader's language."""
        return str(Stage(self.state.stage).label if self.state.stage else Status(self.state.status).label)

    @property
    def since(self) -> datetime | None:
        return None if self.oldest_age_s is None else timezone.now() - timedelta(seconds=self.oldest_age_s)


def queue_state() -> list[StateCount]:
    """Every state in the order of a job's life, also empty ones."""
    with connection.cursor() as cursor:
        cursor.execute(STATES)
        found = {
            (status, stage): (count, None if age is None else max(0.0, age))  # clocks may differ
            for status, stage, count, age in cursor.fetchall()
        }
    return [StateCount(state, *found.get((state.status, state.stage), (0, None))) for state in IN_ORDER]
