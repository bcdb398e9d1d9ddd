"""`/labels/options/`: the labels that fit what is being typed, as options of the label chooser."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from kb_project.screens.access import staff_may
from labels.chips.typeahead import matching
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
    found = list(matching(typed, queryset=Label.objects.prefetch_related("aliases"))[:MOST_OPTIONS])
    options = [Option(label.slug, label.name, label.usage_count, _found_by(label, typed)) for label in found]
    slugs = {label.slug for label in found}
    slugs |= {alias.slug for label in found for alias in label.aliases.all() if alias.keeps_slug}
    return options, bool(typed) and slugify(typed) in slugs


def _found_by(label: Label, typed: str) -> str:
    """The alias that the text is part of, when the label's own name does not show it."""
    if typed.casefold() in label.name.casefold():
        return ""
    slug = slugify(typed)
    names = [alias for alias in label.aliases.all() if typed.casefold() in alias.name.casefold() or slug in alias.slug]
    return names[0].name if names else ""
