"""Ask a classifier again while its provider is away, within the time limit of one classification."""

from __future__ import annotations

import time
from collections.abc import Callable

from ingest.classify.proposal import ClassificationFailed, Classifier, DocumentHead, RawProposal, unwanted

FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 8.0
LOOK_EVERY_S = 0.25  # how often `is_unwanted` is asked


def ask(
    classifier: Classifier, document: DocumentHead, *, deadline_s: float, is_unwanted: Callable[[], bool]
) -> RawProposal:
    """Try for `deadline_s` seconds in all, with growing pauses between the tries.

    Raises `ClassificationFailed`: at once when it is not retryable or the call is cancelled, else after the last try
    that there is time for.
    """
    ends = time.monotonic() + deadline_s
    pause_s = FIRST_PAUSE_S
    earlier: ClassificationFailed | None = None
    while True:
        try:
            return classifier.classify(document, deadline_s=ends - time.monotonic(), is_unwanted=is_unwanted)
        except ClassificationFailed as failure:
            if not failure.retryable:
                raise
            # The last try has only seconds. The error of the try before it says more.
            reason = earlier or failure
            if time.monotonic() + pause_s >= ends:
                raise reason from failure
            earlier = failure
        _wait(pause_s, is_unwanted)
        pause_s = min(2 * pause_s, LONGEST_PAUSE_S)


def _wait(seconds: float, is_unwanted: Callable[[], bool]) -> None:
    ends = time.monotonic() + seconds
    while (left_s := ends - time.monotonic()) > 0:
        if is_unwanted():
            raise unwanted()
        time.sleep(min(left_s, LOOK_EVERY_S))
