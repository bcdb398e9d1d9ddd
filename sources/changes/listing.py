"""Which changes there are for a reader, and which of them are news for a feed."""

from collections.abc import Iterable
from datetime import date, timedelta

from django.conf import settings
from django.db.models import Case, DateTimeField, F, Func, Q, QuerySet, Value, When
from django.db.models.functions import Greatest
from django.utils.translation import gettext_lazy

from sources.models import Change
from topics.models import Topic

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
