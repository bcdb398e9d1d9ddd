"""Writing the provisions of a source, inside the caller's transaction."""

from collections.abc import Sequence

from django.db import connection

from kb_project.database.rows import storable
from law.structure.provisions import ParsedProvision

_COPY = """
COPY kb_provision (source_id, eid, kind, number, heading, parent, position, depth, page, span_start, span_end,
    valid_from, valid_to) FROM STDIN
"""


def store(source_id: int, provisions: Sequence[ParsedProvision]) -> None:
    """Replace a source's provisions. The database deletes them with the source."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM kb_provision WHERE source_id = %s", [source_id])
        if not provisions:
            return
        with cursor.copy(_COPY) as copy:
            for position, one in enumerate(provisions):
                copy.write_row(
                    (
                        source_id,
                        one.eid,
                        one.kind.value,
                        storable(one.number),
                        storable(one.heading),
                        one.parent.eid if one.parent else "",
                        position,
                        one.depth,
                        one.page,
                        one.start,
                        one.end,
                        one.days.begin,
                        one.days.end,
                    )
                )
