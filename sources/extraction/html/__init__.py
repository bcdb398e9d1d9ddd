"""HTML files as paragraphs, without what surrounds the document on its page."""

from sources.extraction.html.reader import read_html

__all__ = ["read_html"]
