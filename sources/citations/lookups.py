"""What resolving asks the database: sources by title or number, and which of their provisions exist."""

from collections.abc import Collection, Iterable
from datetime import date
from typing import NamedTuple

from kb_project.database.rows import fetch
from law.structure.provisions import ProvisionKind
from law.timeline import Period
from law.words.countries import OWN, countries_of_document
from sources.scope import Condition

_DIVISIONS = [ProvisionKind.PART.value, ProvisionKind.CHAPTER.value, ProvisionKind.SCHEDULE.value]
MAX_SOURCES = 5_000


class CitableSource(NamedTuple):
    """A source that may be cited, with what it is found by."""

    source_id: int
    title: str
    aliases: list[str]
    identifiers: list[str]
    work_id: int
    valid_from: date | None
    valid_to: date | None

    @property
    def days(self) -> Period:
        return Period(self.valid_from, self.valid_to)


class Stored:
    """The sources of topics in the database, or of all topics: those of which `condition`, on `s`, is true."""

    def __init__(self, topics: Collection[int] | None, condition: Condition = ("TRUE", {})) -> None:
        self._topics = None if topics is None else list(topics)
        self._condition, self._parameters = condition

    def sources(self, *, starts: Collection[str], identifiers: Collection[str]) -> list[CitableSource]:
        """The sources whose title begins so or that have such a number, by id, `MAX_SOURCES` at most."""
        if not starts and not identifiers:
            return []
        inside = "TRUE" if self._topics is None else "topic_id = ANY(%(topics)s::bigint[])"
        rows = fetch(
            f"""
            SELECT k.source_id, s.title, s.aliases, k.identifiers, s.work_id, s.valid_from, s.valid_to
            FROM kb_source_key k JOIN kb_source s ON s.id = k.source_id
            WHERE k.source_id IN (
                SELECT source_id FROM kb_source_key
                WHERE {inside} AND title_start = ANY(%(starts)s::text[])
                UNION
                SELECT source_id FROM kb_source_key
                WHERE {inside} AND identifiers && %(identifiers)s::text[]
            ) AND {self._condition}
            ORDER BY k.source_id LIMIT {MAX_SOURCES}
            """,
            {**self._parameters, "topics": self._topics, "starts": [*starts], "identifiers": [*identifiers, *starts]},
        )
        return [CitableSource(*row) for row in rows]

    def titles(self, source_ids: Collection[int]) -> dict[int, str]:
        """The titles of those sources that are there, by id."""
        statement = "SELECT id, title FROM kb_source WHERE id = ANY(%(ids)s::bigint[])"
        return dict(fetch(statement, {"ids": list(source_ids)})) if source_ids else {}

    def countries(self) -> frozenset[str]:
        """By their own numbers and titles, of `MAX_SOURCES` of them."""
        inside = "TRUE" if self._topics is None else "k.topic_id = ANY(%(topics)s::bigint[])"
        rows = fetch(
            f"""
            WITH named AS (
                SELECT k.identifiers, s.title FROM kb_source_key k JOIN kb_source s ON s.id = k.source_id
                WHERE {inside} LIMIT {MAX_SOURCES}
            )
            SELECT min(key), '' FROM named, unnest(identifiers) key WHERE key LIKE '%%:%%'
                GROUP BY split_part(key, ':', 1), split_part(key, ':', 3)
            UNION SELECT DISTINCT '', CASE WHEN title ~ %(own)s THEN title ELSE left(title, 1) END FROM named
            """,
            {"topics": self._topics, "own": OWN},
        )
        return frozenset[str]().union(*(countries_of_document(title, [key]) for key, title in rows))

    def eids(
        self, source_ids: Collection[int], eids: Collection[str], *, divisions: bool
    ) -> Iterable[tuple[int, str, Period]]:
        """Source, address and days of those provisions, and with `divisions` of all divisions, in any order."""
        if not source_ids:
            return []
        statement = """
            SELECT source_id, eid, valid_from, valid_to FROM kb_provision
            WHERE source_id = ANY(%(ids)s::bigint[]) AND (eid = ANY(%(eids)s::text[]) OR kind = ANY(%(kinds)s::text[]))
        """
        kinds = _DIVISIONS if divisions else []
        rows = fetch(statement, {"ids": list(source_ids), "eids": list(eids), "kinds": kinds})
        return [(source_id, eid, Period(begin, end)) for source_id, eid, begin, end in rows]

    def sections(self, source_ids: Collection[int], numbers: Collection[str]) -> Iterable[tuple[int, str, str]]:
        """Source, number and address of sections with these numbers that stand below a division, in any order."""
        if not source_ids or not numbers:
            return []
        statement = """
            SELECT source_id, number, eid FROM kb_provision
            WHERE source_id = ANY(%s::bigint[]) AND number = ANY(%s::text[]) AND kind = 'section'
                AND eid !~ '(^|__)sec_'
        """
        return fetch(statement, [list(source_ids), list(numbers)])
