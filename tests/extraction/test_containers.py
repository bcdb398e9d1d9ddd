"""Archives and messages come apart in the reader's process, and hostile ones give nothing."""

import zipfile
from pathlib import Path

import pytest

from extraction import ExtractionFailed
from extraction.containers.members import Member
from extraction.containers.unpacking import MOST_MEMBERS
from extraction.isolation import unpack
from tests.extraction.offices import mail

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


def test_an_archive_gives_its_files_those_of_archives_in_it_and_what_is_attached(tmp_path: Path) -> None:
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


@pytest.mark.parametrize(
    ("encoding", "name"), [("cp862", "חוק הגשרים.txt"), ("cp1255", "חוק הגשרים.txt"), ("utf-8", "חוק הגשרים.txt")]
)
def test_hebrew_names_are_read_in_the_code_pages_that_archives_have(tmp_path: Path, encoding: str, name: str) -> None:
    raw = name.encode(encoding)
    placeholder = "x" * len(raw)
    path = archive(tmp_path / "a.zip", {placeholder: b"text"})
    path.write_bytes(path.read_bytes().replace(placeholder.encode(), raw))
    assert [one.name for one in opened(path)] == [name]


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
        ({f"{number}.txt": b"x" for number in range(MOST_MEMBERS + 1)}, 0, "too_large"),
        ({".hidden": b"x"}, 0, "empty"),
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


def test_an_archive_that_says_less_than_it_unpacks_to_and_one_that_is_too_deep_give_nothing(tmp_path: Path) -> None:
    bomb = archive(tmp_path / "inner.zip", {"a.txt": bytes(600_000)}).read_bytes()
    with pytest.raises(ExtractionFailed) as caught:
        opened(archive(tmp_path / "bomb.zip", {f"{number}.zip": bomb for number in range(3)}))
    assert caught.value.code == "too_large"
    (tmp_path / "deep").mkdir()
    found = opened(nested(tmp_path / "deep" / "a.zip"))
    assert [(one.name, one.code) for one in found] == [("ok.txt", ""), ("3.zip", "unsupported_type")]
