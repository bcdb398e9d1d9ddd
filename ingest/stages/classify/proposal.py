"""The input and the raw output of a classifier."""

from collections.abc import Callable
from dataclasses import dataclass, make_dataclass
from typing import Protocol

from law.metadata.head import DocumentHead, LabelName, RawEvidence
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


def cancelled() -> ClassificationFailed:
    """The failure of a call that was cancelled because its job was taken over."""
    return ClassificationFailed("Nobody waits for the proposal any more.", retryable=False)
