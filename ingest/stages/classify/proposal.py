"""What a classifier is given, with the beginning of the file as it is read before the review, and its raw output."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, make_dataclass
from itertools import islice
from pathlib import Path
from typing import Protocol

from django.db.models import Count, Q

from extraction.document import Page, TextOrigin
from ingest.stages.extract import CLAUSE_CHARACTERS, CLAUSE_PAGES, first_pages
from labels.models import Label
from law.metadata.head import DocumentHead, HeadPage, LabelName, RawEvidence
from sources import fields
from topics.models import Topic

HEAD_PAGES = 3
CHARACTERS_WITHOUT_PAGES = 6_000
CHARACTERS_OF_A_PAGE = 12_000  # twice a full page
MAX_LABELS = 200
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


def read_beginning(path: Path, spill: Path, *, filename: str, on_page: Callable[[int], None]) -> list[Page]:
    """Read the first pages of a file in a child process, through the file `spill`.

    After the head, more pages are read for clauses, as long as their text need not be recognised, which takes long.
    `on_page` is called with the number of pages so far, and may raise to stop. Raises `ExtractionFailed`.
    """
    return first_pages(path, spill, filename=filename, most=CLAUSE_PAGES, on_page=on_page, is_enough=is_enough)


def head_of(read: Sequence[Page], *, filename: str, topic: Topic) -> DocumentHead:
    """What a classifier is shown of the first pages."""
    return DocumentHead(
        pages=tuple(head_pages(read)),
        filename=filename,
        topic=topic.name,
        labels=tuple(known_labels(topic)),
        warnings=tuple(warning for page in read[:HEAD_PAGES] for warning in page.warnings),
        is_cut=len(read) > 1 or any(len(page.text) > CHARACTERS_WITHOUT_PAGES for page in read),
        further=tuple(further_pages(read)),
    )


def is_enough(read: Sequence[Page]) -> bool:
    """Whether the head was read, and its last page had to be recognised."""
    return len(read) >= HEAD_PAGES and read[-1].origin is TextOrigin.OCR


def further_pages(read: Sequence[Page]) -> Iterator[HeadPage]:
    """What comes behind the head. Of a text without pages, the line in which the head ends comes once more."""
    room = CLAUSE_CHARACTERS
    for index, page in enumerate(read):
        start = 0
        if page.number is None and index == 0:
            start = page.text.rfind("\n", 0, CHARACTERS_WITHOUT_PAGES) + 1
            if len(page.text) <= CHARACTERS_WITHOUT_PAGES:
                continue
        elif page.number is not None and index < HEAD_PAGES:
            continue
        yield HeadPage(page.number, page.text[start : start + room])
        room -= len(page.text) - start
        if room <= 0:
            return


def head_only(head: DocumentHead, *, pages: int | None) -> list[str]:
    """The sentence that only the beginning of a document was read."""
    if pages is not None and pages > HEAD_PAGES:
        return [f"Only the first {HEAD_PAGES} of {pages} pages were read for the proposal."]
    return ["Only the beginning of the text was read for the proposal."] if pages is None and head.is_cut else []


def head_pages(pages: Iterable[Page]) -> Iterator[HeadPage]:
    """The text of the first pages, or about as many characters of a format without pages."""
    for page in islice(pages, HEAD_PAGES):
        if page.number is None:
            yield HeadPage(None, page.text[:CHARACTERS_WITHOUT_PAGES])
            return
        yield HeadPage(page.number, page.text[:CHARACTERS_OF_A_PAGE])


def known_labels(topic: Topic) -> Iterator[LabelName]:
    """The labels that a document of the topic may get, the most used there first."""
    labels = Label.objects.annotate(here=Count("assignments", filter=Q(assignments__source__topic=topic)))
    for label in labels.order_by("-here", "-usage_count", "slug")[:MAX_LABELS]:
        yield LabelName(slug=label.slug, name=label.name)
