"""Where marked words stand in a version of their work: in the one they were marked in, or in another."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from kb_project.errors import TooLarge
from keeping.models import Highlight
from law.citations.provision_names import citation
from law.comparison.anchors import Anchor, Place, best, worded_places
from law.comparison.provision_texts import ProvisionText
from law.comparison.standing import MIN_QUOTED
from law.comparison.wording import Word, words
from sources import provisions
from sources.comparison import MAX_CHARACTERS
from sources.models import Provision, Source
from sources.standing import VersionPair

MAX_COMPARED = 6  # other versions of the work that are compared in one request
SLACK = 100  # characters by which white space may make marked words longer


class HighlightStatus(TextChoices):
    """What became of marked words in a version."""

    STANDS = "stands", _("Its words are here.")
    RENUMBERED = "renumbered", _("Its words stand in another place now.")
    GONE = "gone", _("Its words are gone.")
    NOT_YET = "not_yet", _("Its words are not in this earlier version.")
    NOT_COMPARED = "not_compared", _("Its words were not looked for: the versions are too large or too many.")


@dataclass(frozen=True, slots=True)
class PlacedHighlight:
    """A highlight as a version shows it. `place` are characters of the document, None where it has not the words.

    `eid` is the provision that they stand in, and `cited` how that is cited. Where they are gone both are those of
    the version in which they were marked.
    """

    highlight: Highlight
    status: HighlightStatus
    place: Place | None
    eid: str
    cited: str


def placed(highlights: Sequence[Highlight], version: Source) -> list[PlacedHighlight]:
    """The highlights of a work in the order given, each where it is in a version of it."""
    if not highlights:
        return []
    placing = _Placing(highlights, version)
    return [placing.of(one) for one in highlights]


def holder(placed_in_order: Sequence[Provision], at: int) -> Provision | None:
    """The innermost of the provisions of a document that holds one of its characters."""
    last = bisect_right([one.span_start for one in placed_in_order], at)
    return next((one for one in reversed(placed_in_order[:last]) if at < one.span_end), None)


class _Placing:
    """What is read of a version and of those that were marked, once for all highlights."""

    def __init__(self, highlights: Sequence[Highlight], version: Source) -> None:
        self._version, self._text = version, provisions.whole_text(version.pk)
        self._here = list(provisions.in_order(version.pk))
        self._by_eid = {one.eid: one for one in self._here}
        self._origins = Source.objects.in_bulk({one.source_id for one in highlights})
        self._marked = provisions.stored((one.source_id, one.eid) for one in highlights if one.eid)
        self._unchanged = self._said_alike()
        self._pairs: dict[int, VersionPair | None] = {}

    def of(self, one: Highlight) -> PlacedHighlight:
        status, place = self._find(one)
        if place is None:
            source, held = self._origins.get(one.source_id), self._marked.get((one.source_id, one.eid))
            return PlacedHighlight(one, status, None, one.eid, citation(held, source=source) if held and source else "")
        held = holder(self._here, place.start)
        cited = citation(held, source=self._version) if held else ""
        return PlacedHighlight(one, status, place, held.eid if held else "", cited)

    def _find(self, one: Highlight) -> tuple[HighlightStatus, Place | None]:
        origin = self._origins.get(one.source_id)
        if origin == self._version and self._text.startswith(one.exact, one.start):
            return HighlightStatus.STANDS, Place(one.start, one.start + len(one.exact))
        now = one.eid if origin == self._version or (one.source_id, one.eid) in self._unchanged else ""
        if not now and origin is not None and one.eid:
            pair = self._pair(origin.pk)
            if pair is None:
                return HighlightStatus.NOT_COMPARED, None
            text = pair.read(one.eid, one.exact).now
            now = text.eid if text else ""
        found = self._inside(one, self._by_eid.get(now))
        if found is None and len(self._text) > MAX_CHARACTERS:
            return HighlightStatus.NOT_COMPARED, None
        found = found or self._anywhere(one)
        if found is None:
            return self._missing(one, origin), None
        held = holder(self._here, found.start)
        moved = held is not None and one.eid not in ("", held.eid)
        return HighlightStatus.RENUMBERED if moved else HighlightStatus.STANDS, found

    def _said_alike(self) -> set[tuple[int, str]]:
        """The places whose provision says the same here under the same address, so that nothing is compared."""
        others = [one for one in self._marked.values() if one.source_id != self._version.pk and one.eid in self._by_eid]
        here = [self._by_eid[one.eid] for one in others]
        texts = provisions.texts_of([*others, *here])
        pairs = zip(others, here, texts, texts[len(others) :], strict=False)
        return {
            (other.source_id, other.eid)
            for other, mine, text, my_text in pairs
            if len(text) < provisions.MAX_TEXT_LENGTH and _body(other, text) == _body(mine, my_text)
        }

    def _pair(self, source_id: int) -> VersionPair | None:
        """The version that was marked, and this one. None where they are too large, or too many were compared."""
        if source_id not in self._pairs:
            self._pairs[source_id] = None
            if len(self._pairs) <= MAX_COMPARED:
                with suppress(TooLarge):
                    self._pairs[source_id] = VersionPair(source_id, self._version.pk)
        return self._pairs[source_id]

    def _inside(self, one: Highlight, provision: Provision | None) -> Place | None:
        """In a provision: as the words stand there, or else without the number of the provision."""
        if provision is None:
            return None
        start, end = provision.span_start, provision.span_end
        anchor, piece = _anchor(one), self._text[start : end + len(one.exact) + SLACK]
        now = ProvisionText("", piece, number=provision.number, heading=provision.heading)
        was = ProvisionText("", one.exact, number=one.number)
        for forms, found in ((anchor.words, now.words), (was.said, now.said)):
            shifted = [Word(word.form, word.start + start, word.end + start) for word in found]
            places = worded_places(self._text, anchor, _forms(forms), shifted)
            if place := best([place for place in places if place.start < end], near=one.start):
                return place
        return None

    def _anywhere(self, one: Highlight) -> Place | None:
        """Where the words stand in the document, if they or what is around them tell that from all other places."""
        anchor = _anchor(one)
        found = worded_places(self._text, anchor, _forms(anchor.words), self._words)
        place = best(found)
        if place is None or place.agreeing >= MIN_QUOTED:
            return place
        tells = sum(word.form.isalpha() for word in anchor.words) >= MIN_QUOTED
        return place if len(found) == 1 and (tells or one.source_id == self._version.pk) else None

    def _missing(self, one: Highlight, origin: Source | None) -> HighlightStatus:
        marked = origin.days.first if origin else one.day
        return HighlightStatus.NOT_YET if self._version.days.first < marked else HighlightStatus.GONE

    @cached_property
    def _words(self) -> list[Word]:
        return words(self._text)


def _anchor(one: Highlight) -> Anchor:
    return Anchor(one.exact, one.prefix, one.suffix)


def _forms(found: Iterable[Word]) -> list[str]:
    return [one.form for one in found]


def _body(provision: Provision, text: str) -> tuple[str, ...]:
    return ProvisionText("", text, number=provision.number, heading=provision.heading).body
