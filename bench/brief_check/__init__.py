"""Checks of briefs that are made from the laws of the data sets, with errors put in."""
