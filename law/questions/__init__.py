"""What a question asks for, and how else its words are written: kinds of answers, acts, phrases, misspellings."""
