"""Word files whose text is not in the usual part, or not all of it."""

from email.message import EmailMessage
from pathlib import Path

import pytest

from extraction import Format, detect, extract
from extraction.document import Lost, LostWhat
from extraction.docx.package import SIDE_PART_LIMIT
from tests.extraction.word_files import package, paragraph, part, relations, word_file

MAIN = part("document", f"<w:body>{paragraph('נוסח הגשר')}</w:body>")
TYPES = (
    '<Types><Override PartName="/word/{}" ContentType="application/vnd.openxmlformats-officedocument.'
    'wordprocessingml.document.main+xml"/></Types>'
)

FOOT_MARK, END_MARK = '<w:r><w:footnoteReference w:id="{}"/></w:r>', '<w:r><w:endnoteReference w:id="1"/></w:r>'


def read(path: Path) -> list[str]:
    return [text for page in extract(path) for text in page.paragraphs]


def lost(path: Path) -> set[Lost]:
    return {one for page in extract(path) for one in page.lost}


@pytest.mark.parametrize(
    "parts",
    [
        {"_rels/.rels": relations(("a", "officeDocument", "word/document2.xml")), "word/document2.xml": MAIN},
        {"_rels/.rels": relations(("a", "officeDocument", "/word/body.xml")), "word/body.xml": MAIN},
        {"word/document3.xml": MAIN},
        {"_rels\\.rels": relations(("a", "officeDocument", "word\\document.xml")), "word\\document.xml": MAIN},
        {"_rels/.rels": relations(("a", "officeDocument", "Word/Document.xml")), "WORD/document.XML": MAIN},
        {"_rels/.rels": "<Relationships", "word/document.xml": MAIN},
    ],
)
def test_the_main_part_is_found(tmp_path: Path, parts: dict[str, str]) -> None:
    main = next(name for name, content in parts.items() if content == MAIN).rpartition("/")[2]
    path = package(tmp_path / "file.docx", {"[Content_Types].xml": TYPES.format(main), **parts})
    assert detect(path) is Format.DOCX
    assert read(path) == ["נוסח הגשר"]


def test_a_side_part_is_found_by_its_relation(tmp_path: Path) -> None:
    note = part("footnotes", f'<w:footnote w:id="1">{paragraph("על הגשר")}</w:footnote>')
    body = paragraph("א", runs='<w:r><w:footnoteReference w:id="1"/></w:r>')
    path = word_file(tmp_path / "a.docx", body, [("r", "footnotes", "notes7.xml")], {"notes7.xml": note})
    assert read(path) == ["א¹", "¹ על הגשר"]


def test_a_note_that_is_marked_in_a_note_is_read(tmp_path: Path) -> None:
    notes = {
        "footnotes": f'<w:footnote w:id="1">{paragraph("על הגשר", runs=END_MARK)}</w:footnote>'
        f'<w:footnote w:id="2">{paragraph("על הנהר")}</w:footnote>',
        "endnotes": f'<w:endnote w:id="1">{paragraph("על השער", runs=FOOT_MARK.format(2))}</w:endnote>',
    }
    path = word_file(tmp_path / "a.docx", paragraph("א", runs=FOOT_MARK.format(1)), **notes)
    assert read(path) == ["א¹", "¹ על הגשרⁱ", "ⁱ על השער²", "² על הנהר"]


def _web_archive() -> bytes:
    message = EmailMessage()
    message.set_content("")
    message.add_alternative("<p>הגשר הירוק</p>", subtype="html")
    return message.as_bytes()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("chunk.html", "<html><body><p>הגשר הירוק</p></body></html>".encode()),
        ("chunk.mht", _web_archive()),
        ("chunk.txt", "הגשר הירוק".encode()),
        ("chunk.rtf", rb"{\rtf1\ansi \u1492?\u1490?\u1513?\u1512? \u1492?\u1497?\u1512?\u1493?\u1511?\par}"),
        ("chunk.docx", b""),
    ],
    ids=["html", "mht", "txt", "rtf", "docx"],
)
def test_a_file_in_the_place_of_a_paragraph_is_read(tmp_path: Path, name: str, content: bytes) -> None:
    if name == "chunk.docx":
        content = word_file(tmp_path / "inner.docx", paragraph("הגשר הירוק")).read_bytes()
    body = paragraph("לפני") + '<w:altChunk r:id="c"/>' + paragraph("אחרי")
    path = word_file(tmp_path / "a.docx", body, [("c", "aFChunk", name)], {name: content})
    assert read(path) == ["לפני", "הגשר הירוק", "אחרי"]


