"""Characters that Office escapes are what they stand for, wherever a text may be."""

import re
import zipfile
from pathlib import Path

import pytest
from openpyxl import Workbook
from pptx import Presentation
from pptx.util import Cm

from extraction import extract

WRITTEN = "Pier_x000D_ keeper_x000a_ _x005F_x000D_ file_x12 _xD83D__xDEA2_"
READ = "Pier keeper _x000D_ file_x12 \U0001f6a2"
INLINE = '<c r="A1" t="inlineStr"><is><t>{}</t></is></c>'
RESULT = '<c r="A1" t="str"><f>A2</f><v>{}</v></c>'
SHARED = '<c r="A1" t="s"><v>0</v></c>'
NAMESPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
PLAIN = "<si><t>{}</t></si>"
RICH = '<si><r><t xml:space="preserve">Pier_x000D_ </t></r><r><rPr><b/></rPr><t>{}</t></r></si>'
KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"


def _workbook(tmp_path: Path, cell: str, strings: str) -> Path:
    """A workbook of one cell, with the strings that its cells share."""
    book = Workbook()
    book.active["A1"] = "before"
    book.save(tmp_path / "whole.xlsx")
    overridden = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{KIND}"/></Types>'
    with zipfile.ZipFile(tmp_path / "whole.xlsx") as source, zipfile.ZipFile(tmp_path / "book.xlsx", "w") as target:
        for part in source.namelist():
            content = source.read(part).decode()
            if part != "xl/sharedStrings.xml":
                content = re.sub(r"<c r=.*</c>", lambda _found: cell, content)
                target.writestr(part, content.replace("</Types>", overridden))
        target.writestr("xl/sharedStrings.xml", f'<sst xmlns="{NAMESPACE}">{strings}</sst>')
    return tmp_path / "book.xlsx"


@pytest.mark.parametrize(
    ("cell", "strings", "read"),
    [
        (INLINE.format(WRITTEN), "", READ),
        (RESULT.format(WRITTEN), "", READ),
        (SHARED, PLAIN.format(WRITTEN), READ),
        (SHARED, RICH.format(WRITTEN), f"Pier {READ}"),
    ],
)
def test_in_a_cell(tmp_path: Path, cell: str, strings: str, read: str) -> None:
    assert [page.text for page in extract(_workbook(tmp_path, cell, strings))] == [read]


def test_on_a_slide(tmp_path: Path) -> None:
    show = Presentation()
    slide = show.slides.add_slide(show.slide_layouts[6])
    run = slide.shapes.add_textbox(Cm(1), Cm(1), Cm(9), Cm(3)).text_frame.paragraphs[0].add_run()
    run._r.t.text = WRITTEN.replace("_x000D_", "_x0020_", 1)
    show.save(str(tmp_path / "a.pptx"))
    assert READ.split(" ", 2)[2] in next(extract(tmp_path / "a.pptx")).text
