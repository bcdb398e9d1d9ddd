"""What stands where on a page: columns, tables, running heads and paragraphs."""
