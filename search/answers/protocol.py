"""What an answerer is given, what it yields, and what an answer is."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from search.chunking import numbers_paragraphs
from search.citations import NotFound
from search.provisions import address
from search.ranking.coverage import Weights
from search.results import Hit


class Status(StrEnum):
    """How a question ended."""

    ANSWERED = "answered"
    INSUFFICIENT_EVIDENCE = "insufficient_evidence"


@dataclass(frozen=True, kw_only=True)
class AnswerRequest:
    """A question with the passages that may answer it, read from the database once and for all.

    `weights` say what each word of the question is worth. `topic_name` and `addendum` are the topic's; both are
    empty for a question about all topics. `not_found` is what the question cites that is not there.
    """

    question: str
    passages: tuple[Hit, ...]
    weights: Weights = field(default_factory=Weights)
    topic_name: str = ""
    addendum: str = ""
    not_found: NotFound | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of the answer, to be shown as it comes."""

    text: str


@dataclass(frozen=True, slots=True)
class Claim:
    """The answerer's claim that a passage supports the text before it. Nothing is believed until it is verified.

    `passage` is the index in `AnswerRequest.passages`, `label` the answerer's name for that passage, and `quote` what
    it says the passage holds.
    """

    passage: int
    quote: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that the answer cost."""

    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class Refused:
    """The answerer will not or cannot answer; nothing follows."""

    why: str


Piece = Text | Claim | Usage | Refused


class Answerer(Protocol):
    """Something that answers a question from passages."""

    provider: str
    model: str

    def answer(self, asked: AnswerRequest) -> AsyncGenerator[Piece]:
        """The answer in pieces, in order; a claim follows the text it is about.

        Raises ProviderError when the provider fails or stops half way. Closing the iterator ends the call.
        """
        ...


@dataclass(frozen=True, kw_only=True)
class Citation:
    """A verified quote: `quote` is verbatim in the chunk."""

    n: int
    chunk_id: int
    source_id: int
    title: str
    identifier: str
    kind: str
    page: int | None
    section: str
    quote: str
    eid: str = ""

    @property
    def url(self) -> str:
        """The path of the document's page at the provision."""
        return address(self.source_id, self.eid, chunk_id=self.chunk_id)

    @property
    def is_of_paragraph(self) -> bool:
        """Whether `section` is the number of a paragraph, as of a judgment."""
        return numbers_paragraphs(self.kind)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What asking gives; `[1]`, `[2]` in `answer` name the citations."""

    status: Status
    answer: str
    provider: str
    model: str
    citations: tuple[Citation, ...]
    dropped_citations: int
    took_ms: float
