"""Background work of search."""

from __future__ import annotations

import logging

from celery import shared_task
from django.db import ProgrammingError
from psycopg.errors import InsufficientPrivilege

from search import segments, spaces, statistics, vector_indexes
from search.answers import traces

logger = logging.getLogger(__name__)

# The index of one topic of a million vectors may take hours. Redis gives the message out again meanwhile (its
# visibility timeout goes by the limit of other tasks): whoever gets it finds the lock taken, and is done.
INDEX_TIME_LIMIT_S = 24 * 3600
INDEX_EXPIRES_S = 600  # beat has sent the next one by then


@shared_task
def fold_statistics() -> int:
    """Bring the term statistics up to date; sent by beat every few seconds."""
    return statistics.fold()


@shared_task
def gather_segments() -> int:
    """Bring what was published into posting lists; sent by beat every few seconds."""
    return segments.gather()


@shared_task
def compact_segments() -> int:
    """Take out of the posting lists what was withdrawn, where that is much."""
    return segments.compact()


@shared_task(time_limit=INDEX_TIME_LIMIT_S, soft_time_limit=INDEX_TIME_LIMIT_S - 60, expires=INDEX_EXPIRES_S)
def index_embeddings() -> int:
    """Give a topic of the active space that has become large its HNSW index; cheap when there is nothing to do.

    One topic in each run, so that no run is cut off for the number of them; returns how many that were, 0 or 1. Only
    the owner of the tables may. A service that runs as another role says so, and searches go on without the index.
    """
    try:
        return vector_indexes.maintain(spaces.active_space(), most=1) or 0
    except ProgrammingError as error:
        if not isinstance(error.__cause__, InsufficientPrivilege):
            raise
        logger.warning(
            "Only the owner of the tables can index the embeddings: manage.py reembed, run as that role, does it."
        )
        return 0


@shared_task
def forget_old_traces() -> int:
    """Delete the traces of answers that have been kept for `KB_TRACE_DAYS`."""
    return traces.forget_old()
