"""A notebook as a file: what became of it, its notes with their footnotes and remarks, and its watches."""

from collections.abc import Iterator, Sequence
from itertools import chain

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from kb_project.web.origins import Absolute
from keeping.exports.answers import answer_text, named_numbers
from keeping.exports.footnotes import FootnoteMaker, not_in_force, without_quote
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
    fitting,
    speaking,
    spoken,
    told,
)
from keeping.matters.becoming import CitationNews, WhatBecame, what_became
from keeping.matters.items import MatterWatch
from keeping.models import Notebook, NoteKind
from keeping.notebooks import listing
from keeping.notebooks.listing import ShownCitation, ShownNote
from keeping.people import Owner
from keeping.watches.notifications.lines import NewsLine
from law.comparison.statuses import StandingStatus
from law.languages.scripts import main_language

MAX_CHARACTERS = 1_000_000  # of notes, what they cite included


def notebook_file(notebook: Notebook, owner: Owner, *, absolute: Absolute) -> Export:
    """The notes as the person sees them, in their order. Of those whose law they do not see, the remarks."""
    found = listing.notes_of(Notebook.objects.filter(pk=notebook.pk), owner)
    every = listing.shown(found, owner)
    notes = every[: fitting(map(_length, every), most=MAX_CHARACTERS)]
    words = [notebook.name, *(one.row.title for one in notes if one.readable)]
    language = main_language(next((one for one in words if any(map(str.isalpha, one))), ""))
    became = what_became(notebook, owner)
    with speaking(language):
        noted = list(_pieces(notes, left=len(every) - len(notes), absolute=absolute))
        return Export(
            title=notebook.name,
            pieces=[*noted[:1], *changes(became), *noted[1:], *watches(became.watches)],
            language=language,
            made_on=timezone.localdate(),
        )


def _length(note: ShownNote) -> int:
    cited = sum(len(one.row.quote) + len(one.row.text) + len(one.row.now_text) for one in note.citations)
    return len(note.row.text) + len(note.row.remark) + cited


def _pieces(notes: Sequence[ShownNote], *, left: int, absolute: Absolute) -> Iterator[Piece]:
    cited = [one for note in notes for one in note.citations]
    places = [(one.row.source_id, one.row.eid) for one in cited]
    places += [(one.coming.source_id, one.coming.eid) for one in cited if one.coming and one.coming.source_id]
    footnotes = FootnoteMaker(places, absolute=absolute)
    yield told(_("As it stood on %s.") % date_format(timezone.localdate()))
    for number, note in enumerate(notes, 1):
        yield from _note(note, number, footnotes)
    if left:
        said = ngettext("%(n)d more note is not in this file.", "%(n)d more notes are not in this file.", left)
        yield Caution(said % {"n": left})


def _note(note: ShownNote, number: int, footnotes: FootnoteMaker) -> Iterator[Piece]:
    row = note.row
    if note.readable:
        yield Heading([TextRun(f"{number}. {row.title}")])
        with speaking(main_language(f"{row.title} {row.text}")):
            law = list(_law(note, footnotes))
        yield from law
    else:
        yield Heading([TextRun(f"{number}. {_('Of a topic that you do not see')}")])
        yield Caution(_("You do not see a topic that this note cites, so its text is not shown."))
    if row.remark.strip():
        first, *others = row.remark.strip().split("\n")
        with speaking(main_language(first)):
            said = Paragraph([TextRun(f"{_('Remark')}: ", Mark.STRONG), TextRun(first)], spoken())
        yield said
        yield from (Paragraph([TextRun(line)]) for line in others if line.strip())
    if row.tags:
        yield Paragraph([TextRun(" · ".join(row.tags))])


def _law(note: ShownNote, footnotes: FootnoteMaker) -> Iterator[Piece]:
    """What the note holds of the law, with what became of it, in the active language."""
    row = note.row
    where = _("in the topic %s") % row.topic.name if row.topic else _("in all topics")
    about = {"kind": row.get_kind_display(), "day": date_format(row.day), "where": where}
    rows = [one.row for one in note.citations]
    cited = {
        one.n: footnotes.of_place(
            one.source_id, one.eid, title=one.title, number=one.number, day=row.day, quote=one.quote
        )
        for one in rows
    }
    is_of_day = all(one.days.hold(row.day) for one in cited.values())
    sentence = _("%(kind)s: the law of %(day)s, %(where)s.") if is_of_day else _("%(kind)s of %(day)s, %(where)s.")
    yield told(sentence % about)
    if row.kind != NoteKind.COMPARISON:
        yield from dict.fromkeys(chain.from_iterable(not_in_force(one, day=row.day) for one in cited.values()))
    for one in note.citations:
        yield from _cautions(one, cited[one.row.n], footnotes)
    yield from _kept_words(note, cited)
    for one in note.citations:
        yield from _new_words(one, cited[one.row.n])


