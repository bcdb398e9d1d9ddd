"""POST /kb/ask and /kb/ask/stream: the same answer, whole or as it comes."""

import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from answers.asking import sse, traces
from answers.asking.ask import MAX_PASSAGES, PreparedQuestion, prepare, query_slot
from answers.asking.follow_ups import MAX_ANSWER_LENGTH, MAX_TURNS, Turn
from answers.writing.compose import AnswerEvent, CitationEvent, Delta, Restart
from answers.writing.protocol import Answer, AnswerCitation, AnswerStatus, NearestPassage, RefusalReason
from kb_project.api.openapi import problems
from kb_project.api.permissions import PublicOrKey
from kb_project.api.problem import ProblemResponse, problem_of, refusal_of
from kb_project.api.strict import StrictSerializer, body
from kb_project.api.throttles import AskThrottle, PublicThrottle
from kb_project.database.standbys.reading import from_standby
from kb_project.web.streams import Stream, to_its_end
from labels.serializers import HOLDS, PLACE
from search.retrieval import MAX_QUERY_LENGTH
from search.shown.bodies import meaning_out, passages_out, scope_of, understood_out
from search.shown.serializers import (
    MEANING,
    FiltersOfADay,
    MeaningSerializer,
    OtherVersionSerializer,
    UnderstoodSerializer,
)
from sources.kinds import SourceKind
from sources.validity import ValidityStatus as Version
from topics.scoping import TopicFirst, is_pinned, limits

logger = logging.getLogger(__name__)


class PlaceSerializer(serializers.Serializer[Any]):
    chunk_id = serializers.IntegerField()
    source_id = serializers.IntegerField()
    title = serializers.CharField()
    identifier = serializers.CharField()
    kind = serializers.ChoiceField(SourceKind.choices)
    page = serializers.IntegerField(allow_null=True)
    section = serializers.CharField()
    place = serializers.CharField(help_text=PLACE)
    eid = serializers.CharField(help_text="The address of the provision in its document; empty before the first.")
    url = serializers.CharField(help_text="The path of the document's page at the provision.")
    valid_from = serializers.DateField(allow_null=True)
    valid_to = serializers.DateField(allow_null=True)
    status = serializers.ChoiceField(Version.choices, help_text="Of the source on the day `as_of`.")
    holds = serializers.CharField(help_text=HOLDS)


class CitationSerializer(PlaceSerializer):
    n = serializers.IntegerField()
    quote = serializers.CharField(help_text="Verbatim in the chunk.")


class NearestPassageSerializer(PlaceSerializer):
    heading = serializers.CharField()
    text = serializers.CharField(help_text="The whole passage.")


class UsageSerializer(serializers.Serializer[Any]):
    input_tokens = serializers.IntegerField(help_text="Those that no cache was read or written for.")
    output_tokens = serializers.IntegerField()
    cache_read_tokens = serializers.IntegerField()
    cache_write_tokens = serializers.IntegerField()
    calls = serializers.IntegerField(help_text="0 for an answer without a model, and for one that was kept.")


class AnswerSerializer(UnderstoodSerializer):
    id = serializers.UUIDField(help_text="For feedback on it, for as long as its trace is kept.")
    status = serializers.ChoiceField([one.value for one in AnswerStatus])
    question = serializers.CharField(help_text="What was asked; a follow-up as it was put to stand alone.")
    answer = serializers.CharField(help_text="`[1]`, `[2]` name the citations.")
    provider = serializers.CharField()
    model = serializers.CharField()
    citations = CitationSerializer(many=True)
    dropped_citations = serializers.IntegerField(help_text="Citations that did not stand in the stored text.")
    unsupported = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2),
        help_text="Ranges of characters of `answer`: sentences that no citation supports.",
    )
    removed = serializers.IntegerField(
        help_text="Sentences left out: they stated law, a number, a date or a name, and no citation supported them."
    )
    truncated = serializers.BooleanField(help_text="Whether a limit of the model cut the answer.")
    took_ms = serializers.FloatField()
    usage = UsageSerializer(help_text="What models cost for this answer, those that failed included.")
    fallback_from = serializers.CharField(
        allow_null=True, help_text="The first provider, where it failed or refused and another answered."
    )
    as_of = serializers.DateField(allow_null=True, help_text="The day that the answer is for.")
    reason = serializers.ChoiceField(
        [reason.value for reason in RefusalReason],
        allow_null=True,
        help_text="Why there is no evidence, where that is known.",
    )
    versions = OtherVersionSerializer(many=True, help_text="With `not_in_force`: those that hold what was asked.")
    passages = NearestPassageSerializer(
        many=True,
        help_text="With `no_sentence`: the passage that comes nearest. With `other_language`: the nearest in meaning,"
        " if that was compared. With `repealed`: the one that says so.",
    )
    basis = serializers.CharField(
        help_text="What the answer rests on, in words: its quotes, their documents, whether a model wrote it, and"
        " if none did, words of the question that they lack."
    )
    meaning = MeaningSerializer(allow_null=True, help_text=MEANING)


class TurnSerializer(StrictSerializer):
    question = serializers.CharField(max_length=MAX_QUERY_LENGTH)
    answer = serializers.CharField(max_length=MAX_ANSWER_LENGTH, allow_blank=True)


