"""Citations of sections that a letter counts, as procedures and guidelines number them."""

import pytest

from search.retrieval import Match
from tests.search.citing import first, search
from tests.search.corpus import add_document, add_source, section

GUIDELINES = """Tide Guidelines
A. PURPOSE
These guidelines say how tides are read.
B. SCOPE
B.1 They apply to all piers.
C. READINGS
C.1 Tides are read daily.
C.2 They are kept for two years."""

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("query", "number"),
    [
        ("סעיף ג.2.1 לנוהל הארכת היתר למעבורת", "ג.2.1"),
        ("נוהל הארכת היתר למעבורת, סעיף ג.2", "ג.2"),
        ("section D.1.2 of the Tide Guidelines", "D.1.2"),
        ("Tide Guidelines, paragraph D.1", "D.1"),
    ],
)
def test_a_lettered_section_comes_first(query: str, number: str) -> None:
    add_source(
        section("ג.2", "", "המבקש יצרף תעודה."), section("ג.2.1", "", "תעודת זהות."), section("ג", "הטיפול", "טופס."),
        title="נוהל הארכת היתר למעבורת", kind="circular",
    )  # fmt: skip
    add_source(
        section("D.1", "", "Tides are read daily."), section("D.1.2", "", "At noon."), section("D", "Tides", "All."),
        title="Tide Guidelines", kind="circular",
    )  # fmt: skip
    hit = first(query)
    assert (hit.section, hit.match) == (number, Match.CITATION)


def test_one_that_is_not_there_is_told() -> None:
    add_document(GUIDELINES, title="Tide Guidelines", kind="circular")
    assert first("section C.2 of the Tide Guidelines").section == "C.2"
    missing = search("section C.7 of the Tide Guidelines").not_found
    assert missing is not None
    assert missing.number == "C.7"