def _kept_words(note: ShownNote, cited: dict[int, Footnote]) -> Iterator[Piece]:
    """The text of a note, with its footnotes."""
    row, rows = note.row, [one.row for one in note.citations]
    match row.kind:
        case NoteKind.ANSWER:
            shown = {one.n: without_quote(cited[one.n]) if one.quote in row.text else cited[one.n] for one in rows}
            yield from answer_text(row.text, shown, unsupported=note.unsupported)
            behind = [one for one in rows if one.n not in named_numbers(row.text)]
            yield from (QuotedText(one.quote or one.text or one.title, without_quote(cited[one.n])) for one in behind)
        case NoteKind.QUOTE | NoteKind.PROVISION:
            footnote = next(iter(cited.values()), None)
            yield QuotedText((row.text or row.title).strip("\n"), without_quote(footnote) if footnote else None)
        case _:
            yield from (Paragraph([TextRun(line)]) for line in row.text.split("\n") if line.strip())
            yield from _documents(list(cited.values()))


def _cautions(citation: ShownCitation, cited: Footnote, footnotes: FootnoteMaker) -> list[Caution]:
    """What became of a citation, and what is not known of it."""
    with speaking(cited.language):
        return [Caution(f"{cited.cited}: {said}") for said in _became(citation, footnotes)]


def _new_words(citation: ShownCitation, cited: Footnote) -> Iterator[Piece]:
    """What stands now for a provision that was changed or moved, where its words are others."""
    row = citation.row
    if row.status in (StandingStatus.CHANGED, StandingStatus.RENUMBERED) and row.now_text.strip():
        with speaking(cited.language):
            yield told(_("%s says now:") % cited.cited)
        yield QuotedText(row.now_text.strip("\n"))


def _outcome(citation: ShownCitation) -> str:
    """What became of it, and the number that it has today where that is another."""
    row = citation.row
    if citation.stands:
        return _("Stands again")
    is_moved = row.status == StandingStatus.RENUMBERED and row.now_number
    return f"{citation.outcome}: {_('now %s') % row.now_number}" if is_moved else citation.outcome


def _became(citation: ShownCitation, footnotes: FootnoteMaker) -> Iterator[str]:
    row = citation.row
    if not citation.stands:
        since = f" ({_('since')} {date_format(row.since)})" if row.since else ""
        terms = f": {', '.join(row.terms)}" if row.terms else ""
        yield f"{_outcome(citation)}{since}{terms}."
    if citation.quote_said:
        yield citation.quote_said
    if coming := citation.coming:
        is_moved = coming.status == StandingStatus.RENUMBERED
        where = footnotes.of_place(coming.source_id or 0, coming.eid, title="", number="", day=coming.day).cited
        yield f"{coming.said}: {where}." if is_moved and where else f"{coming.said}."
    if row.is_unread:
        yield f"{_('Not compared: the document is too large')}."
    elif row.looked_at is None:
        yield _("Whether it still stands was not looked at yet.")


def _documents(cited: Sequence[Footnote]) -> Iterator[Piece]:
    """What is compared, or found, with a footnote each."""
    for one in cited:
        yield Paragraph([TextRun(one.cited), FootnoteMark(without_quote(one))])


def changes(became: WhatBecame) -> Iterator[Piece]:
    """What is new since the person looked last, the newest day first. Nothing where nothing is new."""
    if not became.is_news:
        return
    yield Heading([TextRun(_("What has changed"))])
    if became.since:
        yield told(_("Since %s.") % date_format(became.since))
    yield from map(_citation, became.cited)
    if became.earlier:
        yield told(_("More happened before that."))
    for one in became.told:
        yield from _lines(one, one.new_lines)


def watches(held: Sequence[MatterWatch]) -> Iterator[Piece]:
    """The watches of the matter with what they told last, new or not."""
    seen = [one for one in held if one.named]
    if not seen:
        return
    yield Heading([TextRun(_("Searches and watches"))])
    for one in seen:
        yield from _lines(one, one.lines)


def _citation(one: CitationNews) -> Paragraph:
    row = one.shown.row
    day = f"{date_format(one.event.since)}: " if one.event.since else ""
    return Paragraph([TextRun(f"{day}{one.place}: {_outcome(one.shown)}. ({one.kept_as})")], main_language(row.title))


def _lines(one: MatterWatch, lines: Sequence[NewsLine]) -> Iterator[Piece]:
    name = one.named.name if one.named else ""
    yield Heading([TextRun(f"{one.watch.get_kind_display()}: {name}")], level=2)
    for line in lines:
        more = f" {line.more}" if line.more else ""
        yield Paragraph([TextRun(f"{date_format(line.at)}: {line.title}. {line.said}.{more}")])
    if not lines:
        yield told(_("Nothing has happened yet."))
