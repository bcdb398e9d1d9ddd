"""A file in Markdown, with footnotes as most of its readers know them: CommonMark, tables and `[^1]`."""

import re
from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from keeping.exports.pieces import (
    Caution,
    ComparedTexts,
    Export,
    Footnote,
    FootnoteMark,
    Heading,
    Mark,
    Paragraph,
    QuotedText,
    Run,
    TextRun,
)

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
    """The text. What is written from right to left stands in an element that says so."""
    blocks = [f"# {_plain(export.title)}", *(block for piece in export.pieces for block in _blocks(piece, export))]
    blocks += [_footnote(cited, number) for number, cited in enumerate(export.citations, 1)]
    if export.is_rtl:
        blocks = [f'<div dir="rtl" lang="{export.language.code}">', *blocks, "</div>"]
    return "\n\n".join(blocks) + "\n"


def _blocks(piece: object, export: Export) -> Iterator[str]:
    match piece:
        case Heading(runs, level):
            yield f"{'#' * (level + 1)} {_inline(runs, export)}"
        case Paragraph(runs):
            yield _inline(runs, export)
        case Caution(text):
            yield f"> **{_plain(_('Note'))}:** {_plain(text)}"
        case QuotedText(text, cited):
            lines = [_plain(line) for line in text.split("\n") if line.strip()]
            mark = f"[^{export.number_of(cited)}]" if cited else ""
            yield "\n>\n".join(f"> {line}" for line in lines) + mark
        case ComparedTexts(rows):
            yield "\n".join(_table(rows, export))


def _table(rows: Sequence[tuple[Sequence[TextRun], Sequence[TextRun]]], export: Export) -> Iterator[str]:
    yield f"| {_plain(_('Before'))} | {_plain(_('After'))} |"
    yield "| --- | --- |"
    for row in rows:
        yield f"| {' | '.join(_inline(words, export) for words in row)} |"


def _inline(runs: Sequence[Run], export: Export) -> str:
    said = []
    for run in runs:
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


def _footnote(cited: Footnote, number: int) -> str:
    return f"[^{number}]: {_plain(cited.said)} <{cited.address}>"


def _plain(text: str) -> str:
    """A line that says the text and nothing else."""
    return _OPENS.sub(r"\1\\\2", _escaped(" ".join(text.split())))


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)
