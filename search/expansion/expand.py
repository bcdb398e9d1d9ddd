"""Expanding a query within a small budget of time: remembered, never waited for long, never a reason to fail."""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from functools import lru_cache

import redis
from django.db.models.functions import Left

from kb_project.clients.redis_client import shared_memory
from kb_project.database.connections import release
from kb_project.llm.protocol import LanguageModel
from kb_project.llm.roles import EXPANSION
from kb_project.observability import tracing
from kb_project.observability.metrics import EXPANSIONS
from law.citations.parsing import ParsedQuery
from law.languages.scripts import main_language
from law.words.analysis import terms
from search.expansion.variants import PROMPT_VERSION, ExpansionOutcome, Wordings, first_expansion
from search.retrieval import QueryVariant
from sources.models import Chunk, Source
from topics.models import Topic

LOOKED_AT = 200  # of the newest documents
BEGINNING = 200  # characters of a document; its title may be the name of a file
MIN_SHARE = 0.1  # of them; what is rarer is not searched for in another language
MAX_LANGUAGES = 2
LANGUAGES_REMEMBERED_S = 60
KEPT = 500  # topics


def languages_of(topic_id: int | None) -> tuple[str, ...]:
    """The codes of up to two languages (ISO 639-1), the one with most documents first. Without a topic, of all.

    A process looks again after a minute.
    """
    return _languages_of(topic_id, int(time.monotonic() / LANGUAGES_REMEMBERED_S))


@lru_cache(maxsize=KEPT)
def _languages_of(topic_id: int | None, _period: int) -> tuple[str, ...]:
    sources = Source.objects.filter(topic_id=topic_id) if topic_id else Source.objects.all()
    newest = list(sources.order_by("-pk").values_list("pk", flat=True)[:LOOKED_AT])
    texts = Chunk.objects.filter(source_id__in=newest, seq=0).values_list(Left("text", BEGINNING), flat=True)
    counts = Counter(main_language(text).code for text in texts)
    return tuple(code for code, count in counts.most_common(MAX_LANGUAGES) if count >= MIN_SHARE * counts.total())


logger = logging.getLogger(__name__)

MAX_WORDINGS = 3  # in each language
MAX_WORDING_LENGTH = 200  # characters of a wording
MAX_SENTENCE_LENGTH = 400
REMEMBERED_S = 7 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Expansion:
    """Other wordings of a query, and where they come from or why there are none.

    The hypothetical sentence is the last of them.
    """

    wordings: tuple[QueryVariant, ...]
    outcome: ExpansionOutcome


def expand(query: ParsedQuery, *, topic: Topic | None) -> tuple[QueryVariant, ...]:
    """Other wordings of a query, as `expansion_of` finds them."""
    return expansion_of(query, topic=topic).wordings


def expansion_of(query: ParsedQuery, *, topic: Topic | None) -> Expansion:
    """Other wordings of a query and a sentence that may answer it, in the languages of the topic's documents.

    None for a citation, nor when no model of the chain gives any in time. Without a topic all are searched. Waits for
    at most `KB_EXPANSION_TIMEOUT_S` seconds, without a database connection. Never raises. Every outcome is counted.
    """
    with tracing.span("expand question") as span:
        expansion = _expansion(query, topic)
        span.set({"kb.outcome": expansion.outcome.value})
    EXPANSIONS.labels(outcome=expansion.outcome.value).inc()
    return expansion


def _expansion(parsed: ParsedQuery, topic: Topic | None) -> Expansion:
    models = EXPANSION.models()
    if not models:
        return Expansion((), ExpansionOutcome.OFF)
    if parsed.references:
        return Expansion((), ExpansionOutcome.NEEDLESS)
    query = " ".join(parsed.text.split())
    topic_name, languages = topic.name if topic else "", languages_of(topic.pk if topic else None)
    key = _key(query, topic_name, languages, models)
    if (remembered := _remembered(key)) is not None:
        return Expansion(remembered, ExpansionOutcome.REMEMBERED)
    release()
    said, outcome = first_expansion(models, query, topic_name=topic_name, languages=languages)
    found = cleaned(said, query=query, most=MAX_WORDINGS * max(1, len(languages)))
    if outcome in (ExpansionOutcome.MADE, ExpansionOutcome.UNUSABLE):  # another time it would be the same
        _remember(key, found)
    return Expansion(found, outcome)


def cleaned(said: Wordings, *, query: str, most: int = MAX_WORDINGS) -> tuple[QueryVariant, ...]:
    """The first `most` wordings that add words to the query and to each other, and the sentence. Cut where too long."""
    seen = {frozenset(term.stem for term in terms(query))}
    kept: list[QueryVariant] = []
    texts = [(text, False) for text in said.wordings]
    for text, is_sentence in [*texts, (said.hypothetical, True)]:
        longest = MAX_SENTENCE_LENGTH if is_sentence else MAX_WORDING_LENGTH
        shortened = " ".join(text.replace("\0", " ").split())[:longest].strip()
        stems = frozenset(term.stem for term in terms(shortened))
        if stems and stems not in seen and (is_sentence or len(kept) < most):
            seen.add(stems)
            kept.append(QueryVariant(shortened, is_sentence))
    return tuple(kept)


def _key(query: str, topic_name: str, languages: Sequence[str], models: Iterable[LanguageModel]) -> str:
    names = [[model.provider, model.name] for model in models]
    parts = json.dumps([PROMPT_VERSION, names, topic_name, languages, query])
    return f"kb:expansion:{hashlib.sha256(parts.encode()).hexdigest()}"


def _remembered(key: str) -> tuple[QueryVariant, ...] | None:
    try:
        text = shared_memory().get(key)
    except (redis.RedisError, OSError):
        return None
    return tuple(QueryVariant(*wording) for wording in json.loads(text)) if text else None


def _remember(key: str, found: tuple[QueryVariant, ...]) -> None:
    text = json.dumps([astuple(wording) for wording in found], ensure_ascii=False)
    try:
        shared_memory().set(key, text, ex=REMEMBERED_S)
    except (redis.RedisError, OSError):
        logger.warning("Redis does not answer, so an expansion is not remembered")
