"""Comparing sources as they are stored."""

from django.utils.translation import gettext as _

from kb_project.errors import TooLarge
from search import provisions
from search.comparison.comparing import Change, compare
from search.comparison.own_texts import OwnText, own_texts
from search.models import Chunk

MOST_CHARACTERS = 2_000_000
"""Of a document that is compared."""


def compare_sources(before: int, after: int) -> list[Change]:
    """What leads from one source to another, by their ids; as `compare`. Raises `TooLarge`."""
    return compare(*texts_of_both(before, after))


def texts_of_both(before: int, after: int) -> tuple[list[OwnText], list[OwnText]]:
    """What two sources are compared by: their provisions, or paragraphs if one has no provisions. Raises `TooLarge`."""
    for source_id in (before, after):
        last = Chunk.objects.filter(source_id=source_id).order_by("-seq").values_list("span_end", flat=True).first()
        if (last or 0) > MOST_CHARACTERS:
            sentence = _("A document of more than %(n)s characters is not compared.")
            raise TooLarge(sentence % {"n": f"{MOST_CHARACTERS:,}"}, source_id=source_id)
    both = [(provisions.whole_text(source_id), list(provisions.in_order(source_id))) for source_id in (before, after)]
    by_paragraphs = not all(places for _, places in both)
    one, other = (own_texts(text, () if by_paragraphs else places) for text, places in both)
    return one, other
