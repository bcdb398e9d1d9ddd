"""Add labels to many sources, or remove them, each source on its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.db import transaction

from ingest.decisions import LabelChoice, resolve
from kb_project.errors import NotFound
from labels import assign, naming
from labels.models import Label
from sources.models import Source


@dataclass(slots=True)
class LabelChangeCounts:
    """How many sources changed, had the labels as wanted already, or are deleted."""

    changed: int = 0
    as_before: int = 0
    gone: int = 0


def add_to_all(source_ids: Iterable[int], choices: Iterable[LabelChoice], *, by: str) -> LabelChangeCounts:
    """Add the labels to each source. New names become labels. Raises `Invalid` for a deleted label."""
    with transaction.atomic():
        labels = resolve(choices, by=by)
    return _each(source_ids, lambda source: assign.add(source, labels, by=by))


def remove_from_all(source_ids: Iterable[int], choices: Iterable[LabelChoice], *, by: str) -> LabelChangeCounts:
    """Remove the labels from each source. Unknown labels are ignored."""
    found = [naming.find(choice.slug) if choice.slug else naming.find_named(choice.name) for choice in choices]
    labels: list[Label] = [label for label in found if label is not None]
    return _each(source_ids, lambda source: assign.remove(source, labels, by=by))


def _each(source_ids: Iterable[int], change: Callable[[Source], int]) -> LabelChangeCounts:
    outcome = LabelChangeCounts()
    wanted = sorted(set(source_ids))
    sources = Source.objects.in_bulk(wanted)
    for source_id in wanted:
        source = sources.get(source_id)
        try:
            changed = change(source) if source is not None else None
        except NotFound:
            changed = None
        if changed is None:
            outcome.gone += 1
        elif changed:
            outcome.changed += 1
        else:
            outcome.as_before += 1
    return outcome
