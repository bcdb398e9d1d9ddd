"""What may be quoted of a passage, and whether a quote stands there."""
