"""Two versions side by side."""
