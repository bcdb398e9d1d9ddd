"""A file in Markdown, with footnotes as most of its readers know them: CommonMark, tables and `[^1]`."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from django.utils.translation import gettext as _

from keeping.exports.pieces import (
    LEFT_TO_RIGHT_SIGN,
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
    Run,
    TextRun,
    runs_rtl,
    speaking,
    with_signs,
)
from law.languages import DEFAULT, Language

TYPE = "text/markdown"
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~$&^=])")
_OPENS = re.compile(r"^(\s*(?:\d{1,9}(?=[.)]))?)([#+.)-])")  # what would begin a heading or a list
_AROUND = {
    Mark.NONE: ("", ""),
    Mark.STRONG: ("**", "**"),
    Mark.UNSUPPORTED: ("<u>", "</u>"),
    Mark.REMOVED: ("~~", "~~"),
    Mark.ADDED: ("**", "**"),
}


def as_markdown(export: Export) -> str:
    """The text. What is in another language than what is around it stands in an element that says so."""
    blocks = [f"# {_plain(export.title)}"]
    for language, pieces in groupby(export.pieces, export.language_of):
        blocks += _within(language, (_block(piece, export, language) for piece in pieces), around=export.language)
    notes = [_footnote(cited, number, export) for number, cited in enumerate(export.citations, 1)]
    return "\n\n".join([*_within(export.language, blocks, around=DEFAULT), *notes]) + "\n"


def _within(language: Language, blocks: Iterable[str], *, around: Language) -> Iterator[str]:
    """The blocks, in an element of their language where another one is around."""
    if language is around:
        yield from blocks
    else:
        yield from (f"<div{_of(language)}>", *blocks, "</div>")


def _of(language: Language) -> str:
    return f' dir="{"rtl" if runs_rtl(language) else "ltr"}" lang="{language.code}"'


def _block(piece: Piece, export: Export, language: Language) -> str:
    match piece:
        case Heading(runs, level):
            return f"{'#' * (level + 1)} {_inline(runs, export, language)}"
        case Paragraph(runs):
            return _inline(runs, export, language)
        case Caution(text):
            with speaking(language):
                return f"> **{_plain(_('Note'))}:** {_plain(text)}"
        case QuotedText(text, cited):
            lines: list[list[Run]] = [[TextRun(line)] for line in text.split("\n") if line.strip()] or [[]]
            lines[-1] += [FootnoteMark(cited)] if cited else []
            return "\n>\n".join(f"> {_inline(line, export, language)}" for line in lines)
        case ComparedTexts(rows):
            return "\n".join(_table(rows, export))


def _table(rows: Sequence[tuple[Sequence[TextRun], Sequence[TextRun]]], export: Export) -> Iterator[str]:
    yield f"| {_plain(_('Before'))} | {_plain(_('After'))} |"
    yield "| --- | --- |"
    for row in rows:
        yield f"| {' | '.join(_inline(words, export, export.language) for words in row)} |"


def _inline(runs: Sequence[Run], export: Export, language: Language) -> str:
    said = []
    for run in with_signs(runs, rtl=runs_rtl(language)):
        match run:
            case TextRun(text, mark):
                opening, closing = _AROUND[mark]
                body = text.strip()
                at = text.find(body)
                words = f"{opening}{_escaped(body)}{closing}" if body else ""
                said.append(f"{text[:at]}{words}{text[at + len(body) :]}" if body else text)
            case FootnoteMark(cited):
                said.append(f"[^{export.number_of(cited)}]")
    return _OPENS.sub(r"\1\\\2", " ".join("".join(said).split()))


def _footnote(cited: Footnote, number: int, export: Export) -> str:
    """Programs put it at the end of the page, outside of all elements."""
    said = f"{_plain(cited.said)} <{cited.address}>"
    if {cited.language, export.language} == {DEFAULT}:
        return f"[^{number}]: {said}"
    # Before the sign a slash at the end stays there.
    sign = LEFT_TO_RIGHT_SIGN if runs_rtl(cited.language) else ""
    return f"[^{number}]: <span{_of(cited.language)}>{said}{sign}</span>"


def _plain(text: str) -> str:
    """A line that says the text and nothing else."""
    return _OPENS.sub(r"\1\\\2", _escaped(" ".join(text.split())))


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)
