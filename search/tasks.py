"""Background work of search."""

import logging
import time

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from kb_project.celery import app
from kb_project.database.work_notes import look_for
from kb_project.errors import ProviderError
from search.embedders import configured, vector_notes
from search.embedders.local import LocalEmbedder
from search.embedders.spaces import is_switched
from search.index import engine, filling

FILL_S = 10.0  # of one turn: a worker that is asked to stop ends it first
QUIET_S = 2.0  # documents come in where one has come in so long
REST_S = 120.0  # while they do, vectors wait at most so long for their next turn

logger = logging.getLogger(__name__)
_turns = {"ended": time.monotonic()}  # of this process


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
        if isinstance(configured(), LocalEmbedder) and rests():
            return
        is_more = filling.fill_for(FILL_S)
    except (ProviderError, ImproperlyConfigured) as error:
        logger.warning("The embedder fails; vectors wait for it: %s", error)
        return
    _turns["ended"] = time.monotonic()
    if is_more:
        fill_vectors.delay()


def rests() -> bool:
    """Whether the processor is left to documents that are coming in, until the next hint.

    The embedder of this machine has the lowest priority, and slows them nevertheless: a batch of it takes long, and two
    threads of a processor share one core.
    """
    if time.monotonic() - _turns["ended"] > REST_S:
        return False
    known = vector_notes.last()
    time.sleep(QUIET_S)
    return vector_notes.last() > known


def are_due() -> bool:
    """Whether vectors are lacking, or the settings name another embedder."""
    return vector_notes.exist() or is_switched()


look_for(maintain_index.name, lambda: engine().is_behind())
look_for(settings.KB_VECTOR_TASK, are_due)
