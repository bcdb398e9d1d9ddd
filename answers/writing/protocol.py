"""What an answerer is given, what it yields, and what an answer is."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Any, Protocol

from kb_project.errors import ProviderError
from kb_project.llm.protocol import ModelKey, Usage
from law.citations.provision_names import named_by_number
from law.kinds import numbers_paragraphs
from law.structure.definitions import DefinitionRequest
from search.ranking.term_coverage import Weights
from search.results import SearchHit
from sources.citations import UnresolvedCitation
from sources.provisions import address

MAX_ANSWER_LENGTH = 100_000  # characters that a model writes, thoughts and quotes included


class TooLong(ProviderError):
    """The model wrote more than `MAX_ANSWER_LENGTH` characters."""

    def __init__(self) -> None:
        super().__init__("The model's answer is longer than an answer can be.", retryable=False)


class AnswerStatus(StrEnum):
    """How a question ended."""

    ANSWERED = "answered"
    INSUFFICIENT_EVIDENCE = "insufficient_evidence"


@dataclass(frozen=True, kw_only=True)
class AnswerRequest:
    """A question with the passages that may answer it, read from the database once and for all.

    `weights` say what each word of the question is worth. With `by_sentence`, each word of a sentence that may answer
    it. `own_stems` are those of a further question itself, where words of the conversation were put behind it.
    `topic_name` and `addendum` are the topic's. Both are empty for a question about all topics. `not_found` is what
    the question cites that is not there, `repealed_since` the day since when what it cites is repealed, if versions
    tell it. `other_language` says that what was found is not in the question's. `asked` is what it wants explained.
    `today` is the day on which it is asked, `as_of` the one that it is about, None for any. `timeout_s` bounds the
    whole answer.
    """

    question: str
    passages: tuple[SearchHit, ...]
    weights: Weights = field(default_factory=Weights)
    by_sentence: bool = False
    own_stems: frozenset[str] = frozenset()
    topic_name: str = ""
    addendum: str = ""
    not_found: UnresolvedCitation | None = None
    repealed_since: date | None = None
    other_language: bool = False
    asked: DefinitionRequest = ()
    today: date | None = None
    as_of: date | None = None
    timeout_s: float = 120.0


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of the answer, to be shown as it comes."""

    text: str


@dataclass(frozen=True, slots=True)
class Claim:
    """The answerer's claim that a passage supports the statement before it. Nothing is believed until it is verified.

    `passage` is the index in `AnswerRequest.passages`, `label` the answerer's name for that passage, and `quote` what
    it says the passage holds.
    """

    passage: int
    quote: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class StatementEnd:
    """The text and claims since the last one are of one statement. Text behind a claim begins another one too."""


@dataclass(frozen=True, slots=True)
class Truncated:
    """A limit of the model cut the answer. Nothing follows."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The answerer will not or cannot answer. Nothing follows."""

    why: str


@dataclass(frozen=True, slots=True)
class Fallback:
    """The provider failed or refused, for `why`. What it said is void, and the next of the chain begins anew."""

    provider: str
    why: str


Piece = Text | Claim | StatementEnd | Truncated | Usage | Refused | Fallback
"""Each `Usage` adds to those before it."""


class Answerer(Protocol):
    """Something that answers a question from passages."""

    @property
    def provider(self) -> str: ...

    @property
    def model(self) -> str: ...

    @property
    def key(self) -> ModelKey | None:
        """None for one that needs no model: it costs nothing, takes no time and cannot fail."""
        ...

    def answer(self, asked: AnswerRequest) -> AsyncGenerator[Piece]:
        """The answer in pieces, in order. A claim follows the text it is about.

        Raises ProviderError when the provider fails or stops half way. Closing the iterator ends the call.
        """
        ...


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where something stands: the passage, its document, and their days, ISO 8601, as answers are kept as JSON."""

    chunk_id: int
    source_id: int
    title: str
    identifier: str
    kind: str
    page: int | None
    section: str
    eid: str = ""
    valid_from: str | None = None
    valid_to: str | None = None
    status: str = "undated"
    holds: str = ""
    """The day that it holds for, in words."""

    @property
    def url(self) -> str:
        """The path of the document's page at the provision."""
        return address(self.source_id, self.eid, chunk_id=self.chunk_id)

    @property
    def place(self) -> str:
        """What its section is called in its document, as `rule 5`, or the paragraph of a judgment."""
        return named_by_number(self.section, source=self, of_paragraphs=self.is_of_paragraph)

    @property
    def is_of_paragraph(self) -> bool:
        """Whether `section` is the number of a paragraph, as of a judgment."""
        return numbers_paragraphs(self.kind)


@dataclass(frozen=True, kw_only=True)
class AnswerCitation(Place):
    """A verified quote: `quote` is verbatim in the chunk."""

    n: int
    quote: str


@dataclass(frozen=True, kw_only=True)
class NearestPassage(Place):
    """A passage that is shown in place of an answer. `text` is all of it."""

    heading: str
    text: str


def place_of(passage: SearchHit, *, eid: str) -> dict[str, Any]:
    """The members of `Place`."""
    source = passage.source
    return {
        "chunk_id": passage.chunk_id,
        "source_id": source.id,
        "title": source.title,
        "identifier": source.identifier,
        "kind": source.kind,
        "page": passage.page,
        "section": passage.section,
        "eid": eid,
        **source.dated,
    }


class RefusalReason(StrEnum):
    """Why there is no evidence, where that is known. With `NO_SENTENCE` a passage holds what the question is about."""

    NO_SENTENCE = "no_sentence"
    NOTHING_NEAR = "nothing_near"
    OTHER_LANGUAGE = "other_language"
    REPEALED = "repealed"
    NOT_IN_FORCE = "not_in_force"


@dataclass(frozen=True, kw_only=True)
class OtherVersion:
    """A version that is not in force on the day that was asked about. Days as in `AnswerCitation`."""

    source_id: int
    title: str
    valid_from: str | None
    valid_to: str | None
    status: str
    holds: str
    url: str


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What asking gives. `[1]`, `[2]` in `answer` name the citations.

    `unsupported` are character ranges of the sentences of `answer` that no citation supports, `removed` is the number
    of those that stated law, a number, a date or a name and were left out. `truncated` says that the model was cut off.
    """

    status: AnswerStatus
    answer: str
    provider: str
    model: str
    citations: tuple[AnswerCitation, ...]
    dropped_citations: int
    took_ms: float
    usage: Usage = field(default_factory=Usage)
    fallback_from: str | None = None
    """The first provider of the chain, where it failed or refused and another answered in its place."""
    unsupported: tuple[tuple[int, int], ...] = ()
    truncated: bool = False
    removed: int = 0
    question: str = ""
    """What was asked: of a follow-up, as it was put to stand alone."""
    as_of: str | None = None
    """The day that was asked about, None for any; ISO 8601, as answers are kept as JSON."""
    reason: str | None = None
    versions: tuple[OtherVersion, ...] = ()
    """With the reason `not_in_force`: those that hold what was asked."""
    passages: tuple[NearestPassage, ...] = ()
    """With `no_sentence`, `other_language` and `repealed`: what comes nearest, or says that it is repealed."""
    basis: str = ""
    """What the answer rests on, in words: how many quotes of how many documents, and whether a model wrote it."""


def storable(text: str) -> str:
    """Text without what neither UTF-8 nor the database can hold: halves of characters, and NUL."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()
