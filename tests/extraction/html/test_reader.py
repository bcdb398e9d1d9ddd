"""Web pages give the document in them."""

from pathlib import Path

import pytest

from extraction import extract
from extraction.document import Lost, LostWhat
from extraction.html.reader import DEPTH_LIMIT


def read(tmp_path: Path, html: str | bytes, encoding: str = "utf-8") -> list[str]:
    path = tmp_path / "page.html"
    path.write_bytes(html if isinstance(html, bytes) else html.encode(encoding))
    return [text for page in extract(path) for text in page.paragraphs]


BODY = "<p>" + "הוראות המפקח חלות על כל תאגיד בנקאי. " * 10 + "</p>"


def test_blocks_are_paragraphs_and_inline_tags_are_not(tmp_path: Path) -> None:
    html = "<html><head><title>לא</title></head><body><h1>כותרת</h1><p>מילה <b>מוד</b>גשת<br>שורה</p>טקסט<div>סוף</div>"
    assert read(tmp_path, html) == ["כותרת", "מילה מודגשת", "שורה", "טקסט", "סוף"]


def test_number_and_heading_in_neighbouring_elements_stay_apart(tmp_path: Path) -> None:
    html = (
        '<h3><span class="no">3A</span><span class="title">Mules</span></h3><p><span>(1)</span> A mule.'
        '<p>The [<a href="#c1">F1</a><span>canal trust</span>] keeps it.<p><b>1</b><i>st</i> boat'
        '<p><span>1831</span><p><span>Sloops</span><p><a href="#s">See</a>saw'
    )
    expected = ["3A Mules", "(1) A mule.", "The [F¹ canal trust] keeps it.", "1st boat", "1831", "Sloops", "Seesaw"]
    assert read(tmp_path, html) == expected


def test_list_numbers_are_written_out(tmp_path: Path) -> None:
    html = (
        "<ol start=3><li>שלוש<li>ארבע<ol style='list-style-type: hebrew'><li>א<li value=15>טו</ol><li>חמש</ol>"
        "<ol type=i><li><p>one</p></ol><ol type=A reversed start=2><li>b<li>a</ol><ul><li>plain</ul>"
        "<ol style='list-style:none'><li>bare</ol>"
    )
    assert read(tmp_path, html) == [
        "3. שלוש",
        "4. ארבע",
        "א. א",
        "טו. טו",
        "5. חמש",
        "i. one",
        "B. b",
        "A. a",
        "plain",
        "bare",
    ]


def test_item_that_begins_with_a_list_keeps_its_number(tmp_path: Path) -> None:
    assert read(tmp_path, "<ol><li><ol type=a><li>x</ol></ol>") == ["1.", "a. x"]


def test_table_rows_are_cells_by_tab(tmp_path: Path) -> None:
    html = "<table><tr><th>שם<th>סכום<tr><td><p>אגרה</p><p>שנתית</p><td>120<tr><td><td>5</table>"
    assert read(tmp_path, html) == ["שם\tסכום", "אגרה שנתית\t120", "\t5"]


def test_layout_tables_are_paragraphs(tmp_path: Path) -> None:
    html = "<table><tr><td>תפריט<td><p>א</p><table><tr><td>1<td>2</table><p>ב</p></table>"
    assert read(tmp_path, html) == ["תפריט", "א", "1\t2", "ב"]


def test_the_site_round_the_document_is_left_out(tmp_path: Path) -> None:
    html = (
        "<html><body><div class='site-header'><a href=/>ראשי</a></div><nav>ניווט</nav><form><input>חיפוש</form>"
        f"<div id=content><h1>חוזר</h1>{BODY}</div><div hidden>סוד</div><script>x()</script>"
        "<div class='share-buttons'><a>שתף</a></div><footer>כל הזכויות</footer></body></html>"
    )
    assert read(tmp_path, html) == ["חוזר", BODY[3:-4].strip()]


