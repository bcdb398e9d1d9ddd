"""What of a matter stands in its file beside the notes: what became of it, and what its watches told."""

from collections.abc import Iterator, Sequence

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from keeping.exports.pieces import Heading, Paragraph, Piece, TextRun, told
from keeping.matters.becoming import CitationNews, WhatBecame
from keeping.matters.items import MatterWatch
from keeping.watches.notifications.lines import NewsLine
from law.languages.scripts import main_language


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
    return Paragraph([TextRun(f"{day}{one.place}: {one.shown.outcome}. ({one.kept_as})")], main_language(row.title))


def _lines(one: MatterWatch, lines: Sequence[NewsLine]) -> Iterator[Piece]:
    name = one.named.name if one.named else ""
    yield Heading([TextRun(f"{one.watch.get_kind_display()}: {name}")], level=2)
    for line in lines:
        more = f" {line.more}" if line.more else ""
        yield Paragraph([TextRun(f"{date_format(line.at)}: {line.title}. {line.said}.{more}")])
    if not lines:
        yield told(_("Nothing has happened yet."))