class Asking(TopicFirst, APIView):
    permission_classes = [PublicOrKey]
    throttle_classes = [AskThrottle]

    class Input(FiltersOfADay):
        question = serializers.CharField(max_length=MAX_QUERY_LENGTH)
        conversation = serializers.ListField(
            child=TurnSerializer(),
            required=False,
            allow_null=True,
            max_length=MAX_TURNS,
            help_text="Earlier questions and answers, the last one last. They say what the question means, "
            "and are neither searched nor believed.",
        )
        limit = serializers.IntegerField(
            default=MAX_PASSAGES, min_value=1, max_value=MAX_PASSAGES, help_text="Passages to answer from."
        )

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        with query_slot():
            super().initial(request, *args, **kwargs)

    @from_standby
    def prepared(self, request: Request) -> PreparedQuestion:
        """The question with its passages. No database connection is held after it: the model may speak for long."""
        given = body(request, self.Input)
        with query_slot():
            scope = scope_of(given, topic=self.topic, request=request)
        conversation = [Turn(**turn) for turn in given.get("conversation") or ()]
        return prepare(
            given["question"], scope=scope, topic=self.topic, limit=given["limit"], conversation=conversation
        )


class Ask(Asking):
    @extend_schema(operation_id="kb_ask", request=Asking.Input, responses={200: AnswerSerializer, **problems(502, 503)})
    def post(self, request: Request) -> Response:
        """An answer with quotes that stand in the documents, or that there is none."""
        prepared = self.prepared(request)
        with traces.saved_trace(prepared, by=traces.asker(request.user)) as trace:
            trace.answer = prepared.answer()
        return Response(answer_out(trace.answer, prepared))


class AskStream(Asking):
    @extend_schema(
        operation_id="kb_ask_stream",
        request=Asking.Input,
        responses={
            (200, "text/event-stream"): OpenApiResponse(
                OpenApiTypes.ANY,  # clients read it as text, as the type of its media says
                "Lines of `event: …` and `data: …`, a JSON object. Events `sources`, `delta`, `citation`, then `done` "
                "with what ask gives, or `error`. After `restart` it begins anew: its provider failed half way.",
            )
        },
    )
    def post(self, request: Request) -> HttpResponseBase:
        """The same as it comes: server-sent events."""
        prepared = self.prepared(request)
        return EventStream(events(prepared, by=traces.asker(request.user)))


class Feedback(APIView):
    permission_classes = [PublicOrKey]
    throttle_classes = [PublicThrottle]

    class Input(StrictSerializer):
        helpful = serializers.BooleanField()
        note = serializers.CharField(
            required=False, allow_blank=True, max_length=traces.MAX_NOTE_LENGTH, help_text="What was right or wrong."
        )

    @extend_schema(operation_id="kb_answer_feedback", request=Input, responses={204: None})
    def post(self, request: Request, answer_id: UUID) -> Response:
        """Say whether an answer helped. What was said of it before is replaced."""
        given = body(request, self.Input)
        by, within = traces.asker(request.user), limits(request)
        traces.give(answer_id, **given, by=by, within=within, is_pinned=is_pinned(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class EventStream(Stream):
    """Server-sent events that reach the client one by one."""

    def __init__(self, events: AsyncGenerator[bytes]) -> None:
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__(events, content_type="text/event-stream; charset=utf-8", headers=headers)


async def events(prepared: PreparedQuestion, *, by: str) -> AsyncGenerator[bytes]:
    """The events of a stream. The last is `done` or `error`, unless the client leaves before."""
    trace = traces.Trace(prepared, by=by)
    try:
        yield sse.event("sources", passages_out(prepared.retrieval))
        async with aclosing(sse.with_keepalives(prepared.events(), every_s=sse.PING_EVERY_S)) as answer:
            async for item in answer:
                match item:
                    case None:
                        yield sse.PING
                    case Delta(text):
                        yield sse.event("delta", {"text": text})
                    case CitationEvent(citation):
                        yield sse.event("citation", placed(citation))
                    case Restart(provider):
                        yield sse.event("restart", {"fallback_from": provider})
                    case AnswerEvent(whole):
                        trace.answer = whole
                        await to_its_end(trace.save)  # first, so that feedback on what is done finds it
                        yield sse.event("done", answer_out(whole, prepared))
    except Exception as error:
        trace.error = str(error)
        refusal = refusal_of(error)
        if refusal is None:
            logger.exception("An answer could not be given")
        problem = problem_of(refusal) if refusal else ProblemResponse(500, detail="The fault has been recorded.")
        yield sse.event("error", problem.problem)
    finally:
        await to_its_end(trace.save)


def answer_out(answer: Answer, prepared: PreparedQuestion) -> dict[str, Any]:
    """The contract's answer, with the id of its trace."""
    citations = [placed(citation) for citation in answer.citations]
    passages = [placed(passage) for passage in answer.passages]
    meaning = meaning_out(prepared.retrieval)
    return {
        "id": str(prepared.id),
        **asdict(answer),
        "citations": citations,
        "passages": passages,
        "meaning": meaning,
        **understood_out(prepared.retrieval),
    }


def placed(one: AnswerCitation | NearestPassage) -> dict[str, Any]:
    """A citation, or a passage, with its names."""
    return {**asdict(one), "place": one.place, "url": one.url}
