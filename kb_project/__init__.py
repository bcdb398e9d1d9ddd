"""The foundation: settings, errors, API manners, embedded stack. It imports no app."""

import gc

COLLECTED_AFTER = 20_000  # objects made and not freed
# Of every process, as all begin here: what is imported and what is made for one request would call it often, in vain.
gc.set_threshold(COLLECTED_AFTER)
