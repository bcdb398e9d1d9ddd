"""A sentence at each place of a PDF that may hold one is in the text, or is told as lost."""

import zlib
from pathlib import Path

import pytest

from extraction import ExtractionFailed, Page, extract
from extraction.document import LostWhat, characters_of
from tests.fuzz.raw_pdf import FONT, ONE_PAGE, pdf, stream

SENTENCE = "The lock keeper closes the gate at nine."
HEBREW = "שומר הסכר סוגר את השער בתשע"
OTHER = "Boats wait below the bridge until the bell has rung twice."
TABLE = "20 350 200 150 re S 20 400 200 50 re S 120 350 m 120 500 l S "


def drawn(text: str, *, at: tuple[int, int] = (50, 700)) -> str:
    return f"BT /F 11 Tf {at[0]} {at[1]} Td ({text}) Tj ET\n"


def made(
    path: Path, content: str = "", *more: str | bytes, page: str = "", catalog: str = "", resources: str = ""
) -> Page:
    """The only page of a file whose objects `more` are numbered from 6."""
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R {catalog} >>",
        ONE_PAGE,
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R {page}"
        f" /Resources << /Font << /F 5 0 R >> {resources} >> >>",
        stream((drawn(OTHER) + content).encode("latin-1")),
        FONT,
        *more,
    ]
    path.write_bytes(pdf(*(one.encode("latin-1") if isinstance(one, str) else one for one in objects)))
    (found,) = extract(path, ocr=False)
    return found


def lost(page: Page) -> dict[LostWhat, int]:
    return {one.what: one.characters for one in page.lost}


def utf16(text: str) -> str:
    return f"<FEFF{text.encode('utf-16-be').hex()}>"


FIELD = "<< /Type /Annot /Subtype /Widget /Rect [150 640 400 660] /T (a) {} >>"
FORM = "/AcroForm << /Fields [6 0 R] /DA (/F 0 Tf 0 g) >>"
FIELDS = {
    "a text field": ["/FT /Tx /V (%s)"],
    "a field of several lines": ["/FT /Tx /Ff 4096 /V (%s)"],
    "a field without a print flag": ["/FT /Tx /F 0 /V (%s)"],
    "a choice": ["/FT /Ch /Ff 131072 /Opt [[(1) (Another.)] [(2) (%s)]] /V (2)"],
    "a list": ["/FT /Ch /Opt [(Another.) (%s)] /V (%s)"],
    "a field of which the value is above": ["/Parent 7 0 R", "<< /FT /Tx /T (b) /V (%s) /Kids [6 0 R] >>"],
}


@pytest.mark.parametrize("place", FIELDS)
def test_what_is_typed_into_a_form_is_read(tmp_path: Path, place: str) -> None:
    entries, *more = (one.replace("%s", SENTENCE) for one in FIELDS[place])
    catalog = FORM.replace("6 0 R", "7 0 R") if more else FORM
    page = made(
        tmp_path / "a.pdf",
        drawn("Below it.", at=(50, 600)),
        FIELD.format(entries),
        *more,
        page="/Annots [6 0 R]",
        catalog=catalog,
    )
    assert page.paragraphs == (OTHER, SENTENCE, "Below it.")
    assert page.lost == ()


def test_hebrew_that_is_typed_into_a_form_is_read(tmp_path: Path) -> None:
    field = FIELD.format(f"/FT /Tx /V {utf16(HEBREW)}")
    assert HEBREW in made(tmp_path / "a.pdf", "", field, page="/Annots [6 0 R]", catalog=FORM).paragraphs


def test_what_is_typed_into_a_cell_is_in_the_cell(tmp_path: Path) -> None:
    field = FIELD.format("/FT /Tx /V (Lock number 4)").replace("150 640 400 660", "125 460 215 490")
    cells = {(30, 470): "Name", (30, 420): "Day", (130, 420): "Friday", (30, 370): "Hour", (130, 370): "Nine"}
    drawing = TABLE + "".join(drawn(text, at=at) for at, text in cells.items())
    page = made(tmp_path / "a.pdf", drawing, field, page="/Annots [6 0 R]", catalog=FORM)
    assert page.paragraphs == (OTHER, "Name\tLock number 4", "Day\tFriday", "Hour\tNine")


