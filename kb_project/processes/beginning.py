"""What each process of the service begins with: `manage.py`, `kb_project.asgi` and `kb_project.celery` call it.

To import anything else changes nothing in the process that does.
"""

import atexit
import gc
import sys

COLLECTED_AFTER = 20_000  # objects made and not freed


def begin() -> None:
    """Set up this process. For its entry point, before it imports others."""
    # What is imported and what is made for one request would call the collector often, in vain.
    gc.set_threshold(COLLECTED_AFTER)
    # Else Python looks through everything three times before it ends, which takes a third of a short command's time.
    atexit.register(gc.freeze)
    # redis-py imports them wherever they are installed, 3 MB in every process, for metrics that nobody asks it for.
    sys.modules.setdefault("opentelemetry.sdk.metrics", None)  # type: ignore[arg-type]  # an import of it fails
