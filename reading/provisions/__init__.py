"""The provisions of a document, in the API."""
