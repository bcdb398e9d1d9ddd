"""Reading documents in processes of their own, with limits on time and memory."""

from sources.extraction.isolation.client import Spent, draw_page, mark_quotes, read_pages, warm_up
from sources.extraction.isolation.page_file import read_spill

__all__ = ["Spent", "draw_page", "mark_quotes", "read_pages", "read_spill", "warm_up"]
