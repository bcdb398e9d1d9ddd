"""A provision as it reads on a day, and what changed from one document to another, as a file."""

from collections.abc import Iterator, Sequence
from datetime import date

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from kb_project.errors import NotFound
from kb_project.web.origins import Absolute
from keeping.exports.footnotes import FootnoteMaker, not_in_force
from keeping.exports.pieces import (
    Caution,
    ComparedTexts,
    Export,
    Footnote,
    FootnoteMark,
    Heading,
    Mark,
    Paragraph,
    Piece,
    QuotedText,
    TextRun,
    fitting,
    speaking,
    told,
)
from law.languages.scripts import main_language
from reading.compare.naming import change_name, change_said
from sources import provisions
from sources.changes.coming import coming_of
from sources.comparison import ChangeKind, DiffSide, DiffSpan, ProvisionChange, beside, compare_sources
from sources.models import Source
from sources.provisions import Passage

MAX_CHANGES = 500
MAX_CHARACTERS = 500_000  # of the changed provisions, both wordings together
_MARKS = {DiffSide.BEFORE: Mark.REMOVED, DiffSide.AFTER: Mark.ADDED, DiffSide.BOTH: Mark.NONE}


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
    yield Paragraph([TextRun(name), FootnoteMark(cited)], leads=True)
    if passage.text.strip():
        yield QuotedText(passage.text.strip("\n"))
    if passage.truncated:
        yield Caution(_("This is not the whole text: it is cut after %d characters.") % provisions.MAX_TEXT_LENGTH)


def cautions_of(source: Source, cited: Footnote, *, day: date | None = None) -> list[Caution]:
    """That a place is not in force today or on the day that was asked for, and what was not read of its document."""
    with speaking(cited.language):
        remarks = [Caution(one.sentence) for one in source.remarks]
    return [*not_in_force(cited, day=day or timezone.localdate()), *remarks]


def comparison_file(before: Source, after: Source, *, absolute: Absolute) -> Export:
    """The changes in the order of the later document. Raises TooLarge."""
    language = main_language(f"{after.title} {before.title}")
    with speaking(language):
        return Export(
            title=f"{_('What changed')}: {after}",
            pieces=list(comparison_pieces(before, after, absolute=absolute)),
            language=language,
            made_on=timezone.localdate(),
        )


def comparison_pieces(before: Source, after: Source, *, absolute: Absolute) -> Iterator[Piece]:
    """The two documents and what changed, in the active language. Raises TooLarge."""
    footnotes = FootnoteMaker([(before.pk, ""), (after.pk, "")], absolute=absolute)
    for name, source in ((_("Before"), before), (_("After"), after)):
        cited = footnotes.of_provision(source, "")
        yield Paragraph([TextRun(f"{name}: ", Mark.STRONG), TextRun(str(source)), FootnoteMark(cited)])
        yield from cautions_of(source, cited)
    changes = compare_sources(before.pk, after.pk)
    if not changes:
        same = _("Both say the same. Spacing, page breaks, list marks and notes on amendments do not count.")
        yield told(same)
        return
    yield told(_("Underlined words were added, crossed out words were removed."))
    lengths = (sum(len(text.text) for text in (one.before, one.after) if text) for one in changes[:MAX_CHANGES])
    shown = fitting(lengths, most=MAX_CHARACTERS)
    for change in changes[:shown]:
        yield from _change(change, before=before, after=after)
    if left := len(changes) - shown:
        said = ngettext("%(n)d more change is not in this file.", "%(n)d more changes are not in this file.", left)
        yield Caution(said % {"n": left})


def _change(change: ProvisionChange, *, before: Source, after: Source) -> Iterator[Piece]:
    shown = change.shown
    name = change_name(shown, after if change.after else before)
    heading = f"{name}: {shown.heading}" if shown.number and shown.heading else name
    yield Heading([TextRun(f"{heading} ({change_said(change.kind)})")])
    moved = change.before if change.kind is ChangeKind.MOVED else None
    if moved and moved.number != shown.number:
        yield told(f"{_('It was')} {change_name(moved, before)}")
    rows = beside(change.before.text if change.before else "", change.after.text if change.after else "")
    yield ComparedTexts([(_words(row.before), _words(row.after)) for row in rows])


def _words(spans: Sequence[DiffSpan]) -> list[TextRun]:
    """The spans as words, whose spaces behind them are not marked."""
    return [one for span in spans for one in (TextRun(span.words, _MARKS[span.only]), TextRun(span.gap)) if one.text]
