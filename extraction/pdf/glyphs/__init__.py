"""The glyphs of a page, from PDFium's text layer to lines of text."""
