"""A segment that cannot be read, or was replaced. Searches go on without it until `gathering` makes it again."""

import logging
from collections.abc import Callable
from typing import TypeVar
from uuid import UUID

from django.db import connection

from kb_project.database.standbys.routing import require_primary

log = logging.getLogger(__name__)

TRIES = 10  # of reading segments that are replaced meanwhile; they are seldom replaced even twice
T = TypeVar("T")


class DamagedSegment(Exception):
    """What a segment stores is not what was written: its members, or one of its posting lists."""

    def __init__(self, segment_id: UUID, what: str) -> None:
        super().__init__(f"segment {segment_id} is damaged: {what}")
        self.segment_id = segment_id


class DamagedCodes(Exception):
    """The codes of a segment in one space are not one for each of its vectors."""

    def __init__(self, segment_id: UUID, space_id: int) -> None:
        super().__init__(f"segment {segment_id} has not one code for each vector in space {space_id}")
        self.segment_id, self.space_id = segment_id, space_id


def read_again(read: Callable[[], T]) -> T:
    """What `read` gives. It is called again where a segment was replaced meanwhile, and without one that is damaged.

    It says so with LookupError, DamagedSegment or DamagedCodes. Raises the LookupError of the last of `TRIES`.
    """
    replaced = 0
    while True:
        try:
            return read()
        except LookupError:
            replaced += 1
            if replaced == TRIES:
                raise
        except DamagedSegment as damaged:  # each time there is one fewer
            quarantine(damaged)
        except DamagedCodes as damaged_codes:
            drop_codes(damaged_codes)


def quarantine(damaged: DamagedSegment) -> None:
    """Have no search read the segment any more. `merge_pending` makes it again. Told in the log once.

    Raises ReadElsewhere on a standby.
    """
    require_primary()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE kb_segment SET damaged = true WHERE id = %s AND NOT damaged", [damaged.segment_id])
        if cursor.rowcount:
            log.error("%s; searches go without it until it is made again", damaged)


def drop_codes(damaged: DamagedCodes) -> None:
    """Delete the codes. Until there are new ones vectors are compared one by one. Told in the log once.

    Raises ReadElsewhere on a standby.
    """
    require_primary()
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM kb_segment_codes WHERE segment_id = %s AND space_id = %s",
            [damaged.segment_id, damaged.space_id],
        )
        if cursor.rowcount:
            log.error("%s; vectors are compared one by one until there are new codes", damaged)
