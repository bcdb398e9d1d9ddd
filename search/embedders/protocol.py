"""What every embedder does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Kind = Literal["document", "query"]


class Embedder(Protocol):
    """Texts to vectors of one model."""

    @property
    def provider(self) -> str: ...

    @property
    def model(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str], kind: Kind) -> NDArray[np.float32]:
        """One row of length 1 for each text. Raises ProviderError when an outside service fails."""
        ...


def normalised(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each row scaled to length 1; a row of zeros stays as it is."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
