"""What the filters offer: how many documents each kind, label and year would leave."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256

import redis
from django.core.cache import cache

from labels.models import Label
from search.facets import Facets, count_facets
from search.shown.forms import SearchForm
from sources.kinds import SourceKind
from sources.scope import Scope

LABELS_IN_SIGHT = 8
YEARS_IN_SIGHT = 8
MANY = 2_000  # documents; to count fewer takes less time than a search
REMEMBERED_S = 30


@dataclass(frozen=True, slots=True)
class FilterChoice:
    """One value of a filter: `count` is the number of documents that it leaves beside the other filters."""

    value: str
    name: str
    count: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class Year:
    """A year, and the address of its documents."""

    value: int
    count: int
    address: str


@dataclass(frozen=True, slots=True)
class Choices:
    """`labels` are those in sight, with the chosen ones first. `more_labels` the others, and so with years.

    `documents` is the number of those of any kind.
    """

    kinds: tuple[FilterChoice, ...]
    labels: tuple[FilterChoice, ...]
    more_labels: tuple[FilterChoice, ...]
    years: tuple[Year, ...]
    more_years: tuple[Year, ...]
    documents: int


def choices(form: SearchForm, facets: Facets | None = None) -> Choices:
    """The values of each filter of a valid form. `facets` counts what its query found, else all documents count.

    Of many documents the counts may be `REMEMBERED_S` seconds old.
    """
    facets = facets or _every(form.scope)
    counts = {one.value: one.count for one in facets.kind}
    labels = _labels(facets, form.chosen_labels)
    years = tuple(
        Year(
            one.value,
            one.count,
            form.address(published_from=f"{one.value:04}-01-01", published_to=f"{one.value:04}-12-31", ask=None),
        )
        for one in facets.year
    )
    return Choices(
        kinds=tuple(
            FilterChoice(value, str(name), counts.get(value, 0), value in form.scope.kinds)
            for value, name in SourceKind.choices
        ),
        labels=labels[:LABELS_IN_SIGHT],
        more_labels=labels[LABELS_IN_SIGHT:],
        years=years[:YEARS_IN_SIGHT],
        more_years=years[YEARS_IN_SIGHT:],
        documents=sum(counts.values()),
    )


def _labels(facets: Facets, chosen: Sequence[Label]) -> tuple[FilterChoice, ...]:
    """The chosen ones first, also where they leave nothing."""
    counts = {one.value: one.count for one in facets.label}
    ids = {label.pk for label in chosen}
    return (
        *(FilterChoice(label.slug, label.name, counts.get(label.pk, 0), chosen=True) for label in chosen),
        *(FilterChoice(one.slug, one.name, one.count, chosen=False) for one in facets.label if one.value not in ids),
    )


def _every(scope: Scope) -> Facets:
    key = f"facets:{sha256(repr(scope).encode()).hexdigest()}"
    try:
        remembered: Facets | None = cache.get(key)
    except (redis.RedisError, OSError):
        return count_facets(scope)
    if remembered is not None:
        return remembered
    facets = count_facets(scope)
    if sum(one.count for one in facets.kind) > MANY:
        with suppress(redis.RedisError, OSError):
            cache.set(key, facets, REMEMBERED_S)
    return facets
