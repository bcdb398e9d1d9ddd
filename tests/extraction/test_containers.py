"""Archives and messages come apart in the reader's process, and hostile ones give nothing."""

import shutil
import stat
import zipfile
import zlib
from pathlib import Path

import pytest

from extraction import ExtractionFailed, Format, extract
from extraction.containers.members import Member, format_of_container
from extraction.containers.unpacking import MAX_ENTRIES, MAX_MEMBERS
from extraction.isolation import unpack
from tests.extraction.offices import mail, pptx_file, with_macros, xlsx_file, zip_file
from tests.extraction.pdf.making import holding

MOST = 1 << 20


def opened(path: Path, most_bytes: int = MOST) -> list[Member]:
    directory = path.parent / "unpacked"
    directory.mkdir()
    return unpack(path, directory, filename=path.name, most_bytes=most_bytes)


def archive(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in members.items():
            made.writestr(name, content)
    return path


def with_flag(path: Path, flag: int) -> Path:
    """The archive with a flag set in the headers of all its members."""
    content = bytearray(path.read_bytes())
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = content.find(mark)
        while place >= 0:
            content[place + at] |= flag
            place = content.find(mark, place + 4)
    path.write_bytes(content)
    return path


def test_archives_give_their_files_and_what_is_in_them(tmp_path: Path) -> None:
    message = mail(("נוהל.pdf", b"%PDF-1.4"), ("picture.png", b"\x89PNG")).as_bytes()
    inner = archive(tmp_path / "inner.zip", {"c.txt": b"c"}).read_bytes()
    damaged = inner[:-30]
    members = {
        **{"a.txt": b"a", "folder/b.txt": b"b", "folder/": b"", "inner.zip": inner, "mails/m.eml": message},
        **{"__MACOSX/._a.txt": b"x", ".DS_Store": b"x", "damaged.zip": damaged},
    }
    found = opened(archive(tmp_path / "all.zip", members))
    assert [(one.name, one.within, one.attached_to, one.code) for one in found] == [
        ("a.txt", "all.zip", None, ""),
        ("b.txt", "all.zip/folder", None, ""),
        ("c.txt", "all.zip/inner.zip", None, ""),
        ("m.eml", "all.zip/mails", None, ""),
        ("נוהל.pdf", "all.zip/mails/m.eml", 3, ""),
        ("picture.png", "all.zip/mails/m.eml", 3, ""),
        ("damaged.zip", "all.zip", None, ""),
    ]
    assert [(tmp_path / "unpacked" / one.file).read_bytes() for one in found[:3]] == [b"a", b"b", b"c"]
    assert (tmp_path / "unpacked" / found[4].file).read_bytes() == b"%PDF-1.4"


def test_workbooks_and_slides_come_out_of_messages_and_archives(tmp_path: Path) -> None:
    book = with_macros(xlsx_file(tmp_path / "fees.xlsx", ["Fee", 7])).read_bytes()
    slides = pptx_file(tmp_path / "course.pptx", "Pilots").read_bytes()
    (tmp_path / "a.eml").write_bytes(mail(("fees.xlsm", book), ("course.pptx", slides)).as_bytes())
    archive = zip_file(tmp_path / "a.zip", fees_xlsm=book, inner__course_pptx=slides)
    for path in (tmp_path / "a.eml", archive):
        directory = tmp_path / f"out of {path.name}"
        directory.mkdir()
        members = unpack(path, directory, filename=path.name, most_bytes=1 << 24)
        texts = {
            one.name: next(extract(directory / one.file, filename=one.name)).text
            for one in members
            if one.file and one.name != path.name
        }
        assert texts == {"fees.xlsm": "Fee\t7", "course.pptx": "Pilots"}


@pytest.mark.parametrize(
    ("encoding", "name"), [("cp862", "חוק הגשרים.txt"), ("cp1255", "חוק הגשרים.txt"), ("utf-8", "חוק הגשרים.txt")]
)
def test_hebrew_names_are_read_in_code_pages_that_archives_have(tmp_path: Path, encoding: str, name: str) -> None:
    raw = name.encode(encoding)
    placeholder = "x" * len(raw)
    path = archive(tmp_path / "a.zip", {placeholder: b"text"})
    path.write_bytes(path.read_bytes().replace(placeholder.encode(), raw))
    assert [one.name for one in opened(path)] == [name]


def renamed(path: Path, placeholder: str, raw: bytes) -> Path:
    path.write_bytes(path.read_bytes().replace(placeholder.encode(), raw))
    return path


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("נספח ב - חוק (2).pdf".encode("cp862"), "נספח ב - חוק (2).pdf"),
        ("נספח – חוק.pdf".encode("cp1255"), "נספח – חוק.pdf"),
        ("résumé.pdf".encode("cp437"), "résumé.pdf"),
    ],
)
def test_letters_that_stand_alone_tell_the_code_page_of_a_name(tmp_path: Path, raw: bytes, name: str) -> None:
    path = archive(tmp_path / "a.zip", {"x" * len(raw): b"text"})
    assert [one.name for one in opened(renamed(path, "x" * len(raw), raw))] == [name]


