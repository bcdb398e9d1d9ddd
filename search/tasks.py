"""Background work of search."""

from __future__ import annotations

from celery import shared_task

from search.answers import traces
from search.embedders import spaces
from search.index.postgres import statistics
from search.index.postgres.segments import gathering
from search.index.postgres.vectors import coded_segments


@shared_task
def fold_statistics() -> int:
    """Bring the term statistics up to date; sent by beat every few seconds."""
    return statistics.fold()


@shared_task
def gather_segments() -> int:
    """Bring what was published into posting lists; sent by beat every few seconds."""
    return gathering.gather()


@shared_task
def compact_segments() -> int:
    """Take out of the posting lists what was withdrawn, where that is much."""
    return gathering.compact()


@shared_task
def code_segments() -> int:
    """Make the codes of vectors that segments lack: after an update, or when vectors were missing as they were made."""
    return coded_segments.complete(spaces.active_space())


@shared_task
def forget_old_traces() -> int:
    """Delete the traces of answers that have been kept for `KB_TRACE_DAYS`."""
    return traces.forget_old()
