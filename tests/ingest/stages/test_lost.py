"""What a reader saw and did not pass on is told by job and source, page by page."""

from collections.abc import Iterator

from extraction.document import Lost, LostWhat, Page
from ingest.stages.extract import MAX_LOST, PageStream


def read(*pages: Page) -> PageStream:
    reading = PageStream(iter(pages), on_page=lambda count: None)
    list(reading)
    return reading


def test_kinds_are_counted_by_page() -> None:
    note = Lost(LostWhat.NOTE, 5)
    reading = read(Page(1, ("a",), lost=(note, Lost(LostWhat.PICTURE))), Page(2, ("b",)), Page(3, ("c",), lost=(note,)))
    assert reading.kept_lost == [
        {"page": 1, "what": "note", "characters": 5},
        {"page": 1, "what": "picture", "characters": 0},
        {"page": 3, "what": "note", "characters": 5},
    ]


def test_parts_of_a_document_without_pages_are_one() -> None:
    part = Page(None, ("a",), lost=(Lost(LostWhat.SHAPE, 3),))
    assert read(part, part).kept_lost == [{"page": None, "what": "shape", "characters": 6}]


def test_of_very_many_first_are_kept_and_others_summed_by_kind() -> None:
    def pages() -> Iterator[Page]:
        for number in range(1, MAX_LOST + 1):
            yield Page(number, ("a",), lost=(Lost(LostWhat.PICTURE),))
        for number in range(MAX_LOST + 1, MAX_LOST + 10):
            yield Page(number, ("a",), lost=(Lost(LostWhat.NOTE, 2), Lost(LostWhat.PICTURE)))

    kept = read(*pages()).kept_lost
    assert [one["page"] for one in kept] == [*range(1, MAX_LOST + 1), None, None]
    assert kept[MAX_LOST:] == [
        {"page": None, "what": "note", "characters": 18},
        {"page": None, "what": "picture", "characters": 0},
    ]
