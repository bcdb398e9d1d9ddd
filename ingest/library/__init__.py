"""What is done with sources that are there: editing, indexing again, deleting; the admin API's part of it."""
