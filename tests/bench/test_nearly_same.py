"""The measurement of what is nearly the same: its files hold the text, and its table adds up."""

from pathlib import Path

import pytest

from bench.nearly_same.result import Result, table
from bench.nearly_same.two_formats import write_docx, write_html, write_pdf, write_txt
from extraction import extract
from law.words.fingerprints import fingerprint, similarity
from tests.ingest.similar.texts import ENGLISH, HEBREW


@pytest.mark.parametrize("text", [HEBREW, ENGLISH], ids=["Hebrew", "English"])
def test_every_format_holds_the_text_with_what_its_program_adds(tmp_path: Path, text: str) -> None:
    for name, write in {"a.docx": write_docx, "a.pdf": write_pdf, "a.html": write_html, "a.txt": write_txt}.items():
        write(tmp_path / name, text)
        read = "\n".join(page.text for page in extract(tmp_path / name))
        assert similarity(fingerprint(text), fingerprint(read)) > 0.75, name


def test_the_table_counts_pairs_and_wrong_warnings() -> None:
    result = Result(asked={"Word → PDF": 2, "PDF → HTML": 1}, found={"Word → PDF": 1, "PDF → HTML": 1})
    result.wrong["law-1"] = "law-2 0.92"
    lines = table(result).splitlines()
    assert "| all pairs | 2 of 3 |" in lines
    assert "| Word → PDF | 1 of 2 |" in lines
    assert "| different documents with a wrong warning | 1 of 1000 |" in lines
