"""The places in documents that files cite, read from the database: what they are called, and whether they hold."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from itertools import chain
from typing import Any

from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from answers.writing.protocol import AnswerCitation
from kb_project.web.origins import Absolute
from keeping.exports.pieces import Caution, Footnote, speaking
from law.citations.provision_names import cited_as, cited_by_number
from law.languages.scripts import main_language
from sources import provisions
from sources.models import Provision, Source
from sources.provisions import address

MAX_HEADING_LENGTH = 120  # characters


class FootnoteMaker:
    """Makes the footnotes of one file. What it cites is read at once."""

    def __init__(self, places: Iterable[tuple[int, str]], *, absolute: Absolute) -> None:
        self._absolute = absolute
        wanted = set(places)
        ids = {source_id for source_id, _eid in wanted}
        self.sources = Source.objects.with_followed().in_bulk(ids)
        self._lines: dict[tuple[int, str], Sequence[Provision]] = {
            place: [one] for place, one in provisions.stored(wanted).items()
        }
        for place in wanted - self._lines.keys():
            if place[1] and (clause := provisions.read(*place)):
                self._lines[place] = [*clause.ancestors, clause.provision]

    def of_provision(self, source: Source, eid: str, *, day: date | None = None, quote: str = "") -> Footnote:
        """A provision, or the whole document for an empty eid, as it holds on a day, by default today."""
        line = self._lines.get((source.pk, eid), ())
        provision = line[-1] if line else None
        days = provision.days.within(source.days) if provision else source.days
        label = Truncator(provision.heading).chars(MAX_HEADING_LENGTH) if provision else ""
        with speaking(main_language(str(source))):
            holds = source.said_on(day, provision=provision)
        return Footnote(
            cited=cited_as(line, source=source, label=label) if line else str(source),
            address=self._absolute(address(source.pk, eid)),
            title=str(source),
            identifier=source.identifier,
            kind=source.kind,
            number=provision.number if provision else "",
            page=provision.page if provision else None,
            published_at=source.published_at,
            valid_from=days.begin,
            valid_to=days.end,
            holds=holds,
            has_own_days=days != source.days,
            quote=quote,
        )

    def of_place(self, source_id: int, eid: str, *, title: str, number: str, day: date, quote: str = "") -> Footnote:
        """A place that was kept with its title and number, which are said where it is not here any more."""
        found = self.sources.get(source_id)
        if found and (not eid or (source_id, eid) in self._lines):
            return self.of_provision(found, eid, day=day, quote=quote)
        return Footnote(
            cited=", ".join(filter(None, [number, title])),
            address=self._absolute(address(source_id, eid)),
            title=title,
            number=number,
            quote=quote,
        )

    def of_citation(self, citation: AnswerCitation, *, day: date) -> Footnote:
        """What an answer or a search of a day names, as it was said then where it is not here any more."""
        found = self.sources.get(citation.source_id)
        named: dict[str, Any] = {"number": citation.section, "page": citation.page, "quote": citation.quote}
        cited = cited_by_number(citation.section, source=citation, of_paragraphs=citation.is_of_paragraph)
        if found:
            one = self.of_provision(found, citation.eid, day=day)
            cited = one.cited if (found.pk, citation.eid) in self._lines else cited
            return replace(one, cited=cited, address=self._absolute(citation.url), **named)
        return Footnote(
            cited=cited,
            address=self._absolute(citation.url),
            title=citation.title or citation.identifier,
            identifier=citation.identifier,
            kind=citation.kind,
            valid_from=_day(citation.valid_from),
            valid_to=_day(citation.valid_to),
            holds=citation.holds,
            **named,
        )

    def cautions(self, citations: Iterable[AnswerCitation], *, day: date) -> list[Caution]:
        """What is to be known of citations, each once: that they are not in force then or now, or not here."""
        return list(dict.fromkeys(chain.from_iterable(self._cautions(one, day) for one in citations)))

    def _cautions(self, citation: AnswerCitation, day: date) -> list[Caution]:
        cited = self.of_citation(citation, day=day)
        if citation.source_id in self.sources:
            return not_in_force(cited, day=day)
        with speaking(cited.language):
            return [Caution(_("%s is not here any more.") % cited.title)]


def not_in_force(cited: Footnote, *, day: date) -> list[Caution]:
    """That a place, or its whole document, is not in force on the day that was asked for, or today."""
    holds = cited.days.hold(day) and cited.days.hold(timezone.localdate())
    return [] if holds else [Caution(f"{cited.of_days}: {cited.holds}.", cited.language)]


def without_quote(cited: Footnote) -> Footnote:
    """The same place for where its words are said."""
    return replace(cited, quote="")


def _day(value: str | None) -> date | None:
    return date.fromisoformat(value) if value else None
