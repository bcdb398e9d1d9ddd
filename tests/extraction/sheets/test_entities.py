"""XML of a workbook that names entities: nothing from outside comes in, and nothing grows."""

import zipfile
from pathlib import Path

import pytest
from openpyxl import Workbook

from extraction import ExtractionFailed, extract

SHEET = "xl/worksheets/sheet1.xml"
GROWING = "".join(f'<!ENTITY g{n + 1} "{f"&g{n};" * 10}">' for n in range(9))


def workbook(path: Path, entities: str) -> Path:
    """A workbook whose only cell names the entity `a`, which its sheet declares."""
    book, whole = Workbook(), path.with_name("whole.xlsx")
    book.worksheets[0]["A1"] = "before"
    book.save(whole)
    with zipfile.ZipFile(whole) as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            part = source.read(name)
            if name == SHEET:
                part = f"<!DOCTYPE worksheet [{entities}]>".encode() + part.replace(b"before", b"before &a;")
            target.writestr(name, part)
    return path


def test_entities_are_not_resolved(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("outside", encoding="ascii")
    for entities in (f'<!ENTITY a SYSTEM "file://{tmp_path}/secret">', f'<!ENTITY g0 "x">{GROWING}<!ENTITY a "&g9;">'):
        with pytest.raises(ExtractionFailed) as refusal:
            list(extract(workbook(tmp_path / "book.xlsx", entities)))
        assert refusal.value.code == "corrupt"
