"""Word files give what a reader of the printed document sees."""

import zipfile
from pathlib import Path

import docx as python_docx
import pytest

from extraction import ExtractionFailed, extract
from extraction.docx.package import UNPACKED_LIMIT
from extraction.docx.reader import read_docx
from tests.extraction.word_files import abstract_list, level, list_of, numbered, paragraph, part, table, word_file


def read(path: Path) -> list[str]:
    return [text for page in extract(path) for text in page.paragraphs]


def read_body(tmp_path: Path, body: str, **parts: str) -> list[str]:
    return read(word_file(tmp_path / "file.docx", body, **parts))


def refusal(path: Path) -> str:
    with pytest.raises(ExtractionFailed) as caught:
        list(extract(path, filename="file.docx"))
    return caught.value.code


def test_paragraphs_and_tables_keep_their_order(tmp_path: Path) -> None:
    document = python_docx.Document()
    document.add_heading("הוראות הבנק", level=1)
    rows = document.add_table(rows=2, cols=2)
    for cell, text in zip(rows._cells, ("שם", "סכום", "אגרה", "120"), strict=True):
        cell.text = text
    document.add_paragraph("סוף המסמך.")
    document.save(str(tmp_path / "file.docx"))
    assert read(tmp_path / "file.docx") == ["הוראות הבנק", "שם\tסכום", "אגרה\t120", "סוף המסמך."]


def test_cells_of_several_paragraphs_stay_in_one_row(tmp_path: Path) -> None:
    body = table((paragraph("א") + paragraph("ב"), paragraph("ג")))
    assert read_body(tmp_path, body) == ["א ב\tג"]


def test_table_of_one_column_is_a_frame(tmp_path: Path) -> None:
    assert read_body(tmp_path, table((paragraph("א") + paragraph("ב"),))) == ["א", "ב"]


def test_numbers_that_word_writes_are_read(tmp_path: Path) -> None:
    lists = abstract_list(
        1,
        level(0, "decimal", "%1."),
        level(1, "hebrew1", "(%2)"),
        level(2, "decimal", "(%3)"),
    ) + list_of(1, 1)
    body = "".join(
        [
            numbered("הגדרות", 1),
            numbered("תחולה", 1),
            numbered("ראשון", 1, 1),
            numbered("שני", 1, 1),
            numbered("פריט", 1, 2),
            numbered("ביצוע", 1),
            numbered("מחדש", 1, 1),
        ]
    )
    assert read_body(tmp_path, body, numbering=lists) == [
        "1. הגדרות",
        "2. תחולה",
        "(א) ראשון",
        "(ב) שני",
        "(1) פריט",
        "3. ביצוע",
        "(א) מחדש",
    ]


def test_levels_above_are_shown_and_legal_lists_show_them_in_decimal(tmp_path: Path) -> None:
    lists = abstract_list(
        1,
        level(0, "upperRoman", "%1."),
        level(1, "decimal", "%1.%2", more="<w:isLgl/>"),
    ) + list_of(1, 1)
    body = numbered("a", 1) + numbered("b", 1) + numbered("c", 1, 1)
    assert read_body(tmp_path, body, numbering=lists) == ["I. a", "II. b", "2.1 c"]


def test_numbers_are_written_as_their_level_says(tmp_path: Path) -> None:
    padded = '<mc:AlternateContent><mc:Choice><w:numFmt w:val="custom" w:format="001, 002"/></mc:Choice>'
    padded += '<mc:Fallback><w:numFmt w:val="decimal"/></mc:Fallback></mc:AlternateContent>'
    hidden = "<w:rPr><w:vanish/></w:rPr>"
    for format, more, shown in (
        ("ordinalText", "", "First: "),
        ("cardinalText", "", "One: "),
        ("ordinal", "", "1st: "),
        ("numberInDash", "", "- 1 -: "),
        ("decimalEnclosedCircle", "", "①: "),
        ("decimal", hidden, ""),
        ("", padded, "001: "),
    ):
        own = level(0, format, "%1:", more=more).replace('<w:numFmt w:val=""/>', "")
        numbering = abstract_list(1, own) + list_of(1, 1)
        assert read_body(tmp_path, numbered("פנס", 1), numbering=numbering) == [f"{shown}פנס"], format