def test_a_name_in_the_extra_field_counts(tmp_path: Path) -> None:
    path, name = tmp_path / "a.zip", "רציף.txt".encode()
    with zipfile.ZipFile(path, "w") as made:
        info = zipfile.ZipInfo("xxxx.txt")
        info.extra = b"\x75\x70" + (5 + len(name)).to_bytes(2, "little") + bytes(5) + name
        made.writestr(info, "text")
    assert [one.name for one in opened(renamed(path, "xxxx", b"\xff\xfe\xff\xfe"))] == ["רציף.txt"]


def test_names_that_begin_where_the_archive_is_are_taken(tmp_path: Path) -> None:
    names = ("./a.txt", ".//./b.txt", "./laws/c.txt", "laws/./d.txt", "./", "laws\\")
    found = opened(archive(tmp_path / "a.zip", dict.fromkeys(names, b"text")))
    assert [f"{one.within}/{one.name}" for one in found] == [
        "a.zip/a.txt",
        "a.zip/b.txt",
        "a.zip/laws/c.txt",
        "a.zip/laws/d.txt",
    ]


def test_files_of_systems_and_offices_are_skipped(tmp_path: Path) -> None:
    names = ("~$aw.docx", "laws/~$aw.docx", "__MACOSX/._a.pdf", "._a.pdf", "./.DS_Store", "Thumbs.db", "x/desktop.ini")
    found = opened(archive(tmp_path / "a.zip", dict.fromkeys((*names, ".git/config", "~a.txt"), b"text")))
    assert [one.name for one in found] == ["~a.txt"]


def test_a_document_that_is_passed_over_is_named(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", {"a.txt": b"text", ".2024/b.pdf": b"text"})
    link = zipfile.ZipInfo("c.pdf")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "a") as made:
        made.writestr(link, "a.txt")
    found = opened(path)
    assert [(one.name, one.code) for one in found] == [
        ("a.txt", ""),
        ("b.pdf", "unsupported_type"),
        ("c.pdf", "unsupported_type"),
    ]
    assert "full stop" in found[1].detail
    assert "link" in found[2].detail


@pytest.mark.parametrize(("method", "name"), [(9, "Deflate64"), (98, "PPMd"), (93, "Zstandard"), (77, "method 77")])
def test_file_in_unknown_packing_is_named_and_others_are_taken(tmp_path: Path, method: int, name: str) -> None:
    path = archive(tmp_path / "a.zip", {"a.txt": b"text" * 9})
    content = path.read_bytes().replace(b"\x08\0", bytes([method, 0]))
    path.write_bytes(content)
    with zipfile.ZipFile(path, "a") as made:
        made.writestr("b.txt", "text")
    found = opened(path)
    assert [(one.name, one.code) for one in found] == [("a.txt", "unsupported_type"), ("b.txt", "")]
    assert name in found[0].detail


def nested(path: Path) -> Path:
    content = b"text"
    for depth in range(5):
        content = archive(path.parent / "layer.zip", {f"{depth}.zip" if depth else "a.txt": content}).read_bytes()
    return archive(path, {"ok.txt": b"text", "deep.zip": content})


@pytest.mark.parametrize(
    ("members", "flag", "code"),
    [
        ({"/etc/passwd": b"x", "a.txt": b"x"}, 0, "unsupported_type"),
        ({"../a.txt": b"x"}, 0, "unsupported_type"),
        ({"folder/../../a.txt": b"x"}, 0, "unsupported_type"),
        ({"C:\\a.txt": b"x"}, 0, "unsupported_type"),
        ({"a.txt": b"x"}, 1, "encrypted"),
        ({"a.txt": bytes(MOST), "b.txt": b"x"}, 0, "too_large"),
        ({f"{number}.txt": b"x" for number in range(MAX_MEMBERS + 1)}, 0, "too_large"),
        ({".hidden": b"x"}, 0, "empty"),
        ({"./../a.txt": b"x"}, 0, "unsupported_type"),
    ],
)
def test_an_archive_that_is_hostile_gives_nothing(
    tmp_path: Path, members: dict[str, bytes], flag: int, code: str
) -> None:
    path = with_flag(archive(tmp_path / "a.zip", members), flag)
    with pytest.raises(ExtractionFailed) as caught:
        opened(path)
    assert caught.value.code == code
    assert list((tmp_path / "unpacked").iterdir()) == []


def test_an_archive_that_lies_or_is_too_deep_gives_nothing(tmp_path: Path) -> None:
    bomb = archive(tmp_path / "inner.zip", {"a.txt": bytes(600_000)}).read_bytes()
    with pytest.raises(ExtractionFailed) as caught:
        opened(archive(tmp_path / "bomb.zip", {f"{number}.zip": bomb for number in range(3)}))
    assert caught.value.code == "too_large"
    (tmp_path / "deep").mkdir()
    found = opened(nested(tmp_path / "deep" / "a.zip"))
    assert [(one.name, one.code) for one in found] == [("ok.txt", ""), ("3.zip", "unsupported_type")]


