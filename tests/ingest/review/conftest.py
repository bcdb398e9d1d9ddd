"""What the tests of the review screens share: a staff member at the browser, and jobs with a proposal."""

from collections.abc import Callable
from datetime import timedelta
from itertools import count
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils.timezone import now

from ingest.job_states import JobStatus
from ingest.models import Job
from tests.factories import make_job

SUGGESTIONS = {
    "kind": "law",
    "title": "חוק הספריות הציבוריות לדוגמה",
    "subject": "ספריות",
    "summary": "",
    "identifier": 'ס"ח 9118',
    "published_at": "2024-03-01",
    "labels": [],
    "evidence": {"title": {"page": 1, "quote": "חוק הספריות"}},
    "unsupported": ["kind", "subject", "identifier", "published_at"],
    "provider": "rules",
    "model": "rules",
    "prompt_version": "1",
}


@pytest.fixture
def batch_id() -> UUID:
    return uuid4()


@pytest.fixture
def make_waiting(db: None, batch_id: UUID) -> Callable[..., Job]:
    """`make_waiting(title="…", filename="…", …)`: a job of the batch that awaits review."""

    arrival = count()  # rows of one transaction would all be of the same instant

    def make(**fields: Any) -> Job:
        proposed = {name: fields.pop(name) for name in list(fields) if name in SUGGESTIONS}
        fields.setdefault("ai_suggestions", {**SUGGESTIONS, **proposed})
        fields.setdefault("status", JobStatus.AWAITING_REVIEW)
        fields.setdefault("created_at", now() + timedelta(milliseconds=next(arrival)))
        job = make_job(batch_id=batch_id, confirmed=None, **fields)
        job.refresh_from_db()
        return job

    return make
