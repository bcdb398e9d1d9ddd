"""The labels as `/labels/` lists them: found, sorted, and with their use in each topic."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, QuerySet

from labels.chips.typeahead import matching
from labels.models import Label, LabelAlias, SourceLabel
from topics.models import Topic

ORDERS = {
    "name": ("name", "id"),
    "-name": ("-name", "-id"),
    "count": ("usage_count", "name", "id"),
    "-count": ("-usage_count", "name", "id"),
}
"""The orders that a person may ask for; without one, what fits best comes first, or else the name."""


COUNTED_AT_ONCE = 20_000
"""Assignments whose topics are counted while the page is made; of more, the open page asks for the counts."""


@dataclass(frozen=True, slots=True)
class TopicUse:
    topic_id: int
    topic: str
    sources: int


@dataclass(frozen=True, slots=True)
class LabelRow:
    """One label; `use` has the topic with the most sources first, and is None while it is still to be counted."""

    label: Label
    aliases: tuple[str, ...]
    use: tuple[TopicUse, ...] | None


def found_labels(typed: str, *, order: str = "") -> QuerySet[Label]:
    labels = matching(typed, queryset=Label.objects.all()) if typed else Label.objects.order_by(*ORDERS["name"])
    return labels.order_by(*ORDERS[order]) if order in ORDERS else labels


def label_rows(labels: Iterable[Label]) -> list[LabelRow]:
    """The rows of one page, with three queries for any number of labels."""
    found = list(labels)
    ids = [label.pk for label in found]
    few = sum(label.usage_count for label in found) <= COUNTED_AT_ONCE
    use = use_by_topic(ids) if few else {}
    aliases = _aliases(ids)
    return [LabelRow(label, aliases.get(label.pk, ()), use.get(label.pk, ()) if few else None) for label in found]


def use_by_topic(label_ids: Iterable[int]) -> dict[int, tuple[TopicUse, ...]]:
    """In which topics the labels are used, by label."""
    topics = dict(Topic.objects.values_list("pk", "name"))
    counted = (
        SourceLabel.objects.filter(label_id__in=label_ids)
        .values_list("label_id", "source__topic_id")
        .annotate(sources=Count("pk"))
        .order_by("-sources", "source__topic_id")
    )
    use: dict[int, list[TopicUse]] = defaultdict(list)
    for label_id, topic_id, sources in counted:
        use[label_id].append(TopicUse(topic_id, topics.get(topic_id, ""), sources))
    return {label_id: tuple(found) for label_id, found in use.items()}


def _aliases(label_ids: list[int]) -> dict[int, tuple[str, ...]]:
    names: dict[int, list[str]] = defaultdict(list)
    for label_id, name in LabelAlias.objects.filter(label_id__in=label_ids).values_list("label_id", "name"):
        names[label_id].append(name)
    return {label_id: tuple(found) for label_id, found in names.items()}
