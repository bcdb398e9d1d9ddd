"""What readers say page by page is joined for people, in their language."""

import re

import pytest
from django.utils import translation

from extraction.document import LostWhat
from sources.remarks import RemarkCode, page_ranges, remarks


@pytest.mark.parametrize(
    ("pages", "shown"),
    [
        ([], ""),
        ([3], "3"),
        ([7, 2, 4, 5, 6, 2], "2, 4–7"),
        (range(1, 100, 2), "1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39 …"),
    ],
)
def test_pages_are_told_in_ranges_and_of_very_many_the_first(pages: list[int], shown: str) -> None:
    assert page_ranges(pages) == shown


def test_sentences_about_pages_are_joined_with_losses_first() -> None:
    found = remarks(
        [
            "Page 9 was read by OCR; check numbers and names against the page.",
            "Page 4 has a table that is not kept as rows and cells.",
            "Page 10 was read by OCR; check numbers and names against the page.",
            "Page 2 is an image without text; what it says was not read.",
            "A table is not kept as rows and cells.",
            "The moon is full.",
        ],
        None,
    )
    assert [(remark.code, remark.sentence) for remark in found] == [
        (RemarkCode.UNREAD, "Pages that were not read, or not in full: 2."),
        (RemarkCode.TABLE, "Pages with a table that is not kept as rows and cells: 4."),
        (RemarkCode.OCR, "Pages read by OCR, where numbers and names need a check: 9–10."),
        (RemarkCode.TABLE, "A table is not kept as rows and cells."),
        (RemarkCode.OTHER, "The moon is full."),
    ]
    assert [remark.is_loss for remark in found] == [True, True, False, True, False]


def test_the_list_of_unread_pages_is_complete_where_the_sentences_are_not() -> None:
    (found,) = remarks(["Page 2 is damaged and was not read."], [2, 3, 300])
    assert found.sentence == "Pages that were not read, or not in full: 2–3, 300."
    assert remarks(["Page 2 is damaged and was not read."], []) == ()


def test_whole_sentences_keep_their_numbers_in_hebrew() -> None:
    with translation.override("he"):
        partly, head = remarks(
            [
                "Only the first 4000 of 5000 pages were looked at.",
                "Only the first 3 of 607 pages were read for the proposal.",
            ],
            [],
        )
    assert (partly.code, head.code) == (RemarkCode.UNREAD, RemarkCode.HEAD)
    assert re.findall(r"[0-9]+|[a-z]+", partly.sentence + head.sentence) == ["4000", "5000", "3", "607"]


def test_what_was_seen_and_not_passed_on_is_said_first_kind_by_kind() -> None:
    lost: list[dict[str, object]] = [
        {"page": 3, "what": "note", "characters": 40},
        {"page": 4, "what": "note", "characters": 2},
        {"page": None, "what": "attachment", "characters": 0},
        {"page": None, "what": "other", "characters": 1},
    ]
    found = remarks(["The moon is full."], [], None, lost)
    assert [remark.sentence for remark in found] == [
        "Not in the text: files inside of the document.",
        "Not in the text: notes and comments (pages 3–4, 42 characters).",
        "Not in the text: other text (1 character).",
        "The moon is full.",
    ]
    assert [remark.is_loss for remark in found] == [True, True, True, False]


@pytest.mark.parametrize(
    ("pages", "language", "shown"),
    [
        ([3], "en", "(page 3)"),
        ([3, 5], "en", "(pages 3, 5)"),
        ([3, None], "en", "(page 3 …)"),
        ([3], "he", "(עמוד 3)"),
        ([3, 5], "he", "(עמודים 3, 5)"),
    ],
)
def test_one_page_is_a_page(pages: list[int | None], language: str, shown: str) -> None:
    lost = [{"page": page, "what": "picture", "characters": 0} for page in pages]
    with translation.override(language):
        [found] = remarks([], [], None, lost)
        assert shown in found.sentence


def test_files_that_are_named_are_told_once() -> None:
    names = "Files inside of the document that are not in its text: plan 7.pdf."
    inside, pinned = ({"page": page, "what": "attachment", "characters": 0} for page in (1, 4))
    assert [one.sentence for one in remarks([names], [], None, [inside])] == [
        "Files inside of the document, not in its text: plan 7.pdf."
    ]
    assert [one.sentence for one in remarks([names], [], None, [inside, pinned])] == [
        "Not in the text: files inside of the document (page 4).",
        "Files inside of the document, not in its text: plan 7.pdf.",
    ]


def test_files_inside_of_a_document_are_named() -> None:
    (found,) = remarks(["Files inside of the document that are not in its text: plan 7.pdf, note.txt."], [])
    assert found.sentence == "Files inside of the document, not in its text: plan 7.pdf, note.txt."
    assert found.is_loss


@pytest.mark.parametrize("language", ["en", "he"])
def test_every_kind_of_loss_has_a_name(language: str) -> None:
    with translation.override(language):
        named = {what: remarks([], [], None, [{"page": 1, "what": what.value, "characters": 0}]) for what in LostWhat}
    assert len({remark.sentence for [remark] in named.values()}) == len(LostWhat)


def test_of_a_numbering_what_is_missing_or_unsure_is_said() -> None:
    assert remarks([], [], {"form": "1.", "certainty": 1.0, "gaps": []}) == ()
    unsure, missing = remarks([], [], {"form": "Article 1", "certainty": 0.5, "gaps": ["5", "7–9"]})
    assert "such as Article 1" in unsure.sentence
    assert "5, 7–9" in missing.sentence
    [none] = remarks([], [], {"form": "", "certainty": 0.0, "gaps": []})
    assert "No numbered section" in none.sentence
