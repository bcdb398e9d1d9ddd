"""What a legal text is: languages, words, structure, citations, comparison, metadata; no Django, no database."""
