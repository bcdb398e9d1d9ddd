"""What the filters offer: how many documents each kind and label would leave, all from one query."""

from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256

import redis
from django.core.cache import cache

from kb_project.database.rows import Rows, fetch
from search.scope import Scope
from sources.kinds import Kind

LABELS_IN_SIGHT = 8
MOST_LABELS = 100
MANY = 2_000  # documents; to count fewer takes less time than a search
REMEMBERED_S = 30


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a filter: `count` is the number of documents that it leaves beside the other filters."""

    value: str
    name: str
    count: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class Choices:
    """`labels` are those in sight, with the chosen one first; `more_labels` the others, at most `MOST_LABELS` in all.

    `documents` is the number of those of any kind.
    """

    kinds: tuple[Choice, ...]
    labels: tuple[Choice, ...]
    more_labels: tuple[Choice, ...]
    documents: int


def choices(scope: Scope) -> Choices:
    """The values of each filter, counted with the other filters as they are set.

    Where there are many documents the counts may be `REMEMBERED_S` seconds old.
    """
    rows = _rows(scope)
    counts = {value: count for field, value, _name, count, _chosen in rows if field == "kind"}
    labels = [Choice(value, name, count, chosen) for field, value, name, count, chosen in rows if field == "label"]
    return Choices(
        kinds=tuple(
            Choice(value, str(name), counts.get(value, 0), value in scope.kinds) for value, name in Kind.choices
        ),
        labels=tuple(labels[:LABELS_IN_SIGHT]),
        more_labels=tuple(labels[LABELS_IN_SIGHT:]),
        documents=sum(counts.values()),
    )


def _rows(scope: Scope) -> Rows:
    key = f"choices:{sha256(repr(scope).encode()).hexdigest()}"
    try:
        remembered: Rows | None = cache.get(key)
    except (redis.RedisError, OSError):
        return _counted(scope)
    if remembered is not None:
        return remembered
    rows = _counted(scope)
    if sum(count for field, _value, _name, count, _chosen in rows if field == "kind") > MANY:
        with suppress(redis.RedisError, OSError):
            cache.set(key, rows, REMEMBERED_S)
    return rows


def _counted(scope: Scope) -> Rows:
    """Field, value, name, number of documents, whether it is chosen: kinds, then labels in the order to show."""
    of_kinds, kind_values = replace(scope, kinds=()).source_condition("s")
    of_labels, label_values = replace(scope, label_ids=()).source_condition("s")
    chosen_label = scope.label_ids[0] if scope.label_ids else 0
    statement = f"""
        SELECT 'kind', s.kind, '', count(*), FALSE FROM kb_source s WHERE {of_kinds} GROUP BY s.kind
        UNION ALL
        (
            SELECT 'label', l.slug, l.name, used.sources, l.id = %(chosen)s::bigint
            FROM (
                SELECT sl.label_id, count(*) AS sources FROM kb_source s
                JOIN kb_source_label sl ON sl.source_id = s.id
                WHERE {of_labels} GROUP BY sl.label_id
                ORDER BY sl.label_id = %(chosen)s::bigint DESC, sources DESC, sl.label_id LIMIT %(most)s::bigint
            ) used JOIN kb_label l ON l.id = used.label_id
            ORDER BY l.id = %(chosen)s::bigint DESC, used.sources DESC, l.name, l.id
        )
    """
    return fetch(statement, {**kind_values, **label_values, "chosen": chosen_label, "most": MOST_LABELS})
