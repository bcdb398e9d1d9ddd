"""`/labels/options/`: the labels that fit what is being typed, as options of the label chooser."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Case, IntegerField, Q, Value, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from kb_project.screens import staff_may
from labels.models import Label
from labels.slugs import MAX_NAME_LENGTH, clean_name, slugify

MOST_OPTIONS = 12


@dataclass(frozen=True, slots=True)
class Option:
    """`alias` is the other name by which the label was found."""

    slug: str
    name: str
    count: int
    alias: str = ""


@staff_may(GET="labels.view_label")
def options(request: HttpRequest) -> HttpResponse:
    typed = clean_name(request.GET.get("q", ""))[:MAX_NAME_LENGTH]
    found, exact = find_options(typed)
    create = typed if typed and not exact else ""
    return render(request, "labels/_options.html", {"options": found, "create": create, "typed": typed})


def find_options(typed: str) -> tuple[list[Option], bool]:
    """The labels that the text is part of, by name, slug or alias, best first; and whether one of them is just it."""
    slug = slugify(typed) if typed else ""
    by_name, by_alias = Q(name__icontains=typed), Q(aliases__name__icontains=typed)
    if any(char.isascii() and char.isalnum() for char in typed):
        by_name |= Q(slug__contains=slug)
        by_alias |= Q(aliases__slug__contains=slug)
    exact = Q(slug=slug) | Q(aliases__slug=slug)
    found = (
        Label.objects.filter(by_name | by_alias | exact)
        .annotate(
            other_names=ArrayAgg("aliases__name", filter=by_alias | Q(aliases__slug=slug), distinct=True, default=[]),
        )
        .annotate(
            rank=Case(
                When(slug=slug, then=Value(0)),
                When(name__istartswith=typed, then=Value(1)),
                When(name__icontains=typed, then=Value(2)),
                default=Value(3),
                output_field=IntegerField(),
            )
        )
        .order_by("rank", "-usage_count", "name", "id")[:MOST_OPTIONS]
    )
    options = []
    is_there = False
    for label in found:
        names = [name for name in label.other_names if name]
        is_there = is_there or label.slug == slug or any(slugify(name) == slug for name in names)
        shows_itself = typed.casefold() in label.name.casefold()
        options.append(Option(label.slug, label.name, label.usage_count, "" if shows_itself or not names else names[0]))
    return options, is_there
