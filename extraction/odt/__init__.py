"""ODT files as paragraphs, with the numbers of their lists and headings written out."""
