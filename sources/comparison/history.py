"""One provision through the versions of its work."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from law.comparison.matching import likest, match
from law.comparison.provision_texts import ProvisionText, own_texts
from sources import provisions
from sources.comparison.sources import texts_of_both
from sources.models import Provision, Source

MAX_COMPARED = 4
"""Versions that are compared as a whole, where the provision is not there, or its number has other words."""


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
