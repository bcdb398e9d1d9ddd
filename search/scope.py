"""The scope of a search: which topic, labels, kinds, dates and sources it may see."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kb_project.database.rows import fetch

Condition = tuple[str, dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Scope:
    """What a search may see; every caller of `search.retrieval.retrieve` has to say it.

    `topic_id` None means all topics. Of several labels, kinds or sources any one suffices; an empty tuple does
    not narrow. Dates are inclusive, and a source without a date lies outside every range.
    """

    topic_id: int | None
    label_ids: tuple[int, ...] = ()
    kinds: tuple[str, ...] = ()
    source_ids: tuple[int, ...] = ()
    published_from: date | None = None
    published_to: date | None = None

    @property
    def narrows_sources(self) -> bool:
        """Whether anything but the topic is asked for."""
        return bool(self.label_ids or self.kinds or self.source_ids or self.published_from or self.published_to)

    @property
    def unfiltered(self) -> Scope:
        """The same topic and sources, without the filters that facets count."""
        return replace(self, label_ids=(), kinds=(), published_from=None, published_to=None)

    def condition(self, alias: str) -> Condition:
        """SQL that is true for rows of the scope, and its parameters; the row has `topic_id` and `source_id`."""
        conditions, parameters = ["TRUE"], {}
        if self.topic_id is not None:
            conditions.append(f"{alias}.topic_id = %(scope_topic)s::bigint")
            parameters["scope_topic"] = self.topic_id
        if self.narrows_sources:
            inner, inner_parameters = self.source_condition("scope_source")
            # OFFSET 0 keeps this a question about each row. As a join it would read every source in scope first.
            conditions.append(
                "EXISTS (SELECT 1 FROM kb_source scope_source"
                f" WHERE scope_source.id = {alias}.source_id AND {inner} OFFSET 0)"
            )
            parameters |= inner_parameters
        return " AND ".join(conditions), parameters

    def source_condition(self, alias: str) -> Condition:
        """The same for a row of kb_source."""
        wanted: list[tuple[str, str, Any]] = [
            ("scope_topic", f"{alias}.topic_id = %(scope_topic)s::bigint", self.topic_id),
            ("scope_sources", f"{alias}.id = ANY(%(scope_sources)s::bigint[])", list(self.source_ids)),
            ("scope_kinds", f"{alias}.kind = ANY(%(scope_kinds)s::text[])", list(self.kinds)),
            ("scope_from", f"{alias}.published_at >= %(scope_from)s::date", self.published_from),
            ("scope_to", f"{alias}.published_at <= %(scope_to)s::date", self.published_to),
            (
                "scope_labels",
                f"EXISTS (SELECT 1 FROM kb_source_label scope_label WHERE scope_label.source_id = {alias}.id"
                " AND scope_label.label_id = ANY(%(scope_labels)s::bigint[]))",
                list(self.label_ids),
            ),
        ]
        given = [(name, sql, value) for name, sql, value in wanted if value not in (None, [])]
        return " AND ".join(["TRUE", *(sql for _, sql, _ in given)]), {name: v for name, _, v in given}

    def sources(self) -> tuple[NDArray[np.int64], int]:
        """The ids of the sources in scope, in no order, and how many chunks they have."""
        condition, parameters = self.source_condition("s")
        statement = (
            "SELECT string_agg(int8send(s.id), ''::bytea), COALESCE(sum(s.chunk_count), 0)::bigint"
            f" FROM kb_source s WHERE {condition}"
        )
        [(ids, chunks)] = fetch(statement, parameters, binary=True)
        return np.frombuffer(ids or b"", ">i8").astype(np.int64), chunks
