"""Documents, their files and the text in them."""
