"""The input and the raw output of a classifier."""

from collections.abc import Callable
from dataclasses import dataclass, make_dataclass
from typing import Protocol

from sources import fields

FIELDS = (*(field.name for field in fields.FIELDS), "labels")
"""What may be proposed, and what evidence may be for."""
# Why a job that awaits review has no proposal, or not that of the first classifier: its `error_code`.
CLASSIFIER_AWAY = "classifier_away"
CLASSIFIER_FAILED = "classifier_failed"
BUDGET_SPENT = "budget_spent"
FELL_BACK = "classifier_fell_back"
NO_TEXT = "nothing_to_classify"
NO_PROPOSAL = "nothing_proposed"
UNCLASSIFIED = (CLASSIFIER_AWAY, CLASSIFIER_FAILED, BUDGET_SPENT)
"""The codes of failures of the classifier, which another try may mend."""


@dataclass(frozen=True, slots=True)
class HeadPage:
    """The text of one page; `number` is None where the format has no pages."""

    number: int | None
    text: str


@dataclass(frozen=True, slots=True)
class LabelName:
    """A label with its slug, its name or both. One that is proposed may be new: then it has a name alone."""

    slug: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class DocumentHead:
    """The first pages of a document, with its file name, topic and known labels.

    `is_cut`: of a format without pages, it is not the whole text. `further` is what comes next, in which rules look for
    the clauses that say when the document is in force; no model is shown it.
    """

    pages: tuple[HeadPage, ...]
    filename: str = ""
    topic: str = ""
    labels: tuple[LabelName, ...] = ()
    warnings: tuple[str, ...] = ()
    is_cut: bool = False
    further: tuple[HeadPage, ...] = ()

    @property
    def text(self) -> str:
        return "\n".join(page.text for page in self.pages)


@dataclass(frozen=True, slots=True)
class RawEvidence:
    """A quote that is claimed to support a field, and its claimed page."""

    field: str
    page: int | None
    quote: str


_Values = make_dataclass("_Values", [(field.name, str | None, None) for field in fields.FIELDS], frozen=True)


@dataclass(frozen=True, kw_only=True)
class RawProposal(_Values):  # type: ignore[misc, valid-type]
    """A classifier's answer as it came: a text or None for each field of a document, its labels and its evidence.

    `ingest.stages.classify.suggestions` decides what of it is kept.
    """

    provider: str
    model: str
    prompt_version: str
    labels: tuple[LabelName, ...] = ()
    evidence: tuple[RawEvidence, ...] = ()


class Classifier(Protocol):
    """Anything that proposes metadata for the head of a document."""

    provider: str
    """The name in `KB_CLASSIFIER`."""

    def classify(self, document: DocumentHead, *, deadline_s: float, is_unwanted: Callable[[], bool]) -> RawProposal:
        """Propose, within `deadline_s` seconds in all. Raises `ClassificationFailed` and nothing else.

        A classifier that waits asks `is_unwanted` several times a second, and ends its call once that is true.
        """
        ...


class ClassificationFailed(Exception):
    """There is no proposal. `reason` is a sentence for the reviewer, `code` says the same in one word.

    `retryable` says that the provider did not answer and may do so soon. An answer that cannot be used is not
    retryable: it was paid for, and the next one is likely to be the same.
    """

    def __init__(self, reason: str, *, retryable: bool, code: str = CLASSIFIER_FAILED) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retryable = retryable
        self.code = code


def unwanted() -> ClassificationFailed:
    """The failure of a call that was cancelled because its job was taken over."""
    return ClassificationFailed("Nobody waits for the proposal any more.", retryable=False)
