"""DOCX files as paragraphs, with the numbers of their lists written out."""

from sources.extraction.docx.reader import read_docx

__all__ = ["read_docx"]