def test_list_instances_share_counters_unless_they_override_the_start(tmp_path: Path) -> None:
    override = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>'
    lists = abstract_list(1, level(0, "decimal", "%1.")) + list_of(1, 1) + list_of(2, 1) + list_of(3, 1, override)
    body = numbered("a", 1) + numbered("b", 2) + numbered("c", 3) + numbered("d", 3)
    assert read_body(tmp_path, body, numbering=lists) == ["1. a", "2. b", "7. c", "8. d"]


def test_level_that_never_restarts_counts_on(tmp_path: Path) -> None:
    lists = abstract_list(
        1, level(0, "decimal", "פרק %1"), level(1, "decimal", "%2.", more='<w:lvlRestart w:val="0"/>')
    ) + list_of(1, 1)
    body = numbered("x", 1) + numbered("a", 1, 1) + numbered("y", 1) + numbered("b", 1, 1)
    assert read_body(tmp_path, body, numbering=lists) == ["פרק 1 x", "1. a", "פרק 2 y", "2. b"]


def test_numbers_come_from_style_and_numid_zero_takes_them_away(tmp_path: Path) -> None:
    styles = (
        '<w:style w:type="paragraph" w:styleId="Clause">'
        '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="Sub"><w:basedOn w:val="Clause"/></w:style>'
    )
    lists = abstract_list(
        1, level(0, "decimal", "%1."), level(1, "hebrew2", "%2.", more='<w:pStyle w:val="Sub"/>')
    ) + list_of(1, 1)
    body = (
        paragraph("סעיף", properties='<w:pStyle w:val="Clause"/>')
        + paragraph("משנה", properties='<w:pStyle w:val="Sub"/>')
        + paragraph("בלי", properties='<w:pStyle w:val="Clause"/><w:numPr><w:numId w:val="0"/></w:numPr>')
    )
    assert read_body(tmp_path, body, numbering=lists, styles=styles) == ["1. סעיף", "א. משנה", "בלי"]


def test_tracked_changes_are_read_as_accepted(tmp_path: Path) -> None:
    runs = "<w:ins><w:r><w:t>חדש</w:t></w:r></w:ins><w:del><w:r><w:delText>ישן</w:delText></w:r></w:del>"
    moved = "<w:moveFrom><w:r><w:t>מכאן</w:t></w:r></w:moveFrom>"
    assert read_body(tmp_path, paragraph("נוסח ", runs=runs + moved)) == ["נוסח חדש"]


def test_deleted_paragraph_takes_no_number(tmp_path: Path) -> None:
    lists = abstract_list(1, level(0, "decimal", "%1.")) + list_of(1, 1)
    gone = (
        '<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr><w:rPr><w:del/></w:rPr></w:pPr>'
        "<w:del><w:r><w:delText>נמחק</w:delText></w:r></w:del></w:p>"
    )
    assert read_body(tmp_path, numbered("א", 1) + gone + numbered("ב", 1), numbering=lists) == ["1. א", "2. ב"]


def test_text_box_is_read_once(tmp_path: Path) -> None:
    box = (
        "<w:r><mc:AlternateContent><mc:Choice><wps:txbx><w:txbxContent><w:p><w:r><w:t>תיבה</w:t></w:r></w:p>"
        "</w:txbxContent></wps:txbx></mc:Choice><mc:Fallback><v:textbox><w:txbxContent><w:p><w:r><w:t>תיבה</w:t></w:r>"
        "</w:p></w:txbxContent></v:textbox></mc:Fallback></mc:AlternateContent></w:r>"
    )
    assert read_body(tmp_path, paragraph("פסקה", runs=box)) == ["פסקה", "תיבה"]


def test_footnotes_stand_at_the_end_in_the_order_of_their_marks(tmp_path: Path) -> None:
    mark = '<w:r><w:footnoteReference w:id="{}"/></w:r>'
    notes = "".join(
        f'<w:footnote w:id="{number}">{paragraph(text)}</w:footnote>' for number, text in ((1, "ראשונה"), (2, "שנייה"))
    )
    body = paragraph("א", runs=mark.format(2)) + paragraph("ב", runs=mark.format(1))
    assert read_body(tmp_path, body, footnotes=notes) == ["א¹", "ב²", "¹ שנייה", "² ראשונה"]