@pytest.mark.parametrize("is_archive", [False, True], ids=["html", "mht"])
def test_nothing_of_a_page_in_a_document_is_the_site_round_it(tmp_path: Path, is_archive: bool) -> None:
    page = f"<html><body><main><p>{'גשר ' * 99}</p></main><aside>תעריף</aside><footer>תחילה</footer></body></html>"
    message = EmailMessage()
    message.set_content(page, subtype="html")
    message.make_mixed()
    others = {"a.html": message.as_bytes() if is_archive else page}
    path = word_file(tmp_path / "a.docx", '<w:altChunk r:id="c"/>', [("c", "aFChunk", "a.html")], others)
    assert read(path)[1:] == ["תעריף", "תחילה"]


@pytest.mark.parametrize("name", ["a" * 300, f"a.{'b' * 300}"])
def test_a_chunk_may_have_a_long_name(tmp_path: Path, name: str) -> None:
    path = word_file(tmp_path / "a.docx", '<w:altChunk r:id="c"/>', [("c", "aFChunk", name)], {name: b"The bridge."})
    assert "".join(read(path)) == "The bridge." or lost(path) == {Lost(LostWhat.FOREIGN)}


def test_tables_of_a_chunk_stay_tables(tmp_path: Path) -> None:
    html = b"<html><body><table><tr><th>Bridge<th>Toll<tr><td>North<td>25</table></body></html>"
    related = [("c", "aFChunk", "chunk.html")]
    path = word_file(tmp_path / "a.docx", '<w:altChunk r:id="c"/>', related, {"chunk.html": html})
    [page] = extract(path)
    assert page.paragraphs == ("Bridge\tToll", "North\t25")
    assert (page.tables[0].first, page.tables[0].head) == (0, 1)


@pytest.mark.parametrize("content", [b"\x00\x01binary" * 50, None])
def test_a_chunk_that_cannot_be_read_is_told(tmp_path: Path, content: bytes | None) -> None:
    others = {"chunk.bin": content} if content else {}
    body = paragraph("לפני") + '<w:altChunk r:id="c"/>'
    path = word_file(tmp_path / "a.docx", body, [("c", "aFChunk", "chunk.bin")], others)
    assert lost(path) == {Lost(LostWhat.FOREIGN)}


def test_files_in_files_end(tmp_path: Path) -> None:
    path = word_file(tmp_path / "0.docx", paragraph("בסוף"))
    for number in range(1, 6):
        others = {"chunk.docx": path.read_bytes()}
        body = paragraph(f"קומה {number}") + '<w:altChunk r:id="c"/>'
        related = [("c", "aFChunk", "chunk.docx")]
        path = word_file(tmp_path / f"{number}.docx", body, related, others)
    assert read(path) == ["קומה 5", "קומה 4", "קומה 3", "קומה 2"]
    assert lost(path) == {Lost(LostWhat.FOREIGN)}


BESIDE = {
    "header": "",
    "comments": "",
    "footnotes": '<w:p><w:r><w:footnoteReference w:id="1"/></w:r></w:p>',
    "chart": '<w:p><w:r><w:drawing><c:chart r:id="x"/></w:drawing></w:r></w:p>',
    "aFChunk": '<w:altChunk r:id="x"/>',
}


@pytest.mark.parametrize("kind", BESIDE)
@pytest.mark.parametrize("is_huge", [False, True], ids=["cut", "huge"])
def test_a_damaged_part_beside_the_text_costs_only_itself(tmp_path: Path, kind: str, is_huge: bool) -> None:
    content = " " * (SIDE_PART_LIMIT + 1) if is_huge else "<w:hdr"
    body = paragraph("הגשר") + BESIDE[kind]
    path = word_file(tmp_path / "a.docx", body, [("x", kind, "part.xml")], {"part.xml": content})
    assert read(path)[0] == "הגשר"
    assert Lost(LostWhat.FOREIGN) in lost(path)
