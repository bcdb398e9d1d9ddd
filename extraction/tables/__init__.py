"""Tables of every format: cells in their columns, and which rows name these."""
