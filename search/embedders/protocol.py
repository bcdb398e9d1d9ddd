"""What every embedder does."""

from collections.abc import Sequence
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from law.words.analysis import Term

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


@runtime_checkable
class TermEmbedder(Protocol):
    """An embedder that goes by the terms of a text alone, which indexing knows already."""

    def embed_terms(self, texts: Sequence[Sequence[Term]]) -> NDArray[np.float32]:
        """What `embed` gives for texts with these terms."""
        ...


@runtime_checkable
class RemoteEmbedder(Protocol):
    """An embedder that asks an outside service, which may fail half way through a document."""

    @property
    def at_once(self) -> int:
        """How many texts to give it in one call, so that it is well used."""
        ...


def normalised(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each row scaled to length 1. A row of zeros stays as it is."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
