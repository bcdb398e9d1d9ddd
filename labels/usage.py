"""How often labels are used, in all topics or in one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from django.db import connection
from django.db.models import Count, Exists, F, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from labels.models import Label, SourceLabel


def uses_in(topic_id: int) -> dict[int, int]:
    """The number of sources of the topic that carry each label in use there, by the label's id."""
    with connection.cursor() as cursor:
        # An array, because with the ids at hand the index on sources and labels is enough: half the work of a join.
        cursor.execute(
            "SELECT label_id, count(*) FROM kb_source_label "
            "WHERE source_id = ANY (ARRAY(SELECT id FROM kb_source WHERE topic_id = %s)) GROUP BY label_id",
            [topic_id],
        )
        return dict(cursor.fetchall())


def ids_in_use(topic_id: int) -> list[int]:
    """The ids of the labels that any source of the topic carries."""
    there = SourceLabel.objects.filter(label=OuterRef("pk"), source__topic_id=topic_id)
    return list(Label.objects.filter(Exists(there)).order_by().values_list("pk", flat=True))


def with_uses_in(labels: QuerySet[Label], topic_id: int) -> QuerySet[Label]:
    """The same labels, with the number of sources of the topic that carry each as `uses`."""
    there = SourceLabel.objects.filter(label=OuterRef("pk"), source__topic_id=topic_id).order_by()
    counted = there.values("label").annotate(n=Count("pk")).values("n")
    return labels.annotate(uses=Coalesce(Subquery(counted, output_field=IntegerField()), 0))


def labels_in(topic_id: int | None) -> Sequence[Label] | QuerySet[Label]:
    """Labels in use in the topic, or in any; `uses` is the number of sources there. The most used first."""
    if topic_id is not None:
        return UsedLabels(uses_in(topic_id))
    used = Label.objects.filter(usage_count__gt=0).annotate(uses=F("usage_count"))
    return used.order_by("-usage_count", "pk").prefetch_related("aliases")


class UsedLabels(Sequence[Label]):
    """The labels of which the uses were counted, the most used first; only those of a slice are fetched.

    Counting takes as long as all else together, so it is done once, and not again for each page's query.
    """

    def __init__(self, uses: dict[int, int]) -> None:
        self._uses = uses
        self._ids = sorted(uses, key=lambda pk: (-uses[pk], pk))

    def __len__(self) -> int:
        return len(self._ids)

    @overload
    def __getitem__(self, place: int) -> Label: ...
    @overload
    def __getitem__(self, place: slice) -> list[Label]: ...
    def __getitem__(self, place: int | slice) -> Label | list[Label]:
        if isinstance(place, int):
            return self._fetch([self._ids[place]])[0]
        return self._fetch(self._ids[place])

    def _fetch(self, ids: list[int]) -> list[Label]:
        labels = Label.objects.prefetch_related("aliases").in_bulk(ids)
        found: list[Label] = [labels[pk] for pk in ids if pk in labels]  # a merge may have come between
        for label in found:
            label.uses = self._uses[label.pk]  # type: ignore[attr-defined]  # as the annotation of `labels_in`
        return found
