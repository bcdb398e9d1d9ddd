"""RTF files as paragraphs and rows of tables."""
