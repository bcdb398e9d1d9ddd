"""The client of the Qdrant cluster, and what its errors mean for who asks."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import httpx
from django.conf import settings
from qdrant_client import QdrantClient
from qdrant_client import models as q
from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
from qdrant_client.http.exceptions import ApiException, ResponseHandlingException
from qdrant_client.http.models import QueryRequest as Query

from kb_project.errors import Unavailable
from law.words.term_weights import SparseVector

TIMEOUT_S = 5  # of one request
SENTENCE = "The search index cannot be reached. Try again later."
logger = logging.getLogger(__name__)


class _OnceMore(httpx.HTTPTransport):
    """Asks again when a kept connection turns out to be closed.

    Each request may be made twice. One that uses a connection can do so while another finds it idle and closes it.
    """

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        try:
            return super().handle_request(request)
        except (httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError):
            return super().handle_request(request)


@cache
def client() -> QdrantClient:
    """The client of this process. It connects at the first request."""
    return QdrantClient(
        url=settings.KB_QDRANT_URL,
        api_key=settings.KB_QDRANT_API_KEY or None,
        timeout=TIMEOUT_S,
        check_compatibility=False,
        transport=_OnceMore(),
    )


@contextmanager
def qdrant_errors() -> Iterator[QdrantClient]:
    """The client. What fails there is Unavailable."""
    try:
        yield client()
    except (ApiException, ResponseHandlingException, ResourceExhaustedResponse) as error:
        logger.warning("Qdrant does not answer: %s: %s", type(error).__name__, error)
        raise Unavailable(SENTENCE) from error


def query_of(vector: Any, using: str, *, limit: int, inside: q.Filter | None = None, ef: int | None = None) -> Query:
    """A query of one of the vectors of points, for their ids and scores. `ef` points of the graph are looked at."""
    params = q.SearchParams(hnsw_ef=ef)
    return Query(query=vector, using=using, filter=inside, params=params, limit=limit, with_payload=False)


def sparse(vector: SparseVector) -> q.SparseVector:
    return q.SparseVector(indices=vector.indices.tolist(), values=vector.values.tolist())


def ask(name: str, *queries: Query) -> list[dict[int, float]]:
    """The points that each of some queries of a collection finds, with their scores, best first, by one request."""
    with qdrant_errors() as qdrant:
        answers = qdrant.query_batch_points(name, queries)
    return [{int(point.id): point.score for point in answer.points} for answer in answers]