@pytest.mark.parametrize(("state", "found"), [("Yes", True), ("Off", False)])
def test_a_tick_is_read(tmp_path: Path, state: str, found: bool) -> None:
    look = "/AP << /N << /Yes 7 0 R /Off 7 0 R >> >>"
    box = FIELD.format(f"/FT /Btn /V /{state} /AS /{state} {look}")
    shape = stream(b"0 0 9 9 re S", b"/Type /XObject /Subtype /Form /BBox [0 0 9 9]")
    page = made(tmp_path / "a.pdf", "", box, shape, page="/Annots [6 0 R]", catalog=FORM)
    assert ("☑" in page.text) == found


def test_a_value_that_the_page_draws_too_comes_once(tmp_path: Path) -> None:
    field = FIELD.format(f"/FT /Tx /V ({SENTENCE})")
    page = made(tmp_path / "a.pdf", drawn(SENTENCE, at=(152, 646)), field, page="/Annots [6 0 R]", catalog=FORM)
    assert page.text.count(SENTENCE) == 1


@pytest.mark.parametrize(
    ("annotation", "what"),
    [
        ("/Subtype /FreeText /F 4", None),
        ("/Subtype /Text", LostWhat.NOTE),
        ("/Subtype /Highlight /QuadPoints [50 650 90 650 50 640 90 640]", LostWhat.NOTE),
        ("/Subtype /Square", LostWhat.NOTE),
        ("/Subtype /Stamp", LostWhat.NOTE),
        ("/Subtype /Caret", LostWhat.NOTE),
        ("/Subtype /FreeText /F 2", LostWhat.HIDDEN),
    ],
)
@pytest.mark.parametrize("text", [SENTENCE, HEBREW])
def test_what_is_typed_over_the_page_is_read_or_told(
    tmp_path: Path, annotation: str, what: LostWhat | None, text: str
) -> None:
    note = f"<< /Type /Annot {annotation} /Rect [50 640 400 660] /Contents {utf16(text)} >>"
    page = made(tmp_path / "a.pdf", "", note, page="/Annots [6 0 R]")
    assert (text in page.paragraphs) == (what is None)
    assert lost(page) == ({} if what is None else {what: characters_of(text)})


def test_a_stamp_that_draws_words_is_told(tmp_path: Path) -> None:
    stamp = "<< /Type /Annot /Subtype /Stamp /Rect [50 640 400 660] /AP << /N 7 0 R >> >>"
    look = stream(b"BT /F 9 Tf (Approved) Tj ET", b"/Type /XObject /Subtype /Form /BBox [0 0 99 99]")
    assert lost(made(tmp_path / "a.pdf", "", stamp, look, page="/Annots [6 0 R]")) == {LostWhat.NOTE: 0}


@pytest.mark.parametrize("number", [1, 30])
def test_files_inside_are_named(tmp_path: Path, number: int) -> None:
    names = " ".join(f"(lock {one}.txt) 6 0 R" for one in range(number))
    page = made(
        tmp_path / "a.pdf",
        "",
        "<< /Type /Filespec /F (lock.txt) /UF (lock.txt) /EF << /F 7 0 R >> >>",
        stream(zlib.compress(SENTENCE.encode()), b"/Type /EmbeddedFile /Filter /FlateDecode"),
        catalog=f"/Names << /EmbeddedFiles << /Names [{names}] >> >>",
    )
    assert lost(page) == {LostWhat.ATTACHMENT: 0}
    assert "lock" in page.warnings[0]


@pytest.mark.parametrize("named", [True, False])
def test_a_file_pinned_to_the_page_is_told(tmp_path: Path, named: bool) -> None:
    file = "/FS << /Type /Filespec /F (lock.txt) /EF << /F 7 0 R >> >>" if named else ""
    pin = f"<< /Type /Annot /Subtype /FileAttachment /Rect [50 640 60 650] {file} >>"
    page = made(tmp_path / "a.pdf", "", pin, stream(SENTENCE.encode()), page="/Annots [6 0 R]")
    assert lost(page) == {LostWhat.ATTACHMENT: 0}
    assert ("lock.txt" in "".join(page.warnings)) == named


@pytest.mark.parametrize(("state", "shown"), [("OFF", False), ("ON", True)])
def test_a_layer_that_is_switched_off_is_told_and_not_read(tmp_path: Path, state: str, shown: bool) -> None:
    page = made(
        tmp_path / "a.pdf",
        f"/OC /L BDC {drawn(SENTENCE, at=(50, 650))} EMC",
        "<< /Type /OCG /Name (Draft) >>",
        catalog=f"/OCProperties << /OCGs [6 0 R] /D << /{state} [6 0 R] >> >>",
        resources="/Properties << /L 6 0 R >>",
    )
    assert (SENTENCE in page.text) == shown
    assert lost(page) == ({} if shown else {LostWhat.HIDDEN: characters_of(SENTENCE)})


