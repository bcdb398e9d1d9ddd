"""Text files of any encoding and size."""

from pathlib import Path

import pytest

from extraction import ExtractionFailed, Page, extract
from extraction.document import PART_CHARACTERS, PART_PARAGRAPHS


def read(tmp_path: Path, content: bytes, name: str = "file.txt") -> list[Page]:
    path = tmp_path / name
    path.write_bytes(content)
    return list(extract(path))


@pytest.mark.parametrize("encoding", ["utf-7", "utf-8", "utf-8-sig", "cp1255", "utf-16", "utf-16-le", "utf-16-be"])
def test_hebrew_is_read_in_every_usual_encoding(tmp_path: Path, encoding: str) -> None:
    text = "חוק המעבר\r\n  1. שם – הכנסת\r\rסוף\n"
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")
    pages = read(tmp_path, mark + text.encode(encoding))
    assert [page.paragraphs for page in pages] == [("חוק המעבר", "1. שם – הכנסת", "סוף")]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("name", ["file.txt", "file.html"])
def test_utf16_without_its_mark_is_read(tmp_path: Path, encoding: str, name: str) -> None:
    for line in ("The keeper lights the lamp “at dusk”.", "השומר מדליק את הפנס ״בערב״ – 7"):
        text = f"<html><body>{line}</body></html>" if name.endswith("html") else f"{line}\n"
        assert read(tmp_path, text.encode(encoding), name)[0].paragraphs == (line,)
    with pytest.raises(ExtractionFailed, match="binary"):
        read(tmp_path, bytes(range(1, 60)) + bytes(60))


@pytest.mark.parametrize(
    "text", ["Call +972-3-555 or +1 5.", "C++ and A+B, 1+1=2", "x+AAA- y", "Zm9v+YmFy+ 123", "Roads +- 3"]
)
def test_a_plus_among_words_packs_no_letters(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text.encode())[0].text == text


def test_one_damaged_character_does_not_turn_utf8_into_windows_1255(tmp_path: Path) -> None:
    content = ("שלום עולם " * 30).encode() + b"\xff" + "סוף".encode()
    assert "שלום עולם" in read(tmp_path, content)[0].text


def test_a_short_text_with_much_damage_is_still_utf8(tmp_path: Path) -> None:
    content = "תנאי הסעיף".encode() + b"\xed\xa0\x80" + " סוף".encode()
    text = read(tmp_path, content)[0].text
    assert text.startswith("תנאי הסעיף")
    assert text.endswith("סוף")


def test_long_file_comes_in_bounded_parts(tmp_path: Path) -> None:
    pages = read(tmp_path, b"".join(b"line %d\n" % number for number in range(1_300)))
    assert [len(page.paragraphs) for page in pages] == [PART_PARAGRAPHS, PART_PARAGRAPHS, 300]
    assert {page.number for page in pages} == {None}


def test_line_that_never_ends_is_cut_between_words(tmp_path: Path) -> None:
    pages = read(tmp_path, b"word " * 100_000)
    assert all(len(page.text) <= 2 * PART_CHARACTERS for page in pages)
    assert sum(page.text.count("word") for page in pages) == 100_000


def test_line_without_spaces_keeps_every_character(tmp_path: Path) -> None:
    pages = read(tmp_path, b"x" * 350_000)
    assert sum(page.text.count("x") for page in pages) == 350_000


def test_white_space_alone_is_empty(tmp_path: Path) -> None:
    with pytest.raises(ExtractionFailed) as caught:
        read(tmp_path, b" \n\t\n")
    assert caught.value.code == "empty"


HARBOUR = (
    "תקנות אגרות הנמלים, 1. רב חובל של ספן זר ישלם אגרה. (ב) הממונה על החוף ידאג לרציפים ולעוגנים.",
    "The pilot’s fee – “£20” – is due on the quay of the café, à la carte, naïve as it is; § 5.",
    "Владелец причала обязан проверять канаты каждые шесть месяцев и хранить журнал",
    "岸壁の所有者は六か月ごとに綱を検査しなければならない",
    "Le maître du port exige une redevance élevée où l’été a été très agité",
)


