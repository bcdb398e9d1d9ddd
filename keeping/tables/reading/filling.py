"""Filling cells: one is taken, its document read, and what it answers recorded.

Without a model the sentences that hold the words of the question are the answer.
"""

import logging
from collections.abc import Callable

from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone

from answers.checking.turns import TooMany, check_turn
from answers.writing.answerers.extractive import ExtractiveAnswerer, quotes
from answers.writing.evidence import is_askable
from answers.writing.protocol import AnswerRequest, RefusalReason
from answers.writing.refusals import refusal
from keeping.models import CellStatus
from keeping.tables.kinds import KINDS, AskedColumn
from keeping.tables.reading import claims
from keeping.tables.reading.by_model import falls_back_on_words, has_models, read_by_model
from keeping.tables.reading.document import CellReason, DocumentPassages, PutOff, Reading, answered, quoted
from search.retrieval import parse_query, retrieve
from sources.scope import Scope

PASSAGES = 20  # that are ranked for a question
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
    document = DocumentPassages.of(held.cell.row.source)
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


def read_by_words(document: DocumentPassages, asked: AskedColumn) -> Reading:
    """What the document answers, as far as words tell.

    It is *not stated* only where the words of the question are near in no passage. Where some are near, and no sentence
    says it, or the words are no answer of the column's kind, it is undecided and quotes them.
    """
    scope = Scope(topic_id=asked.topic_id, source_ids=(document.source.pk,), all_versions=True)
    found = retrieve(parse_query(asked.question), scope=scope, limit=PASSAGES)
    request = AnswerRequest(
        question=found.query,
        passages=found.hits,
        weights=found.weights,
        by_sentence=found.by_sentence,
        not_found=found.not_found,
        asked=found.asked,
        today=timezone.localdate(),
    )
    searched = {
        "way": "words",
        "read": len(document.chunk_ids),
        "passages": len(document.chunk_ids),
        "model": f"{ExtractiveAnswerer.provider} {ExtractiveAnswerer.model}",
        "calls": 0,
        "meaning_lacking": found.lacking is not None,
    }
    for one in quotes(request) if is_askable(request) else ():
        words = request.passages[one.passage].text[one.start : one.end]
        if (verified := quoted(request.passages, one.passage, words)) is None:
            continue
        passage, quote = verified
        value = KINDS[asked.kind].extract(quote, asked)
        return answered(value, asked, passage=passage, quote=quote, searched=searched)
    refused = refusal(request)
    if refused.reason is RefusalReason.NO_SENTENCE:
        nearest = request.passages[0]
        return Reading(status=CellStatus.UNDECIDED, passage=nearest, searched=searched, why=CellReason.NEAR.value)
    reading = document.not_found(searched, all_read=True)
    if reading.status is CellStatus.NOT_STATED and (found.lacking or refused.reason is RefusalReason.OTHER_LANGUAGE):
        return Reading(status=CellStatus.UNDECIDED, searched=searched, why=CellReason.MEANING_LACKING.value)
    return reading
