"""Which labels exist for whom.

A label is one for all topics, and so is its slug. It is known in a topic when a source there carries it, or when
somebody brought it there by naming it. To a key that is pinned to a topic, what is not known there is no label.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from rest_framework.request import Request

from kb_project import audit
from labels import locks, naming
from labels.models import Label, LabelAlias, SourceLabel, TopicLabel
from labels.usage import ids_in_use
from topics.scoping import pinned_topic_id


def visible_labels(request: Request | HttpRequest) -> QuerySet[Label]:
    """The labels that exist for this caller."""
    return labels_within(pinned_topic_id(request))


def labels_within(topic_id: int | None) -> QuerySet[Label]:
    """The labels that are known in the topic; with None, all."""
    labels = Label.objects.all()
    return labels if topic_id is None else labels.filter(pk__in=ids_known(topic_id))


def ids_known(topic_id: int) -> set[int]:
    """The ids of the labels that are known in the topic."""
    brought = TopicLabel.objects.filter(topic_id=topic_id).values_list("label_id", flat=True)
    return {*ids_in_use(topic_id), *brought}


def slugs_known(topic_id: int) -> set[str]:
    """The slugs that lead to a label that is known in the topic, aliases too."""
    ids = ids_known(topic_id)
    own = Label.objects.filter(pk__in=ids).values_list("slug", flat=True)
    return {*own, *LabelAlias.objects.filter(label__in=ids).values_list("slug", flat=True)}


def is_known(label_id: int, *, within: int | None) -> bool:
    """Whether there is such a label; with a topic's id, whether it is known there."""
    if within is None:
        return Label.objects.filter(pk=label_id).exists()
    return (
        SourceLabel.objects.filter(label_id=label_id, source__topic_id=within).exists()
        or TopicLabel.objects.filter(label_id=label_id, topic_id=within).exists()
    )


def bring(labels: Iterable[Label], *, topic_id: int) -> None:
    """Make labels known in the topic. Needs a transaction that shares the lock on how labels are built."""
    rows = [TopicLabel(topic_id=topic_id, label=label) for label in sorted(labels, key=lambda label: label.pk)]
    TopicLabel.objects.bulk_create(rows, ignore_conflicts=True)


def get_or_create_within(topic_id: int, name: str, *, by: str) -> tuple[Label, bool]:
    """As `naming.get_or_create` for somebody who sees one topic: `True` when the label was not known there before."""
    with transaction.atomic():
        locks.share()
        label, _made = naming.get_or_create(name, by=by)
        if is_known(label.pk, within=topic_id):
            return label, False
        bring([label], topic_id=topic_id)
        audit.record(by=by, action="label.bring", thing=label, after={"topic_id": topic_id}, topic_id=topic_id)
    return label, True
