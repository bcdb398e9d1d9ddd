"""How good the proposals for files were, week by week: pages of rooms below show it without knowing this room."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django import template
from django.conf import settings
from django.utils import timezone

from kb_project.database.rows import fetch
from kb_project.screens.pictures import bars
from topics.access import Topics
from topics.models import Topic
from topics.scoping import limits

MAX_WEEKS = 12
# `ingest.decide.commit` writes why a job moved.
_WEEKS = """
SELECT date_trunc('week', e.at AT TIME ZONE %(time_zone)s)::date,
    count(*) FILTER (WHERE e.why ~ '^confirmed; as proposed'), count(*)
FROM kb_ingest_event e JOIN kb_ingest_job j ON j.id = e.job_id
WHERE e.at >= %(since)s AND e.why ~ '^confirmed; (as proposed|changed: )'
    AND (%(topics)s::bigint[] IS NULL OR j.topic_id = ANY(%(topics)s::bigint[]))
GROUP BY 1 ORDER BY 1 DESC
"""

register = template.Library()


@dataclass(frozen=True, slots=True)
class ProposalWeek:
    """Of the files with a proposal that were confirmed in the week: how many unchanged, and how many in all."""

    begins: date
    unchanged: int
    confirmed: int

    @property
    def ends(self) -> date:
        return self.begins + timedelta(days=6)

    @property
    def changed(self) -> int:
        return self.confirmed - self.unchanged

    @property
    def percent(self) -> int:
        return round(100 * self.unchanged / self.confirmed)


def proposal_weeks(topics: Topics) -> Sequence[ProposalWeek]:
    """The weeks of the last `MAX_WEEKS` in which files were confirmed, the newest first."""
    since = timezone.now() - timedelta(weeks=MAX_WEEKS)
    parameters = {"since": since, "time_zone": settings.TIME_ZONE, "topics": None if topics is None else sorted(topics)}
    return [ProposalWeek(*row) for row in fetch(_WEEKS, parameters)]


@register.inclusion_tag("review/_proposal_weeks.html", takes_context=True)
def proposals_by_week(context: dict[str, Any], topic: Topic | None) -> dict[str, Any]:
    """A picture and a table, of the topics in which the reader may see jobs, of these one if it is named."""
    within = limits(context["request"], right="ingest.view_job")
    chosen = within if topic is None else frozenset({topic.pk} if within is None or topic.pk in within else ())
    weeks = proposal_weeks(chosen)
    columns = {
        f"{one.begins.day}.{one.begins.month}": {"s2": one.unchanged, "s1": one.changed} for one in reversed(weeks)
    }
    return {"weeks": weeks, "picture": bars(columns)}
