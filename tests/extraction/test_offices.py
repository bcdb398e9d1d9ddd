"""ODT, RTF, DOC, mail and Akoma Ntoso: their text, their structure, and what is wrong with those that are damaged."""

from pathlib import Path

import docx
import pytest

from extraction import ExtractionFailed, extract
from extraction.document import Page, Table
from tests.extraction.offices import as_doc, mail, needs_libreoffice, odt_file, rtf_file

ENCRYPTED = '<manifest><file-entry><encryption-data checksum="x"/></file-entry></manifest>'
AKOMA_NTOSO = """<?xml version="1.0" encoding="UTF-8"?>{doctype}
<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"><act name="law">
<meta><identification source="#x"><FRBRWork><FRBRalias value="no text"/></FRBRWork></identification></meta>
<preface><longTitle><p>חוק הגשרים, <docDate date="2024-01-01">התשפ"ד–2024</docDate></p></longTitle></preface>
<body><chapter eId="chp_1"><num>פרק א׳:</num><heading>אגרה</heading>
<section eId="sec_1"><num>1.</num><heading>הגדרות</heading><content><p>"גשר" – מבנה{entity}.</p></content></section>
<section eId="sec_1a"><num>1א.</num>
<subsection eId="sec_1a__subsec_a"><num>(א)</num><content><p>ישלם<authorialNote><p>לשון תיקון.</p></authorialNote>
  <ref href="#sec_1">אגרה</ref>.</p></content></subsection>
<subsection eId="sec_1a__subsec_b"><num>(ב)</num><intro><p>ואלה האגרות:</p></intro>
<content><table><tr><th>רכב</th><th>אגרה</th></tr><tr><td><p>משאית</p></td><td>25</td></tr></table></content></subsection>
</section><section eId="sec_2"><num>2.</num><content><p>במקום סעיף 9 יבוא:
<mod><quotedStructure><section eId="sec_9"><num>9.</num><content><p>הנוסח החדש.</p></content></section>
</quotedStructure>
</mod></p></content></section></chapter></body>
<attachments><attachment eId="att_1"><heading>תוספת</heading><doc name="schedule"><mainBody>
<section eId="att_1__sec_1"><num>1</num><content><p>פריט</p></content></section></mainBody></doc></attachment>
</attachments></act></akomaNtoso>"""


def read(path: Path) -> Page:
    [page] = extract(path)
    return page


def test_odt_has_numbers_of_lists_notes_and_no_deleted_text(tmp_path: Path) -> None:
    styles = (
        '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1"'
        ' style:num-suffix="."/><text:list-level-style-number text:level="2" style:num-format="א" style:num-prefix="("'
        ' style:num-suffix=")"/></text:list-style>'
    )
    inner = "<text:list><text:list-item><text:p>פנימי</text:p></text:list-item></text:list>"
    note = f"<text:note><text:note-body>{'<text:p>הערה</text:p>'}</text:note-body></text:note>"
    body = (
        "<text:tracked-changes><text:deletion><text:p>נמחק</text:p></text:deletion></text:tracked-changes>"
        '<text:h>כותרת<text:s text:c="3"/>ראשית</text:h>'
        f'<text:list text:style-name="L"><text:list-item><text:p>ראשון{note}</text:p>{inner}</text:list-item>'
        "<text:list-item><text:p>שני</text:p></text:list-item></text:list>"
        '<text:list text:style-name="L" text:continue-numbering="true"><text:list-item><text:p>שלישי</text:p>'
        "</text:list-item></text:list><text:p>שורה<text:line-break/>שנייה</text:p>"
    )
    page = read(odt_file(tmp_path / "a.odt", body, styles=styles))
    expected = ("כותרת ראשית", "1. ראשון¹", "(א) פנימי", "2. שני", "3. שלישי", "שורה", "שנייה", "¹ הערה")
    assert page.paragraphs == expected


def test_rtf_is_read_by_its_code_pages_without_hidden_text(tmp_path: Path) -> None:
    body = (
        r"{\header Header\par}{\*\generator Writer;}\f0 Caf\'e9 \f1 שלום {\f1\'f9\'ec\'e5\'ed}\f0\par"
        r"{\listtext 1.\tab}First\line second {\v hidden}{\deleted gone}shown\par"
        r"\u1488?\u1489?\uc2\u1490??\uc1 \u8211-\emdash\par {\pict\bin4 {\}x}"
        r"A word{\super\chftn{\footnote\pard\plain {\super\chftn} The note.\par}} goes on\par"
    )
    page = read(rtf_file(tmp_path / "a.rtf", body))
    expected = ("Café שלום שלום", "1. First", "second shown", "אבג–—", "A word¹ goes on", "¹ The note.")
    assert page.paragraphs == expected


