"""Text files of any encoding and size."""

from pathlib import Path

import pytest

from extraction import ExtractionFailed, Page, extract
from extraction.document import PART_CHARACTERS, PART_PARAGRAPHS


def read(tmp_path: Path, content: bytes, name: str = "file.txt") -> list[Page]:
    path = tmp_path / name
    path.write_bytes(content)
    return list(extract(path))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1255", "utf-16", "utf-16-le", "utf-16-be"])
def test_hebrew_is_read_in_every_usual_encoding(tmp_path: Path, encoding: str) -> None:
    text = "חוק המעבר\r\n  1. שם – הכנסת\r\rסוף\n"
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")
    pages = read(tmp_path, mark + text.encode(encoding))
    assert [page.paragraphs for page in pages] == [("חוק המעבר", "1. שם – הכנסת", "סוף")]


def test_one_damaged_character_does_not_turn_utf8_into_windows_1255(tmp_path: Path) -> None:
    content = ("שלום עולם " * 30).encode() + b"\xff" + "סוף".encode()
    assert "שלום עולם" in read(tmp_path, content)[0].text


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
