"""The format is what the bytes say."""

import zipfile
from pathlib import Path

import pytest

from extraction import READERS, ExtractionFailed, Format, detect, extract, libreoffice, reader_of
from extraction.formats import begins_as
from extraction.pdf_end import raise_if_torn
from tests.extraction.offices import ODF, odt_file


def made(tmp_path: Path, content: bytes, name: str = "file.bin") -> Path:
    path = tmp_path / name
    path.write_bytes(content)
    return path


def refusal(path: Path, filename: str = "") -> ExtractionFailed:
    with pytest.raises(ExtractionFailed) as caught:
        detect(path, filename=filename)
    return caught.value


def zipped(tmp_path: Path, *names: str, name: str = "file.docx") -> Path:
    path = tmp_path / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member in names:
            archive.writestr(member, "<x/>" * 2000)
    return path


def ole(tmp_path: Path, stream: str) -> Path:
    header = bytearray(512)
    header[:8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    header[0x1E:0x20] = (9).to_bytes(2, "little")
    header[0x30:0x34] = (0).to_bytes(4, "little")
    directory = stream.encode("utf-16-le").ljust(128, b"\0")
    return made(tmp_path, bytes(header) + directory, "file.doc")


@pytest.mark.parametrize(
    ("content", "name", "expected"),
    [
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "letter.txt", Format.PDF),
        (b"%PDF-1.4 %made by hand\n1 0 obj\n<<>>\nendobj\n", "a.pdf", Format.PDF),
        (b"\xef\xbb\xbf%PDF-1.4\n", "a.pdf", Format.PDF),
        (b"\r\n %PDF-1.4", "a.pdf", Format.PDF),
        (b"junk before\n" * 20 + b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n", "a.pdf", Format.PDF),
        (b"\x1b%-12345X@PJL\r\n%PDF-1.4\r\n%\xe2\xe3\xcf\xd3\r\n12 0 obj\r\n", "a", Format.PDF),
        (b"<!DOCTYPE html><title>%PDF-1.4</title><p>x</p>", "page.html", Format.HTML),
        (b"<html><!--\n%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n--><p>x</p>", "page.html", Format.HTML),
        (b"<p>\n%PDF-1.7\n</p>", "part.html", Format.HTML),
        (b"A file begins with\n%PDF-1.4\nand then\n1 0 obj\n", "notes.txt", Format.TXT),
        ("קובץ נפתח כך:\n%PDF-1.4\n1 0 obj\n".encode(), "notes.txt", Format.TXT),
        (b"%PDF-1.4 is how such a file begins", "notes.txt", Format.TXT),
        (b"%PDF-1.7 torn", "torn.pdf", Format.PDF),
        (b"%PDF- marks a PDF", "notes.md", Format.MD),
        (b"PK is how a zip begins", "notes.txt", Format.TXT),
        (b"PK\n", "notes.txt", Format.TXT),
        (b"<p>the element <svg> draws</p>", "part.html", Format.HTML),
        (b"<!DOCTYPE html><svg></svg><p>x</p>", "page.html", Format.HTML),
        (b"<svgs> is no element", "notes.txt", Format.TXT),
        (b"<!DOCTYPE html><p>x</p>", "page.txt", Format.HTML),
        (b"\xef\xbb\xbf <!-- saved --> <HTML><body>x", "page", Format.HTML),
        ("\ufeff<html><body>שלום</body>".encode("utf-16"), "page.htm", Format.HTML),
        (b"<p>a fragment</p>", "part.html", Format.HTML),
        (b"if a <p> b", "notes.txt", Format.TXT),
        ("שלום".encode("cp1255"), "a.txt", Format.TXT),
        ("שלום".encode("utf-16"), "a.txt", Format.TXT),
        ("שלום\x00עולם".encode(), "a.txt", Format.TXT),
        (b"# Title", "README.md", Format.MD),
        (b"# Title", "notes.markdown", Format.MD),
        (b"# Title", "notes.txt", Format.TXT),
    ],
)
def test_content_decides(tmp_path: Path, content: bytes, name: str, expected: Format) -> None:
    assert detect(made(tmp_path, content, name)) is expected


def test_the_original_name_counts_when_the_path_is_temporary(tmp_path: Path) -> None:
    path = made(tmp_path, b"# Title", "tmp1234")
    assert detect(path, filename="notes.md") is Format.MD


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"MZ\x90\x00\x03\x00\x00\x00" + bytes(200), "law.pdf"),
        (b"\x7fELF" + bytes(100), "law.txt"),
        (b"GIF89a" + bytes(100), "scan.gif"),
        (b"SQLite format 3" + bytes(5_000), "kept.txt"),
        (bytes(range(256)) * 8, "junk.txt"),
        (b"\x00\x01\x02\x03" * 3, "junk.txt"),
        (b"plain words", "letter.pdf"),
        (b"plain words about %PDF-1.4", "letter.pdf"),
        (b'<svg xmlns="http://www.w3.org/2000/svg"><text>Law</text></svg>', "law.svg"),
        (b'<?xml version="1.0"?>\n<!-- drawn -->\n<svg/>', "law.txt"),
        (
            b'<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x" [<!ENTITY a "b">]><svg/>',
            "law.xml",
        ),
        (b'<svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>', "law.html"),
        ('<?xml version="1.0" encoding="UTF-16"?><svg/>'.encode("utf-16"), "law.svg"),
        (r"{\rtf1\ansi Law}".encode("utf-16"), "law.rtf"),
        (b'<?xml version="1.0"?><?mso-application progid="Word.Document"?><w:wordDocument/>', "old.doc"),
    ],
)
def test_what_has_no_reader_is_refused_as_unsupported(tmp_path: Path, content: bytes, name: str) -> None:
    assert refusal(made(tmp_path, content, name)).code == "unsupported_type"


