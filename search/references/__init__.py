"""References: what the text of a document cites, and which provisions that is."""
