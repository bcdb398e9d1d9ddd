"""Background work of evaluation."""

from django.conf import settings

from answers.evaluation import runs
from kb_project.celery import app

EVALUATION_TURN_S = 20.0  # then documents that wait come first


@app.task
def go_on_with_evaluation(run_id: int) -> None:
    """Ask the next questions of a run, and leave the worker to what waits before the ones after them."""
    if not runs.resume(run_id, for_s=EVALUATION_TURN_S):
        go_on_with_evaluation.apply_async([run_id], priority=settings.KB_PRIORITY_IDLE)
