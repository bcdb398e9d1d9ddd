"""DOCX files as paragraphs, with the numbers of their lists written out."""
