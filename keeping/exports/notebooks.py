"""A notebook as a file: its notes with their footnotes, what became of what they cite, and remarks."""

from collections.abc import Iterator, Sequence

from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from answers.writing.statements.support import unsupported
from keeping.exports.answers import marked_paragraphs, named_numbers
from keeping.exports.footnotes import Absolute, FootnoteMaker, without_quote
from keeping.exports.pieces import (
    Caution,
    Export,
    Footnote,
    FootnoteMark,
    Heading,
    Mark,
    Paragraph,
    Piece,
    QuotedText,
    TextRun,
)
from keeping.models import Notebook, NoteKind
from keeping.notebooks import listing
from keeping.notebooks.listing import ShownCitation, ShownNote
from keeping.people import Keeper
from law.languages.scripts import main_language

MOST_CHARACTERS = 1_000_000  # of notes, what they cite included
LONGEST_LOOKED_AT = 20_000  # characters, for the language


def notebook_file(notebook: Notebook, keeper: Keeper, *, absolute: Absolute) -> Export:
    """The notes as the person sees them, in their order. Of those whose law they do not see, the remarks."""
    found = listing.notes_of(Notebook.objects.filter(pk=notebook.pk), keeper)
    every = listing.shown(found, keeper)
    notes = every[: _fitting(every)]
    words = " ".join([notebook.name, *(f"{one.row.title} {one.row.remark}" for one in notes if one.readable)])
    language = main_language(words[:LONGEST_LOOKED_AT])
    with translation.override(language.code):
        return Export(
            title=notebook.name,
            pieces=list(_pieces(notes, left=len(every) - len(notes), absolute=absolute)),
            language=language,
            made_on=timezone.localdate(),
        )


def _fitting(notes: Sequence[ShownNote]) -> int:
    """How many of the notes a file has."""
    length = 0
    for number, note in enumerate(notes):
        cited = sum(len(one.row.quote) + len(one.row.text) for one in note.citations)
        length += len(note.row.text) + len(note.row.remark) + cited
        if length > MOST_CHARACTERS:
            return number
    return len(notes)


def _pieces(notes: Sequence[ShownNote], *, left: int, absolute: Absolute) -> Iterator[Piece]:
    cited = [one.row for note in notes for one in note.citations]
    footnotes = FootnoteMaker(((one.source_id, one.eid) for one in cited), absolute=absolute)
    yield Paragraph([TextRun(_("As it stood on %s.") % date_format(timezone.localdate()))])
    for number, note in enumerate(notes, 1):
        yield from _note(note, number, footnotes)
    if left:
        said = ngettext("%(n)d more note is not in this file.", "%(n)d more notes are not in this file.", left)
        yield Caution(said % {"n": left})


def _note(note: ShownNote, number: int, footnotes: FootnoteMaker) -> Iterator[Piece]:
    row = note.row
    if note.readable:
        yield Heading([TextRun(f"{number}. {row.title}")])
        where = _("in the topic %s") % row.topic.name if row.topic else _("in all topics")
        about = {"kind": row.get_kind_display(), "day": date_format(row.day), "where": where}
        yield Paragraph([TextRun(_("%(kind)s: the law of %(day)s, %(where)s.") % about)])
        yield from (Caution(said) for one in note.citations for said in _cautions(one))
        yield from _law(note, footnotes)
    else:
        yield Heading([TextRun(f"{number}. {_('Of a topic that you do not see')}")])
        yield Caution(_("You do not see a topic that this note cites, so its text is not shown."))
    if row.remark.strip():
        first, *others = row.remark.strip().split("\n")
        yield Paragraph([TextRun(f"{_('Remark')}: ", Mark.STRONG), TextRun(first)])
        yield from (Paragraph([TextRun(line)]) for line in others if line.strip())
    if row.tags:
        yield Paragraph([TextRun(" · ".join(row.tags))])


def _cautions(citation: ShownCitation) -> Iterator[str]:
    """What became of a citation, and what is not known of it."""
    row = citation.row
    name = ", ".join(filter(None, [row.number, row.title]))
    if not citation.stands:
        since = f" ({_('since')} {date_format(row.since)})" if row.since else ""
        terms = f": {', '.join(row.terms)}" if row.terms else ""
        yield f"{name}: {citation.became}{since}{terms}."
    if not row.quote_stands:
        yield f"{name}: {_('The quoted words are not there any more.')}"
    if row.is_unread:
        yield f"{name}: {_('Not compared: the document is too large')}."
    elif row.looked_at is None:
        yield _("%s: whether it still stands was not looked at yet.") % name


def _law(note: ShownNote, footnotes: FootnoteMaker) -> Iterator[Piece]:
    row = note.row
    rows = [one.row for one in note.citations]
    cited = {
        one.n: footnotes.of_place(
            one.source_id, one.eid, title=one.title, number=one.number, day=row.day, quote=one.quote
        )
        for one in rows
    }
    match row.kind:
        case NoteKind.ANSWER:
            shown = {one.n: without_quote(cited[one.n]) if one.quote in row.text else cited[one.n] for one in rows}
            yield from marked_paragraphs(row.text, shown, unsupported(row.text, [one.quote for one in rows]))
            behind = [one for one in rows if one.n not in named_numbers(row.text)]
            yield from (QuotedText(one.quote or one.text or one.title, without_quote(cited[one.n])) for one in behind)
        case NoteKind.QUOTE | NoteKind.PROVISION:
            footnote = next(iter(cited.values()), None)
            yield QuotedText((row.text or row.title).strip("\n"), without_quote(footnote) if footnote else None)
        case _:
            yield from (Paragraph([TextRun(line)]) for line in row.text.split("\n") if line.strip())
            yield from _documents(list(cited.values()))


def _documents(cited: Sequence[Footnote]) -> Iterator[Piece]:
    """What is compared, or found, with a footnote each."""
    for one in cited:
        yield Paragraph([TextRun(one.cited), FootnoteMark(without_quote(one))])
