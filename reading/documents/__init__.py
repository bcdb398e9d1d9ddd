"""A document as readers see it: its page, its file, its list."""
