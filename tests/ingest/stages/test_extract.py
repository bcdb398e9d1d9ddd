"""The first pages of a file, however long it is."""

from pathlib import Path

import pytest

from extraction.document import ExtractionFailed
from ingest.stages.extract import first_pages
from tests.extraction.pdf.making import english_pdf


def pdf(path: Path, pages: int) -> Path:
    """Each page says twenty times which one it is, and nothing twice."""
    rule = "Rule {} says what holds on sheet {}. ".format
    return english_pdf(path, *("".join(rule(place, number) for place in range(20)) for number in range(1, pages + 1)))


@pytest.mark.parametrize("most", [1, 4])
def test_requested_pages_come_whole_and_stop_the_reader(most: int, tmp_path: Path) -> None:
    told: list[int] = []
    pages = first_pages(
        pdf(tmp_path / "rules.pdf", 150), tmp_path / "spill", filename="rules.pdf", most=most, on_page=told.append
    )
    assert [page.number for page in pages] == list(range(1, most + 1))
    assert [" ".join(page.paragraphs).count(f"on sheet {page.number}.") for page in pages] == [20] * most
    assert max(told) < 150


@pytest.mark.parametrize("most", [3, 4])
def test_a_file_of_no_more_pages_is_read_to_its_end(most: int, tmp_path: Path) -> None:
    pages = first_pages(pdf(tmp_path / "rules.pdf", 3), tmp_path / "spill", filename="rules.pdf", most=most)
    assert [page.number for page in pages] == [1, 2, 3]


def test_what_is_told_of_a_page_may_stop_the_reading(tmp_path: Path) -> None:
    def stop(number: int) -> None:
        raise KeyError(number)

    with pytest.raises(KeyError):
        first_pages(pdf(tmp_path / "a.pdf", 2), tmp_path / "spill", filename="a.pdf", most=2, on_page=stop)


def test_a_file_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    path = tmp_path / "rules.pdf"
    path.write_bytes(b"")
    with pytest.raises(ExtractionFailed):
        first_pages(path, tmp_path / "spill", filename="rules.pdf", most=2)
