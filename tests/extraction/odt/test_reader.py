"""ODT: the numbers that the program writes, and what stands beside the paragraphs."""

import zipfile
from pathlib import Path

import pytest

from extraction import extract
from extraction.document import Lost, LostWhat
from tests.extraction.offices import odt_file

OUTLINE = (
    '<text:outline-style style:name="Outline"><text:outline-level-style text:level="1" style:num-format="1"'
    ' style:num-suffix="."/><text:outline-level-style text:level="2" style:num-format="א" style:num-prefix="("'
    ' style:num-suffix=")"/><text:outline-level-style text:level="3" style:num-format="I"'
    ' text:display-levels="3" text:start-value="4"/></text:outline-style>'
)


def read(path: Path) -> list[str]:
    return [text for page in extract(path) for text in page.paragraphs]


def heading(text: str, level: int = 1, more: str = "") -> str:
    return f'<text:h text:outline-level="{level}"{more}>{text}</text:h>'


def test_a_file_may_do_without_styles_of_its_own(tmp_path: Path) -> None:
    whole, bare = odt_file(tmp_path / "a.odt", "<text:p>The lamp is lit.</text:p>"), tmp_path / "b.odt"
    with zipfile.ZipFile(whole) as archive, zipfile.ZipFile(bare, "w") as made:
        for name in archive.namelist():
            if name != "styles.xml":
                made.writestr(name, archive.read(name))
    assert read(bare) == ["The lamp is lit."]


def test_headings_have_the_numbers_of_the_outline(tmp_path: Path) -> None:
    body = (
        heading("הגדרות")
        + heading("גשר", 2)
        + heading("עמוד", 3)
        + heading("שלט", 3)
        + heading("בלי", 1, ' text:is-list-header="true"')
        + heading("אגרה")
        + heading("פטור", 2)
    )
    assert read(odt_file(tmp_path / "a.odt", body, styles=OUTLINE)) == [
        "1. הגדרות",
        "(א) גשר",
        "1.א.IV עמוד",
        "1.א.V שלט",
        "בלי",
        "2. אגרה",
        "(א) פטור",
    ]


def test_headings_without_formats_or_of_lists_have_no_number(tmp_path: Path) -> None:
    listed = (
        '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="a"'
        ' style:num-suffix=")" text:start-value="3"/></text:list-style>'
    )
    body = f'<text:list text:style-name="L"><text:list-item>{heading("גשר")}</text:list-item></text:list>'
    assert read(odt_file(tmp_path / "a.odt", body, styles=OUTLINE + listed)) == ["c) גשר"]
    assert read(odt_file(tmp_path / "b.odt", heading("גשר"))) == ["גשר"]


def test_numbered_paragraphs_count_by_their_list(tmp_path: Path) -> None:
    listed = (
        '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1"'
        ' style:num-suffix="."/></text:list-style>'
    )
    one = '<text:numbered-paragraph text:list-id="x" text:style-name="L"><text:p>{}</text:p></text:numbered-paragraph>'
    body = one.format("ראשון") + "<text:p>בין</text:p>" + one.format("שני")
    assert read(odt_file(tmp_path / "a.odt", body, styles=listed)) == ["1. ראשון", "בין", "2. שני"]


def test_item_of_another_style_counts_in_the_list_of_that_style(tmp_path: Path) -> None:
    style = (
        '<text:list-style style:name="{}"><text:list-level-style-number text:level="1" style:num-format="{}"'
        ' style:num-suffix="."/></text:list-style>'
    )
    body = (
        '<text:list text:style-name="A"><text:list-item><text:p>חלופה</text:p></text:list-item>'
        '<text:list-item text:start-value="3" text:style-override="B"><text:p>בוטל</text:p></text:list-item>'
        "<text:list-item><text:p>ועוד חלופה</text:p></text:list-item></text:list><text:p>בין</text:p>"
        '<text:list text:continue-list="nowhere" text:style-name="B"><text:list-item><text:p>גשר</text:p>'
        "</text:list-item></text:list>"
    )
    path = odt_file(tmp_path / "a.odt", body, styles=style.format("A", "a") + style.format("B", "1"))
    assert read(path) == ["a. חלופה", "3. בוטל", "b. ועוד חלופה", "בין", "4. גשר"]


@pytest.mark.parametrize("shape", ["draw:custom-shape", "draw:rect"])
def test_the_text_of_a_shape_is_a_paragraph_of_its_own(tmp_path: Path, shape: str) -> None:
    body = (
        f"<text:p>לפני<{shape}><text:p>בצורה</text:p></{shape}> ואחרי</text:p><{shape}><text:p>לבד</text:p></{shape}>"
    )
    assert read(odt_file(tmp_path / "a.odt", body)) == ["לפני ואחרי", "בצורה", "לבד"]


