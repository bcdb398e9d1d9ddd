"""A file for Word: paragraphs of either direction, real footnotes with links, compared texts in a table."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from django.utils.translation import gettext as _
from lxml import etree

from kb_project.word_files import RunStyle, add, add_runs, packed, r, root, w
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
    with_signs,
    words_of,
)

_STYLES = Path(__file__).with_name("word_styles.xml").read_bytes()
_MARKS: dict[Mark, RunStyle] = {
    Mark.NONE: {},
    Mark.STRONG: {"b": {}, "bCs": {}},
    Mark.UNSUPPORTED: {"u": {"val": "dotted"}},
    Mark.REMOVED: {"strike": {}, "color": {"val": "8A1C1C"}},
    Mark.ADDED: {"color": {"val": "14532D"}, "u": {"val": "single"}},
}
_SEPARATORS = (("separator", -1), ("continuationSeparator", 0))
_REFERENCE = {"rStyle": {"val": "FootnoteReference"}}
_LINK = {"rStyle": {"val": "Hyperlink"}}
_HALF_PAGE = 4500  # twentieths of a point


def as_word(export: Export) -> bytes:
    """The DOCX."""
    return _Writer(export).written()


class _Writer:
    def __init__(self, export: Export) -> None:
        self._export = export
        self._document, self._footnotes = root("document"), root("footnotes")
        self._body = add(self._document, "body")
        self._noted: set[Footnote] = set()
        self._links: dict[str, str] = {}

    def written(self) -> bytes:
        for kind, number in _SEPARATORS:
            one = add(self._footnotes, "footnote", type=kind, id=number)
            add(add(add(one, "p"), "r"), kind)
        self._paragraph([TextRun(self._export.title)], style="Title", rtl=self._export.is_rtl)
        for piece in self._export.pieces:
            self._add(piece, rtl=runs_rtl(self._export.language_of(piece)))
        self._page()
        parts = {
            "document": self._document,
            "styles": self._styles(),
            "settings": _settings(),
            "footnotes": self._footnotes,
            "footer": _footer(),
        }
        return packed(parts, links={"footnotes": self._links})

    def _add(self, piece: Piece, *, rtl: bool) -> None:
        match piece:
            case Heading(runs, level):
                self._paragraph(runs, style=f"Heading{level}", rtl=rtl)
            case Paragraph(runs):
                self._paragraph(runs, rtl=rtl, leads=piece.leads)
            case Caution(text):
                self._paragraph([TextRun(text)], style="Caution", rtl=rtl)
            case QuotedText(text, cited):
                self._quote(text, cited, rtl=rtl)
            case ComparedTexts(rows):
                self._table(rows)

    def _paragraph(
        self,
        runs: Sequence[Run],
        *,
        rtl: bool,
        style: str = "",
        leads: bool = False,
        into: etree._Element | None = None,
    ) -> None:
        paragraph = add(self._body if into is None else into, "p")
        properties = add(paragraph, "pPr")
        if style:
            add(properties, "pStyle", val=style)
        if leads:
            add(properties, "keepNext")
        add(properties, "bidi", val=int(rtl))
        for run in with_signs(runs, rtl=rtl):
            match run:
                case TextRun(words, mark):
                    add_runs(paragraph, words, rtl=rtl, style=_MARKS[mark])
                case FootnoteMark(cited):
                    self._note(paragraph, cited)

    def _quote(self, text: str, cited: Footnote | None, *, rtl: bool) -> None:
        *others, last = text.split("\n")
        for line in filter(str.strip, others):
            self._paragraph([TextRun(line)], style="Quote", rtl=rtl)
        self._paragraph([TextRun(last), *([FootnoteMark(cited)] if cited else [])], style="Quote", rtl=rtl)

    def _table(self, rows: Iterable[tuple[Sequence[TextRun], Sequence[TextRun]]]) -> None:
        table = add(self._body, "tbl")
        properties = add(table, "tblPr")
        if self._export.is_rtl:
            add(properties, "bidiVisual")
        add(properties, "tblW", w=2 * _HALF_PAGE, type="dxa")
        borders = add(properties, "tblBorders")
        for edge in ("top", "left", "bottom", "right", "insideH", "insideV"):
            add(borders, edge, val="single", sz=4, space=0, color="999999")
        grid = add(table, "tblGrid")
        for _half in range(2):
            add(grid, "gridCol", w=_HALF_PAGE)
        heads = [[TextRun(name, Mark.STRONG)] for name in (_("Before"), _("After"))]
        for number, row in enumerate([heads, *rows]):
            line = add(table, "tr")
            if not number:
                add(add(line, "trPr"), "tblHeader")
            for words in row:
                cell = add(line, "tc")
                add(add(cell, "tcPr"), "tcW", w=_HALF_PAGE, type="dxa")
                language = self._export.language_of_words(words_of(words))
                self._paragraph(words, into=cell, rtl=runs_rtl(language), leads=not number)
        add(self._body, "p")  # else two tables in a row become one

    def _note(self, paragraph: etree._Element, cited: Footnote) -> None:
        """The mark of a footnote, or, where it was made before, a reference to it."""
        number = self._export.number_of(cited)
        if cited in self._noted:
            field = add(paragraph, "fldSimple", instr=f" NOTEREF _Ref{number} \\f \\h ")
            add_runs(field, str(number), rtl=False, style=_REFERENCE)
            return
        self._noted.add(cited)
        add(paragraph, "bookmarkStart", id=number, name=f"_Ref{number}")
        run = add(paragraph, "r")
        add(add(run, "rPr"), "rStyle", val="FootnoteReference")
        add(run, "footnoteReference", id=number)
        add(paragraph, "bookmarkEnd", id=number)
        self._footnote(cited, number=number)

    def _footnote(self, cited: Footnote, *, number: int) -> None:
        rtl = runs_rtl(cited.language)
        paragraph = add(add(self._footnotes, "footnote", id=number), "p")
        properties = add(paragraph, "pPr")
        add(properties, "pStyle", val="FootnoteText")
        add(properties, "bidi", val=int(rtl))
        run = add(paragraph, "r")
        add(add(run, "rPr"), "rStyle", val="FootnoteReference")
        add(run, "footnoteRef")
        first, *others = cited.said.split("\n")
        add_runs(paragraph, f" {first} ", rtl=rtl)
        for line in others:
            add(add(paragraph, "r"), "br")
            add_runs(paragraph, f"{line} ", rtl=rtl)
        name = f"rId-link-{number}"
        self._links[name] = cited.address
        link = add(paragraph, "hyperlink", history=1)
        link.set(r("id"), name)
        # Before the sign a slash at the end stays there, though the paragraph runs from right to left.
        add_runs(link, cited.address + (LEFT_TO_RIGHT_SIGN if rtl else ""), rtl=False, style=_LINK)

    def _page(self) -> None:
        """A4, with the number of the page at its foot."""
        page = add(self._body, "sectPr")
        footer = add(page, "footerReference", type="default")
        footer.set(r("id"), "rId-footer")
        add(page, "pgSz", w=11906, h=16838)
        add(page, "pgMar", top=1304, right=1304, bottom=1304, left=1304, header=709, footer=709, gutter=0)
        if self._export.is_rtl:
            add(page, "bidi")

    def _styles(self) -> etree._Element:
        """The styles, of which the one that others are based on runs as the file does."""
        styles = etree.fromstring(_STYLES)
        normal = next(one for one in styles.iter(w("style")) if one.get(w("styleId")) == "Normal")
        if self._export.is_rtl:
            add(add(normal, "pPr"), "bidi")
        return styles


def _settings() -> etree._Element:
    settings = root("settings")
    notes = add(settings, "footnotePr")
    for _kind, number in _SEPARATORS:
        add(notes, "footnote", id=number)
    uri = "http://schemas.microsoft.com/office/word"
    add(add(settings, "compat"), "compatSetting", name="compatibilityMode", uri=uri, val=15)
    return settings


def _footer() -> etree._Element:
    footer = root("ftr")
    paragraph = add(footer, "p")
    add(add(paragraph, "pPr"), "pStyle", val="Footer")
    add_runs(add(paragraph, "fldSimple", instr=" PAGE "), "1", rtl=False)
    return footer
