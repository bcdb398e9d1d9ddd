"""Where the end of a paragraph is not shown, the next one goes on in its line."""

from pathlib import Path

from extraction import extract
from tests.extraction.word_files import abstract_list, level, list_of, paragraph, word_file

NUMBERED = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
LIST = abstract_list(1, level(0, "decimal", "%1.")) + list_of(1, 1)
HIDDEN = "<w:vanish/>"
CONTENTS_STYLE = '<w:style w:type="paragraph" w:styleId="Verzeichnis1"><w:name w:val="toc 1"/></w:style>'


def read(tmp_path: Path, *paragraphs: str, styles: str = "") -> list[str]:
    path = word_file(tmp_path / "file.docx", "".join(paragraphs), numbering=LIST, styles=styles)
    return [text for page in extract(path) for text in page.paragraphs]


def ended(text: str, mark: str, *, before: str = "", hidden: bool = False) -> str:
    """A paragraph of a text, with the properties of its end."""
    run = f"<w:r><w:rPr>{HIDDEN if hidden else ''}</w:rPr><w:t xml:space='preserve'>{text}</w:t></w:r>"
    return f"<w:p><w:pPr>{before}<w:rPr>{mark}</w:rPr></w:pPr>{run}</w:p>"


def test_a_paragraph_goes_on_where_its_end_is_not_shown(tmp_path: Path) -> None:
    for mark in ("<w:del/>", "<w:moveFrom/>", HIDDEN, "<w:vanish/><w:specVanish/>"):
        first = ended("Definitions. ", mark, before=NUMBERED)
        found = read(tmp_path, first, paragraph("Lamp means a light."), paragraph("Term", properties=NUMBERED))
        assert found == ["1. Definitions. Lamp means a light.", "2. Term"], mark
    assert read(tmp_path, ended("Left ", "<w:del/>"), ended("right", "", before=NUMBERED)) == ["1. Left right"]
    mark = '<w:bookmarkStart w:id="1" w:name="a"/>'
    inside = f"<w:sdt><w:sdtContent>{ended('Left ', HIDDEN)}</w:sdtContent></w:sdt>"
    assert read(tmp_path, inside, mark, paragraph("right")) == ["Left right"]


def test_nothing_goes_on_in_a_table_or_behind_the_last(tmp_path: Path) -> None:
    rows = f"<w:tbl><w:tr><w:tc>{ended('a', HIDDEN)}</w:tc><w:tc>{paragraph('b')}</w:tc></w:tr></w:tbl>"
    assert read(tmp_path, ended("Before", HIDDEN), rows, ended("End", HIDDEN)) == ["Before", "a\tb", "End"]


def test_nothing_goes_on_behind_a_text_box(tmp_path: Path) -> None:
    box = f"<w:r><w:pict><w:txbxContent>{ended('boxed', HIDDEN)}</w:txbxContent></w:pict></w:r>"
    assert read(tmp_path, paragraph("Before", runs=box), paragraph("After")) == ["Before", "boxed", "After"]


def test_what_is_moved_away_or_hidden_takes_no_number(tmp_path: Path) -> None:
    properties = f"<w:pPr>{NUMBERED}<w:rPr><w:moveFrom/></w:rPr></w:pPr>"
    moved = f"<w:p>{properties}<w:moveFrom><w:r><w:t>c</w:t></w:r></w:moveFrom></w:p>"
    secret = ended("Secret", HIDDEN, before=NUMBERED, hidden=True)
    one, two = (paragraph(text, properties=NUMBERED) for text in ("One", "Two"))
    assert read(tmp_path, one, moved, secret, two) == ["1. One", "2. Two"]


def test_a_drop_cap_begins_its_word(tmp_path: Path) -> None:
    cap = paragraph("T", properties='<w:framePr w:dropCap="drop" w:lines="3"/>')
    assert read(tmp_path, cap, paragraph("he keeper lights the lamp.")) == ["The keeper lights the lamp."]


def test_lines_of_contents_are_left_out_however_they_are_styled(tmp_path: Path) -> None:
    styled = paragraph("Duties\t3", properties='<w:pStyle w:val="Verzeichnis1"/>')
    begin, separate, end = (f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end"))
    instruction = '<w:r><w:instrText> TOC \\o "1-3" </w:instrText></w:r>'
    first = f"<w:p>{begin}{instruction}{separate}<w:r><w:t>Duties</w:t><w:tab/><w:t>3</w:t></w:r></w:p>"
    second = "<w:p><w:r><w:t>Terms</w:t><w:tab/><w:t>4</w:t></w:r></w:p>"
    end = f"<w:p>{end}</w:p>"
    text = [paragraph("Duties"), paragraph("Fee\t12")]
    assert read(tmp_path, styled, *text, styles=CONTENTS_STYLE) == ["Duties", "Fee\t12"]
    assert read(tmp_path, first, second, end, *text) == ["Duties", "Fee\t12"]
