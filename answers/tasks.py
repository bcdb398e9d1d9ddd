"""Background work of answers."""

import answers.checking.tasks
import answers.evaluation.tasks  # noqa: F401
from answers.asking import traces
from answers.checking import verdict_counts
from kb_project.celery import app
from search import search_counts


@app.task
def forget_old_traces() -> int:
    """Delete the traces of answers, and the counts of searches and verdicts, that were kept for `KB_TRACE_DAYS`."""
    return traces.forget_old() + search_counts.forget_old() + verdict_counts.forget_old()
