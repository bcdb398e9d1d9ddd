"""Telling people what happened to what they watch: on the page, by mail, by a feed."""
