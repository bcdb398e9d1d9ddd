"""The reader without a model: the sentences of a document that hold the words of the question."""

from django.utils import timezone

from answers.writing.answerers.extractive import ExtractiveAnswerer, quotes
from answers.writing.evidence import is_askable
from answers.writing.protocol import AnswerRequest, RefusalReason
from answers.writing.refusals import refusal
from keeping.models import CellStatus
from keeping.tables.kinds import KINDS, AskedColumn
from keeping.tables.reading.document import CellReason, ReadDocument, Reading, answered, quoted
from search.retrieval import parse_query, retrieve
from sources.scope import Scope

PASSAGES = 20  # that are ranked for a question


def read_by_words(document: ReadDocument, asked: AskedColumn) -> Reading:
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
