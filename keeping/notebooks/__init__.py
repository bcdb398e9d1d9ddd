"""Notebooks: what people keep of the law, and what became of it since."""
