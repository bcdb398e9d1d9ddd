"""How far events have come. They are written by whoever holds one lock, so that their ids rise as they can be read."""

from kb_project.database.rows import fetch
from keeping.models import EventType

LOCK = 0x6B62777463


def newest_id(*, settled_s: float = 0.0) -> int:
    """The id of the last event that was found, so many seconds ago or before. 0 where none was."""
    statement = """
        SELECT COALESCE(max(id), 0) FROM kb_watch_event
        WHERE at <= statement_timestamp() - make_interval(secs => %s::float8)
    """
    [(pk,)] = fetch(statement, [float(settled_s)])
    return int(pk)


def newest_look() -> int:
    """The id of the last event for searches."""
    [(pk,)] = fetch("SELECT COALESCE(max(id), 0) FROM kb_watch_event WHERE what = %s", [EventType.LOOK.value])
    return int(pk)
