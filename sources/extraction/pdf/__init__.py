"""PDF files as pages of logical-order text, Hebrew and English."""

from sources.extraction.pdf.reader import read_pdf

__all__ = ["read_pdf"]
