"""What a document cites and what cites it, in the API."""
