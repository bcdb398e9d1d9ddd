"""What people keep of what they found: notebooks, watches, highlights, and what goes out of the house."""
