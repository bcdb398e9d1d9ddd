"""Background work of search."""

from __future__ import annotations

import logging

from celery import shared_task
from django.db import ProgrammingError
from psycopg.errors import InsufficientPrivilege

from search import reembed, spaces, statistics
from search.answers import traces

logger = logging.getLogger(__name__)


@shared_task
def fold_statistics() -> int:
    """Bring the term statistics up to date; sent by beat every few seconds."""
    return statistics.fold()


@shared_task
def index_embeddings() -> bool:
    """Build the active space's HNSW index once there are enough vectors; cheap when there is nothing to do.

    Only the owner of the tables may. A service that runs as another role says so, and searches go on without the index.
    """
    try:
        return reembed.index_if_large(spaces.active_space())
    except ProgrammingError as error:
        if not isinstance(error.__cause__, InsufficientPrivilege):
            raise
        logger.warning("The index of the embeddings is for the owner of the tables to build: manage.py reembed, as it.")
        return False


@shared_task
def forget_old_traces() -> int:
    """Delete the traces of answers that have been kept for `KB_TRACE_DAYS`."""
    return traces.forget_old()