def test_main_element_is_document_when_it_holds_most_of_text(tmp_path: Path) -> None:
    assert read(tmp_path, f"<div>צד</div><main>{BODY}</main>") == [BODY[3:-4].strip()]
    assert read(tmp_path, f"<main>תפריט</main><div>{BODY}</div>") == ["תפריט", BODY[3:-4].strip()]


def test_form_round_the_whole_page_is_not_boilerplate(tmp_path: Path) -> None:
    assert read(tmp_path, f"<form><h1>חוזר</h1>{BODY}</form>")[0] == "חוזר"


def test_raised_digits_do_not_join_the_number_before(tmp_path: Path) -> None:
    assert read(tmp_path, '<p>התשנ"ט-1999<sup>2</sup>, 10 מ<sup>2</sup></p>') == ['התשנ"ט-1999², 10 מ²']


def test_hidden_text_is_told_but_not_what_is_round_the_document(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    document = "<main><p>" + "The bridge is open to carts. " * 20 + "</p>{}</main>"
    told = document.format(
        f"<div style='display:none'>{'Carts pay a toll. ' * 10}</div><input value='two carts'>"
        "<svg><text>north</text></svg>"
    )
    path.write_text(f"<html><body><form><input value=search></form>{told}</body></html>")
    [page] = extract(path)
    assert page.lost == (Lost(LostWhat.FORM, 8), Lost(LostWhat.SHAPE, 5), Lost(LostWhat.HIDDEN, 140))
    ordinary = document.format(
        "<div hidden><a href=x>" + "A link of the menu. " * 20 + "</a></div><div hidden>Menu</div>"
    )
    path.write_text(f"<html><body><form><input value=search></form>{ordinary}</body></html>")
    [page] = extract(path)
    assert page.lost == ()


def test_a_hidden_section_of_a_long_document_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    shown, hidden = "<p>The bridge is open to carts.</p>" * 400, "<div hidden>{}</div>"
    for times, told in ((45, ()), (46, (Lost(LostWhat.HIDDEN, 506),))):
        path.write_text(f"<html><body>{shown}{hidden.format('Nobody fish. ' * times)}</body></html>")
        [page] = extract(path)
        assert page.lost == told


def test_preformatted_lines_stay_lines(tmp_path: Path) -> None:
    assert read(tmp_path, "<pre>א\n  ב</pre>") == ["א", "ב"]


@pytest.mark.parametrize(
    ("declaration", "encoding"),
    [
        ("<meta charset=windows-1255>", "cp1255"),
        ("<meta http-equiv=content-type content='text/html; charset=iso-8859-8-i'>", "cp1255"),
        ("", "cp1255"),
        ("<meta charset=windows-1255>", "utf-8"),
        ("<meta charset=no-such-thing>", "utf-8"),
        ("<meta charset=utf-8>", "cp1255"),
        ("", "utf-16"),
    ],
)
def test_hebrew_is_decoded_whatever_the_page_says(tmp_path: Path, declaration: str, encoding: str) -> None:
    html = f"<html><head>{declaration}</head><body><p>חוזר מנכ״ל – הנחיות</p></body></html>"
    html = html.replace("״", '"') if encoding == "cp1255" else html
    assert read(tmp_path, html, encoding)[0].startswith("חוזר מנכ")


def test_visual_hebrew_is_turned_round(tmp_path: Path) -> None:
    line = '(2) ,2004-ד"סשתה ,השירפ ליג קוח<br>םירומאה םיאנתה תא 25.3% עבקי רשה'
    html = f"<html><meta charset=iso-8859-8><body><p>{line}</p></body></html>"
    assert read(tmp_path, html, "iso8859-8") == [
        'חוק גיל פרישה, התשס"ד-2004, (2)',
        "השר יקבע 25.3% את התנאים האמורים",
    ]


def test_logical_hebrew_that_calls_itself_visual_stays(tmp_path: Path) -> None:
    html = "<html><meta charset=iso-8859-8><p>תנאים לרישום מוסדות בפנקס</p></html>"
    assert read(tmp_path, html, "iso8859-8") == ["תנאים לרישום מוסדות בפנקס"]


@pytest.mark.deep
@pytest.mark.parametrize("tag", ["<div>", "<b>", "<ul><li>", "<table><tr><td>", "<p><font>"])
def test_a_hundred_thousand_levels_are_read_in_bounded_time(tmp_path: Path, tag: str) -> None:
    assert read(tmp_path, "<html><body>" + tag * 100_000 + "<p>שלום") == ["שלום"]


def test_deep_but_closed_nesting_does_not_swallow_what_follows(tmp_path: Path) -> None:
    deep = "<div>" * (2 * DEPTH_LIMIT) + "עומק" + "</div>" * (2 * DEPTH_LIMIT)
    assert read(tmp_path, f"<html><body>{deep}<p>אחרי</p>") == ["עומק", "אחרי"]


def test_forbidden_characters_by_number_are_dropped(tmp_path: Path) -> None:
    assert read(tmp_path, "<p>a&#0;&#xD800;b&nbsp;c</p>")[0].replace("\ufffd", "") == "ab c"


def test_a_reversed_list_counts_down_to_one(tmp_path: Path) -> None:
    page = "<ol reversed><li>c<ol><li>inner</ol><li>b<li>a</ol>"
    assert read(tmp_path, page) == ["3. c", "1. inner", "2. b", "1. a"]


def test_lists_are_numbered_as_the_style_of_the_page_says(tmp_path: Path) -> None:
    style = "<style>ol.he, x {color:red; list-style-type: hebrew} .greek > li {list-style: lower-greek}</style>"
    html = (
        f"{style}<ol class='a he'><li>פנס<li>שמן</ol><ol class=greek><li>one</ol>"
        "<ol><li style='list-style-type:lower-alpha'>two<li type=I>three</ol>"
        "<ol style='list-style:decimal-leading-zero'><li>four</ol>"
    )
    assert read(tmp_path, html) == ["א. פנס", "ב. שמן", "α. one", "a. two", "II. three", "01. four"]


def test_quotation_marks_that_a_browser_adds_are_read(tmp_path: Path) -> None:
    assert read(tmp_path, "<p>It says <q>lamp means light</q>.</p>") == ["It says “lamp means light”."]


def test_what_a_page_marks_as_deleted_is_not_the_text(tmp_path: Path) -> None:
    html = "<main><p>The fee is <del>forty</del><ins>fifty</ins> crowns.</p><del><p>It is paid daily.</p></del></main>"
    assert read(tmp_path, html) == ["The fee is fifty crowns."]


def test_a_page_tells_that_most_of_it_was_deleted(tmp_path: Path) -> None:
    path = tmp_path / "lamps.html"
    path.write_text("<h1>Lamps</h1><del><p>A lamp is lit at dusk.</p></del>", encoding="utf-8")
    [page] = extract(path)
    assert (page.paragraphs, page.lost) == (("Lamps",), (Lost(LostWhat.HIDDEN, 17),))


def test_inline_elements_that_are_shown_as_blocks_are_paragraphs(tmp_path: Path) -> None:
    html = "<p><span style='display:block'>First</span><span style='display: block'>Second</span> <b>third</b></p>"
    assert read(tmp_path, html) == ["First", "Second", "third"]


def test_a_character_set_is_found_behind_scripts_or_by_words(tmp_path: Path) -> None:
    text = "<p>café naïve façade</p>"
    late = f"<head><!--{'x' * 6_000}--><meta charset=windows-1252></head>{text}"
    for html in (late, f"<html>{text}"):
        assert read(tmp_path, html, "cp1252") == ["café naïve façade"]


@pytest.mark.parametrize(
    ("field", "characters"),
    [("<select><option>lit<option selected>out</select>", 3), ("<input type=checkbox checked> lit", 1)],
)
def test_what_is_chosen_in_a_form_is_told(tmp_path: Path, field: str, characters: int) -> None:
    path = tmp_path / "page.html"
    path.write_text(f"<html><body>{BODY}<p>State: {field}</p>", encoding="utf-8")
    (page,) = extract(path)
    assert page.lost == (Lost(LostWhat.FORM, characters),)
