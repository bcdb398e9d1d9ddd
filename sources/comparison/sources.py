"""Comparing sources as they are stored, and with documents that are read."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from extraction.document import Page
from kb_project.errors import TooLarge
from law.chunking import chunk
from law.comparison.comparing import ProvisionChange, compare
from law.comparison.provision_texts import ComparedProvision, ProvisionText, own_texts
from law.structure.provisions import Outline
from sources import provisions
from sources.models import Chunk

MAX_CHARACTERS = 2_000_000
"""Of a document that is compared."""


class _Whole(NamedTuple):
    """A document's text and its provisions."""

    text: str
    places: Sequence[ComparedProvision]


def compare_sources(before: int, after: int) -> list[ProvisionChange]:
    """What leads from one source to another, by their ids, as `compare`. Raises `TooLarge`."""
    return compare(*texts_of_both(before, after))


def compare_with_pages(before: int, pages: Iterable[Page], *, kind: str) -> list[ProvisionChange]:
    """What leads from a source to a document of this kind, whose pages are read. Raises `TooLarge`, and as `pages`."""
    return compare(*_own_texts(_stored(before), _read(pages, kind=kind)))


def texts_of_both(before: int, after: int) -> tuple[list[ProvisionText], list[ProvisionText]]:
    """What two sources are compared by: their provisions, or paragraphs if one has no provisions. Raises `TooLarge`."""
    return _own_texts(_stored(before), _stored(after))


def _own_texts(before: _Whole, after: _Whole) -> tuple[list[ProvisionText], list[ProvisionText]]:
    by_paragraphs = not (before.places and after.places)
    one, other = (own_texts(whole.text, () if by_paragraphs else whole.places) for whole in (before, after))
    return one, other


def _stored(source_id: int) -> _Whole:
    last = Chunk.objects.filter(source_id=source_id).order_by("-seq").values_list("span_end", flat=True).first()
    _check_length(last or 0, source_id=source_id)
    return _Whole(provisions.whole_text(source_id), list(provisions.in_order(source_id)))


def _read(pages: Iterable[Page], *, kind: str) -> _Whole:
    outline, parts, length = Outline(), list[str](), 0
    for draft in chunk(pages, kind=kind, outline=outline):
        parts += (draft.gap, draft.text)
        length += len(draft.gap) + len(draft.text)
        _check_length(length)
    return _Whole("".join(parts), outline.provisions)


def _check_length(characters: int, **extra: Any) -> None:
    if characters > MAX_CHARACTERS:
        sentence = _("A document of more than %(n)s characters is not compared.")
        raise TooLarge(sentence % {"n": f"{MAX_CHARACTERS:,}"}, **extra)
