"""What a legal text is: languages, words, structure, citations, comparison, metadata. No Django, no database."""
