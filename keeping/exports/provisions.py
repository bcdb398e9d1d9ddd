"""A provision of a document as a file, as it reads on a day."""

from collections.abc import Iterator
from datetime import date

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from kb_project.errors import NotFound
from keeping.exports.footnotes import Absolute, FootnoteMaker
from keeping.exports.pieces import (
    Caution,
    Export,
    Footnote,
    FootnoteMark,
    Paragraph,
    Piece,
    QuotedText,
    TextRun,
    speaking,
    told,
)
from law.languages.scripts import main_language
from law.timeline import Period
from sources import provisions
from sources.changes.coming import coming_of
from sources.models import Source
from sources.provisions import Passage


def provision_file(source: Source, eid: str, *, day: date | None = None, absolute: Absolute) -> Export:
    """What the provision says on a day, by default today, where it stands and whether it holds. Raises NotFound.

    Of a document that is not in force on the day it is all that is printed.
    """
    asked = day or timezone.localdate()
    holds = source.days.hold(asked)
    passage = provisions.read(source.pk, eid, day=asked if holds else None)
    if passage is None:
        raise NotFound(_("There is no such provision."))
    language = main_language(f"{source.title} {passage.text}")
    with speaking(language):
        cited = FootnoteMaker([(source.pk, eid)], absolute=absolute).of_provision(source, eid, day=day)
        return Export(
            title=cited.cited,
            pieces=list(_pieces(passage, source=source, cited=cited, day=asked if holds else None)),
            language=language,
            made_on=timezone.localdate(),
        )


def _pieces(passage: Passage, *, source: Source, cited: Footnote, day: date | None) -> Iterator[Piece]:
    if day:
        yield told(_("As it reads on %s.") % date_format(day))
    yield from cautions_of(source, cited, day=day)
    if day and (coming := coming_of(source, passage.provision.eid)):
        yield Caution(f"{cited.cited}: {coming.said}.")
    above = [f"{one.number} {one.heading}".strip() for one in passage.ancestors]
    name = " › ".join([str(source), *filter(None, above)])
    yield Paragraph([TextRun(name), FootnoteMark(cited)])
    if passage.text.strip():
        yield QuotedText(passage.text.strip("\n"))
    if passage.truncated:
        yield Caution(_("This is not the whole text: it is cut after %d characters.") % provisions.MAX_TEXT_LENGTH)


def cautions_of(source: Source, cited: Footnote, *, day: date | None = None) -> list[Caution]:
    """That a place is not in force today or on the day that was asked for, and what was not read of its document."""
    days, today = Period(cited.valid_from, cited.valid_to), timezone.localdate()
    holds = days.hold(today) and days.hold(day or today)
    said = [] if holds else [f"{cited.title}: {cited.holds}."]
    with speaking(cited.language):
        return [Caution(sentence) for sentence in (*said, *(one.sentence for one in source.remarks))]