def visual(text: str) -> str:
    return "\r\n".join(reversed_line[::-1] for reversed_line in text.split("\n"))


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (HARBOUR[0], "cp862"),
        (HARBOUR[0], "iso8859_8"),
        (HARBOUR[1], "cp1252"),
        (HARBOUR[1].replace("£", "₪").replace("é", "e").replace("ï", "i").replace("à", "a"), "cp1255"),
        (HARBOUR[4], "cp1252"),
        ("The quay measures 3 × 4 m, ½ of it “dry”.", "cp1252"),
        ("The quay is “closed”.\n(א) רציף", "cp1255"),
    ],
)
def test_code_pages_are_told_by_the_words_that_they_make(tmp_path: Path, text: str, encoding: str) -> None:
    assert read(tmp_path, text.encode(encoding))[0].text == text


@pytest.mark.parametrize(
    "content",
    [
        *(HARBOUR[2].encode(encoding) for encoding in ("cp1251", "koi8-r", "cp866", "iso8859_5")),
        *(HARBOUR[3].encode(encoding) for encoding in ("shift_jis", "euc_jp")),
        HARBOUR[4].encode("cp850", "replace"),
        HARBOUR[4].encode("mac_roman"),
        HARBOUR[0].replace(" ", "").replace(",", "").encode("cp1255") * 3,
    ],
)
def test_what_makes_no_words_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(ExtractionFailed, match="Save it as UTF-8") as caught:
        read(tmp_path, content)
    assert caught.value.code == "corrupt"


GLUED = "שםהמזח אורכוברגליםשל מזח חכליטעינה\tמספרםהסידורי של כליהשיטםהקטן\nקולוןשל ספןזר בנמלםהצפוני\n"


@pytest.mark.parametrize("name", ["law.txt", "law.md"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("text", [GLUED, HARBOUR[0].encode().decode("cp1252", "ignore")], ids=["glued", "saved twice"])
def test_unicode_is_never_refused_for_its_words(tmp_path: Path, name: str, encoding: str, text: str) -> None:
    with_table = f"צו בדבר אגרות\n\n{text}"
    page, *others = read(tmp_path, with_table.encode(encoding), name)
    assert not others
    assert page.paragraphs[0] == "צו בדבר אגרות"
    assert page.warnings == ("Much of the text makes no words. Check it against the file.",)
    assert read(tmp_path, HARBOUR[0].encode(encoding), name)[0].warnings == ()
    with pytest.raises(ExtractionFailed):
        read(tmp_path, GLUED.encode("cp1255"), name)


@pytest.mark.parametrize("encoding", ["iso8859_8", "cp862", "cp1255", "utf-8", "utf-16"])
def test_lines_in_screen_order_are_turned_round(tmp_path: Path, encoding: str) -> None:
    lines = ("רב חובל של ספן זר ישלם אגרה", "הממונה על החוף ידאג לרציפים ולעוגנים (ראו להלן)", "Quay 5")
    on_screen = "\r\n".join(line if line.isascii() else line.translate({40: 41, 41: 40})[::-1] for line in lines)
    assert read(tmp_path, on_screen.encode(encoding))[0].paragraphs == lines


@pytest.mark.parametrize("words", ["The harbour master inspects every quay.", "מנהל הנמל בודק כל רציף."])
@pytest.mark.parametrize(
    ("name", "written"),
    [("law.txt", "{}"), ("law.md", "# {}"), ("law.html", "<html><p>{}</p></html>")],
)
@pytest.mark.parametrize("padding", [8, 200, 70_000])
def test_a_padded_text_is_read_and_told(tmp_path: Path, name: str, written: str, words: str, padding: int) -> None:
    said = ("The file ends in bytes without text. Check whether its end is missing.",)
    for encoding in ("utf-8", "utf-16") if name == "law.txt" else ("utf-8",):
        [page] = read(tmp_path, written.format(words).encode(encoding) + bytes(padding), name)
        assert (page.paragraphs, page.warnings) == ((words,), said)
    assert read(tmp_path, written.format(words).encode(), name)[0].warnings == ()


@pytest.mark.parametrize("content", [bytes(5_000), b"\xff\xfe", b"\xfe\xff" + bytes(100), b"\xef\xbb\xbf \n"])
def test_nothing_but_padding_is_empty(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(ExtractionFailed) as caught:
        read(tmp_path, content)
    assert caught.value.code == "empty"
