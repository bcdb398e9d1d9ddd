"""Answering questions with quotes: what is said, and the words of the documents that hold it up."""
