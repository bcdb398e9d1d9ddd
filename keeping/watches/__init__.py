"""Watches: what people are told of, on a page, by mail and by a feed of their own."""
