"""Which changes there are for a reader, which are news for a feed, and what differs by them."""

from collections import Counter
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import Case, DateTimeField, F, Func, Q, QuerySet, Value, When
from django.db.models.functions import Greatest
from django.utils.translation import gettext_lazy

from kb_project.errors import TooLarge
from sources.comparison import ProvisionChange, compare_sources
from sources.models import Change, Source
from topics.models import Topic

MAX_KEPT = 500  # provisions of one change; the comparison has all
MAX_LABEL_LENGTH = 120  # characters
TOO_LARGE = "too_large"
NEWS_FOR = timedelta(days=366)


NO_NEWS = gettext_lazy("The feed is empty: it tells of no change that was over a year ago when it was noted.")


def changes_in(topics: Iterable[Topic]) -> QuerySet[Change]:
    """The changes in topics, the latest day first, what is still to come included.

    One whose versions are not of one work any more is none until the background has looked at it.
    """
    together = Q(before=None) | Q(before__work=F("source__work"))
    return Change.objects.filter(together, source__topic__in=topics)


def feed_entries(changes: QuerySet[Change], *, today: date) -> QuerySet[Change]:
    """Those that a feed tells of, newest first by `updated_at`: when it was noted, or when its day began.

    So a change is told of when it is known, and once more when it comes into force. What was over a year ago when it
    was noted is no news: otherwise a library that is taken in would be a feed of old law.
    """
    zone = Value(settings.TIME_ZONE)
    began = Func(zone, F("day"), template="timezone(%(expressions)s::timestamp)", output_field=DateTimeField())
    updated = Case(When(day__lte=today, then=Greatest(F("noted_at"), began)), default=F("noted_at"))
    recent = changes.filter(day__gte=F("noted_at") - NEWS_FOR).annotate(updated_at=updated)
    return recent.order_by("-updated_at", "-source_id", "ends")


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
