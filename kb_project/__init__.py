"""The foundation: settings, errors, API manners, embedded stack. It imports no app."""

import atexit
import gc
import sys

COLLECTED_AFTER = 20_000  # objects made and not freed
# Of every process, as all begin here: what is imported and what is made for one request would call it often, in vain.
gc.set_threshold(COLLECTED_AFTER)
# Else Python looks through everything three times before it ends, which takes a third of a short command's time.
atexit.register(gc.freeze)
# redis-py imports them wherever they are installed, 3 MB in every process, for metrics that nobody asks it for.
sys.modules.setdefault("opentelemetry.sdk.metrics", None)  # type: ignore[arg-type]  # an import of it fails
