"""What a line of a document shows: numbers, clauses, headings, marks of days."""
