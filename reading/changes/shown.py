"""Changes as the page and the feed show them: in words, with addresses, and with who cites what changed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from law.citations.provision_names import Cited, name_of
from law.structure.provisions import ProvisionKind
from search.shown.act_card import division_names
from sources import provisions
from sources.changes.citing import ChangedPlace, Citing, citing
from sources.changes.listing import TOO_LARGE
from sources.models import Change, Source
from sources.provisions import address

PROVISIONS_IN_SIGHT, MAX_LISTED = 8, 50  # of one change; those between are a click away
# What holds only headings of its own: what is inside it is a provision that changed or did not.
HOLDERS = {ProvisionKind.PART, ProvisionKind.CHAPTER, ProvisionKind.SCHEDULE, ProvisionKind.HEADING}
BECAME = {"added": _("Added"), "removed": _("Removed"), "changed": _("Changed"), "moved": _("Moved")}
COUNTED = {
    "added": _("Added: %d"),
    "removed": _("Removed: %d"),
    "changed": _("Changed: %d"),
    "moved": _("Moved: %d"),
}


@dataclass(frozen=True, slots=True)
class AffectedDocument:
    """A document that cites what changed, and where in it."""

    source: Source
    place: str
    url: str


@dataclass(frozen=True, slots=True)
class ShownCiting:
    """`more` is how many documents there are besides the `first`. All are at `url`."""

    count: int
    first: Sequence[AffectedDocument]
    url: str

    @property
    def more(self) -> int:
        return self.count - len(self.first)


@dataclass(frozen=True, slots=True)
class ShownProvision:
    """`became` is what became of it, in a word. `name` its number, `label` its heading or how it begins."""

    change: str
    became: str
    name: str
    label: str
    url: str
    citing: ShownCiting


@dataclass(frozen=True, slots=True)
class WorkChange:
    """`provisions` are in sight, `more` are not, and `url` leads to what has all of it.

    `citing` is who cites the work, where it begins or ends as a whole.
    """

    change: Change
    is_coming: bool
    url: str
    counts: Sequence[str]
    provisions: Sequence[ShownProvision]
    more: Sequence[ShownProvision]
    citing: ShownCiting | None

    @property
    def source(self) -> Source:
        return self.change.source

    @property
    def month(self) -> date | None:
        """The first day of its month, None of what is to come."""
        return None if self.is_coming else self.change.day.replace(day=1)

    @property
    def name(self) -> str:
        if self.change.ends:
            return str(_("Repealed or expired"))
        return str(_("New version") if self.change.before_id else _("First version here"))

    @property
    def is_compared(self) -> bool:
        return self.change.provisions is not None

    @property
    def is_too_large(self) -> bool:
        return TOO_LARGE in self.change.counts

    @property
    def listed(self) -> Sequence[ShownProvision]:
        return [*self.provisions, *self.more]

    @property
    def left_out(self) -> int:
        """How many provisions that changed are not listed."""
        return sum(self.change.counts.values()) - len(self.listed)


def shown(changes: Iterable[Change], *, today: date) -> list[WorkChange]:
    """The changes in their order, which come with `source`. Four queries, however many there are."""
    changes = list(changes)
    places = [place for change in changes for place in _places(change)]
    cited = iter(_named(citing([place for place, _ in places], today=today), [url for _, url in places]))
    return [_shown(change, [next(cited) for _ in _places(change)], today=today) for change in changes]


def _places(change: Change) -> list[tuple[ChangedPlace, str]]:
    """What may be cited of what changed, with the address of the list of all that cites it."""
    work_id, day = change.source.work_id, change.day
    if change.ends or not change.before_id:
        return [(ChangedPlace(work_id, day, whole=True), _cited_by(change.source_id, ""))]
    return [
        (
            ChangedPlace(work_id, day, row["before"], row["since"], inside=row["kind"] not in HOLDERS),
            _cited_by(*_at(change, row)),
        )
        for row in _listed(change)
    ]


def _listed(change: Change) -> Sequence[Mapping[str, Any]]:
    """The provisions that are kept with a change, as many as a list names."""
    return (change.provisions or ())[:MAX_LISTED]


def _at(change: Change, row: Mapping[str, Any]) -> tuple[int, str]:
    """The version that a provision stands in, the later one if it is in both, and its address there."""
    if row["change"] == "removed" and change.before_id:
        return change.before_id, row["before"]
    return change.source_id, row["since"]


def _cited_by(source_id: int, eid: str) -> str:
    page = reverse("document-cited-by", args=[source_id])
    return f"{page}?{urlencode({'eid': eid})}" if eid else page


def _named(found: Sequence[Citing], urls: Sequence[str]) -> list[ShownCiting]:
    """With the names of the documents and of the provisions that cite."""
    first = {place for one in found for place in one.first}
    sources = Source.objects.only("title", "filename", "identifier", "kind").in_bulk({pk for pk, _ in first})
    stored = provisions.stored(place for place in first if place[1])
    return [
        ShownCiting(
            one.count,
            [
                AffectedDocument(source, _name(at, source) if at else "", address(pk, eid))
                for pk, eid, source, at in ((*place, sources.get(place[0]), stored.get(place)) for place in one.first)
                if source
            ],
            url,
        )
        for one, url in zip(found, urls, strict=True)
    ]


class _Kept(NamedTuple):
    """A provision as it is kept with a change."""

    kind: str
    number: str
    heading: str


def _name(provision: Cited, source: Source) -> str:
    """The number of a provision with what it is, or '' where it has none."""
    if not provision.number:
        return ""
    word = division_names(source.title).get(provision.kind)
    name = name_of(provision, source=source) or (f"{word} {provision.number}" if word else provision.number)
    return name[:1].upper() + name[1:]


def row_name(row: Mapping[str, Any], source: Source) -> str:
    """The number of a provision that a change keeps, with what it is, or '' where it has none."""
    return _name(_Kept(row["kind"], row["number"], row["label"]), source)


def _shown(change: Change, cited: Sequence[ShownCiting], *, today: date) -> WorkChange:
    rows = _listed(change)
    lines = [_line(change, row, citing) for row, citing in zip(rows, cited, strict=False)]
    return WorkChange(
        change=change,
        is_coming=change.day > today,
        url=_url(change),
        counts=[str(said) % change.counts[kind] for kind, said in COUNTED.items() if kind in change.counts],
        provisions=lines[:PROVISIONS_IN_SIGHT],
        more=lines[PROVISIONS_IN_SIGHT:],
        citing=cited[0] if cited and not lines else None,
    )


def _line(change: Change, row: Mapping[str, Any], citing: ShownCiting) -> ShownProvision:
    return ShownProvision(
        change=row["change"],
        became=str(BECAME[row["change"]]),
        name=row_name(row, change.source),
        label=row["label"],
        url=address(*_at(change, row)),
        citing=citing,
    )


def _url(change: Change) -> str:
    """The comparison with the version before, or the document."""
    if change.before_id and not change.ends:
        return reverse("document-compare", args=[change.before_id, change.source_id])
    return address(change.source_id)