def test_a_repeated_cell_hides_no_loss(tmp_path: Path) -> None:
    cells = '<table:table-cell table:number-columns-repeated="9"><text:p>bridge</text:p></table:table-cell>'
    body = f"<table:table><table:table-row>{cells}</table:table-row></table:table><text:what>toll</text:what>"
    [page] = extract(odt_file(tmp_path / "a.odt", body))
    assert page.paragraphs == ("\t".join(["bridge"] * 9),)
    assert page.lost == (Lost(LostWhat.OTHER, 4),)


def test_numbers_that_the_file_gives_are_read(tmp_path: Path) -> None:
    item = "<text:list-item><text:number>5.</text:number><text:p>פנס</text:p></text:list-item>"
    title = heading("<text:number>7</text:number>גשר")
    path = odt_file(tmp_path / "a.odt", f"<text:list>{item}</text:list>{title}", styles=OUTLINE)
    assert read(path) == ["5. פנס", "7 גשר"]


def test_numbers_are_written_by_the_template_of_their_level(tmp_path: Path) -> None:
    level = '<text:list-level-style-number text:level="{}" style:num-format="1" style:num-list-format="{}"/>'
    levels = level.format(1, "Article %1%") + level.format(2, "%1%-%2%)")
    inner = "<text:list><text:list-item><text:p>שמן</text:p></text:list-item></text:list>"
    body = f'<text:list text:style-name="L"><text:list-item><text:p>פנס</text:p>{inner}</text:list-item></text:list>'
    styles = f'<text:list-style style:name="L">{levels}</text:list-style>'
    assert read(odt_file(tmp_path / "a.odt", body, styles=styles)) == ["Article 1 פנס", "1-1) שמן"]


def test_a_mark_of_the_writers_own_is_not_counted_among_notes(tmp_path: Path) -> None:
    note = "<text:note>{}<text:note-body><text:p>{}</text:p></text:note-body></text:note>"
    own = note.format('<text:note-citation text:label="*">*</text:note-citation>', "שלי")
    counted = note.format("<text:note-citation>1</text:note-citation>", "ראשונה")
    body = f"<text:p>גשר{own} שמן{counted}</text:p>"
    assert read(odt_file(tmp_path / "a.odt", body)) == ["גשר* שמן¹", "* שלי", "¹ ראשונה"]


def test_lines_of_the_markup_are_none_of_the_text(tmp_path: Path) -> None:
    body = "<text:p>הגשר\n    <text:span>נפתח\n היום</text:span></text:p>"
    assert read(odt_file(tmp_path / "a.odt", body)) == ["הגשר נפתח היום"]


def test_hidden_rows_and_sections_are_told(tmp_path: Path) -> None:
    row = "<table:table-row{}><table:table-cell><text:p>{}</text:p></table:table-cell>"
    row += "<table:table-cell><text:p>b</text:p></table:table-cell></table:table-row>"
    table = row.format("", "a") + row.format(' table:visibility="collapse"', "c")
    section = '<text:section text:display="condition" text:is-hidden="{}"><text:p>{}</text:p></text:section>'
    body = f"<table:table>{table}</table:table>{section.format('true', 'sealed')}{section.format('false', 'open')}"
    (page,) = extract(odt_file(tmp_path / "a.odt", body))
    assert page.paragraphs == ("a\tb", "open")
    assert page.lost == (Lost(LostWhat.HIDDEN, 8),)


@pytest.mark.parametrize(("written", "mark"), [("ii", "ⁱⁱ"), ("א", "^א"), ("7", "⁷"), ("", "¹")])
def test_the_mark_of_a_note_is_the_one_that_is_shown(tmp_path: Path, written: str, mark: str) -> None:
    citation = f"<text:note-citation>{written}</text:note-citation>"
    body = f"<text:p>גשר<text:note>{citation}<text:note-body><text:p>שם</text:p></text:note-body></text:note></text:p>"
    assert read(odt_file(tmp_path / "a.odt", body)) == [f"גשר{mark}", f"{mark} שם"]


def test_a_variable_that_is_only_set_is_not_read(tmp_path: Path) -> None:
    body = '<text:p>סכום<text:variable-set text:name="x" text:display="none">99</text:variable-set> נקוב</text:p>'
    [page] = extract(odt_file(tmp_path / "a.odt", body))
    assert (page.paragraphs, page.lost) == (("סכום נקוב",), (Lost(LostWhat.HIDDEN, 2),))
