"""How often checks gave each verdict, and how often a person overruled it: counts by day that outlive the checks."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import connection
from django.utils import timezone

from answers.checking.verdicts.findings import VERDICTS
from answers.models import TextCheck, VerdictCount

ADD = """
INSERT INTO kb_verdict_count AS kept (day, topic_id, kind, verdict, findings, overruled)
SELECT %(day)s, %(topic)s, kind, verdict, findings, overruled
FROM unnest(%(kinds)s::text[], %(verdicts)s::text[], %(findings)s::int[], %(overruled)s::int[])
    AS counted(kind, verdict, findings, overruled)
ON CONFLICT (day, coalesce(topic_id, 0), kind, verdict) DO UPDATE
    SET findings = kept.findings + excluded.findings, overruled = kept.overruled + excluded.overruled
"""


def count_findings(one: TextCheck) -> None:
    """Count what a check found."""
    counts = (one.report or {}).get("counts", {})
    _add(one, {(kind, verdict): (times, 0) for kind in VERDICTS for verdict, times in counts.get(kind, {}).items()})


def count_overruled(one: TextCheck, *, kind: str, verdict: str, times: int) -> None:
    """Count that a verdict was overruled, or, with -1, that it stands again."""
    _add(one, {(kind, verdict): (0, times)})


def _add(one: TextCheck, counted: Mapping[tuple[str, str], tuple[int, int]]) -> None:
    """Add to the counts of the day of the check, in an order that all processes share."""
    rows = sorted(counted.items())
    if not rows:
        return
    columns: dict[str, Any] = {
        "kinds": [kind for (kind, _), _ in rows],
        "verdicts": [verdict for (_, verdict), _ in rows],
        "findings": [findings for _, (findings, _) in rows],
        "overruled": [overruled for _, (_, overruled) in rows],
    }
    with connection.cursor() as cursor:
        cursor.execute(ADD, {**columns, "day": timezone.localdate(one.at), "topic": one.topic_id})


def forget_old() -> int:
    """Delete the counts that are older than `KB_TRACE_DAYS`. Returns how many."""
    oldest = timezone.localdate() - timedelta(days=settings.KB_TRACE_DAYS)
    return VerdictCount.objects.filter(day__lt=oldest).delete()[0]
