"""What happened to what a person watches, and that they may see at this moment."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from kb_project.database.rows import fetch
from keeping.models import Channel
from keeping.watches.kinds import KINDS
from keeping.watches.targets import NAMED, VisibleTargets

MAX_COUNTED = 99
_EVENT = "e.id, e.what, e.at, e.source_id, e.topic_id, e.ends, e.day, e.note_id, e.became, e.is_whole"
_NAMED = ", ".join(f"w.{name}" for name in NAMED)
_SINCE = {"read": "w.read_id", "mailed": "w.mailed_id", "posted": "w.posted_id", "all": "0"}
_FOUND = """
WITH mine AS MATERIALIZED (
    SELECT w.id, {named}, w.read_id, {since} AS since,
        COALESCE(l.id, a.label_id) AS label_id
    FROM kb_watch w
    LEFT JOIN kb_label l ON w.kind = 'label' AND l.slug = w.label_slug
    LEFT JOIN kb_label_alias a ON w.kind = 'label' AND a.slug = w.label_slug
    WHERE w.watcher_id = %(person)s::int AND w.how = ANY(%(channels)s::text[])
), found AS (
{found}
), told AS (
    SELECT DISTINCT ON (f.watch_id, f.source_id, f.ends, f.note_id) f.*
    FROM found f LEFT JOIN kb_source s ON s.id = f.source_id
    WHERE f.id <= %(upto)s::bigint
        AND CASE WHEN f.what = 'note' THEN COALESCE(s.topic_id, f.topic_id) ELSE s.topic_id END
            = ANY(%(topics)s::bigint[])
        AND (f.within IS NULL OR s.topic_id = f.within)
    ORDER BY f.watch_id, f.source_id, f.ends, f.note_id, f.what = 'change' DESC, f.id DESC
)
"""
# Each kind is looked up by an index of its own.
_OF_KIND = """
    SELECT m.id AS watch_id, m.read_id, {within} AS within, {event}
    FROM mine m JOIN kb_watch_event e ON {joined} AND e.id > m.since
    WHERE m.kind = '{kind}' AND {told}"""
_ROWS = """
, placed AS (
    SELECT *, row_number() OVER (PARTITION BY watch_id ORDER BY id DESC) AS place,
        count(*) OVER (PARTITION BY watch_id) AS total,
        count(*) FILTER (WHERE id > read_id) OVER (PARTITION BY watch_id) AS unread
    FROM told
)
SELECT watch_id, id, what, at, source_id, ends, day, note_id, became, is_whole, id > read_id, total, unread
FROM placed WHERE place <= %(each)s::int ORDER BY watch_id DESC, id DESC
"""
_COUNT = """
SELECT count(*) FROM (SELECT DISTINCT source_id, ends, note_id FROM told LIMIT %(most)s::int) AS unread
"""
_LAST = 2**62  # after every event


@dataclass(frozen=True, slots=True)
class WatchNews:
    """One thing that happened to what a watch is of. `total` and `unread` are how many the watch has."""

    watch_id: int
    event_id: int
    what: str
    at: datetime
    source_id: int
    ends: bool
    day: date | None
    note_id: int | None
    became: str
    is_whole: bool
    is_unread: bool
    total: int
    unread: int


def news_of(
    visible: VisibleTargets, *, since: str, channels: Sequence[str] = Channel.values, upto: int = _LAST, each: int = 10
) -> list[WatchNews]:
    """What happened after what was `read`, `mailed` or `posted`, or `all`, by watch, the newest first.

    It is at most `each` of one watch. Of a document a watch tells the last change, and that it is new only where no
    change says so. What is in no topic that the person sees now is left out. `upto` is the last event.
    """
    statement = _found(since) + _ROWS
    return [WatchNews(*row) for row in fetch(statement, {**_parameters(visible, channels, upto), "each": each})]


def count_unread(visible: VisibleTargets) -> int:
    """How many things happened that were not marked as read, each once. More than `MAX_COUNTED` are one more."""
    statement = _found("read") + _COUNT
    [(count,)] = fetch(statement, {**_parameters(visible, Channel.values, _LAST), "most": MAX_COUNTED + 1})
    return int(count)


def _found(since: str) -> str:
    """SQL of two expressions: the watches `mine` and what there is to be `told` of them."""
    kinds = [
        _OF_KIND.format(kind=one.kind.value, within=one.within, event=_EVENT, joined=one.joined, told=one.told)
        for one in KINDS.values()
    ]
    return _FOUND.format(named=_NAMED, since=_SINCE[since], found="\n    UNION ALL".join(kinds))


def _parameters(visible: VisibleTargets, channels: Sequence[str], upto: int) -> dict[str, Any]:
    return {
        "person": visible.person.pk,
        "channels": list(channels),
        "upto": upto,
        "topics": list(visible.topics),
        "notebooks": list(visible.notebooks),
    }
