"""What must hold of stored references, changes and stale references, and of the list of files to delete."""

from collections.abc import Iterator
from datetime import timedelta

from django.db import connection
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from kb_project.operations.integrity.registry import Finding, IntegrityCheck, query, register
from sources.files import deletions, storage
from sources.models import FileDeletion, RadarWork

OLD = timedelta(hours=1)
REPEATED_AT_ONCE = 1000

# References and works that are noted are looked at anew, so what is stored of these is no finding.
LOST_TARGETS = """
SELECT r.topic_id, r.target_id, count(*) FROM kb_reference r
WHERE r.target_id IS NOT NULL AND NOT EXISTS (SELECT FROM kb_source s WHERE s.id = r.target_id)
    AND NOT EXISTS (SELECT FROM kb_reference_work w WHERE w.target_id = r.target_id)
GROUP BY r.topic_id, r.target_id ORDER BY r.target_id
"""
FORGOTTEN_CHANGES = """
SELECT s.id, s.work_id FROM kb_source s
WHERE s.valid_from IS NOT NULL AND EXISTS (SELECT FROM kb_source_key k WHERE k.source_id = s.id)
    AND NOT EXISTS (SELECT FROM kb_change c WHERE c.source_id = s.id AND NOT c.ends AND c.day = s.valid_from)
    AND NOT EXISTS (SELECT FROM kb_change_work w WHERE w.work_id = s.work_id)
ORDER BY s.id
"""
FALSE_STALE = """
SELECT r.id, r.source_id, r.work_id, r.text FROM kb_stale_reference r LEFT JOIN kb_source s ON s.id = r.source_id
WHERE NOT EXISTS (SELECT FROM kb_radar_work w WHERE w.work_id = r.work_id) AND (
    s.id IS NULL OR s.topic_id <> r.topic_id OR s.work_id = r.work_id
    OR NOT EXISTS (
        SELECT FROM kb_reference f JOIN kb_source t ON t.id = f.target_id
        WHERE f.source_id = r.source_id AND NOT f.internal AND t.work_id = r.work_id
            AND (f.span_start, f.span_end, f.text) = (r.span_start, r.span_end, r.text)
    )
    OR NOT EXISTS (SELECT FROM kb_source c WHERE c.id = r.cited_id AND c.work_id = r.work_id)
    OR r.now_id IS NOT NULL AND NOT EXISTS (SELECT FROM kb_source n WHERE n.id = r.now_id AND n.work_id = r.work_id)
) ORDER BY r.id
"""


def find_lost_targets() -> Iterator[Finding]:
    for topic_id, target_id, references in query(LOST_TARGETS):
        detail = gettext_noop("There is no such source, but references lead to it: %(references)d.")
        yield Finding(f"source {target_id}", detail, {"references": references}, key=(topic_id, target_id))


def resolve_again(finding: Finding) -> None:
    """Have the references to what is gone resolved anew."""
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO kb_reference_work (topic_id, target_id) VALUES (%s, %s)", list(finding.key))


def find_forgotten_changes() -> Iterator[Finding]:
    for source_id, work_id in query(FORGOTTEN_CHANGES):
        detail = gettext_noop("It begins on a day on which no change is listed.")
        yield Finding(f"source {source_id}", detail, key=work_id)


def compare_again(finding: Finding) -> None:
    """Have the versions of the work compared anew."""
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO kb_change_work (work_id) VALUES (%s)", [finding.key])


def find_old_deletions() -> Iterator[Finding]:
    old = FileDeletion.objects.filter(requested_at__lt=Now() - OLD).order_by("id")
    for deletion in old.iterator():
        yield Finding(
            f"file {storage.printable(deletion.key)}",
            gettext_noop("It was to be deleted on %(asked)s. Attempts that failed: %(attempts)d."),
            {"asked": f"{deletion.requested_at:%Y-%m-%d %H:%M}", "attempts": deletion.attempts},
        )


def repeat_old_deletions() -> None:
    """Repeat all deletions, as long as some of a batch succeed."""
    while deletions.retry_failed(older_than=OLD, limit=REPEATED_AT_ONCE):
        pass


def find_false_stale() -> Iterator[Finding]:
    """Of a document that is gone, in another topic, or does not cite the work, and of versions that are not its own."""
    detail = gettext_noop("It is listed as out of date with the words “%(text)s”, but does not cite work %(work)d so.")
    for _row, source_id, work_id, text in query(FALSE_STALE):
        yield Finding(f"source {source_id}", detail, {"text": text[:80], "work": work_id}, key=work_id)


def look_at_work_again(finding: Finding) -> None:
    """Have all references to the work looked at anew."""
    RadarWork.objects.create(work_id=finding.key)


register(
    IntegrityCheck(
        name="false_stale_references",
        meaning=_("What the radar lists is in a document of that topic, which cites a version of that work there."),
        find=find_false_stale,
        repair=look_at_work_again,
    ),
    IntegrityCheck(
        name="old_deletions",
        meaning=_("A file that is to be deleted is gone within an hour of the time from which it is."),
        find=find_old_deletions,
        repair_all=repeat_old_deletions,
        advice=_("See in the log why the storage refuses, then run `manage.py check_integrity --repair`."),
        quick=True,
    ),
    IntegrityCheck(
        name="references",
        meaning=_("What a reference leads to is there."),
        find=find_lost_targets,
        repair=resolve_again,
    ),
    IntegrityCheck(
        name="changes",
        meaning=_("Every version that begins on a known day is among the changes."),
        find=find_forgotten_changes,
        repair=compare_again,
    ),
)
