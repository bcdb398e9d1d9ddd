"""Whatever the document: chunks are verbatim, bounded, in order, and lose nothing."""

import tracemalloc
from collections.abc import Iterator
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extraction import Page
from law.chunking import PROSE_SIZES, SECTION_SIZES, chunk, document_text
from law.chunking.packing import pack
from law.structure.lines.document_lines import lines
from law.structure.provisions import Outline
from law.structure.recogniser import Recogniser

KINDS = ("law", "regulation", "circular", "caselaw", "tool")
LIMITS = {kind: (SECTION_SIZES if kind in ("law", "regulation") else PROSE_SIZES).maximum for kind in KINDS}

PARAGRAPHS = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        [
            "1. הגדרות",
            "2.",
            "2א. סייג לתחולה",
            "5. Definitions",
            "5.1 Scope",
            "5.1.1.(2)\tA person must:",
            "Section 7. Notices",
            "סעיף 3 לחוק העונשין",
            "פרק א': כללי",
            "תוספת ראשונה",
            "Part 2 Powers",
            "Contents",
            "תוכן עניינים",
            "(א) פסקה ראשונה;",
            "(1) פריט.",
            "כותרת שוליים",
            "יבוא:",
            '"5ב. הוספה',
            " \t ",
            "",
            "מילה " * 700,
            "x" * 5_000,
            "הגדרות\t1.\tבחוק זה –",
        ]
    ),
)
PAGES = st.lists(
    st.builds(
        Page,
        number=st.one_of(st.none(), st.integers(1, 9)),
        paragraphs=st.lists(PARAGRAPHS, max_size=8).map(tuple),
        continues=st.booleans(),
    ),
    max_size=5,
)


@given(pages=PAGES, kind=st.sampled_from(KINDS))
@settings(max_examples=300)
def test_chunks_are_verbatim_bounded_and_complete(pages: list[Page], kind: str) -> None:
    text = document_text(pages)
    end = 0
    for draft in chunk(pages, kind=kind):
        assert draft.text == text[draft.start : draft.end]
        assert draft.text == draft.text.strip() != ""
        assert len(draft.text) <= LIMITS[kind]
        assert not text[end : draft.start].strip(), "text between two chunks is lost"
        end = draft.end
    assert not text[end:].strip()


@given(pages=PAGES, kind=st.sampled_from(KINDS))
@settings(max_examples=100)
def test_page_is_that_of_the_first_character(pages: list[Page], kind: str) -> None:
    owners = []  # the page number of every character
    for line in lines(pages):
        owners.extend([line.page] * (len(line.joint) + len(line.text)))
    for draft in chunk(pages, kind=kind):
        assert draft.page == owners[draft.start]


def test_a_documents_text_joins_paragraphs_by_line_feeds() -> None:
    pages = [
        Page(number=1, paragraphs=("א", "ב"), continues=True),
        Page(number=2, paragraphs=()),
        Page(number=3, paragraphs=("ג", "ד")),
        Page(number=4, paragraphs=("ה",)),
    ]
    assert document_text(pages) == "א\nב ג\nד\nה"


@pytest.mark.deep
@pytest.mark.parametrize("statutory", [True, False])
def test_memory_does_not_grow_with_the_document(statutory: bool) -> None:
    def pages(count: int) -> Iterator[Page]:
        for number in range(1, count + 1):
            yield Page(number=number, paragraphs=tuple("מילים רבות בשורה אחת ארוכה " * 6 for _ in range(20)))

    def peak(count: int) -> int:
        tracemalloc.start()
        for _ in pack(Recogniser(statutory=statutory, most_lines=400).units(lines(pages(count))), sizes=PROSE_SIZES):
            pass
        highest = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return highest

    assert peak(400) < 2 * peak(40) + 100_000


def test_a_document_read_in_stretches_is_numbered_through() -> None:
    sections = ((f"{number}. Heading", f"The text of section {number}.") for number in range(1, 41))
    laws = [Page(number=None, paragraphs=tuple(chain.from_iterable(sections)))]
    for most in (7, 1_000):
        outline = Outline()
        for _ in outline.follow(Recogniser(statutory=True, most_lines=most).units(lines(laws))):
            pass
        assert [one.number for one in outline.provisions] == [str(n) for n in range(1, 41)]


@pytest.mark.deep
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "unit",
    ["1. ", "א", "(1) ", "Part ", "סעיף 1 ", '"', "\t", "1.1", ".", "פרק א ", "(עד ", "(עד 1.1.2020): ", "[Until "],
)
def test_hostile_lines_take_linear_time(kind: str, unit: str) -> None:
    pages = [Page(number=None, paragraphs=(unit * (200_000 // len(unit)),))]
    assert sum(len(draft.text) for draft in chunk(pages, kind=kind)) >= len(pages[0].text.strip()) * 0.6


@pytest.mark.deep
@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "line", ["(א) (החל מיום 1.1.2020): א", "(until 1 May 2020): a", "(עד (עד (עד (עד", "[effective "]
)
def test_many_marks_of_days_take_linear_time(line: str) -> None:
    pages = [Page(number=None, paragraphs=("1. Heading", *[line] * 20_000))]
    assert list(chunk(pages, kind="law"))


def test_no_pages_make_no_chunks() -> None:
    assert list(chunk([], kind="law")) == []
