"""The page that the pool reads before the first document."""

from extraction import extract
from extraction.isolation.pool import SAMPLE


def test_text_is_read_in_both_directions_and_both_fonts() -> None:
    text = "\n".join(page.text for page in extract(SAMPLE))
    assert text.count('1. Fees (of 1,250.50) are due on 31/12/2024, as the "Authority" says; 5% - or more.') == 2
    assert text.count("1. סעיף (א) הדגב.") == 2
