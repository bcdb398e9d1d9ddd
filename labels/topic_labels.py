"""Labels as a caller may see them: which exist, how often they are used, and which fit what is being typed.

A label is one for all topics, and so is its slug. It is known in a topic when a source there carries it, or when
somebody brought it there by naming it. To who does not see every topic, what is known in none of theirs is no label.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.db.models import Case, Count, Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from kb_project.database.rows import fetch
from labels.models import Label, LabelAlias, SourceLabel, TopicLabel
from law.words.slugs import clean_name, slugify

_THERE = "SELECT l.id FROM kb_label l WHERE l.id = ANY(%(labels)s::bigint[])"
_KNOWN_WITHIN = """(
    EXISTS (SELECT FROM kb_source_label used JOIN kb_source s ON s.id = used.source_id
        WHERE used.label_id = l.id AND s.topic_id = ANY(%(topics)s::bigint[]))
    OR EXISTS (SELECT FROM kb_topic_label brought
        WHERE brought.label_id = l.id AND brought.topic_id = ANY(%(topics)s::bigint[])))
"""


def uses_in(topics: Collection[int]) -> dict[int, int]:
    """The number of sources of the topics that carry each label in use there, by the label's id."""
    # An array, because with the ids at hand the index on sources and labels is enough: half the work of a join.
    return dict(
        fetch(
            "SELECT label_id, count(*) FROM kb_source_label WHERE source_id = ANY "
            "(ARRAY(SELECT id FROM kb_source WHERE topic_id = ANY(%s::bigint[]))) GROUP BY label_id",
            [list(topics)],
        )
    )


def used_in(topics: Collection[int]) -> QuerySet[Label]:
    """The labels that any source of the topics carries."""
    there = SourceLabel.objects.filter(label=OuterRef("pk"), source__topic_id__in=topics)
    return Label.objects.filter(Exists(there))


def ids_in_use(topics: Collection[int]) -> list[int]:
    """The ids of the labels that any source of the topics carries."""
    return list(used_in(topics).order_by().values_list("pk", flat=True))


def with_uses_in(labels: QuerySet[Label], topics: Collection[int]) -> QuerySet[Label]:
    """The same labels, with the number of sources of the topics that carry each as `uses`."""
    there = SourceLabel.objects.filter(label=OuterRef("pk"), source__topic_id__in=topics).order_by()
    counted = there.values("label").annotate(n=Count("pk")).values("n")
    return labels.annotate(uses=Coalesce(Subquery(counted, output_field=IntegerField()), 0))


def labels_in(topics: Collection[int] | None) -> Sequence[Label] | QuerySet[Label]:
    """Labels in use in the topics, or in any. `uses` is the number of sources there. The most used first."""
    if topics is not None:
        return UsedLabels(uses_in(topics))
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


def labels_within(topics: Collection[int] | None) -> QuerySet[Label]:
    """The labels that are known in one of the topics, with None, all."""
    labels = Label.objects.all()
    return labels if topics is None else labels.filter(pk__in=ids_known(topics))


def ids_known(topics: Collection[int]) -> set[int]:
    """The ids of the labels that are known in one of the topics."""
    brought = TopicLabel.objects.filter(topic_id__in=topics).values_list("label_id", flat=True)
    return {*ids_in_use(topics), *brought}


def slugs_known(topics: Collection[int]) -> set[str]:
    """The slugs that lead to a label that is known in one of the topics, aliases too."""
    ids = ids_known(topics)
    own = Label.objects.filter(pk__in=ids).values_list("slug", flat=True)
    aliases = LabelAlias.objects.filter(label__in=ids, known_in__overlap=list(topics))
    return {*own, *aliases.values_list("slug", flat=True)}


def aliases_told(label: Label, *, within: Collection[int] | None) -> list[LabelAlias]:
    """The other names by which a label is known in one of the topics. Prefetch `aliases` for lists."""
    return [one for one in label.aliases.all() if within is None or not set(within).isdisjoint(one.known_in)]


def is_known(label_id: int, *, within: Collection[int] | None) -> bool:
    """Whether there is such a label. With topics, whether it is known in one of them."""
    return are_known([label_id], within=within)


def are_known(label_ids: Collection[int], *, within: Collection[int] | None) -> bool:
    """The same of several labels: whether all of them are."""
    return known_among(label_ids, within=within) == set(label_ids)


def known_among(label_ids: Collection[int], *, within: Collection[int] | None) -> set[int]:
    """Those of the labels that there are. With topics, those that are known in one of them."""
    statement = _THERE if within is None else f"{_THERE} AND {_KNOWN_WITHIN}"
    return {pk for (pk,) in fetch(statement, {"labels": list(label_ids), "topics": list(within or ())})}


def add_to_topic(labels: Iterable[Label], *, topic_id: int) -> None:
    """Make labels known in the topic. Needs a transaction that shares the lock on how labels are built."""
    rows = [TopicLabel(topic_id=topic_id, label=label) for label in sorted(labels, key=lambda label: label.pk)]
    TopicLabel.objects.bulk_create(rows, ignore_conflicts=True)


def matching(q: str, *, queryset: QuerySet[Label], counted_in: Collection[int] | None = None) -> QuerySet[Label]:
    """Those labels of the queryset that `q` is part of, by name, slug or alias, best first.

    Best is what `q` names exactly, then what begins with it, then what holds it. Of equals the most used. An empty
    `q` fits every label, the most used first. Used is meant of all topics, or of those of `counted_in`, for who must
    not learn anything of the others. So are the aliases.
    """
    used = "usage_count"
    if counted_in is not None:
        queryset, used = with_uses_in(queryset, counted_in), "uses"
    typed = clean_name(q)
    if not typed:
        return queryset.order_by(f"-{used}", "name", "pk")
    exact, prefix, substring = _fits(typed, within=counted_in)
    rank = Case(When(exact, then=0), When(prefix, then=1), default=2, output_field=IntegerField())
    return queryset.filter(exact | substring).annotate(rank=rank).order_by("rank", f"-{used}", "name", "pk")


def _fits(typed: str, *, within: Collection[int] | None) -> tuple[Q, Q, Q]:
    """Whether a label is named exactly by the text, begins with it, or holds it."""
    slug = slugify(typed)
    exact, prefix, substring = Q(slug=slug), Q(name__istartswith=typed), Q(name__icontains=typed)
    # Of other scripts a slug is only a rough copy, which would fit too much.
    if any(char.isascii() and char.isalnum() for char in typed):
        prefix |= Q(slug__startswith=slug)
        substring |= Q(slug__contains=slug)
    aliases = LabelAlias.objects.filter(label=OuterRef("pk"))
    if within is not None:
        aliases = aliases.filter(known_in__overlap=list(within))

    def or_alias(condition: Q) -> Q:
        """An alias has the same two fields as a label."""
        return condition | Q(Exists(aliases.filter(condition)))

    return or_alias(exact), or_alias(prefix), or_alias(substring)
