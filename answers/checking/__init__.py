"""Checking a text against the law that is here: its citations, its quotations, its statements."""
