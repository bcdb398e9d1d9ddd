"""Vectors of a document whose indexing was cut off, kept for the next attempt: what is paid for is not asked for twice.

Each lies under the hash of its text, so what an attempt finds is right whatever became of the document meanwhile.
They go when the document is indexed, else by themselves. A Redis that is away only costs the saving.
"""

import logging
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
import redis
from django.conf import settings
from numpy.typing import NDArray

from kb_project.clients.redis_client import quick_client
from search.embedders.protocol import Embedder

log = logging.getLogger(__name__)

KEPT_S = 24 * 3600
TIMEOUT_S = 5.0
_STORED = np.dtype("<f2")  # as exact as the index


class VectorCache:
    """Those of one document in one embedding space; both are in its name."""

    def __init__(self, name: str) -> None:
        self._key = f"kb:vectors:{blake2b(name.encode(), digest_size=16).hexdigest()}"
        self._redis = quick_client(settings.CELERY_BROKER_URL, timeout_s=TIMEOUT_S)

    def embed(self, texts: Sequence[str], embedder: Embedder) -> NDArray[np.float32]:
        """The vectors of documents, those that are kept and those made now, which are kept at once.

        Raises ProviderError.
        """
        names = [blake2b(text.encode("utf-8", "replace"), digest_size=16).digest() for text in texts]
        found = self._read(names)
        missing = [place for place, vector in enumerate(found) if vector is None]
        made = embedder.embed([texts[place] for place in missing], "document")
        self._keep({names[place]: vector for place, vector in zip(missing, made, strict=True)})
        vectors = np.zeros((len(texts), embedder.dimension), dtype=np.float32)
        for place, vector in enumerate(found):
            if vector is not None:
                vectors[place] = np.frombuffer(vector, dtype=_STORED)
        vectors[missing] = made
        return vectors

    def forget(self) -> None:
        try:
            self._redis.unlink(self._key)
        except redis.RedisError:
            log.warning("Kept vectors could not be deleted; they go by themselves in a day", exc_info=True)

    def _read(self, names: Sequence[bytes]) -> list[bytes | None]:
        try:
            return list(self._redis.hmget(self._key, list(names)))  # type: ignore[arg-type]
        except redis.RedisError:
            log.warning("Kept vectors could not be read", exc_info=True)
            return [None] * len(names)

    def _keep(self, vectors: dict[bytes, NDArray[np.float32]]) -> None:
        if not vectors:
            return
        stored = {name: vector.astype(_STORED).tobytes() for name, vector in vectors.items()}
        try:
            with self._redis.pipeline(transaction=True) as pipeline:
                pipeline.hset(self._key, mapping=stored)  # type: ignore[arg-type]
                pipeline.expire(self._key, KEPT_S)
                pipeline.execute()
        except redis.RedisError:
            log.warning("Vectors could not be kept; a new attempt would make them again", exc_info=True)
