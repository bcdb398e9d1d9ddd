"""What a notebook holds beside its notes, and how much is new in each of several."""

from collections.abc import Sequence
from typing import Any

from django import template
from django.template import Context

from keeping.matters import items
from keeping.matters.becoming import count_news
from keeping.matters.items import MatterWatch
from keeping.models import Notebook
from keeping.notebooks.visibility import seen_by
from keeping.people import Owner, person_of
from topics.scoping import limits

register = template.Library()
MAX_NAMED = 5  # notebooks with news


@register.simple_tag(takes_context=True)
def with_news(context: Context, notebooks: Sequence[Notebook]) -> list[tuple[Notebook, int]]:
    """Each notebook with how much is new in it."""
    every = list(notebooks)
    owner = _owner(context)
    news = count_news(owner, every) if owner else {}
    return [(one, news.get(one.pk, 0)) for one in every]


@register.simple_tag(takes_context=True)
def notebooks_with_news(context: Context) -> list[tuple[Notebook, int]]:
    """Those of whoever looks at the page, that have the most news."""
    owner = _owner(context)
    if owner is None:
        return []
    every = list(seen_by(owner))
    news = count_news(owner, every)
    told = [(one, news[one.pk]) for one in every if one.pk in news]
    return sorted(told, key=lambda row: -row[1])[:MAX_NAMED]


@register.simple_tag(takes_context=True)
def watches_of_matter(context: Context, notebook: Notebook) -> list[MatterWatch]:
    """The watches in a notebook, for its owner."""
    owner = _owner(context)
    return items.watches_in(notebook, owner) if owner else []


def _owner(context: Context) -> Owner | None:
    request: Any = context["request"]
    person = person_of(request.user)
    return Owner(person=person, within=limits(request)) if person else None
