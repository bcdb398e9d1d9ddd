"""What differs between a version and the one before it, as it is kept and shown in a list of changes."""

from collections import Counter
from typing import Any, NamedTuple

from kb_project.errors import TooLarge
from sources.comparison import ProvisionChange, compare_sources
from sources.models import Source

MAX_KEPT = 500  # provisions of one change; the comparison has all
MAX_LABEL_LENGTH = 120  # characters
TOO_LARGE = "too_large"


class Differences(NamedTuple):
    """`provisions` are the first that differ, in the order of the text: what became of it (`change`), its `kind`,
    `number` and `label`, which is its heading or how it begins, and its addresses `before` and `since`, '' where it
    was not there or has none. `counts` are the numbers of all of them by `change`, or it has `TOO_LARGE` alone.
    """

    provisions: list[dict[str, Any]]
    counts: dict[str, int]


def compare(before: Source | None, version: Source) -> Differences:
    """Nothing without a version before. It takes as long as two texts are read and compared."""
    if before is None:
        return Differences([], {})
    try:
        changes = compare_sources(before.pk, version.pk)
    except TooLarge:
        return Differences([], {TOO_LARGE: 1})
    counts = Counter(change.kind.value for change in changes)
    return Differences([_kept(change) for change in changes[:MAX_KEPT]], dict(counts))


def _kept(change: ProvisionChange) -> dict[str, Any]:
    shown = change.shown
    label = shown.heading or ("" if shown.number else " ".join(shown.text.split()))
    return {
        "change": change.kind.value,
        "kind": shown.kind.value,
        "number": shown.number,
        "label": label[:MAX_LABEL_LENGTH],
        "before": change.before.eid if change.before else "",
        "since": change.after.eid if change.after else "",
    }