@pytest.mark.deep
@needs_libreoffice
def test_doc_is_read_by_libreoffice(tmp_path: Path) -> None:
    law = docx.Document()
    law.add_paragraph("חוק הגשרים")
    rows = law.add_table(2, 2).rows
    for row, texts in zip(rows, (("רכב", "אגרה"), ("משאית", "25")), strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    law.add_paragraph("סוף")
    law.save(str(tmp_path / "a.docx"))
    page = read(as_doc(tmp_path / "a.docx"))
    assert page.paragraphs == ("חוק הגשרים", "רכב\tאגרה", "משאית\t25", "סוף")
    assert page.tables == (Table(1, 3, head=1),)


def test_a_message_says_who_wrote_and_names_what_is_attached(tmp_path: Path) -> None:
    message = mail(("נוהל.pdf", b"%PDF"), html="<p>שלום,</p><table><tr><th>רכב<th>אגרה<tr><td>משאית<td>25</table>")
    path = tmp_path / "a.eml"
    path.write_bytes(message.as_bytes())
    page = read(path)
    assert page.paragraphs == (
        "נוהל אגרות הגשרים",
        "From: דנה <dana@example.org>",
        "To: legal@example.org",
        "Date: Mon, 05 May 2025 10:00:00 +0300",
        "שלום,",
        "רכב\tאגרה",
        "משאית\t25",
        "Attachments: נוהל.pdf",
    )
    assert (page.tables[0].first, page.tables[0].head) == (5, 1)


def test_a_message_of_an_old_mailer_is_read_by_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.eml"
    head = (
        'From: a@b.c\nTo: d@e.f\nMessage-ID: <1@b.c>\nSubject: חוזר\nContent-Type: text/plain; charset="iso-8859-8-i"\n'
    )
    path.write_bytes(f"{head}\nתוכן החוזר".encode("cp1255"))
    assert read(path).paragraphs == ("חוזר", "From: a@b.c", "To: d@e.f", "תוכן החוזר")


def test_akoma_ntoso_gives_text_and_the_divisions_of_the_markup(tmp_path: Path) -> None:
    path = tmp_path / "law.xml"
    path.write_text(AKOMA_NTOSO.format(doctype="", entity=""), encoding="utf-8")
    page = read(path)
    assert page.paragraphs == (
        'חוק הגשרים, התשפ"ד–2024',
        "פרק א׳: אגרה",
        "1. הגדרות",
        '"גשר" – מבנה.',
        "1א. (א) ישלם¹ אגרה.",
        "(ב) ואלה האגרות:",
        "רכב\tאגרה",
        "משאית\t25",
        "2. במקום סעיף 9 יבוא:",
        "9. הנוסח החדש.",
        "תוספת",
        "1 פריט",
        "¹ לשון תיקון.",
    )
    assert page.divisions is not None
    assert [(one.first, one.unit, one.depth, one.eid) for one in page.divisions] == [
        (1, "chp", 0, "chp_1"),
        (2, "sec", 1, "sec_1"),
        (4, "sec", 1, "sec_1a"),
        (8, "sec", 1, "sec_2"),
        (10, "sched", 0, "att_1"),
        (11, "sec", 1, "att_1__sec_1"),
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_akoma_ntoso_with_padding_reads_as_without(encoding: str, tmp_path: Path) -> None:
    said = AKOMA_NTOSO.format(doctype="", entity="").replace("UTF-8", encoding.upper())
    whole, padded = tmp_path / "a.xml", tmp_path / "b.xml"
    whole.write_bytes(said.encode(encoding))
    is_wide = encoding == "utf-16"
    padded.write_bytes(whole.read_bytes() if is_wide else b"\r\n\n" + whole.read_bytes() + b"\0" * 40)
    assert list(extract(padded)) == list(extract(whole))
    assert "משאית" in str(list(extract(padded)))


def test_side_notes_and_titles_of_akoma_ntoso_are_headings(tmp_path: Path) -> None:
    path = tmp_path / "rules.xml"
    side = '<heading><authorialNote placement="side"><p>{}</p></authorialNote></heading>'
    path.write_text(
        '<akomaNtoso><act><body><chapter eId="chp_1"><num>פרק א׳:</num><title><content><p>ערר</p></content></title>'
        '<section eId="chp_1__sec_1"><num>סימן א׳:</num><title><content><p>הגשה</p></content></title><list>'
        f'<point eId="point_7">{side.format("מועד")}<num>7.</num><list><point eId="point_7__point_1"><num>(א)</num>'
        "<content><p>בתוך חודש.</p></content></point></list></point></list></section></chapter>"
        "</body></act></akomaNtoso>",
        encoding="utf-8",
    )
    page = read(path)
    assert page.paragraphs == ("פרק א׳: ערר", "סימן א׳: הגשה", "7. מועד", "(א) בתוך חודש.")
    found = [(one.unit, one.depth, one.number, one.heading) for one in page.divisions or ()]
    assert found == [("chp", 0, "פרק א׳:", "ערר"), ("sec", 1, "סימן א׳:", "הגשה"), ("point", 2, "7.", "מועד")]


def test_akoma_ntoso_reads_nothing_outside_of_its_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    path = tmp_path / "law.xml"
    doctype = f'<!DOCTYPE akomaNtoso [<!ENTITY e SYSTEM "{secret.as_uri()}">]>'
    path.write_text(AKOMA_NTOSO.format(doctype=doctype, entity="&e;"), encoding="utf-8")
    assert not any("secret" in text for text in read(path).paragraphs)


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("a.odt", None, "encrypted"),
        ("a.rtf", b"{\\rtf1\\ansi}", "empty"),
        ("a.xml", b"<akomaNtoso><act>", "corrupt"),
        ("a.xml", b"<akomaNtoso><p>\xf9\xec\xe5\xed</p></akomaNtoso>", "corrupt"),  # in no encoding that it names
        ("a.odt", b"PK\x03\x04" + b"\0" * 26 + b"mimetypeapplication/vnd.oasis.opendocument.text", "corrupt"),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + b"\xec\xa5" + bytes(9) + b"\1", "encrypted"),
    ],
)
def test_a_file_that_gives_nothing_says_why(tmp_path: Path, name: str, content: bytes | None, code: str) -> None:
    path = tmp_path / name
    if content is None:
        odt_file(path, "", manifest=ENCRYPTED)
    else:
        path.write_bytes(content)
    with pytest.raises(ExtractionFailed) as caught:
        list(extract(path))
    assert caught.value.code == code
