"""Matters: a notebook with its searches, watches and checks, and what became of all of it."""
