"""What stands inside of a paragraph of a Word file besides letters."""

from pathlib import Path

import pytest

from extraction import extract
from extraction.document import Lost, LostWhat
from tests.extraction.word_files import paragraph, word_file


def read(tmp_path: Path, runs: str, **parts: str) -> tuple[list[str], set[Lost]]:
    pages = list(extract(word_file(tmp_path / "a.docx", paragraph("גשר 7", runs=runs), **parts)))
    return [text for page in pages for text in page.paragraphs], {one for page in pages for one in page.lost}


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


STYLES = (
    '<w:style w:type="character" w:styleId="Mark"><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>'
    '<w:style w:type="character" w:styleId="Mine"><w:basedOn w:val="Mark"/></w:style>'
    '<w:style w:type="character" w:styleId="Gone"><w:rPr><w:vanish/></w:rPr></w:style>'
)


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        (run("3", '<w:vertAlign w:val="superscript"/>') + run(" נפתח"), "גשר 7³ נפתח"),
        (run("3", '<w:position w:val="8"/>'), "גשר 7³"),
        (run("3", '<w:position w:val="2"/>'), "גשר 73"),
        (run("3", '<w:rStyle w:val="Mine"/>'), "גשר 7³"),
        (run("3", '<w:rStyle w:val="Mine"/><w:vertAlign w:val="baseline"/>'), "גשר 73"),
        (run("2", '<w:vertAlign w:val="subscript"/>'), "גשר 7₂"),
        ('<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>', "גשר 7☑"),
        ('<w:r><w:sym w:font="Symbol" w:char="F0B3"/></w:r>', "גשר 7≥"),
        ('<w:r><w:sym w:font="Segoe UI Symbol" w:char="2612"/></w:r>', "גשר 7☒"),
        (run("\uf0a8", '<w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings"/>'), "גשר 7☐"),
    ],
)
def test_signs_and_raised_digits(tmp_path: Path, runs: str, text: str) -> None:
    assert read(tmp_path, runs, styles=STYLES) == ([text], set())


def _field(data: str) -> str:
    return f'<w:r><w:fldChar w:fldCharType="begin"><w:ffData>{data}</w:ffData></w:fldChar></w:r>'


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        ('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>', "☒"),
        ('<w:checkBox><w:default w:val="1"/></w:checkBox>', "☒"),
        ('<w:checkBox><w:default w:val="1"/><w:checked w:val="0"/></w:checkBox>', "☐"),
        ('<w:ddList><w:result w:val="1"/><w:listEntry w:val="צר"/><w:listEntry w:val="רחב"/></w:ddList>', "רחב"),
        ('<w:ddList><w:listEntry w:val="צר"/></w:ddList>', "צר"),
    ],
)
def test_what_is_filled_in_a_field_is_read(tmp_path: Path, data: str, shown: str) -> None:
    assert read(tmp_path, _field(data))[0] == [f"גשר 7{shown}"]


@pytest.mark.parametrize(
    ("runs", "what", "characters"),
    [
        (run("נסתר", "<w:vanish/>"), LostWhat.HIDDEN, 4),
        (run("נסתר", '<w:rStyle w:val="Gone"/>'), LostWhat.HIDDEN, 4),
        ('<w:r><w:object><w:control r:id="x"/></w:object></w:r>', LostWhat.FORM, 0),
        ('<w:r><w:object><o:OLEObject ProgID="Equation.3"/></w:object></w:r>', LostWhat.FORMULA, 0),
        ('<w:r><w:object><o:OLEObject ProgID="Excel.Sheet.12"/></w:object></w:r>', LostWhat.ATTACHMENT, 0),
        ('<w:r><w:sym w:font="Barcode" w:char="F041"/></w:r>', LostWhat.OTHER, 1),
        (r"<w:r><w:instrText> EQ \f(1,2) </w:instrText></w:r>", LostWhat.FORMULA, 7),
        (r'<w:fldSimple w:instr=" EQ \f(1,2) "/>', LostWhat.FORMULA, 7),
        ("<w:r><w:instrText>AUTONUMLGL</w:instrText></w:r>", LostWhat.OTHER, 0),
        (
            '<w:r><w:drawing><wp:inline><wp:extent cx="6000000" cy="8000000"/><a:blip/></wp:inline></w:drawing></w:r>',
            LostWhat.PICTURE,
            0,
        ),
    ],
)
def test_what_is_not_passed_on_is_told(tmp_path: Path, runs: str, what: LostWhat, characters: int) -> None:
    assert read(tmp_path, runs, styles=STYLES) == (["גשר 7"], {Lost(what, characters)})


def test_ordinary_pictures_and_deleted_text_are_no_loss(tmp_path: Path) -> None:
    logo = '<w:r><w:drawing><wp:inline><wp:extent cx="900000" cy="900000"/><a:blip/></wp:inline></w:drawing></w:r>'
    deleted = "<w:del><w:r><w:t>ישן</w:t></w:r></w:del>"
    word_picture = '<w:r><w:object><o:OLEObject ProgID="Word.Picture.8"/></w:object></w:r>'
    assert read(tmp_path, logo + deleted + word_picture) == (["גשר 7"], set())


def test_a_mark_of_the_writers_own_is_not_counted(tmp_path: Path) -> None:
    notes = "".join(f'<w:footnote w:id="{one}">{paragraph(text)}</w:footnote>' for one, text in ((1, "* א"), (2, "ב")))
    runs = '<w:r><w:footnoteReference w:customMarkFollows="1" w:id="1"/><w:t>*</w:t></w:r>'
    runs += '<w:r><w:footnoteReference w:id="2"/></w:r>'
    assert read(tmp_path, runs, footnotes=notes)[0] == ["גשר 7*¹", "* א", "¹ ב"]


def _of_field(kind: str) -> str:
    return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'


def test_what_one_field_tells_another_is_no_text(tmp_path: Path) -> None:
    inner = f"{_of_field('begin')}<w:r><w:instrText>REF a</w:instrText></w:r>{_of_field('separate')}{run('told')}"
    condition = f"<w:r><w:instrText>IF</w:instrText></w:r>{inner}{_of_field('end')}"
    runs = f"{_of_field('begin')}{condition}{_of_field('separate')}{run(' פתוח')}{_of_field('end')}{run(' היום')}"
    assert read(tmp_path, runs) == (["גשר 7 פתוח היום"], set())
    never_ended = f"{_of_field('begin')}<w:r><w:instrText>REF a</w:instrText></w:r></w:p><w:p>{run('המשך')}"
    assert read(tmp_path, never_ended)[0] == ["גשר 7", "המשך"]


def test_a_field_to_be_clicked_is_told(tmp_path: Path) -> None:
    runs = f"{_of_field('begin')}<w:r><w:instrText>MACROBUTTON x [Name]</w:instrText></w:r>{_of_field('end')}"
    assert read(tmp_path, runs) == (["גשר 7"], {Lost(LostWhat.OTHER, 7)})


def test_lines_of_the_markup_are_none_of_the_text(tmp_path: Path) -> None:
    assert read(tmp_path, run("\n   נפתח\n  היום")) == (["גשר 7 נפתח היום"], set())
