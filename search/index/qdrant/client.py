"""The client of the Qdrant cluster, and what its errors mean for who asks."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from django.conf import settings
from qdrant_client import QdrantClient
from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
from qdrant_client.http.exceptions import ApiException, ResponseHandlingException

from kb_project.errors import Unavailable

IN_PROCESS = ":memory:"  # Qdrant's local mode, for tests: nothing is kept, and one process alone sees it
TIMEOUT_S = 5  # of one request
SENTENCE = "The search index cannot be reached. Try again later."


@cache
def client() -> QdrantClient:
    """The client of this process; it connects at the first request."""
    if settings.KB_QDRANT_URL == IN_PROCESS:
        return QdrantClient(location=IN_PROCESS)
    return QdrantClient(
        url=settings.KB_QDRANT_URL,
        api_key=settings.KB_QDRANT_API_KEY or None,
        timeout=TIMEOUT_S,
        check_compatibility=False,
    )


@contextmanager
def asking() -> Iterator[QdrantClient]:
    """The client; what fails there is Unavailable."""
    try:
        yield client()
    except (ApiException, ResponseHandlingException, ResourceExhaustedResponse) as error:
        raise Unavailable(SENTENCE) from error
