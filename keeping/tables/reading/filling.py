"""Filling cells: one is taken, its document read, and what it answers recorded."""

import logging
from collections.abc import Callable

from django.conf import settings
from django.db import DatabaseError

from answers.checking.turns import TooMany, check_turn
from keeping.models import CellStatus
from keeping.tables.kinds import AskedColumn
from keeping.tables.reading import claims
from keeping.tables.reading.by_model import falls_back_on_words, has_models, read_by_model
from keeping.tables.reading.by_words import read_by_words
from keeping.tables.reading.document import CellReason, PutOff, ReadDocument, Reading

TURN_WITHIN_S = 30.0  # of the processor, which a text that is checked may have
log = logging.getLogger(__name__)


def fill_next(*, on_taken: Callable[[], object] = lambda: None) -> bool:
    """Fill the next cell. Returns False where there is none for this process.

    `on_taken` is called once a cell is held: another process may look for the next one.
    """
    held = claims.take()
    if held is None:
        return False
    on_taken()
    try:
        reading = _read(held)
    except PutOff as why:
        claims.put_off(held, why)
    except DatabaseError:
        raise  # it is taken anew when its lease has ended
    except Exception:
        log.exception("Cell %s could not be read", held.cell.pk)
        claims.record(held, Reading(status=CellStatus.FAILED, why=CellReason.ERROR.value))
    else:
        claims.record(held, reading)
    return True


def _read(held: claims.ClaimedCell) -> Reading:
    """Raises PutOff. Where words are at the end of the chain of models they are read when no model answers."""
    table = held.cell.table
    asked = AskedColumn.of(held.cell.column, topic_id=table.topic_id)
    document = ReadDocument.of(held.cell.row.source)
    if not document.chunk_ids:
        return document.not_found({}, all_read=False)
    if has_models():
        try:
            return read_by_model(document, asked, topic_name=table.topic.name, within_s=settings.KB_ANSWER_TIMEOUT_S)
        except PutOff:
            if not falls_back_on_words():
                raise
    try:
        with check_turn(within_s=TURN_WITHIN_S):
            return read_by_words(document, asked)
    except TooMany as busy:
        raise PutOff(CellReason.PROVIDER, seconds=1, is_free=True) from busy
