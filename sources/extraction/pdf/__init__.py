"""PDF files as pages of logical-order text, Hebrew and English."""

from .reader import read_pdf

__all__ = ["read_pdf"]
