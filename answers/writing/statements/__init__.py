"""The statements of an answer: each sentence cited, marked, or left out."""
