"""Reads XLSX: sheets as pages, what is in their cells as it is displayed."""
