"""The background tasks. Each makes one domain call."""

from uuid import UUID

from django.conf import settings

from ingest.decide import discard
from ingest.documents import trash
from ingest.job_states import Stage
from ingest.jobs import claims, dispatch
from ingest.stages import run as working
from kb_project.celery import app
from kb_project.observability import request_ids


@app.task(name=dispatch.TASK)
def work(job_id: str) -> None:
    """Index a job that was decided."""
    with request_ids.also(job_id=job_id):
        working.run_job(UUID(job_id), only=Stage.EMBEDDING)


@app.task(name=settings.KB_CLASSIFY_TASK)
def classify(job_id: str) -> None:
    """Classify a job without a decision. Only classifiers consume this task's queue."""
    with request_ids.also(job_id=job_id):
        working.run_job(UUID(job_id), only=Stage.CLASSIFYING)


@app.task(name="ingest.tasks.empty_trash", expires=3600)
def empty_trash() -> None:
    """Delete for good what has been in the trash for long."""
    trash.empty()


@app.task(name="ingest.tasks.let_go_of_discarded", expires=60)
def let_go_of_discarded() -> None:
    """Delete the files of what was discarded on a screen and can no longer be taken back."""
    discard.let_go()


@app.task(name="ingest.tasks.sweep", expires=60)
def sweep() -> None:
    """Repeat lost hints, take over from dead workers, finish deletions."""
    claims.sweep()
