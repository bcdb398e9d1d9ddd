"""The structure of a document's text: sections, chapters and headings, and their addresses."""
