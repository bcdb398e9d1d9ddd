"""Which documents cite a provision that changed, or a work."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from kb_project.database.rows import fetch
from sources.validity import in_force_sql

NAMED = 3  # documents; of more the number is said


@dataclass(frozen=True, slots=True)
class ChangedPlace:
    """A provision of a work that changed on a day: its addresses before and since, each '' where it had none.

    With `inside` what is inside it counts too. Of a `whole` work it counts what cites any of it.
    """

    work_id: int
    day: date
    before: str = ""
    since: str = ""
    inside: bool = False
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Citing:
    """How many documents cite a place. `first` are the newest `NAMED`: source id, and eid of the citing provision."""

    count: int = 0
    first: Sequence[tuple[int, str]] = ()


def citing(places: Sequence[ChangedPlace], *, today: date) -> list[Citing]:
    """What of the topic cites each place and is in force today.

    References lead to versions. Those to a version from before the day count by the address that the provision had
    then, those to a later one by its address since. A document counts once, however often it cites, and a work does
    not cite itself. Two queries.
    """
    found = [Citing()] * len(places)
    provisions = [
        (n, place.work_id, place.day, eid, place.inside, is_before)
        for n, place in enumerate(places)
        for eid, is_before in ((place.before, True), (place.since, False))
        if eid
    ]
    works = [(n, place.work_id, place.day, "", False, False) for n, place in enumerate(places) if place.whole]
    for n, count, first in [*_citing(provisions, _PROVISION, today), *_citing(works, "TRUE", today)]:
        found[n] = Citing(count, first)
    return found


# What is inside a provision has its address and two underscores before its own: a backtick comes after an underscore.
_PROVISION = """
    (t.valid_from IS NULL OR t.valid_from < wanted.day) = wanted.is_before
    AND (r.target_eid = wanted.eid
        OR (wanted.inside AND r.target_eid >= wanted.eid || '__' AND r.target_eid < wanted.eid || '_`')
        OR r.target_between @> ARRAY[wanted.eid])
"""


def _citing(
    wanted: Sequence[tuple[int, int, date, str, bool, bool]], condition: str, today: date
) -> list[tuple[int, int, list[tuple[int, str]]]]:
    """Of each that is cited: its number, how many sources cite it today, and id and address of `NAMED` of them."""
    if not wanted:
        return []
    statement = f"""
        WITH citing AS (
            SELECT wanted.n, r.source_id, (array_agg(r.eid ORDER BY r.span_start))[1] AS eid
            FROM unnest(%s::int[], %s::bigint[], %s::date[], %s::text[], %s::boolean[], %s::boolean[])
                AS wanted(n, work_id, day, eid, inside, is_before)
            JOIN kb_source t ON t.work_id = wanted.work_id
            -- OFFSET 0 has the index asked for each place, also while nothing is known of the number of references.
            JOIN LATERAL (
                SELECT r.* FROM kb_reference r WHERE r.target_id = t.id AND NOT r.internal AND {condition} OFFSET 0
            ) r ON TRUE
            JOIN kb_source s ON s.id = r.source_id AND s.topic_id = t.topic_id AND s.work_id <> t.work_id
                AND {in_force_sql("s", "%s::date")}
            GROUP BY wanted.n, r.source_id
        ), placed AS (
            SELECT *, count(*) OVER (PARTITION BY n) AS total,
                row_number() OVER (PARTITION BY n ORDER BY source_id DESC) AS place
            FROM citing
        )
        SELECT n, max(total), array_agg(source_id ORDER BY place), array_agg(eid ORDER BY place)
        FROM placed WHERE place <= {NAMED} GROUP BY n
    """
    columns = [list(column) for column in zip(*wanted, strict=True)]
    return [
        (n, total, list(zip(sources, eids, strict=True)))
        for n, total, sources, eids in fetch(statement, [*columns, today, today])
    ]
