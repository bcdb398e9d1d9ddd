"""What must hold of changes: each version that begins is one, or its work is noted to be looked at."""

from collections.abc import Iterator

from django.db import connection
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from kb_project.operations.integrity.registry import Finding, IntegrityCheck, query

FORGOTTEN = """
SELECT s.id, s.work_id FROM kb_source s
WHERE s.valid_from IS NOT NULL AND EXISTS (SELECT FROM kb_source_key k WHERE k.source_id = s.id)
    AND NOT EXISTS (SELECT FROM kb_change c WHERE c.source_id = s.id AND NOT c.ends AND c.day = s.valid_from)
    AND NOT EXISTS (SELECT FROM kb_change_work w WHERE w.work_id = s.work_id)
ORDER BY s.id
"""


def find_forgotten() -> Iterator[Finding]:
    for source_id, work_id in query(FORGOTTEN):
        detail = gettext_noop("It begins on a day on which no change is listed.")
        yield Finding(f"source {source_id}", detail, key=work_id)


def note(finding: Finding) -> None:
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO kb_change_work (work_id) VALUES (%s)", [finding.key])


CHECKS = [
    IntegrityCheck(
        name="changes",
        meaning=_("Every version that begins on a known day is among the changes."),
        find=find_forgotten,
        repair=note,
    )
]
