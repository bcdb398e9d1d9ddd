"""What a query cites that is not there: a section that its act does not have, or not on the day, or an act."""

import datetime as dt
import re
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, field

from django.utils import timezone
from django.utils.translation import gettext

from law.citations.titles import Title, parse_title
from law.kinds import numbers_paragraphs
from law.structure.lines.number_keys import Key, key_of
from law.structure.provisions import ProvisionKind
from law.timeline import Period
from sources import provisions
from sources.citations.act_names import SURELY_OF_NAME, ActName, name_of
from sources.citations.naming_in_part import NamedSource, sources_with_any
from sources.citations.source_keys import section_key
from sources.models import Chunk, Provision
from sources.scope import Scope
from sources.validity import ValidityStatus, said

MAX_VERSIONS = 200  # passages that a provision has in the versions of its work
MAX_UNCERTAIN = 4  # documents of which it is not certain that one is meant
_LETTER_POINT = re.compile(r"(?<=^[a-z])\.(?=\d{3,4}-\d)")  # `L.214-1` is `L214-1`


@dataclass(frozen=True, kw_only=True)
class OtherDays:
    """The days of what is here and not in force on the `day` of a search. `kind` is its source's."""

    days: Period
    day: dt.date
    kind: str
    is_followed: bool

    @property
    def holds(self) -> str:
        """They as a sentence, in the language that is active."""
        return said(self.days, kind=self.kind, is_followed=self.is_followed, on=self.day)


@dataclass(frozen=True, kw_only=True)
class UnresolvedCitation:
    """A citation of what is not there. `source_id` is None where the act itself is not here.

    `title` is the source's, or the act's name as the query gives it. `nearest` are in the order of the act. `certain`
    says that the numbering is whole around the number: else the section may be there and not have been recognised.
    `uncertain` are sources with all words of the act's name in their titles: one of them may be meant. With
    `other_days` what is cited is here, and not in force on the day of the search. It is the only one in `nearest`.
    """

    source_id: int | None
    title: str
    number: str
    nearest: tuple[Provision, ...] = ()
    certain: bool = True
    boilerplate: frozenset[str] = field(default=frozenset(), compare=False)  # stems of the name: its type and its year
    uncertain: tuple[NamedSource, ...] = ()
    of_paragraphs: bool = False  # whether the source numbers paragraphs, as a judgment does
    other_days: OtherDays | None = None

    @property
    def is_of_act_here(self) -> bool:
        """Whether its act is here and in force, or parts of it."""
        return self.source_id is not None and self.other_days is None

    @property
    def holds(self) -> str:
        """The days of what is here and not in force, '' for what is not here."""
        return self.other_days.holds if self.other_days else ""

    @property
    def sentence(self) -> str:
        """What is not there, in the language that is active."""
        facts = {"number": self.number, "title": self.title, "holds": self.holds}
        if self.other_days:
            if not self.number:
                return gettext("%(title)s: %(holds)s.") % facts
            if self.of_paragraphs:
                return gettext("Paragraph %(number)s of %(title)s: %(holds)s.") % facts
            return gettext("Section %(number)s of %(title)s: %(holds)s.") % facts
        if self.uncertain:
            return gettext("It is not certain which document is meant by “%(title)s”.") % facts
        if self.source_id is None:
            return gettext("The act %(title)s is not here.") % facts
        if not self.certain:
            return (
                gettext("Number %(number)s was not recognised in %(title)s, where others around it are missing.")
                % facts
            )
        if self.of_paragraphs:
            return gettext("Paragraph %(number)s does not exist in %(title)s.") % facts
        return gettext("Section %(number)s does not exist in %(title)s.") % facts

    @property
    def explanation(self) -> str:
        """The sentence, and the numbers or titles that are nearest."""
        numbers = "; ".join(one.title for one in self.uncertain) or ", ".join(one.number for one in self.nearest)
        if not numbers or self.other_days:
            return self.sentence
        return f"{self.sentence} {gettext('The nearest are %(numbers)s.') % {'numbers': numbers}}"


def missing_section(source_id: int, number: str, *, as_one: str = "") -> UnresolvedCitation | None:
    """What is near a number that a source does not have, or None if it has it, or numbers nothing at all.

    `as_one` is what looks like a range, such as `2-1002`: where numbers have hyphens, it is one number.
    """
    numbered = provisions.numbered(source_id)
    if as_one and any("-" in section_key(one.number) for one in numbered):
        number = as_one
    wanted = _LETTER_POINT.sub("", section_key(number))
    keys = (_LETTER_POINT.sub("", section_key(one.number)) for one in numbered)
    if not numbered or any(key == wanted or key.startswith((f"{wanted}.", f"{wanted}-")) for key in keys):
        return None
    nearest = provisions.knn(numbered, number)
    if not nearest:  # the source was replaced meanwhile
        return None
    source = nearest[0].source
    return UnresolvedCitation(
        source_id=source_id,
        title=source.title or source.identifier,
        number=number,
        nearest=tuple(nearest),
        certain=_is_whole_around(key_of(number), {key_of(one.number) for one in numbered}),
        of_paragraphs=numbered[0].kind == ProvisionKind.PARAGRAPH,
    )


