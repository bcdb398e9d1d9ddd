"""What every reranker does."""

from collections.abc import Sequence
from typing import Protocol

from kb_project.llm.protocol import ModelKey


class Reranker(Protocol):
    """A model that reads a query and a passage together."""

    @property
    def key(self) -> ModelKey: ...

    def scores(self, query: str, texts: Sequence[str], *, timeout_s: float) -> list[float]:
        """How well each text answers the query, in the order of the texts: more is better, on a scale of its own.

        Raises ProviderError when an outside service fails or takes longer than `timeout_s`.
        """
        ...