def test_white_text_is_read_where_it_is_seen_and_else_told(tmp_path: Path) -> None:
    white = f"1 g {drawn(SENTENCE, at=(50, 650))}"
    page = made(tmp_path / "a.pdf", white)
    assert page.paragraphs == (OTHER,)
    assert lost(page) == {LostWhat.HIDDEN: characters_of(SENTENCE)}
    for ground in ("0 0 0.5 rg 40 640 300 25 re f ", "0 0 0.2 rg 0 0 600 690 re f "):
        page = made(tmp_path / "a.pdf", ground + white)
        assert SENTENCE in page.text
        assert page.lost == ()


def test_text_without_ink_under_the_same_text_comes_once(tmp_path: Path) -> None:
    lines = [f"{number}. {SENTENCE}" for number in range(1, 13)]
    seen = "".join(drawn(line, at=(50, 660 - 20 * place)) for place, line in enumerate(lines))
    copy = "".join(
        drawn(line.replace("lock", "1ock"), at=(51, 661 - 20 * place)).replace("Td", "Td 3 Tr")
        for place, line in enumerate(lines)
    )
    alone = drawn("Nobody draws this.", at=(50, 100)).replace("Td", "Td 3 Tr")
    page = made(tmp_path / "a.pdf", seen + copy + alone)
    assert page.text.count("keeper closes") == len(lines)
    assert "1ock" not in page.text
    assert "Nobody draws this." in page.text


def test_a_watermark_across_the_page_parts_no_lines(tmp_path: Path) -> None:
    text = [
        "The keeper of the northern bridge shall light every lantern before",
        "dusk and shall keep the oil dry during the months of winter, and the",
        "town shall pay for the oil within thirty days of the receipt of a bill.",
    ]
    lines = "".join(drawn(line, at=(50, 500 - 14 * place)) for place, line in enumerate(text))
    mark = "BT /F 90 Tf 0.7 0.7 -0.7 0.7 250 200 Tm (DRAFT) Tj ET\n"
    page = made(tmp_path / "a.pdf", lines + mark)
    assert page.paragraphs == (OTHER, " ".join(text), "DRAFT")


def test_a_stamp_across_a_line_does_not_come_among_its_letters(tmp_path: Path) -> None:
    lines = "".join(drawn(SENTENCE, at=(50, 500 - 15 * place)) for place in range(5))
    stamp = "BT /F 14 Tf 0.87 0.5 -0.5 0.87 190 430 Tm (RECEIVED 12 MAR 1990) Tj ET\n"
    page = made(tmp_path / "a.pdf", lines + stamp)
    assert page.text.count(SENTENCE) == 5
    assert "RECEIVED 12 MAR 1990" in page.paragraphs


@pytest.mark.parametrize("at", [(50, 40), (50, 790), (700, 400)])
def test_what_is_outside_of_the_page_is_told_and_not_read(tmp_path: Path, at: tuple[int, int]) -> None:
    page = made(tmp_path / "a.pdf", drawn(SENTENCE, at=at), page="/CropBox [0 100 600 780]")
    assert page.paragraphs == (OTHER,)
    assert lost(page) == {LostWhat.MARGIN: characters_of(SENTENCE)}


@pytest.mark.parametrize("needs_rendering", ["/NeedsRendering true", ""])
def test_a_form_that_only_adobe_shows_is_refused(tmp_path: Path, needs_rendering: str) -> None:
    with pytest.raises(ExtractionFailed, match="XFA") as refused:
        made(
            tmp_path / "a.pdf",
            "",
            stream(b"<xdp/>"),
            catalog=f"{needs_rendering} /AcroForm << /Fields [] /XFA 6 0 R >>",
        )
    assert refused.value.code == "unsupported_type"


def test_a_form_with_fields_on_its_pages_is_read_despite_xfa(tmp_path: Path) -> None:
    catalog = "/AcroForm << /Fields [6 0 R] /XFA 7 0 R >>"
    field = FIELD.format(f"/FT /Tx /V ({SENTENCE})")
    page = made(tmp_path / "a.pdf", "", field, stream(b"<xdp/>"), page="/Annots [6 0 R]", catalog=catalog)
    assert SENTENCE in page.paragraphs