def not_in_force(chunk_id: int, *, day: dt.date) -> UnresolvedCitation | None:
    """That what a query cites is here, in the passage with which it begins, and not in force on the day.

    Of the versions that have it, the last one before the day is told of, or else the first one after it.
    """
    chunks = Chunk.objects.select_related("source")
    chunk = chunks.filter(pk=chunk_id).first()
    if chunk is None or _days_of(chunk).hold(day):  # the source was replaced meanwhile
        return None
    if chunk.eid:
        same = {"source__work_id": chunk.source.work_id, "topic_id": chunk.topic_id, "eid": chunk.eid}
        versions = [one for one in chunks.filter(**same).order_by("pk")[:MAX_VERSIONS] if not _days_of(one).hold(day)]
        chunk = min([chunk, *versions], key=lambda one: (_distance(_days_of(one), day), one.pk))
    days, source = _days_of(chunk), chunk.source
    ended = source.status_on(max(day, timezone.localdate()))
    is_followed = days.end == source.valid_to and ended is ValidityStatus.SUPERSEDED
    cited = provisions.find(source.pk, chunk.eid) if chunk.eid else None
    return UnresolvedCitation(
        source_id=source.pk,
        title=source.title or source.identifier,
        number=chunk.section,
        nearest=(cited,) if cited else (),
        of_paragraphs=numbers_paragraphs(source.kind),
        other_days=OtherDays(days=days, day=day, kind=source.kind, is_followed=is_followed),
    )


def _days_of(chunk: Chunk) -> Period:
    return chunk.days.within(chunk.source.days)


def _distance(days: Period, day: dt.date) -> tuple[bool, dt.timedelta]:
    """How far a day is behind some days, or else before them. What has ended is nearer than what is to come."""
    return (False, day - days.until) if days.until <= day else (True, days.first - day)


def _is_whole_around(number: Key, present: Set[Key]) -> bool:
    """Whether no number is missing between those that are right below and above, of those that begin like it.

    Where the first of them is not 1, the source may be a part of something: `28-4104` beside 28-3901 to 28-3911.
    """
    *above_it, (last, *_) = number
    beside = {key[-1][0] for key in present if len(key) == len(number) and list(key[:-1]) == above_it}
    if not beside:
        parts = {key[: len(above_it)] for key in present if len(key) > len(above_it)}
        return bool(above_it) and _is_whole_around(tuple(above_it), parts)
    below = max((one for one in beside if one < last), default=0)
    above = min((one for one in beside if one > last), default=None)
    if last in beside:  # 5B, where 5 and 6 are there
        return above is None or above == last + 1
    return above is None and min(beside) <= 1 and (below <= 1 or below - 1 in beside)


def maybe_meant(title: str, *, scope: Scope) -> Sequence[NamedSource]:
    """The sources of which it is not certain whether one is meant by the title of an act that is not here."""
    name = name_of(title)
    if name is None or name.is_abbreviated:
        return ()
    titles = _in_force(_alike(name, scope=scope))
    is_near = any(name.may_mean(title) for title, _ in titles)
    return _not_certain(titles, name.is_short_for if is_near else name.is_within)


def missing_act(name: ActName, number: str = "", *, scope: Scope) -> UnresolvedCitation | None:
    """That no source of the scope is called so, or that it is not certain which is. None where one may be.

    Titles of other days count too, unless one of those may be meant.
    """
    titles = _alike(name, scope=scope)
    meant = [one for title, one in titles if name.may_mean(title)]
    if any(one.in_force for one in meant):
        return None
    uncertain = _not_certain(_in_force(titles) if meant else titles, name.is_within)
    return UnresolvedCitation(
        source_id=None,
        title=name.text,
        number=number,
        certain=not uncertain,
        uncertain=uncertain,
        boilerplate=name.boilerplate,
    )


def _alike(name: ActName, *, scope: Scope) -> list[tuple[Title, NamedSource]]:
    """The sources of the scope, and of other days, that have one of the first words of the name."""
    return [(parse_title(one.title), one) for one in sources_with_any(name.told[:SURELY_OF_NAME], scope=scope)]


def _in_force(titles: Iterable[tuple[Title, NamedSource]]) -> list[tuple[Title, NamedSource]]:
    return [(title, one) for title, one in titles if one.in_force]


def _not_certain(
    titles: Iterable[tuple[Title, NamedSource]], may_be: Callable[[Title], bool]
) -> tuple[NamedSource, ...]:
    """Those that may be meant, the shortest titles first."""
    uncertain: dict[str, NamedSource] = {}  # of versions that are called alike the first
    for _, one in sorted((len(title.words), one) for title, one in titles if may_be(title)):
        uncertain.setdefault(one.title, one)
    return tuple(uncertain.values())[:MAX_UNCERTAIN]
