"""Background work of search."""

from contextlib import suppress

from celery import shared_task
from django.conf import settings
from kombu.exceptions import OperationalError

from answers.asking import traces
from answers.evaluation import runs
from search import search_counts
from search.index import engine
from sources import changes, references

GO_ON_WITHIN_S = 5.0  # until beat sends it again
EVALUATION_TURN_S = 20.0  # then documents that wait come first


@shared_task
def maintain_index() -> int:
    """Bring what was published into the index's good shape; sent by beat every few seconds."""
    return engine().maintain()


@shared_task
def maintain_index_thoroughly() -> int:
    """Free what withdrawn documents take, and complete what is incomplete; sent by beat every few minutes."""
    return engine().maintain(thorough=True)


@shared_task
def work_on_references() -> int:
    """Read and resolve the references of what was published, renamed or deleted; sent by beat every few seconds.

    Beside documents that wait it has a small share of a worker. Where none waits it goes on until all is done.
    """
    done = references.work()
    if done and references.is_work_left():
        with suppress(OperationalError):  # beat sends it anyway
            work_on_references.apply_async(priority=settings.KB_PRIORITY_IDLE, expires=GO_ON_WITHIN_S)
    return done


@shared_task
def work_on_changes() -> int:
    """Work out what changed in the law by versions that were published or have other days; as `work_on_references`."""
    done = changes.work()
    if done and changes.is_work_left():
        with suppress(OperationalError):  # beat sends it anyway
            work_on_changes.apply_async(priority=settings.KB_PRIORITY_IDLE, expires=GO_ON_WITHIN_S)
    return done


@shared_task
def forget_old_traces() -> int:
    """Delete the traces of answers, and the counts of searches, that have been kept for `KB_TRACE_DAYS`."""
    return traces.forget_old() + search_counts.forget_old()


@shared_task
def go_on_with_evaluation(run_id: int) -> None:
    """Ask the next questions of a run, and leave the worker to what waits before the ones after them."""
    if not runs.go_on(run_id, for_s=EVALUATION_TURN_S):
        go_on_with_evaluation.apply_async([run_id], priority=settings.KB_PRIORITY_IDLE)
