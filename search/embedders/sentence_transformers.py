"""A sentence-transformers model in this process. The library is an optional extra."""

from collections.abc import Sequence

import numpy as np
from django.core.exceptions import ImproperlyConfigured
from numpy.typing import NDArray

from search.embedders.protocol import Kind, normalised

DEFAULT_MODEL = "intfloat/multilingual-e5-small"


class SentenceTransformersEmbedder:
    """A model by name or local path. Its own query and document prompts are used where it has them."""

    provider = "sentence-transformers"

    def __init__(self, *, model: str) -> None:
        try:
            # Heavy and optional: loads PyTorch.
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise ImproperlyConfigured(
                "KB_EMBEDDER=sentence-transformers needs `pip install sentence-transformers`."
            ) from error
        self.model = model
        self._model = SentenceTransformer(model)
        self.dimension = int(self._model.get_sentence_embedding_dimension() or 0)

    def embed(self, texts: Sequence[str], kind: Kind) -> NDArray[np.float32]:
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        encode = self._model.encode_query if kind == "query" else self._model.encode_document
        return normalised(np.asarray(encode(list(texts), show_progress_bar=False), dtype=np.float32))
