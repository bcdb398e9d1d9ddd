"""What became of pinned citations: whether what was cited still stands on a day, or in another version."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from kb_project.errors import TooLarge
from law.comparison.provision_texts import ProvisionText, own_texts
from law.comparison.standing import Standing, StandingReader, VersionTexts, quote_stands
from law.comparison.statuses import StandingStatus
from law.structure.provisions import ProvisionKind
from sources import provisions
from sources.comparison import MAX_CHARACTERS
from sources.models import Provision, Source

REMEMBERED = 6  # versions whose texts are kept in memory


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedCitation:
    """What was cited: a provision of a work as a version of it read on a day, and words quoted from it.

    The version is `source_id`, or the one that was in force on `day`. `text` is what the provision said, where that was
    kept: by it something is told even when the version was replaced or deleted since. `eid` is '' where the document
    as a whole is cited, or what stands in no provision.
    """

    work_id: int
    eid: str = ""
    quote: str = ""
    source_id: int | None = None
    day: date | None = None
    text: str = ""
    number: str = ""


class WorkReader:
    """Tells what became of citations of one work. What it read is kept, so one looks at all of them."""

    def __init__(self, work_id: int) -> None:
        self._versions = list(Source.objects.versions_of(work_id))
        self._reader = StandingReader(clauses_of)
        self._texts: dict[tuple[int, date | None], VersionTexts] = {}
        self._dated = _dated([one.pk for one in self._versions])

    def read(self, pin: PinnedCitation, day: date) -> Standing:
        """What became of it by the day. Raises `TooLarge`."""
        now = self._in_force(day)
        if now is None:
            return self._ended(pin, day)
        if not pin.eid and not pin.quote:
            return Standing(StandingStatus.STANDS, version=self._versions[now].pk)
        then = self._cited(pin)
        text = _kept(pin) if pin.text else None
        if then is None and text is None:
            return Standing(StandingStatus.NOT_HERE, version=self._versions[now].pk)
        path = list(self._path(now if then is None else then, now, since=pin.day, until=day))
        if pin.text and then is None and not pin.eid:
            return self._quoted(pin, path[-1])
        if not pin.eid:
            standing = self._reader.read(path, "", quote=pin.quote)
            return standing if standing.before else self._quoted(pin, path[-1])
        return self._reader.read(path, pin.eid, quote=pin.quote, text=text)

    def coming(self, pin: PinnedCitation, day: date) -> tuple[date, Standing] | None:
        """The first day after this one on which something else will have become of it, and what. Raises `TooLarge`.

        A version that leaves it alone is passed over.
        """
        now = self.read(pin, day)
        days = {one for version in self._versions for one in (version.valid_from, version.valid_to) if one}
        for later in sorted(days.union(*self._dated.values())):
            if later > day and _told(then := self.read(pin, later)) != _told(now):
                return later, then
        return None

    def cited(self, pin: PinnedCitation) -> ProvisionText | None:
        """What it cites as the version reads: the innermost provision that has the quoted words. Raises `TooLarge`."""
        then = self._cited(pin)
        return None if then is None else self._reader.cited(self._read(then, pin.day), pin.eid, pin.quote)

    def version_on(self, day: date) -> Source | None:
        """The version in force on a day. Before the first of them, the first."""
        place = self._in_force(day)
        if place is None and self._versions and day < self._versions[0].days.first:
            place = 0
        return self._versions[place] if place is not None else None

    def _in_force(self, day: date) -> int | None:
        return next((place for place, one in enumerate(self._versions) if one.days.hold(day)), None)

    def _cited(self, pin: PinnedCitation) -> int | None:
        """The place of the version that it is pinned to."""
        if pin.source_id is not None:
            return next((place for place, one in enumerate(self._versions) if one.pk == pin.source_id), None)
        return self._in_force(pin.day) if pin.day else None

    def _ended(self, pin: PinnedCitation, day: date) -> Standing:
        """Of a work that is not in force on the day: repealed, if it has been in force before."""
        ends = [one.days.end for one in self._versions if one.days.end and one.days.end <= day]
        if not ends:
            return Standing(StandingStatus.NOT_HERE)
        then = self._cited(pin)
        before = _kept(pin) if pin.text else None
        if before is None and then is not None and pin.eid:
            before = self._reader.text(self._read(then, pin.day), pin.eid)
        return Standing(StandingStatus.REPEALED, since=max(ends), before=before)

    def _quoted(self, pin: PinnedCitation, version: VersionTexts) -> Standing:
        """Of words that stand in no provision: whether the version has them anywhere."""
        whole = ProvisionText("", "\n".join(one.text for one in version.texts))
        stands = quote_stands(pin.quote, whole)
        status = StandingStatus.STANDS if stands else StandingStatus.NOT_HERE
        return Standing(status, version=version.name, quote_stands=stands)

    def _path(self, then: int, now: int, *, since: date | None, until: date) -> Iterator[VersionTexts]:
        """The versions from one to another. One that says itself on which days it reads so comes once for each."""
        step = 1 if then <= now else -1
        for place in range(then, now + step, step):
            days = self._versions[place].days
            first = since if place == then and since and days.hold(since) else days.begin
            last = until if place == now else days.end
            yield self._read(place, first)
            breaks = self._dated.get(self._versions[place].pk, ())
            for one in breaks if step > 0 else ():
                if (first is None or first < one) and (last is None or one <= last) and days.hold(one):
                    yield self._read(place, one)
            if step < 0 and place == now and breaks:
                yield self._read(place, until)

    def _read(self, place: int, day: date | None) -> VersionTexts:
        """A version as it reads on a day, which tells nothing apart unless the version says so."""
        source = self._versions[place]
        breaks = self._dated.get(source.pk, ())
        begins = max((one for one in breaks if day and one <= day), default=None) or source.valid_from
        key = (source.pk, begins)
        if key not in self._texts:
            while len(self._texts) >= REMEMBERED:
                del self._texts[next(iter(self._texts))]
            self._texts[key] = VersionTexts(source.pk, begins, texts_of_version(source.pk, begins if breaks else None))
        return self._texts[key]


def clauses_of(text: ProvisionText) -> list[ProvisionText]:
    """The clauses of a provision, worked out from its text."""
    above = Provision(source_id=0, eid=text.eid, kind=text.kind.value, span_start=0, span_end=len(text.text))
    if not provisions.has_clauses(above):
        return []
    return [
        ProvisionText(
            one.eid, text.text[one.span_start : one.span_end], eid=one.eid, number=one.number, kind=ProvisionKind.CLAUSE
        )
        for one in provisions.clauses_of(above, text.text)
    ]


def _told(one: Standing) -> tuple[object, ...]:
    """What tells one standing from another, whichever version it was found in."""
    return one.status, one.now and (one.now.eid, one.now.body), one.terms, one.quote_stands


def _kept(pin: PinnedCitation) -> ProvisionText:
    return ProvisionText(pin.eid, pin.text, eid=pin.eid, number=pin.number)


def texts_of_version(source_id: int, day: date | None = None) -> Sequence[ProvisionText]:
    """The own texts of its provisions. With a day without those that are not in force on it. Raises `TooLarge`."""
    placed = list(provisions.in_order(source_id))
    if placed and placed[-1].span_end > MAX_CHARACTERS:
        raise TooLarge("The document is too large to be compared.", source_id=source_id)
    texts = own_texts(provisions.whole_text(source_id), placed)
    out = {one.eid for one in placed if day and not one.days.hold(day)}
    return [one for one in texts if not out.intersection(provisions.upwards(one.eid))] if out else texts


def _dated(source_ids: Sequence[int]) -> dict[int, list[date]]:
    """The days on which provisions of the sources begin or end by themselves, in order."""
    found: dict[int, set[date]] = {}
    dated = Provision.objects.filter(source_id__in=source_ids).exclude(valid_from=None, valid_to=None)
    for source_id, begin, end in dated.values_list("source_id", "valid_from", "valid_to").distinct():
        found.setdefault(source_id, set()).update(day for day in (begin, end) if day)
    return {source_id: sorted(days) for source_id, days in found.items()}


class VersionPair:
    """Two versions, by the ids of their sources. What was matched is kept, so one looks at all provisions of both."""

    def __init__(self, before: int, after: int) -> None:
        """Raises `TooLarge`."""
        self._path = [VersionTexts(source_id, None, texts_of_version(source_id)) for source_id in (before, after)]
        self._reader = StandingReader(clauses_of)

    def read(self, eid: str, quote: str = "") -> Standing:
        """What became of the provision with that address in the first, and of words that are quoted from it."""
        return self._reader.read(self._path, eid, quote=quote)
