"""The scope of a search: which topic, labels, kinds, dates and sources it may see, as of which day."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kb_project.database.rows import Query, Rows, fetch
from sources.validity import in_force_sql

Condition = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class SourcesInScope:
    """What was read of the sources that meet a condition: their ids, in no order, and how many chunks they have."""

    condition: Condition
    ids: NDArray[np.int64]
    chunks: int


@dataclass(frozen=True, kw_only=True)
class Scope:
    """What a search may see. Every caller of `search.retrieval.retrieve` has to say it.

    `topic_id` None means all topics, or those of `within`, which are what the caller sees where that is not all. Of
    several labels, kinds or sources any one suffices. An empty tuple of them does not narrow. Dates are inclusive, and
    a source without a date lies outside every range. Only what is in force on the day `as_of` is seen, if one is given,
    unless `all_versions` are. A source whose days are not known is always in force, and so is a passage of it that says
    nothing of days of its own. `every_topic` are the topics that are seen, where they were read already
    (`with_topics`), `gone` is what `not_in_force` says, and `known` what `sources_query` does, likewise.
    """

    topic_id: int | None
    label_ids: tuple[int, ...] = ()
    kinds: tuple[str, ...] = ()
    source_ids: tuple[int, ...] = ()
    published_from: date | None = None
    published_to: date | None = None
    as_of: date | None = None
    all_versions: bool = False
    within: tuple[int, ...] | None = None
    every_topic: tuple[int, ...] | None = None
    gone: NDArray[np.int64] | None = field(default=None, compare=False, repr=False)
    known: SourcesInScope | None = field(default=None, compare=False, repr=False)

    @property
    def narrows_sources(self) -> bool:
        """Whether anything but the topic and the day is asked for."""
        return bool(self.label_ids or self.kinds or self.source_ids or self.published_from or self.published_to)

    @property
    def day(self) -> date | None:
        """On which sources must be in force to be seen, or None where they need not."""
        return None if self.all_versions else self.as_of

    @property
    def unfiltered(self) -> Scope:
        """The same topic and sources, without the filters that facets count."""
        return replace(self, label_ids=(), kinds=(), published_from=None, published_to=None)

    @property
    def limited_to(self) -> tuple[int, ...] | None:
        """The topics that are seen, where those are not all."""
        return self.within if self.topic_id is None else (self.topic_id,)

    def topic_condition(self, column: str) -> Condition:
        """SQL that is true where a column has the topic, or one of those, that are seen."""
        if self.topic_id is not None:
            return f"{column} = %(scope_topic)s::bigint", {"scope_topic": self.topic_id}
        if self.within is not None:
            return f"{column} = ANY(%(scope_topics)s::bigint[])", {"scope_topics": list(self.within)}
        return "TRUE", {}

    def condition(self, alias: str) -> Condition:
        """SQL that is true for passages of the scope, and its parameters.

        The row has `topic_id`, `source_id`, `valid_from` and `valid_to`.
        """
        of_topic, parameters = self.topic_condition(f"{alias}.topic_id")
        conditions = ["TRUE", of_topic] if parameters else ["TRUE"]
        if self.narrows_sources:
            inner, inner_parameters = self.source_condition("scope_source")
            # OFFSET 0 keeps this a question about each row. As a join it would read every source in scope first.
            conditions.append(
                "EXISTS (SELECT 1 FROM kb_source scope_source"
                f" WHERE scope_source.id = {alias}.source_id AND {inner} OFFSET 0)"
            )
            parameters |= inner_parameters
        elif self.day:
            # Few sources are not in force. They are read once, and each row is looked up among them.
            gone, gone_parameters = self._not_in_force()
            conditions.append(f"{alias}.source_id NOT IN ({gone.format('scope_gone.id')})")
            parameters |= gone_parameters
        days, days_parameters = self.days_condition(alias)
        return " AND ".join([*conditions, days]), parameters | days_parameters

    def days_condition(self, alias: str) -> Condition:
        """The same for the days of a passage alone, which may be narrower than those of its source."""
        return (in_force_sql(alias, "%(scope_day)s::date"), {"scope_day": self.day}) if self.day else ("TRUE", {})

    def source_condition(self, alias: str) -> Condition:
        """The same for a row of kb_source."""
        wanted: list[tuple[str, str, Any]] = [
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
            ("scope_day", in_force_sql(alias, "%(scope_day)s::date"), self.day),
        ]
        given = [(name, sql, value) for name, sql, value in wanted if value not in (None, [])]
        of_topic, parameters = self.topic_condition(f"{alias}.topic_id")
        return " AND ".join(
            ["TRUE", *([of_topic] if parameters else []), *(sql for _, sql, _ in given)]
        ), parameters | {name: v for name, _, v in given}

    def not_in_force(self) -> NDArray[np.int64]:
        """The ids of the topic's sources that are not in force on the day, in no order, none without a day."""
        if self.day is None:
            return np.empty(0, np.int64)
        if self.gone is not None:
            return self.gone
        statement, parameters = self.gone_condition()
        [(ids,)] = fetch(statement, parameters, binary=True)
        return ids_of(ids)

    def gone_condition(self) -> Condition:
        """A SELECT of one value, of which `ids_of` makes what is `gone`. NULL without a day."""
        if self.day is None:
            return "SELECT NULL::bytea", {}
        gone, parameters = self._not_in_force()
        return gone.format("string_agg(int8send(scope_gone.id), ''::bytea)"), parameters

    def passages_not_in_force(self) -> Condition:
        """A SELECT of the passages of the topic that are not in force by their own days: their ids and sources.

        One look at the partial index of the few that have days.
        """
        if self.day is None:
            return "SELECT 0::bigint, 0::bigint WHERE FALSE", {}
        gone, parameters = self._not_in_force("kb_chunk")
        return gone.format("scope_gone.id, scope_gone.source_id"), parameters

    def _not_in_force(self, table: str = "kb_source") -> Condition:
        """A SELECT of what is not in force on the day in the topics, with a place for what it selects.

        The index of what has days is by topic: where it is known which there are, they are named.
        """
        topic_ids = self.every_topic if self.limited_to is None else self.limited_to
        of_topic, topics = "TRUE", {}
        if topic_ids is not None:
            of_topic, topics = "scope_gone.topic_id = ANY(%(gone_topics)s::bigint[])", {"gone_topics": list(topic_ids)}
        return (
            f"SELECT {{}} FROM {table} scope_gone"
            " WHERE (scope_gone.valid_from IS NOT NULL OR scope_gone.valid_to IS NOT NULL)"
            f" AND {of_topic}"
            f" AND NOT {in_force_sql('scope_gone', '%(scope_day)s::date')}",
            {**topics, "scope_day": self.day},
        )

    def with_topics(self) -> Scope:
        """The same, which knows the topics that there are now: a search asks once."""
        return self if self.topic_id is not None else replace(self, every_topic=tuple(self.topic_ids()))

    def topic_ids(self) -> list[int]:
        """The topic, or all that are seen."""
        if self.topic_id is not None:
            return [self.topic_id]
        if self.within is not None:
            return list(self.within)
        if self.every_topic is not None:
            return list(self.every_topic)
        return [topic_id for (topic_id,) in fetch("SELECT id FROM kb_topic ORDER BY id", [])]

    def sources(self) -> tuple[NDArray[np.int64], int]:
        """The ids of the sources in scope, in no order, and how many chunks they have."""
        # What is known may be of another scope, of which this one was made.
        known = self.known if self.known and self.known.condition == self.source_condition("s") else None
        known = known or self.sources_query().fetch()
        return known.ids, known.chunks

    def sources_query(self) -> Query[SourcesInScope]:
        """What `sources` asks."""
        condition, parameters = self.source_condition("s")
        statement = (
            "SELECT string_agg(int8send(s.id), ''::bytea), COALESCE(sum(s.chunk_count), 0)::bigint"
            f" FROM kb_source s WHERE {condition}"
        )

        def read(rows: Rows) -> SourcesInScope:
            [(ids, chunks)] = rows
            return SourcesInScope((condition, parameters), ids_of(ids), chunks)

        return Query(statement, parameters, read, binary=True)

    def seen(self, source_ids: Collection[int]) -> list[int]:
        """Those of the sources that are in scope, on whatever day."""
        condition, parameters = replace(self, all_versions=True).source_condition("s")
        statement = f"SELECT s.id FROM kb_source s WHERE s.id = ANY(%(seen)s::bigint[]) AND {condition}"
        return [pk for (pk,) in fetch(statement, {**parameters, "seen": sorted(source_ids)})]


def ids_of(joined: bytes | None) -> NDArray[np.int64]:
    """The ids that a statement has joined, of eight bytes each."""
    return np.frombuffer(joined or b"", ">i8").astype(np.int64)
