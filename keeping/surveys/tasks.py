"""Background work of surveys."""

from django.conf import settings

from kb_project.celery import app
from kb_project.database.work_queue import look_for
from keeping.surveys import making


@app.task(name=settings.KB_SURVEY_TASK)
def make_surveys() -> None:
    """Make the survey that waits longest. Only classifiers consume this task's queue."""
    if making.run_next() and making.are_waiting():
        making.hint()


look_for(make_surveys.name, making.are_waiting)
