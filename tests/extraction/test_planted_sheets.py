"""A sentence at every place of workbooks and slides is in the text, or is told to be lost."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from openpyxl import Workbook
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.drawing.image import Image as Drawn
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.shapes import PROG_ID
from pptx.opc.constants import RELATIONSHIP_TYPE as RELATION_TYPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.util import Cm

from extraction import ExtractionFailed, extract
from extraction.document import LostWhat, characters_of
from tests.extraction.compound import Tree, compound_file
from tests.extraction.offices import with_macros

PLANTED = "The keeper of the northern bridge counts every lantern twice before dusk"
LONG = f"{PLANTED}, and {PLANTED.lower()}."  # longer than a running head


def _sheet(change: Callable[[Workbook, Any], object]) -> Callable[[Path], Path]:
    def write(directory: Path) -> Path:
        book = Workbook()
        sheet = book.active
        for row in (["Begin.", "Sum"], ["a", 1], ["b", 2]):
            sheet.append(row)
        change(book, sheet)
        book.save(directory / "a.xlsx")
        return directory / "a.xlsx"

    return write


def _set(place: str, value: object = PLANTED) -> Callable[[Workbook, Any], None]:
    return lambda _book, sheet: sheet.__setitem__(place, value)


def _hidden_sheet(book: Workbook, _sheet: Any) -> None:
    book.create_sheet("Other")["A1"] = PLANTED
    book["Other"].sheet_state = "veryHidden"


def _hidden_row(_book: Workbook, sheet: Any) -> None:
    sheet["A3"], sheet.row_dimensions[3].hidden = PLANTED, True


def _hidden_column(_book: Workbook, sheet: Any) -> None:
    sheet["E2"], sheet.column_dimensions["E"].hidden = PLANTED, True


def _merged(_book: Workbook, sheet: Any) -> None:
    sheet["A5"] = PLANTED
    sheet.merge_cells("A5:B6")


def _chart(_book: Workbook, sheet: Any) -> None:
    chart = BarChart()
    chart.title = PLANTED
    chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=3))
    sheet.add_chart(chart, "D5")


def _prompt(_book: Workbook, sheet: Any) -> None:
    asked = DataValidation(type="whole", prompt=PLANTED)
    asked.add("A2")
    sheet.add_data_validation(asked)


def _far(_book: Workbook, sheet: Any) -> None:
    for column in range(1, 130):
        sheet.cell(2, column, PLANTED if column == 129 else column)


def _name(book: Workbook, _sheet: Any) -> None:
    book.defined_names["kept"] = DefinedName("kept", attr_text=f'"{PLANTED}"')


SHEETS: dict[str, Callable[[Workbook, Any], object]] = {
    "cell": _set("C2"),
    "lone cell": _set("A9"),
    "rich text": _set("C2", CellRichText(TextBlock(InlineFont(b=True), PLANTED[:20]), PLANTED[20:])),
    "name of the sheet": lambda _book, sheet: setattr(sheet, "title", PLANTED[:31]),
    "hidden sheet": _hidden_sheet,
    "hidden row": _hidden_row,
    "hidden column": _hidden_column,
    "hidden by its format": lambda _book, sheet: setattr(_with(sheet, "C2"), "number_format", ";;;"),
    "merged cell": _merged,
    "formula without a value": _set("C2", f'=T("{PLANTED}")'),
    "comment": lambda _book, sheet: setattr(sheet["A1"], "comment", Comment(PLANTED, "x")),
    "chart": _chart,
    "long header": lambda _book, sheet: setattr(sheet.oddHeader.center, "text", LONG),
    "prompt": _prompt,
    "column 129": _far,
    "defined name": _name,
}


def _with(sheet: Any, place: str) -> Any:
    sheet[place] = PLANTED
    return sheet[place]


def _slides(change: Callable[[Any, Any], object]) -> Callable[[Path], Path]:
    def write(directory: Path) -> Path:
        show = Presentation()
        first = show.slides.add_slide(show.slide_layouts[1])
        first.shapes.title.text = "Begin."
        change(show, first)
        show.save(str(directory / "a.pptx"))
        return directory / "a.pptx"

    return write


def _box(shapes: Any, left: float = 1) -> Any:
    box = shapes.add_textbox(Cm(left), Cm(1), Cm(5), Cm(1))
    box.text_frame.text = PLANTED
    return box


def _slide_table(_show: Any, slide: Any) -> None:
    slide.shapes.add_table(2, 2, Cm(1), Cm(1), Cm(9), Cm(3)).table.cell(1, 1).text = PLANTED


def _hidden_slide(show: Any, _slide: Any) -> None:
    slide = show.slides.add_slide(show.slide_layouts[5])
    slide.shapes.title.text = PLANTED
    slide._element.set("show", "0")


def _slide_chart(_show: Any, slide: Any) -> None:
    data = CategoryChartData()
    data.categories = [PLANTED]
    data.add_series("s", (1,))
    slide.shapes.add_chart(XL_CHART_TYPE.BAR_CLUSTERED, Cm(1), Cm(1), Cm(5), Cm(5), data)


def _notes(_show: Any, slide: Any) -> None:
    slide.notes_slide.notes_text_frame.text = PLANTED


def _part(kind: str, content: str) -> Callable[[Any, Any], None]:
    """A part that the slide refers to, as python-pptx makes none of it. A diagram is on the slide too."""

    def add(_show: Any, slide: Any) -> None:
        name = PackURI("/ppt/other/part1.xml")
        made = Part(name, "application/xml", slide.part.package, f'<?xml version="1.0"?>{content}'.encode())
        key = slide.part.relate_to(made, kind)
        if kind == RELATION_TYPE.DIAGRAM_DATA:
            slide.shapes._spTree.append(etree.fromstring(_FRAME.format(key)))

    return add


_MAIN = "http://schemas.openxmlformats.org/drawingml/2006"
_FRAME = (
    '<p:graphicFrame xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="'
    f'{_MAIN}/main"><a:graphic><a:graphicData><d:relIds xmlns:d="{_MAIN}/diagram" xmlns:r="http://schemas.'
    'openxmlformats.org/officeDocument/2006/relationships" r:dm="{}"/></a:graphicData></a:graphic></p:graphicFrame>'
)
_DIAGRAM = (
    f'<d:dataModel xmlns:d="{_MAIN}/diagram" xmlns:a="{_MAIN}/main"><d:ptLst><d:pt><d:t><a:p><a:r><a:t>{PLANTED}'
    "</a:t></a:r></a:p></d:t></d:pt></d:ptLst></d:dataModel>"
)
_COMMENT = f'<p:cmLst xmlns:p="x"><p:cm><p:text>{PLANTED}</p:text></p:cm></p:cmLst>'
_NEW_COMMENT = (
    f'<c:cmLst xmlns:c="x" xmlns:a="y"><c:cm><c:txBody><a:p><a:r><a:t>{PLANTED}</a:t></a:r></a:p></c:txBody></c:cm>'
    "</c:cmLst>"
)
_NEW_COMMENTS = "http://schemas.microsoft.com/office/2018/10/relationships/comments"

SLIDES: dict[str, Callable[[Any, Any], object]] = {
    "body": lambda _show, slide: setattr(slide.placeholders[1], "text", PLANTED),
    "title": lambda show, _slide: setattr(show.slides.add_slide(show.slide_layouts[5]).shapes.title, "text", PLANTED),
    "text box": lambda _show, slide: _box(slide.shapes),
    "group in a group": lambda _show, slide: _box(slide.shapes.add_group_shape().shapes.add_group_shape().shapes),
    "table": _slide_table,
    "notes": _notes,
    "hidden slide": _hidden_slide,
    "chart": _slide_chart,
    "diagram": _part(RELATION_TYPE.DIAGRAM_DATA, _DIAGRAM),
    "comment": _part(RELATION_TYPE.COMMENTS, _COMMENT),
    "comment of today": _part(_NEW_COMMENTS, _NEW_COMMENT),
    "outside of the slide": lambda _show, slide: _box(slide.shapes, left=80),
}

PLACES: dict[str, Callable[[Path], Path]] = {
    **{f"xlsx {place}": _sheet(change) for place, change in SHEETS.items()},
    **{f"pptx {place}": _slides(change) for place, change in SLIDES.items()},
}


@pytest.mark.parametrize("place", PLACES)
def test_a_sentence_is_read_or_told_to_be_lost(tmp_path: Path, place: str) -> None:
    pages = list(extract(PLACES[place](tmp_path)))
    text = " ".join(text for page in pages for text in page.paragraphs)
    lost = sum(one.characters for page in pages for one in page.lost)
    sentence = PLANTED[:31] if place == "xlsx name of the sheet" else PLANTED
    assert sentence in text or lost >= characters_of(PLANTED)
    assert "Begin." in text
    assert text.count(PLANTED) <= 1


def _picture() -> io.BytesIO:
    made = io.BytesIO()
    Image.new("L", (1200, 1200), 128).save(made, "PNG")
    made.seek(0)
    return made


def test_pictures_of_sheets_and_slides_are_told_to_be_lost(tmp_path: Path) -> None:
    book = _sheet(lambda _book, sheet: sheet.add_image(Drawn(_picture()), "D5"))(tmp_path)
    show = _slides(lambda _show, slide: slide.shapes.add_picture(_picture(), Cm(1), Cm(1), Cm(12)))(tmp_path)
    for path in (book, show):
        assert LostWhat.PICTURE in {one.what for page in extract(path) for one in page.lost}


def test_objects_in_slides_are_told_to_be_lost(tmp_path: Path) -> None:
    book = _sheet(_set("C2"))(tmp_path)
    show = _slides(
        lambda _show, slide: slide.shapes.add_ole_object(str(book), PROG_ID.XLSX, Cm(1), Cm(1), Cm(3), Cm(3))
    )(tmp_path)
    assert LostWhat.ATTACHMENT in {one.what for page in extract(show) for one in page.lost}


@pytest.mark.parametrize("write", [_sheet(_set("C2")), _slides(SLIDES["body"])])
def test_files_with_macros_are_read_and_encrypted_ones_are_refused(
    tmp_path: Path, write: Callable[[Path], Path]
) -> None:
    path = with_macros(write(tmp_path))
    assert PLANTED in " ".join(text for page in extract(path) for text in page.paragraphs)
    spaces: Tree = {"DataSpaceInfo": {"StrongEncryptionDataSpace": b"x"}, "DataSpaceMap": b"x", "Version": b"x"}
    spaces["TransformInfo"] = {"StrongEncryptionTransform": {"\x06Primary": b"x"}}
    sealed: Tree = {"EncryptionInfo": b"\4\0\4\0", "EncryptedPackage": b"x" * 4_000, "\x06DataSpaces": spaces}
    with pytest.raises(ExtractionFailed, match="needs a password") as caught:
        list(extract(compound_file(path, sealed)))
    assert caught.value.code == "encrypted"


@pytest.mark.parametrize(
    ("name", "is_said"),
    [("Sheet", False), ("Sheet12", False), ("גיליון1", False), ("Лист1", False), ("Annex 1", True), ("תוספת 2", True)],
)
def test_a_sheet_is_headed_by_the_name_that_somebody_gave_it(tmp_path: Path, name: str, is_said: bool) -> None:
    [page] = extract(_sheet(lambda _book, sheet: setattr(sheet, "title", name))(tmp_path))
    assert (page.paragraphs[0] == name) == is_said


def test_a_sheet_is_a_page_and_its_blocks_of_rows_are_tables(tmp_path: Path) -> None:
    book = Workbook()
    sheet = book.active
    sheet.title, sheet.sheet_view.rightToLeft = "אגרות", True
    for row in (["לוח אגרות"], ["שם", "סכום"], ["רישום", 1234], [], ["הערה"]):
        sheet.append(row)
    sheet["B3"].number_format = "#,##0.00"
    book.create_sheet("Sheet2").append(["x"])
    book.save(tmp_path / "a.xlsx")
    first, second = extract(tmp_path / "a.xlsx")
    assert first.paragraphs == ("אגרות", "לוח אגרות", "שם\tסכום", "רישום\t1,234.00", "הערה")
    assert [(table.first, table.end, table.head) for table in first.tables] == [(2, 4, 1)]
    assert (first.number, second.number, second.paragraphs) == (1, 2, ("x",))


def test_rows_beyond_the_limit_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("extraction.sheets.reader.MAX_ROWS", 2)
    [page] = extract(_sheet(lambda _book, _sheet: None)(tmp_path))
    assert (page.paragraphs, page.unread) == (("Begin.\tSum", "a\t1"), True)
    assert "from row 3 on" in page.warnings[0]


@pytest.mark.timeout(20)
def test_a_row_that_no_sheet_has_makes_no_rows_before_it(tmp_path: Path) -> None:
    sound = _sheet(lambda _book, _sheet: None)(tmp_path)
    with zipfile.ZipFile(sound) as archive:
        parts = {one: archive.read(one) for one in archive.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    parts[sheet] = parts[sheet].replace(b'<row r="2"', b'<row r="9999999999"')
    with zipfile.ZipFile(sound, "w") as archive:
        for one, content in parts.items():
            archive.writestr(one, content)
    with pytest.raises(ExtractionFailed) as caught:
        list(extract(sound))
    assert caught.value.code == "corrupt"


@pytest.mark.parametrize("name", ["a.xlsx", "a.pptx"])
def test_damaged_and_swollen_files_are_refused(tmp_path: Path, name: str) -> None:
    made = _sheet(lambda _book, _sheet: None) if name == "a.xlsx" else _slides(lambda _show, _slide: None)
    sound = made(tmp_path)
    with zipfile.ZipFile(sound) as archive:
        parts = {one: archive.read(one) for one in archive.namelist()}
    main = "xl/workbook.xml" if name == "a.xlsx" else "ppt/presentation.xml"
    for code, changed in (("corrupt", {main: b"<a"}), ("too_large", {"big.bin": bytes(301 << 20)})):
        with zipfile.ZipFile(sound, "w", zipfile.ZIP_DEFLATED) as archive:
            for one, content in {**parts, **changed}.items():
                archive.writestr(one, content)
        with pytest.raises(ExtractionFailed) as caught:
            list(extract(sound))
        assert caught.value.code == code
