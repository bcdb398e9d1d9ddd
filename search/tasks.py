"""Background work of search."""

from __future__ import annotations

import logging

from celery import shared_task
from django.db import ProgrammingError
from psycopg.errors import InsufficientPrivilege

from search import spaces, statistics, vector_indexes
from search.answers import traces

logger = logging.getLogger(__name__)


@shared_task
def fold_statistics() -> int:
    """Bring the term statistics up to date; sent by beat every few seconds."""
    return statistics.fold()


@shared_task
def index_embeddings() -> int:
    """Give the topics of the active space that have become large an HNSW index; cheap when there is nothing to do.

    Only the owner of the tables may. A service that runs as another role says so, and searches go on without the index.
    """
    try:
        return vector_indexes.maintain(spaces.active_space())
    except ProgrammingError as error:
        if not isinstance(error.__cause__, InsufficientPrivilege):
            raise
        logger.warning(
            "The indexes of the embeddings are for the owner of the tables to build: manage.py reembed, as it."
        )
        return 0


@shared_task
def forget_old_traces() -> int:
    """Delete the traces of answers that have been kept for `KB_TRACE_DAYS`."""
    return traces.forget_old()
