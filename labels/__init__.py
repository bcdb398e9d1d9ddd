"""Labels and which sources carry them."""
