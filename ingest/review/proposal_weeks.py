"""How good the proposals for files were, week by week: what reviewers confirmed as proposed, and what they changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.conf import settings
from django.utils import timezone

from kb_project.database.rows import fetch
from topics.access import Topics

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
