"""Labels that fit what is being typed."""

from __future__ import annotations

from django.db.models import Case, Exists, IntegerField, OuterRef, Q, QuerySet, When

from labels.known import with_uses_in
from labels.models import Label, LabelAlias
from labels.slugs import clean_name, slugify


def matching(q: str, *, queryset: QuerySet[Label], counted_in: int | None = None) -> QuerySet[Label]:
    """Those labels of the queryset that `q` is part of, by name, slug or alias, best first.

    Best is what `q` names exactly, then what begins with it, then what holds it; of equals the most used. An empty
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
