"""What is found of each citation, quotation and statement of a text, and why."""
