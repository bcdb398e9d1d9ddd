"""Merging a label into another: its assignments, topics and names go over, the label goes."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from kb_project import audit
from kb_project.errors import Invalid, NotFound
from labels import locks
from labels.models import Label, SourceLabel


@dataclass(frozen=True, slots=True)
class MergePreview:
    """What a merge would do now: sources that `moving` to the target, that are `already` there, and the names
    that become its aliases, the label's own first."""

    label: Label
    target: Label
    moving: int
    already: int
    aliases: list[str]


def preview(label_id: int, target_id: int) -> MergePreview:
    """Count, and change nothing. Raises as `merge` does."""
    label, target = _pair(label_id, target_id, Label.objects.in_bulk([label_id, target_id]))
    assignments = SourceLabel.objects.filter(label=label)
    there = SourceLabel.objects.filter(label=target, source=OuterRef("source"))
    already = assignments.filter(Exists(there)).count()
    return MergePreview(
        label=label,
        target=target,
        moving=assignments.count() - already,
        already=already,
        aliases=_names(label),
    )


def merge(label_id: int, target_id: int, *, by: str) -> Label:
    """Move a label's assignments to the target, make its names aliases of the target, and delete it.

    A source that carries both keeps the target alone. Raises `NotFound` when one of the two is unknown, `Invalid`
    for a label and itself.
    """
    with transaction.atomic():
        locks.alone()
        rows = Label.objects.select_for_update(no_key=True).filter(pk__in=[label_id, target_id]).order_by("pk")
        label, target = _pair(label_id, target_id, {row.pk: row for row in rows})
        before = {"name": label.name, "slug": label.slug, "usage_count": label.usage_count, "aliases": _slugs(label)}
        uses = target.usage_count
        already, moved = _move(label, target)
        target.refresh_from_db()
        audit.record(
            by=by,
            action="label.merge",
            thing=label,
            before={**before, "target_usage_count": uses},
            after={
                "target_id": target.pk,
                "target": target.slug,
                "moved": moved,
                "already": already,
                "target_usage_count": target.usage_count,
            },
        )
    return target


def _pair(label_id: int, target_id: int, labels: dict[int, Label]) -> tuple[Label, Label]:
    if label_id not in labels:
        raise NotFound(_("There is no such label."))
    if label_id == target_id:
        sentence = _("A label cannot be merged into itself.")
        raise Invalid(sentence, errors={"target_id": [sentence]})
    if target_id not in labels:
        sentence = _("There is no such label to merge into.")
        raise NotFound(sentence, errors={"target_id": [sentence]})
    return labels[label_id], labels[target_id]


def _move(label: Label, target: Label) -> tuple[int, int]:
    """How many sources carried both, and how many were moved. Each step is one statement for any number of rows."""
    ids: dict[str, int | str] = {"label": label.pk, "target": target.pk, "slug": label.slug, "name": label.name}
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM kb_source_label old USING kb_source_label kept "
            "WHERE old.label_id = %(label)s AND kept.label_id = %(target)s AND kept.source_id = old.source_id",
            ids,
        )
        already = cursor.rowcount
        cursor.execute("UPDATE kb_source_label SET label_id = %(target)s WHERE label_id = %(label)s", ids)
        moved = cursor.rowcount
        cursor.execute(
            "UPDATE kb_label SET usage_count = usage_count + %(moved)s WHERE id = %(target)s", {**ids, "moved": moved}
        )
        cursor.execute(
            "INSERT INTO kb_topic_label (topic_id, label_id) "
            "SELECT topic_id, %(target)s FROM kb_topic_label WHERE label_id = %(label)s ORDER BY topic_id "
            "ON CONFLICT (topic_id, label_id) DO NOTHING",
            ids,
        )
        cursor.execute("UPDATE kb_label_alias SET label_id = %(target)s WHERE label_id = %(label)s", ids)
        cursor.execute("DELETE FROM kb_label WHERE id = %(label)s", ids)
        cursor.execute("INSERT INTO kb_label_alias (label_id, slug, name) VALUES (%(target)s, %(slug)s, %(name)s)", ids)
    return already, moved


def _names(label: Label) -> list[str]:
    return [label.name, *(alias.name for alias in label.aliases.all())]


def _slugs(label: Label) -> list[str]:
    return [alias.slug for alias in label.aliases.all()]
