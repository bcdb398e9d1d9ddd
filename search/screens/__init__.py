"""The public pages: search, ask, and a document as search sees it."""
