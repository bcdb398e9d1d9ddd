"""Pages on which managers keep synonyms."""