def test_what_lies_in_archives_in_an_archive_is_bounded_in_all_though_none_is_taken_in(tmp_path: Path) -> None:
    # Hidden files are passed over. Of an archive whose last file is damaged nothing is taken in.
    hidden = archive(tmp_path / "inner.zip", {"a.txt": b"x", **{f".{n}": b"" for n in range(4000)}}).read_bytes()
    torn = archive(tmp_path / "torn.zip", {**{f".{n}/a.txt": b"" for n in range(400)}, "z.txt": b"mark the place"})
    packed = zlib.compress(b"mark the place", wbits=-15)
    torn_content = torn.read_bytes().replace(packed, b"\xff" * len(packed))
    for inner, entries in ((hidden, 4001), (torn_content, 401)):
        times = MAX_ENTRIES // entries
        found = opened(archive(tmp_path / "a.zip", {f"{n}.zip": inner for n in range(times)}), 1 << 24)
        assert [one.code for one in found] == ["" if inner is hidden else "corrupt"] * times
        shutil.rmtree(tmp_path / "unpacked")
        with pytest.raises(ExtractionFailed, match=f"more than {MAX_ENTRIES} entries"):
            opened(archive(tmp_path / "a.zip", {f"{n}.zip": inner for n in range(times + 1)}), 1 << 24)
        shutil.rmtree(tmp_path / "unpacked")


def test_files_that_cannot_be_taken_in_count_as_those_that_can(tmp_path: Path) -> None:
    refused = archive(tmp_path / "inner.zip", {f".{n}/a.txt": b"" for n in range(MAX_MEMBERS)}).read_bytes()
    assert len(opened(archive(tmp_path / "a.zip", {"1.zip": refused}))) == MAX_MEMBERS
    shutil.rmtree(tmp_path / "unpacked")
    with pytest.raises(ExtractionFailed, match=f"more than {MAX_MEMBERS} documents"):
        opened(archive(tmp_path / "a.zip", {"1.zip": refused, "2.zip": refused}))


def names_of(found: list[Member]) -> list[tuple[str, str, int | None, str]]:
    return [(one.name, one.within, one.attached_to, one.code) for one in found]


def test_a_pdf_gives_itself_and_the_files_in_it_that_are_read(tmp_path: Path) -> None:
    path = tmp_path / "folder.pdf"
    hebrew = "<FEFF" + "נספח א.txt".encode("utf-16-be").hex() + ">"
    message = mail(("c.txt", b"c")).as_bytes()
    files = {
        hebrew.encode(): b"The lock keeper opens the gate.",
        b"(invoice.xml)": b"<?xml version='1.0'?><invoice><total>4</total></invoice>",
        b"(m.eml)": message,
        b"(" + "תרשים.txt".encode("cp1255") + b")": b"The ferry waits.",
        b"(same again.eml)": message,
    }
    path.write_bytes(holding(files, pinned={b"(pin.txt)": b"The bell rings twice."}))
    found = opened(path)
    assert names_of(found) == [
        ("folder.pdf", "", None, ""),
        ("נספח א.txt", "folder.pdf", 0, ""),
        ("m.eml", "folder.pdf", 0, ""),
        ("c.txt", "folder.pdf/m.eml", 2, ""),
        ("תרשים.txt", "folder.pdf", 0, ""),
        ("pin.txt", "folder.pdf", 0, ""),
    ]
    assert (tmp_path / "unpacked" / found[1].file).read_bytes() == b"The lock keeper opens the gate."
    assert not found[0].file


def test_a_pdf_in_an_archive_is_taken_even_if_its_parts_fail(tmp_path: Path) -> None:
    inmost = holding({b"(a.txt)": b"The lock keeper."})
    nested = holding({b"(3.pdf)": holding({b"(4.pdf)": inmost})})
    torn = holding({b"(a.txt)": b"The lock keeper."})[:200] + b" /EmbeddedFile"
    found = opened(archive(tmp_path / "a.zip", {"2.pdf": nested, "torn.pdf": torn}))
    assert names_of(found) == [
        ("2.pdf", "a.zip", None, ""),
        ("3.pdf", "a.zip/2.pdf", 0, ""),
        ("4.pdf", "a.zip/2.pdf/3.pdf", 1, ""),
        ("torn.pdf", "a.zip", None, ""),
    ]


def test_files_of_a_pdf_count_among_those_that_may_be_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(holding({b"(a.txt)": b"The lock keeper." * 100_000}))
    with pytest.raises(ExtractionFailed) as refusal:
        opened(path, most_bytes=1_000_000)
    assert refusal.value.code == "too_large"


@pytest.mark.parametrize(("content", "found"), [(holding({}), None), (holding({b"(a)": b"a"}), Format.PDF)])
def test_only_a_pdf_that_names_a_file_is_opened_for_files(tmp_path: Path, content: bytes, found: Format | None) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(content.replace(b"/EmbeddedFiles", b"/OtherFilesThere") if found is None else content)
    assert format_of_container(path, "a.pdf") is found