def test_no_bytes_are_empty(tmp_path: Path) -> None:
    assert refusal(made(tmp_path, b"", "a.pdf")).code == "empty"


def test_zip_with_a_word_document_is_docx_under_any_name(tmp_path: Path) -> None:
    assert detect(zipped(tmp_path, "[Content_Types].xml", "word/document.xml", name="a.zip")) is Format.DOCX


@pytest.mark.parametrize(
    ("member", "format"), [("xl/workbook.xml", Format.XLSX), ("ppt/presentation.xml", Format.PPTX)]
)
def test_a_workbook_and_slides_are_told_by_their_folder(tmp_path: Path, member: str, format: Format) -> None:
    path = zipped(tmp_path, "[Content_Types].xml", member)
    assert detect(path) is format
    assert begins_as(path.read_bytes(), filename="a") is format


def test_a_binary_workbook_is_refused_by_name(tmp_path: Path) -> None:
    failure = refusal(zipped(tmp_path, "xl/workbook.bin"))
    assert (failure.code, ".xlsb" in failure.message) == ("unsupported_type", True)


@pytest.mark.parametrize(("stream", "named"), [("Workbook", ".xls"), ("PowerPoint Document", ".ppt")])
def test_old_workbooks_and_slides_are_refused_by_name(tmp_path: Path, stream: str, named: str) -> None:
    failure = refusal(ole(tmp_path, stream))
    assert (failure.code, f"({named})" in failure.message) == ("unsupported_type", True)


@pytest.mark.parametrize(
    ("content", "format"),
    [
        (b"\x89PNG\r\n\x1a\n", Format.PNG),
        (b"\xff\xd8\xff\xe0", Format.JPEG),
        (b"II*\x00", Format.TIFF),
        (b"MM\x00*", Format.TIFF),
    ],
)
def test_images_are_told_by_their_first_bytes(tmp_path: Path, content: bytes, format: Format) -> None:
    assert detect(made(tmp_path, content + bytes(100), "scan.pdf")) is format


