"""Classification: what a file of a batch seems to be, proposed for a person to confirm."""
