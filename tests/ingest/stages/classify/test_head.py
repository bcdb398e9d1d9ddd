"""The head of a stored file: its first pages, however long it is."""

from pathlib import Path

import pytest

from extraction.document import ExtractionFailed, Page, TextOrigin
from ingest.stages.classify.proposal import (
    CHARACTERS_OF_A_PAGE,
    CHARACTERS_WITHOUT_PAGES,
    further_pages,
    head_of,
    head_pages,
    is_enough,
    known_labels,
    read_beginning,
)
from ingest.stages.extract import CLAUSE_CHARACTERS, CLAUSE_PAGES
from labels import assign
from law.metadata.head import DocumentHead
from tests.extraction.pdf.making import english_pdf
from tests.factories import first_topic, make_label, make_source, make_topic

pytestmark = pytest.mark.django_db


def pdf(path: Path, pages: int) -> Path:
    sheet = "Sheet {0} of the ferry rules, about gangway number {0}. "
    return english_pdf(path, *(sheet.format(number) * 20 for number in range(1, pages + 1)))


def read(path: Path, directory: Path) -> tuple[DocumentHead, list[int]]:
    told: list[int] = []
    pages = read_beginning(path, directory / "spill", filename=path.name, on_page=told.append)
    return head_of(pages, filename=path.name, topic=first_topic()), told


def test_three_pages_of_a_long_file_are_its_head(tmp_path: Path) -> None:
    head, told = read(pdf(tmp_path / "rules.pdf", pages=90), tmp_path)
    assert [page.number for page in head.pages] == [1, 2, 3]
    assert [f"gangway number {number}." in head.pages[number - 1].text for number in (1, 2, 3)] == [True] * 3
    assert [page.number for page in head.further] == list(range(4, CLAUSE_PAGES + 1))
    assert max(told) < 60
    assert (head.filename, head.topic) == ("rules.pdf", first_topic().name)


def test_a_file_of_fewer_pages_is_read_whole(tmp_path: Path) -> None:
    head, told = read(pdf(tmp_path / "rules.pdf", pages=2), tmp_path)
    assert [page.number for page in head.pages] == [1, 2]
    assert told == [1, 2]


def test_a_format_without_pages_gives_its_first_characters(tmp_path: Path) -> None:
    path = tmp_path / "rules.txt"
    path.write_text("A line of the ferry rules.\n" * 20_000, encoding="utf-8")
    head, _ = read(path, tmp_path)
    assert [page.number for page in head.pages] == [None]
    assert len(head.pages[0].text) == CHARACTERS_WITHOUT_PAGES
    further = "".join(page.text for page in head.further)
    assert CLAUSE_CHARACTERS - 100 < len(further) <= CLAUSE_CHARACTERS
    assert further.startswith("A line of the ferry rules.")


def test_what_is_recognised_takes_long_and_is_not_read_behind_the_head() -> None:
    def page(number: int, origin: TextOrigin) -> Page:
        return Page(number=number, paragraphs=("x",), origin=origin)

    recognised = [page(number, TextOrigin.OCR) for number in (1, 2, 3)]
    assert [is_enough(recognised[:count]) for count in (1, 2, 3)] == [False, False, True]
    assert not is_enough([*recognised, page(4, TextOrigin.TEXT)])


def test_a_short_text_comes_once() -> None:
    assert list(further_pages([Page(number=None, paragraphs=("A short rule.",))])) == []


def test_a_monstrous_page_is_cut() -> None:
    page = Page(number=1, paragraphs=("x" * 100_000,))
    assert [len(head.text) for head in head_pages([page])] == [CHARACTERS_OF_A_PAGE]


@pytest.mark.parametrize(("content", "code"), [(b"", "empty"), (b"%PDF-1.7\n" + bytes(range(256)), "corrupt")])
def test_a_file_that_cannot_be_read_says_so(content: bytes, code: str, tmp_path: Path) -> None:
    path = tmp_path / "rules.pdf"
    path.write_bytes(content)
    with pytest.raises(ExtractionFailed) as failure:
        read(path, tmp_path)
    assert failure.value.code == code


def test_what_stops_the_reading_comes_through(tmp_path: Path) -> None:
    def stop(number: int) -> None:
        raise KeyError(number)

    with pytest.raises(KeyError):
        read_beginning(pdf(tmp_path / "a.pdf", 2), tmp_path / "spill", filename="a.pdf", on_page=stop)


def test_labels_in_use_in_the_topic_come_first() -> None:
    elsewhere, unused, here = make_label("Elsewhere"), make_label("Unused"), make_label("Here")
    topic = make_topic()
    assign.add(make_source(topic=topic), [here], by="test")
    for _ in range(2):
        assign.add(make_source(), [elsewhere], by="test")
    assert [label.slug for label in known_labels(topic)] == [here.slug, elsewhere.slug, unused.slug]
