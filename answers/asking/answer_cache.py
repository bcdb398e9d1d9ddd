"""Answers of models kept for those who ask the same again, for `KB_ANSWER_CACHE_S` seconds at most.

The key is all that the answer was made from: the question, where was looked, the passages, what the question's words
weigh, which tells of every document of the topic, the model and what it was told. So a change of the documents that
could change an answer, or of the topic's prompt, is another key, and nothing has to be emptied.
"""

import hashlib
import json
import time
from collections.abc import Iterator
from dataclasses import asdict, fields
from typing import Any

from django.conf import settings

from answers.writing.answerers.prompts import PROMPT_VERSION
from answers.writing.compose import AnswerEvent, CitationEvent, Delta, Event
from answers.writing.protocol import Answer, AnswerCitation, AnswerRequest, AnswerStatus, NearestPassage, OtherVersion
from kb_project.clients.redis_client import BoundedCache
from kb_project.llm.protocol import Usage
from sources.scope import Scope

_cache = BoundedCache("kb:answer:", "kb:answers", most=1_000, largest=64 * 1024)


def cache_key(asked: AnswerRequest, *, scope: Scope, models: str) -> str:
    """Where the answer to this is kept, "" where none is. `models` names the chain that is asked."""
    if not settings.KB_ANSWER_CACHE_S:
        return ""
    form = [member.name for member in fields(Answer)]  # another release's answers may have others
    made_of = [PROMPT_VERSION, form, models, asdict(asked), asdict(scope)]
    text = json.dumps(made_of, default=_plain, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: Any) -> Any:
    """What JSON has no form for. A set in an order that all processes share."""
    return sorted(value) if isinstance(value, (set, frozenset)) else str(value)


def find(place: str, *, started: float) -> Answer | None:
    """The answer kept there, which now costs nothing. `started` is a `time.perf_counter()` for `took_ms`."""
    text = _cache.find(place)
    if text is None:
        return None
    kept: dict[str, Any] = json.loads(text)
    kept["status"] = AnswerStatus(kept["status"])
    kept["unsupported"] = tuple((start, end) for start, end in kept["unsupported"])
    kept["citations"] = tuple(AnswerCitation(**citation) for citation in kept["citations"])
    kept["passages"] = tuple(NearestPassage(**passage) for passage in kept["passages"])
    kept["versions"] = tuple(OtherVersion(**version) for version in kept["versions"])
    return Answer(**kept | {"usage": Usage(), "took_ms": round((time.perf_counter() - started) * 1000, 2)})


def store(place: str, answer: Answer) -> None:
    """Keep the answer."""
    _cache.store(place, json.dumps(asdict(answer), ensure_ascii=False), for_s=settings.KB_ANSWER_CACHE_S)


def replay(answer: Answer) -> Iterator[Event]:
    """A kept answer as it would be made."""
    for citation in answer.citations:
        yield CitationEvent(citation)
    if answer.status is AnswerStatus.ANSWERED:
        yield Delta(answer.answer)
    yield AnswerEvent(answer)
