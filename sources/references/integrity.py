"""What must hold of references: what they are resolved to is there, or is noted to be looked at."""

from collections.abc import Iterator

from django.db import connection
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from kb_project.operations.integrity.registry import Finding, IntegrityCheck, query

LOST = """
SELECT r.topic_id, r.target_id, count(*) FROM kb_reference r
WHERE r.target_id IS NOT NULL AND NOT EXISTS (SELECT FROM kb_source s WHERE s.id = r.target_id)
    AND NOT EXISTS (SELECT FROM kb_reference_work w WHERE w.target_id = r.target_id)
GROUP BY r.topic_id, r.target_id ORDER BY r.target_id
"""


def find_lost_targets() -> Iterator[Finding]:
    for topic_id, target_id, references in query(LOST):
        detail = gettext_noop("There is no such source, but references lead to it: %(references)d.")
        yield Finding(f"source {target_id}", detail, {"references": references}, key=(topic_id, target_id))


def note(finding: Finding) -> None:
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO kb_reference_work (topic_id, target_id) VALUES (%s, %s)", list(finding.key))


CHECKS = [
    IntegrityCheck(
        name="references",
        meaning=_("What a reference leads to is there."),
        find=find_lost_targets,
        repair=note,
    )
]
