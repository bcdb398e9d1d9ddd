"""Searches counted by day, topic and words, without who searched: in memory, and in the database now and then.

A web process that ends loses what it counted in the last `WRITTEN_EVERY_S`. A search waits for none of it.
"""

import logging
import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.utils import timezone

from kb_project.database.connections import release
from search.models import SearchCount
from search.results import Match, Retrieval
from sources.scope import Scope
from sources.validity import current_day

logger = logging.getLogger(__name__)

MAX_COUNTED_LENGTH = 200  # characters; what is longer nobody types twice
MIN_COVERAGE = 0.5  # of a search's words, by weight, that a passage must hold to fit
WRITTEN_EVERY_S = 3.0
MAX_AT_A_TIME = 2_000  # different searches of a process until they are written; further ones are not counted
MAX_OF_A_DAY = 20_000  # different searches that are kept; further ones are not
# One statement, so that processes which count the same words at once add up.
WRITE = """
INSERT INTO kb_search_count AS kept (day, topic_id, query, searches, unanswered)
SELECT * FROM unnest(
    %(days)s::date[], %(topics)s::bigint[], %(queries)s::text[], %(searches)s::int[], %(unanswered)s::int[]
)
WHERE (SELECT count(*) FROM kb_search_count WHERE day = %(today)s) < %(most)s
ON CONFLICT (day, coalesce(topic_id, 0), query) DO UPDATE
    SET searches = kept.searches + excluded.searches, unanswered = kept.unanswered + excluded.unanswered
"""
Key = tuple[date, int | None, str]

_lock = threading.Lock()
_counts: dict[Key, list[int]] = defaultdict(lambda: [0, 0])
_writer: threading.Thread | None = None


def count(found: Retrieval, *, scope: Scope) -> None:
    """Count a search, and whether nothing that it found fits. What a filter leaves out is not missing."""
    query = " ".join(found.query.split()).casefold()[:MAX_COUNTED_LENGTH]
    key = (current_day(), scope.topic_id, query)
    missing = not scope.narrows_sources and not is_relevant(found)
    with _lock:
        if key in _counts or len(_counts) < MAX_AT_A_TIME:
            _counts[key][0] += 1
            _counts[key][1] += missing
        if settings.DB_POOL_SIZE:  # in a web process
            _begin_writing()


def is_relevant(found: Retrieval) -> bool:
    """Whether a passage is cited by the search, holds half of its words by weight or one that corrects them, or is near
    in meaning."""
    return not found.not_found and any(
        found.corrected
        or hit.match is Match.CITATION
        or hit.coverage >= MIN_COVERAGE
        or (hit.similarity is not None and hit.similarity >= settings.KB_LEAST_SIMILARITY)
        for hit in found.hits
    )


def write() -> int:
    """Write what this process counted since the last time. Returns how many different searches that were.

    What could not be written as the connection was lost is kept for the next time.
    """
    with _lock:
        counted = dict(_counts)
        _counts.clear()
    if not counted:
        return 0
    columns: dict[str, Any] = {
        "days": [day for day, _, _ in counted],
        "topics": [topic_id for _, topic_id, _ in counted],
        "queries": [query for _, _, query in counted],
        "searches": [searches for searches, _ in counted.values()],
        "unanswered": [unanswered for _, unanswered in counted.values()],
    }
    try:
        with connection.cursor() as cursor:
            cursor.execute(WRITE, {**columns, "today": timezone.localdate(), "most": MAX_OF_A_DAY})
    except (OperationalError, InterfaceError):
        logger.warning("The counts of %d searches wait for the database", len(counted), exc_info=True)
        _keep(counted)
        return 0
    except DatabaseError:
        logger.warning("The counts of %d searches could not be kept", len(counted), exc_info=True)
        return 0
    return len(counted)


def _keep(counted: Mapping[Key, Sequence[int]]) -> None:
    """Add what was not written to what has been counted since, within the same bound."""
    with _lock:
        for key, numbers in counted.items():
            if key in _counts or len(_counts) < MAX_AT_A_TIME:
                _counts[key] = [mine + more for mine, more in zip(_counts[key], numbers, strict=True)]


def forget_old() -> int:
    """Delete the counts that are older than `KB_TRACE_DAYS`. Returns how many."""
    oldest = timezone.localdate() - timedelta(days=settings.KB_TRACE_DAYS)
    return SearchCount.objects.filter(day__lt=oldest).delete()[0]


def _begin_writing() -> None:
    """Begin with the first search, as a process that forks has no threads."""
    global _writer
    if _writer is None:
        _writer = threading.Thread(target=_write_now_and_then, name="search-counts", daemon=True)
        _writer.start()


def _write_now_and_then() -> None:
    pause = threading.Event()
    while not pause.wait(WRITTEN_EVERY_S):
        write()
        release()
