"""What any room shows of a search: its form and filters, hits and marks on pages, and their shapes in the API."""
