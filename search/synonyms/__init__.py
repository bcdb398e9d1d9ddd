"""Synonyms: the base that comes with the languages, what people add to it, and what a search uses of both."""
