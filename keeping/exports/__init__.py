"""What goes out of the house as a file: answers, provisions, searches and comparisons with their footnotes."""
