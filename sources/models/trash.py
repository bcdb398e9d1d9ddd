"""Sources that were deleted on a screen and may be put back."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from django.db import connection, models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from sources.models.documents import Source
from topics.models import Topic

_READ = """
SELECT kept.* FROM kb_trashed_source t CROSS JOIN LATERAL jsonb_populate_record(NULL::kb_source, t."row") AS kept
WHERE t.source_id = ANY(%s)
"""


class TrashedSource(models.Model):
    """A source as it was when it was deleted, under its id. Nothing else in the database names it, but for its file.

    `row` is that of the source as Postgres writes it, `labels` are pairs of slug and name, `jobs` the ids of the jobs
    whose file is its own.
    """

    source_id = models.BigIntegerField(primary_key=True)
    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, related_name="+")
    title = models.TextField(default="", blank=True)
    file_key = models.TextField(default="", blank=True)
    size = models.BigIntegerField(default=0)
    row = models.JSONField()
    labels = models.JSONField(default=list)
    jobs = models.JSONField(default=list)
    deleted_at = models.DateTimeField(db_default=Now())
    deleted_by = models.TextField()

    class Meta:
        db_table = "kb_trashed_source"
        verbose_name = _("deleted source")
        verbose_name_plural = _("deleted sources")
        ordering = ["-deleted_at", "-source_id"]

    def __str__(self) -> str:
        return self.title or f"#{self.source_id}"

    def as_source(self) -> Source:
        """The source as it was, which is not stored."""
        return as_sources([self.pk])[self.pk]


def as_sources(source_ids: Iterable[int]) -> dict[int, Source]:
    """Those of the sources that are in the trash, by id, as `TrashedSource.as_source`."""
    return {source.pk: source for source in Source.objects.raw(_READ, [list(source_ids)])}


def row_of(source: Source) -> Any:
    """The value of `TrashedSource.row`: Django's own serialisation cuts times to milliseconds."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_jsonb(s) - 'listed_text' FROM kb_source s WHERE id = %s", [source.pk])
        return json.loads(cursor.fetchone()[0])
