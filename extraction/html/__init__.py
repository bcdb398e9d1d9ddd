"""HTML files as paragraphs, without what surrounds the document on its page."""
