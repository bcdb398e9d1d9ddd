"""The card of the act whose name a query is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from law.languages.scripts import main_language
from law.structure.provisions import ProvisionKind
from search.shown.forms import SearchForm
from sources import provisions
from sources.kinds import SourceKind as SourceKind
from sources.models import Provision, Source
from sources.provisions import address

_NAMES = {ProvisionKind.PART: _("Part"), ProvisionKind.CHAPTER: _("Chapter"), ProvisionKind.SCHEDULE: _("Schedule")}
FIRST_PROVISIONS = 6
MAX_ENTRIES = 20
_DIVISIONS = [ProvisionKind.PART, ProvisionKind.CHAPTER, ProvisionKind.SCHEDULE]


@dataclass(frozen=True, slots=True)
class ActCardEntry:
    """A line of the card's contents. `word` stands before the number."""

    provision: Provision
    word: str
    url: str


@dataclass(frozen=True, slots=True)
class ActCard:
    """An act with the beginning of its contents."""

    source: Source
    kind: str
    url: str
    contents: Sequence[ActCardEntry]
    labels: Sequence[tuple[str, str]]
    """Name and address that filters by it."""


def division_names(text: str) -> dict[str, str]:
    """What parts, chapters and schedules are called in the language of the text, whatever the reader's is."""
    with translation.override(main_language(text).code):
        return {kind: str(name) for kind, name in _NAMES.items()}


def card_of(source: Source, *, form: SearchForm) -> ActCard:
    """The card, in one query: the act's chapters where they have names, else its first provisions."""
    found = provisions.in_order(source.pk).filter(Q(position__lt=FIRST_PROVISIONS) | Q(kind__in=_DIVISIONS))
    named = [one for one in found if one.heading and one.kind in _DIVISIONS]
    shown = named if len(named) > 1 else [one for one in found if one.position < FIRST_PROVISIONS]
    names = division_names(source.title)
    return ActCard(
        source=source,
        kind=str(SourceKind(source.kind).label),
        url=address(source.pk),
        contents=[_entry(one, names) for one in shown[:MAX_ENTRIES]],
        labels=[(label.name, form.address(label=[label.slug], ask=None)) for label in source.labels.all()],
    )


def _entry(provision: Provision, names: Mapping[str, str]) -> ActCardEntry:
    return ActCardEntry(provision, names.get(provision.kind, ""), address(provision.source_id, provision.eid))
