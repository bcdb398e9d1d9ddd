"""Labels as a caller may see them: which exist, how often they are used, and which fit what is being typed.

A label is one for all topics, and so is its slug. It is known in a topic when a source there carries it, or when
somebody brought it there by naming it. To a key that is pinned to a topic, what is not known there is no label.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Case, Count, Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from kb_project import audit
from kb_project.database.rows import fetch
from labels import locks, naming
from labels.models import Label, LabelAlias, SourceLabel, TopicLabel
from law.words.slugs import clean_name, slugify


def uses_in(topic_id: int) -> dict[int, int]:
    """The number of sources of the topic that carry each label in use there, by the label's id."""
    # An array, because with the ids at hand the index on sources and labels is enough: half the work of a join.
    return dict(
        fetch(
            "SELECT label_id, count(*) FROM kb_source_label "
            "WHERE source_id = ANY (ARRAY(SELECT id FROM kb_source WHERE topic_id = %s)) GROUP BY label_id",
            [topic_id],
        )
    )


def used_in(topic_id: int) -> QuerySet[Label]:
    """The labels that any source of the topic carries."""
    return Label.objects.filter(Exists(SourceLabel.objects.filter(label=OuterRef("pk"), source__topic_id=topic_id)))


def ids_in_use(topic_id: int) -> list[int]:
    """The ids of the labels that any source of the topic carries."""
    return list(used_in(topic_id).order_by().values_list("pk", flat=True))


def with_uses_in(labels: QuerySet[Label], topic_id: int) -> QuerySet[Label]:
    """The same labels, with the number of sources of the topic that carry each as `uses`."""
    there = SourceLabel.objects.filter(label=OuterRef("pk"), source__topic_id=topic_id).order_by()
    counted = there.values("label").annotate(n=Count("pk")).values("n")
    return labels.annotate(uses=Coalesce(Subquery(counted, output_field=IntegerField()), 0))


def labels_in(topic_id: int | None) -> Sequence[Label] | QuerySet[Label]:
    """Labels in use in the topic, or in any. `uses` is the number of sources there. The most used first."""
    if topic_id is not None:
        return UsedLabels(uses_in(topic_id))
    used = Label.objects.filter(usage_count__gt=0).annotate(uses=F("usage_count"))
    return used.order_by("-usage_count", "pk").prefetch_related("aliases")


class UsedLabels(Sequence[Label]):
    """The labels of which the uses were counted, the most used first. Only slices can be had, and are fetched.

    Counting takes as long as all else together, so it is done once, and not again for each page's query.
    """

    def __init__(self, uses: dict[int, int]) -> None:
        self._uses = uses
        self._ids = sorted(uses, key=lambda pk: (-uses[pk], pk))

    def __len__(self) -> int:
        return len(self._ids)

    def __getitem__(self, place: Any) -> Any:
        ids = self._ids[place]
        labels = Label.objects.prefetch_related("aliases").in_bulk(ids)
        found: list[Label] = [labels[pk] for pk in ids if pk in labels]  # a merge may have come between
        for label in found:
            label.uses = self._uses[label.pk]  # type: ignore[attr-defined]  # as the annotation of `labels_in`
        return found


def labels_within(topic_id: int | None) -> QuerySet[Label]:
    """The labels that are known in the topic, with None, all."""
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
    """Whether there is such a label. With a topic's id, whether it is known there."""
    return are_known([label_id], within=within)


def are_known(label_ids: Collection[int], *, within: int | None) -> bool:
    """The same of several labels: whether all of them are."""
    labels = Label.objects.filter(pk__in=label_ids)
    if within is not None:
        used = SourceLabel.objects.filter(label=OuterRef("pk"), source__topic_id=within)
        brought = TopicLabel.objects.filter(label=OuterRef("pk"), topic_id=within)
        labels = labels.filter(Exists(used) | Exists(brought))
    return labels.count() == len(set(label_ids))


def add_to_topic(labels: Iterable[Label], *, topic_id: int) -> None:
    """Make labels known in the topic. Needs a transaction that shares the lock on how labels are built."""
    rows = [TopicLabel(topic_id=topic_id, label=label) for label in sorted(labels, key=lambda label: label.pk)]
    TopicLabel.objects.bulk_create(rows, ignore_conflicts=True)


def get_or_create_within(topic_id: int, name: str, *, by: str) -> tuple[Label, bool]:
    """As `naming.get_or_create` for somebody who sees one topic: `True` when the label was not known there before."""
    with transaction.atomic():
        locks.lock_shared()
        label, _made = naming.get_or_create(name, by=by)
        if is_known(label.pk, within=topic_id):
            return label, False
        add_to_topic([label], topic_id=topic_id)
        audit.record(by=by, action="label.bring", thing=label, after={"topic_id": topic_id}, topic_id=topic_id)
    return label, True


def matching(q: str, *, queryset: QuerySet[Label], counted_in: int | None = None) -> QuerySet[Label]:
    """Those labels of the queryset that `q` is part of, by name, slug or alias, best first.

    Best is what `q` names exactly, then what begins with it, then what holds it. Of equals the most used. An empty
    `q` fits every label, the most used first. Used is meant of all topics, or of the one whose id `counted_in` is, for
    who must not learn anything of the others.
    """
    used = "usage_count"
    if counted_in is not None:
        queryset, used = with_uses_in(queryset, counted_in), "uses"
    typed = clean_name(q)
    if not typed:
        return queryset.order_by(f"-{used}", "name", "pk")
    exact, prefix, substring = _fits(typed)
    rank = Case(When(exact, then=0), When(prefix, then=1), default=2, output_field=IntegerField())
    return queryset.filter(exact | substring).annotate(rank=rank).order_by("rank", f"-{used}", "name", "pk")


def _fits(typed: str) -> tuple[Q, Q, Q]:
    """Whether a label is named exactly by the text, begins with it, or holds it."""
    slug = slugify(typed)
    exact, prefix, substring = Q(slug=slug), Q(name__istartswith=typed), Q(name__icontains=typed)
    # Of other scripts a slug is only a rough copy, which would fit too much.
    if any(char.isascii() and char.isalnum() for char in typed):
        prefix |= Q(slug__startswith=slug)
        substring |= Q(slug__contains=slug)
    return _or_alias(exact), _or_alias(prefix), _or_alias(substring)


def _or_alias(condition: Q) -> Q:
    """An alias has the same two fields as a label."""
    return condition | Q(Exists(LabelAlias.objects.filter(condition, label=OuterRef("pk"))))
