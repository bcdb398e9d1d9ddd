"""Asking: from a question and a scope to what an answerer is given, and to the whole answer, a few at a time."""

import asyncio
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field, replace
from threading import BoundedSemaphore
from uuid import UUID, uuid4

from asgiref.sync import async_to_sync, sync_to_async
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from answers.asking import answer_cache, other_versions
from answers.asking.follow_ups import Turn, own_stems, standalone_question
from answers.writing.answerers import extractive
from answers.writing.answerers.chain import AnswererChain
from answers.writing.answerers.chat import ChatAnswerer
from answers.writing.answerers.claude import ClaudeAnswerer
from answers.writing.answerers.extractive import ExtractiveAnswerer
from answers.writing.compose import AnswerEvent, Event, Record, compose
from answers.writing.protocol import Answer, Answerer, AnswerRequest, AnswerStatus, RefusalReason
from kb_project.database.connections import release
from kb_project.llm import chat, claude
from kb_project.llm.roles import ANSWERS, chat_model
from kb_project.llm.spending import is_spent
from kb_project.observability import tracing
from law.languages.scripts import main_language
from search.expansion.expand import expansion_of
from search.expansion.variants import ExpansionOutcome
from search.results import Retrieval
from search.retrieval import parse_query, retrieve
from sources.scope import Scope
from topics.models import Topic

# The work is mostly Python, of which a process does one thing at a time: more questions at once would only slow each
# other down, and every search beside them.
AT_ONCE = 2
_slots = BoundedSemaphore(AT_ONCE)
MAX_PASSAGES = 20


@contextmanager
def query_slot() -> Iterator[None]:
    """Wait for one of `AT_ONCE` slots, and give the database connection back at its end.

    So however many questions are asked at once, they hold no more connections than that. Nothing slow belongs in a
    slot, and no second slot.
    """
    with _slots:
        try:
            yield
        finally:
            release()


def configured(topic_name: str) -> AnswererChain:
    """The answerers of this installation in the order in which they are asked, for a question about a topic."""
    answerers = [_answerer(name) for name in ANSWERS.chain]
    return AnswererChain(answerers, is_budget_spent=is_spent(topic_name))


def _answerer(name: str) -> Answerer:
    if name == claude.PROVIDER:
        return ClaudeAnswerer(ANSWERS.claude(), stall_s=settings.KB_ANSWER_STALL_S)
    if name == chat.PROVIDER:
        return ChatAnswerer(chat_model(), stall_s=settings.KB_ANSWER_STALL_S)
    if name == extractive.PROVIDER:
        return ExtractiveAnswerer()
    raise ImproperlyConfigured(f"No answerer is called {name!r}.")


@dataclass(frozen=True, kw_only=True)
class PreparedQuestion:
    """A question with all that the database gives for it. From here on no connection is needed."""

    asked: AnswerRequest
    scope: Scope
    retrieval: Retrieval
    expansion: ExpansionOutcome
    answerer: Answerer
    record: Record
    started: float
    id: UUID = field(default_factory=uuid4)
    """That of the answer and of its trace."""
    place: str = ""
    """Where the answer is kept, empty where none is."""
    given_before: Answer | None = None

    async def events(self) -> AsyncGenerator[Event]:
        """Deltas and citations, and the whole answer last. Raises ProviderError, and Unavailable without a budget."""
        if self.given_before:
            for event in answer_cache.replay(self.given_before):
                yield event
            return
        with tracing.start_span("answer", {"kb.passages": len(self.asked.passages)}) as span:
            composed = compose(self.asked, self.answerer, started=self.started, record=self.record)
            async with aclosing(tracing.inside(span, composed)) as events:
                async for event in events:
                    if isinstance(event, AnswerEvent):
                        span.set(_said_of(event.answer))
                        event = AnswerEvent(await self._finished(event.answer))
                    yield event

    async def _finished(self, answer: Answer) -> Answer:
        """The answer, with what is to be said where there is none. Kept for those who ask the same again.

        That there is none is not kept while vectors are lacking.
        """
        is_sure = True
        if answer.status is AnswerStatus.INSUFFICIENT_EVIDENCE:
            answer = await sync_to_async(self._explained)(answer)
            is_sure = self.retrieval.lacking is None
        if self.place and is_sure and self.record.is_as_configured:
            await asyncio.to_thread(answer_cache.store, self.place, answer)
        return answer

    def _explained(self, answer: Answer) -> Answer:
        if answer.reason is RefusalReason.REPEALED:  # other versions have it, which is no answer for this day
            return answer
        answer = other_versions.explain_other_versions(answer, self.asked, scope=self.scope, query_slot=query_slot)
        if self.asked.not_found or not self.retrieval.lacking:
            return answer
        with translation.override(main_language(self.asked.question).code):
            may_change = _("This may change, as some texts are found by their words only so far.")
        return replace(answer, answer=f"{answer.answer} {may_change}")

    def answer(self) -> Answer:
        """The whole answer, from a thread without an event loop. Raises ProviderError.

        In a web process it is made on the server's event loop, so that a client who leaves takes the call with them:
        then `asyncio.CancelledError` is raised here.
        """
        return async_to_sync(_last)(self.events())


def prepare(
    question: str,
    *,
    scope: Scope,
    topic: Topic | None,
    limit: int = MAX_PASSAGES,
    conversation: Sequence[Turn] = (),
) -> PreparedQuestion:
    """Find the passages for a question, and give the database connection back. Raises Invalid for a blank one.

    A conversation before it only says what the question means: it changes neither scope nor topic.
    """
    started = time.perf_counter()
    topic_name = topic.name if topic else ""
    standalone = standalone_question(question, conversation, topic_name=topic_name)
    query = parse_query(standalone)
    expansion = expansion_of(query, topic=topic)
    retrieval = retrieve(query, scope=scope, limit=limit, expansions=expansion.wordings, query_slot=query_slot)
    asked = AnswerRequest(
        question=retrieval.query,
        passages=retrieval.hits,
        weights=retrieval.weights,
        by_sentence=retrieval.by_sentence,
        own_stems=own_stems(question, standalone),
        topic_name=topic_name,
        addendum=topic.system_prompt_addendum if topic else "",
        not_found=retrieval.not_found,
        asked=retrieval.asked,
        today=timezone.localdate(),
        as_of=scope.as_of,
        timeout_s=settings.KB_ANSWER_TIMEOUT_S,
    )
    asked = other_versions.with_facts(asked, scope=scope, query_slot=query_slot)
    answerer = configured(topic_name)
    place = answer_cache.cache_key(asked, scope=scope, models=answerer.name) if answerer.is_paid else ""
    return PreparedQuestion(
        asked=asked,
        scope=scope,
        retrieval=retrieval,
        expansion=expansion.outcome,
        answerer=answerer,
        record=Record(),
        started=started,
        place=place,
        given_before=answer_cache.find(place, started=started) if place else None,
    )


def _said_of(answer: Answer) -> dict[str, tracing.Value]:
    """What the span of an answer says of it."""
    return {
        "kb.status": answer.status.value,
        "kb.provider": answer.provider,
        "kb.citations": len(answer.citations),
        "kb.citations.dropped": answer.dropped_citations,
        "kb.statements.removed": answer.removed,
    }


async def _last(events: AsyncGenerator[Event]) -> Answer:
    async with aclosing(events) as stream:
        async for event in stream:
            if isinstance(event, AnswerEvent):
                return event.answer
    raise RuntimeError("An answer ends with an AnswerEvent.")
