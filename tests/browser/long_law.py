"""A law of many pages, as reading and printing meet it."""

import pytest

from sources.models import Source
from tests.search.corpus import add_document

SECTIONS = 400


@pytest.fixture
def long_law(transactional_db: None) -> Source:
    """A law of 400 sections on 200 pages; the word aardvark stands in section 390 alone."""
    texts = [
        f"{n}. כותרת {n}\n(א) הוראה ראשונה.\n(ב) הוראה שנייה{' aardvark' if n == 390 else ''}:\n(1) פסקה {n}."
        for n in range(1, SECTIONS + 1)
    ]
    pages = ["\n".join(texts[n : n + 2]) for n in range(0, SECTIONS, 2)]
    return add_document(*pages, kind="law", title="חוק ארוך", pages=200)
