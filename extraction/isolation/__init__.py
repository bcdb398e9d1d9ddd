"""Reading documents in processes of their own, with limits on time and memory."""

from extraction.document import read_page_file
from extraction.isolation.client import ReaderCost, draw_page, mark_quotes, read_pages, survey_pages, unpack, warm_up

__all__ = [
    "ReaderCost",
    "draw_page",
    "mark_quotes",
    "read_page_file",
    "read_pages",
    "survey_pages",
    "unpack",
    "warm_up",
]
