"""Read the head of a stored document: its first pages, and the labels it may get."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

from django.db.models import Count, Q

from ingest.classify.proposal import DocumentHead, HeadPage, KnownLabel
from ingest.stages.extract import first_pages
from labels.models import Label
from sources.extraction.document import Page
from topics.models import Topic

PAGES = 3
CHARACTERS_WITHOUT_PAGES = 6_000
CHARACTERS_OF_A_PAGE = 12_000  # twice a full page
MOST_LABELS = 200


def read_head(path: Path, spill: Path, *, filename: str, topic: Topic, on_page: Callable[[int], None]) -> DocumentHead:
    """Read the first pages of a file in a child process, through the file `spill`.

    `on_page` is called with the number of pages so far, and may raise to stop. Raises `ExtractionFailed`.
    """
    read = first_pages(path, spill, filename=filename, most=PAGES, on_page=on_page)
    return DocumentHead(
        pages=tuple(head_pages(read)),
        filename=filename,
        topic=topic.name,
        labels=tuple(known_labels(topic)),
        warnings=tuple(warning for page in read for warning in page.warnings),
    )


def head_pages(pages: Iterable[Page]) -> Iterator[HeadPage]:
    """The text of the first pages, or about as many characters of a format without pages."""
    for page in islice(pages, PAGES):
        if page.number is None:
            yield HeadPage(None, page.text[:CHARACTERS_WITHOUT_PAGES])
            return
        yield HeadPage(page.number, page.text[:CHARACTERS_OF_A_PAGE])


def known_labels(topic: Topic) -> Iterator[KnownLabel]:
    """The labels that a document of the topic may get, the most used there first."""
    labels = Label.objects.annotate(here=Count("assignments", filter=Q(assignments__source__topic=topic)))
    for label in labels.order_by("-here", "-usage_count", "slug")[:MOST_LABELS]:
        yield KnownLabel(slug=label.slug, name=label.name)
