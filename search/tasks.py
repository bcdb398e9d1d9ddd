"""Background work of search."""

import logging

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from kb_project.celery import app
from kb_project.database.work_queue import look_for
from kb_project.errors import ProviderError
from search.embedders import lacking_vectors, vector_notes
from search.embedders.spaces import is_switched
from search.index import engine, filling

FILL_S = 10.0  # of one turn: a worker that is asked to stop ends it first

logger = logging.getLogger(__name__)
engine()  # imports it before workers are forked, which share it then


@app.task
def maintain_index() -> int:
    """Bring what was published into the index's good shape. Hinted at while something is."""
    return engine().maintain()


@app.task
def maintain_index_thoroughly() -> int:
    """Free what withdrawn documents take, and complete what is incomplete. Sent by beat every few minutes."""
    return engine().maintain(thorough=True)


@app.task(name=settings.KB_VECTOR_TASK, expires=60)
def fill_vectors() -> None:
    """Make vectors that are lacking, and go on. Only classifiers consume this task's queue."""
    try:
        is_more = filling.fill_for(FILL_S)
    except (ProviderError, ImproperlyConfigured) as error:
        logger.warning("The embedder fails; vectors wait for it: %s", error)
        return
    if is_more:
        fill_vectors.delay()


@app.task(expires=60)
def count_lacking_vectors() -> None:
    """Count for searches what lacks vectors."""
    lacking_vectors.count()


def are_due() -> bool:
    """Whether vectors are lacking, or the settings name another embedder."""
    return vector_notes.exist() or is_switched()


look_for(maintain_index.name, lambda: engine().is_behind())
look_for(settings.KB_VECTOR_TASK, are_due)
look_for(count_lacking_vectors.name, vector_notes.exist)