def test_docx_that_was_cut_off_is_corrupt(tmp_path: Path) -> None:
    whole = zipped(tmp_path, "[Content_Types].xml", "word/document.xml").read_bytes()
    cut = made(tmp_path, whole[: len(whole) * 6 // 10], "cut.bin")
    assert refusal(cut, "letter.docx").code == "corrupt"
    assert refusal(cut).code == "corrupt"


def test_an_old_word_file_without_libreoffice_says_what_to_do(tmp_path: Path) -> None:
    path = ole(tmp_path, "WordDocument")
    if libreoffice.program() is not None:
        assert detect(path) is Format.DOC
    assert (libreoffice.missing().code, "DOCX" in libreoffice.missing().message) == ("unsupported_type", True)


MAIL = "Received: from a\r\n\tby b\r\nFrom: a@b.c\r\nTo: d@e.f\r\n\r\nText"


@pytest.mark.parametrize(
    ("content", "name", "format"),
    [
        ("{\\rtf1\\ansi Hello}", "letter.doc", Format.RTF),
        (MAIL, "a.txt", Format.EML),
        ("From: a@b.c\nSubject: x\n\nText", "a.eml", Format.EML),
        ("From: the harbour master\nTo: all\n\nA letter", "letter.txt", Format.TXT),
        ('<?xml version="1.0"?><!-- c --><!DOCTYPE a [<!ENTITY e "x">]><akn:akomaNtoso/>', "a.xml", Format.AKN),
    ],
)
def test_text_formats_are_told_by_how_they_begin(tmp_path: Path, content: str, name: str, format: Format) -> None:
    assert detect(made(tmp_path, content.encode(), name)) is format


def test_a_zip_of_files_is_an_archive_and_one_of_odt_a_document(tmp_path: Path) -> None:
    assert detect(zipped(tmp_path, "readme.txt")) is Format.ZIP
    odt = odt_file(tmp_path / "a.bin", "<p/>")
    assert (detect(odt), begins_as(odt.read_bytes(), filename="a")) == (Format.ODT, Format.ODT)


def test_docx_under_a_password_is_encrypted(tmp_path: Path) -> None:
    assert refusal(ole(tmp_path, "EncryptedPackage")).code == "encrypted"


@pytest.mark.parametrize("large", [False, True])
def test_an_overlong_list_of_entries_is_refused_unread(tmp_path: Path, large: bool) -> None:
    """The list stands in the file as often as its end says; `large` has the end of archives over 4 GB."""
    whole = zipped(tmp_path, "[Content_Types].xml", "word/document.xml").read_bytes()
    start, end = whole.index(b"PK\x01\x02"), whole.index(b"PK\x05\x06")
    entries = whole[start:end] * 50_000
    size = len(entries).to_bytes(8, "little")
    record = b"PK\x06\x06" + bytes(36) + size + bytes(8) + b"PK\x06\x07" + bytes(16) if large else b""
    last = whole[end : end + 12] + (bytes(4) if large else size[:4]) + whole[end + 16 :]
    many = made(tmp_path, whole[:start] + entries + record + last, "many.docx")
    assert (refusal(many).code, "very many files" in refusal(many).message) == ("unsupported_type", True)


FLAT = (
    f'<?xml version="1.0"?>\n<office:document {ODF} '
    'office:mimetype="application/vnd.oasis.opendocument.{kind}">{body}'
)


def test_a_flat_opendocument_text_is_one_and_its_pictures_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "a.fodt"
    picture = (
        "<draw:frame xmlns:draw='d'><draw:image><office:binary-data>QUJD</office:binary-data></draw:image></draw:frame>"
    )
    body = (
        f"<office:body><office:text><text:p>הרציף {picture}נסגר.</text:p></office:text></office:body></office:document>"
    )
    path.write_text(FLAT.format(kind="text", body=body), encoding="utf-8")
    assert detect(path) is Format.ODT
    assert [page.text for page in extract(path)] == ["הרציף נסגר."]
    path.write_text(FLAT.format(kind="text", body=body[:-9]), encoding="utf-8")
    with pytest.raises(ExtractionFailed) as caught:
        list(extract(path))
    assert caught.value.code == "corrupt"


@pytest.mark.parametrize(
    ("content", "name", "sentence"),
    [
        (FLAT.format(kind="spreadsheet", body=""), "a.fods", "no text"),
        (
            '<?xml version="1.0"?><Legislation xmlns="http://www.legislation.gov.uk/namespaces/legislation">',
            "a.txt",
            "data.akn",
        ),
        (
            "<Legislation xmlns='http://www.legislation.gov.uk/namespaces/legislation'><P1/></Legislation>",
            "a.xml",
            "data.akn",
        ),
        (
            '<?xml version="1.0"?><!-- a --><?style b?><!DOCTYPE rss [<!ENTITY a "b">]><rss version="2.0">',
            "a.xml",
            "<rss>",
        ),
        (
            '\n<?xml version="1.0"?><pkg:package xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage">',
            "a.xml",
            "Word|<pkg",
        ),
    ],
)
def test_xml_of_a_kind_that_is_not_read_is_refused_by_its_name(
    tmp_path: Path, content: str, name: str, sentence: str
) -> None:
    path = tmp_path / name
    for encoding in ("utf-8", "utf-16"):
        path.write_text(content, encoding=encoding)
        with pytest.raises(ExtractionFailed, match=sentence) as caught:
            detect(path)
        assert caught.value.code == "unsupported_type"


def test_every_format_but_zip_has_a_reader() -> None:
    assert {*READERS} == {*Format} - {Format.ZIP}
    assert all(callable(reader_of(format)) for format in READERS)


@pytest.mark.parametrize(
    ("mimetype", "name", "said"),
    [
        ("application/epub+zip", "OEBPS/ch1.xhtml", "EPUB"),
        ("", "Index/Document.iwa", "Pages, Numbers or Keynote"),
        ("", "FixedDocSeq.fdseq", "XPS"),
        ("", "visio/document.xml", "Visio"),
    ],
)
def test_a_document_of_another_kind_is_not_taken_apart(tmp_path: Path, mimetype: str, name: str, said: str) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", mimetype)
        archive.writestr(name, "פרק")
    refused = refusal(path)
    assert refused.code == "unsupported_type"
    assert said in refused.message


def test_xml_of_eur_lex_is_named(tmp_path: Path) -> None:
    schema = 'xsi:noNamespaceSchemaLocation="http://formex.publications.europa.eu/schema/formex-06.02.1.xd"'
    assert "EUR-Lex" in refusal(made(tmp_path, f"<?xml version='1.0'?><ACT {schema}/>".encode(), "a.xml")).message


@pytest.mark.parametrize("content", [b"", b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n"])
def test_a_pdf_without_its_end_is_torn(tmp_path: Path, content: bytes) -> None:
    path = made(tmp_path, content, "a.pdf")
    with pytest.raises(ExtractionFailed, match="cut off"):
        raise_if_torn(path)
    path.write_bytes(b"%PDF-1.7\ntrailer << /Root 1 0 R >>")
    raise_if_torn(path)
