"""The HTTP API of search."""