def test_content_controls_are_read_and_the_generated_contents_are_not(tmp_path: Path) -> None:
    control = f"<w:sdt><w:sdtContent>{paragraph('בפנים')}</w:sdtContent></w:sdt>"
    contents = (
        '<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr>'
        f"<w:sdtContent>{paragraph('1. הגדרות 3')}</w:sdtContent></w:sdt>"
    )
    assert read_body(tmp_path, contents + control) == ["בפנים"]


def test_hyphens_breaks_and_hidden_text(tmp_path: Path) -> None:
    runs = (
        "<w:r><w:t>דו</w:t><w:noBreakHyphen/><w:t>קיום ארו</w:t><w:softHyphen/><w:t>ך</w:t><w:br/><w:t>שורה</w:t></w:r>"
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>נסתר</w:t></w:r>"
    )
    assert read_body(tmp_path, paragraph(runs=runs)) == ["דו-קיום ארוך", "שורה"]


def test_strict_documents_are_read_too(tmp_path: Path) -> None:
    path = word_file(tmp_path / "file.docx", "")
    strict = part("document", f"<w:body>{paragraph('שלום')}</w:body>").replace(
        "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "http://purl.oclc.org/ooxml/wordprocessingml/main",
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", strict)
    assert read(path) == ["שלום"]


def test_entities_are_not_resolved(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("סוד")
    hostile = (
        f'<!DOCTYPE d [<!ENTITY x SYSTEM "{secret.as_uri()}"><!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
        + part("document", "<w:body><w:p><w:r><w:t>לפני&x;&b;</w:t></w:r></w:p></w:body>").partition("?>")[2]
    )
    path = tmp_path / "file.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", hostile)
    assert read(path) == ["לפני"]


def test_zip_bomb_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "file.docx"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("word/document.xml", "w", force_zip64=True) as member,
    ):
        for _ in range((UNPACKED_LIMIT >> 20) + 1):
            member.write(bytes(1 << 20))
    assert refusal(path) == "too_large"


def test_broken_xml_is_corrupt(tmp_path: Path) -> None:
    path = tmp_path / "file.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", "<w:document><w:body>")
    assert refusal(path) == "corrupt"


def test_flipped_byte_is_corrupt(tmp_path: Path) -> None:
    path = word_file(tmp_path / "file.docx", paragraph("מילים רבות " * 500))
    content = bytearray(path.read_bytes())
    content[content.index(b"word/document.xml") + 60] ^= 0xFF
    path.write_bytes(content)
    assert refusal(path) == "corrupt"


@pytest.mark.parametrize("packing", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_stream_of_any_packing_is_corrupt(tmp_path: Path, packing: int) -> None:
    path = tmp_path / "file.docx"
    with zipfile.ZipFile(word_file(tmp_path / "whole.docx", paragraph("מילים רבות " * 500))) as whole:
        parts = {name: whole.read(name) for name in whole.namelist()}
    with zipfile.ZipFile(path, "w", packing) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
        entry = archive.getinfo("word/document.xml")
    damaged = bytearray(path.read_bytes())
    start = entry.header_offset + 30 + len(entry.filename)
    damaged[start : start + entry.compress_size] = b"\xff" * entry.compress_size
    path.write_bytes(damaged)
    with pytest.raises(ExtractionFailed) as refused:
        list(read_docx(path))
    assert refused.value.code == "corrupt"


def test_no_text_is_empty(tmp_path: Path) -> None:
    assert refusal(word_file(tmp_path / "file.docx", paragraph() + paragraph("  "))) == "empty"


def test_long_document_comes_in_parts(tmp_path: Path) -> None:
    path = word_file(tmp_path / "file.docx", "".join(paragraph(f"פסקה {number}") for number in range(1200)))
    pages = list(extract(path))
    assert len(pages) == 3
    assert all(page.number is None for page in pages)
    assert sum(len(page.paragraphs) for page in pages) == 1200


def test_a_disk_that_fails_is_no_fault_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):  # as any error of reading
        list(read_docx(tmp_path))


def test_list_of_entries_that_begins_before_the_file_is_corrupt(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", "<a/>")
    content = bytearray(path.read_bytes())
    content[-10:-6] = (1 << 30).to_bytes(4, "little")  # how long the list is
    path.write_bytes(content)
    with pytest.raises(ExtractionFailed) as refused:
        list(read_docx(path))
    assert refused.value.code == "corrupt"
