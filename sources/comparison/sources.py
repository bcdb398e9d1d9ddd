"""Comparing sources as they are stored, with documents that are read, and a provision through versions."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from extraction.document import Page
from kb_project.errors import TooLarge
from law.chunking import chunk
from law.citations.provision_names import PlacedProvision
from law.comparison.comparing import ProvisionChange, compare
from law.comparison.matching import likest, match
from law.comparison.provision_texts import ProvisionText, own_texts
from law.structure.provisions import Outline
from sources import provisions
from sources.models import Chunk, Provision, Source

MAX_COMPARED = 4
"""Versions that are compared as a whole, where the provision is not there, or its number has other words."""
MAX_CHARACTERS = 2_000_000


"""Of a document that is compared."""


class _Whole(NamedTuple):
    """A document's text and its provisions."""

    text: str
    places: Sequence[PlacedProvision]


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


@dataclass(frozen=True, slots=True)
class ProvisionVersion:
    """A provision as it stands in some versions in a row, in their order. `text` is None where they do not have it."""

    versions: Sequence[Source]
    text: ProvisionText | None


def history(provision: Provision, versions: Sequence[Source]) -> list[ProvisionVersion]:
    """What became of a provision, in the order of the versions. `provision.source_id` is one of these."""
    place = next(at for at, version in enumerate(versions) if version.pk == provision.source_id)
    own = own_text(provision)
    back = _follow(own, [version.pk for version in versions[place::-1]])
    on = _follow(own, [version.pk for version in versions[place:]])
    texts = [*reversed(list(back)), own, *on]
    standings: list[ProvisionVersion] = []
    for version, text in zip(versions, texts, strict=True):
        if standings and _says_the_same(standings[-1].text, text):
            standings[-1] = ProvisionVersion([*standings[-1].versions, version], standings[-1].text)
        else:
            standings.append(ProvisionVersion([version], text))
    return standings


def own_text(provision: Provision) -> ProvisionText:
    """The text of a stored provision that is in no provision inside it."""
    following = provisions.in_order(provision.source_id).filter(position__gt=provision.position).first()
    end = following.span_start if following else provision.span_end
    span = Provision(source_id=provision.source_id, span_start=provision.span_start, span_end=end)
    alone = Provision(
        eid=provision.eid, kind=provision.kind, number=provision.number, heading=provision.heading, span_start=0
    )
    found = own_texts(provisions.texts_of([span])[0], [alone])
    return next((one for one in found if one.eid), ProvisionText(provision.eid, "", eid=provision.eid))


def _follow(own: ProvisionText, source_ids: Iterable[int]) -> Iterator[ProvisionText | None]:
    """The provision of the first source in those that come after it."""
    known: ProvisionText | None = own
    compared = 0
    for last, source_id in pairwise(source_ids):
        if known is not None:
            stored = provisions.in_order(source_id).filter(eid=known.eid).first()
            found = own_text(stored) if stored else None
            if (found is None or likest(known.body, [found.body]) is None) and compared < MAX_COMPARED:
                compared += 1
                found = _elsewhere(known, last, source_id)
            known = found
        yield known


def _elsewhere(one: ProvisionText, last: int, source_id: int) -> ProvisionText | None:
    """What a provision of one source is in another."""
    texts, others = texts_of_both(last, source_id)
    place = next((at for at, text in enumerate(texts) if text.eid == one.eid), None)
    found = match(texts, others).get(place) if place is not None else None
    return others[found] if found is not None and others[found].eid else None


def _says_the_same(one: ProvisionText | None, other: ProvisionText | None) -> bool:
    if one is None or other is None:
        return one is other
    return (one.number, one.body) == (other.number, other.body)
