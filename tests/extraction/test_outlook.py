"""Messages that Outlook saved itself are read as the same message in a mail file would be."""

import contextlib
import struct
from pathlib import Path

import pytest

from extraction import ExtractionFailed, Format, detect, extract
from extraction.document import LostWhat
from extraction.isolation import unpack
from tests.extraction.compound import Tree, compound_file


def wide(name: int, value: str) -> Tree:
    return {f"__substg1.0_{name:04X}001F": value.encode("utf-16-le")}


def binary(name: int, value: bytes) -> Tree:
    return {f"__substg1.0_{name:04X}0102": value}


def fixed(head: int, *values: tuple[int, int, int]) -> Tree:
    """The properties of fixed size behind so many bytes: name, type and value."""
    rows = (struct.pack("<HHIQ", kind, name, 6, value) for name, kind, value in values)
    return {"__properties_version1.0": bytes(head) + b"".join(rows)}


def recipient(name: str, address: str, kind: int) -> Tree:
    return wide(0x3001, name) | wide(0x39FE, address) | fixed(8, (0x0C15, 3, kind))


def message(subject: str = "אגרות נמל", text: str = "הרציף נסגר.", *, head: int = 32, more: Tree | None = None) -> Tree:
    return wide(0x0037, subject) | wide(0x1000, text) | fixed(head) | (more or {})


def read(path: Path) -> list[str]:
    return [line for page in extract(path) for line in page.paragraphs]


def unpacked(path: Path) -> dict[str, bytes]:
    directory = path.parent / "unpacked"
    directory.mkdir()
    members = unpack(path, directory, filename=path.name, most_bytes=1 << 20)
    return {one.name: (directory / one.file).read_bytes() if one.file else b"" for one in members}


def test_it_says_who_wrote_to_whom_and_when(tmp_path: Path) -> None:
    sent = 134_000_000_000_000_000  # 100 nanoseconds since 1601
    tree = message(more=wide(0x0C1A, "נועה") | wide(0x5D01, "noa@example.org") | fixed(32, (0x0039, 0x40, sent)))
    tree["__recip_version1.0_#00000000"] = recipient("Dov, Port", "dov@example.org", 1)
    tree["__recip_version1.0_#00000001"] = recipient("Registry", "/o=Port/cn=registry", 2)
    path = compound_file(tmp_path / "a.msg", tree)
    assert detect(path) is Format.MSG
    assert read(path) == [
        "אגרות נמל",
        "From: נועה <noa@example.org>",
        'To: "Dov, Port" <dov@example.org>',
        "Cc: Registry",
        "Date: Mon, 18 Aug 2025 14:13:20 +0000",
        "הרציף נסגר.",
    ]


def test_the_headers_of_its_travel_and_its_html_count(tmp_path: Path) -> None:
    headers = wide(
        0x007D, "Received: by port\r\nFrom: Noa <noa@example.org>\r\nDate: Mon, 5 Jan 2026 10:00:00 +0200\r\n"
    )
    html = '<meta charset="windows-1255"><p>אגרה</p><table><tr><td>גוררת<td>40<tr><td>סירה<td>7</table>'.encode(
        "cp1255"
    )
    path = compound_file(tmp_path / "a.msg", message(text="אגרה", more=headers | binary(0x1013, html)))
    assert read(path)[1:] == [
        "From: Noa <noa@example.org>",
        "Date: Mon, 05 Jan 2026 10:00:00 +0200",
        "אגרה",
        "גוררת\t40",
        "סירה\t7",
    ]


def test_what_is_attached_comes_out_and_a_message_in_it_is_a_message(tmp_path: Path) -> None:
    inner = message("Inner", "The inner quay.", head=24)
    tree = message(
        more={
            "__attach_version1.0_#00000000": wide(0x3707, "נוהל.txt") | binary(0x3701, "אגרה".encode()) | fixed(8),
            "__attach_version1.0_#00000001": wide(0x3001, "Inner") | {"__substg1.0_3701000D": inner} | fixed(8),
        }
    )
    path = compound_file(tmp_path / "a.msg", tree)
    assert read(path)[-1] == "Attachments: נוהל.txt, Inner.eml"
    found = unpacked(path)
    assert list(found) == ["a.msg", "נוהל.txt", "Inner.eml"]
    assert found["נוהל.txt"].decode() == "אגרה"
    assert b"The inner quay." in found["Inner.eml"]


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ({"__attach_version1.0_#00000000": {"__substg1.0_3701000D": {"CONTENTS": b"x"}}}, LostWhat.ATTACHMENT),
        (wide(0x1000, "") | binary(0x1009, b"LZFu"), LostWhat.FOREIGN),
        ({"__attach_version1.0_#00000000": wide(0x370E, "multipart/signed") | binary(0x3701, b"x")}, LostWhat.FOREIGN),
    ],
)
def test_what_is_not_read_is_told(tmp_path: Path, more: Tree, what: LostWhat) -> None:
    path = compound_file(tmp_path / "a.msg", message(more=more))
    assert [lost.what for page in extract(path) for lost in page.lost] == [what]


def test_text_of_eight_bits_is_read_by_its_words(tmp_path: Path) -> None:
    tree: Tree = {"__substg1.0_1000001E": "הרציף נסגר לשבוע".encode("cp1255")} | wide(0x0037, "x") | fixed(32)
    assert read(compound_file(tmp_path / "a.msg", tree)) == ["x", "הרציף נסגר לשבוע"]


def test_a_damaged_one_is_refused(tmp_path: Path) -> None:
    path = compound_file(tmp_path / "a.msg", message())
    content = path.read_bytes()
    for length in range(1_536, len(content), 512):
        path.write_bytes(content[:length])
        with contextlib.suppress(ExtractionFailed):  # nothing else
            read(path)
